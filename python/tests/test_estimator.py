# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`genten.CP` does what `genten.cp` does, and is an estimator to scikit-learn."""

import inspect
import pickle
import warnings
from collections import deque

import numpy as np
import pytest
from conftest import equal_models, run_python

import genten


@pytest.fixture
def whole():
    rng = np.random.default_rng(5)
    return np.einsum("ir,jr,kr->ijk", *(rng.random((n, 2)) for n in (24, 6, 5)))


def test_it_is_cp(whole):
    found = genten.CP(2, seed=3, nonnegative=True)
    assert found.fit(whole) is found
    direct = genten.cp(whole, 2, seed=3, nonnegative=True)
    assert equal_models(found.model_, direct.model) and found.result_.fit == direct.fit
    kept = pickle.loads(pickle.dumps(found))
    assert equal_models(kept.model_, direct.model) and repr(kept) == repr(found)
    assert repr(found) == "CP(rank=2, seed=3, nonnegative=True)"


def test_new_samples_are_projected(whole):
    found = genten.CP(2, tolerance=1e-9, max_iterations=500).fit(whole[:18])
    assert np.array_equal(found.transform(whole[18:]), found.model_.project(whole[18:], 0))
    assert found.score(whole[18:]) > 0.999
    alike = genten.CP(2, tolerance=1e-9, max_iterations=500).fit_transform(whole[:18])
    assert np.array_equal(alike, found.transform(whole[:18]))
    noise = np.random.default_rng(1).random(whole.shape)
    assert found.score(noise) < 0.95


@pytest.mark.parametrize("options", [{"nonnegative": True}, {"loss": "poisson"}])
def test_new_samples_are_under_the_constraints_of_the_fit(options):
    rng = np.random.default_rng(2)
    X = rng.poisson(genten.Model(None, [rng.random((n, 3)) for n in (20, 8, 9)]).to_dense() * 0.3)
    found = genten.CP(3, seed=1, **options).fit(X[:12])
    free = genten.Model(found.model_.weights, found.model_.factors).project(X[12:], 0)
    rows = found.transform(X[12:])
    assert free.min() < 0 <= rows.min()
    assert np.array_equal(rows, found.model_.project_rows(X[12:], 0).rows)


def test_the_score_is_that_of_the_loss():
    rng = np.random.default_rng(4)
    X = (rng.random((20, 8, 9)) < genten.Model(None, [rng.random((n, 2)) for n in (20, 8, 9)])
         .to_dense() / 2).astype(float)  # fmt: skip
    found = genten.CP(2, loss="bernoulli-logit", seed=1).fit(X)
    rows = found.model_.project_rows(X, 0)
    logits = rows.model.to_dense()
    expected = -np.mean(np.logaddexp(0, logits) - X * logits)
    assert found.score(X) == pytest.approx(expected, rel=1e-9)


def test_new_samples_may_lack_entries_as_those_of_the_fit_do(whole):
    known = genten.tensor(whole)[:, :, :3]
    some = genten.tensor((known.subscripts[::2], known.values[::2], known.shape))
    found = genten.CP(2, missing="unlisted", tolerance=1e-9, max_iterations=500).fit(some)
    assert found.score(some) > 0.99
    with_zeros = found.model_.project_rows(some, 0, missing="none").rows
    assert np.linalg.norm(found.transform(some)) > 1.5 * np.linalg.norm(with_zeros)


def test_samples_go_by_no_names():
    table = genten.tensor(np.arange(1.0, 13).reshape(3, 4), labels=[list("abc"), list("wxyz")])
    found = genten.CP(2).fit(table)
    part = genten.tensor(table.to_dense()[::-1], labels=[list("xyz"), list("wxyz")])
    assert found.transform(part).shape == (3, 2) and found.score(part) > 0.99


def test_what_it_refuses(whole):
    for name in ("tolerence", "comm", "xyzzy"):
        with pytest.raises(TypeError, match=f"unexpected keyword '{name}'"):
            genten.CP(2, **{name: 1})
        with pytest.raises(ValueError, match=f"unexpected keyword '{name}'"):
            genten.CP(2).set_params(**{name: 1})
    for ask in (genten.CP(2).transform, genten.CP(2).score):
        with pytest.raises(ValueError, match="expected a fitted CP"):
            ask(whole)
    with pytest.raises(TypeError, match=r"^fit: .*'values'; genten\.tensor\(data, values=\.\.\.\)"):
        genten.CP(2).fit(whole, values="count")
    partly = genten.CP(2, missing=np.array([[0, 0, 0]])).fit(whole)
    with pytest.raises(ValueError, match="^transform: expected a fit without a list of missing"):
        partly.transform(whole)
    genten.CP("two", tolerance=-3)  # Nothing is looked at before the fit.
    with pytest.raises(TypeError, match="rank: expected a whole number"):
        genten.CP("two").fit(whole)


