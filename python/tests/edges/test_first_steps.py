# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What newcomers try that is not so, and what they are told to do: that works."""

import pickle
import warnings

import numpy as np
import pandas
import pytest

import genten

TABLE = pandas.DataFrame({"a": ["x", "x", "y"], "b": ["p", "q", "q"], "n": [1.0, 2.0, 3.0]})


@pytest.fixture(scope="module")
def X():
    return genten.tensor(TABLE, values="n")


@pytest.fixture
def model(X):
    return genten.cp(X, 1, seed=1).model


def test_sums_are_those_of_pyttb(X, model):
    why = r"no '-': X - Y takes another Tensor; .* m.residuals\(X\) .* X.to_dense\(\) is an array"
    with pytest.raises(TypeError, match=why):
        X - model
    pytest.importorskip("pyttb")
    twice = (X.to_pyttb() + X.to_pyttb()).full().data
    np.testing.assert_array_equal(twice, (X + X).to_dense())
    left = (X.to_pyttb() - model.to_pyttb().full()).data
    np.testing.assert_allclose(left, X.to_dense() - model.to_dense())


def test_arguments_of_cp(X):
    with pytest.raises(TypeError, match="unexpected keyword 'R'; did you mean 'rank'?"):
        genten.cp(X, R=3)
    subs, values = np.array([[0, 0], [1, 1]]), np.ones(2)
    for given in ((subs, values, (2, 2)), (subs, values)):
        with pytest.raises(TypeError, match=r"in one tuple, genten.cp\(\(subs, vals, shape\), r"):
            genten.cp(*given)
    full = X.to_dense()
    for ranks in ([2] * X.ndim, (2, 2), np.array([2] * X.ndim)):
        for call in (lambda r: genten.cp(full, r), lambda r: genten.cp(X, rank=r)):
            with pytest.raises(TypeError, match="one number of components, .*genten.tucker.X, r"):
                call(ranks)
    with pytest.raises(TypeError, match=r"genten.cp\(X, 3, loss='poisson'\), got 'poisson' wit"):
        genten.cp(X, 3, "poisson")
    with pytest.raises(TypeError, match=r"all else by its keyword, .* got 7 without one"):
        genten.cp(X, 3, 7)


def test_a_guess_of_another_shape():
    X = genten.tensor(np.ones((2, 3, 4)))
    model = genten.cp(X, 1, seed=1).model
    why = r"dimensions, \(2, 3, 4\), got one of \(4, 3, 2\); are its modes in another order\?"
    for init in (model.factors[::-1], model.permute([2, 1, 0])):
        with pytest.raises(ValueError, match=why):
            genten.cp(X, 1, init=init)
    with pytest.raises(ValueError, match=r"\(2, 3, 4\), got one of \(2, 3\)$"):
        genten.cp(X, 1, init=model.factors[:2])


def test_fixed_modes_without_a_guess(X, model):
    for init in (None, "uniform"):
        with pytest.raises(ValueError, match="fixed_modes: expected init beside it, a model that"):
            genten.cp(X, 1, fixed_modes=["b"], init=init)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = genten.cp(X, 1, fixed_modes=["b"], init=model).model
    assert found.shape == model.shape


def test_weights_that_are_set(model):
    model.weights = [2]
    assert isinstance(model.weights, np.ndarray) and model.weights.dtype == np.float64
    model.weights *= 2
    assert pickle.loads(pickle.dumps(model)).weights.tolist() == [4.0]
    with pytest.raises(ValueError, match="factor 0: expected 3 columns, one a weight, got 1"):
        model.weights = [1, 2, 3]
    with pytest.raises(ValueError, match="weights: expected finite numbers, got nan"):
        model.weights = [np.nan]
    assert model.weights.tolist() == [4.0] and model.copy().weights.tolist() == [4.0]


def test_tables_of_entries(X, model):
    for row in (TABLE.iloc[0], TABLE[["a", "b"]].iloc[0]):
        with pytest.raises(TypeError, match=r"table.iloc\[\[0\]\] is a table of one row"):
            model.predict(row)
    assert model.predict(TABLE.iloc[[0]]) == model["x", "p"]
    nameless = genten.tensor((X.subscripts, X.values, X.shape))
    found = genten.cp(nameless, 1, seed=1).model
    np.testing.assert_array_equal(
        found.predict(nameless.to_pandas()), found.predict(nameless.subscripts)
    )


def test_an_index_without_a_name_in_files(X, model, tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow

    path = tmp_path / "x.parquet"
    table = TABLE.set_axis([5, 9, 2], axis=0)
    table.to_parquet(path)
    arrow = pyarrow.Table.from_pandas(table)
    assert "__index_level_0__" in arrow.column_names
    for given in (path, arrow):
        with pytest.warns(UserWarning, match="'__index_level_0__', .* is left out: modes= or val"):
            assert genten.tensor(given, values="n") == X
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert genten.tensor(given, modes=["a", "b"], values="n") == X
            assert model.evaluate(given).listed.entries == 3
    assert genten.read(path, modes=["a", "b"], values="__index_level_0__").values.max() == 9
    table[["a", "b"]].to_parquet(path)
    with pytest.warns(UserWarning, match="is left out"):
        assert genten.read(path).values.tolist() == [1, 1, 1]
