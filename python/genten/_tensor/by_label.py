# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors and models with their rows in the order of another's labels: the same label is the same
row, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import _library
from .._lookup import called, rows_of
from .._names import Labels

if TYPE_CHECKING:
    from ..model import Model
    from ..tensors import Tensor

MOST_NAMED = 3
"""Labels that a message names, of each side."""


def _differing(
    mine: Labels, theirs: Labels
) -> Iterator[tuple[int, Sequence[str], Sequence[str]]]:
    """The modes of which both have labels that are not the same in the same order."""
    for mode, (here, there) in enumerate(zip(mine, theirs, strict=True)):
        if here is not None and there is not None and list(here) != list(there):
            yield mode, here, there


def relabelled(
    X: Tensor,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    but: int | None = None,
    what: str = "",
) -> Tensor:
    """The tensor with the rows of every mode but one as `labels` number them, where it has labels,
    too, and they differ; itself where they do not.

    It becomes as long as they are. Rows that it lacks are empty then: what a sparse tensor does
    not list is zero. `what` is what messages begin with.

    Raises
    ------
    ValueError
        For a label of a row with nonzeros that is not among them, or that several rows have.
    """
    if X.ndim != len(labels):
        return X
    columns, shape, named = list(X.subscripts.T), list(X.shape), list(X.labels)
    before = f"{what}: " if what else ""
    for mode, mine, theirs in _differing(labels, X.labels):
        if mode == but:
            continue
        used = np.unique(columns[mode])
        if len(used) and int(used[-1]) >= len(theirs):
            return X  # Arrays of others that were written to: the library tells of it.
        rows = np.zeros(len(theirs), dtype=np.int64)
        shown = [theirs[int(row)] for row in used]
        rows[used] = rows_of(shown, mine, before + called(mode, mode_names))
        if len(np.unique(rows[used])) < len(used):
            met = rows[used].tolist()
            twice = next(text for text, row in zip(shown, met, strict=True) if met.count(row) > 1)
            raise ValueError(
                f"{before}{called(mode, mode_names)}: several rows of the tensor are called "
                f"{twice!r}"
            )
        columns[mode], shape[mode], named[mode] = rows[columns[mode]], len(mine), mine
    if all(one is other for one, other in zip(named, X.labels, strict=True)):
        return X
    kept = [column.astype(np.int64) for column in columns]
    core = _library.tensor_from_columns(kept, X.values, shape, False)
    return type(X)(core, named, X.mode_names, X.source, X.file_facts, cells=X._cells)


def _some(labels: list[str]) -> str:
    named = ", ".join(map(repr, labels[:MOST_NAMED]))
    more = len(labels) - MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _order_of(
    mine: Sequence[str], theirs: Sequence[str], mode: str, sides: tuple[str, str]
) -> npt.NDArray[np.int64]:
    """The rows of `theirs` in the order of `mine`.

    Raises
    ------
    ValueError
        Where these are not the same labels, or one of them stands for several rows.
    """
    here, there = set(mine), set(theirs)
    if here != there:
        lacking = [
            f"only {side} has {_some([text for text in each if text not in other])}"
            for side, each, other in ((sides[0], mine, there), (sides[1], theirs, here))
            if not other.issuperset(each)
        ]
        raise ValueError(f"{mode}: expected the same labels, but {' and '.join(lacking)}")
    if not len(here) == len(mine) == len(theirs):
        several = next(text for text in here if list(mine).count(text) != 1
                       or list(theirs).count(text) != 1)  # fmt: skip
        raise ValueError(f"{mode}: several rows are called {several!r}")
    return rows_of(mine, theirs, mode)


def model_by_label(
    model: Model,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    what: str,
    sides: tuple[str, str],
) -> Model:
    """The model with its rows in the order of `labels`, where both have labels of a mode and they
    differ; itself where they do not. `sides` is what messages call them, the model last.

    Unlike a tensor, a model says nothing of rows that it lacks: there are no zeros in their place.

    Raises
    ------
    ValueError
        Where these are not the same labels, or one of them stands for several rows.
    """
    if model.ndim != len(labels):
        return model
    factors, named = list(model.factors), list(model.labels)
    for mode, mine, theirs in _differing(labels, model.labels):
        order = _order_of(mine, theirs, f"{what}: {called(mode, mode_names)}", sides)
        factors[mode], named[mode] = factors[mode][order], mine
    if all(one is other for one, other in zip(named, model.labels, strict=True)):
        return model
    return type(model)(model.weights, factors, named, model.mode_names)
