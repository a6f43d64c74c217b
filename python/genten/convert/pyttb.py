# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors of pyttb."""

from __future__ import annotations

from typing import Any

import numpy as np

from .parts import Parts, from_arrays, loaded, refuse_hints


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
