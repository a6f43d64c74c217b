# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`genten.cp` with loss="poisson"."""

import re
import warnings

import numpy as np
import pytest

import genten

from conftest import DATA


@pytest.fixture
def admissions():
    return genten.read(DATA / "ucb-admissions" / "ucb-admissions.tns")


def test_known_answers(titanic, admissions):
    assert genten.cp(titanic, 1, loss="poisson").objective == pytest.approx(
        -8966.0155137973, abs=1e-8
    )
    r = genten.cp(admissions, 2, loss="poisson", tolerance=1e-7, max_iterations=5000)
    assert r.objective == pytest.approx(-20341.3908128407, abs=1e-6)
    assert r.model.weights == pytest.approx([2794.268177, 1731.731823], abs=1e-2)
    assert r.model.weights.sum() == pytest.approx(4526)
    assert all((factor >= 0).all() for factor in r.model.factors)
    assert r.kkt_violation < 1e-7 and r.deviance > 0 and r.inner_iterations > 0
    assert r.options["loss"] == "poisson" and r.options["max_iterations"] == 5000
    assert (np.diff(r.history.objective) <= 1e-9 * np.abs(r.history.objective[0])).all()


def test_defaults_are_those_of_the_loss(titanic):
    assert genten.cp(titanic, 1, loss="poisson").options["max_iterations"] == 1000
    r = genten.cp(titanic, 1)
    assert r.options["max_iterations"] == 100 and r.options["loss"] == "gaussian"
    assert r.deviance is None and r.inner_iterations is None


def test_what_it_says(titanic):
    r = genten.cp(titanic, 2, loss="poisson")
    assert "deviance" in repr(r) and "hold to within" in repr(r) and "of the norm" not in repr(r)
    assert not any("below 0" in warning for warning in r.warnings)
    short = genten.cp(titanic, 2, loss="poisson", max_iterations=2)
    assert any("iteration limit" in warning for warning in short.warnings)


def test_starts_and_callbacks(titanic):
    seen = []
    r = genten.cp(titanic, 3, loss="poisson", starts=3, seed=4, max_iterations=5, tolerance=0,
                  callback=lambda it: seen.append((it.start, it.objective)), keep_starts=True)
    assert [start for start, _ in seen] == [0] * 5 + [1] * 5 + [2] * 5
    assert r.objective == min(start.objective for start in r.starts)
    assert all(start.model is not None for start in r.starts)


def test_a_run_goes_on(titanic, tmp_path):
    path = tmp_path / "c.gkt"
    whole = genten.cp(titanic, 3, loss="poisson", max_iterations=12, tolerance=0)
    genten.cp(titanic, 3, loss="poisson", max_iterations=5, tolerance=0, checkpoint=path)
    resumed = genten.cp(titanic, resume=path, max_iterations=12)
    assert resumed.options["loss"] == "poisson" and resumed.iterations == 12
    for mine, other in zip(resumed.model.factors, whole.model.factors):
        assert (mine == other).all()
    with pytest.raises(ValueError, match="loss: expected that of the checkpoint, 'poisson'"):
        genten.cp(titanic, resume=path, loss="gaussian")


def test_what_cannot_be(titanic):
    with pytest.raises(ValueError, match="loss: expected 'gaussian', .* or 'beta', got 'x'"):
        genten.cp(titanic, 2, loss="x")
    with pytest.raises(TypeError, match="steps: has no effect beside loss='poisson' with ridge"):
        genten.cp(titanic, 2, loss="poisson", ridge=1, steps="newton")
    with pytest.raises(TypeError, match="kappa: has no effect beside loss='gaussian'"):
        genten.cp(titanic, 2, kappa=1)
    with pytest.raises(TypeError, match="loss"):
        genten.cp_als(titanic, 2, loss="poisson")
    negative = genten.tensor((np.array([[0, 0], [1, 1]]), np.array([1.0, -1.0]), (2, 2)))
    with pytest.raises(ValueError, match="counts must not be negative; 1 value is, .* is -1"):
        genten.cp(negative, 1, loss="poisson")
    with pytest.raises(ValueError, match="none of them negative"):
        genten.cp(titanic, loss="poisson", init=[np.full((n, 1), -1.0) for n in titanic.shape])


