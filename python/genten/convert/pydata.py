# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse arrays of pydata's package `sparse`."""

from __future__ import annotations

from typing import Any

from .parts import Parts, from_arrays, loaded, refuse_hints


def accepts(data: Any) -> bool:
    """Whether `data` is one of pydata's sparse arrays."""
    sparse = loaded("sparse")
    array = getattr(sparse, "SparseArray", None)
    return array is not None and isinstance(data, array)


def to_parts(data: Any, dtype: Any = None, shape: Any = None, **hints: Any) -> Parts:
    """Takes a COO array as it is, which holds no entry twice; other formats become COO first."""
    refuse_hints("a sparse array", shape=shape, **hints)
    if data.fill_value != 0:
        raise ValueError(f"expected an array that is 0 elsewhere, got fill_value {data.fill_value}")
    coo = data.asformat("coo")
    return from_arrays(list(coo.coords), coo.data, coo.shape, dtype, distinct=True)
