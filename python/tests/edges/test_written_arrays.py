# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that a tensor or a model shares with others, who write to them afterwards."""

import copy
import importlib.util
import pickle

import numpy as np
import pytest

import genten

CHECKED = "factor 1: expected finite numbers, got nan in row 0, column 1"


def of_package(name, use):
    missing = importlib.util.find_spec(name) is None
    return pytest.param(use, marks=pytest.mark.skipif(missing, reason=f"there is no {name}"))


@pytest.fixture
def spoilt():
    """A model of another's arrays, in one of which there is NaN by now."""
    rng = np.random.default_rng(3)
    factors = [rng.random((3, 2)), rng.random((4, 2))]
    model = genten.Model(np.array([2.0, 1.0]), factors, [["a", "b", "c"], None])
    factors[1][0, 1] = np.nan
    return model


@pytest.mark.parametrize(
    "use",
    [
        lambda m, path: m.norm,
        lambda m, path: m.innerprod(m),
        lambda m, path: m.innerprod(genten.tensor(np.ones((3, 4)))),
        lambda m, path: genten.tensor(np.ones((3, 4))).innerprod(m),
        lambda m, path: m.score(m),
        lambda m, path: genten.Model(None, [np.ones((3, 2)), np.ones((4, 2))]).score(m),
        lambda m, path: m.evaluate(np.ones((3, 4))),
        lambda m, path: m.residuals(np.ones((3, 4))),
        lambda m, path: m.predict([[1, 0]]),
        lambda m, path: m[1, 0],
        lambda m, path: m.project(np.ones((3, 4)), 0),
        lambda m, path: m.normalize(),
        lambda m, path: m.top(1, mode=1),
        lambda m, path: m.extract(1),
        lambda m, path: m.copy(),
        lambda m, path: m.to_dense(),
        lambda m, path: m.to_pandas(),
        of_package("pyttb", lambda m, path: m.to_pyttb()),
        of_package("tensorly", lambda m, path: m.to_tensorly()),
        lambda m, path: m.save(path / "m.gkt"),
        lambda m, path: m.save(path / "m.ktensor.gz"),
        lambda m, path: m.save(path / "m.csv"),
        lambda m, path: m.save(path / "m.npz"),
        lambda m, path: genten.cp(np.ones((3, 4)), init=m),
        lambda m, path: genten.cp_als(np.ones((3, 4)), 2, init=m, printitn=0),
    ],
)
def test_nan_in_a_model_is_told(spoilt, tmp_path, use):
    with pytest.raises(ValueError, match="expected finite numbers, got nan in"):
        use(spoilt, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_place_is_told_and_other_entries_have_values(spoilt):
    with pytest.raises(ValueError, match=CHECKED):
        print(spoilt.norm)
    assert np.isfinite(spoilt.predict([[0, 1], [2, 3]])).all()
    assert spoilt.top(0, mode=1)[0][1] > 0
    spoilt.factors[1] = np.ones((4, 3))
    with pytest.raises(ValueError, match="factor 1: expected 2 columns, one a weight, got 3"):
        print(spoilt.norm)
    spoilt.factors[1] = np.ones((4, 2), int)
    assert spoilt.norm > 0
    spoilt.weights[0] = np.inf
    with pytest.raises(ValueError, match="weights: expected finite numbers, got inf in comp"):
        print(spoilt.norm)


def of(subscripts, values):
    return genten.tensor((subscripts, values, (3, 4)), labels=[["a", "b", "c"], None])


MODEL = genten.Model(None, [np.ones((3, 1)), np.ones((4, 1))], [["b", "c", "a"], None], ["r", "c"])

USES = [
    lambda X: X.norm,
    lambda X: X.coalesce(),
    lambda X: X.compact(),
    lambda X: X.distinct_subscripts,
    lambda X: X.density,
    lambda X: X.astype("float32"),
    lambda X: X.to_coo(),
    of_package("pyttb", lambda X: X.to_pyttb()),
    lambda X: X.innerprod(MODEL),
    lambda X: MODEL.innerprod(X),
    lambda X: MODEL.evaluate(X),
    lambda X: MODEL.residuals(X),
    lambda X: MODEL.project(X, 1),
    lambda X: genten.cp(X, 1),
    lambda X: genten.cp(X, 1, init="nvecs"),
    lambda X: genten.cp(X, 1, missing="unlisted"),
    lambda X: genten.cp(np.ones((3, 4)), 1, missing=X),
    lambda X: MODEL.report("/dev/null", tensor=X),
    lambda X: pickle.dumps(X),
    lambda X: copy.deepcopy(X),
    lambda X: genten.tensor(X, copy=True),
    lambda X: genten.tensor(X, mode_names=["c", "r"]).innerprod(MODEL),
]


@pytest.mark.parametrize("kind", [np.int64, np.uint32])
@pytest.mark.parametrize("use", USES)
def test_subscripts_outside_and_nan_are_told(use, kind):
    subscripts, values = np.array([[0, 1], [2, 3], [2, 3]], kind), np.array([1.0, 2.0, 3.0])
    X = of(subscripts, values)
    assert np.shares_memory(X.subscripts, subscripts)
    subscripts[1, 0] = np.array(-5).astype(kind)
    with pytest.raises(ValueError, match="nonzero 1: expected a subscript below 3 in mode"):
        use(X)
    subscripts[1, 0] = 2
    values[2] = np.nan
    if use not in USES[3:5]:  # Which do not look at values.
        with pytest.raises(ValueError, match="nonzero 2: expected a finite value, got nan"):
            use(X)
    values[2] = 4.0
    assert X.coalesce().values.tolist() == [1.0, 6.0]


def test_what_is_cut_from_shared_arrays_is_checked_too():
    subscripts, values = np.array([[0, 1], [2, 3]]), np.array([1.0, 2.0])
    X = of(subscripts, values)
    parts = [X.compact(), genten.tensor(X, mode_names=["a", "b"]), X.astype("float64")]
    norms = [part.norm for part in parts]
    values[0] = 5.0
    assert [part.norm for part in parts] == [X.norm] * 3 != norms
    values[0] = np.inf
    for part in parts:
        with pytest.raises(ValueError, match="expected a finite value"):
            print(part.norm)


def test_norms_of_components_that_cancel():
    rng = np.random.default_rng(7)
    a, b = rng.random((40, 1)), rng.random((50, 1))
    other = a.copy()
    other[3] += 3e-9
    model = genten.Model([1.0, -1.0], [np.hstack([other, a]), np.hstack([b, b])])
    exact = float(np.linalg.norm(other - a) * np.linalg.norm(b))
    assert model.norm == pytest.approx(exact, rel=1e-13)
    for scale in (2.0**600, 2.0**-600):
        assert genten.Model(model.weights * scale, model.factors).norm == model.norm * scale
    assert genten.Model([1.0, -1.0], [np.hstack([a, a]), np.hstack([b, b])]).norm == 0
