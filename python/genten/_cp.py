# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP decomposition."""

from __future__ import annotations

import os
import textwrap
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from . import _core
from ._input import tensor
from ._missing import core_of, kind_of, missing_entries, warn_of_merged, without_missing
from ._options import CP
from ._outcome import result_of
from ._pyttb_names import of_two_arguments
from ._run.initial_guess import kinds
from ._run.iteration import Iteration
from ._model.own_loss import Loss
from ._model.run_record import repeated
from ._run.request import ALIASES, Request, check_names
from .convert.parts import warn
from .result import Result
from .tensors import Tensor

if TYPE_CHECKING:
    from typing_extensions import Unpack


class CpOptions(TypedDict, total=False):
    """The keywords of `cp` that come from the library's table, for type checkers."""

    max_iterations: int
    tolerance: float
    time_limit: float
    seed: int | np.random.Generator | np.random.RandomState | None
    starts: int
    mode_order: Sequence[int | str]
    update_order: str
    fixed_modes: str | Sequence[int | str]
    acceleration: str
    nonnegative: bool | str | Sequence[int | str]
    nonneg: bool | str | Sequence[int | str]
    ridge: float | Sequence[float]
    l1: float | Sequence[float]
    lower: float | Sequence[float]
    upper: float | Sequence[float]
    inner_iterations: int
    kappa: float
    kappa_tolerance: float
    steps: str
    method: str
    corrections: int
    rate: float
    epoch_steps: int
    batch: int
    failures: int
    most_operations: float
    zero_samples: int
    holdout: float
    holdout_seed: int
    patience: int
    memory_available: float
    standard_errors: bool
    bootstrap: int
    bootstrap_mode: int | str
    kernel: str
    memory_limit: float


@of_two_arguments
def cp(
    X: Any,
    rank: int | None = None,
    *,
    loss: str | Loss | None = None,
    loss_parameter: float | None = None,
    solver: str | None = None,
    missing: Any = None,
    device: str = "auto",
    dtype: Any = None,
    init: Any = None,
    progress: bool = False,
    callback: Callable[[Iteration], Any] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: int = 10,
    resume: str | os.PathLike[str] | None = None,
    keep_starts: bool = False,
    comm: Any = None,
    grid: Sequence[int] | None = None,
    **options: Unpack[CpOptions],
) -> Result:
    """CP decomposition of a sparse tensor under any of twelve losses, least squares among them.

    The GIL is not held while it computes. Ctrl-C ends the run after the current iteration and
    returns the best start so far; its `stopped_early` is then 'interrupted'.

    Parameters
    ----------
    X : Tensor, or what `genten.tensor` takes
    rank : int
        Number of components R; that of `init` or `resume` where these say it, else 16, with a
        warning where that, or a given one, is too many for a tensor of this shape.
    loss : str, optional
        What is minimized, 'gaussian' if not given, or that of `resume`. Factors are not negative
        under losses whose model must not be. There are {losses}. Or a `genten.Loss`, of functions
        of your own, which solver 'gcp' minimizes on the host.
    loss_parameter : float, optional
        The number of a loss that has one.
    solver : {'als', 'apr', 'completion', 'gcp'}, optional
        How it is minimized. If not given: 'als', alternating least squares, for 'gaussian', and
        'completion' where entries are missing; 'apr', alternating Poisson regression, for 'poisson'
        and 'bernoulli-poisson'; 'gcp', by exact gradients, for all else, and for penalties, bounds,
        fixed modes and held-out zeros that the others do not have. `tolerance` is of the change of
        the fit, or of the objective as a part of it, for the first two, of the KKT violation for
        'apr', and of the projected gradient as a part of the objective for 'gcp'.
    missing : 'unlisted', subscripts (entries, N), mask, tensor, table, tuples, or path, optional
        Entries that are not known: all that the tensor does not list, or these, all others
        counting, zeros too. A mask has the shape of X and is True where a value is missing, which
        is the opposite of a mask of TensorLy or pyttb; X may be NaN there. A dense array lists
        what is not 0: 'unlisted' makes its zeros unknown, of which a warning tells. Without these
        the masked elements of a masked array are missing. Tables and tuples of labels are as for
        `Model.predict`; modes and rows of a tensor with names go by these. A path is that of a file
        that lists the entries, with values or without. With 'completion' unlisted entries bring a
        small `ridge` with them.
    device : {'auto', 'cpu', 'gpu'}
        Where to compute; 'auto' takes the device that this build was made for if it is there.
    dtype : float32 or float64, optional
        Of the computation; that of the tensor if not given.
    init : str, Model, Result, sequence of arrays, or path, optional
        The kind of random numbers to start from ({kinds}), or the initial guess: a model of
        Genten, pyttb or TensorLy, a result for its model, factors, a pair of weights (or None) and
        factors, or 'nvecs' for the leading left singular vectors of each unfolding, the same each
        time.
        Where a model has names of modes or labels, and the tensor, too, they go by these.
    progress : bool
        Show a line that follows the iterations: by tqdm, in notebooks too, if it is installed.
    callback : callable, optional
        Called with an `Iteration` after each one, of starts that take turns in their order; what it
        returns ends the run, all its starts, where it is true.
        What it raises ends the run, and is raised.
    checkpoint : path, optional
        File to write where the run stands to, now and then and at its end.
    checkpoint_every : int
        Iterations from one checkpoint to the next.
    resume : path, optional
        A checkpoint to go on from, with its options; max_iterations, tolerance, time_limit,
        memory_limit and memory_available may be others, and `missing` is given again.
    keep_starts : bool
        Keep the model of every start, not only that of the best, in ``result.starts``, for
        `plot_starts` and the report; on hosts each takes as much memory as the result's.
    comm : mpi4py communicator, optional
        Processes that compute together, by least squares, without `missing`; all call `cp`. X is on
        all of them the path of one file, of which each reads a part, or on each its part of the
        nonzeros, of the shape of the whole tensor, or None. Parts may be any; what several bring of
        one entry is added up. All processes give the same options; `init`, `callback`, `progress`,
        `checkpoint`, `resume` and `keep_starts` are those of process 0, and so are X's labels.
    grid : sequence of int, optional
        With `comm`: layers by mode, whose product is the number of processes, instead of bisection.
    {options}
    nonneg : bool or sequence of int or str, optional
        The same as `nonnegative`; a text is one mode's name in both.

    Returns
    -------
    Result
        With the same seed and data the same bits, for every number of threads, on hosts. Each of
        several processes gets one; `model` is process 0's, and None on the others.
        `genten.plot_starts` draws what several starts have reached, and how alike they are.

    Raises
    ------
    TypeError
        For a keyword that is none or has no effect beside others, or a value of the wrong type.
    ValueError
        For a value out of range, and for what no tensor may hold.
    MemoryError
        Before the run, where it would need more memory than there is, with what would fit.
    OSError
        For files that cannot be read.
    RuntimeError
        For a device that is not there, in a process forked from one that used genten, and for a
        communicator of an MPI that this build has no module for.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns", labels=[
    ...     "data/titanic/class.labels", "data/titanic/sex.labels", "data/titanic/age.labels",
    ...     "data/titanic/survived.labels"])
    >>> r = genten.cp(X, 2, seed=1)
    >>> r.stop_reason, round(r.fit, 3)
    ('converged', 0.89)
    >>> [name for name, value in r.model.top(component=0, k=1, mode=1)]
    ['Male']
    >>> r = genten.cp(X, 2, loss="poisson")  # people are counted
    >>> r.stop_reason, int(r.model.factors[0].min() >= 0), round(r.deviance)
    ('converged', 1, 352)
    """
    request = Request(
        rank, loss, loss_parameter, solver, missing, device, dtype, getattr(init, "model", init),
        progress, callback, checkpoint, checkpoint_every, resume, keep_starts, dict(options),
    )  # fmt: skip
    outcome = None
    if comm is not None:
        from ._run.processes import cp_on_processes, has_others

        if has_others(comm):
            outcome = cp_on_processes(comm, X, request, grid)
    if outcome is None:
        if grid is not None:
            raise TypeError("grid: has no effect in one process: give comm=")
        outcome = _on_one_process(X, request)
    result = result_of(*outcome)
    if trouble := outcome[0]["checkpoint_trouble"]:
        warnings.warn(f"no checkpoint: {trouble}", RuntimeWarning, stacklevel=3)
    return result


