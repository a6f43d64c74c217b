# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of a Tucker model: its core, and the columns of each mode."""

import dataclasses
import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..describe import (
    Finding,
    first_row,
    lengths_of,
    mode_name,
    result_findings,
    row_name,
    shorten,
    strongest,
)
from ..describe.protocols import Array
from .charts import number
from .components import ModeTable, table_of_column
from .map import Map, map_of_pair
from .method import count_of

NAMED, HALF = 2, 0.5
"""A column is named by so many of its strongest rows, that have so much of the strongest one."""
MOST_MAPS = 15
ORTHONORMAL = 1e-5
"""By which products of columns of a model may differ from 0 and 1; files may have few digits."""


@dataclass
class Element:
    """An element of the core, with the column of each mode that it joins."""

    value: str
    share: str
    negative: bool
    width: float
    columns: list[str]


@dataclass
class ColumnsOfMode:
    """The columns of a mode, each with its strongest rows; none where it is not compressed."""

    place: int
    name: str
    note: str
    columns: list[ModeTable]


@dataclass
class Core:
    """What the template shows of a model."""

    ranks: str
    modes: list[str]
    elements: list[Element]
    of_all: str
    maps: list[Map] = field(default_factory=list)
    maps_note: str = ""
    columns: list[ColumnsOfMode] = field(default_factory=list)


def numbers_in(model: Any) -> tuple[int, int]:
    """How many numbers core and factors have.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> numbers_in(SimpleNamespace(core=np.zeros((2, 7)), factors=[np.zeros((5, 2)), None]))
    (14, 10)
    """
    return model.core.size, sum(factor.size for factor in model.factors if factor is not None)


def size_facts(model: Any) -> list[tuple[str, str]]:
    """How many numbers the model takes, beside those of the whole table."""
    core, factors = numbers_in(model)
    entries, all_of_it = math.prod(lengths_of(model)), core + factors
    facts = [("Model", f"{core:,} + {factors:,} = {count_of(all_of_it, 'number')}, core + factors")]
    if all_of_it:
        times = number(entries / all_of_it, 3)
        facts.append(("Compression", f"{times}: the whole table has {entries:,} entries"))
    return facts


def findings_of_tucker(model: Any, result: Any) -> list[Finding]:
    """What is to be known of a run, where there was one, and of the model by itself."""
    found = [] if result is None else result_findings(result)
    apart = [mode for mode, factor in enumerate(model.factors) if not _is_orthonormal(factor)]
    if apart:
        names = ", ".join(mode_name(model, mode, 1) for mode in apart)
        text = (
            f"The columns of {names} are not at right angles to each other, or not of length 1. "
            "Elements of the core do not say how large their parts of the model are then, and "
            "shares are those of the core alone."
        )
        found.append(Finding("not_orthonormal", "Columns are not orthonormal", text))
    return found


def _is_orthonormal(factor: Any) -> bool:
    if factor is None:
        return True
    wide = np.asarray(factor, dtype=np.float64)
    return bool((np.abs(wide.T @ wide - np.eye(wide.shape[1])) < ORTHONORMAL).all())


def core_of(model: Any, k: int) -> Core:
    """The largest elements of the core, maps of its pairs of modes, and all columns, of which k
    rows are named in long modes."""
    core = np.asarray(model.core, dtype=np.float64)
    order = range(core.ndim)
    pairs = list(itertools.combinations(order, 2))
    scaled = core / (np.abs(core).max(initial=0.0) or 1.0)  # so that squares stay in range
    squares = np.square(scaled)
    total = float(squares.sum()) or 1.0
    elements = [
        _element(model, columns, value, float(squares[columns]) / total, float(scaled[columns]))
        for columns, value in model.top_core(k)
    ]
    part = sum(float(squares[columns]) for columns, _ in model.top_core(k)) / total
    some = len(elements) < np.count_nonzero(core)
    made = Core(
        ranks=" × ".join(f"{rank:,}" for rank in core.shape),
        modes=[mode_name(model, mode, 1) for mode in order],
        elements=elements,
        of_all=f"{part:.1%} of the sum of squares of the core" if some else "",
        maps=[map_of_pair(model, _pair(scaled, *pair), pair) for pair in pairs[:MOST_MAPS]],
    )
    made.maps_note = _about_maps(core.ndim, len(pairs))
    for mode in order:
        shares = squares.sum(axis=tuple(other for other in order if other != mode)) / total
        made.columns.append(_columns_of(model, mode, shares, k))
    return made


def _about_maps(order: int, pairs: int) -> str:
    if order == 2:
        text = "The core itself: the fuller the colour, the larger the element; orange is negative."
    else:
        text = (
            "How strongly columns of two modes go together: the root of the sum of the squares of "
            "the elements of the core that join them, over all columns of the other modes. The "
            "fuller the colour, the larger, in each map by itself."
        )
    if pairs > MOST_MAPS:
        text += f" The first {MOST_MAPS} of {pairs} pairs of modes."
    return text


def _pair(scaled: Array, one: int, other: int) -> Array:
    """The core by columns of two modes; with signs where there are no others."""
    if scaled.ndim == 2:
        return scaled
    rest = tuple(mode for mode in range(scaled.ndim) if mode not in (one, other))
    found: Array = np.sqrt(np.square(scaled).sum(axis=rest))
    return found


def _element(
    model: Any, columns: tuple[int, ...], value: float, share: float, part: float
) -> Element:
    return Element(
        value=number(value, 5),
        share=f"{share:.1%}",
        negative=value < 0,
        width=round(100 * abs(part), 1),
        columns=[name_of_column(model, mode, r) for mode, r in enumerate(columns)],
    )


def name_of_column(model: Any, mode: int, r: int) -> str:
    """The number of a column, and its strongest rows; of a mode that is not compressed the row."""
    factor = model.factors[mode]
    if factor is None:
        return shorten(row_name(model, mode, r, first_row(model)), 40)
    column = np.asarray(factor[:, r], dtype=np.float64)
    rows = strongest(column, NAMED)
    rows = rows[np.abs(column[rows]) >= HALF * np.abs(column).max(initial=0.0)]
    names = [
        shorten(row_name(model, mode, int(row), first_row(model)), 40)
        + " (−)" * bool(column[row] < 0)
        for row in rows
    ]
    return f"{r + 1}: {', '.join(names) if names else 'nothing'}"


def _columns_of(model: Any, mode: int, shares: Array, k: int) -> ColumnsOfMode:
    name, factor = mode_name(model, mode, 1), model.factors[mode]
    if factor is None:
        note = f"Not compressed: the core has {count_of(len(shares), 'row')} of its own here."
        return ColumnsOfMode(mode + 1, name, note, [])
    rows, rank = factor.shape
    tables = [table_of_column(model, mode, r, k) for r in range(rank)]
    of_core = [f"{share:.1%} of the core" for share in shares]
    columns = [
        dataclasses.replace(table, name=f"Column {r + 1}", note=f"{part}; {table.note}")
        for r, (table, part) in enumerate(zip(tables, of_core, strict=True))
    ]
    return ColumnsOfMode(
        mode + 1, name, f"{count_of(rank, 'column')} of {count_of(rows, 'row')}.", columns
    )
