# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of pandas and polars: which cells are keys, and which columns are modes."""

import re

import numpy as np
import pytest

import genten

LIBRARIES = ["pandas", "polars"]


def table_of(library, keys):
    """A table with a column of any Python objects, "key"."""
    frames = pytest.importorskip(library)
    if library == "polars":
        key = frames.Series("key", keys, dtype=frames.Object)
    else:
        key = frames.Series(keys, dtype=object)
    return frames.DataFrame({"key": key, "value": [2**row % 1024 for row in range(len(keys))]})


@pytest.mark.parametrize("library", LIBRARIES)
def test_different_keys_of_one_text_are_refused(library):
    message = "column 'key': expected keys whose texts differ, got '1' (str) and 1 (int)"
    with pytest.raises(ValueError, match=re.escape(message)):
        genten.tensor(table_of(library, ["1", 1, "1"]), values="value")


def test_different_categories_of_one_text_are_refused():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"key": pandas.Categorical(["1", 1]), "value": [1, 2]})
    with pytest.raises(ValueError, match=r"got 1 \(int\) and '1' \(str\)"):
        genten.tensor(table, values="value")


@pytest.mark.parametrize("library", LIBRARIES)
def test_keys_that_are_equal_but_look_different(library):
    X = genten.tensor(table_of(library, [1, True, 1.0, np.int64(1)]), modes=["key", "value"])
    assert sorted(X.labels[0]) == ["1", "1.0", "True"]
    rows = X.subscripts[:, 0].tolist()
    assert rows[0] == rows[3] and len(set(rows)) == 3


@pytest.mark.parametrize("library", LIBRARIES)
def test_keys_without_an_order_are_sorted_by_their_texts(library):
    X = genten.tensor(table_of(library, ["x", 3, (1, 2), 3]), modes=["key", "value"])
    assert X.labels[0] == ["(1, 2)", "3", "x"]
    assert X.subscripts[:, 0].tolist() == [2, 1, 0, 1]
    numbers = genten.tensor(table_of(library, [10, 9, 10]), values="value")
    assert numbers.labels[0] == ["9", "10"]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("cell", [["a"], {"a"}, {"a": 1}])
def test_cells_that_are_no_keys_are_refused(library, cell):
    kind = type(cell).__name__
    with pytest.raises(ValueError, match=f"column 'key', row 1: expected a text.*got a {kind}"):
        genten.tensor(table_of(library, ["a", cell]), values="value")


def test_nested_columns_of_polars_are_refused():
    polars = pytest.importorskip("polars")
    for cells in ([[1], [2]], [{"x": 1}, {"x": 2}]):
        with pytest.raises(ValueError, match="column 'key', row 0: expected a text"):
            genten.tensor(polars.DataFrame({"key": cells, "n": [0, 1]}), modes=["key", "n"])


def frame_with_rows(library, keys):
    """`table_of`, with the numbers of its rows: so that no two are of one cell."""
    table, rows = table_of(library, keys), np.arange(len(keys))
    if library == "pandas":
        return table.assign(row=rows)
    return table.with_columns(pytest.importorskip("polars").Series("row", rows))


class Key:
    """A key that counts how often keys are compared."""

    compared = 0

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def __hash__(self):
        return hash(self.text)

    def __eq__(self, other):
        return self.text == other.text

    def __lt__(self, other):
        Key.compared += 1
        return self.text < other.text


@pytest.mark.parametrize("library", LIBRARIES)
def test_only_distinct_keys_are_sorted(library):
    keys = [Key(text) for text in "abcdefgh"]
    rows = np.random.default_rng(3).integers(0, len(keys), 5000)
    Key.compared = 0
    table = frame_with_rows(library, [keys[row] for row in rows])
    X = genten.tensor(table, modes=["key", "row"])
    assert Key.compared < 100
    assert X.labels[0] == list("abcdefgh") and np.array_equal(X.subscripts[:, 0], rows)


@pytest.mark.parametrize("library", LIBRARIES)
def test_texts_are_numbered_in_their_order(library):
    frames = pytest.importorskip(library)
    words = np.array([f"wörd {row}" for row in range(500)], dtype=object)
    taken = words[np.random.default_rng(4).integers(0, 500, 3000)]
    table = frames.DataFrame({"word": taken.tolist(), "n": np.arange(3000)})
    found, rows = np.unique(taken, return_inverse=True)
    X = genten.tensor(table, modes=["word", "n"])
    assert X.labels == [found.tolist(), None] and np.array_equal(X.subscripts[:, 0], rows)