CHECKS = (
    "check_estimator_cloneable", "check_estimator_repr", "check_get_params_invariance",
    "check_set_params", "check_no_attributes_set_in_init", "check_estimators_pickle",
    "check_dont_overwrite_parameters", "check_estimators_overwrite_params",
    "check_fit_score_takes_y", "check_transformers_unfitted", "check_transformer_general",
    "check_parameters_default_constructible",
    "check_estimators_fit_returns_self", "check_dict_unchanged", "check_fit_idempotent",
    "check_estimator_tags_renamed", "check_valid_tag_types",
)  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CHECKS)
def test_it_passes_the_checks_of_scikit_learn(name):
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    check = getattr(checks, name, None)
    if check is None:
        pytest.skip("this scikit-learn has no such check")
    check("CP", genten.CP(2))


def test_tools_of_scikit_learn_take_it(whole):
    base = pytest.importorskip("sklearn.base")
    found = base.clone(genten.CP(2, seed=3, lower=[0, 0, 0]))
    assert repr(found) == "CP(rank=2, seed=3, lower=[0, 0, 0])" and not hasattr(found, "model_")
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    search = GridSearchCV(genten.CP(seed=1), {"rank": [1, 2], "ridge": [0, 1e-9]}, cv=3).fit(whole)
    assert search.best_params_["rank"] == 2 and search.best_score_ > 0.9
    line = make_pipeline(genten.CP(2, tolerance=1e-9, max_iterations=500), LinearRegression())
    assert line.fit(whole, whole.sum(axis=(1, 2))).score(whole, whole.sum(axis=(1, 2))) > 0.99


def test_names_of_targets_stand_where_those_of_the_samples_do(monkeypatch):
    pandas = pytest.importorskip("pandas")
    subjects = [f"s{i}" for i in range(1, 13)]
    rows = [(s, f"k{k}", f"d{d}", 1.0 + i * k + d)
            for i, s in enumerate(subjects) for k in range(3) for d in range(4)]  # fmt: skip
    monkeypatch.setattr("genten._estimator._TOLD", deque(maxlen=8))
    X = genten.tensor(pandas.DataFrame(rows, columns=["s", "k", "d", "v"]), values="v")
    y = pandas.Series(range(12), index=subjects)
    said = r"y: expected names in the order of the samples of X, 's1', 's10', .*y.loc\[X.labels"
    for call in (genten.CP(1, seed=1).fit, genten.CP(1, seed=1).fit_transform):
        with pytest.raises(ValueError, match=said):
            call(X, y)
        with pytest.raises(ValueError, match="in the order of the samples"):
            call(X[:6], y[:6])
        with pytest.raises(ValueError, match="in the order of the samples"):
            call(X.to_pandas()[["s", "k", "d"]], y)  # of events
        call(X, y.loc[X.labels[0]])
        call(X, y.reset_index(drop=True))
        call(X, pandas.Series(range(12), index=[f"t{i}" for i in range(12)]))
        call(X, y.to_numpy())


def test_searches_tell_of_targets_without_names_once(recwarn, monkeypatch):
    pandas = pytest.importorskip("pandas")
    selection = pytest.importorskip("sklearn.model_selection")
    monkeypatch.setattr("genten._estimator._TOLD", deque(maxlen=8))
    rows = [(f"s{i}", f"k{k}", i * k + 1.0) for i in range(1, 25) for k in range(4)]
    X = genten.tensor(pandas.DataFrame(rows, columns=["s", "k", "v"]), values="v")
    y = np.arange(24.0)
    warnings.simplefilter("always")
    for _ in range(2):
        selection.cross_val_score(genten.CP(1, seed=1), X, y, cv=4)
        selection.GridSearchCV(genten.CP(seed=1), {"rank": [1, 2]}, cv=3).fit(X, y)
    told = [str(w.message) for w in recwarn if str(w.message).startswith("y: targets have no")]
    assert len(told) == 1
    assert told[0].endswith("a Series with their names as its index says otherwise")
    renamed = genten.tensor(X, labels=[sorted(f"t{i}" for i in range(24)), None])
    with pytest.warns(UserWarning, match="^y: targets have no names"):  # of other samples
        genten.CP(1).fit(renamed, y)
    longer = [f"s{i}" for i in range(1, 61)]
    longer = genten.tensor(np.ones((60, 4)), labels=[sorted(longer), None])
    with pytest.warns(UserWarning, match="^y: targets have no names"):  # which share some names
        genten.CP(1).fit(longer, np.arange(60.0))


