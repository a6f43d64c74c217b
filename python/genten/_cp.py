# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP decomposition."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from . import _core, _library
from ._names import checked_mode, numbered_modes
from ._paths import file_name
from ._options import CP_ALS, CP_APR, CP_COMPLETION, OF_LOSS, OptionTable
from ._progress import Progress
from ._run.beginning import guess_of, kinds, told_of
from ._run.iteration import Iteration, observer_of
from ._run.missing import missing_cells, refuse_beside_missing
from ._run.warned import warn_of_default_rank
from .result import Result, result_of
from .tensors import Tensor, tensor

if TYPE_CHECKING:
    from typing_extensions import Unpack


class CpOptions(TypedDict, total=False):
    """The keywords of `cp` that come from the library's table, for type checkers."""

    max_iterations: int
    tolerance: float
    time_limit: float
    seed: int
    starts: int
    mode_order: Sequence[int | str]
    fixed_modes: Sequence[int | str]
    nonnegative: bool | Sequence[int | str]
    nonneg: bool | Sequence[int | str]
    ridge: float | Sequence[float]
    l1: float | Sequence[float]
    lower: float | Sequence[float]
    upper: float | Sequence[float]
    inner_iterations: int
    kappa: float
    kappa_tolerance: float
    steps: str
    holdout: float
    holdout_seed: int
    patience: int
    memory_available: float
    kernel: str
    memory_limit: float


def _resumed_options(
    path: str, loss: str | None, kind: str, options: dict[str, Any], rank: int | None
) -> tuple[str, dict[str, Any]]:
    """Precision and options of a checkpoint, with those that may be others as they are given.

    `kind` is what is missing: "", "unlisted" or "listed".
    """
    dtype, saved_loss, saved, saved_kind = _library.checkpoint_facts(path)
    if kind != saved_kind:
        words = {"": "None", "unlisted": "'unlisted'", "listed": "a list of cells"}
        raise ValueError(
            f"missing: expected that of the checkpoint, {words[saved_kind]}, got {words[kind]}"
        )
    if loss is not None and loss != saved_loss:
        raise ValueError(f"loss: expected that of the checkpoint, {saved_loss!r}, got {loss!r}")
    given = dict(options) if rank is None else {**options, "rank": rank}
    for name, value in given.items():
        if value != saved[name] and not _core.may_change_on_resume(name):
            raise ValueError(f"{name}: expected that of the checkpoint, {saved[name]}, got {value}")
    return dtype, {**saved, **given}


_OF_MODES = ("mode_order", "fixed_modes", "nonnegative")


def _checked_modes(options: dict[str, Any], order: int) -> None:
    for name in _OF_MODES:
        modes = options.get(name, ())
        for mode in () if isinstance(modes, bool) else modes:
            if mode < 0:
                raise ValueError(f"{name}: expected modes from 0 to {order - 1}, got {mode}")
            checked_mode(mode, order)


def _with_numbers(options: dict[str, Any], given: Tensor) -> dict[str, Any]:
    """The options with modes by number where they are named."""
    numbered = dict(options)
    for name in _OF_MODES:
        if options.get(name) is None or isinstance(options[name], bool):
            continue
        try:
            numbered[name] = numbered_modes(options.get(name), given.ndim, given.mode_names)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return numbered


ALIASES = {"nonneg": "nonnegative"}
"""Keywords by another name."""


def without_aliases(options: dict[str, Any]) -> dict[str, Any]:
    """The keywords by the names of the table.

    Raises
    ------
    TypeError
        For one that is given by both names.
    """
    for alias, name in ALIASES.items():
        if alias in options and name in options:
            raise TypeError(f"{alias}: means the same as {name}, expected one of them")
    return {ALIASES.get(name, name): value for name, value in options.items()}


_WITHOUT_MISSING = OptionTable.joined(CP_ALS, CP_APR, "with loss='poisson'")
_ALL = OptionTable.joined(_WITHOUT_MISSING, CP_COMPLETION, "with missing")


def _table_of(loss: str | None, resume: str | None) -> OptionTable:
    """The options of a loss or, without one, of a checkpoint's."""
    if loss is None:
        loss = "gaussian" if resume is None else _library.checkpoint_facts(resume)[1]
    if not isinstance(loss, str) or loss not in OF_LOSS:
        raise ValueError(f"loss: expected one of {', '.join(map(repr, OF_LOSS))}, got {loss!r}")
    return OF_LOSS[loss]


