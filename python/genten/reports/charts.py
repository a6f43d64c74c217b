# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The lines of the report's charts: numbers become places, text and Jinja do the rest."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..describe.protocols import Array

WIDTH, HEIGHT = 360.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 20.0, 10.0, 36.0
MOST_POINTS = 240
DIGIT = 6.8
"""The width of a digit in the charts' letters of 11 units, at most."""


@dataclass
class Line:
    """One course of numbers; of a start without a course, its end alone."""

    x: Array
    y: Array
    kind: str = "best"


@dataclass
class Chart:
    """Everything an SVG picture of lines holds, in units of its view box."""

    title: str
    description: str
    x_label: str
    y_label: str
    x_ticks: list[tuple[float, str]] = field(default_factory=list)
    y_ticks: list[tuple[float, str]] = field(default_factory=list)
    paths: list[tuple[str, str]] = field(default_factory=list)
    ends: list[tuple[str, float, float]] = field(default_factory=list)
    level: tuple[float, str] | None = None
    mark: tuple[float, float] | None = None
    x_most: float = 1.0
    y_range: tuple[float, float] = (0.0, 1.0)
    cut: str = ""
    """Where the vertical axis begins or ends if numbers lie beyond, which are not drawn."""
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point lies."""
        low, high = self.y_range
        across = self.left + x / self.x_most * (self.right - self.left)
        down = self.bottom - (y - low) / (high - low) * (self.bottom - self.top)
        return round(across, 1), round(down, 1)


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """At most `most` + 1 round numbers from `low` to `high`.

    Examples
    --------
    >>> nice_ticks(0.0, 9.3)
    [0.0, 2.0, 4.0, 6.0, 8.0]
    """
    if not high > low:
        return [low]
    rough = (high - low) / most
    decade = 10.0 ** math.floor(math.log10(rough))
    step = next(s * decade for s in (1, 2, 5, 10) if s * decade >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def number(value: float, digits: int = 4) -> str:
    """A number for people: few digits, thousands apart, a true minus sign.

    Examples
    --------
    >>> number(1234567.0), number(-0.05), number(2.5e-7)
    ('1,234,567', '−0.05', '2.5e−7')
    """
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "not a number")
    if value == int(value) and abs(value) < 1e15:
        text = f"{int(value):,}"
    elif abs(value) >= 10 ** (digits - 1):
        text = f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.{digits}g}"
    else:
        text = f"{value:.{digits}g}"
    return text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e").replace("-", "−")


def thinned(count: int, most: int = MOST_POINTS) -> npt.NDArray[np.intp]:
    """Indices of at most `most` of so many points, evenly, the ends included."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.intp))


def path_of(x: Iterable[float], y: Iterable[float]) -> str:
    """The `d` of an SVG path through points."""
    points = [f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True)]
    return "M" + "L".join(points) if points else ""


def cut_below(line: Line, low: float) -> Line:
    """A line without what lies below `low` before it comes up for the last time."""
    below = np.flatnonzero(line.y < low)
    if not len(below) or below[-1] + 1 == len(line.y):
        return Line(line.x, np.maximum(line.y, low), line.kind)
    i = int(below[-1])
    share = (low - line.y[i]) / (line.y[i + 1] - line.y[i])
    crossing = line.x[i] + share * (line.x[i + 1] - line.x[i])
    x, y = np.append(crossing, line.x[i + 1 :]), np.append(low, line.y[i + 1 :])
    return Line(x, y, line.kind)


