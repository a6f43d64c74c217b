# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Modes whose subscripts are ids: the warning, and the way out of it."""

import warnings

import numpy as np
import pytest

import genten


def entries(ids):
    return np.stack([np.asarray(ids), np.arange(len(ids)) % 3], axis=1)


@pytest.mark.parametrize("as_table", [False, True])
def test_ids_that_make_long_modes_are_told_of(as_table):
    ids = [7, 4_000_000_000, 7, 12]
    with pytest.warns(UserWarning, match="mode 0 is 4000000001 long, .* only 3 of its subscripts"):
        if as_table:
            pandas = pytest.importorskip("pandas")
            table = pandas.DataFrame({"id": ids, "day": [0, 1, 2, 0], "n": np.ones(4)})
            X = genten.tensor(table, values="n")
        else:
            X = genten.tensor((entries(ids), np.ones(4)))
    short = X.compact()
    assert short.shape == (3, 3) and short.labels[0] == ["7", "12", "4000000000"]
    assert short.labels[1] == ["0", "1", "2"]
    assert short.mode_names == X.mode_names and short.nnz == X.nnz
    names = short.labels[0]
    assert [int(names[row]) for row in short.subscripts[:, 0]] == X.subscripts[:, 0].tolist()
    assert (short.values == X.values).all() and short.compact() is short


@pytest.mark.parametrize(
    "make",
    [
        lambda: genten.tensor((entries([7, 4_000_000_000]), np.ones(2), (4_000_000_001, 3))),
        lambda: genten.tensor((entries([7, 990]), np.ones(2))),
        lambda: genten.tensor((entries(np.arange(150_000)), np.ones(150_000))),
        lambda: genten.tensor((entries(np.arange(30_000) * 5), np.ones(30_000))),
        lambda: genten.tensor((entries(np.repeat([3, 100_000], 9000)[::-1]), np.ones(18000)),
                              (100_001, 3)),
    ],
)  # fmt: skip
def test_others_are_not(make):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make()


def test_many_nonzeros_of_few_ids():
    ids = np.repeat([3, 1_000_000], 9000)
    with pytest.warns(UserWarning, match="mode 0 is 1000001 long, .* only 2 of its subscripts"):
        genten.tensor((entries(ids), np.ones(18000)))


def test_sparse_ids_of_three_digits():
    with pytest.warns(UserWarning, match="mode 0 is 970 long, .* only 29 of its subscripts"):
        genten.tensor((entries(np.arange(101, 990, 31)), np.ones(29)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.tensor((entries(np.arange(1, 990, 31)), np.ones(32)))  # they begin as counts do
        genten.tensor((entries(np.arange(101, 500, 2)), np.ones(200)))


def test_labels_stay_with_their_rows():
    X = genten.tensor(
        (np.array([[3, 0], [1, 2], [3, 2]]), np.ones(3), (5, 3)),
        labels=[list("abcde"), None],
        mode_names=["x", "y"],
    )
    short = X.compact()
    assert short.labels == [["b", "d"], ["0", "2"]] and short.mode_names == ["x", "y"]
    assert short.subscripts.tolist() == [[1, 0], [0, 1], [1, 1]] and short.norm == X.norm
    empty = genten.tensor((np.empty((0, 2), int), np.empty(0), (3, 2))).compact()
    assert empty.shape == (0, 0) and empty.labels == [[], []]


def taken_as(form, table, tmp_path):
    """The tensor of a table with values "n", by way of a file for the form 'file'."""
    if form == "file":
        table.to_csv(tmp_path / "t.csv", index=False)
        return genten.read(tmp_path / "t.csv", values="n")
    return genten.tensor(table, values="n")


@pytest.mark.parametrize("form", ["texts", "times", "file"])
def test_times_of_which_each_has_an_entry_are_told_of(form, tmp_path):
    pandas = pytest.importorskip("pandas")
    times = pandas.date_range("2024-01-01T08:00", periods=60, freq="7h")
    table = pandas.DataFrame({"user": ["ann", "bob"] * 30, "when": times, "n": 1.0})

    def made(when):
        return taken_as(form, table.assign(when=when), tmp_path)

    texts = times if form == "times" else times.strftime("%Y-%m-%dT%H:%M:%S")
    with pytest.warns(UserWarning, match=r"column 'when' has 60 times for 60 entries: .* cut the"):
        made(texts)
    with pytest.warns(UserWarning, match=r"column 'when' has 60 times for 60 entries: .* cut the"):
        made(times.strftime("%d/%m/%y %I:%M %p"))  # other spellings
    half = texts[:20].append(texts[20:40]).append(texts[:20])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(times.floor("D") if form == "times" else texts.str[:10])
        made(texts[:20].repeat(3))
        made(half)  # 40 of them: few


@pytest.mark.parametrize("form", ["frame", "file"])
def test_rows_of_which_each_has_an_entry_are_told_of(form, tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"user": ["ann", "bob"] * 60, "n": 1.0})

    def made(ids):
        return taken_as(form, table.assign(id=ids), tmp_path)

    numbers = np.random.default_rng(1).permutation(120)
    with pytest.warns(UserWarning, match="column 'id' has 120 numbers for 120 entries: .* modes="):
        made(numbers)
    with pytest.warns(UserWarning, match="column 'id' has 120 names for 120 entries: .* modes="):
        made([f"order {each}" for each in numbers])
    minutes = [f"2024-05-03T12:{each:02}" for each in range(60)]
    with pytest.warns(UserWarning, match="column 'id' has 60 times for 120 entries: .* cut the"):
        made(minutes + minutes[1:] + minutes[:1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(numbers % 80)
        made([f"order {each % 80}" for each in numbers])


@pytest.mark.parametrize("form", ["frame", "file"])
def test_ids_that_begin_late(form, tmp_path):
    pandas = pytest.importorskip("pandas")

    def made(first, last):
        users = np.repeat(np.arange(first, last), 2)
        table = pandas.DataFrame({"user": users, "what": ["x", "y"] * (last - first), "n": 1.0})
        return taken_as(form, table, tmp_path)

    with pytest.warns(UserWarning, match="mode 0 is 3000 long, .* only 1000 of its subscripts"):
        X = made(2000, 3000)
    assert X.compact().shape == (1000, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(0, 1000)
        made(200, 1000)
