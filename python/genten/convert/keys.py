# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers for the keys of a column, such as texts and times, and their labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from .parts import AnyArray, loaded
from .times import plain_times, text_of, texts_of


def _is_missing(key: Any) -> bool:
    """Whether a key stands for none: None, NaN, NaT, and the NA of pandas."""
    if isinstance(key, str):
        return False
    if key is None or key is getattr(loaded("pandas"), "NA", None):
        return True
    return isinstance(key, (float, np.floating, np.datetime64, np.timedelta64)) and key != key


def first_missing(keys: Sequence[Any]) -> int | None:
    """Where the first key stands that is none; None where all are some."""
    nat = getattr(loaded("pandas"), "NaT", None)
    missing = (
        row for row, key in enumerate(keys) if _is_missing(key) or (key is nat and nat is not None)
    )
    return next(missing, None)


def refuse_no_utf8(texts: Iterable[str], what: str) -> None:
    """Complains of texts that are no Unicode, as parts of names of files may be, and that no file
    in UTF-8 can hold.

    Raises
    ------
    ValueError
        With the first one and its row.
    """
    for row, text in enumerate(texts):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{what}, row {row}: expected text in UTF-8, got {text!r}") from None


def decoded(keys: Iterable[Any], what: str) -> list[Any]:
    """The keys, with text in place of bytes, as HDF5 and arrays of NumPy hold them.

    Raises
    ------
    ValueError
        For bytes that are not in UTF-8, with their row.
    """
    listed = list(keys)
    for row, key in enumerate(listed):
        if isinstance(key, bytes):
            try:
                listed[row] = key.decode()
            except UnicodeDecodeError:
                raise ValueError(
                    f"{what}, row {row}: expected text in UTF-8, got {bytes(key)!r}; decode it"
                ) from None
    return listed


def texts_of_keys(keys: Iterable[Any], what: str) -> list[str]:
    """The keys as texts, which of times are as short as all of them allow; messages about bytes
    begin with `what`."""
    listed = decoded(keys, what)
    times = plain_times(listed)
    return [text_of(key) for key in listed] if times is None else texts_of(times)


def labels_of(name: Any, keys: Iterable[Any]) -> list[str]:
    """The keys as texts.

    Raises
    ------
    ValueError
        Where two keys have the same one.
    """
    found: dict[str, Any] = {}
    listed = list(keys)
    row = first_missing(listed)
    if row is not None:
        raise ValueError(f"column {name!r}: a value is missing: one of its keys is {listed[row]!r}")
    for key, text in zip(listed, texts_of_keys(listed, f"column {name!r}"), strict=True):
        if text in found:
            one, other = (f"{each!r} ({type(each).__name__})" for each in (found[text], key))
            raise ValueError(
                f"column {name!r}: expected keys whose texts differ, got {one} and {other}"
            )
        found[text] = key
    return list(found)


def _refuse_unhashable(name: Any, items: Sequence[Any]) -> None:
    for row, item in enumerate(items):
        try:
            hash(item)
        except TypeError:
            several = isinstance(item, (list, np.ndarray))
            way = f"; table.explode({name!r}) makes a row of each of its items" if several else ""
            if isinstance(item, dict):
                way = f"; pandas.json_normalize(list(table[{name!r}])) has columns of its members"
            raise ValueError(
                f"column {name!r}, row {row}: expected a text, a number or a time, got a "
                f"{type(item).__name__}{way}"
            ) from None


def _refuse_nameless(name: Any, found: Sequence[Any], items: Sequence[Any]) -> None:
    """Complains of objects of which Python writes where in memory they lie, and no more."""
    for item in found:
        kind: Any = type(item)
        if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
            row = next(row for row, each in enumerate(items) if each is item)
            raise ValueError(
                f"column {name!r}, row {row}: expected a text, a number or a time, got {kind}, "
                "of which nothing says how it is called; make a column of texts"
            )


def _number(items: Sequence[Hashable]) -> tuple[list[Any], list[int]]:
    """The distinct items as they come, and for each item its number among them."""
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(item, len(numbers)) for item in items]
    return list(numbers), codes


def numbered(name: Any, items: Sequence[Any]) -> tuple[AnyArray, list[str]]:
    """Subscripts and labels of a column of objects, in the order of the sorted keys, or of their
    texts where they have no order. Keys are the same where they are equal and their texts are: 1
    is not True.

    Raises
    ------
    ValueError
        For lists and other things that are no keys, for keys of one text, and for objects without.
    """
    try:
        if set(map(type, items)) <= {str}:
            found, codes = _number(items)
        else:
            pairs, codes = _number([(item, str(item)) for item in items])
            found = [item for item, _ in pairs]
    except TypeError:
        _refuse_unhashable(name, items)
        raise
    _refuse_nameless(name, found, items)
    texts = labels_of(name, found)
    try:
        order = sorted(range(len(found)), key=found.__getitem__)
    except TypeError:  # of types that have no order between them
        order = sorted(range(len(found)), key=texts.__getitem__)
    places = np.empty(len(found), dtype=np.int64)
    places[order] = np.arange(len(found))
    return places[np.asarray(codes, dtype=np.int64)], [texts[each] for each in order]