def line_chart(
    lines: Sequence[Line],
    *,
    title: str,
    description: str,
    x_label: str,
    y_label: str,
    logarithmic: bool = False,
    level: tuple[float, str] | None = None,
    y_from: float | None = None,
    y_to: float | None = None,
) -> Chart | None:
    """A chart of lines, None where there is nothing to draw.

    Parameters
    ----------
    lines : sequence of Line
        What to draw; points that are not finite, or not positive where the scale is logarithmic,
        are left out.
    level : (float, str), optional
        A dashed horizontal line and its name.
    y_from : float, optional
        Where the vertical scale begins; lower values are cut off.
    y_to : float, optional
        Where it ends, likewise.
    """
    chart = Chart(title, description, x_label, y_label)
    kept = []
    for line in lines:
        seen = np.isfinite(line.x) & np.isfinite(line.y)
        seen &= (line.y > 0) if logarithmic else True
        y = np.log10(line.y[seen]) if logarithmic else line.y[seen]
        if len(y):
            kept.append(Line(line.x[seen], y, line.kind))
    if not kept:
        return None
    values = np.concatenate([line.y for line in kept])
    if level is not None:
        values = np.append(values, math.log10(level[0]) if logarithmic else level[0])
    low = float(values.min()) if y_from is None else y_from
    high = max(float(values.max()) if y_to is None else y_to, low)
    margin = 0.06 * (high - low) or abs(high) * 0.05 or 0.5
    low, high = low - margin, high + margin
    x_high = max(float(max(line.x.max() for line in kept)), 1e-12)
    chart.x_most, chart.y_range = x_high, (low, high)
    if y_from is not None and any((line.y < low).any() for line in kept):
        chart.cut = f"The axis begins at {number(low, 3)}: what is below is not drawn."
    elif y_to is not None and any((line.y > high).any() for line in kept):
        chart.cut = f"The axis ends at {number(high, 3)}: what is above is not drawn."

    def name_of(tick: float) -> str:
        return number(10.0**tick) if logarithmic else number(tick)

    if logarithmic:
        ticks = [float(t) for t in range(math.ceil(low), math.floor(high) + 1)]
        ticks = ticks[:: max(1, -(-len(ticks) // 6))]
    else:
        ticks = nice_ticks(low, high)
    chart.left = max(LEFT, 12.0 + DIGIT * max((len(name_of(t)) for t in ticks), default=0))

    def place_x(x: Array) -> Array:
        return chart.left + x / x_high * (chart.right - chart.left)

    def place_y(y: Array) -> Array:
        return chart.bottom - (y - low) / (high - low) * (chart.bottom - TOP)

    for line in kept:
        if y_from is not None and len(line.x) > 1:
            line = cut_below(line, low)
        if y_to is not None and len(line.x) > 1:
            turned = cut_below(Line(line.x, -line.y, line.kind), -high)
            line = Line(turned.x, -turned.y, line.kind)
        few = thinned(len(line.x))
        x, y = place_x(line.x[few]), place_y(line.y[few])
        if len(few) > 1:
            chart.paths.append((line.kind, path_of(x, y)))
        chart.ends.append((line.kind, round(float(x[-1]), 1), round(float(y[-1]), 1)))
    chart.x_ticks = [
        (round(float(place_x(np.array(t))), 1), number(t)) for t in nice_ticks(0.0, x_high)
    ]
    chart.y_ticks = [(round(float(place_y(np.array(t))), 1), name_of(t)) for t in ticks]
    if level is not None:
        at = math.log10(level[0]) if logarithmic else level[0]
        chart.level = (round(float(place_y(np.array(at))), 1), level[1])
    return chart


def spark(
    column: npt.NDArray[np.float64], lie: npt.NDArray[np.float64] | None, greatest: float
) -> tuple[str, float]:
    """A small line of a column, 100 wide and 24 high, and the height of its zero.

    Magnitudes in descending order over a logarithmic count of places; with signs, where the rows
    `lie` along it.
    """
    if not len(column) or greatest <= 0:
        return "", 24.0
    if lie is not None:
        few = thinned(len(column), 150)
        x = 100.0 * (lie[few] - lie[0]) / ((lie[-1] - lie[0]) or 1.0)
        low = min(0.0, float(column.min()))
        high = max(0.0, float(column.max()))
        scale = 23.0 / ((high - low) or 1.0)
        return path_of(x, 23.5 - (column[few] - low) * scale), round(23.5 + low * scale, 1)
    sizes = np.sort(np.abs(column))[::-1]
    places = np.unique(np.geomspace(1, len(sizes), 60).astype(np.intp))
    x = 100.0 * np.log(places) / math.log(max(len(sizes), 2))
    return path_of(x, 23.5 - 23.0 * sizes[places - 1] / greatest), 23.5
