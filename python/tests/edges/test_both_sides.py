# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of two sides, of which one has numbers for labels and the other has numbers of rows."""

import warnings
from collections import deque

import numpy as np
import pandas
import pytest

import genten

COUNTS = np.random.default_rng(8).poisson(3, (8, 7, 6)) + 1


@pytest.fixture(params=[0, 1])
def base(request):
    return request.param


@pytest.fixture
def table(base):
    rows = [(f"u{i}", "abcdefg"[j], k + base, COUNTS[i, j, k]) for i, j, k in np.ndindex(8, 7, 6)]
    return pandas.DataFrame(rows, columns=["u", "i", "w", "n"])


@pytest.fixture
def whole(table, base):
    return genten.tensor(table, values="n", index_base=base)


@pytest.fixture
def model(whole):
    return genten.cp(whole, 2, seed=1).model


@pytest.fixture
def part(whole):
    return whole[:, :, 2:4]


def test_a_part_meets_the_rows_of_its_numbers(model, whole, part, base):
    assert part.labels[2] == [str(2 + base), str(3 + base)]
    entries = tuple((part.subscripts + np.array([0, 0, 2])).T)
    expected = model.to_dense()[entries]
    zeros = np.zeros(COUNTS.shape)
    zeros[:, :, 2:4] = COUNTS[:, :, 2:4]
    lacking = ", ".join(repr(str(base + row)) for row in (0, 1, 4))
    np.testing.assert_allclose(model.predict(part), expected)
    np.testing.assert_allclose(model.predict(part.to_pandas().astype({"w": int})), expected)
    told = f"model has 4 rows that the tensor lacks, taken for zeros: {lacking} and 1 more"
    with pytest.warns(UserWarning, match=told):
        np.testing.assert_allclose(model.residuals(part), part.values - expected)
    with pytest.warns(UserWarning, match=told):
        fit = 1 - np.linalg.norm(zeros - model.to_dense()) / np.linalg.norm(zeros)
        assert model.evaluate(part).fit == pytest.approx(fit)
    assert model.evaluate(part, partial=True).all.entries == 112
    with pytest.warns(UserWarning, match=told):
        assert model.innerprod(part) == pytest.approx((model.to_dense() * zeros).sum())
    assert whole.innerprod(part) == pytest.approx(part.norm**2)
    assert np.array_equal((whole.compact() + whole).to_dense(), 2.0 * COUNTS)
    assert model.evaluate(whole.compact()).fit == pytest.approx(model.evaluate(whole).fit)


def test_other_numbers_are_refused(whole, part, base):
    first = whole[:, :, :2]
    of_part, of_first = (genten.cp(X, 2, seed=1).model for X in (part, first))
    for call in (lambda: part + first, lambda: part - first, lambda: first + part):
        with pytest.raises(ValueError, match="expected tensors of the same labels; genten.tensor"):
            call()
    both = pandas.concat([part.to_pandas(), first.to_pandas()])  # as the message says
    assert genten.tensor(both, values="n").labels[2] == [str(base + row) for row in range(4)]
    theirs, mine = (f"'{base + row}', '{base + row + 1}'" for row in (0, 2))
    calls = {
        f"no rows are called {theirs}": [
            lambda: part.innerprod(first),
            lambda: of_part.evaluate(first),
        ],
        f"no rows are called {mine}": [
            lambda: of_first.evaluate(part),
            lambda: of_first.residuals(part),
            lambda: of_first.project(part, "u"),
            lambda: of_first.predict(part),
        ],
        f"only this model has {mine} and only the other has {theirs}": [
            lambda: of_part.score(of_first),
            lambda: of_part.innerprod(of_first),
        ],
        f"only the tensor has {mine} and only the guess has {theirs}": [
            lambda: genten.cp(part, 2, init=of_first),
        ],
    }
    for why, each in calls.items():
        for call in each:
            with pytest.raises(ValueError, match=why):
                call()


def test_scores_go_by_numbers(model, table, base):
    some = genten.tensor(table[table.w.isin([2 + base, 3 + base])], values="n", index_base=base)
    other = genten.cp(some.compact(), 2, seed=1).model
    rows = genten.Model(model.weights, [*model.factors[:2], model.factors[2][2:4]])
    expected = float(rows.score(genten.Model(other.weights, other.factors)))
    assert expected == pytest.approx(0.4314, abs=1e-4)
    lacking = ", ".join(repr(str(base + row)) for row in (0, 1, 4))
    with pytest.warns(UserWarning, match=f"only this model has {lacking} and 1 more"):
        assert float(model.score(other)) == pytest.approx(expected)
    with pytest.warns(UserWarning, match=f"only the other has {lacking} and 1 more"):
        assert float(other.score(model)) == pytest.approx(expected)


