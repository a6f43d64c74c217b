# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Columns of dates and times: their labels, and entries that are named by times."""

import datetime
import importlib
import re
import zoneinfo

import numpy as np
import pytest

import genten

LIBRARIES = ["pandas", "polars"]
MIDNIGHTS = np.array(["2024-01-02", "2024-01-01"], "datetime64[us]")


def labels_of(library, times):
    frames = pytest.importorskip(library)
    X = genten.tensor(frames.DataFrame({"time": times, "key": ["a", "b"]}))
    assert X.subscripts[:, 0].tolist() == [1, 0]
    return X.labels[0]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "step, expected",
    [
        (np.timedelta64(0, "m"), ["2024-01-01", "2024-01-02"]),
        (np.timedelta64(90, "m"), ["2024-01-01T01:30", "2024-01-02T01:30"]),
        (np.timedelta64(61, "s"), ["2024-01-01T00:01:01", "2024-01-02T00:01:01"]),
        (np.timedelta64(5, "ms"), ["2024-01-01T00:00:00.005", "2024-01-02T00:00:00.005"]),
        (np.timedelta64(7, "us"), ["2024-01-01T00:00:00.000007", "2024-01-02T00:00:00.000007"]),
        (np.timedelta64(1, "ns"),
         ["2024-01-01T00:00:00.000000001", "2024-01-02T00:00:00.000000001"]),
    ],
)  # fmt: skip
def test_labels_are_as_short_as_all_times_allow(library, step, expected):
    assert labels_of(library, MIDNIGHTS.astype("datetime64[ns]") + step) == expected


