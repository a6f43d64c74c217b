# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of several starts: where they ended, and whether they agree."""

import math
from dataclasses import dataclass
from typing import Any

from ..describe import value_of
from .charts import number

ENDS = {
    "converged": "converged: the fit changed by less than the tolerance",
    "iteration_limit": "iteration limit reached",
    "time_limit": "time limit reached",
    "observer": "interrupted",
    "interrupted": "interrupted",
    "callback": "stopped by the callback",
    "non_finite": "numbers that are not finite; the last iteration was undone",
    "no_improvement": "held-out error falls no more",
}


@dataclass
class Start:
    """One start of the run."""

    name: str
    fit: str
    iterations: str
    end: str
    best: bool
    place: float
    score: str | None


def _scores_of(records: Any, best: Any) -> list[float | None]:
    """The factor match score of each start's model against the best one, as they were recorded, or
    of the models that were kept; None for all where there is but the best one's."""
    known = [value_of(record, "score") for record in records]
    models = [value_of(record, "model") for record in records]
    if any(score is not None for score in known):
        return [None if score is None else float(score) for score in known]
    if sum(model is not None for model in models) < 2 or not hasattr(best, "score"):
        return [None] * len(models)
    return [None if model is None else float(model.score(best)) for model in models]


def _place(fit: float, low: float, high: float) -> float:
    """Where between the worst and the best fit one lies, from 5 to 95."""
    if not math.isfinite(fit):
        return -10.0
    return round(5 + 90 * (fit - low) / (high - low), 1) if high > low else 95.0


def starts_of(result: Any, tolerance: float) -> tuple[list[Start], str]:
    records = value_of(result, "starts", ())
    if len(records) < 2:
        return [], ""
    fits = [float(value_of(record, "fit", math.nan)) for record in records]
    finite = [fit for fit in fits if math.isfinite(fit)]
    best = value_of(result, "best_start", 0)
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    scores = _scores_of(records, value_of(result, "model"))
    starts = []
    for place, record in enumerate(records):
        score = scores[place]
        reason = str(value_of(record, "stop_reason", ""))
        starts.append(
            Start(
                name=str(value_of(record, "seed", place + 1)),
                fit=f"{fits[place]:.6f}".replace("-", "−"),
                iterations=f"{value_of(record, 'iterations', 0):,}",
                end=ENDS.get(reason, reason).split(":")[0].split(";")[0],
                best=place == best,
                place=_place(fits[place], low, high),
                score=None if score is None else f"{score:.3f}",
            )
        )
    near = 10 * tolerance
    agreeing = sum(fit >= high - near for fit in finite)
    text = (
        f"{agreeing} of {len(records)} starts ended within {number(near)} of the best fit, "
        f"{high:.6f}; the worst ended at {low:.6f}. "
    )
    if agreeing == 1:
        text += "No other start confirms the best one."
    else:
        text += "Equal fits make it likely, but do not prove, that the components agree, too"
        scored = any(score is not None for score in scores)
        text += "." if scored else ": the models of the other starts were not kept."
    if any(score is not None for score in scores):
        text += (
            " The score is the factor match score of the start's model against the best: 1 means "
            "the same components."
        )
    return starts, text.replace("-", "−")
