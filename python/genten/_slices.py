# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of new slices for a model whose other factors stay, under a loss and constraints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._files.sidecar import told_of_unknown_run
from ._input import tensor
from ._missing import (
    LISTED,
    UNLISTED,
    core_of,
    filled,
    has_mask,
    is_unlisted,
    kind_of,
    missing_entries,
    of_either,
    warn_of_list,
    warn_of_entries,
    without_missing,
)
from ._model.ktensor import Ktensor
from ._model.new_rows import Projection
from ._model.options_again import cp_again
from ._model.partial import counting, in_rows, leaving_out, partial_modes
from ._model.projection import checked_rows
from ._model.run_record import has_numbers, origin_of, own_loss_in, run_of
from ._names.alignment import warn_of_empty_numbers
from ._names.labels import checked_mode
from ._names.lookup import called
from ._names.numbers import MOST_NAMED
from ._model.own_loss import Loss
from .convert.parts import warn
from ._tensor_for import missing_beside, tensor_for
from .tensors import Tensor, as_named, beside, lacks_names


def slices_of(
    model: Ktensor,
    own: Tensor,
    mode: int,
    what: str,
    missing: Any = None,
    partial: Sequence[int] | None = None,
) -> tuple[Tensor, Any]:
    """A tensor with the model's rows in every mode but one, and what is `missing` of it, by these
    rows, too. Rows that it lacks are told, unless what it does not list is missing, or the tensor
    has some rows of these modes alone, which are `partial`; None of the tensor of the run, which
    has all.

    Raises
    ------
    ValueError
        For another shape, and for entries in rows that the tensor lacks.
    """
    counts = not is_unlisted(missing, {})
    told: dict[str, Any] = {}
    if partial is not None:
        told = {"partial": partial, "of_lacking": leaving_out(partial, model.mode_names)}
    given = beside(model, own, what, mode, counts, **told)
    lengths = [n for k, n in enumerate(given.shape) if k != mode]
    if given.ndim != model.ndim or lengths != [n for k, n in enumerate(model.shape) if k != mode]:
        raise ValueError(
            f"{what}: expected a tensor of shape {model.shape} but for mode {mode}, got "
            f"{given.shape}{of_one_slice(given.shape, model.shape, mode)}"
        )
    if given._is_table and counts and partial is not None:
        rows = given.subscripts, given.shape, model.labels, model.mode_names
        base = model._run.get("index_base") or 0
        told["partial"] = [mode, *partial]
        warn_of_empty_numbers(*rows, base, **told, factors=model.factors)
    if lacks_names(given, model.labels):
        given = as_named(given, model.labels, mode)
    return given, missing_beside(model, missing, own, given, model._run.get("index_base"), mode)


def of_one_slice(shape: Sequence[int], full: Sequence[int], mode: int | None) -> str:
    """What makes a tensor of a single slice that has lost its mode, of tensors of the `full` shape;
    "" for what is none.

    Examples
    --------
    >>> of_one_slice((2, 6), (2, 2, 6), 0).partition(", and")[0], of_one_slice((2, 5), (2, 2, 6), 0)
    ('; numpy.expand_dims(X, 0) makes one slice of an array', '')
    """
    if mode is None or list(shape) != [n for k, n in enumerate(full) if k != mode]:
        return ""
    kept = ", ".join([":"] * mode + ["0:1"])
    return (
        f"; numpy.expand_dims(X, {mode}) makes one slice of an array, and D[{kept}] of a tensor D "
        "leaves it its mode"
    )


def solve_rows(
    model: Ktensor, given: Tensor, mode: int, options: dict[str, Any], partial: Sequence[int] = ()
) -> Any:
    """What the extension finds for slices that have the model's rows, and the factors that it was
    found for: of `partial` modes the rows with entries."""
    given = tensor(given, dtype=np.float64)._checked()
    missing = missing_entries(options["missing"], given, model._run.get("index_base"))
    weights, factors = model._rows(np.float64)
    if partial:
        keys = counting(given.subscripts, given.shape, partial)
        factors = [factor[key] for factor, key in zip(factors, keys, strict=True)]
        given, missing = in_rows(given, keys), in_rows(missing, keys)
    own = options["loss"]
    asked = {
        **options,
        "own_loss": own._asked() if isinstance(own, Loss) else None,
        "unlisted": kind_of(missing) == UNLISTED,
        "lower": max(options["lower"], 0.0) if options["nonnegative"] else options["lower"],
    }
    if model.ndim == 1:  # The sum of all components is all that there is: a mode of length one.
        factors = [*factors, np.ones((1, model.rank))]
        missing = _with_a_mode(missing) if isinstance(missing, Tensor) else missing
        given = _with_a_mode(given)
    try:
        found = _core.project_rows(given._core, weights, factors, mode, asked, core_of(missing))
    except ValueError as error:
        if _NO_ZEROS not in str(error):
            raise
        if not _covers_all(given, missing):
            loss = str(error).partition(_NO_ZEROS)[0]
            raise ValueError(
                f"{loss}{_NO_ZEROS}: expected a tensor that lists all entries, or unlisted entries "
                "to be missing, by missing='unlisted' of Model.project_rows or of the run that "
                "made the model"
            ) from None
        asked["unlisted"] = True
        found = _core.project_rows(given._core, weights, factors, mode, asked, core_of(missing))
    return found, factors


