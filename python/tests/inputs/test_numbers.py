# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers at the edges of their types, types of values, and masks."""

import re
import warnings

import numpy as np
import pytest
from conftest import DATA

import genten

ONE = np.ones(1)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("subscript", "kind", "shown"),
    [
        (2**64 - 1, np.uint64, "18446744073709551615"),
        (2**63 - 1, np.int64, "9223372036854775807"),
        (2**63 - 1, object, "9223372036854775807"),
        (2**70, object, "1180591620717411303424"),
        (-(2**70), object, "-1180591620717411303424"),
        (2.0**63, np.float64, "9.223372036854776e+18"),
        (1e300, np.float64, "1e+300"),
        (-1e300, np.float64, "-1e+300"),
    ],
)
def test_subscripts_too_large_for_any_mode(subscript, kind, shown):
    matrix = np.array([[0, 0], [0, subscript]], kind)
    message = f"nonzero 1: expected a subscript from 0 to 2**63 - 2, got {shown}"
    for given in (matrix, list(matrix.T)):
        with pytest.raises(ValueError, match=re.escape(message)):
            genten.tensor((given, np.ones(2)))


def test_lengths_at_the_edge():
    X = genten.tensor((np.array([[2**63 - 2, 0]]), ONE))
    assert X.shape == (2**63 - 1, 1)
    with pytest.raises(ValueError, match=r"lengths of at most 2\*\*63 - 1, got \(11805916"):
        genten.tensor((np.array([[0, 0]]), ONE, (2**70, 1)))
    with pytest.raises(ValueError, match="nonzero 0: expected a subscript of at least 0.*got -5"):
        genten.tensor((np.array([[-5, 0]]), ONE))


@pytest.mark.filterwarnings("error")
def test_types_of_values():
    values = np.array([1e9])
    X = genten.tensor((np.array([[0, 0]]), values))
    for dtype in (">f8", "<f8", float, np.float64):
        assert genten.tensor((np.array([[0, 0]]), values), dtype=dtype).dtype == np.float64
        assert X.astype(dtype) is X
        assert genten.read(DATA / "titanic" / "titanic.tns", dtype=dtype).dtype == np.float64
    for dtype, name in ((int, "int64"), ("f2", "float16"), (complex, "complex128")):
        message = f"^dtype: expected float32 or float64, got {name}$"
        for data in ((np.array([[0, 0]]), values), np.eye(2), X, DATA / "titanic" / "titanic.tns"):
            with pytest.raises(ValueError, match=message):
                genten.tensor(data, dtype=dtype)
        with pytest.raises(ValueError, match=message):
            X.astype(dtype)


@pytest.mark.parametrize(
    ("value", "kind"),
    [(2**53 + 1, "i8"), (-(2**53) - 1, "i8"), (2**63 - 1, "i8"), (2**64 - 1, "u8")],
)
def test_rounded_integers_give_a_warning(value, kind):
    given = np.array([[0, 0]]), np.array([value], kind)
    for data in (given, np.array([[value]], kind)):
        with pytest.warns(UserWarning, match=r"integers beyond 2\*\*53 are rounded") as caught:
            genten.tensor(data)
        assert caught[0].filename == __file__


@pytest.mark.filterwarnings("error")
def test_integers_that_float64_holds_give_none():
    for value in (2**53, -(2**53), 2**60, 2**62 + 2**40):
        assert genten.tensor((np.array([[0, 0]]), np.array([value]))).values[0] == value


def test_masked_elements_are_refused(random_arrays):
    subscripts, values, shape = random_arrays
    hidden = np.ma.masked_greater(values, 1.5)
    many = int(np.ma.count_masked(hidden))
    assert many > 1
    with pytest.raises(ValueError, match=f"values: expected .* without masked .* got {many};"):
        genten.tensor((subscripts, hidden, shape))
    rows = np.ma.masked_equal(subscripts, subscripts[3, 1])
    for given in (rows, list(rows.T)):
        with pytest.raises(ValueError, match="subscripts: expected an array without masked"):
            genten.tensor((given, values, shape))
    with pytest.raises(ValueError, match="a dense array: expected .* got 1;"):
        genten.tensor(np.ma.masked_array(np.eye(2), [[True, False], [False, False]]))
    nothing_hidden = np.ma.masked_array(values, False)
    assert np.array_equal(genten.tensor((subscripts, nothing_hidden, shape)).values, values)


