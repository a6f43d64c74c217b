# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is found of new slices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False, repr=False)
class Projection:
    """What `Model.project_rows` and `Result.project_rows` return.

    Attributes
    ----------
    model : Model
        The model whose factor of the mode is the new rows, with their labels.
    rows : ndarray of shape (X.shape[mode], R)
        That factor.
    entries : ndarray
        By row, how many entries count.
    losses : ndarray
        The loss over them, without penalties; of least squares half the sum of squares, but for
        runs of the solver 'gcp'.
    explained : ndarray
        The part of what the loss could fall by that it has fallen by, from a model of 0 (gaussian,
        weighted, huber) or the best constant (other losses), towards one that may be any number at
        each entry; NaN where there is nothing to explain. Without entries that are not 0 where the
        model is, whatever the row, as a warning tells under losses of nonnegative models.
    kkt : ndarray
        How far each row is from its minimum: the largest element of the projected gradient, as a
        part of the sum of the magnitudes of its terms.
    converged : ndarray of bool
        Whether that is at most 1e-10. A loss may have no minimum.
    far_worse : ndarray of bool, or None
        With ``training=``: whether less is explained than the lower quartile of the training rows
        less three times the distance of their quartiles (at least 0.05), or than a tenth of that
        quartile, where this is more; all of these are parts of what varies, as of least squares
        the mean of a row's entries leaves it, by the median of the training rows. None of fewer
        than four training rows, or where the lower quartile is below 0.05, which a warning tells.
    options : dict
        Loss, constraints and missing entries, as they were used; `lower` is the bound that holds,
        by `nonnegative` and the loss, too.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
    >>> found = m.project_rows(np.array([[1.0, 2.0], [2.0, 4.0]]), mode=0)
    >>> found.rows.round(12).tolist(), found.explained.round(12).tolist()
    ([[1.0], [2.0]], [1.0, 1.0])
    """

    model: Any
    rows: npt.NDArray[np.float64]
    entries: npt.NDArray[np.float64]
    losses: npt.NDArray[np.float64]
    explained: npt.NDArray[np.float64]
    kkt: npt.NDArray[np.float64]
    converged: npt.NDArray[np.bool_]
    far_worse: npt.NDArray[np.bool_] | None
    options: dict[str, Any]

    def __repr__(self) -> str:
        count = len(self.rows)
        text = f"{count} {'row' if count == 1 else 'rows'}"
        if self.far_worse is not None:
            text += f", {int(self.far_worse.sum()) or 'none'} of them far worse"
        return f"<genten.Projection of {text}, in {self.model!r}>"
