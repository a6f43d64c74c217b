# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`genten.cp` with missing cells."""

import numpy as np
import pytest

import genten


@pytest.fixture
def known():
    """A quarter of the cells of a tensor of rank 2, the whole of it, and the other cells."""
    rng = np.random.default_rng(3)
    factors = [rng.random((n, 2)) + 0.1 for n in (12, 10, 8)]
    whole = np.einsum("ir,jr,kr->ijk", *factors)
    listed = rng.random(whole.shape) < 0.4
    return genten.tensor((np.argwhere(listed), whole[listed], whole.shape)), whole, listed


def test_unlisted_cells_are_found(known):
    X, whole, listed = known
    r = genten.cp(X, 2, missing="unlisted", starts=3, max_iterations=2000, tolerance=1e-12,
                  ridge=1e-9)
    assert np.abs(r.model.to_dense() - whole).max() < 1e-3
    assert r.completion["cells"] == listed.sum() and r.completion["rmse"] < 1e-4
    assert "RMSE" in repr(r)
    assert genten.cp(X, 2).completion is None


def test_held_out_cells_choose_the_model(known):
    X, _, listed = known
    r = genten.cp(X, 2, missing="unlisted", holdout=0.2, holdout_seed=4, patience=5)
    held = r.completion["holdout_cells"]
    assert 0 < held < listed.sum() and r.completion["cells"] + held == listed.sum()
    assert r.completion["holdout_mae"] <= r.completion["holdout_rmse"]
    assert r.completion["returned_iteration"] <= r.iterations
    assert "held out" in repr(r)


@pytest.mark.parametrize("kind", ["array", "list", "tensor"])
def test_listed_cells_do_not_count(known, kind):
    X, whole, listed = known
    gone = np.argwhere(~listed)
    cells = {"array": gone, "list": gone.tolist(),
             "tensor": genten.tensor((gone, np.full(len(gone), 7.0), X.shape))}[kind]
    by_list = genten.cp(X, 2, missing=cells, max_iterations=30, ridge=1e-6, tolerance=0)
    unlisted = genten.cp(X, 2, missing="unlisted", max_iterations=30, ridge=1e-6, tolerance=0)
    assert by_list.completion["cells"] == listed.sum()
    assert by_list.objective == pytest.approx(unlisted.objective, rel=1e-6)


def test_what_cannot_be(known):
    X, _, listed = known
    gone = np.argwhere(~listed)
    for error, match, options in (
        (ValueError, "missing: expected 'unlisted'", {"missing": "cells.tns"}),
        (ValueError, "a row of 3 subscripts", {"missing": gone[:, :2]}),
        (TypeError, "means nothing beside loss='poisson'",
         {"missing": "unlisted", "loss": "poisson"}),
        (TypeError, "holdout: means nothing without missing", {"holdout": 0.1}),
        (TypeError, "nonnegative: means nothing beside missing",
         {"missing": "unlisted", "nonnegative": True}),
        (TypeError, "holdout: means nothing beside a list", {"missing": gone, "holdout": 0.1}),
        (TypeError, "patience: means nothing without holdout",
         {"missing": "unlisted", "patience": 5}),
        (TypeError, "resume: means nothing beside missing",
         {"missing": "unlisted", "resume": "c.gkt"}),
    ):
        with pytest.raises(error, match=match):
            genten.cp(X, 2, **options)
    with pytest.raises(TypeError, match="missing"):
        genten.cp_als(X, 2, missing="unlisted")
