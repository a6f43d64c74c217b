# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows that have numbers for names: those of a file or a table, where the other of two sides has
numbers as labels.

The rule: rows without labels are called by their numbers, base + row, where the base is known that
these count from, and rows whose labels are such numbers are the same ones. Where it is not known,
as of arrays, rows go by their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._names.labels import Labels, NumberNames
from .._names.lookup import called
from .._names.numbers import check_array, some_of
from ..convert.columns import OF_ROWS, from_base
from ..convert.parts import warn
from .run_record import first_number, has_numbers, table_base


class Numbers(NamedTuple):
    """What the numbers of a side's rows without labels count from, None where that is not known,
    and whether they are those of a table. Of a table all labels that look so are numbers, of a text
    only those that are known to be: others name its rows in their order."""

    base: int | None
    of_table: bool


UNKNOWN = Numbers(None, False)
OfRows = tuple[Sequence[int], Numbers]
"""The shape of a side, and the numbers of its rows without labels."""


def numbers_in(X: Any) -> Numbers:
    """Those of a tensor."""
    return Numbers(first_number(X), table_base(X) is not None) if has_numbers(X) else UNKNOWN


def numbers_of(run: Mapping[str, Any]) -> Numbers:
    """Those of a model of that run."""
    return Numbers(run.get("index_base", run.get("text_base")), "index_base" in run)


def are_numbers(labels: Sequence[str] | None, of_table: bool = True) -> bool:
    """Whether labels are numbers of rows."""
    if labels is None or isinstance(labels, NumberNames):
        return labels is not None
    return of_table and all(text.isdecimal() and text.isascii() for text in labels)


def named_by_numbers(
    labels: Labels,
    shape: Sequence[int],
    numbers: Numbers,
    others: Labels,
    but: int | None = None,
) -> Labels:
    """The labels of a side of that shape, by the rule with numbers for those that it lacks, but in
    one mode, where the labels of the other side are numbers."""
    base, of_table = numbers
    if base is None or len(labels) != len(others):
        return labels
    return [
        NumberNames(str(base + row) for row in range(shape[mode]))
        if own is None and mode != but and are_numbers(other, of_table)
        else own
        for mode, (own, other) in enumerate(zip(labels, others, strict=True))
    ]


def both_by_numbers(
    labels: tuple[Labels, Labels], of_rows: tuple[OfRows, OfRows]
) -> tuple[Labels, Labels]:
    """The same of both sides."""
    mine, theirs = labels
    return (
        named_by_numbers(mine, *of_rows[0], theirs),
        named_by_numbers(theirs, *of_rows[1], mine),
    )


def warn_of_order(
    labels: tuple[Labels, Labels],
    mode_names: Sequence[str] | None,
    what: str,
    sides: tuple[str, str],
) -> None:
    """Gives a warning of modes in which the labels of one side are numbers, others than those of
    rows from 0, and the other has rows by their order alone."""
    for mode, pair in enumerate(zip(*labels, strict=True)):
        if (pair[0] is None) == (pair[1] is None):
            continue
        at = int(pair[0] is None)
        texts = pair[at] or ()
        if are_numbers(texts) and list(texts) != [str(row) for row in range(len(texts))]:
            warn(
                f"{what}: {called(mode, mode_names)}: {sides[at]} calls its rows "
                f"{some_of(texts)}, and {sides[1 - at]} has no labels, nor numbers of a file or a "
                "table: rows go by their order; labels on both sides say which are the same"
            )


def with_numbers_as_names(
    X: Any, labels: Labels, what: str = "", but: int | None = None
) -> Any:
    """The tensor with the numbers of rows as their labels, of those alone that occur, where rows
    of that mode have `labels`, and these are numbers and the tensor is of a file, or it is of a
    table. Those of arrays are rows, with a warning where they may be meant for labels.

    Raises
    ------
    ValueError
        For arrays with numbers that are labels, and beyond the rows, of a mode but that one.
    """
    columns, shape, named = list(X._checked().subscripts.T), list(X.shape), list(X.labels)
    if not has_numbers(X):
        for mode, own in enumerate(labels):
            if own is not None and named[mode] is None and mode != but:
                place = (f"{what}: " if what else "") + called(mode, X.mode_names)
                check_array(columns[mode], own, place)
        return X
    first, of_table = numbers_in(X)
    modes = [
        mode
        for mode, (own, other) in enumerate(zip(labels, named, strict=True))
        if other is None and (are_numbers(own, of_table) or (X._is_table and own is not None))
    ]
    if not modes:
        return X
    for mode in modes:
        rows, places = np.unique(columns[mode], return_inverse=True)
        named[mode] = NumberNames(str(row + (first or 0)) for row in rows.tolist())
        columns[mode], shape[mode] = places.reshape(-1), len(rows)
    return X._with_columns(columns, shape, named, X.mode_names)


def counting_from(base: int | None, X: Any, what: str) -> Any:
    """The tensor of a table with the rows of which the numbers count from there.

    Raises
    ------
    ValueError
        For a number below that.
    """
    own = int(X.file_facts.get("index_base", 0))
    modes = [mode for mode, names in enumerate(X.labels) if names is None]
    if base is None or base == own or not modes:
        return X
    columns = [column.astype(np.int64) for column in X._checked().subscripts.T]
    shape = list(X.shape)
    before = f"{what}: " if what else ""
    for mode in modes:
        place = before + called(mode, X.mode_names)
        columns[mode] = from_base(columns[mode] + own, base, place, OF_ROWS)
        shape[mode] = max(shape[mode] + own - base, 1)
    found = X._with_columns(columns, shape, X.labels, X.mode_names)
    found.file_facts = {**found.file_facts, "index_base": base}
    return found
