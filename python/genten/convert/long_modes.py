# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Modes that are much longer than what is in them, as where ids are taken for subscripts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .parts import AnyArray, warn

LONG = 100_000
"""Length from which a mode is looked at: shorter ones cost little, whatever is in them."""
TIMES = 10
"""How many times as long as its distinct subscripts are a mode is too long."""


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
        if length < LONG or len(column) == 0:
            continue
        count = _few(column, length // TIMES)
        if count is not None:
            warn(
                f"mode {mode} is {length} long, as its largest subscript says, but only {count} of "
                f"its subscripts occur{'' if count > 1 else 's'}; factors have a row for each of "
                f"the {length}. Where the numbers are ids, genten.tensor(...).compact() numbers "
                "those that occur and keeps the ids as labels; else give a shape"
            )
