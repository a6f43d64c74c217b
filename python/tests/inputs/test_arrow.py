# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of Arrow, batch by batch: the same tensor, to the bit, whoever has them."""

import datetime
import decimal

import numpy as np
import pytest

import genten
from genten.convert import arrow_sources

pandas = pytest.importorskip("pandas")
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
dataset = pytest.importorskip("pyarrow.dataset")

ROWS = 3000


def expect_same(one, other):
    assert one.shape == other.shape and one.mode_names == other.mode_names
    names = [[each and list(each) for each in X.labels] for X in (one, other)]
    assert names[0] == names[1]
    assert np.array_equal(one.subscripts, other.subscripts)
    assert one.values.dtype == other.values.dtype
    assert one.values.tobytes() == other.values.tobytes()
    merged = [X.file_facts.get("duplicates", 0) for X in (one, other)]
    assert merged[0] == merged[1] > 0


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    names = np.array([f"n{i:03}é" for i in range(90)], dtype=object)
    days = pandas.to_datetime("2024-01-01") + pandas.to_timedelta(rng.integers(0, 9, ROWS), "D")
    return pandas.DataFrame({
        "who": names[rng.integers(0, 90, ROWS)], "item": rng.integers(0, 20, ROWS), "day": days,
        "new": rng.integers(0, 2, ROWS) > 0, "x": rng.random(ROWS),
    })  # fmt: skip


@pytest.mark.parametrize("keys", [1, 100, 1 << 20])
def test_all_forms_make_the_same_tensor(table, tmp_path, monkeypatch, keys):
    for module in ("arrow", "arrow_sources"):
        monkeypatch.setattr(f"genten.convert.{module}.BATCH_ROWS", 700)
    monkeypatch.setattr("genten.convert.arrow.PENDING_KEYS", keys)  # of batches, numbered together
    monkeypatch.setattr("genten.convert.arrow.PENDING_BYTES", 1 << 27 if keys > 1 else 900)
    expected = genten.tensor(table, values="x")
    whole = arrow.Table.from_pandas(table)
    table.to_parquet(tmp_path / "t.parquet")
    with arrow.OSFile(str(tmp_path / "t.arrow"), "wb") as file:
        with arrow.ipc.new_file(file, whole.schema) as writer:
            writer.write_table(whole, max_chunksize=1300)
    table.assign(day=table.day.dt.strftime("%Y-%m-%d")).to_csv(tmp_path / "t.csv", index=False)
    for name in ("t.csv", "t.parquet", "t.arrow"):
        expect_same(genten.read(tmp_path / name, values="x"), expected)
        expect_same(genten.tensor(tmp_path / name, values="x"), expected)
    from_dataset = dataset.dataset(tmp_path / "t.parquet")
    for data in (whole, whole.to_reader(250), from_dataset, from_dataset.scanner()):
        expect_same(genten.tensor(data, values="x"), expected)
    X = genten.read(tmp_path / "t.parquet", values="x", duplicates="mean", dtype="float32")
    expect_same(X, genten.tensor(table, values="x", duplicates="mean", dtype="float32"))
    assert X.source == str(tmp_path / "t.parquet") and X.file_facts["format"] == "parquet"


def test_polars_and_duckdb_too(table, tmp_path):
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    expected = genten.tensor(table, values="x")
    table.to_parquet(tmp_path / "t.parquet")
    frame = polars.read_parquet(tmp_path / "t.parquet")
    for data in (frame, frame.lazy(), polars.scan_parquet(tmp_path / "t.parquet")):
        expect_same(genten.tensor(data, values="x"), expected)
    base = duckdb.connect()
    found = genten.tensor(base.sql(f"select * from '{tmp_path}/t.parquet'"), values="x")
    expect_same(found, expected)
    counts = base.sql("select 'a' as who, 2 as n union all select 'b', 3")
    sums = base.sql("select who, sum(n) as n from counts group by who")  # a decimal
    assert genten.tensor(sums, values="n", modes=["who"]).values.sum() == 5


def test_keys_of_all_kinds_are_named_as_pandas_names_them():
    hour = datetime.timedelta(hours=1)
    zone = datetime.timezone(2 * hour)
    start = datetime.datetime(2024, 1, 2, 3)
    columns = {
        "date": [datetime.date(2024, 5, 1), datetime.date(2024, 1, 1)],
        "zoned": [start.replace(tzinfo=zone) + hour, start.replace(tzinfo=zone)],
        "dear": [decimal.Decimal("2.5"), decimal.Decimal("1.5")],
        "large": [2**33, 5],
        "kind": pandas.Categorical(["b", "c"], categories=["c", "b", "unused"]),
    }
    frame = pandas.DataFrame({**columns, "x": [1.0, 2.0]})
    names = list(columns)
    taken = genten.tensor(frame, modes=names, values="x", shape=(2, 2, 2, 2**33 + 1, 3))
    whole = arrow.Table.from_pandas(frame)
    found = genten.tensor(whole, modes=names, values="x", shape=(2, 2, 2, 2**33 + 1, 3))
    assert [each and list(each) for each in found.labels] == [
        each and list(each) for each in taken.labels
    ]
    assert np.array_equal(found.subscripts, taken.subscripts)


