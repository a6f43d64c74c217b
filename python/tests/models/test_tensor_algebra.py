# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is computed of sparse tensors, against dense arrays; names survive it."""

import numpy as np
import pytest

import genten

USERS, ITEMS = ["ann", "bob", "cid", "dee"], ["tea", "ale", "rum"]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture
def dense(rng):
    full = rng.normal(size=(4, 3, 5))
    full[rng.random(full.shape) < 0.5] = 0
    return full


@pytest.fixture
def X(dense):
    """With every entry in two pieces, in no order."""
    where = np.stack(dense.nonzero(), axis=1)
    order = np.random.default_rng(1).permutation(2 * len(where))
    subscripts = np.concatenate([where, where])[order]
    values = np.concatenate([0.25 * dense[dense != 0], 0.75 * dense[dense != 0]])[order]
    return genten.tensor(
        (subscripts, values, dense.shape),
        labels=[USERS, ITEMS, None],
        mode_names=["user", "item", "day"],
    )


def test_sums(X, dense):
    assert X.sum() == pytest.approx(dense.sum())
    assert X.collapse() == pytest.approx(dense.sum())
    for modes, axes, labels in (
        (0, 0, [ITEMS, None]),
        ("item", 1, [USERS, None]),
        (["day", 0], (0, 2), [ITEMS]),
        (-1, 2, [USERS, ITEMS]),
    ):
        for found in (X.collapse(modes), X.sum(axis=modes)):
            np.testing.assert_allclose(found.to_dense(), dense.sum(axis=axes), atol=1e-14)
            assert found.labels == labels
    assert X.collapse("user").mode_names == ["item", "day"]
    cancelled = genten.tensor((np.array([[0, 0], [1, 0]]), np.array([1.0, -1.0]))).collapse(0)
    assert cancelled.nnz == 1 and cancelled.values[0] == 0


def test_sums_are_of_their_own_arrays():
    values = np.array([1.0, 2.0])
    X = genten.tensor((np.array([[0, 0], [1, 1]]), values))
    found = (X.collapse(0), X.permute([1, 0]), X[:1], X.map(lambda given: given))
    values[:] = 7
    assert [each.values[0] for each in found] == [1.0] * 4 and X.values[0] == 7


def test_orders_of_modes(X, dense):
    turned = X.permute(["day", 0, -2])
    np.testing.assert_allclose(turned.to_dense(), dense.transpose(2, 0, 1), atol=1e-14)
    assert turned.labels == [None, USERS, ITEMS]
    assert turned.mode_names == ["day", "user", "item"]
    assert turned.nnz == X.nnz


@pytest.mark.parametrize(
    "modes, said",
    [([0, 1], "expected all 3 modes, each once"), ([0, 1, 1], "expected different modes"),
     ([0, 1, 3], "expected a mode from 0 to 2, got 3"), (["user", 1, "dy"], "did you mean 'day'"),
     (None, "expected the number or the name of a mode")],
)  # fmt: skip
def test_orders_that_are_none(X, modes, said):
    with pytest.raises((ValueError, TypeError), match=f"permute: modes: .*{said}"):
        X.permute(modes)


def test_functions_of_values(X, dense):
    squares = X.map(np.square)
    np.testing.assert_allclose(squares.to_dense(), dense**2, atol=1e-14)
    assert squares.labels == X.labels and squares.mode_names == X.mode_names
    signs = X.map(lambda values: values > 0)
    assert signs.nnz == np.count_nonzero(dense) and signs.dtype == np.float64
    assert X.astype("float32").map(np.abs).dtype == np.float32
    with pytest.raises(ValueError, match="map: expected a function that returns a vector of"):
        X.map(lambda values: 1.0)
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="map: expected finite numbers"):
        X.map(np.log)


