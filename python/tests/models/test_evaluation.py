# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`genten.evaluate`, `Model.evaluate` and `Model.residuals`."""

import math

import numpy as np
import pytest

import genten


@pytest.fixture
def pair():
    """A model of positive numbers and a tensor of counts with a third of its cells."""
    rng = np.random.default_rng(5)
    model = genten.Model([3.0, 1.5], [rng.random((n, 2)) + 0.1 for n in (5, 4, 3)])
    dense = rng.poisson(2.0, model.shape) * (rng.random(model.shape) < 0.4)
    return model, genten.tensor(dense.astype(float)), dense


def test_errors_are_those_of_every_cell(pair):
    model, X, dense = pair
    found = genten.evaluate(model, X)
    values, means = dense.astype(float), model.to_dense()
    for errors, cells in ((found.listed, dense != 0), (found.all, np.ones(dense.shape, bool))):
        x, m = values[cells], means[cells]
        assert errors.cells == len(x) and isinstance(errors.cells, int)
        assert errors.residual_norm == pytest.approx(np.linalg.norm(x - m), rel=1e-12)
        assert errors.rmse == pytest.approx(np.sqrt(np.mean((x - m) ** 2)), rel=1e-12)
        assert errors.mae == pytest.approx(np.mean(abs(x - m)), rel=1e-12)
        likely = sum(a * math.log(b) - b - math.lgamma(a + 1) for a, b in zip(x, m))
        assert errors.log_likelihood == pytest.approx(likely, rel=1e-12)
        deviance = 2 * sum((a * math.log(a / b) if a else 0) - a + b for a, b in zip(x, m))
        assert errors.deviance == pytest.approx(deviance, rel=1e-12)
    norm = np.linalg.norm(values)
    assert found.tensor_norm == pytest.approx(norm, rel=1e-14)
    assert found.fit == pytest.approx(1 - np.linalg.norm(values - means) / norm, rel=1e-12)


def test_what_may_be_given(pair):
    model, X, dense = pair
    found = model.evaluate(X)
    single = genten.tensor(dense.astype(np.float32))
    assert genten.tensor(single, dtype=np.float64).dtype == np.float64
    assert genten.evaluate(model, single) == found
    twice = (np.vstack([X.subscripts] * 2), np.tile(X.values, 2) / 2, X.shape)
    assert model.evaluate(genten.tensor(twice)) == found
    r = genten.cp(X, 2, max_iterations=3, nonneg=True)
    assert genten.evaluate(r, X) == r.model.evaluate(X)
    assert genten.evaluate(r, X).fit == pytest.approx(r.fit, abs=1e-12)
    with pytest.raises(TypeError, match="evaluate: expected a Model or a Result, got int"):
        genten.evaluate(3, X)
    with pytest.raises(ValueError, match="dimensions"):
        model.evaluate(np.ones((5, 4, 4)))


def test_residuals_are_those_of_the_nonzeros_in_their_order(pair):
    model, X, dense = pair
    expected = (dense - model.to_dense())[tuple(X.subscripts.T)]
    np.testing.assert_allclose(model.residuals(X), expected, rtol=1e-12)
    back = genten.tensor((X.subscripts[::-1], X.values[::-1], X.shape))
    assert (model.residuals(back) == model.residuals(X)[::-1]).all()
    found = model.evaluate(X).listed
    assert np.linalg.norm(model.residuals(X)) == pytest.approx(found.residual_norm, rel=1e-12)
    assert model.residuals(np.zeros(X.shape)).shape == (0,)
    with pytest.raises(ValueError, match="2 nonzeros lie in 1 cells; coalesce"):
        model.residuals(genten.tensor((np.zeros((2, 3), int), np.ones(2), X.shape)))
    with pytest.raises(ValueError, match=r"expected a tensor of \(5, 4, 3\), got \(5, 4\)"):
        model.residuals(np.ones((5, 4)))
