# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Other losses than least squares."""

import json
import warnings

import numpy as np
import pytest

import genten
from genten import _core
from genten.reports import render_report

LOSSES = list(_core.losses())


@pytest.fixture(scope="module")
def links():
    """Links among two groups of four, and a few across, twice."""
    where = [
        (i, j, k)
        for i in range(8)
        for j in range(8)
        for k in range(2)
        if (i < 4) == (j < 4) and (i * j + k) % 5 or (i, j, k) == (0, 7, 1)
    ]
    return genten.tensor((np.array(where), np.ones(len(where)), (8, 8, 2)))


#: Of losses that are not minimized by all factors at once.
OWN_SOLVERS = {"gaussian": "als", "poisson": "apr", "bernoulli-poisson": "apr"}


@pytest.mark.parametrize("loss", LOSSES)
def test_each_runs_is_printed_and_reported(links, loss, tmp_path):
    missing = "unlisted" if loss in ("gamma", "rayleigh") else None
    r = genten.cp(links, 2, loss=loss, missing=missing, max_iterations=20)
    assert r.options["loss"] == loss and r.options["solver"] in repr(
        OWN_SOLVERS.get(loss, "gcp")
    )
    assert (r.gcp is not None) == (loss not in OWN_SOLVERS)
    assert np.all(np.diff(r.history.objective) <= 1e-9 * np.abs(r.history.objective[:-1]))
    r.report(tmp_path / "r.html")
    assert r.options["loss"] in (tmp_path / "r.html").read_text() or r.gcp is None
    assert r.plot().axes


def test_the_docstring_names_all():
    for loss in LOSSES:
        assert f"'{loss}'" in genten.cp.__doc__


def test_poisson_is_the_same_by_either_solver(titanic):
    by_rows = genten.cp(titanic, 2, loss="poisson", tolerance=1e-8)
    by_gradients = genten.cp(titanic, 2, loss="poisson", solver="gcp", tolerance=1e-9)
    assert by_gradients.objective == pytest.approx(by_rows.objective, rel=1e-7)
    ridged = genten.cp(titanic, 2, loss="poisson", ridge=1)
    assert ridged.options["solver"] == "gcp" and ridged.penalty > 0
    assert ridged.objective > by_gradients.objective


def test_links_end_no_higher_by_rows(links):
    by_rows = genten.cp(links, 1, loss="bernoulli-poisson", tolerance=1e-8)
    by_gradients = genten.cp(links, 1, loss="bernoulli-poisson", solver="gcp", tolerance=1e-9)
    assert by_rows.objective == pytest.approx(by_gradients.objective, rel=1e-7)
    where = np.asarray(links.subscripts)
    m = np.asarray(by_rows.model)
    ones = np.zeros(m.shape, dtype=bool)
    ones[tuple(where.T)] = True
    loss = m[~ones].sum() - np.log(-np.expm1(-m[ones])).sum()
    assert by_rows.objective == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("loss", ["gaussian", "poisson", "bernoulli-logit", "huber"])
def test_zeros_are_held_out(links, loss, tmp_path):
    r = genten.cp(links, 2, loss=loss, holdout=0.25, starts=2)
    assert r.options["solver"] == "gcp"
    assert r.gcp["entries"] + r.holdout.entries == 128
    assert r.gcp["holdout_loss"] == min(r.gcp["holdout_losses"])
    assert r.gcp["holdout_loss_error"] > 0
    assert "held out  mean loss " in repr(r)
    r.report(tmp_path / "r.html")
    assert "32 entries that it was not fitted to" in (tmp_path / "r.html").read_text()


def test_listed_entries_are_missing(links):
    r = genten.cp(links, 2, loss="bernoulli-logit", missing=[(0, 0, 0), (7, 7, 1)])
    assert r.gcp["entries"] == 126 and r.options["missing"].nnz == 2


