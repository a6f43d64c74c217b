# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors of PyTorch."""

from __future__ import annotations

from typing import Any

from .parts import Parts, from_arrays, loaded, refuse_hints


def accepts(data: Any) -> bool:
    """Whether `data` is a sparse tensor of PyTorch; dense ones are for the module `dense`."""
    torch = loaded("torch")
    return torch is not None and isinstance(data, torch.Tensor) and data.layout != torch.strided


def to_parts(data: Any, dtype: Any = None, shape: Any = None, **hints: Any) -> Parts:
    """Takes indices and values of a COO tensor, from wherever they lie; duplicates mean their
    sum, in PyTorch as here."""
    refuse_hints("a PyTorch tensor", shape=shape, **hints)
    torch = loaded("torch")
    coo = data.detach()
    if coo.layout != torch.sparse_coo:
        coo = coo.to_sparse_coo()
    if coo.dense_dim() != 0:
        raise ValueError(f"expected a tensor without dense dimensions, got {coo.dense_dim()}")
    indices = coo._indices().cpu().numpy()
    values, distinct = coo._values().cpu().numpy(), bool(coo.is_coalesced())
    return from_arrays(list(indices), values, tuple(coo.shape), dtype, distinct)
