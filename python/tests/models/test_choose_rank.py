# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of components are found where there is one, and none where there is only noise."""

import dataclasses
import inspect
import math

import numpy as np
import pytest

import genten

SHAPE = (14, 12, 10)


def planted(rank, seed, noise=0.2):
    rng = np.random.default_rng(seed)
    X = np.einsum("ir,jr,kr->ijk", *(rng.normal(size=(length, rank)) for length in SHAPE))
    more = rng.normal(size=SHAPE)
    return X + noise * np.linalg.norm(X) / np.linalg.norm(more) * more


@pytest.fixture(scope="module")
def choice():
    return genten.choose_rank(planted(2, 1), [4, 1, 3, 2, 2], starts=5)


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_planted_rank_is_suggested(seed):
    found = genten.choose_rank(planted(3, seed), range(1, 6), starts=5)
    assert found.suggested == 3 and found.picks["agreement"] == 3
    assert found.results[3].fit == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_noise_replicates_nothing(seed):
    found = genten.choose_rank(np.random.default_rng(seed).normal(size=SHAPE), range(1, 4))
    assert found.suggested == 0 and "nothing replicates" in found.reasons[3]
    with pytest.raises(KeyError, match="no number of components is suggested, .* are of 1, 2, 3"):
        found.results[found.suggested]
    with pytest.raises(KeyError, match="no result of 9 components: those tried are 1, 2, 3"):
        found.results[9]
    assert 0 not in found.results and found.results.get(0) is None


def test_rows_say_what_the_runs_came_to(choice):
    assert [row.rank for row in choice.table] == [1, 2, 3, 4] == list(choice.results)
    assert choice.suggested == 2 and choice.held_out >= 150
    for row in choice.table:
        result = choice.results[row.rank]
        assert (row.objective, row.fit) == (result.objective, result.fit)
        assert row.starts == 5 and 1 <= row.reached <= 5 and row.spread >= 0
        assert 0 <= row.worst_component <= row.agreement <= 1 and row.holdout_error > 0
        assert sum(start.model is not None for start in result.starts) == 1
    one, two = choice.table[:2]
    assert two.reached == 5 and two.agreement > 0.99 and two.holdout_loss < one.holdout_loss
    assert one.congruence == 0 and 0 < two.congruence < 1
    assert one.core_consistency == pytest.approx(100)
    assert one.holdout_loss < choice.zero_loss
    least = min(row.holdout_loss for row in choice.table)
    for row in choice.table:
        assert row.holdout_difference == pytest.approx(row.holdout_loss - least)
        assert row.holdout_difference_error < row.holdout_error  # since losses are paired


def test_the_same_seed_gives_the_same(choice):
    again = genten.choose_rank(planted(2, 1), range(1, 5), starts=5)
    for one, other in zip(choice.table, again.table, strict=True):
        assert dataclasses.replace(one, seconds=0) == dataclasses.replace(other, seconds=0)
    other = genten.choose_rank(planted(2, 1), [1, 2], starts=5, seed=np.random.default_rng(1))
    assert other.table[1].holdout_loss != choice.table[1].holdout_loss


def test_it_prints_as_text_and_html_and_as_a_table(choice):
    text = repr(choice)
    assert text.startswith("<genten.RankChoice\n  suggested  2\n  reason     Agreement: R = 2")
    assert "held-out loss" in text and "5 of 5" in text
    assert choice._repr_html_().count("<tr>") == 1 + 4 + len(choice._lines())
    pytest.importorskip("pandas")
    frame = choice.to_pandas()
    assert frame.loc[2, "fit"] == choice.table[1].fit and len(frame) == 4


def test_the_picture_has_three_panels(choice):
    pytest.importorskip("matplotlib")
    figure = choice.plot(title="mine")
    assert [axes.get_label() for axes in figure.axes] == ["fit", "agreement", "held-out loss"]
    np.testing.assert_array_equal(
        figure.axes[1].lines[1].get_ydata(), [row.agreement for row in choice.table]
    )


