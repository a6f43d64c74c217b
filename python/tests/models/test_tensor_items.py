# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values and parts of tensors, arrays and tables of them."""

import re

import numpy as np
import pytest

import genten

USERS, ITEMS = ["zoe", "adam", "bob", "1"], ["tea", "milk"]


@pytest.fixture
def dense():
    full = np.random.default_rng(2).integers(1, 9, size=(4, 2, 6)).astype(float)
    full[np.random.default_rng(3).random(full.shape) < 0.4] = 0
    return full


@pytest.fixture
def X(dense):
    return genten.tensor(dense, labels=[USERS, ITEMS, None], mode_names=["user", "item", "day"])


def test_values(X, dense):
    for entry in np.ndindex(dense.shape):
        assert X[entry] == dense[entry]
    assert isinstance(X[0, 0, 0], float)
    assert X["bob", "milk", np.int32(3)] == dense[2, 1, 3]
    assert X["1", 1, -1] == dense[3, 1, 5] and X[1, 1, -1] == dense[1, 1, 5]
    twice = genten.tensor((np.array([[0, 1], [0, 1], [1, 0]]), np.array([1.0, 2.0, 5.0])))
    assert twice[0, 1] == 3 and twice[0, 0] == 0


def test_parts(X, dense):
    for keys in (
        0, slice(1, 3), (slice(None), 1), (Ellipsis, 2), (slice(None, None, -1), slice(None), 4),
        (1, Ellipsis, slice(-2, None)), (slice(3, 1, -2), slice(0, 0)), [2, 0],
        (slice(None), np.array([1])), np.array([True, False, True, True]), (0, [1, 0], 2),
        (slice(1, 100, 2), 0, slice(5, None, -3)),
    ):  # fmt: skip
        np.testing.assert_array_equal(X[keys].to_dense(), dense[keys], err_msg=str(keys))
    both = X[["bob", 0], :, [5, 1]]  # of both lists all pairs, unlike NumPy's
    np.testing.assert_array_equal(both.to_dense(), dense[np.ix_([2, 0], [0, 1], [5, 1])])
    assert both.labels == [["bob", "zoe"], ITEMS, None]
    part = X["zoe", :, 2:]
    assert part.labels == [ITEMS, None] and part.mode_names == ["item", "day"]
    assert X[::-1].labels[0] == USERS[::-1]
    assert X[[]].shape == (0, 2, 6)


@pytest.mark.parametrize(
    "keys, error, said",
    [((4, 0, 0), IndexError, r"mode 0 \(user\): expected a row from 0 to 3, got 4"),
     ((0, 0, 0, 0), IndexError, "a Tensor of 3 modes is indexed by 3 keys"),
     ((..., 0, ...), IndexError, "a Tensor of 3 modes"),
     (("zoé", 0, 0), ValueError, r"mode 0 \(user\): no row is called 'zoé'; did you mean 'zoe'"),
     ((0, 0, "a"), ValueError, r"mode 2 \(day\) has no labels, expected a whole number, got 'a'"),
     ((0, 0.5), TypeError, r"mode 1 \(item\): expected a row's number or label, a slice, or a"),
     ((0, None), TypeError, "expected a row's number or label"),
     ([0, 0.5], TypeError, "expected a row's number or label"),
     ([0, 0], ValueError, "expected each row once"),
     ([True, False], IndexError, "expected 4 truth values, got 2"),
     (slice("zoe", None), TypeError, "expected a slice of whole numbers")],
)  # fmt: skip
def test_what_is_not_there(X, keys, error, said):
    with pytest.raises(error, match=said):
        X[keys]


def test_tensors_are_not_iterable(X):
    with pytest.raises(TypeError, match="not iterable"):
        iter(X)


