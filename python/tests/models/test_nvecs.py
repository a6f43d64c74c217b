# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The leading singular vectors of unfoldings as an initial guess."""

import sys

import numpy as np
import pytest
from conftest import equal_models

import genten
from genten._run.nvecs import nvecs


def random_tensor(shape=(30, 12, 9), nonzeros=300, scale=1.0):
    rng = np.random.default_rng(3)
    columns = np.stack([rng.integers(0, n, nonzeros) for n in shape], axis=1)
    return genten.tensor((columns, scale * rng.normal(size=nonzeros), shape))


def unfolding(X, mode):
    dense = np.zeros(X.shape)
    np.add.at(dense, tuple(X.subscripts.T), X.values)
    return np.moveaxis(dense, mode, 0).reshape(X.shape[mode], -1)


def assert_leading(X, model, rank):
    """The vectors are the left singular vectors of NumPy, up to their signs."""
    for mode, factor in enumerate(model.factors):
        left, values, _ = np.linalg.svd(unfolding(X, mode), full_matrices=False)
        count = min(rank, int((values > 1e-9 * values[0]).sum()))
        cosines = np.abs(np.sum(left[:, :count] * factor[:, :count], axis=0))
        assert np.allclose(cosines, 1, atol=1e-9), mode
        largest = np.abs(factor[:, :count]).argmax(axis=0)
        assert (factor[largest, np.arange(count)] > 0).all()


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200])
def test_they_are_the_singular_vectors_of_numpy(scale):
    X = random_tensor(scale=scale)
    model = nvecs(X, 4)
    assert_leading(random_tensor(), model, 4)
    assert equal_models(model, nvecs(X, 4))


def test_those_of_long_modes_are_near():
    """By products alone, as exact as a guess need be."""
    rng = np.random.default_rng(4)
    dense = np.zeros((1200, 900))
    for size in (9.0, 7.0, 5.0):
        one, other = rng.normal(size=1200), rng.normal(size=900)
        dense += size * np.outer(one / np.linalg.norm(one), other / np.linalg.norm(other))
    X = genten.tensor(dense)
    left, _, right = np.linalg.svd(dense, full_matrices=False)
    for vectors, factor in zip((left, right.T), nvecs(X, 3).factors, strict=True):
        assert np.abs(np.sum(vectors[:, :3] * factor, axis=0)) == pytest.approx(1, abs=1e-6)


def test_pyttb_starts_at_the_same_vectors():
    pyttb = pytest.importorskip("pyttb")
    X = random_tensor()
    theirs = X.to_pyttb()
    for mode, factor in enumerate(nvecs(X, 3).factors):
        peer = np.real(theirs.nvecs(mode, 3))
        assert np.allclose(np.sort(np.abs(peer.T @ factor).ravel())[-3:], 1, atol=1e-8)
        assert np.allclose(np.abs(peer.T @ factor).sum(), 3, atol=1e-6)
    model, init, info = genten.cp_als(X, 3, init="nvecs", printitn=0, maxiters=5, stoptol=0)
    full = theirs.full()  # Of a sparse tensor pyttb's vectors are complex, and it refuses them.
    _, _, peer_info = pyttb.cp_als(full, 3, init="nvecs", printitn=0, maxiters=5, stoptol=0)
    assert info["fit"] == pytest.approx(peer_info["fit"], abs=1e-10)
    assert equal_models(init, nvecs(X, 3))


def test_runs_begin_there(titanic):
    r = genten.cp(titanic, 3, init="nvecs")
    assert r.options["init"] == "nvecs" and r.model.rank == 3
    assert equal_models(r.model, genten.cp(titanic, init=nvecs(titanic, 3)).model)
    assert genten.cp(titanic, init="nvecs", max_iterations=1).model.rank == 16
    assert genten.cp(titanic, 2, init="nvecs", dtype="float32").model.dtype == np.float32
    with pytest.raises(ValueError, match="starts: expected 1 beside an initial guess"):
        genten.cp(titanic, 3, init="nvecs", starts=2)


def test_constraints_hold_from_the_beginning(titanic):
    for keywords in ({"nonnegative": True}, {"lower": 0.25, "upper": [0.5, 1, 1, 1]}):
        r = genten.cp(titanic, 3, init="nvecs", **keywords)
        assert all((factor >= 0).all() for factor in r.model.factors) and r.fit > -1
        _, init, _ = genten.cp_als(titanic, 3, init="nvecs", printitn=0, **keywords)
        assert all((factor >= keywords.get("lower", 0)).all() for factor in init.factors)
    assert init.factors[0].max() == 0.5


def test_losses_of_nonnegative_factors_begin_above_zero(titanic):
    for loss in ("poisson", "bernoulli-odds"):
        X = titanic if loss == "poisson" else titanic.map(np.ones_like)
        r = genten.cp(X, 3, loss=loss, init="nvecs")
        assert all((factor >= 0).all() for factor in r.model.factors) and r.iterations > 1
    # Where the leading vector is zero, the guess may not be.
    apart = genten.tensor((np.array([[0, 0], [1, 1], [2, 2]]), np.array([2.0, 3.0, 1.0]), (3, 3)))
    r = genten.cp(apart, 1, loss="poisson", init="nvecs")
    assert r.model.factors[0].ravel() == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-3)
    own = genten.Loss(lambda x, m: (x - m) ** 2, lambda x, m: 2 * (m - x), lower=0, name="squares")
    m = genten.cp(titanic, 2, loss=own, init="nvecs").model
    assert all((factor >= 0).all() for factor in m.factors)


def test_where_there_are_fewer_vectors_than_columns(titanic):
    model = nvecs(titanic, 5)
    assert_leading(titanic, model, 5)
    filled = model.factors[1][:, 2:]  # a mode of length 2
    assert (filled >= 0).all() and (filled < 1).all() and len(np.unique(filled)) == 6
    assert equal_models(model, nvecs(titanic, 5))
    empty = genten.tensor((np.empty((0, 2), int), np.empty(0), (3, 2)))
    assert [factor.shape for factor in nvecs(empty, 2).factors] == [(3, 2), (2, 2)]
    one = genten.tensor((np.array([[2], [5]]), np.array([3.0, 4.0]), (7,)))
    assert nvecs(one, 1).factors[0].ravel() == pytest.approx([0, 0, 0.6, 0, 0, 0.8, 0])


def test_rows_without_nonzeros_take_no_part():
    """A Lanczos basis of all rows would take gigabytes."""
    subscripts = np.array([[0, 0], [5_000_000, 1], [7, 2]])
    X = genten.tensor((subscripts, np.array([3.0, 2.0, 1.0]), (6_000_000, 3)))
    model = nvecs(X, 1)
    assert model.factors[0][0, 0] == pytest.approx(1) and model.factors[1][0, 0] == pytest.approx(1)
    assert np.count_nonzero(np.abs(model.factors[0]) > 1e-9) == 1


def test_scipy_is_not_needed(titanic, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse.linalg", None)
    assert genten.cp(titanic, 2, init="nvecs").model.rank == 2
