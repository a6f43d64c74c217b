# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows and entries by their labels."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .labels import Labels
from .numbers import check_array, refuse_beyond, refuse_unknown_codes, some_of
from .unknown import meant, refuse_unknown
from ..convert import frames, pyttb
from ..convert.columns import OF_ROWS, from_base
from ..convert.keys import decoded
from ..convert.parts import AnyArray, as_subscripts, shown, warn
from ..convert.times import is_time, spellings, text_of


def nothing_known(model: Any) -> str:
    """What to do about names and numbers that no row of a model has."""
    run = getattr(model, "_run", {})
    others = ""
    if hasattr(model, "update"):
        goes_on = run.get("loss", "gaussian") in ("gaussian", "poisson") and "missing" not in run
        others = "take such rows in by update" if goes_on else "find such rows by project_rows"
        others = f", or {others}"
    return f"; a model says nothing of rows that it has not met: leave these out{others}"


def rows_of(
    texts: Iterable[str],
    labels: Sequence[str],
    mode: str,
    remedy: str = "",
    told: list[str] | None = None,
) -> npt.NDArray[np.int64]:
    """The rows that have these labels, or those of the same times; `mode` is what messages call
    theirs, and `remedy` what they say of labels that no row has. Where a list is given, it is
    `told` of these instead, and their rows are behind the last one.

    Raises
    ------
    ValueError
        For labels that no row has, all together, or several.
    """
    numbers: dict[str, int] = {}
    for row, label in enumerate(labels):
        numbers[label] = -1 if label in numbers else row
    found: list[int] = []
    unknown: dict[str, None] = {}
    for text in texts:
        row = numbers.get(text, len(labels))
        if row == len(labels):  # A time may be written to another unit.
            alike = (other for other in spellings(text) if other in numbers)
            row = numbers.get(next(alike, text), row)
        if row == len(labels):
            unknown[text] = None
        elif row < 0:
            raise ValueError(f"{mode}: several rows are called {text!r}")
        found.append(row)
    if unknown:
        first = next(iter(unknown))
        they = f"no row is called {first!r}"
        if len(unknown) > 1:
            they = f"no rows are called {some_of(list(unknown))}, {len(unknown)} of {len(found)}"
        said = f"{mode}: {they}{meant(list(unknown), labels)}"
        if told is None:
            refuse_unknown([said], remedy)
        else:
            told.append(said)
    return np.array(found, dtype=np.int64)


def rows_of_numbers(
    numbers: AnyArray,
    labels: Sequence[str],
    mode: str,
    remedy: str = "",
    told: list[str] | None = None,
) -> npt.NDArray[np.int64]:
    """The rows that are called by these numbers, as of `rows_of`."""
    found, codes = np.unique(numbers, return_inverse=True)
    rows = rows_of(map(str, found.tolist()), labels, mode, remedy, told)
    return rows[codes].reshape(-1)


def is_row(key: Any) -> bool:
    """Whether that is the number of a row or its name, a time among them."""
    if _is_name(key):
        return True
    try:
        operator.index(key)
    except TypeError:
        return False
    return not isinstance(key, (bool, np.bool_))


def row_at(
    key: Any, length: int, labels: Sequence[str] | None, mode: str, base: int = 0
) -> int:
    """A row by its number from 0, negative ones counted from the end, or by its label; `mode` is
    what messages call theirs, and `base` what the numbers of the table of the rows count from.

    Raises
    ------
    IndexError
        For a number that no row has.
    ValueError
        For a label that no row has, or several.
    """
    if _is_name(key):
        (name,) = decoded((key,), mode)
        if labels is None:
            raise ValueError(f"{mode} has no labels, expected a whole number, got {name!r}")
        return int(rows_of([text_of(name)], labels, mode)[0])
    number = operator.index(key)
    hint = _as_text(str(number)) if _is_other(str(number), labels) else ""
    if labels is None and base and number >= base:
        hint = _as_row("brackets", base)
    if not -length <= number < length:
        raise IndexError(f"{mode}: expected a row from 0 to {length - 1}, got {number}{hint}")
    if hint and labels is not None:
        warn(f"{mode}: {number} is row {number}, which is called {labels[number]!r}{hint}")
    elif hint:
        warn(f"{mode}: {number} is the row of the number {number + base}{hint}")
    return number % length


def called(mode: int, mode_names: Sequence[str] | None) -> str:
    """What messages call a mode."""
    return f"mode {mode}" if mode_names is None else f"mode {mode} ({mode_names[mode]})"


