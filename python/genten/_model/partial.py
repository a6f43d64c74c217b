# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors that have some rows of a model alone, as those of a few weeks: ``partial=``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._names.labels import checked_modes, every_mode
from .._names.lookup import called
from ..convert.parts import AnyArray, shown


def leaving_out(
    modes: Sequence[int], names: Sequence[str] | None
) -> Callable[[int], str]:
    """What warnings of rows that a tensor lacks say of those of a mode, where it has some rows of
    `modes` alone.

    Examples
    --------
    >>> leaving_out([], ["shop", "week"])(1), leaving_out([0], None)(1)
    ("; partial='week' leaves such rows out", '; partial=[0, 1] leaves such rows out')
    """

    def remedy(mode: int) -> str:
        every = sorted({*modes, mode})
        asked: list[Any] = [each if names is None else names[each] for each in every]
        return f"; partial={asked if len(asked) > 1 else asked[0]!r} leaves such rows out"

    return remedy


def partial_modes(
    partial: Any, order: int, names: Sequence[str] | None, what: str, but: int | None = None
) -> list[int]:
    """The modes of which a tensor has some rows alone; True is all, but the mode `but`, whose rows
    are new.

    Raises
    ------
    TypeError, ValueError
        As of `checked_modes`, for truth values in a list, and for the mode `but`.
    """
    if isinstance(partial, np.bool_):
        partial = bool(partial)
    if partial is None or partial is False:
        return []
    if every_mode(partial, names) is True:
        return [mode for mode in range(order) if mode != but]
    several = isinstance(partial, (Sequence, np.ndarray)) and np.ndim(partial) > 0
    if several and any(isinstance(each, (bool, np.bool_)) for each in partial):
        raise TypeError(
            f"{what}: partial: expected True for every mode, or modes by name or number, got "
            f"{shown(partial)}"
        )
    modes = checked_modes(partial, order, names, f"{what}: partial")
    if but in modes:
        raise ValueError(
            f"{what}: partial: expected modes whose rows are those of the model, got "
            f"{called(but or 0, names)}, of which rows are new"
        )
    return modes


def counting(subscripts: AnyArray, shape: Sequence[int], modes: Sequence[int]) -> tuple[Any, ...]:
    """By mode the rows that count, as keys of a tensor: in `modes` those with entries. All of a
    tensor without entries.

    Examples
    --------
    >>> counting(np.array([[0, 2], [1, 2]]), (2, 3), [1])
    (slice(None, None, None), array([False, False,  True]))
    """
    keys: list[Any] = [slice(None)] * len(shape)
    for mode in modes if len(subscripts) else ():
        keys[mode] = np.zeros(shape[mode], dtype=bool)
        keys[mode][subscripts[:, mode]] = True
    return tuple(keys)


def in_rows(X: Any, keys: tuple[Any, ...]) -> Any:
    """The part of a tensor in the rows of these keys; None and words as they are, as those of
    missing entries are."""
    return X if X is None or isinstance(X, str) else X[keys]._checked()


def in_counting_rows(
    given: Any, entries: Any, arrays: tuple[Any, Any], modes: Sequence[int]
) -> tuple[Any, Any, tuple[Any, Any]]:
    """A tensor, missing entries, and the weights and factors of a model, in the rows that count."""
    keys, (weights, factors) = counting(given.subscripts, given.shape, modes), arrays
    some = [each[key] for each, key in zip(factors, keys, strict=True)]
    return in_rows(given, keys), in_rows(entries, keys), (weights, some)
