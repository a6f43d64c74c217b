# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`cp_als` as pyttb has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._cp import Iteration, _model_of, cp
from .model import Model
from .tensors import tensor


def _initial(init: Any, shape: tuple[int, ...], rank: int, kind: str, seed: int) -> Model:
    """The guess that the run starts from, as a model; random ones are those of `cp`."""
    from . import _core

    if isinstance(init, str):
        if init != "random":
            raise ValueError(f"init: expected 'random' or a model, got {init!r}")
        return Model(*_core.random_model(list(shape), rank, seed, kind))
    return init if isinstance(init, Model) else _model_of(init)


def cp_als(
    input_tensor: Any,
    rank: int,
    stoptol: float = 1e-4,
    maxiters: int = 1000,
    dimorder: Sequence[int] | None = None,
    optdims: Sequence[int] | None = None,
    init: Any = "random",
    printitn: int = 1,
    fixsigns: bool = True,
    *,
    seed: int = 1,
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
    dimorder : sequence of int, optional
        Modes in the order of their updates.
    optdims : sequence of int, optional
        Modes to update; all if not given.
    init : {'random'} or model
        A `Model`, a ``pyttb.ktensor`` or a sequence of factors; uniform random numbers otherwise.
    printitn : int
        Print each so many iterations; 0: nothing.
    fixsigns : bool
        Must be true: signs are always made unambiguous, but where modes are fixed.
    seed : int
        Of the random guess. With pyttb that is NumPy's global affair.
    **options
        Further keywords of `genten.cp`.

    Returns
    -------
    model : Model
    init : Model
        The initial guess.
    info : dict
        'params', 'iters', 'normresidual' and 'fit', as pyttb has them, and 'result': the `Result`.

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
    guess = _initial(init, X.shape, rank, "uniform", seed)
    if guess.shape != X.shape or guess.rank != rank:
        raise ValueError(
            f"init: expected a model of shape {X.shape} and rank {rank}, got {guess.shape} and "
            f"rank {guess.rank}"
        )
    updated = range(X.ndim) if optdims is None else list(optdims)
    fixed = [mode for mode in range(X.ndim) if mode not in updated]

    def report(iteration: Iteration) -> bool:
        if iteration.iteration % printitn == 0:
            print(
                f" Iter {iteration.iteration - 1}: f = {iteration.fit:e} "
                f"f-delta = {iteration.fit_change:7.1e}"
            )
        return False

    if printitn > 0:
        print("CP_ALS:")
    result = cp(
        X,
        rank,
        init=guess,
        tolerance=stoptol,
        max_iterations=maxiters,
        mode_order=[] if dimorder is None else dimorder,
        fixed_modes=fixed,
        callback=report if printitn > 0 else None,
        **options,
    )
    if printitn > 0:
        print(f" Final f = {result.fit:e}")
    params = {
        "stoptol": stoptol,
        "maxiters": maxiters,
        "dimorder": np.arange(X.ndim) if dimorder is None else np.asarray(dimorder),
        "optdims": np.asarray(list(updated)),
        "printitn": printitn,
        "fixsigns": fixsigns,
    }
    info = {
        "params": params,
        "iters": result.iterations - 1,  # pyttb has the number of the last one, from 0
        "normresidual": result.residual_norm,
        "fit": result.fit,
        "result": result,
    }
    return result.model, guess, info
