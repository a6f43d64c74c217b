# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The leading left singular vectors of a sparse tensor's unfoldings, as an initial guess."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _core
from ..model import Model
from ..tensors import Tensor


def nvecs(
    X: Tensor, rank: int, bounds: Sequence[tuple[float, float]] | None = None
) -> Model:
    """A model whose factor of mode n holds the leading left singular vectors of the unfolding
    X_(n), each with its largest element positive, and weights of one. No unfolding is ever dense.

    Where `bounds` say for each mode the least and the largest that an element may be, factors that
    may not be negative have magnitudes, and what is outside becomes the bound that is next to it.

    Where there are fewer than `rank`, since a mode or what is in it has no more, the columns behind
    them are uniform random numbers, the same each time.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = nvecs(genten.tensor(np.array([[0.0, 3.0], [-4.0, 0.0]])), 2)
    >>> [abs(factor).round(6).tolist() for factor in m.factors]
    [[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]]
    """
    lower, upper = ([each[end] for each in bounds or ()] for end in (0, 1))
    _, factors = _core.nvecs_model(X._core, rank, lower, upper)
    return Model(None, factors, X.labels, X.mode_names)
