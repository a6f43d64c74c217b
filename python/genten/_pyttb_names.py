# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of pyttb and TensorLy that are none here: what to call instead."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

_OURS = {
    "arrange": "a Model does not change; normalize() returns one with components by weight, and "
    "extract(permutation) one in any order",
    "fixsigns": "a Model does not change; normalize(signs=True) returns one",
    "from_function": "genten.Model(weights, factors) makes a model of arrays",
    "full": "to_dense() is the array, and to_pyttb().full() pyttb's tensor",
    "mask": "predict(W.subs) gives the values at entries",
    "redistribute": "to_pyttb().redistribute(mode) does it",
    "to_tensor": "to_dense() is the array, and to_pyttb().to_tensor() pyttb's tensor",
    "viz": "that is plot()",
}
"""Names of `pyttb.ktensor` that are none of `Model`, and what to do instead."""

_THEIRS = {
    "from_vector", "issymmetric", "mttkrp", "nvecs", "symmetrize", "to_tenmat",
    "tolist", "tovec", "ttv", "update",
}  # fmt: skip
"""Names of `pyttb.ktensor` that stand for what only pyttb does."""


_OF_TUCKER_MODELS = {
    "factor_matrices": "that is factors",
    "full": "to_dense() is the array",
    "innerprod": "genten.tensor(m.to_dense()).innerprod(X) is it, and evaluate(X) compares with X",
    "isequal": "== says it",
    "mttkrp": "to_dense() is the array, of which genten.tensor has mttkrp",
    "ndims": "that is ndim",
    "nvecs": "factors are leading vectors already",
    "order": "that is ndim",
    "permute": "genten.TuckerModel(m.core.transpose(p), [m.factors[n] for n in p]) has other modes",
    "ttm": "factors times a matrix, with the same core, are that product",
    "ttv": "to_dense() is the array, of which genten.tensor has ttv",
    "double": "to_dense() is the array",
    "reconstruct": "to_dense() is the array, and predict(entries) gives single values",
    "score": "columns are found up to a rotation, so that there is nothing to match; to_dense() "
    "and evaluate(X) compare what models say",
    "to_pyttb": "pyttb.ttensor(pyttb.tensor(m.core), m.factors) is pyttb's",
    "to_tensor": "to_dense() is the array",
    "to_tensorly": "tensorly.tucker_tensor.TuckerTensor((m.core, m.factors)) is TensorLy's",
    "u": "that is factors",
}
"""Names of `pyttb.ttensor` that are none of `TuckerModel`, and what to do instead."""

_OF_CP_MODELS = {
    "arrange", "extract", "fixsigns", "ncomponents", "normalize", "redistribute", "weights",
}  # fmt: skip
"""Names of CP models, here or in pyttb, that mean nothing without components."""

_OF_TENSORS = {
    "double": "to_dense() is the array",
    "elemfun": "map(function) does it",
    "full": "to_dense() is the array, and to_pyttb().full() pyttb's tensor",
    "mask": "to_pyttb().mask(W) does it",
    "subs": "that is subscripts",
    "ndims": "that is ndim",
    "vals": "that is values, a vector",
}
"""Names of `pyttb.sptensor` that are none of `Tensor`, and what to do instead."""

_TENSORS_THEIRS = {
    "allsubs", "contract", "extract", "find", "from_aggregator",
    "from_function", "isequal", "logical_and", "logical_not", "logical_or", "logical_xor",
    "ones", "reshape", "scale", "spmatrix", "squash", "squeeze",
    "subdims", "to_sptenmat", "to_tensor",
}  # fmt: skip
"""Names of `pyttb.sptensor` that stand for what only pyttb does."""

_OF_RESULTS = {
    "M": "r.model",
    "M0": "r.options['init']",
    "Minit": "r.options['init']",
    "converged": "r.stop_reason == 'converged'",
    "decomposition": "r.model",
    "error": "r.residual_norm / r.tensor_norm",
    "errors": "1 - r.history.fit",
    "f_trace": "r.history.objective",
    "final_f": "r.objective",
    "info": "r.options, r.fit, r.iterations and so on",
    "iters": "r.iterations",
    "kktViolations": "r.history.kkt_violation",
    "nInnerIters": "r.inner_iterations, of all sweeps",
    "nTotalIters": "r.inner_iterations",
    "n_epoch": "r.iterations",
    "n_iter": "r.iterations",
    "n_iter_": "r.iterations",
    "nit": "r.iterations",
    "normresidual": "r.residual_norm",
    "obj": "r.objective",
    "output": "r.options, r.fit, r.iterations and so on",
    "params": "r.options",
    "rec_error": "r.residual_norm / r.tensor_norm",
    "rec_errors": "1 - r.history.fit",
    "seed": "r.options['seed']",
    "success": "r.stop_reason == 'converged'",
    "time_trace": "r.history.seconds",
    "times": "r.history.seconds",
    "totalTime": "r.timings['total']",
}
"""Names of what pyttb, TensorLy and SciPy return, and what they are of a result r."""

