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


def warn_of_long_modes(columns: Sequence[AnyArray], shape: Sequence[int]) -> None:
    """Gives a warning of modes whose length only comes from a few large subscripts; for those who
    know, and give a shape, there is none."""
    for mode, (column, length) in enumerate(zip(columns, shape, strict=True)):
        if length < _core.long_mode() or len(column) == 0:
            continue
        count = _few(column, length // _core.rows_for_one_used())
        if count is not None:
            warn(
                f"mode {mode} is {length} long, as its largest subscript says, but only {count} of "
                f"its subscripts occur{'' if count > 1 else 's'}; factors have a row for each of "
                f"the {length}. Where the numbers are ids, genten.tensor(...).compact() numbers "
                "those that occur and keeps the ids as labels; else give a shape"
            )


def warn_of_single_times(
    names: Sequence[Any], labels: Sequence[Sequence[str] | None], entries: int
) -> None:
    """Gives a warning of columns of times, of a table with so many entries, of which nearly every
    one has an entry to itself."""
    for name, texts in zip(names, labels, strict=True):
        if texts is not None and _core.are_single_times(texts, entries):
            warn(
                f"column {name!r} has {len(texts)} times for {entries} entries: nearly every entry "
                "is a slice of its own, in which nothing recurs; cut the times, as to days, by "
                ".str[:10] of texts, .dt.floor('D') of times in pandas, .dt.truncate('1d') in "
                "polars"
            )
