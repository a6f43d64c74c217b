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
        with pytest.warns(UserWarning, match="here all count, unless missing="):
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
