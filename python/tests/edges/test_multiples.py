# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models times numbers, with what still holds of their runs."""

import warnings

import numpy as np
import pandas
import pytest

import genten


@pytest.fixture
def counts():
    rates = np.outer([1.0, 2.0, 4.0, 3.0], [5.0, 1.0, 3.0])
    rows = [(i + 1, j + 1, round(rates[i, j])) for i in range(4) for j in range(3)]
    return pandas.DataFrame(rows, columns=["day", "shop", "n"])


@pytest.fixture
def X(counts):
    return genten.tensor(counts, values="n", index_base=1)


def test_multiples(X):
    m = genten.cp(X, 2, seed=1).model
    weights = m.weights.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found, factor in (
            (2 * m, 2), (m * 2, 2), (-m, -1), (m / 2, 0.5), (np.float64(3) * m, 3),
            (m * np.int32(2), 2), (0 * m, 0),
        ):  # fmt: skip
            assert type(found) is genten.Model and found.mode_names == m.mode_names
            np.testing.assert_allclose(found.to_dense(), factor * m.to_dense())
            assert found._run["index_base"] == 1 and found._run["values"] == "n"
        single = genten.cp(X.astype("float32"), 2, seed=1).model
        assert (2 * single).dtype == np.float32 == (single / 2).dtype
    found = 2 * m
    found.factors[0][0] = 7
    assert (m.weights == weights).all() and (m.factors[0][0] != 7).all()
    with pytest.raises(ZeroDivisionError, match="a Model is divided by zero"):
        m / 0
    for wrong in (lambda: m * m, lambda: m * True, lambda: m / "2", lambda: np.ones(2) * m):
        with pytest.raises(TypeError, match=r"a Model has no '[*/]': (2 \* m|m / 2) takes a numb"):
            wrong()


def test_multiples_of_tucker_models(X, counts):
    m = genten.tucker(X, (2, 0)).model
    core = m.core.copy()
    for found, factor in (
        (2 * m, 2), (m * np.int32(2), 2), (-m, -1), (m / 2, 0.5), (np.float64(3) * m, 3),
    ):  # fmt: skip
        assert type(found) is genten.TuckerModel and found.mode_names == m.mode_names
        assert found.factors[1] is None and found.labels == m.labels
        np.testing.assert_allclose(found.to_dense(), factor * m.to_dense())
    twice = counts.assign(n=2 * counts.n)
    assert (2 * m).evaluate(twice).fit == pytest.approx(m.evaluate(counts).fit)
    assert (2 * genten.tucker(X.astype("float32"), (2, 0)).model).dtype == np.float32
    found = 2 * m
    found.factors[0][0] = 7
    assert (m.core == core).all() and (m.factors[0][0] != 7).all()
    with pytest.raises(ZeroDivisionError, match="a TuckerModel is divided by zero"):
        m / 0
    for wrong in (lambda: m * m, lambda: m / "2", lambda: np.ones(2) * m):
        with pytest.raises(TypeError, match=r"a TuckerModel has no '[*/]': (2 \* m|m / 2) takes"):
            wrong()
    with pytest.raises(TypeError, match=r"a TuckerModel has no '-': m.residuals\(X\) is what m l"):
        X.to_dense() - m
    with pytest.raises(TypeError, match=r"numpy.exp takes no TuckerModel: numpy.exp\(m.to_dense"):
        np.exp(m)


def test_a_multiple_goes_by_the_numbers_and_the_loss_of_its_run(counts, X, tmp_path):
    twice = counts.assign(n=2 * counts.n)
    for loss in ("gaussian", "weighted", "poisson", "gamma", "rayleigh", "beta"):
        m = genten.cp(X, 1, loss=loss, seed=1).model
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = 2 * m
            found.save(tmp_path / "m.gkt")
            for each in (found, genten.load(tmp_path / "m.gkt")):
                assert (each.loss or "gaussian") == loss
                assert each.evaluate(twice).fit == pytest.approx(m.evaluate(counts).fit)
    m = genten.cp(X, 1, loss="huber", loss_parameter=1.5, seed=1).model
    with pytest.warns(UserWarning, match="run under 'huber' times 2 no longer minimizes that: it"):
        found = 2 * m
    assert found.loss is None and found._run["index_base"] == 1
    assert found.evaluate(twice).fit == pytest.approx(m.evaluate(counts, "gaussian").fit)
    m = genten.cp(X, 1, loss="poisson", seed=1).model
    with pytest.warns(UserWarning, match="run under 'poisson' times -1 no longer minimizes that"):
        assert (-m).loss is None
    m = m.copy()
    m.loss = "poisson"
    assert (3 * m).loss == "poisson"


def test_constraints_of_a_multiple(X):
    m = genten.cp(X, 1, seed=1, nonnegative=True, ridge=2.0, l1=0.5).model
    new = X.to_dense()[1:2]
    np.testing.assert_allclose((2 * m).project(2 * new, 0), m.project(new, 0), rtol=1e-6)
    assert (2 * m)._run["nonnegative"] and "nonnegative" not in (-m)._run
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m = genten.cp(X, 1, seed=1, lower=0).model
        assert "lower" in (2 * m)._run
    m = genten.cp(X, 1, seed=1, upper=3.0).model
    with pytest.warns(UserWarning, match="with bounds times 2 is not bound by upper, which it"):
        assert "upper" not in (2 * m)._run
    m = genten.cp(X, 1, seed=1, loss="poisson", ridge=0.1).model
    np.testing.assert_allclose((2 * m).project(2 * new, 0), m.project(new, 0), rtol=1e-6)
