# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports and pictures of runs that seek something else than the fit: of counts, under constraints,
with missing entries. Each sentence is one that is true of that run, from Python and from the
tool."""

import os
import re
import shlex
import subprocess

import numpy as np
import pytest

pytest.importorskip("genten._core", reason="the extension is not built")
pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from conftest import DATA, equal_models
from page import Page

import genten
from genten.reports import read_recorded, render_report

TOOL = os.environ.get("GENTEN_TOOL")
TITANIC = str(DATA / "titanic" / "titanic.tns")
ADMISSIONS = str(DATA / "ucb-admissions" / "ucb-admissions.tns")
OF_LEAST_SQUARES = (
    "the fit changed by less", "before the fit had settled", "Change of the fit", "best fit",
    "Weights larger than the data",
)  # fmt: skip


@pytest.fixture(scope="module")
def ratings(tmp_path_factory):
    """A file of noisy ratings, few of them, and none of one row."""
    rng = np.random.default_rng(2)
    whole = np.einsum("ir,jr,kr->ijk", *(rng.random((n, 2)) for n in (60, 40, 12)))
    whole += 0.3 * rng.standard_normal(whole.shape)
    known = rng.random(whole.shape) < 0.05
    known[7] = False
    path = tmp_path_factory.mktemp("ratings") / "ratings.tns"
    genten.tensor((np.argwhere(known), np.round(1 + 4 * whole[known]), whole.shape)).save(path)
    return str(path)


@pytest.fixture(scope="module")
def crew(tmp_path_factory):
    """A file of entries that cannot be."""
    path = tmp_path_factory.mktemp("crew") / "no-crew.txt"
    path.write_text("".join(f"4 {sex} 1 {lost} 1\n" for sex in (1, 2) for lost in (1, 2)))
    return str(path)


def of_tool(folder, *words):
    """The result of a run of the tool, as a report takes it."""
    if not TOOL:
        pytest.skip("GENTEN_TOOL does not name the tool")
    model, record = folder / "m.gkt", folder / "r.json"
    words = [TOOL, "decompose", *words, "--quiet", "-o", model, "--json", record]
    subprocess.run(words, check=True)
    return read_recorded(record, genten.load(model))


def lines_of(page):
    """The lines of the code in a page."""
    code = re.search(r"<pre><code>(.*?)</code>", page, re.DOTALL)[1]
    return code.replace("&#39;", "'").replace("&#34;", '"').replace("&gt;", ">")


def run_again(result, folder):
    """The model that the report's own lines make."""
    lines = lines_of(render_report(result))
    if lines.lstrip("# ").startswith("genten decompose"):
        words = shlex.split(lines, comments=True)
        subprocess.run([TOOL, *words[1:], "--quiet", "-o", folder / "n.gkt"], check=True)
        return genten.load(folder / "n.gkt")
    scope = {}
    exec(lines, scope)
    return scope["r"].model


def said(result):
    page = Page(render_report(result, date=""))
    for sentence in OF_LEAST_SQUARES:
        assert sentence not in page.text, sentence
    return page


def facts_of(page):
    return dict(zip(page.texts("dt"), page.texts("dd"), strict=True))


@pytest.mark.parametrize("tool", [False, True])
def test_counts(tool, tmp_path):
    if tool:
        words = [ADMISSIONS, "--rank", "2", "--loss", "poisson", "--starts", "3"]
        result = of_tool(tmp_path, *words)
    else:
        result = genten.cp(genten.read(ADMISSIONS), 2, loss="poisson", starts=3)
    page = said(result)
    facts = facts_of(page)
    assert facts["Method"].endswith("Poisson's distribution (CP-APR)")
    assert facts["Tolerance"] == "0.0001, of the KKT violation"
    assert facts["Ended"] == "converged: the KKT violation was below the tolerance"
    assert facts["Objective"].startswith("−20341.39") and "343.6" in facts["Deviance"]
    assert facts["Kernel"] == "per-row normal equations" and "MTTKRP kernel" not in facts
    assert float(facts["KKT violation"].replace("−", "-")) < 1e-4
    captions = page.texts("figcaption")
    assert captions == [
        "All components", "Objective by iteration", "Objective by time", "KKT violation"
    ]  # fmt: skip
    assert "the deviance from the data is 343.6" in page.text and "columns add up to 1" in page.text
    assert "3 of 3 starts ended within" in page.text and "least objective, −20341.39" in page.text
    assert "Nothing suspicious was found" in page.text and "redundant" not in page.text
    assert equal_models(run_again(result, tmp_path), result.model)


