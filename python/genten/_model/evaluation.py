# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How well models meet tensors: errors over cells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CellErrors:
    """Errors of a model over some cells.

    Attributes
    ----------
    cells : int
        How many they are.
    residual_norm : float
        The root of the sum of (x - m)^2.
    rmse, mae : float
        The root of the mean square and the mean magnitude; NaN where there are no cells, and `mae`
        also where it is not known.
    log_likelihood, deviance : float
        Of counts x with the model's values m for their means, Poisson's: the sum of
        x log m - m - log x!, and twice the sum of x log(x / m) - x + m. NaN where numbers are
        negative that must not be.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
    >>> m.evaluate(genten.tensor(np.array([[2.0, 2.0], [0.0, 0.0]]))).listed.rmse ** 2
    0.5000000000000001
    """

    cells: int
    residual_norm: float
    rmse: float
    mae: float
    log_likelihood: float
    deviance: float


@dataclass(frozen=True)
class Evaluation:
    """How well a model meets a tensor: what `genten evaluate` prints.

    Attributes
    ----------
    listed : CellErrors
        Over the cells in which the tensor has nonzeros, explicit zeros among them.
    all : CellErrors
        Over all cells, those without nonzeros being zero. `mae`, `log_likelihood` and `deviance`
        are NaN for a model with negative numbers.
    fit : float
        1 - ||X - M|| / ||X|| over all cells; NaN of a tensor of zeros.
    tensor_norm : float
        ||X||.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> found = genten.evaluate(genten.cp(X, 2, seed=1), X)
    >>> found.listed.cells, found.all.cells, round(found.fit, 4)
    (24, 32, 0.8903)
    """

    listed: CellErrors
    all: CellErrors
    fit: float
    tensor_norm: float
