# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The choice of the number of components by runs from several starts and held-out entries."""

from __future__ import annotations

import inspect
import operator
import os
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._cp import cp
from .._files.paths import file_name
from .._input import tensor
from .._missing import core_of, kind_of, missing_entries, warn_of_merged, without_missing
from .._options import CP, needing, with_keywords
from .._outcome import result_of
from .._run.diagnostics import stop_reason, warn_of_earlier_checkpoint
from .._run.initial_guess import kinds
from .._run.request import OWN, Request, check_names
from ..convert.parts import warn
from .choice import RankChoice, ResultsByRank
from .row import RankRow, row_of, texts_of

_NOT_HERE = (
    "rank", "callback", "checkpoint_every", "comm", "grid", "holdout_seed", "patience",
    "fixed_modes",
)  # fmt: skip
"""Keywords of `cp` for a single run."""


@needing(
    "ranks",
    "choose_rank: expected the ranks to try behind the tensor, as in "
    "genten.choose_rank(X, range(1, 7))",
)
def choose_rank(
    X: Any,
    ranks: Iterable[int],
    *,
    starts: int = 8,
    holdout: float | None = None,
    seed: Any = 1,
    time_limit: float = 0.0,
    progress: bool = False,
    keep_starts: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    **options: Any,
) -> RankChoice:
    """Tries several numbers of components and suggests one, with reasons.

    For each rank the tensor is decomposed from several starts, of which the last one goes on from
    the best model of the rank before, and again without some entries, by which the model is tested.
    The suggestion is the median of three picks: the largest rank whose starts find the same
    components, with a median factor match score of 0.95 or more; the rank with the least error over
    held-out entries; and the least rank within one standard error of that. R = 0, the zero model,
    is among them.

    Parameters
    ----------
    X : Tensor, or what `genten.tensor` takes
    ranks : iterable of int
        The numbers of components to try, each at least 1.
    starts : int
        Runs of each rank, at least 2. Without the held-out entries three of them, and more until
        one reaches what the best model of all entries does there.
    holdout : float, optional
        The part of the entries to hold out, the same for all ranks: of all entries, zeros too, or
        of the listed ones where others are missing. If not given, a tenth, but at most a million.
        Where that is fewer than 200, it is done up to 20 times with other entries.
    seed : int, Generator, RandomState or None
        As that of `genten.cp`; it draws the held-out entries, too.
    time_limit : float
        Seconds after which no more is begun; 0 for no limit. Ranks that are done by then count, and
        what there is of the first one.
    progress : bool
        Write a line to standard error for each rank that is done.
    keep_starts : bool
        Keep the model of every start in the results.
    checkpoint : path, optional
        Write the ranks that are done to this file after each one.
    resume : path, optional
        Go on behind the ranks of a checkpoint, of the tool's, too, with which `ranks` must begin.
        Keywords are to be the same as then, but for time_limit and the limits of memory. The
        results of these ranks are their best models alone, of a run without iterations.
    {options}
        As of `genten.cp`, but that `init` is a kind of random numbers. Least squares go on to a
        tolerance of 1e-6, and for 500 iterations at most, unless these are given. With
        standard_errors and bootstrap the result of the suggested rank alone has error bars.

    Returns
    -------
    RankChoice
        With the same seed and data the same, but for seconds.

    Raises
    ------
    TypeError
        For a keyword that is none, or that is of a single run.
    ValueError
        For ranks below 1 or none at all, fewer than 2 starts, a part that is not between 0 and
        0.99, for what `genten.cp` refuses, and for a checkpoint of other ranks or keywords.
    OSError
        For a checkpoint that cannot be read, or is not that of such a search in this tensor. One
        that cannot be written is a warning.

    Notes
    -----
    Runs without the held-out entries are made by the usual solver for the loss where these are
    missing, 'completion' or 'gcp', with the same penalties and bounds.

    Examples
    --------
    >>> import genten, numpy as np
    >>> one, two, three = (np.random.default_rng(4).normal(size=(3, 12, 2)))
    >>> X = np.einsum("ir,jr,kr->ijk", one, two, three)
    >>> X += np.random.default_rng(5).normal(size=X.shape) / 10
    >>> choice = genten.choose_rank(X, range(1, 5))
    >>> choice.suggested, choice.decided
    (2, True)
    """
    _check(options)
    wanted = _checked_ranks(ranks)
    X, options["missing"] = without_missing(X, options.get("missing"))
    given = tensor(X)
    going_on = "" if resume is None else file_name(resume, "resume")
    if going_on:
        options["dtype"] = _dtype_of(going_on, options.get("dtype"))
    own = {name: options.pop(name, None) for name in OWN}
    missing, device = missing_entries(own["missing"], given), own["device"] or "auto"
    warn_of_merged(given, missing, own["loss"])
    request = Request(
        rank=wanted[-1],
        loss=own["loss"],
        loss_parameter=own["loss_parameter"],
        solver=own["solver"],
        missing=missing,
        device=device,
        dtype=own["dtype"],
        init=own["init"],
        progress=False,
        callback=None,
        checkpoint=checkpoint if checkpoint is not None else resume,  # whether one can be had
        checkpoint_every=1,
        resume=None,
        keep_starts=keep_starts,
        options={**options, "seed": seed},
    )
    run = request.run(given, kind_of(missing))

    def tell(row: dict[str, Any]) -> None:
        texts = texts_of(row_of(row))
        print(
            f"genten.choose_rank: R = {texts[0]}, agreement {texts[4]}, held-out loss {texts[6]}, "
            f"{texts[-1]} s",
            file=sys.stderr,
            flush=True,
        )

    saved = "" if checkpoint is None else file_name(checkpoint, "checkpoint")
    warn_of_earlier_checkpoint(saved, going_on)
    raw = _core.choose_rank(
        run.given._core,
        run.asked,
        device,
        wanted,
        operator.index(starts),
        0.0 if holdout is None else float(holdout),
        CP.options["time_limit"].checked(time_limit),
        tell if progress else None,
        bool(keep_starts),
        saved,
        going_on,
        core_of(missing),
    )
    table = [row_of(row) for row in raw["rows"]]
    results = {
        row.rank: result_of(*run.outcome(each, given, missing))
        for row, each in zip(table, raw["results"], strict=True)
    }
    if raw["checkpoint_trouble"]:
        warn(f"The last checkpoint could not be written: {raw['checkpoint_trouble']}.")
    stopped = None if raw["stopped"] is None else stop_reason(raw["stopped"], True)
    zero: RankRow = row_of(raw["zero"])
    return RankChoice(
        suggested=raw["suggested"],
        decided=raw["decided"],
        picks=raw["picks"],
        reasons=[text for _, text, _ in raw["reasons"]],
        table=table,
        results=ResultsByRank(results),
        zero_loss=zero.holdout_loss,
        zero_error=zero.holdout_error,
        held_out=raw["held_out"],
        stopped_early=stopped,
    )