_NOT_YET_FOR_COUNTS = {"ridge", "l1", "lower", "upper", "fixed_modes"}


def _check_names(table: OptionTable, options: Iterable[str]) -> None:
    beside = "beside missing"
    for loss, each in OF_LOSS.items():
        if each is table:
            beside = f"beside loss={loss!r}"
    for name in options:
        table_name = ALIASES.get(name, name)
        if table_name in table.options:
            continue
        if table_name in CP_COMPLETION.options and table_name not in _WITHOUT_MISSING.options:
            raise TypeError(f"{name}: means nothing without missing")
        if table is OF_LOSS["poisson"] and table_name == "nonnegative":
            raise TypeError(f"{name}: is not for loss='poisson', whose factors always are")
        if table is OF_LOSS["poisson"] and table_name in _NOT_YET_FOR_COUNTS:
            raise TypeError(f"{name}: is not there yet {beside}")
        if table_name in _WITHOUT_MISSING.options:
            raise TypeError(f"{name}: means nothing {beside}")
        raise TypeError(f"cp: {table.unknown(name, OWN)}")


def checked_options(
    options: dict[str, Any], given: Tensor, table: OptionTable = CP_ALS
) -> dict[str, Any]:
    """The keywords of the table as the extension takes them."""
    checked = table.checked(_with_numbers(without_aliases(options), given))
    _checked_modes(checked, given.ndim)
    return checked


def _checked_every(every: Any) -> int:
    if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or every < 1:
        raise ValueError(f"checkpoint_every: expected a whole number of at least 1, got {every!r}")
    return int(every)


def _facts(given: Tensor, norm: float) -> dict[str, Any]:
    """What a result says of its tensor."""
    facts: dict[str, Any] = {
        "shape": given.shape,
        "nnz": given.nnz,
        "norm": norm,
        "dtype": str(given.dtype),
    }
    if given._is_counted:
        facts["distinct_cells"] = given.distinct_cells
        facts["density"] = given.density
    if given.source is not None:
        facts["file"] = given.source
        facts["duplicates"] = given.file_facts.get("duplicates", 0)
        facts["read_options"] = dict(given.file_facts.get("read_options", {}))
        facts["labels_beside"] = given.file_facts.get("labels_beside", False)
    return facts


