# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which columns of a table are modes, whatever library the table is of."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Any

import numpy as np

from .. import _core
from .doubtful_names import warn_of_doubtful_names, warn_of_summed_rows
from .keys import decoded, first_missing
from .long_modes import warn_of_long_modes, warn_of_single_rows
from .numbers import is_finite
from .parts import (
    LONGEST,
    AnyArray,
    Parts,
    as_shape,
    as_subscripts,
    lengths_of,
    warn,
    warn_of_base_1,
)
from .quantities import likeness, refuse_ambiguous, refuse_floats, refuse_wide

OF_TABLE = "genten.tensor(table, values={!r})"
"""The call that names the values of a table."""


OF_IDS = "; where they are ids, make whole numbers of them, and leave out rows without one"
"""What to do about floats that stand for ids."""


def checked_name(what: str, name: Any, table: Any = None) -> None:
    """Complains of a column where its name is asked for, with what makes one of the table of it."""
    try:
        hash(name)
        good = not hasattr(name, "__array__") and not hasattr(name, "meta")  # polars' expressions
    except TypeError:
        good = False
    if not good:
        known = getattr(name, "name", None)
        hint = f"; its name is {known!r}" if isinstance(known, str) else ""
        if call := _with_column(table, name):
            hint += f"{', and' if hint else ';'} {call} takes it, all other columns being modes"
        raise TypeError(f"{what}: expected the name of a column, got a {type(name).__name__}{hint}")


def _with_column(table: Any, values: Any) -> str:
    """The call that makes a tensor of a table and of values for its rows; "" for what are none."""
    is_list = isinstance(values, list) and not any(isinstance(each, str) for each in values)
    expression = getattr(values, "meta", None)  # of polars
    is_array = is_list or hasattr(values, "__array__") or expression is not None
    if not is_array or not hasattr(table, "columns"):
        return ""
    given = expression.output_name() if expression else getattr(values, "name", None)
    name = given if isinstance(given, str) else "value"
    named = f"{name}=values" if name.isidentifier() else f"**{{{name!r}: values}}"
    of_polars = named if expression else f"polars.Series({name!r}, values)"
    calls = {
        "pandas": f"assign({named})",
        "polars": f"with_columns({of_polars})",
        "pyarrow": f"append_column({name!r}, [values])",
    }
    call = calls.get(type(table).__module__.partition(".")[0])
    return f"genten.tensor(table.{call}, values={name!r})" if call else ""


def refuse_unknown(columns: Sequence[Any], name: Any) -> None:
    """Complains of a name that no column has, or several have.

    Raises
    ------
    ValueError
        With the names that there are.
    """
    there = list(columns)
    if name not in there:
        words = {each.strip().lower(): each for each in there if isinstance(each, str)}
        text = name.strip().lower() if isinstance(name, str) else ""
        near = difflib.get_close_matches(text, words, 1)
        hint = f"; did you mean {words[near[0]]!r}?" if near else ""
        raise ValueError(f"expected one of the columns {there}, got {name!r}{hint}")
    if there.count(name) > 1:
        raise ValueError(
            f"expected columns of different names, got {name!r} several times: rename them; in "
            "pandas table.loc[:, ~table.columns.duplicated()] keeps the first of each"
        )


