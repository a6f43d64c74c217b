# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How the rows of a mode are best shown."""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from .model import labels_of
from .protocols import ModelLike

Kind = Literal["bars", "line", "top"]

MOST_BARS, MOST_LINE = 16, 400

_DATE = re.compile(
    r"\d{4}(-\d\d){0,2}([T ]\d\d(:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?)?$"
)

_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d)$")


def is_ordered(labels: Sequence[str]) -> bool:
    """Whether names are ascending numbers or dates, so that a line through them makes sense."""
    try:
        return bool(np.all(np.diff([float(label) for label in labels]) > 0))
    except ValueError:
        pass
    return all(map(_DATE.match, labels)) and all(
        a < b for a, b in zip(labels, labels[1:], strict=False)
    )


def places_of(labels: Sequence[str] | None, length: int) -> npt.NDArray[np.float64]:
    """Where rows lie on a line: at the numbers or dates of ordered names, of which some may be left
    out, and else side by side.

    Examples
    --------
    >>> places_of(["2021-01", "2021-02", "2021-04"], 3) / 86400 - 18628
    array([ 0., 31., 90.])
    """
    side_by_side = np.arange(length, dtype=np.float64)
    if labels is None or not is_ordered(labels):
        return side_by_side
    try:
        places = np.array([float(label) for label in labels])
    except ValueError:
        times = [_ZONE.sub("", label).replace(" ", "T") for label in labels]
        try:
            places = np.array(times, dtype="datetime64[us]").astype(np.float64) / 1e6
        except ValueError:  # 1990-91 is a season
            return side_by_side
    ascend = np.isfinite(places).all() and (np.diff(places) > 0).all()
    return places if ascend else side_by_side


def kind_of(model: ModelLike, mode: int) -> Kind:
    """Short modes as bars; ordered or nameless ones as a line; the strongest rows of the rest."""
    length = len(model.factors[mode])
    if length <= MOST_BARS:
        return "bars"
    if length > MOST_LINE:
        return "top"
    labels = labels_of(model, mode)
    return "line" if labels is None or is_ordered(labels) else "top"
