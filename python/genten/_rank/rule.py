# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The rule that suggests a number of components, with its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .row import RankRow

ALIKE = 0.95
"""The median score from which on starts have found the same components."""
ENOUGH_NONZEROS = 20
"""Held-out entries with fewer nonzeros tell nothing of models that are nearly zero everywhere."""


@dataclass(frozen=True)
class Suggestion:
    """The median of three picks."""

    suggested: int
    decided: bool
    picks: dict[str, int]
    reasons: list[str]


def suggest(
    rows: Sequence[RankRow], zero_loss: float, zero_error: float, nonzeros: float
) -> Suggestion:
    """What the rows say, of which there is one at least; the zero model stands for R = 0.

    Its three picks are the largest R whose starts agree, the least held-out error, and the least R
    within one standard error of that. `nonzeros` is how many are held out, about.
    """
    losses = {0: (zero_loss, zero_error)}
    losses |= {row.rank: (row.holdout_loss, row.holdout_error) for row in rows}
    alike = max((row.rank for row in rows if row.agreement >= ALIKE), default=0)
    if nonzeros < ENOUGH_NONZEROS:
        few = f"Only about {nonzeros:.0f} nonzeros were held out, too few to test by."
        verdict = f"R = {alike}, by agreement alone{_nothing(alike)}."
        return Suggestion(
            alike, False, {"agreement": alike}, [_of_agreement(rows, alike), few, verdict]
        )
    least = min(losses, key=lambda rank: losses[rank][0])
    loss, error = losses[least]
    near = next(rank for rank, (own, _) in losses.items() if own <= loss + error or rank == least)
    picks = {"agreement": alike, "held_out": least, "standard_error": near}
    low, suggested, high = sorted(picks.values())
    order = list(losses)
    decided = order.index(high) - order.index(low) <= 1
    reasons = [
        _of_agreement(rows, alike),
        f"Held-out error: least at R = {least}, {loss:.5g} with a standard error of {error:.2g}.",
        f"One standard error: R = {near} is the least within it, {losses[near][0]:.5g}.",
        _verdict(picks, suggested, decided),
    ]
    if suggested == order[-1]:
        reasons.append("That is the largest rank of all that were tried: try larger ones, too.")
    return Suggestion(suggested, decided, picks, reasons)


def _of_agreement(rows: Sequence[RankRow], alike: int) -> str:
    scores = {row.rank: row.agreement for row in rows}
    if alike == 0:
        best = max(scores, key=lambda rank: scores[rank])
        return (
            f"Agreement: starts of no rank find the same components; the median score is at most "
            f"{scores[best]:.3f}, at R = {best}, and {ALIKE} would do."
        )
    text = f"Agreement: R = {alike} is the largest whose starts find the same components, with a "
    text += f"median score of {scores[alike]:.3f}"
    above = next((rank for rank in scores if rank > alike), None)
    return text + ("." if above is None else f"; of R = {above} it is {scores[above]:.3f}.")


def _verdict(picks: dict[str, int], suggested: int, decided: bool) -> str:
    first, second, third = picks.values()
    of = f"of the picks {first}, {second} and {third} the median is {suggested}"
    nothing = _nothing(suggested)
    if not decided:
        low, high = min(picks.values()), max(picks.values())
        return f"The data do not decide between R = {low} and R = {high}: {of}{nothing}."
    return f"R = {suggested}: {of}{nothing}."


def _nothing(suggested: int) -> str:
    return ", nothing replicates" if suggested == 0 else ""
