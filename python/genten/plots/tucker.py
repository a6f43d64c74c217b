# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a Tucker model: its core, and a panel for each factor."""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from .._names.labels import checked_mode, whole
from .._options import knowing_keywords
from ..describe import row_name, shorten
from . import style as look

COLOURS = LinearSegmentedColormap.from_list(
    "genten", [look.ORANGE, "white", look.BLUE]
)  # negative to positive, as in the pictures of CP models
HEAD, FOOT, GAP, CORE, CELL, LEAST = 0.75, 0.45, 0.35, 1.5, 0.19, 1.0
MOST_CHARACTERS = 18


def _image(axes: Any, values: npt.NDArray[Any], title: str) -> None:
    most = float(np.abs(values).max(initial=0.0)) or 1.0
    axes.imshow(values, cmap=COLOURS, vmin=-most, vmax=most, aspect="auto", interpolation="none")
    axes.set_title(f"{title}, to {most:.3g}")
    axes.set_label(title)


def _columns(count: int) -> list[str]:
    return [str(r + 1) for r in range(count)]


@knowing_keywords
def plot_tucker(
    model: Any,
    *,
    mode: int | str = 0,
    k: int = 12,
    title: str | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Draws the core of a Tucker model as a map, and the strongest rows of each factor below.

    Blue is positive, orange negative, and white 0; each panel has its own scale, of which its
    title has the largest magnitude. The core lies as a matrix whose rows are the columns of one
    mode; its columns are all tuples of columns of the others, the first of these modes varying
    fastest. Modes that are not compressed have no panel.

    Parameters
    ----------
    model : TuckerModel or TuckerResult
        It is not changed.
    mode : int or str
        Whose columns are the rows of the core's map.
    k : int
        How many rows of a factor are drawn, those of the largest norms, in their order.
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
        For what is no Tucker model.
    ValueError
        For a mode that there is not, and for k below 1.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> figure = plot_tucker(genten.tucker(X, (2, 2, 2)))
    >>> [axes.get_label() for axes in figure.axes]
    ['core', 'mode 0', 'mode 1', 'mode 2']
    """
    model = getattr(model, "model", model)
    look.require(model, ("core", "factors"), "plot_tucker: expected a TuckerModel or its result")
    at = checked_mode(mode, model.ndim, model.mode_names)
    most = whole(k, "plot_tucker: k")
    if most < 1:
        raise ValueError(f"plot_tucker: k: expected at least 1, got {k}")
    names = model.mode_names or [f"mode {n}" for n in range(model.ndim)]
    core = np.moveaxis(model.core, at, 0)
    unfolded = core.reshape(core.shape[0], -1, order="F")
    shown = [n for n in range(model.ndim) if model.factors[n] is not None]
    chosen = {n: _strongest(model.factors[n], most) for n in shown}
    rows = max((len(each) for each in chosen.values()), default=0)
    widths = [max(LEAST, CELL * model.factors[n].shape[1]) for n in shown]
    margin = {n: _margin(_names_of(model, n, chosen[n])) for n in shown}
    width = max(5.0, GAP + sum(margin[n] + w + GAP for n, w in zip(shown, widths)))
    below = HEAD + CELL * rows if shown else 0.0
    height = HEAD + CORE + below + FOOT
    with look.style():
        picture = look.canvas(width, height, figure)
        ranks = " x ".join(map(str, model.core.shape))
        look.heading(
            picture, 0.12 / width, 0.1 / height, f"Core of {ranks}" if title is None else title
        )
        left = GAP + look.widest(_columns(core.shape[0]))
        axes = picture.add_axes(
            (left / width, (height - HEAD - CORE) / height, (width - left - GAP) / width,
             CORE / height)
        )  # fmt: skip
        _image(axes, unfolded, "core")
        axes.set_yticks(range(core.shape[0]), _columns(core.shape[0]))
        axes.set_xticks([])
        axes.set_ylabel(names[at])
        x = 0.0
        for n, wide in zip(shown, widths):
            x += GAP + margin[n]
            high = CELL * len(chosen[n])
            top = height - HEAD - CORE - HEAD
            axes = picture.add_axes((x / width, (top - high) / height, wide / width, high / height))
            _image(axes, model.factors[n][chosen[n]], names[n])
            axes.set_yticks(range(len(chosen[n])), _names_of(model, n, chosen[n]))
            axes.set_xticks(range(model.factors[n].shape[1]), _columns(model.factors[n].shape[1]))
            x += wide
    return picture


def _strongest(factor: npt.NDArray[Any], most: int) -> npt.NDArray[np.int64]:
    norms = np.linalg.norm(factor.astype(np.float64), axis=1)
    return np.sort(np.argsort(-norms, kind="stable")[:most])


def _names_of(model: Any, mode: int, rows: npt.NDArray[np.int64]) -> list[str]:
    return [shorten(row_name(model, mode, int(row)), MOST_CHARACTERS) for row in rows]


def _margin(names: list[str]) -> float:
    return look.widest(names) + 0.1 if names else 0.0