@pytest.mark.parametrize("tool", [False, True])
def test_constraints(tool, tmp_path):
    if tool:
        words = [TITANIC, "--rank", "3", "--nonnegative", "all", "--starts", "3"]
        result = of_tool(tmp_path, *words)
    else:
        result = genten.cp(genten.read(TITANIC), 3, nonnegative=True, starts=3)
    page = said(result)
    facts = facts_of(page)
    assert facts["Constraints"] == "nonnegative" and facts["Objective"].startswith("656.1")
    assert facts["KKT violation"].endswith("of the norm")
    assert facts["Ended"].startswith("converged: the objective changed by less than the tolerance")
    assert page.texts("figcaption") == [
        "All components", "Fit by iteration", "Fit by time", "Objective by iteration",
        "Change of the objective", "KKT violation",
    ]  # fmt: skip
    assert {"Objective", "Relative change", "KKT violation"} <= set(page.texts("th"))
    assert "of the least objective, 656.1" in page.text
    assert equal_models(run_again(result, tmp_path), result.model)


@pytest.mark.parametrize("tool", [False, True])
def test_held_out_entries(tool, ratings, tmp_path):
    if tool:
        words = [ratings, "--rank", "3", "--missing", "unlisted", "--holdout", "0.15", "--ridge"]
        result = of_tool(tmp_path, *words, "0.3", "--starts", "3", "--patience", "10")
        held, chosen, empty = result.holdout, result.returned_iteration, result.empty_rows
        rmse, entries = held["rmse"], held["entries"]
    else:
        X = genten.read(ratings)
        result = genten.cp(X, 3, missing="unlisted", holdout=0.15, ridge=0.3, starts=3, patience=10)
        rmse, entries = result.holdout.rmse, result.holdout.entries
        chosen = result.completion["returned_iteration"]
        empty = result.completion["empty_rows"]
    assert 0 < chosen < result.iterations and empty == 1
    page = said(result)
    facts = facts_of(page)
    assert facts["Held-out RMSE"] == f"{rmse:.4g}"
    assert facts["Missing entries"].startswith("all that")
    assert facts["Held out"].startswith(f"{entries} entries, ")
    assert facts["Zero rows"] == "1, of which no entry counts" and "Nonzeros" not in facts
    ended = "held-out error falls no more: not by a ten-thousandth in 10 iterations"
    assert facts["Ended"] == ended
    later = result.iterations - chosen
    assert (
        f"The model is that of iteration {chosen} of {result.iterations} since its error over "
        f"held-out entries is the least: RMSE {rmse:.4g}. In the {later} iterations after it that "
        "error was not smaller."
    ) in page.text
    errors = np.asarray(result.history["holdout_rmse"])
    assert errors[chosen - 1] == errors.min() == rmse
    assert f"Over {entries} entries that it was not fitted to" in page.text
    assert "the sum of squares of the entries that count" in page.text
    assert "Held-out RMSE by iteration" in page.texts("figcaption")
    marks = [circle for circle in page.all("circle") if circle.get("class") == "mark"]
    assert len(marks) == 4  # Wherever the course of the fit, of the error or the objective is.
    assert {"Held-out RMSE", "Held-out MAE"} <= set(page.texts("th"))
    assert "of the least held-out RMSE" in page.text
    assert equal_models(run_again(result, tmp_path), result.model)


@pytest.mark.parametrize("tool", [False, True])
def test_entries_that_cannot_be(tool, crew, tmp_path):
    if tool:
        words = [TITANIC, "--rank", "2", "--missing", crew, "--tolerance", "0.001"]
        result = of_tool(tmp_path, *words)
    else:
        missing = genten.read(crew, dimensions=[4, 2, 2, 2])
        result = genten.cp(genten.read(TITANIC), 2, missing=missing, tolerance=1e-3)
    page = said(result)
    facts = facts_of(page)
    assert facts["Entries that count"] == "28 (87.5% of all entries)"
    assert facts["Missing entries"] == f"those of {crew}" and "Nonzeros" in facts
    assert "Held-out RMSE" not in facts and "held-out" not in page.text
    assert "of the entries that count" in facts["Norm"]
    assert equal_models(run_again(result, tmp_path), result.model)


