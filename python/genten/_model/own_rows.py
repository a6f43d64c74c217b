# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of new slices under a loss of a caller's own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .own_loss import Loss

_Array = npt.NDArray[np.float64]

TOLERANCE = 1e-10
"""The projected gradient, as a part of the sum of the magnitudes of its terms, of a minimum."""
MOST_ITERATIONS = 500
MOST_ELEMENTS = 2**26
"""Elements of the matrix of products of the other factors, a row for each entry of a slice."""


@dataclass
class _Problem:
    """The minimum of the sum of f(x, (K b)) and the penalties over rows b within bounds."""

    value: Any
    slope: Any
    x: _Array
    K: _Array
    ridge: float
    linear: _Array
    lower: _Array
    upper: _Array
    signs: list[float]

    def objective(self, b: _Array) -> float:
        with np.errstate(all="ignore"):
            loss = float(self.value(self.x, self.K @ b).sum()) if len(self.x) else 0.0
            found = loss + 0.5 * self.ridge * float(b @ b) + float(self.linear @ b)
        return found if math.isfinite(found) else math.inf

    def gradient(self, b: _Array) -> tuple[_Array, _Array]:
        """The gradient, and the sums of the magnitudes of its terms."""
        slopes = self.slope(self.x, self.K @ b) if len(self.x) else np.empty(0)
        gradient = self.K.T @ slopes + self.ridge * b + self.linear
        sizes = np.abs(self.K).T @ np.abs(slopes) + self.ridge * np.abs(b) + np.abs(self.linear)
        return gradient, sizes

    def curvature(self, b: _Array) -> _Array:
        """The Hessian, of differences of the derivative; what is concave counts as flat."""
        m = self.K @ b
        step = 1e-6 * np.maximum(np.abs(m), 1e-3)
        with np.errstate(all="ignore"):
            second = (self.slope(self.x, m + step) - self.slope(self.x, m)) / step
        second = np.where(np.isfinite(second) & (second > 0), second, 0.0)
        hessian: _Array = (self.K.T * second) @ self.K + self.ridge * np.eye(len(b))
        return hessian

    def projected(self, b: _Array, gradient: _Array) -> _Array:
        """The gradient without what bounds hold back."""
        held = ((b <= self.lower) & (gradient > 0)) | ((b >= self.upper) & (gradient < 0))
        return np.where(held, 0.0, gradient)


def _relative(gradient: _Array, sizes: _Array) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(gradient == 0, 0.0, np.abs(gradient) / sizes)
    return float(parts.max(initial=0.0))


def _minimum(problem: _Problem, b: _Array) -> tuple[_Array, float]:
    """A minimum from a row on by Newton's method with damping, and how far from it the row is."""
    objective, damping = problem.objective(b), 1e-3
    gradient, sizes = problem.gradient(b)
    projected = problem.projected(b, gradient)
    far = _relative(projected, sizes)
    for _ in range(MOST_ITERATIONS):
        if far <= 0.01 * TOLERANCE or damping > 1e12:
            break
        free = np.flatnonzero(projected)
        hessian = problem.curvature(b)[np.ix_(free, free)]
        scale = np.diag(hessian) + 1e-12 * max(float(np.trace(hessian)), 1e-300)
        trial = b.copy()
        system = hessian + np.diag(damping * scale)
        trial[free] -= np.linalg.lstsq(system, gradient[free], rcond=None)[0]
        trial = np.clip(trial, problem.lower, problem.upper)
        reached = problem.objective(trial)
        falls = reached < objective
        if falls or reached <= objective + 1e-13 * abs(objective):
            its_gradient, its_sizes = problem.gradient(trial)
            its_projected = problem.projected(trial, its_gradient)
            its_far = _relative(its_projected, its_sizes)
            if falls or its_far < far:  # Rounding hides the rest of what it falls by.
                b, objective, damping = trial, reached, damping / 10
                gradient, projected, far = its_gradient, its_projected, its_far
                continue
        damping = max(4 * damping, 1e-12)
    return b, far


def _slices(
    given: Any, away: Any, mode: int, unlisted: bool
) -> Iterator[tuple[npt.NDArray[np.intp] | slice, _Array, int]]:
    """By row which entries of the slice count, their values, and how many the tensor lists."""
    lengths = [length for n, length in enumerate(given.shape) if n != mode]
    count = math.prod(lengths)

    def places(tensor: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp], _Array]:
        rows = tensor.subscripts[:, mode]
        others = np.delete(tensor.subscripts, mode, axis=1)
        at = np.zeros(len(rows), dtype=np.intp)
        if lengths:
            at[:] = np.ravel_multi_index(tuple(others.T), lengths)
        order = np.argsort(rows, kind="stable")
        ends = np.searchsorted(rows[order], np.arange(given.shape[mode] + 1))
        return ends, at[order], np.asarray(tensor.values, dtype=np.float64)[order]

    ends, at, values = places(given)
    away_ends, away_at = np.zeros(given.shape[mode] + 1, dtype=np.intp), at[:0]
    if away is not None:
        away_ends, away_at, _ = places(away)
    for row in range(given.shape[mode]):
        here = slice(ends[row], ends[row + 1])
        chosen, x = at[here], values[here]
        out = away_at[away_ends[row] : away_ends[row + 1]]
        if unlisted:
            order = np.argsort(chosen)  # so that the order of the entries does not change bits
            yield chosen[order], x[order], len(x)
            continue
        dense = np.zeros(count)
        dense[chosen] = x
        counts = np.ones(count, dtype=bool)
        counts[out] = False
        yield (slice(None) if len(out) == 0 else np.flatnonzero(counts)), dense[counts], len(x)


