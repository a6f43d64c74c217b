# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Ways out that messages name for sparse tensors and their entries, followed to the letter."""

import re
import warnings
from decimal import Decimal

import numpy as np
import pytest

import genten


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("users", [["b"], ["b", "c"]])
def test_sums_and_differences_by_labels(sign, users):
    pandas = pytest.importorskip("pandas")
    X = genten.tensor(pandas.DataFrame({"u": [*"ab"], "i": [*"xy"], "v": [5.0, 7.0]}), values="v")
    table = pandas.DataFrame({"u": [*"bc"], "i": [*"yx"], "v": [3.0, 2.0]})[: len(users)]
    Y = genten.tensor(table, values="v")
    with pytest.raises(ValueError, match="expected tensors of .*goes by the labels of both") as e:
        X + Y if sign > 0 else X - Y
    call = re.search(r"; (genten.*) goes by", str(e.value))[1]
    found = eval(call, {"genten": genten, "pandas": pandas, "X": X, "Y": Y})
    entries = dict(zip([*"abc"], found.sum(1).to_dense(), strict=False))
    assert entries["a"] == 5 and entries["b"] == 7 + 3 * sign
    assert entries.get("c", 2 * sign) == 2 * sign


@pytest.mark.parametrize("hits", [0, 1, 3, 4])
@pytest.mark.parametrize("kind", [list, tuple])
def test_arrays_one_a_mode_are_no_entries(hits, kind):
    D = np.random.default_rng(0).random((6, 5, 4))
    M = np.zeros(D.shape, bool)
    M[[0, 1, 2, 5][:hits], [3, 4, 0, 2][:hits], [2, 3, 1, 0][:hits]] = True
    model, columns = genten.cp(D, 2, max_iterations=5, seed=1).model, kind(np.nonzero(M))
    calls = {
        "predict": lambda entries: model.predict(entries),
        "missing": lambda entries: genten.cp(D, 2, missing=entries, max_iterations=2, seed=1).fit,
    }
    for what, call in calls.items():
        with pytest.raises(ValueError, match=f"^{what}: a {kind.__name__} of arrays may be") as e:
            call(columns)
        ways = re.findall(r"numpy\.\w+\([^)]*\)", str(e.value))
        known = {"numpy": np, "mask": M, "columns": columns, "rows": list(np.argwhere(M))}
        of_mask, of_columns, of_rows = (
            eval(way, known) if hits or "rows" not in way else np.argwhere(M) for way in ways
        )
        assert of_mask.tolist() == of_columns.tolist() == of_rows.tolist()
        found = np.atleast_1d(call(of_mask))
        assert found == pytest.approx(call(M) if what == "missing" else model.to_dense()[M])
        if hits != 3:
            with pytest.raises(ValueError, match=r"shape \(3, \d\): give its transpose, .T$"):
                call(np.array(columns))


def test_arrays_in_another_number_than_modes_are_entries():
    D = np.random.default_rng(0).random((6, 5, 4))
    model, rows = genten.cp(D, 2, max_iterations=5, seed=1).model, np.array([[5, 4, 3], [0, 1, 2]])
    full = model.to_dense()
    for kind, taken in ((list, rows), (tuple, rows), (list, rows[:1]), (list, rows[[0, 1, 0, 1]])):
        assert model.predict(kind(taken)) == pytest.approx(full[tuple(taken.T)])
    missing = [genten.cp(D, 2, missing=each, seed=1).model for each in (rows, list(rows))]
    assert missing[0] == missing[1]
    with pytest.raises(ValueError, match="predict: expected 3 subscripts an entry, got 2$"):
        model.predict([np.array([0, 1]), np.array([0, 1])])
    with pytest.raises(ValueError, match="missing: a tuple of arrays may be columns"):
        genten.cp(D, 2, missing=tuple(rows))  # no pair of subscripts and values


@pytest.mark.parametrize("rule", ["mean", "last", "max"])
def test_residuals_of_duplicates_go_by_the_rule_of_the_run(rule):
    pieces = (np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1]]), [3.0, 1.0, 5.0], (2, 2, 2))
    model = genten.cp(genten.tensor(pieces, duplicates=rule), 2, seed=1).model
    expected = model.evaluate(pieces)
    assert expected.fit == pytest.approx(1)
    for X in (pieces, genten.tensor(pieces)):
        with pytest.raises(ValueError, match="one nonzero an entry, got 1 too many of 3") as e:
            model.residuals(X)
        call = re.search(r"; (genten\.tensor\(.*\)) merges those", str(e.value))[1]
        merged = eval(call, {"genten": genten, "X": X})
        assert np.abs(model.residuals(merged)).max() < 1e-6
    added = genten.tensor(pieces).coalesce()
    assert added.file_facts == {"duplicates": 1, "merged_by": "sum"}
    for call in (model.residuals, model.evaluate):
        with pytest.raises(ValueError, match=f"by 'sum', and those of .* by '{rule}'"):
            call(added)


