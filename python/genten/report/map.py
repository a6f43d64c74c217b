# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""All components of a model in one picture: a line each, and what they have in each mode."""

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..describe import ModelLike, component_order, mode_name, shorten, strongest

WIDTH, LEFT, TOP, GAP = 360.0, 24.0, 16.0, 8.0
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