def _refuse_values(loss: Loss, x: _Array) -> None:
    good = {
        "nonnegative": x >= 0,
        "positive": x > 0,
        "binary": (x == 0) | (x == 1),
    }.get(loss.data)
    if good is not None and not good.all():
        zeros = "; where zeros are not known, missing='unlisted' says so"
        zeros = zeros if loss.data == "positive" else ""
        raise ValueError(
            f"loss {loss.name}: expected {loss.data} values, got {x[~good][0]:g}{zeros}"
        )


def _problem(
    loss: Loss, x: _Array, K: _Array, options: Mapping[str, Any], scales: _Array
) -> _Problem:
    """The problem of a row; where a magnitude is penalized, of its positive and negative parts."""
    asked, rank, l1 = loss._asked(), K.shape[1], options["l1"]
    lower, upper = options["lower"], options["upper"]
    if options["nonnegative"] or loss.lower == 0:
        lower = max(lower, 0.0)
    K = K / scales
    signs = [1.0]
    if l1 and lower < 0:
        signs = [1.0, -1.0] if upper > 0 else [-1.0]
    bounds = [sorted((sign * lower, sign * upper)) for sign in signs]
    low, high = (np.repeat([each[n] for each in bounds], rank) for n in (0, 1))
    if l1:
        low = np.maximum(low, 0.0)
    whole = np.concatenate([sign * K for sign in signs], axis=1)
    linear = np.full(len(low), l1)
    return _Problem(
        asked["value"], asked["slope"], x, whole, options["ridge"], linear, low, high, signs
    )


def _starts(problem: _Problem) -> Iterator[_Array]:
    """Rows to begin from: that of least squares, and that of the mean at every entry."""
    fitted = np.linalg.lstsq(problem.K, problem.x, rcond=None)[0]
    mean = float(problem.x.mean()) / (float(problem.K.sum(axis=1).mean()) or 1.0)
    level = np.full(len(fitted), mean)
    between = 0.5 * (np.maximum(fitted, 0.0) + np.abs(level))
    for each in (fitted, between, level, np.full(len(fitted), 1e-3)):
        yield np.clip(each, problem.lower, problem.upper)


def project_own(
    loss: Loss,
    given: Any,
    weights: _Array,
    factors: Sequence[_Array],
    mode: int,
    options: Mapping[str, Any],
    away: Any,
    unlisted: bool,
) -> dict[str, Any]:
    """What the extension finds under the library's losses, under one of a caller's own: each row by
    Newton's method from several starts, of which the best is kept. All entries of a slice that
    count are gone through.

    Raises
    ------
    ValueError
        For values that the loss does not take, slices of too many entries, and a loss that is not
        finite anywhere where a row begins.
    """
    rank = len(weights)
    others = [factor for n, factor in enumerate(factors) if n != mode]
    count = math.prod(len(each) for each in others)
    if count * rank > MOST_ELEMENTS:
        raise ValueError(
            f"project_rows: under loss {loss.name} each slice has {count} entries, whose values "
            f"are taken one by one: expected {MOST_ELEMENTS // rank} at most"
        )
    if loss.lower == 0 and any((each < 0).any() for each in (weights, *others)):
        raise ValueError(
            f"project_rows: loss {loss.name} takes no model with negative values, as this one has"
        )
    K = np.asarray(weights, dtype=np.float64)[np.newaxis]
    for each in others:
        K = (K[:, np.newaxis, :] * each).reshape(-1, rank)
    scales = np.asarray(options["scales"] or np.ones(rank), dtype=np.float64)
    found, rows = np.zeros((given.shape[mode], rank)), []
    for row, (chosen, x, listed) in enumerate(_slices(given, away, mode, unlisted)):
        _refuse_values(loss, x)
        problem = _problem(loss, x, K[chosen], options, scales)
        b = np.clip(np.zeros(problem.K.shape[1]), problem.lower, problem.upper)
        far, total = 0.0, 0.0
        if len(x):
            begun = [each for each in _starts(problem) if problem.objective(each) < math.inf]
            if not begun:
                raise ValueError(
                    f"project_rows: loss {loss.name} is finite for no row that slice {row} begins "
                    "from: does it need lower=0?"
                )
            ends = [_minimum(problem, each) for each in begun]
            b, far = min(ends, key=lambda end: problem.objective(end[0]))
            total = float(problem.value(x, problem.K @ b).sum())
        found[row] = np.array(problem.signs) @ b.reshape(-1, rank) / scales
        rows.append((float(len(x)), total, math.nan, far, far <= TOLERANCE, listed))
    return {
        "factor": found, "rows": rows, "dependent": 0, "condition": 1.0, "out_of_range": None,
    }  # fmt: skip