def test_counts_missing_entries_and_bounds(titanic):
    counts = genten.choose_rank(titanic, [1, 2], starts=3, loss="poisson")
    assert counts.results[2].options["solver"] == "apr" and math.isnan(counts.table[0].fit)
    for options in (
        {"missing": "unlisted"},
        {"nonneg": True, "ridge": 1.0, "tolerance": 1e-5},
        {"loss": "huber", "loss_parameter": 3.0, "max_iterations": 50},
    ):
        found = genten.choose_rank(titanic, [1, 2], starts=2, keep_starts=True, **options)
        assert len(found.table) == 2 and np.isfinite(found.table[1].holdout_loss)
        assert all(start.model is not None for start in found.results[2].starts)


def test_progress_has_a_line_for_each_rank(titanic, capfd):
    genten.choose_rank(titanic, [1, 2], starts=2, progress=True)
    lines = capfd.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "genten.choose_rank: R = 1", "genten.choose_rank: R = 2"
    ]  # fmt: skip


def test_the_warm_start_is_one_of_the_starts(choice):
    starts = choice.results[3].starts
    assert len(starts) == 5 and [start.seed for start in starts[:4]] == [1, 2, 3, 4]
    assert all(len(start.history) > 0 for start in starts)
    best = choice.results[3].best_start
    assert starts[best].objective == min(start.objective for start in starts)


def test_what_is_done_when_time_is_up_is_kept():
    found = genten.choose_rank(planted(2, 1), range(1, 9), time_limit=1e-6)
    assert found.stopped_early == "time_limit" and [row.rank for row in found.table] == [1]
    assert "time_limit, after R = 1" in repr(found)
    told = "The time limit ended the search after R = 1: 2 to 8 were not tried, and may be better."
    assert not found.decided and found.reasons[-1] == told


@pytest.mark.parametrize(
    "keywords, error, message",
    [
        ({"ranks": []}, ValueError, "ranks: expected numbers of at least 1"),
        ({"ranks": [0]}, ValueError, "rank: expected a whole number from 1"),
        ({"starts": 1}, ValueError, "starts: expected a whole number from 2"),
        ({"holdout": 1.0}, ValueError, "holdout: expected a number from 0 to 0.99, got 1"),
        ({"callback": print}, TypeError, "callback: has no effect in choose_rank"),
        ({"fixed_modes": [0]}, TypeError, "fixed_modes: has no effect in choose_rank"),
        ({"solver": "apr"}, ValueError, r"solver: expected als\|gcp beside"),
        ({"init": "nvecs"}, ValueError, "init: expected a kind of random numbers"),
        ({"tolerence": 1}, TypeError, "did you mean 'tolerance'"),
    ],
)
def test_what_is_refused(titanic, keywords, error, message):
    with pytest.raises(error, match=message):
        genten.choose_rank(titanic, **{"ranks": [1, 2], **keywords})


def test_its_results_tell_of_entries_that_were_added_up(tmp_path):
    path = tmp_path / "x.tns"
    path.write_text("1 1 1 5\n1 1 1 3\n2 1 1 2\n2 2 1 4\n1 2 2 3\n2 2 2 1\n1 1 2 4\n")
    with pytest.warns(UserWarning, match="at the same subscripts as"):
        found = genten.choose_rank(genten.read(path), [1], starts=2, missing="unlisted")
    assert "merged_entries" in [note.code for note in found.results[1].notes]


def test_a_search_goes_on_from_its_checkpoint(tmp_path):
    X, path = planted(2, 6), tmp_path / "ranks.gkt"
    keywords = {"starts": 4, "bootstrap": 6, "standard_errors": True}
    whole = genten.choose_rank(X, [1, 2, 3], **keywords)
    genten.choose_rank(X, [1, 2], starts=4, checkpoint=path)
    rest = genten.choose_rank(X, [1, 2, 3], resume=path, **keywords)
    assert rest.reasons == whole.reasons and list(rest.results) == [1, 2, 3]
    for one, other in zip(whole.table, rest.table, strict=True):
        assert dataclasses.replace(one, seconds=0) == dataclasses.replace(other, seconds=0)
    for rank in (1, 2, 3):
        one, other = whole.results[rank], rest.results[rank]
        assert np.array_equal(one.model.weights, other.model.weights)
        assert [each.starts for each in one.stability] == [each.starts for each in other.stability]
        assert other.fit == pytest.approx(one.fit, abs=1e-9)
    assert rest.results[1].iterations == 0 < rest.results[3].iterations
    for found in (whole, rest):
        best = found.results[found.suggested]
        assert best.bootstrap.refits == best.bootstrap.asked == 6
        assert [each.refits for each in best.stability] == [1.0, 1.0]
        assert all(each.starts == 1.0 for each in best.stability)
        assert found.results[1].bootstrap is None and found.results[3].standard_errors is None
    assert np.array_equal(
        whole.results[2].standard_errors.weights, rest.results[2].standard_errors.weights
    )