def test_lists_of_entries_and_of_slices():
    rows = [(i % 7, i % 5, i % 3, i * 0.37) for i in range(1, 1001)]
    subs, values = np.array(rows)[:, :-1].astype(int), np.array(rows)[:, -1]
    expected = genten.tensor((subs, values), (7, 5, 3)).to_dense()
    names = {"genten": genten, "numpy": np}
    for it in (rows, [list(row) for row in rows]):
        with pytest.raises(TypeError, match="got a list; genten.tensor") as e:
            genten.tensor(it)
        found = eval(re.search(r"; (genten.*) makes a tensor", str(e.value))[1], names | {"it": it})
        np.testing.assert_allclose(found.to_dense(), expected)
    rows = np.array(rows)
    with pytest.warns(UserWarning, match="dense array of 1000 x 4 is taken for a matrix") as told:
        assert genten.tensor(rows).shape == (1000, 4)
    call = re.search(r"give (genten.*);", str(told[0].message))[1]
    np.testing.assert_allclose(eval(call, names | {"rows": rows}).to_dense(), expected)
    pandas = pytest.importorskip("pandas")
    it = [("a", "x", 2.0), ("b", "x", 3.0)]
    with pytest.raises(TypeError, match="got a list; genten.tensor") as e:
        genten.tensor(it)
    call = re.search(r"; (genten.*) makes a tensor", str(e.value))[1]
    assert eval(call, names | {"it": it, "pandas": pandas}).labels == [["a", "b"], ["x"]]


def test_matrices_with_one_real_column_say_that_they_are_some(recwarn):
    scipy = pytest.importorskip("scipy.sparse")
    rows = np.column_stack([np.arange(20.0), np.arange(20.0), np.arange(20) / 7])
    assert genten.tensor(scipy.coo_array(rows)).shape == rows.shape and len(recwarn) == 0
    genten.tensor(rows - 1), genten.tensor(rows[:4]), genten.tensor(np.rint(rows))
    assert len(recwarn) == 0


def test_lists_of_sparse_slices():
    scipy, sparse = pytest.importorskip("scipy.sparse"), pytest.importorskip("sparse")
    D = np.random.default_rng(0).random((4, 3, 2))
    it = [scipy.csr_array(D[:, :, n]) for n in range(2)]
    with pytest.raises(TypeError, match="got a list; genten.tensor") as e:
        genten.tensor(it)
    call = re.search(r"; (genten.*), of pydata's", str(e.value))[1]
    found = eval(call, {"genten": genten, "sparse": sparse, "it": it})
    np.testing.assert_array_equal(found.to_dense(), D)


@pytest.mark.parametrize("it", [
    {(0, 0, 1): 2.0, (1, 2, 3): 4.0, (1, 1, 1): 3.0}, {("a", "x"): 2.0, ("b", "y"): 1.0},
])  # fmt: skip
def test_entries_by_tuple(it):
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="got a dict; pandas.Series") as e:
        genten.tensor(it)
    call = re.search(r"; (pandas.*) has its keys", str(e.value))[1]
    X = genten.tensor(eval(call, {"pandas": pandas, "it": it}))
    assert {key: X[key] for key in it} == it and X.nnz == len(it)


def test_models_and_matrices_of_pyttb():
    pyttb = pytest.importorskip("pyttb")
    D = np.random.default_rng(0).random((3, 4, 2))
    T, K = pyttb.tensor(D), pyttb.ktensor([np.ones((n, 2)) for n in D.shape])
    core = pyttb.ttensor(T, [np.eye(n) for n in D.shape])
    for it, full in (
        (K, K.full().data), (core, D), (T.to_tenmat(np.array([0])), D),
        (T.to_sptensor().to_sptenmat(np.array([0])), D),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=rf"got a {type(it).__name__}; its \.") as e:
            genten.tensor(it)
        call = re.search(r"its (\.\w+\(\)) is", str(e.value))[1]
        np.testing.assert_allclose(genten.tensor(eval("it" + call)).to_dense(), full)
        if model := re.search(r"; (genten.*) is a model", str(e.value)):
            found = eval(model[1], {"genten": genten, "it": it}).to_dense()
            np.testing.assert_allclose(found, full)


