# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of new slices under any loss."""

import math
import pathlib
import warnings

import numpy as np
import pytest

import genten

DATA = pathlib.Path(__file__).parents[3] / "data"


def formula_model(shape, rank):
    factors = [
        np.array(
            [
                [0.1 + (3 * i + 5 * r + 7 * n + i * r) % 11 / 10 for r in range(rank)]
                for i in range(length)
            ]
        )
        for n, length in enumerate(shape)
    ]
    return genten.Model(None, factors)


@pytest.fixture
def admissions():
    return genten.read(DATA / "ucb-admissions" / "ucb-admissions.tns")


POISSON = [
    [917.087274, 48.255539],
    [615.789474, 0],
    [344.75076, 461.317795],
    [678.654, 115.061485],
    [366.160157, 184.490509],
    [751.578947, 0],
]
NONNEGATIVE = [
    [506.422893, 0],
    [317.551669, 0],
    [339.079483, 431.652976],
    [706.168521, 0],
    [356.821123, 206.998295],
    [814.626391, 0],
]


def test_known_rows(admissions):
    model = formula_model((2, 2, 6), 2)
    counts = model.project_rows(admissions, 2, loss="poisson")
    np.testing.assert_allclose(counts.rows, POISSON, rtol=1e-8)
    assert math.isclose(counts.losses.sum(), -18843.772075, rel_tol=1e-10)
    assert counts.converged.all() and (counts.kkt <= 1e-10).all() and counts.far_worse is None
    squares = model.project_rows(admissions, 2, nonnegative=True)
    np.testing.assert_allclose(squares.rows, NONNEGATIVE, rtol=1e-8)
    assert math.isclose(2 * squares.losses.sum(), 459815.32902, rel_tol=1e-10)
    free = model.project_rows(admissions, 2)
    np.testing.assert_allclose(free.rows, model.project(admissions, 2), rtol=1e-9)
    assert math.isclose(2 * free.losses.sum(), 433050.60453, rel_tol=1e-10)
    assert np.array_equal(free.model.factors[2], free.rows)
    assert np.array_equal(free.model.factors[0], model.factors[0])


def test_a_row_alone(admissions):
    model = formula_model((2, 2, 6), 2)
    dense = admissions.to_dense()
    for loss in ("poisson", "negative-binomial", "gaussian"):
        together = model.project_rows(dense, 2, loss=loss)
        for row in range(6):
            alone = model.project_rows(dense[:, :, [row]], 2, loss=loss)
            assert np.array_equal(alone.rows[0], together.rows[row])
            assert alone.losses[0] == together.losses[row]


def test_counts_where_the_model_is_zero_are_told_apart():
    model = genten.Model(None, [np.array([[1.0], [2.0]]), np.array([[1.0], [2.0], [0.0]])])
    new = np.array([[3.0, 6.0, 1.0], [9.0, 2.0, 0.0]])
    with pytest.warns(UserWarning, match="the model is 0 at 1 listed entry of 1 new row, whatever"):
        found = model.project_rows(new, 0, loss="poisson")
    assert math.isclose(found.explained[0], 1) and found.explained[1] < 0.9


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"nonnegative": True, "ridge": [2.0, 1.0, 3.0]},
        {"loss": "poisson"},
        {"loss": "gaussian", "solver": "gcp", "ridge": 2.0},
    ],
)
def test_the_run_gives_loss_and_constraints(admissions, how):
    squares = "loss" not in how
    stop = {"tolerance": 0.0, "max_iterations": 200} if squares else {"tolerance": 1e-13}
    r = genten.cp(admissions, 1, seed=1, **stop, **how)
    delta = 1e-5 if how.get("solver") == "gcp" else 1e-8
    for mode in range(3):
        found = r.project_rows(admissions, mode)
        assert np.abs(found.rows - r.model.factors[mode]).max() < delta


def test_missing_entries_and_training(admissions):
    model = formula_model((2, 2, 6), 2)
    subscripts = np.array([[0, 0, 0], [1, 1, 0], [1, 1, 5]])
    few = genten.tensor((subscripts, [512.0, 19.0, 1.0], (2, 2, 6)))
    found = model.project_rows(few, 2, missing="unlisted")
    assert found.entries.tolist() == [2, 0, 0, 0, 0, 1]
    assert np.isnan(found.explained[1]) and not found.rows[1].any()
    listed = model.project_rows(few, 2, missing=np.array([[0, 1, 0], [0, 0, 0]]))
    assert listed.entries.tolist() == [2, 4, 4, 4, 4, 4]
    column = np.outer([1.0, 2.0], [1.0, 3.0])
    old = np.stack([column * k for k in range(1, 9)], axis=2)
    r = genten.cp(old, 1, seed=1, tolerance=1e-12)
    odd = np.stack([column, np.array([[0.0, 5.0], [0.0, 0.0]])], axis=2)
    told = r.project_rows(odd, 2, training=old)
    assert told.far_worse.tolist() == [False, True]
    away = np.stack([np.array([[3.0, -1.0], [0.0, 0.0]])] * 5, axis=2)
    with pytest.warns(UserWarning, match="training rows cannot tell which new rows fit far worse"):
        told = r.project_rows(odd, 2, training=away)
    assert told.far_worse is None