choose_rank.__signature__, choose_rank.__doc__ = with_keywords(  # type: ignore[attr-defined]
    choose_rank,
    choose_rank.__doc__,
    [
        each
        for each in inspect.signature(cp).parameters.values()
        if each.name not in ("X", *_NOT_HERE)
    ],
)


def _check(options: dict[str, Any]) -> None:
    check_names((name for name in options if name not in OWN), "choose_rank")
    for name in options:
        if name in _NOT_HERE:
            raise TypeError(
                f"{name}: has no effect in choose_rank, which makes many runs: leave it out"
            )
    init = options.get("init")
    if init is not None and not (isinstance(init, str) and init in {"random", *kinds()}):
        raise ValueError(f"init: expected a kind of random numbers, {[*kinds()]}, got {init!r}")


def _dtype_of(path: str, given: Any) -> str:
    """That of a checkpoint, in which a run goes on."""
    found = "float32" if _core.checkpoint_scalar_bytes(path) == 4 else "float64"
    if given is not None and np.dtype(given) != found:
        raise ValueError(f"dtype: expected that of the checkpoint, {found!r}, got {given!r}")
    return found


def _checked_ranks(ranks: Iterable[int]) -> list[int]:
    expected = f"ranks: expected several numbers of components, as in range(1, 7), got {ranks!r}"
    if isinstance(ranks, str):
        raise TypeError(expected)
    try:
        given = list(ranks)
    except TypeError:
        raise TypeError(f"{expected}; genten.cp makes a model of one") from None
    wanted = sorted({CP.options["rank"].checked(rank) for rank in given})
    if not wanted or wanted[0] < 1:
        raise ValueError(f"ranks: expected numbers of at least 1, got {wanted}")
    return wanted