def modes_of(
    columns: Sequence[Any],
    modes: Any,
    values: Any,
    holds_floats: Callable[[Any], bool],
    holds_whole_numbers: Callable[[Any], bool],
    call: str = OF_TABLE,
    way_to_ids: Callable[[Any], str] = lambda name: "",
    about_wide: Callable[[Sequence[Any]], str] = lambda columns: "",
    as_matrix: Callable[[], str] = lambda: "",
    to_names: Callable[[Any], str] = lambda name: "",
) -> list[Any]:
    """The columns that are modes: `modes`, or all but `values`, which `call` names. `way_to_ids`
    says how floats of a column become the ids that they may stand for, `to_names` how they become
    names of rows, and `about_wide` what makes a tensor where some columns hold one quantity;
    `as_matrix` is the call that takes a table of floats alone for a matrix, if there is one.

    Raises
    ------
    TypeError
        For what is no sequence of names.
    ValueError
        For columns of numbers where nothing says whether they are modes or values.
    """
    if modes is None:
        names = [name for name in columns if name != values]
        for name in names:
            refuse_unknown(columns, name)
        if not names:
            beside = "" if values is None else f" beside that of the values, {values!r}"
            raise ValueError(f"expected a table with a column for each mode{beside}, got none")
        floats = [name for name in columns if name == values or holds_floats(name)]
        if [name for name in floats if name != values]:
            is_matrix = values is None and len(floats) == len(names) > 1
            matrix = as_matrix() if is_matrix else ""
            if values is None:
                numbers = [each for each in names if each in floats or holds_whole_numbers(each)]
                refuse_wide(numbers, about_wide)
            counted = [name for name in names if name not in floats and holds_whole_numbers(name)]
            more = [name for name in counted if likeness(name) > 1]
            modes = [name for name in names if name not in floats and name not in more]
            if values is None and len(floats) + len(more) == 1:
                modes = []
            refuse_floats(floats, modes, values, call, way_to_ids, to_names, about_wide, matrix)
        if values is None:
            refuse_ambiguous(names, holds_whole_numbers, call, about_wide)
        return names
    if isinstance(modes, (str, bytes, Set)) or not isinstance(modes, Iterable):
        one = f"; [{modes!r}] is a list of it" if modes in list(columns) else ""
        raise TypeError(f"modes: expected a sequence of names of columns, got {modes!r}{one}")
    names = modes.tolist() if isinstance(modes, np.ndarray) else list(modes)
    for name in names:
        checked_name("modes", name)
    if not names:
        raise ValueError("modes: expected at least one column, got none")
    if values is not None and values in names:
        raise ValueError(f"modes: expected columns other than that of the values, got {values!r}")
    return names


def warn_of_numbers(
    names: Sequence[Any],
    taken: Sequence[tuple[AnyArray, Sequence[str] | None]],
    values: Any,
    numbers: AnyArray,
    about_wide: Callable[[Sequence[Any]], str],
    chosen: bool,
) -> None:
    """Warns of rows that hold the sums of the others, and, where nobody has `chosen` the modes, of
    modes of numbers beside the column `values` of these `numbers` that may be none: where others
    tell all rows apart, as those of a wide table do, and of quantities and properties of their own.
    """
    if len(numbers) > _core.most_looked_at():
        return
    columns = [np.asarray(codes, dtype=np.uint64) for codes, _ in taken]
    named = [labels is not None for _, labels in taken]
    own = np.ascontiguousarray(numbers, dtype=np.float64)
    warn_of_summed_rows(names, [labels for _, labels in taken], columns, own)
    if chosen:
        return
    wide, note = _core.doubtful_numbers(columns, named, own, list(map(str, names)))
    if wide:
        whole = [names[n] for n in wide]
        others = [name for n, name in enumerate(names) if n not in wide]
        as_modes = f", as modes={others!r}" if len(others) > 1 else ""
        warn(
            f"columns {' and '.join(map(repr, whole))} hold whole numbers, and are modes beside "
            f"the values of {values!r}, though the other columns tell all rows apart; modes= says "
            f"which are modes{as_modes}{about_wide([values, *whole])}"
        )
    elif note:
        warn(note)


class Infinite:
    """Which values of a column are infinite."""

    def __init__(self) -> None:
        self._rows: list[AnyArray] = []
        self._first: Any = None

    def __bool__(self) -> bool:
        return bool(self._rows)

    def add(self, numbers: AnyArray, row: int = 0) -> None:
        """Notes those of the numbers of rows from `row` on, which may be none."""
        if is_finite(numbers):
            return
        rows = np.flatnonzero(~np.isfinite(numbers))
        self._first = numbers[rows[0]] if self._first is None else self._first
        self._rows.append(rows + row)

    def refuse(self, name: Any, way: str) -> None:
        """Complains of all together, if there are some; `way` says how to leave their rows out.

        Raises
        ------
        ValueError
            With the first rows, and how many there are.
        """
        if self._rows:
            raise ValueError(
                f"values: column {name!r}, {_some_rows(np.concatenate(self._rows))}: expected "
                f"finite numbers, got {self._first}; leave the rows out{way}, or put numbers in "
                "their place"
            )


def are_numbers(texts: Sequence[str]) -> bool:
    """Whether all are finite numbers."""
    try:
        return all(math.isfinite(float(text)) for text in texts)
    except ValueError:
        return False