_NO_ZEROS = "zeros have no minimum"
"""What the extension says of losses as gamma's where unlisted entries are zeros."""


def _covers_all(given: Tensor, missing: Tensor | str | None) -> bool:
    """Whether every entry is listed or missing."""
    every = math.prod(given.shape)
    if not isinstance(missing, Tensor):
        return given.nnz >= every and given.distinct_subscripts == every
    if given.nnz + missing.nnz < every:
        return False
    both = np.concatenate([given.subscripts, missing.subscripts])
    return tensor((both, np.ones(len(both)), given.shape)).distinct_subscripts == every


def _with_a_mode(given: Tensor) -> Tensor:
    subscripts = np.column_stack([given.subscripts, np.zeros(given.nnz, dtype=np.int64)])
    return tensor((subscripts, given.values, (*given.shape, 1)))._checked()


def project_slices(
    model: Ktensor,
    X: Any,
    mode: int | str,
    options: dict[str, Any],
    training: Any = None,
    missing_in_training: Any = None,
    what: str = "project_rows",
    partial: Any = None,
) -> Projection:
    """The projection of new slices, all options being given."""
    at = checked_mode(mode, model.ndim, model.mode_names)
    some = partial_modes(partial, model.ndim, model.mode_names, what, at)
    data, missing = without_missing(X, options["missing"])
    own = tensor_for(model, data, what, new_rows=at)
    given, away = slices_of(model, own, at, what, missing, some)
    counted = in_rows(given, counting(given.subscripts, given.shape, some)) if some else given
    warn_of_entries(given, counted, missing, options["loss"], what, model._run, X=X)
    found, part = solve_rows(model, given, at, {**options, "missing": away}, some)
    columns = np.array(found["rows"], dtype=np.float64).reshape(-1, 6).T
    far_worse = None
    if training is not None:
        fence = _far_worse_below(model, training, at, options, missing_in_training, what)
        if np.isnan(fence):
            warn(
                f"{what}: training rows cannot tell which new rows fit far worse: there are fewer "
                "than four, or the model explains less than 5 % of what varies in a quarter of them"
            )
        else:
            with np.errstate(invalid="ignore"):
                far_worse = columns[2] < fence
    rows = checked_rows(found, model._checked()[0], part, at, what)
    factors = [rows if n == at else factor for n, factor in enumerate(model.factors)]
    labels = [given.labels[n] if n == at else names for n, names in enumerate(model.labels)]
    found_model = type(model)(model.weights, factors, labels, model.mode_names)
    if (new := labels[at]) is not None:
        if doubt := _core.new_margins_note(list(model.labels[at] or ()), list(new)):
            warn(f"{what}: {called(at, model.mode_names)} has {doubt}")
    converged = columns[4] != 0
    if open_rows := int((~converged).sum()):
        have = "1 row has" if open_rows == 1 else f"{open_rows} rows have"
        warn(
            f"{what}: {have} not reached a minimum, which there may be none of, as where all "
            "entries are 0 or all are 1: a ridge makes one"
        )
    is_empty = columns[5] == 0
    first = len(rows) if is_empty.all() else int(np.argmin(is_empty))
    if note := _core.empty_rows_note(first, int(is_empty.sum()), len(rows), has_numbers(given)):
        warn(f"{what}: {note}")
    for note in (found["unit"], found["impossible"]):
        if note:
            warn(f"{what}: {note}")
    leaves_out = missing is not None or bool(some)
    if leaves_out and not options["ridge"] and not options["l1"]:
        _warn_of_few(columns[0], model.rank, labels[at], what)
    options = {**options, **_as_used(options), "missing": missing}
    loss = {name: options[name] for name in ("loss", "loss_parameter")}
    run = run_of({**model._run, **loss}, origin_of(model._run))
    if "unknown" in model._run and run["loss"] == "gaussian":  # which was assumed
        run = dict(model._run)
    return Projection(
        found_model._of_run(run),
        rows,
        columns[0],
        columns[1],
        columns[2],
        columns[3],
        converged,
        far_worse,
        options,
    )


