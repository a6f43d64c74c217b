# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Complaints of columns of numbers of which nothing says whether they are modes or values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _core
from .wide import times_among


def as_sentence(text: str) -> str:
    """What messages say behind a semicolon as a sentence of its own.

    Examples
    --------
    >>> as_sentence("; leave these out")
    ' Leave these out'
    """
    return f" {text[2].upper()}{text[3:]}" if text else ""


def refuse_wide(numbers: Sequence[Any], about_wide: Callable[[Sequence[Any]], str]) -> None:
    """Complains of columns of numbers that are called as times are."""
    times = times_among(numbers)
    if told := about_wide(times) if times else "":
        raise ValueError(
            f"expected a long table, a column a mode, got a wide one{told}; modes= says which "
            "columns are modes"
        )


def _call_of(call: str, name: Any, names: Sequence[Any]) -> str:
    """The call that takes that column for the values, with the modes among the others where some
    are called as quantities are."""
    told, others = call.format(name), [each for each in names if each != name]
    modes = [each for each in others if not _core.is_called_quantity(str(each))]
    if len(modes) in (0, 1, len(others)):
        return told
    end = ")" if told.endswith(")") else ""
    return f"{told.removesuffix(end)}, modes={modes!r}{end}"


def refuse_floats(
    names: list[Any],
    floats: list[Any],
    values: Any,
    call: str,
    way_to_ids: Callable[[Any], str],
    to_names: Callable[[Any], str],
    about_wide: Callable[[Sequence[Any]], str],
    as_matrix: str,
) -> None:
    """Complains of columns of floats, that of the `values` among them, as far as it is named."""
    name = next(each for each in floats if each != values)
    meant = f"give {_call_of(call, name, names)}?"
    if values is not None:
        meant = "modes= says which columns are"
    way = as_sentence(way_to_ids(name)) if values is None else way_to_ids(name) or to_names(name)
    wide = about_wide(floats) if len(floats) - floats.count(values) > 1 else ""
    if values is None and not way:
        wide = wide[1:]
    matrix = f"; {as_matrix} takes the table as a matrix of rows by columns" if as_matrix else ""
    raise ValueError(
        f"column {name!r} holds floats, which are no mode: {meant}{way}{wide}{matrix}"
    )


def refuse_ambiguous(
    names: list[Any],
    holds_whole_numbers: Callable[[Any], bool],
    call: str,
    about_wide: Callable[[Sequence[Any]], str],
) -> None:
    """Complains of columns that may hold subscripts or values where neither are named."""
    whole = [name for name in names if holds_whole_numbers(name)]
    if whole:
        refuse_wide(whole, about_wide)
        called = " and ".join(repr(name) for name in whole)
        hold = f"columns {called} hold" if len(whole) > 1 else f"column {called} holds"
        wide = about_wide(whole) if len(whole) > 1 else ""
        given = _call_of(call, whole[-1], names)
        others = "" if "modes=" in given else " The others then are modes."
        wide = f".{others}{wide[1:]}" if wide else ""
        raise ValueError(
            f"{hold} whole numbers, which may be values or a mode's subscripts: give "
            f"{given}, or modes={names!r} to count rows{wide}"
        )
