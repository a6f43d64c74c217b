# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of models, as they come and as they are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._names.labels import listed
from ..convert.numbers import held_columns, is_finite, narrowed
from ..convert.parts import AnyArray, host_array, warn_of_rounding

Arrays = tuple[AnyArray, list[AnyArray]]
"""The weights and the factors of a model."""


def real_array(data: Any, dimensions: int, what: str) -> AnyArray:
    """The array of a model that is called `what`, of finite float32 or float64.

    Raises
    ------
    ValueError
        For another number of dimensions, and for numbers that are not finite, or not as float64.
    """
    array = host_array(data, what)
    if array.ndim != dimensions or array.dtype.kind not in "fiub":
        way = "; .toarray() is a dense one" if hasattr(data, "toarray") else ""
        if dimensions == 2 and array.ndim == 1:
            way = "; numpy.reshape(it, (-1, 1)) is a column"
        raise ValueError(
            f"{what}: expected real numbers in {dimensions} dimension"
            f"{'s' if dimensions > 1 else ''}, got {array.dtype} of shape {array.shape}{way}"
        )
    if array.dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
        taken = narrowed(array, np.float64)
        if not held_columns(array, taken).all():
            raise ValueError(f"{what}: expected numbers that float64 holds, got others")
        warn_of_rounding(array, taken, what, asked=False)
        array = taken
    if is_finite(array):
        return array
    where = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
    at = f"row {where[0]}, column {where[1]}" if dimensions == 2 else f"component {where[0]}"
    if what == "core":
        at = f"element {where}"
    raise ValueError(f"{what}: expected finite numbers, got {array[where]} in {at}")


def narrowed_columns(array: AnyArray, wanted: Any, what: str) -> AnyArray:
    """The array in another type.

    Raises
    ------
    ValueError
        Where an element would become infinite, or all of a component 0.
    """
    taken = narrowed(array, wanted)
    held = held_columns(array, taken)
    if not held.all():
        raise ValueError(
            f"{what}: component {int(held.argmin())}: expected numbers that {np.dtype(wanted)} "
            "holds, got some that become infinite, or nothing but what becomes 0"
        )
    return taken


def are_matrices(data: Any) -> bool:
    """Whether that is a list or tuple of matrices, as factors are."""
    return isinstance(data, (list, tuple)) and any(np.ndim(each) == 2 for each in data)


def checked_arrays(weights: Any, factors: Sequence[Any], *, new: bool = False) -> Arrays:
    """Weights and factors as a model has them; ones for the weights None of a `new` one.

    Raises
    ------
    ValueError
        For shapes that do not go together, and numbers that are not finite.
    """
    taken = [real_array(factor, 2, f"factor {mode}") for mode, factor in enumerate(factors)]
    if not taken:
        raise ValueError("factors: expected at least one")
    if weights is None and new:
        weights = np.ones(taken[0].shape[1], dtype=taken[0].dtype)
    weights = real_array(weights, 1, "weights")
    for mode, factor in enumerate(taken):
        if factor.shape[1] != len(weights):
            raise ValueError(
                f"factor {mode}: expected {len(weights)} columns, one a weight, got "
                f"{factor.shape[1]}"
            )
    return weights, taken


def require_shapes(before: Sequence[Any], now: Sequence[Any], kind: str) -> None:
    """Complains of factors of other shapes in the place of some of a model: its labels and weights
    are of these.

    Raises
    ------
    ValueError
        With what makes another model.
    """
    shapes, others = (
        [None if each is None else each.shape for each in side] for side in (before, now)
    )
    if shapes != others:
        first = "core" if kind == "TuckerModel" else "weights"
        raise ValueError(
            f"factors: expected arrays of shapes {shapes}, as those that they replace, got "
            f"{others}; genten.{kind}({first}, factors) makes another model"
        )


