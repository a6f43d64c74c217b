# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of several starts: where they ended, and whether they agree."""

import math
from dataclasses import dataclass
from typing import Any

from ..describe import value_of
from ..describe.goals import Measure, measure_of
from .charts import number
from .method import end_of

@dataclass
class Start:
    """One start of the run."""

    name: str
    fit: str
    reached: str
    """The number by which starts are compared, where that is not the fit."""
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


def _place(value: float, worst: float, best: float) -> float:
    """Where between the worst and the best start one lies, from 5 to 95."""
    if not math.isfinite(value):
        return -10.0
    return round(5 + 90 * (value - worst) / (best - worst), 1) if best != worst else 95.0


def starts_of(result: Any) -> tuple[list[Start], str]:
    """Every start, and a sentence on their agreement; nothing of a run of one."""
    records = value_of(result, "starts", ())
    if len(records) < 2:
        return [], ""
    measure = measure_of(result)
    reached = [float(value_of(record, measure.field, math.nan)) for record in records]
    finite = sorted((each for each in reached if math.isfinite(each)), reverse=measure.most)
    best, worst = (finite[0], finite[-1]) if finite else (0.0, 0.0)
    apart = abs(best - worst) > 1e-3 * measure.near
    scores = _scores_of(records, value_of(result, "model"))
    starts = []
    for place, record in enumerate(records):
        score = scores[place]
        end = end_of(str(value_of(record, "stop_reason", "")), result)
        fit = float(value_of(record, "fit", math.nan))
        starts.append(
            Start(
                name=str(value_of(record, "seed", place + 1)),
                fit="–" if math.isnan(fit) else f"{fit:.6f}".replace("-", "−"),
                reached="" if measure.field == "fit" else number(reached[place], 7),
                iterations=f"{value_of(record, 'iterations', 0):,}",
                end=end.split(":")[0].split(";")[0],
                best=place == value_of(result, "best_start", 0),
                place=_place(reached[place], worst if apart else best, best),
                score=None if score is None else f"{score:.3f}",
            )
        )
    return starts, _agreement(measure, finite, len(records), scores)


def _agreement(
    measure: Measure, finite: list[float], starts: int, scores: list[float | None]
) -> str:
    best, worst = (finite[0], finite[-1]) if finite else (0.0, 0.0)
    agreeing = sum(abs(each - best) <= measure.near for each in finite)
    held_out = measure.field.startswith("holdout_")
    said = [f"{each:.6f}" if measure.most else number(each, 7) for each in (best, worst)]
    text = (
        f"{agreeing} of {starts} starts {'came' if held_out else 'ended'} within "
        f"{number(measure.near, 3)} of the {'best' if measure.most else 'least'} {measure.name}, "
        f"{said[0]}; the worst {'came to' if held_out else 'ended at'} {said[1]}. "
    )
    scored = any(score is not None for score in scores)
    if agreeing == 1:
        text += "No other start confirms the best one."
    else:
        plural = "errors" if held_out else f"{measure.name}s"
        text += f"Equal {plural} make it likely, but do not prove, that the components agree, too"
        text += "." if scored else ": the models of the other starts were not kept."
    if scored:
        text += (
            " The score is the factor match score of the start's model against the best: 1 means "
            "the same components."
        )
    return text.replace("-", "−") if measure.most else text
