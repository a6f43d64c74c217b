# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Modes, rows and entries by their names."""

import numpy as np
import pytest
from conftest import equal_models

import genten

USERS, ITEMS = ["zoe", "adam", "eve"], ["tea", "milk"]


@pytest.fixture
def model():
    rng = np.random.default_rng(3)
    factors = [rng.random((n, 2)) for n in (3, 2, 4)]
    return genten.Model([3.0, 2.0], factors, [USERS, ITEMS, None], ["user", "item", "week"])


ENTRIES = np.array([[0, 0, 3], [2, 1, 0], [0, 1, 1]])


def test_modes_by_name(model):
    X = genten.tensor(model.to_dense())
    assert model.top(0, 2, "item") == model.top(0, 2, 1)
    assert np.array_equal(model.project(X, "week"), model.project(X, 2))
    with pytest.raises(ValueError, match="one of .*, got 'itm'; did you mean 'item'?"):
        model.top(0, mode="itm")
    with pytest.raises(ValueError, match="one of .*, got 'zzz'$"):
        model.project(X, "zzz")
    with pytest.raises(TypeError, match="the number or the name of a mode, got 0.5"):
        model.top(0, mode=0.5)
    plain = genten.Model(None, model.factors)
    with pytest.raises(ValueError, match="got 'user', and the modes have no names"):
        plain.top(0, mode="user")
    said = "mode_names: expected different names, got 'a' several times"
    with pytest.raises(ValueError, match=said):
        genten.Model(None, model.factors, None, ["b", "a", "a"])
    with pytest.raises(ValueError, match=said):
        genten.tensor(np.eye(2), mode_names=["a", "a"])
    twice = genten.Model(None, model.factors, None, ["a", "c", "b"])
    twice.mode_names[1] = "a"
    with pytest.raises(ValueError, match="got 'a', as several are called"):
        twice.top(0, mode="a")


def test_modes_of_runs_by_name(model):
    X = genten.tensor(model.to_dense(), mode_names=model.mode_names)
    how = {"max_iterations": 3, "init": model}
    byname = genten.cp(X, fixed_modes=["item"], mode_order=["week", 0, "item"], **how)
    numbers = genten.cp(X, fixed_modes=[1], mode_order=[2, 0, 1], **how)
    assert equal_models(byname.model, numbers.model)
    assert byname.options["mode_order"] == [2, 0, 1]
    for modes in ({"nonnegative": "item"}, {"fixed_modes": "item"}):
        one = genten.cp(X, **modes, **how)
        listed = genten.cp(X, **{name: [mode] for name, mode in modes.items()}, **how)
        assert equal_models(one.model, listed.model)
    with pytest.raises(ValueError, match="nonnegative: expected a mode, .* did you mean 'item'"):
        genten.cp(X, nonnegative="itm", **how)
    with pytest.raises(ValueError, match="fixed_modes: expected a mode, .* did you mean 'user'"):
        genten.cp(X, fixed_modes=["usr"], **how)
    with pytest.raises(TypeError, match="mode_order: expected modes"):
        genten.cp(X, mode_order="user", **how)
    peer = {"init": model, "printitn": 0, "maxiters": 3}
    one = genten.cp_als(X, 2, dimorder=["week", "user", "item"], optdims=["user"], **peer)
    other = genten.cp_als(X, 2, dimorder=[2, 0, 1], optdims=[0], **peer)
    assert equal_models(one[0], other[0])
    with pytest.raises(ValueError, match="optdims: expected a mode, .* did you mean 'week'"):
        genten.cp_als(X, 2, optdims=["weke"], **peer)


def test_pictures_of_modes_by_name(model):
    pytest.importorskip("matplotlib")
    labels = [axes.get_label() for axes in model.plot(modes=["week"], kinds={"week": "line"}).axes]
    assert labels[:2] == ["component 0 weight", "component 0 mode 2"]
    for how in ({"modes": ["wek"]}, {"kinds": {"wek": "line"}}):
        with pytest.raises(ValueError, match="did you mean 'week'"):
            model.plot(**how)


