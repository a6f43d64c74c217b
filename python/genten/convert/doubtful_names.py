# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of rows of tables that may be meant for others, or for none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _core
from .parts import AnyArray, warn


def warn_of_doubtful_names(
    names: Sequence[Any], labels: Sequence[Sequence[str] | None], values: int | None
) -> None:
    """Gives a warning of names of rows that differ by blanks, by case or by zeros before a
    number alone, and of dates in several forms, of those that are written for missing
    values, as by ``astype(str)``, or called as margins. There are so many `values`, or None: of
    many or none nobody asks whether rows that are called by ordinary words are margins."""
    ordinary = values is None or values > _core.most_looked_at()
    called = _margins(names, labels, ordinary)
    for name, texts, margins in zip(names, labels, called, strict=True):
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
        _warn_of_margins(name, margins)


def _warn_of_margins(name: Any, margins: Sequence[str]) -> None:
    if margins:
        rows = "a row" if len(margins) == 1 else "rows"
        warn(
            f"column {name!r} has {rows} called {', '.join(map(repr, margins))}: "
            f"{_core.margins_remedy()}"
        )


def _are_unicode(texts: Sequence[str]) -> bool:
    """Whether no text holds half of a surrogate pair, as file names may."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def _margins(
    names: Sequence[Any], labels: Sequence[Sequence[str] | None], ordinary: bool
) -> list[list[str]]:
    """By column, the rows that are called as margins, or by such `ordinary` words, too."""
    called = [str(name).encode(errors="replace").decode() for name in names]
    margins: list[list[str]] = _core.margin_names(
        _readable(labels), called, ordinary
    )
    return margins


def _readable(labels: Sequence[Sequence[str] | None]) -> list[Sequence[str]]:
    """Without texts that are no Unicode, of which others complain where that matters."""
    return [texts if texts is not None and _are_unicode(texts) else [] for texts in labels]


def warn_of_summed_rows(
    names: Sequence[Any],
    labels: Sequence[Sequence[str] | None],
    columns: Sequence[AnyArray],
    values: AnyArray,
) -> None:
    """Gives a warning of rows that hold the sums of others without being called so, and of those
    that are called by ordinary words and hold sums or means."""
    named = [texts is not None for texts in labels]
    words = _core.margins_by_numbers(columns, named, values, _readable(labels))
    for name, ordinary in zip(names, words, strict=True):
        _warn_of_margins(name, ordinary)

    def called(mode: int, row: int) -> str:
        return repr((labels[mode] or ())[row])

    found = _core.summed_rows(columns, named, values, called)
    if not any(found):
        return
    margins = _margins(names, labels, False)
    for mode, rows in enumerate(found):
        for row, about in rows:
            if (labels[mode] or ())[row] not in [*words[mode], *margins[mode]]:
                warn(f"column {names[mode]!r} has a row {called(mode, row)} that {about}")


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
