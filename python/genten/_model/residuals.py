# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Residuals of values beside what a model says of them, under a loss."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import _core

_Array = npt.NDArray[np.float64]

KINDS = ("response", "pearson", "deviance")


def check_kind(kind: str, loss: str | None) -> None:
    """Complains of a kind of residuals that there is not, or not under that loss.

    Raises
    ------
    ValueError
        With those that there are.
    """
    if kind not in KINDS:
        raise ValueError(f"residuals: kind: expected one of {', '.join(KINDS)}, got {kind!r}")
    if kind == "pearson" and not _core.has_variance(loss or "gaussian"):
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
        variances = _core.loss_variances(name, parameter, means)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(left == 0, 0.0, left / np.sqrt(variances))
    return left