def test_sampled_zeros_are_told_of(links):
    r = genten.cp(links, 2, loss="huber", most_operations=0, zero_samples=500, max_iterations=5)
    assert r.gcp["zeros"] == "sampled" and r.gcp["objective_error"] > 0
    assert "zeros being sampled" in repr(r)


def test_a_run_goes_on(links, tmp_path):
    how = {"loss": "huber", "loss_parameter": 0.5, "tolerance": 0}
    whole = genten.cp(links, 2, max_iterations=12, **how)
    genten.cp(links, 2, max_iterations=5, checkpoint=tmp_path / "c.gkt", **how)
    resumed = genten.cp(links, resume=tmp_path / "c.gkt", max_iterations=12)
    assert resumed.objective == whole.objective and resumed.options["loss_parameter"] == 0.5
    with pytest.raises(ValueError, match=r"loss: .* the checkpoint, 'huber', got 'gamma'"):
        genten.cp(links, resume=tmp_path / "c.gkt", loss="gamma")


def test_adam(links, tmp_path):
    how = {"loss": "bernoulli-odds", "method": "adam", "rate": 0.02, "epoch_steps": 200}
    exact = genten.cp(links, 1, loss="bernoulli-odds", seed=2)
    r = genten.cp(links, 1, max_iterations=40, seed=2, **how)
    assert r.options["solver"] == "gcp" and r.options["method"] == "adam"
    assert r.objective == pytest.approx(exact.objective, rel=5e-3)
    assert np.all(np.diff(r.history.objective) <= 0)
    assert r.gcp["failed_epochs"] == sum(np.diff(r.history.objective) == 0) == 3
    genten.cp(links, 1, max_iterations=4, seed=2, checkpoint=tmp_path / "c.gkt", **how)
    resumed = genten.cp(links, resume=tmp_path / "c.gkt", max_iterations=40)
    assert resumed.objective == r.objective
    own = genten.Loss(lambda x, m: (m - x) ** 2, lambda x, m: 2 * (m - x))
    of_own = genten.cp(links, 1, max_iterations=20, **{**how, "loss": own})
    squares = genten.cp(links, 1, solver="gcp")
    assert of_own.objective == pytest.approx(squares.objective, rel=5e-3)
    for match, options in (
        ("rate: has no effect without method='adam'", {"loss": "huber", "rate": 1}),
        ("corrections: has no effect beside method='adam'",
         {"loss": "huber", "method": "adam", "corrections": 3}),
    ):
        with pytest.raises(TypeError, match=match):
            genten.cp(links, 1, **options)


def test_rows(links):
    how = {"loss": "bernoulli-odds", "tolerance": 1e-8, "seed": 2}
    exact = genten.cp(links, 1, method="lbfgs", **how)
    r = genten.cp(links, 1, method="rows", **how)
    assert r.options["solver"] == "gcp" and r.options["method"] == "rows"
    usual = genten.cp(links, 1, **how)
    assert (usual.options["method"], usual.gcp["method"]) == ("auto", "rows")
    assert usual.objective == r.objective
    assert "row by row" in render_report(usual)
    assert genten.cp(links, 1, corrections=4, **how).gcp["method"] == "lbfgs"
    assert r.objective == pytest.approx(exact.objective, rel=1e-7)
    own = genten.Loss(lambda x, m: (m - x) ** 2, lambda x, m: 2 * (m - x))
    with pytest.raises(ValueError, match="than rows for a loss of blocks of entries"):
        genten.cp(links, 1, loss=own, method="rows")


