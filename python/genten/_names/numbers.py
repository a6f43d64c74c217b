# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in the place of rows: those that no row has, and those of arrays that are labels, too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..convert.parts import AnyArray, warn

AS_ROWS = "; numbers in arrays are rows; give a table, or labels"
"""What messages say of numbers of arrays that are labels, and no rows."""

MOST_NAMED = 3
"""Labels that a message names, of each side."""


def some_of(labels: Sequence[str], quoted: bool = True) -> str:
    """The first of some labels, and how many more there are."""
    named = ", ".join(repr(label) if quoted else label for label in labels[:MOST_NAMED])
    more = len(labels) - MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def refuse_beyond(column: AnyArray, length: int, base: int, place: str, remedy: str) -> None:
    """Complains of numbers, which count from `base`, that no row of a mode of that length has;
    messages begin with `place`.

    Raises
    ------
    ValueError
        With how many there are, the first ones and the `remedy`.
    """
    beyond = np.unique(column[(column < 0) | (column >= length)]) + base
    if len(beyond):
        numbers = f"the number {beyond[0]} is"
        if len(beyond) > 1:
            shown = some_of(list(map(str, beyond.tolist())), quoted=False)
            numbers = f"the numbers {shown} are"
        raise ValueError(
            f"{place}: {numbers} none of its rows, which count from {base} to {base + length - 1}"
            f"{remedy}"
        )


def refuse_unknown_codes(column: AnyArray, names: Sequence[str] | None, place: str) -> None:
    """Complains of -1 in a column of subscripts of entries, which codes of names are that are
    unknown, but where a row is called so; messages begin with `place`.

    Raises
    ------
    ValueError
        With how many there are, and the first one.
    """
    found = np.flatnonzero(column == -1)
    if len(found) and "-1" not in (names or ()):
        are = "is" if len(found) == 1 else "are"
        raise ValueError(
            f"{place}: {len(found)} of {len(column)} numbers {are} -1, first of entry {found[0]}; "
            "codes have it in the place of an unknown name: leave such entries out, as "
            "entries[(entries >= 0).all(axis=1)] of an array does"
        )


def check_array(column: AnyArray, names: Sequence[str], place: str) -> None:
    """Complains of a column of an array whose numbers all are labels, and not all rows, and gives a
    warning where they are labels of other rows: nobody knows which ones are meant. A column of
    which a number is no label counts rows.

    Raises
    ------
    ValueError
        With the first that is no row.
    """
    if not len(column) or not any(map(str.isdecimal, names)):
        return
    if column.min() < 0 or column.max() >= len(names):
        found = np.unique(column)
    else:  # Of many entries np.unique takes long.
        met = np.zeros(len(names), dtype=bool)
        met[column.astype(np.intp)] = True
        found = np.flatnonzero(met)
    numbers = found.tolist()
    if not set(names).issuperset(map(str, numbers)):
        return
    refuse_beyond(found, len(names), 0, place, AS_ROWS)
    other = next((row for row in numbers if names[row] != str(row)), None)
    if other is not None:
        warn(
            f"{place}: numbers in arrays are rows, and row {other} is called {names[other]!r}; all "
            "of these are labels, too, which they stand for in a table"
        )
