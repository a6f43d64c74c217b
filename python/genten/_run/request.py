# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a caller of `cp` asks for, checked, and the run that comes of it."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from .. import _core
from .._files.paths import file_name
from .._model.evaluation import refuse_no_loss, refuse_unknown_loss
from .._model.own_loss import Loss
from .._model.run_record import entry_facts
from .._names.labels import checked_mode, every_mode, numbered_modes
from .._options import CP
from ..convert.numbers import held, narrowed
from ..describe.goals import models_means
from ..model import Model
from ..tensors import Tensor
from .diagnostics import (
    check_refits,
    warn_of_default_rank,
    warn_of_earlier_checkpoint,
    warn_of_no_entries,
    warn_of_rank,
)
from .initial_guess import describe_guess, guess_of, kinds, warn_of_run_of_guess
from .iteration import Iteration
from .progress import Progress
from .seeds import drawn, random_seed

OWN = (
    "rank", "loss", "loss_parameter", "solver", "missing", "device", "dtype", "init", "progress",
    "callback", "checkpoint", "checkpoint_every", "resume", "keep_starts", "comm", "grid",
)  # fmt: skip
"""Keywords of `cp` that are in no table."""

_OF_MODES = ("mode_order", "fixed_modes", "nonnegative", "bootstrap_mode")


def _checked_modes(options: dict[str, Any], order: int) -> None:
    for name in _OF_MODES:
        modes = options.get(name, ())
        for mode in () if isinstance(modes, bool) else modes:
            try:
                checked_mode(mode, order)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None


def _with_numbers(options: dict[str, Any], given: Tensor) -> dict[str, Any]:
    """The options with modes by number where they are named."""
    numbered = dict(options)
    if "nonnegative" in options:
        options = options | {"nonnegative": every_mode(options["nonnegative"], given.mode_names)}
        numbered = dict(options)
    for name in _OF_MODES:
        if options.get(name) is None or isinstance(options[name], bool):
            continue
        one = isinstance(options[name], str) and name != "mode_order"
        one = one or (name == "bootstrap_mode" and isinstance(options[name], (int, np.integer)))
        modes = [options[name]] if one else options[name]
        try:
            numbered[name] = numbered_modes(modes, given.ndim, given.mode_names)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return numbered


def _refuse_bounds_beyond(options: dict[str, Any], dtype: np.dtype[Any]) -> None:
    """Complains of bounds that would be others, 0 or infinite, in the type of the factors."""
    for name in ("lower", "upper"):
        given = np.atleast_1d(np.asarray(options.get(name, ()), dtype=np.float64))
        lost = ~held(given, narrowed(given, dtype))
        if lost.any():
            raise ValueError(f"{name}: expected what {dtype} holds, got {given[lost.argmax()]}")


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


def check_names(options: Iterable[str], what: str = "cp") -> None:
    """Complains of keywords that no solver has; `what` is the function that they were given to.

    Raises
    ------
    TypeError
        For one, with the nearest that there is.
    """
    for name in options:
        if ALIASES.get(name, name) not in CP.options:
            raise TypeError(f"{what}: {CP.unknown(name, OWN)}")


def checked_options(options: dict[str, Any], given: Tensor) -> dict[str, Any]:
    """The keywords as the extension takes them."""
    checked = CP.checked(_with_numbers(without_aliases(options), given))
    _checked_modes(checked, given.ndim)
    return checked


def _checked_every(every: Any) -> int:
    if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or every < 1:
        raise ValueError(f"checkpoint_every: expected a whole number of at least 1, got {every!r}")
    return int(every)


def counted_of(given: Tensor) -> dict[str, Any]:
    """What a result says of how many entries are listed, where that costs next to nothing."""
    if not given._is_counted:
        return {}
    return {"distinct_subscripts": given.distinct_subscripts, "density": given.density}


