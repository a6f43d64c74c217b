# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a callback sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..convert.parts import AnyArray
from ..model import Model


@dataclass(frozen=True)
class Iteration:
    """What a callback sees after an iteration.

    Attributes
    ----------
    start : int
        Which of several starts, from 0.
    iteration : int
        Counted from 1.
    fit, fit_change, residual, objective, kkt_violation, holdout_rmse, holdout_mae, seconds : float
        As in `History`.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> fits = []
    >>> r = genten.cp(X, 2, callback=lambda it: fits.append(it.fit))
    >>> fits == list(r.history.fit)
    True
    """

    start: int
    iteration: int
    fit: float
    fit_change: float
    residual: float
    objective: float
    kkt_violation: float
    holdout_rmse: float
    holdout_mae: float
    seconds: float
    _make_model: Callable[[], tuple[AnyArray, list[AnyArray]]] = field(repr=False)
    _labels: Any = field(repr=False)
    _mode_names: Any = field(repr=False)
    _kind: Any = field(default=Model, repr=False)

    def model(self) -> Model | Any:
        """The model that the run would return if it ended here; costs a copy of all factors.

        Returns
        -------
        Model, or TuckerModel of a run of `genten.tucker`
            With the tensor's labels and names of modes.

        Raises
        ------
        RuntimeError
            After the callback has returned.

        Examples
        --------
        >>> import genten
        >>> X, heaviest = genten.read("data/titanic/titanic.tns"), []
        >>> def look(iteration):
        ...     heaviest.append(iteration.model().weights[0])
        >>> r = genten.cp(X, 2, callback=look)
        >>> bool(heaviest[-1] == r.model.weights[0])
        True
        """
        return self._kind(*self._make_model(), self._labels, self._mode_names)
