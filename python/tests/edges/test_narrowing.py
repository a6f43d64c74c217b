# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that another type cannot hold: refused, or told where they are rounded."""

import re
import warnings

import numpy as np
import pytest

import genten

AT = np.array([[0, 0], [1, 1]])
LONG = np.finfo(np.longdouble).minexp < -2000


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [1e-60, -1e-60, 1e300, -1e300])
def test_float32_of_what_it_does_not_hold(value):
    values = np.array([1.0, value])
    why = "values: nonzero 1: expected what float32 holds, got .*, which would become (-?inf|-?0)"
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": ["x", "y"], "v": values})
    sparse = pytest.importorskip("scipy.sparse").coo_array((values, ([0, 1], [0, 1])))
    for make in (
        lambda: genten.tensor((AT, values), dtype="float32"),
        lambda: genten.tensor(np.diag(values), dtype="float32"),
        lambda: genten.tensor(table, values="v", dtype="float32"),
        lambda: genten.tensor(sparse, dtype="float32"),
        lambda: genten.tensor((AT, values)).astype("float32"),
        lambda: genten.tensor(genten.tensor((AT, values)), dtype="float32"),
        lambda: genten.cp((AT, values), 1, dtype="float32"),
    ):
        with pytest.raises(ValueError, match=why):
            make()
    assert genten.tensor((AT, [0.0, 1e-45]), dtype="float32").values[1] > 0


@pytest.mark.skipif(not LONG, reason="long double is double here")
@pytest.mark.parametrize("text", ["1e-4000", "1e+4000"])
def test_long_doubles(text):
    values = np.array([1, np.longdouble(text)])
    for make in (lambda: genten.tensor((AT, values)), lambda: genten.tensor(np.diag(values))):
        with pytest.raises(ValueError, match=f"expected what float64 holds, got {re.escape(text)}"):
            make()
    with pytest.raises(ValueError, match="factor 0: expected numbers that float64 holds"):
        genten.Model(None, [values[1:, None]])
    with pytest.raises(ValueError, match="weights: expected numbers that float64 holds"):
        genten.Model(values, [np.ones((2, 2))])
    third = np.ones(2, np.longdouble) / 3
    with pytest.warns(UserWarning, match="values: numbers of .* are rounded to float64"):
        genten.tensor((AT, third))
    with pytest.warns(UserWarning, match="weights: numbers of .* are rounded to float64"):
        genten.Model(third, [np.ones((2, 2))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert genten.tensor((AT, values[:1].repeat(2))).dtype == np.float64
        genten.tensor((AT, third), dtype="float64")  # as it was asked for


def test_whole_numbers_that_are_rounded():
    for values in (np.array([1, 2**24 + 1]), np.array([1, 2**24 + 1], np.uint32)):
        with pytest.warns(UserWarning, match=r"integers beyond 2\*\*24 are rounded to float32"):
            genten.tensor((AT, values), dtype="float32")
    counts = genten.tensor((AT, np.array([1, 2**24 + 1])))
    with pytest.warns(UserWarning, match="values: whole numbers are rounded to float32"):
        counts.astype("float32")
    with pytest.warns(UserWarning, match="factor 0: integers beyond .* rounded to float64"):
        genten.Model(None, [np.array([[2**53 + 1]])])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.tensor((AT, np.array([0.1, 0.3]))).astype("float32")
        assert genten.tensor((AT, np.array([2**24, 2**25])), dtype="float32").values[1] == 2**25
        genten.tensor((AT, np.array([1, 2], np.int16)), dtype="float32")


def test_models_beside_tensors_of_float32():
    X = genten.tensor((AT, np.ones(2, np.float32)))
    for size in (1e-60, 1e60):
        model = genten.Model([size], [np.ones((2, 1)), np.ones((2, 1))])
        assert X.innerprod(model) == model.innerprod(X) == 2 * size  # in float64
        single = genten.Model(np.ones(1, "f"), [f.astype("f") for f in model.factors])
        assert model.innerprod(single) == 4 * size
        with pytest.raises(ValueError, match="weights: component 0: expected numbers that float32"):
            genten.cp(X, init=model)
        guess = genten.Model(None, [np.full((2, 1), size), np.ones((2, 1))])
        with pytest.raises(ValueError, match="factor 0: component 0: expected .* that float32"):
            genten.cp(X, init=guess)
    partly = genten.Model(None, [np.array([[1e-60], [1.0]]), np.ones((2, 1))])
    assert genten.cp(X, init=partly, max_iterations=2).fit >= 0  # As reading does.


def test_dense_values_whose_products_leave_the_range_on_their_way():
    model = genten.Model([1e300], [np.full((2, 1), 1e200), np.full((2, 1), 1e-300)])
    np.testing.assert_allclose(model.to_dense(), np.full((2, 2), 1e200), rtol=1e-14)
    tiny = genten.Model([1e-300], [np.full((1, 1), 1e-200), np.full((1, 1), 1e300)])
    np.testing.assert_allclose(tiny.to_dense(), [[1e-200]], rtol=1e-14)


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (lambda zero: genten.tensor(zero), "a dense array: expected at least one dimension, got"),
        (lambda zero: genten.tensor((zero, zero)), "values: expected a vector, got"),
        (lambda zero: genten.tensor((zero, np.ones(1))), "subscripts: expected an array, a row a"),
        (lambda zero: genten.Model(None, zero), "factors: expected a sequence of arrays, got"),
        (lambda zero: genten.Model(zero, [np.eye(2)]), "weights: expected real numbers in 1 dim"),
        (lambda zero: genten.Model(None, [zero]), "factor 0: expected real numbers in 2 dim"),
        (lambda zero: genten.Model(None, [np.eye(2)]).predict(zero), "predict: expected .* got"),
        (lambda zero: genten.cp(np.eye(2), 1, missing=zero), "missing: expected .* got"),
        (lambda zero: genten.cp(np.eye(2), 1, init=zero), "init: expected"),
        (lambda zero: genten.cp(np.eye(2), 1, mode_order=zero), "mode_order: expected"),
        (lambda zero: genten.cp(np.eye(2), 1, fixed_modes=zero), "fixed_modes: expected"),
        (lambda zero: genten.tensor(np.eye(2), labels=zero), "labels: expected names"),
        (lambda zero: genten.tensor(np.eye(2), labels=[zero, None]), "labels: expected names"),
        (lambda zero: genten.tensor(np.eye(2), mode_names=zero), "mode_names: expected"),
        (lambda zero: genten.tensor((AT, np.ones(2)), zero), "shape: expected whole numbers, got"),
    ],
)
@pytest.mark.parametrize("zero", [np.array(1.5), np.array("x"), np.array(None), np.array(True)])
def test_arrays_of_no_dimension(use, why, zero):
    if zero[()] is None and "_mode" in why.replace("mode_order", "_mode"):
        pytest.skip("None is what stands there without a word")
    with pytest.raises((TypeError, ValueError), match=why) as caught:
        use(zero)
    for theirs in ("0d", "0-d", "unsized", "iteration over", "out of range", "reshape"):
        assert theirs not in str(caught.value)


