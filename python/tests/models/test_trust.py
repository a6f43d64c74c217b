# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Standard errors, agreement of starts and refits."""

import dataclasses
import warnings

import numpy as np
import pytest

import genten

from conftest import DATA


@pytest.fixture(scope="module")
def admissions():
    return genten.read(DATA / "ucb-admissions" / "ucb-admissions.tns")


def derivatives(X, factors):
    """All second derivatives of the Poisson loss by the elements of three factors, by loops."""
    rank = factors[0].shape[1]
    m = np.einsum("ir,jr,kr->ijk", *factors)
    slope, curvature = 1 - X / m, X / m**2
    offsets = np.cumsum([0] + [factor.size for factor in factors])
    found = np.zeros((offsets[-1], offsets[-1]))
    for entry in np.ndindex(*X.shape):
        rows = [factor[i] for factor, i in zip(factors, entry)]
        first = np.zeros(offsets[-1])
        places = [offsets[n] + entry[n] * rank + np.arange(rank) for n in range(3)]
        for n in range(3):
            first[places[n]] = np.prod([rows[k] for k in range(3) if k != n], axis=0)
        found += curvature[entry] * np.outer(first, first)
        for n in range(3):
            for k in range(3):
                if n != k:
                    found[places[n], places[k]] += slope[entry] * rows[3 - n - k]
    return found


def reference(X, r):
    """Standard errors by the pseudoinverse and differences, of weights and columns that sum to one.
    """
    rank = r.model.rank
    factors = [factor * np.cbrt(r.model.weights) for factor in r.model.factors]
    values, vectors = np.linalg.eigh(derivatives(X, factors))
    open_scales = 2 * rank
    assert values[open_scales] > 1e3 * abs(values[:open_scales]).max()
    inverse = (vectors[:, open_scales:] / values[open_scales:]) @ vectors[:, open_scales:].T

    def reported(elements):
        parts = np.split(elements, np.cumsum([factor.size for factor in factors])[:-1])
        parts = [part.reshape(-1, rank) for part in parts]
        sums = [part.sum(0) for part in parts]
        return np.concatenate(
            [np.prod(sums, axis=0)] + [(part / total).ravel() for part, total in zip(parts, sums)]
        )

    at = np.concatenate([factor.ravel() for factor in factors])
    steps = 1e-6 * np.eye(len(at))
    slopes = np.array([(reported(at + step) - reported(at - step)) / 2e-6 for step in steps]).T
    return np.sqrt(np.diag(slopes @ inverse @ slopes.T))


def test_standard_errors_of_counts_are_those_of_loops():
    rng = np.random.default_rng(3)
    true = [rng.random((length, 2)) + 0.1 for length in (5, 4, 3)]
    X = rng.poisson(200 * np.einsum("ir,jr,kr->ijk", *true)).astype(float)
    r = genten.cp(
        genten.tensor(X), 2, loss="poisson", standard_errors=True, tolerance=1e-10,
        max_iterations=20000,
    )  # fmt: skip
    errors = r.standard_errors
    found = np.concatenate([errors.weights] + [factor.ravel() for factor in errors.factors])
    assert errors.determined and errors.information == "whole"
    if all((factor > 0).all() for factor in r.model.factors):
        assert found == pytest.approx(reference(X, r), rel=1e-4)


def test_one_component_of_counts_has_closed_forms(admissions):
    r = genten.cp(admissions, 1, loss="poisson", standard_errors=True, tolerance=1e-10)
    assert r.standard_errors.weights == pytest.approx([67.2755528], abs=1e-6)
    for factor, errors in zip(r.model.factors, r.standard_errors.factors):
        assert errors == pytest.approx(np.sqrt(factor * (1 - factor) / 4526), rel=1e-6)
    assert r.stability == [] and r.bootstrap is None
    assert "errors    of weights 67.28, by second derivatives, all together" in repr(r)