def _as_used(options: dict[str, Any]) -> dict[str, Any]:
    """The options of constraints with the lower bound that holds, and the name of the loss."""
    loss, lower = options["loss"], options["lower"]
    needed = loss.lower if isinstance(loss, Loss) else _core.lower_bound(loss)
    lower = max(lower, needed, 0.0 if options["nonnegative"] else -np.inf)
    name = loss.name if isinstance(loss, Loss) else loss
    return {"loss": name, "lower": lower, "nonnegative": lower >= 0.0}


def _far_worse_below(
    model: Ktensor, training: Any, mode: int, options: dict[str, Any], listed: Any, what: str
) -> float:
    """The part explained below which rows fit far worse than those of the training tensor, of which
    the run has left out what is `listed`; NaN where these cannot tell. What is NaN or masked is
    left out, too.

    Raises
    ------
    TypeError, ValueError
        As for new slices, with the name of the keyword.
    """
    if isinstance(options["loss"], Loss):
        raise ValueError(
            f"{what}: training: has no effect beside a loss of your own, of which nobody knows "
            "how far it can fall: leave it out"
        )
    of_run, what = model._run.get("missing"), f"{what}: training"
    try:
        training, missing = filled(training)
        if missing is None and listed is None:
            warn_of_list(model._run, what, "training=numpy.ma.array(T, mask=mask)", "training=")
        if of_run == UNLISTED or of_run != LISTED and is_unlisted(options["missing"], {}):
            missing = UNLISTED
        own = tensor_for(model, training, what, new_rows=mode)
        given, missing = slices_of(model, own, mode, what, missing)
        missing = listed if missing is None else missing  # by the model's rows
        if listed is not None and given.shape == listed.shape:
            missing = of_either(missing, listed, given)
        elif missing is listed and listed is not None:
            raise ValueError(
                f"{what}: expected the tensor of the run, of shape {listed.shape}, whose missing "
                f"entries the run lists, got one of shape {given.shape}; numpy.ma.array(T, "
                "mask=mask) says which are missing of another"
            )
        found, _ = solve_rows(model, given, mode, {**options, "missing": missing})
    except (TypeError, ValueError) as error:
        if str(error).startswith(what):
            raise
        raise type(error)(f"{what}: {error}") from None
    return float(found["far_worse_below"])


def _warn_of_few(
    entries: npt.NDArray[np.float64],
    rank: int,
    names: Any,
    what: str,
) -> None:
    """Warns of rows that their entries do not determine."""
    few = np.flatnonzero(entries < rank)
    if len(few) == 0:
        return
    shown = [repr(names[row]) if names is not None else str(row) for row in few[:MOST_NAMED]]
    more = f" and {len(few) - len(shown)} more" if len(few) > len(shown) else ""
    have = "1 row has" if len(few) == 1 else f"{len(few)} rows have"
    warn(
        f"{what}: {have} fewer entries than the model's {rank} components, so that more than "
        f"one row fits as well, and a ridge says which: {', '.join(shown)}{more}"
    )


def options_from(
    loss: str | Loss | None,
    loss_parameter: float | None = None,
    nonnegative: bool = False,
    ridge: float = 0.0,
    l1: float = 0.0,
    lower: float = -np.inf,
    upper: float = np.inf,
    missing: Any = None,
) -> dict[str, Any]:
    """Those of `project_rows`, of a model whose elements are as they are."""
    loss = loss or "gaussian"
    return {
        "loss": loss,
        "loss_parameter": loss_parameter,
        "nonnegative": nonnegative,
        "ridge": float(ridge),
        "l1": float(l1),
        "lower": float(lower),
        "upper": float(upper),
        "missing": missing,
        "loss_factor": 0.5 if loss == "gaussian" else 1.0,
        "scales": [],
    }


