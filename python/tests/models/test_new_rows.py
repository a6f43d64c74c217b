# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows that come with new slices, in other modes."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import genten


def planted(seed: int = 1) -> tuple[genten.Model, np.ndarray]:
    """A model of a tensor that it meets, and the entries of one row."""
    random = np.random.default_rng(seed)
    factors = [random.random((n, 2)) + 0.1 for n in (6, 5, 8)]
    X = np.einsum("ir,jr,kr->ijk", *factors)
    m = genten.cp(X, 2, tolerance=1e-12, max_iterations=2000, seed=1).model
    return m, np.einsum("jr,r->j", factors[1], [0.4, 0.7])


@pytest.mark.parametrize("options", [{}, {"extra": 0}, {"nonnegative": True}])
def test_new_row_and_slice_with_each_other_alone(options):
    """Large entries are met; both rows were 0 and each waited for the other."""
    m, row = planted()
    new = np.zeros((7, 5, 1))
    new[-1, :, 0] = 100 * row
    stream = genten.Stream(m, mode=2, sweeps=50, **options)
    batch = stream.update(genten.tensor(new))
    assert batch.new_rows == [1, 0, 1]
    assert batch.fit > 0.9 and batch.fit_of_new_rows > 0.9
    assert batch.fit_of_new_rows == pytest.approx(
        fit_of(stream.model.to_dense()[-1, :, -1], new[-1, :, 0])
    )
    predicted = stream.model.to_dense()[-1, :, -1]
    assert np.linalg.norm(predicted - 100 * row) < 0.1 * np.linalg.norm(100 * row)


def fit_of(predicted, listed):
    return 1 - np.linalg.norm(listed - predicted) / np.linalg.norm(listed)


def test_tells_the_fit_of_other_rows():
    m, row = planted()
    new = np.ones((7, 5, 1))
    new[-1, :, 0] = 100 * row
    stream = genten.Stream(m, mode=2, sweeps=50)
    batch = stream.update(genten.tensor(new))
    expected = fit_of(stream.model.to_dense()[:-1, :, -1], new[:-1, :, 0])
    assert batch.fit_of_other_rows == pytest.approx(expected, abs=1e-9)


def test_warns_where_earlier_slices_outweigh_new_rows():
    m, row = planted()
    new = np.zeros((7, 5, 1))
    new[-1, :, 0] = row
    with pytest.warns(UserWarning, match=r"entries in new rows poorly .*on all data with missing"):
        batch = genten.Stream(m, mode=2).update(genten.tensor(new))
    assert batch.fit_of_new_rows < 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch = genten.Stream(m, mode=2).update(np.ones((6, 5, 1)))
    assert np.isnan(batch.fit_of_new_rows) and np.isnan(batch.fit_of_other_rows)


def test_warns_of_amounts_beside_a_model_of_counts():
    X = np.arange(24.0).reshape(2, 3, 4)
    m = genten.cp(X, 1, loss="poisson", seed=1)
    with pytest.warns(UserWarning, match="6 of 6 values are not whole numbers"):
        m.update(np.full((2, 3, 1), 0.5), mode=2)
    with pytest.raises(ValueError, match="counts must not be negative"):
        m.update(np.full((2, 3, 1), -1.0), mode=2)


def days(names: list[str], **more: object) -> pd.DataFrame:
    """Entries of each of three users on each of some days."""
    return pd.DataFrame([(user, day, 1.0) for user in "abc" for day in names],
                        columns=["user", "day", "n"]).assign(**more)  # fmt: skip


def told_by(call, *given, **options) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*given, **options)
    return [str(each.message) for each in caught]


def test_update_tells_of_slices_that_may_be_known_ones():
    known = [f"2024-01-0{day}" for day in range(1, 8)]
    m = genten.cp(genten.tensor(days(known), values="n"), 1).model
    other_form = "a date in two forms has two rows"
    for name, note in (
        ("07.01.2024", other_form),
        ("2024-1-7", other_form),
        ("2024-01-07T00:00", other_form),
        ("2024-01-07 ", "or by zeros before a number, as \"2024-01-07\" and \"2024-01-07 \""),
        ("Total", "they count twice"),
    ):
        told = told_by(m.update, days([name]), mode="day")
        assert any(note in each and "mode 1 (day) has" in each for each in told), (name, told)
    assert told_by(m.update, days(["2024-01-08", "2024-02-10"]), mode="day") == []
    week = genten.cp(genten.tensor(days(["Mon", "Tue", "Wed"]), values="n"), 1).model
    told = told_by(week.update, days(["mon"]), mode="day")[0]
    assert "before a number, as \"Mon\" and \"mon\"" in told
    assert told_by(week.update, days(["Thu", "day 10"]), mode="day") == []
    # As a stream.
    told = told_by(genten.Stream(m, mode="day").update, days(["07.01.2024"]))
    assert any(other_form in each for each in told)


def test_rows_of_sums_are_told():
    m = genten.cp(genten.tensor(days(["x", "y", "z"]), values="n"), 1).model
    rows = pd.concat([days(["x", "y", "z"], user="d"), days(["x", "y", "z"], user="Total")])
    note = "mode 0 (user) has a row called \"Total\": where such a row sums or averages the others"
    for call in (m.project, m.project_rows):
        assert any(note in each for each in told_by(call, rows, mode="user"))
        assert told_by(call, days(["x", "y", "z"], user="d"), mode="user") == []
    total = days(["v"])
    total.loc[0, "user"] = "Total"
    assert any(note in each for each in told_by(m.update, total, mode="day"))


@pytest.mark.parametrize("unit, word", [(1, ""), (100, "large"), (1e-3, "small")])
def test_slices_in_another_unit_are_told(unit, word):
    random = np.random.default_rng(2)
    factors = [random.random((n, 2)) + 0.1 for n in (6, 5, 8)]
    X = np.einsum("ir,jr,kr->ijk", *factors)
    r = genten.cp(X[:, :, :5], 2, tolerance=1e-10, seed=1)
    new = genten.tensor(unit * X[:, :, 5:])
    for take in (
        lambda: r.project_rows(new, 2),
        lambda: genten.Stream(r.model, mode=2).update(new),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            take()
        told = [str(each.message) for each in caught if "same unit" in str(each.message)]
        assert len(told) == (unit != 1)
        if told:
            assert f" times as {word} as those that the model had: are the values in" in told[0]
