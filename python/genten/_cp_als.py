# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`cp_als` as pyttb has it."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._cp import cp
from ._input import tensor
from ._names.labels import checked_mode
from ._options import CP_ALS, unknown_keyword
from ._run.bounds import bounds_of
from ._run.initial_guess import NVECS, SVD, guess_by_label, model_of
from ._run.iteration import Iteration
from ._run.nvecs import nvecs
from ._run.request import OWN, checked_options, without_aliases
from ._run.seeds import drawn, random_seed
from .model import Model
from .result import Result
from .tensors import Tensor


_NAMES_HERE = {
    "tolerance": "stoptol",
    "max_iterations": "maxiters",
    "mode_order": "dimorder",
    "fixed_modes": "optdims, which are the others",
}
"""Keywords of `cp` that are others in `cp_als`."""
_NOT_HERE = {
    "resume": "cp_als returns the initial guess, which no checkpoint holds; genten.cp goes on from "
    "one",
    "missing": "cp_als takes unlisted entries for zeros; genten.cp(missing=...) does not",
    "mask": "cp_als takes unlisted entries for zeros; genten.cp(X, rank, missing=~mask) does not, "
    "since a mask of missing= is True where a value is missing",
    "loss": "cp_als is least squares; genten.cp(loss='poisson') takes counts",
    "comm": "cp_als returns the initial guess, which no process has; use genten.cp(comm=...)",
    **dict.fromkeys(
        ("standard_errors", "bootstrap", "bootstrap_mode"),
        "cp_als returns no result that could hold error bars; genten.cp does",
    ),
    "grid": "cp_als runs on one process; genten.cp(comm=...) takes more",
}
"""Keywords of `cp` that are none in `cp_als`, and why."""


def _names() -> list[str]:
    """The keywords of `cp_als`, with those that it hands on to `cp`."""
    own = [p.name for p in inspect.signature(cp_als).parameters.values() if p.name != "options"]
    passed = [name for name in (*CP_ALS.options, *OWN) if name not in _NAMES_HERE]
    return list(dict.fromkeys([*own, *(name for name in passed if name not in _NOT_HERE)]))


def _checked_options(options: dict[str, Any]) -> None:
    names = _names()
    for name in options:
        if name in _NAMES_HERE:
            raise TypeError(f"{name}: in cp_als this is {_NAMES_HERE[name]}")
        if name not in names and name not in _NOT_HERE:
            raise TypeError(f"cp_als: {unknown_keyword(name, names, 'genten.cp_als')}")
        if name in _NOT_HERE and options[name] is not None:
            raise TypeError(f"{name}: {_NOT_HERE[name]}")


def _checked(name: str, value: Any) -> Any:
    """The value of an option that `cp` calls otherwise."""
    there = next(theirs for theirs, here in _NAMES_HERE.items() if here == name)
    return dataclasses.replace(CP_ALS.options[there], name=name).checked(value)


def _modes(name: str, modes: Sequence[int | str], X: Tensor) -> list[int]:
    """Modes from 0, negative ones counted from the end."""
    given = CP_ALS.options["mode_order"]
    if isinstance(modes, str):
        raise TypeError(f"{name}: expected {given.expected()}, got {modes!r}")
    try:
        return [checked_mode(mode, X.ndim, X.mode_names) for mode in modes]
    except TypeError:
        raise TypeError(f"{name}: expected {given.expected()}, got {modes!r}") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _guess_of(init: Any, X: Tensor, rank: int, options: dict[str, Any]) -> Model | None:
    """The model that the run starts from; None for random ones."""
    if isinstance(init, str):
        if init == NVECS:
            passed = {name: options[name] for name in options if name in CP_ALS.options}
            return nvecs(X, rank, bounds_of(checked_options(passed, X), X.ndim))
        if init != "random":
            way = SVD if init == "svd" else ""
            raise ValueError(f"init: expected 'random', 'nvecs' or a model, got {init!r}{way}")
        return None
    guess = init if isinstance(init, Model) else model_of(init)
    if not isinstance(init, Model) and guess.shape == X.shape:  # Its rows are those of the tensor.
        guess = Model(guess.weights, guess.factors, X.labels, X.mode_names)
    guess = guess_by_label(guess, X)
    if guess.shape != X.shape or guess.rank != rank:
        raise ValueError(
            f"init: expected a model of shape {X.shape} and rank {rank}, got {guess.shape} and "
            f"rank {guess.rank}"
        )
    return guess


class _Lines:
    """What pyttb prints of a run: iterations 0, N, 2N, and the last of each start, unless the limit
    of iterations ended it."""

    def __init__(self, every: int, most: int, tolerance: float) -> None:
        self._every, self._most, self._tolerance = every, most, tolerance
        self._started = False
        self._unseen: dict[int, Iteration] = {}  # by start

    def _begin(self) -> None:
        if not self._started:
            print("CP_ALS:")
        self._started = True

    def _print(self, iteration: Iteration) -> None:
        print(
            f" Iter {iteration.iteration - 1}: f = {iteration.fit:e} "
            f"f-delta = {abs(iteration.fit_change):7.1e}"
        )

    def _print_last(self) -> None:
        for _, last in sorted(self._unseen.items()):
            if last.iteration < self._most or abs(last.fit_change) < self._tolerance:
                self._print(last)
        self._unseen.clear()

    def show(self, iteration: Iteration) -> None:
        """To be called after each iteration."""
        self._begin()
        if iteration.iteration == 1:  # Starts that take turns begin together: others have ended.
            self._print_last()
        self._unseen.pop(iteration.start, None)
        if (iteration.iteration - 1) % self._every == 0:
            self._print(iteration)
        else:
            self._unseen[iteration.start] = iteration

    def end(self, result: Result) -> None:
        """To be called with what came of the run, if one came."""
        self._begin()
        self._print_last()
        print(f" Final f = {result.fit:e}")


