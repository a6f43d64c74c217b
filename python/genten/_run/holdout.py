# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors over entries that were held out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Holdout:
    """Errors of a model over entries that were held out of the fit.

    Attributes
    ----------
    rmse : float
        The root of the mean square.
    mae : float
        The mean magnitude.
    entries : int
        How many they are.

    Examples
    --------
    >>> import genten, numpy as np
    >>> X = genten.tensor(np.add.outer([1.0, 2, 3, 4], [1.0, 3, 4]))
    >>> r = genten.cp(X, 2, missing="unlisted", holdout=0.2)
    >>> r.holdout.entries + r.completion["entries"] == X.nnz, r.holdout.mae <= r.holdout.rmse
    (True, True)
    >>> genten.cp(X, 2).holdout is None
    True
    """

    rmse: float
    mae: float
    entries: int

    def __str__(self) -> str:
        noun = "entry" if self.entries == 1 else "entries"
        return f"RMSE {self.rmse:.6g}, MAE {self.mae:.6g} over {self.entries} {noun}"
