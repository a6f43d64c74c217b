# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of several models of one tensor: how alike they are."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .._options import knowing_keywords
from ..describe import shorten, value_of
from ..describe.goals import Measure, loss_of, measure_of
from ..describe.protocols import Array, fitted
from . import style as look

MOST_NUMBERS = 14
FITS_WIDTH = 1.8
LEAST_SPAN = 1e-6
"""The shortest axis of fits: of those that lie closer together the differences say nothing."""


def scores_of(models: Sequence[Any], score: Callable[[Any, Any], float] | None = None) -> Array:
    """The scores between all pairs of models: (S, S), symmetric, ones on its diagonal."""
    between = score if score is not None else lambda one, other: one.score(other)
    scores = np.eye(len(models))
    for i in range(len(models)):
        for j in range(i):
            found: Any = between(models[i], models[j])
            scores[i, j] = scores[j, i] = float(value_of(found, "score", found))
    return scores


@knowing_keywords
def plot_starts(
    runs: Any,
    *,
    names: Sequence[str] | None = None,
    score: Callable[[Any, Any], float] | None = None,
    title: str | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Draws how alike the models of several starts are, the best one first.

    On the left what they are compared by: the fit of each or, where that was not sought, the
    objective, or the error over held-out entries. On the right the factor match score between each
    pair: 1 (dark) means the same components. Components that one cares about should be in all good
    starts.

    Parameters
    ----------
    runs : sequence of Result or Model, or a Result of several starts
        At least two, of the same shape and rank, as of `genten.cp` with different seeds. They are
        not changed. Models by themselves have no fit and keep their order. Of a result of several
        starts those with models are drawn, which are all with ``keep_starts=True``; without it the
        best one's model alone is kept, and the fits are drawn without scores.
    names : sequence of str, optional
        What to call them. By default ``seed`` and its number, where that is known, else their
        place.
    score : callable, optional
        Takes two models, returns how alike they are, from 0 to 1. By default `Model.score`.
    title : str, optional
        Text above the picture.
    figure : matplotlib.figure.Figure, optional
        Where to draw; it is emptied and resized. By default a new figure.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        Fewer than two runs, or not as many names as runs.

    Examples
    --------
    >>> figure = plot_starts(["abc", "abd"], score=lambda a, b: 0.5)
    >>> [axes.get_label() for axes in figure.axes]
    ['scores', 'score scale']
    """
    measure, runs = None, fitted(runs, "plot_starts")
    if hasattr(runs, "starts"):
        measure = measure_of(runs)
        kept = [start for start in runs.starts if value_of(start, "model") is not None]
        if len(kept) < 2:
            return _plot_fits(runs, names, title, figure)
        runs, names = kept, _names_among(runs.starts, kept, names)
    is_model = hasattr(runs, "factors")
    if isinstance(runs, (str, bytes)) or not hasattr(runs, "__len__") or is_model:
        raise TypeError(
            "plot_starts: expected a sequence of results or models, or a result of several starts, "
            f"got {type(runs).__name__}"
        )
    runs = [fitted(run, "plot_starts") for run in runs]
    if len(runs) < 2:
        raise ValueError(f"plot_starts: expected at least two runs, got {len(runs)}")
    if names is not None and len(names) != len(runs):
        raise ValueError(f"names: expected {len(runs)}, got {len(names)}")
    called = [shorten(name) for name in names] if names is not None else _names_of(runs)
    known = all(hasattr(run, "model") for run in runs)
    measure = _measure_among(runs) if measure is None else measure
    reached = [_reached(run, measure) for run in runs] if known else []
    order = _best_first(reached, measure) if known else list(range(len(runs)))
    scores = scores_of([getattr(runs[i], "model", runs[i]) for i in order], score)
    called = [called[i] for i in order]
    with look.style():
        cell = 0.42 if len(runs) <= MOST_NUMBERS else max(0.12, 5.0 / len(runs))
        side = max(cell * len(runs), 1.3)
        label, fit = look.widest(called) + 0.3, FITS_WIDTH + 0.2 if known else 0.0
        width, height = label + fit + side + 1.3, side + 1.1 + 0.75 * look.widest(called)
        picture = look.canvas(max(width, 4.6), height, figure)
        width, bottom = max(width, 4.6), height - 0.75 - side

        def place(left: float, wide: float) -> Axes:
            return picture.add_axes((left / width, bottom / height, wide / width, side / height))

        text = "Agreement of the starts: factor match score" if title is None else title
        look.heading(picture, 0.12 / width, 0.1 / height, text)
        if known:
            _draw_fits(place(label, FITS_WIDTH), [reached[i] for i in order], called, measure.name)
        axes = place(label + fit, side)
        _draw_scores(axes, scores, called, named=not known)
        scale = place(label + fit + side + 0.2, 0.14)
        scale.set_label("score scale")
        picture.colorbar(axes.images[0], cax=scale)
    return picture


def _plot_fits(
    result: Any, names: Sequence[str] | None, title: str | None, figure: Figure | None
) -> Figure:
    """What a result's starts have reached, of which it has no models."""
    starts = list(result.starts)
    if len(starts) < 2:
        raise ValueError(
            f"plot_starts: expected a result of at least two starts, got one of {len(starts)}"
        )
    if names is not None and len(names) != len(starts):
        raise ValueError(f"names: expected {len(starts)}, got {len(names)}")
    called = [f"seed {value_of(start, 'seed', i)}" for i, start in enumerate(starts)]
    called = called if names is None else [shorten(name) for name in names]
    measure = measure_of(result)
    reached = [_reached(start, measure) for start in starts]
    finite = [i for i in _best_first(reached, measure) if math.isfinite(reached[i])]
    if not finite:
        raise ValueError(f"plot_starts: expected a start with a finite {measure.name}, got none")
    with look.style():
        side = max(0.42 * len(finite), 1.3)
        label = look.widest(called) + 0.3
        width, height = max(label + FITS_WIDTH + 0.3, 5.4), side + 1.5
        picture = look.canvas(width, height, figure)
        heading = measure.name[0].upper() + measure.name[1:]
        heading = "Fits of the starts" if measure.field == "fit" else f"{heading} of the starts"
        text = heading if title is None else title
        look.heading(picture, 0.12 / width, 0.1 / height, text)
        picture.text(
            0.12 / width,
            0.1 / height,
            "Only the best start's model was kept: for scores run again with keep_starts=True.",
            color=look.MUTED,
        )
        place = (label / width, 0.75 / height, FITS_WIDTH / width, side / height)
        axes = picture.add_axes(place)
        _draw_fits(
            axes, [reached[i] for i in finite], [called[i] for i in finite], measure.name
        )
    return picture


def _names_among(
    starts: Sequence[Any], kept: Sequence[Any], names: Sequence[str] | None
) -> list[str] | None:
    """The names of the starts that have models, of those that are given for all."""
    if names is None:
        return None
    if len(names) != len(starts):
        raise ValueError(f"names: expected {len(starts)}, got {len(names)}")
    return [
        name
        for name, start in zip(names, starts, strict=True)
        if any(start is each for each in kept)
    ]


def _names_of(runs: Sequence[Any]) -> list[str]:
    options = [value_of(run, "options", run) for run in runs]  # A start has its seed itself.
    seeds = [value_of(each, "seed") for each in options]
    if None in seeds or len(set(seeds)) < len(seeds):
        return [str(i) for i in range(len(runs))]
    return [f"seed {seed}" for seed in seeds]


def _measure_among(runs: Sequence[Any]) -> Measure:
    """By what several results are compared: their fits, unless all sought the same other thing."""
    found = [measure_of(run) for run in runs]
    kinds = {(measure.field, loss_of(run)) for measure, run in zip(found, runs, strict=True)}
    same = len(kinds) == 1
    return found[0] if same else measure_of(None)


def _reached(run: Any, measure: Measure) -> float:
    """That number of a result or of a start."""
    if measure.field == "holdout_loss":  # of a start, of a result, or of JSON
        return float(value_of(value_of(run, "gcp") or run, measure.field, math.nan))
    held = value_of(run, "holdout") if measure.field == "holdout_rmse" else None
    of = value_of(run, measure.field, math.nan) if held is None else value_of(held, "rmse")
    return float(of)


def _best_first(reached: list[float], measure: Measure) -> list[int]:
    """The places of the numbers in their order, those that are not finite last."""
    sign = -1 if measure.most else 1
    return sorted(
        range(len(reached)),
        key=lambda i: (not math.isfinite(reached[i]), sign * reached[i]),
    )


def _draw_fits(axes: Axes, fits: list[float], names: list[str], title: str = "fit") -> None:
    axes.set_label("fits")
    places = np.arange(len(fits))
    axes.plot(fits, places, "o", color=look.BLUE, markersize=5)
    look.grid(axes)
    axes.set_ylim(len(fits) - 0.5, -0.5)
    axes.set_yticks(places, names)
    low, high = min(fits), max(fits)
    margin = 0.12 * (high - low) or 0.05 * abs(high) or 0.05
    span = LEAST_SPAN * max(1.0, abs(high))
    margin = max(margin, (span - (high - low)) / 2)
    axes.set_xlim(low - margin, high + margin)
    for bins in (3, 2, 1):
        locator = MaxNLocator(bins)
        ticks = [t for t in locator.tick_values(low - margin, high + margin) if low <= t <= high]
        decimals = max(0, 2 - math.floor(math.log10(high - low + 2 * margin)))
        label = look.widest([f"{tick:.{decimals}f}".rstrip("0") for tick in ticks])
        if bins * (label + 0.12) <= FITS_WIDTH:
            break
    axes.xaxis.set_major_locator(locator)
    axes.set_title(title)


def _draw_scores(axes: Axes, scores: Array, names: list[str], named: bool) -> None:
    axes.set_label("scores")
    axes.imshow(scores, vmin=0, vmax=1, cmap="cividis_r", aspect="auto")
    places = np.arange(len(names))
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xticks(places, names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(places, names if named else [])
    axes.tick_params(length=0)
    axes.set_title("score between starts")
    if len(names) > MOST_NUMBERS:
        return
    for i, j in np.ndindex(*scores.shape):
        color = "white" if scores[i, j] > 0.55 else look.INK
        axes.text(j, i, f"{scores[i, j]:.2f}", ha="center", va="center", color=color)
