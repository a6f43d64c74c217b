# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of new slices for a model whose other factors stay, under a loss and constraints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _library
from ._input import tensor
from ._missing import UNLISTED, missing_cells
from ._model.ktensor import Ktensor
from ._model.projection import checked_rows
from ._names.labels import checked_mode
from .convert.parts import warn
from .tensors import Tensor, relabelled


@dataclass(frozen=True, eq=False)
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
        each entry; NaN where there is nothing to explain.
    kkt : ndarray
        How far each row is from its minimum: the largest element of the projected gradient, as a
        part of the sum of the magnitudes of its terms.
    converged : ndarray of bool
        Whether that is at most 1e-10. A loss may have no minimum.
    far_worse : ndarray of bool, or None
        With ``training=``: whether less is explained than the lower quartile of the training rows
        less three times the distance of their quartiles (at least 0.05).
    options : dict
        Loss, constraints and missing entries, as they were used.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
    >>> found = m.project_rows(np.array([[1.0, 2.0], [2.0, 4.0]]), mode=0)
    >>> found.rows.round(12).tolist(), found.explained.round(12).tolist()
    ([[1.0], [2.0]], [1.0, 1.0])
    """

    model: Any
    rows: npt.NDArray[np.float64] = field(repr=False)
    entries: npt.NDArray[np.float64] = field(repr=False)
    losses: npt.NDArray[np.float64] = field(repr=False)
    explained: npt.NDArray[np.float64] = field(repr=False)
    kkt: npt.NDArray[np.float64] = field(repr=False)
    converged: npt.NDArray[np.bool_] = field(repr=False)
    far_worse: npt.NDArray[np.bool_] | None = field(repr=False)
    options: dict[str, Any] = field(repr=False)


def slices_of(model: Ktensor, X: Any, mode: int, what: str) -> Tensor:
    """A tensor with the model's rows in every mode but one.

    Raises
    ------
    ValueError
        For another shape.
    """
    given = relabelled(tensor(X), model.labels, model.mode_names, but=mode, what=what)
    lengths = [n for k, n in enumerate(given.shape) if k != mode]
    if given.ndim != model.ndim or lengths != [n for k, n in enumerate(model.shape) if k != mode]:
        raise ValueError(
            f"{what}: expected a tensor of shape {model.shape} but for mode {mode}, got "
            f"{given.shape}"
        )
    return given


def solve_rows(model: Ktensor, given: Tensor, mode: int, options: dict[str, Any]) -> Any:
    """What the extension finds for slices that have the model's rows."""
    given = tensor(given, dtype=np.float64)._checked()
    missing = options["missing"]
    cells = None if missing is None else missing_cells(missing, given)
    weights, factors = model._rows(np.float64)
    asked = {
        **options,
        "unlisted": isinstance(missing, str) and missing == UNLISTED,
        "lower": max(options["lower"], 0.0) if options["nonnegative"] else options["lower"],
    }
    if model.ndim == 1:  # The sum of all components is all that there is: a mode of length one.
        factors = [*factors, np.ones((1, model.rank))]
        cells = None if cells is None else _with_a_mode(cells)
        given = _with_a_mode(given)
    core, listed = given._core, None
    if cells is not None:
        # One type of subscripts for both.
        core = _core_of(given.subscripts, given.values, given.shape)
        listed = _core_of(cells.subscripts, np.ones(cells.nnz), given.shape)
    return _library.project_rows(core, weights, factors, mode, asked, listed)


def _core_of(subscripts: npt.NDArray[Any], values: Any, shape: tuple[int, ...]) -> Any:
    return _library.tensor_from_matrix(subscripts.astype(np.int64), values, list(shape), False)


def _with_a_mode(given: Tensor) -> Tensor:
    subscripts = np.column_stack([given.subscripts, np.zeros(given.nnz, dtype=np.int64)])
    return tensor((subscripts, given.values, (*given.shape, 1)))._checked()


