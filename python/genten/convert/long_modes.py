# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Modes that are much longer than what is in them, as where ids are taken for subscripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .parts import AnyArray, warn


def _few(column: AnyArray, most: int) -> int | None:
    """How many distinct numbers there are, if they are `most` at most. Where they are more, as
    nearly always, a part of the column says so."""
    if len(column) > most:
        step = max(1, len(column) // (4 * most))
        if len(np.unique(column[::step])) > most:
            return None
    count = len(np.unique(column))
    return count if count <= most else None


def _limits(column: AnyArray, length: int) -> tuple[int, int]:
    """The length of a mode and its least number, where those that are refused later fit, too."""
    return min(max(int(length), 0), 2**63), max(int(column.min()), 0)


def warn_of_long_modes(columns: Sequence[AnyArray], shape: Sequence[int]) -> None:
    """Gives a warning of modes whose length only comes from a few large subscripts; for those who
    know, and give a shape, there is none."""
    for mode, (column, length) in enumerate(zip(columns, shape, strict=True)):
        if len(column) == 0:
            continue
        limits = _limits(column, length)
        most = _core.most_rows_of_ids(*limits)
        count = None if most == 0 else _few(column, most)
        if count is not None and _core.are_ids(*limits, count):
            way = (
                "nearly one for each entry, so that little recurs there: a column of such "
                "numbers is no mode, and modes= of a table names the others"
                if _core.single_rows([], count, len(column))
                else f"and factors have a row for each of the {length}. Where the numbers are ids, "
                "genten.tensor(...).compact() numbers those that occur and keeps the ids as "
                "labels, after this warning; else give a shape"
            )
            warn(
                f"mode {mode} is {length} long, as its largest subscript says, but only {count} of "
                f"its subscripts occur{'' if count > 1 else 's'}, {way}"
            )


def _rows_in_use(column: AnyArray, length: int) -> int:
    """How many distinct numbers there are, where they may be nearly as many as entries, and the
    mode is not so long that another warning tells of it; else 0."""
    if len(column) == 0 or length < len(column) - len(column) // 10:
        return 0
    used = len(np.unique(column))
    return 0 if _core.are_ids(*_limits(column, length), used) else used


def warn_of_single_rows(
    names: Sequence[Any],
    labels: Sequence[Sequence[str] | None],
    columns: Sequence[AnyArray],
    shape: Sequence[int],
) -> None:
    """Gives a warning of modes of a table whose rows have few entries each: times three at most on
    average, ids and other names hardly more than one.
    """
    if len(names) < 2:
        return
    for name, texts, column, length in zip(names, labels, columns, shape, strict=True):
        rows = _rows_in_use(column, length) if texts is None else len(texts)
        kind = _core.single_rows(texts or [], rows, len(column))
        if kind:
            what = "times" if kind == "times" else "numbers" if texts is None else "names"
            way = (
                "cut the times, as to days, by .str[:10] of texts, .dt.floor('D') of times in "
                "pandas, .dt.truncate('1d') in polars"
                if kind == "times"
                else "a column of ids, or of numbers of rows, is no mode: modes= names the others"
            )
            warn(
                f"column {name!r} has {rows} {what} for {len(column)} entries: slices with "
                f"so few entries hold little that recurs; {way}"
            )