def test_what_is_wrong_is_said(admissions):
    model = formula_model((2, 2, 6), 2)
    for how, said in (
        ({"loss": "bernoulli-logit"}, "0 and 1"),
        ({"loss": "gaussian2"}, "expected a loss out of"),
        ({"lower": 2.0, "upper": 1.0}, "no number is from 2 to 1"),
        ({"ridge": -1.0}, "at least 0"),
    ):
        with pytest.raises(ValueError, match=said):
            model.project_rows(admissions, 2, **how)
    with pytest.raises(ValueError, match="expected a tensor of shape"):
        model.project_rows(np.ones((3, 2, 2)), 2)


@pytest.mark.parametrize("loss", ["gamma", "rayleigh"])
def test_losses_without_zeros_take_what_lists_all_entries(loss, admissions):
    full = admissions.to_dense()
    model = genten.cp(full, 1, loss=loss, seed=1).model
    known = model.project_rows(full, 2, missing="unlisted")
    np.testing.assert_array_equal(model.project(full, 2), known.rows)
    estimator = genten.CP(1, loss=loss, seed=1).fit(full)
    np.testing.assert_array_equal(estimator.fit_transform(full), estimator.transform(full))
    assert estimator.score(full) == pytest.approx(-model.evaluate(full).all.mean_loss, rel=1e-3)
    part = model.project_rows(full, 2, missing=full > 300)
    assert part.entries.tolist() == (4 - (full > 300).sum(axis=(0, 1))).tolist()
    full[0, 0, 0] = 0
    with pytest.raises(ValueError, match="missing='unlisted' of Model.project_rows or of the run"):
        model.project(full, 2)
    assert model.project_rows(full, 2, missing="unlisted").entries[0] == 3
    unlisted = genten.cp(full, 1, loss=loss, seed=1, missing="unlisted").model
    assert unlisted.project(full, 2).shape == (6, 1)


def test_missing_entries_of_the_run_are_those_of_its_tensor(admissions):
    away = np.array([[0, 1, 0], [0, 1, 5], [1, 1, 2]])
    r = genten.cp(admissions, 1, missing=away, seed=1, tolerance=0.0, max_iterations=300)
    own = r.project_rows(admissions, 2, missing=away)
    np.testing.assert_allclose(own.rows, r.model.factors[2], rtol=1e-8)
    new = admissions.to_dense()[:, :, :2] * 10.0
    new[0, 0] = 0.0
    again = r.project_rows(admissions, 2, missing=away, training=10.0 * own.model.to_dense())
    assert again.entries.tolist() == own.entries.tolist() and again.far_worse.any()
    with pytest.warns(UserWarning, match="training rows cannot tell which"):  # as they are, by one
        with_list = r.project_rows(new, 2, training=admissions)
    assert with_list.entries.tolist() == [4, 4] and with_list.far_worse is None


def weekly(loss="gaussian"):
    """A model of a table of weeks, and new shops in half of these with two of three products."""
    pandas = pytest.importorskip("pandas")
    weeks, shops, products = [f"W{w}" for w in range(8)], "abcd", "xyz"
    rows = [
        (week, shop, product, 1.0 + (3 * w + 2 * s + k) % 7)
        for w, week in enumerate(weeks)
        for s, shop in enumerate(shops)
        for k, product in enumerate(products)
        if (w + k + s) % 4
    ]
    table = pandas.DataFrame(rows, columns=["week", "shop", "product", "n"])
    X = genten.tensor(table, values="n")
    model = genten.cp(X, 2, loss=loss, seed=1, starts=2).model
    new = table[(table.week < "W4") & (table["product"] != "z") & table["shop"].isin(["a", "b"])]
    return model, new.assign(shop=new.shop + "2")


def part_of(model, new):
    """The columns of the other modes at the rows that are there, and the new slices, by numpy."""
    table = new.pivot_table("n", "shop", ["week", "product"], fill_value=0.0)
    weeks, products = (sorted(set(new[name])) for name in ("week", "product"))
    values = [[table[w, p] if (w, p) in table else 0.0 * table.iloc[:, 0] for p in products]
              for w in weeks]  # fmt: skip
    rows = [model.labels[0].index(w) for w in weeks], [model.labels[2].index(p) for p in products]
    columns = np.einsum("wr,pr->wpr", model.factors[0][rows[0]], model.factors[2][rows[1]])
    columns = columns.reshape(-1, model.rank) * model.weights
    return columns, np.asarray(values).reshape(len(columns), -1).T


