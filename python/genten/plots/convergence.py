# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a run: how the fit came about."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .._options import knowing_keywords
from ..describe import ResultLike, value_of
from ..describe.goals import goes_by_fit, holdout_of, returned_iteration, stop_rule
from ..describe.protocols import Array, column_of, fitted, relative_change
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
    "stalled": "stalled",
}


@dataclass
class Run:
    """One start: what is known of its course, and where it ended."""

    name: str
    best: bool
    iteration: Array
    reached: Array
    ending: Array
    seconds: Array
    end: tuple[int, float]


@dataclass(frozen=True)
class Ending:
    """What the last panel shows: the number that a run is ended by, or chosen by."""

    label: str
    y_label: str
    column: str
    change: bool = False
    tolerance: float | None = None
    chosen: int | None = None

    def of(self, history: Any) -> Array:
        """That number, of each iteration."""
        column = column_of(history, self.column)
        return relative_change(column) if self.change else column


def ending_of(result: ResultLike) -> Ending:
    """What decides when a run is over: held-out errors, or the rule that it converges by."""
    if holdout_of(result) is not None:
        chosen = returned_iteration(result)
        return Ending("held-out RMSE", "held-out RMSE", "holdout_rmse", chosen=chosen)
    rule = stop_rule(result)
    if rule.column == "kkt_violation":
        return Ending(rule.name, rule.name, rule.column, tolerance=rule.tolerance)
    if rule.column == "objective":
        name = "change of objective"
        return Ending(name, "change of the objective", rule.column, True, rule.tolerance)
    return Ending("change of fit", "change of the fit", "fit_change", tolerance=rule.tolerance)


def sought_of(result: ResultLike) -> str:
    """The column of what is followed: the fit, but for other losses the objective."""
    return "fit" if goes_by_fit(result) else "objective"


def runs_of(result: ResultLike) -> list[Run]:
    """All starts in order; those without a history of their own have only an end."""
    starts = list(value_of(result, "starts", ())) or [{}]
    best = int(value_of(result, "best_start", 0))
    sought, ending = sought_of(result), ending_of(result)
    runs = []
    for number, start in enumerate(starts):
        history = value_of(start, "history", result.history if number == best else {})
        iteration, reached = column_of(history, "iteration"), column_of(history, sought)
        iterations = int(value_of(start, "iterations", result.iterations))
        final = float(value_of(start, sought, value_of(result, sought, np.nan)))
        seed = value_of(start, "seed")
        runs.append(
            Run(
                name=f"start {number}" if seed is None else f"seed {seed}",
                best=number == best,
                iteration=iteration if len(iteration) else np.arange(1.0, len(reached) + 1),
                reached=reached,
                ending=ending.of(history),
                seconds=column_of(history, "seconds"),
                end=(iterations, final),
            )
        )
    return runs


