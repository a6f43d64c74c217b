# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The same rows in another order are the same rows, where labels tell."""

import numpy as np
import pytest

import genten

USERS, ITEMS = ["ann", "bob", "cleo"], ["tea", "milk"]


@pytest.fixture
def model():
    rng = np.random.default_rng(5)
    factors = [rng.random((3, 2)), rng.random((2, 2)), rng.random((4, 2))]
    return genten.Model([3.0, 2.0], factors, [USERS, ITEMS, None], ["user", "item", "week"])


def other_way(m):
    """The same model with its users in reverse order."""
    factors = [m.factors[0][::-1], *m.factors[1:]]
    return genten.Model(m.weights, factors, [USERS[::-1], *m.labels[1:]], m.mode_names)


def of(m, labels=None):
    return genten.tensor(m.to_dense(), labels=labels or m.labels, mode_names=m.mode_names)


def of_others(m):
    """The same numbers, said to be of other users."""
    return genten.Model(m.weights, m.factors, [["bob", "cleo", "dan"], *m.labels[1:]])


def test_models_by_label(model):
    turned = other_way(model)
    assert model.score(turned) == pytest.approx(1) == turned.score(model)
    assert model.innerprod(turned) == pytest.approx(model.norm**2)
    partly = genten.Model(turned.weights, turned.factors, [None, ITEMS, None])
    assert model.score(partly) < 0.99  # Without labels rows go by their numbers.
    assert np.array_equal(turned.factors[0], model.factors[0][::-1])


def test_models_of_other_rows_are_refused(model):
    why = r"mode 0 \(user\): expected the same labels, but only this model has 'ann' and only "
    with pytest.raises(ValueError, match=why + "the other has 'dan'"):
        model.innerprod(of_others(model))
    more = genten.Model(None, [np.ones((8, 2)), *model.factors[1:]], [
        [*USERS, *"abcde"], ITEMS, None])  # fmt: skip
    with pytest.raises(ValueError, match="but only the other has 'a', 'b', 'c' and 2 more$"):
        model.innerprod(more)
    twice = genten.Model(None, model.factors, [["ann", "bob", "ann"], ITEMS, None])
    assert twice.score(twice) == pytest.approx(1)
    same_set = genten.Model(None, model.factors, [["ann", "bob", "bob"], ITEMS, None])
    with pytest.raises(ValueError, match="several rows are called"):
        twice.score(same_set)


def test_models_are_compared_by_the_rows_that_both_have(model):
    others = of_others(model)
    told = r"score: mode 0 \(user\): only this model has 'ann' and only the other has 'dan'; rows"
    with pytest.warns(UserWarning, match=told):
        score = model.score(others)
    kept = [list(model.labels[0]).index(name) for name in ("bob", "cleo")]
    there = [list(others.labels[0]).index(name) for name in ("bob", "cleo")]
    parts = [
        genten.Model(m.weights, [m.factors[0][rows], *m.factors[1:]])
        for m, rows in ((model, kept), (others, there))
    ]
    assert score == pytest.approx(parts[0].score(parts[1]))
    none = genten.Model(None, model.factors, [["x", "y", "z"], ITEMS, None])
    with pytest.raises(ValueError, match="only this model has 'ann', 'bob', 'cleo' and only the"):
        model.score(none)


def test_a_model_is_compared_with_its_update_by_the_numbers_of_weeks():
    table = pandas_table(range(1, 51))
    before = genten.cp(genten.tensor(table, values="n"), 2, seed=1, nonnegative=True).model
    after = before.update(genten.tensor(pandas_table([0, 1]), values="n"), "week")
    assert before.labels[1] is None and after.shape[1] > before.shape[1]
    for one, other in ((before, after), (after, before)):
        with pytest.warns(UserWarning, match=r"mode 1 \(week\): only .* rows that both have are"):
            assert one.score(other, weight_penalty=False) > 0.9
    texts = genten.Model(before.weights, before.factors, [before.labels[0], [str(n) for n in range(
        before.shape[1])], None], before.mode_names)  # fmt: skip
    with pytest.warns(UserWarning, match="rows that both have are compared"):
        assert texts.score(after, weight_penalty=False) > 0.9
    longer = genten.Model(None, [np.ones((3, 2)), np.ones((5, 2))])
    with pytest.raises(ValueError, match="shape|dimension"):  # each has rows that the other lacks
        longer.score(genten.Model(None, [np.ones((5, 2)), np.ones((3, 2))]))


def pandas_table(weeks):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    rows = [(user, week, shop, 1 + rng.poisson(3 + 4 * (shop == "x")))
            for user in USERS for week in weeks for shop in ("x", "y")]  # fmt: skip
    return pandas.DataFrame(rows, columns=["user", "week", "shop", "n"])


def test_starts_in_a_picture(model):
    scores_of = pytest.importorskip("genten.plots.starts").scores_of
    assert scores_of([model, other_way(model)])[0, 1] == pytest.approx(1)


