# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a reader of a model should know before trusting it, in plain words."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .goals import holdout_of, measure_of, returned_iteration
from .protocols import Array, ModelLike, value_of

ALIKE = 0.9
"""The least score of models whose components are called the same."""
EARLY = 3
"""The last iteration that is called an early one."""


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


def model_findings(
    model: ModelLike, tensor_norm: float | None = None, fit: float | None = None
) -> list[Finding]:
    """What is suspicious about a model by itself: components that are larger than the data, that
    cancel each other, that are nearly the same, or empty; by its fit, where it is given, that it is
    worse than nothing. Components are named by number from 1."""
    arrays = [np.asarray(model.weights), *(np.asarray(factor) for factor in model.factors)]
    if not all(np.isfinite(each).all() for each in arrays):
        text = "The model holds numbers that are infinite or not numbers. Nothing else is said."
        return [Finding("non_finite", "The model is not finite", text)]
    weights, *factors = (np.ascontiguousarray(each, dtype=np.float64) for each in arrays)
    notes = _core.model_notes(
        weights,
        factors,
        math.nan if tensor_norm is None else tensor_norm,
        1.0 if fit is None else fit,
    )
    return [Finding(code, title, in_report) for code, title, _, _, in_report in notes]


def result_findings(result: Any) -> list[Finding]:
    """What is suspicious about a run: its notes, its other warnings, and that it had one start.

    `result` has the names of `genten.Result`, as fields or as keys (as in the JSON that
    ``genten decompose --json`` writes); what is absent is not looked at.
    """
    found, seen = [], set()
    for note in value_of(result, "notes", ()):
        code, title, text = (str(value_of(note, name)) for name in ("code", "title", "text"))
        found.append(Finding(code, title, value_of(note, "_in_report", "") or text))
        seen.add(text)
    found += [
        Finding("note", "The run noted", str(sentence))
        for sentence in value_of(result, "warnings", ())
        if sentence not in seen
    ]
    return [*found, *_of_starts(result), *_of_held_out(result)]


def trust_findings(source: Any, known: Iterable[Finding]) -> list[Finding]:
    """What stability and error bars say against components, where `known` has nothing of it: runs
    that were recorded without such notes, and the model of a recorded choice of the rank."""
    codes = {finding.key for finding in known}
    stability = value_of(source, "stability", [])
    starts, refits, best_starts = (
        [float(value_of(each, name, math.nan)) for each in stability]
        for name in ("starts", "refits", "best_starts")
    )
    return [
        Finding(code, title, in_report)
        for code, title, _, _, in_report in _core.stability_notes(
            starts, refits, best_starts, "two_modes" in codes
        )
        if code not in codes
    ]


def _of_starts(result: Any) -> Iterator[Finding]:
    records = value_of(result, "starts", ())
    init = value_of(value_of(result, "options", {}), "init")
    if len(records) == 1 and isinstance(init, str) and init in ("uniform", "normal", "random"):
        text = (
            "The model comes from one random initial guess. Another one may end in a better model, "
            "or in other components: run several starts."
        )
        yield Finding("one_start", "One start only", text)
    measure = measure_of(result) if len(records) > 1 else None
    if measure is None:
        return
    reached = [float(value_of(record, measure.field, math.nan)) for record in records]
    best = (max if measure.most else min)(filter(math.isfinite, reached), default=math.nan)
    scores = [value_of(record, "score") for record in records]
    others = [
        float(score)
        for value, score in zip(reached, scores, strict=True)
        if score is not None and abs(value - best) <= measure.near and float(score) < ALIKE
    ]
    if others:
        text = (
            f"{len(others)} of {len(records)} starts came as near to the data as the best one, "
            f"with other components: their score against it is down to {min(others):.2f}, where 1 "
            "means the same. Such components are one reading of several: try a lower rank."
        )
        yield Finding("starts_differ", "Starts found other components", text)


def _of_held_out(result: Any) -> Iterator[Finding]:
    """That the entries that were held out chose the model of one of the first iterations."""
    returned, made = returned_iteration(result), int(value_of(result, "iterations", 0))
    if holdout_of(result) is None or returned is None or made <= EARLY or returned > EARLY:
        return
    text = (
        f"Of {made} iterations that of number {returned} is nearest to the entries that were held "
        "out: what came after fits the others alone. Fewer components or a larger ridge may "
        "predict more."
    )
    yield Finding("early_best", "The best iteration is an early one", text)
