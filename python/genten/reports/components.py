# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of the model: its components and their strongest rows."""

import math
import unicodedata
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..describe import (
    ModelLike,
    belief_in,
    component_order,
    first_row,
    kind_of,
    limits_of,
    mode_name,
    places_of,
    relative_weights,
    row_name,
    shorten,
    strongest,
    whiskers_of,
)
from ..describe.model import labels_of
from ..describe.protocols import Array
from .charts import number, spark

WHOLE = 14.0
"""Names of at most so many digits' width are not broken."""
FEW_ROWS = 10.5
"""A component is named by its strongest row in modes where it has no more than so many."""


@dataclass
class Row:
    """One row of a factor: its name, its number, how certain that is, and a bar from `x`, `width`
    long, of 100."""

    name: str
    whole: bool
    value: str
    interval: str
    negative: bool
    x: float
    width: float


@dataclass
class ModeTable:
    """A component's rows in one mode, and a small line of the whole column. Names and numbers need
    the widths, in digits."""

    name: str
    note: str
    rows: list[Row]
    name_width: float
    value_width: float
    zero: float
    spark: str
    spark_zero: float
    spark_label: str


@dataclass
class Component:
    """One rank-one part of the model, by its place among all when sorted by weight."""

    place: int
    index: int
    heading: str
    weight: str
    share: str
    negative: bool
    width: float
    belief: str
    modes: list[ModeTable]


def scale_of_columns(model: ModelLike) -> str:
    """How the columns of the factors are scaled, for a sentence about them.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> half = np.full((2, 1), 0.5)
    >>> scale_of_columns(SimpleNamespace(weights=np.ones(1), factors=[half]))
    ' whose columns add up to 1'
    """
    columns = [np.asarray(factor, dtype=np.float64) for factor in model.factors]
    lengths = np.concatenate([np.sqrt(np.square(each).sum(axis=0)) for each in columns])
    sums = np.concatenate([each.sum(axis=0) for each in columns])

    def all_one(sizes: Array) -> bool:
        return bool((np.abs(sizes[lengths > 0] - 1) < 1e-3).all())

    if all_one(lengths):
        return " whose columns have length 1"
    if all_one(sums) and all((each >= 0).all() for each in columns):
        return " whose columns add up to 1"
    return " as they are, with columns of any length"


def width_of(text: str) -> float:
    """About how many digits are as wide as a text in a sans-serif font, rather too many than too
    few.

    Examples
    --------
    >>> width_of("2001-01-23"), width_of("WWW"), width_of("日本")
    (10.0, 5.1, 4.0)
    """
    wide = sum(2.0 for c in text if unicodedata.east_asian_width(c) in "WF")
    broad = sum(1.7 for c in text if c in "mwMW@%—…")
    rest = [c for c in text if unicodedata.east_asian_width(c) not in "WF" and c not in "mwMW@%—…"]
    return round(wide + broad + sum(1.3 if c.isupper() else 1.0 for c in rest), 1)


def components_of(model: ModelLike, k: int, result: Any = None) -> list[Component]:
    """All components, heaviest first, places counting from 1, with what their result says of how
    far they can be believed."""
    whiskers = [
        None if result is None else whiskers_of(result, mode) for mode in range(len(model.factors))
    ]
    shares = relative_weights(model)
    made = []
    for place, r in enumerate(component_order(model), 1):
        made.append(
            Component(
                place=place,
                index=int(r),
                heading=_heading(model, int(r)),
                weight=number(float(model.weights[r])),
                share=f"{shares[r]:.1%}".replace("-", "−"),
                negative=bool(shares[r] < 0),
                width=round(100 * abs(float(shares[r])), 1),
                belief="" if result is None else belief_in(result, int(r)),
                modes=[
                    table_of_column(model, mode, int(r), k, whiskers[mode])
                    for mode in range(len(model.factors))
                ],
            )
        )
    return made


def rows_in_use(column: Array) -> float:
    """In how many rows a column lies: the inverse of the sum of the squares of their parts of its
    sum of squares, which is n where n rows are equally strong; 0 where it is zero.

    Examples
    --------
    >>> rows_in_use(np.array([0.5, 0.5, 0.0, -0.5, 0.5])), rows_in_use(np.array([1.0, 0.0]))
    (4.0, 1.0)
    """
    squares = np.square(np.asarray(column, dtype=np.float64))
    total = float(squares.sum())
    if not 0.0 < total < math.inf:
        return 0.0
    return 1.0 / float(np.square(squares / total).sum())


def _heading(model: ModelLike, r: int) -> str:
    """A component's name: the strongest rows of the modes that it is concentrated in, with the
    number of those beside them, and how many rows it has of the others; the strongest of all modes
    where it is concentrated in none."""
    spread = [rows_in_use(factor[:, r]) for factor in model.factors]
    narrow = [mode for mode, rows in enumerate(spread) if rows <= FEW_ROWS]
    heads = [_strongest_name(model, mode, r) for mode in narrow or range(len(spread))]
    heads = [
        head + _beside(max(round(spread[mode]), _strong_rows(model.factors[mode][:, r])) - 1)
        for head, mode in zip(heads, narrow or range(len(spread)), strict=True)
    ]
    wide = [mode for mode in range(len(spread)) if narrow and mode not in narrow]
    counts = [f"some {round(spread[mode]):,} rows of {mode_name(model, mode, 1)}" for mode in wide]
    named = ", ".join(head for head in heads if head)
    return "; ".join(part for part in (named, ", ".join(counts)) if part) or "nothing"


