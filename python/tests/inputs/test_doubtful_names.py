# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of rows that may be meant for others, or for none, and numbers that are none."""

import re
import warnings
from importlib.util import find_spec

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")

TABLE = pandas.DataFrame({"who": ["Ann", "Bob", "Ann"], "what": ["x", "x", "y"], "n": [1.0, 2, 3]})


def told(table, **how):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return genten.tensor(table, **how), [str(each.message) for each in caught]


def of_library(library, table):
    if library == "pandas":
        return table
    if library == "polars":
        return pytest.importorskip("polars").from_pandas(table)
    return pytest.importorskip("pyarrow").Table.from_pandas(table)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_names_that_differ_by_blanks_or_case(library):
    table = TABLE.assign(who=["Ann", "ann ", "Bob"])
    X, messages = told(of_library(library, table), values="n")
    assert X.shape == (3, 2) and len(messages) == 1
    assert "'who' has 1 name that differs from another only by blanks" in messages[0]
    assert "as 'Ann' and 'ann '" in messages[0]
    one = table.assign(who=table["who"].str.strip().str.lower())
    assert told(one, values="n") == (genten.tensor(one, values="n"), [])
    model = genten.cp(X, 1).model
    with warnings.catch_warnings():  # Told once, of the tensor that a model is made of.
        warnings.simplefilter("error")
        model.evaluate(of_library(library, table))


def test_names_that_differ_by_blanks_within():
    for other in ("Ann  Lee", "Ann\u00a0Lee", "ann\tlee"):
        table = TABLE.assign(who=["Ann Lee", other, "Bob"])
        X, messages = told(table, values="n")
        assert X.shape == (3, 2) and len(messages) == 1 and " only by blanks, " in messages[0]
        assert ".str.split().str.join(' ').str.lower() of the column in pandas" in messages[0]
        one = table.assign(who=table["who"].str.split().str.join(" ").str.lower())
        assert told(one, values="n")[1] == []
        polars = pytest.importorskip("polars")
        frame = polars.from_pandas(table)
        assert r".str.replace_all(r'\s+', ' ').str.strip_chars().str.to_lowercase()" in messages[0]
        who = frame["who"].str.replace_all(r"\s+", " ").str.strip_chars().str.to_lowercase()
        assert told(frame.with_columns(who=who), values="n")[1] == []


@pytest.mark.parametrize("mark", ["?", "-", "(blank)", "\\N"])
def test_marks_of_what_is_not_known(mark):
    messages = told(TABLE.assign(who=["Ann", mark, "Bob"]), values="n")[1]
    assert len(messages) == 1 and "'who' has a row called " in messages[0]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_names_that_are_written_for_missing_values(library):
    table = of_library(library, TABLE.assign(who=["Ann", "nan", ""]))
    X, messages = told(table, values="n")
    assert X.labels[0] == ["", "Ann", "nan"]
    assert len(messages) == 1 and "'who' has rows called '', 'nan': where such" in messages[0]
    assert told(of_library(library, TABLE), values="n")[1] == []


def test_numbers_that_differ_by_zeros():
    table = pandas.DataFrame({"month": ["05", "5", "12"], "what": ["x", "y", "x"], "n": 1.0})
    X, messages = told(table, values="n")
    assert X.labels[0] == ["05", "12", "5"]
    assert len(messages) == 1 and "zeros before a number, as '05' and '5'" in messages[0]
    one = table.assign(month=table["month"].str.lstrip("0"))
    assert told(one, values="n")[0].shape == (2, 2)
    model = genten.cp(told(table[table["month"] != "5"], values="n")[0], 1).model
    with pytest.raises(ValueError, match="no row is called '5'; did you mean '05'"):
        model.evaluate(genten.tensor(table, values="n"))


def test_codes_among_others_are_no_missing_values():
    codes = ["NA", "AO", "BW", "DE", "FR", "IT", "PL", "TZ", "ZA", "ZM"]
    table = pandas.DataFrame({"country": codes, "what": "x", "n": 1.0})
    assert told(table, values="n")[1] == []
    for few in (table[:9], table.replace({"ZM": "Zambia"}), table.replace({"NA": "nan"})):
        (message,) = told(few, values="n")[1]
        assert message.endswith("leave its entries out, unless it is a name")