def warn_of_equal_names(labels: Labels, mode_names: Sequence[str] | None, values: str) -> None:
    """Gives a warning of rows of one mode that have the same name; `values` is what a table of the
    tensor calls its values."""
    for mode, names in enumerate(labels):
        if names is None or len(set(names)) == len(names):
            continue
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(names):
            rows.setdefault(name, []).append(row)
        twice = {name: each for name, each in rows.items() if len(each) > 1}
        first = next(iter(twice))
        others = f", and {len(twice) - 1} more names are of several rows" if len(twice) > 1 else ""
        warn(
            f"labels: {called(mode, mode_names)}: {len(twice[first])} rows are called {first!r}, "
            f"{some_of(list(map(str, twice[first])), quoted=False)}{others}: they stay rows of "
            "their own, which are not found by name; "
            f"genten.tensor(X.to_pandas(), values={values!r}) makes one row of those of "
            "a name, and duplicates= says what becomes of their entries"
        )


@dataclass(frozen=True)
class Rows:
    """The rows of a model, or of a tensor, among which entries are looked up: `base` is what their
    numbers count from in tables, None where nothing says it, and `remedy` what to do about others.
    """

    shape: Sequence[int]
    labels: Labels
    mode_names: Sequence[str] | None
    base: int | None
    remedy: str


def _columns_among(there: list[Any], known: Rows, what: str) -> list[Any]:
    """The columns of a table that are modes, in their order."""
    by_text = dict(zip(map(str, decoded(there, what)), there, strict=True))
    if known.mode_names is None:
        if len(there) == len(known.shape):
            return there
        numbered = [f"mode {mode}" for mode in range(len(known.shape))]
        if set(numbered) <= set(by_text):  # as to_pandas() names them, beside the values
            return [by_text[name] for name in numbered]
        raise ValueError(f"{what}: expected a table with {len(known.shape)} columns, got {there}")
    require_columns(list(by_text), known.mode_names, what)
    return [by_text[name] for name in known.mode_names]


def require_columns(columns: Sequence[str], mode_names: Sequence[str], what: str) -> None:
    """Complains of a table that lacks columns called as modes.

    Raises
    ------
    ValueError
        With the columns that it has, and those that may be meant.
    """
    if not set(mode_names) <= set(columns):
        others = of_other_names(mode_names, columns)
        raise ValueError(
            f"{what}: expected a table with the columns {list(mode_names)}, got {list(columns)}"
            f"{others}"
        )


def of_other_names(expected: Sequence[str], got: Sequence[str]) -> str:
    """What a message says behind names of which some are none of those that are expected: the
    nearest one of each that is near to one that is not taken."""
    free = [name for name in expected if name not in got]
    near = [
        f"{name!r} meant for {found[0]!r}"
        for name in got
        if name not in expected and (found := difflib.get_close_matches(name, free, 1, 0.6))
    ]
    return f" (is {' and '.join(near)}?)" if near else ""


def of_digits(texts: Sequence[str]) -> str:
    """What to do about texts in the place of numbers, if they are all digits."""
    digits = len(texts) > 0 and all(each.isdecimal() and each.isascii() for each in texts)
    return (
        f"; texts such as {texts[0]!r} become numbers in a table, by .astype({{column: int}}); "
        "X.to_pandas() is that of a tensor X"
        if digits
        else ""
    )


def _of_table(table: Any, known: Rows, what: str) -> list[AnyArray]:
    if frames.is_series(table) and None in table.index.names:
        if table.index.nlevels == len(known.shape) > 1:
            way = _named_levels("series.index.tolist()", "series.rename_axis({})", known)
            raise TypeError(f"{what}: the Series's index has levels without a name: {way}")
        raise TypeError(
            f"{what}: expected a table, a row for each entry, got a Series, as table.iloc[0] is: "
            "table.iloc[[0]] is a table of one row"
        )
    table = frames.with_index(table)
    columns = _columns_among(list(table.columns), known, what)
    frames.refuse_missing(table, columns)
    base, taken = known.base or 0, []
    unknown: list[str] = []
    for mode, column in enumerate(columns):
        codes, texts = frames.mode_of(table, column)
        names, place = known.labels[mode], f"{what}: {called(mode, known.mode_names)}"
        if names is not None:
            if texts is None:
                codes = rows_of_numbers(codes, names, place, known.remedy, unknown)
            else:
                used = np.unique(codes)
                rows = np.zeros(len(texts), dtype=np.int64)
                shown = [texts[int(code)] for code in used]
                rows[used] = rows_of(shown, names, place, known.remedy, unknown)
                codes = rows[codes]
        elif texts is not None:
            raise ValueError(
                f"{place} has no labels, expected whole numbers in column {column!r}"
                f"{of_digits(texts)}"
            )
        else:
            refuse_unknown_codes(codes, names, place)
            why = "" if known.base is None else OF_ROWS
            codes = from_base(codes.astype(np.int64), base, place, why)
            refuse_beyond(codes, known.shape[mode], base, place, known.remedy)
        taken.append(codes.reshape(-1))
    refuse_unknown(unknown, known.remedy, f"{what}: ")
    return taken


