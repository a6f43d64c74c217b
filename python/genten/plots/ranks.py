# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a choice of the number of components."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .._options import knowing_keywords
from ..describe.ends import doubt_of
from . import style as look

WIDTH, HEIGHT, PANEL, LEFT = 9.0, 3.0, 2.2, 0.7
ALIKE = 0.95
"""From this score on starts count as agreeing, which the picture has a line at."""


@knowing_keywords
def plot_ranks(choice: Any, *, title: str | None = None, figure: Figure | None = None) -> Figure:
    """Draws what speaks for each number of components, with a line at the suggested one.

    From left to right: the fit of the best start, or of other losses the objective; the agreement
    of the starts, with a dashed line at 0.95; and the mean loss over held-out entries with one
    standard error on either side.

    Parameters
    ----------
    choice : RankChoice
        What `genten.choose_rank` has returned; it is not changed.
    title : str, optional
        Text above the picture.
    figure : matplotlib.figure.Figure, optional
        Where to draw; it is emptied and resized. By default a new figure.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    TypeError
        For what is no choice of a rank, as a Result.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> figure = plot_ranks(genten.choose_rank(X, [1, 2], starts=3, loss="poisson"))
    >>> [axes.get_label() for axes in figure.axes]
    ['objective', 'agreement', 'held-out loss']
    """
    expected = "plot_ranks: expected what genten.choose_rank returns"
    look.require(choice, ("table", "suggested"), expected)
    rows = choice.table
    ranks = [row.rank for row in rows]
    by_fit = all(np.isfinite(row.fit) for row in rows)
    with look.style():
        picture = look.canvas(WIDTH, HEIGHT, figure)
        suggested = "nothing replicates" if choice.suggested == 0 else f"R = {choice.suggested}"
        text = f"Number of components: {suggested}{doubt_of(choice)}" if title is None else title
        look.heading(picture, 0.12 / WIDTH, 0.1 / HEIGHT, text)
        panels = [_panel(picture, place, choice.suggested, ranks) for place in range(3)]
        name = "fit" if by_fit else "objective"
        _draw(panels[0], ranks, [getattr(row, name) for row in rows], name)
        _draw(panels[1], ranks, [row.agreement for row in rows], "agreement")
        panels[1].set_ylim(0.0, 1.05)
        panels[1].axhline(ALIKE, color=look.MUTED, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
        losses, errors = (
            [getattr(row, field) for row in rows] for field in ("holdout_loss", "holdout_error")
        )
        _draw(panels[2], ranks, losses, "held-out loss")
        panels[2].errorbar(
            ranks, losses, errors, fmt="none", ecolor=look.BLUE, elinewidth=0.8, capsize=2
        )
    return picture


def _panel(picture: Figure, place: int, suggested: int, ranks: Sequence[int]) -> Axes:
    left = LEFT + place * (PANEL + LEFT)
    axes = picture.add_axes((left / WIDTH, 0.5 / HEIGHT, PANEL / WIDTH, 1.8 / HEIGHT))
    look.grid(axes)
    axes.set_xlabel("components")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    if suggested in ranks:
        axes.axvline(suggested, color=look.ORANGE, linewidth=1.0, zorder=1)
    return axes


def _draw(axes: Axes, ranks: Sequence[int], values: Sequence[float], name: str) -> None:
    axes.set_label(name)
    axes.set_title(name)
    axes.plot(ranks, values, "o-", color=look.BLUE, markersize=4)
