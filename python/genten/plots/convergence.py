# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a run: how the fit came about."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ..describe import ResultLike, value_of
from ..describe.protocols import Array, column_of, fit_tolerance
from . import style as look

_OTHERS = "#8a8a8a"
_ENDS = {
    "converged": "converged",
    "iteration_limit": "iteration limit",
    "time_limit": "time limit",
    "observer": "interrupted",
    "interrupted": "interrupted",
    "callback": "stopped by the callback",
    "non_finite": "not finite",
    "no_improvement": "held-out error falls no more",
}


@dataclass
class Run:
    """One start: what is known of its course, and where it ended."""

    name: str
    best: bool
    iteration: Array
    fit: Array
    change: Array
    seconds: Array
    end: tuple[int, float]


def runs_of(result: ResultLike) -> list[Run]:
    """All starts in order; those without a history of their own have only an end."""
    starts = list(value_of(result, "starts", ())) or [{}]
    best = int(value_of(result, "best_start", 0))
    runs = []
    for number, start in enumerate(starts):
        history = value_of(start, "history", result.history if number == best else {})
        iteration, fit = column_of(history, "iteration"), column_of(history, "fit")
        iterations = int(value_of(start, "iterations", result.iterations))
        final = float(value_of(start, "fit", result.fit))
        seed = value_of(start, "seed")
        runs.append(
            Run(
                name=f"start {number}" if seed is None else f"seed {seed}",
                best=number == best,
                iteration=iteration if len(iteration) else np.arange(1.0, len(fit) + 1),
                fit=fit,
                change=column_of(history, "fit_change"),
                seconds=column_of(history, "seconds"),
                end=(iterations, final),
            )
        )
    return runs


def plot_result(
    result: ResultLike, *, title: str | None = None, figure: Figure | None = None
) -> Figure:
    """Draws how a decomposition came about: fit against iteration and seconds, and its change.

    The best start is blue, the others are grey. A start whose history was not kept is a ring where
    it ended. The third panel shows how much each iteration changed the fit, on a logarithmic scale,
    with the tolerance dashed.

    Parameters
    ----------
    result : Result
        What `genten.cp` returns. It is not changed.
    title : str, optional
        Text above the picture. By default how the run ended.
    figure : matplotlib.figure.Figure, optional
        Where to draw; it is emptied and resized. By default a new figure.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> result = SimpleNamespace(
    ...     fit=0.9, stop_reason="converged", iterations=2, starts=[], best_start=0,
    ...     history={"iteration": [1, 2], "fit": [0.8, 0.9], "fit_change": [0.8, 0.1],
    ...              "seconds": [0.1, 0.2]})
    >>> [axes.get_label() for axes in plot_result(result).axes]
    ['fit by iteration', 'fit by seconds', 'change of fit']
    """
    runs = runs_of(result)
    with look.style():
        picture = look.canvas(10.0, 3.3, figure)
        panels = picture.subplots(
            1,
            3,
            gridspec_kw={"left": 0.065, "right": 0.985, "bottom": 0.16, "top": 0.8, "wspace": 0.28},
        )
        picture.text(
            0.015,
            0.965,
            _title(result, runs) if title is None else title,
            fontsize=look.LARGE,
            fontweight="bold",
            va="top",
        )
        for axes, label in zip(
            panels, ("fit by iteration", "fit by seconds", "change of fit"), strict=True
        ):
            axes.set_label(label)
            look.grid(axes)
        _draw_fits(panels[0], panels[1], runs)
        _draw_changes(panels[2], runs, fit_tolerance(result))
    return picture


def _title(result: ResultLike, runs: list[Run]) -> str:
    ended = _ENDS.get(str(result.stop_reason), str(result.stop_reason))
    count = int(result.iterations)
    text = f"Fit {result.fit:.6f}, {ended} after {count} iteration{'' if count == 1 else 's'}"
    return text if len(runs) == 1 else f"{text}, best of {len(runs)} starts"


def _look_of(run: Run) -> dict[str, Any]:
    if run.best:
        return {"color": look.BLUE, "zorder": 3, "linewidth": 1.6}
    return {"color": _OTHERS, "zorder": 2, "linewidth": 1.0}


def _label_of(run: Run, runs: list[Run], labelled: set[bool]) -> str | None:
    """Legend text, once a kind of line."""
    if len(runs) == 1 or run.best in labelled:
        return None
    labelled.add(run.best)
    return f"{run.name}, the best" if run.best else "other starts"


def _draw_fits(by_iteration: Axes, by_seconds: Axes, runs: list[Run]) -> None:
    labelled: set[bool] = set()
    for run in runs:
        color, label = _look_of(run), _label_of(run, runs, labelled)
        if len(run.fit):
            by_iteration.plot(run.iteration, run.fit, label=label, **color)
            by_iteration.plot(run.iteration[-1], run.fit[-1], "o", markersize=4, **color)
            if len(run.seconds) == len(run.fit):
                by_seconds.plot(run.seconds, run.fit, **color)
                by_seconds.plot(run.seconds[-1], run.fit[-1], "o", markersize=4, **color)
        else:
            by_iteration.plot(
                *run.end, "o", markersize=5, markerfacecolor="white", label=label, **color
            )
    by_iteration.set_xlabel("iteration")
    by_iteration.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    by_seconds.set_xlabel("seconds")
    by_seconds.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    by_seconds.xaxis.set_major_formatter(FuncFormatter(look.plain_number))
    by_iteration.set_ylabel("fit")
    _zoom(by_iteration, runs)
    by_seconds.set_ylim(by_iteration.get_ylim())
    for axes in (by_iteration, by_seconds):
        axes.set_xlim(left=0)
    if len(runs) > 1:
        by_iteration.legend(loc="lower right")


def _zoom(axes: Axes, runs: list[Run]) -> None:
    """From the least fit to the greatest: what comes before the third iteration may lie below."""
    later = [run.fit[2:] if len(run.fit) > 4 else run.fit for run in runs]
    fits = np.concatenate([*later, np.array([run.end[1] for run in runs])])
    fits = fits[np.isfinite(fits)]
    if not len(fits):
        return
    low, high = float(fits.min()), float(fits.max())
    margin = 0.08 * (high - low) or 0.05 * abs(high) or 0.05
    axes.set_ylim(low - margin, high + margin)


def _draw_changes(axes: Axes, runs: list[Run], tolerance: float | None) -> None:
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(look.plain_number))
    axes.set_xlabel("iteration")
    axes.set_ylabel("change of the fit")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    drawn = False
    for run in runs:
        size = np.abs(run.change)
        seen = np.isfinite(size) & (size > 0)
        if len(size) == len(run.iteration) and seen.any():
            axes.plot(run.iteration[seen], size[seen], **_look_of(run))
            drawn = True
    axes.set_xlim(left=0)
    if tolerance:
        axes.axhline(tolerance, color=look.ORANGE, linewidth=1.0, linestyle=(0, (4, 3)))
        axes.annotate(
            f"tolerance {tolerance:g}",
            (0, tolerance),
            xycoords=("axes fraction", "data"),
            xytext=(4, 3),
            textcoords="offset points",
            ha="left",
            color=look.ORANGE,
        )
    elif not drawn:
        axes.set_ylim(1e-6, 1)
