# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that begin at a model without the options of its run, and messages that name these."""

import re
import warnings

import numpy as np
import pytest

import genten

ROOM = np.random.default_rng(4)
COUNTS = ROOM.poisson(3.0, (6, 5, 4)).astype(float)
RUNS = {
    "loss='poisson'": {"loss": "poisson"},
    "loss='huber', loss_parameter=0.5": {"loss": "huber", "loss_parameter": 0.5},
    "nonnegative=True": {"nonneg": True},
    "nonnegative=[1]": {"nonnegative": [1]},
    "lower=0, upper=[5, float('inf'), 5]": {"lower": 0.0, "upper": [5, np.inf, 5]},
    "ridge=0.1, solver='gcp'": {"ridge": 0.1, "solver": "gcp"},
    "nonnegative=True, missing='unlisted'": {"nonnegative": True, "missing": "unlisted"},
}


def typed(text, **more):
    """What the message says, as its reader types it."""
    said = re.search(r"was made with (.*), and this run", text)
    return eval(f"genten.cp(COUNTS, init=model, {said[1]})", {**globals(), **more})  # noqa: S307


@pytest.mark.parametrize("said", RUNS)
@pytest.mark.parametrize("way", ["model", "result", "file"])
def test_options_of_the_run_of_a_guess(said, way, tmp_path):
    r = genten.cp(COUNTS, 2, seed=1, **RUNS[said])
    r.model.save(tmp_path / "m.gkt")
    init = {"model": r.model, "result": r, "file": tmp_path / "m.gkt"}[way]
    these = "these" if "=" in said.partition("=")[2] else "this"
    with pytest.warns(UserWarning, match=f"this run is without: add {these} to go on") as found:
        genten.cp(COUNTS, init=init)
    text = str(found[0].message)
    assert f" was made with {said}, and " in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "missing: 3 of 120 elements of the dense array are 0")
        again = typed(text, model=init)
    assert again.objective <= r.objective + 1e-6 * abs(r.objective)


def test_options_that_are_given_are_not_told_of():
    of_counts = genten.cp(COUNTS, 2, seed=1, loss="poisson", ridge=0.1)
    listed = genten.cp(COUNTS, 2, missing=[(0, 0, 0), (1, 1, 1)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.cp(COUNTS, init=of_counts, loss="gaussian", ridge=0)
        genten.cp(COUNTS, init=listed, missing=[(0, 0, 0)])
        genten.cp(COUNTS, init=genten.cp(COUNTS, 2, seed=1))
        genten.cp(COUNTS, init=genten.cp(COUNTS, 2, nonnegative=True), loss="poisson")
        genten.cp(COUNTS, init=of_counts.model.factors)
        genten.cp_als(COUNTS, 2, init=of_counts.model, ridge=0, printitn=0)
    with pytest.warns(UserWarning, match="made with missing=entries, .*; entries are those that"):
        genten.cp(COUNTS, init=listed)


def test_ways_to_fit_again_name_the_options_of_the_run():
    model = genten.cp(COUNTS + 1, 2, loss="gamma", missing="unlisted").model
    way = "genten.cp(..., loss='gamma', missing='unlisted', init=model)"
    for data in (COUNTS + 1, genten.tensor(COUNTS + 1)):
        with pytest.raises(ValueError, match=re.escape(way)):
            model.update(data, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.cp(COUNTS + 1, loss="gamma", missing="unlisted", init=model)
