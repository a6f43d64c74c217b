# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What results say is to be known before one believes them."""

import warnings

import numpy as np
import pytest
from conftest import DATA

import genten
from genten._run import diagnostics
from genten.describe import result_findings


def test_limits_that_come_before_the_tolerance_are_told_of(titanic):
    r = genten.cp(titanic, 3, max_iterations=4)
    assert r.stop_reason == "iteration_limit"
    assert r.warnings == [
        "The iteration limit, 4, was reached before the run converged to the tolerance, 0.0001."
    ]
    assert "note      The iteration limit, 4," in repr(r)
    assert [finding.key for finding in result_findings(r)].count("iteration_limit") == 1
    assert not any(finding.key == "note" for finding in result_findings(r))
    several = genten.cp(titanic, 3, max_iterations=4, starts=2)
    assert several.warnings[0] == r.warnings[0]
    assert several.notes[1].code == "starts_disagree"
    assert "models. genten.plot_starts(r) draws what each of them" in several.warnings[1]
    timed = genten.cp(titanic, 3, time_limit=1e-9)
    assert timed.stop_reason == "time_limit"
    assert timed.warnings[0].startswith("The time limit, 1e-09 s, was reached before the run conv")
    assert not any(finding.key == "note" for finding in result_findings(timed))


def test_runs_that_end_as_they_were_asked_to_have_no_warning(titanic):
    assert genten.cp(titanic, 3).warnings == []
    assert genten.cp(titanic, 3, max_iterations=4, tolerance=0).warnings == []
    assert genten.cp(titanic, 3, max_iterations=0).warnings == []
    guess = genten.cp(titanic, 3, max_iterations=1, seed=1).model
    fixed = genten.cp(titanic, init=guess, fixed_modes=[0, 1, 2, 3])
    assert not any("iteration limit" in text for text in fixed.warnings)
    stopped = genten.cp(titanic, 3, callback=lambda it: it.iteration == 2)
    assert stopped.warnings == []


def test_a_fit_below_zero_is_told_of(titanic):
    r = genten.cp(titanic, 2, lower=5)
    assert r.fit < 0
    assert r.warnings[0] == (
        f"A fit of {r.fit:.3g} is no better than that of a model of zeros: lower bounds may keep "
        "the factors from where the data are."
    )
    keys = [finding.key for finding in result_findings(r)]
    assert keys.count("useless_fit") == 1


@pytest.mark.parametrize(
    "factor, keywords, told",
    [
        (1, {"lower": 10}, "between 20000 and inf, and those of the tensor's nonzeros lie "),
        (1, {"lower": [10, 10, 10, 0]}, None),
        (1, {"lower": 0, "upper": 1}, None),
        (100, {"lower": 0, "upper": 1}, "between 0 and 2, and those of the tensor's nonzeros lie "),
        (100, {"lower": -1, "upper": 1}, "between -2 and 2, and those"),
        (100, {"upper": 1}, None),
        (-1, {"nonnegative": True}, "between 0 and inf, and those of the tensor's nonzeros lie "),
        (-1, {"nonnegative": [0, 1, 2]}, None),
        (1, {"nonnegative": True}, None),
        (100, {"nonnegative": True, "upper": 1}, "between 0 and 2, and"),
    ],
)
def test_bounds_that_no_value_is_within_are_told_of(titanic, factor, keywords, told):
    X = genten.tensor((titanic.subscripts, factor * titanic.values, titanic.shape))
    found = genten.cp(X, 2, max_iterations=3, **keywords).notes
    texts = [note.text for note in found if note.code == "bounds_exclude_data"]
    assert len(texts) == (told is not None)
    assert told is None or texts[0].startswith(f"The bounds keep every value of the model {told}")


def test_nonzeros_of_one_entry_are_added_up_before_bounds_are_told_of():
    X = genten.tensor((np.zeros((4, 2), int), np.ones(4)))
    r = genten.cp(X, 1, lower=1.5, upper=2, tolerance=0)
    assert r.fit > 0.9 and not any("bounds" in text for text in r.warnings)