def test_missing_entries_of_no_file_are_named_in_the_lines(titanic):
    entries = np.array([[3, 0, 0, 0]])
    result = genten.cp(titanic, 2, missing=entries, max_iterations=3)
    lines = lines_of(render_report(result))
    assert "# missing: the subscripts of the missing entries" in lines
    scope = {"missing": result.options["missing"]}
    exec(lines, scope)
    assert equal_models(scope["r"].model, result.model)


def test_pictures_of_starts_go_by_what_they_are_compared_by(titanic, ratings):
    plots = pytest.importorskip("genten.plots", reason='pictures need pip install "genten[plot]"')
    options = {"missing": "unlisted", "holdout": 0.15, "ridge": 0.3}
    X = genten.read(ratings)
    r = genten.cp(X, 3, starts=3, keep_starts=True, **options)
    best = f"seed {r.starts[r.best_start].seed}"
    assert max(start.fit for start in r.starts) > r.fit  # The best one is not the closest one.
    without = genten.cp(X, 3, starts=3, **options)
    alone = [genten.cp(X, 3, seed=seed, **options) for seed in (1, 2, 3)]
    for runs in (r, without, alone):
        axes = plots.plot_starts(runs).axes[0]
        assert axes.get_title() == "held-out RMSE"
        assert axes.get_yticklabels()[0].get_text() == best
        drawn = sorted(start.holdout_rmse for start in r.starts)
        assert axes.lines[0].get_xdata().tolist() == drawn
    counts = genten.cp(titanic, 2, loss="poisson", starts=2)
    figure = plots.plot_starts(counts)
    assert figure.texts[0].get_text() == "Objective of the starts"
    assert min(figure.axes[0].lines[0].get_xdata()) == counts.objective
    for options in ({}, {"nonnegative": True}):
        mixed = plots.plot_starts([counts, genten.cp(titanic, 2, **options)])
        assert mixed.axes[0].get_title() == "fit"


def test_a_limit_comes_before_what_was_followed(titanic, ratings):
    counts = genten.cp(titanic, 2, loss="poisson", max_iterations=2)
    limit = "The iteration limit, 2, was reached before the run converged to the tolerance"
    assert limit in said(counts).text
    bounded = genten.cp(titanic, 2, nonnegative=True, max_iterations=2)
    assert limit in said(bounded).text
    known = genten.cp(genten.read(ratings), 2, missing="unlisted", max_iterations=2)
    page = said(known)
    assert limit in page.text and "1 row is zero" in page.text


def test_a_norm_of_known_entries_calls_no_weights_too_large():
    """Where a fifth of the entries is known, weights are above twice their norm, as they must
    be."""
    rng = np.random.default_rng(5)
    whole = np.einsum("i,j,k->ijk", *(rng.random(n) + 0.5 for n in (12, 12, 12)))
    known = rng.random(whole.shape) < 0.2
    X = genten.tensor((np.argwhere(known), whole[known], whole.shape))
    r = genten.cp(X, 1, missing="unlisted", ridge=0)
    assert r.model.weights[0] > 2 * r.tensor_norm
    assert r.completion["weight_ratio"] < 2
    assert "Components larger than the data" not in said(r).text