def cp_als(
    input_tensor: Any,
    rank: int,
    stoptol: float = 1e-4,
    maxiters: int = 1000,
    dimorder: Sequence[int | str] | None = None,
    optdims: Sequence[int | str] | None = None,
    init: Any = "random",
    printitn: int = 1,
    fixsigns: bool = True,
    *,
    seed: int | np.random.Generator | np.random.RandomState | None = 1,
    callback: Callable[[Iteration], Any] | None = None,
    **options: Any,
) -> tuple[Model, Model, dict[str, Any]]:
    """CP decomposition with the arguments and the triple of ``pyttb.cp_als``.

    Parameters
    ----------
    input_tensor : Tensor, or what `genten.tensor` takes
    rank : int
        Number of components.
    stoptol : float
        Stop when the fit changes by less than this.
    maxiters : int
        Iterations at most.
    dimorder : sequence of int or str, optional
        Modes in the order of their updates; negative ones count from the end, and names are those
        that the tensor has for them.
    optdims : sequence of int or str, optional
        Modes to update, at least one; all if not given.
    init : {'random', 'nvecs'} or model
        Uniform random numbers; the leading left singular vectors of each unfolding; or a
        `Model`, a ``pyttb.ktensor`` or a sequence of factors.
    printitn : int
        Print iterations 0, printitn, 2 printitn and so on, and the last one, unless it is that of
        `maxiters`; 0: nothing.
    fixsigns : bool
        Must be true: signs are always made unambiguous, but where modes are fixed.
    seed : int, numpy.random.Generator, numpy.random.RandomState, or None
        Of the random guess; None draws one, as `genten.cp` does. With pyttb that is NumPy's global
        affair.
    callback : callable, optional
        Called after each iteration, as by `genten.cp`.
    **options
        Further keywords of `genten.cp`, as starts and device.

    Returns
    -------
    model : Model
    init : Model
        The initial guess; of several random ones that of the best start.
    info : dict
        'params', 'iters' (the number of the last iteration, from 0; also 0 where there was none),
        'normresidual' and 'fit', as pyttb has them, and 'result': the `Result`.

    Raises
    ------
    TypeError, ValueError, MemoryError, OSError, RuntimeError
        As `cp` does.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> model, init, info = genten.cp_als(X, 2, printitn=0)
    >>> info["iters"] == info["result"].iterations - 1
    True
    """
    X = tensor(input_tensor)
    if not fixsigns:
        raise ValueError("fixsigns: expected True, since signs are always made unambiguous")
    options = without_aliases(options)
    _checked_options(options)
    rank = CP_ALS.options["rank"].checked(rank)
    seed = random_seed() if seed is None else CP_ALS.options["seed"].checked(drawn(seed))
    guess = _guess_of(init, X, rank, options)
    if guess is None:  # The run draws it.
        options["seed"] = seed
    every = list(range(X.ndim))
    order = every if dimorder is None else _modes("dimorder", dimorder, X)
    updated = every if optdims is None else _modes("optdims", optdims, X)
    if not updated:
        raise ValueError(f"optdims: expected at least one mode from 0 to {X.ndim - 1}, got none")
    fixed = [mode for mode in range(X.ndim) if mode not in updated]

    tolerance, most = _checked("stoptol", stoptol), _checked("maxiters", maxiters)
    lines = _Lines(printitn, most, tolerance)

    def report(iteration: Iteration) -> bool:
        lines.show(iteration)
        return callback is not None and bool(callback(iteration))

    result = cp(
        X,
        rank,
        loss="gaussian",
        init="uniform" if guess is None else guess,
        tolerance=tolerance,
        max_iterations=most,
        mode_order=[] if dimorder is None else order,
        fixed_modes=fixed,
        callback=report if printitn > 0 else callback,
        **options,
    )
    if printitn > 0:
        lines.end(result)
    if guess is None:  # The same numbers as those that the run has drawn.
        of_best = result.starts[result.best_start].seed
        drawn_model = _core.random_model(list(X.shape), rank, of_best, "uniform")
        guess = Model(*drawn_model, X.labels, X.mode_names)
    params = {
        "stoptol": stoptol,
        "maxiters": maxiters,
        "dimorder": np.asarray(order),
        "optdims": np.asarray(updated),
        "printitn": printitn,
        "fixsigns": fixsigns,
    }
    info = {
        "params": params,
        "iters": max(result.iterations - 1, 0),  # pyttb has the number of the last one, from 0
        "normresidual": result.residual_norm,
        "fit": result.fit,
        "result": result,
    }
    return result.model, guess, info