def refuse_own_loss(run: Mapping[str, Any], what: str) -> None:
    """Complains of the run of a model whose loss is a function, under which no rows are found.

    Raises
    ------
    ValueError
        With what finds some.
    """
    if (own := own_loss_in(run)) is None:
        return
    by = "project_rows(..., loss=)" if what == "project" else "Model.project_rows(..., loss=)"
    raise ValueError(
        f"{what}: the loss of the run, {own}, is a function of your own, which no model keeps: "
        f"{by} takes the genten.Loss again, or a loss of the library, 'gaussian' for least "
        "squares, and lower=, upper= and so on where they are not to be those of the run; "
        f"{cp_again(run)} finds all rows from all data"
    )


def warn_of_unknown_run(model: Ktensor, what: str) -> None:
    """Warns of a model of a file beside which nothing says what its run was asked."""
    if "unknown" in model._run:
        of = " of project_rows" if what == "project" else ""
        warn(
            f"{what}: {told_of_unknown_run(model._run['unknown'])}: least squares "
            f"without constraints are assumed; loss='gaussian'{of} says that they were, and loss=, "
            "nonnegative= and so on what else"
        )


def constraints_of_run(
    run: Mapping[str, Any], modes: int
) -> list[tuple[float, float, float, float]]:
    """Ridge, l1, lower and upper bound of each mode."""

    def number(name: str, n: int, otherwise: float) -> float:
        numbers = run.get(name)
        if numbers is None or np.size(numbers) == 0:
            return otherwise
        each = np.atleast_1d(np.asarray(numbers, dtype=np.float64))
        return float(each[0 if len(each) == 1 else n])

    def constraint(n: int) -> tuple[float, float, float, float]:
        chosen = run.get("nonnegative")
        is_all = chosen is True or (isinstance(chosen, str) and chosen == "all")
        names = [] if chosen is None or isinstance(chosen, (bool, str)) else list(chosen)
        lower = number("lower", n, -np.inf)
        if is_all or n in names:
            lower = max(lower, 0.0)
        return number("ridge", n, 0.0), number("l1", n, 0.0), lower, number("upper", n, np.inf)

    return [constraint(n) for n in range(modes)]


def options_of_run(model: Ktensor, run: Mapping[str, Any], mode: int) -> dict[str, Any]:
    """Those of the run that made a model."""
    every = constraints_of_run(run, model.ndim)
    ridge, l1, lower, upper = every[mode]
    loss = run.get("loss") or "gaussian"
    options = options_from(
        loss,
        run.get("loss_parameter"),
        ridge=ridge,
        l1=l1,
        lower=lower,
        upper=upper,
        missing=UNLISTED if run.get("missing") == UNLISTED else None,
    )
    if run.get("solver") == "gcp":
        options["loss_factor"] = 1.0
    if run.get("solver") == "stream":
        return options
    weights, factors = model._rows(np.float64)
    options["scales"] = _core.column_scales(weights, factors, mode, [list(c) for c in every])
    return options


def options_of_model(
    model: Ktensor,
    mode: int | str,
    loss: tuple[str | Loss | None, float | None],
    given: dict[str, Any],
    what: str = "project_rows",
    X: Any = None,
) -> dict[str, Any]:
    """Those that are given, others as they were in the run of a model, as far as that is known. The
    loss is that of `given` where there is one, else that of the model. X are the data, of which a
    masked array says what is missing."""
    given = {name: value for name, value in given.items() if value is not None}
    asked = dict(model._run) | dict(zip(("loss", "loss_parameter"), loss, strict=True))
    if "loss" in given:
        asked.pop("solver", None)
    at = checked_mode(mode, model.ndim, model.mode_names)
    if "loss" not in given and loss[0] is None:
        refuse_own_loss(model._run, what)
    if not given and loss[0] is None:
        warn_of_unknown_run(model, what)
    if "missing" not in given and not has_mask(X):
        keyword = "missing= of project_rows" if what == "project" else "missing="
        warn_of_list(model._run, what, keyword)
    if own_loss_in(model._run) is not None:
        asked.pop("solver", None)
    options = options_of_run(model, asked, at)
    if isinstance(loss[0], Loss):
        options["ridge"] = options["ridge"] if "loss" in model._run else loss[0].ridge
    elif "loss" not in model._run and loss[0] is not None:
        options["ridge"] = _core.default_ridge(loss[0], loss[1])
    if "ridge" in given or "l1" in given:
        options["scales"] = []
    if given.get("nonnegative") and "lower" not in given:
        options["lower"] = -np.inf
    for name in ("nonnegative", "ridge", "l1", "lower", "upper", "missing"):
        options[name] = given.get(name, options[name])
    if isinstance(options["missing"], str) and options["missing"] == "none":
        options["missing"] = None
    return options
