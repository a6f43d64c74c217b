# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of rows of tables that may be meant for others, or for none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _core
from .parts import AnyArray, warn


def warn_of_doubtful_names(
    names: Sequence[Any], labels: Sequence[Sequence[str] | None]
) -> None:
    """Gives a warning of names of rows that differ by blanks, by case or by zeros before a
    number alone, and of dates in several forms, of those that are written for missing
    values, as by ``astype(str)``, or called as margins."""
    called = [str(name) for name in names]
    try:
        margins_of = _core.margin_names([texts or [] for texts in labels], called)
    except TypeError:  # Of texts that are no Unicode others complain where that matters.
        margins_of = [[] for _ in labels]
    for name, texts, margins in zip(names, labels, margins_of, strict=True):
        if texts is None:
            continue
        try:
            alike, one, other = _core.alike_names(texts)
            forms = _core.several_date_forms(texts)
            words = _core.missing_names(texts)
        except TypeError:
            continue
        if alike:
            way = (
                ".str.strip().str.lower() of the column in pandas, "
                ".str.strip_chars().str.to_lowercase() in polars"
            )
            if one.strip().lower() != other.strip().lower():  # by blanks within
                way = (
                    ".str.split().str.join(' ').str.lower() of the column in pandas, "
                    r".str.replace_all(r'\s+', ' ').str.strip_chars().str.to_lowercase() in polars"
                )
            if one.strip().isdigit():
                way = (
                    ".str.lstrip('0') of the column in pandas, "
                    ".str.strip_chars_start('0') in polars"
                )
            warn(
                f"column {name!r} has {alike}: each has a row of its own; where they mean the "
                f"same, {way} makes one of them"
            )
        if forms:
            warn(f"column {name!r} has {forms}")
        if words:
            rows = "a row" if len(words) == 1 else "rows"
            warn(
                f"column {name!r} has {rows} called {', '.join(map(repr, words))}: where such a "
                "word, as astype(str) or fillna makes it, stands for a missing value, leave its "
                "entries out, unless it is a name"
            )
        if margins:
            rows = "a row" if len(margins) == 1 else "rows"
            warn(
                f"column {name!r} has {rows} called {', '.join(map(repr, margins))}: "
                f"{_core.margins_remedy()}"
            )


def warn_of_summed_rows(
    names: Sequence[Any],
    labels: Sequence[Sequence[str] | None],
    columns: Sequence[AnyArray],
    values: AnyArray,
) -> None:
    """Gives a warning of rows that hold the sums of all others without being called so."""
    named = [texts is not None for texts in labels]
    rows = _core.summed_rows(columns, named, values)
    for name, texts, row in zip(names, labels, rows, strict=True):
        if texts is None or row is None:
            continue
        try:
            is_margin = texts[row] in _core.margin_names([texts], [])[0]
        except TypeError:
            continue
        if not is_margin:
            warn(f"column {name!r} has a row {texts[row]!r} that {_core.summed_row_remedy()}")


def warn_of_unused_names(name: Any, labels: Sequence[str], used: int) -> None:
    """Gives a warning of categories of which most have no entries, as those that are left when rows
    of a table are chosen."""
    if len(labels) > 2 * used:
        warn(
            f"column {name!r} has {len(labels)} categories, of which {used} "
            f"{'occurs' if used == 1 else 'occur'}; each is a row, and the others are empty: "
            ".cat.remove_unused_categories() in pandas, and casts to String in polars, leave these "
            "out"
        )
