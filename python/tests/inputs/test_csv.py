# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables in files: the same tensors as those of what pandas reads."""

import re

import genten
import numpy as np
import pytest

pd = pytest.importorskip("pandas")

COLUMNS = {
    "texts": ["b", "a, c", 'say "x"', "\u00e9", "line\nend", " b"],
    "numbers": [7, 0, 3, 3, 2, 0],
    "mixed": ["007", "7", "x", "x", "-1", "1.5"],
    "truths": [True, False, True, True, False, True],
    "ids": [9007199254740993, 1, 2, 3, 4, 5],
    "times": ["2024-01-01", "2023-12-31", "2024-01-01", "x", "y", "z"],
}


# Later versions round as this says.
EXACT = {} if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1) else {
    "float_precision": "round_trip"
}


def both(path, delimiter=",", **columns):
    """The table as Genten reads it and as pandas does."""
    table = pd.read_csv(path, sep=delimiter, **EXACT)
    return genten.read(path, **columns), genten.tensor(table, **columns)


def expect_same(read, expected):
    assert read.shape == expected.shape
    assert read.mode_names == expected.mode_names
    assert [None if each is None else list(each) for each in read.labels] == [
        None if each is None else list(each) for each in expected.labels
    ]
    assert np.array_equal(read.subscripts, expected.subscripts)
    assert read.values.tobytes() == expected.values.tobytes()


@pytest.mark.filterwarnings("ignore:.*long")
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("name", COLUMNS)
def test_columns_are_what_pandas_makes_of_them(tmp_path, name, delimiter, ending):
    table = pd.DataFrame({name: COLUMNS[name], "other": list("xyxyxy")})
    table["value"] = [0.1, 1e-300, 123456789012345678, -0.0, 2.5e17, 1 / 3]
    path = tmp_path / "table"
    table.to_csv(path, index=False, sep=delimiter, lineterminator=ending)
    expect_same(*both(path, delimiter, values="value"))
    expect_same(*both(path, delimiter, values="value", modes=["other", name]))


def test_numbers_behind_zeros_are_names_as_pandas_has_texts(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("zip,item,value\n01234,a,1\n1234,b,2\n98765,a,3\n")
    read = genten.read(path, values="value")
    assert read.labels[0] == ["01234", "1234", "98765"]
    expect_same(read, genten.tensor(pd.read_csv(path, dtype={"zip": str}), values="value"))


def test_rows_that_repeat_are_added_up_the_same_way(tmp_path):
    random = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "a": random.choice(list("pqrst"), 300),
            "b": random.integers(0, 9, 300),
            "count": random.integers(1, 99, 300),
        }
    )
    path = tmp_path / "table.csv"
    table.to_csv(path, index=False)
    expect_same(*both(path, values="count"))
    expect_same(*both(path, modes=["b", "a"]))
    table[["a"]].to_csv(path, index=False)
    expect_same(
        genten.read(path, modes=["a"]), genten.tensor(pd.read_csv(path), modes=["a"])
    )


@pytest.mark.parametrize("word", ["", "NA", "N/A", "nan", "NaN", "NULL", "None", "#N/A", "<NA>"])
def test_what_pandas_takes_for_missing_is_refused_with_its_line(tmp_path, word):
    path = tmp_path / "table.csv"
    for line, column in ((f"p,q,{word}", "x"), (f"{word},q,1", "a")):
        path.write_text(f"a,b,x\nr,s,1\n{line}\n")
        with pytest.raises(ValueError, match=f"column '{column}'.*missing|missing"):
            genten.tensor(pd.read_csv(path), values="x")
        with pytest.raises(OSError, match=f":3: column '{column}': a value is missing"):
            genten.read(path, values="x")


def test_a_path_takes_the_columns_that_a_table_does(tmp_path):
    path = tmp_path / "table.csv.gz"
    pd.DataFrame({"a": ["p", "q"], "b": [1, 0], "x": [2.0, 3.0]}).to_csv(path, index=False)
    X = genten.tensor(path, values="x")
    assert X.labels[0] == ["p", "q"] and X.mode_names == ["a", "b"]
    assert genten.cp(X, 1).model.mode_names == ["a", "b"]
    for wrong in ({"values": 3}, {"modes": "ab"}, {"modes": [1]}):
        with pytest.raises(TypeError, match="expected a text|expected a list of texts"):
            genten.read(path, **wrong)
    with pytest.raises(OSError, match="expected one of the columns 'a', 'b', 'x', got 'y'"):
        genten.read(path, values="y")


def test_tensors_are_written_as_tables_by_pandas(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('item,week,n\n"tea, ""x""",2,0.1\nBjörk,0,-3e-300\nb,7,0.30000000000000004\n')
    X = genten.read(path, values="n")
    X.to_pandas().to_csv(tmp_path / "again.csv", index=False)
    assert genten.read(tmp_path / "again.csv", values="n") == X
    with pytest.raises(ValueError, match=r"to_csv\(path, index=False, quoting=csv.QUOTE_NONN"):
        X.save(tmp_path / "x.csv")


@pytest.mark.parametrize("line", ['x,y,"1,109"', 'x,y,"2,400"'])
def test_options_for_decimals_are_typed_as_messages_have_them(line, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b,v\n{line}\n")
    with pytest.raises(OSError, match="comma may be decimal") as error:
        genten.read(path, values="v")
    found = re.findall(r"(decimal=\S+) reads ([0-9.]+)", str(error.value))
    assert [option for option, _ in found] == ["decimal=','", "decimal='.'"]
    for option, number in found:
        X = eval(f"genten.read(path, values='v', {option})")  # noqa: S307
        assert X.values.tolist() == [float(number)]
