# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What pyttb calls a model's parts and methods: the same names where they mean the same, and a word
on ours where they do not."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

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


_OF_TENSORS = {
    "full": "to_pyttb().full() is pyttb's tensor",
    "mask": "to_pyttb().mask(W) does it",
    "subs": "that is subscripts",
    "vals": "that is values, a vector",
}
"""Names of `pyttb.sptensor` that are none of `Tensor`, and what to do instead."""

_TENSORS_THEIRS = {
    "allsubs", "collapse", "contract", "double", "elemfun", "extract", "find", "from_aggregator",
    "from_function", "isequal", "logical_and", "logical_not", "logical_or", "logical_xor", "mttkrp",
    "ndims", "nvecs", "ones", "permute", "reshape", "scale", "spmatrix", "squash", "squeeze",
    "subdims", "to_sptenmat", "to_tensor", "ttm", "ttv",
}  # fmt: skip
"""Names of `pyttb.sptensor` that stand for what only pyttb does."""

_OF_THE_PACKAGE = {
    "cp_apr": "genten.cp(X, R, loss='poisson') takes counts",
    "export_data": "X.save(path) and m.save(path) write tensors and models",
    "import_data": "genten.read(path) reads a tensor, genten.load(path) a model",
    "ktensor": "genten.Model(weights, factors) is a model",
    "parafac": "that is genten.cp(X, rank)",
    "non_negative_parafac": "that is genten.cp(X, rank, nonnegative=True)",
    "sptensor": "genten.tensor((subs, vals, shape)) makes a tensor, of one tuple",
    "sptenrand": "genten.tensor takes a scipy.sparse.random_array",
}
"""Names of pyttb and TensorLy that are none of the package, and what to do instead."""

_ELSEWHERE = {"gcp_opt", "hosvd", "tucker_als", "tenrand", "khatrirao"}
"""Functions of pyttb that there is nothing like here."""


def hint_of_package(name: str) -> str:
    """What to say of a name that the package does not have.

    Examples
    --------
    >>> hint_of_package("ktensor")
    "module 'genten' has no attribute 'ktensor': genten.Model(weights, factors) is a model"
    """
    said = f"module 'genten' has no attribute {name!r}"
    if name in _OF_THE_PACKAGE:
        return f"{said}: {_OF_THE_PACKAGE[name]}"
    return f"{said}, and nothing like pyttb's" if name in _ELSEWHERE else said


_P = ParamSpec("_P")
_R = TypeVar("_R")


