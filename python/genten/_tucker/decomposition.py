# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tucker decomposition."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _core
from .._files.paths import file_name
from .._input import tensor
from .._load import load
from .._model.arrays import narrowed_columns
from .._model.run_record import entry_facts
from .._model.tucker import tucker_arrays
from .._names.alignment import differing_labels, order_of_modes
from .._names.labels import checked_mode, numbered_modes
from .._options import TUCKER, knowing_keywords
from .._run.diagnostics import warn_of_no_entries
from .._run.iteration import Iteration
from .._run.progress import Progress
from .._run.request import counted_of, facts_of
from .._run.seeds import drawn, random_seed
from ..convert.pyttb import way_of_model
from ..tensors import Tensor
from ..tucker_model import TuckerModel
from .result import TuckerResult, tucker_result_of

_OF_HOOI = ("max_iterations", "tolerance", "time_limit")


@knowing_keywords
def tucker(
    X: Any,
    ranks: int | Sequence[int | None] | None = None,
    *,
    method: str | None = None,
    init: Any = None,
    max_iterations: int | None = None,
    tolerance: float | None = None,
    time_limit: float | None = None,
    seed: int | np.random.Generator | np.random.RandomState | None = 1,
    mode_order: Sequence[int | str] | None = None,
    fixed_modes: Sequence[int | str] | None = None,
    memory_available: float | None = None,
    dtype: Any = None,
    progress: bool = False,
    callback: Callable[[Iteration], Any] | None = None,
) -> TuckerResult:
    """Tucker decomposition of a sparse tensor: a core, and orthonormal factors.

    Nothing is ever dense in two modes' lengths. The GIL is not held while it computes. Ctrl-C ends
    the run after the current sweep and returns the model so far.

    Parameters
    ----------
    X : Tensor, or what `genten.tensor` takes
    ranks : sequence of int, or int
        The core's length in each mode, or in all; None or 0 for a mode that is not to be
        compressed. A rank may exceed neither its mode's length nor the product of the others.
        Those of `init` if not given.
    init : {'st-hosvd', 'hosvd', 'random'}, TuckerModel, or path, optional
        Where 'hooi' begins: at the result of one of these methods ('st-hosvd' if not given), at
        random orthonormal factors, or at a model of orthonormal columns, of whose fixed modes the
        factors stay.
    dtype : float32 or float64, optional
        Of the computation; that of the tensor if not given.
    progress : bool
        Show a line that follows the sweeps: by tqdm, in notebooks too, if it is installed.
    callback : callable, optional
        Called with an `Iteration` after each sweep; what it returns ends the run where it is true.
    {options}

    Returns
    -------
    TuckerResult

    Raises
    ------
    TypeError, ValueError
        For options that mean nothing or are out of range, and ranks that the tensor does not have.
    MemoryError
        Before it begins, for what does not fit.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> r = genten.tucker(X, (2, 2, 3))
    >>> r.model.core.shape, round(r.fit, 4)
    ((2, 2, 3), 0.9449)
    >>> round(genten.tucker(X, (2, None, 3), method="st-hosvd").fit, 4)
    0.9449
    """
    given = tensor(X)
    given = given if dtype is None else given.astype(dtype)
    seed = drawn(seed)
    options = {
        "method": method,
        "max_iterations": max_iterations,
        "tolerance": tolerance,
        "time_limit": time_limit,
        "seed": random_seed() if seed is None and init == "random" else seed,
        "mode_order": _modes("mode_order", mode_order, given),
        "fixed_modes": _modes("fixed_modes", fixed_modes, given),
        "memory_available": memory_available,
    }
    checked = TUCKER.checked(options)
    guess = _guess_of(init, given)
    if isinstance(init, str) and guess is None:
        checked["init"] = TUCKER.options["init"].checked(init)
    _refuse_meaningless(checked, init, guess, seed)
    if ranks is not None:
        checked["ranks"] = _checked_ranks(ranks, given.ndim)
    elif guess is None:
        raise TypeError("ranks: expected the core's length in each mode, as (4, 4, 3)")
    if guess is not None:
        _refuse_other_ranks(checked, guess)
    warn_of_no_entries(given.nnz)
    core, lengths, factors = (None, [], []) if guess is None else _arrays(guess, given.dtype)
    counted = counted_of(given)
    shown = Progress({**TUCKER.defaults(), **checked}, name="genten.tucker") if progress else None
    raw: dict[str, Any] = {}
    try:
        raw = _core.tucker(
            given._core,
            checked,
            core,
            lengths,
            factors,
            entry_facts(given),
            _observer(given, shown, callback),
        )
    finally:
        if shown is not None:
            shown.close(raw["stop_reason"] if raw else "")
    if guess is not None:
        raw["options"]["init"] = guess if isinstance(init, TuckerModel) else file_name(init)
    return tucker_result_of(raw, given, facts_of(given, raw["tensor_norm"]) | counted)


