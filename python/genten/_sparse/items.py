# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values and parts of a sparse tensor by numbers and names of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._names.labels import NumberNames, some_names
from .._names.lookup import called, is_row, row_at
from .._model.run_record import first_number, has_numbers, table_base
from ..convert.parts import AnyArray, shown
from .entries import Entries

if TYPE_CHECKING:
    from typing_extensions import Self


class Items(Entries):
    """A sparse tensor with brackets."""

    def __getitem__(self, keys: Any) -> float | Self:
        """A value, or a part of the tensor: ``X[0, "tea"]``, ``X["zoe"]``, ``X[:, ["tea", 1]]``.

        For each mode a row, by its number or label, a slice of numbers, or a list of rows, each
        once; ``...`` stands for modes in between, and modes at the end may be left out. Modes of
        which a row alone is asked for are gone in the part, others keep their names. Where rows
        have the numbers of a file or a table for names, a part that does not begin with the first
        one has these as labels. Every call reads all subscripts.

        Raises
        ------
        IndexError
            For a row that there is not, and for more keys than modes.
        ValueError
            For a label that no row has, or several.
        TypeError
            For keys of another kind.
        """
        given = _one_a_mode(keys, self.ndim)
        columns, values = list(self._checked().subscripts.T), self.values
        shape, labels, mode_names = self._names_of(range(self.ndim))
        kept, left, base = np.ones(self.nnz, dtype=bool), [], table_base(self) or 0
        for mode, key in enumerate(given):
            names, here = labels[mode], called(mode, mode_names)
            if is_row(key):
                kept &= columns[mode] == row_at(key, shape[mode], names, here, base)
                continue
            left.append(mode)
            taken: range | AnyArray
            if isinstance(key, slice):
                taken = _slice_of(key, shape[mode], here)
            else:
                taken = _rows_of(key, shape[mode], names, here, base)
            if names is not None:
                labels[mode] = some_names(names, taken)
            elif not _are_first(taken) and has_numbers(self):
                first = first_number(self)
                labels[mode] = NumberNames(str(first + int(row)) for row in taken)
            columns[mode], inside = _renumbered(columns[mode], taken)
            kept &= inside
            shape[mode] = len(taken)
        if not left:
            return float(values[kept].sum(dtype=np.float64))
        names_left = (
            [shape[mode] for mode in left],
            [labels[mode] for mode in left],
            None if mode_names is None else [mode_names[mode] for mode in left],
        )
        found = [columns[mode][kept] for mode in left]
        known = self._known_distinct == self.nnz
        facts = self._kept_facts("rule", *["values"] * (len(left) == self.ndim))
        facts |= self._kept_facts("numbers")
        return self._made(found, values[kept], names_left, known, facts)


def _one_a_mode(keys: Any, order: int) -> list[Any]:
    """A key for each mode."""
    given = list(keys) if isinstance(keys, tuple) else [keys]
    gaps = [place for place, key in enumerate(given) if key is Ellipsis]
    if len(gaps) > 1 or len(given) - len(gaps) > order:
        raise IndexError(f"a Tensor of {order} modes is indexed by {order} keys, got {shown(keys)}")
    at = gaps[0] if gaps else len(given)
    return [*given[:at], *[slice(None)] * (order - len(given) + len(gaps)), *given[at + 1 :]]


def _are_first(rows: range | AnyArray) -> bool:
    return isinstance(rows, range) and rows == range(len(rows))


def _slice_of(key: slice, length: int, mode: str) -> range:
    try:
        return range(*key.indices(length))
    except TypeError:
        raise TypeError(f"{mode}: expected a slice of whole numbers, got {key!r}") from None


def _rows_of(
    keys: Any, length: int, labels: Sequence[str] | None, mode: str, base: int
) -> AnyArray:
    """The rows of a list, or of an array of numbers or truth values."""
    what = "a row's number or label, a slice, or a list of rows"
    if isinstance(keys, (str, bytes)) or not hasattr(keys, "__iter__"):
        raise TypeError(f"{mode}: expected {what}, got {keys!r}")
    if np.ndim(keys) > 1:
        array = np.asarray(keys)
        way = "X.to_dense()[tuple(subscripts.T)]; of any size, X.to_pyttb()[subscripts]"
        raise TypeError(
            f"{mode}: expected {what}, got an array of shape {array.shape}: values at entries are "
            f"{'X.to_dense()[mask]' if array.dtype == bool else way}"
        )
    listed = keys.tolist() if isinstance(keys, np.ndarray) else list(keys)
    if listed and all(isinstance(key, (bool, np.bool_)) for key in listed):
        if len(listed) != length:
            raise IndexError(f"{mode}: expected {length} truth values, got {len(listed)}")
        return np.flatnonzero(listed)
    if not all(map(is_row, listed)):
        raise TypeError(f"{mode}: expected {what}, got {shown(keys)}")
    rows = np.array([row_at(key, length, labels, mode, base) for key in listed], dtype=np.int64)
    if len(np.unique(rows)) < len(rows):
        raise ValueError(f"{mode}: expected each row once, got {shown(keys)}")
    return rows


def _renumbered(column: AnyArray, taken: range | AnyArray) -> tuple[AnyArray, AnyArray]:
    """Where the rows of a column stand among those that are taken, and which of them do."""
    rows = column.astype(np.int64)
    if isinstance(taken, range):
        places, rest = np.divmod(rows - taken.start, taken.step)
        inside = (rest == 0) & (places >= 0) & (places < len(taken))
        return np.where(inside, places, 0), inside
    order = np.argsort(taken)
    places = np.searchsorted(taken, rows, sorter=order)
    found = order[np.minimum(places, len(order) - 1)] if len(order) else np.zeros_like(rows)
    inside = taken[found] == rows if len(order) else np.zeros(len(rows), dtype=bool)
    return np.where(inside, found, 0), np.asarray(inside)