@pytest.mark.parametrize("library", LIBRARIES)
def test_times_and_truths_have_labels(library):
    frames = pytest.importorskip(library)
    days = np.array(["2024-01-02", "2024-01-01"], "datetime64[us]")
    X = genten.tensor(frames.DataFrame({"day": days, "true": [True, False]}))
    assert X.labels[0] == ["2024-01-01", "2024-01-02"]
    assert X.labels[1] == ["False", "True"] and X.subscripts.tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize("library", LIBRARIES)
def test_floats_are_modes_only_where_they_are_asked_for(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"i": [0, 1], "j": [1, 0], "rating": [4.0, 5.0], "age": [1.0, 2.0]})
    with pytest.raises(ValueError, match=r"'rating' holds floats.*: give genten.tensor\(table, v"):
        genten.tensor(table)
    with pytest.raises(ValueError, match="column 'age' holds floats.*: modes= says which"):
        genten.tensor(table, values="rating")
    assert genten.tensor(table, modes=["i", "j"], values="rating").shape == (2, 2)
    assert genten.tensor(table, modes=["i", "rating"]).shape == (2, 6)


@pytest.mark.parametrize("library", LIBRARIES)
def test_whole_numbers_are_modes_only_where_something_says_so(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"who": ["a", "b"], "what": ["x", "y"], "count": [7, 3]})
    told = r"column 'count' holds .*: give genten.tensor\(table, values='count'\), or modes"
    for takes in (genten.tensor, lambda data: genten.cp(data, 1)):
        with pytest.raises(ValueError, match=told):
            takes(table)
    assert genten.tensor(table, values="count").values.tolist() == [7, 3]
    assert genten.tensor(table, modes=["who", "what", "count"]).shape == (2, 2, 8)
    assert genten.tensor(table, modes=["who", "what"]).values.tolist() == [1, 1]
    two = frames.DataFrame({"i": np.arange(2, dtype="u1"), "j": [1, 0]})
    with pytest.raises(ValueError, match=r"'i' and 'j' hold .*values='j'\), or modes=\['i'"):
        genten.tensor(two)
    assert genten.tensor(two, values="j").shape == (2,)
    with pytest.raises(ValueError, match="column 'key' holds whole numbers"):
        genten.tensor(table_of(library, [1, 2])[["key"]])
    truths = frames.DataFrame({"who": ["a", "b"], "there": [True, False]})
    assert genten.tensor(truths).labels == [["a", "b"], ["False", "True"]]


def test_pivots_are_told_how_they_become_tensors():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"who": ["a", "b", "b"], "what": ["x", "y", "x"], "n": [7, 3, 2]})
    pivot = table.pivot_table(index="who", columns="what", values="n")
    told = r"a wide one, whose 2 columns are a mode 'what'.*genten.tensor\(.*melt\(id_vars=\['who'"
    for takes in (genten.tensor, lambda data: genten.cp(data, 1)):
        with pytest.raises(ValueError, match=told):
            takes(pivot)
    found, known = genten.tensor(pivot.stack().dropna()), genten.tensor(table, values="n")
    assert found.labels == known.labels and found.mode_names == known.mode_names
    assert found.to_dense().tolist() == known.to_dense().tolist()
    named = table.rename_axis(columns="what else")  # a long one whose columns have kept a name
    assert genten.tensor(named, values="n").shape == (2, 2)


@pytest.mark.parametrize("library", LIBRARIES)
def test_numbers_as_texts_are_no_values(library, recwarn):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"who": ["a", "b"], "count": ["7", "3.5"]})
    cast = {"pandas": "astype", "polars": "cast"}[library]
    with pytest.raises(ValueError, match=f"numbers in column 'count', got texts, .*{cast}"):
        genten.tensor(table, values="count")
    assert genten.tensor(table).shape == (2, 2)
    (said,) = (str(warning.message) for warning in recwarn)
    assert said.startswith("column 'count' holds numbers as texts, and is a mode: if they are val")
    genten.tensor(table, modes=["who", "count"])
    genten.tensor(frames.DataFrame({"who": ["a", "b"], "code": ["7", "x"]}))
    genten.tensor(frames.DataFrame({"day": np.array(["2024"], "datetime64[us]"), "is": [True]}))
    assert len(recwarn) == 1


