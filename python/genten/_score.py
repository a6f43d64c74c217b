# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Factor match scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from .convert.parts import AnyArray


class Score(float):
    """How alike two models are, a number from 0 to 1, and what goes with what.

    Attributes
    ----------
    component_scores : list of float
        For each component of the reference, the score of its match.
    permutation : list of int
        ``permutation[r]`` is the model's component that matches component r of the reference.
    flipped : list of bool
        For each component of the reference, whether a column of its match points the other way.

    Examples
    --------
    >>> import genten, numpy as np
    >>> one = genten.Model([2.0, 1.0], [np.eye(2), np.eye(2)])
    >>> score = one.score(one.extract([1, 0]))
    >>> score, score.permutation, score.component_scores
    (1.0, [1, 0], [1.0, 1.0])
    """

    component_scores: list[float]
    permutation: list[int]
    flipped: list[bool]

    if not TYPE_CHECKING:  # With it every score would be a sequence for a checker of types.

        def __getitem__(self, key: Any) -> Any:
            """Where it is unpacked, as pyttb's tuple is, Python asks for its first item."""
            raise TypeError(
                "a Score is a number and no tuple: .permutation says which component goes with "
                "which, m.extract(score.permutation) has them in that order, and .flipped is of "
                "signs"
            )

    @classmethod
    def _between(
        cls, weights: AnyArray, factors: list[AnyArray], of_reference: AnyArray,
        factors_of_reference: list[AnyArray], *options: bool,
    ) -> Score:  # fmt: skip
        try:
            found = _core.score(weights, factors, of_reference, factors_of_reference, *options)
        except ValueError as error:
            if len(weights) >= len(of_reference):
                raise
            raise ValueError(f"{error}; reference.score(model) has the larger one first") from None
        score = cls(found["score"])
        score.component_scores = found["component_scores"]
        score.permutation = found["permutation"]
        score.flipped = found["flipped"]
        return score
