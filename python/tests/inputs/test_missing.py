# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`genten.cp` with missing entries."""

import sys
import warnings

import numpy as np
import pytest

import genten


@pytest.fixture
def known():
    """A quarter of the entries of a tensor of rank 2, the whole of it, and the other entries."""
    rng = np.random.default_rng(3)
    factors = [rng.random((n, 2)) + 0.1 for n in (12, 10, 8)]
    whole = np.einsum("ir,jr,kr->ijk", *factors)
    listed = rng.random(whole.shape) < 0.4
    return genten.tensor((np.argwhere(listed), whole[listed], whole.shape)), whole, listed


def test_unlisted_entries_are_found(known):
    X, whole, listed = known
    r = genten.cp(X, 2, missing="unlisted", starts=3, max_iterations=2000, tolerance=1e-12,
                  ridge=1e-9)
    assert np.abs(r.model.to_dense() - whole).max() < 1e-3
    assert r.completion["entries"] == listed.sum() and r.completion["rmse"] < 1e-4
    assert "RMSE" in repr(r)
    assert genten.cp(X, 2).completion is None


def test_that_nothing_is_missing_is_told():
    pandas = pytest.importorskip("pandas")
    days = pandas.Categorical(["mon", "tue", "wed", "mon", "tue"])
    rows = pandas.DataFrame({"who": pandas.Categorical(list("abcba")), "day": days, "n": 3.0})

    def told_of(observed):
        table = rows.groupby(["who", "day"], observed=observed).n.sum().reset_index()
        X = genten.tensor(table, values="n")
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            found = genten.cp(X, 1, missing="unlisted", max_iterations=2).warnings
        return [each for each in found if "none is missing" in each]

    (told,) = told_of(observed=False)
    assert told.startswith(
        "All 9 entries are listed, 4 of them as zeros: none is missing, and missing='unlisted'"
    )
    assert not told_of(observed="observed=True" in told)


def test_held_out_entries_choose_the_model(known):
    X, _, listed = known
    seen = []
    r = genten.cp(X, 2, missing="unlisted", holdout=0.2, holdout_seed=4, patience=5, starts=2,
                  callback=lambda it: seen.append((it.start, it.holdout_rmse, it.holdout_mae)))
    held = r.holdout
    assert 0 < held.entries < listed.sum()
    assert r.completion["entries"] + held.entries == listed.sum()
    assert 0 < held.mae <= held.rmse
    chosen = r.completion["returned_iteration"]
    assert 0 < chosen <= r.iterations
    errors = r.history.holdout_rmse
    assert len(errors) == r.iterations and errors[chosen - 1] == errors.min() == held.rmse
    assert r.history.holdout_mae[chosen - 1] == held.mae
    for number, start in enumerate(r.starts):
        assert start.holdout_rmse == start.history.holdout_rmse.min()
        mine = [(rmse, mae) for place, rmse, mae in seen if place == number]
        assert mine == list(zip(start.history.holdout_rmse, start.history.holdout_mae))
    assert r.starts[r.best_start].holdout_rmse == held.rmse
    said = f"RMSE {held.rmse:.6g}, MAE {held.mae:.6g} over {held.entries} entries, the least, of "
    assert f"held out  {said}iteration {chosen}" in repr(r) and said in r._repr_html_()
    assert f"least held-out RMSE {held.rmse:.6g}" in repr(r.history)


def test_the_errors_are_those_of_the_model(known):
    """Those that count and those that are held out are together the listed ones."""
    X, whole, listed = known
    r = genten.cp(X, 2, missing="unlisted", holdout=0.3, max_iterations=5, ridge=1e-3)
    errors = (r.model.to_dense() - whole)[listed]
    held = r.holdout.rmse**2 * r.holdout.entries
    counting = r.completion["rmse"] ** 2 * r.completion["entries"]
    assert held > 0 and (errors**2).sum() == pytest.approx(held + counting, rel=1e-9)


def test_without_held_out_entries_there_are_no_errors(known):
    X, _, _ = known
    seen = []
    for options in ({}, {"missing": "unlisted"}):
        r = genten.cp(X, 2, max_iterations=3, callback=lambda it: seen.append(it.holdout_rmse),
                      **options)
        assert r.holdout is None and "held out" not in repr(r) and "held" not in repr(r.history)
        assert np.isnan(r.history.holdout_rmse).all() and len(r.history.holdout_mae) == 3
        assert np.isnan(r.starts[0].holdout_rmse)
    assert len(seen) == 6 and np.isnan(seen).all()
    of_many = genten.cp(X, 8, missing="unlisted", max_iterations=3)  # 391 entries, 224 free numbers
    assert "holdout=0.1 the" in repr(of_many)  # the way to another ridge