MOST_NAMED = 3
"""Rows that a message names."""


def without_unit(column: Any, unit: str) -> str:
    """What messages call the numbers of a column, of which each ends with that unit."""
    return f"column {column!r} as numbers{f' without {unit!r}' if unit else ''}"


def warn_of_numbers_as_texts(
    names: Sequence[Any],
    texts: Sequence[Sequence[str] | None],
    cast: Callable[[Any, str], str] = without_unit,
    plain: bool = True,
) -> None:
    """Warns of modes of `texts`, None of others, that may be the values, with a unit or, if
    `plain`, without; `cast` says what makes numbers of a column without that unit."""
    for name, labels in zip(names, texts, strict=True):
        if words := _core.words_among_numbers(str(name), labels) if labels else []:
            warn(
                f"column {name!r} holds numbers and {', '.join(map(repr, words))}, and is a mode: "
                "if they are values, leave out the rows of such words, or write what they are to "
                f"count as, make numbers of the column and give values={name!r}; "
                f"modes={list(names)!r} says that they are not"
            )
        unit = _core.unit_of(labels) if labels else None
        if unit is None or not (unit or plain):
            continue
        of_unit = f" with the unit {unit.strip()!r}" if unit else ""
        warn(
            f"column {name!r} holds numbers{of_unit} as texts, and is a mode: if they are values, "
            f"take {cast(name, unit)} and give values={name!r}; modes={list(names)!r} says that "
            "they are not"
        )


class Holes:
    """Which rows of a table lack a value, by column."""

    def __init__(self) -> None:
        self._rows: dict[Any, list[AnyArray]] = {}

    def __bool__(self) -> bool:
        return bool(self._rows)

    @property
    def columns(self) -> list[Any]:
        """Those that lack values."""
        return list(self._rows)

    def add(self, name: Any, rows: AnyArray) -> None:
        """Notes rows of a column, which may be none."""
        if len(rows):
            self._rows.setdefault(name, []).append(rows)

    def refuse(self, values: Any, way: str, times: Sequence[Any] = (), hint: str = "") -> None:
        """Complains of all together, if there are some. `way` says how to leave their rows out,
        `times` are columns of times, and `hint` says what else may be meant, which is more likely
        where several columns lack values and no column of values is named.

        Raises
        ------
        ValueError
            With the first rows of each column, and with what to do.
        """
        if not self._rows:
            return
        rows = {name: np.concatenate(parts) for name, parts in self._rows.items()}
        places = "; ".join(f"column {name!r}, {_some_rows(each)}" for name, each in rows.items())
        many = sum(map(len, rows.values()))
        lack = "a value is missing" if many == 1 else f"{many} values are missing"
        if set(rows) <= set(times):
            lack = "expected a time, got NaT"
        then = ""
        if values is not None and values in rows:
            then = (
                "; entries that have no row are zeros, unless missing='unlisted' of genten.cp says "
                "that nobody knows them"
            )
        if hint and values is None and len(rows) > 1:
            raise ValueError(f"{places}: {lack}{hint}; if not, leave the rows out{way}")
        raise ValueError(f"{places}: {lack}; leave the rows out{way}{then}{hint}")


def _some_rows(rows: AnyArray) -> str:
    """All rows of a few, or the first of them."""
    named = ", ".join(map(str, rows[:MOST_NAMED].tolist()))
    more = len(rows) - MOST_NAMED
    return f"row{'' if len(rows) == 1 else 's'} {named}" + (f" and {more} more" if more > 0 else "")


OF_ROWS = ", from which rows are numbered, as the table was read that they come from"
"""Why numbers beside a model, or a tensor, count from a base."""


def from_base(codes: AnyArray, base: int | None, place: str, why: str = "") -> AnyArray:
    """Subscripts of a column's numbers, which count from `base`; messages begin with `place`, and
    say `why` that is the base.

    Raises
    ------
    ValueError
        For a number below that.
    """
    if base is None:
        return codes
    if codes.size and codes.min() < base:
        row = int(codes.reshape(-1).argmin())
        raise ValueError(
            f"{place}: expected numbers from {base}{why}, got {codes.reshape(-1)[row]}"
        )
    return codes - base if base else codes


