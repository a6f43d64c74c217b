# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages say of values of pandas and polars that are no numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .parts import AnyArray, loaded
from .series import is_number, is_polars, missing_in


def by_cast(series: Any, name: Any, unit: str = "") -> str:
    """How texts, of which each ends with that unit, become numbers, for messages."""
    strip, cast = "str.removesuffix", "astype(float)"
    if is_polars(series):
        strip, cast = "str.strip_suffix", "cast(polars.Float64)"
    return f"table[{name!r}].{f'{strip}({unit!r}).' if unit else ''}{cast}"


def _about_commas(series: Any) -> str:
    """What pandas.read_csv has for numbers with commas, if the first text is one."""
    if is_polars(series):
        return ""
    first = next((each for each in series.head(1000) if isinstance(each, str)), "").strip()
    options = ["decimal=','"] if re.fullmatch(r"[-+]?\d+,\d+", first) else []
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?", first):
        options.append("thousands=','")
    if not options:
        return ""
    return f"; {first!r} has a comma, as pandas.read_csv(..., {' or '.join(options)}) reads"


def _words_for_truths(items: Sequence[Any], missing: AnyArray) -> tuple[str, str] | None:
    """The words for true and false, of a column of nothing but these two in any spelling; None of
    others."""
    known = [item for item, lacks in zip(items, missing, strict=True) if not lacks]
    words = set(known) if all(isinstance(item, str) for item in known) else set()
    found = {word.strip().lower() for word in words}
    return next((pair for pair in _core.truth_words() if found == set(pair)), None)


def _unit_of_all(items: Sequence[Any], missing: AnyArray) -> str:
    """The unit of a column of texts with one; "" of others."""
    known = [item for item, lacks in zip(items, missing, strict=True) if not lacks]
    return all(isinstance(item, str) for item in known) and _core.unit_of(known) or ""


def _by_truths(series: Any, name: Any, true: str, false: str) -> str:
    """How words for true and false become numbers, for messages; missing ones stay missing."""
    numbers = {true: 1.0, false: 0.0}
    if not is_polars(series):
        return f"table[{name!r}].str.strip().str.lower().map({numbers})"
    is_text = series.dtype == loaded("polars").String
    texts = f"table[{name!r}]" if is_text else f"polars.Series(table[{name!r}].to_list())"
    return f"{texts}.str.strip_chars().str.to_lowercase().replace_strict({numbers})"


def _makes_a_number(item: Any) -> bool:
    try:
        float(item)
    except (TypeError, ValueError):
        return False
    return True


def _of_some(series: Any, name: Any) -> str:
    """The call that makes numbers of those values that are some; "" where there is none."""
    if not is_polars(series):
        return f"pandas.to_numeric(table[{name!r}], errors='coerce')"
    polars = loaded("polars")
    cast = "cast(polars.Float64, strict=False)"
    if series.dtype == polars.String:
        return f"table[{name!r}].{cast}"
    if series.dtype == polars.Object:
        return f"polars.Series(table[{name!r}].to_list(), dtype=polars.Float64, strict=False)"
    is_category = series.dtype in (polars.Categorical, polars.Enum)
    return f"table[{name!r}].cast(polars.String).{cast}" if is_category else ""


def no_numbers(series: Any, name: Any, kind: str) -> str:
    """What messages say of values that are no numbers: the first one, with its row, and what makes
    numbers of them; of some, where they are others."""
    items = series.to_list()
    missing = np.asarray(missing_in(series))
    known = [n for n in range(len(items)) if not missing[n]]
    others = [n for n in known if not _makes_a_number(items[n])]
    if not others:
        row = next(n for n in known if not is_number(items[n]))
        way = f"{by_cast(series, name)} makes numbers of them"
    elif (words := _words_for_truths(items, missing)) is not None:
        row, call = others[0], _by_truths(series, name, *words)
        way = f"{call} makes 1 of {words[0]!r} and 0 of {words[1]!r}"
    elif unit := _unit_of_all(items, missing):
        row, way = others[0], f"{by_cast(series, name, unit)} makes numbers of them"
    else:
        row, way = others[0], "without values= each row counts as 1"
        if len(others) < len(known) and (call := _of_some(series, name)):
            drop = "drop_nulls" if is_polars(series) else "dropna"
            subset = f"subset=[{name!r}]"
            way = (
                f"{call} makes numbers of the others, and leaves such ones empty, whose rows "
                f"table.{drop}({subset}) then leaves out"
            )
    commas = _about_commas(series) if kind == "texts" else ""
    return (
        f"expected numbers in column {name!r}, got {kind}, as in row {row} {items[row]!r}, a "
        f"{type(items[row]).__name__}{commas or f'; {way}'}"
    )
