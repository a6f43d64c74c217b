# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`genten.evaluate`, `Model.evaluate` and `Model.residuals`."""

import math
import pickle
import warnings

import numpy as np
import pytest

import genten


@pytest.fixture
def pair():
    """A model of positive numbers and a tensor of counts with a third of its entries."""
    rng = np.random.default_rng(5)
    model = genten.Model([3.0, 1.5], [rng.random((n, 2)) + 0.1 for n in (5, 4, 3)])
    dense = rng.poisson(2.0, model.shape) * (rng.random(model.shape) < 0.4)
    return model, genten.tensor(dense.astype(float)), dense


def test_errors_are_those_of_every_entry(pair):
    model, X, dense = pair
    found = genten.evaluate(model, X)
    values, means = dense.astype(float), model.to_dense()
    for errors, entries in ((found.listed, dense != 0), (found.all, np.ones(dense.shape, bool))):
        x, m = values[entries], means[entries]
        assert errors.entries == len(x) and isinstance(errors.entries, int)
        assert errors.residual_norm == pytest.approx(np.linalg.norm(x - m), rel=1e-12)
        assert errors.rmse == pytest.approx(np.sqrt(np.mean((x - m) ** 2)), rel=1e-12)
        assert errors.mae == pytest.approx(np.mean(abs(x - m)), rel=1e-12)
        likely = sum(a * math.log(b) - b - math.lgamma(a + 1) for a, b in zip(x, m))
        assert errors.log_likelihood == pytest.approx(likely, rel=1e-12)
        deviance = 2 * sum((a * math.log(a / b) if a else 0) - a + b for a, b in zip(x, m))
        assert errors.deviance == pytest.approx(deviance, rel=1e-12)
    norm = np.linalg.norm(values)
    assert found.tensor_norm == pytest.approx(norm, rel=1e-14)
    assert found.fit == pytest.approx(1 - np.linalg.norm(values - means) / norm, rel=1e-12)


def test_what_may_be_given(pair):
    model, X, dense = pair
    found = model.evaluate(X)
    single = genten.tensor(dense.astype(np.float32))
    assert genten.tensor(single, dtype=np.float64).dtype == np.float64
    assert genten.evaluate(model, single) == found
    twice = (np.vstack([X.subscripts] * 2), np.tile(X.values, 2) / 2, X.shape)
    assert model.evaluate(genten.tensor(twice)) == found
    r = genten.cp(X, 2, max_iterations=3, nonneg=True)
    assert genten.evaluate(r, X) == r.model.evaluate(X)
    assert genten.evaluate(r, X).fit == pytest.approx(r.fit, abs=1e-12)
    with pytest.raises(TypeError, match="evaluate: expected a Model or a Result, got int"):
        genten.evaluate(3, X)
    with pytest.raises(ValueError, match="of the model.s shape"):
        model.evaluate(np.ones((5, 4, 4)))


def test_residuals_are_those_of_the_nonzeros_in_their_order(pair):
    model, X, dense = pair
    expected = (dense - model.to_dense())[tuple(X.subscripts.T)]
    np.testing.assert_allclose(model.residuals(X), expected, rtol=1e-12)
    back = genten.tensor((X.subscripts[::-1], X.values[::-1], X.shape))
    assert (model.residuals(back) == model.residuals(X)[::-1]).all()
    found = model.evaluate(X).listed
    assert np.linalg.norm(model.residuals(X)) == pytest.approx(found.residual_norm, rel=1e-12)
    assert model.residuals(np.zeros(X.shape)).shape == (0,)
    with pytest.raises(ValueError, match="one nonzero an entry, got 1 too many of 2; coalesce"):
        model.residuals(genten.tensor((np.zeros((2, 3), int), np.ones(2), X.shape)))
    with pytest.raises(ValueError, match=r"model.s shape \(5, 4, 3\), got one of \(5, 4\)"):
        model.residuals(np.ones((5, 4)))


LINKS = {
    "gaussian": (lambda m: m, lambda mu: np.ones_like(mu)),
    "poisson": (lambda m: m, lambda mu: mu),
    "poisson-log": (np.exp, lambda mu: mu),
    "negative-binomial": (lambda m: 2 * m, lambda mu: mu + mu**2 / 2),
    "bernoulli-odds": (lambda m: m / (1 + m), lambda mu: mu * (1 - mu)),
    "bernoulli-logit": (lambda m: 1 / (1 + np.exp(-m)), lambda mu: mu * (1 - mu)),
    "bernoulli-poisson": (lambda m: 1 - np.exp(-m), lambda mu: mu * (1 - mu)),
    "gamma": (lambda m: m, lambda mu: mu**2),
    "rayleigh": (lambda m: m, lambda mu: (4 / np.pi - 1) * mu**2),
    "huber": (lambda m: m, None),
    "beta": (lambda m: m, None),
    "weighted": (lambda m: m, None),
}