def cp(
    X: Any,
    rank: int | None = None,
    *,
    loss: str | None = None,
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
    **options: Unpack[CpOptions],
) -> Result:
    """CP decomposition of a sparse tensor: least squares or, for counts, maximum likelihood.

    The GIL is not held while it computes. Ctrl-C ends the run after the current iteration and
    returns the best start so far; its `stopped_early` is then 'interrupted'.

    Parameters
    ----------
    X : Tensor, or what `genten.tensor` takes
    rank : int
        Number of components R; that of `init` or `resume` where these say it, else 16, with a
        warning where that is too many for a tensor of this shape.
    loss : {'gaussian', 'poisson'}, optional
        What is minimized: half the sum of squared differences, by alternating least squares, or
        the negative logarithm of the likelihood of counts under Poisson's distribution, by CP-APR,
        with factors that are not negative; that of `resume`, else 'gaussian'. With 'poisson',
        `tolerance` is that of the KKT violation, and `max_iterations` is 1000 if not given.
    missing : 'unlisted', subscripts (cells, N), mask, tensor, table, or tuples, optional
        Cells that are not known: all that the tensor does not list, or these, all others counting,
        zeros too. A mask has the shape of X. Tables and tuples of labels are as for
        `Model.predict`, and the rows of a tensor with labels go by these. `tolerance` is then
        1e-5, of the objective, if not given, and unlisted cells bring a small `ridge` with them.
    device : {'auto', 'cpu', 'gpu'}
        Where to compute; 'auto' takes the device that this build was made for if it is there.
    dtype : float32 or float64, optional
        Of the computation; that of the tensor if not given.
    init : str, Model, sequence of arrays, or path, optional
        The kind of random numbers to start from ({kinds}), or the initial guess: a model of
        Genten, pyttb or TensorLy, factors, a pair of weights (or None) and factors, or 'nvecs' for
        the leading left singular vectors of each unfolding, found by SciPy and the same each time.
        Where a model has labels, and the tensor, too, its rows go by these.
    progress : bool
        Show a line that follows the iterations: by tqdm, in notebooks too, if it is installed.
    callback : callable, optional
        Called with an `Iteration` after each one; what it returns ends the run where it is true.
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
    {options}
    nonneg : bool or sequence of int or str, optional
        The same as `nonnegative`.

    Returns
    -------
    Result
        With the same seed and data the same bits, for every number of threads, on hosts.

    Raises
    ------
    TypeError
        For a keyword that is none, or a value of the wrong type.
    ValueError
        For a value out of range, and for what no tensor may hold.
    MemoryError
        Before the run, where it would need more memory than there is, with what would fit.
    OSError
        For files that cannot be read.
    RuntimeError
        For a device that is not there, and in a process forked from one that used genten.

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
    resumed = "" if resume is None else file_name(resume, "resume")
    if missing is None:
        table = _table_of(loss, resumed or None)
    else:
        refuse_beside_missing(missing, {"loss": loss, "resume": resume, **options})
        table = CP_COMPLETION
    _check_names(table, options)
    given = original = tensor(X)
    without = None if missing is None else missing_cells(missing, given)
    checked = checked_options(dict(options), given, table)
    if rank is not None:
        rank = table.options["rank"].checked(rank)
    if isinstance(init, str) and init in kinds():
        checked["init"] = init
    if resume is not None:
        if init is not None:
            raise TypeError("init: means nothing beside resume")
        kind = "" if missing is None else "unlisted" if without is None else "listed"
        saved_dtype, checked = _resumed_options(resumed, loss, kind, checked, rank)
        if dtype is not None and np.dtype(dtype) != np.dtype(saved_dtype):
            raise ValueError(f"dtype: expected that of the checkpoint, {saved_dtype}, got {dtype}")
        dtype = saved_dtype
    given = given if dtype is None else given.astype(dtype)
    guess = guess_of(init, rank, given, checked)
    if guess is not None and "seed" in checked:
        raise TypeError("seed: means nothing beside an initial guess, which is not random")
    if guess is not None and checked.get("starts", 1) != 1:
        raise ValueError(f"starts: expected 1 beside an initial guess, got {checked['starts']}")
    if rank is not None and resume is None:
        checked["rank"] = rank
    if rank is None and guess is None and resume is None:
        warn_of_default_rank(int(table.options["rank"].default), given.shape)
    weights, factors = (None, []) if guess is None else guess._packed(given.dtype)
    shown = Progress(checked, given.shape, table) if progress else None
    solver = {
        id(CP_ALS): _library.cp_als,
        id(CP_APR): _library.cp_apr,
        id(CP_COMPLETION): _library.cp_completion,
    }[id(table)]
    try:
        raw = solver(
            given._core,
            checked,
            device,
            weights,
            factors,
            resumed,
            observer_of(given, shown, callback),
            "" if checkpoint is None else file_name(checkpoint, "checkpoint"),
            _checked_every(checkpoint_every),
            bool(keep_starts),
            None if without is None else without._core,
        )
        if shown is not None:
            shown.end(raw["starts"][-1]["stop_reason"])
    finally:
        if shown is not None:
            shown.close()
    if guess is not None:  # what it was, not the kind of random numbers that were not drawn
        raw["options"]["init"] = told_of(init, guess)
    if resume is not None:
        raw["options"]["resume"] = resumed
    if missing is not None:
        raw["options"]["missing"] = missing if without is None else without
    facts = _facts(original, raw["tensor_norm"])
    result = result_of(raw, given, facts)
    if raw["checkpoint_trouble"]:
        warnings.warn(f"no checkpoint: {raw['checkpoint_trouble']}", RuntimeWarning, stacklevel=2)
    return result


OWN = (
    "rank", "loss", "missing", "device", "dtype", "init", "progress", "callback", "checkpoint",
    "checkpoint_every", "resume", "keep_starts",
)  # fmt: skip
"""Keywords of `cp` that are in no table."""

cp.__doc__ = _ALL.filled_in(cp.__doc__, leave_out=("rank", "init")).replace(
    "{kinds}", ", ".join(repr(kind) for kind in kinds())
)
cp.__signature__ = _ALL.signature(  # type: ignore[attr-defined]
    cp, leave_out=("rank", "init"), aliases=ALIASES
)
