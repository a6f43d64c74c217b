# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Nonzeros with the same subscripts: how many there are, and what becomes of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .numbers import narrowed
from .parts import AnyArray, warn_of_rounding


RULES = ("sum", "mean", "last", "max", "refuse")
"""What may become of several nonzeros with the same subscripts."""


def checked_rule(rule: Any) -> str:
    """One of `RULES`.

    Raises
    ------
    ValueError
        For anything else.
    """
    if not isinstance(rule, str) or rule not in RULES:
        raise ValueError(f"duplicates: expected one of {', '.join(map(repr, RULES))}, got {rule!r}")
    return rule


def _keys_of(columns: Sequence[AnyArray], shape: Sequence[int]) -> npt.NDArray[np.uint64] | None:
    """A number for each nonzero, the same for the same entry and in lexicographic order of the
    subscripts; None where there are too many entries to be numbered."""
    if math.prod(shape) >= 2**64:
        return None
    keys = np.zeros(len(columns[0]), dtype=np.uint64)
    for column, length in zip(columns, shape, strict=True):
        keys *= np.uint64(length)
        keys += column.astype(np.uint64, copy=False)
    return keys


_PARTS_FROM = 1 << 22
_PARTS = 8


def may_repeat(columns: Sequence[AnyArray], shape: Sequence[int]) -> bool:
    """Whether two nonzeros have the same subscripts; True where there are too many entries to be
    numbered. Of many nonzeros only an eighth is looked at at a time, so that their numbers take a
    byte each.

    Examples
    --------
    >>> may_repeat([np.array([2, 0, 2])], (3,)), may_repeat([np.array([2, 0])], (3,))
    (True, False)
    """
    count = len(columns[0]) if columns else 0
    if count == 0:
        return False
    if math.prod(shape) >= 2**64:
        return True
    parts = _PARTS if count > _PARTS_FROM else 1
    chunk = count if parts == 1 else _PARTS_FROM // _PARTS
    for part in range(parts):
        found = []
        for begin in range(0, count, chunk):
            keys = _keys_of([column[begin : begin + chunk] for column in columns], shape)
            assert keys is not None
            if parts > 1:  # by a hash, so that no part is much larger than others
                mixed = (keys * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(61)
                keys = keys[mixed == part]
            found.append(keys)
        together = np.concatenate(found)
        together.sort()
        if bool((together[1:] == together[:-1]).any()):
            return True
    return False


def first_of_groups(keys: Sequence[AnyArray]) -> npt.NDArray[np.bool_]:
    """Whether each entry, of sorted ones, has other keys than the one before."""
    new = np.zeros(len(keys[0]), dtype=bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    return new


def order_of_subscripts(
    columns: list[AnyArray], shape: Sequence[int]
) -> tuple[AnyArray, npt.NDArray[np.bool_]]:
    """What sorts nonzeros by their subscripts, those of the same in the order in which they come,
    and which of them, then, are the first of theirs.

    Examples
    --------
    >>> order_of_subscripts([np.array([2, 0, 2])], (3,))
    (array([1, 0, 2]), array([ True,  True, False]))
    """
    keys = _keys_of(columns, shape)
    if keys is None:
        order = np.lexsort(columns[::-1])
        return order, first_of_groups([column[order] for column in columns])
    return _sorted_by(keys)


def _sorted_by(keys: npt.NDArray[np.uint64]) -> tuple[AnyArray, npt.NDArray[np.bool_]]:
    order = np.argsort(keys, kind="stable")
    return order, first_of_groups([keys[order]])


def distinct_subscripts(subscripts: AnyArray, shape: Sequence[int]) -> int:
    """How many distinct subscripts nonzeros have, which are the rows of `subscripts`.

    Takes the time of sorting a number for each, but where they are in order.

    Examples
    --------
    >>> distinct_subscripts(np.array([[0, 1], [2, 0], [0, 1]]), (3, 2))
    2
    """
    columns = list(subscripts.T)
    keys = _keys_of(columns, shape)
    if keys is None:
        order = np.lexsort(columns[::-1])
        return int(np.count_nonzero(first_of_groups([column[order] for column in columns])))
    if not bool((keys[1:] > keys[:-1]).all()):
        keys.sort()
    return int(np.count_nonzero(first_of_groups([keys])))


def added_up(
    columns: list[AnyArray], values: AnyArray, shape: Sequence[int], rule: str = "sum"
) -> tuple[list[AnyArray], AnyArray, bool]:
    """Subscripts and values with one nonzero an entry, by a rule of `RULES` what all that lie there
    make: in the order of the entries, or just as they are where no two are of the same; and whether
    that is known.

    It is not of what no tensor may hold, which is left for others to complain of. A warning tells
    where sums of whole numbers are rounded.

    Raises
    ------
    ValueError
        For a sum that the type of the values cannot hold, and for two nonzeros in an entry where
        these are refused.

    Examples
    --------
    >>> added_up([np.array([2, 0, 2])], np.array([1.0, 2.0, 4.0]), (3,))
    ([array([0, 2])], array([2., 5.]), True)
    """
    for column, length in zip(columns, shape, strict=True):
        if len(column) != len(values):
            return columns, values, False
        if len(column) and (int(column.min()) < 0 or int(column.max()) >= length):
            return columns, values, False
    if not bool(np.isfinite(values).all()):
        return columns, values, False
    if not may_repeat(columns, shape):
        return columns, values, True
    keys = _keys_of(columns, shape)
    order, new = order_of_subscripts(columns, shape) if keys is None else _sorted_by(keys)
    starts = np.flatnonzero(new)
    if len(starts) == len(values):
        return columns, values, True
    ends = np.append(starts[1:], len(values))
    if rule == "refuse":
        first = int((ends - starts > 1).argmax())
        entry = tuple(int(column[order[starts[first]]]) for column in columns)
        raise ValueError(
            "duplicates: expected one entry for the same subscripts, got "
            f"{ends[first] - starts[first]} for {entry}, and "
            f"{len(values) - len(starts)} too many in all"
        )
    chosen = [column[order[starts]] for column in columns]
    if rule == "last":
        return chosen, values[order[ends - 1]], True
    if rule == "max":
        return chosen, np.maximum.reduceat(values[order], starts), True
    by = ends - starts if rule == "mean" else None
    return chosen, _sums(values[order], starts, by), True


def _means(values: AnyArray, starts: AnyArray, lengths: AnyArray, sums: AnyArray) -> AnyArray:
    """The means of groups of values, also of those whose sum float64 does not hold."""
    means: AnyArray = sums / lengths
    for group in np.flatnonzero(~np.isfinite(sums)):
        own = values[starts[group] : starts[group] + lengths[group]].astype(np.float64)
        parts = float(np.cumsum(own / lengths[group])[-1])  # one after the other
        means[group] = min(max(parts, float(own.min())), float(own.max()))
    return means


def _sums(values: AnyArray, starts: AnyArray, by: AnyArray | None) -> AnyArray:
    """The sums of values from each start to the next, or their parts `by` numbers, in their type.

    Raises
    ------
    ValueError
        For a sum that it cannot hold.
    """
    # One after the other, as those of files are added, to the same bits; `np.add.reduceat` adds in
    # another order.
    lengths = np.diff(starts, append=len(values))
    with np.errstate(over="ignore"):
        sums: AnyArray = np.bincount(np.repeat(np.arange(len(starts)), lengths), weights=values)
    negative = np.logical_and.reduceat(np.signbit(values), starts)
    sums[negative & (sums == 0)] = -0.0  # bincount begins with 0.0
    if by is not None:
        sums = _means(values, starts, lengths, sums)
    taken = narrowed(sums, values.dtype)
    beyond = ~np.isfinite(taken)
    if beyond.any():
        at = int(starts[int(beyond.argmax())])
        raise ValueError(
            f"values: expected a sum in each entry that {values.dtype} holds, got one beyond, of "
            f"{values[at]} and others"
        )
    if by is None:
        warn_of_rounding(sums, taken, "sums of values", asked=True)
    return taken
