# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows and entries by their labels."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .labels import Labels, near_to
from ..convert import frames
from ..convert.columns import OF_MODEL, from_base
from ..convert.keys import decoded
from ..convert.parts import AnyArray, as_subscripts, warn
from ..convert.times import is_time, spellings, text_of


def rows_of(texts: Iterable[str], labels: Sequence[str], mode: str) -> npt.NDArray[np.int64]:
    """The rows that have these labels, or those of the same times; `mode` is what messages call
    theirs.

    Raises
    ------
    ValueError
        For a label that no row has, or several.
    """
    numbers: dict[str, int] = {}
    for row, label in enumerate(labels):
        numbers[label] = -1 if label in numbers else row
    found = []
    for text in texts:
        row = numbers.get(text, len(labels))
        if row == len(labels):  # A time may be written to another unit.
            alike = (other for other in spellings(text) if other in numbers)
            row = numbers.get(next(alike, text), row)
        if row == len(labels):
            raise ValueError(f"{mode}: no row is called {text!r}{near_to(text, labels)}")
        if row < 0:
            raise ValueError(f"{mode}: several rows are called {text!r}")
        found.append(row)
    return np.array(found, dtype=np.int64)


def is_row(key: Any) -> bool:
    """Whether that is the number of a row or its name, a time among them."""
    if _is_name(key):
        return True
    try:
        operator.index(key)
    except TypeError:
        return False
    return not isinstance(key, (bool, np.bool_))


def row_at(key: Any, length: int, labels: Sequence[str] | None, mode: str) -> int:
    """A row by its number, negative ones counted from the end, or by its label; `mode` is what
    messages call theirs.

    Raises
    ------
    IndexError
        For a number that no row has.
    ValueError
        For a label that no row has, or several.
    """
    if _is_name(key):
        (name,) = decoded((key,), mode)
        if labels is None:
            raise ValueError(f"{mode} has no labels, expected a whole number, got {name!r}")
        return int(rows_of([text_of(name)], labels, mode)[0])
    number = operator.index(key)
    if not -length <= number < length:
        raise IndexError(f"{mode}: expected a row from 0 to {length - 1}, got {number}")
    return number % length


def called(mode: int, mode_names: Sequence[str] | None) -> str:
    """What messages call a mode."""
    return f"mode {mode}" if mode_names is None else f"mode {mode} ({mode_names[mode]})"


def _of_table(
    table: Any, labels: Labels, mode_names: Sequence[str] | None, what: str, base: int
) -> list[AnyArray]:
    table = frames.with_index(table)
    there = list(table.columns)
    by_text = dict(zip(map(str, decoded(there, what)), there, strict=True))
    if mode_names is not None and all(name in by_text for name in mode_names):
        columns = [by_text[name] for name in mode_names]
    elif len(there) == len(labels) and mode_names is None:
        columns = there
    else:
        wanted = f"the columns {list(mode_names)}" if mode_names else f"{len(labels)} columns"
        raise ValueError(f"{what}: expected a table with {wanted}, got {there}")
    taken = []
    for mode, column in enumerate(columns):
        codes, texts = frames.mode_of(table, column)
        names = labels[mode]
        if names is not None:
            if texts is None:
                found, codes = np.unique(codes, return_inverse=True)
                texts = [str(key) for key in found.tolist()]
            used = np.unique(codes)
            rows = np.zeros(len(texts), dtype=np.int64)
            shown = [texts[int(code)] for code in used]
            rows[used] = rows_of(shown, names, called(mode, mode_names))
            codes = rows[codes]
        elif texts is not None:
            raise ValueError(
                f"{what}: {called(mode, mode_names)} has no labels, expected whole numbers in "
                f"column {column!r}"
            )
        else:
            place = f"{what}: {called(mode, mode_names)}"
            codes = from_base(codes.astype(np.int64), base, place, OF_MODEL)
        taken.append(codes.reshape(-1))
    return taken


def _of_tuples(
    entries: Sequence[Any], labels: Labels, mode_names: Sequence[str] | None, what: str
) -> list[AnyArray]:
    for entry in entries:
        one = isinstance(entry, (str, bytes)) or not hasattr(entry, "__len__")
        if one or len(entry) != len(labels):
            raise ValueError(f"{what}: expected {len(labels)} labels an entry, got {entry!r}")
    taken = []
    for mode, keys in enumerate(zip(*entries, strict=True)):
        names, mine = labels[mode], called(mode, mode_names)
        keys = tuple(decoded(keys, f"{what}: {mine}"))
        texts = list(dict.fromkeys(text_of(key) for key in keys if _is_name(key)))
        if texts and names is None:
            raise ValueError(f"{what}: {mine} has no labels, expected whole numbers")
        rows = dict(zip(texts, rows_of(texts, names or (), mine), strict=True))
        column = [rows[text_of(key)] if _is_name(key) else key for key in keys]
        taken.append(as_subscripts(np.array(column, dtype=object)))
    return taken


def _is_name(key: Any) -> bool:
    return isinstance(key, (str, bytes)) or is_time(key)


def _holds_names(entries: Any) -> bool:
    if isinstance(entries, np.ndarray):
        return entries.dtype.kind in "SUM" or (
            entries.dtype.kind == "O" and any(map(_is_name, entries.ravel()))
        )
    return isinstance(entries, (list, tuple)) and any(
        _is_name(entry) or (isinstance(entry, (list, tuple)) and any(map(_is_name, entry)))
        for entry in entries
    )


def subscripts_of(
    entries: Any,
    labels: Labels,
    mode_names: Sequence[str] | None,
    what: str = "predict",
    base: int | None = None,
) -> AnyArray:
    """Subscripts of entries, which are an array of them, a table, of which the numbers count from
    `base`, or tuples with labels; `what` is what messages begin with.

    Raises
    ------
    ValueError
        For labels that there are not, for numbers of a table below `base`, and for entries of
        another order.
    """
    if getattr(entries, "ndim", 1) == 0:
        raise ValueError(f"{what}: expected a row of subscripts for each entry, got {entries!r}")
    if frames.accepts(entries):
        columns = _of_table(entries, labels, mode_names, what, base or 0)
    elif isinstance(entries, Mapping):
        raise TypeError(f"{what}: expected an array, a table or tuples, got a mapping")
    elif _holds_names(entries):
        columns = _of_tuples(list(entries), labels, mode_names, what)
    else:
        return as_subscripts(entries)
    return np.stack([column.astype(np.int64) for column in columns], axis=1)


def warn_of_empty_rows(
    entries: AnyArray,
    factors: Sequence[AnyArray | None],
    labels: Labels,
    mode_names: Sequence[str] | None,
    base: int,
) -> None:
    """Warns of entries of a table in rows that are numbers and zero in the model, as those of ids
    without nonzeros are: nothing was learned of them."""
    for mode, (column, factor) in enumerate(zip(entries.T, factors, strict=True)):
        if factor is None or labels[mode] is not None or not len(column):
            continue
        if column.min() < 0 or column.max() >= len(factor):
            continue  # which the prediction refuses
        is_empty = ~np.any(np.asarray(factor) != 0.0, axis=1)
        found = np.flatnonzero(is_empty[column])
        if len(found):
            first = int(found[0])
            count = "an entry is" if len(found) == 1 else f"{len(found)} entries are"
            warn(
                f"predict: {called(mode, mode_names)}: {count} in rows that are zero in the model, "
                "as rows without nonzeros in its data are: it knows nothing of them; the first is "
                f"entry {first}, in row {int(column[first]) + base}"
            )