def test_models_know_the_loss_of_their_run(titanic, tmp_path):
    r = genten.cp(titanic, 2, loss="negative-binomial", loss_parameter=2, max_iterations=50)
    assert (r.model.loss, r.model.loss_parameter) == ("negative-binomial", 2)
    entry = [[2, 0, 1, 0]]
    assert r.model.predict(entry) == r.predict(entry) == 2 * r.model.predict(entry, "gaussian")
    for name in ("m.gkt", "m.ktensor.gz"):
        r.model.normalize().save(tmp_path / name)
        model = genten.load(tmp_path / name)
        assert (model.loss, model.loss_parameter) == ("negative-binomial", 2)
        found = model.evaluate(titanic)
        assert found.loss == "negative-binomial(2)"
        assert found.all.loss == pytest.approx(r.objective, rel=1e-12)
        assert genten.evaluate(model, titanic).all.loss == found.all.loss
        assert model.project_rows(titanic, 0).options["loss"] == "negative-binomial"
        assert model.project_rows(titanic, 0).model.loss == "negative-binomial"
    # A model that knows of no loss is known to be of least squares.
    plain = genten.cp(titanic, 2).model
    assert plain.loss is None
    plain.save(tmp_path / "m.gkt")
    told = json.loads((tmp_path / "m.gkt.labels.json").read_text())
    assert told["run"] == {"loss": "gaussian", "text_base": 1}
    assert genten.load(tmp_path / "m.gkt").loss is None
    beside = tmp_path / "m.ktensor.gz.labels.json"
    beside.write_text(beside.read_text().replace("negative-binomial", "positive-binomial"))
    with pytest.warns(UserWarning, match="its run was changed after"):
        assert genten.load(tmp_path / "m.ktensor.gz").loss is None
    own = genten.Loss(lambda x, m: (m - x) ** 2, lambda x, m: 2 * (m - x))
    assert genten.cp(titanic, 1, loss=own, max_iterations=2).model.loss is None


def test_reports_draw_deviance_residuals(titanic, tmp_path):
    r = genten.cp(titanic, 2, loss="negative-binomial", loss_parameter=2, max_iterations=50)
    r.report(tmp_path / "r.html", tensor=titanic)
    page = (tmp_path / "r.html").read_text()
    assert "negative-binomial(2)" in page and "Furthest from the model" in page
    assert "Deviance residuals of 32 entries in ascending order" in page
    # Of a model by itself, too: its loss is known.
    r.model.report(tmp_path / "m.html", tensor=titanic)
    page = (tmp_path / "m.html").read_text()
    assert "Loss of the model" in page and "negative-binomial(2)" in page
    assert "Deviance residuals of 32 entries in ascending order" in page


def test_what_does_not_fit_is_refused(titanic):
    for error, match, options in (
        (ValueError, "loss_parameter: expected a parameter d",
         {"loss": "huber", "loss_parameter": 0}),
        (TypeError, "loss_parameter: has no effect beside loss='gaussian'", {"loss_parameter": 1}),
        (TypeError, "corrections: has no effect beside loss='gaussian'", {"corrections": 3}),
        (ValueError, "solver: expected als|gcp beside loss='gaussian'", {"solver": "apr"}),
        (ValueError, "solver: expected 'als', .* or 'gcp', got 'newton'", {"solver": "newton"}),
        (ValueError, "loss bernoulli-logit: expected values 0 and 1", {"loss": "bernoulli-logit"}),
    ):
        with pytest.raises(error, match=match):
            genten.cp(titanic, 2, **options)


def test_notes_count_modes_from_0():
    X = genten.tensor((np.array([[0, 0, 0], [1, 1, 1]]), np.ones(2), (2, 2, 3)))
    seen = []
    with pytest.warns(UserWarning, match="1 slice of mode 2 has no nonzero") as told:
        r = genten.cp(X, 1, loss="poisson-log", ridge=0, max_iterations=5,
                      callback=lambda _: seen.append(len(told)))  # fmt: skip
    assert seen[0] == 1, "before the first iteration"
    assert any("1 slice of mode 2 has no nonzero" in text for text in r.warnings)
    assert any("1 slice of mode 2 has no nonzero" in note.text for note in r.notes)


def entries_of(X, model):
    """Values of all entries of a small tensor, and the model's."""
    return np.asarray(X.to_dense()).ravel(), np.asarray(model.to_dense()).ravel()


