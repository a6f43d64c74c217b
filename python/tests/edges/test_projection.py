# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Projection as least squares has it: whatever the weights, the sizes, and the condition."""

import numpy as np
import pytest

import genten


def products(model, mode):
    """The Khatri-Rao product of the other modes' factors, columns of unit norm, and their norms."""
    rows = np.ones((1, model.rank))
    for n, factor in enumerate(model.factors):
        if n != mode:
            rows = (rows[:, None, :] * factor[None]).reshape(-1, model.rank)
    norms = np.linalg.norm(rows, axis=0)
    return rows / norms, norms


def unfolded(dense, mode):
    return np.moveaxis(dense, mode, 0).reshape(dense.shape[mode], -1)


def least_squares(model, dense, mode):
    rows, norms = products(model, mode)
    found = np.linalg.lstsq(rows, unfolded(dense, mode).T, rcond=None)[0].T
    return found / norms / model.weights


def near(condition, order=3, seed=4):
    """Factors whose two columns are that near to each other in every mode."""
    rng = np.random.default_rng(seed)
    factors = [rng.random((5 + n, 2)) for n in range(order)]
    for factor in factors:
        factor[:, 1] = factor[:, 0] + factor[:, 1] / condition
    return factors


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("weights", [[1, 1e-8], [1e160, 1e160], [1e-170, 1e-170], [1e160, 1e-140]])
@pytest.mark.parametrize("order", [2, 3, 4])
def test_weights_do_not_enter_the_equations(weights, order):
    model = genten.Model(weights, near(1.0, order))
    dense = np.random.default_rng(1).random(model.shape)
    for mode in range(order):
        found, expected = model.project(dense, mode), least_squares(model, dense, mode)
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=0)
        # The conditions of a least-squares fit: what is left is orthogonal to every column.
        rows, norms = products(model, mode)
        left = unfolded(dense, mode) - found * model.weights * norms @ rows.T
        assert np.abs(left @ rows).max() < 1e-13


@pytest.mark.filterwarnings("ignore:.*nearly dependent")
@pytest.mark.parametrize("condition", [1e2, 2e3, 2e6, 2e7])
@pytest.mark.parametrize("order", [2, 3, 4])
def test_the_condition_is_not_squared(condition, order):
    model = genten.Model([3.0, 1e-8], near(condition, order))
    rng = np.random.default_rng(2)
    for mode in range(order):
        rows, norms = products(model, mode)
        expected = rng.random((model.shape[mode], 2))
        exact = (expected @ rows.T).reshape(model.shape[mode], -1)
        shape = [n for k, n in enumerate(model.shape) if k != mode]
        dense = np.moveaxis(exact.reshape(-1, *shape), 0, mode)
        found = model.project(dense, mode) * norms * model.weights
        error = np.abs(found - expected).max()
        theirs = np.abs(least_squares(model, dense, mode) * norms * model.weights - expected).max()
        assert error < max(20 * theirs, 1e-12, 4e-16 * 10 * condition), (error, theirs)


def test_sparse_tensors_of_several_entries_a_row():
    rng = np.random.default_rng(5)
    shape = (5, 4, 6, 3)
    model = genten.Model(None, [near(1e5, 4)[n][: shape[n]] for n in range(4)])
    subscripts = rng.integers(0, shape, (60, 4))
    X = genten.tensor((subscripts, rng.standard_normal(60), shape))
    dense = np.zeros(shape)
    np.add.at(dense, tuple(subscripts.T), X.values)
    for mode in range(4):
        found, expected = model.project(X, mode), least_squares(model, dense, mode)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("scale", [2.0**-700, 2.0**600])
def test_the_scale_of_data_is_that_of_the_answer(scale):
    model = genten.Model([2.0, 3.0], near(2.0))
    dense = np.random.default_rng(3).random(model.shape)
    assert np.array_equal(model.project(dense * scale, 1), model.project(dense, 1) * scale)
    wide = genten.Model(model.weights, [f * 2.0**s for f, s in zip(model.factors, [500, 0, -900])])
    assert np.array_equal(wide.project(dense, 1), np.ldexp(model.project(dense, 1), 400))


def test_dependent_columns_are_told():
    rng = np.random.default_rng(6)
    factors = [rng.random((4, 3)) for _ in range(3)]
    for factor in factors:
        factor[:, 2] = factor[:, 1]
    model = genten.Model([1.0, 2.0, 5.0], factors)
    with pytest.warns(UserWarning, match=r"project: .* dependent \(rank 2 of 3\).* least norm"):
        found = model.project(model.to_dense(), 0)
    # 2 a + 5 a by halves of the two columns, which are of equal norm.
    expected = factors[0] * [1.0, 3.5 / 2.0, 3.5 / 5.0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    with pytest.warns(UserWarning, match="but for this mode the model is 0 in component 1"):
        found = genten.Model([1.0, 0.0, 7.0], factors).project(model.to_dense(), 0)
    np.testing.assert_allclose(found, factors[0] * [1, 0, 1], rtol=1e-12, atol=0)
    with pytest.warns(UserWarning, match="nearly dependent: .* up to .e[+]10"):
        genten.Model(None, near(1e10)).project(np.ones((5, 6, 7)), 1)


def test_what_no_number_can_say_is_refused():
    model = genten.Model([1e-300], [np.ones((2, 1)), np.ones((2, 1))])
    with pytest.raises(ValueError, match="project: component 0: expected a column that float64"):
        model.project(np.full((2, 2), 1e300), 0)


def test_other_data_without_entries_or_components():
    model = genten.Model(None, [np.ones((2, 1)), np.ones((3, 1))])
    assert np.array_equal(model.project(np.zeros((4, 3)), 0), np.zeros((4, 1)))
    assert model.project(genten.tensor((np.empty((0, 2), int), [], (0, 3))), 0).shape == (0, 1)
    one = genten.Model([2.0], [np.array([[3.0], [1.0]])])
    assert np.array_equal(one.project(np.array([4.0, 6.0]), 0), [[2.0], [3.0]])
