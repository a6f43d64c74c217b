# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Between which numbers constraints keep the elements of factors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Bounds = list[tuple[float, float]]


def _of_mode(numbers: Any, mode: int, none: float) -> float:
    if not isinstance(numbers, Sequence):
        return float(numbers)
    if len(numbers) == 0:
        return none
    return float(numbers[0] if len(numbers) == 1 else numbers[mode])


def bounds_of(options: Mapping[str, Any], order: int, lowest: float = -math.inf) -> Bounds:
    """For each mode the least and the largest that an element of its factor may be; infinite where
    nothing bounds it. The loss may need factors of at least `lowest`. Lists of another length than
    the order are left to the library to refuse.

    Examples
    --------
    >>> bounds_of({"nonnegative": [1], "upper": [2.0]}, 2)
    [(-inf, 2.0), (0.0, 2.0)]
    """
    lower, upper = options.get("lower", ()), options.get("upper", ())
    lists = [each for each in (lower, upper) if isinstance(each, Sequence)]
    if any(len(each) not in (0, 1, order) for each in lists):
        return [(lowest, math.inf)] * order
    chosen = options.get("nonnegative", ())
    bounds = []
    for mode in range(order):
        low, high = max(_of_mode(lower, mode, lowest), lowest), _of_mode(upper, mode, math.inf)
        if chosen is True or (not isinstance(chosen, bool) and mode in chosen):
            low = max(low, 0.0)
        bounds.append((low, high))
    return bounds