def project_slices(
    model: Ktensor,
    X: Any,
    mode: int | str,
    options: dict[str, Any],
    training: Any,
    missing_in_training: Any = None,
) -> Projection:
    """The projection of new slices, all options being given."""
    at = checked_mode(mode, model.ndim, model.mode_names)
    given = slices_of(model, X, at, "project_rows")
    found = solve_rows(model, given, at, options)
    columns = np.array(found["rows"], dtype=np.float64).reshape(-1, 5).T
    far_worse = None
    if training is not None:
        own = dict(options)
        if not isinstance(own["missing"], str):
            own["missing"] = missing_in_training
        usual = solve_rows(model, slices_of(model, training, at, "project_rows"), at, own)
        fence = _library.far_worse_than([row[2] for row in usual["rows"]])
        with np.errstate(invalid="ignore"):
            far_worse = columns[2] < fence
    rows = checked_rows(found, *model._checked(), at, "project_rows")
    factors = [rows if n == at else factor for n, factor in enumerate(model.factors)]
    labels = [given.labels[n] if n == at else names for n, names in enumerate(model.labels)]
    found_model = type(model)(model.weights, factors, labels, model.mode_names)
    converged = columns[4] != 0
    if not converged.all():
        warn(
            f"project_rows: {int((~converged).sum())} rows have not reached their minimum, or have "
            "none, as where all entries are 0 or all are 1: a ridge gives them one"
        )
    return Projection(
        found_model._of_run((options["loss"], options["loss_parameter"])),
        rows,
        columns[0],
        columns[1],
        columns[2],
        columns[3],
        converged,
        far_worse,
        options,
    )


def options_from(
    loss: str | None,
    loss_parameter: float | None = None,
    nonnegative: bool = False,
    ridge: float = 0.0,
    l1: float = 0.0,
    lower: float = -np.inf,
    upper: float = np.inf,
    missing: Any = None,
) -> dict[str, Any]:
    """Those of `project_rows`, of a model whose elements are as they are."""
    loss = loss or "gaussian"
    return {
        "loss": loss,
        "loss_parameter": loss_parameter,
        "nonnegative": nonnegative,
        "ridge": float(ridge),
        "l1": float(l1),
        "lower": float(lower),
        "upper": float(upper),
        "missing": missing,
        "loss_factor": 0.5 if loss == "gaussian" else 1.0,
        "scales": [],
    }


def constraints_of_run(
    run: dict[str, Any], modes: int
) -> list[tuple[float, float, float, float]]:
    """Ridge, l1, lower and upper bound of each mode."""

    def number(name: str, n: int, otherwise: float) -> float:
        numbers = run.get(name)
        if numbers is None or np.size(numbers) == 0:
            return otherwise
        each = np.atleast_1d(np.asarray(numbers, dtype=np.float64))
        return float(each[0 if len(each) == 1 else n])

    def constraint(n: int) -> tuple[float, float, float, float]:
        chosen = run.get("nonnegative")
        is_all = chosen is True or (isinstance(chosen, str) and chosen == "all")
        names = [] if chosen is None or isinstance(chosen, (bool, str)) else list(chosen)
        lower = number("lower", n, -np.inf)
        if is_all or n in names:
            lower = max(lower, 0.0)
        return number("ridge", n, 0.0), number("l1", n, 0.0), lower, number("upper", n, np.inf)

    return [constraint(n) for n in range(modes)]


def options_of_run(model: Ktensor, run: dict[str, Any], mode: int) -> dict[str, Any]:
    """Those of the run that made a model."""
    every = constraints_of_run(run, model.ndim)
    ridge, l1, lower, upper = every[mode]
    loss = run.get("loss") or "gaussian"
    missing = run.get("missing")
    options = options_from(
        loss,
        run.get("loss_parameter"),
        ridge=ridge,
        l1=l1,
        lower=lower,
        upper=upper,
        missing=missing if isinstance(missing, str) else None,
    )
    if run.get("solver") == "gcp":
        options["loss_factor"] = 1.0
    weights, factors = model._rows(np.float64)
    options["scales"] = _library.column_scales(weights, factors, mode, [list(c) for c in every])
    return options