def test_entries_by_labels(model):
    expected = model.predict(ENTRIES)
    tuples = [("zoe", "tea", 3), ("eve", "milk", 0), ("zoe", "milk", 1)]
    for entries in (tuples, list(map(list, tuples)), np.array(tuples, dtype=object)):
        assert np.array_equal(model.predict(entries), expected)
    assert np.array_equal(model.predict([("zoe", 0, 3)]), expected[:1])
    for wrong, said in (
        ([("zoe", "tee", 3)], r"mode 1 \(item\): no row is called 'tee'; did you mean 'tea'"),
        ([("zoe", "tea", "3")], r"mode 2 \(week\) has no labels, expected whole numbers"),
        ([("zoe", "tea")], r"expected 3 labels an entry, got \('zoe', 'tea'\)"),
        (["zoe", "tea", "x"], r"expected a list of entries, got one: \[\('zoe', 'tea', 'x'\)\]"),
        (["zoe", "tea"], "expected 3 labels an entry, got 'zoe'"),
        ([("zoe", "tea", 1.5)], "expected whole numbers"),
    ):
        with pytest.raises(ValueError, match=said):
            model.predict(wrong)
    alike = genten.Model(None, model.factors, [["a", "a", "b"], None, None])
    assert len(alike.predict([("b", 0, 0)])) == 1
    with pytest.raises(ValueError, match="mode 0: several rows are called 'a'"):
        alike.predict([("a", 0, 0)])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_entries_of_a_table(model, library):
    frames = pytest.importorskip(library)
    columns = {"item": ["tea", "milk", "milk"], "count": [7, 8, 9], "week": [3, 0, 1],
               "user": ["zoe", "eve", "zoe"]}  # fmt: skip
    table = frames.DataFrame(columns)
    expected = model.predict(ENTRIES)
    assert np.array_equal(model.predict(table), expected)
    plain = genten.Model(model.weights, model.factors, model.labels)
    assert np.array_equal(plain.predict(table[["user", "item", "week"]]), expected)
    with pytest.raises(ValueError, match=r"expected a table with 3 columns, got \['item', "):
        plain.predict(table)
    with pytest.raises(ValueError, match="expected a table with the columns .*'week'"):
        model.predict(table[["user", "item"]])
    with pytest.raises(ValueError, match=r"mode 2 \(week\) has no labels"):
        texts = frames.DataFrame({**columns, "week": ["a", "b", "c"]})
        model.predict(texts)
    with pytest.raises(ValueError, match="no row is called 'coffee'"):
        model.predict(frames.DataFrame({**columns, "item": ["tea", "coffee", "milk"]}))


def test_entries_of_numbers_times_and_categories():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {"year": pandas.Categorical([2001, 1999, 2001]), "n": [1.0, 2.0, 3.0],
         "day": pandas.to_datetime(["2024-01-02", "2024-01-01", "2024-01-01"])}
    )  # fmt: skip
    X = genten.tensor(table, values="n")
    m = genten.cp(X, 1).model
    assert np.array_equal(m.predict(table), m.predict([[1, 1], [0, 0], [1, 0]]))
    years = table.assign(year=[2001, 1999, 2001])  # Labels, not rows, where the mode has labels.
    assert np.array_equal(m.predict(years), m.predict(table))
    indexed = table.set_index(["year", "day"])
    assert np.array_equal(m.predict(indexed), m.predict(table))


def test_projection_goes_by_labels(model):
    X = genten.tensor(model.to_dense(), labels=model.labels, mode_names=model.mode_names)
    found = model.project(X, "week")
    swap = genten.tensor(model.to_dense()[[2, 0, 1]], labels=[["eve", "zoe", "adam"], None, None])
    assert np.allclose(model.project(swap, "week"), found)
    few = model.to_dense()[[2, 0]]
    whole = model.to_dense() * np.array([1, 0, 1])[:, None, None]
    named = genten.tensor(few, labels=[["eve", "zoe"], None, None])
    assert np.allclose(model.project(named, 2), model.project(genten.tensor(whole), 2))
    with pytest.raises(ValueError, match=r"mode 0 \(user\): no row is called 'bob'"):
        model.project(genten.tensor(few, labels=[["eve", "bob"], None, None]), 2)
    new = genten.tensor(few, labels=[["dan", "fay"], None, None])
    assert model.project(new, "user").shape == (2, 2)


def test_factors_as_tables(model):
    pytest.importorskip("pandas")
    tables = model.to_pandas()
    assert [table.shape for table in tables] == [factor.shape for factor in model.factors]
    for table, factor, labels, name in zip(
        tables, model.factors, model.labels, model.mode_names, strict=True
    ):
        assert np.array_equal(table.to_numpy(), factor) and table.index.name == name
        rows = list(range(len(factor))) if labels is None else list(labels)
        assert table.index.tolist() == rows
        assert table.columns.tolist() == list(range(model.rank))
        assert table.columns.name == "component"
    before = model.factors[0][0, 0]
    tables[0].iloc[0, 0] = before + 1
    assert model.factors[0][0, 0] == before
    bare = genten.Model(None, model.factors).to_pandas()
    assert bare[0].index.name is None and bare[0].index.tolist() == [0, 1, 2]