def test_products_of_tensors(X, dense, rng):
    other = rng.normal(size=dense.shape)
    other[rng.random(other.shape) < 0.5] = 0
    Y = genten.tensor(other)
    assert X.innerprod(Y) == pytest.approx((dense * other).sum())
    assert Y.innerprod(X) == pytest.approx((dense * other).sum())
    assert X.innerprod(X) == pytest.approx(X.norm**2)
    assert X.innerprod(X.permute([2, 1, 0])) == pytest.approx(X.norm**2)  # modes by their names
    assert X[::-1].innerprod(X) == pytest.approx(X.norm**2)  # rows by their labels
    empty = genten.tensor((np.zeros((0, 3), int), np.zeros(0), dense.shape))
    assert X.innerprod(empty) == 0
    with pytest.raises(ValueError, match=r"innerprod: expected a tensor of shape \(4, 3, 5\)"):
        X.innerprod(genten.tensor(other[:2]))
    why = r"innerprod: mode 0 \(user\): no rows are called 'ann', 'cid', 'dee', 3 of 4"
    with pytest.raises(ValueError, match=why):
        X[["bob"]].innerprod(X)
    with pytest.raises(TypeError, match="expected a Model or a Tensor, got ndarray"):
        X.innerprod(other)


def test_of_more_places_than_there_are_numbers():
    subscripts = np.array([[2**31, 2**40, 7], [5, 2**40, 7], [2**31, 2**40, 7]])
    X = genten.tensor((subscripts, np.array([1.0, 2.0, 4.0]), (2**32, 2**41, 8)))
    assert X.innerprod(X) == 29 and X[2**31, 2**40, 7] == 5 and X.collapse([0, 1]).values[0] == 7
    with pytest.raises(TypeError, match=r"only by to_dense\(most="):
        np.asarray(X)


def test_mttkrp(X, dense, rng):
    factors = [rng.normal(size=(n, 2)) for n in dense.shape]
    for mode, letters in enumerate(("br,cr->ar", "ar,cr->br", "ar,br->cr")):
        others = [factor for n, factor in enumerate(factors) if n != mode]
        wanted = np.einsum(f"abc,{letters}", dense, *others)
        given = [None if n == mode else factor for n, factor in enumerate(factors)]
        for each in (given, factors, [np.asfortranarray(factor) for factor in factors]):
            np.testing.assert_allclose(X.mttkrp(each, mode), wanted, atol=1e-12)
        model = genten.Model([2.0, 3.0], factors, X.labels, X.mode_names)
        found = X.mttkrp(model.permute([2, 0, 1]), X.mode_names[mode])
        np.testing.assert_allclose(found, wanted * [2, 3], atol=1e-12)
        found[:] = 0  # an array like any other
    small = X.astype("float32").mttkrp([factor.astype("float32") for factor in factors], 0)
    assert small.dtype == np.float32
    assert X.astype("float32").mttkrp(factors, 0).dtype == np.float64


def test_mttkrp_as_pyttb_has_it(X, rng):
    pyttb = pytest.importorskip("pyttb")
    model = genten.Model([2.0, 3.0], [rng.normal(size=(n, 2)) for n in X.shape])
    for mode in range(3):
        wanted = X.to_pyttb().mttkrp(pyttb.ktensor(model.factors, model.weights), mode)
        np.testing.assert_allclose(X.mttkrp(model, mode), wanted, atol=1e-12)


@pytest.mark.parametrize(
    "factors, mode, said",
    [([np.ones((4, 2))], 0, "mttkrp: expected 3 factors, one a mode, got 1"),
     ([None, np.ones((3, 2)), np.ones((5, 1))], 0, "factor 2: expected shape .5, 2., got .5, 1."),
     ([None, np.ones((4, 2)), np.ones((5, 2))], 0, "factor 1: expected shape .3, 2., got .4, 2."),
     ([None, np.ones(3), np.ones((5, 2))], 0, "factor 1: expected real numbers in 2 dimensions"),
     ([None] * 3, 3, "expected a mode from 0 to 2, got 3")],
)  # fmt: skip
def test_factors_that_do_not_go_with_the_tensor(X, factors, mode, said):
    with pytest.raises(ValueError, match=said):
        X.mttkrp(factors, mode)


def test_complaints_of_mttkrps_name_it(X):
    for factors in ([np.ones((4, 2))], [np.ones((9, 2))] * 3, [np.ones(4)] * 3):
        with pytest.raises(ValueError, match="^mttkrps: "):
            X.mttkrps(factors)


