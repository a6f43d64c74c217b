# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of rows and of modes."""

from __future__ import annotations

import difflib
import operator
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..convert.keys import decoded, first_missing, refuse_no_utf8, texts_of_keys
from ..convert.times import is_like_a_date, likely_meant

Labels = list[Sequence[str] | None]


class NumberNames(list[str]):
    """Names of rows that are numbers, as ids: numbers beside them are names, too."""


def some_names(names: Sequence[str], rows: Iterable[int]) -> list[str]:
    """The names of some rows, of the kind that they are."""
    return like_names(names, (names[row] for row in rows))


def like_names(names: Any, others: Iterable[str]) -> list[str]:
    """Other names of the same kind."""
    return NumberNames(others) if isinstance(names, NumberNames) else list(others)


def name_beside(name: str, taken: Sequence[str] | None) -> str:
    """The name, or one like it that no mode has.

    Examples
    --------
    >>> name_beside("value", ["item", "value"]), name_beside("value", None)
    ('value_', 'value')
    """
    while taken is not None and name in taken:
        name += "_"
    return name


def number_modes(labels: Labels) -> list[int]:
    """The modes whose names are numbers, counted from 1, as files have them."""
    return [mode for mode, names in enumerate(labels, 1) if isinstance(names, NumberNames)]


def with_numbers(labels: Sequence[Sequence[str] | None], modes: Any) -> Labels:
    """The labels, of which those of these modes, counted from 1, are numbers.

    Raises
    ------
    ValueError
        For a mode that there is not, or without labels.
    """
    found: Labels = list(labels)
    for mode in modes:
        names = found[mode - 1] if 1 <= mode <= len(found) else None
        if names is None:
            raise ValueError("it has no names for a mode whose names are to be numbers")
        found[mode - 1] = NumberNames(names)
    return found


def listed(expected: str, names: Any) -> list[Any]:
    """The items of any iterable but a text, of which they are no names."""
    if isinstance(names, (str, bytes, os.PathLike)):
        raise TypeError(f"{expected}, got {names!r}")
    try:
        return list(names)
    except TypeError:
        raise TypeError(f"{expected}, got {names!r}") from None


def texts_of_names(names: Any, expected: str) -> list[str]:
    """Names as texts; `expected` is what messages begin with.

    Raises
    ------
    TypeError
        For one text, or what is no sequence.
    ValueError
        For None, NaN and NaT, which are no names, and for bytes that are not in UTF-8.
    """
    keys = listed(expected, names)
    row = first_missing(keys)
    if row is not None:
        raise ValueError(f"{expected}, row {row}: a value is missing, got {keys[row]!r}")
    return texts_of_keys(keys, expected)


def checked_labels(labels: Any, shape: tuple[int, ...]) -> Labels:
    """One sequence of names, or None, for each mode; those of a path are read from its file.

    Raises
    ------
    TypeError
        For one text, or what is no sequence.
    ValueError
        For another number of modes, or of names than a mode is long, and for None, NaN and NaT,
        which are no names.
    OSError
        For a file that cannot be read.
    """
    if labels is None:
        return [None] * len(shape)
    given = listed("labels: expected names, a path or None for each mode", labels)
    if len(given) != len(shape):
        raise ValueError(f"labels: expected names for each of {len(shape)} modes, got {len(given)}")
    result: Labels = []
    for mode, (names, length) in enumerate(zip(given, shape, strict=True)):
        if names is None:
            result.append(None)
            continue
        taken = (
            _core.read_labels(os.fspath(names))
            if isinstance(names, (str, os.PathLike))
            else texts_of_names(names, f"labels: expected names for mode {mode}")
        )
        if len(taken) != length:
            raise ValueError(
                f"labels: expected {length} names in mode {mode}, got {len(taken)}"
            )
        result.append(like_names(names, taken))
    return result


