# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The choice of the number of components by runs from several starts and held-out entries."""

from __future__ import annotations

import dataclasses
import operator
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._cp import cp
from .._input import tensor
from .._options import CP
from .._run.initial_guess import kinds
from .._run.request import OWN, check_names
from .._run.seeds import drawn, random_seed
from .._tucker.consistency import core_consistency
from ..describe.goals import measure_of
from ..model import Model
from ..result import Result
from ..tensors import Tensor
from .choice import RankChoice
from .held_out import HeldOut, HeldOutLoss
from .row import RankRow, texts_of
from .rule import suggest

_NOT_HERE = (
    "rank", "progress", "callback", "checkpoint", "checkpoint_every", "resume", "comm", "grid",
    "holdout_seed", "patience",
)  # fmt: skip
"""Keywords of `cp` for a single run."""
_SETTLED: dict[str, Any] = {"tolerance": 1e-6, "max_iterations": 500}
"""How far least squares go on, unless told otherwise: models that have not settled look unlike."""
_MOST_CORE = 1_000_000


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
    **options: Any,
) -> RankChoice:
    """Tries several numbers of components and suggests one, with reasons.

    For each rank the tensor is decomposed from several random starts, and again without some
    entries, by which the model is tested. The suggestion is the median of three picks: the largest
    rank whose starts find the same components, with a median factor match score of 0.95 or more;
    the rank with the least error over held-out entries; and the least rank within one standard
    error of that. R = 0, the zero model, is among them.

    Parameters
    ----------
    X : Tensor, or what `genten.tensor` takes
    ranks : iterable of int
        The numbers of components to try, each at least 1.
    starts : int
        Random starts of each rank, at least 2; for held-out entries three of them.
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
    **options
        All other keywords of `genten.cp`, but for those that concern a single run: loss, missing,
        solver, nonnegative, init (a kind of random numbers), ... Least squares go on to a tolerance
        of 1e-6, and for 500 iterations at most, unless these are given.

    Returns
    -------
    RankChoice
        With the same seed and data the same, but for seconds.

    Raises
    ------
    TypeError
        For a keyword that is none, or that is of a single run.
    ValueError
        For ranks below 1 or none at all, fewer than 2 starts, or a part that is not between 0
        and 1, and for what `genten.cp` refuses.

    Notes
    -----
    Held-out entries are left out by the solver 'gcp', whatever solver the other runs have, with the
    same loss and the same penalties and bounds.

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
    if operator.index(starts) < 2:
        raise ValueError(f"starts: expected at least 2, which can be compared, got {starts}")
    given = tensor(X)
    first = random_seed() if seed is None else CP.options["seed"].checked(drawn(seed))
    limit = CP.options["time_limit"].checked(time_limit)
    test = HeldOut(given, options, holdout, first, starts)
    return _Search(given, starts, first, limit, keep_starts, test).run(wanted, progress)


def _check(options: dict[str, Any]) -> None:
    check_names(name for name in options if name not in OWN)
    for name in options:
        if name in _NOT_HERE:
            raise TypeError(f"{name}: means nothing to choose_rank, which runs cp many times")
    init = options.get("init")
    if init is not None and not (isinstance(init, str) and init in {"random", *kinds()}):
        raise ValueError(f"init: expected a kind of random numbers, {[*kinds()]}, got {init!r}")


def _checked_ranks(ranks: Iterable[int]) -> list[int]:
    wanted = sorted({CP.options["rank"].checked(rank) for rank in ranks})
    if not wanted or wanted[0] < 1:
        raise ValueError(f"ranks: expected numbers of at least 1, got {wanted}")
    return wanted


class _Search:
    """The runs of one call."""

    def __init__(
        self, X: Tensor, starts: int, seed: int, limit: float, keep: bool, test: HeldOut
    ) -> None:
        self._X, self._starts, self._seed, self._keep, self._test = X, starts, seed, keep, test
        self._keywords = test.keywords
        self._end = time.monotonic() + limit if limit > 0 else None

    def run(self, ranks: list[int], progress: bool) -> RankChoice:
        """Goes through the ranks until time is up."""
        zero = self._test.of_zero()
        rows: list[RankRow] = []
        results: dict[int, Result] = {}
        stopped = None
        for rank in ranks:
            row, result, stopped = self._of(rank)
            if rows and stopped is not None:
                break
            rows.append(row)
            results[rank] = result
            if progress:
                print(f"genten.choose_rank: {_said(row)}", file=sys.stderr, flush=True)
            if stopped is not None:
                break
        found = suggest(rows, zero.loss, zero.error, self._test.nonzeros())
        return RankChoice(
            found.suggested, found.decided, found.picks, found.reasons, rows, results, zero.loss,
            zero.error, zero.entries, stopped,
        )  # fmt: skip

    def _left(self) -> float:
        """Seconds for the next run: as little as goes where none are left, 0 for no limit."""
        return 0.0 if self._end is None else max(self._end - time.monotonic(), 1e-9)

    def _of(self, rank: int) -> tuple[RankRow, Result, str | None]:
        began = time.monotonic()
        own = {"seed": self._seed, "starts": self._starts, "time_limit": self._left()}
        keywords: dict[str, Any] = {**self._settled(), **own, "keep_starts": True}
        result = cp(self._X, rank, **keywords)
        test = self._test.of(result, self._left)
        row = self._row(rank, result, test, began)
        if not self._keep:
            for number, start in enumerate(result.starts):
                if number != result.best_start:
                    result.starts[number] = dataclasses.replace(start, model=None)
        return row, result, result.stopped_early or test.stopped_early

    def _settled(self) -> dict[str, Any]:
        """The keywords, with those of least squares where these are minimized."""
        loss, solver = self._keywords.get("loss"), self._keywords.get("solver")
        by_fit = loss in (None, "gaussian") and solver in (None, "als", "completion")
        return {**(_SETTLED if by_fit else {}), **self._keywords}

    def _row(self, rank: int, result: Result, test: HeldOutLoss, began: float) -> RankRow:
        measure = measure_of(result)
        found = np.array([getattr(start, measure.field) for start in result.starts])
        best = found[result.best_start]
        objectives = [start.objective for start in result.starts]
        agreement, worst = _agreement(result)
        least_squares = result.options["loss"] == "gaussian"
        whole = least_squares and self._keywords.get("missing") is None
        core = whole and rank <= min(self._X.shape) and rank**self._X.ndim <= _MOST_CORE
        return RankRow(
            rank,
            result.objective,
            result.fit if least_squares else float("nan"),
            float(np.nanmax(objectives) - result.objective),
            len(result.starts),
            int(np.sum(np.abs(found - best) <= measure.near)),
            agreement,
            worst,
            test.loss,
            test.error,
            _congruence(result.model),
            core_consistency(self._X, result.model) if core else float("nan"),
            time.monotonic() - began,
        )


def _agreement(result: Result) -> tuple[float, float]:
    """Medians over the other starts of the score, and of its worst component's; those that have no
    model, since their numbers were not finite, have 0."""
    others = [s.model for number, s in enumerate(result.starts) if number != result.best_start]
    scores = [None if model is None else result.model.score(model) for model in others]
    if not scores:
        return 0.0, 0.0
    whole = [0.0 if score is None else float(score) for score in scores]
    worst = [0.0 if score is None else min(score.component_scores) for score in scores]
    return float(np.median(whole)), float(np.median(worst))


def _congruence(model: Model) -> float:
    cosines = np.ones((model.rank, model.rank))
    for factor in model.factors:
        columns = np.asarray(factor, dtype=np.float64)
        norms = np.linalg.norm(columns, axis=0)
        columns = columns / np.where(norms > 0, norms, 1.0)
        cosines *= columns.T @ columns
    np.fill_diagonal(cosines, 0.0)
    return float(np.abs(cosines).max())


def _said(row: RankRow) -> str:
    texts = texts_of(row)
    return (
        f"R = {texts[0]}, agreement {texts[4]}, held-out loss {texts[6]}, {texts[-1]} s"
    )
