# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of pandas whose index holds modes, and columns where their names are asked for."""

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")

ROWS = pandas.DataFrame(
    {"user": ["zoe", "adam", "zoe", "zoe"], "item": ["b", "a", "b", "a"], "week": [2, 0, 2, 1]}
)


def as_dense(X):
    full = np.zeros(X.shape)
    np.add.at(full, tuple(X.subscripts.astype(np.int64).T), X.values)
    return full.tolist()


def test_a_series_is_the_values_at_its_index():
    counted = ROWS.groupby(["user", "item"]).size()
    X = genten.tensor(counted)
    assert X.mode_names == ["user", "item"] and X.labels == [["adam", "zoe"], ["a", "b"]]
    assert as_dense(X) == [[1, 0], [1, 2]] == as_dense(genten.tensor(ROWS, modes=X.mode_names))
    weeks = ROWS.groupby(["item", "week"])["week"].sum()
    assert as_dense(genten.tensor(weeks)) == [[0, 1, 0], [0, 0, 4]]
    assert genten.tensor(counted, modes=["item", "user"]).mode_names == ["item", "user"]
    assert genten.tensor(pandas.Series([1.0], pandas.Index(["a"], name="values"))).shape == (1,)
    with pytest.raises(TypeError, match="values: has no effect for a Series"):
        genten.tensor(counted, values="user")


def test_an_index_with_names_is_columns():
    table = ROWS.assign(hours=[1.0, 2.0, 3.0, 4.0])
    expected = genten.tensor(table, values="hours")
    for names in (["user"], ["user", "item"]):
        X = genten.tensor(table.set_index(names), values="hours")
        assert X.mode_names == expected.mode_names and as_dense(X) == as_dense(expected)
    indexed = table.set_index("user")
    assert genten.tensor(indexed, modes=["item", "week"], values="hours").shape == (2, 3)
    with pytest.raises(ValueError, match="column 'row' holds whole numbers"):
        genten.tensor(ROWS[["user"]].rename_axis("row"))


def test_an_index_of_row_numbers_says_nothing():
    some = ROWS[ROWS["user"] == "zoe"]
    assert genten.tensor(some, modes=["item", "week"]).nnz == 2


@pytest.mark.parametrize("index", [list("abcd"), [0.5, 1, 2, 3], [("a", 1)] * 4])
def test_other_indices_without_names_are_refused(index):
    if isinstance(index[0], tuple):
        index = pandas.MultiIndex.from_tuples(index)
    with pytest.raises(ValueError, match=r"index has .* without a name: name them, .*rename_axis"):
        genten.tensor(ROWS.set_axis(index), values="week")


def test_a_series_without_names_and_an_index_of_one_name():
    # Without its index a Series would say nothing but values.
    said = r"^the Series's index has {} without a name: .* rename_axis\({}\), to make them modes$"
    with pytest.raises(ValueError, match=said.format("keys", r"\['mode0'\]")):
        genten.tensor(pandas.Series([1.0, 2.0]))
    pairs = pandas.MultiIndex.from_tuples([("a", 1), ("b", 2)])
    with pytest.raises(ValueError, match=said.format("levels", r"\['mode0', 'mode1'\]")):
        genten.tensor(pandas.Series([1.0, 2.0], pairs))
    named = pandas.Series([1.0, 2.0], pairs).rename_axis(["mode0", "mode1"])
    assert genten.tensor(named).mode_names == ["mode0", "mode1"]
    twice = ROWS.set_index([list("abcd"), "item"]).rename_axis(["u"] * 2)
    for table in (ROWS.rename_axis("user"), twice):
        with pytest.raises(ValueError, match="index is called 'us?e?r?', as something else is"):
            genten.tensor(table, modes=["week"])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_in_place_of_their_names_are_refused(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"user": ["a", "b"], "count": [1, 2]})
    with pytest.raises(TypeError, match="values: expected .* got a Series; its name is 'count'"):
        genten.tensor(table, values=table["count"])
    for values in (np.ones(2), [1.0, 2.0]):
        with pytest.raises(TypeError, match="values: expected the name of a column, got a "):
            genten.tensor(table, values=values)
    with pytest.raises(TypeError, match="modes: expected .* got a Series; its name is 'user'"):
        genten.tensor(table, modes=[table["user"]])
    if library == "polars":
        with pytest.raises(TypeError, match="values: expected the name of a column, got a Expr"):
            genten.tensor(table, values=frames.col("count"))
