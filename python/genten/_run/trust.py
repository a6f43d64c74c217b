# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How far a model can be believed: standard errors, intervals, and what is found again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ComponentStability:
    """How often a component is found again. A component counts as found in another model where the
    score of its match, without regard to weights, is at least 0.9.

    Attributes
    ----------
    starts, refits : float
        The share of starts, its own among them, and of a bootstrap's refits; NaN where there are
        not several, or none.
    unstable : bool
        Whether fewer than half of the other starts, or of the refits, find it. Not where starts
        lack it that ended at worse models alone, and half of the refits find it.
    best_starts : float
        The share of the starts that came to the least objective; NaN where fewer than three did.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> r = genten.cp(X, 2, loss="poisson", seed=1, starts=4)
    >>> [(each.starts, each.unstable) for each in r.stability]
    [(1.0, False), (1.0, False)]
    """

    starts: float
    refits: float
    unstable: bool
    best_starts: float = math.nan


@dataclass(frozen=True, eq=False)
class StandardErrors:
    """Standard errors of a model as it is normalized, from second derivatives of its likelihood.
    Those that there are none of are NaN: of fixed factors, of components that are zero, of entries
    at their bound, and where the data determine nothing.

    Attributes
    ----------
    information : {'whole', 'rows'}
        Whether all second derivatives were inverted together, or those of each row alone, as of
        models with more than 2000 numbers: too little where modes share what is uncertain.
    determined : bool
        Whether the second derivatives are positive definite: if not, the data do not determine the
        model, or the run has not reached a minimum.
    noise_variance : float
        The variance of the noise as the residuals of the loss 'gaussian' have it; 1 otherwise.
    weights : ndarray (R,)
    factors : list of ndarray (I_n, R)
    upper_limits : list of ndarray (I_n, R)
        Of entries at their bound of 0, what they hardly exceed: there the likelihood, all else
        being held, is a twentieth of what it is at 0. NaN elsewhere.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> r = genten.cp(X, 1, loss="poisson", standard_errors=True)
    >>> print(r.standard_errors.weights.round(4), round(X.values.sum() ** 0.5, 4))
    [67.2756] 67.2756
    """

    information: str
    determined: bool
    noise_variance: float
    weights: Array
    factors: list[Array]
    upper_limits: list[Array]

    def __str__(self) -> str:
        if not self.determined:
            return "none of all numbers: the data do not determine them, or there is no minimum yet"
        shown = " ".join(f"{error:.4g}" for error in self.weights[:6])
        more = f" ... ({len(self.weights)})" if len(self.weights) > 6 else ""
        by = "all together" if self.information == "whole" else "of each row alone"
        return f"of weights {shown}{more}, by second derivatives, {by}"


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals of numbers from the refits of a bootstrap that have found their component.

    Attributes
    ----------
    lower, upper : ndarray
        The quantiles of 5 % and 95 %. NaN where fewer than two refits have found the component.
    deviation : ndarray
        The standard deviation.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> found = genten.cp(X, 1, loss="poisson", bootstrap=20).bootstrap.weights
    >>> bool(found.lower[0] < found.upper[0]), bool(found.deviation[0] > 0)
    (True, True)
    """

    lower: Array
    upper: Array
    deviation: Array


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """What refits of data that were drawn again say of a model.

    Attributes
    ----------
    refits : int
        That were made.
    asked : int
        That were to be made: more, where an interruption or a time limit has ended it.
    weights : Intervals
        Of R numbers each.
    factors : list of Intervals
        Of (I_n, R) numbers each; NaN in the mode whose slices were drawn.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> r = genten.cp(X, 1, loss="poisson", bootstrap=50, seed=1)
    >>> low, high = r.bootstrap.weights.lower[0], r.bootstrap.weights.upper[0]
    >>> bool(low < 4526 < high), r.stability[0].refits
    (True, 1.0)
    """

    refits: int
    asked: int
    weights: Intervals
    factors: list[Intervals]


def _intervals(found: dict[str, Any], rank: int = 0) -> Intervals:
    return Intervals(**{name: _numbers(values, rank) for name, values in found.items()})


def _numbers(values: Sequence[float], rank: int = 0) -> Array:
    """Numbers by rows of `rank`, or R of them."""
    numbers = np.array(values, dtype=np.float64)
    return numbers.reshape(-1, rank) if rank else numbers


def trust_of(raw: dict[str, Any], shape: Sequence[int]) -> dict[str, Any]:
    """The fields of a result from the dictionary that the extension returns."""
    if not shape or "stability" not in raw:  # of processes
        return {}
    errors, refits = raw["standard_errors"], raw["bootstrap"]
    if errors is not None:
        rank = len(errors["weights"])
        errors = StandardErrors(
            **{
                **errors,
                "weights": _numbers(errors["weights"]),
                "factors": [_numbers(each, rank) for each in errors["factors"]],
                "upper_limits": [_numbers(each, rank) for each in errors["upper_limits"]],
            }
        )
    if refits is not None:
        rank = len(refits["weights"]["lower"])
        refits = Bootstrap(
            refits["refits"],
            refits["asked"],
            _intervals(refits["weights"]),
            [_intervals(each, rank) for each in refits["factors"]],
        )
    return {
        "stability": [ComponentStability(**each) for each in raw["stability"]],
        "standard_errors": errors,
        "bootstrap": refits,
    }
