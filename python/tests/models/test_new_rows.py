# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows that come with new slices, in other modes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import genten


def planted(seed: int = 1) -> tuple[genten.Model, np.ndarray]:
    """A model of a tensor that it meets, and the entries of one row."""
    random = np.random.default_rng(seed)
    factors = [random.random((n, 2)) + 0.1 for n in (6, 5, 8)]
    X = np.einsum("ir,jr,kr->ijk", *factors)
    m = genten.cp(X, 2, tolerance=1e-12, max_iterations=2000, seed=1).model
    return m, np.einsum("jr,r->j", factors[1], [0.4, 0.7])


@pytest.mark.parametrize("options", [{}, {"extra": 0}, {"nonnegative": True}])
def test_new_row_and_slice_with_each_other_alone(options):
    """Large entries are met; both rows were 0 and each waited for the other."""
    m, row = planted()
    new = np.zeros((7, 5, 1))
    new[-1, :, 0] = 100 * row
    stream = genten.Stream(m, mode=2, sweeps=50, **options)
    batch = stream.update(genten.tensor(new))
    assert batch.new_rows == [1, 0, 1]
    assert batch.fit > 0.9 and batch.fit_of_new_rows > 0.9
    assert batch.fit_of_new_rows == pytest.approx(
        fit_of(stream.model.to_dense()[-1, :, -1], new[-1, :, 0])
    )
    predicted = stream.model.to_dense()[-1, :, -1]
    assert np.linalg.norm(predicted - 100 * row) < 0.1 * np.linalg.norm(100 * row)


def fit_of(predicted, listed):
    return 1 - np.linalg.norm(listed - predicted) / np.linalg.norm(listed)


def test_tells_the_fit_of_other_rows():
    m, row = planted()
    new = np.ones((7, 5, 1))
    new[-1, :, 0] = 100 * row
    stream = genten.Stream(m, mode=2, sweeps=50)
    batch = stream.update(genten.tensor(new))
    expected = fit_of(stream.model.to_dense()[:-1, :, -1], new[:-1, :, 0])
    assert batch.fit_of_other_rows == pytest.approx(expected, abs=1e-9)


def test_warns_where_earlier_slices_outweigh_new_rows():
    m, row = planted()
    new = np.zeros((7, 5, 1))
    new[-1, :, 0] = row
    with pytest.warns(UserWarning, match=r"entries in new rows poorly .*on all data with missing"):
        batch = genten.Stream(m, mode=2).update(genten.tensor(new))
    assert batch.fit_of_new_rows < 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch = genten.Stream(m, mode=2).update(np.ones((6, 5, 1)))
    assert np.isnan(batch.fit_of_new_rows) and np.isnan(batch.fit_of_other_rows)


def test_warns_of_amounts_beside_a_model_of_counts():
    X = np.arange(24.0).reshape(2, 3, 4)
    m = genten.cp(X, 1, loss="poisson", seed=1)
    with pytest.warns(UserWarning, match="6 of 6 values are not whole numbers"):
        m.update(np.full((2, 3, 1), 0.5), mode=2)
    with pytest.raises(ValueError, match="counts must not be negative"):
        m.update(np.full((2, 3, 1), -1.0), mode=2)