OF_RANK_CHOICES = {
    name: "choice.suggested, the number of components that is suggested"
    for name in ("rank", "best_rank", "n_components", "n_components_", "ncomponents", "best")
} | {
    name: "choice.results[choice.suggested].model, the best one of the number that is suggested"
    for name in ("model", "best_model", "weights", "factors")
} | {
    "result": "choice.results[choice.suggested], of the best start of the number that is suggested",
    "best_result": "choice.results[choice.suggested], of the best start of the number that is suggested",
    "ranks": "list(choice.results)",
    "scores": "choice.table, and choice.to_pandas()",
}  # fmt: skip
"""What one may look for in a choice of the rank, and what it is."""

_OF_THE_PACKAGE = {
    "Tucker": "that is genten.tucker(X, ranks)",
    "compare": "m.score(other) compares two models",
    "decompose": "that is genten.cp(X, rank)",
    "cp_apr": "genten.cp(X, R, loss='poisson') takes counts",
    "gcp_opt": "genten.cp(X, R, loss=...) takes other losses",
    "export_data": "X.save(path) and m.save(path) write tensors and models",
    "import_data": "genten.read(path) reads a tensor, genten.load(path) a model",
    "project": "that is m.project(X, mode), of a model",
    "rank": "genten.choose_rank(X, range(1, 7)) says how many components there are",
    "ktensor": "genten.Model(weights, factors) is a model",
    "parafac": "that is genten.cp(X, rank)",
    "non_negative_parafac": "that is genten.cp(X, rank, nonnegative=True)",
    "hosvd": "genten.tucker(X, ranks, method='st-hosvd') takes ranks",
    "sptensor": "genten.tensor((subs, vals, shape)) makes a tensor, of one tuple",
    "sptenrand": "genten.tensor takes a scipy.sparse.random_array",
    "ttensor": "genten.TuckerModel(core, factors) is a Tucker model",
    "tucker_als": "that is genten.tucker(X, ranks)",
}
"""Names of pyttb and TensorLy that are none of the package, and what to do instead."""

_ELSEWHERE = {"tenrand", "khatrirao"}
"""Functions of pyttb that there is nothing like here."""


def hint_of_models(model: Any, name: str) -> str:
    """What to do for a name that models of pyttb have, and this one has not; "" for others."""
    table = _OURS if isinstance(model, PyttbNames) else _OF_TUCKER_MODELS
    return table.get(name, "")


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


def of_two_arguments(cp: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function `cp`, which says what a third argument without a keyword may be meant for."""

    @functools.wraps(cp)
    def call(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
        given: tuple[Any, ...] = arguments
        of_lists = len(given) > 1 and isinstance(given[1], (list, tuple))
        if of_lists and not isinstance(given[0], (list, np.ndarray)):
            raise TypeError(
                "cp: expected a rank, the number of components, as second argument, got "
                f"{given[1]!r:.40}; genten.tucker(X, ranks) takes one a mode"
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
                    return ufunc is np.not_equal
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

        def __mul__(self, other: Any) -> Any:
            return self._refuse("*")

        __radd__, __rsub__, __rmul__ = __add__, __sub__, __mul__


class ResultNames:
    """What to call in place of what results of pyttb, TensorLy and SciPy have, and that a result is
    no tuple and no dictionary, as theirs are."""

    _CALLED = _OF_RESULTS
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
        called = self._CALLED.get(name, "")
        if called and all(part in self.__dict__ for part in re.findall(r"r\.(\w+)", called)):
            return f"a {kind} has no {name!r}: that is {called}"
        if hasattr(model, name):
            return f"a {kind} has no {name!r}, but its model does: r.model.{name}"
        if model is not None and (said := hint_of_models(model, name)):
            return f"a {kind} has no {name!r}; of its model, r.model: {said}"
        return f"{kind!r} object has no attribute {name!r}"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(self._said_of(name))

        def __iter__(self) -> Any:
            raise TypeError(f"a {type(self).__name__} is no tuple: {self._UNPACKED}")

        def __getitem__(self, key: Any) -> Any:
            if isinstance(key, str):
                is_there = f"a {type(self).__name__} is no dictionary: .{key} is its {key}"
                raise TypeError(is_there if hasattr(self, key) else self._said_of(key))
            self.__iter__()


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

    if not TYPE_CHECKING:

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


class PyttbNames(_NoArithmetic):
    """What to call in place of what `pyttb.ktensor` has."""

    _INSTEAD = {
        "+": "to_pyttb() + other.to_pyttb() has the components of both, and m.to_dense() is an "
        "array",
        "-": "to_pyttb() - other.to_pyttb() has the components of both models; m.residuals(X) is "
        "what m leaves of a tensor X, and D - m.to_dense() of an array D",
        "*": "genten.Model(2 * m.weights, m.factors, m.labels, m.mode_names) is twice m",
        "abs": "abs(m.to_dense()) is the array of its values",
        "array": "m.to_dense() is an array",
        "map": "m.to_dense() {} 2 is an array of its values",
        "numpy": "{}(m.to_dense()) is an array of its values",
    }

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


class PyttbTuckerNames:
    """What to call in place of what `pyttb.ttensor` has."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            if name in _OF_TUCKER_MODELS:
                raise AttributeError(
                    f"{kind} has no {name!r} as pyttb's ttensor: {_OF_TUCKER_MODELS[name]}"
                )
            if name in _OF_CP_MODELS:
                raise AttributeError(
                    f"{kind} has no {name!r}: its core and factors are no components, as those of "
                    "genten.Model, which genten.cp finds"
                )
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")
