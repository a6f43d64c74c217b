# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Components of models, one by one and in tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..convert.parts import imported
from .arrays import real_array


_NO_ARRAY = (
    "a Component is no array: weight and columns are its parts; of a model m, m.weights and "
    "m.factors are the arrays, weights, factors = m.weights, m.factors takes both, and "
    "m.to_tensorly() is TensorLy's model"
)


@dataclass(frozen=True, eq=False)
class Component:
    """A component of a model, which is a rank-one tensor: ``m[0]`` of a model m, and what
    iteration over it yields.

    Attributes
    ----------
    weight : float
    columns : list of ndarrays of shape (I_n,)
        One a mode: views of the columns of the model's factors.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.Model([3.0, 2.0], [np.eye(2), np.eye(2)])
    >>> [(c.weight, c.columns[0].tolist()) for c in m]
    [(3.0, [1.0, 0.0]), (2.0, [0.0, 1.0])]
    """

    weight: float
    columns: list[npt.NDArray[Any]]

    if not TYPE_CHECKING:  # With them a checker of types would take it for an array.
        # What asks for items, shapes or products has taken a model for weights and factors.

        def _refuse(self, *_: Any, **__: Any) -> Any:
            raise TypeError(_NO_ARRAY)

        __getitem__ = __len__ = __float__ = __array__ = __array_ufunc__ = _refuse
        __add__ = __sub__ = __mul__ = __truediv__ = __matmul__ = __pow__ = __neg__ = _refuse
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rmatmul__ = __rpow__ = _refuse

        def __bool__(self) -> bool:
            return True

        def __getattr__(self, name: str) -> Any:
            if name[:1] != "_" and hasattr(np.ndarray, name):
                raise AttributeError(f"{name!r}: {_NO_ARRAY}")
            raise AttributeError(f"'Component' object has no attribute {name!r}")


Strongest = list[list[tuple[Any, float]]]
"""Names and values of the strongest rows, by mode."""


def strongest_of(
    factors: Sequence[npt.NDArray[Any]],
    labels: Sequence[Sequence[str] | None],
    component: int,
    modes: Sequence[int],
    k: int,
    base: int,
) -> Strongest:
    """The k strongest rows of a component in some modes; rows without labels count from `base`."""
    found: Strongest = []
    for mode in modes:
        column = real_array(factors[mode][:, component], 1, f"factor {mode}")
        order = np.argsort(-np.abs(column), kind="stable")[:k].tolist()
        names = labels[mode]
        found.append([(i + base if names is None else names[i], float(column[i])) for i in order])
    return found


def table_of_strongest(
    found: Sequence[Strongest],
    weights: npt.NDArray[Any],
    modes: Sequence[int],
    mode_names: Sequence[str] | None,
) -> Any:
    """A table of pandas of the strongest rows of each component."""
    pandas = imported("pandas", "a table of all components needs pandas")
    rows = [
        (r, float(weights[r]), f"mode {mode}" if mode_names is None else mode_names[mode], *entry)
        for r, lists in enumerate(found)
        for mode, entries in zip(modes, lists, strict=True)
        for entry in entries
    ]
    return pandas.DataFrame(rows, columns=["component", "weight", "mode", "name", "value"])
