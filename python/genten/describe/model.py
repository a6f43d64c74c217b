# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names, order and strongest rows of a model."""

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .protocols import Array, ModelLike


def shorten(text: str, width: int = 24) -> str:
    """`text` in at most `width` characters, shortened in the middle, where names differ least.

    Line breaks, tabs and other control characters become spaces.

    Examples
    --------
    >>> shorten("python3-magnum-ui-doc", 13)
    'python…ui-doc'
    >>> shorten("two\\nlines")
    'two lines'
    """
    plain = "".join(" " if unicodedata.category(c).startswith("C") else c for c in text)
    plain = " ".join(plain.split())
    if len(plain) <= width:
        return plain
    if width < 3:
        return plain[:width]
    front = width // 2
    back = width - 1 - front
    return f"{plain[:front]}…{plain[len(plain) - back :]}"


def mode_name(model: ModelLike, mode: int, first: int = 0) -> str:
    """The name of a mode: the model's `mode_names` where it has any, else its number."""
    names: Sequence[str | None] | None = getattr(model, "mode_names", None)
    name = names[mode] if names is not None and mode < len(names) else None
    return name or f"mode {mode + first}"


def lengths_of(model: Any) -> tuple[int, ...]:
    """The lengths of the modes of a model, of a Tucker model too.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lengths_of(SimpleNamespace(core=np.zeros((2, 7)), factors=[np.zeros((5, 2)), None]))
    (5, 7)
    """
    factors = enumerate(model.factors)
    return tuple(model.core.shape[n] if f is None else len(f) for n, f in factors)


def labels_of(model: ModelLike, mode: int) -> Sequence[str] | None:
    """The names of a mode's rows, None where it has none."""
    labels = model.labels
    return labels[mode] if labels is not None and mode < len(labels) else None


def row_name(model: ModelLike, mode: int, row: int, first: int | None = None) -> str:
    """The name of a row of a mode: its label, else its number, as Python counts if not given."""
    labels = labels_of(model, mode)
    if labels is not None and row < len(labels):
        return str(labels[row])
    return str(row + (first_row(model, 0) if first is None else first))


def first_row(model: Any, otherwise: int = 1) -> int:
    """From what rows without names count: as the numbers of the table of which the model was made,
    where it is of one; else from 1 in files, and from 0 in Python."""
    return int(getattr(model, "_run", {}).get("index_base", otherwise))


def component_sizes(model: ModelLike) -> Array:
    """The weights; where these are all one and say nothing, as under bounds that forbid to scale
    columns, the norms of the components.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> factors = [np.array([[3.0, 0.0], [4.0, 2.0]]), np.array([[1.0, 2.0]])]
    >>> component_sizes(SimpleNamespace(weights=np.ones(2), factors=factors)).tolist()
    [5.0, 4.0]
    """
    sizes = np.array(model.weights, dtype=np.float64)
    if len(sizes) and (np.abs(sizes) == 1).all():
        for factor in model.factors:
            sizes *= np.linalg.norm(np.asarray(factor, dtype=np.float64), axis=0)
    return sizes


def component_order(model: ModelLike) -> npt.NDArray[np.intp]:
    """The components by their sizes, largest first, equal ones in order.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> component_order(SimpleNamespace(weights=np.array([1.0, -3.0, 2.0]))).tolist()
    [1, 2, 0]
    """
    return np.argsort(-np.abs(component_sizes(model)), kind="stable")


def relative_weights(model: ModelLike) -> Array:
    """The size of each component divided by the greatest finite magnitude; zeros where all are
    zero."""
    sizes = component_sizes(model)
    greatest = np.abs(sizes[np.isfinite(sizes)]).max(initial=0.0)
    return sizes / greatest if greatest > 0 else np.zeros_like(sizes)


def limits_of(values: npt.NDArray[Any]) -> tuple[float, float]:
    """The least and the greatest finite value, zero included: what a scale must hold."""
    finite = values[np.isfinite(values)]
    return min(0.0, float(finite.min(initial=0.0))), max(0.0, float(finite.max(initial=0.0)))


def strongest(column: npt.NDArray[Any], k: int) -> npt.NDArray[np.intp]:
    """The `k` rows of greatest magnitude, strongest first, without zeros.

    Equal magnitudes stand in the order of their rows. Takes O(length + k log k) time.

    Examples
    --------
    >>> strongest(np.array([0.1, -0.9, 0.0, 0.4]), 3).tolist()
    [1, 3, 0]
    """
    magnitudes = np.abs(np.asarray(column, dtype=np.float64))
    rows = np.flatnonzero(magnitudes > 0)
    if k < len(rows):
        kept = magnitudes[rows]
        least = np.partition(kept, len(kept) - k)[len(kept) - k] if k > 0 else np.inf
        rows = rows[kept >= least]
    return rows[np.argsort(-magnitudes[rows], kind="stable")][: max(k, 0)]