def test_objects_that_are_numbers_are_values():
    pandas = pytest.importorskip("pandas")
    who = ["a", "b", "c"]
    for items in ([1, 2, 3], [1, 2.5, 3], [np.int32(1), 2**70, 3]):
        table = pandas.DataFrame({"who": who, "n": pandas.Series(items, dtype=object)})
        assert genten.tensor(table, values="n").values.tolist() == [float(each) for each in items]
    table = pandas.DataFrame({"who": who, "n": pandas.Series([1, True, 2], dtype=object)})
    with pytest.raises(ValueError, match=r"in row 1 True, a bool.*\['n'\].astype\(float\) "):
        genten.tensor(table, values="n")


@pytest.mark.parametrize("ids", [[-5, 1, 2], np.array([2**63, 1, 2], np.uint64)])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_ids_that_are_no_rows(ids, library):
    frames = pytest.importorskip(library)
    columns = {"id": ids, "n": [1.0, 2.0, 3.0]}
    table = frames.DataFrame(columns)
    said = r"^column 'id', row 0: expected a number of a .* got (-5|9223372036854775808)"
    with pytest.raises(ValueError, match=said + r"; where they are ids, table.astype"):
        genten.tensor(table, values="n")
    if library == "pandas":
        assert genten.tensor(table.astype({"id": str}), values="n").shape == (3,)


def test_floats_beyond_what_floats_hold_are_warned_of():
    ids = np.array([2.0**53 + 2, 4.0, 5.0])
    with pytest.warns(UserWarning, match=r"beyond 2\*\*53 are rounded in float64: those here"):
        genten.tensor((ids[:, None], np.ones(3)))
    with pytest.warns(UserWarning, match=r"beyond 2\*\*24 are rounded in float32"):
        genten.tensor((np.array([[2**24 + 2.0]], np.float32), np.ones(1)))


def test_shapes_of_tables():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"who": ["a", "b"], "what": [1, 3], "n": [1.0, 2.0]})
    said = r"shape: expected a length for each of the 2 modes \['who', 'what'\], got 3: \(2, 4, 1\)"
    with pytest.raises(ValueError, match=said):
        genten.tensor(table, (2, 4, 1), values="n")
    with pytest.raises(ValueError, match="shape: expected 2 for the mode 'who', which has as many"):
        genten.tensor(table, (5, 4), values="n")
    who = pandas.Categorical(table["who"], list("abcde"))  # as the message says
    assert genten.tensor(table.assign(who=who), (5, 4), values="n").shape == (5, 4)
    with pytest.raises(ValueError, match="a column for each mode, got one without columns$"):
        genten.tensor(pandas.DataFrame())


def test_counts_under_a_loss_of_truths():
    X = genten.tensor(np.array([[3.0, 0.0], [1.0, 2.0]]))
    said = r"expected values 0 and 1; .*; genten.tensor.X..map\(lambda values: values > 0\) makes"
    with pytest.raises(ValueError, match=said):
        genten.cp(X, 1, loss="bernoulli-odds")
    truths = genten.tensor(X).map(lambda values: values > 0)
    genten.cp(truths, 1, loss="bernoulli-odds", max_iterations=2)
    with pytest.raises(TypeError, match="got 3, or a genten.Loss of functions; texts are 'gauss"):
        genten.cp(X, 1, loss=3)


def test_summed_truths_are_told_with_the_rule_that_keeps_them():
    links = (np.array([[0, 1], [0, 1], [1, 0]]), np.ones(3), (2, 2))
    said = (r"expected values 0 and 1; 1 value .*; 1 entry lies at the same subscripts as another, "
            r"and sums are taken for values: genten.tensor\(..., duplicates='max'\) takes the "
            r"largest of them, and genten.tensor\(X\).map\(")  # fmt: skip
    with pytest.raises(ValueError, match=said):
        genten.cp(links, 1, loss="bernoulli-odds")
    largest = genten.tensor(links, duplicates="max")
    genten.cp(largest, 1, loss="bernoulli-odds", max_iterations=2)


def test_whole_numbers_of_text_files_that_are_rounded(tmp_path):
    exact, rounded = 2**53 + 2, 2**53 + 3
    path = tmp_path / "ids.tns"
    path.write_text(f"1 1 1\n1 2 {exact}\n2 1 {rounded}\n")
    with pytest.warns(UserWarning, match=r"ids.tns: the value in line 3 is a whole number beyond "):
        X = genten.read(path)
    assert "rounded" not in X.file_facts
    path.write_text(f"1 1 1\n1 2 {exact}\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.read(path)