def test_what_a_checkpoint_does_not_fit_is_refused(tmp_path):
    X, path = planted(2, 6), tmp_path / "ranks.gkt"
    genten.choose_rank(X, [1, 2], starts=3, checkpoint=path)
    for ranks, keywords, expected in (
        ([2, 3], {}, "ranks: expected a list that begins with"),
        ([1, 2, 3], {"seed": 7}, "seed: expected what it was"),
        ([1, 2, 3], {"dtype": "float32"}, "dtype: expected that of the checkpoint, 'float64'"),
    ):
        with pytest.raises(ValueError, match=expected):
            genten.choose_rank(X, ranks, starts=3, resume=path, **keywords)
    with pytest.raises(OSError, match="of this tensor, got that of another"):
        genten.choose_rank(planted(2, 7), [1, 2], starts=3, resume=path)
    with pytest.raises(OSError):
        genten.choose_rank(X, [1], starts=3, resume=tmp_path / "none.gkt")
    genten.cp(X, 2, checkpoint=tmp_path / "run.gkt")
    with pytest.raises(OSError, match="checkpoint of a choice of the rank"):
        genten.choose_rank(X, [1], starts=3, resume=tmp_path / "run.gkt")
    with pytest.warns(UserWarning, match="could not be written"):
        genten.choose_rank(X, [1], starts=3, checkpoint=tmp_path / "none" / "r.gkt")


def test_precision_is_that_of_the_checkpoint(tmp_path):
    X, path = planted(2, 6), tmp_path / "ranks.gkt"
    genten.choose_rank(X, [1], starts=3, dtype="float32", checkpoint=path)
    found = genten.choose_rank(X, [1, 2], starts=3, resume=path)
    assert found.results[2].model.dtype == np.float32


def test_unstable_components_are_marked(titanic):
    found = genten.choose_rank(titanic, [4], starts=16, loss="poisson")
    stability = found.results[4].stability
    assert any(each.unstable for each in stability)
    assert all(each.unstable == (each.starts <= 0.5) for each in stability)
    assert all(each.starts >= 1 / 16 for each in stability)  # the best start's own
    many = sum(each.unstable for each in stability)
    said = f"{many} of its components {'is' if many == 1 else 'are'} unstable\n"
    for decided, also in ((True, ""), (False, "the data do not decide and ")):
        chosen = dataclasses.replace(found, suggested=4, decided=decided)
        assert f"  suggested  4, but {also}{said}" in str(chosen)
    none = dataclasses.replace(found, suggested=0, decided=True)
    assert "  suggested  0: nothing replicates\n" in str(none)


def test_notes_on_the_run_of_the_suggested_number_are_shown():
    entries = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 1], [2, 0, 0], [1, 0, 1]])
    ratings = genten.tensor((entries, np.arange(1.0, 6.0)))
    with pytest.warns(UserWarning, match="sums count as known values: genten.tensor"):
        found = genten.choose_rank(ratings, [1, 2], starts=2, missing="unlisted")
    assert found.suggested in (0, 1, 2)
    shared = [text for text in found.results[1].warnings if text in found.results[2].warnings]
    wanted = found.results[found.suggested].warnings if found.suggested else shared
    assert found.warnings == wanted and len(wanted) > 0
    for text in wanted:
        assert f"  note       {text}" in str(found)


def test_keywords_are_listed():
    listed = inspect.signature(genten.choose_rank).parameters
    of_cp = inspect.signature(genten.cp).parameters
    assert set(listed) == {*of_cp, "ranks"} - {
        "rank", "callback", "checkpoint_every", "comm", "grid", "holdout_seed", "patience",
        "fixed_modes",
    }  # fmt: skip
    assert "nonnegative, ridge" in " ".join(genten.choose_rank.__doc__.split())
