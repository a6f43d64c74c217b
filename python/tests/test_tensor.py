# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors: what is taken without a copy, what is converted, what is refused."""

import copy
import pickle
import re

import numpy as np
import pytest
from conftest import equal_models

import genten


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("scalar", [np.float32, np.float64])
def test_arrays_of_the_librarys_layout_are_not_copied(random_arrays, kind, scalar):
    subscripts, values, shape = random_arrays
    subscripts, values = subscripts.astype(kind), values.astype(scalar)
    X = genten.tensor((subscripts, values, shape))
    assert address(X.subscripts) == address(subscripts)
    assert address(X.values) == address(values)
    assert X.subscripts.dtype.itemsize == subscripts.dtype.itemsize
    assert np.array_equal(X.subscripts, subscripts) and np.array_equal(X.values, values)
    assert not X.subscripts.flags.writeable and not X.values.flags.writeable
    copied = genten.tensor((subscripts, values, shape), copy=True)
    assert address(copied.subscripts) != address(subscripts)
    assert address(copied.values) != address(values)


def test_arrays_are_kept_alive(random_arrays):
    subscripts, values, shape = random_arrays
    expected = subscripts.copy(), values.copy()
    X = genten.tensor((subscripts.astype(np.uint32), values * 1, shape))
    shown = X.subscripts, X.values
    del X
    noise = [np.full(120, 7.0) for _ in range(100)]
    assert np.array_equal(shown[0], expected[0]) and np.array_equal(shown[1], expected[1])
    assert len(noise) == 100


@pytest.mark.parametrize(
    "kind", [np.int8, np.uint8, np.int16, np.uint16, np.int64, np.uint64, np.float64, ">i4"]
)
def test_any_whole_numbers_are_subscripts(random_arrays, kind):
    subscripts, values, shape = random_arrays
    for given in (
        subscripts.astype(kind),
        np.asfortranarray(subscripts.astype(kind)),
        np.repeat(subscripts.astype(kind), 2, axis=0)[::2],
        [column.astype(kind) for column in subscripts.T],
    ):
        X = genten.tensor((given, values, shape))
        assert np.array_equal(X.subscripts, subscripts)
        assert X.shape == shape and X.nnz == 120 and X.ndim == X.order == 3
        assert X.density == pytest.approx(120 / (11 * 7 * 5))


@pytest.mark.parametrize("kind", [bool, np.int32, np.uint8, np.float16, np.float32, ">f8"])
def test_values_become_float32_or_float64(random_arrays, kind):
    subscripts, values, shape = random_arrays
    given = (values * 10).astype(kind)
    X = genten.tensor((subscripts, given, shape))
    assert X.dtype == (np.float32 if kind in (np.float16, np.float32) else np.float64)
    assert np.array_equal(X.values, given.astype(X.dtype))
    assert genten.tensor((subscripts, given, shape), dtype="float32").dtype == np.float32


def test_modes_may_be_longer_than_32_bits():
    X = genten.tensor((np.array([[2**33, 1], [0, 0]]), np.ones(2)))
    assert X.shape == (2**33 + 1, 2) and X.subscripts.dtype == np.uint64
    with pytest.raises(ValueError, match="below 8589934593 in mode 0"):
        genten.tensor((np.array([[2**33 + 1, 1]]), np.ones(1), X.shape))


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64])
@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_bad_subscripts_are_named(random_arrays, kind, layout):
    subscripts, values, shape = random_arrays

    def refused(row, mode, value):
        bad = subscripts.astype(kind)
        bad[row, mode] = value
        with pytest.raises(ValueError) as caught:
            genten.tensor((bad if layout == "rows" else list(bad.T), values, shape))
        return str(caught.value)

    assert refused(5, 1, 7) == (
        "nonzero 5: expected a subscript below 7 in mode 1, got 7"
    )
    assert "of at least 0, and below 11 in mode 0, got -1" in refused(119, 0, -1)


def test_of_a_mode_without_rows_no_subscript_is_below_its_length():
    def refused(subscript, **shape):
        with pytest.raises(ValueError) as caught:
            genten.tensor((np.array([[0, subscript]]), np.ones(1)), **shape)
        return str(caught.value)

    assert refused(-1) == "nonzero 0: expected a subscript of at least 0 in mode 1, got -1"
    assert refused(-1, shape=(1, 0)) == refused(-1)
    expected = "nonzero 0: expected no subscript in mode 1, which has no rows, got 3"
    assert refused(3, shape=(1, 0)) == expected


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_refused(random_arrays, value):
    subscripts, values, shape = random_arrays
    values[3] = value
    place = re.escape(str(tuple(subscripts[3].tolist())))
    with pytest.raises(ValueError, match=f"^values: nonzero 3, at {place}: expected a finite val"):
        genten.tensor((subscripts, values, shape))


def test_what_is_not_finite_is_told_with_its_place():
    sparse = pytest.importorskip("scipy.sparse")
    array = np.array([[0, 1.0, 2], [np.inf, 0, 3]])
    for X in (array, sparse.coo_array(array), sparse.csc_array(array)):
        with pytest.raises(ValueError, match=r", at \(1, 0\): expected a finite value, got inf"):
            genten.tensor(X)


