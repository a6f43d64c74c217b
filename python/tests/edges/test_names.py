# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The same names in another order are the same modes and rows, wherever two things meet."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import genten

WHO, DAYS = ["ann", "bob", "cleo"], ["mon", "tue", "wed", "thu"]
NAMES = ["from", "to", "day"]


@pytest.fixture
def model():
    rng = np.random.default_rng(5)
    factors = [rng.random((3, 2)) + 0.1, rng.random((3, 2)) + 0.1, rng.random((4, 2)) + 0.1]
    return genten.Model([3.0, 2.0], factors, [WHO, WHO[::-1], DAYS], NAMES)


def turned(m, order):
    """The same model with its modes in another order."""
    return genten.Model(m.weights, [m.factors[n] for n in order], [m.labels[n] for n in order],
                        [m.mode_names[n] for n in order])  # fmt: skip


def of(m):
    return genten.tensor(m.to_dense(), labels=m.labels, mode_names=m.mode_names)


ORDERS = [(1, 0, 2), (2, 0, 1), (0, 2, 1)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("order", ORDERS)
def test_modes_in_another_order(model, order):
    other, X = turned(model, order), of(model)
    Y = of(other)
    assert model.score(other) == pytest.approx(1) == other.score(model)
    assert model.innerprod(other) == pytest.approx(model.norm**2)
    assert model.innerprod(Y) == pytest.approx(model.norm**2) == Y.innerprod(model)
    assert model.evaluate(Y).fit == pytest.approx(1) == genten.evaluate(other, X).fit
    np.testing.assert_allclose(model.residuals(Y), 0, atol=1e-12)
    for mode in NAMES:
        expected = model.factors[NAMES.index(mode)]
        np.testing.assert_allclose(model.project(Y, mode), expected, rtol=1e-8)
    begun = genten.cp(X, init=other, max_iterations=0)
    assert begun.fit == pytest.approx(1) and begun.model.mode_names == NAMES
    guess = genten.cp_als(X, 2, init=other, printitn=0)[1]
    assert guess == model
    assert model.mode_names == NAMES and X.mode_names == NAMES  # Nothing that was given changed.


@pytest.mark.filterwarnings("error")
def test_missing_entries_by_names(model):
    X, other = of(model), turned(model, (1, 0, 2))
    spoilt = model.to_dense()
    spoilt[0, 2, 1] += 100.0
    spoilt = genten.tensor(spoilt, labels=model.labels, mode_names=NAMES)
    where = genten.tensor((np.array([[2, 0, 1]]), np.ones(1), (3, 3, 4)),
                          labels=other.labels, mode_names=other.mode_names)  # fmt: skip
    found = genten.cp(spoilt, missing=where, init=model, max_iterations=0).model
    assert found.evaluate(X, missing="none").fit == pytest.approx(1)
    assert found.evaluate(spoilt, missing="none").fit < 0.9
    assert found.evaluate(spoilt, missing=where).fit == pytest.approx(1)
    with pytest.warns(UserWarning, match="^evaluate: the model was made without entries that a"):
        assert found.evaluate(spoilt).fit < 0.9
    assert genten.cp(spoilt, missing=where, init=model, max_iterations=1).fit > 0.999


def test_reports_and_pictures_by_names(model, tmp_path):
    pytest.importorskip("jinja2")
    model.report(tmp_path / "a.html", tensor=of(model), tensor_name="x", date="")
    model.report(tmp_path / "b.html", tensor=of(turned(model, (2, 1, 0))), tensor_name="x", date="")
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text()
    scores_of = pytest.importorskip("genten.plots.starts").scores_of
    assert scores_of([model, turned(model, (1, 2, 0))])[0, 1] == pytest.approx(1)


@pytest.mark.parametrize("names", [["to", "from", "date"], ["day", "to", "from "]])
def test_names_that_are_the_same_in_part_are_refused(model, names):
    X = genten.tensor(np.ones((3, 3, 4)), mode_names=names)
    other = genten.Model(None, model.factors, mode_names=names)
    for name, use in {
        "evaluate": lambda: model.evaluate(X),
        "residuals": lambda: model.residuals(X),
        "project": lambda: model.project(X, 2),
        "innerprod": lambda: model.innerprod(X),
        "score": lambda: model.score(other),
        "init": lambda: genten.cp(X, init=model),
        "missing": lambda: genten.cp(of(model), missing=X),
    }.items():
        with pytest.raises(ValueError, match=f"{name}: expected modes called .*, each once and"):
            use()


@pytest.mark.filterwarnings("error")
def test_modes_without_names_go_by_their_places(model):
    assert model.evaluate(genten.tensor(model.to_dense())).fit == pytest.approx(1)


@pytest.mark.parametrize("names", [["a", "b", "c"], ["from", "b", "day"], ["to2", "x", "y"]])
def test_modes_of_other_names_are_refused(model, names):
    X = genten.tensor(model.to_dense(), mode_names=names)
    for name, use in {
        "evaluate": lambda: model.evaluate(X),
        "residuals": lambda: model.residuals(X),
        "project": lambda: model.project(X, 2),
        "project_rows": lambda: model.project_rows(X, 2),
        "update": lambda: model.update(X, 2),
        "innerprod": lambda: X.innerprod(model),
        "the tensor": lambda: genten.reports.render_report(model, tensor=X),
    }.items():
        with pytest.raises(ValueError, match=f"^{name}: expected modes called .*{names[1]}"):
            use()
    X.mode_names = model.mode_names  # as the message says
    assert model.evaluate(X).fit == pytest.approx(1)


def test_rows_of_one_side_are_told(model):
    X = of(model)
    some = genten.tensor((X.subscripts, X.values, (3, 3, 6)),
                         labels=[*model.labels[:2], [*DAYS, "fri", "sat"]], mode_names=NAMES)
    few = genten.tensor(model.to_dense()[:2], labels=[WHO[:2], *model.labels[1:]])
    uses = {
        "evaluate": lambda Y: model.evaluate(Y),
        "residuals": lambda Y: model.residuals(Y),
        "innerprod": lambda Y: Y.innerprod(model),
        "project": lambda Y: model.project(Y, 1),
    }
    for name, use in uses.items():
        why = rf"^{name}: mode 2 \(day\): the tensor has 2 empty rows that the model lacks, left ou"
        with pytest.warns(UserWarning, match=why + "t: 'fri', 'sat'$"):
            use(some)
        why = rf"^{name}: mode 0 \(from\): the model has a row that the tensor lacks, taken for zer"
        remedy = "; partial=.* leaves such rows out" if name in ("evaluate", "project") else ""
        with pytest.warns(UserWarning, match=why + f"os: 'cleo'{remedy}$") as caught:
            use(few)
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.project(few, "from").shape == (2, 2)  # Where new rows are what it is about.
        genten.cp(X, 1, missing=few, max_iterations=1)


@pytest.mark.filterwarnings("error")
def test_the_same_times_in_other_words_are_not_told():
    days = ["2024-01-01", "2024-01-02"]
    model = genten.Model(None, [np.ones((2, 1))], [days])
    X = genten.tensor(np.ones(2), labels=[[f"{day}T00:00" for day in days[::-1]]])
    assert model.evaluate(X).fit == 1.0


def test_losses_that_are_set_are_checked_and_kept(model):
    with pytest.raises(ValueError, match=r"^loss: expected .*got 'poison'; did you mean 'poisson'"):
        model.loss = "poison"
    with pytest.raises(TypeError, match="^loss: expected a text"):
        model.loss = 3
    assert model.loss is None
    model.loss = "poisson"
    assert model.loss == copy.deepcopy(model).loss == pickle.loads(pickle.dumps(model)).loss
    model.loss = None
    assert model.loss is None


def test_names_that_cannot_be_set_are_not_suggested(model):
    names = {"shap": "", "evaluat": "", "rnk": "", "wieghts": "weights", "los": "loss"}
    for name, near in names.items():
        hint = f"; did you mean '{near}'[?]$" if near else "that can be set$"
        with pytest.raises(AttributeError, match=hint):
            setattr(model, name, 1)


def test_truths_are_no_modes(model):
    X = of(model)
    for use in (X.sum, X.collapse, lambda mode: X.mttkrp(model, mode),
                lambda mode: model.project(X, mode), lambda mode: X.permute([mode, 0, 2]),
                ):  # fmt: skip
        with pytest.raises(TypeError, match="expected the number or the name of a mode, got True"):
            use(True)
    assert X.sum(-1).shape == X.shape[:2] and X[-1, 0, 0] == pytest.approx(model[-1, 0, 0])