def poisson(x, m):
    """Half of Poisson's deviance."""
    logarithms = np.log(np.where(x > 0, x, 1.0)) - np.log(np.where(x > 0, m, 1.0))
    return x * logarithms - x + m


MEANS = {
    "poisson-log": np.exp,
    "bernoulli-odds": lambda m: m / (1 + m),
    "bernoulli-logit": lambda m: 1 / (1 + np.exp(-m)),
    "bernoulli-poisson": lambda m: 1 - np.exp(-m),
    "negative-binomial": lambda m: 3 * m,
}


@pytest.mark.parametrize("loss", [name for name in LOSSES if name not in ("gamma", "rayleigh")])
def test_predictions_and_errors_are_of_expected_values(links, loss):
    number = 3 if loss == "negative-binomial" else None
    r = genten.cp(links, 2, loss=loss, loss_parameter=number, max_iterations=20, solver="gcp")
    x, m = entries_of(links, r.model)
    expected = MEANS.get(loss, lambda m: m)(m)
    everywhere = np.argwhere(np.ones(links.shape))
    np.testing.assert_allclose(r.predict(everywhere), expected, rtol=1e-12)
    found = genten.evaluate(r, links)
    assert found.loss.split("(")[0] == loss
    assert found.zeros in ("closed_form", "enumerated")
    penalty = r.objective - r.penalty
    assert found.all.loss == pytest.approx(penalty, rel=1e-9)
    assert found.all.mean_loss == pytest.approx(found.all.loss / x.size)
    assert found.all.rmse == pytest.approx(np.sqrt(np.mean((x - expected) ** 2)))
    listed = x != 0
    assert found.listed.mae == pytest.approx(np.abs(x - expected)[listed].mean())
    if loss == "poisson":
        assert found.all.deviance == pytest.approx(2 * poisson(x, m).sum(), rel=1e-8)
        assert found.all.log_likelihood == pytest.approx(r.model.evaluate(links).all.log_likelihood)


def test_the_area_under_the_curve_is_scikit_learns(links):
    metrics = pytest.importorskip("sklearn.metrics")
    r = genten.cp(links, 2, loss="bernoulli-odds", max_iterations=5)
    x, m = entries_of(links, r.model)
    everywhere = genten.tensor((np.argwhere(np.ones(links.shape)), x, links.shape))
    found = r.model.evaluate(everywhere, loss="bernoulli-odds")
    assert found.listed.auc == pytest.approx(metrics.roc_auc_score(x, m))
    p = r.predict(everywhere.subscripts)
    assert found.all.mean_loss == pytest.approx(metrics.log_loss(x, p))


def test_losses_of_predictions_are_checked(links):
    model = genten.cp(links, 1, max_iterations=2).model
    for call in (lambda **how: model.predict([[0, 0, 0]], **how),
                 lambda **how: model.evaluate(links, **how)):
        with pytest.raises(ValueError, match="loss: expected 'gaussian', .* got 'hubert'"):
            call(loss="hubert")
        with pytest.raises(TypeError, match="loss_parameter: has no effect without loss"):
            call(loss_parameter=2)
        with pytest.raises(TypeError, match="loss_parameter: has no effect beside"):
            call(loss="poisson", loss_parameter=2)
    with pytest.raises(ValueError, match="expected values 0 and 1"):
        model.evaluate(links.map(lambda x: 2 * x), loss="bernoulli-odds")


def test_held_out_errors_are_of_expected_values(links):
    r = genten.cp(links, 2, loss="bernoulli-logit", holdout=0.25, starts=3)
    assert 0 < r.holdout.mae <= 1 and r.holdout.rmse <= 1
    assert [start.holdout_loss for start in r.starts][r.best_start] == r.gcp["holdout_loss"]
    assert min(start.holdout_loss for start in r.starts) == r.gcp["holdout_loss"]


