# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What was recorded of each iteration."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class History(dict[str, npt.NDArray[Any]]):
    """One entry an iteration, as arrays of one length: a dictionary of columns, which are
    attributes, too. As of a table, its length is that of the columns.

    Attributes
    ----------
    iteration : ndarray of int
        Counted from 1.
    fit, fit_change, residual : ndarray of float
        1 - ||X - M|| / ||X||, what it has gained, and ||X - M||.
    objective : ndarray of float
        What is minimized: 1/2 ||X - M||^2 and penalties.
    kkt_violation : ndarray of float
        How far the factors were from a point where no element alone would change, as a part of
        ||X||; NaN where no mode has bounds or an l1 penalty.
    holdout_rmse, holdout_mae : ndarray of float
        Errors over held-out cells, the root of the mean square and the mean magnitude; NaN where
        none are held out.
    seconds : ndarray of float
        The time since the start began.

    Examples
    --------
    >>> import genten
    >>> history = genten.cp(genten.read("data/titanic/titanic.tns"), 2).history
    >>> list(history)
    ['iteration', 'fit', 'fit_change', 'residual', 'objective', 'kkt_violation', 'holdout_rmse', \
'holdout_mae', 'seconds']
    >>> history["fit"] is history.fit, len(history) == len(history.fit)
    (True, True)
    """

    def __init__(
        self,
        iteration: npt.NDArray[np.int64],
        fit: npt.NDArray[np.float64],
        fit_change: npt.NDArray[np.float64],
        residual: npt.NDArray[np.float64],
        objective: npt.NDArray[np.float64],
        kkt_violation: npt.NDArray[np.float64],
        holdout_rmse: npt.NDArray[np.float64],
        holdout_mae: npt.NDArray[np.float64],
        seconds: npt.NDArray[np.float64],
    ) -> None:
        super().__init__(
            iteration=iteration,
            fit=fit,
            fit_change=fit_change,
            residual=residual,
            objective=objective,
            kkt_violation=kkt_violation,
            holdout_rmse=holdout_rmse,
            holdout_mae=holdout_mae,
            seconds=seconds,
        )

    @property
    def iteration(self) -> npt.NDArray[np.int64]:
        """The numbers of the iterations, from 1."""
        return self["iteration"]

    @property
    def fit(self) -> npt.NDArray[np.float64]:
        """The fit after each one."""
        return self["fit"]

    @property
    def fit_change(self) -> npt.NDArray[np.float64]:
        """What each one has gained."""
        return self["fit_change"]

    @property
    def residual(self) -> npt.NDArray[np.float64]:
        """The norm of the residual after each one."""
        return self["residual"]

    @property
    def objective(self) -> npt.NDArray[np.float64]:
        """What was minimized, after each one."""
        return self["objective"]

    @property
    def kkt_violation(self) -> npt.NDArray[np.float64]:
        """How far each one began from a point where no element alone would change."""
        return self["kkt_violation"]

    @property
    def holdout_rmse(self) -> npt.NDArray[np.float64]:
        """The root of the mean square of the errors over held-out cells, after each one."""
        return self["holdout_rmse"]

    @property
    def holdout_mae(self) -> npt.NDArray[np.float64]:
        """Their mean magnitude, after each one."""
        return self["holdout_mae"]

    @property
    def seconds(self) -> npt.NDArray[np.float64]:
        """The time since the start began."""
        return self["seconds"]

    def __len__(self) -> int:
        return len(self.iteration)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __repr__(self) -> str:
        last = f", last fit {self.fit[-1]:.6f}" if len(self) else ""
        if len(self) and np.isfinite(self.holdout_rmse).any():
            last += f", least held-out RMSE {np.nanmin(self.holdout_rmse):.6g}"
        return f"<genten.History of {len(self)} iterations{last}>"
