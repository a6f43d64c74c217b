# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What was recorded of each iteration."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class _Column:
    """A column of a history as an attribute."""

    def __init__(self, meaning: str) -> None:
        self.__doc__ = meaning

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, history: History | None, kind: type) -> npt.NDArray[Any]:
        return self if history is None else history[self._name]  # type: ignore[return-value]

    def __set__(self, history: History, column: Any) -> None:
        raise AttributeError(f"{self._name}: columns of a history cannot be set")


class History(dict[str, npt.NDArray[Any]]):
    """One entry an iteration, as arrays of one length: a dictionary of columns, which are
    attributes, too. As of a table, its length is that of the columns.

    Attributes
    ----------
    iteration : ndarray of int
        Counted from 1.
    fit, fit_change, residual : ndarray of float
        1 - ||X - M|| / ||X||, what it has gained, and ||X - M||; NaN where the model's values are
        no means, as logarithms of odds.
    objective : ndarray of float
        What is minimized: 1/2 ||X - M||^2 and penalties.
    kkt_violation : ndarray of float
        How far the factors were from a point where no element alone would change, as a part of
        ||X||; NaN where no mode has bounds or an l1 penalty.
    holdout_rmse, holdout_mae : ndarray of float
        Errors over held-out entries, the root of the mean square and the mean magnitude; NaN where
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

    def __init__(self, **columns: npt.NDArray[Any]) -> None:
        super().__init__(columns)

    iteration = _Column("The numbers of the iterations, from 1.")
    fit = _Column("The fit after each one.")
    fit_change = _Column("What each one has gained.")
    residual = _Column("The norm of the residual after each one.")
    objective = _Column("What was minimized, after each one.")
    kkt_violation = _Column("How far each began from a point where no element alone would change.")
    holdout_rmse = _Column("The root of the mean square of held-out errors after each one.")
    holdout_mae = _Column("Their mean magnitude after each one.")
    seconds = _Column("The time since the start began.")

    def __len__(self) -> int:
        return len(self.iteration)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __repr__(self) -> str:
        has_fit = len(self) and not np.isnan(self.fit[-1])
        last = f", last fit {self.fit[-1]:.6f}" if has_fit else ""
        if len(self) and not has_fit:
            last = f", last objective {self.objective[-1]:.9g}"
        if len(self) and np.isfinite(self.holdout_rmse).any():
            last += f", least held-out RMSE {np.nanmin(self.holdout_rmse):.6g}"
        return f"<genten.History of {len(self)} iterations{last}>"


def history_of(columns: dict[str, Any]) -> History:
    """The history of the columns that the extension returns."""
    return History(**{"residual" if n == "residual_norm" else n: c for n, c in columns.items()})
