# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Products in all modes but one, and leading vectors."""

import numpy as np
import pytest

import genten


def random_tensor(shape=(30, 12, 9), nonzeros=300, scale=1.0):
    rng = np.random.default_rng(3)
    columns = np.stack([rng.integers(0, n, nonzeros) for n in shape], axis=1)
    return genten.tensor((columns, scale * rng.normal(size=nonzeros), shape))


@pytest.mark.parametrize("scale", [1.0, 1e-200])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_leading_vectors_are_those_of_numpy(scale, dtype):
    X = random_tensor(scale=scale if dtype == np.float64 else 1.0).astype(dtype)
    dense = random_tensor().to_dense()
    for mode in range(3):
        unfolding = np.moveaxis(dense, mode, 0).reshape(X.shape[mode], -1)
        left, _, _ = np.linalg.svd(unfolding, full_matrices=False)
        vectors = X.nvecs(mode, 4)
        tolerance = 1e-5 if dtype == np.float32 else 1e-9
        assert np.allclose(np.abs((vectors * left[:, :4]).sum(axis=0)), 1, atol=tolerance)
        assert np.allclose(vectors.T @ vectors, np.eye(4), atol=1e-12)
        assert (vectors[np.abs(vectors).argmax(axis=0), range(4)] > 0).all()


def test_leading_vectors_by_name_and_what_is_refused():
    X = genten.tensor(random_tensor(), mode_names=["a", "b", "c"])
    assert np.array_equal(X.nvecs("b", 3), X.nvecs(1, 3))
    assert X.nvecs(2, 9).shape == (9, 9)
    for arguments, message in (
        ((1, 13), "expected r from 1 to 12, got 13"),
        ((1, 0), "expected r from 1 to 12, got 0"),
        ((3, 1), "expected a mode from 0 to 2, got 3"),
    ):
        with pytest.raises(ValueError, match=message):
            X.nvecs(*arguments)


def test_products_in_all_modes_but_one():
    X = genten.tensor(random_tensor(), mode_names=["a", "b", "c"])
    rng = np.random.default_rng(5)
    matrices = [rng.normal(size=(n, j)) for n, j in zip(X.shape, (2, 3, 4), strict=True)]
    dense = X.to_dense()
    for mode in range(3):
        known = dense
        for n in range(3):
            if n != mode:
                known = np.moveaxis(np.tensordot(matrices[n].T, known, axes=(1, n)), 0, n)
        found = X.ttmc(matrices, mode)
        assert found.shape == known.shape and np.allclose(found, known, atol=1e-12)
        assert np.allclose(X.astype(np.float32).ttmc(matrices, mode), known, atol=1e-5)
    sliced = [np.asfortranarray(each)[:, ::-1] for each in matrices]
    given = [None, *sliced[1:]]
    assert np.allclose(X.ttmc(given, "a"), X.ttmc(matrices, 0)[:, ::-1, ::-1])
    for arguments, message in (
        ((matrices[:2], 0), "expected 3 matrices, one a mode, got 2"),
        (([None, *matrices[:2]], 0), "matrix of mode 1: expected the length of the mode, 12"),
        ((matrices, 3), "expected a mode from 0 to 2"),
    ):
        with pytest.raises(ValueError, match=message):
            X.ttmc(*arguments)
    with pytest.raises(ValueError, match="at least two modes"):
        genten.tensor((np.array([[2], [5]]), np.ones(2))).ttmc([None], 0)


def test_long_modes_with_few_nonzeros_stay_sparse():
    subscripts = np.array([[0, 0], [90_000, 1], [7, 2**31]])
    X = genten.tensor((subscripts, np.array([3.0, 2.0, 1.0]), (100_000, 2**32)))
    vectors = X.nvecs(0, 2)
    assert np.argwhere(vectors.round(9) == 1).tolist() == [[0, 0], [90_000, 1]]
