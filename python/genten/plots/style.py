# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The look of all pictures, and the figure they are drawn in."""

import io
import math
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.ticker import MaxNLocator

from ..convert.parts import warn

# Okabe and Ito's colours, which people with any colour vision tell apart.
BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
INK, MUTED, RULE = "#1a1a1a", "#595959", "#c8c8c8"
SMALL, NORMAL, LARGE = 8.0, 9.0, 11.0
DPI = 100
MOST_SIGNS = 8
STEP = 6.0

# For names that DejaVu Sans, which comes with Matplotlib, has no signs for; where installed.
_FALLBACKS = {
    "Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "Hiragino Sans",
    "Microsoft YaHei", "Arial Unicode MS", "Noto Sans Devanagari", "Noto Sans Thai",
}  # fmt: skip
FAMILIES = ["DejaVu Sans", *sorted(_FALLBACKS & {font.name for font in fontManager.ttflist})]

_STYLE: dict[str, Any] = {
    "font.family": FAMILIES,
    "font.size": SMALL,
    "text.color": INK,
    "text.usetex": False,
    "text.parse_math": False,
    "text.hinting": "none",
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.labelsize": SMALL,
    "axes.titlesize": NORMAL,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.formatter.useoffset": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "legend.fontsize": SMALL,
    "savefig.dpi": DPI,
    # Text as text, and the same bytes from the same picture.
    "svg.fonttype": "none",
    "svg.hashsalt": "genten",
    "pdf.fonttype": 42,
}


_NO_GLYPH = r"Glyph (\d+) .*missing from"
"""What Matplotlib's warnings begin with, of which there is one for each sign and measurement."""


def _tell_of_signs(
    caught: list[warnings.WarningMessage], shown: set[tuple[str, str, int]], drawn: bool
) -> None:
    """One warning, with what helps, in place of Matplotlib's many for signs that no font has. In
    SVG they are not drawn, but text. Other warnings come once each, those that are not `shown`."""
    signs: dict[str, None] = {}
    for each in caught:
        found = re.match(_NO_GLYPH, str(each.message))
        if found is None:
            key = (str(each.message), each.filename, each.lineno)
            if key not in shown:
                shown.add(key)
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        else:
            signs[chr(int(found[1]))] = None
    if signs and drawn:
        more = f" and {len(signs) - MOST_SIGNS} more" if len(signs) > MOST_SIGNS else ""
        warn(
            f"no font that is installed has the signs {''.join(list(signs)[:MOST_SIGNS])}{more}, "
            "which are drawn as boxes: install one of " + ", ".join(sorted(_FALLBACKS)) + ", or "
            "save a .svg, whose text the browser's fonts show"
        )


class Picture(Figure):
    """A figure that a notebook shows by itself, once, whether or not pyplot is used there."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._told: set[tuple[str, str, int]] = set()

    def draw(self, renderer: Any) -> None:
        """Draws it, as Matplotlib does."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.filterwarnings("always", message=_NO_GLYPH)
            super().draw(renderer)
        is_svg = isinstance(getattr(renderer, "_vector_renderer", renderer), RendererSVG)
        _tell_of_signs(caught, self._told, drawn=not is_svg)

    def _repr_png_(self) -> bytes:
        with style():
            buffer = io.BytesIO()
            self.savefig(buffer, format="png")
        return buffer.getvalue()


@contextmanager
def style() -> Iterator[None]:
    """Matplotlib's defaults with the look of these pictures, whatever the user has set."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        # Text is measured many times before it is drawn, which tells of the signs.
        warnings.filterwarnings("ignore", message=_NO_GLYPH)
        matplotlib.rcdefaults()
        for name, value in _STYLE.items():
            matplotlib.rcParams[name] = value  # type: ignore[index]
        yield


def canvas(width: float, height: float, figure: Figure | None) -> Figure:
    """A white figure of so many inches; a given one is resized and emptied instead."""
    if figure is None:
        picture = Picture(figsize=(width, height), dpi=DPI, facecolor="white")
        FigureCanvasAgg(picture)
        return picture
    figure.clear()
    figure.set_size_inches(width, height)
    figure.set_facecolor("white")
    return figure


def heading(picture: Figure, left: float, top: float, text: str) -> None:
    """The text above a picture, at a distance from its corner, as parts of its sides."""
    picture.text(left, 1 - top, text, fontsize=LARGE, fontweight="bold", va="top")


def require(given: Any, names: Sequence[str], expected: str) -> None:
    """Complains of what lacks one of these attributes, and so is not what is expected.

    Raises
    ------
    TypeError
        With what draws it.
    """
    if any(not hasattr(given, name) for name in names):
        of_result = "plot_result a run, plot_starts its starts"
        raise TypeError(
            f"{expected}, got {type(given).__name__}; plot_model draws CP models, {of_result}, "
            "plot_tucker Tucker models, plot_ranks choices of the rank"
        )


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Writes a picture as its name ends: .png, .svg, .pdf or another of Matplotlib's.

    The same picture gives the same bytes: no date is written. Text stays text in SVG and PDF.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What a function of this module has returned.
    path : path-like
        The file, which is overwritten.

    Raises
    ------
    ValueError
        Matplotlib does not know the format.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import genten, os, tempfile
    >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(r.plot(), os.path.join(folder, "run.svg"))
    ...     os.listdir(folder)
    ['run.svg']
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    undated: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with style():
        figure.savefig(path, metadata=undated.get(suffix))


_RULER: Any = cast(Any, RendererAgg)(1, 1, 72)


def text_width(text: str, size: float = SMALL) -> float:
    """How many inches wide a text is, rounded up, so that all versions of fonts agree."""
    font = FontProperties(family=FAMILIES, size=size)
    points = float(_RULER.get_text_width_height_descent(text, font, False)[0])
    return math.ceil(points / STEP) * STEP / 72


def widest(texts: list[str], size: float = SMALL) -> float:
    """The width of the widest text, in inches."""
    return max((text_width(text, size) for text in texts), default=0.0)


def plain_number(value: float, _: object = None) -> str:
    """A number at a tick: as short as it goes, with a true minus sign."""
    return f"{value:g}".replace("-", "−")


def zero_line(axes: Axes, vertical: bool = False) -> None:
    """The dashed line at zero."""
    draw = axes.axvline if vertical else axes.axhline
    draw(0.0, color=MUTED, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)


def iterations(axes: Axes) -> None:
    """The horizontal axis of a course by iterations."""
    axes.set_xlabel("iteration")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))


def grid(axes: Axes) -> None:
    """Light lines behind the data."""
    axes.grid(True, color=RULE, linewidth=0.5, alpha=0.7)
    axes.set_axisbelow(True)
