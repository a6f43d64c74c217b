# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._files.tensors import write_tensor
from ._model.ktensor import Ktensor
from ._model.run_record import first_number, is_text, refuse_other_base, table_base
from ._model.shapes import require_shape as require_shape
from ._names.alignment import (
    aligned_columns,
    differing_labels,
    order_of_modes,
    refuse_nameless,
    warn_of_text_base,
)
from ._names.labels import Labels, NumberNames, checked_labels, some_names
from ._names.lookup import called, nothing_known, warn_of_zero_rows
from ._names.numbers import refuse_beyond
from ._model.row_numbers import (
    OfRows,
    counting_from,
    named_by_numbers,
    numbers_in,
    numbers_of,
    with_numbers_as_names,
)
from ._options import knowing_keywords_of_methods
from ._sparse.algebra import Algebra
from ._sparse.exports import Exports
from ._sparse.items import Items
from .convert.duplicates import added_up
from .convert.parts import checked_dtype, warn


@knowing_keywords_of_methods
class Tensor(Algebra, Exports, Items):
    """A sparse tensor: the subscripts and values of its nonzeros, and its shape.

    Made by `genten.tensor` and `genten.read`. None of its methods changes it; subscripts count from
    0, and several nonzeros at the same subscripts mean their sum: `coalesce` adds them up.

    Attributes
    ----------
    labels : list
        For each mode the names of its rows, or None.
    mode_names : list of str, or None
        Names of the modes.
    source : str or None
        The file that it was read from.
    file_facts : dict
        What the reader found: format, compression, entries, duplicates; 'read_options' is how it
        was asked. Without a file 'duplicates' and 'merged_by', how many entries were merged and the
        rule, where some were or a rule was given, and of a table 'values', the column, None where
        rows were counted, or '' where it has no name, as of a Series. What is saved of a table
        keeps the name of that column.

    Examples
    --------
    >>> import genten, numpy as np
    >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([3.0, 4.0])))
    >>> X.shape, X.nnz, X.norm
    ((3, 2), 2, 5.0)
    """

    def coalesce(self) -> Tensor:
        """The tensor with one nonzero an entry, the sum of all with its subscripts, in the order of
        the entries; itself where no two nonzeros have the same subscripts.

        Returns
        -------
        Tensor
            With the labels of this one.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 0], [1, 1], [0, 0]]), np.array([1.0, 2.0, 4.0])))
        >>> X
        <genten.Tensor 2 x 2, 3 stored entries with 2 distinct subscripts, density 0.5, float64>
        >>> X.coalesce().values
        array([5., 2.])
        """
        if self.distinct_subscripts == self.nnz:
            return self
        self._checked()
        columns, values, _ = added_up(list(self.subscripts.T), self.values, self.shape)
        core = _core.tensor_from_columns(columns, values, list(self.shape), False)
        core.keep_listed(np.ascontiguousarray(self.values))
        names, facts = (self.labels, self.mode_names), self.file_facts
        many = facts.get("duplicates", 0) + self.nnz - len(values)
        facts = {**facts, "duplicates": many, "merged_by": "sum"}
        early, distinct = self._may_end_early, len(values)
        return Tensor(core, *names, self.source, facts, distinct=distinct, may_end_early=early)

    def __eq__(self, other: object) -> bool:
        """Whether shapes, names, the entries that are listed and their sums are the same."""
        if not isinstance(other, Tensor):
            self._refuse_comparison(other, "==")
            return NotImplemented
        if (self.shape, self.labels, self.mode_names) != (
            other.shape, other.labels, other.mode_names,
        ):  # fmt: skip
            return False
        mine, theirs = self.coalesce(), other.coalesce()
        a, b = (np.lexsort(X.subscripts.T[::-1]) for X in (mine, theirs))
        return np.array_equal(mine.subscripts[a], theirs.subscripts[b]) and np.array_equal(
            mine.values[a], theirs.values[b]
        )

    def __ne__(self, other: object) -> bool:
        """Whether any of these differs."""
        if not isinstance(other, Tensor):
            self._refuse_comparison(other, "!=")
            return NotImplemented
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def compact(self) -> Tensor:
        """The tensor without rows that have no nonzeros, with labels for all modes: those that
        there are or, as of ids, the numbers of the rows that are kept, as the file or table has
        them; of arrays they count from 0. Itself where it is so already.

        Beside such a tensor, and models of it, numbers in tables and in files without labels are
        these labels, as beside ``--compact`` of the tool. In arrays, lists and tuples they are
        rows, as everywhere, and so are those of ``subscripts`` of such a tensor.

        Returns
        -------
        Tensor
            With the nonzeros of this one in the same order.

        Examples
        --------
        >>> import genten, numpy as np
        >>> subscripts = np.array([[70, 0], [4, 1], [70, 1]])
        >>> X = genten.tensor((subscripts, np.array([1.0, 2.0, 3.0])))
        >>> X.shape, X.compact().shape, X.compact().labels
        ((71, 2), (2, 2), [['4', '70'], ['0', '1']])
        """
        columns, labels = list(self._checked().subscripts.T), list(self.labels)
        shape, first = list(self.shape), first_number(self)
        for mode, names in enumerate(labels):
            rows, places = np.unique(columns[mode], return_inverse=True)
            if names is None:
                labels[mode] = NumberNames(str(row + first) for row in rows.tolist())
            elif len(rows) == len(names):
                continue
            else:
                labels[mode] = some_names(names, rows.tolist())
            columns[mode], shape[mode] = places.reshape(-1), len(rows)
        if labels == self.labels:
            return self
        found = self._with_columns(columns, shape, labels, self.mode_names)
        facts = self._kept_facts("duplicates", "rule", "values", "numbers")
        if self._is_table and "table_base" in facts:
            facts["index_base"] = facts.pop("table_base")
        found.source, found.file_facts = None, facts
        return found

    def innerprod(self, other: Any) -> float:
        """Inner product with a model or another tensor: the sum of the products of elements.

        Parameters
        ----------
        other : Tensor, Model, or a model of pyttb or TensorLy
            Of the same shape. Where both have names of modes or labels of rows, they go by these;
            rows that this tensor lacks are zero beside a model, and a warning names them. Another
            tensor has no nonzeros in rows that this one lacks.

        Returns
        -------
        float

        Raises
        ------
        TypeError
            For what is neither a model nor a Tensor.
        ValueError
            For another shape, and for nonzeros in rows that the other side lacks.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.innerprod(genten.Model([2.0], [np.ones((3, 1)), np.ones((2, 1))]))
        6.0
        >>> X.innerprod(X)
        5.0
        """
        if isinstance(other, Tensor):
            names, own = (self.labels, self.mode_names), (self.shape, numbers_in(self))
            its = relabelled(other, *names, of_rows=own, what="innerprod", warns=False)
            if its.shape != self.shape:
                raise ValueError(
                    f"innerprod: expected a tensor of shape {self.shape}, got {its.shape}"
                )
            return self._scalar_product(its)
        given = Ktensor._of(other)
        if given is None:
            dense = ".to_dense()" if hasattr(other, "core") else ""
            raise TypeError(
                f"innerprod: expected a Model or a Tensor, got {type(other).__name__}; "
                f"genten.tensor(it{dense}) makes one"
            )
        X = beside(given, self, "innerprod")
        if given.dtype != X.dtype:  # Nothing is lost in the wider one.
            X = X.astype(np.float64)
        weights, factors = given._rows(X.dtype)
        return _core.tensor_innerprod(X._core, weights, factors)

    def astype(self, dtype: Any) -> Tensor:
        """The same tensor with values of another type; itself where it has them already.

        Parameters
        ----------
        dtype : float32 or float64

        Returns
        -------
        Tensor
            With the labels of this one.

        Raises
        ------
        ValueError
            For another type, and for values that it cannot hold: those that would become infinite
            or 0. A warning tells where whole numbers are rounded.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.astype("float32").values
        array([1., 2.], dtype=float32)
        """
        wanted = checked_dtype(dtype)
        return self if wanted == self.dtype else self._changed(dtype=wanted)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Writes the tensor, with its labels beside it: `genten.write`.

        Parameters
        ----------
        path : path
            Its name says the form where `format` does not.
        **options
            The keywords of `genten.write`: format, index_base and compression.

        Raises
        ------
        ValueError
            For a name that says no form, and for options that contradict it.
        OSError
            For a file that cannot be written.

        Examples
        --------
        >>> import genten, numpy as np, os, tempfile
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     X.save(os.path.join(folder, "x.gtn"))
        ...     genten.read(os.path.join(folder, "x.gtn")).shape
        (3, 2)
        """
        names = self.labels, self.mode_names, self.file_facts.get("values")
        write_tensor(self._core, *names, path, options, table_base(self))

    def __reduce__(self) -> tuple[Any, ...]:
        self._checked()
        return _unpickled, (
            np.array(self.subscripts),
            np.array(self.values),
            self.shape,
            self.labels,
            self.mode_names,
            self.source,
            self.file_facts,
            False,
            self._known_distinct,
            self._is_table,
            self._may_end_early,
        )


def _unpickled(
    subscripts: npt.NDArray[Any], values: npt.NDArray[Any], shape: tuple[int, ...], *rest: Any
) -> Tensor:
    return Tensor(_core.tensor_from_matrix(subscripts, values, list(shape), False), *rest)


def naming(X: Tensor) -> Labels:
    """The labels without which numbers of rows mean nothing: of tables, and those that are numbers.
    """
    return [each if X._is_table or isinstance(each, NumberNames) else None for each in X.labels]


def lacks_names(X: Tensor, labels: Labels) -> bool:
    """Whether the tensor has rows without labels beside such ones, of which some are numbers."""
    return None in X.labels and any(isinstance(each, NumberNames) for each in labels)


def as_named(X: Tensor, labels: Labels, but: int | None = None) -> Tensor:
    """The tensor, whose rows are those of these labels, with them where it has none; but in one
    mode."""
    each = enumerate(zip(X.labels, labels, strict=True))
    return X._changed([own if own or mode == but else other for mode, (own, other) in each])


def beside(
    model: Any, X: Tensor, what: str = "", but: int | None = None, warns: bool = True,
    **partial: Any,
) -> Tensor:
    """The tensor with the model's modes and rows: see `relabelled`. The numbers of a table are
    those of the model's rows, and do not say how long its modes are.

    Raises
    ------
    ValueError
        For a table that was read with another base than that of the model, and for numbers below
        that; the rest as of `relabelled`.
    """
    run, names = getattr(model, "_run", {}), getattr(model, "mode_names", None)
    base = check_base(X, model.labels, run, what)
    remedy = nothing_known(model)
    how: dict[str, Any] = {"what": what, "warns": warns, "remedy": remedy, **partial}
    of_rows = model.shape, numbers_of(run)
    placed = relabelled(X, model.labels, names, of_rows=of_rows, but=but, base=base, **how)
    if not X._is_table or X.ndim != len(model.shape):
        return placed
    entries = placed._checked().subscripts
    for mode, length in enumerate(model.shape):
        if mode != but and placed.labels[mode] is None and placed.nnz:
            place = (f"{what}: " if what else "") + called(mode, names)
            refuse_beyond(entries[:, mode], length, base or 0, place, remedy)
    warn_of_zero_rows(model, entries, base or 0, what or "tensor", but)
    return as_long_as(placed, model.shape, but)


def check_base(X: Tensor, labels: Labels, run: Mapping[str, Any], what: str) -> int | None:
    """The base of a model of that run. Refuses a table that was read with another one, and warns of
    a text that counts from another one, and of a table where the model is of text."""
    base: int | None = run.get("index_base")
    if base is None and X._is_table and what:
        warn_of_text_base(run, labels, X, what)
    if base is None or X.ndim != len(labels) or not any(
        own is None and other is None for own, other in zip(labels, X.labels, strict=True)
    ):
        return base
    refuse_other_base(
        (None if X._is_table else table_base(X), base),
        (X.labels, labels),
        what or "tensor",
        ("the tensor", "the model"),
    )
    before, facts = f"{what}: " if what else "", X.file_facts
    asked = facts.get("read_options", {}).get("index_base", "auto")
    if X._is_table and str(asked) not in ("auto", str(base)):
        raise ValueError(
            f"{before}index_base: expected {base}, from which the model numbers its rows, as the "
            f"table was read that it was made from, got {asked}"
        )
    is_known = facts.get("labels_beside", False) or str(asked) != "auto"
    counts_from_1 = is_text(facts) and facts.get("index_base") == 1
    if base == 0 and counts_from_1 and not (is_known or X._is_table):
        warn(
            f"{before}subscripts count from 1 in the text {X.source}, and from 0 in the table that "
            "the model was made from: is genten.read(..., index_base=0) meant?"
        )
    return base


def as_long_as(X: Tensor, shape: Sequence[int], but: int | None = None) -> Tensor:
    """The tensor with every mode without names, but one, as long as that at least: the numbers of a
    table do not say how long its modes are."""
    if X.ndim != len(shape):
        return X
    longer = [
        n if names is not None or mode == but else max(n, shape[mode])
        for mode, (n, names) in enumerate(zip(X.shape, X.labels, strict=True))
    ]
    if longer == list(X.shape):
        return X
    return X._with_columns(list(X._checked().subscripts.T), longer, X.labels, X.mode_names)


def relabelled(
    X: Tensor,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    of_rows: OfRows,
    but: int | None = None,
    what: str = "",
    warns: bool = True,
    base: int | None = None,
    remedy: str = "",
    **partial: Any,
) -> Tensor:
    """The tensor with its modes in the order of `mode_names`, and the rows of every mode but one
    as `labels` number them, where it has names, too, and they differ; itself where they do not.
    `of_rows` are the shape of the other side and the `Numbers` of its rows without labels. Numbers
    of a table count from `base`, if there is one. The rest is as of `aligned_columns`.

    Raises
    ------
    ValueError
        For other names of modes, for subscripts or values that no tensor has, and for a table that
        names the rows of a mode beside a model that does not.
    """
    if X.ndim != len(labels):
        return X
    order = order_of_modes(mode_names, X.mode_names, what)
    if order is not None:
        columns = [X.subscripts[:, mode] for mode in order]
        shape, named = [X.shape[mode] for mode in order], [X.labels[mode] for mode in order]
        X = X._with_columns(columns, shape, named, list(mode_names or ()))
    # Texts of a table, which has numbers elsewhere, are refused as `predict` refuses them.
    theirs = [None if X._is_table and not isinstance(n, NumberNames) else n for n in X.labels]
    labels = named_by_numbers(labels, *of_rows, theirs, but)
    named = [None if n == but else each for n, each in enumerate(naming(X))]
    refuse_nameless(labels, named, mode_names or X.mode_names, what)
    X = with_numbers_as_names(X, labels, what, but)
    if X._is_table:
        X = counting_from(base, X, what)
    if all(mode == but for mode, *_ in differing_labels(labels, X.labels)):
        return X
    checked_labels(X.labels, X.shape)  # which are lists that others may have changed
    columns, names = list(X._checked().subscripts.T), (X.labels, labels, mode_names)
    columns, named = aligned_columns(
        columns, *names, but=but, what=what, warns=warns, remedy=remedy, **partial
    )
    shape = [n if each is None else len(each) for n, each in zip(X.shape, named, strict=True)]
    return X._with_columns(columns, shape, named, X.mode_names)