@pytest.mark.parametrize(
    "shape, match, smaller",
    [
        ((4, 2, 2, 2), "the default, 16, is more than the 8 with which any tensor of this", 3),
        ((5, 2), "the default, 16, is more than the 2 with which any tensor of this", 2),
        ((10, 9, 8), "the default, 16, is more than every mode is long, at most 10", 3),
        ((10, 9, 17), None, None),
    ],
)
def test_a_rank_that_nobody_gave_and_that_is_too_large_is_warned_of(
    shape, match, smaller, recwarn
):
    X = genten.tensor(np.random.default_rng(1).random(shape))
    assert genten.cp(X, max_iterations=1).model.rank == 16
    said = [str(warning.message) for warning in recwarn]
    if match is None:
        assert said == []
        return
    assert len(said) == 1 and recwarn[0].filename == __file__
    assert said[0].startswith(f"no rank was given, and {match}")
    assert f"genten.cp(X, {smaller})" in said[0]
    recwarn.clear()
    whole = genten.cp(X, 16, max_iterations=1)
    genten.cp(X, init=whole.model, max_iterations=1)
    said = [str(warning.message) for warning in recwarn]
    why = match.removeprefix("the default, 16, ")
    expected = f"rank 16 {why} shape is exact: give a smaller one, as genten.cp(X, {smaller})"
    assert said == ([expected] * 2 if "any tensor" in match else [])


@pytest.mark.parametrize(
    "keywords",
    [
        {"nonnegative": [0]},
        {"ridge": 0.5},
        {"l1": [0, 0, 1, 0]},
        {"upper": 3},
    ],
)
def test_constrained_factors_are_not_said_to_be_exact(titanic, keywords, recwarn):
    genten.cp(titanic, max_iterations=1, **keywords)
    said = [str(warning.message) for warning in recwarn if "default" in str(warning.message)]
    assert len(said) == 1 and "is more than every mode is long, at most 4" in said[0]
    recwarn.clear()
    genten.cp(titanic, max_iterations=1, nonnegative=False, ridge=0, fixed_modes=[])
    assert "any tensor of this shape is exact" in str(recwarn[0].message)


def test_tensors_without_values_and_useless_models_are_told_of(titanic):
    rows = np.array([[0, 1], [1, 0]])
    for values, told in ((np.zeros(2), "no value other than 0"), (np.zeros(0), "no entries")):
        r = genten.cp((rows[: len(values)].reshape(-1, 2), values, (3, 3)), 1)
        assert r.warnings[-1] == (
            f"The tensor has {told}: the model tells nothing of the data."
        )
        assert told in repr(r)
    assert not any("no value" in text for text in genten.cp(titanic, 1).warnings)


def test_held_out_errors_no_better_than_of_a_mean_are_told_of():
    rng = np.random.default_rng(3)
    where = np.unique(rng.integers(0, 30, (400, 2)), axis=0)
    noise = genten.tensor((where, 5 + rng.normal(size=len(where)), (30, 30)))
    r = genten.cp(noise, 6, missing="unlisted", holdout=0.2, seed=1)
    spread = np.std(noise.values)
    told = [text for text in r.warnings if text.startswith("The held-out RMSE, ")]
    assert r.holdout.rmse > spread and len(told) == 1 and f"values, {spread:.6g}: " in told[0]
    factors = rng.random((30, 2)), rng.random((30, 2))
    exact = genten.tensor((where, (factors[0] @ factors[1].T)[tuple(where.T)], (30, 30)))
    r = genten.cp(exact, 1, missing="unlisted", holdout=0.2, seed=1)
    assert r.holdout.rmse < np.std(exact.values)
    assert not any("held-out" in text for text in r.warnings)


@pytest.mark.parametrize("function", ["cp", "tucker", "choose_rank"])
def test_tensors_without_entries_are_warned_of_once(function, recwarn):
    what = {"cp": 2, "tucker": (1, 1, 1), "choose_rank": [1, 2]}[function]
    getattr(genten, function)(np.zeros((3, 4, 2)), what)
    said = [str(warning.message) for warning in recwarn]
    assert said == ["the tensor has no entries: the model tells nothing of the data"]
    assert recwarn[0].filename == __file__


def test_tables_without_rows_are_warned_of():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"city": ["a"], "month": ["may"], "amount": [1.5]})
    X = genten.tensor(frame[0:0], values="amount")
    with pytest.warns(UserWarning, match="the tensor has no entries"):
        genten.cp(X, 2)


def codes_of(result):
    return [note.code for note in result.notes]