def test_times_vectors(X, dense, rng):
    a, b, c = (rng.normal(size=n) for n in dense.shape)
    assert X.ttv([a, b, c]) == pytest.approx(np.einsum("abc,a,b,c", dense, a, b, c))
    one = X.ttv(b, "item")
    np.testing.assert_allclose(one.to_dense(), np.einsum("abc,b->ac", dense, b), atol=1e-14)
    assert one.labels == [USERS, None] and one.mode_names == ["user", "day"]
    two = X.ttv([c.tolist(), a], [2, 0])
    np.testing.assert_allclose(two.to_dense(), np.einsum("abc,c,a->b", dense, c, a), atol=1e-14)
    chosen = X.ttv([0, 1, 0, 0], 0)
    assert chosen.nnz == np.count_nonzero(dense[1])
    np.testing.assert_allclose(chosen.to_dense(), dense[1], atol=1e-14)
    assert X.astype("float32").ttv(b.astype("float32"), 1).dtype == np.float32
    with pytest.raises(ValueError, match="ttv: vector of mode 1: expected the length of the mode"):
        X.ttv(a, 1)
    with pytest.raises(ValueError, match="ttv: expected 3 vectors, one for each of the modes"):
        X.ttv([a, b])
    with pytest.raises(ValueError, match="ttv: modes: expected different modes"):
        X.ttv([a, a], [0, "user"])


def test_times_matrices(X, dense, rng):
    A, B = rng.normal(size=(2, 4)), rng.normal(size=(6, 3))
    one = X.ttm(A, "user")
    np.testing.assert_allclose(one.to_dense(), np.einsum("abc,xa->xbc", dense, A), atol=1e-13)
    assert one.labels == [None, ITEMS, None] and one.mode_names == X.mode_names
    both = X.ttm([B.T, A.T], [1, 0], transpose=True)
    wanted = np.einsum("abc,xa,yb->xyc", dense, A, B)
    np.testing.assert_allclose(both.to_dense(), wanted, atol=1e-13)
    groups = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]])
    found = X.ttm(groups, 0)
    assert found.nnz == found.distinct_subscripts <= np.count_nonzero(dense)
    np.testing.assert_allclose(found.to_dense(), np.tensordot(groups, dense, 1), atol=1e-14)
    line = genten.tensor((np.array([[0], [2]]), np.array([1.0, 2.0])))
    assert line.ttm(np.eye(3)[::-1]).to_dense().tolist() == [2, 0, 1]
    with pytest.raises(ValueError, match="ttm: matrix of mode 0: expected the length of the mode"):
        X.ttm(A.T, 0)


def test_an_empty_tensor():
    X = genten.tensor((np.zeros((0, 2), int), np.zeros(0), (3, 2)))
    assert X.sum() == 0 and X.ttv([np.ones(3), np.ones(2)]) == 0 and X[1, 1] == 0
    for each in (X.collapse(0), X.ttv(np.ones(3), 0), X.map(np.exp), X[:1], X.ttm(np.eye(3), 0)):
        assert each.nnz == 0 and not each.to_dense().any()
    assert X.mttkrp([None, np.ones((2, 1))], 0).tolist() == [[0]] * 3


def test_inner_products_with_tucker_models_say_what_to_do():
    X = genten.tensor(np.arange(24.0).reshape(2, 3, 4))
    tucker, model = genten.tucker(X, (1, 1, 1)).model, genten.cp(X, 1).model
    with pytest.raises(TypeError, match=r"got TuckerModel; genten.tensor\(it.to_dense\(\)\) makes"):
        X.innerprod(tucker)
    with pytest.raises(TypeError, match=r"a TuckerModel; its .to_dense\(\) is a dense array, whi"):
        model.innerprod(tucker)
    known = np.vdot(tucker.to_dense(), model.to_dense())
    assert model.innerprod(tucker.to_dense()) == pytest.approx(known)
    known = np.vdot(tucker.to_dense(), X.to_dense())
    assert X.innerprod(genten.tensor(tucker.to_dense())) == pytest.approx(known)