def _on_one_process(X: Any, request: Request) -> tuple[dict[str, Any], Tensor, dict[str, Any]]:
    check_names(request.options)
    X, said = without_missing(X, request.missing)
    given = tensor(X)
    missing = missing_entries(said, given)
    warn_of_merged(given, missing, request.loss)
    run = request.run(given, kind_of(missing))
    raw: dict[str, Any] = {}
    try:
        raw = _core.cp(
            run.given._core,
            run.asked,
            request.device,
            run.weights,
            run.factors,
            request.resumed,
            run.observer(),
            run.checkpoint(),
            run.checkpoint_every(),
            bool(request.keep_starts),
            core_of(missing),
            warn,
        )
    except ValueError as error:
        if not isinstance(request.loss, str) or not getattr(error, "of_data", False):
            raise
        way = "loss='gaussian', least squares, takes any numbers"
        if request.loss.startswith("bernoulli"):
            way = "genten.tensor(X).map(lambda values: values > 0) makes 1 of counts"
            if added := repeated(given):
                way = f"{_core.summed_binary(added)}, and {way}"
        raise ValueError(f"{error}; {way}") from None
    finally:
        run.close(raw)
    return run.outcome(raw, given, missing)


def _losses() -> str:
    """The losses with what they mean, in lines of the docstring."""
    text = "; ".join(f"{name!r}, {meaning}" for name, meaning in _core.losses().items())
    return "\n    ".join(textwrap.wrap(text, 88))


cp.__doc__ = (
    CP.filled_in(cp.__doc__, leave_out=("rank", "init"))
    .replace("{losses}", _losses())
    .replace("{kinds}", ", ".join(repr(kind) for kind in kinds()))
)
cp.__signature__ = CP.signature(  # type: ignore[attr-defined]
    cp, leave_out=("rank", "init"), aliases=ALIASES
)
