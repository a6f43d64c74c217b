# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs of several starts that were stopped, and what results say of run and tensor."""

import os
import pickle
import re
import warnings

import pytest
from conftest import DATA, equal_models

import genten
from genten._run.diagnostics import stopped_early
from genten.describe.ends import ended_by
from genten.reports.command import python_lines

TITANIC = DATA / "titanic" / "titanic.tns"


def at(start, iteration, error=None):
    def callback(it):
        if (it.start, it.iteration) == (start, iteration):
            if error is not None:
                raise error
            return True
        return False

    return callback


@pytest.mark.parametrize("error, word", [(None, "callback"), (KeyboardInterrupt, "interrupted")])
def test_a_later_start_that_is_stopped(titanic, error, word):
    r = genten.cp(titanic, 3, seed=4, starts=3, callback=at(1, 1, error), kernel="permuted")
    assert r.best_start == 0 and r.stop_reason == r.starts[0].stop_reason == "converged"
    assert r.stopped_early == word == r.starts[1].stop_reason and len(r.starts) == 2
    assert r.warnings == [
        "The run was stopped in start 2 of 3: the model is that of start 1; start 2 did not "
        "finish, and start 3 was not begun. Start 1 is starts[0] of the result."
    ]
    assert "note      The run was stopped in start 2 of 3" in repr(r)


@pytest.mark.parametrize("error, word", [(None, "callback"), (KeyboardInterrupt, "interrupted")])
def test_the_first_start_that_is_stopped(titanic, error, word):
    r = genten.cp(titanic, 3, starts=3, callback=at(0, 2, error), kernel="permuted")
    assert r.stop_reason == r.stopped_early == word and r.iterations == 2
    assert "in start 1 of 3: the model is that of start 1, as far as it came" in r.warnings[0]
    said = "start 1 did not finish, and starts 2 and 3 were not begun. Start 1 is starts[0] of the"
    assert said in r.warnings[0]
    alone = genten.cp(titanic, 3, callback=at(0, 2, error))
    assert alone.stop_reason == alone.stopped_early == word
    assert len(alone.warnings) == (error is not None)


def test_a_callback_ends_a_run_rather_than_the_time_limit():
    assert ended_by(["time_limit", "converged", "callback"]) == "callback"
    raw = {"starts": [{"stop_reason": "time_limit"}, {"stop_reason": "observer"}]}
    assert stopped_early({**raw, "interrupted": True}) == "interrupted"
    starts = [*raw["starts"], {"stop_reason": "time_limit"}]
    result = {"starts": starts, "stop_reason": "time_limit", "iterations": 3, "best_start": 0}
    lines = python_lines({"rank": 2, "seed": 1, "starts": 4}, "x.tns", result)
    assert "stopped by an interruption in start 3 of 4" in lines


def test_starts_that_take_turns_are_stopped_together(titanic):
    seen = []

    def callback(it):
        seen.append((it.start, it.iteration))
        return seen[-1] == (1, 2)

    r = genten.cp(titanic, 3, starts=3, callback=callback, keep_starts=True)
    assert seen == [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2)]
    assert r.stopped_early == r.stop_reason == "callback"
    assert [start.iterations for start in r.starts] == [2, 2, 2]
    assert [list(start.history.iteration) for start in r.starts] == [[1, 2]] * 3
    assert r.warnings[0] == (
        f"The run was stopped in start 3 of 3: the model is that of start {r.best_start + 1}, as "
        f"far as it came; starts 1, 2 and 3 did not finish. Start {r.best_start + 1} is "
        f"starts[{r.best_start}] of the result."
    )
    for number in (1, 2):
        as_far = genten.cp(titanic, 3, seed=1 + number, max_iterations=2, tolerance=0)
        assert equal_models(r.starts[number].model, as_far.model)


def test_time_limits_end_all_starts_that_have_begun(titanic):
    r = genten.cp(titanic, 3, starts=3, time_limit=1e-9)
    assert r.stopped_early == "time_limit"
    assert {start.stop_reason for start in r.starts} == {"time_limit"}
    assert f"in start {len(r.starts)} of 3" in r.warnings[0]
    unfinished = {1: "start 1", 2: "starts 1 and 2", 3: "starts 1, 2 and 3"}[len(r.starts)]
    assert f"{unfinished} did not finish" in r.warnings[0]
    assert ("not begun" in r.warnings[0]) == (len(r.starts) < 3)
    assert genten.cp(titanic, 3, starts=2).stopped_early is None