def test_refits_agree_with_second_derivatives(admissions):
    r = genten.cp(admissions, 1, loss="poisson", standard_errors=True, bootstrap=200, seed=2)
    assert r.bootstrap.refits == 200
    assert r.bootstrap.weights.deviation == pytest.approx(r.standard_errors.weights, rel=0.2)
    assert (r.stability[0].refits, r.stability[0].unstable) == (pytest.approx(1.0), False)
    again = genten.cp(admissions, 1, loss="poisson", bootstrap=200, seed=2)
    assert (again.bootstrap.factors[2].upper == r.bootstrap.factors[2].upper).all()


def test_of_no_refits_nothing_is_said_but_that(admissions):
    r = genten.cp(admissions, 1, loss="poisson", bootstrap=20, time_limit=1e-6)
    assert r.bootstrap is None and r.stability == []
    assert "refits_cut" in [note.code for note in r.notes]


def test_few_refits_are_told_of(titanic):
    with pytest.raises(ValueError, match="^bootstrap: expected 0 or at least 2 .*bootstrap=200 m"):
        genten.cp(titanic, 1, loss="poisson", bootstrap=1)
    with pytest.warns(UserWarning, match="^bootstrap: intervals of 19 refits say little, .* 20 ar"):
        r = genten.cp(titanic, 1, loss="poisson", bootstrap=19)
    assert np.isfinite(r.bootstrap.weights.deviation).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.cp(titanic, 1, loss="poisson", bootstrap=20)
        genten.cp(titanic, 1, loss="poisson", bootstrap=0)


def test_starts_agree_with_kept_models(admissions):
    r = genten.cp(admissions, 3, loss="poisson", starts=5, keep_starts=True, seed=1)
    found = [
        start.model.score(r.model, weight_penalty=False).component_scores for start in r.starts
    ]
    expected = (np.array(found) >= 0.9).mean(0)
    assert [each.starts for each in r.stability] == pytest.approx(expected)
    assert [each.unstable for each in r.stability] == (expected <= 0.5).tolist()


def test_what_cannot_be_had_is_refused_by_name(titanic):
    with pytest.raises(TypeError, match="standard_errors.*loss='huber'.*no likelihood"):
        genten.cp(titanic, 1, loss="huber", standard_errors=True)
    with pytest.raises(TypeError, match="bootstrap_mode.*has no effect without bootstrap"):
        genten.cp(titanic, 1, bootstrap_mode=0)
    with pytest.raises((TypeError, ValueError), match="bootstrap_mode"):
        genten.cp(titanic, 1, bootstrap=2, bootstrap_mode=9)


def test_pictures_and_reports_show_them(admissions):
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    from genten.plots import plot_model
    from genten.reports import render_report

    r = genten.cp(admissions, 2, loss="poisson", standard_errors=True, starts=2)
    unstable = dataclasses.replace(
        r, stability=[genten.ComponentStability(0.25, float("nan"), True)] * 2
    )
    texts = [text.get_text() for axes in plot_model(unstable).axes for text in axes.texts]
    assert texts.count("unstable") == 2
    bars = next(a for a in plot_model(r).axes if a.get_label() == "component 0 mode 0")
    assert len(bars.collections) + len(bars.lines) > 1  # whiskers, beside the line of zero
    page = render_report(unstable)
    assert "How much to believe: Found in 25% of the starts: do not build on it." in page
    assert "Standard error of the weight" in page
    assert "Of 2 components, 1 and 2 (counted from 1) are found by fewer than half" in page
    assert "How much to believe" not in render_report(r.model)


def test_refits_beside_a_guess_follow_the_seed(admissions):
    guess = genten.cp(admissions, 1, loss="poisson", seed=1).model
    one, other = (
        genten.cp(admissions, 1, loss="poisson", init=guess, bootstrap=5, seed=seed).bootstrap
        for seed in (1, 2)
    )
    assert one.weights.lower[0] != other.weights.lower[0]
