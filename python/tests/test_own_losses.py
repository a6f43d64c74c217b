# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Losses of functions of NumPy arrays."""

import numpy as np
import pytest

import genten


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(1)
    dense = rng.poisson(np.einsum("ir,jr,kr->ijk", *(rng.random((n, 2)) for n in (7, 6, 5))))
    return genten.tensor(dense.astype(float))


def counts_loss(x, m):
    return m - x * np.log(m + 1e-10)


def its_derivative(x, m):
    return 1 - x / (m + 1e-10)


def test_one_is_minimized_as_the_librarys(counts):
    own = genten.Loss(counts_loss, its_derivative, lower=0, data="nonnegative")
    how = {"tolerance": 1e-8, "starts": 2}
    known = genten.cp(counts, 2, loss="poisson", solver="gcp", method="lbfgs", **how)
    r = genten.cp(counts, 2, loss=own, **how)
    assert r.objective == pytest.approx(known.objective, rel=1e-9)
    assert r.options["loss"] == own.name == "counts_loss"
    assert r.gcp["zeros"] == "enumerated" and r.options["solver"] == "gcp"
    assert (r.model.factors[0] >= 0).all()
    np.testing.assert_array_equal(r.predict([[0, 0, 0]]), r.model.predict([[0, 0, 0]]))
    assert r.holdout is None and genten.evaluate(r, counts).all.entries == 210


def test_it_gets_arrays_and_may_return_a_number(counts):
    seen = []

    def linear(x, m):
        seen.append((x.dtype, x.ndim, x.shape == m.shape))
        return (m - x) ** 2

    r = genten.cp(counts, 1, loss=genten.Loss(linear, lambda x, m: 2 * (m - x)), max_iterations=3)
    assert set(seen) == {(np.dtype(np.float64), 1, True)} and np.isfinite(r.objective)


def test_with_missing_held_out_sampled_entries_and_floats(counts):
    own = genten.Loss(counts_loss, its_derivative, lower=0, data="nonnegative", name="mine")
    listed = genten.cp(counts, 2, loss=own, missing="unlisted", max_iterations=20)
    assert listed.gcp["entries"] == counts.nnz
    r = genten.cp(counts, 2, loss=own, holdout=0.2, max_iterations=20, dtype=np.float32)
    assert r.holdout.entries == 42 and r.gcp["holdout_loss"] > 0
    sampled = genten.cp(counts, 2, loss=own, most_operations=0, zero_samples=100, max_iterations=20)
    assert sampled.gcp["zeros"] == "sampled" and sampled.gcp["objective_error"] > 0


def test_wrong_derivatives_are_told_of(counts):
    wrong = genten.Loss(lambda x, m: (m - x) ** 2, lambda x, m: m - x, name="half")
    with pytest.raises(ValueError, match="loss half: its derivative at x = .*, m = .* is .*, and "
                                         "central differences of its function are"):
        genten.cp(counts, 1, loss=wrong)
    kinked = genten.Loss(lambda x, m: np.abs(m - x), lambda x, m: np.sign(m - x), name="absolute")
    genten.cp(counts, 1, loss=kinked, max_iterations=3)


def test_what_functions_raise_comes_through(counts):
    def broken(x, m):
        raise KeyError("no such thing")

    with pytest.raises(KeyError, match="no such thing"):
        genten.cp(counts, 1, loss=genten.Loss(broken, its_derivative))
    short = genten.Loss(lambda x, m: m[:-1], its_derivative, name="short")
    with pytest.raises(ValueError, match="loss short: function: expected an array of shape"):
        genten.cp(counts, 1, loss=short)


def test_what_cannot_be_is_refused(counts, tmp_path):
    own = genten.Loss(counts_loss, its_derivative, lower=0, name="mine")
    with pytest.raises(TypeError, match="checkpoint: has no effect beside a loss of your own"):
        genten.cp(counts, 1, loss=own, checkpoint=tmp_path / "c.gkt")
    with pytest.raises(TypeError, match="loss_parameter: has no effect beside a loss of functions"):
        genten.cp(counts, 1, loss=own, loss_parameter=2)
    with pytest.raises(ValueError, match="solver: expected gcp beside loss='mine', got als"):
        genten.cp(counts, 1, loss=own, solver="als")
    for error, match, how in (
        (ValueError, "lower: expected 0 or -inf, got 1", {"lower": 1}),
        (ValueError, "data: expected one of 'real'", {"data": "odd"}),
        (ValueError, "ridge: expected a number of at least 0", {"ridge": -1}),
        (ValueError, "name: 'huber' is a loss of the library", {"name": "huber"}),
    ):
        with pytest.raises(error, match=match):
            genten.Loss(counts_loss, its_derivative, **how)
    with pytest.raises(TypeError, match="derivative: expected a function of x and m, got 1"):
        genten.Loss(counts_loss, 1)