def test_arrays(X, dense):
    for found in (np.asarray(X), np.array(X), X.to_dense(), np.asarray(X, dtype="float32")):
        np.testing.assert_array_equal(found, dense)
    assert np.asarray(X.astype("float32")).dtype == np.float32
    assert np.asarray(X, dtype="float32").dtype == np.float32
    with pytest.raises(ValueError, match="to_dense: expected at most 47 elements, got 48"):
        X.to_dense(most=47)
    long = genten.tensor((np.array([[0, 99_999]]), np.array([1.0]), (10_000, 100_000)))
    with pytest.raises(TypeError, match=r"by to_dense\(most=1000000000\); numpy.asarray makes"):
        np.asarray(long)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="no array, which copy=False could share"):
            np.asarray(X, copy=False)


def test_duplicates_are_added_up_in_arrays():
    X = genten.tensor((np.array([[0, 1], [0, 1], [1, 0]]), np.array([1.0, 2.0, 5.0])))
    assert np.asarray(X).tolist() == [[0, 3], [5, 0]]


def test_tables(X, dense):
    pandas = pytest.importorskip("pandas")
    table = X.to_pandas()
    assert list(table.columns) == ["user", "item", "day", "value"] and len(table) == X.nnz
    assert table.user.cat.categories.tolist() == USERS
    again = genten.tensor(table, values="value", labels=None)
    np.testing.assert_array_equal(again.to_dense(), dense)
    assert again.labels == X.labels and again.mode_names == X.mode_names
    by_hand = table.groupby(["user", "item"], observed=True).value.sum()
    assert by_hand["bob", "tea"] == dense[2, 0].sum()
    head = X.head(3)
    pandas.testing.assert_frame_equal(head, table[:3])
    assert len(X.head()) == 5 and len(X.head(10**6)) == X.nnz and len(X.head(0)) == 0
    assert list(X.to_pandas(values="n").columns)[-1] == "n"
    for wrong, said in ((lambda: X.head(-1), "head: expected n of at least 0"),
                        (lambda: X.to_pandas(values="day"), "expected no name of a mode")):
        with pytest.raises(ValueError, match=said):
            wrong()


def test_tables_without_names_and_with_rows_called_alike():
    pytest.importorskip("pandas")
    with pytest.warns(UserWarning, match="labels: mode 0: 2 rows are called 'a', 0, 1: they stay"):
        X = genten.tensor(np.eye(2), labels=[["a", "a"], None])
    table = X.to_pandas()
    assert list(table.columns) == ["mode 0", "mode 1", "value"]
    assert table["mode 0"].tolist() == ["a", "a"] and table["mode 1"].tolist() == [0, 1]


def test_rows_of_one_name_are_told_and_merged_as_the_warning_says(tmp_path):
    pytest.importorskip("pandas")
    names, told = ["ann", "bob", "ann", "bob", "cy"], "2 rows are called 'ann', 0, 2, and 1 more na"
    dense = np.arange(1.0, 11.0).reshape(5, 2)
    genten.write_labels(tmp_path / "who.labels", names)
    genten.write(genten.tensor(dense), tmp_path / "x.tns")
    for make in (
        lambda: genten.tensor(dense, labels=[names, None]),
        lambda: genten.tensor(genten.tensor(dense), labels=[names, None]),
        lambda: genten.tensor((np.argwhere(dense), dense.ravel()), labels=[names, None]),
        lambda: genten.read(tmp_path / "x.tns", labels=[tmp_path / "who.labels", None]),
    ):
        with pytest.warns(UserWarning, match=told) as caught:
            X = make()
        message = str(caught[0].message)
        assert X.labels[0] == names and X.shape == (5, 2)
        with pytest.raises(ValueError, match="several rows are called 'ann'"):
            X["ann", 0]
    call = re.search(r"genten\.tensor\(X.*'value'\)", message)[0]
    merged = eval(call, {"genten": genten, "X": X})
    assert merged.labels[0] == ["ann", "bob", "cy"]
    assert merged.to_dense().tolist() == [[6.0, 8.0], [10.0, 12.0], [9.0, 10.0]]
    last = genten.tensor(X.to_pandas(), values="value", duplicates="last")
    assert last.to_dense()[0].tolist() == [5.0, 6.0]