def test_rows_of_a_part_are_found_over_the_part():
    model, new = weekly()
    columns, values = part_of(model, new)
    expected = np.linalg.lstsq(columns, values.T, rcond=None)[0].T
    for partial in (True, np.True_, ["week", "product"], [0, 2], "all"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = model.project_rows(new, "shop", partial=partial)
        np.testing.assert_allclose(found.rows, expected, rtol=1e-9)
        assert found.entries.tolist() == [8, 8] and found.model.shape == (8, 2, 3)
        np.testing.assert_array_equal(found.model.factors[0], model.factors[0])
    np.testing.assert_array_equal(model.project(new, "shop", partial=True), found.rows)
    with pytest.warns(UserWarning, match=r"(?s)4 rows that the tensor lacks, taken for zeros: 'W4',"
                      " .*; partial='week' leaves such rows out") as told:  # fmt: skip
        zeros = model.project_rows(new, "shop")
    assert len(told) == 2 and zeros.entries.tolist() == [24, 24]
    assert (zeros.explained < found.explained).all()


def test_rows_of_a_part_of_counts():
    model, new = weekly("poisson")
    columns, values = part_of(model, new)
    found = model.project_rows(new, "shop", partial=True)
    means = found.rows @ columns.T
    gradient = columns.sum(axis=0) - (values / np.where(means > 0, means, 1)) @ columns
    free = found.rows > 0
    assert free.any() and np.abs(gradient[free]).max() < 1e-7 and (gradient[~free] > -1e-7).all()


def test_errors_over_a_part():
    model, new = weekly()
    columns, values = part_of(model, new)
    later = model.project_rows(new, "shop", partial=True).model
    found = later.evaluate(new, partial=True)
    assert found.all.entries == values.size
    left = np.linalg.norm(values - later.factors[1] @ columns.T)
    assert math.isclose(found.all.residual_norm, left, rel_tol=1e-9)
    with pytest.warns(UserWarning, match=r"for zeros: 'z'; partial=\['week', 'product'\] leaves"):
        assert later.evaluate(new, partial="week").all.entries == 4 * 2 * 3
    with pytest.raises(ValueError, match=r"^project_rows: partial: expected modes whose rows .* got"
                       r" mode 1 \(shop\), of which rows are new"):  # fmt: skip
        model.project_rows(new, "shop", partial="shop")
    empty = genten.tensor((np.empty((0, 3), dtype=int), np.empty(0), model.shape))
    assert model.evaluate(empty, partial=True).all.entries == math.prod(model.shape)
    for partial in ([True], np.array([False, True, True])):
        with pytest.raises(TypeError, match="evaluate: partial: expected True for every mode, or "):
            later.evaluate(new, partial=partial)


def test_numbers_of_a_table_that_are_not_there_are_told_of():
    pandas = pytest.importorskip("pandas")
    places = [(u, w) for u in "xyz" for w in range(1, 7)]
    table = pandas.DataFrame(places, columns=["u", "w"]).assign(v=np.arange(18.0) + 1)
    model = genten.cp(genten.tensor(table, values="v"), 1, seed=1).model
    new = table[(table.w < 4) & (table.u == "x")].assign(u="n")
    said = (r"mode 1 \(w\): the model has 3 rows that the tensor lacks, taken for zeros: '4', '5', "
            "'6'; partial='w' leaves")  # fmt: skip
    with pytest.warns(UserWarning, match=said):
        zeros = model.project(new, "u")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        part = model.project(new, "u", partial="w")
        model.project(table.assign(u=table.u + "2"), "u")
    assert part[0, 0] > 1.5 * zeros[0, 0]


def test_sums_beside_missing_entries_are_told_of():
    model = genten.cp(np.outer([1.0, 2, 3], [1.0, 2]), 1).model
    new = (np.array([[0, 0], [1, 0], [1, 0], [1, 1]]), np.array([1.5, 2, 2, 4]), (2, 2))
    said = (r"project_rows: 1 entry lies at the same subscripts as another, and sums count as known"
            r" values: genten.tensor\(..., duplicates='mean'\) takes their mean.* the model's run"
            )  # fmt: skip
    with pytest.warns(UserWarning, match=said):
        model.project_rows(new, mode=0, missing="unlisted")
    full = np.indices((3, 2)).reshape(2, -1).T, np.outer([1.0, 2, 3], [1.0, 2]).ravel(), (3, 2)
    of_means = genten.cp(genten.tensor(full, duplicates="mean"), 1).model  # as the warning says
    for own, missing in ((of_means, "unlisted"), (model, None)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            own.project_rows(new, mode=0, missing=missing)
    of_means.project_rows(genten.tensor(new, duplicates="mean"), mode=0, missing="unlisted")


@pytest.mark.parametrize("zero_point", [0.0, 288.0])
def test_rows_fit_far_worse_by_what_varies(zero_point):
    """However large the mean is: days whose hours are mixed up, and a sensor that says 0."""
    rng = np.random.default_rng(1)
    days, hours = 5 * rng.normal(size=60), 4 * np.sin(np.arange(24) / 24 * 2 * np.pi)
    data = zero_point + days[:, None, None] + hours[:, None] + rng.normal(size=10)
    data += rng.normal(size=data.shape) / 2
    r = genten.cp(data[:50], 3, seed=1, tolerance=1e-8)
    new = data[50:].copy()
    new[3] = rng.permutation(new[3])
    new[5, :, 4] = -1.0 if zero_point == 0.0 else 1.0
    new[8] *= 1.1  # as another day would be
    found = r.project_rows(new, 0, training=data[:50])
    assert np.flatnonzero(found.far_worse).tolist() == [3, 5]
