# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How close a model is to a tensor."""

from typing import Any

import numpy as np

from .protocols import Array, ModelLike, TensorLike, tucker_of

CHUNK = 1 << 16


def norm_of(tensor: TensorLike) -> float:
    """The square root of the sum of the squares of a tensor's elements."""
    known = getattr(tensor, "norm", None)  # It adds up nonzeros at the same subscripts.
    return (
        float(known)
        if known is not None
        else (float(np.linalg.norm(np.asarray(tensor.values, dtype=np.float64))))
    )


def inner_product(model: ModelLike, tensor: TensorLike) -> float:
    """The sum over nonzeros of value times model."""
    weights = np.asarray(model.weights, dtype=np.float64)
    total = 0.0
    for begin in range(0, tensor.nnz, CHUNK):
        subscripts = np.asarray(tensor.subscripts[begin : begin + CHUNK])
        products: Array = np.broadcast_to(weights, (len(subscripts), len(weights)))
        for mode, factor in enumerate(model.factors):
            products = products * factor[subscripts[:, mode]]
        total += float(products.sum(axis=1) @ tensor.values[begin : begin + CHUNK])
    return total


def fit_of(
    model: ModelLike, tensor: TensorLike, missing: Any = None, partial: Any = None
) -> tuple[float, float]:
    """The fit 1 - ||X - M|| / ||X|| and the residual norm ||X - M||: by the library where both are
    its own, else by inner products, which lose half of the digits near a fit of 1. A tensor without
    nonzeros has fit 1 if the model is zero, else minus infinity. Of CP models of the library what
    is `missing` and rows that `partial` modes lack do not count, as `Model.evaluate` takes both;
    all counts where these are None.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> column = np.array([[0.6], [0.8]])
    >>> model = SimpleNamespace(weights=np.array([5.0]), factors=[column])
    >>> tensor = SimpleNamespace(
    ...     nnz=2, subscripts=np.array([[0], [1]]), values=np.array([3.0, 4.0]))
    >>> fit_of(model, tensor)
    (1.0, 0.0)
    """
    library: Any = model
    if hasattr(model, "evaluate") and hasattr(tensor, "innerprod"):
        of_cp = {} if tucker_of(model) is not None else {
            "missing": missing or "none",
            "partial": partial or None,
        }
        found = library.evaluate(tensor, **of_cp)
        residual = float(found.all.residual_norm)
        if found.tensor_norm == 0:
            return (1.0 if residual == 0 else -np.inf), residual
        return float(found.fit), residual
    weights = np.asarray(model.weights, dtype=np.float64)
    gram = np.outer(weights, weights)
    for factor in model.factors:
        gram *= np.asarray(factor.T @ factor, dtype=np.float64)
    norm = norm_of(tensor)
    squared = norm**2 - 2 * inner_product(model, tensor) + float(gram.sum())
    residual = float(np.sqrt(max(squared, 0.0)))
    if norm == 0:
        return (1.0 if residual == 0 else -np.inf), residual
    return 1 - residual / norm, residual
