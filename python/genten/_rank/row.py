# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of one number of components."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RankRow:
    """What was found with one number of components.

    Attributes
    ----------
    rank : int
        The number of components, R.
    objective : float
        The least of all starts.
    fit : float
        Of the best start; NaN where least squares were not minimized.
    spread : float
        The objective of the worst start without that of the best.
    starts, reached : int
        How many were made, and how many came to the best one's objective, as near as makes no
        difference.
    agreement : float
        The median factor match score of the other starts with the best one: 1 for the same model.
    worst_component : float
        The median of the score of the component that such a start agrees on least.
    holdout_loss, holdout_error : float
        The mean loss over held-out entries, which are the same for all ranks, and its standard
        error; NaN where these have too few nonzeros to test by.
    holdout_difference, holdout_difference_error : float
        How much more that is than the least of all ranks, and the standard error of this
        difference, entry by entry.
    congruence : float
        The largest cosine of two components, as tensors, by magnitude; 0 for one component.
    core_consistency : float
        That of the best model; NaN where it is not defined, as for other losses than least squares,
        for missing entries and where R exceeds the length of a mode, or where it takes more than a
        million numbers.
    seconds : float
        For all runs of this rank.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> row = genten.choose_rank(X, [1, 2], starts=3, loss="poisson").table[0]
    >>> row.rank, row.starts, round(row.agreement, 3), row.congruence
    (1, 3, 1.0, 0.0)
    """

    rank: int
    objective: float
    fit: float
    spread: float
    starts: int
    reached: int
    agreement: float
    worst_component: float
    holdout_loss: float
    holdout_error: float
    holdout_difference: float
    holdout_difference_error: float
    congruence: float
    core_consistency: float
    seconds: float


def row_of(raw: dict[str, Any]) -> RankRow:
    """A row from the dictionary that the extension returns."""
    return RankRow(**{each.name: raw[each.name] for each in dataclasses.fields(RankRow)})


def _with_error(row: RankRow) -> str:
    if math.isnan(row.holdout_loss):
        return "-"
    return f"{row.holdout_loss:.5g} +- {row.holdout_error:.2g}"


def texts_of(row: RankRow) -> list[str]:
    """A row of a table for people, under `HEADINGS`."""
    return [
        str(row.rank),
        f"{row.objective:.6g}",
        f"{row.fit:.4f}",
        f"{row.reached} of {row.starts}",
        f"{row.agreement:.3f}",
        f"{row.worst_component:.3f}",
        _with_error(row),
        f"{row.congruence:.3f}",
        f"{row.core_consistency:.1f}",
        f"{row.seconds:.2f}",
    ]


HEADINGS = [
    "R", "objective", "fit", "reached", "agreement", "worst", "held-out loss", "congruence",
    "core", "seconds",
]  # fmt: skip
