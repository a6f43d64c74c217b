# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is said of entries that meet a model which was made before."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")

COLUMNS = ["station", "hour", "day"]


def degrees(days, keep=lambda *_: True):
    """A table of temperatures, some of which may be left out."""
    places = [p for p in itertools.product(range(6), range(8), days) if keep(*p)]
    names = [[f"{column[0]}{i}" for column, i in zip(COLUMNS, place)] for place in places]
    values = 15 + np.random.default_rng(1).random(len(places))
    return pandas.DataFrame(names, columns=COLUMNS).assign(degrees=values.round(3))


@pytest.fixture(scope="module")
def model():
    return genten.cp(genten.tensor(degrees(range(8)), values="degrees"), 1, seed=1).model


def told(ask):
    """What warnings say."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ask()
    return [str(each.message) for each in said]


WAYS = {
    "project_rows": lambda m, X, **how: m.project_rows(X, mode="day", **how),
    "update": lambda m, X: m.update(X, mode="day"),
    "Stream": lambda m, X: genten.Stream(m, mode="day").update(X),
}


@pytest.mark.parametrize("way", WAYS)
def test_gaps_that_count_as_zeros(way, model):
    gaps = degrees(range(8, 12), lambda s, h, d: (s + h + d) % 3)
    some, = (each for each in told(lambda: WAYS[way](model, gaps)) if "far from zero" in each)
    assert some.startswith(f"{way}: 64 of 192 entries are not listed and count as zeros, ")
    if way == "project_rows":
        assert some.endswith(": if they are unknown, missing='unlisted' leaves them out")
        assert told(lambda: WAYS[way](model, gaps, missing="unlisted")) == []
    else:
        assert some.endswith("missing='unlisted' of genten.cp leaves them out")
    assert told(lambda: WAYS[way](model, degrees(range(8, 12)))) == []


def test_a_part_is_told_of_once(model):
    part = degrees(range(8), lambda s, h, d: (s + h + d) % 3)
    some, = told(lambda: model.evaluate(part))
    assert "are far from zero: if they are unknown, missing='unlisted' leaves them out" in some
    assert told(lambda: model.evaluate(part, missing="unlisted")) == []
    assert told(lambda: model.evaluate(degrees(range(8)))) == []


def test_placeholders_sums_and_slips(model):
    new, known = degrees(range(8, 12)), degrees(range(8))
    for change, note in (
        (lambda X: X.assign(degrees=X.degrees.where(X.index > 1, -999.0)),
         "2 of {} values are -999 and far from all others"),
        (lambda X: pandas.concat([X, X[:150]]),
         "150 entries lie at the same subscripts as others, and sums are taken for values"),
        (lambda X: X.assign(degrees=X.degrees.where(X.index > 0, 1e6)),
         "one of {} values, 1e+06, holds 99.99 % of the sum of squares"),
    ):  # fmt: skip
        of_new, of_known = (note.format(len(each)) for each in (new, known))
        for ask in WAYS.values():
            assert sum(of_new in each for each in told(lambda: ask(model, change(new)))) == 1
        assert sum(of_known in each for each in told(lambda: model.evaluate(change(known)))) == 1


def test_sums_take_the_rule_of_the_model(model):
    twice = pandas.concat([degrees(range(8, 12))] * 2)
    some, = told(lambda: model.project_rows(twice, mode="day"))
    assert "; the tensor of the model's run takes the same" in some
    of_means = genten.tensor(degrees(range(8)), values="degrees", duplicates="mean")
    again = genten.cp(of_means, 1, seed=1).model  # as the warning says
    assert told(lambda: again.project_rows(twice, mode="day")) == []
