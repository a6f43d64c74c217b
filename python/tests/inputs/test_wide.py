# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Wide tables: messages name a call that makes the right tensor of them, which is called here as
it stands there."""

import gzip
import re
import warnings
from pathlib import Path

import numpy as np
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

LONG = pandas.DataFrame({
    "u": [*"aabbcc"], "i": [*"xyxyxz"], "w": [0, 0, 1, 1, 0, 1], "n": [3, 4, 5, 6, 7, 8],
})  # fmt: skip


@pytest.mark.parametrize("sales", [SALES, SALES + 0.5, HOLED], ids=["counts", "floats", "holes"])
@pytest.mark.parametrize("name", [None, "month"], ids=["nameless", "pivot"])
def test_what_is_said_of_a_wide_table_makes_its_tensor(sales, name):
    table = pandas.DataFrame(sales, PEOPLE, MONTHS).rename_axis(columns=name)
    mode = name or "variable"
    named = table.rename_axis(index="who")
    for each in (named, named.reset_index()):
        found, _ = followed(each)
        assert found.mode_names == ["who", mode] and entries_of(found) == expected(sales)
    by_id = named.set_axis(pandas.Index([7, 3, 9, 2], name="id"))
    found, _ = followed(by_id)
    assert found.mode_names == ["id", mode] and entries_of(found) == expected(sales, [7, 3, 9, 2])
    found, _ = followed(by_id.rename_axis(index=None))
    assert found.mode_names == ["row", mode] and entries_of(found) == expected(sales, [7, 3, 9, 2])
    found, _ = followed(named.reset_index(drop=True))
    assert entries_of(found) == expected(sales, range(4))


def test_names_that_the_call_needs_are_free():
    table = WIDE.rename_axis(index="variable").reset_index()
    found, _ = followed(table)
    assert found.mode_names == ["variable", "variable_"] and entries_of(found) == expected()
    found, _ = followed(WIDE.rename_axis(index="value", columns="value"))
    assert entries_of(found) == expected()
    found, _ = followed(WIDE.assign(kind="k").set_index("kind", append=True))
    assert found.mode_names == ["who", "kind", "variable"]


def test_some_cells_are_empty_in_a_column_of_counts():
    table = WIDE.astype({"Feb": float})
    table.loc["bob", "Feb"] = np.nan
    sales = SALES.astype(float)
    sales[1, 1] = np.nan
    for each in (table, table.reset_index(), table.rename_axis(columns="month")):
        found, message = followed(each)
        assert entries_of(found) == expected(sales)
    assert "of which empty ones are zeros, unless missing='unlisted'" in message
    for each in (table.astype("Int64"), table.astype(object).where(table.notna(), None)):
        found, _ = followed(each.rename_axis(columns="month"))
        assert entries_of(found) == expected(sales)


def test_pivots():
    tables = {
        "a level": LONG.pivot_table(index="u", columns="i", values="n"),
        "two levels": LONG.pivot_table(index="u", columns=["i", "w"], values="n"),
        "two ids": LONG.pivot_table(index=["u", "w"], columns="i", values="n"),
        "unstack": LONG.groupby(["u", "i"]).n.sum().unstack(),
        "counts": pandas.crosstab(LONG.u, LONG.i),
    }
    for what, pivot in tables.items():
        names = [*pivot.index.names, *pivot.columns.names]
        counted = what == "counts"
        known = genten.tensor(LONG[names if counted else [*names, "n"]],
                              values=None if counted else "n")  # fmt: skip
        mean = LONG.groupby(names).n.mean().astype(float)
        for table in (pivot, pivot.reset_index()):
            found, _ = followed(table)
            assert found.mode_names == names, what
            entries = {entry: value for entry, value in entries_of(found).items() if value}
            assert entries == (entries_of(known) if counted else entries_of(genten.tensor(mean)))


def test_columns_of_several_levels():
    of_one = LONG.pivot_table(index="u", columns=["i"], values=["n"])
    known = genten.tensor(LONG[["u", "i", "n"]], values="n")
    for table in (of_one, of_one.reset_index()):
        found, _ = followed(table)
        assert found.mode_names == ["u", "i"] and entries_of(found) == entries_of(known)
    aggregates = LONG.groupby("u")[["n"]].agg(["sum", "count"])
    _, message = followed(aggregates)
    (call,) = (each for each in calls_in(message) if "stack" not in each)
    assert eval(call, {"genten": genten, "table": aggregates}).values.tolist() == [2, 2, 2]


def test_other_libraries():
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for table in (WIDE.reset_index(), WIDE.reset_index().astype(dict.fromkeys(MONTHS, float))):
        for found, _ in (
            followed(polars.from_pandas(table)), followed(polars.from_pandas(table).lazy()),
            followed(arrow.Table.from_pandas(table)),
            followed(arrow.Table.from_pandas(table.set_index("who"))),
        ):  # fmt: skip
            assert found.mode_names == ["who", "variable"] and entries_of(found) == expected()
    holes = polars.DataFrame(HOLED, MONTHS).with_columns(who=polars.Series(PEOPLE))
    assert entries_of(followed(holes)[0]) == expected(HOLED)
    holes = holes.with_columns(polars.col(MONTHS).fill_nan(None))
    assert entries_of(followed(holes)[0]) == expected(HOLED)
    assert entries_of(followed(holes.drop("who"))[0]) == expected(HOLED, range(4))


def test_relations_and_files(tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    dataset = pytest.importorskip("pyarrow.dataset")
    table = WIDE.reset_index()
    found, _ = followed(duckdb.connect().from_df(table))
    assert entries_of(found) == expected()
    monkeypatch.chdir(tmp_path)
    WIDE.to_parquet("wide.parquet")
    with pytest.raises(OSError) as caught:
        genten.tensor("wide.parquet")
    (call,) = (each for each in calls_in(str(caught.value)) if "melt" in each)
    assert dataset.__name__ in call
    assert entries_of(eval(call, {"genten": genten, "pyarrow": __import__("pyarrow")})) == (
        expected()
    )


def test_an_id_called_as_a_column():
    table = WIDE.rename_axis(index="Jan", columns="month")
    found, _ = followed(table)
    assert found.mode_names == ["Jan", "month"] and entries_of(found) == expected()
    model = genten.cp(found, 1).model
    with pytest.raises(ValueError) as caught:
        model.evaluate(table)
    (call,) = (each for each in calls_in(str(caught.value)) if "stack" in each)
    X = eval(call, {"genten": genten, "table": table})
    assert model.evaluate(X).fit == pytest.approx(model.evaluate(found).fit)
    other = WIDE.rename_axis(columns="month")
    model = genten.cp(genten.tensor(other.stack()), 1).model
    with pytest.raises(ValueError, match="got a wide one, whose 3 columns are a mode 'month'"):
        model.project(other, "who")


def test_indicators_are_told():
    dummies = pandas.get_dummies(WIDE.reset_index().who).set_axis(pandas.Index(MONTHS + ["Apr"],
                                                                               name="month"))
    with pytest.warns(UserWarning, match="4 columns of True and False are a mode each") as caught:
        assert genten.tensor(dummies).ndim == 5
    (call,) = calls_in(str(caught[0].message))
    found = eval(call, {"genten": genten, "table": dummies})
    assert {entry for entry, value in entries_of(found).items() if value} == set(
        zip([*MONTHS, "Apr"], PEOPLE, strict=True)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.tensor(dummies, modes=["month", "ann", "bob", "cy", "di"])


def test_values_of_several_columns():
    for table in (WIDE, WIDE.reset_index(), WIDE.rename_axis(columns="month")):
        found, message = followed(table, TypeError, values=MONTHS)
        assert "expected the name of one column, got ['Jan', 'Feb', 'Mar']" in message
        assert entries_of(found) == expected()
    with pytest.raises(TypeError, match=r"name of one column, got \['Jan'\]; its name is 'Jan'$"):
        genten.tensor(WIDE, values=["Jan"])
    with pytest.raises(TypeError, match="expected the name of a column, got a list$"):
        genten.tensor(WIDE, values=["Jan", "Jun"])


@pytest.mark.parametrize("name, sep", [("wide.csv", ","), ("wide.tsv", "\t"), ("wide.txt", ";")])
def test_files_of_text(tmp_path, name, sep):
    path = tmp_path / name
    WIDE.to_csv(path, sep=sep)
    with pytest.warns(UserWarning, match="'Feb' and 'Mar' hold whole numbers, and are") as caught:
        genten.tensor(path, values="Jan")
    message = next(str(each.message) for each in caught if "hold whole" in str(each.message))
    (call,) = calls_in(message)
    assert entries_of(eval(call, {"genten": genten, "pandas": pandas})) == expected()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.read(path, values="Jan", modes=["who", "Mar"], index_base=0)


def test_one_of_several_columns_of_counts_is_told():
    told = r"'Feb' and 'Mar' hold whole numbers.*If 'Jan', 'Feb', 'Mar' hold one.*(genten\..*) mak"
    arrow = pytest.importorskip("pyarrow")
    for table in (WIDE, WIDE.reset_index(), arrow.Table.from_pandas(WIDE.reset_index())):
        with pytest.warns(UserWarning, match=told) as caught:
            genten.tensor(table, values="Jan")
        call = next(filter(None, (re.search(told, str(each.message)) for each in caught)))[1]
        found = eval(call, {"genten": genten, "table": table})
        assert entries_of(found) == expected()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            genten.tensor(table, values="Jan", modes=["who", "Feb"], index_base=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ids = pandas.DataFrame({"who": [*"abab"], "i": [0, 1, 2, 0], "w": [0, 0, 1, 1], "n": 2})
        assert genten.tensor(ids, values="n").shape == (2, 3, 2)


def sales():
    """Shops, products and weeks with an amount and a revenue each."""
    draw = np.random.default_rng(1)
    places = [(s, p, w) for s in "abcde" for p in "wxyz" for w in range(10)]
    table = pandas.DataFrame(places, columns=["shop", "product", "week"])
    amounts = np.ceil(np.exp(draw.normal(3, 0.8, len(table)))).astype(int)
    prices = table["product"].map({"w": 1.5, "x": 2.0, "y": 2.5, "z": 3.0})
    return table.assign(amount=amounts, revenue=amounts * prices)


@pytest.mark.parametrize("form", ["frame", "file", "arrow"])
def test_quantities_beside_the_values_are_told_of(form, tmp_path):
    def made(table, **hints):
        if form == "file":
            table.to_csv(tmp_path / "t.csv", index=False)
            return genten.read(tmp_path / "t.csv", values="revenue", decimal=".", **hints)
        if form == "arrow":
            table = pytest.importorskip("pyarrow").Table.from_pandas(table)
        return genten.tensor(table, values="revenue", **hints)

    table = sales().rename(columns={"shop": "product, net", "product": "it's \\new"})
    count = table.amount.nunique()
    with pytest.warns(UserWarning, match=f"column 'amount' of {count} different numbers") as told:
        made(table)
    assert len(told) == 1
    way = re.search(r"modes=(\[.*\]) leaves it out$", str(told[0].message))[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made(table, modes=eval(way)).shape == (5, 4, 10)
        draw = np.random.default_rng(2)
        free = table.assign(revenue=draw.permutation(table.revenue))  # does not depend on it
        made(free.rename(columns={"amount": "shelf_id"}))
        made(table.drop(columns="amount").assign(revenue=10 * table.week + draw.random(200)))


@pytest.mark.parametrize("months", [[1, 2, 3], ["1", "2", "3"], MONTHS])
def test_columns_of_ids_beside_holes_are_no_values(months):
    table = pandas.DataFrame(HOLED, columns=months).assign(user=[3, 5, 6, 9])[["user", *months]]
    for values in (months[0], None):
        found, message = followed(table, **({} if values is None else {"values": values}))
        assert found.mode_names == ["user", "variable"] and "id_vars=['user']" in message
        assert found.sum() == np.nansum(HOLED)
        indexed, message = followed(table.reset_index(), values=months[0])
        assert indexed.mode_names == ["index", "user", "variable"]
        assert indexed.sum() == np.nansum(HOLED)


@pytest.mark.parametrize("whole", [True, False])
def test_holes_in_several_columns_are_first_told_to_be_of_a_wide_table(whole):
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    sales = SALES.astype(float)
    sales[0, 0] = sales[1, 2] = sales[2, 2] = np.nan
    table = pandas.DataFrame(sales, PEOPLE, MONTHS).rename_axis(index="who").reset_index()
    table = table.astype(dict.fromkeys(MONTHS, "Int64")) if whole else table
    tables = [table, polars.from_pandas(table), arrow.Table.from_pandas(table)]
    for each in tables:
        found, message = followed(each)
        assert entries_of(found) == expected(sales)
        if isinstance(each, pandas.DataFrame) and not whole:
            told = "3 values are missing. If 'Jan', 'Feb', 'Mar' hold one quantity, as those of mon"
            assert told in message
            assert message.endswith(
                "; if not, leave the rows out, as by table.dropna(subset=['Jan', 'Mar'])"
            )
    for each in tables if whole else tables[:1]:
        found, message = followed(each, values="Mar")
        assert entries_of(found) == expected(sales)
        assert message.index("leave the rows out") < message.index("hold one quantity")


def test_a_single_column_is_no_wide_table():
    of = {"columns": ["n"], "call": "genten.tensor(table)"}
    assert wide.of_one_quantity(**of) == wide.about_text("t.csv", {}, ["u"], ["index", "n"]) == ""
    arrow = pytest.importorskip("pyarrow")
    assert wide.about_arrow(arrow.table({"u": ["a"], "n": [1]}), ["u", "n"], [], ["n"]) == ""


@pytest.mark.parametrize("form", ["frame", "file", "arrow"])
def test_ids_of_numbers_tell_rows_of_a_wide_table_apart(form, tmp_path, monkeypatch):
    draw = np.random.default_rng(2)
    answers = pandas.DataFrame(draw.integers(0, 5, (40, 4)), columns=["Q1", "Q2", "Q3", "Q4"])
    answers.insert(0, "country", draw.choice(["DE", "FR", "PL"], 40))
    answers.insert(0, "respondent", np.arange(40))
    table = answers
    if form == "file":
        monkeypatch.chdir(tmp_path)
        table = "t.csv"
        answers.to_csv(table, index=False)
    elif form == "arrow":
        table = pytest.importorskip("pyarrow").Table.from_pandas(answers)
    with pytest.warns(UserWarning, match="^columns 'Q1' and 'Q2' and 'Q3' hold") as caught:
        genten.tensor(table, values="Q4")
    message = next(str(each.message) for each in caught if "hold whole" in str(each.message))
    (call,) = calls_in(message)
    X = eval(call, {"genten": genten, "table": table, "pandas": pandas})
    assert X.shape == (40, 3, 4) and X.mode_names[:2] == ["respondent", "country"]
    assert X.nnz == 160 and X.labels[2] == ["Q1", "Q2", "Q3", "Q4"]


def test_times_beside_ids_of_rows_are_no_wide_table():
    draw = np.random.default_rng(3)
    rows = {"id": np.arange(60), "item": ["a", "b"] * 30, "n": draw.integers(0, 20, 60)}
    rows |= {"day": draw.integers(0, 20, 60), "hour": draw.integers(0, 20, 60)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        genten.tensor(pandas.DataFrame(rows), values="n")
    assert not any("hold whole" in str(each.message) for each in caught)


@pytest.mark.parametrize(
    ("between", "options", "how"),
    [
        (", ", {}, ", skipinitialspace=True"),
        (";", {"decimal": ","}, ", sep=';', decimal=',', thousands='.'"),
        ("\t", {}, ", sep='\\t'"),
        (",", {"encoding": "latin-1"}, ", encoding='latin-1'"),
        (";", {}, ", sep=';'"),
    ],
    ids=["blanks", "thousands", "tabs", "encoding", "semicolons"],
)
@pytest.mark.parametrize("ending", [".csv", ".txt.gz"])
def test_pandas_reads_the_file_at_hand_by_the_call(
    between, options, how, ending, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    name, most = f"t{ending}", "2.005" if options.get("decimal") else "2005"
    who = ["j\xf6rg" if options.get("encoding") else "ann", "bob", "cy", "di"]
    rows = [["who", *MONTHS], *([each, *row] for each, row in zip(who, SALES.tolist()))]
    rows[-1][-1] = most
    text = "".join(between.join(map(str, row)) + "\n" for row in rows)
    data = text.encode(options.get("encoding", "utf-8"))
    Path(name).write_bytes(gzip.compress(data) if ending.endswith(".gz") else data)
    with pytest.warns(UserWarning, match="hold whole numbers") as caught:
        genten.read(name, values="Mar", index_base=0, **options)
    message = next(str(each.message) for each in caught if "hold whole" in str(each.message))
    assert f"pandas.read_csv({name!r}{how})" in message
    (call,) = calls_in(message)
    X = eval(call, {"genten": genten, "pandas": pandas})
    sales = SALES.copy()
    sales[-1, -1] = 2005
    assert entries_of(X) == expected(sales, who)


@pytest.mark.parametrize("numbers, values, chosen", [
    ({"qty": [3, 1, 2], "price": [1.5, 2.25, 0.5]}, None, "price"),
    ({"tax": [0.1, 0.2, 0.4], "price": [1.5, 2.25, 0.5]}, "price", "price"),
    ({"tax": [0.1, 0.2, 0.4], "gain": [1.5, 2.25, 0.5]}, None, "tax"),
    ({"qty": [3, 1, 2], "sales": [7, 9, 8]}, None, "sales"),
])  # fmt: skip
def test_several_quantities_are_told_with_the_whole_call(numbers, values, chosen):
    names = pandas.DataFrame({"who": [*"aab"], "store": [1, 0, 1], "item": [*"xyx"]})
    names["item"] = names["item"].astype("category")
    table = names.assign(**numbers)
    with pytest.raises(ValueError) as caught:
        genten.tensor(table.assign(store=["s1", "s0", "s1"]), values=values)
    call = next(calls_in(str(caught.value)))
    X = eval(call, {"genten": genten, "table": table})
    assert call.endswith(f"values={chosen!r}, modes=['who', 'store', 'item'])")
    assert X.mode_names == ["who", "store", "item"] and X.values.sum() == sum(numbers[chosen])


def test_one_column_of_values_beside_ids_has_the_short_call():
    for values in ([3, 1, 2], [1.5, 2.25, 0.5]):
        table = pandas.DataFrame({"who": [*"aab"], "item": [*"xyx"], "sales": values})
        with pytest.raises(ValueError, match=r"give genten.tensor\(table, values='sales'\)"):
            genten.tensor(table)
    ids = pandas.DataFrame({"who": [4, 7, 7], "item": [1, 0, 1], "n": [3, 1, 2]})
    with pytest.raises(ValueError, match=r"give genten.tensor\(table, values='n'\), or modes="):
        genten.tensor(ids)


@pytest.mark.parametrize("names", [MONTHS, ["2023-01", "2023-02", "2023-03"], [2019, 2020, 2021]])
@pytest.mark.parametrize("kind", [int, float])
def test_columns_of_times_make_a_table_wide(names, kind):
    table = pandas.DataFrame(SALES.astype(kind), columns=names)
    table.insert(0, "who", PEOPLE)
    X, message = followed(table)
    assert X.shape == (4, 3)
    assert X.norm == pytest.approx(np.linalg.norm(SALES))
    assert message.startswith("expected a long table, a column a mode, got a wide one. ")


def test_other_quantities_are_no_modes_beside_the_values():
    for amount in ([3, 4, 5], [3.5, 4.5, 5.0]):
        table = pandas.DataFrame({
            "shop": [*"aab"], "item": [*"xyx"], "qty": [1, 2, 2], "amount": amount,
        })  # fmt: skip
        with pytest.raises(ValueError) as caught:
            genten.tensor(table)
        call = next(each for each in calls_in(str(caught.value)) if "melt" not in each)
        X = eval(call, {"genten": genten, "table": table})
        assert X.shape == (2, 2)


def test_ids_beside_names_are_no_values():
    events = pandas.DataFrame(
        {"patient": [100234, 100871, 100234], "ward": [*"aab"], "drug": [*"xyx"]})  # fmt: skip
    with pytest.raises(ValueError, match="column 'patient' holds whole numbers") as caught:
        genten.tensor(events)
    call = next(calls_in(str(caught.value)))
    assert eval(call, {"genten": genten, "table": events}).shape == (2, 2)
    assert "values='patient'" not in str(caught.value)
    weeks = events.rename(columns={"patient": "week"})
    with pytest.raises(ValueError, match=r"table, modes=\['week', 'ward', 'drug'\]\) to count"):
        genten.tensor(weeks)
    with pytest.raises(ValueError, match=r"give genten.tensor\(table, values='patient'\)"):
        genten.tensor(events[["ward", "drug", "patient"]])


def test_words_among_numbers():
    cells = [*map(str, range(12)), "Refused"]
    table = pandas.DataFrame({"shop": [*"abcabcabcabca"], "qty": cells})
    with pytest.warns(UserWarning, match="column 'qty' holds numbers and 'Refused', and is a mode"):
        genten.tensor(table)
    with pytest.raises(ValueError, match="'Refused'") as caught:
        genten.tensor(table, values="qty")
    assert "whose rows table.dropna(subset=['qty']) then leaves out" in str(caught.value)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.tensor(table, modes=["shop", "qty"])
        genten.tensor(table.rename(columns={"qty": "week"}))
