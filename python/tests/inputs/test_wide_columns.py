# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Columns of wide tables beside those that hold one quantity, and indices without names."""

import pytest
from wide_tables import (
    HOLED,
    MONTHS,
    PEOPLE,
    SALES,
    WIDE,
    calls_in,
    entries_of,
    expected,
    followed,
)

import genten
from genten.convert import wide

pandas = pytest.importorskip("pandas")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("sales", [SALES, HOLED], ids=["counts", "holes"])
def test_quantities_beside_times_are_no_ids(library, sales):
    table = pandas.DataFrame(sales, columns=MONTHS).assign(total=sales.sum(axis=1), avg=1.5)
    table.insert(0, "Bob's \\ staff", PEOPLE)
    given = table
    if library != "pandas":
        module = pytest.importorskip(library)
        given = module.from_pandas(table) if library == "polars" else module.table(table)
    found, message = followed(given)
    assert found.mode_names == ["Bob's \\ staff", "variable"]
    assert entries_of(found) == expected(sales)
    has_holes = library == "pyarrow" or sales is HOLED
    told = "and zeros of empty cells, unless missing='unlisted' of genten.cp says not"
    assert (told in message) == has_holes


def test_amounts_are_told_apart_from_cells_that_are_no_times(tmp_path, monkeypatch):
    table = pandas.DataFrame(SALES, columns=["x1", "y1", "z1"]).assign(total=SALES.sum(axis=1))
    table.insert(0, "who", PEOPLE)
    assert followed(table)[0].sum() == SALES.sum()
    assert wide.parted(["amount", "price"]) == (["amount", "price"], [])
    monkeypatch.chdir(tmp_path)
    table.to_csv("t.csv", index=False)
    (call,) = calls_in(wide.about_text("t.csv", {}, ["who"], ["x1", "y1", "z1", "total"]))
    assert eval(call, {"genten": genten, "pandas": pandas}).sum() == SALES.sum()


def test_an_index_without_a_name_is_kept():
    table = WIDE.rename_axis(index=None, columns="month")
    for each, names in (
        (table.assign(kind="k"), ["row", "kind"]),
        (table.assign(row="k"), ["row_", "row"]),
        (table.set_index(pandas.MultiIndex.from_arrays([PEOPLE, [*"abab"]])), ["row", "row_"]),
        (table.set_index(pandas.MultiIndex.from_arrays([PEOPLE, [*"abab"]], names=["who", None])),
         ["who", "row"]),
    ):  # fmt: skip
        found, _ = followed(each)
        assert found.mode_names == [*names, "month"] and found.sum() == SALES.sum()
    found, _ = followed(table.reset_index(drop=True).assign(kind=PEOPLE))
    assert found.mode_names == ["kind", "month"]
