# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a reader of a model should know before trusting it, in plain words."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .goals import completion_of, is_of_counts, measure_of, stop_rule
from .model import component_order
from .protocols import Array, ModelLike, value_of

COLLINEAR = 0.95
"""Congruence from which two components count as the same: Lorenzo-Seva and ten Berge,
Methodology 2(2), 2006."""
OPPOSITE = -0.85
"""Congruence below which two components mostly cancel each other."""
EMPTY = 1e-6
"""Relative weight below which a component says nothing."""

_FOUND_ANYWAY = re.compile(
    r"^(Rounding hides|The tolerance, |Iteration \d+ left|The run was interrupted:|The fit, )"
    r"|^The (iteration|time) limit|rank-deficient matrix\.$"
)
"""Sentences of `genten.Result.warnings` that stand for fields."""


@dataclass(frozen=True)
class Finding:
    """One thing to know: a key that stays the same, and sentences for people."""

    key: str
    title: str
    text: str


def congruence(model: ModelLike) -> Array:
    """The cosines between components, as tensors: (R, R), symmetric, ones on its diagonal.

    An entry is the product over modes of the cosines between two components' columns, with the
    signs of their weights: 1 means that both are the same but for their weights, -1 that they
    cancel each other. A component that is zero has cosine 0 with every other.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> same = np.array([[1.0, 1.0], [0.0, 0.0]])
    >>> congruence(SimpleNamespace(weights=np.array([2.0, -1.0]), factors=[same, same])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    signs = np.sign(np.asarray(model.weights, dtype=np.float64))
    cosines = np.outer(signs, signs)
    for factor in model.factors:
        wide = np.asarray(factor, dtype=np.float64)
        # By powers of two first, so that no square leaves the range of numbers.
        wide = np.ldexp(wide, -np.frexp(np.abs(wide).max(axis=0, initial=0.0))[1])
        gram = wide.T @ wide
        lengths = np.sqrt(np.diagonal(gram))
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        cosines *= gram * np.outer(scale, scale)
    np.fill_diagonal(cosines, 1.0)
    clipped: Array = np.clip(cosines, -1.0, 1.0)
    return clipped


def _listed(words: list[str], most: int = 6) -> str:
    shown = words[:most] + ([f"{len(words) - most} more"] if len(words) > most else [])
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def _pairs(cosines: Array, chosen: Any, names: list[str]) -> tuple[int, str]:
    first, second = np.nonzero(np.triu(chosen, 1))
    values = cosines[first, second]
    order = np.argsort(-np.abs(values), kind="stable")
    words = [
        f"{names[first[i]]} with {names[second[i]]} ({values[i]:.2f})".replace("-", "−")
        for i in order
    ]
    return len(words), _listed(words) if words else ""


def model_findings(
    model: ModelLike, tensor_norm: float | None = None, first: int = 0
) -> list[Finding]:
    """What is suspicious about a model by itself: collinear, cancelling and empty components.

    Components are named by where they stand when sorted by weight, counted from `first`.
    """
    weights = np.asarray(model.weights, dtype=np.float64)
    if not np.isfinite(weights).all() or not all(np.isfinite(f).all() for f in model.factors):
        text = "The model holds numbers that are infinite or not numbers. Nothing else is said."
        return [Finding("non_finite", "The model is not finite", text)]
    return list(_of_finite_model(model, weights, tensor_norm, first))


def _of_finite_model(
    model: ModelLike, weights: Array, tensor_norm: float | None, first: int
) -> Iterator[Finding]:
    names = [""] * len(weights)
    for place, component in enumerate(component_order(model)):
        names[component] = str(place + first)
    cosines = congruence(model)
    count, words = _pairs(cosines, cosines >= COLLINEAR, names)
    if count:
        yield Finding(
            "collinear",
            "Components that are nearly the same",
            f"Components {words}: a congruence of 1 means equal. Such components share one "
            "pattern among them; read them together, or try a lower rank.",
        )
    count, words = _pairs(cosines, cosines <= OPPOSITE, names)
    if count:
        yield Finding(
            "cancelling",
            "Components that cancel each other",
            f"Components {words}: a congruence of −1 means exactly opposite. Neither can be read "
            "by itself. Try a lower rank or other starts.",
        )
    magnitudes = np.abs(weights)
    if tensor_norm is not None and tensor_norm > 0 and (magnitudes > 2 * tensor_norm).any():
        heavy = [names[r] for r in component_order(model) if magnitudes[r] > 2 * tensor_norm]
        yield Finding(
            "degenerate",
            "Weights larger than the data",
            f"The weight of {_number(heavy, 'component')} is more than twice the norm of the "
            f"tensor ({tensor_norm:.4g}): components grow without bound while they cancel each "
            "other. Such a model is degenerate. Try a lower rank or other starts.",
        )
    empty = magnitudes <= EMPTY * magnitudes.max(initial=0.0)
    if empty.any():
        gone = [names[r] for r in component_order(model) if empty[r]]
        yield Finding(
            "empty",
            "Components without weight",
            f"The weight of {_number(gone, 'component')} is zero or less than a millionth of the "
            "greatest. The rank may be higher than the data support.",
        )


def _number(words: list[str], noun: str) -> str:
    return f"{noun}{'s' if len(words) > 1 else ''} {_listed(words)}"


def result_findings(result: Any) -> list[Finding]:
    """What is suspicious about a run: how it ended, its tolerance, rounding, its starts.

    `result` has the names of `genten.Result`, as fields or as keys (as in the JSON that
    ``genten decompose --json`` writes); what is absent is not looked at.
    """
    return [*_of_stop(result), *_of_numbers(result), *_of_starts(result), *_notes(result)]


def _options(result: Any) -> Any:
    return value_of(result, "options", {})


def _of_stop(result: Any) -> Iterator[Finding]:
    reason = str(value_of(result, "stop_reason", ""))
    iterations = value_of(result, "iterations")
    after = f" after {iterations} iteration{'' if iterations == 1 else 's'}" if iterations else ""
    ends = {
        "iteration_limit": ("its iteration limit", "Allow more iterations."),
        "time_limit": ("its time limit", "Allow more time."),
        "observer": ("an interruption", "Let it go on."),
        "interrupted": ("an interruption", "Let it go on."),
        "callback": ("its callback", "Let it go on if that was too early."),
    }
    if reason in ends:
        what, advice = ends[reason]
        text = f"The run was ended by {what}{after}, before {stop_rule(result).settled}. {advice}"
        yield Finding("not_converged", "Not converged", text)
    elif reason == "non_finite":
        text = (
            f"An iteration gave numbers that are not finite{after}; it was undone, and the model "
            "is that of the iteration before. Check the data for extreme values."
        )
        yield Finding("non_finite_step", "Not converged: numbers out of range", text)


def _of_numbers(result: Any) -> Iterator[Finding]:
    tolerance, fit = value_of(_options(result), "tolerance"), value_of(result, "fit")
    if fit is not None and fit < 0 and not is_of_counts(result):
        what = "data" if completion_of(result) is None else "known cells"
        text = f"The fit is below 0: a model of zeros would be closer to the {what}."
        yield Finding("negative_fit", "Worse than nothing", text)
    above = value_of(result, "tolerance_above_fit")
    if above is None and stop_rule(result).column == "fit":
        above = tolerance is not None and fit is not None and 0 <= fit < tolerance
    if above:
        text = (
            f"The tolerance, {tolerance:g}, is above the fit itself, {fit:.3g}, so that the run "
            "ended as soon as it could. A smaller tolerance may find more."
        )
        yield Finding("tolerance_above_fit", "The tolerance is above the fit", text)
    solves = value_of(result, "rank_deficient_solves", 0)
    if solves and completion_of(result) is not None:
        text = (
            f"{solves} of the linear systems of rows had more than one solution, since the known "
            "cells of a row do not determine it; the smallest one was taken. Try a ridge or a "
            "lower rank."
        )
        yield Finding("rank_deficient", "Rows that known cells do not determine", text)
    elif solves:
        text = (
            f"{solves} of the linear systems had more than one solution; the smallest one was "
            "taken. Components are likely redundant: try a lower rank."
        )
        yield Finding("rank_deficient", "More components than needed", text)
    certain = value_of(result, "residual_is_certain")
    if certain is None:
        error, residual = value_of(result, "residual_error"), value_of(result, "residual_norm")
        certain = error is None or residual is None or error <= 0.01 * residual
    if not certain:
        text = (
            "The residual is so small that rounding hides it: its last digits, and those of "
            "1 − fit, mean nothing. Double precision gives more of them where float was used."
        )
        yield Finding("residual_uncertain", "The residual is uncertain", text)


def _notes(result: Any) -> Iterator[Finding]:
    """What the run itself has told, but for what is found in its numbers, too."""
    for sentence in value_of(result, "warnings", ()):
        if not _FOUND_ANYWAY.search(sentence):
            yield Finding("note", "The run noted", str(sentence))


def _of_starts(result: Any) -> Iterator[Finding]:
    records, init = value_of(result, "starts", ()), value_of(_options(result), "init")
    if len(records) == 1 and isinstance(init, str) and init in ("uniform", "normal", "random"):
        text = (
            "The model comes from one random initial guess. Another one may end in a better model, "
            "or in other components: run several starts."
        )
        yield Finding("one_start", "One start only", text)
    measure = measure_of(result)
    found = [value_of(start, measure.field) for start in records]
    reached = sorted(each for each in found if each is not None and math.isfinite(each))
    if len(reached) < 2:
        return
    if measure.most:
        reached.reverse()
    if abs(reached[1] - reached[0]) > measure.near:
        best, next_one = (
            f"{each:.6f}" if measure.most else f"{each:.7g}".replace("-", "−")
            for each in reached[:2]
        )
        ended = "came to" if measure.field == "holdout_rmse" else "ended at"
        text = (
            f"Only one of {len(reached)} starts reached the {'best' if measure.most else 'least'} "
            f"{measure.name}, {best}; the next one {ended} {next_one}. There may be better models "
            "still: try more starts."
        )
        yield Finding("starts_disagree", "The starts disagree", text)