def test_tensors_by_label(model):
    X, Y = of(model), of(other_way(model))
    for m in (model, other_way(model)):
        for each in (X, Y):
            assert each.innerprod(m) == pytest.approx(X.norm**2) == m.innerprod(each)
    rows = np.flatnonzero(Y.subscripts[:, 0] < 2)  # Of cleo and bob alone.
    assert model.evaluate(Y).fit == pytest.approx(1)
    np.testing.assert_allclose(other_way(model).residuals(X), 0, atol=1e-12)
    with pytest.raises(ValueError, match=r"evaluate: mode 0: no row is called 'ann'"):
        of_others(model).evaluate(X)
    some = genten.tensor((Y.subscripts[rows], Y.values[rows], (2, 2, 4)),
                         labels=[["cleo", "bob"], ITEMS, None])  # fmt: skip
    assert some.innerprod(model) == pytest.approx(some.norm**2)
    with pytest.raises(ValueError, match=r"innerprod: mode 0: no row is called 'ann'"):
        X.innerprod(of_others(model))
    twice = genten.tensor(model.to_dense(), labels=[["ann", "ann", "cleo"], ITEMS, None])
    with pytest.raises(ValueError, match="several rows of the tensor are called 'ann'"):
        twice.innerprod(model)


def test_fit_and_report_by_label(model, tmp_path):
    pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
    from genten.describe import fit_of
    from genten.reports import render_report

    Y = of(other_way(model))
    assert fit_of(model, Y)[0] == pytest.approx(1)
    page = render_report(model, tensor=Y, title="t", date="")
    assert page == render_report(model, tensor=of(model), title="t", date="")
    with pytest.raises(ValueError, match=r"the tensor: mode 0: no row is called 'ann'"):
        of_others(model).report(tmp_path / "r.html", tensor=Y)


def test_report_of_files_whose_labels_differ(model, tmp_path, capsys):
    pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
    from genten._report_cli import main

    model.save(tmp_path / "m.gkt")
    of(model).save(tmp_path / "x.gtn")
    of(other_way(model)).save(tmp_path / "y.gtn")
    names = ["Ann A.", "Bob B.", "Cleo C."]
    (tmp_path / "names.txt").write_text("\n".join(names) + "\n")

    def page(tensor, *how):
        out = tmp_path / "r.html"
        code = main([str(tmp_path / "m.gkt"), "--tensor", str(tmp_path / tensor), "--title", "t",
                     *how, "-o", str(out)])  # fmt: skip
        assert code == 0, capsys.readouterr().err
        lines = out.read_text().replace(tensor, "").splitlines()
        return [line for line in lines if "UTC" not in line]

    assert page("y.gtn") == page("x.gtn")
    pretty = ["--labels", f"{tmp_path / 'names.txt'},,", "--mode-names", "user,item,week"]
    assert page("y.gtn", *pretty) == page("x.gtn", *pretty)
    assert any("Cleo C." in line for line in page("y.gtn", *pretty))


def test_runs_begin_by_label(model, tmp_path):
    X, Y = of(model), of(other_way(model))
    how = {"max_iterations": 1, "fixed_modes": [0, 1, 2]}
    for init in (model, other_way(model)):
        r = genten.cp(Y, init=init, **how)
        assert r.fit == pytest.approx(1) and r.model.score(model) == pytest.approx(1)
    other_way(model).save(tmp_path / "m.gkt")
    assert genten.cp(X, init=tmp_path / "m.gkt", **how).fit == pytest.approx(1)
    first = genten.cp_als(Y, 2, init=model, printitn=0, maxiters=1)
    assert first[1].labels[0] == USERS[::-1] and first[2]["fit"] == pytest.approx(1)
    for run in (genten.cp, genten.cp_als):
        with pytest.raises(ValueError, match="init: mode 0 .*only the guess has 'dan'"):
            run(X, 2, init=of_others(model))


def test_missing_entries_by_label(model):
    X = of(model)
    entries = np.array([[0, 1, 2], [2, 0, 3]])
    how = {"seed": 1, "max_iterations": 3}
    wanted = genten.cp(X, 2, missing=entries, **how)

    def same(missing):
        r = genten.cp(X, 2, missing=missing, **how)
        assert np.array_equal(r.model.weights, wanted.model.weights)
        there = r.options["missing"].subscripts
        assert sorted(map(tuple, there.tolist())) == [(0, 1, 2), (2, 0, 3)]

    turned = np.array([[2, 1, 2], [0, 0, 3]])
    labels = [USERS[::-1], ITEMS, None]
    same(genten.tensor((turned, np.ones(2), (3, 2, 4)), labels=labels))
    same([("ann", "milk", 2), ("cleo", "tea", 3)])
    pd = pytest.importorskip("pandas")
    same(pd.DataFrame({"week": [2, 3], "item": ["milk", "tea"], "user": ["ann", "cleo"]}))
    with pytest.raises(ValueError, match=r"missing: .*mode 0 \(user\).*no row is called 'dan'"):
        genten.cp(X, 2, missing=genten.tensor(
            (turned, np.ones(2), (3, 2, 4)), labels=[["dan", "bob", "ann"], ITEMS, None]))
    with pytest.raises(ValueError, match="no row is called 'tee'; did you mean 'tea'"):
        genten.cp(X, 2, missing=[("ann", "tee", 2)])