def _named_levels(tuples: str, named: str, known: Rows) -> str:
    """What makes entries of an index whose levels have no names."""
    names = known.mode_names
    by_name = "" if names is None else f", and {named.format(list(names))} has their names"
    return f"{tuples} are entries of labels, in the order of the modes{by_name}"


def _of_tuples(entries: Sequence[Any], known: Rows, what: str) -> list[AnyArray]:
    if len(entries) == len(known.shape) > 1 and all(map(is_row, entries)):
        alone = shown(tuple(entries))
        raise ValueError(f"{what}: expected a list of entries, got one: [{alone}] is a list of it")
    for entry in entries:
        one = isinstance(entry, (str, bytes)) or not hasattr(entry, "__len__")
        if one or len(entry) != len(known.shape):
            raise ValueError(f"{what}: expected {len(known.shape)} labels an entry, got {entry!r}")
    taken = []
    unknown: list[str] = []
    for mode, keys in enumerate(zip(*entries, strict=True)):
        names, mine = known.labels[mode], f"{what}: {called(mode, known.mode_names)}"
        keys = tuple(decoded(keys, mine))
        texts = list(dict.fromkeys(text_of(key) for key in keys if _is_name(key)))
        if texts and names is None:
            raise ValueError(f"{mine} has no labels, expected whole numbers")
        found = rows_of(texts, names or (), mine, known.remedy, unknown)
        rows = dict(zip(texts, found, strict=True))
        numbers = as_subscripts(np.array([key for key in keys if not _is_name(key)], dtype=object))
        every = np.array([0 if _is_name(key) else key for key in keys], dtype=object)
        refuse_unknown_codes(every, names, mine)
        _tell_of_names(numbers, names, mine)
        hint = _as_row("tuples", known.base) if names is None and known.base else ""
        refuse_beyond(numbers, known.shape[mode], 0, mine, hint or known.remedy)
        if hint and (meant := numbers[numbers >= known.base]).size:
            warn(f"{mine}: {meant[0]} is the row of the number {meant[0] + known.base}{hint}")
        column = [rows[text_of(key)] if _is_name(key) else key for key in keys]
        taken.append(as_subscripts(np.array(column, dtype=object)))
    refuse_unknown(unknown, known.remedy, f"{what}: ")
    return taken


def _tell_of_names(numbers: AnyArray, names: Sequence[str] | None, place: str) -> None:
    """Warns of numbers of rows that are names of other rows, as ids are.

    Raises
    ------
    ValueError
        For such a number that no row has.
    """
    places = {} if names is None else {name: row for row, name in enumerate(names)}
    other = (row for row in numbers.tolist() if places.get(str(row), row) != row)
    meant = next(map(str, other), None)
    if meant is None or names is None:
        return
    hint = _as_text(meant)
    refuse_beyond(numbers, len(names), 0, place, hint)
    warn(f"{place}: {meant} is row {meant}, which is called {names[int(meant)]!r}{hint}")


def _is_other(number: str, names: Sequence[str] | None) -> bool:
    """Whether another row than the one of that number is called so."""
    if names is None or number not in names:
        return False
    return int(number) >= len(names) or names[int(number)] != number


def _as_row(where: str, base: int) -> str:
    return f"; in {where} rows count from 0, in the table that they come from, from {base}"


def _as_text(name: str) -> str:
    return f"; the row called {name!r} is found by its name, the text {name!r}"


def _is_name(key: Any) -> bool:
    return isinstance(key, (str, bytes)) or is_time(key)


def _holds_names(entries: Any) -> bool:
    if isinstance(entries, np.ndarray):
        return entries.dtype.kind in "SUM" or (
            entries.dtype.kind == "O" and any(map(_is_name, entries.ravel()))
        )
    return isinstance(entries, (list, tuple)) and any(
        _is_name(entry) or (isinstance(entry, (list, tuple)) and any(map(_is_name, entry)))
        for entry in entries
    )


_OF_DENSE = (
    "; genten.tensor(X) lists the nonzeros of a dense X as entries, and to_dense() of a model has "
    "its values at all"
)


