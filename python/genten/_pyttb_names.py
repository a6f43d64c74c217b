# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What pyttb calls a model's parts and methods: the same names where they mean the same, and a word
on ours where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .model import Model

_OURS = {
    "arrange": "a Model does not change; normalize() returns one with components by weight, and "
    "extract(permutation) one in any order",
    "fixsigns": "a Model does not change; normalize(signs=True) returns one",
    "from_function": "genten.Model(weights, factors) makes a model of arrays",
    "full": "to_dense() is the array, and to_pyttb().full() pyttb's tensor",
    "mask": "predict(W.subs) gives the values at cells",
    "redistribute": "to_pyttb().redistribute(mode) does it",
    "to_tensor": "to_dense() is the array, and to_pyttb().to_tensor() pyttb's tensor",
    "viz": "that is plot()",
}
"""Names of `pyttb.ktensor` that are none of `Model`, and what to do instead."""

_THEIRS = {
    "from_vector", "issymmetric", "mttkrp", "nvecs", "permute", "symmetrize", "to_tenmat",
    "tolist", "tovec", "ttv", "update",
}  # fmt: skip
"""Names of `pyttb.ktensor` that stand for what only pyttb does."""


class Norm(float):
    """A norm: a number, which gives itself when it is called, as pyttb's ``norm()`` is."""

    def __call__(self) -> float:
        return float(self)


class _Arrays(Protocol):
    weights: npt.NDArray[Any]
    factors: list[npt.NDArray[Any]]

    def to_dense(self) -> npt.NDArray[np.float64]: ...

    def _like(self, weights: Any, factors: Sequence[Any]) -> Model: ...


class PyttbNames:
    """The names of `pyttb.ktensor` for what `Model` has, too."""

    @property
    def ncomponents(self: _Arrays) -> int:
        """Number of components, `rank`."""
        return len(self.weights)

    @property
    def ndims(self: _Arrays) -> int:
        """Number of modes, `ndim`."""
        return len(self.factors)

    @property
    def factor_matrices(self: _Arrays) -> list[npt.NDArray[Any]]:
        """The factors: the same list as `factors`."""
        return self.factors

    def copy(self: _Arrays) -> Model:
        """A model of its own arrays, equal to this one."""
        return self._like(self.weights.copy(), [factor.copy() for factor in self.factors])

    def double(self: _Arrays) -> npt.NDArray[np.float64]:
        """The full tensor as an array: `to_dense`."""
        return self.to_dense()

    def isequal(self: _Arrays, other: Any) -> bool:
        """Whether weights and factors are the same as those of another model, also of pyttb; ``==``
        asks for labels and names of modes, too."""
        model = model_elsewhere(other)
        if model is None:
            raise TypeError(f"isequal: expected a Model, got {type(other).__name__}")
        mine, theirs = [self.weights, *self.factors], [model.weights, *model.factors]
        return len(mine) == len(theirs) and all(map(np.array_equal, mine, theirs))

    def extract(self: _Arrays, components: int | Sequence[int] | None = None) -> Model:
        """A model of some components alone, in the order in which they are named.

        Parameters
        ----------
        components : int or sequence of int
            Counted from 0; all if not given.

        Raises
        ------
        ValueError
            For a component that there is not, and for none.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([3.0, 2.0], [np.eye(2), np.eye(2)])
        >>> m.extract([1, 0]).weights, m.extract(1).weights
        (array([2., 3.]), array([2.]))
        """
        rank = len(self.weights)
        chosen = np.atleast_1d(np.arange(rank) if components is None else components)
        if chosen.ndim != 1 or not len(chosen) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"extract: expected components from 0 to {rank - 1}, got {components!r}"
            )
        for component in chosen:
            if not 0 <= component < rank:
                raise ValueError(
                    f"extract: expected components from 0 to {rank - 1}, got {component}"
                )
        return self._like(self.weights[chosen], [factor[:, chosen] for factor in self.factors])

    if not TYPE_CHECKING:  # With it every name would be one for a checker of types.

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            if name in _OURS:
                raise AttributeError(f"{kind} has no {name!r} as pyttb's ktensor: {_OURS[name]}")
            if name in _THEIRS:
                raise AttributeError(
                    f"{kind} has no {name!r} as pyttb's ktensor; to_pyttb().{name} is pyttb's own"
                )
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")


def model_elsewhere(data: Any) -> Model | None:
    """A model of pyttb's or TensorLy's as one of ours, with its arrays; None for anything else."""
    from .model import Model

    if isinstance(data, Model):
        return data
    if hasattr(data, "factor_matrices") and hasattr(data, "weights"):  # pyttb
        return Model(data.weights, data.factor_matrices)
    if hasattr(data, "factors") and hasattr(data, "weights"):  # TensorLy
        return Model(data.weights, data.factors)
    return None