def of_one_tuple(tensor: Callable[_P, _R]) -> Callable[_P, _R]:
    """`genten.tensor` with a word on tuples for those who give it subscripts, values and shape one
    by one, as pyttb takes them."""

    @functools.wraps(tensor)
    def call(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
        given: tuple[Any, ...] = arguments
        dense = len(given) == 2 and isinstance(given[0], (np.ndarray, list))
        if dense or len(given) > 2:
            raise TypeError(
                "tensor: expected subscripts, values and shape in one tuple, "
                f"genten.tensor((subs, vals, shape)), got {len(given)} arguments"
            )
        return tensor(*arguments, **keywords)

    return call


class _NoArithmetic:
    """What to call in place of operators, of which these are none."""

    _INSTEAD: dict[str, str]

    if not TYPE_CHECKING:  # With them every sum would be one for a checker of types.

        def _refuse(self, operator: str) -> Any:
            kind = type(self).__name__
            raise TypeError(f"a {kind} has no {operator!r}: {self._INSTEAD[operator]}")

        def __add__(self, other: Any) -> Any:
            return self._refuse("+")

        def __sub__(self, other: Any) -> Any:
            return self._refuse("-")

        def __mul__(self, other: Any) -> Any:
            return self._refuse("*")

        __radd__, __rsub__, __rmul__ = __add__, __sub__, __mul__


class PyttbTensorNames(_NoArithmetic):
    """What to call in place of what `pyttb.sptensor` has."""

    _INSTEAD = {
        "+": "to_pyttb() + other is pyttb's own",
        "-": "to_pyttb() - other is pyttb's own",
        "*": "genten.tensor((X.subscripts, 2 * X.values, X.shape)) is twice X",
    }

    __iter__ = None  # Without it Python would look for items 0, 1 and so on.

    if not TYPE_CHECKING:

        def __getitem__(self, cell: Any) -> Any:
            raise TypeError(
                "a Tensor has no items: its nonzeros are subscripts and values, and "
                "to_pyttb()[...] looks up cells"
            )

        def __getattr__(self, name: str) -> Any:
            if name in _OF_TENSORS:
                raise AttributeError(
                    f"Tensor has no {name!r} as pyttb's sptensor: {_OF_TENSORS[name]}"
                )
            if name in _TENSORS_THEIRS:
                raise AttributeError(
                    f"Tensor has no {name!r} as pyttb's sptensor; to_pyttb().{name} is pyttb's own"
                )
            raise AttributeError(f"'Tensor' object has no attribute {name!r}")


class Norm(float):
    """A norm: a number, which gives itself when it is called, as pyttb's ``norm()`` is."""

    def __call__(self) -> float:
        return float(self)


class _Arrays(Protocol):
    weights: npt.NDArray[Any]
    factors: list[npt.NDArray[Any]]

    def predict(self, subscripts: Any) -> npt.NDArray[np.float64]: ...

    def to_dense(self) -> npt.NDArray[np.float64]: ...

    def _like(self, weights: Any, factors: Sequence[Any]) -> Model: ...


class PyttbNames(_NoArithmetic):
    """The names of `pyttb.ktensor` for what `Model` has, too."""

    _INSTEAD = {
        "+": "to_pyttb() + other.to_pyttb() has the components of both",
        "-": "to_pyttb() - other.to_pyttb() has the components of both",
        "*": "genten.Model(2 * m.weights, m.factors, m.labels, m.mode_names) is twice m",
    }

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
        """A model of its own arrays, equal to this one.

        Returns
        -------
        Model

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> other = m.copy()
        >>> other.weights[0] = 3.0
        >>> m.weights
        array([2.])
        """
        return self._like(self.weights.copy(), [factor.copy() for factor in self.factors])

    def double(self: _Arrays) -> npt.NDArray[np.float64]:
        """The full tensor as an array: `to_dense`.

        Returns
        -------
        ndarray of shape (I_1, ..., I_N)

        Raises
        ------
        ValueError
            For a tensor that is too large, as of `to_dense`.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.double()
        array([[1., 2.],
               [0., 0.]])
        """
        return self.to_dense()

    def isequal(self: _Arrays, other: Any) -> bool:
        """Whether weights and factors are the same as those of another model; ``==`` asks for
        labels and names of modes, too.

        Parameters
        ----------
        other : Model, or a model of pyttb or TensorLy

        Returns
        -------
        bool

        Raises
        ------
        TypeError
            For what is no model.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.isequal(m.copy()), m.isequal(genten.Model([3.0], m.factors))
        (True, False)
        """
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

        Returns
        -------
        Model
            With the labels of this one.

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

    def __getitem__(self: _Arrays, cell: tuple[int, ...]) -> float:
        """The model's value at one cell; `predict` gives those at many."""
        order = len(self.factors)
        try:
            subscripts = [operator.index(each) for each in np.atleast_1d(np.array(cell, object))]
        except TypeError:
            subscripts = []
        if len(subscripts) != order:
            raise TypeError(
                f"a Model is indexed by {order} whole numbers, a cell of the tensor, got {cell!r}; "
                "predict gives the values at many cells, extract some components"
            )
        return float(self.predict([subscripts])[0])

    __iter__ = None  # Numbers in brackets are cells, and none counts them from 0.

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