def test_unlisted_entries_and_determined_modes_are_told_of_by_cp_and_choose_rank():
    pandas = pytest.importorskip("pandas")
    places = [(f"i{i}", f"c{c}") for i in range(9) for c in range(40) if (i + c) % 3]
    table = pandas.DataFrame(places, columns=["item", "city"])
    country = table.city.str[1:].astype(int) % 7
    stars = (table.index % 5 + 1).to_numpy()
    X = genten.tensor(table.assign(country="k" + country.astype(str), n=stars), values="n")
    ranks = genten.choose_rank(X, [1], starts=2)
    for found in (genten.cp(X, 1), ranks.results[1], genten.tucker(X, 1)):
        assert {"ratings", "determined_modes"} <= set(codes_of(found))
        text = next(note.text for note in found.notes if note.code == "determined_modes")
        assert text.startswith("Each of the 40 rows of mode 'city' occurs with one row of mode 'co")
        assert "; modes=['item', 'city'] leaves it out, and where rows of mode 'city' " in text
        assert text.endswith(" are but ids, modes=['item', 'country'] leaves these out.")
    without = genten.tensor(table.assign(n=stars), values="n", modes=["item", "city"])
    assert "determined_modes" not in codes_of(genten.cp(without, 1))


def test_tucker_models_of_ratings_have_their_way_out():
    pandas = pytest.importorskip("pandas")
    places = [(f"i{i}", f"c{c}") for i in range(9) for c in range(40) if (i + c) % 3]
    table = pandas.DataFrame(places, columns=["item", "city"]).assign(stars=3)
    table.loc[::2, "stars"] = table.index[::2] % 5 + 1
    X = genten.tensor(table, values="stars")
    (note,) = genten.tucker(X, 1).notes
    assert note.text.endswith("unknown, missing='unlisted' of genten.cp leaves them out.")
    assert "ratings" not in codes_of(genten.cp(X, 1, missing="unlisted"))


def test_known_entries_that_are_all_the_same_tell_nothing():
    events = (np.argwhere(np.arange(120).reshape(6, 5, 4) % 4), np.ones(90))
    told = "All 90 known entries are 1: a constant fits them, so that the model tells nothing; "
    for found in (
        genten.cp(events, 1, missing="unlisted"),
        genten.choose_rank(events, [1], starts=2, missing="unlisted").results[1],
    ):
        (note,) = (n for n in found.notes if n.code == "constant_values")
        assert note.text.startswith(told) and "leave missing='unlisted' out" in note.text
    assert "constant_values" not in codes_of(genten.cp(events, 1))
    whole = genten.cp(np.ones((3, 4, 5)), 1, missing="unlisted")
    assert {"constant_values", "nothing_missing"} <= set(codes_of(whole))


def test_values_are_judged_as_they_are_listed(tmp_path):
    pandas = pytest.importorskip("pandas")
    user, k = np.repeat(np.arange(40), 6), np.tile([0, 1, 2, 3, 0, 1], 40)
    stars = np.choose(k, [4, 5, 3, 1 + user % 5])
    table = pandas.DataFrame({"user": user, "item": (3 * user + k) % 30, "stars": stars})
    table.to_csv(tmp_path / "t.csv", index=False)
    arrays = (table[["user", "item"]].to_numpy(), stars.astype(float))
    of = {"values": "stars"}
    for X in (
        genten.tensor(table, **of),
        genten.tensor(table, **of).astype(np.float32),
        genten.read(tmp_path / "t.csv", **of),
        genten.read(tmp_path / "t.csv", **of).compact(),
        genten.tensor(arrays),
        genten.tensor(arrays, duplicates="sum"),
        genten.tensor(arrays).coalesce(),
    ):
        for found in (genten.cp(X, 1), genten.choose_rank(X, [1], starts=2).results[1]):
            (text,) = (note.text for note in found.notes if note.code == "ratings")
            assert text.startswith("The values look like ratings, from 1 to 5, ")
            assert "; 80 entries lie at the same subscripts as others, and sums are taken" in text
            assert ": genten.tensor(..., duplicates='mean') takes their mean, as last and " in text
    for X in (
        genten.tensor(table, **of, duplicates="mean"),
        genten.tensor(str(tmp_path / "t.csv"), **of, duplicates="mean"),
    ):
        (text,) = (note.text for note in genten.cp(X, 1).notes if note.code == "ratings")
        assert text.endswith("missing='unlisted' leaves them out.")


def test_events_that_recur_are_no_sums_of_measurements():
    events = np.array([[i % 9, i % 7, i % 4] for i in range(200) for _ in range(1 + i % 2)])
    given = genten.tensor((events, np.ones(300)))
    for X in (given, given.coalesce()):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = genten.cp(X, 1, missing="unlisted")
            listed = genten.cp(X, 1, missing=[(0, 0, 0)])
        assert "constant_values" in codes_of(found) and "merged_entries" not in codes_of(found)
        assert not {"constant_values", "merged_entries"} & set(codes_of(listed))
    measured = genten.tensor((events, 1.0 + np.arange(300) % 3))
    with pytest.warns(UserWarning, match="missing: 100 entries lie at the same subscripts"):
        found = genten.cp(measured, 1, missing=[(0, 0, 0)])
    assert "merged_entries" in codes_of(found)


