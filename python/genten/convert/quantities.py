# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What to say of columns of numbers where nothing says whether they are modes or values."""

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
    if told := about_wide(numbers) if times_among(numbers) else "":
        raise ValueError(
            f"expected a long table, a column a mode, got a wide one{told}; modes= says which "
            "columns are modes"
        )


def _with_modes(call: str, values: Any, modes: Sequence[Any]) -> str:
    """The call that names the values, and the modes, if there are some."""
    end = ")" if call.endswith(")") else ""
    named = f", modes={list(modes)!r}" if modes else ""
    return f"{call.removesuffix(end).format(values)}{named}{end}"


def refuse_floats(
    floats: list[Any],
    others: list[Any],
    values: Any,
    call: str,
    way_to_ids: Callable[[Any], str],
    to_names: Callable[[Any], str],
    about_wide: Callable[[Sequence[Any]], str],
    as_matrix: str,
) -> None:
    """Complains of columns of floats, that of the `values` among them, as far as it is named;
    `others` are to be named as the modes, if any."""
    name = next(each for each in floats if each != values)
    meant = f"give {_with_modes(call, name, others)}?"
    if values is not None:
        meant = "modes= says which columns are"
        if others:
            meant += f", as {_with_modes(call, values, others)} does"
    way = as_sentence(way_to_ids(name)) if values is None else way_to_ids(name) or to_names(name)
    wide = about_wide(floats) if len(floats) - floats.count(values) > 1 else ""
    if values is None and not way:
        wide = wide[1:]
    matrix = f"; {as_matrix} takes the table as a matrix of rows by columns" if as_matrix else ""
    raise ValueError(
        f"column {name!r} holds floats, which are no mode: {meant}{way}{wide}{matrix}"
    )


def likeness(name: Any) -> int:
    """How well a column goes by its name for that of the values."""
    return _core.likeness_to_values(name) if isinstance(name, str) else 1


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
        values = max(reversed(whole), key=likeness)
        wide = about_wide(whole) if len(whole) > 1 else ""
        texts = [name for name in names if name not in whole or likeness(name) == 0]
        # Ids beside names, as of patients, whose sums mean nothing: values most often stand last,
        # or before times.
        last = next((name for name in reversed(names) if likeness(name) != 0), None)
        may_be_ids = likeness(values) < (1 if values == last else 2)
        if may_be_ids and len(texts) > 1:
            counting = call.replace("values={!r}", f"modes={texts!r}")
            raise ValueError(
                f"{hold} whole numbers, which may be values, or ids or subscripts of a mode: give "
                f"{counting} to count rows, or values= with the name of that of the values{wide}"
            )
        modes = [name for name in names if name not in whole or likeness(name) < 2]
        if 0 < len(modes) < len(names) - 1 and values not in modes:
            given, then = _with_modes(call, values, modes), ""
        else:
            given, then = call.format(values), ". The others then are modes"
        raise ValueError(
            f"{hold} whole numbers, which may be values or a mode's subscripts: give {given}, or "
            f"modes={names!r} to count rows{then * bool(wide)}{wide}"
        )
