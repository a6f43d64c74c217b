# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of many numbers at once: all components of a model, a line each, with what they have in
each mode; the core of a Tucker model by the columns of two modes."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..describe import ModelLike, component_order, mode_name, shorten, strongest

WIDTH, LEFT, TOP, GAP = 360.0, 24.0, 16.0, 8.0
PAIR_WIDTH, PAIR_CELL = 180.0, 22.0
MOST_ROWS = 24
"""A longer mode has the strongest row of each component alone."""
MOST_COMPONENTS = 64
LEVELS = 4


@dataclass
class Panel:
    """One mode: a column of cells for each of its rows."""

    name: str
    left: float
    width: float
    numbers: list[tuple[int, float]] = field(default_factory=list)
    """Of columns, and where they stand."""
    paths: list[tuple[str, str]] = field(default_factory=list)
    """The class of cells, by their sign and strength, and the cells."""


@dataclass
class Map:
    """A picture in units of its view box."""

    title: str
    description: str
    note: str
    height: float
    panels: list[Panel] = field(default_factory=list)
    places: list[tuple[int, float]] = field(default_factory=list)
    width: float = WIDTH
    left: float = LEFT
    top: float = TOP


def _shown_rows(
    factor: npt.NDArray[np.float64], order: npt.NDArray[np.intp]
) -> npt.NDArray[np.intp]:
    """The rows of a mode that the map has: all, or the strongest of each component, in order."""
    if len(factor) <= MOST_ROWS:
        return np.arange(len(factor))
    found = [row for r in order for row in strongest(factor[:, r], 1)]
    return np.array(list(dict.fromkeys(found)), dtype=np.intp)


def _cells(
    parts: npt.NDArray[np.float64], left: float, wide: float, high: float
) -> list[tuple[str, str]]:
    """The cells of a panel as paths, one for each sign and strength; `parts` are of the strongest
    of the component."""
    levels = np.ceil(np.abs(parts) * LEVELS).astype(int)
    levels[np.abs(parts) < 0.5 / LEVELS] = 0
    paths = []
    for negative in (False, True):
        for level in range(1, LEVELS + 1):
            lines, columns = np.nonzero((levels == level) & ((parts < 0) == negative))
            cells = [
                f"M{left + wide * c:.1f} {TOP + high * i:.1f}h{wide:.1f}v{high:.1f}h-{wide:.1f}z"
                for i, c in zip(lines, columns, strict=True)
            ]
            if cells:
                paths.append((f"{'n' if negative else 'p'} l{level}", "".join(cells)))
    return paths


def map_of(model: ModelLike) -> Map | None:
    """The map of a model's heaviest components, None of a model with fewer than two."""
    order = component_order(model)[:MOST_COMPONENTS]
    if len(order) < 2:
        return None
    factors = [np.nan_to_num(np.asarray(f, dtype=np.float64), posinf=0.0, neginf=0.0)
               for f in model.factors]  # fmt: skip
    rows = [_shown_rows(factor, order) for factor in factors]
    high = max(4.0, min(12.0, 240.0 / len(order)))
    # Modes of few rows are narrower, but wide enough for a name.
    shares = [math.sqrt(max(len(each), 1)) for each in rows]
    room = WIDTH - LEFT - GAP * (len(rows) - 1)
    least = min(36.0, room / len(rows))
    free = room - least * len(rows)
    chosen = [len(each) < len(factor) for each, factor in zip(rows, factors, strict=True)]
    made = Map(
        title="All components" if len(order) == len(model.weights) else "The heaviest components",
        description="A line for each component, heaviest first, and a column for each row of a "
        "mode; the fuller the colour of a cell, the stronger that row. The table below says the "
        "same in words.",
        note="A line is a component, heaviest first, and a column a row of the mode"
        + (
            ", of modes with more than "
            f"{MOST_ROWS} the row that is strongest in some component" if any(chosen) else ""
        )
        + ". The fuller the colour, the stronger; orange is negative.",
        height=round(TOP + high * len(order) + 1, 1),
    )
    left = LEFT
    for mode, (factor, shown, share) in enumerate(zip(factors, rows, shares, strict=True)):
        width = least + free * share / sum(shares)
        picked = factor[shown][:, order].T
        most = np.abs(factor[:, order]).max(axis=0, initial=0.0)[:, np.newaxis]
        parts = np.divide(picked, most, out=np.zeros_like(picked), where=most > 0)
        name = shorten(mode_name(model, mode, 1), max(4, int(width / 6.5)))
        panel = Panel(name, round(left, 1), round(width, 1))
        if len(shown):
            panel.paths = _cells(parts, left, width / len(shown), high)
        made.panels.append(panel)
        left += width + GAP
    step = max(1, math.ceil(11.0 / high))
    made.places = [
        (i + 1, round(TOP + high * (i + 0.5) + 4, 1)) for i in range(0, len(order), step)
    ]
    return made


def map_of_pair(model: Any, pair: npt.NDArray[np.float64], modes: tuple[int, int]) -> Map:
    """The map of a matrix of the core, whose lines and columns are the columns of two modes; of
    more than `MOST_ROWS` those with the largest sums of squares."""
    kept = [_largest(np.square(pair).sum(axis=axis)) for axis in (1, 0)]
    picked = pair[np.ix_(*kept)]
    most = float(np.abs(pair).max(initial=0.0))
    parts = picked / most if most > 0 else picked
    cell = min(PAIR_CELL, (PAIR_WIDTH - LEFT) / max(len(kept[1]), 1))
    down, across = (mode_name(model, mode, 1) for mode in modes)
    best = np.unravel_index(int(np.abs(pair).argmax()), pair.shape) if most > 0 else None
    made = Map(
        title=f"{shorten(down, 12)} ↓ {shorten(across, 12)} →",
        description=f"Lines are columns of {down}, columns those of {across}."
        + (f" The largest joins column {best[0] + 1} with column {best[1] + 1}." if best else ""),
        note="",
        height=round(TOP + cell * len(kept[0]) + 1, 1),
        width=PAIR_WIDTH,
    )
    panel = Panel("", LEFT, round(cell * len(kept[1]), 1))
    panel.paths = _cells(parts, LEFT, cell, cell)
    # Two digits take 14 units.
    panel.numbers = [
        (int(kept[1][j]) + 1, round(LEFT + cell * (j + 0.5), 1))
        for j in range(0, len(kept[1]), max(1, math.ceil(14.0 / cell)))
    ]
    made.panels.append(panel)
    made.places = [
        (int(kept[0][i]) + 1, round(TOP + cell * (i + 0.5) + 4, 1))
        for i in range(0, len(kept[0]), max(1, math.ceil(11.0 / cell)))
    ]
    return made


def _largest(sizes: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    return np.sort(strongest(sizes, MOST_ROWS)) if len(sizes) > MOST_ROWS else np.arange(len(sizes))