def test_known_counts_without_zeros_beside_a_model_are_told():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    factors = [rng.gamma(0.5, 1, (n, 2)) for n in (20, 15, 9)]
    counts = rng.poisson(np.einsum("ir,jr,kr->ijk", *factors))
    rows = np.argwhere(counts)
    table = pandas.DataFrame(rows, columns=["user", "item", "week"]).astype(str)
    table = table.assign(n=counts[tuple(rows.T)])
    model = genten.cp(genten.tensor(table, values="n"), 2, seed=1, loss="poisson").model
    told = rf"none of {len(rows)} known counts is 0, so that they tell .* missing='unlisted' out$"
    for what in ("evaluate", "project_rows"):
        mode = {"mode": "week"} if what == "project_rows" else {}
        with pytest.warns(UserWarning, match=f"^{what}: {told}"):
            getattr(model, what)(table, missing="unlisted", **mode)
    plain = genten.cp(counts, 2, seed=1, loss="poisson").model
    for given, said in ((counts, "missing: .* of the dense array"), (genten.tensor(counts), told)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            plain.evaluate(given, missing="unlisted")
        assert len(caught) == 1 and re.search(said, str(caught[0].message))
    ones = genten.cp(genten.tensor(table.assign(n=1), values="n"), 2, seed=1).model
    with pytest.warns(UserWarning, match=f"^evaluate: {told}"):
        ones.evaluate(table.assign(n=1), missing="unlisted")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.evaluate(table)
        model.evaluate(table[:90], missing="unlisted")  # of few nobody can tell
        ones.evaluate(table.assign(n=table.n + 1.5), missing="unlisted")
    run = {"seed": 1, "loss": "poisson", "missing": "unlisted"}
    known = genten.cp(genten.tensor(table, values="n"), 2, **run)
    assert "no_zeros" in [note.code for note in known.notes]
    with pytest.warns(UserWarning, match="^evaluate: zeros that are not listed are not "):
        known.model.evaluate(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # The run has told of it.
        known.model.project_rows(table, "week", missing="unlisted")


def test_nonnegative_is_what_they_are(titanic):
    plain = genten.cp(titanic, 2, loss="poisson", max_iterations=5, tolerance=0)
    asked = genten.cp(titanic, 2, loss="poisson", nonneg=True, max_iterations=5, tolerance=0)
    assert asked.model == plain.model


def test_the_docstring_names_what_is_for_counts():
    assert "kappa : float, default: 0.01" in genten.cp.__doc__
    assert "Of the solver 'apr': " in genten.cp.__doc__


def test_options_of_other_steps_are_refused(titanic):
    refused = "kappa: has no effect beside Newton's steps without init: steps='multiplicative' "
    with pytest.raises(TypeError, match=refused):
        genten.cp(titanic, 2, loss="poisson", steps="newton", kappa=1.0, max_iterations=3)
    run = {"loss": "poisson", "kappa": 1.0, "max_iterations": 3}
    r = genten.cp(titanic, 2, steps="multiplicative", **run)
    assert r.options["kappa"] == 1.0
    guess = [np.eye(n, 2) for n in titanic.shape]  # 0 where there are counts
    r = genten.cp(titanic, init=guess, steps="newton", **run)
    assert r.options["kappa"] == 1.0 and "lifted_zeros" in [note.code for note in r.notes]
    other = genten.cp(titanic, init=guess, steps="newton", **run | {"kappa": 0.1})
    assert other.history["objective"][0] != r.history["objective"][0]


def test_a_test_part_of_links_has_ones_and_zeros():
    """Rows of a table of links are counted, and what is held out says of each whether there is
    one."""
    pandas = pytest.importorskip("pandas")
    links = pandas.DataFrame(
        [(f"d{i}", f"t{j}", f"s{k}") for i in range(8) for j in range(6) for k in range(5)
         if (i * j + k) % 4 == 0],
        columns=["drug", "target", "disease"],
    )  # fmt: skip
    held = links[::6]
    model = genten.cp(links.drop(held.index), 2, loss="bernoulli-poisson", seed=1).model
    zeros = held.assign(disease=held.disease.iloc[::-1].to_numpy(), link=0)
    test = pandas.concat([held.assign(link=1), zeros]).drop_duplicates(list(links))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = model.evaluate(genten.tensor(test, values="link"), missing="unlisted")
    assert not [each for each in told if "rows were counted" in str(each.message)]
    assert found.listed.entries == len(test) and found.listed.auc == found.listed.auc