def test_functions_of_numbers_are_mapped():
    X = genten.tensor(np.array([[1.5, 0.0], [2.5, 3.0]]))
    for function in (int, lambda x: x if x > 2 else 0.0):
        with pytest.raises((TypeError, ValueError)) as e:
            X.map(function)
        if isinstance(e.value, TypeError):
            assert re.match("map: the function does not take a vector of 3 values: ", str(e.value))
            call = re.search(r"; (\S+) makes one", str(e.value))[1]
            found = X.map(eval(call, {"numpy": np})(function))
            assert found.values.tolist() == [1, 2, 3]
    assert X.map(lambda x: x * 2).sum() == 14


def test_values_at_entries_are_those_of_the_dense_array():
    D = np.random.default_rng(0).random((5, 6, 7))
    X = genten.tensor(D)
    subscripts, mask = np.argwhere(D > 0.5), D > 0.5
    for keys in (mask, subscripts, subscripts.tolist()):
        with pytest.raises(TypeError, match=r"got an array of shape \(.*: values at entries") as e:
            X[keys]
        assert len(str(e.value)) < 200
        call = re.search(r"entries are (X.*?)(?:;|$)", str(e.value))[1]
        found = eval(call, {"X": X, "mask": mask, "subscripts": subscripts})
        assert found.tolist() == D[mask].tolist()


def test_matrices_and_vectors_of_other_shapes():
    D = np.random.default_rng(0).random((5, 7, 2))
    X, A, v = genten.tensor(D), np.random.default_rng(1).random((7, 3)), np.ones(7)
    expected = np.einsum("ijk,jr->irk", D, A)
    for matrix, transpose in ((A, False), (A.T, True)):
        with pytest.raises(ValueError, match="ttm: .* the length of the mode, 7, got 3; tr") as e:
            X.ttm(matrix, 1, transpose=transpose)
        word = re.search(r"; transpose=(\w+) takes", str(e.value))[1]
        np.testing.assert_allclose(X.ttm(matrix, 1, transpose=eval(word)).to_dense(), expected)
    for column in (v[:, None], v[None]):
        with pytest.raises(ValueError, match=r"ttv: expected a vector for mode 1, .* its \.ravel"):
            X.ttv(column, 1)
        np.testing.assert_allclose(X.ttv(column.ravel(), 1).to_dense(), D.sum(1))
    with pytest.raises(ValueError, match="7, got 4$"):
        X.ttm(np.ones((2, 4)), 1)
    with pytest.raises(ValueError, match="ttv: expected a vector for mode 0, got 2$"):
        X.ttv([v, v], 0)
    with pytest.raises(ValueError, match=r"expected 2 vectors, one for each of the modes \[0, 1\]"):
        X.ttv([v], [0, 1])


def test_decimals_and_tables_of_floats():
    pandas = pytest.importorskip("pandas")
    values = [Decimal("1.5"), Decimal(2)]
    with pytest.raises(ValueError, match="values: expected real numbers, got object; numpy") as e:
        genten.tensor((np.eye(2, dtype=int), values))
    call = re.search(r"; (numpy.*) makes", str(e.value))[1]
    assert eval(call, {"numpy": np, "values": values}).tolist() == [1.5, 2.0]
    table = pandas.DataFrame(np.random.default_rng(0).random((10, 3)))
    for given in (lambda: genten.tensor(table), lambda: genten.CP(2).fit(table)):
        with pytest.raises(ValueError, match="takes the table as a matrix of rows by col") as e:
            given()
        call = re.search(r"; (genten.tensor\(table.to_\S+) takes", str(e.value))[1]
        assert eval(call, {"genten": genten, "table": table}).shape == table.shape
    for other in (table.assign(u="a"), table[[0]], table.where(table < 0.9)):
        with pytest.raises(ValueError, match="holds floats") as e:
            genten.tensor(other)
        assert "matrix" not in str(e.value)


def test_whole_decimals_that_are_rounded_are_told():
    arrow = pytest.importorskip("pyarrow")
    for number, told in ((2**53 + 1, True), (2**53, False), (10**25, False)):
        column = arrow.array([Decimal(number)], arrow.decimal128(38, 0))
        table = arrow.table({"u": ["a"], "v": column})
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            assert genten.tensor(table, values="v").values.tolist() == [float(number)]
        assert ["rounded" in str(each.message) for each in found] == [True] * told
