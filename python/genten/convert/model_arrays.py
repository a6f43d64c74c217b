# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of models, as they come and as they are taken."""

from __future__ import annotations

from typing import Any

import numpy as np

from .numbers import held_columns, is_finite, narrowed
from .parts import AnyArray, host_array, warn_of_rounding


def real_array(data: Any, dimensions: int, what: str) -> AnyArray:
    """The array of a model that is called `what`, of finite float32 or float64.

    Raises
    ------
    ValueError
        For another number of dimensions, and for numbers that are not finite, or not as float64.
    """
    array = host_array(data, what)
    if array.ndim != dimensions or array.dtype.kind not in "fiub":
        raise ValueError(
            f"{what}: expected real numbers in {dimensions} dimension"
            f"{'s' if dimensions > 1 else ''}, got {array.dtype} of shape {array.shape}"
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
