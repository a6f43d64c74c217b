# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The leading left singular vectors of a sparse tensor's unfoldings, as an initial guess."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _library
from ..convert.duplicates import first_of_groups
from ..convert.parts import AnyArray
from ..model import Model
from ..tensors import Tensor

_Doubles = npt.NDArray[np.float64]

MOST_DENSE = 256
"""Rows of a Gram matrix up to which all its eigenvectors are computed at once."""
RELATIVE_RANK = 1e-12
"""Eigenvalues of a Gram matrix below this part of the largest one are those of rounding."""


def _groups(columns: list[AnyArray]) -> tuple[AnyArray, int]:
    """The same number for equal rows of these columns, and how many numbers there are."""
    order = np.lexsort(columns[::-1])
    new = first_of_groups([column[order] for column in columns])
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(new) - 1
    return numbers, int(np.count_nonzero(new))


def _unfolding(X: Tensor, mode: int) -> tuple[AnyArray, Any]:
    """The rows of the mode that have nonzeros, and those of the unfolding X_(n), as a sparse matrix
    without empty columns: its left singular vectors are the same, whatever their order."""
    from scipy.sparse import csr_array

    subscripts = X.subscripts.astype(np.int64)
    rows, places = np.unique(subscripts[:, mode], return_inverse=True)
    others = [subscripts[:, n] for n in range(X.ndim) if n != mode]
    columns, count = _groups(others) if others else (np.zeros(X.nnz, np.int64), int(X.nnz > 0))
    values = X.values.astype(np.float64)
    # No square of a value may leave the range of numbers.
    values /= np.abs(values).max(initial=0.0) or 1.0
    return rows, csr_array((values, (places.reshape(-1), columns)), shape=(len(rows), count))


def _largest(gram: _Doubles, count: int) -> tuple[_Doubles, _Doubles]:
    """The largest eigenvalues of a symmetric matrix, descending, and their vectors."""
    values, vectors = np.linalg.eigh(gram)
    return values[::-1][:count], vectors[:, ::-1][:, :count]


def _by_lanczos(matrix: Any, count: int, seed_vector: _Doubles) -> tuple[_Doubles, _Doubles]:
    """The largest eigenvalues of X X^T, descending, and their vectors, of products with X alone."""
    from scipy.sparse.linalg import aslinearoperator, eigsh

    operator = aslinearoperator(matrix) @ aslinearoperator(matrix.T.tocsr())
    # Later SciPys draw new vectors where the Krylov space ends: the same ones each time.
    more: dict[str, Any] = {"rng": 1} if "rng" in inspect.signature(eigsh).parameters else {}
    values, vectors = eigsh(operator, k=count, which="LA", v0=seed_vector, **more)
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _leading(matrix: Any, count: int, seed_vector: _Doubles) -> _Doubles:
    """Left singular vectors of the largest singular values, as many as there are, up to `count`."""
    rows, columns = matrix.shape
    count = min(count, rows, columns)
    if rows <= max(MOST_DENSE, count + 1):
        values, vectors = _largest((matrix @ matrix.T).toarray(), count)
    elif columns <= max(MOST_DENSE, count + 1):  # The right ones first.
        values, right = _largest((matrix.T @ matrix).toarray(), count)
        vectors = matrix @ right
    else:
        values, vectors = _by_lanczos(matrix, count, seed_vector)
    good = values > RELATIVE_RANK * values[:1].max(initial=0.0)
    vectors = vectors[:, good]
    return np.asarray(vectors / np.linalg.norm(vectors, axis=0))


def _with_signs(vectors: _Doubles) -> _Doubles:
    """Columns whose first element of the largest magnitude is positive."""
    largest = np.argmax(np.abs(vectors), axis=0)
    signs = np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return np.asarray(vectors * signs)


def nvecs(
    X: Tensor, rank: int, bounds: Sequence[tuple[float, float]] | None = None
) -> Model:
    """A model whose factor of mode n holds the leading left singular vectors of the unfolding
    X_(n), each with its largest element positive, and weights of one. No unfolding is ever dense.

    Where `bounds` say for each mode the least and the largest that an element may be, factors that
    may not be negative have magnitudes, and what is outside becomes the bound that is next to it.

    Where there are fewer than `rank`, since a mode or what is in it has no more, the columns behind
    them are uniform random numbers, the same each time.

    Raises
    ------
    ImportError
        Without SciPy.

    Examples
    --------
    >>> import genten
    >>> m = nvecs(genten.tensor(np.array([[0.0, 3.0], [-4.0, 0.0]])), 2)
    >>> [abs(factor).tolist() for factor in m.factors]
    [[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]]
    """
    try:
        import scipy.sparse.linalg  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "init='nvecs' needs SciPy: pip install \"genten[scipy]\", or pip install scipy"
        ) from error
    distinct = X.coalesce()
    random = _library.random_model(list(X.shape), rank, 1, "uniform")[1]
    factors = []
    for mode in range(X.ndim):
        rows, matrix = _unfolding(distinct, mode)
        factor = np.array(random[mode])
        if len(rows):
            vectors = _with_signs(_leading(matrix, rank, factor[rows, 0]))
            factor[:, : vectors.shape[1]] = 0.0
            factor[rows, : vectors.shape[1]] = vectors
        low, high = (-np.inf, np.inf) if bounds is None else bounds[mode]
        factors.append(np.clip(np.abs(factor) if low >= 0 else factor, low, high))
    return Model(None, factors)
