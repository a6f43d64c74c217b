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
    fit, fit_change, residual, seconds : ndarray of float
        1 - ||X - M|| / ||X||, what it has gained, ||X - M||, and the time since the start began.

    Examples
    --------
    >>> import genten
    >>> history = genten.cp(genten.read("data/titanic/titanic.tns"), 2).history
    >>> list(history)
    ['iteration', 'fit', 'fit_change', 'residual', 'seconds']
    >>> history["fit"] is history.fit, len(history) == len(history.fit)
    (True, True)
    """

    def __init__(
        self,
        iteration: npt.NDArray[np.int64],
        fit: npt.NDArray[np.float64],
        fit_change: npt.NDArray[np.float64],
        residual: npt.NDArray[np.float64],
        seconds: npt.NDArray[np.float64],
    ) -> None:
        super().__init__(
            iteration=iteration, fit=fit, fit_change=fit_change, residual=residual, seconds=seconds
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
        return f"<genten.History of {len(self)} iterations{last}>"