def facts_of(given: Tensor, norm: float) -> dict[str, Any]:
    """What a result says of its tensor."""
    facts: dict[str, Any] = {
        "shape": given.shape,
        "nnz": given.nnz,
        "norm": norm,
        "dtype": str(given.dtype),
    }
    if "merged_by" in given.file_facts:  # Of a part the rule alone is known.
        names = ("duplicates", "merged_by")
        facts |= {name: given.file_facts[name] for name in names if name in given.file_facts}
    if given.source is not None:
        facts["file"] = given.source
        facts["duplicates"] = given.file_facts.get("duplicates", 0)
        facts["read_options"] = dict(given.file_facts.get("read_options", {}))
        facts["labels_beside"] = given.file_facts.get("labels_beside", False)
    return facts


@dataclass
class Request:
    """The keywords of a call of `cp`."""

    rank: int | None
    loss: str | Loss | None
    loss_parameter: float | None
    solver: str | None
    missing: Any
    device: str
    dtype: Any
    init: Any
    progress: bool
    callback: Callable[[Iteration], Any] | None
    checkpoint: str | os.PathLike[str] | None
    checkpoint_every: int
    resume: str | os.PathLike[str] | None
    keep_starts: bool
    options: dict[str, Any]

    @functools.cached_property
    def resumed(self) -> str:
        """The file to go on from; empty for none. Of processes only the first one's counts."""
        return "" if self.resume is None else file_name(self.resume, "resume")

    @functools.cached_property
    def saved(self) -> dict[str, Any]:
        """What the checkpoint says of its run."""
        return _core.checkpoint_facts(self.resumed)

    def saved_dtype(self) -> Any:
        """The dtype of the computation, where it is asked for or that of a checkpoint."""
        if self.resume is None:
            return self.dtype
        saved = self.saved["dtype"]
        if self.dtype is not None and np.dtype(self.dtype) != np.dtype(saved):
            raise ValueError(
                f"dtype: expected that of the checkpoint, {saved}, got {self.dtype}"
            )
        return saved

    def _check_own_loss(self) -> None:
        for name in ("checkpoint", "resume"):
            if getattr(self, name) is not None:
                raise TypeError(
                    f"{name}: has no effect beside a loss of your own, whose functions no file "
                    "can hold: leave it out"
                )

    def _lowest(self) -> float:
        """The least that elements of factors may be under the loss."""
        if isinstance(self.loss, Loss):
            return self.loss.lower
        return _core.lower_bound(self.loss or "gaussian")

    def _given(self, options: Iterable[str], kind: str, guess: Model) -> list[str]:
        """Which options of the guess's run the caller gives others for."""
        given = [*options, *["missing"] * (kind != "none" or self.missing is not None)]
        given += [n for n in ("loss", "loss_parameter", "solver") if getattr(self, n) is not None]
        has_other = self.loss is not None and self.loss != guess._run.get("loss")
        return given + ["loss_parameter"] * has_other  # which is that of the loss

    def run(self, given: Tensor, kind: str = "none") -> Run:
        """The run of that tensor. `kind` is what is missing: 'none', 'unlisted' or 'listed'."""
        own = self.loss if isinstance(self.loss, Loss) else None
        if own is not None:
            self._check_own_loss()
        word = self.loss if own is None else own.name
        refuse_no_loss(word)
        if self.solver is not None and not isinstance(self.solver, str):
            raise TypeError(f"solver: expected a text, got {self.solver!r}")
        if own is None:
            refuse_unknown_loss(word)
        number = self.loss_parameter
        if number is not None and (isinstance(number, bool) or not isinstance(number, Real)):
            raise TypeError(f"loss_parameter: expected a number, got {number!r}")
        options = {name: drawn(value) for name, value in self.options.items()}
        checked = checked_options(options, given)
        rank, init = self.rank, self.init
        if rank is not None:
            checked["rank"] = rank = CP.options["rank"].checked(rank)
        if isinstance(init, str) and init in kinds():
            checked["init"] = init
        if self.resume is not None and init is not None:
            raise TypeError(
                "init: has no effect beside resume, which goes on from its checkpoint: leave it out"
            )
        dtype = self.saved_dtype()
        given = given if dtype is None else given.astype(dtype)
        _refuse_bounds_beyond(checked, given.dtype)
        guess = guess_of(init, rank, given, checked, _core.least_of_guess(self._lowest()))
        if guess is not None and "seed" in checked and not checked.get("bootstrap"):
            raise TypeError(
                "seed: has no effect beside an initial guess, which is not random: leave it out"
            )
        if guess is not None and checked.get("starts", 1) != 1:
            raise ValueError(
                f"starts: expected 1 beside an initial guess, got {checked['starts']}"
            )
        if guess is not None:
            warn_of_run_of_guess(guess, init, self._given(checked, kind, guess), self._lowest())
        if guess is None and self.resume is None and options.get("seed", 1) is None:
            checked["seed"] = random_seed()
        warn_of_no_entries(given.nnz, kind)
        check_refits(checked.get("bootstrap", 0))
        if rank is None and guess is None and self.resume is None:
            warn_of_default_rank(int(CP.options["rank"].default), given.shape, checked)
        elif asked_for := rank if guess is None else guess.rank:
            warn_of_rank(asked_for, given.shape, checked)
        asked: dict[str, Any] = {
            "loss": word,
            "loss_parameter": self.loss_parameter,
            "solver": self.solver,
            "missing": kind,
            "has_guess": guess is not None,
            "options": checked,
            **entry_facts(given),
        }
        if own is not None:
            asked["own_loss"] = own._asked()
        settled = _core.settled(asked, self.resumed, self.device)
        shown = None
        if self.progress:
            shown = Progress(settled["options"], settled["solver"] in ("als", "completion"))
        return Run(self, given, asked, settled, guess, shown)