def test_pictures_show_what_decides(titanic, ratings):
    plots = pytest.importorskip("genten.plots", reason='pictures need pip install "genten[plot]"')

    def labels(r):
        return [axes.get_label() for axes in plots.plot_result(r).axes]

    held = genten.cp(genten.read(ratings), 3, missing="unlisted", holdout=0.15, ridge=0.3)
    chosen = held.completion["returned_iteration"]
    figure = held.plot()
    axes = figure.axes[2]
    assert axes.get_label() == "held-out RMSE"
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), held.history.holdout_rmse)
    assert axes.lines[1].get_xydata().tolist() == [[chosen, held.holdout.rmse]]
    low, high = axes.get_ylim()
    assert low < held.holdout.rmse < high and str(chosen) in axes.get_title()
    bounded, known = {"nonnegative": True}, {"missing": "unlisted"}
    for r in (genten.cp(titanic, 2, **bounded), genten.cp(genten.read(ratings), 2, **known)):
        assert labels(r)[2] == "change of objective"
    counts = genten.cp(titanic, 2, loss="poisson", starts=2)
    assert labels(counts) == ["objective by iteration", "objective by seconds", "KKT violation"]
    assert "Objective" in counts.plot().texts[0].get_text()
    assert labels(genten.cp(titanic, 2))[2] == "change of fit"


def test_models_that_are_no_means_are_judged_by_expected_values():
    """A model of log-odds, of which the fit of its own values is far below 0."""
    rng = np.random.default_rng(1)
    odds = np.full((12, 12, 8), 0.03)
    odds[:4, :4, :4] = 0.9
    data = (rng.random(odds.shape) < odds).astype(float)
    at = np.argwhere(data >= 0)
    X = genten.tensor((at, data.ravel(), data.shape))
    r = genten.cp(X, 1, loss="bernoulli-logit")
    assert np.isnan(r.fit)
    found = r.model.evaluate(X)
    left = np.linalg.norm(data.ravel() - r.predict(at))
    assert found.all.residual_norm == pytest.approx(left, rel=1e-9)
    assert found.fit == pytest.approx(1 - left / np.linalg.norm(data), rel=1e-9)
    page = render_report(r.model, tensor=X)
    assert "Hardly better than nothing" not in page
    figures = dict(re.findall(r"<dt>([^<]*)</dt>\s*<dd>([^<]*)</dd>", page))
    assert figures["Fit"] == f"{found.fit:.4g}" and figures["AUC"] == f"{found.listed.auc:.4g}"
    assert "<dt>Fit</dt>" not in render_report(r)
    assert "<dt>AUC</dt>" in render_report(r, tensor=X)


@pytest.mark.parametrize("kind", ["model", "file"])
def test_values_that_the_loss_of_a_model_does_not_take_are_told(kind, tmp_path):
    data = (np.random.default_rng(1).random((5, 4, 3)) < 0.5).astype(float)
    m = genten.cp(data, 1, loss="bernoulli-logit", max_iterations=5).model
    if kind == "file":
        m.save(tmp_path / "m.gkt")
        m = genten.load(tmp_path / "m.gkt")
    page = render_report(m, tensor=2 * data)
    said = "known beside this tensor: loss bernoulli-logit: expected values 0 and 1; "
    assert said in page and "does not take the values" in page
    assert not re.search("<dt>(Fit|AUC|Mean loss)</dt>", page) and "given as --tensor" not in page
    assert said not in render_report(m, tensor=data) and said not in render_report(m)


def test_results_that_know_their_fit_are_not_evaluated_again(titanic):
    r = genten.cp(titanic, 2, loss="poisson", max_iterations=5)
    assert "<dt>Mean loss</dt>" in render_report(r.model, tensor=titanic)
    page = render_report(r, tensor=titanic)
    assert "<dt>Fit</dt>" in page and "<dt>Mean loss</dt>" not in page


def test_recorded_runs_of_models_that_are_no_means(tmp_path):
    """Their starts and iterations have no fit: null in JSON."""
    at = np.argwhere(np.random.default_rng(1).random((6, 5, 4)) < 0.3)
    genten.tensor((at, np.ones(len(at)), (6, 5, 4))).save(tmp_path / "x.tns")
    words = [str(tmp_path / "x.tns"), "--rank", "1", "--loss", "bernoulli-logit", "--starts", "2"]
    run = of_tool(tmp_path, *words)
    assert np.isnan(run.fit) and all(np.isnan(start["fit"]) for start in run.starts)
    page = Page(render_report(run))
    assert "Fit" not in facts_of(page) and "2 of 2 starts" in page.text
    assert not re.search(r"\bnan\b", page.text, re.IGNORECASE)
    assert "Objective by iteration" in page.texts("figcaption")