def test_progress_shows_the_error(known, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    genten.cp(known[0], 2, missing="unlisted", holdout=0.2, max_iterations=2, progress=True)
    assert "held-out RMSE 0." in capsys.readouterr().err
    genten.cp(known[0], 2, max_iterations=2, progress=True)
    assert "held-out" not in capsys.readouterr().err


def test_rows_without_entries_are_told_of(known):
    _, whole, listed = known
    listed = listed.copy()
    listed[3] = listed[:, 4] = False
    few = genten.tensor((np.argwhere(listed), whole[listed], whole.shape))
    r = genten.cp(few, 2, missing="unlisted")
    assert r.completion["empty_rows"] == 2 and (r.model.factors[0][3] == 0).all()
    assert "2 rows are zero, of which no entry counts." in r.warnings
    by_list = genten.cp(few, 2, missing=np.argwhere(~listed)[:1], max_iterations=3)
    assert "2 rows are zero, of which no nonzero counts." in by_list.warnings


@pytest.mark.parametrize("kind", ["array", "list", "tensor"])
def test_listed_entries_do_not_count(known, kind):
    X, whole, listed = known
    gone = np.argwhere(~listed)
    entries = {"array": gone, "list": gone.tolist(),
             "tensor": genten.tensor((gone, np.full(len(gone), 7.0), X.shape))}[kind]
    by_list = genten.cp(X, 2, missing=entries, max_iterations=30, ridge=1e-6, tolerance=0)
    unlisted = genten.cp(X, 2, missing="unlisted", max_iterations=30, ridge=1e-6, tolerance=0)
    assert by_list.completion["entries"] == listed.sum()
    assert by_list.objective == pytest.approx(unlisted.objective, rel=1e-6)


def test_factors_within_bounds(known):
    X, _, listed = known
    for missing in ("unlisted", np.argwhere(~listed)):
        r = genten.cp(X, 3, missing=missing, nonnegative=True, max_iterations=50, tolerance=0)
        assert min(factor.min() for factor in r.model.factors) >= 0
        assert r.kkt_violation < 0.1
        r = genten.cp(X, 2, missing=missing, lower=-0.5, upper=1.5, max_iterations=20)
        assert max(factor.max() for factor in r.model.factors) <= 1.5


@pytest.mark.parametrize("kind", ["unlisted", "listed"])
def test_runs_go_on_from_checkpoints(known, tmp_path, kind):
    X, _, listed = known
    missing = "unlisted" if kind == "unlisted" else np.argwhere(~listed)[:50]
    options = {"missing": missing, "tolerance": 0, "seed": 3}
    if kind == "unlisted":
        options["holdout"] = 0.2
    file = tmp_path / "c.gkt"
    whole = genten.cp(X, 2, max_iterations=12, **options)
    genten.cp(X, 2, max_iterations=5, checkpoint=file, **options)
    resumed = genten.cp(X, missing=missing, resume=file, max_iterations=12)
    assert resumed.objective == whole.objective and resumed.iterations == 12
    for a, b in zip(resumed.model.factors, whole.model.factors):
        assert (a == b).all()
    if kind == "listed":  # Unlisted entries are missing without being asked for again.
        with pytest.raises(ValueError, match="missing: expected that of the checkpoint, a list"):
            genten.cp(X, resume=file)
    else:
        assert genten.cp(X, resume=file, max_iterations=12).objective == whole.objective


def test_what_cannot_be(known):
    X, _, listed = known
    gone = np.argwhere(~listed)
    for error, match, options in (
        (ValueError, "missing: expected 'unlisted'.*got 'entries.tns', which is no file",
         {"missing": "entries.tns"}),
        (ValueError, "got 'unlistd'; did you mean 'unlisted'", {"missing": "unlistd"}),
        (ValueError, "a row of 3 subscripts", {"missing": gone[:, :2]}),
        (TypeError, "steps: has no effect beside loss='poisson' with missing",
         {"missing": "unlisted", "loss": "poisson", "steps": "newton"}),
        (TypeError, "patience: has no effect without holdout", {"patience": 3}),
        (TypeError, "mode_order: has no effect beside missing",
         {"missing": "unlisted", "mode_order": [2, 1, 0]}),
        (TypeError, "patience: has no effect without holdout",
         {"missing": "unlisted", "patience": 5}),
    ):
        with pytest.raises(error, match=match):
            genten.cp(X, 2, **options)
    with pytest.raises(TypeError, match="missing"):
        genten.cp_als(X, 2, missing="unlisted")


def test_a_mask_says_what_its_entries_say(known):
    X, whole, listed = known
    options = {"max_iterations": 5, "seed": 2}
    by_entries = genten.cp(X, 2, missing=np.argwhere(~listed), **options)
    for mask in (~listed, (~listed).tolist()):
        by_mask = genten.cp(X, 2, missing=mask, **options)
        assert by_mask.objective == by_entries.objective
        assert by_mask.completion["entries"] == listed.sum()
        assert isinstance(by_mask.completion["entries"], int)
    with pytest.raises(ValueError, match=r"a mask of shape \(12, 10, 8\), got one of shape \(12,"):
        genten.cp(X, 2, missing=~listed[:, :9])


def test_no_entry_may_be_missing(known):
    X, whole, _ = known
    for none in ([], np.empty((0, 3), dtype=int), np.zeros(whole.shape, dtype=bool)):
        r = genten.cp(X, 2, missing=none, max_iterations=3)
        assert r.completion["entries"] == whole.size


def test_holes_of_dense_arrays_are_refused_with_what_to_say_instead(known):
    _, whole, listed = known
    holes = np.where(listed, whole, np.nan)
    way = r"genten\.cp\(X, rank, missing=numpy\.isnan\(X\)\)"
    with pytest.raises(ValueError, match=f"elements are NaN; {way} takes"):
        genten.tensor(holes)
    with pytest.raises(ValueError, match=way):
        genten.cp(holes, 2)


def test_masks_say_which_elements_of_dense_arrays_are_missing(known):
    _, whole, listed = known
    holes = np.where(listed, whole, np.nan)
    options = {"seed": 1, "max_iterations": 5}
    wanted = genten.cp(np.nan_to_num(holes), 2, missing=~listed, **options)
    assert wanted.completion["entries"] == listed.sum()
    masked = np.ma.masked_invalid(holes)
    for X, missing in (
        (holes, np.isnan(holes)),
        (holes, np.isnan(holes).tolist()),
        (masked, masked.mask),
        (masked, np.ma.getmaskarray(masked)),
        (masked, None),
        (masked, np.argwhere(masked.mask)),
        (holes, np.argwhere(masked.mask)),
    ):
        assert genten.cp(X, 2, missing=missing, **options).model == wanted.model
    assert np.isnan(holes).any() and masked.mask.any()  # They are not changed.
    some = np.isnan(holes) & (np.arange(8) < 7)
    with pytest.raises(ValueError, match="elements are NaN"):
        genten.cp(holes, 2, missing=some)
    with pytest.raises(ValueError, match="expected an array without masked elements"):
        genten.cp(masked, 2, missing=some)
    with pytest.raises(ValueError, match="array without masked elements"):
        genten.cp(masked, 2, missing=np.argwhere(some))
    with pytest.raises(ValueError, match="array of int64, of 0 and 1, of the shape"):
        genten.cp(holes, 2, missing=np.isnan(holes).astype(int))
    with pytest.raises(ValueError, match="missing: expected a mask of shape"):
        genten.cp(holes, 2, missing=np.isnan(holes)[:1])
    found = wanted.model.evaluate(holes, missing=np.isnan(holes))
    assert repr(found) == repr(wanted.model.evaluate(masked))
    assert found.all.entries == listed.sum()
    rows = wanted.model.project_rows(holes, 0, missing=np.isnan(holes)).rows
    assert np.isfinite(rows).all()
    ranks = genten.choose_rank(holes, [1], starts=2, missing=np.isnan(holes))
    assert ranks.results[1].completion["entries"] == listed.sum()


def test_masked_elements_are_not_listed_where_all_such_are_missing(known):
    _, whole, listed = known
    values = np.where(np.arange(whole.shape[-1]) == 0, 0.0, whole)
    masked, zeros = np.ma.masked_array(values, ~listed), np.where(listed, values, 0.0)
    options = {"missing": "unlisted", "seed": 1, "max_iterations": 5}
    model = genten.cp(zeros, 2, **options).model
    assert genten.cp(masked, 2, **options).model == model
    assert repr(model.evaluate(masked)) == repr(model.evaluate(zeros))
    assert model.evaluate(masked).all.entries == np.count_nonzero(zeros)
    assert model.evaluate(masked, missing=masked.mask).all.entries == listed.sum()
    rows = model.project_rows(zeros, 0).rows
    np.testing.assert_array_equal(model.project_rows(masked, 0).rows, rows)
