# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What ended runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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
    """What stands behind a number that is not decided."""
    if choice.decided:
        return ""
    stopped = choice.stopped_early is not None
    return ", but the search was stopped" if stopped else ", but the data do not decide"