def checked_mode_names(names: Any, order: int) -> list[str] | None:
    """A name for each mode, or None for none at all."""
    if names is None:
        return None
    expected = "mode_names: expected a name for each mode"
    keys = listed(expected, names)
    mode = first_missing(keys)
    if mode is not None:
        raise ValueError(f"{expected}, got {keys[mode]!r} for mode {mode}")
    taken = [str(name) for name in decoded(keys, expected)]
    if len(taken) != order:
        raise ValueError(f"mode_names: expected {order} names, got {len(taken)}")
    if twice := _first_twice(taken):
        raise ValueError(f"mode_names: expected different names, got {twice!r} several times")
    return taken


def _first_twice(names: Sequence[str]) -> str | None:
    """The first name that is there several times."""
    if len(set(names)) == len(names):
        return None
    return next(name for row, name in enumerate(names) if name in names[:row])


class Named:
    """Something with modes, whose rows and which themselves may have names. Names that are set are
    checked as those that are given at first: as many as there are rows, and modes."""

    if TYPE_CHECKING:

        @property
        def shape(self) -> tuple[int, ...]: ...

    @property
    def labels(self) -> Labels:
        """For each mode the names of its rows, or None."""
        return self._labels

    @labels.setter
    def labels(self, labels: Any) -> None:
        self._labels = checked_labels(labels, self.shape)

    @property
    def mode_names(self) -> list[str] | None:
        """Names of the modes, or None."""
        return self._mode_names

    @mode_names.setter
    def mode_names(self, names: Any) -> None:
        self._mode_names = checked_mode_names(names, len(self.shape))

    _OWN: tuple[str, ...] = ()
    """Attributes that may be set, beside properties."""

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            """Refuses what nothing here reads, as misspelt names; classes of others may have more.
            """
            kind = type(self)
            is_known = name[:1] == "_" or name in self._OWN or hasattr(kind, name)
            if not is_known and kind.__module__.partition(".")[0] == "genten":
                public = [each for each in dir(kind) if each[:1] != "_"]
                there = [each for each in public if _may_be_set(getattr(kind, each))]
                near = difflib.get_close_matches(name, [*self._OWN, *there], 1, 0.6)
                meant = f"; did you mean {near[0]!r}?" if near else ""
                raise AttributeError(
                    f"a {kind.__name__} has no attribute {name!r} that can be set{meant}"
                )
            super().__setattr__(name, value)


def _may_be_set(attribute: Any) -> bool:
    """Whether that of a class is one that its objects may set: neither a method nor a property that
    is only read."""
    if isinstance(attribute, property):
        return attribute.fset is not None
    return not callable(attribute)


def check_names_to_save(
    labels: Labels, shape: tuple[int, ...], mode_names: Sequence[str] | None, path: str
) -> None:
    """Complains of names that no file can hold, before one is written.

    Raises
    ------
    ValueError
        For text that is no UTF-8, and for lists that others have made shorter or longer.
    """
    for mode, names in enumerate(checked_labels(labels, shape)):
        refuse_no_utf8(names or (), f"{path}: labels of mode {mode}")
    refuse_no_utf8(checked_mode_names(mode_names, len(shape)) or (), f"{path}: mode_names")


MOST_COMPARED = 20_000
"""Names among which the nearest to one that there is not is looked for."""


def near_to(word: str, words: Sequence[str]) -> str:
    """'; did you mean ...?', where one of the words is near: ids and times that differ by a digit
    are not, but those that differ by zeros before a number are."""
    if is_like_a_date(word):
        time = likely_meant(word, words)
        return f"; did you mean {time!r}?" if time else ""
    if word.isdigit():
        same = (each for each in words if each.lstrip("0") == word.lstrip("0"))
        meant = next(same, None)
        return f"; did you mean {meant!r}?" if meant else ""
    if word and (longer := next((each for each in words if each.startswith(word)), None)):
        return f"; did you mean {longer!r}?"
    near = difflib.get_close_matches(word, words, 1, 0.5) if len(words) <= MOST_COMPARED else []
    return f"; did you mean {near[0]!r}?" if near else ""


def whole(number: Any, what: str) -> int:
    """A whole number of any library.

    Raises
    ------
    TypeError
        For anything else; `what` is what the message begins with.
    """
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{what}: expected a whole number, got {number!r}") from None