@pytest.mark.parametrize("keys", [1, 5, 1 << 20])
def test_categories_keep_their_order_over_batches(monkeypatch, keys):
    monkeypatch.setattr("genten.convert.arrow.PENDING_KEYS", keys)
    batches = []
    for names, codes in ((["z", "a"], [0, 1]), (["z", "a"], [1, 1]), (["m", "a", "b"], [2, 1])):
        column = arrow.DictionaryArray.from_arrays(arrow.array(codes, "int32"), names)
        batches.append(arrow.record_batch({"s": column, "x": arrow.array([1.0, 2.0])}))
    X = genten.tensor(arrow.Table.from_batches(batches), values="x")
    assert list(X.labels[0]) == ["z", "a", "m", "b"]
    assert [float(X[name]) for name in "zamb"] == [1.0, 7.0, 0.0, 1.0]


def test_rows_count_without_values_and_none_are_none():
    whole = arrow.table({"who": ["a", "b", "a"]})
    assert genten.tensor(whole).values.tolist() == [2, 1]
    assert genten.tensor(whole, duplicates="last").values.tolist() == [1, 1]
    empty = whole.slice(0, 0)
    assert genten.tensor(empty).nnz == 0


@pytest.mark.parametrize(
    "columns, options, message",
    [
        ({"a": ["x", None], "v": [1, 2]}, {"values": "v"}, "column 'a', row 1: a value is missing"),
        ({"a": ["x", "y"], "v": [1, None]}, {"values": "v"}, "column 'v', row 1: a value is mis"),
        ({"a": ["x"], "v": ["1"]}, {"values": "v"}, "values: expected numbers in column 'v', got"),
        ({"a": ["x"]}, {"values": "b"}, r"expected one of the columns \['a'\], got 'b'"),
        ({"a": ["x"], "v": [1.5]}, {}, "column 'v' holds floats, which are no mode"),
        ({"a": ["x"], "v": [1]}, {}, "column 'v' holds whole numbers, which may be values"),
        ({"a": ["x"], "jan": [1], "feb": [2]}, {}, r"\.melt\(id_vars=\['a'\]\).* makes a"),
        ({"a": [["x"]], "v": [1]}, {"values": "v"}, r"column 'a': expected texts.*, got list<.*>"),
        ({"a": ["x"], "v": [[1]]}, {"values": "v"}, r"column 'v': expected texts.*, got list<.*>"),
        ({"a": [-1], "v": [1]}, {"values": "v"}, "column 'a': expected subscripts of at least 0"),
        ({"a": [1], "v": [float("nan")]}, {"values": "v"}, "column 'v', row 0: a value is"),
    ],
)
def test_what_is_no_tensor_is_refused(columns, options, message, tmp_path):
    whole = arrow.table(columns)
    with pytest.raises(ValueError, match=message):
        genten.tensor(whole, **options)
    parquet.write_table(whole, tmp_path / "t.parquet")
    with pytest.raises((OSError, ValueError), match=message):
        genten.read(tmp_path / "t.parquet", **options)


@pytest.mark.parametrize("values, what", [([1.5], r"mode: give {}\?"), ([1], "give {}, or modes=")])
def test_what_to_give_is_said_for_files_and_tables(values, what, tmp_path):
    whole = arrow.table({"a": ["x"], "v": values})
    parquet.write_table(whole, tmp_path / "t.parquet")
    with pytest.raises(OSError, match=what.format("values='v'")):
        genten.read(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=what.format(r"genten.tensor\(table, values='v'\)")):
        genten.tensor(whole)


def test_streams_of_arrow_are_called_so(tmp_path):
    whole = arrow.table({"a": ["x", "y", "x"], "v": [1, 2, 3]})
    path = tmp_path / "t.arrows"
    with arrow.ipc.new_stream(path, whole.schema) as stream:
        stream.write_table(whole)
    for options in ({}, {"values": "v"}):
        with pytest.raises(OSError, match="t.arrows: .* an Arrow stream: .*ipc.open_stream"):
            genten.read(path, **options)
    with arrow.ipc.open_stream(arrow.OSFile(str(path))) as stream:
        expect_same(genten.tensor(stream, values="v"), genten.tensor(whole, values="v"))


def test_options_that_mean_nothing_are_refused(tmp_path):
    parquet.write_table(arrow.table({"a": ["x"]}), tmp_path / "t.parquet")
    with pytest.raises(TypeError, match="header: has no effect for .*t.parquet, which is no text"):
        genten.read(tmp_path / "t.parquet", header="none")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(OSError, match="broken.parquet"):
        genten.read(tmp_path / "broken.parquet")


def test_a_run_says_how_it_was_read(table, tmp_path):
    table.to_parquet(tmp_path / "t.parquet")
    r = genten.cp(genten.read(tmp_path / "t.parquet", values="x"), 2, max_iterations=3)
    assert r.tensor_facts["file"] == str(tmp_path / "t.parquet")
    assert r.tensor_facts["read_options"] == {"values": "x"}


@pytest.mark.parametrize("rows_of_group", [1 << 14, 1 << 18])
def test_files_of_parquet_do_not_stay_in_memory(rows_of_group, tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows, path = 1 << 20, str(tmp_path / "t.parquet")
    numbers = np.random.default_rng(1).random((2, rows))  # which are not compressed
    table = arrow.table({"a": numbers[0], "b": numbers[1], "c": np.arange(rows)})
    parquet.write_table(table, path, row_group_size=rows_of_group)
    before, most, seen = arrow.total_allocated_bytes(), 0, 0
    for a, c in arrow_sources._Parquet(path).batches(["a", "c"]):
        most = max(most, arrow.total_allocated_bytes() - before)
        assert c[0].as_py() == seen and a[0].as_py() == numbers[0, seen]
        seen += len(c)
    assert seen == rows
    assert most < 12 * rows  # three quarters of the columns that are read