def to_texts(name: Any) -> str:
    """What makes texts of a column of a table."""
    call = f"astype({{{name!r}: str}})"
    return f"table.{call}, where it is none of pandas table.to_pandas().{call},"


def subscripts_in(column: AnyArray, name: Any, first: int = 0) -> AnyArray:
    """The numbers of a column as subscripts; its rows count from `first`.

    Raises
    ------
    ValueError
        For the first number that is not whole.
    """
    if column.dtype.kind == "f":
        broken = np.flatnonzero(np.isfinite(column) & (np.floor(column) != column))
        if len(broken):
            raise ValueError(
                f"column {name!r}, row {broken[0] + first}: expected a whole number, as rows have, "
                f"got {column[broken[0]]}; {to_texts(name)} makes names of its numbers"
            )
    return as_subscripts(column)


def _refuse_no_rows(codes: AnyArray, name: Any) -> None:
    """Complains of a column's numbers that can be no numbers of rows, as some ids."""
    if not codes.size:
        return
    lowest, highest = int(codes.min()), int(codes.max())
    if lowest < 0 or highest >= LONGEST:
        row = int((codes.argmin() if lowest < 0 else codes.argmax()))
        raise ValueError(
            f"column {name!r}, row {row}: expected a number of a row from 0 to 2**63 - 2, got "
            f"{codes.reshape(-1)[row]}; where they are ids, {to_texts(name)} makes names of them"
        )


def _checked_shape(
    shape: Any, names: Sequence[Any], taken: Sequence[tuple[AnyArray, Sequence[str] | None]]
) -> tuple[int, ...]:
    """The lengths that are given for these modes."""
    lengths = as_shape(shape)
    if len(lengths) != len(names):
        raise ValueError(
            f"shape: expected a length for each of the {len(names)} modes {list(names)}, got "
            f"{len(lengths)}: {lengths}; modes= names those that are meant"
        )
    for name, length, (_, labels) in zip(names, lengths, taken, strict=True):
        if labels is not None and len(labels) != length:
            raise ValueError(
                f"shape: expected {len(labels)} for the mode {name!r}, which has as many names, "
                f"got {length}; leave shape= out, or give the column categories, which may be more"
            )
    return lengths


def numbers_of(
    names: Sequence[Any], taken: Sequence[tuple[AnyArray, Sequence[str] | None]]
) -> tuple[list[AnyArray], list[Any]]:
    """The columns of modes of numbers, and their names."""
    numbered = [n for n, (_, labels) in enumerate(taken) if labels is None]
    return [taken[n][0] for n in numbered], [names[n] for n in numbered]


def parts_of_columns(
    names: Sequence[Any],
    taken: Sequence[tuple[AnyArray, Sequence[str] | None]],
    values: AnyArray,
    shape: Any,
    notes: bool = True,
    based: bool = False,
) -> Parts:
    """The parts that columns make, of which each has subscripts and, unless these are numbers,
    labels. Rows with the same subscripts are meant to be added up. `notes` says that warnings tell
    of numbers that may be no subscripts, and `based` that it is known from what they count."""
    for name, (codes, labels) in zip(names, taken, strict=True):
        if labels is None:
            _refuse_no_rows(codes, name)
    lengths = tuple(
        lengths_of([codes])[0] if labels is None else len(labels) for codes, labels in taken
    )
    columns = [codes for codes, _ in taken]
    if shape is not None:
        lengths = _checked_shape(shape, names, taken)
    elif notes:
        if not based:
            warn_of_base_1(*numbers_of(names, taken))
        # Names are as many as there are; of numbers the largest says how many.
        numbered_to = [
            length if labels is None else 0
            for length, (_, labels) in zip(lengths, taken, strict=True)
        ]
        warn_of_long_modes(columns, numbered_to)
    if (nameless := first_missing(names)) is not None:
        raise ValueError(f"modes: expected columns with names, got {names[nameless]!r}")
    labelled = [labels for _, labels in taken]
    if notes:
        warn_of_single_rows(names, labelled, columns, lengths)
        counted = bool((np.asarray(values) == 1).all())  # rows, most likely
        warn_of_doubtful_names(names, labelled, None if counted else len(values))
    mode_names = [str(name) for name in decoded(names, "modes")]
    return Parts(
        columns, values, lengths, labelled, mode_names, duplicates="sum", is_table=True
    )
