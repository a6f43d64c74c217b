# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Columns of tables of kinds that NumPy and Arrow do not have: taken, or refused with a way out."""

import re

import numpy as np
import pytest

import genten

KINDS = ["x", "y", "x", "z"]


@pytest.fixture
def polars():
    return pytest.importorskip("polars")


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas")


def test_integers_of_128_bits(polars):
    long = polars.Series([1, 0, 3, 1], dtype=polars.Int128)
    for number in (lambda table: table, lambda table: table.lazy()):
        of_modes = number(polars.DataFrame({"m": long, "k": KINDS, "v": [1.0, 2.0, 3.0, 4.0]}))
        X = genten.tensor(of_modes, values="v")
        assert X.shape == (4, 3) and X.labels[0] is None and X[3, "x"] == 3
        of_values = number(polars.DataFrame({"k": KINDS, "w": ["a", "b", "b", "b"], "v": long}))
        Y = genten.tensor(of_values, values="v")
        assert Y["x", "b"] == 3 and Y.sum() == 5
        longer = polars.Series([2**70, 0, 3, 1], dtype=polars.Int128)
        ids = number(polars.DataFrame({"m": longer, "k": KINDS, "v": [1.0, 2.0, 3.0, 4.0]}))
        assert set(genten.tensor(ids, values="v").labels[0]) == {"0", "1", "3", str(2**70)}
    big = polars.DataFrame({"k": KINDS, "w": KINDS, "v": longer})
    assert genten.tensor(big, values="v")["x", "x"] == float(2**70 + 3)


def test_columns_that_hold_no_numbers_are_no_values(polars, pandas):
    counted = "got .*; without values= each row counts as 1$"
    for items in ([[1], [2], [1], [3]], [{"a": 1}, {"a": 2}, {"a": 1}, {"a": 3}], KINDS[::-1]):
        table = polars.DataFrame({"k": KINDS, "w": KINDS, "v": items})
        with pytest.raises(ValueError, match=counted):
            genten.tensor(table, values="v")
    assert genten.tensor(table.drop("v")).sum() == 4
    for dtype in (polars.Categorical, polars.String):
        some = table.with_columns(v=polars.Series(["1", "2", "n/a", "4"], dtype=dtype))
        with pytest.raises(ValueError, match="makes numbers of the others") as caught:
            genten.tensor(some, values="v")
        call = re.search(r"; (table\['v'\].*) makes", str(caught.value))[1]
        made = eval(call, {"table": some, "polars": polars})
        assert made.to_list() == [1, 2, None, 4]
    periods = pandas.DataFrame({"k": KINDS, "v": pandas.period_range("2024-01", periods=4)})
    with pytest.raises(ValueError, match=counted):
        genten.tensor(periods, values="v")
    arrow = pytest.importorskip("pyarrow")
    for column in (
        polars.Series(KINDS, dtype=polars.Categorical).to_arrow(),
        arrow.array([b"1", b"2", b"3", b"4"]),
        arrow.array([1, 2, 3, 4], arrow.time32("s")),
    ):
        with pytest.raises(ValueError, match=counted):
            genten.tensor(arrow.table({"k": KINDS, "v": column}), values="v")


def test_periods_and_intervals_in_arrow(pandas, tmp_path):
    arrow = pytest.importorskip("pyarrow")
    table = pandas.DataFrame({
        "p": pandas.PeriodIndex(["2024-02", "2024-01", "2024-02", "2024-05"], freq="M"),
        "i": pandas.cut([1, 5, 9, 2], [0, 3, 6, 10]).astype("interval"),
        "v": [1.0, 2.0, 3.0, 4.0],
    })  # fmt: skip
    known = genten.tensor(table, values="v")
    assert known.labels == [["2024-01", "2024-02", "2024-05"], ["(0, 3]", "(3, 6]", "(6, 10]"]]
    with pytest.raises(ValueError, match=r"column 'p': expected texts.*\((table.*), ...\)") as told:
        genten.tensor(arrow.table(table), values="v")
    call = re.search(r"genten\.tensor\((.*), \.\.\.\)", str(told.value))[1]
    found = genten.tensor(eval(call, {"table": arrow.table(table)}), values="v")
    assert found.labels == known.labels
    np.testing.assert_array_equal(found.to_dense(), known.to_dense())
    categories = arrow.table(table.astype({"i": "category"}).drop(columns="p"))
    with pytest.raises(ValueError, match="column 'i': expected texts.*: make texts of it"):
        genten.tensor(categories, values="v")
    path = tmp_path / "t.parquet"
    arrow.parquet = pytest.importorskip("pyarrow.parquet")
    arrow.parquet.write_table(arrow.table(table), path)
    with pytest.raises(OSError, match=re.escape(f"genten.tensor(pandas.read_parquet('{path}')")):
        genten.tensor(path, values="v")
    assert genten.tensor(pandas.read_parquet(path), values="v").labels == known.labels


def test_objects_without_a_text(pandas, polars):
    class Thing:
        pass

    items = [Thing(), Thing(), "a", "b"]
    for table in (
        pandas.DataFrame({"m": items, "k": KINDS}),
        polars.DataFrame({"k": KINDS}).with_columns(
            m=polars.Series(items, dtype=polars.Object)
        ),
    ):
        with pytest.raises(ValueError, match="column 'm', row 0: .*Thing.*make a column of texts"):
            genten.tensor(table)
