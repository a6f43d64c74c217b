# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What pictures and reports need of models, results and tensors."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..convert.pyttb import way_of_model

Array = npt.NDArray[np.float64]


class ModelLike(Protocol):
    """A CP model: weights (R,), one factor (I_n, R) a mode, names of rows where there are any."""

    @property
    def weights(self) -> npt.NDArray[Any]: ...

    @property
    def factors(self) -> Sequence[npt.NDArray[Any]]: ...

    @property
    def labels(self) -> Sequence[Sequence[str] | None]: ...


class ResultLike(Protocol):
    """What a decomposition returns; further fields are taken where they are there."""

    @property
    def model(self) -> ModelLike: ...

    @property
    def fit(self) -> float: ...

    @property
    def stop_reason(self) -> str: ...

    @property
    def iterations(self) -> int: ...

    @property
    def history(self) -> Any: ...

    @property
    def starts(self) -> Sequence[Any]: ...

    @property
    def best_start(self) -> int: ...


class TensorLike(Protocol):
    """A sparse tensor: its lengths, its nonzeros (subscripts (nnz, N), values (nnz,))."""

    @property
    def shape(self) -> Sequence[int]: ...

    @property
    def nnz(self) -> int: ...

    @property
    def subscripts(self) -> npt.NDArray[Any]: ...

    @property
    def values(self) -> npt.NDArray[Any]: ...


def value_of(record: Any, name: str, default: Any = None) -> Any:
    """The field `name` of a mapping or an object, `default` where it is absent or None."""
    found = record.get(name) if isinstance(record, Mapping) else getattr(record, name, None)
    return default if found is None else found


def column_of(history: Any, name: str) -> Array:
    """A column of a history as doubles; empty where the history lacks it."""
    return np.asarray(value_of(history, name, ()), dtype=np.float64)


def relative_change(objective: Array) -> Array:
    """By which part of it each iteration has changed the objective; NaN for the first.

    Examples
    --------
    >>> relative_change(np.array([4.0, 2.0])).tolist()
    [nan, 1.0]
    """
    change = np.full(len(objective), np.nan)
    sizes = np.abs(objective[1:])
    np.divide(np.abs(np.diff(objective)), sizes, out=change[1:], where=sizes > 0)
    return change


def fitted(source: Any, what: str) -> Any:
    """The result of a fitted estimator that `what`, a function, was given; anything else as it is.

    Raises
    ------
    ValueError
        For an estimator that is not fitted: scikit-learn's NotFittedError, where that is there.
    """
    result_of = getattr(type(source), "_result_of_fit", None)
    return source if result_of is None else result_of(source, what)


def tucker_of(source: Any) -> Any:
    """A Tucker model, or that of a result; None for anything else."""
    model = source if hasattr(source, "factors") else getattr(source, "model", None)
    return model if hasattr(model, "factors") and hasattr(model, "core") else None


def model_of(source: Any) -> Any:
    """A model, or that of a result.

    Raises
    ------
    TypeError
        For what is neither.
    ValueError
        For the result of a rank that has no model.
    """
    model = source if hasattr(source, "factors") else getattr(source, "model", None)
    if hasattr(model, "factors") and hasattr(model, "weights"):
        return model
    if model is None and getattr(source, "ranks", None) is not None:
        raise ValueError(
            "expected a result with its model, which process 0 has, got another process's"
        )
    kind = type(source).__name__
    raise TypeError(f"expected a Model or a Result, got {kind}{way_of_model(source)}")
