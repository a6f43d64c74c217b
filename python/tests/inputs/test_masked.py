# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Masked arrays say themselves what is missing of them."""

import re
import warnings

import numpy as np
import pytest

import genten

DENSE = np.random.default_rng(8).poisson(3, (8, 7, 6)) + 1.0
AWAY = DENSE > 7
MASKED = np.ma.masked_array(DENSE, AWAY)


@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
def test_estimators_that_are_fitted_to_one_take_others(loss):
    found = genten.CP(2, seed=1, loss=loss).fit(MASKED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = found.transform(MASKED)
        known = found.model_.project_rows(DENSE, 0, missing=AWAY)
        np.testing.assert_array_equal(rows, known.rows)
        np.testing.assert_array_equal(found.fit_transform(MASKED), rows)
        errors = known.model.evaluate(MASKED)
        score = errors.fit if loss == "gaussian" else -errors.all.mean_loss
        assert found.score(MASKED) == score
    with pytest.raises(ValueError, match="^transform: .* missing entries, .* masked arrays say it"):
        found.transform(DENSE)


def test_no_warning_says_that_all_entries_count():
    r = genten.cp(MASKED, 2, seed=1)
    known = r.project_rows(DENSE[:2], 0, missing=AWAY[:2]).rows
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in (
            r.project_rows(MASKED[:2], 0).rows,
            r.model.project_rows(MASKED[:2], 0).rows,
            r.model.project(MASKED[:2], 0),
        ):
            np.testing.assert_array_equal(rows, known)
    for ask in (r.project_rows, r.model.project_rows, r.model.project):
        with pytest.warns(UserWarning, match="here all entries of X count, unless missing="):
            ask(DENSE[:2], 0)


def test_numbers_that_the_mask_leaves_in_are_masked_by_what_is_advised():
    left = MASKED.copy()
    left.data[0, 0, :2] = np.nan
    model = genten.cp(MASKED, 2, seed=1).model
    way = "numpy.ma.masked_invalid(X)"
    for ask in (
        lambda X: genten.cp(X, 2, seed=1),
        lambda X: genten.CP(2, seed=1).fit(X),
        lambda X: genten.choose_rank(X, [1], starts=2),
        model.evaluate,
        lambda X: model.project(X, 0),
    ):
        with pytest.raises(ValueError, match=re.escape(f"not masked; {way} masks them, too")):
            ask(left)
        ask(eval(way, {"numpy": np, "X": left}))


def test_nan_is_told_with_what_takes_missing_entries():
    holes = np.where(AWAY, np.nan, DENSE)
    way = "genten.cp(X, rank, missing=numpy.isnan(X))"
    for ask in (
        lambda X: genten.choose_rank(X, [1]),
        lambda X: genten.cp_als(X, 2),
        lambda X: genten.tucker(X, (2, 2, 2)),
    ):
        with pytest.raises(ValueError, match=re.escape(f"NaN; {way} takes them for")) as told:
            ask(holes)
        assert "genten.choose_rank, and" in str(told.value)
        end = "genten.tucker and genten.cp_als take no missing entries"
        assert str(told.value).endswith(end)
    eval(way, {"genten": genten, "numpy": np, "X": holes, "rank": 2})
    for ask in (lambda X: genten.cp_als(X, 2), lambda X: genten.tucker(X, (2, 2, 2))):
        with pytest.raises(ValueError, match="missing=numpy.ma.getmaskarray.* no missing entries$"):
            ask(MASKED)


def told_of_zeros(ask):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ask()
    return [str(each.message) for each in caught if "as unknown by 'unlisted'" in str(each.message)]


def test_zeros_of_dense_arrays_that_unlisted_makes_unknown_are_told():
    zeros = np.where(DENSE == 2, 0.0, DENSE)
    many = int((zeros == 0).sum())
    said = (
        f"missing: {many} of 336 elements of the dense array are 0 and count as unknown by "
        "'unlisted': if zeros are known, missing='none' makes all elements known, and "
        "missing=numpy.isnan(X) all but NaN; if not, genten.tensor(X) in place of X says so"
    )
    few = {"seed": 1, "max_iterations": 3}
    model = genten.cp(genten.tensor(zeros), 2, missing="unlisted", **few).model
    for ask in (
        lambda X: genten.cp(X, 2, missing="unlisted", **few),
        lambda X: genten.choose_rank(X, [1], starts=2, missing="unlisted", max_iterations=3),
        lambda X: model.evaluate(X),
        lambda X: model.project_rows(X, 0),
    ):
        assert told_of_zeros(lambda ask=ask: ask(zeros)) == [said]
        for silent in (DENSE, genten.tensor(zeros)):
            assert not told_of_zeros(lambda ask=ask, X=silent: ask(X))
    for way in re.findall(r"missing=[^,; ]+(?:\([^)]*\))?", said.partition("known, ")[2]):
        ask = f"genten.cp(X, 2, {way}, max_iterations=3)"
        assert not told_of_zeros(lambda ask=ask: eval(ask, {**globals(), "numpy": np, "X": zeros}))
    one = DENSE[:1, :2, :2].copy()
    one[0, 0, 0] = 0
    (told,) = told_of_zeros(lambda: genten.cp(one, 1, missing="unlisted"))
    assert told.startswith("missing: 1 of 4 elements of the dense array is 0 and counts as unknown")
    for counts in (zeros.astype(int), zeros.astype("float32"), zeros > 0):
        assert len(told_of_zeros(lambda X=counts: genten.cp(X, 2, missing="unlisted", **few))) == 1


def test_zeros_that_no_mask_hides_are_told_of_masked_arrays():
    zeros = np.ma.masked_array(np.where(DENSE == 2, 0.0, DENSE), AWAY)
    (told,) = told_of_zeros(lambda: genten.cp(zeros, 2, missing="unlisted", max_iterations=3))
    way = "missing=numpy.ma.getmaskarray(X)"
    assert f"if zeros are known, {way} makes the masked elements alone unknown" in told
    mask = eval(way.removeprefix("missing="), {"numpy": np, "X": zeros})
    for silent in ({"missing": mask}, {}):
        assert not told_of_zeros(lambda how=silent: genten.cp(zeros, 2, max_iterations=3, **how))
    hidden = np.ma.masked_equal(zeros.data, 0)
    assert not told_of_zeros(lambda: genten.cp(hidden, 2, missing="unlisted", max_iterations=3))


@pytest.mark.parametrize("library", ["torch", "pyttb", "xarray"])
def test_zeros_of_dense_arrays_of_others_are_told(library):
    module = pytest.importorskip(library)
    make = {"torch": "from_numpy", "pyttb": "tensor", "xarray": "DataArray"}[library]
    for array, count in ((np.where(DENSE == 2, 0.0, DENSE), 1), (DENSE, 0)):
        X = getattr(module, make)(array)
        ask = told_of_zeros(lambda X=X: genten.cp(X, 2, missing="unlisted", max_iterations=3))
        assert len(ask) == count
