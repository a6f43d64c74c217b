# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Residuals of values beside what a model says of them, under a loss."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .. import _core

_Array = npt.NDArray[np.float64]

KINDS = ("response", "pearson", "deviance")


def _of_truths(mean: _Array, parameter: float) -> _Array:
    return mean * (1 - mean)


_VARIANCES: dict[str, Callable[[_Array, float], _Array]] = {
    "gaussian": lambda mean, parameter: np.ones_like(mean),
    "poisson": lambda mean, parameter: mean,
    "poisson-log": lambda mean, parameter: mean,
    "negative-binomial": lambda mean, r: mean + mean**2 / r,
    "bernoulli-odds": _of_truths,
    "bernoulli-logit": _of_truths,
    "bernoulli-poisson": _of_truths,
    "gamma": lambda mean, parameter: mean**2,
    "rayleigh": lambda mean, parameter: (4 / math.pi - 1) * mean**2,
}
"""By loss the variance of a value of that mean, but for a factor that all entries share; of the
Rayleigh distribution of mean m its square is 4 / pi m^2. The other losses have no distribution."""


def check_kind(kind: str, loss: str | None) -> None:
    """Complains of a kind of residuals that there is not, or not under that loss.

    Raises
    ------
    ValueError
        With those that there are.
    """
    if kind not in KINDS:
        raise ValueError(f"residuals: kind: expected one of {', '.join(KINDS)}, got {kind!r}")
    if kind == "pearson" and (loss or "gaussian") not in _VARIANCES:
        raise ValueError(
            f"residuals: loss {loss!r} is of no distribution, whose variance kind='pearson' needs: "
            "kind='response' is there for all losses"
        )


def residuals_of(
    kind: str, values: _Array, models: _Array, loss: str | None, parameter: float | None
) -> _Array:
    """By entry what is left of the value where the model has these numbers."""
    name = loss or "gaussian"
    means, deviances = _core.loss_deviances(name, parameter, values, models)
    left: _Array = values - means
    if kind == "deviance":
        return np.asarray(np.copysign(np.sqrt(np.maximum(deviances, 0.0)), left))
    if kind == "pearson":
        variances = _VARIANCES[name](means, 1.0 if parameter is None else parameter)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(left == 0, 0.0, left / np.sqrt(variances))
    return left
