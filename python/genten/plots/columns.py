# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How each mode of a model is drawn, and how wide that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy.typing as npt

from ..describe import (
    Kind,
    ModelLike,
    first_row,
    kind_of,
    limits_of,
    mode_name,
    row_name,
    shorten,
    strongest,
)
from .style import widest

NAME_LENGTH, TICK_LENGTH = 26, 14
NAME_GAP, CURVE_GAP = 0.08, 0.22
BARS_WIDTH, CURVE_WIDTH, CURVE_TICKS, LINE_WIDTH = 1.15, 0.85, 0.3, 2.3


@dataclass
class Column:
    """One mode in a picture of a model: what is drawn of it, and its place."""

    mode: int
    kind: Kind
    name: str
    length: int
    low: float
    high: float
    rows: dict[int, npt.NDArray[Any]] = field(default_factory=dict)
    names: dict[int, list[str]] = field(default_factory=dict)
    ticks: list[str] = field(default_factory=list)
    first: int = 0
    before: float = 0.0
    left: float = 0.0
    width: float = 0.0

    @property
    def total(self) -> float:
        """Everything from its left edge to its right one, in inches."""
        curve = CURVE_GAP + CURVE_WIDTH + CURVE_TICKS if self.kind == "top" else 0.0
        return self.before + self.width + curve

    @property
    def slanted(self) -> bool:
        """Whether the names below bars would overlap if they were level."""
        room = self.width / max(self.length, 1)
        return self.kind == "bars" and widest(self.ticks) > room - 0.04


def columns_of(
    model: ModelLike,
    components: Sequence[int],
    modes: Sequence[int],
    k: int,
    kinds: Mapping[int, Kind],
) -> list[Column]:
    """The columns of a picture, left to right, each with the names that it shows."""
    unknown = set(kinds.values()) - set(get_args(Kind))
    if unknown:
        raise ValueError(f"kinds: expected bars, line or top, got {sorted(unknown)}")
    made = []
    for mode in modes:
        factor = model.factors[mode]
        low, high = limits_of(factor[:, list(components)])
        margin = 0.06 * ((high - low) or 1.0)
        column = Column(
            mode=mode,
            kind=kinds.get(mode, kind_of(model, mode)),
            name=shorten(mode_name(model, mode)),
            length=len(factor),
            first=first_row(model, 0),
            low=low - margin if low < 0 else 0.0,
            high=high + margin,
        )
        _measure(model, column, components, k)
        made.append(column)
    return made


def _apart(names: list[str]) -> list[str]:
    """Names for ticks, as short as they may be, but where different ones would look the same."""
    different = len(set(names))
    for length in range(TICK_LENGTH, NAME_LENGTH):
        ticks = [shorten(name, length) for name in names]
        if len(set(ticks)) == different:
            return ticks
    return [shorten(name, NAME_LENGTH) for name in names]


def _measure(model: ModelLike, column: Column, components: Sequence[int], k: int) -> None:
    column.before = 0.5  # Numbers at the ticks of the vertical axis.
    if column.kind == "line":
        column.width = LINE_WIDTH
    elif column.kind == "bars":
        column.ticks = _apart([row_name(model, column.mode, row) for row in range(column.length)])
        room = min(max(0.2, widest(column.ticks) + 0.07), 0.55)
        column.width = min(max(1.1, room * column.length), 3.2)
    else:
        for r in components:
            rows = strongest(model.factors[column.mode][:, r], k)
            column.rows[r] = rows
            column.names[r] = [
                shorten(row_name(model, column.mode, int(row)), NAME_LENGTH) for row in rows
            ]
        names = [name for shown in column.names.values() for name in shown]
        column.before = max(widest(names) + NAME_GAP, 0.4)
        column.width = BARS_WIDTH