def likelihood(loss, x, m):
    """The negative logarithm of the likelihood, without terms that m is not in."""
    return {
        "poisson": lambda: m - x * np.log(m),
        "poisson-log": lambda: np.exp(m) - x * m,
        "negative-binomial": lambda: (2 + x) * np.log1p(m) - x * np.log(m),
        "bernoulli-odds": lambda: np.log1p(m) - x * np.log(m),
        "bernoulli-logit": lambda: np.log1p(np.exp(m)) - x * m,
        "bernoulli-poisson": lambda: np.where(x > 0, -np.log(-np.expm1(-m)), m),
        "gamma": lambda: x / m + np.log(m),
        "rayleigh": lambda: 2 * np.log(m) + np.pi / 4 * (x / m) ** 2,
    }[loss]()


@pytest.mark.parametrize("loss", LINKS)
def test_residuals_are_of_expected_values(loss):
    rng = np.random.default_rng(3)
    model = genten.Model(None, [rng.random((n, 2)) + 0.1 for n in (4, 3, 2)])
    dense = rng.integers(1, 2 if loss.startswith("bernoulli") else 6, model.shape).astype(float)
    X = genten.tensor(dense)
    x, m = X.values, model.predict(X.subscripts)
    link, variance = LINKS[loss]
    how = {"loss": loss, "loss_parameter": {"negative-binomial": 2, "beta": 0.5}.get(loss)}
    response = x - link(m)
    np.testing.assert_allclose(model.residuals(X, **how), response, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(x - model.predict(X, **how), response, rtol=1e-12, atol=1e-12)
    assert (model.residuals(X, loss="gaussian") == x - m).all()
    if variance is None:
        with pytest.raises(ValueError, match=f"loss '{loss}' is of no distribution"):
            model.residuals(X, "pearson", **how)
    else:
        pearson = response / np.sqrt(variance(link(m)))
        np.testing.assert_allclose(model.residuals(X, "pearson", **how), pearson, rtol=1e-12)
    deviance = model.residuals(X, "deviance", **how)
    total = model.evaluate(X, **how).listed.deviance
    assert (deviance**2).sum() == pytest.approx(total, rel=1e-9)
    assert (np.sign(deviance) == np.sign(response)).all()
    if variance is not None and loss != "gaussian":
        least = {"poisson-log": np.log(x), "negative-binomial": x / 2}.get(loss, x)
        least = np.sqrt(np.pi / 4) * x if loss == "rayleigh" else least
        if loss.startswith("bernoulli"):  # x is 1, which a model without bound makes certain
            known = np.sqrt(2 * likelihood(loss, x, m))
        else:
            known = np.sqrt(2 * (likelihood(loss, x, m) - likelihood(loss, x, least)))
        np.testing.assert_allclose(np.abs(deviance), known, rtol=1e-6)


def test_residuals_go_by_the_run_of_the_model(pair):
    X = genten.tensor(np.random.default_rng(2).poisson(2.0, (5, 4, 3)))
    m = genten.cp(X, 2, loss="poisson-log", max_iterations=30).model
    assert m.residuals(X) == pytest.approx(X.values - np.exp(m.predict(X, "gaussian")))
    with pytest.raises(ValueError, match="residuals: kind: expected one of response, pearson, dev"):
        m.residuals(X, "raw")
    zero = genten.Model(None, [np.zeros((2, 1)), np.ones((2, 1))])
    counts = genten.tensor((np.array([[0, 0], [1, 1]]), np.array([0.0, 3.0])))
    assert zero.residuals(counts, "pearson", "poisson").tolist() == [0.0, np.inf]


def test_missing_entries_do_not_count():
    rng = np.random.default_rng(5)
    model = genten.Model(None, [rng.random((n, 2)) for n in (5, 6, 7)])
    whole = rng.random((5, 6, 7))
    away = rng.random(whole.shape) < 0.2
    spoilt = np.where(away, 99.0, whole)
    residual = (spoilt - model.to_dense())[~away]
    for missing in (away, np.argwhere(away), genten.tensor(away.astype(float))):
        found = genten.evaluate(model, spoilt, missing=missing)
        assert found.all.entries == found.listed.entries == (~away).sum()
        norm = np.linalg.norm(residual)
        assert found.all.residual_norm == pytest.approx(norm, rel=1e-12)
        assert found.fit == pytest.approx(1 - norm / np.linalg.norm(spoilt[~away]), rel=1e-12)
        assert found.all.mae == pytest.approx(np.abs(residual).mean(), rel=1e-12)
    under = model.evaluate(spoilt, "huber", 0.1, missing=away)
    plain = model.evaluate(genten.tensor(spoilt * ~away), "huber", 0.1)
    at = model.to_dense()[away]
    huber = np.where(at < 0.1, at**2, 0.2 * at - 0.01).sum()
    assert under.all.loss == pytest.approx(plain.all.loss - huber, rel=1e-12)
    unlisted = model.evaluate(spoilt * ~away, missing="unlisted")
    assert unlisted.all.residual_norm == pytest.approx(np.linalg.norm(residual), rel=1e-12)
    tucker = genten.tucker(whole, (2, 2, 2)).model
    found = genten.evaluate(tucker, spoilt, missing=away)
    norm = np.linalg.norm((spoilt - tucker.to_dense())[~away])
    assert found.all.residual_norm == pytest.approx(norm, rel=1e-12)


def test_a_mask_says_the_opposite_of_those_of_others():
    with pytest.raises(TypeError, match="'mask'; missing=~mask, since a mask of missing= is True"):
        genten.cp(np.ones((3, 3)), 1, mask=np.ones((3, 3), bool))


def test_missing_entries_of_a_table_go_by_the_names_that_its_numbers_are():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(6)
    names = sorted(map(str, range(11)))  # 0, 1, 10, 2, ...
    model = genten.Model(None, [rng.random((11, 2)), rng.random((3, 2))],
                         [names, ["a", "b", "c"]], ["user", "item"])  # fmt: skip
    users, items = np.divmod(np.arange(33), 3)
    table = pandas.DataFrame({"user": users, "item": np.array(list("abc"))[items],
                              "n": rng.random(33)})  # fmt: skip
    away = rng.random(33) < 0.3
    found = model.evaluate(genten.tensor(table, values="n"), missing=np.argwhere(
        away.reshape(11, 3)))  # fmt: skip
    dense = model.to_dense()[[names.index(str(user)) for user in range(11)]].reshape(-1)
    residual = (table["n"].to_numpy() - dense)[~away]
    assert found.all.entries == len(residual)
    assert found.all.residual_norm == pytest.approx(np.linalg.norm(residual), rel=1e-12)
    with pytest.raises(ValueError, match="missing: expected 'unlisted'"):
        model.evaluate(genten.tensor(table, values="n"), missing="listed")
    kept = pickle.loads(pickle.dumps(genten.tensor(table, values="n")))
    assert model.evaluate(kept).fit == model.evaluate(genten.tensor(table, values="n")).fit


def test_zeros_and_ones_are_no_mask():
    mask = np.zeros((5, 2), int)
    mask[1, 1] = 1
    for numbers in (mask, mask.astype(float), mask.tolist()):
        with pytest.raises(ValueError, match="an array of .* 0 and 1, of the shape .5, 2."):
            genten.cp(np.ones((5, 2)), 1, missing=numbers)
    assert genten.cp(np.ones((5, 2)), 1, missing=mask.astype(bool)).completion["entries"] == 9


def test_numbers_that_are_none_say_why():
    zero = genten.Model(None, [np.array([[1.0], [0.0]]), np.ones((2, 1))])
    found = zero.evaluate(np.ones((2, 2)))
    assert found.listed.log_likelihood == -np.inf and found.notes == ()  # least squares
    (note,) = zero.evaluate(np.ones((2, 2)), "poisson").notes
    assert "a run with a lower bound, such as 1e-6, makes one without zeros" in note
    negative = genten.Model(None, [np.array([[1.0], [-1.0]]), np.ones((2, 1))])
    found = negative.evaluate(np.eye(2))
    assert np.isnan(found.all.mae) and found.notes[0].startswith("MAE is unknown over all")
    assert negative.evaluate(np.eye(2), "gaussian").notes[0].startswith("MAE is unknown over all")
    counts = negative.evaluate(np.eye(2), "poisson")
    assert "MAE, and likelihood and deviance" in counts.notes[0]
    negative_counts = negative.evaluate(np.ones((2, 2)), "poisson", missing="unlisted")
    assert negative_counts.notes == (
        "likelihood and deviance are those of counts, and undefined where values are negative",)
    assert negative.evaluate(np.ones((2, 2)), missing="unlisted").notes == ()
    assert genten.Model(None, [np.ones((2, 1))] * 2).evaluate(np.ones((2, 2))).notes == ()


def test_likelihoods_are_shown_of_counts_alone():
    model = genten.Model(None, [np.ones((2, 1))] * 2)
    for loss, deviance, likelihood in (
        (None, False, False), ("gaussian", True, False), ("poisson", True, True)
    ):  # fmt: skip
        shown = repr(model.evaluate(np.eye(2), *([loss] if loss else [])).all)
        assert ("deviance=" in shown, "log_likelihood=" in shown) == (deviance, likelihood)
    assert model.evaluate(np.eye(2)).all.log_likelihood == pytest.approx(-4)


def test_rows_of_a_table_without_values_are_told_of():
    pandas = pytest.importorskip("pandas")
    places = [("x", 0), ("y", 1), ("x", 2), ("y", 2), ("x", 3)]
    table = pandas.DataFrame(places, columns=["u", "w"]).assign(v=[1.0, 2, 3, 4, 5])
    model = genten.cp(genten.tensor(table, values="v"), 1, seed=1).model
    said = r"mode 1 \(w\): the model has 2 rows that the tensor lacks, taken for zeros: '2', '3'"
    for given in (table[table.w < 2], genten.tensor(table[table.w < 2], values="v")):
        with pytest.warns(UserWarning, match=said):
            model.evaluate(given)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.evaluate(table)
        model.evaluate(table[table.w < 2], missing="unlisted")
        model.evaluate(genten.tensor(table, values="v")[:, :2].to_dense() @ np.eye(2, 4))


def test_held_out_rows_of_a_table_are_told(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = np.argwhere(np.ones((5, 4, 3)))
    table = pandas.DataFrame(rows, columns=["a", "b", "c"]).assign(n=rows.sum(axis=1) + 1.0)
    held = np.random.default_rng(2).random(len(rows)) < 0.2
    test = table[held]
    model = genten.cp(genten.tensor(table[~held], values="n"), 2, missing="none", seed=1).model
    genten.tensor(test, values="n").save(tmp_path / "x.gtn")
    for given in (test, genten.tensor(test, values="n"), tmp_path / "x.gtn"):
        with pytest.warns(UserWarning, match="the fit .* zeros at .* entries, .* of a table"):
            found = model.evaluate(given)
        assert found.fit < 0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            alone = model.evaluate(given, missing="unlisted")
            model.evaluate(table[~held])
        assert alone.all.entries == alone.listed.entries == held.sum()
    tucker = genten.tucker(genten.tensor(table[~held], values="n"), (2, 2, 2)).model
    with pytest.warns(UserWarning, match="missing='unlisted' leaves these entries out"):
        tucker.evaluate(test)
    assert tucker.evaluate(test, partial=True).all.entries == 4 * 4 * 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tucker.evaluate(test, missing="unlisted").all.entries == held.sum()


def test_likelihoods_are_printed_where_a_loss_has_them(pair):
    model, X = pair[:2]
    plain = repr(model.evaluate(X))
    assert "residual_norm=" in plain and "mae=" in plain
    assert "likelihood" not in plain and "deviance" not in plain
    counts = model.evaluate(X, loss="poisson")
    assert repr(counts).count(f"log_likelihood={counts.all.log_likelihood!r}") == 1
    least_squares = model.evaluate(X, loss="gaussian")
    assert "likelihood" not in repr(least_squares) and "deviance=" in repr(least_squares)


def test_an_area_that_is_unknown_is_told():
    model = genten.Model(None, [np.array([[1.0], [-2.0], [3.0]]), np.array([[1.0], [0.5]])])
    for values in ([1.0, 1.0], [0.0, 0.0], [1.0, 0.0]):
        X = genten.tensor((np.array([[0, 0], [1, 1]]), np.array(values)), shape=model.shape)
        found = model.evaluate(X, loss="bernoulli-logit")
        told = any("AUC, which compares the model at listed" in note for note in found.notes)
        assert told == math.isnan(found.listed.auc) == (values[0] == values[1])


def test_the_mean_magnitude_over_all_entries_is_known_where_all_are_listed():
    X = np.random.default_rng(4).normal(size=(6, 5, 4))
    for model in (genten.cp(X, 2, seed=1).model, genten.tucker(X, (2, 2, 2)).model):
        found = model.evaluate(X)
        assert found.all.mae == pytest.approx(found.listed.mae) and not found.notes
        assert found.all.mae == pytest.approx(np.abs(X - model.to_dense()).mean())
        part = np.where(X > 0, X, 0)
        found = model.evaluate(part)
        assert np.isnan(found.all.mae) and "a CP model with nonneg" in found.notes[0]
