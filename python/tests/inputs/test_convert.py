# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of input, one test each; those of libraries that are absent are skipped."""

import numpy as np
import pytest
from conftest import OnlyDlpack

import genten


def dense_of(random_arrays):
    subscripts, values, shape = random_arrays
    full = np.zeros(shape)
    full[tuple(subscripts.T)] = values
    return full


def as_dense(X):
    full = np.zeros(X.shape)
    np.add.at(full, tuple(X.subscripts.astype(np.int64).T), X.values)
    return full


def test_scipy_arrays_of_any_order(random_arrays):
    sparse = pytest.importorskip("scipy.sparse")
    subscripts, values, shape = random_arrays
    coo = sparse.coo_array((values, tuple(subscripts.T)), shape=shape)
    X = genten.tensor(coo)
    assert np.array_equal(as_dense(X), dense_of(random_arrays))
    assert X.values.__array_interface__["data"] == (coo.data.__array_interface__["data"][0], True)
    assert np.array_equal(X.to_coo().todense(), coo.todense())
    assert X.to_coo().shape == shape
    vector = genten.tensor(sparse.coo_array(([2.0], ([3],)), shape=(5,)))
    assert vector.shape == (5,)


@pytest.mark.parametrize("form", ["coo", "csr", "csc", "lil", "dok", "bsr", "dia"])
def test_scipy_matrices(form):
    sparse = pytest.importorskip("scipy.sparse")
    full = np.array([[1.0, 0, 2], [0, 0, -3]])
    for made in (sparse.coo_array(full), sparse.coo_matrix(full)):
        assert np.array_equal(as_dense(genten.tensor(made.asformat(form))), full)


def test_pydata_sparse(random_arrays):
    sparse = pytest.importorskip("sparse")
    full = dense_of(random_arrays)
    coo = sparse.COO.from_numpy(full)
    assert np.array_equal(as_dense(genten.tensor(coo)), full)
    assert np.array_equal(as_dense(genten.tensor(sparse.GCXS.from_numpy(full))), full)
    with pytest.raises(ValueError, match="fill_value 1"):
        genten.tensor(sparse.COO.from_numpy(full, fill_value=1))


def test_pyttb(random_arrays):
    pyttb = pytest.importorskip("pyttb")
    subscripts, values, shape = random_arrays
    theirs = pyttb.sptensor(subscripts, values[:, None], shape)
    X = genten.tensor(theirs)
    assert np.array_equal(as_dense(X), dense_of(random_arrays))
    assert X.to_pyttb().isequal(theirs)
    assert np.array_equal(as_dense(genten.tensor(theirs.full())), dense_of(random_arrays))
    assert genten.tensor(pyttb.sptensor(shape=(2, 3, 4))).shape == (2, 3, 4)


def test_torch(random_arrays):
    torch = pytest.importorskip("torch")
    full = torch.from_numpy(dense_of(random_arrays))
    assert np.array_equal(as_dense(genten.tensor(full.to_sparse_coo())), full.numpy())
    assert np.array_equal(as_dense(genten.tensor(full[0].to_sparse_csr())), full[0].numpy())


def test_dlpack(random_arrays):
    subscripts, values, shape = random_arrays
    X = genten.tensor((OnlyDlpack(subscripts), OnlyDlpack(values), shape))
    assert np.array_equal(as_dense(X), dense_of(random_arrays))
    assert X.values.__array_interface__["data"][0] == values.__array_interface__["data"][0]
    full = dense_of(random_arrays)
    assert np.array_equal(as_dense(genten.tensor(OnlyDlpack(full))), full)


def test_dense_arrays_and_the_warning(random_arrays, monkeypatch):
    full = dense_of(random_arrays)
    assert np.array_equal(as_dense(genten.tensor(full)), full)
    monkeypatch.setattr("genten.convert.dense.WARN_ABOVE", 100)
    with pytest.warns(UserWarning, match="dense array of 385 elements"):
        genten.tensor(full)


ROWS = {
    "user": ["zoe", "adam", "zoe", "zoe"],
    "item": ["b", "a", "b", "a"],
    "week": [2, 0, 2, 1],
    "hours": [1.0, 2.0, 0.5, 4.0],
}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame(ROWS)
    X = genten.tensor(table, values="hours")
    assert X.shape == (2, 2, 3) and X.mode_names == ["user", "item", "week"]
    assert X.labels == [["adam", "zoe"], ["a", "b"], None]
    expected = np.zeros((2, 2, 3))
    expected[1, 1, 2], expected[0, 0, 0], expected[1, 0, 1] = 1.5, 2.0, 4.0
    assert np.array_equal(as_dense(X), expected)
    counts = genten.tensor(table, modes=["item", "user"])
    assert np.array_equal(as_dense(counts), [[1, 1], [0, 2]])
    assert genten.tensor(table, (2, 2, 9), values="hours").shape == (2, 2, 9)
    with pytest.raises(ValueError, match="expected one of the columns.*got 'day'"):
        genten.tensor(table, values="day")


def test_categories_keep_their_order():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"size": pandas.Categorical(["L", "S"], ["S", "M", "L"]), "n": [0, 1]})
    both = ["size", "n"]
    X = genten.tensor(table, modes=both)
    assert X.labels == [["S", "M", "L"], None] and X.shape == (3, 2)
    assert X.subscripts.tolist() == [[2, 0], [0, 1]]
    polars = pytest.importorskip("polars")
    sizes = polars.Series("size", ["L", "S"], dtype=polars.Enum(["S", "M", "L"]))
    Y = genten.tensor(polars.DataFrame({"size": sizes, "n": [0, 1]}), modes=both)
    assert Y.labels == [["S", "M", "L"], None] and Y.subscripts.tolist() == [[2, 0], [0, 1]]
    words = polars.Series("word", ["b", "a"], dtype=polars.Categorical)
    assert genten.tensor(polars.DataFrame({"word": words})).labels[0] == ["a", "b"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_missing_entries_of_a_table_are_refused(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"user": ["a", None, "b"], "n": [0, 1, 2]})
    with pytest.raises(ValueError, match="column 'user', row 1: a value is missing"):
        genten.tensor(table, modes=["user", "n"])


def test_a_path_is_read(tmp_path, titanic):
    path = tmp_path / "x.sptensor"
    titanic.save(path)
    X = genten.tensor(path)
    assert np.array_equal(X.subscripts, titanic.subscripts)
    assert genten.tensor(str(path), dtype="float32").dtype == np.float32
    assert genten.tensor(X) is X
