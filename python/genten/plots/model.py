# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a model: a row a component, a column a mode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .._names.labels import checked_mode, numbered_modes, whole
from .._options import knowing_keywords
from ..describe import (
    Kind,
    ModelLike,
    component_order,
    is_unstable,
    places_of,
    relative_weights,
    shorten,
    whiskers_of,
)
from ..describe.model import labels_of
from ..describe.protocols import Array, ResultLike, fitted, model_of
from . import style as look
from .columns import CURVE_GAP, CURVE_WIDTH, Column, columns_of

MOST_COMPONENTS = 32
MARGIN, GAP = 0.15, 0.3
WEIGHT_WIDTH, ROW_GAP, HEAD, TITLE = 0.95, 0.16, 0.5, 0.4
MOST_POINTS = 160
_WHISKERS: dict[str, Any] = {"error_kw": {"elinewidth": 0.8, "capsize": 1.5, "capthick": 0.8}}


@knowing_keywords
def plot_model(
    model: ModelLike | ResultLike | Any,
    *,
    components: int | Sequence[int] | None = None,
    modes: int | str | Sequence[int | str] | None = None,
    k: int = 5,
    kinds: Mapping[int | str, Kind] | None = None,
    title: str | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Draws a model as a grid: a row a component, heaviest first, and a column a mode.

    Modes of at most 16 rows are bars, and longer ones whose names are ascending numbers or dates,
    or that have no names, a line; of the others, and of all with more than 400 rows, the strongest
    rows stand by name beside a curve of all magnitudes in descending order. Each column has one
    scale for all components. Blue is positive, orange negative. Of a result with standard errors or
    a bootstrap bars and named rows have whiskers, intervals of 90 %; unstable components say so.

    Parameters
    ----------
    model : Model, Result or fitted CP
        Weights (R,), factors [(I_n, R), ...], labels; or what has such a model. It is not changed.
    components : int or sequence of int, optional
        How many of the heaviest are drawn, or which ones (as the model numbers them, in the given
        order). By default the heaviest 32 at most.
    modes : int, str or sequence of them, optional
        The modes to draw, by number or name, in this order. By default all.
    k : int
        How many rows of long modes are named.
    kinds : mapping of int or str to {"bars", "line", "top"}, optional
        How to draw a mode, where the choice above is not what you want.
    title : str, optional
        Text above the picture. By default the model's shape and rank.
    figure : matplotlib.figure.Figure, optional
        Where to draw; it is emptied and resized. By default a new figure.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        A component, a mode or a kind that there is not, or is named twice; k below 1.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> eye = np.eye(3)[:, :2]
    >>> model = SimpleNamespace(
    ...     weights=np.array([1.0, 2.0]), factors=[eye, eye], labels=[["a", "b", "c"], None])
    >>> figure = plot_model(model)
    >>> [axes.get_label() for axes in figure.axes][:3]
    ['component 1 weight', 'component 1 mode 0', 'component 1 mode 1']
    """
    if k < 1:
        raise ValueError(f"k: expected at least 1, got {k}")
    model = fitted(model, "plot_model")
    taken: ModelLike = model_of(model)
    source: Any = None if taken is model else model
    shown = _chosen_components(taken, components)
    order, names = len(taken.factors), getattr(taken, "mode_names", None)
    named = [modes] if isinstance(modes, (str, int)) else modes
    chosen = _chosen(numbered_modes(named, order, names), order, "mode")
    drawn: dict[int, Kind] = {
        checked_mode(mode, order, names): kind for mode, kind in (kinds or {}).items()
    }
    with look.style():
        columns = columns_of(taken, shown, chosen, k, drawn)
        reaches = [None if source is None else whiskers_of(source, c.mode) for c in columns]
        for column, whiskers in zip(columns, reaches):
            if whiskers is not None:
                factor = np.asarray(taken.factors[column.mode], dtype=np.float64)
                column.low = min(column.low, float(np.nanmin(factor - whiskers[0])))
                column.high = max(column.high, float(np.nanmax(factor + whiskers[1])))
        grid = _Grid.of(columns, len(shown), k)
        picture = look.canvas(grid.width, grid.height, figure)
        text = title if title is not None else _title(taken, shown)
        look.heading(picture, MARGIN / grid.width, 0.12 / grid.height, text)
        shares = relative_weights(taken)
        for place, r in enumerate(shown):
            axes = grid.add(picture, place, MARGIN, WEIGHT_WIDTH)
            _draw_weight(axes, r, float(taken.weights[r]), shares[r])
            if source is not None and is_unstable(source, r):
                axes.text(0, 0.08, "unstable", va="center", color=look.ORANGE)
            if place == 0:
                _head(axes, grid, 0.0, "component", "weight")
            for column, whiskers in zip(columns, reaches):
                reach = None if whiskers is None else whiskers[:, :, r]
                _draw_cell(picture, grid, taken, column, place, r, reach)
    return picture


def _title(model: ModelLike, shown: list[int]) -> str:
    shape = " × ".join(f"{len(factor):,}" for factor in model.factors)
    rank = len(model.weights)
    part = ""
    if len(shown) < rank:
        heaviest = shown == component_order(model)[: len(shown)].tolist()
        part = f", the heaviest {len(shown)}" if heaviest else f", {len(shown)} of them"
    return f"{shape}, {rank} component{'' if rank == 1 else 's'}{part}"


def _chosen(indices: Sequence[int] | None, count: int, noun: str) -> list[int]:
    chosen = list(range(count)) if indices is None else [int(i) for i in indices]
    for i in chosen:
        if not 0 <= i < count:
            raise ValueError(f"{noun}s: expected 0 to {count - 1}, got {i}")
        if chosen.count(i) > 1:
            raise ValueError(f"{noun}s: expected each once, got {i} twice")
    if not chosen:
        raise ValueError(f"{noun}s: expected at least one, got none")
    return chosen


def _chosen_components(model: ModelLike, components: int | Sequence[int] | None) -> list[int]:
    if components is None or np.ndim(components) == 0:
        most = MOST_COMPONENTS if components is None else whole(components, "components")
        rank = len(model.weights)
        if most < 1 or components is not None and most > rank:
            raise ValueError(f"components: expected 1 to {rank}, got {most}")
        return [int(r) for r in component_order(model)[:most]]
    several: Any = components
    return _chosen(several, len(model.weights), "component")


@dataclass
class _Grid:
    """Where the cells lie, in inches from the left and the top."""

    width: float
    height: float
    row: float
    rows: int

    @classmethod
    def of(cls, columns: list[Column], rows: int, k: int) -> "_Grid":
        """Places the columns side by side."""
        x = MARGIN + WEIGHT_WIDTH + GAP
        for column in columns:
            column.left = x + column.before
            x += column.total + GAP
        row = max(0.7, 0.15 * k + 0.04 if any(c.kind == "top" for c in columns) else 0.0)
        names = [look.widest(c.ticks) * (0.72 if c.slanted else 0.0) for c in columns]
        foot = (0.5 if any(c.kind == "top" for c in columns) else 0.35) + max(names, default=0.0)
        height = TITLE + HEAD + rows * (row + ROW_GAP) + foot
        return cls(max(x - GAP + MARGIN, 4.5), height, row, rows)

    def add(self, figure: Figure, place: int, left: float, width: float) -> Axes:
        """Axes in a row, at a distance from the left edge."""
        bottom = self.height - TITLE - HEAD - place * (self.row + ROW_GAP) - self.row
        return figure.add_axes(
            (left / self.width, bottom / self.height, width / self.width, self.row / self.height)
        )


def _head(axes: Axes, grid: _Grid, left: float, name: str, below: str) -> None:
    place: dict[str, Any] = {"transform": axes.transAxes, "parse_math": False}
    axes.text(left, 1 + 0.26 / grid.row, name, fontsize=look.NORMAL, fontweight="bold", **place)
    axes.text(left, 1 + 0.1 / grid.row, below, color=look.MUTED, **place)


def _draw_weight(axes: Axes, r: int, weight: float, share: float) -> None:
    axes.set_label(f"component {r} weight")
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.text(0, 0.7, str(r), fontsize=14, fontweight="bold", va="center")
    axes.text(1, 0.7, f"{share:.1%}".replace("-", "−"), ha="right", va="center")
    number = f"{weight:.4g}".replace("-", "−")
    axes.text(1, 0.08, number, ha="right", va="center", color=look.MUTED)
    axes.barh([0.38], [1.0], height=0.12, color="#e8e8e8")
    axes.barh([0.38], [abs(share)], height=0.12, color=look.BLUE if share >= 0 else look.ORANGE)


def _draw_cell(
    figure: Figure,
    grid: _Grid,
    model: ModelLike,
    column: Column,
    place: int,
    r: int,
    reach: Array | None,
) -> None:
    axes = grid.add(figure, place, column.left, column.width)
    axes.set_label(f"component {r} mode {column.mode}")
    values = np.asarray(model.factors[column.mode][:, r], dtype=np.float64)
    values = np.where(np.isfinite(values), values, np.nan)
    first, last = place == 0, place == grid.rows - 1
    if column.kind == "top":
        _draw_strongest(axes, column, r, values, last, reach)
        curve = grid.add(figure, place, column.left + column.width + CURVE_GAP, CURVE_WIDTH)
        curve.set_label(f"component {r} mode {column.mode} sorted")
        _draw_sorted(curve, column, values, first, last)
    else:
        _draw_values(axes, column, values, last, labels_of(model, column.mode), reach)
    if first:
        rows = f"{column.length:,} row{'' if column.length == 1 else 's'}"
        left = -column.before / column.width if column.kind == "top" else 0.0
        _head(axes, grid, left, column.name, rows)


def _colors(values: Array) -> list[str]:
    return [look.ORANGE if value < 0 else look.BLUE for value in values]


def _draw_values(
    axes: Axes,
    column: Column,
    values: Array,
    last: bool,
    labels: Sequence[str] | None,
    reach: Array | None,
) -> None:
    rows = np.arange(column.length) + column.first
    if column.kind == "bars":
        axes.bar(rows, values, color=_colors(values), width=0.75, yerr=reach, **_WHISKERS)
        axes.set_xticks(rows)
        axes.set_xlim(column.first - 0.6, column.first + max(column.length, 2) - 0.4)
    else:
        places = places_of(labels, column.length) + (column.first if labels is None else 0)
        axes.plot(places, values, color=look.BLUE)
        axes.set_xlim(places[0], places[-1] if column.length > 1 else places[0] + 1)
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.set_ylim(column.low, column.high)
    axes.yaxis.set_major_formatter(FuncFormatter(look.plain_number))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    look.zero_line(axes)
    if not last:
        axes.tick_params(labelbottom=False)
    elif column.kind == "bars":
        slant: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
        axes.set_xticklabels(column.ticks, **(slant if column.slanted else {}))
    elif labels is not None:
        _name_line(axes, column, labels)


def _name_line(axes: Axes, column: Column, labels: Sequence[str]) -> None:
    names = [shorten(str(labels[row])) for row in range(column.length)]
    few = max(2, min(5, int(column.width / (look.widest(names) + 0.2))))
    rows = sorted({round(i * (column.length - 1) / (few - 1)) for i in range(few)})
    places = places_of(labels, column.length)
    axes.xaxis.set_major_locator(FixedLocator([places[row] for row in rows]))
    axes.set_xticklabels([names[row] for row in rows])
    axes.get_xticklabels()[0].set_horizontalalignment("left")
    axes.get_xticklabels()[-1].set_horizontalalignment("right")


def _draw_strongest(
    axes: Axes, column: Column, r: int, values: Array, last: bool, reach: Array | None
) -> None:
    rows, names = column.rows[r], column.names[r]
    places = np.arange(len(rows))
    within = None if reach is None else reach[:, rows]
    bars: dict[str, Any] = {"color": _colors(values[rows]), "height": 0.72, **_WHISKERS}
    axes.barh(places, values[rows], xerr=within, **bars)
    most = max(len(shown) for shown in column.rows.values())
    axes.set_ylim(max(most, 1) - 0.5, -0.5)
    axes.set_yticks(places, names)
    axes.tick_params(axis="y", length=0, pad=3)
    axes.spines["left"].set_visible(False)
    axes.set_xlim(column.low, column.high)
    axes.xaxis.set_major_formatter(FuncFormatter(look.plain_number))
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.tick_params(labelbottom=last)
    look.zero_line(axes, vertical=True)


def _draw_sorted(axes: Axes, column: Column, values: Array, first: bool, last: bool) -> None:
    magnitudes = np.sort(np.nan_to_num(np.abs(values)))[::-1]
    ranks = np.unique(np.geomspace(1, column.length, MOST_POINTS).astype(int))
    axes.fill_between(ranks, magnitudes[ranks - 1], color=look.BLUE, alpha=0.15, linewidth=0)
    axes.plot(ranks, magnitudes[ranks - 1], color=look.BLUE, linewidth=1.0)
    axes.set_xscale("log")
    axes.set_xlim(1, max(column.length, 2))
    axes.set_ylim(0, max(column.high, -column.low))
    decade = 10 ** int(np.log10(column.length))
    axes.xaxis.set_major_locator(FixedLocator([1, decade]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.yaxis.set_major_locator(MaxNLocator(2, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(look.plain_number))
    axes.yaxis.tick_right()
    axes.spines["right"].set_visible(True)
    axes.spines["left"].set_visible(False)
    axes.tick_params(labelbottom=last)
    if first:
        axes.set_title("all, by size", fontsize=look.SMALL, color=look.MUTED, pad=6)
    if last:
        axes.set_xlabel("place")