def test_scikit_learn_is_not_imported():
    code = """
        import sys, genten, numpy as np
        genten.CP(1).fit(np.eye(3)).score(np.eye(3))
        print([name for name in sys.modules if name.startswith("sklearn")])
    """
    assert run_python(code) == "[]\n"


def test_its_output_is_what_scikit_learn_asks_for():
    pandas = pytest.importorskip("pandas")
    base = pytest.importorskip("sklearn.base")
    rows = [(user, item, 1.0) for user in ("zoe", "ann") for item in ("tea", "milk")]
    table = pandas.DataFrame(rows, columns=["user", "item", "n"])
    X = genten.tensor(table, values="n")
    found = genten.CP(1, seed=1).fit(X)
    assert isinstance(found.transform(X), np.ndarray)
    assert found.set_output(transform="pandas") is found is found.set_output()
    told = found.transform(X)
    assert told.index.tolist() == ["ann", "zoe"] and told.columns.tolist() == ["cp0"]
    assert np.array_equal(told, found.set_output(transform="default").transform(X))
    again = base.clone(found.set_output(transform="pandas")).fit_transform(X)
    assert isinstance(again, pandas.DataFrame)
    with pytest.raises(ValueError, match="transform: expected one of .*, got 'arrow'"):
        found.set_output(transform="arrow")
    with pytest.raises(ValueError, match="expected a fitted CP"):
        genten.CP(1).get_feature_names_out()
    polars = pytest.importorskip("polars")
    frame = found.set_output(transform="polars").transform(X)
    assert isinstance(frame, polars.DataFrame) and frame.columns == ["cp0"]


def test_its_output_follows_the_configuration_and_pipelines():
    pandas = pytest.importorskip("pandas")
    sklearn = pytest.importorskip("sklearn")
    pipeline = pytest.importorskip("sklearn.pipeline")
    X = genten.tensor(np.arange(1.0, 13).reshape(3, 4))
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(genten.CP(1).fit_transform(X), pandas.DataFrame)
    steps = pipeline.make_pipeline(genten.CP(2, seed=1)).set_output(transform="pandas")
    assert steps.fit_transform(X).columns.tolist() == ["cp0", "cp1"]
    assert steps.get_feature_names_out().tolist() == ["cp0", "cp1"]


def test_keywords_are_listed():
    listed, of_cp = (inspect.signature(thing).parameters for thing in (genten.CP, genten.cp))
    assert set(listed) == set(of_cp) - {"X", "comm", "grid"}
    assert {name: listed[name].default for name in listed} == {
        name: of_cp[name].default for name in listed
    }
    assert "nonnegative, ridge" in " ".join(genten.CP.__doc__.split())


def test_reports_and_pictures_take_it(whole, tmp_path):
    plots = pytest.importorskip("genten.plots")
    pytest.importorskip("jinja2")
    kept = genten.CP(2, seed=1, starts=2, keep_starts=True).fit(whole)
    genten.report(kept, tmp_path / "run.html", date="")
    page = genten.reports.render_report(kept.result_, date="")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == page
    one = genten.CP(2, seed=2).fit(whole)
    for draw in (plots.plot_model, plots.plot_result, plots.plot_starts):
        given = draw(kept).axes
        assert [each.get_label() for each in given] == [
            each.get_label() for each in draw(kept.result_).axes
        ]
        with pytest.raises(ValueError, match=f"^{draw.__name__}: expected a fitted CP: call fit"):
            draw(genten.CP(2))
    assert plots.plot_starts([kept, one]).axes[0].get_label() == "fits"
    with pytest.raises(TypeError, match="got CP; plot_model draws CP models"):
        plots.plot_tucker(one)
    with pytest.raises(ValueError, match="^report: expected a fitted CP"):
        genten.report(genten.CP(2), tmp_path / "no.html")
    assert not (tmp_path / "no.html").exists()
    errors = pytest.importorskip("sklearn.exceptions")
    with pytest.raises(errors.NotFittedError, match="^report: expected a fitted CP"):
        genten.report(genten.CP(2), tmp_path / "no.html")