tucker.__doc__ = TUCKER.filled_in(tucker.__doc__, leave_out=("ranks", "init"))


def _modes(name: str, modes: Any, X: Tensor) -> Any:
    """Modes by number where they are named."""
    if modes is None:
        return None
    try:
        numbers = TUCKER.options[name].checked(numbered_modes(modes, X.ndim, X.mode_names))
        for mode in numbers:
            if mode < 0:
                raise ValueError(f"expected modes from 0 to {X.ndim - 1}, got {mode}")
            checked_mode(mode, X.ndim)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return numbers


def _checked_ranks(ranks: Any, order: int) -> list[int]:
    """One rank a mode, 0 for those that are not compressed."""
    try:
        return [operator.index(ranks)] * order
    except TypeError:
        pass
    if isinstance(ranks, str) or not hasattr(ranks, "__iter__"):
        raise TypeError(f"ranks: expected whole numbers, one a mode, got {ranks!r}")
    given: list[int] = TUCKER.options["ranks"].checked([0 if r is None else r for r in ranks])
    for rank in given:
        if rank < 0:
            raise ValueError(f"ranks: expected whole numbers of at least 0, got {rank}")
    return given


def _guess_of(init: Any, X: Tensor) -> TuckerModel | None:
    """The model to begin with, if `init` is none of the words."""
    if init is None or (isinstance(init, str) and init in TUCKER.options["init"].choices):
        return None
    words = ", ".join(map(repr, TUCKER.options["init"].choices))
    expected = f"init: expected one of {words}, a TuckerModel, or the path of one"
    if isinstance(init, (str, bytes, os.PathLike)):
        name = file_name(init, "init")
        if name.isidentifier() and not os.path.exists(name):
            is_svd = init in ("svd", "nvecs")
            hint = "; 'st-hosvd' and 'hosvd' begin at leading singular vectors" if is_svd else ""
            raise ValueError(f"{expected}, got {init!r}{hint}")
        found = load(name, dtype=X.dtype)
    else:
        found = init
    if not isinstance(found, TuckerModel):
        way = way_of_model(found) if hasattr(found, "core") else ""
        raise TypeError(f"{expected}, got {type(found).__name__}{way}")
    if found.shape != X.shape:
        raise ValueError(f"init: expected a model of shape {X.shape}, got {found.shape}")
    moved = order_of_modes(X.mode_names, found.mode_names, "init") is not None
    if moved or next(differing_labels(X.labels, found.labels), None) is not None:
        raise ValueError(
            "init: expected modes and rows in the order of the tensor's, got other labels or names"
        )
    return found


def _refuse_meaningless(
    options: dict[str, Any], init: Any, guess: TuckerModel | None, seed: Any
) -> None:
    """Complains of options that the method has no use for."""
    method = options.get("method", "hooi")
    if method != "hooi":
        for name in _OF_HOOI:
            if name in options:
                raise TypeError(
                    f"{name}: has no effect beside method={method!r}: leave it out"
                )
        if init is not None and (guess is None or not options.get("fixed_modes")):
            raise TypeError(
                f"init: has no effect beside method={method!r}, which takes nothing but fixed "
                "modes from a model: leave it out"
            )
    if options.get("fixed_modes") and guess is None:
        raise TypeError("fixed_modes: expected init, a TuckerModel that has their factors")
    if seed != 1 and options.get("init") != "random":
        raise TypeError("seed: has no effect without init='random'")


def _refuse_other_ranks(options: dict[str, Any], guess: TuckerModel) -> None:
    """Complains of ranks that are not those of the guess."""
    own = [
        0 if factor is None else rank
        for rank, factor in zip(guess.ranks, guess.factors, strict=True)
    ]
    if options.setdefault("ranks", own) != own:
        raise ValueError(f"ranks: expected those of init, {own}, got {options['ranks']}")


def _arrays(guess: TuckerModel, dtype: Any) -> tuple[Any, list[int], list[Any]]:
    """Core, ranks and factors of the guess as the extension takes them."""
    factors = [
        None if each is None else narrowed_columns(each, dtype, f"init: factor {mode}")
        for mode, each in enumerate(guess.factors)
    ]
    return tucker_arrays(guess.core.astype(dtype), factors)


def _observer(
    X: Tensor, shown: Progress | None, callback: Callable[[Iteration], Any] | None
) -> Callable[..., bool] | None:
    """What the extension calls after each sweep."""
    if shown is None and callback is None:
        return None

    def observe(*seen: Any) -> bool:
        fields: Any = (*seen, X.labels, X.mode_names, TuckerModel)
        iteration = Iteration(*fields)
        if shown is not None:
            shown.show(iteration)
        return callback is not None and bool(callback(iteration))

    return observe
