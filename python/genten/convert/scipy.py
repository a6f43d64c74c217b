# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's sparse arrays and matrices, and CuPy's, which are like them."""

from __future__ import annotations

from typing import Any

from .parts import Parts, from_arrays, loaded, refuse_hints


def _is_cupy(data: Any) -> bool:
    return type(data).__module__.startswith("cupyx.scipy.sparse")


def accepts(data: Any) -> bool:
    """Whether `data` is a sparse array or matrix of SciPy's or CuPy's."""
    sparse = loaded("scipy.sparse")
    return _is_cupy(data) or (sparse is not None and bool(sparse.issparse(data)))


def to_parts(data: Any, dtype: Any = None, shape: Any = None, **hints: Any) -> Parts:
    """Takes a `coo_array` of any order as it is; other formats become COO first."""
    refuse_hints("a sparse array", shape=shape, **hints)
    if _is_cupy(data):
        data = data.get()
    coo = data.tocoo()
    coords = coo.coords if hasattr(coo, "coords") else (coo.row, coo.col)
    distinct = bool(getattr(coo, "has_canonical_format", False))
    return from_arrays(list(coords), coo.data, coo.shape, dtype, distinct)
