# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Nonnegative, bounded and penalized factors."""

import inspect

import numpy as np
import pytest
from conftest import equal_models

import genten


def test_nonnegative_factors(titanic):
    r = genten.cp(titanic, 3, nonnegative=True, tolerance=1e-8, max_iterations=1000)
    assert min(factor.min() for factor in r.model.factors) >= 0
    assert r.stop_reason == "converged" and r.kkt_violation < 1e-2
    assert r.penalty == 0 and r.zero_components == 0
    assert r.objective == pytest.approx(r.residual_norm**2 / 2, rel=1e-12)
    assert (np.diff(r.history.objective) <= 0).all()
    assert r.history.kkt_violation[-1] == r.kkt_violation
    assert r.starts[0].objective == r.objective
    assert r.options["nonnegative"] is True
    assert "hold to within" in repr(r) and "objective" in repr(r)
    free = genten.cp(titanic, 3)
    assert np.isnan(free.kkt_violation) and np.isnan(free.history.kkt_violation).all()
    assert "objective" not in repr(free)


def test_modes_are_counted_from_0(titanic):
    r = genten.cp(titanic, 3, nonnegative=[1, 3], max_iterations=3)
    assert r.options["nonnegative"] == [1, 3]
    assert min(r.model.factors[n].min() for n in (1, 3)) >= 0
    every = genten.cp(titanic, 3, nonnegative=range(4), max_iterations=3)
    all_modes = genten.cp(titanic, 3, nonnegative=True, max_iterations=3)
    assert equal_models(every.model, all_modes.model)


def test_nonneg_is_another_name(titanic):
    r = genten.cp(titanic, 3, nonneg=[1, 3], max_iterations=3)
    assert r.options["nonnegative"] == [1, 3] and "nonneg" not in r.options
    same = genten.cp(titanic, 3, nonnegative=[1, 3], max_iterations=3)
    assert equal_models(r.model, same.model)
    model, _, info = genten.cp_als(titanic, 3, nonneg=True, printitn=0)
    assert info["result"].options["nonnegative"] is True
    assert min(factor.min() for factor in model.factors) >= 0
    assert "nonneg" in inspect.signature(genten.cp).parameters


def test_penalties_and_bounds(titanic):
    r = genten.cp(titanic, 2, ridge=[1, 0, 2.5, 0], l1=2, upper=[np.inf, 3, np.inf, np.inf])
    assert r.options["ridge"] == [1, 0, 2.5, 0] and r.options["l1"] == [2]
    assert (r.model.weights == 1).all() and r.model.factors[1].max() <= 3
    penalty = sum(
        ridge / 2 * (factor**2).sum() + 2 * abs(factor).sum()
        for ridge, factor in zip((1, 0, 2.5, 0), r.model.factors, strict=True)
    )
    assert r.penalty == pytest.approx(penalty, rel=1e-12)
    ridge, upper = np.array([1, 0, 2.5, 0]), r.options["upper"]
    again = genten.cp(titanic, init=r.model, ridge=ridge, l1=2, upper=upper)
    assert again.objective <= r.objective


def test_zero_components_are_told_of(titanic):
    r = genten.cp(titanic, 2, l1=1e9)
    assert r.zero_components == 2
    assert "2 components are zero." in r.warnings


def test_callbacks_see_the_objective(titanic):
    seen = []

    def look(iteration):
        seen.append((iteration.objective, iteration.kkt_violation))

    r = genten.cp(titanic, 2, nonnegative=True, callback=look)
    assert [objective for objective, _ in seen] == list(r.history.objective)
    assert [violation for _, violation in seen] == list(r.history.kkt_violation)


@pytest.mark.parametrize(
    "keywords, error, message",
    [
        ({"nonneg": True, "nonnegative": True}, TypeError, "nonneg: means the same as nonnegative"),
        ({"nonneg": [4]}, ValueError, "expected a mode from 0 to 3, got 4"),
        ({"nonnegative": 1}, TypeError, "nonnegative: expected True for all modes, or modes"),
        ({"nonnegative": [4]}, ValueError, "expected a mode from 0 to 3, got 4"),
        ({"nonnegative": [-5]}, ValueError, "nonnegative: expected a mode from 0 to 3, got -5"),
        ({"ridge": -1}, ValueError, "ridge: expected a number, or one a mode, of at least 0"),
        ({"ridge": "1"}, TypeError, "ridge: expected a number"),
        ({"l1": [1, 2]}, ValueError, "l1: expected one number for all modes or 4, one a mode"),
        ({"lower": np.nan}, ValueError, "lower: expected"),
        ({"lower": 2, "upper": 1}, ValueError, "no number is from 2 to 1"),
    ],
)
def test_wrong_constraints(titanic, keywords, error, message):
    with pytest.raises(error, match=message):
        genten.cp(titanic, 2, **keywords)


def test_a_guess_outside_the_bounds_is_refused(titanic):
    guess = genten.cp(titanic, 3).model
    with pytest.raises(ValueError, match="initial guess within the bounds"):
        genten.cp(titanic, init=guess, nonnegative=True)


def test_none_is_no_bound():
    X = genten.tensor(np.arange(64.0).reshape(4, 2, 2, 4))
    some = genten.cp(X, 2, seed=1, lower=[0.2, None, None, None])
    assert some.options["lower"] == [0.2, -np.inf, -np.inf, -np.inf]
    assert some.options["lower"] == genten.cp(X, 2, lower=[0.2, *[-np.inf] * 3]).options["lower"]
    assert genten.cp(X, 2, upper=[None, 1, 1, 1]).options["upper"] == [np.inf, 1, 1, 1]
    why = "lower: expected a number, or one a mode, None for no bound, got 'a'"
    with pytest.raises(TypeError, match=f"^{why}$"):
        genten.cp(X, 2, lower="a")
    with pytest.raises(TypeError, match="^ridge: expected a number, or one a mode, of at least"):
        genten.cp(X, 2, ridge=[None] * 4)