def test_a_checkpoint_of_an_earlier_run_is_told_of(titanic, tmp_path):
    file = tmp_path / "run.gkt"
    said = f"checkpoint: {file} is that of an earlier run, which the first .* replaces; resume="
    first = {"max_iterations": 4, "tolerance": 0, "checkpoint": file}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.cp(titanic, 2, **first)
    with pytest.warns(UserWarning, match=said) as caught:
        genten.cp(titanic, 2, **first)
    resume = re.search("resume='(.*)' goes on", str(caught[0].message))[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        more = genten.cp(titanic, resume=resume, checkpoint=file, max_iterations=6)
        (tmp_path / "link.gkt").symlink_to(file)
        for same in ("link.gkt", os.path.join("..", tmp_path.name, "run.gkt")):
            genten.cp(
                titanic, resume=file, checkpoint=os.path.join(tmp_path, same), max_iterations=7
            )
        (tmp_path / "text.gkt").write_text("no checkpoint")
        genten.cp(titanic, 2, **{**first, "checkpoint": tmp_path / "text.gkt"})
    assert more.iterations == 6
    with pytest.warns(UserWarning, match=said):
        genten.choose_rank(titanic, [1], starts=2, checkpoint=file)


@pytest.mark.parametrize("more", [{"kernel": "permuted"}, {"loss": "poisson"}])
def test_starts_that_a_lower_limit_has_ended_stay_as_they_were(titanic, tmp_path, more):
    more = {**more, "tolerance": 0, "checkpoint": tmp_path / "run.gkt"}
    first = genten.cp(titanic, 3, starts=3, max_iterations=4, **more)
    assert not [each for each in first.warnings if "stay as they were" in each]
    r = genten.cp(titanic, resume=tmp_path / "run.gkt", max_iterations=9)
    assert [start.iterations for start in r.starts] == [4, 4, 9]
    assert (
        "2 starts stay as they were when a lower iteration limit ended them: a resumed run goes on "
        "with the start in hand and those that follow." in r.warnings
    )


def test_starts_that_take_turns_go_on_together_with_a_higher_limit(titanic, tmp_path):
    more = {"tolerance": 0, "starts": 3}
    genten.cp(titanic, 3, max_iterations=4, checkpoint=tmp_path / "run.gkt", **more)
    r = genten.cp(titanic, resume=tmp_path / "run.gkt", max_iterations=9)
    assert [start.iterations for start in r.starts] == [9, 9, 9]
    assert not [each for each in r.warnings if "stay as they were" in each]
    assert equal_models(r.model, genten.cp(titanic, 3, max_iterations=9, **more).model)


def test_results_know_their_tensor(titanic):
    facts = genten.cp(titanic, 2, dtype="float32").tensor_facts
    assert (facts["file"], facts["shape"], facts["nnz"]) == (str(TITANIC), (4, 2, 2, 2), 24)
    assert facts["norm"] == pytest.approx(titanic.norm) and facts["density"] == 0.75
    assert facts["dtype"] == "float64" and facts["read_options"] == {}
    assert "file" not in genten.cp(titanic.to_coo(), 2).tensor_facts
    again = pickle.loads(pickle.dumps(genten.read(TITANIC, header="auto")))
    assert genten.cp(again, 2).tensor_facts["read_options"] == {"header": "auto"}


def test_a_report_says_the_tensor_without_having_it(titanic, tmp_path):
    pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
    r = genten.cp(titanic, 2, starts=3, callback=at(1, 1), kernel="permuted")
    r.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "24 (75% of all entries)" in page and "titanic.tns" in page and "2 of 3" in page
    assert "The run was stopped in start 2 of 3" in page


def test_comparing_results_raises_nothing(titanic):
    r, s = genten.cp(titanic, 2), genten.cp(titanic, 2)
    for one, other in ((r, s), (r.history, s.history), (r.starts[0], s.starts[0])):
        assert one == one and one != other and len({one, other}) == 2


def test_the_tensor_of_a_report_may_be_a_path_or_an_array(titanic, tmp_path):
    pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
    model = genten.cp(titanic, 2).model
    for data in (TITANIC, str(TITANIC), titanic.to_coo()):
        model.report(tmp_path / "m.html", tensor=data)
        assert "1 to 670, whole numbers" in (tmp_path / "m.html").read_text(encoding="utf-8")
    with pytest.raises(FileNotFoundError) as caught:
        model.report("/nonexist/r.html")
    assert caught.value.filename == "/nonexist/r.html"


def test_starts_keep_their_models_where_that_is_asked_for(titanic):
    r = genten.cp(titanic, 3, seed=1, starts=3, keep_starts=True)
    for start in r.starts:
        alone = genten.cp(titanic, 3, seed=start.seed)
        assert equal_models(start.model, alone.model) and start.model.labels == r.model.labels
    assert r.starts[r.best_start].model is r.model
    without = genten.cp(titanic, 3, seed=1, starts=3)
    assert [start.model is None for start in without.starts].count(True) == 2
    assert without.starts[without.best_start].model is without.model
    assert "keep_starts" not in r.options and "model" not in repr(r.starts[0])
    assert equal_models(pickle.loads(pickle.dumps(r)).starts[1].model, r.starts[1].model)
    stopped = genten.cp(titanic, 3, starts=3, callback=at(1, 2), keep_starts=True)
    as_far = genten.cp(titanic, 3, seed=2, max_iterations=2, tolerance=0)
    assert equal_models(stopped.starts[1].model, as_far.model)


def test_starts_that_a_resumed_run_has_not_seen_have_no_model(titanic, tmp_path):
    file = tmp_path / "run.gkt"
    genten.cp(titanic, 3, starts=3, checkpoint=file, callback=at(1, 2), kernel="permuted")
    r = genten.cp(titanic, resume=file, keep_starts=True)
    kept = [start.model is not None for start in r.starts]
    assert kept == [r.best_start == 0, True, True]


def test_an_estimator_that_is_interrupted_ends_searches(titanic):
    def interrupt(_):
        raise KeyboardInterrupt

    found = genten.CP(2, seed=1, callback=interrupt)
    with pytest.raises(KeyboardInterrupt, match="^fit: model_ and result_ are those of the best"):
        found.fit(titanic)
    assert found.result_.stopped_early == "interrupted" and found.model_.rank == 2
    with pytest.raises(KeyboardInterrupt):
        found.fit_transform(titanic)
    assert genten.CP(2, seed=1, callback=lambda _: True).fit(titanic).model_.rank == 2
