# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Input that looks like something else: subscripts like a dense array, ids like values, tensors
like entries, and runs like what others draw."""

import re
import warnings

import numpy as np
import pytest

import genten

SUBSCRIPTS = np.unique(np.random.default_rng(4).integers(0, (9, 8, 7), (90, 3)), axis=0)
VALUES = np.arange(1.0, len(SUBSCRIPTS) + 1)


def test_subscripts_without_values_are_told():
    for array, lines, subs in (
        (SUBSCRIPTS, "rows", "subs"), (SUBSCRIPTS.T, "columns", "subs.T"),
        (SUBSCRIPTS.astype(np.uint8), "rows", "subs"),
    ):  # fmt: skip
        told = f"{lines} are the subscripts of nonzeros, give genten.tensor(({subs}, values, shape"
        with pytest.warns(UserWarning, match=re.escape(told)):
            genten.cp(array, 3, max_iterations=2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            genten.tensor(array.astype(float))


def test_events_without_values_are_told():
    rng = np.random.default_rng(3)
    few = rng.integers(0, (9, 8, 7), (400, 3))
    popular = np.minimum(rng.geometric(0.1, (100, 3)), 30)
    for events in (few, few.T, popular, np.concatenate([SUBSCRIPTS, SUBSCRIPTS[:3]])):
        with pytest.warns(UserWarning, match="events, of which equal ones are added up") as told:
            genten.tensor(events)
        (call,) = re.findall(r"give (genten.tensor\(.*?\)); if not", str(told[0].message))
        scope = {"genten": genten, "numpy": np, "subs": events}
        assert eval(call, scope).sum() == max(events.shape)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            genten.tensor(events.astype(float))


@pytest.mark.filterwarnings("error")
def test_counts_are_no_subscripts():
    counts = np.random.default_rng(5).poisson(0.5, (200, 4))  # with equal rows
    for dense in (counts, counts.T, counts[:12], counts - 1, np.arange(60).reshape(3, 4, 5),
                  np.arange(400).reshape(20, 20)):
        genten.tensor(dense)


def test_subscripts_of_a_row_a_mode():
    with pytest.raises(ValueError, match=r"array of \d+ x N, .* got 3 x \d+: give subscripts.T,"):
        genten.tensor((SUBSCRIPTS.T, VALUES))
    assert genten.tensor((list(SUBSCRIPTS.T), VALUES)) == genten.tensor((SUBSCRIPTS, VALUES))


def test_what_is_no_list_of_entries():
    X = genten.tensor((SUBSCRIPTS, VALUES))
    model = genten.cp(X, 1).model
    with pytest.raises(TypeError, match="^predict: expected subscripts.*, got <object object .*>$"):
        model.predict(object())
    pyttb = pytest.importorskip("pyttb")
    theirs = pyttb.sptensor(SUBSCRIPTS, VALUES[:, None], X.shape)
    with pytest.raises(TypeError) as caught:
        model.predict(theirs)
    assert len(str(caught.value)) < 200 and str(caught.value).endswith("; give its .subs")
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match=r"give its .to_pandas\(\)$"):
        model.predict(pyarrow.array([0, 0, 0]))
    assert len(model.predict(pyarrow.table({"a": [0], "b": [0], "c": [0]}))) == 1
    for entry in ([0, 1, 2], (0, 1, 2), np.array([0, 1, 2])):
        with pytest.raises(ValueError, match=r"a row of 3 subscripts for each entry, got an array"):
            model.predict(entry)
    with pytest.raises(TypeError) as caught:
        genten.cp(SUBSCRIPTS.astype(float), VALUES)
    assert len(str(caught.value)) < 200


def test_keywords_that_are_none():
    X = genten.tensor((SUBSCRIPTS, VALUES))
    for said, use in {
        r"cp: unexpected keyword 'tolernce'; did you mean 'tolerance'\? help\(genten.cp\) tells of":
            lambda: genten.cp(X, 1, tolernce=1),
        r"unexpected keyword 'valeus'; did you mean 'values'\? help\(genten.read\) tells of all":
            lambda: genten.read("x", valeus="n"),
        r"tucker: .*'max_iterations'\? help\(genten.tucker\) tells": lambda: genten.tucker(
            X, (1, 1, 1), maxiters=1),
        "top: unexpected keyword 'foo'; its keywords are component, k, mode": lambda: genten.cp(
            X, 1, max_iterations=1).model.top(foo=1),
    }.items():  # fmt: skip
        with pytest.raises(TypeError, match=said) as caught:
            use()
        assert len(str(caught.value)) < 160


def test_pictures_of_something_else():
    plots = pytest.importorskip("genten.plots")
    r = genten.cp(genten.tensor((SUBSCRIPTS, VALUES)), 1)
    for picture, given, expected in (
        (plots.plot_ranks, r, "plot_ranks: expected what genten.choose_rank returns, got Result"),
        (plots.plot_result, r.model, "plot_result: expected what genten.cp returns, got Model"),
        (plots.plot_tucker, r, "plot_tucker: expected a TuckerModel or its result, got Model"),
        (plots.plot_starts, r.model, "plot_starts: expected a sequence of results or models, or"),
    ):
        with pytest.raises(TypeError, match=expected):
            picture(given)


def test_starts_are_told_by_their_places():
    r = genten.cp(genten.tensor((SUBSCRIPTS, VALUES)), 1, starts=3)
    assert f"start {r.best_start + 1} of 3, which is starts[{r.best_start}], is the best" in repr(r)
