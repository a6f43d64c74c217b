# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How the rows of a mode are best shown."""

import datetime
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

_PERIOD = re.compile(r"(\d{4})-?([WQH])(\d\d?)$", re.IGNORECASE)

_DAYS = re.compile(r"(\d{4}-\d\d-\d\d)/\d{4}-\d\d-\d\d$")

_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d)$")


def _start_of(label: str) -> str:
    """The first day of a week, a quarter, a half or a period of pandas; other names as they are.

    Examples
    --------
    >>> [_start_of(label) for label in ("2024-W02", "2024Q3", "2024-01-01/2024-01-07", "2024-05")]
    ['2024-01-08', '2024-07-01', '2024-01-01', '2024-05']
    """
    if days := _DAYS.match(label):
        return days[1]
    if (period := _PERIOD.match(label)) is None:
        return label
    year, kind, number = int(period[1]), period[2].upper(), int(period[3])
    months = {"Q": 3, "H": 6}.get(kind, 0)
    try:
        if months == 0:
            return datetime.date.fromisocalendar(year, number, 1).isoformat()
        return datetime.date(year, months * (number - 1) + 1, 1).isoformat()
    except ValueError:  # There is no such week, as 0 and many a 53.
        return label


def is_ordered(labels: Sequence[str]) -> bool:
    """Whether names are ascending numbers, dates or periods, so that a line through them makes
    sense."""
    try:
        return bool(np.all(np.diff([float(label) for label in labels]) > 0))
    except ValueError:
        pass
    starts = list(map(_start_of, labels))
    return all(map(_DATE.match, starts)) and all(
        a < b for a, b in zip(starts, starts[1:], strict=False)
    )


def places_of(labels: Sequence[str] | None, length: int) -> npt.NDArray[np.float64]:
    """Where rows lie on a line: at the numbers or dates of ordered names, or where periods begin,
    of which some may be left out, and else side by side.

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
        times = [_ZONE.sub("", _start_of(label)).replace(" ", "T") for label in labels]
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