def test_rows_of_arrays_go_by_their_order_and_this_is_told(part):
    X = genten.tensor(COUNTS.astype(float))
    of_array, of_part = (genten.cp(Y, 2, seed=1).model for Y in (X[:, :, :2], part))
    for call in (lambda: part + X[:, :, :2], lambda: of_part.score(of_array)):
        with pytest.warns(UserWarning, match="has no labels, nor numbers of a file or a table: ro"):
            call()
    with pytest.raises(ValueError, match="the tensor names the rows of mode 2"):
        of_array.evaluate(part)


def test_predict_refuses_another_shape():
    X = genten.tensor(COUNTS.astype(float))
    model = genten.cp(X, 2, seed=1).model
    with pytest.raises(ValueError, match=r"shape \(8, 7, 6\), got one of \(2, 7, 6\).* begins at"):
        model.predict(X[5:7])
    entries = X[5:7].subscripts + [5, 0, 0]  # as the message says
    np.testing.assert_array_equal(model.predict(entries), model.to_dense()[5:7].ravel())


def test_a_part_of_a_text_goes_by_its_numbers(tmp_path):
    genten.tensor(COUNTS.astype(float)).save(tmp_path / "x.tns")
    X = genten.read(tmp_path / "x.tns")
    model = genten.cp(X, 2, seed=1).model
    expected = model.to_dense()[:, :, 2:4].ravel()
    np.testing.assert_allclose(model.predict(X[:, :, 2:4]), expected)


def test_ttm_keeps_the_numbers_of_other_modes(whole, base):
    found = whole.ttm(np.ones((1, 7)), "i")
    assert found.to_pandas().w.unique().tolist() == list(range(base, 6 + base))
    table = found.collapse("i").to_pandas("n")
    assert table.equals(whole.ttv(np.ones(7), "i").to_pandas("n"))
    assert genten.cp(found, 1, seed=1).model._run["index_base"] == base


def test_numbers_beside_names_are_rows_and_this_is_told(model, table, base):
    entries = table[["u", "i", "w"]].values[6:8]  # the first week of either item
    entries = [entries, [("u1", "a", 1), ("u1", "b", 2)]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for each in entries:
            model.predict(each)
        model.predict([("u0", "a", 0)])
        model.predict(np.array([[0, 0, 1]]))
        model["u0", "a", 1]
    said = "1 is the row of the number 2; in {} rows count from 0, in the table that they come fr"
    texts = [str(each.message) for each in caught]
    assert len(texts) == 3 * base
    for text, where in zip(texts, ("tuples", "tuples", "brackets"), strict=False):
        assert said.format(where) in text
    why = "6 is none of its rows, which count from 0 to 5" + "; in {} rows count from 0" * base
    with pytest.raises(ValueError, match=why.format("tuples")):
        model.predict([("u0", "a", 6)])
    with pytest.raises(ValueError, match=why.format("arrays") if base else "6"):
        model.predict(np.array([[0, 0, 6]]))


def test_arrays_beside_names_in_the_order_of_texts(monkeypatch):
    monkeypatch.setattr("genten._estimator._TOLD", deque(maxlen=8))
    X = np.random.default_rng(3).random((12, 3, 2))
    rows = [(f"s{i + 1}", f"k{j}", f"d{k}", X[i, j, k]) for i, j, k in np.ndindex(X.shape)]
    table = genten.tensor(pandas.DataFrame(rows, columns=["s", "k", "d", "v"]), values="v")
    model = genten.cp(table, 1, seed=1).model
    said = "rows of mode 0 have no names and are taken in the order of those that there are, 's1', "
    for what, call in (("evaluate", model.evaluate), ("residuals", model.residuals)):
        with pytest.warns(UserWarning, match=f"{what}: {said}.*, not 's1', 's2', "):
            call(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.evaluate(table)
        model.project_rows(X[:3], 0)
        model.project_rows(X, 0)  # of other subjects
        levels = [("0.1", "a"), ("0.15", "a"), ("0.2", "b")]
        rows = [(*pair, 1.0 + place) for place, pair in enumerate(levels)]
        decimals = genten.tensor(pandas.DataFrame(rows, columns=["x", "k", "v"]), values="v")
        genten.cp(decimals, 1, seed=1).model.evaluate(np.ones((3, 2)))
        few = genten.cp(table[:9], 1, seed=1).model  # s1, s10, s11, s12, s2
        in_order = genten.cp(table[[0, 4, 5]], 1, seed=1).model
        in_order.evaluate(X[[0, 1, 2]])
    with pytest.warns(UserWarning, match=said):
        few.evaluate(X[:9])
    with pytest.warns(UserWarning, match=f"missing: {said}"):
        genten.cp(table, 1, missing=np.zeros(X.shape, dtype=bool), max_iterations=2)
    unnamed = genten.Model(model.weights, model.factors)
    for what, call in (("score", model.score), ("score", unnamed.score)):
        with pytest.warns(UserWarning, match=f"{what}: {said}"):
            call(unnamed if call == model.score else model)
    with pytest.warns(UserWarning, match="targets have no names and are taken in the order of "):
        genten.CP(1, seed=1).fit(table, np.arange(12))