def _strong_rows(column: Array) -> int:
    """How many rows are at least half as strong as the strongest, as the tool counts them."""
    sizes = np.abs(np.asarray(column, dtype=np.float64))
    return int(np.count_nonzero(sizes >= 0.5 * sizes.max())) if sizes.any() else 1


def _beside(count: int) -> str:
    return "" if count < 1 else f" and {count:,} other{'' if count == 1 else 's'}"


def _strongest_name(model: ModelLike, mode: int, r: int) -> str:
    rows = strongest(model.factors[mode][:, r], 1)
    if not len(rows):
        return ""
    name = shorten(row_name(model, mode, int(rows[0]), first_row(model)), 40)
    if "," in name or ";" in name:
        name = f"“{name}”"
    if model.factors[mode][rows[0], r] < 0:
        name += " (−)"
    labelled = model.labels is not None and mode < len(model.labels) and model.labels[mode]
    return name if labelled else f"{mode_name(model, mode, 1)} row {name}"


def table_of_column(
    model: ModelLike, mode: int, r: int, k: int, whiskers: Array | None = None
) -> ModeTable:
    """A column of a factor: all its rows in short modes, and the k strongest in others."""
    column = np.asarray(model.factors[mode][:, r], dtype=np.float64)
    kind, length = kind_of(model, mode), len(column)
    rows = np.arange(length) if kind == "bars" else strongest(column, k)
    low, high = limits_of(column)
    span = (high - low) or 1.0
    greatest = max(high, -low) or 1.0
    decimals = min(max(3 - math.ceil(math.log10(greatest)), 2), 12)
    named = []
    for row in rows:
        value = float(column[row])
        drawn = value if math.isfinite(value) else 0.0
        begin, end = sorted((100 * (-low) / span, 100 * (drawn - low) / span))
        name = row_name(model, mode, int(row), first_row(model))
        named.append(
            Row(
                name=name,
                whole=width_of(name) <= WHOLE,
                value=_fixed(value, decimals),
                interval=_interval(value, whiskers, int(row), r, decimals),
                negative=value < 0,
                x=round(begin, 1),
                width=round(end - begin, 1),
            )
        )
    line, zero = "", 0.0
    if kind != "bars":
        places = places_of(labels_of(model, mode), length) if kind == "line" else None
        finite = np.nan_to_num(column, posinf=0.0, neginf=0.0)
        line, zero = spark(finite, places, max(high, -low))
    return ModeTable(
        name=mode_name(model, mode, 1),
        note=_note(column, rows, kind == "bars"),
        rows=named,
        name_width=min(max((width_of(row.name) for row in named), default=0.0), WHOLE),
        value_width=max((_width_of_numbers(row) for row in named), default=0.0),
        zero=round(100 * -low / span, 1),
        spark=line,
        spark_zero=zero,
        spark_label=(
            f"All {length:,} rows in their order"
            if kind == "line"
            else f"Magnitudes of all {length:,} rows, greatest first, places on a logarithmic scale"
        ),
    )


def _width_of_numbers(row: Row) -> float:
    """That of a value above its interval, which is smaller."""
    return max(float(len(row.value)), round(0.84 * len(row.interval), 1))


def _interval(value: float, whiskers: Array | None, row: int, r: int, decimals: int) -> str:
    """The interval of 90 %, where it is known."""
    if whiskers is None or not whiskers[:, row, r].any():
        return ""
    below, above = whiskers[:, row, r]
    return f"{_fixed(value - below, decimals)} to {_fixed(value + above, decimals)}"


def _fixed(value: float, decimals: int) -> str:
    """A number with so many decimals, so that those of a column stand below each other."""
    if not math.isfinite(value):
        return number(value)
    text = f"{value:.{decimals}f}".replace("-", "−")
    return text if text.strip("−0.") else text.lstrip("−")


def _note(column: Array, rows: npt.NDArray[np.intp], all_of_them: bool) -> str:
    """How much of a column its strongest rows hold."""
    count = len(rows)
    if all_of_them:
        return f"all {len(column)} rows"
    if not np.isfinite(column).all():
        return f"{len(column):,} rows, not all of them finite"
    squares = np.sort(np.square(column))[::-1]
    total = float(squares.sum())
    if total <= 0:
        return f"all {len(column):,} rows are zero"
    held = float(squares[:count].sum()) / total
    half = int(np.searchsorted(np.cumsum(squares), total / 2)) + 1
    rows_of_half = "1 row holds" if half == 1 else f"{half:,} rows hold"
    return (
        f"the strongest {count} of {len(column):,} rows hold {number(100 * held, 2)}% of the sum "
        f"of squares; {rows_of_half} half of it"
    )