@pytest.mark.parametrize("library", [*LIBRARIES, "pyarrow"])
def test_quantities_with_a_unit_are_no_names(library, recwarn, tmp_path):
    frames = pytest.importorskip(library)
    made = frames.table if library == "pyarrow" else frames.DataFrame

    def said(texts, **hints):
        recwarn.clear()
        genten.tensor(made({"who": ["a", "b", "c"], "load": texts}), **hints)
        return [str(warning.message) for warning in recwarn]

    for texts, unit in ((["8 kg", "7.5 kg", "8 kg"], "kg"), (["8%", "10%", "3%"], "%")):
        (told,) = said(texts)
        begin = f"column 'load' holds numbers with the unit {unit!r} as texts, and is a mode: if"
        assert told.startswith(begin) and "modes=['who', 'load'] says that they are not" in told
        assert not said(texts, modes=["who", "load"])
        if library != "pyarrow":
            (call,) = re.findall("take (.*) and give values='load'", told)
            table = made({"who": ["a", "b", "c"], "load": texts})
            numbers = eval(call, {"table": table, library: frames}).to_list()
            assert numbers == [float(text.rstrip(" kg%")) for text in texts]
        if library != "pyarrow":
            with pytest.raises(ValueError, match="texts, as in row 0 .* makes numbers of") as e:
                genten.tensor(table, values="load")
            assert f"; {call} makes" in str(e.value)
        elif unit == "kg":
            path = tmp_path / "x.csv"
            path.write_text("who,load\na,8 kg\nb,7.5 kg\nc,8 kg\n")
            genten.read(path)
            assert str(recwarn[-1].message) == told
            genten.read(path, modes=["who", "load"])
            assert len(recwarn) == 1
    for names in (["1st", "2nd", "3rd"], ["4th", "5th", "6th"], ["8 kg", "7 lb", "9 kg"],
                  ["8 kg", "none", "7 kg"], ["A 4", "A 5", "A 6"]):  # fmt: skip
        assert not said(names), names


def test_categories_of_whole_numbers_are_modes():
    pandas = pytest.importorskip("pandas")
    years = pandas.DataFrame({"year": pandas.Categorical([1999, 2000, 1999])})
    assert genten.tensor(years).labels == [["1999", "2000"]]
    missing = pandas.DataFrame({"who": ["a", "b"], "n": pandas.array([1, 2], dtype="Int64")})
    with pytest.raises(ValueError, match="table, values='n'"):
        genten.tensor(missing)


@pytest.mark.parametrize("library", LIBRARIES)
def test_modes_are_names_of_other_columns(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"u": [0, 1], "v": [1, 0], "w": [2, 3]})
    with pytest.raises(TypeError, match="modes: expected a sequence of names of columns, got 'u'"):
        genten.tensor(table, modes="u")
    with pytest.raises(ValueError, match="modes: expected columns other than .* got 'w'"):
        genten.tensor(table, modes=["u", "w"], values="w")
    with pytest.raises(ValueError, match="modes: expected at least one column"):
        genten.tensor(table, modes=[])
    assert genten.tensor(table, modes=("v", "u"), values="w").mode_names == ["v", "u"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_numbers_that_no_mode_can_hold(library):
    frames = pytest.importorskip(library)
    for numbers, shown in (
        (np.array([0, 2**64 - 1], "u8"), r"'u', row 1: .* 2\*\*63 - 2, got 18446744073709551615"),
        (np.array([-7, -5]), "column 'u', row 0: expected a number of a row from 0 to .* got -7"),
    ):
        with pytest.raises(ValueError, match=shown):
            genten.tensor(frames.DataFrame({"u": numbers, "v": [0, 1]}), modes=["u", "v"])


@pytest.mark.parametrize("library", LIBRARIES)
def test_missing_values_are_named(library):
    frames = pytest.importorskip(library)
    for values in ([1.5, None], [1, None]):
        table = frames.DataFrame({"u": ["a", "b"], "hours": values})
        with pytest.raises(ValueError, match="column 'hours', row 1: a value is missing"):
            genten.tensor(table, values="hours")


def test_columns_of_one_name_are_refused():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame([[0, 1], [1, 1]], columns=["a", "a"])
    with pytest.raises(ValueError, match="columns of different names, got 'a' several times"):
        genten.tensor(table)
    with pytest.raises(ValueError, match="columns of different names, got 'a' several times"):
        genten.tensor(table, modes=["a"])
