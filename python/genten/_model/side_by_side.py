# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of two models with the same rows side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._names.alignment import rows_in_common
from .._names.labels import Labels, checked_modes
from .._names.text_order import warn_of_text_order
from .row_numbers import UNKNOWN, both_by_numbers, numbers_of, warn_of_order
from ..convert.parts import AnyArray
from .ktensor import Ktensor
from .run_record import refuse_other_base

SIDES = ("this model", "the other")
Both = tuple[AnyArray, list[AnyArray], AnyArray, list[AnyArray]]


def _check_bases(one: Ktensor, other: Ktensor, what: str) -> None:
    bases = (one._run.get("index_base"), other._run.get("index_base"))
    refuse_other_base(bases, (one.labels, other.labels), what, SIDES)


def _in_order(one: Ktensor, other: Ktensor, what: str) -> Ktensor:
    """The other with its modes in the order of the one; a warning tells of labels that are numbers
    beside rows of another run without any."""
    unnamed: Labels = [None] * other.ndim
    rows = one.shape, UNKNOWN
    other = other._aligned(unnamed, one.mode_names, of_rows=rows, what=what, sides=SIDES)
    for mine, others in ((one, other), (other, one)):
        if (labels := mine.labels) is not None and mine.ndim == others.ndim:
            theirs = others.labels or [None] * others.ndim
            nameless = [names is None for names in theirs]
            warn_of_text_order(nameless, others.shape, labels, what, way="labels= says otherwise")
    if one.shape == other.shape and "loss" in one._run and "loss" in other._run:
        warn_of_order(_labels_of(one, other), one.mode_names, what, SIDES)
    return other


def _labels_of(one: Ktensor, other: Ktensor) -> tuple[Labels, Labels]:
    of_rows = (one.shape, numbers_of(one._run)), (other.shape, numbers_of(other._run))
    return both_by_numbers((one.labels, other.labels), of_rows)


def with_same_rows(one: Ktensor, other: Ktensor, what: str) -> Both:
    """Weights and factors of both, of one type, with the rows of the same labels side by side.

    Raises
    ------
    ValueError
        Where their labels are not the same.
    """
    other, rows = _in_order(one, other, what), (one.shape, numbers_of(one._run))
    other = other._aligned(one.labels, one.mode_names, of_rows=rows, what=what, sides=SIDES)
    _check_bases(one, other, what)
    dtype = np.result_type(one.dtype, other.dtype)
    return (*one._rows(dtype), *other._rows(dtype))


def with_common_rows(one: Ktensor, other: Ktensor, what: str, modes: Any) -> Both:
    """The same of the rows that both have; a warning names others. Of some `modes` alone rows of
    the others are not looked at, and weights hold the 2-norms of their columns.

    Raises
    ------
    TypeError, ValueError
        For a mode of which they have no row in common, for a label of several rows, and as
        `checked_modes` does for modes.
    """
    taken = checked_modes(modes, one.ndim, one.mode_names, f"{what}: modes")
    if not taken:
        raise ValueError(f"{what}: modes: expected at least one mode, got {modes!r}")
    other = _in_order(one, other, what)
    _check_bases(one, other, what)
    dtype = np.result_type(one.dtype, other.dtype)
    weights, factors = one._rows(dtype)
    other_weights, other_factors = other._rows(dtype)
    if one.ndim != other.ndim:  # as the extension will say
        return weights, factors, other_weights, other_factors
    bases = numbers_of(one._run).base or 0, numbers_of(other._run).base or 0
    shapes = one.shape, other.shape
    rows = rows_in_common(
        _labels_of(one, other), shapes, bases, one.mode_names, what, SIDES, taken
    )
    for mode, both in rows.items():
        factors[mode], other_factors[mode] = factors[mode][both[0]], other_factors[mode][both[1]]
    for mode in range(one.ndim):
        if mode not in taken:
            weights = weights * np.linalg.norm(factors[mode], axis=0)
            other_weights = other_weights * np.linalg.norm(other_factors[mode], axis=0)
    factors, other_factors = (
        [each for mode, each in enumerate(both) if mode in taken]
        for both in (factors, other_factors)
    )
    return weights, factors, other_weights, other_factors
