# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How far a model can be believed, as pictures and reports say it."""

import math
from typing import Any

import numpy as np

from .protocols import Array, value_of

WITHIN = 1.6448536269514722
"""Standard errors on either side of a number that hold it with a probability of 90 %."""


def whiskers_of(source: Any, mode: int) -> Array | None:
    """How far below and above the elements of a factor their intervals of 90 % reach, (2, I, R): a
    bootstrap's, or those of standard errors; 0 where nothing is known, None where that is all."""
    factor = np.asarray(value_of(source, "model", source).factors[mode], dtype=np.float64)
    refits = value_of(value_of(source, "bootstrap", {}), "factors")
    if isinstance(refits, dict):  # as the tool has recorded them
        found = {name: refits[name][mode] for name in ("lower", "upper")}
    elif refits is not None:
        found = refits[mode]
    else:
        errors = value_of(value_of(source, "standard_errors", {}), "factors")
        if errors is None:
            return None
        reach = np.nan_to_num(WITHIN * np.asarray(errors[mode], dtype=np.float64))
        return np.stack([reach, reach])
    lower = np.asarray(value_of(found, "lower"), dtype=np.float64)
    upper = np.asarray(value_of(found, "upper"), dtype=np.float64)
    # The interval need not hold the number itself.
    return np.stack([np.nan_to_num(factor - lower), np.nan_to_num(upper - factor)]).clip(0.0)


def is_unstable(source: Any, r: int) -> bool:
    """Whether fewer than half of the other starts, or of the refits, have found a component."""
    stability = value_of(source, "stability", [])
    return bool(stability) and bool(value_of(stability[r], "unstable", False))


def belief_in(source: Any, r: int) -> str:
    """Sentences on how much of a component to believe; empty where nothing is known.

    Examples
    --------
    >>> result = {"stability": [{"starts": 0.25, "refits": None, "unstable": True}]}
    >>> belief_in(result, 0)
    'Found in 25% of the starts: do not build on it.'
    """
    parts = []
    stability = value_of(source, "stability", [])
    if stability:
        found = []
        for name in ("starts", "refits"):
            share = float(value_of(stability[r], name, math.nan))
            if not math.isnan(share):
                found.append(f"{share:.0%} of the {name}")
        warning = ": do not build on it" if is_unstable(source, r) else ""
        parts += [f"Found in {' and '.join(found)}{warning}."] if found else []
    errors = value_of(source, "standard_errors")
    if errors is not None:
        error = value_of(errors, "weights")[r]
        weight = float(value_of(source, "model").weights[r])
        if error is None or math.isnan(error):
            parts.append("Nothing is known of how certain its weight is.")
        elif weight:
            parts.append(
                f"Standard error of the weight {error:.3g}, {abs(error / weight):.1%} of it."
            )
    return " ".join(parts)
