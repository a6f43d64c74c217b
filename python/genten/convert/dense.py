# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Dense arrays, which had better be small."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from .parts import NUMBERS_OF, AnyArray, Parts, from_arrays, host_array, refuse_hints, warn

WARN_ABOVE = 10_000_000
"""Elements above which converting a dense array gives a warning."""

DENSE_MOST = 100_000_000
"""Elements of the largest array that is made of a tensor or a model without being told to."""


class HasDense(Protocol):
    """A tensor or a model."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def to_dense(self, *, most: int = ...) -> AnyArray: ...


def refuse_large(shape: Sequence[int], most: int) -> None:
    """Complains of an array of more than `most` elements.

    Raises
    ------
    ValueError
        With the number that it would have.
    """
    elements = math.prod(shape)
    if elements > most:
        raise ValueError(f"to_dense: expected at most {most} elements, got {elements}; see most=")


def copy_of_dense(source: HasDense, dtype: Any, copy: bool | None) -> AnyArray:
    """What `numpy.asarray` makes of a tensor or a model.

    Raises
    ------
    TypeError
        For one of too many elements.
    ValueError
        For ``copy=False``: there is no array to share.
    """
    kind, elements = type(source).__name__, math.prod(source.shape)
    if copy is False:
        raise ValueError(f"a {kind} is no array, which copy=False could share; copy=None makes one")
    if elements > DENSE_MOST:
        raise TypeError(
            f"a {kind} of {elements} elements becomes an array only by to_dense(most={elements}); "
            f"numpy.asarray makes those of at most {DENSE_MOST}"
        )
    full = source.to_dense()
    return full if dtype is None else full.astype(dtype, copy=False)


def accepts(data: Any) -> bool:
    """Whether `data` is an array; lists are not, since they say so little."""
    return isinstance(data, np.ndarray) or hasattr(data, "__dlpack__")


MOST_MODES, ROWS_A_MODE = 10, 5
"""Columns of an array that may be one of subscripts, at most, and rows a column, at least."""
LOOKED_AT = 10_000
"""Rows of which it is seen whether they are different."""


def _warn_of_subscripts(array: AnyArray) -> None:
    """Gives a warning of a matrix that may be one of subscripts: long and narrow, of whole numbers
    of at least 0, and no two rows the same, or some as those of events are. Floats are taken for
    values."""
    if array.ndim != 2 or array.dtype.kind not in "iu" or not array.size:
        return
    is_tall = array.shape[0] >= array.shape[1]
    rows = array if is_tall else array.T
    many, modes = rows.shape
    if not 2 <= modes <= MOST_MODES or many < ROWS_A_MODE * modes or rows.min() < 0:
        return
    some = rows[:LOOKED_AT]
    distinct = len(np.unique(some, axis=0))
    if distinct < len(some) and not _may_be_events(some, distinct):
        return
    lines, subs = ("rows", "subs") if is_tall else ("columns", "subs.T")
    are, arrays = "the subscripts of nonzeros", f"{subs}, values, shape"
    if distinct < len(some):
        are = "the subscripts of events, of which equal ones are added up"
        arrays = f"{subs}, numpy.ones({many})"
    warn(
        f"a dense array of {array.shape[0]} x {array.shape[1]} whole numbers is taken for a matrix "
        f"of so many entries: if its {lines} are {are}, give genten.tensor(({arrays})); if not, "
        "its .astype(float) says so"
    )


def _may_be_events(rows: AnyArray, distinct: int) -> bool:
    """Whether rows, some of which are the same, may be subscripts: most are different, or all
    columns are spread over their range, where counts are mostly small."""
    largest = rows.max(axis=0)
    return 2 * distinct > len(rows) or bool(
        (largest >= 2).all() and (4 * rows.mean(axis=0) >= largest).all()
    )


def _warn_of_entries(array: AnyArray) -> None:
    """Gives a warning of a matrix whose rows may be subscripts with a value: long and narrow, with
    whole numbers of at least 0 in all columns but the last."""
    if array.ndim != 2 or array.dtype.kind != "f" or not 3 <= array.shape[1] <= MOST_MODES + 1:
        return
    if len(array) < ROWS_A_MODE * array.shape[1]:
        return
    subs, values = array[:, :-1], array[:, -1]
    if (subs >= 0).all() and (subs == np.rint(subs)).all() and (values != np.rint(values)).any():
        warn(
            f"a dense array of {array.shape[0]} x {array.shape[1]} is taken for a matrix of so "
            "many entries, and holds whole numbers in all columns but the last: if its rows are "
            "the subscripts of nonzeros and a value, give "
            "genten.tensor((rows[:, :-1], rows[:, -1])); "
            "if not, genten.tensor(scipy.sparse.coo_array(rows)) says so"
        )


def _takers(mask: str) -> str:
    """What takes elements for missing, and what takes none that are."""
    return (
        f"genten.cp(X, rank, missing={mask}) takes them for missing, as do genten.CP(rank, "
        "missing=...).fit(X), genten.choose_rank, and evaluate and project_rows of a model; where "
        "arrays are split or transformed, numpy.ma.masked_invalid(X) brings its mask along; "
        "genten.tucker and genten.cp_als take no missing entries"
    )


def to_parts(
    data: Any, dtype: Any = None, shape: Any = None, name: str = "X", **hints: Any
) -> Parts:
    """Takes the elements that are not 0. `name` is what messages call the array."""
    refuse_hints("a dense array", shape=shape, **hints)
    unknown = f"where they are not known, {_takers('numpy.ma.getmaskarray(X)')}"
    array = host_array(data, "a dense array", unknown)
    if array.ndim == 0:
        raise ValueError(f"a dense array: expected at least one dimension, got {array[()]!r}")
    if array.dtype.names:
        raise ValueError(
            f"expected an array of numbers, got one of records with the fields "
            f"{list(array.dtype.names)}; pandas.DataFrame(it) is a table of them"
        )
    if array.dtype.kind not in "fiub":
        hint = NUMBERS_OF.get(array.dtype.kind, "")
        if array.dtype.kind in "OSUT" and any(isinstance(each, str) for each in array.flat):
            hint = "; a table with texts is taken as it is, by genten.tensor(table, values=...)"
        elif array.dtype.kind == "O":
            hint = "; .astype(float) makes numbers of objects, and NaN of None"
        raise ValueError(f"values: expected real numbers, got {array.dtype}{hint}")
    if array.size > WARN_ABOVE:
        warn(
            f"a dense array of {array.size} elements is searched for nonzeros; a sparse one, as "
            "scipy.sparse.coo_array, would take less memory and time"
        )
    _warn_of_subscripts(array)
    _warn_of_entries(array)
    holes = int(np.isnan(array).sum()) if array.dtype.kind == "f" else 0
    if holes:
        raise ValueError(
            f"values: {holes} of {array.size} elements are NaN; {_takers(f'numpy.isnan({name})')}"
        )
    where = array.nonzero()
    parts = from_arrays(list(where), array[where], array.shape, dtype, distinct=True)
    parts.own = True
    return parts
