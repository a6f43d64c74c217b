# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Seeds that are drawn are told of, and those of generators of NumPy are theirs."""

import re

import numpy as np
import pytest
from conftest import equal_models, run_python

import genten

GENERATORS = (np.random.default_rng, np.random.RandomState)


def test_a_random_seed_is_recorded(titanic):
    runs = [genten.cp(titanic, 2, seed=None, max_iterations=3) for _ in range(3)]
    seeds = [r.options["seed"] for r in runs]
    assert len(set(seeds)) > 1 and all(0 <= seed < 2**32 for seed in seeds)
    for r in runs:
        again = genten.cp(titanic, 2, seed=r.options["seed"], max_iterations=3)
        assert equal_models(again.model, r.model)
    assert genten.cp(titanic, 2, max_iterations=1).options["seed"] == 1


@pytest.mark.parametrize("make", GENERATORS)
def test_seeds_are_drawn_from_generators(titanic, make):
    generator = make(5)
    first, second = (genten.cp(titanic, 2, seed=generator, max_iterations=2) for _ in range(2))
    assert first.options["seed"] != second.options["seed"]
    again = genten.cp(titanic, 2, seed=make(5), max_iterations=2)
    assert again.options["seed"] == first.options["seed"]
    assert equal_models(again.model, first.model)
    info = genten.cp_als(titanic, 2, seed=make(5), maxiters=2, printitn=0)[2]
    assert info["result"].options["seed"] == first.options["seed"]


def test_of_other_losses_and_of_cp_als(titanic):
    for more in ({"loss": "poisson"}, {"missing": "unlisted"}):
        r = genten.cp(titanic, 2, seed=np.random.default_rng(8), max_iterations=2, **more)
        assert r.options["seed"] == int(np.random.default_rng(8).integers(2**32))
    drawn = [
        genten.cp_als(titanic, 2, seed=None, maxiters=1, printitn=0)[2]["result"].options["seed"]
        for _ in range(3)
    ]
    assert len(set(drawn)) > 1


def test_nothing_is_drawn_where_nothing_is_random(titanic, tmp_path):
    guess = genten.cp(titanic, 2, max_iterations=1).model
    r = genten.cp(titanic, init=guess, seed=None, max_iterations=1, checkpoint=tmp_path / "c.gkt")
    assert r.iterations == 1
    random = genten.cp(titanic, 2, seed=3, max_iterations=1, checkpoint=tmp_path / "d.gkt")
    resumed = genten.cp(titanic, resume=tmp_path / "d.gkt", seed=None, max_iterations=2)
    assert resumed.options["seed"] == random.options["seed"] == 3
    with pytest.raises(TypeError, match="seed: has no effect beside an initial guess"):
        genten.cp(titanic, init=guess, seed=np.random.default_rng(1))
    with pytest.raises(TypeError, match="seed: expected a whole number"):
        genten.cp(titanic, 2, seed="one")


def test_pictures_are_there_when_they_are_asked_for():
    pytest.importorskip("matplotlib")
    out = run_python(
        """
        import sys
        import genten
        assert not {"matplotlib", "jinja2", "pandas", "scipy"} & set(sys.modules)
        assert {"plots", "report", "cp"} <= set(dir(genten))
        print(genten.plots.plot_model.__name__, genten.plots is sys.modules["genten.plots"])
        """
    )
    assert out.split() == ["plot_model", "True"]


@pytest.mark.parametrize("kind", [np.random.SeedSequence, np.random.PCG64])
def test_what_generators_are_made_of(kind):
    X, seed = np.arange(12.0).reshape(2, 3, 2), kind(7)
    for call in (
        lambda seed: genten.cp(X, 1, seed=seed),
        lambda seed: genten.tucker(X, (1, 1, 1), method="hooi", init="random", seed=seed),
        lambda seed: genten.CP(1, seed=seed).fit(X),
        lambda seed: genten.choose_rank(X, [1], seed=seed),
        lambda seed: genten.cp_als(X, 1, seed=seed, printitn=0),
    ):
        with pytest.raises(TypeError, match=f"^seed: .*, got a {kind.__name__}; ") as e:
            call(seed)
        call(eval(re.search(r"; (numpy\S+) makes", str(e.value))[1], {"numpy": np, "seed": seed}))
