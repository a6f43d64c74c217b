# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of another shape than that of the model beside them."""

from __future__ import annotations

from typing import Any


def require_shape(X: Any, shape: tuple[int, ...], what: str, way: str = "") -> None:
    """Refuses a tensor of another shape than a model's; `way` is what else to do then."""
    if X.shape != shape:
        raise ValueError(
            f"{what}: expected a tensor of the model's shape {shape}, got one of {X.shape}"
            f"{way or _lengthened(X.shape, shape)}"
        )


def _lengthened(shape: tuple[int, ...], full: tuple[int, ...]) -> str:
    """What makes a tensor as long as the model, of one that has some of its rows.

    Examples
    --------
    >>> _lengthened((3, 2), (4, 2)).partition(" of a tensor")[0].rpartition("zeros, ")[2]
    'genten.tensor((X.subscripts, X.values, (4, 2)))'
    >>> _lengthened((5, 2), (4, 2))
    ''
    """
    if len(shape) != len(full) or any(n > most for n, most in zip(shape, full, strict=True)):
        return ""
    shorter = next(mode for mode, n in enumerate(shape) if n < full[mode])
    first = [int(mode == shorter) for mode in range(len(shape))]
    return (
        "; where its rows are the first ones of the model and the others are zeros, "
        f"genten.tensor((X.subscripts, X.values, {full})) of a tensor X, as genten.tensor(array) "
        f"is, says so, with X.subscripts + {first} where they begin at row 1 of mode {shorter}"
    )