def test_what_is_no_tensor_is_refused(random_arrays):
    subscripts, values, shape = random_arrays
    with pytest.raises(ValueError, match="nonzero 0: expected a whole number, got 9.5"):
        genten.tensor((subscripts + 0.5 * (subscripts == subscripts[0, 0]), values, shape))
    with pytest.raises(ValueError, match="real numbers, got complex128"):
        genten.tensor((subscripts, values + 1j, shape))
    with pytest.raises(ValueError, match="a value for each of 120 nonzeros, got 119"):
        genten.tensor((subscripts, values[:-1], shape))
    with pytest.raises(ValueError, match="expected 2 subscripts a nonzero.*got 3"):
        genten.tensor((subscripts, values, shape[:2]))
    with pytest.raises(ValueError, match="at least 0"):
        genten.tensor((subscripts, values, (11, 7, -5)))
    with pytest.raises(ValueError, match="order from 1 to 16, got 17"):
        genten.tensor((np.zeros((1, 17), int), np.ones(1)))
    with pytest.raises(TypeError, match="expected a sparse tensor, got builtins.int"):
        genten.tensor(3)


def test_a_spoilt_array_is_noticed_before_it_is_used(random_arrays):
    subscripts, values, shape = random_arrays
    X = genten.tensor((subscripts, values, shape))
    subscripts[7, 2] = 5_000_000
    with pytest.raises(ValueError, match="nonzero 7: expected a subscript below 5 in mode 2"):
        genten.cp(X, 2)


@pytest.mark.parametrize("kernel", ["atomic", "team", "permuted", "duplicated", "sorted"])
def test_arrays_that_are_spoilt_during_a_run_do_not_matter_to_it(random_arrays, kernel):
    subscripts, values, shape = random_arrays
    subscripts = subscripts.astype(np.uint32)
    X = genten.tensor((subscripts, values, shape))
    assert np.shares_memory(X.subscripts, subscripts)
    how = {"seed": 3, "max_iterations": 5, "tolerance": 0, "kernel": kernel}
    expected = genten.cp(genten.tensor((subscripts, values, shape), copy=True), 2, **how)

    def spoil(iteration):
        if iteration.iteration == 2:
            subscripts[:] = 2**31
            values[:] *= 100

    result = genten.cp(X, 2, callback=spoil, **how)
    assert result.fit == pytest.approx(expected.fit, abs=1e-9)
    assert result.tensor_norm == expected.tensor_norm
    with pytest.raises(ValueError, match="expected a subscript below"):
        genten.cp(X, 2)


def test_empty_tensors(random_arrays):
    X = genten.tensor((np.empty((0, 3), int), np.empty(0), (4, 5, 6)))
    assert X.nnz == 0 and X.norm == 0 and X.shape == (4, 5, 6) and X.subscripts.shape == (0, 3)


def test_norm_adds_duplicates_up():
    X = genten.tensor((np.array([[0, 0], [0, 0], [1, 1]]), np.array([1.0, 2.0, 4.0])))
    assert X.nnz == 3 and X.norm == 5.0


def test_names_that_are_set_are_checked(titanic):
    titanic.mode_names = ["class", "sex", "age", "survived"]
    with pytest.raises(ValueError, match="expected 2 names in mode 1, got 1"):
        titanic.labels = [None, ["a"], None, None]
    with pytest.raises(ValueError, match="mode_names: expected 4 names, got 0"):
        titanic.mode_names = []
    assert titanic.labels == [None] * 4 and titanic.mode_names[0] == "class"


def test_labels_belong_to_modes(random_arrays):
    subscripts, values, shape = random_arrays
    names = [f"row {i}" for i in range(7)]
    X = genten.tensor((subscripts, values, shape), labels=[None, names, None])
    assert X.labels == [None, names, None]
    assert "names for mode 1" in repr(X)
    assert genten.cp(X, 2).model.labels == [None, names, None]
    with pytest.raises(ValueError, match="expected 7 names in mode 1, got 2"):
        genten.tensor((subscripts, values, shape), labels=[None, ["a", "b"], None])


def test_tensors_models_and_results_are_pickled(titanic):
    X = genten.tensor(titanic, labels=[None, ["a", "b"], None, None], dtype="float32")
    Y = pickle.loads(pickle.dumps(X))
    assert np.array_equal(X.subscripts, Y.subscripts) and np.array_equal(X.values, Y.values)
    assert (Y.labels, Y.source, Y.dtype) == (X.labels, titanic.source, np.float32)
    r = genten.cp(Y, 2)
    s = copy.deepcopy(r)
    assert s.fit == r.fit and np.array_equal(s.model.factors[1], r.model.factors[1])
    assert equal_models(pickle.loads(pickle.dumps(r.model)), r.model)


def test_repr(random_arrays):
    subscripts, values, shape = random_arrays
    X = genten.tensor((subscripts, values, shape))
    assert repr(X) == "<genten.Tensor 11 x 7 x 5, 120 nonzeros, density 0.3117, float64>"
