# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How well models meet tensors: errors over cells, and residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from .. import _library
from .._pyttb_names import model_elsewhere
from .._tensor.by_label import relabelled

if TYPE_CHECKING:
    from ..model import Model
    from ..result import Result


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


class Evaluated:
    """The methods of `Model` that compare it with a tensor, cell by cell."""

    def evaluate(self, X: Any) -> Evaluation:
        """Errors over the cells that a tensor lists and over all cells, in double.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Of the model's shape. Several nonzeros in one cell are added up. Where both have names
            of modes or labels of rows, they go by these; a warning names rows that the tensor
            lacks, which are zero.

        Returns
        -------
        Evaluation

        Raises
        ------
        ValueError
            For another shape, and for nonzeros in rows that the model lacks.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> found = m.evaluate(m.to_dense())
        >>> found.listed.cells, found.all.cells, found.fit, found.all.deviance
        (2, 4, 1.0, 0.0)
        """
        from ..tensors import tensor

        model = cast("Model", self)
        given = relabelled(tensor(X), model.labels, model.mode_names, what="evaluate")
        if given.dtype != np.float64:
            given = tensor(given, dtype=np.float64)
        found = _library.evaluate(given._core, *model._rows(np.float64))
        return Evaluation(
            CellErrors(**found["listed"]),
            CellErrors(**found["all"]),
            found["fit"],
            found["tensor_norm"],
        )

    def residuals(self, X: Any) -> npt.NDArray[np.float64]:
        """What the model leaves of a tensor's nonzeros: by nonzero, its value minus the model's.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Of the model's shape, with one nonzero a cell: see `Tensor.coalesce`. Modes and rows go
            by their names, as those of `evaluate` do.

        Returns
        -------
        ndarray of shape (nnz,)
            In the order of ``X.subscripts``. Cells without nonzeros, which are zero, are not among
            them: there the residual is minus the model's value.

        Raises
        ------
        ValueError
            For another shape, and where several nonzeros lie in one cell.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.residuals(np.array([[1.5, 2.0], [0.0, 3.0]]))
        array([0.5, 0. , 3. ])
        """
        from ..tensors import tensor

        model = cast("Model", self)
        given = relabelled(tensor(X), model.labels, model.mode_names, what="residuals")
        if given.shape != model.shape:
            raise ValueError(f"residuals: expected a tensor of {model.shape}, got {given.shape}")
        if given.distinct_cells != given.nnz:
            raise ValueError(
                f"residuals: {given.nnz} nonzeros lie in {given.distinct_cells} cells; "
                "coalesce() adds up those of a cell"
            )
        if given.nnz == 0:
            return np.empty(0)
        predicted = model._finite_of(_library.predict(*model._rows(check=False), given.subscripts))
        return np.asarray(given._checked().values - predicted)


def evaluate(model: Model | Result | Any, X: Any) -> Evaluation:
    """How well a model meets a tensor: errors over the cells that it lists and over all.

    Parameters
    ----------
    model : Model, a Result for its model, or a model of pyttb or TensorLy
    X : Tensor, or what `genten.tensor` takes
        Of the model's shape, such as cells that were held out.

    Returns
    -------
    Evaluation

    Raises
    ------
    TypeError
        For what has no model.
    ValueError
        For a tensor of another shape.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> found = genten.evaluate(genten.cp(X, 2, loss="poisson", seed=1), X)
    >>> found.all.deviance < 2000 < found.listed.residual_norm * 100
    True
    """
    found = model_elsewhere(getattr(model, "model", model))
    if found is None:
        raise TypeError(f"evaluate: expected a Model or a Result, got {type(model).__name__}")
    return found.evaluate(X)