@knowing_keywords
def plot_result(
    result: ResultLike | Any, *, title: str | None = None, figure: Figure | None = None
) -> Figure:
    """Draws how a decomposition came about: fit against iteration and seconds, and its change.

    The best start is blue, the others are grey. A start whose history was not kept is a ring where
    it ended. The third panel shows how much each iteration changed the fit, on a logarithmic scale,
    with the tolerance dashed; under constraints and with missing entries, by which part of it the
    objective. With held-out entries it shows the error over them, a ring about the iteration whose
    model was returned. Of counts the objective is drawn in place of the fit, and in the third panel
    the KKT violation.

    Parameters
    ----------
    result : Result or fitted CP
        What `genten.cp` returns. It is not changed.
    title : str, optional
        Text above the picture. By default how the run ended.
    figure : matplotlib.figure.Figure, optional
        Where to draw; it is emptied and resized. By default a new figure.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    TypeError
        For what is no result, as a Model.

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
    result = fitted(result, "plot_result")
    look.require(result, ("history", "starts"), "plot_result: expected what genten.cp returns")
    runs, sought, ending = runs_of(result), sought_of(result), ending_of(result)
    with look.style():
        picture = look.canvas(10.0, 3.3, figure)
        left = 0.065 if sought == "fit" else 0.085  # Objectives are long numbers.
        panels = picture.subplots(
            1,
            3,
            gridspec_kw={"left": left, "right": 0.985, "bottom": 0.16, "top": 0.8, "wspace": 0.28},
        )
        look.heading(picture, 0.015, 0.035, _title(result, runs) if title is None else title)
        labels = (f"{sought} by iteration", f"{sought} by seconds", ending.label)
        for axes, label in zip(panels, labels, strict=True):
            axes.set_label(label)
            look.grid(axes)
        _draw_reached(panels[0], panels[1], runs, sought, ending.chosen)
        if ending.chosen is None:
            _draw_changes(panels[2], runs, ending)
        else:
            _draw_held_out(panels[2], runs, ending)
    return picture


def _title(result: ResultLike, runs: list[Run]) -> str:
    ended = _ENDS.get(str(result.stop_reason), str(result.stop_reason))
    count = int(result.iterations)
    sought = sought_of(result)
    reached = float(value_of(result, sought, np.nan))
    text = f"{reached:.6f}" if sought == "fit" else f"{reached:.9g}".replace("-", "−")
    text = f"{sought.capitalize()} {text}, {ended} after {count} iteration"
    text += "" if count == 1 else "s"
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


def _draw_reached(
    by_iteration: Axes, by_seconds: Axes, runs: list[Run], sought: str, chosen: int | None
) -> None:
    labelled: set[bool] = set()
    for run in runs:
        color, label = _look_of(run), _label_of(run, runs, labelled)
        if len(run.reached):
            by_iteration.plot(run.iteration, run.reached, label=label, **color)
            by_iteration.plot(run.iteration[-1], run.reached[-1], "o", markersize=4, **color)
            if len(run.seconds) == len(run.reached):
                by_seconds.plot(run.seconds, run.reached, **color)
                by_seconds.plot(run.seconds[-1], run.reached[-1], "o", markersize=4, **color)
        else:
            by_iteration.plot(
                *run.end, "o", markersize=5, markerfacecolor="white", label=label, **color
            )
    look.iterations(by_iteration)
    by_seconds.set_xlabel("seconds")
    by_seconds.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    by_seconds.xaxis.set_major_formatter(FuncFormatter(look.plain_number))
    by_iteration.set_ylabel(sought)
    marked = [_mark(by_iteration, run, run.reached, chosen) for run in runs]
    _zoom(by_iteration, [run.reached for run in runs], [run.end[1] for run in runs] + marked)
    by_seconds.set_ylim(by_iteration.get_ylim())
    for axes in (by_iteration, by_seconds):
        axes.set_title(_cut([run.reached for run in runs], axes), fontsize=look.SMALL)
    for axes in (by_iteration, by_seconds):
        axes.set_xlim(left=0)
    if len(runs) > 1:
        by_iteration.legend(loc="lower right" if sought == "fit" else "upper right")


def _mark(axes: Axes, run: Run, course: Array, chosen: int | None) -> float:
    """Draws a ring about the iteration whose model was returned; its number, NaN where none is."""
    at = np.flatnonzero(run.iteration == (-1 if chosen is None else chosen))
    if not run.best or not len(at) or len(course) != len(run.iteration):
        return float(np.nan)
    axes.plot(
        run.iteration[at], course[at], "o", markersize=7, markerfacecolor="none",
        markeredgewidth=1.6, color=look.ORANGE, zorder=4,
    )  # fmt: skip
    return float(course[at[0]])


def _zoom(axes: Axes, courses: list[Array], ends: list[float]) -> None:
    """From the least number to the greatest: the first two of a course may lie beyond."""
    later = [course[2:] if len(course) > 4 else course for course in courses]
    seen = np.concatenate([*later, np.array(ends)])
    seen = seen[np.isfinite(seen)]
    if not len(seen):
        return
    low, high = float(seen.min()), float(seen.max())
    margin = 0.08 * (high - low) or 0.05 * abs(high) or 0.05
    axes.set_ylim(low - margin, high + margin)


def _cut(courses: list[Array], axes: Axes) -> str:
    """Where the vertical axis begins or ends if a course goes beyond."""
    (low, high), seen = axes.get_ylim(), np.concatenate([np.empty(0), *courses])
    if (seen < low).any():
        return f"from {low:.3g} up".replace("-", "−")
    return f"up to {high:.3g}".replace("-", "−") if (seen > high).any() else ""


def _draw_held_out(axes: Axes, runs: list[Run], ending: Ending) -> None:
    look.iterations(axes)
    axes.set_ylabel(ending.y_label)
    for run in runs:
        if len(run.ending) and len(run.ending) == len(run.iteration):
            axes.plot(run.iteration, run.ending, **_look_of(run))
    marked = [_mark(axes, run, run.ending, ending.chosen) for run in runs]
    _zoom(axes, [run.ending for run in runs], marked)
    cut = _cut([run.ending for run in runs], axes)
    ring = f"ring: iteration {ending.chosen}, returned"
    axes.set_title(f"{ring}; {cut}" if cut else ring, fontsize=look.SMALL)
    axes.set_xlim(left=0)


def _draw_changes(axes: Axes, runs: list[Run], ending: Ending) -> None:
    tolerance = ending.tolerance
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(look.plain_number))
    look.iterations(axes)
    axes.set_ylabel(ending.y_label)
    drawn = False
    for run in runs:
        size = np.abs(run.ending)
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