@dataclass
class Run:
    """A run that is about to be solved."""

    request: Request
    given: Tensor
    asked: dict[str, Any]
    settled: dict[str, Any]
    guess: Model | None
    shown: Progress | None
    weights: Any = None
    factors: list[Any] = field(default_factory=list)
    counted: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counted = counted_of(self.given)  # Now: others may write to arrays during the run.
        if self.guess is not None:
            self.weights, self.factors = self.guess._packed(self.given.dtype)

    def observer(self) -> Callable[..., bool] | None:
        """What the extension calls after each iteration."""
        progress, callback = self.shown, self.request.callback
        if progress is None and callback is None:
            return None

        has_fit = models_means(self.settled["loss"], self.settled["loss_parameter"])

        def observe(*seen: Any) -> bool:
            if not has_fit:
                seen = (*seen[:2], *[math.nan] * 3, *seen[5:])
            fields: Any = (*seen, self.given.labels, self.given.mode_names)
            iteration = Iteration(*fields)
            if progress is not None:
                progress.show(iteration)
            return callback is not None and bool(callback(iteration))

        return observe

    def checkpoint(self) -> str:
        """The name of the file, or "", with a warning where it has the checkpoint of another run.
        """
        if self.request.checkpoint is None:
            return ""
        path = file_name(self.request.checkpoint, "checkpoint")
        warn_of_earlier_checkpoint(path, self.request.resumed)
        return path

    def checkpoint_every(self) -> int:
        """Iterations from one checkpoint to the next."""
        return _checked_every(self.request.checkpoint_every)

    def close(self, raw: dict[str, Any]) -> None:
        """Ends what shows the run's progress; `raw` is what the extension has returned, if it has.
        """
        if self.shown is not None:
            self.shown.close(raw["starts"][-1]["stop_reason"] if raw else "")

    def outcome(
        self, raw: dict[str, Any], original: Tensor, missing: Any = None
    ) -> tuple[dict[str, Any], Tensor, dict[str, Any]]:
        """What the extension returns, the tensor as it was computed with, and the facts of the one
        that the caller gave: what a result is made of."""
        if self.guess is not None:  # what it was, not the kind of random numbers not drawn
            raw["options"]["init"] = describe_guess(self.request.init, self.guess)
        if self.request.resume is not None:
            raw["options"]["resume"] = self.request.resumed
        if missing is not None:
            raw["options"]["missing"] = missing
        raw["lower_of_loss"] = self.request._lowest()
        return raw, self.given, {**facts_of(original, raw["tensor_norm"]), **self.counted}
