# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that tell how well a number of components predicts entries that no fit has seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._cp import cp
from .._options import CP
from .._run.request import without_aliases
from ..model import Model
from ..result import Result
from ..tensors import Tensor

MOST_STARTS = 3
"""Of runs by exact gradients, each of which costs that of several by alternating least squares."""
ENOUGH_ENTRIES, MOST_ENTRIES, MOST_DRAWS = 200, 1_000_000, 20
_SETTLED = {"tolerance": 1e-4, "max_iterations": 300, "patience": 1_000_000}
"""Fits go on until they have settled, whatever the held-out entries say."""
_OF_THE_LOSS = ("loss", "loss_parameter", "missing", "device", "dtype")
_OF_EVERY_SOLVER = ("tolerance", "max_iterations")
"""Options that every solver has, and that mean something else to each."""


@dataclass(frozen=True)
class HeldOutLoss:
    """A mean loss over held-out entries, of all draws together."""

    loss: float
    error: float
    entries: int
    stopped_early: str | None


class HeldOut:
    """The entries that are held out, the same for all ranks, and how a fit without them is made.

    Of tensors so small that few entries would be held out, several draws are, one after the other.
    """

    def __init__(
        self, X: Tensor, keywords: dict[str, Any], part: float | None, seed: int, starts: int
    ) -> None:
        self._X, self.keywords, self._seed = X, keywords, seed
        self._starts = min(starts, MOST_STARTS)
        listed = isinstance(keywords.get("missing"), str)
        entries = float(X.nnz) if listed else math.prod(float(length) for length in X.shape)
        entries = max(entries, 1.0)
        self._part = min(0.1, MOST_ENTRIES / entries) if part is None else part
        if not 0 < self._part < 1:
            raise ValueError(f"holdout: expected a number between 0 and 1, got {part}")
        draws = min(math.ceil(ENOUGH_ENTRIES / (self._part * entries)), MOST_DRAWS)
        self._seeds = list(range(seed, seed + draws))

    def nonzeros(self) -> float:
        """About how many nonzeros are held out, in all draws together."""
        return self._part * self._X.nnz * len(self._seeds)

    def of_zero(self) -> HeldOutLoss:
        """What the zero model predicts. Draws that hold nothing out are done with after that."""
        zero = Model([0.0], [np.zeros((length, 1)) for length in self._X.shape])
        chosen = {name: self.keywords[name] for name in _OF_THE_LOSS if name in self.keywords}
        chosen |= {"init": zero, "max_iterations": 1}
        runs, trouble = {}, None
        for draw in self._seeds:
            try:
                runs[draw] = self._without(draw, chosen)
            except ValueError as error:
                trouble = error
        if trouble is not None and not runs:
            raise trouble
        self._seeds = list(runs)
        return _together(list(runs.values()))

    def of(self, result: Result, left: Callable[[], float]) -> HeldOutLoss:
        """What models predict that have as many components as the result of a run on all entries.

        `left` says how many seconds there are.
        """
        chosen = without_aliases(self.keywords)
        solver = result.options["solver"]
        for name, option in CP.options.items():
            if "gcp" not in option.solvers or (solver != "gcp" and name in _OF_EVERY_SOLVER):
                chosen.pop(name, None)
        if solver in ("als", "completion"):
            _double_penalties(chosen, result)
        chosen = {**_SETTLED, **chosen, "rank": result.model.rank}
        runs: list[Result] = []
        for draw in self._seeds:
            found = []
            for start in range(self._starts):
                own = {"seed": self._seed + start, "time_limit": left()}
                found.append(self._without(draw, {**chosen, **own}))
                if found[-1].stopped_early is not None:
                    return _together([*runs, found[-1]])
            runs.append(min(found, key=lambda run: float(run.history.objective[-1])))
        return _together(runs)

    def _without(self, draw: int, keywords: dict[str, Any]) -> Result:
        own = {"solver": "gcp", "holdout": self._part, "holdout_seed": draw}
        return cp(self._X, **{**keywords, **own})


def _together(runs: list[Result]) -> HeldOutLoss:
    """The losses after the last iterations: the least of all would favour large models, which have
    more ways to be near held-out entries by chance."""
    loss = variance = 0.0
    entries = 0
    for run in runs:
        assert run.gcp is not None and run.holdout is not None
        cells = run.holdout.cells
        loss += cells * run.gcp["holdout_losses"][-1]
        variance += (cells * run.gcp["holdout_loss_error"]) ** 2
        entries += cells
    error = math.sqrt(variance) / entries
    return HeldOutLoss(loss / entries, error, entries, runs[-1].stopped_early)


def _double_penalties(chosen: dict[str, Any], result: Result) -> None:
    """The loss 'gaussian' is twice what alternating least squares minimize."""
    used = {"ridge": chosen.get("ridge"), "l1": chosen.get("l1")}
    if result.completion is not None:
        used["ridge"] = result.completion["ridge"]
    for name, value in used.items():
        if value is not None:
            chosen[name] = [2.0 * number for number in np.atleast_1d(value).tolist()]