def test_a_run_that_stands_says_so(titanic):
    r = genten.cp(titanic, 1, loss="huber", tolerance=1e-300, max_iterations=10000)
    assert r.stop_reason == "stalled" and "stalled" in repr(r)
    assert [note.code for note in r.notes if note.code == "stalled"]
    assert "stalled" not in r.gcp


def test_nonnegative_false_asks_for_nothing(links):
    for loss in ("bernoulli-odds", "gaussian"):
        free = genten.cp(links, 1, loss=loss, nonnegative=False, max_iterations=3)
        assert free.objective == genten.cp(links, 1, loss=loss, max_iterations=3).objective


def test_bounds_below_0_are_refused_before_the_run(links):
    with pytest.raises(ValueError, match="lower: expected numbers of at least 0 beside "
                                         "loss='bernoulli-odds'"):
        genten.cp(links, 1, loss="bernoulli-odds", lower=-1)


def test_normal_guesses_of_nonnegative_factors_are_not_zero(links):
    guess = genten.cp(links, 3, loss="bernoulli-odds", init="normal", max_iterations=0).model
    assert all((factor > 0).all() for factor in guess.factors)


@pytest.mark.parametrize("loss", ["negative-binomial", "gaussian", "bernoulli-odds"])
def test_reports_name_the_largest_deviance_residuals(titanic, links, loss, tmp_path):
    X = links if loss == "bernoulli-odds" else titanic
    r = genten.cp(X, 1, loss=loss, seed=1)
    r.report(tmp_path / "without.html")
    assert "deviance residuals" not in (tmp_path / "without.html").read_text()
    r.report(tmp_path / "r.html", tensor=X)
    page = (tmp_path / "r.html").read_text()
    assert "The largest deviance residuals" in page
    everywhere = np.argwhere(np.ones(X.shape))
    x, u = np.asarray(X.to_dense()).ravel(), r.predict(everywhere)
    assert f"Of {x.size} entries, zeros among them, those at which" in page
    if loss == "gaussian":
        worst = np.abs(x - u).argmax()
    elif loss == "bernoulli-odds":
        worst = np.where(x == 1, 1 - u, u).argmax()
    else:
        m = r.model.predict(everywhere)
        least = np.where(x > 0, (1 + x) * np.log1p(x) - x * np.log(np.maximum(x, 1)), 0)
        worst = ((1 + x) * np.log1p(m) - x * np.log(m) - least).argmax()
    row = page.split("The largest deviance residuals")[1].split("<tbody>")[1].split("</tr>")[0]
    assert f'data-head="Value">{x[worst]:.4g}' in row.replace(",", "")


@pytest.mark.parametrize("apart", [1e3, 1e7])
def test_lengths_of_columns_keep_no_step_from_leading_on(apart):
    """L-BFGS begins where one factor is long and another one short, as they drift in long runs."""
    random = np.random.default_rng(4)
    X = np.einsum("ir,jr,kr->ijk", *(random.normal(size=(n, 2)) for n in (12, 9, 7)))
    X = genten.tensor(X + 0.3 * random.normal(size=X.shape))
    even = [random.normal(size=(n, 2)) for n in X.shape]
    lopsided = [even[0] * apart, even[1] / apart, even[2]]
    runs = [
        genten.cp(X, 2, solver="gcp", init=genten.Model(np.ones(2), factors))
        for factors in (even, lopsided)
    ]
    assert [r.stop_reason for r in runs] == ["converged"] * 2
    assert runs[1].fit == pytest.approx(runs[0].fit, abs=1e-5)


LOSSES_OF_UNITS = [
    ("gamma", {}), ("rayleigh", {}), ("poisson", {"solver": "gcp"}), ("poisson", {"holdout": 0.1}),
    ("beta", {"loss_parameter": 1.5}), ("gamma", {"method": "rows"}),
]  # fmt: skip


