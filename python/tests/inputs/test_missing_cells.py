# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Cells of tables that are missing, and numbers that are ids."""

import warnings

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")
ROWS = 30
TABLE = pandas.DataFrame({
    "user": np.arange(ROWS) % 5, "item": np.array(list("abc"))[np.arange(ROWS) % 3],
    "stars": np.arange(1.0, ROWS + 1),
})  # fmt: skip


def with_holes():
    table = TABLE.copy()
    table.loc[[3, 4, 5, 6, 7], "stars"] = np.nan
    table.loc[[1, 9], "item"] = None
    return table


TOLD = (
    r"column 'item', rows 1, 9; column 'stars', rows 3, 4, 5 and 2 more: 7 values are missing; "
    r"leave the rows out{}; entries that have no row are zeros, unless missing='unlisted' of gente"
)


def test_all_are_told_together(tmp_path):
    table = with_holes()
    drop = r", as by table.dropna\(subset=\['item', 'stars'\]\)"
    with pytest.raises(ValueError, match="^" + TOLD.format(drop)):
        genten.tensor(table, values="stars")
    kept = table.dropna(subset=["item", "stars"])
    assert genten.tensor(kept, values="stars").nnz == 15
    polars = pytest.importorskip("polars")
    drop = r", as by table.drop_nulls\(\['item', 'stars'\]\)"
    with pytest.raises(ValueError, match="^" + TOLD.format(drop)):
        genten.tensor(polars.from_pandas(table), values="stars")
    nan = polars.from_pandas(table, nan_to_null=False)  # which polars itself tells apart
    drop = r", as by table.drop_nulls\(\['item'\]\).drop_nans\(\['stars'\]\)"
    with pytest.raises(ValueError, match="^" + TOLD.format(drop)):
        genten.tensor(nan, values="stars")
    kept = nan.drop_nulls(["item"]).drop_nans(["stars"])
    assert genten.tensor(kept, values="stars").nnz == 15
    some = nan.select("user", "stars")
    with pytest.raises(ValueError, match=r"leave the rows out, as by table.drop_nans\(\['stars'\]"):
        genten.tensor(some, values="stars")
    pyarrow = pytest.importorskip("pyarrow")
    for from_pandas in (True, False):
        arrow = pyarrow.Table.from_pandas(table) if from_pandas else nan.to_arrow()
        pieces = pyarrow.Table.from_batches(arrow.to_batches(max_chunksize=4))
        drop = r", as by table.to_pandas\(\).dropna\(subset=\['item', 'stars'\]\)"
        with pytest.raises(ValueError, match="^" + TOLD.format(drop)):
            genten.tensor(pieces, values="stars")
    table.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(OSError, match=TOLD.format("")):
        genten.read(tmp_path / "t.parquet", values="stars")


def test_ids_of_which_some_are_missing():
    table = TABLE.copy()
    table.loc[3, "user"] = np.nan  # pandas makes floats of all
    for options in ({"values": "stars"}, {}, {"modes": ["user", "item"]}):
        with pytest.raises(ValueError, match="^column 'user', row 3: a value is missing; leave"):
            genten.tensor(table, **options)
    whole = table.dropna()
    why = r"holds floats.*; where they are ids, table.astype\(\{'user': int\}\) makes them whole"
    with pytest.raises(ValueError, match=why):
        genten.tensor(whole, values="stars")
    assert genten.tensor(whole.astype({"user": int}), values="stars").shape == (5, 3)
    polars = pytest.importorskip("polars")
    with pytest.raises(ValueError, match=r"^column 'user', row 3: a .* table.drop_nulls\(\['user'"):
        genten.tensor(polars.from_pandas(table), values="stars")
    why = r"holds floats.*; where they are ids, table.cast\(\{'user': polars.Int64\}\) makes them"
    with pytest.raises(ValueError, match=why):
        genten.tensor(polars.from_pandas(whole), values="stars")
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="holds floats.*; where they are ids, make whole numbers"):
        genten.tensor(pyarrow.Table.from_pandas(table), values="stars")


def test_entries_with_missing_cells():
    model = genten.cp(genten.tensor(TABLE, values="stars"), 1).model
    table = with_holes()
    with pytest.raises(ValueError, match="^column 'item', rows 1, 9: 2 values are missing; leave"):
        model.predict(table)  # stars are not looked at
    with pytest.raises(ValueError, match="^" + TOLD.format(".*")):
        model.evaluate(table)


def test_ids_of_single_entries_are_no_mode():
    rows = np.arange(2000)
    table = pandas.DataFrame(
        {"user": rows % 7, "order": 100_000 + rows, "item": rows % 11, "stars": rows % 5 + 1.5}
    )
    why = (
        "mode 1 is 102000 long, as its largest subscript says, but only 2000 of its subscripts "
        "occur, nearly one for each entry, .* modes= of a table names the others$"
    )
    with pytest.warns(UserWarning, match=why):
        genten.tensor(table, values="stars")


def test_notes_on_ids_of_files(tmp_path):
    ids = TABLE.assign(user=TABLE["user"] * 1000 + 7)
    why = "mode 0 is 4008 long, .* only 5 of its subscripts occur.*; else give a shape$"
    with pytest.warns(UserWarning, match=why):
        X = genten.tensor(ids, values="stars")
    ids.to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns(UserWarning, match=why):
        assert genten.read(tmp_path / "t.csv", values="stars") == X
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.read(tmp_path / "t.csv", values="stars", dimensions=X.shape)
        compact = X.compact()
        model = genten.cp(compact, 1).model
        assert model.evaluate(ids).listed.entries == 15  # beside a model there is no doubt
        assert model.evaluate(tmp_path / "t.csv").listed.entries == 15
    assert compact.labels[0] == ["7", "1007", "2007", "3007", "4007"]


def test_decimal_numbers(tmp_path):
    import decimal

    table = TABLE.assign(stars=[decimal.Decimal(row) for row in range(ROWS)])
    why = r"column 'stars', got objects, as in row 0 Decimal\('0'\).*table\['stars'\].astype"
    with pytest.raises(ValueError, match=why):
        genten.tensor(table, values="stars")
    wanted = genten.tensor(table.astype({"stars": float}), values="stars")
    polars = pytest.importorskip("polars")
    assert genten.tensor(polars.from_pandas(table), values="stars") == wanted
