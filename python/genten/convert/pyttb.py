# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of pyttb, and what makes models of its models."""

from __future__ import annotations

from typing import Any

import numpy as np

from .parts import Parts, from_arrays, loaded, refuse_hints


MODELS = {
    "ktensor": "genten.Model(it.weights, it.factor_matrices) is a model of it",
    "ttensor": "genten.TuckerModel(it.core, it.factor_matrices) is a model of it",
}
"""What is told of them, by how their types are called."""


def way_of_model(data: Any) -> str:
    """What makes a model of one of pyttb's, to end a message; "" of other things.

    Examples
    --------
    >>> way_of_model(3)
    ''
    """
    way = MODELS.get(type(data).__name__)
    return f"; {way}" if way else ""


def accepts(data: Any) -> bool:
    """Whether `data` is a `pyttb.sptensor` or a dense `pyttb.tensor`."""
    pyttb = loaded("pyttb")
    return pyttb is not None and isinstance(data, (pyttb.sptensor, pyttb.tensor))


def array_of(data: Any) -> Any:
    """The array of a dense `pyttb.tensor`; other data as they are."""
    pyttb = loaded("pyttb")
    is_dense = pyttb is not None and isinstance(data, pyttb.tensor)
    return np.asarray(data.data) if is_dense else data


def to_parts(data: Any, dtype: Any = None, shape: Any = None, **hints: Any) -> Parts:
    """Takes subscripts and values of a `sptensor` as they are."""
    refuse_hints("a pyttb tensor", shape=shape, **hints)
    pyttb = loaded("pyttb")
    if isinstance(data, pyttb.tensor):
        from . import dense

        return dense.to_parts(data.data, dtype=dtype, name="X.data")
    order = len(data.shape)
    if data.nnz == 0:
        return from_arrays(np.empty((0, order), np.int64), np.empty(0), data.shape, dtype)
    return from_arrays(data.subs, data.vals, data.shape, dtype)