def test_files_are_told_of_alike(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('who,what,n\nAnn,x,1\n"Ann ",y,2\n"NA",x,2\n')
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        genten.read(path, values="n")
    assert ["blanks" in str(each.message) for each in caught] == [True, False]
    assert "'who' has a row called 'NA'" in str(caught[1].message)


def test_texts_that_are_no_unicode_are_no_trouble():
    names = pandas.Series(["a\udcff", "b", "c"], dtype=object)
    assert told(TABLE.assign(who=names), values="n")[0].shape == (3, 2)


def test_categories_most_of_which_do_not_occur():
    names = pandas.CategoricalDtype(["Ann", "Bob", *"abcdef"])
    X, messages = told(TABLE.astype({"who": names}), values="n")
    assert X.shape == (8, 2)
    assert "'who' has 8 categories, of which 2 occur; each is a row, and" in messages[0]
    chosen = TABLE.astype({"who": names})
    chosen["who"] = chosen["who"].cat.remove_unused_categories()
    assert told(chosen, values="n")[1] == []
    assert told(TABLE.astype({"who": pandas.CategoricalDtype(["Ann", "Bob", "Cleo"])}),
                values="n")[1] == []  # fmt: skip
    polars = pytest.importorskip("polars")
    table = polars.from_pandas(TABLE).cast({"who": polars.Enum(["Ann", "Bob", *"abcdef"])})
    assert "8 categories, of which 2 occur" in told(table, values="n")[1][0]
    assert told(table.cast({"who": polars.String}), values="n")[1] == []


def test_infinite_values_are_told_with_the_way_out():
    table = TABLE.assign(n=[1.0, np.inf, -np.inf])
    with pytest.raises(ValueError, match="^values: column 'n', rows 1, 2: expected finite") as e:
        genten.tensor(table, values="n")
    way = re.search(r"as by (table\[.*\]\)\])", str(e.value))
    assert genten.tensor(eval(way[1], {"table": table, "numpy": np}), values="n").nnz == 1
    polars = pytest.importorskip("polars")
    table = polars.from_pandas(table)
    with pytest.raises(ValueError, match="rows 1, 2: expected finite numbers") as e:
        genten.tensor(table, values="n")
    way = re.search(r"as by (table.filter\(.*\)\))", str(e.value))
    assert genten.tensor(eval(way[1], {"table": table}), values="n").nnz == 1
    with pytest.raises(ValueError, match="row 1: expected finite numbers, got inf; leave the rows"):
        genten.tensor(TABLE.assign(n=[1.0, np.inf, 2]).set_index(["who", "what"])["n"])


def test_integers_beyond_64_bits_are_told_of():
    big = pandas.Series([2**65 + 1, 5, 2], dtype=object)
    assert told(TABLE.assign(n=big), values="n")[1] == [
        "values: integers beyond 2**53 are rounded to float64"
    ]
    assert told(TABLE.assign(n=pandas.Series([2**65, 5, 2], dtype=object)), values="n")[1] == []


def test_tables_without_modes_and_near_names():
    with pytest.raises(ValueError, match="a column for each mode beside that of the values, 'n'"):
        genten.tensor(TABLE[["n"]], values="n")
    twice = pandas.concat([TABLE, TABLE[["who"]]], axis=1)
    with pytest.raises(ValueError, match="'who' several times: rename them; in pandas") as e:
        genten.tensor(twice, values="n")
    call = re.search(r"table\.loc\[.*\]", str(e.value))[0]
    once = eval(call, {"table": twice})
    assert genten.tensor(once, values="n") == genten.tensor(TABLE, values="n")
    with pytest.raises(ValueError, match="got 'N '; did you mean 'n'"):
        genten.tensor(TABLE, values="N ")
    with pytest.raises(TypeError, match=r"got \['n'\]; its name is 'n'"):
        genten.tensor(TABLE, values=["n"])
    with pytest.raises(ValueError, match=r"got a list; table.explode\('who'\) makes") as e:
        genten.tensor(TABLE.assign(who=[["a", "b"], ["a"], ["b"]]), values="n")
    table = TABLE.assign(who=[["a", "b"], ["a"], ["b"]])
    call = re.search(r"table\.explode\(.*?\)", str(e.value))[0]
    assert genten.tensor(eval(call, {"table": table}), values="n").labels[0] == ["a", "b"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_numbers_with_decimals_become_names(library):
    table = of_library(library, TABLE.assign(who=[1.5, 2.0, 1.5]))
    with pytest.raises(ValueError, match="modes= says which columns are, .* table.* makes n") as e:
        genten.tensor(table, values="n")
    call = re.search(r"table\..*?\)(?= makes names)", str(e.value))[0]
    scope = {"table": table, "polars": pytest.importorskip("polars")}
    X = genten.tensor(eval(call, scope), values="n")
    assert X.labels[0] == ["1.5", "2.0"]


def test_the_way_to_files_with_such_names(tmp_path):
    pytest.importorskip("pyarrow")
    X = genten.tensor(TABLE.assign(who=["1.5", "2.0", "10"]), values="n")
    with pytest.raises(ValueError, match="to_parquet") as e:
        X.save(tmp_path / "x.csv")
    path = tmp_path / "x.parquet"
    scope = {"X": X, "path": path, "genten": genten}
    eval(re.search(r"X\.to_pandas\(\)\.to_parquet\(path\)", str(e.value))[0], scope)
    assert eval(re.search(r"genten\.read\(.*?\)", str(e.value))[0], scope) == X


@pytest.mark.parametrize("library", ["pyarrow", "duckdb"])
def test_missing_values_of_tables_in_arrow_s_form(library):
    table = TABLE.assign(n=[1.0, np.nan, 2.0])
    given = of_library("pyarrow", table)
    if library == "duckdb":
        given = pytest.importorskip("duckdb").sql("SELECT * FROM given")
    with pytest.raises(ValueError, match="row 1: a value is missing; leave the rows out") as e:
        genten.tensor(given, values="n")
    way = re.search(r"as by (.*?\))(?=;)", str(e.value))[1]
    assert genten.tensor(eval(way, {"table": given, "relation": given}), values="n").nnz == 2


def test_infinite_values_are_counted_over_batches(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    numbers = np.ones(8)
    numbers[[2, 5, 6, 7]] = np.inf, -np.inf, np.inf, np.inf
    frame = pandas.DataFrame({"who": list("abcdefgh"), "n": numbers})
    table = arrow.Table.from_pandas(frame)
    path = str(tmp_path / "x.parquet")
    arrow.parquet.write_table(table, path, row_group_size=4)
    dataset = pytest.importorskip("pyarrow.dataset").dataset(path)
    given = {"table": table, "dataset": dataset, "path": path, "reader": table.to_reader(4)}
    if duckdb := find_spec("duckdb") and pytest.importorskip("duckdb"):
        given["relation"] = duckdb.connect().from_arrow(table)
    if polars := find_spec("polars") and pytest.importorskip("polars"):
        given["frame"] = polars.from_pandas(frame).lazy()
    for kind, data in given.items():
        with pytest.raises((ValueError, OSError), match="'n', rows 2, 5, 6 and 1 more: ") as e:
            genten.tensor(data, values="n")
        assert "expected finite numbers, got inf; leave the rows out" in str(e.value)
        way = re.search(r"out, as by (.*), or put", str(e.value))
        if kind == "reader":  # which is read by now
            assert way is None
            continue
        names = {**given, "pyarrow": arrow, "polars": polars}
        names |= {"table": dataset} if kind == "dataset" else {}
        assert genten.tensor(eval(way[1], names), values="n").nnz == 4


def test_rows_that_are_called_as_margins_are():
    rows = {"where": ["north", "south", "Grand Total"], "what": ["x", "(All)", "y"], "n": [1, 2, 3]}
    _, messages = told(pandas.DataFrame(rows), values="n")
    margins = [each for each in messages if "margins of a spreadsheet" in each]
    assert len(margins) == 2 and "column 'where' has a row called 'Grand Total': " in margins[0]
    _, messages = told(TABLE, values="n")
    assert not messages


def test_rows_called_by_ordinary_words_are_margins_where_numbers_agree():
    answers = np.array([[4.0, 2, 5, 3], [3, 3, 1, 5], [5, 4, 2, 1]])
    for own, is_margin in ((answers.mean(axis=0), True), (answers.max(axis=0), False)):
        rows = {
            "item": np.repeat(["seats", "staff", "food", "overall"], 4),
            "wave": ["w1", "w2", "w3", "w4"] * 4,
            "n": np.vstack([answers, own]).ravel(),
        }
        messages = told(pandas.DataFrame(rows), values="n")[1]
        assert any("a row called 'overall': where" in each for each in messages) == is_margin


@pytest.mark.parametrize("form", ["frame", "file"])
def test_dates_in_several_forms(form, tmp_path):
    def messages(*days):
        table = pandas.DataFrame({"who": "a", "day": days, "n": 1.0})
        if form == "frame":
            return told(table, values="n")[1]
        table.to_csv(tmp_path / "t.csv", index=False)
        return told(tmp_path / "t.csv", values="n")[1]

    assert messages("2024-03-01", "2024-03-02", "1.3.2024") == [
        "column 'day' has dates in 2 forms, 2 rows as '2024-03-01' and 1 as '1.3.2024': a date in "
        "two forms has two rows; write all dates of the column in one form"
    ]
    assert messages("03/04/2023", "25/04/2023", "04/25/2023")[0].startswith(
        "column 'day' has dates with the day first, as '25/04/2023', and with the month first, as "
        "'04/25/2023': a date in two forms"
    )
    for days in (("2024-03-01", "2024-03-02"), ("2024", "2023", "x"), ("2024.1", "2024.1.2")):
        assert messages(*days) == []


def test_rows_that_are_called_as_margins_of_groups():
    rows = {"region": ["North", "South", "North"], "shop": ["a", "b", "Total North"], "n": 1.0}
    for name in ("Total North", "sum of n", "all regions"):
        rows["shop"] = ["a", "b", name]
        _, messages = told(pandas.DataFrame(rows), values="n")
        assert len(messages) == 1 and f"'shop' has a row called {name!r}: where" in messages[0]
    rows["shop"] = ["a", "b", "Total Wine"]
    assert told(pandas.DataFrame(rows), values="n")[1] == []


@pytest.mark.parametrize("form", ["frame", "file", "arrow"])
def test_rows_that_hold_the_sums_of_the_others(form, tmp_path):
    cells = pandas.DataFrame(
        {"item": ["tea", "milk", "rice"] * 4, "day": np.repeat([*"abcd"], 3), "n": range(12)}
    )

    def messages(name, change=0, **how):
        sums = cells.groupby("day", as_index=False)["n"].sum().assign(item=name)
        table = pandas.concat([cells, sums.assign(n=sums["n"] + change)], ignore_index=True)
        if form == "file":
            table.to_csv(tmp_path / "t.csv", index=False)
            table = tmp_path / "t.csv"
        elif form == "arrow":
            table = pytest.importorskip("pyarrow").Table.from_pandas(table)
        return told(table, values="n", **how)[1]

    for how in ({}, {"modes": ["item", "day"]}):
        assert [each for each in messages("-", **how) if "sums" in each] == [
            "column 'item' has a row '-' that holds the sums of all others, which count twice with "
            "it: leave its entries out of the table"
        ]
    assert not any("sums" in each for each in messages("-", change=1))
    (message,) = messages("Total")
    assert "called 'Total': " in message


def test_rows_that_hold_the_sums_of_some():
    draw = np.random.default_rng(1)
    cells = pandas.DataFrame(draw.poisson(9, (15, 6)), columns=["DE", "FR", "JP", "KR", "US", "CA"])
    whole = cells.assign(Europe=cells["DE"] + cells["FR"], Asia=cells["JP"] + cells["KR"])
    table = whole.rename_axis("year").stack().rename_axis(["year", "land"]).rename("n")
    table = table.reset_index().astype({"year": str})
    assert [each for each in told(table, values="n")[1] if "sums" in each] == [
        f"column 'land' has a row {row!r} that holds the sums of {others}, which count twice with "
        "it: leave its entries out of the table"
        for row, others in sorted([("Europe", "'DE', 'FR'"), ("Asia", "'JP', 'KR'")],
                                  key=lambda each: whole[each[0]].sum())
    ]  # fmt: skip
    for other in (table.assign(n=table["n"] + (table["land"] > "F")), table.assign(n=1)):
        assert not any("sums" in each for each in told(other, values="n")[1])
    for size, mean in ((12, 0.3), (30, 1.0), (8, 4.0)):
        rows = np.argwhere(np.ones((size, 40)))
        free = pandas.DataFrame(rows, columns=["a", "b"]).astype({"a": str, "b": str})
        free["n"] = draw.poisson(mean, len(free))
        assert not any("sums" in each for each in told(free, values="n")[1])


def test_signs_for_missing_values_are_told_with_the_way_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("item,n\ntea,3\nmilk,-\nrice,4\n")
    with pytest.raises(OSError, match="got '-': where it marks a missing") as error:
        genten.read(path, values="n")
    call = re.search(r"in pandas, (.*) leaves out all", str(error.value))[1]
    table = eval("pandas." + call.replace("...", "path"), {"pandas": pandas, "path": path})
    assert told(table.astype({"n": float}), values="n")[0].norm == 5


def test_quarters_among_months_and_averages_of_rows():
    months = [f"2024-{month:02d}" for month in range(1, 7)]
    for names, margin in (
        ([*months, "Q1 2024"], "Q1 2024"),
        (["C1", "C2", "C_mean"], "C_mean"),
        (["Girls", "Mean Girls", "Boys"], None),
        (["size_mean", "size_se", "size_worst"], None),
    ):
        table = pandas.DataFrame(
            {
                "row": np.repeat(names, 3),
                "what": ["x", "y", "z"] * len(names),
                "n": np.arange(3.0 * len(names)) ** 2 + 1.5,
            }
        )
        messages = [each for each in told(table, values="n")[1] if "margins" in each]
        assert len(messages) == (margin is not None)
        assert not messages or f"a row called {margin!r}: where" in messages[0]


def test_a_row_of_all_is_told_once():
    """The name of the column says that it is a margin."""
    table = pandas.DataFrame(
        {
            "item": ["tea", "milk", "All items"] * 4,
            "shop": np.repeat(["a", "b", "c", "d"], 3),
            "n": [1.0, 2, 3, 4, 1, 5, 2, 7, 9, 3, 3, 6],
        }
    )
    messages = told(table, values="n")[1]
    assert sum("All items" in each for each in messages) == 1
