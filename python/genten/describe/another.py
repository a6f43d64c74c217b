# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a tensor is the one that a run has decomposed."""

import math
from typing import Any

from .fits import fit_of, norm_of
from .goals import completion_of, goes_by_fit
from .protocols import TensorLike, value_of

NEAR = 1e-5
"""By which part norms may differ, of which one was computed in float32 or written in few digits."""
NEAR_FIT = 1e-3
"""By how much fits may differ, for the same reasons."""


def record_of(result: Any) -> Any:
    """What a result says of its tensor: the tool's record does, and what `genten.cp` returns."""
    return value_of(result, "tensor") or value_of(result, "tensor_facts", {})


def refuse_another(tensor: TensorLike, model: Any, result: Any, what: str) -> None:
    """Complains of a tensor that is not the run's, by what its result says: the norm, and of least
    squares the model's fit, which other entries with the same values do not have. Where entries are
    missing or held out, the norm of the run is of the others, and nothing is compared.

    Raises
    ------
    ValueError
        With both numbers.
    """
    norm, options = value_of(record_of(result), "norm"), value_of(result, "options", {})
    in_part = value_of(options, "missing") is not None or completion_of(result) is not None
    if norm is None or in_part or value_of(result, "holdout") is not None:
        return
    told, own = f"{what}: expected that of the run, ", norm_of(tensor)
    if not math.isclose(norm, own, rel_tol=NEAR):
        raise ValueError(f"{told}of norm {norm:.6g}, got one of norm {own:.6g}")
    fit = value_of(result, "fit")
    if fit is None or not goes_by_fit(result):
        return
    found = fit_of(model, tensor)[0]
    if found != fit and not abs(found - fit) <= NEAR_FIT:
        raise ValueError(
            f"{told}in which the model's fit is {fit:.6g}, got one in which it is {found:.6g}"
        )