def test_gaps_of_nearly_full_tables_and_of_no_arrays():
    pandas = pytest.importorskip("pandas")
    celsius = np.add.outer(np.arange(12) - 5.25, np.arange(10) % 3)
    celsius[3, 4] = 0
    hours = pandas.DataFrame(celsius).stack().rename("celsius")
    hours.index.names = ["site", "hour"]
    part = hours[hours != 0][::-1]
    told = "1 of 120 entries is not listed and counts as zero, though none of the others"
    (note,) = (n for n in genten.cp(part, 1).notes if n.code == "unlisted_zeros")
    assert note.text.startswith(told) and "missing='unlisted' leaves it out" in note.text
    for given in (celsius, hours):
        assert "unlisted_zeros" not in codes_of(genten.cp(given, 1))
    assert "unlisted_zeros" not in codes_of(genten.cp(part, 1, missing="unlisted"))


def test_zeros_among_answers():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    table = pandas.DataFrame(np.argwhere(np.ones((12, 8, 8))), columns=["who", "what", "when"])
    table["answer"] = rng.choice([0, 0, 1, 2, 3, 3, 4, 4, 4, 5], len(table))
    for part in (table, table[20:]):
        X = genten.tensor(part.astype({"who": str}), values="answer")
        for options in ({}, {"missing": "unlisted"}):
            (note,) = (n for n in genten.cp(X, 1, **options).notes if n.code == "placeholders")
            assert note.text.startswith(f"{(part.answer == 0).sum()} of {len(part)} values are 0, ")
            assert "table[table.answer > 0]" in note.text and "missing='unlisted'" in note.text
    X = genten.tensor(table[table.answer > 0].astype({"who": str}), values="answer")
    assert not genten.cp(X, 1, missing="unlisted").notes


def test_gaps_of_text_and_of_no_binary_file(tmp_path):
    listed = DATA / "il2-response" / "il2-response.tns.zst"
    binary = tmp_path / "x.gtn"
    genten.read(listed).save(binary)
    for path, is_told in ((listed, True), (binary, False)):
        X = genten.read(path)
        for found in (genten.cp(X, 1), genten.choose_rank(X, [1], starts=2).results[1]):
            assert ("unlisted_zeros" in codes_of(found)) is is_told


@pytest.mark.parametrize("scale", [1e300, 1e-160, 1e-300])
def test_objectives_beyond_numbers_are_told_of(scale):
    full = np.random.default_rng(0).random((5, 4, 3))
    X = genten.tensor(full * scale)
    r = genten.cp(X, 2, seed=1)
    (text,) = r.warnings
    assert text.startswith("The objective is ") and r.fit == pytest.approx(0.6, abs=0.01)
    call = text.partition(": ")[2].partition(" is of")[0].replace("...", "2, seed=1")
    again = eval(call, {"genten": genten, "X": X})  # noqa: S307
    assert again.warnings == [] and 1e-6 < again.objective < 1e6
    assert again.fit == pytest.approx(r.fit)
    assert genten.cp(genten.tensor(full), 2, seed=1).warnings == []


def _of_scale(objective, fit=0.5, residual=1.0, norm=2.0, notes=()):
    raw = {"objective": objective, "fit": fit, "residual_norm": residual, "tensor_norm": norm}
    return diagnostics._of_scale({**raw, "notes": notes})


def test_objectives_that_are_no_numbers_are_told_of_with_what_else_is_right():
    X = genten.tensor(np.arange(1.0, 25.0).reshape(2, 3, 4) * 1e-300)
    small = genten.cp(X, 1, ridge=1.0, seed=1)
    assert np.isnan(small.objective)
    assert any("The objective is not a number, though fit and resid" in w for w in small.warnings)
    assert all("objective" not in w for w in genten.cp(X / 1e-299, 1, seed=1).warnings)
    assert "though fit and residual are right: genten.cp(X / 1e+200, " in _of_scale(
        np.inf, norm=1e200
    )[0]
    for fit in (np.nan, None):
        text = _of_scale(np.inf, fit, np.inf, 1e200)[0]
        assert text.startswith("The objective is beyond the range of numbers, and there is no fit:")
    assert _of_scale(np.inf, 0.1, np.inf, np.inf) == [
        "The objective is beyond the range of numbers."
    ]
    assert _of_scale(0.0, 0.0, 1e-160, 0.0) == []  # of zeros alone, which another warning tells
    assert _of_scale(np.inf, np.nan, np.inf, 1e200, [("objective_overflow",)]) == []