def test_one_finer_time_makes_all_labels_finer():
    times = MIDNIGHTS + np.array([0, 1], "timedelta64[s]")
    assert labels_of("pandas", times) == ["2024-01-01T00:00:01", "2024-01-02T00:00:00"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_dates_of_python(library):
    days = [datetime.date(2024, 1, 2), datetime.date(2024, 1, 1)]
    assert labels_of(library, days) == ["2024-01-01", "2024-01-02"]


def test_other_columns_of_times():
    pandas = pytest.importorskip("pandas")
    objects = pandas.Series(list(pandas.to_datetime(MIDNIGHTS)), dtype=object)
    assert labels_of("pandas", objects) == ["2024-01-01", "2024-01-02"]
    days = pandas.Categorical(pandas.to_datetime(MIDNIGHTS))
    assert labels_of("pandas", days) == ["2024-01-01", "2024-01-02"]
    months = pandas.PeriodIndex(["2024-02", "2024-01"], freq="M")
    assert labels_of("pandas", months) == ["2024-01", "2024-02"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_labels_tell_hours_apart_that_a_clock_goes_through_twice(library):
    frames = pytest.importorskip(library)
    if "Europe/Berlin" not in zoneinfo.available_timezones():
        pytest.skip("no time zones")
    utc = np.array(["2024-10-27T01:30", "2024-10-27T00:30"], "datetime64[us]")
    if library == "pandas":
        times = frames.Series(utc).dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    else:
        times = frames.Series("time", utc).dt.replace_time_zone("UTC")
        times = times.dt.convert_time_zone("Europe/Berlin")
    expected = ["2024-10-27T02:30+02:00", "2024-10-27T02:30+01:00"]
    assert labels_of(library, times) == expected
    m = genten.Model(None, [np.array([[1.0], [2.0]])], labels=[expected])
    zone = datetime.timezone(datetime.timedelta(hours=1))
    late = datetime.datetime(2024, 10, 27, 2, 30, tzinfo=zone)
    assert m.predict([(late,)]).tolist() == [2.0]
    assert m.predict(frames.DataFrame({"time": times})).tolist() == [2.0, 1.0]
    with pytest.raises(ValueError, match="no row is called '2024-10-27T02:30:00'"):
        m.predict([(late.replace(tzinfo=None),)])


@pytest.mark.parametrize("zone", [None, "UTC"])
def test_a_missing_time_is_refused(zone):
    pandas = pytest.importorskip("pandas")
    times = pandas.Series(pandas.to_datetime(["2024-01-01", None])).dt.tz_localize(zone)
    with pytest.raises(ValueError, match="column 'time', row 1: expected a time, got NaT"):
        genten.tensor(pandas.DataFrame({"time": times, "key": ["a", "b"]}))


@pytest.fixture(name="model")
def fixture_model():
    pandas = pytest.importorskip("pandas")
    days = pandas.date_range("2024-01-01", periods=12)
    who = ["ann", "bob"] * 6
    table = pandas.DataFrame({"who": who, "day": days, "n": np.arange(1.0, 13)})
    return genten.cp(genten.tensor(table, values="n"), 1, seed=1).model


def test_entries_are_named_by_any_form_of_a_time(model):
    pandas = pytest.importorskip("pandas")
    expected = model.predict([[0, 3]])
    for day in (
        "2024-01-04", "2024-01-04T00:00", "2024-01-04 00:00:00", "2024-01-04T00:00:00.000000",
        datetime.date(2024, 1, 4), datetime.datetime(2024, 1, 4), pandas.Timestamp("2024-01-04"),
        np.datetime64("2024-01-04"), np.datetime64("2024-01-04", "ns"),
    ):  # fmt: skip
        assert model.predict([("ann", day)]) == expected, day
    assert model.predict(np.array([["ann", "2024-01-04"]], dtype=object)) == expected
    table = pandas.DataFrame({"who": ["ann"], "day": [pandas.Timestamp("2024-01-04")]})
    assert model.predict(table) == expected
    for day in (pandas.NaT, np.datetime64("NaT")):
        with pytest.raises(ValueError, match=re.escape("mode 1 (day): no row is called 'NaT'")):
            model.predict([("ann", day)])
    for day in (pandas.Timestamp("2024-01-04 12:00"), datetime.date(2025, 1, 1)):
        with pytest.raises(ValueError, match=re.escape("mode 1 (day): no row is called '202")):
            model.predict([("ann", day)])


def test_labels_that_are_times_are_written_alike():
    days = [datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 2)]
    m = genten.Model(None, [np.eye(2)], labels=[days])
    assert m.labels == [["2024-01-01", "2024-01-02"]]
    assert m.predict(np.array([["2024-01-02"]], "M8[D]")).tolist() == [1.0]


@pytest.mark.parametrize("step", ["D", "h"])
def test_ticks_of_a_picture_differ(step):
    pandas = pytest.importorskip("pandas")
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("no Matplotlib")
    times = np.datetime64("2024-01-01T12", "ns") + 24 * np.arange(12) * np.timedelta64(1, "h")
    times = times.astype("M8[D]") if step == "D" else times
    table = pandas.DataFrame({"time": times, "key": ["a", "b"] * 6, "n": np.arange(1.0, 13)})
    m = genten.cp(genten.tensor(table, values="n"), 1, seed=1).model
    axes = next(a for a in m.plot().axes if a.get_label() == "component 0 mode 0")
    ticks = [tick.get_text() for tick in axes.get_xticklabels()]
    assert len(set(ticks)) == 12 and ("2024-01-05" in ticks) == (step == "D")
    assert any(label in str(m) for label in m.labels[0])


@pytest.mark.parametrize("unit", ["ns", "us", "s"])
def test_durations_are_labelled_as_pandas_writes_them(unit):
    pandas = pytest.importorskip("pandas")
    texts = ["-2 days +23:59:59", "0 days 00:00:00", "0 days 00:00:01", "1 days 06:30:00"]
    texts += ["400 days 00:00:00"] + ["0 days 00:00:00.000001"] * (unit != "s")
    texts += ["0 days 00:00:00.000000001"] * (unit == "ns")
    lags = pandas.to_timedelta(texts).as_unit(unit)
    table = pandas.DataFrame({"lag": lags, "n": 1.0})
    assert [str(lag) for lag in lags] == texts
    X = genten.tensor(table, values="n")
    assert sorted(X.labels[0]) == sorted(texts)
    m = genten.Model(None, [np.arange(len(texts))[:, None].astype(float)], X.labels, ["lag"])
    rows = [X.labels[0].index(text) for text in texts]
    assert m.predict([(lag,) for lag in lags]).tolist() == rows
    assert m.predict(table[["lag"]]).tolist() == rows
    assert m[datetime.timedelta(hours=30, minutes=30)] == m["1 days 06:30:00"]
    if unit == "us" and importlib.util.find_spec("pyarrow") is not None:
        import pyarrow

        assert genten.tensor(pyarrow.Table.from_pandas(table), values="n").labels == X.labels
    months = genten.Model(None, [np.eye(2)], [np.array([1, 2], "m8[M]")])
    assert months.labels == [["1 months", "2 months"]]


def test_periods_and_beginnings_of_times():
    pandas = pytest.importorskip("pandas")
    months = [["a", "b"], ["2024-01-01", "2024-02-01", "2024-12-01"]]
    m = genten.Model(None, [np.array([[1.0], [2.0]]), np.array([[3.0], [4.0], [5.0]])], months)
    with pytest.raises(ValueError, match="no row is called '2024-02'; did you mean '2024-02-01'"):
        m.predict([("b", "2024-02")])
    by_month = genten.Model(m.weights, m.factors, [["a", "b"], ["2024-01", "2024-02", "2024-12"]])
    assert by_month.predict([("b", pandas.Period("2024-02", "M"))]) == [8.0]


def test_times_that_lack_zeros_or_a_zone():
    days = genten.Model(None, [np.eye(3)], [["2001-01-05", "2001-01-15", "2001-01-25"]], ["day"])
    with pytest.raises(ValueError, match="called '2001-1-5'; did you mean '2001-01-05'\\?"):
        days["2001-1-5"]
    with pytest.raises(ValueError, match="2001-1-6'; write dates as the known ones are, as \"2001"):
        days["2001-1-6"]
    zoned = genten.Model(None, [np.eye(2)], [["2024-01-01T00:00+01:00", "2024-01-01T12:30+01:00"]])
    pandas = pytest.importorskip("pandas")
    for key in ("2024-01-01", pandas.Timestamp("2024-01-01"), "2024-1-1"):
        with pytest.raises(ValueError, match=r"; did you mean '2024-01-01T00:00\+01:00'\?"):
            zoned[key]
    with pytest.raises(ValueError, match=r"; did you mean '2024-01-01T12:30\+01:00'\?"):
        zoned.predict([("2024-01-01 12:30:00",)])
    with pytest.raises(ValueError, match=r"; did you mean '2001-01-15'\?"):
        days["2001-01-15T00:00+01:00"]
    assert zoned[pandas.Timestamp("2024-01-01", tz="Europe/Berlin")] == 1
