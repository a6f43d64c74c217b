# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What ended runs and searches, and what is to be said of their end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .protocols import value_of
from .trust import is_unstable

STOP_SENTENCES = {
    "converged": "converged",
    "iteration_limit": "iteration limit reached",
    "time_limit": "time limit reached",
    "callback": "stopped by the callback",
    "interrupted": "interrupted",
    "non_finite": "non-finite numbers, last iteration undone",
    "no_improvement": "held-out error falls no more",
    "stalled": "stalled: no step lowers the objective",
}
"""Every stop reason, and what it means."""

TIME_LIMIT = "time_limit"
STOPS = ("interrupted", "callback", "observer", TIME_LIMIT)
"""Words for what ends starts that would have gone on; 'observer' is the tool's for a signal."""


def ended_by(reasons: Iterable[str]) -> str | None:
    """What ended starts, if any, that would have gone on, of the words for why each start stopped:
    a callback or an interruption rather than the time limit.

    Examples
    --------
    >>> ended_by(["converged", "time_limit", "callback"]), ended_by(["converged"])
    ('callback', None)
    """
    found = [reason for reason in reasons if reason in STOPS]
    by_hand = [reason for reason in found if reason != TIME_LIMIT]
    return next(iter(by_hand or found), None)


def doubt_of(choice: Any) -> str:
    """What stands behind a suggested number that is not decided, or whose model has components that
    are not found again."""
    doubts = []
    if not choice.decided:
        stopped = choice.stopped_early is not None
        doubts.append("the search was stopped" if stopped else "the data do not decide")
    best = value_of(choice, "best") or value_of(choice, "results", {}).get(choice.suggested)
    many = sum(is_unstable(best, r) for r in range(len(value_of(best, "stability", ()))))
    if many:
        doubts.append(f"{many} of its components {'is' if many == 1 else 'are'} unstable")
    return f", but {' and '.join(doubts)}" if doubts else ""