class Weighted:
    """Something with weights and factors. Those that are set are checked as those that are given
    at first."""

    @property
    def factors(self) -> list[AnyArray]:
        """The factors, one a mode."""
        return self.__dict__["factors"]  # type: ignore[no-any-return]

    @factors.setter
    def factors(self, factors: Any) -> None:
        if "weights" in self.__dict__:
            before, given = self.factors, listed("factors: expected a sequence of arrays", factors)
            taken = [real_array(each, 2, f"factor {mode}") for mode, each in enumerate(given)]
            require_shapes(before, taken, "Model")
            factors = taken
        self.__dict__["factors"] = factors

    @property
    def weights(self) -> AnyArray:
        """The weights of the components."""
        return self.__dict__["weights"]  # type: ignore[no-any-return]

    @weights.setter
    def weights(self, weights: Any) -> None:
        self.__dict__["weights"] = checked_arrays(weights, self.factors)[0]


def packed(weights: AnyArray, factors: Sequence[AnyArray], dtype: Any) -> Arrays:
    """Weights and factors as the extension takes them, copied where they are otherwise."""
    taken = [narrowed_columns(each, dtype, f"factor {mode}") for mode, each in enumerate(factors)]
    return narrowed_columns(weights, dtype, "weights"), taken


def _has_rows(array: AnyArray, dtype: Any) -> bool:
    """Whether an array's rows are of that type and lie without gaps, one behind the other."""
    step, next_row = array.itemsize, array.strides[0]
    return (
        array.dtype == dtype
        and bool(array.flags.aligned)
        and (array.shape[1] <= 1 or array.strides[1] == step)
        and (len(array) <= 1 or (next_row >= array.shape[1] * step and next_row % step == 0))
    )


def rows_of(weights: AnyArray, factors: Sequence[AnyArray], dtype: Any) -> Arrays:
    """The same for functions that read rows alone, and copy none for the sake of the padding behind
    them, as the library's factors have."""
    rows = [
        each if _has_rows(each, dtype) else narrowed_columns(each, dtype, f"factor {mode}")
        for mode, each in enumerate(factors)
    ]
    return narrowed_columns(weights, dtype, "weights"), rows


def rows_for_entries(
    weights: AnyArray, factors: Sequence[AnyArray], dtype: Any, entries: AnyArray
) -> tuple[AnyArray, list[AnyArray], AnyArray]:
    """Weights, factors and entries for values of the model there. Of factors that would have to be
    copied, as those that lie column by column, the rows of few entries are taken alone."""
    lengths, order = [len(factor) for factor in factors], len(factors)
    few = entries.ndim == 2 and entries.shape[1] == order and 0 < entries.size < sum(lengths)
    if few and not all(_has_rows(factor, dtype) for factor in factors):
        limits = zip(entries.T, lengths, strict=True)  # What is outside, the library tells of.
        if all(int(each.min()) >= 0 and int(each.max()) < length for each, length in limits):
            taken = [factor[each] for factor, each in zip(factors, entries.T, strict=True)]
            rows = [np.require(each, dtype, ["C", "A"]) for each in (weights, *taken)]
            return rows[0], rows[1:], np.repeat(np.arange(len(entries))[:, None], order, axis=1)
    return (*rows_of(weights, factors, dtype), entries)


def full_array(weights: AnyArray, factors: Sequence[AnyArray]) -> AnyArray:
    """The tensor that a model stands for, as an array of doubles."""
    # Exponents are added apart, so that no product leaves the range of numbers on its way.
    full, exponents = np.frexp(weights.astype(np.float64)[None, :])
    for factor in factors:
        numbers, more = np.frexp(factor.astype(np.float64))
        full = (full[:, None, :] * numbers[None, :, :]).reshape(-1, len(weights))
        exponents = (exponents[:, None, :] + more[None, :, :]).reshape(-1, len(weights))
    shape = [len(factor) for factor in factors]
    return np.asarray(np.ldexp(full, exponents).sum(axis=1)).reshape(shape)