@pytest.mark.filterwarnings("error")
def test_sums_that_no_value_can_hold():
    pandas = pytest.importorskip("pandas")
    for kind, most in (("f4", 3e38), ("f8", 1e308)):
        values = np.array([1, most, most], kind)
        bits = 8 * int(kind[1])
        why = f"values: expected a sum in each entry that float{bits} holds, got one bey"
        with pytest.raises(ValueError, match=why):
            genten.tensor(pandas.DataFrame({"k": list("xyy"), "v": values}), values="v")
        with pytest.raises(ValueError, match=why):
            genten.tensor((np.array([[0], [1], [1]]), values)).coalesce()
    counts = genten.tensor((np.array([[0], [0]]), np.array([2**24, 1], "f4")))
    with pytest.warns(UserWarning, match="sums of values: whole numbers are rounded to float32"):
        counts.coalesce()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "bound"), [("upper", 1e-60), ("lower", -1e60)])
def test_bounds_in_another_type(name, bound):
    X = np.eye(3)
    for given in (bound, [1.0 if name == "upper" else -1.0, bound]):
        with pytest.raises(ValueError, match=re.escape(f"holds, got {bound}")):
            genten.cp(X, 1, dtype="float32", **{name: given})
    genten.cp(X, 1, **{name: bound})


@pytest.mark.filterwarnings("error")
def test_reports_of_numbers_whose_squares_leave_the_range():
    describe = pytest.importorskip("genten.describe")
    X = genten.tensor(np.array([[1e200, 2e200], [0.0, 1e200]]))
    model = genten.cp(X, 1, seed=1).model
    assert describe.fit_of(model, X)[0] == pytest.approx(model.evaluate(X).fit)
    columns = np.array([[3e200, 3e200], [4e200, 4e200]])
    same = genten.Model([1e300, -1e300], [columns, columns / 1e250])
    assert np.allclose(describe.findings.congruence(same), [[1, -1], [-1, 1]])
    near_one = genten.cp(np.outer([1.0, 2.0, 4.0], [1.0, 3.0]), 1)
    given = genten.tensor(np.outer([1.0, 2.0, 4.0], [1.0, 3.0]))
    assert describe.fit_of(near_one.model, given)[1] < 1e-13


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (lambda m: genten.Model(None, [[[1.0, 2.0], [3.0]]]), "factor 0: expected rows of one len"),
        (lambda m: m.predict([[0, 1], [0]]), "subscripts: expected rows of one length, got"),
        (lambda m: m.top(0.0), "top: component: expected a whole number, got 0.0"),
        (lambda m: m.top(0, k="a"), "top: k: expected a whole number, got 'a'"),
    ],
)
def test_other_things_in_our_words(use, why):
    with pytest.raises((TypeError, ValueError), match=why):
        use(genten.Model(None, [np.eye(2), np.eye(2)]))
