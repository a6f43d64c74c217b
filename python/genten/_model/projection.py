# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is said of a least-squares projection, and its factor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..convert.parts import AnyArray, warn

UNCERTAIN = 1e8
"""The condition from which at most half of the digits are certain, which a warning tells."""


def checked_rows(
    found: dict[str, Any], weights: AnyArray, factors: Sequence[AnyArray], mode: int, what: str
) -> npt.NDArray[np.float64]:
    """The factor that `project_rows` has found, with warnings of what the other modes leave open.

    Raises
    ------
    ValueError
        For a factor that leaves the range of numbers.
    """
    rank, notes = len(weights), []
    others = [factor for n, factor in enumerate(factors) if n != mode]
    absent = weights == 0
    for factor in others:
        absent = absent | ~factor.any(axis=0)
    if absent.any():
        zero = ", ".join(map(str, np.flatnonzero(absent)))
        notes.append(f"but for this mode the model is 0 in component {zero}: so are its rows here")
    if found["dependent"]:
        present = rank - int(np.count_nonzero(absent))
        notes.append(
            "the columns of the other modes are dependent (rank "
            f"{present - found['dependent']} of {present}): of the factors that fit equally this "
            "is the one of least norm, by columns of unit norm"
        )
    elif found["condition"] > UNCERTAIN:
        notes.append(
            "the columns of the other modes are nearly dependent: errors of the data and of "
            f"rounding become up to {found['condition']:.1g} times as large"
        )
    if notes:
        warn(f"{what}: {'; '.join(notes)}")
    if found["out_of_range"] is not None:
        raise ValueError(
            f"{what}: component {found['out_of_range']}: expected a column that float64 holds, got "
            "one beyond: scale the weights or the tensor"
        )
    return np.array(found["factor"])
