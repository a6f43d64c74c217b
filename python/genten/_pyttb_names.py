# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Things that say what to call in place of names, operators and arguments of pyttb and others."""

from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from . import _names_of_others as others


def hint_of_models(model: Any, name: str) -> str:
    """What to do for a name that models of others have, and this one has not; "" for no such name.
    """
    if isinstance(model, PyttbNames):
        return (others.MODELS | others.MODELS_OF_OTHERS).get(name, "")
    return (others.TUCKER_MODELS | others.TUCKER_MODELS_OF_OTHERS).get(name, "")


def hint_of_package(name: str) -> str:
    """What to say of a name that the package does not have.

    Examples
    --------
    >>> hint_of_package("ktensor")
    "module 'genten' has no attribute 'ktensor': genten.Model(weights, factors) is a model"
    """
    said = f"module 'genten' has no attribute {name!r}"
    if name in others.PACKAGE:
        return f"{said}: {others.PACKAGE[name]}"
    return f"{said}, and nothing like it" if name in others.ELSEWHERE else said


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


def of_two_arguments(cp: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function `cp`, which says what a third argument without a keyword may be meant for."""

    @functools.wraps(cp)
    def call(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
        given: tuple[Any, ...] = arguments
        rank = given[1] if len(given) == 2 else keywords.get("rank")
        if given and _are_ranks(rank, given[0]):
            raise TypeError(
                "cp: expected a rank, one number of components, as second argument, got "
                f"{rank!r:.40}; genten.tucker(X, ranks) takes one a mode, and "
                "genten.choose_rank(X, ranks) tries several"
            )
        if len(given) > 1 and isinstance(given[1], (np.ndarray, list)):
            raise TypeError(
                "cp: expected subscripts, values and shape in one tuple, genten.cp((subs, vals, "
                "shape), rank)"
            )
        if len(given) > 2:
            word = f"loss={given[2]!r}" if isinstance(given[2], str) else "seed=1"
            raise TypeError(
                "cp: expected a tensor and a rank, and all else by its keyword, as genten.cp(X, "
                f"{given[1]!r:.20}, {word}), got {given[2]!r:.40} without one"
            )
        return cp(*arguments, **keywords)

    return call


def _are_ranks(given: Any, X: Any) -> bool:
    """Whether that is a list of ranks in the place of one, and no values of an array X of
    subscripts."""
    if not isinstance(given, (list, tuple, range, np.ndarray)) or getattr(given, "ndim", 1) == 0:
        return False
    if not isinstance(X, (list, np.ndarray)) or isinstance(given, (tuple, range)):
        return True
    if not all(isinstance(each, Integral) for each in given):
        return False
    try:
        array = np.asarray(X)
    except ValueError:  # of lists of several lengths, of which another message tells
        return False
    return array.ndim > 1 and not (array.dtype.kind in "iu" and len(X) == len(given))


_REFLECTED = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
}
"""By functions of NumPy, which its arrays call for operators, what the other side has for them."""


class _NoArithmetic:
    """What to call in place of operators, of which these are none."""

    _INSTEAD: dict[str, str]

    if TYPE_CHECKING:
        __array_ufunc__ = None
    else:  # With them every sum would be one for a checker of types.

        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
            """NumPy's own numbers and arrays would make arrays of these: operators are those of
            this side, and functions are refused."""
            if method == "__call__" and not keywords and len(inputs) == 2 and inputs[1] is self:
                if ufunc in (np.equal, np.not_equal):
                    is_other = ufunc is np.not_equal
                    found = self.__ne__(inputs[0]) if is_other else self.__eq__(inputs[0])
                    return is_other if found is NotImplemented else found
                if operator := _REFLECTED.get(ufunc.__name__):
                    found = getattr(self, operator)(inputs[0])
                    if found is not NotImplemented:
                        return found
            function, kind = f"numpy.{ufunc.__name__}", type(self).__name__
            of_one = method == "__call__" and len(inputs) == 1
            way = self._INSTEAD["numpy" if of_one else "array"].format(function)
            raise TypeError(f"{function} takes no {kind}: {way}")

        def _refuse(self, operator: str) -> Any:
            kind = type(self).__name__
            way = self._INSTEAD.get(operator) or self._INSTEAD["map"].format(operator)
            raise TypeError(f"a {kind} has no {operator!r}: {way}")

        def __abs__(self) -> Any:
            return self._refuse("abs")

        def __pow__(self, other: Any) -> Any:
            return self._refuse("**")

        def __lt__(self, other: Any) -> Any:
            return self._refuse("<")

        def __le__(self, other: Any) -> Any:
            return self._refuse("<=")

        def __gt__(self, other: Any) -> Any:
            return self._refuse(">")

        def __ge__(self, other: Any) -> Any:
            return self._refuse(">=")

        def __add__(self, other: Any) -> Any:
            return self._refuse("+")

        def __sub__(self, other: Any) -> Any:
            return self._refuse("-")

        __radd__, __rsub__ = __add__, __sub__


class ResultNames:
    """What to call in place of what results of pyttb, TensorLy and SciPy have, and that a result is
    no tuple and no dictionary, as theirs are."""

    _CALLED = others.RESULTS
    _UNPACKED = "r.model is the model"
    _ARRAY = (
        "numpy.asarray of its .model is the full tensor that the model stands for, and "
        ".model.factors are the arrays"
    )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise TypeError(f"a {type(self).__name__} is no array: {self._ARRAY}")

    def _said_of(self, name: str) -> str:
        kind = type(self).__name__
        model = None if name.startswith("_") else self.__dict__.get("model")
        attributes, said = self._CALLED.get(name, ((), ""))
        if said and all(each in self.__dict__ for each in attributes):
            return f"a {kind} has no {name!r}: {said}"
        if hasattr(model, name):
            return f"a {kind} has no {name!r}, but its model does: r.model.{name}"
        if model is not None and (said := hint_of_models(model, name)):
            return f"a {kind} has no {name!r}; of its model, r.model: {said}"
        return f"{kind!r} object has no attribute {name!r}"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(self._said_of(name))

        # Where something is unpacked that has no __iter__, Python asks for its first item. With
        # __iter__ pandas and others would take it for a list.
        def __getitem__(self, key: Any) -> Any:
            if isinstance(key, str):
                is_there = f"a {type(self).__name__} is no dictionary: .{key} is its {key}"
                raise TypeError(is_there if hasattr(self, key) else self._said_of(key))
            raise TypeError(f"a {type(self).__name__} is no tuple: {self._UNPACKED}")


class PyttbTensorNames(_NoArithmetic):
    """What to call in place of what `pyttb.sptensor` has."""

    _INSTEAD = {
        "+": "X + Y takes another Tensor; beside arrays and models X.to_dense() is an array",
        "-": "X - Y takes another Tensor; beside a model m.residuals(X) is what it leaves, and "
        "beside arrays X.to_dense() is an array",
        "*": "2 * X takes a number; X.map(function) and X.innerprod(Y) may be meant, and "
        "X.to_dense() is an array",
        "/": "X / 2 takes a number; X.map(function) may be meant, and X.to_dense() is an array",
        "abs": "X.map(abs) takes that of each value, and X.to_dense() is an array",
        "array": "X.to_dense() is an array",
        "map": "X.map(lambda v: v {} 2) takes each value v, and X.to_dense() is an array",
        "numpy": "X.map({}) takes each value that is listed, and X.to_dense() is an array",
    }

    __iter__ = None  # Without it Python would look for items 0, 1 and so on.

    def _refuse_comparison(self, other: Any, operator: str) -> None:
        """That whoever compares with numbers or arrays gets no single truth value for all."""
        if not isinstance(other, (Number, np.ndarray)):
            return
        beside = "an array" if isinstance(other, np.ndarray) else "a number"
        raise TypeError(
            f"a Tensor has no {operator!r} beside {beside}: {self._INSTEAD['map'].format(operator)}"
        )

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in others.TENSORS:
                raise AttributeError(
                    f"Tensor has no {name!r} as pyttb's sptensor: {others.TENSORS[name]}"
                )
            if name in others.TENSORS_OF_PYTTB:
                raise AttributeError(
                    f"Tensor has no {name!r} as pyttb's sptensor; to_pyttb().{name} is pyttb's own"
                )
            if name in others.TABLES:
                raise AttributeError(f"Tensor has no {name!r}, but the table to_pandas() has")
            if name in others.TENSORS_OF_OTHERS:
                raise AttributeError(f"Tensor has no {name!r}: {others.TENSORS_OF_OTHERS[name]}")
            raise AttributeError(f"'Tensor' object has no attribute {name!r}")


class Norm(float):
    """A norm: a number, which gives itself when it is called, as pyttb's ``norm()`` is."""

    def __call__(self) -> float:
        return float(self)


_RESIDUALS = "m.residuals(X) is what m leaves of a tensor X, and D - m.to_dense() of an array D"

_INSTEAD_OF_MODELS = {
    "+": "m.to_dense() is an array",
    "-": _RESIDUALS,
    "*": "2 * m takes a number, and m.to_dense() is an array",
    "/": "m / 2 takes a number, and m.to_dense() is an array",
    "abs": "abs(m.to_dense()) is the array of its values",
    "array": "m.to_dense() is an array",
    "map": "m.to_dense() {} 2 is an array of its values",
    "numpy": "{}(m.to_dense()) is an array of its values",
}


class PyttbNames(_NoArithmetic):
    """What to call in place of what `pyttb.ktensor` has."""

    _INSTEAD = {
        **_INSTEAD_OF_MODELS,
        "+": "to_pyttb() + other.to_pyttb() has the components of both, and m.to_dense() is an "
        "array",
        "-": f"to_pyttb() - other.to_pyttb() has the components of both models; {_RESIDUALS}",
    }

    if not TYPE_CHECKING:  # With it every name would be one for a checker of types.

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            if name in others.MODELS:
                raise AttributeError(
                    f"{kind} has no {name!r} as pyttb's ktensor: {others.MODELS[name]}"
                )
            if name in others.MODELS_OF_PYTTB:
                raise AttributeError(
                    f"{kind} has no {name!r} as pyttb's ktensor; to_pyttb().{name} is pyttb's own"
                )
            if name in others.MODELS_OF_OTHERS:
                raise AttributeError(f"{kind} has no {name!r}: {others.MODELS_OF_OTHERS[name]}")
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")


class PyttbTuckerNames(_NoArithmetic):
    """What to call in place of what `pyttb.ttensor` has."""

    _INSTEAD = _INSTEAD_OF_MODELS

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            if name in others.TUCKER_MODELS:
                raise AttributeError(
                    f"{kind} has no {name!r} as pyttb's ttensor: {others.TUCKER_MODELS[name]}"
                )
            if name in others.TUCKER_MODELS_OF_OTHERS:
                said = others.TUCKER_MODELS_OF_OTHERS[name]
                raise AttributeError(f"{kind} has no {name!r}: {said}")
            if name in others.CP_MODELS:
                raise AttributeError(
                    f"{kind} has no {name!r}: its core and factors are no components, as those of "
                    "genten.Model, which genten.cp finds"
                )
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")
