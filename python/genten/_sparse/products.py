# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sums and products of the entries of sparse tensors, which are vectors of subscripts and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._model.arrays import real_array
from ..convert.duplicates import added_up, order_of_subscripts
from ..convert.parts import AnyArray

Listed = tuple[list[AnyArray], AnyArray]
"""Subscripts by mode, and values."""


def refuse_length(got: int, expected: int, what: str, hint: str = "") -> None:
    """Complains of a vector or matrix that does not go with a mode; `hint` is what to do then.

    Raises
    ------
    ValueError
        Where it is not as long.
    """
    if got != expected:
        raise ValueError(f"{what}: expected the length of the mode, {expected}, got {got}{hint}")


def one_a_mode(
    given: Any, modes: Sequence[int], dimensions: int, what: str, order: int
) -> list[AnyArray]:
    """Vectors or matrices, one for each of the modes; a single one need not be in a list, and of
    lists for all modes of a tensor of that order those of the modes are taken, as by pyttb.

    Raises
    ------
    ValueError
        For another number of them, and for what is no vector or matrix of finite numbers.
    """
    kinds = ("vector", "vectors") if dimensions == 1 else ("matrix", "matrices")
    if isinstance(given, (list, tuple)):  # One of numbers, or of rows, is one array.
        one = len(modes) == 1 and all(np.ndim(each) < dimensions for each in given)
        if not one and len(given) == order != len(modes):
            given, one = [given[mode] for mode in modes], len(modes) == 1
            given = given[0] if one else given
    else:
        one = np.ndim(given) == dimensions
    arrays = [given] if one else list(given)
    is_array = len({np.shape(each) for each in arrays}) == 1
    if is_array and len(modes) == dimensions == 1 and np.ndim(given) == 2 and 1 in np.shape(given):
        raise ValueError(
            f"{what}: expected a vector for mode {modes[0]}, got a matrix of shape "
            f"{np.shape(given)}; its .ravel() is one"
        )
    if len(arrays) != len(modes):
        wanted = (
            f"a {kinds[0]} for mode {modes[0]}"
            if len(modes) == 1
            else f"{len(modes)} {kinds[1]}, one for each of the modes {list(modes)}"
        )
        raise ValueError(f"{what}: expected {wanted}, got {len(arrays)}")
    called = f"{what}: {kinds[0]} of mode"
    return [
        real_array(array, dimensions, f"{called} {mode}")
        for mode, array in zip(modes, arrays, strict=True)
    ]


def merged(columns: list[AnyArray], values: AnyArray, shape: Sequence[int]) -> Listed:
    """Entries of one place added up.

    Examples
    --------
    >>> merged([np.array([2, 0, 2])], np.array([1.0, 2.0, 4.0]), (3,))
    ([array([0, 2])], array([2., 5.]))
    """
    columns, values, _ = added_up(columns, values, shape)
    return columns, values


def without_zeros(columns: list[AnyArray], values: AnyArray) -> Listed:
    """The entries that are not 0."""
    kept = values != 0
    return ([column[kept] for column in columns], values[kept])


def times_matrix(
    columns: list[AnyArray], values: AnyArray, shape: Sequence[int], mode: int, matrix: AnyArray
) -> Listed:
    """Entries of the tensor times a matrix, I_n x J, in one mode, without those that are 0.

    Takes the memory of a number for each entry, and of J for each fiber with entries.

    Examples
    --------
    >>> columns = [np.array([0, 1]), np.array([1, 1])]
    >>> times_matrix(columns, np.array([2.0, 3.0]), (2, 2), 0, np.array([[1.0, 0.0], [1.0, 1.0]]))
    ([array([0, 1]), array([1, 1])], array([5., 3.]))
    """
    others = [n for n in range(len(columns)) if n != mode]
    if others:
        order, new = order_of_subscripts([columns[n] for n in others], [shape[n] for n in others])
    else:
        order, new = np.arange(len(values)), np.arange(len(values)) == 0
    starts = np.flatnonzero(new)
    sums = np.zeros((len(starts), matrix.shape[1]), dtype=np.result_type(values, matrix))
    rows, sorted_values = columns[mode][order], values[order].astype(np.float64)
    for j in range(matrix.shape[1] if len(starts) else 0):
        sums[:, j] = np.add.reduceat(sorted_values * matrix[rows, j], starts)
    fiber, place = sums.nonzero()
    found = [column[order[starts]][fiber] for column in columns]
    found[mode] = place
    return found, sums[fiber, place]


def scalar_product(one: Listed, other: Listed, shape: Sequence[int]) -> float:
    """The sum of the products of values in the same place, of which each tensor has one.

    Examples
    --------
    >>> one = ([np.array([0, 2])], np.array([1.0, 2.0]))
    >>> scalar_product(one, ([np.array([2, 1])], np.array([10.0, 7.0])), (3,))
    20.0
    """
    columns = [
        np.concatenate([mine.astype(np.uint64), theirs.astype(np.uint64)])
        for mine, theirs in zip(one[0], other[0], strict=True)
    ]
    order, new = order_of_subscripts(columns, shape)
    values = np.concatenate([one[1].astype(np.float64), other[1].astype(np.float64)])[order]
    second = np.flatnonzero(~new)
    return float((values[second - 1] * values[second]).sum())
