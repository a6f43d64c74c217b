# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is missing of the tensor of the run and of new slices, by which rows fit far worse."""

import re
import warnings

import numpy as np
import pytest

import genten

RNG = np.random.default_rng(0)
FACTORS = [RNG.random((n, 2)) for n in (30, 6, 5)]
FULL = np.einsum("ir,jr,kr->ijk", *FACTORS) + 0.01 * RNG.random((30, 6, 5))
AWAY = RNG.random(FULL.shape) < 0.25
ZEROS, HOLES = np.where(AWAY, 0.0, FULL), np.where(AWAY, np.nan, FULL)
NEW = np.einsum("ir,jr,kr->ijk", RNG.random((8, 2)), *FACTORS[1:])
NEW[5:] += 0.6 * RNG.random((3, 6, 5))
GONE = RNG.random(NEW.shape) < 0.2
WAY = "training=numpy.ma.array(T, mask=mask)"


@pytest.fixture(scope="module")
def run():
    return genten.cp(HOLES, 2, missing=AWAY, seed=1)


@pytest.fixture(params=["result", "model", "loaded"])
def source(run, request, tmp_path):
    if request.param == "loaded":
        run.model.save(tmp_path / "m.gkt")
        return genten.load(tmp_path / "m.gkt")
    return run if request.param == "result" else run.model


def far_worse(source, training, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return source.project_rows(NEW, 0, training=training, **{"missing": GONE, **how}).far_worse


def test_what_is_nan_or_masked_is_missing_of_the_training_tensor(source):
    """To the same bits, whatever stands in the place of what is missing."""
    for training in (HOLES, np.ma.masked_invalid(HOLES), np.ma.array(ZEROS, mask=AWAY), HOLES[:20]):
        assert np.flatnonzero(far_worse(source, training)).tolist() == [5, 6, 7]


def test_a_list_that_is_not_at_hand_is_told_of(run):
    assert np.flatnonzero(far_worse(run, ZEROS)).tolist() == [5, 6, 7]
    told = f"here all entries of training= count, unless {WAY} says"
    for training in (ZEROS, genten.tensor(ZEROS)):
        with pytest.warns(UserWarning, match=f"^project_rows: training: .* {re.escape(told)}"):
            found = run.model.project_rows(NEW, 0, missing=GONE, training=training)
        assert not found.far_worse.any()
        names = {"numpy": np, "T": training, "mask": AWAY}
        assert far_worse(run.model, eval(WAY.partition("=")[2], names)).sum() == 3


def test_the_list_is_that_of_the_run_beside_a_mask_of_its_own(run):
    broken, more = HOLES.copy(), AWAY.copy()
    broken[:, 0, 0], more[:, 0, 0] = 100.0, True
    r = genten.cp(broken, 2, missing=more, seed=1)
    assert far_worse(r, broken).sum() == 3
    with pytest.warns(UserWarning, match="training rows cannot tell"):
        assert r.model.project_rows(NEW, 0, missing=GONE, training=broken).far_worse is None
    with pytest.raises(ValueError, match=r"^project_rows: training: .* shape \(30, 6, 5\), whose"):
        far_worse(run, ZEROS[:20])


def test_unlisted_entries_of_the_run_are_missing_of_its_tensor():
    """Also where a mask says what is missing of new slices."""
    r = genten.cp(genten.tensor(ZEROS), 2, missing="unlisted", seed=1)
    for source in (r, r.model):
        for how in ({}, {"missing": "none"}):
            assert np.flatnonzero(far_worse(source, ZEROS, **how)).tolist() == [5, 6, 7]


def test_messages_name_the_training_tensor(run):
    for training, said in (
        (HOLES[:, :4], r"training: expected a tensor of shape \(30, 6, 5\) but for mode 0"),
        (FULL.astype(str), "training: values: expected real numbers"),
        (np.where(AWAY, np.inf, FULL), "training: values: nonzero .* expected a finite value"),
    ):
        with pytest.raises(ValueError, match=f"^project_rows: {said}"):
            far_worse(run, training)


def test_masks_and_subscripts_are_those_of_the_slices_as_they_are_given():
    xarray = pytest.importorskip("xarray")
    names = {"sample": list("abcdefgh"), "em": list("uvwxyz"), "ex": list("12345")}
    X = xarray.DataArray(NEW, dims=list(names), coords=names)
    old = xarray.DataArray(FULL, dims=list(names), coords={**names, "sample": range(30)})
    m = genten.cp(old, 2, seed=1).model
    known = m.project_rows(X, 0, missing=GONE)
    order = [3, 1, 0, 5, 4, 2]
    for given, mask in (
        (X[:, order], GONE[:, order]),
        (X.transpose("ex", "sample", "em"), GONE.transpose(2, 0, 1)),
    ):
        for missing in (mask, mask.tolist(), np.argwhere(mask)):
            for slices in (given, genten.tensor(given)):
                found = m.project_rows(slices, "sample", missing=missing)
                np.testing.assert_array_equal(found.rows, known.rows)
    part, mask = X[:, :4], GONE[:, :4]
    rest = np.concatenate([mask, np.ones((8, 2, 5), bool)], axis=1)
    for missing in (mask, np.argwhere(mask)):
        found = m.project_rows(part, "sample", missing=missing, partial="em")
        known = m.project_rows(X, "sample", missing=rest)
        np.testing.assert_allclose(found.rows, known.rows, rtol=1e-9)
        with pytest.warns(UserWarning, match="has 2 rows that the tensor lacks.*partial='em'"):
            m.project_rows(part, "sample", missing=missing)
    with pytest.raises(ValueError, match=re.escape("shape (8, 4, 5), got one of shape (8, 3, 5)")):
        m.project_rows(part, "sample", missing=mask[:, :3], partial="em")
    np.testing.assert_allclose(  # of the rows of the model, as it is among these
        m.project_rows(part, "sample", missing=GONE, partial="em").rows, found.rows, rtol=1e-9
    )
    training = old.where(~AWAY)[::-1, order]
    assert far_worse(m, training).tolist() == far_worse(m, HOLES).tolist()


def test_projections_tell_how_many_rows_fit_far_worse(run):
    model = "in <genten.Model 8 x 6 x 5, rank 2, float64>>"
    plain = run.project_rows(NEW, 0, missing=GONE)
    assert repr(plain) == f"<genten.Projection of 8 rows, {model}"
    told = run.project_rows(NEW, 0, missing=GONE, training=HOLES)
    assert repr(told) == f"<genten.Projection of 8 rows, 3 of them far worse, {model}"
    none = run.project_rows(NEW[:1], 0, missing=GONE[:1], training=HOLES)
    assert "of 1 row, none of them far worse, in" in repr(none)


def test_options_tell_that_rows_are_nonnegative():
    for how in ({"nonnegative": True}, {"loss": "poisson"}, {"lower": 0.0}):
        options = genten.cp(FULL, 2, seed=1, **how).project_rows(NEW, 0).options
        assert (options["nonnegative"], options["lower"]) == (True, 0.0)
    options = genten.cp(FULL, 2, seed=1).project_rows(NEW, 0).options
    assert (options["nonnegative"], options["lower"]) == (False, -np.inf)