def subscripts_of(entries: Any, known: Rows, what: str = "predict") -> AnyArray:
    """Subscripts of entries, which are an array of them, a table, or tuples with labels; `what` is
    what messages begin with.

    Raises
    ------
    TypeError
        For what is none of these.
    ValueError
        For labels and numbers of rows that there are not, but of arrays, for numbers of a table
        below those of the first rows, for entries of another order, and for a list of arrays.
    """
    refuse_arrays(entries, len(known.shape), what)
    if frames.accepts(entries):
        columns = _of_table(entries, known, what)
    elif isinstance(entries, Mapping):
        raise TypeError(
            f"{what}: expected an array, a table or tuples, got a mapping; pandas.DataFrame(it) "
            "makes a table of lists by column"
        )
    elif not _is_array(entries):
        ways = ["subs", "to_frame", "to_pandas", "df", "collect"]
        own = next((name for name in ways if hasattr(entries, name)), None)
        is_index = own == "to_frame" and type(entries).__module__.startswith("pandas")
        call = "(index=False)" if is_index else "" if own in (None, "subs") else "()"
        way = f"; give its .{own}{call}" if own else ""
        if pyttb.accepts(entries) and own is None:
            way = _OF_DENSE
        if hasattr(entries, "tocoo") and hasattr(entries, "nonzero"):
            way = "; numpy.stack(it.nonzero(), axis=1) has those of its nonzeros"
        if is_index and None in entries.names:
            frame = "index.to_frame(index=False, name={})"
            way = f": {_named_levels('index.tolist()', frame, known)}"
        got = shown(entries)
        got = f"a {type(entries).__name__}" if "\n" in got else got
        raise TypeError(
            f"{what}: expected subscripts, a row for each entry, a table or tuples, got {got}{way}"
        )
    elif _holds_names(entries):
        columns = _of_tuples(list(entries), known, what)
    else:
        found = as_subscripts(entries)
        if found.ndim != 2 and found.size:
            is_entry = found.shape == (len(known.shape),)
            one = f"; [{found.tolist()}] is one entry" if is_entry else ""
            one = _OF_DENSE if found.shape == tuple(known.shape) else one
            raise ValueError(
                f"{what}: expected a row of {len(known.shape)} subscripts for each entry, got an "
                f"array of shape {found.shape}{one}"
            )
        if found.ndim != 2 or found.shape[1] != len(known.shape):
            if found.ndim == 2 and found.shape[0] == len(known.shape):
                raise ValueError(
                    f"{what}: expected a row of {len(known.shape)} subscripts for each entry, got "
                    f"an array of shape {found.shape}: give its transpose, .T"
                )
            return found
        for mode, names in enumerate(known.labels):
            place = f"{what}: {called(mode, known.mode_names)}"
            refuse_unknown_codes(found[:, mode], names, place)
            if isinstance(entries, (list, tuple)):
                _tell_of_names(found[:, mode], names, place)
            elif names is not None:
                check_array(found[:, mode], names, place)
            if names is None and known.base:
                hint = _as_row("arrays", known.base)
                refuse_beyond(found[:, mode], known.shape[mode], 0, place, hint)
        return found
    return np.stack([column.astype(np.int64) for column in columns], axis=1)


def refuse_arrays(entries: Any, order: int, what: str) -> None:
    """Complains of a list or tuple of as many vectors as there are modes, as of ``numpy.nonzero``:
    in `tensor` each is a mode's, in entries one of a list is an entry.

    Raises
    ------
    ValueError
        With what makes a matrix of either.
    """
    is_list = isinstance(entries, (list, tuple)) and len(entries) == order
    if is_list and any(getattr(each, "ndim", 0) == 1 for each in entries):
        raise ValueError(
            f"{what}: a {type(entries).__name__} of arrays may be columns, one a mode, or rows, "
            "one an entry: expected an array, a row for each entry, as numpy.argwhere(mask), "
            "numpy.stack(columns, axis=1) or numpy.stack(rows) makes"
        )


def _is_array(entries: Any) -> bool:
    """Whether that is an array, or a sequence of entries."""
    if isinstance(entries, (list, tuple)):
        return True
    is_other = any(hasattr(entries, name) for name in ("nnz", "subs", "to_frame"))
    return not is_other and getattr(entries, "ndim", 0) > 0


def warn_of_zero_rows(
    model: Any, entries: AnyArray, base: int, what: str, but: int | None = None
) -> None:
    """Warns of entries in rows of all modes but one that are zero in the model, as those of ids and
    of categories without nonzeros are: nothing was learned of them. Numbers of rows count from
    `base`. Rows with names are looked at where a run made the model, and no l1 penalty."""
    run = getattr(model, "_run", {})
    names_too = "loss" in run and not np.any(run.get("l1", 0.0))
    for mode, (column, factor) in enumerate(zip(entries.T, model.factors, strict=True)):
        names = model.labels[mode]
        if factor is None or mode == but or not len(column) or (names and not names_too):
            continue
        is_empty = ~np.any(np.asarray(factor) != 0.0, axis=1)
        if not is_empty.any():
            continue
        there = column[is_empty[column]]
        if count := len(there):
            empty = np.unique(there)
            shown = [names[row] if names else str(row + base) for row in empty.tolist()]
            lie = "an entry is" if count == 1 else f"{count} entries are"
            warn(
                f"{what}: {called(mode, model.mode_names)}: {lie} in rows that are zero in the "
                "model, as rows without nonzeros in its data are: it knows nothing of them; these "
                f"are rows {some_of(shown, quoted=bool(names))}"
            )
