# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of new slices under any loss."""

import math
import pathlib

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
        ({"loss": "gamma"}, "unlisted entries to be missing"),
        ({"loss": "bernoulli-logit"}, "0 and 1"),
        ({"loss": "gaussian2"}, "expected a loss out of"),
        ({"lower": 2.0, "upper": 1.0}, "no number is from 2 to 1"),
        ({"ridge": -1.0}, "at least 0"),
    ):
        with pytest.raises(ValueError, match=said):
            model.project_rows(admissions, 2, **how)
    with pytest.raises(ValueError, match="expected a tensor of shape"):
        model.project_rows(np.ones((3, 2, 2)), 2)


def test_missing_entries_of_the_run_are_those_of_its_tensor(admissions):
    away = np.array([[0, 1, 0], [0, 1, 5], [1, 1, 2]])
    r = genten.cp(admissions, 1, missing=away, seed=1, tolerance=0.0, max_iterations=300)
    own = r.project_rows(admissions, 2, missing=away)
    np.testing.assert_allclose(own.rows, r.model.factors[2], rtol=1e-8)
    new = admissions.to_dense()[:, :, :2] * 10.0
    new[0, 0] = 0.0
    with_list = r.project_rows(new, 2, training=admissions)
    assert with_list.entries.tolist() == [4, 4]
    fence = genten._core.far_worse_than(own.explained.tolist())
    assert with_list.far_worse.tolist() == (with_list.explained < fence).tolist()