@pytest.mark.parametrize("loss, options", LOSSES_OF_UNITS)
def test_models_do_not_depend_on_the_unit(loss, options):
    """Dollars or millions of these: the same model, times the unit."""
    random = np.random.default_rng(2)
    factors = [random.lognormal(0, 1, (n, 2)) for n in (40, 8, 20)]
    x = np.einsum("ir,jr,kr->ijk", *factors) * random.gamma(100, 0.01, (40, 8, 20))
    fits = []
    for unit in (1e2, 1e8, 1e11):
        result = genten.cp(np.round(x * unit), 2, loss=loss, seed=1, **options)
        assert result.stop_reason == "converged"
        error = abs(result.model.to_dense() / (x * unit) - 1)
        assert np.median(error) < 0.12
        fits.append(result.fit)
    assert fits == pytest.approx(fits[:1] * 3, abs=2e-3)


def test_ranks_of_large_counts():
    random = np.random.default_rng(2)
    factors = [random.lognormal(0, 1, (n, 2)) for n in (40, 8, 20)]
    x = np.einsum("ir,jr,kr->ijk", *factors) * random.gamma(100, 0.01, (40, 8, 20))
    losses = [
        genten.cp(np.round(1e8 * x), rank, loss="poisson", holdout=0.1, seed=1).gcp["holdout_loss"]
        for rank in (1, 2)
    ]
    assert losses[1] < losses[0]


def test_large_elements_under_bernoulli_poisson():
    """Sums over zeros are differences of sums that are many times as large."""
    random = np.random.default_rng(22)
    factors = [
        (random.random((n, 3)) < 0.35) * random.gamma(2, 1, (n, 3)) for n in (12, 10, 8)
    ]
    means = np.einsum("ir,jr,kr->ijk", *factors)
    X = (random.random(means.shape) < 1 - np.exp(-means)).astype(float)
    r = genten.cp(X, 3, loss="bernoulli-poisson")
    assert any("objective may be off by about" in each for each in r.warnings)
    m = r.model.to_dense()
    at_ones = -np.log(-np.expm1(-m[X > 0]))
    exact = at_ones.sum() + m[X == 0].sum()
    assert r.model.evaluate(X).all.loss == pytest.approx(exact, rel=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = r.model.project_rows(X, mode=0)
    assert found.losses.min() >= 0 and found.losses.sum() <= exact
    assert np.nanmax(found.explained) <= 1
    for way_out in ({"ridge": 0.01}, {"upper": 20}):
        r = genten.cp(X, 3, loss="bernoulli-poisson", **way_out)
        assert not any("may be off" in each for each in r.warnings)


NO_MEANS = {
    "bernoulli-logit": None, "bernoulli-odds": None, "poisson-log": None, "negative-binomial": 2.0,
    "bernoulli-poisson": None,
}  # fmt: skip


@pytest.mark.parametrize("loss", NO_MEANS)
def test_no_fit_where_the_model_is_no_mean(loss, tmp_path):
    ones = (np.random.default_rng(2).random((5, 4, 3)) < 0.5).astype(float)
    fits = []
    r = genten.cp(
        ones, 1, loss=loss, loss_parameter=NO_MEANS[loss], seed=1, starts=2, max_iterations=20,
        callback=lambda it: fits.append([it.fit, it.fit_change, it.residual]),
    )  # fmt: skip
    found = [r.fit, r.residual_norm, *(start.fit for start in r.starts)]
    for history in (r.history, r.starts[1].history):
        found += [*history.fit, *history.fit_change, *history.residual]
        assert np.isfinite(history.objective).all() and "nan" not in repr(history)
    assert np.isnan(found).all() and np.isnan(fits).all() and "nan" not in repr(r)
    assert np.isfinite(r.model.evaluate(ones).fit)
    r.plot()
    r.report(tmp_path / "r.html")
    assert ">nan<" not in (tmp_path / "r.html").read_text().lower()
    assert np.isfinite(genten.cp(ones, 1, loss="poisson").fit)