def checked_mode(mode: Any, order: int, names: Sequence[str] | None = None) -> int:
    """A mode from 0, or from the last one where it is negative; or one of the names of modes.

    Raises
    ------
    TypeError
        For what is neither a whole number nor a name.
    ValueError
        For a mode that there is not.
    """
    if isinstance(mode, str):
        return _named_mode(mode, order, names)
    try:
        if isinstance(mode, bool):  # which NumPy's truths are refused as, too
            raise TypeError
        number = operator.index(mode)
    except TypeError:
        raise TypeError(f"expected the number or the name of a mode, got {mode!r}") from None
    if not -order <= number < order:
        raise ValueError(f"expected a mode from 0 to {order - 1}, got {mode}")
    return number % order


def _named_mode(mode: str, order: int, names: Sequence[str] | None) -> int:
    if names is None:
        raise ValueError(
            f"expected a mode from 0 to {order - 1}, got {mode!r}, and the modes have no names"
        )
    if names.count(mode) > 1:
        raise ValueError(f"expected a mode, got {mode!r}, as several are called")
    if mode not in names:
        raise ValueError(
            f"expected a mode, one of {list(names)}, got {mode!r}{near_to(mode, names)}"
        )
    return names.index(mode)


def _numbers_said(given: Sequence[Any], numbers: Sequence[int]) -> str:
    """What to say of modes that are given by name or counted from the last one."""
    said = [
        f"{mode!r} is mode {number}" if isinstance(mode, str) else f"{int(mode)} is mode {number}"
        for mode, number in dict(zip(given, numbers, strict=True)).items()
        if isinstance(mode, str) or mode < 0
    ]
    return f": {', '.join(said)}" if said else ""


def checked_modes(
    modes: Any, order: int, names: Sequence[str] | None, what: str, every: bool = False
) -> list[int]:
    """Different modes by number, as they are given: one, several, or None for all; `every` says
    that all must be there, and `what` is what messages begin with.

    Raises
    ------
    TypeError
        For what is neither a number nor a name.
    ValueError
        For a mode that there is not, or that is named twice.
    """
    given: Any = range(order) if modes is None and not every else modes
    several = isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, str)
    try:
        each = list(given) if several and np.ndim(given) > 0 else [given]
        numbers = [checked_mode(mode, order, names) for mode in each]
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what}: {error}") from None
    if len(set(numbers)) < len(numbers):
        raise ValueError(
            f"{what}: expected different modes, got {modes!r}{_numbers_said(each, numbers)}"
        )
    if every and len(numbers) < order:
        raise ValueError(f"{what}: expected all {order} modes, each once, got {modes!r}")
    return numbers


def every_mode(modes: Any, names: Sequence[str] | None) -> Any:
    """True for 'all', the tool's word for every mode, where no mode is called so; else `modes`."""
    is_all = isinstance(modes, str) and modes == "all" and "all" not in (names or ())
    return True if is_all else modes


def numbered_modes(modes: Any, order: int, names: Sequence[str] | None) -> Any:
    """A sequence of modes with numbers from 0 in place of names and of numbers that count from the
    last one; anything else as it is.

    Raises
    ------
    ValueError
        For such a mode that there is not, or that is named twice, as by 3 and by -1.
    """
    if isinstance(modes, (str, Mapping, Set)) or not hasattr(modes, "__iter__"):
        return modes
    if getattr(modes, "ndim", 1) == 0:  # An array that says that it can be gone through, and not.
        return modes[()]

    def is_other(mode: Any) -> bool:
        is_number = isinstance(mode, (int, np.integer)) and not isinstance(mode, bool)
        return isinstance(mode, str) or (is_number and bool(mode < 0))

    given = list(modes)
    numbers = [checked_mode(mode, order, names) if is_other(mode) else mode for mode in given]
    for mode, number in zip(given, numbers, strict=True):
        if is_other(mode) and numbers.count(number) > given.count(mode):
            raise ValueError(f"mode {number} is named twice{_numbers_said([mode], [number])}")
    return numbers
