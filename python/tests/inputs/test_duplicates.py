# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Nonzeros of one entry: added up where they are copied, counted and told of where they are not."""

import pickle
import warnings

import numpy as np
import pytest

import genten
from genten.convert.duplicates import added_up, distinct_subscripts

SUBSCRIPTS, VALUES = np.array([[0, 1], [2, 0], [0, 1], [0, 1]]), np.array([1.0, 2.0, 4.0, 8.0])


def summed(rows, values):
    """What a dictionary makes of them, in the order of the entries."""
    sums = {}
    for row, value in zip(map(tuple, rows.tolist()), values.tolist(), strict=True):
        sums[row] = sums.get(row, 0.0) + value
    return sorted(sums), [sums[row] for row in sorted(sums)]


@pytest.mark.parametrize("shape", [(5, 4, 3), (2**22, 2**22, 2**22), (2**40, 2**40, 2**40)])
def test_sums_are_those_of_a_dictionary(shape):
    rng = np.random.default_rng(2)
    few = np.stack([rng.integers(0, length, 40, dtype=np.uint64) for length in shape], axis=1)
    rows = few[rng.integers(0, 40, 300)]
    values = rng.integers(1, 9, 300).astype(np.float32)
    columns, sums, distinct = added_up(list(rows.T), values, shape)
    entries, expected = summed(rows, values)
    assert distinct and list(map(tuple, np.stack(columns, axis=1).tolist())) == entries
    assert sums.tolist() == expected and sums.dtype == np.float32
    assert distinct_subscripts(rows, shape) == len(entries)
    assert distinct_subscripts(np.array(entries), shape) == len(entries)
    kept, same, _ = added_up([np.array([3, 1, 2])] * 3, values[:3], shape)
    assert kept[0].tolist() == [3, 1, 2] and same is not None
    assert distinct_subscripts(np.empty((0, 3), np.uint32), shape) == 0


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_rows_of_a_table_are_added_up(library):
    frames = pytest.importorskip(library)
    rng = np.random.default_rng(1)
    picked = rng.integers(0, (3, 2), (4000, 2))
    table = frames.DataFrame(
        {"who": np.array(["a", "b", "c"])[picked[:, 0]].tolist(),
         "what": np.array(["x", "y"])[picked[:, 1]].tolist()}
    )  # fmt: skip
    X = genten.tensor(table)
    assert (X.nnz, X.distinct_subscripts, X.density) == (6, 6, 1.0) and X.values.sum() == 4000
    entries, counts = summed(picked, np.ones(4000))
    assert X.subscripts.tolist() == list(map(list, entries)) and X.values.tolist() == counts
    assert "6 nonzeros, density 1, " in repr(X)
    assert genten.cp(X, 1).tensor_facts["density"] == 1.0


def test_rows_that_no_tensor_may_hold_are_still_named():
    pandas = pytest.importorskip("pandas")
    for u, v, named in (([0, 1, 0], [1, -1, 1], "got -1"), ([5, 0, 0], [1, 1, 1], "got 5")):
        with pytest.raises(ValueError, match=named):
            genten.tensor(pandas.DataFrame({"u": u, "v": v}), (3, 2), modes=["u", "v"])
    with pytest.raises(ValueError, match="expected a length for each of the 1 modes"):
        genten.tensor(pandas.DataFrame({"u": [0, 0]}), (3, 2, 1), modes=["u"])
    table = pandas.DataFrame({"u": ["a", "a", "a"], "x": [1.0, 2.0, np.inf]})
    with pytest.raises(ValueError, match="column 'x', row 2: expected finite numbers, got inf"):
        genten.tensor(table, values="x")


def test_shared_arrays_stay_and_say_what_they_hold():
    X = genten.tensor((SUBSCRIPTS, VALUES, (3, 2)))
    assert np.shares_memory(X.values, VALUES) and X.nnz == 4
    assert X.distinct_subscripts == 2 and X.density == 2 / 6
    assert "4 stored entries with 2 distinct subscripts, density 0.3333" in repr(X)
    assert genten.tensor((SUBSCRIPTS[:2], VALUES[:2], (3, 2))).coalesce().nnz == 2
    Y = X.coalesce()
    assert Y.subscripts.tolist() == [[0, 1], [2, 0]] and Y.values.tolist() == [13, 2]
    assert Y.norm == X.norm and Y.coalesce() is Y and Y._distinct == 2
    for kept in (pickle.loads(pickle.dumps(X)), X.astype("float32"), genten.tensor(X, copy=True)):
        assert kept.distinct_subscripts == 2 and kept.density == X.density
    facts = genten.cp(X, 1).tensor_facts
    assert (facts["nnz"], facts["distinct_subscripts"], facts["density"]) == (4, 2, 2 / 6)


def test_many_entries_are_not_counted_unasked(monkeypatch):
    monkeypatch.setattr("genten._sparse.entries.COUNTED_UNASKED", 3)
    X = genten.tensor((SUBSCRIPTS, VALUES, (3, 2)))
    assert repr(X) == "<genten.Tensor 3 x 2, 4 stored entries, float64>" and X._distinct is None
    assert "density" not in genten.cp(X, 1).tensor_facts and X._distinct is None
    assert X.density == 2 / 6 and "distinct" not in repr(X)  # Others may write to the array.
    Y = genten.tensor(X, copy=True)
    assert Y.density == 2 / 6 and "with 2 distinct subscripts" in repr(Y)


def test_entries_are_those_of_what_shared_arrays_hold_now():
    subscripts = np.array([[0], [1], [0]])
    X = genten.tensor((subscripts, np.ones(3), (2,)))
    assert (X.density, X.distinct_subscripts, X.coalesce().nnz) == (1.0, 2, 2)
    subscripts[:] = 1
    assert (X.density, X.distinct_subscripts, X.coalesce().values.tolist()) == (0.5, 1, [3.0])
    subscripts[:] = [[7], [8], [9]]
    with pytest.raises(ValueError, match="nonzero 0: expected a subscript below 2 in mode 0"):
        print(X.density)
    assert repr(X) == "<genten.Tensor 2, 3 stored entries, float64>"
    assert genten.tensor((np.empty((0, 2), int), np.empty(0), (0, 3))).density == 0


def test_what_is_known_is_not_counted(titanic, tmp_path, monkeypatch):
    sparse = pytest.importorskip("scipy.sparse")
    monkeypatch.setattr("genten._sparse.entries.distinct_subscripts", None)
    known = sparse.coo_array(([1.0, 2.0, 4.0], ([0, 1, 0], [1, 1, 1])), shape=(2, 2))
    with pytest.raises(TypeError):
        genten.tensor(known).density
    known.sum_duplicates()
    assert genten.tensor(known).density == genten.tensor(known.tocsr()).density == 0.5
    assert titanic.density == 0.75 and genten.tensor(np.eye(2)).density == 0.5
    pydata = pytest.importorskip("sparse")
    assert genten.tensor(pydata.COO([[0, 1], [1, 1]], [1.0, 2.0], (2, 2))).density == 0.5


def test_binary_files_hold_what_was_written(tmp_path):
    genten.tensor((SUBSCRIPTS, VALUES, (3, 2))).save(tmp_path / "x.gtn")
    X = genten.read(tmp_path / "x.gtn")
    assert (X.nnz, X.distinct_subscripts) == (4, 2)


def test_reports_say_both_numbers(tmp_path):
    pytest.importorskip("jinja2")
    X = genten.tensor((SUBSCRIPTS, VALUES, (3, 2)))
    for about in ({"tensor": X}, {}):
        genten.cp(X, 1).report(tmp_path / "r.html", **about)
        page = (tmp_path / "r.html").read_text()
        assert "4 stored entries with 2 distinct subscripts (33.3% of all entries)" in page
        assert "<dt>Stored entries</dt><dd>4</dd>" in page
    merged = genten.tensor((SUBSCRIPTS, VALUES, (3, 2)), duplicates="last")
    genten.cp(merged, 1).report(tmp_path / "r.html")
    assert "2 entries, merged with others (last)" in (tmp_path / "r.html").read_text()
    genten.cp(X, 1).report(tmp_path / "r.html", tensor=X.coalesce())
    genten.cp(X.coalesce(), 1).report(tmp_path / "r.html", tensor=X)
    other = genten.tensor((SUBSCRIPTS[:1], VALUES[:1], (3, 2)))
    with pytest.raises(ValueError, match="expected that of the run, with 4 nonz.*, got one with 1"):
        genten.cp(X, 1).report(tmp_path / "r.html", tensor=other)
    unnamed = X.subscripts, X.values
    genten.Model(None, [np.ones((3, 1)), np.ones((2, 1))]).report(
        tmp_path / "r.html", tensor=genten.tensor((*unnamed, (3, 2)))
    )
    assert "2 distinct subscripts" in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize(
    "rule, made", [("sum", 13), ("mean", 13 / 3), ("last", 8), ("max", 8), (None, None)]
)
def test_entries_of_the_same_subscripts_become_what_is_asked(rule, made, tmp_path):
    X = genten.tensor((SUBSCRIPTS, VALUES, (3, 2)), duplicates=rule)
    if rule is None:
        assert X.nnz == 4 and X.file_facts == {}
        return
    assert X.subscripts.tolist() == [[0, 1], [2, 0]] and X.values.tolist() == [made, 2]
    assert X.file_facts == {"duplicates": 2, "merged_by": rule} and X.distinct_subscripts == 2
    facts = genten.cp(X, 1).tensor_facts
    assert (facts["nnz"], facts["duplicates"], facts["merged_by"]) == (2, 2, rule)
    none = genten.tensor((SUBSCRIPTS[1:3], VALUES[1:3]), duplicates=rule)
    assert none.file_facts == {"duplicates": 0, "merged_by": rule}  # which models go by


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_rows_of_one_entry_become_what_is_asked(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"who": ["a", "b", "a"], "what": ["x"] * 3, "stars": [5, 1, 4]})
    for rule, made in ((None, 9), ("sum", 9), ("mean", 4.5), ("last", 4), ("max", 5)):
        X = genten.tensor(table, values="stars", duplicates=rule)
        assert X.values.tolist() == [made, 1] and X.file_facts["duplicates"] == 1
    with pytest.raises(ValueError, match=r"^duplicates: expected one entry .*, got 2 for \(0, 0\)"):
        genten.tensor(table, values="stars", duplicates="refuse")


def test_rules_that_there_are_not(tmp_path):
    for rule in ("first", 1, []):
        with pytest.raises(ValueError, match="duplicates: expected one of 'sum', .*, got "):
            genten.tensor((SUBSCRIPTS, VALUES), duplicates=rule)
    X = genten.tensor((SUBSCRIPTS, VALUES), duplicates="sum")
    with pytest.raises(TypeError, match="duplicates: has no effect for a Tensor"):
        genten.tensor(X, duplicates="mean")
    (tmp_path / "x.tns").write_text("1 1 2\n1 1 3\n")
    assert genten.tensor(tmp_path / "x.tns", duplicates="sum").values.tolist() == [5]
    with pytest.raises(OSError, match="x.tns:2"):
        genten.tensor(tmp_path / "x.tns", duplicates="refuse")
    with pytest.raises(ValueError, match="duplicates: expected one of 'sum', 'mean', .*'first'"):
        genten.tensor(tmp_path / "x.tns", duplicates="first")


def test_sums_of_what_is_measured_are_told_of(recwarn):
    warnings.simplefilter("always")
    for rule, said in ((None, 1), ("sum", 1), ("mean", 0)):
        recwarn.clear()
        X = genten.tensor((SUBSCRIPTS, VALUES, (3, 2)), duplicates=rule)
        genten.cp(X, 1, missing="unlisted")
        told = [str(w.message) for w in recwarn if "missing: 2 entries lie at" in str(w.message)]
        assert len(told) == said
    recwarn.clear()
    genten.cp(genten.tensor((SUBSCRIPTS, VALUES, (3, 2))), 1)
    assert not recwarn


@pytest.mark.parametrize("rule", ["sum", "mean", "last", "max"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_files_make_the_bits_that_arrays_make(rule, dtype, tmp_path):
    rng = np.random.default_rng(6)
    rows = np.stack([rng.integers(0, 9, 500), rng.integers(0, 7, 500)], axis=1)
    values = (rng.random(500) - 0.4).astype(dtype)
    X = genten.tensor((rows, values, (9, 7)), duplicates=rule)
    entries = list(zip(rows.tolist(), values.tolist(), strict=True))
    table, text = tmp_path / "t.csv", tmp_path / "t.tns"
    table.write_text("a,b,x\n" + "".join(f"{a},{b},{v!r}\n" for (a, b), v in entries))
    text.write_text("".join(f"{a + 1} {b + 1} {v!r}\n" for (a, b), v in entries))
    options = {"dtype": dtype, "duplicates": rule}
    found = [genten.read(table, values="x", **options)]
    if (rule, dtype) != ("sum", np.float32):  # sums of texts are made where they lie, in float
        found.append(genten.read(text, **options))
    for Y in found:
        assert Y.file_facts["duplicates"] == 500 - X.nnz and Y.file_facts["merged_by"] == rule
        ordered = np.lexsort(Y.subscripts.T[::-1])
        assert (Y.subscripts[ordered] == X.subscripts).all() and Y.values.dtype == dtype
        assert Y.values[ordered].tobytes() == X.values.tobytes()
        assert genten.cp(Y, 1).tensor_facts["merged_by"] == rule


def test_notes_tell_of_sums_of_what_is_measured():
    for rule, told in (("sum", [2.0]), ("mean", [])):
        X = genten.tensor((SUBSCRIPTS, VALUES, (3, 2)), duplicates=rule)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            notes = genten.cp(X, 1, missing="unlisted").notes
        assert [n.numbers["entries"] for n in notes if n.code == "merged_entries"] == told


def test_notes_on_arrays_are_those_on_tables():
    pandas = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    full = np.argwhere(np.ones((8, 6, 5)))
    rng = np.random.default_rng(0)
    some = full[rng.permutation(len(full))[:30]]
    degrees, amounts = np.round(rng.normal(20, 3, 270), 1), np.round(rng.exponential(3, 30), 2)
    for subscripts, values, said in (
        (np.concatenate([full, some]), degrees, "30 entries lie at the same subscripts as others"),
        (np.concatenate([some, some]), np.tile(amounts, 2), "Each of 30 entries is listed twice"),
        (np.concatenate([some, some]), np.concatenate([amounts, amounts[::-1]]), None),
        (some, amounts, None),
    ):
        table = pandas.DataFrame(subscripts, columns=list("abc")).assign(v=values)
        coo = sparse.coo_array((values, tuple(subscripts.T)), shape=(8, 6, 5))
        tuples = (subscripts, values, (8, 6, 5)), (list(subscripts.T), values)
        for data in (genten.tensor(table, (8, 6, 5), values="v"), coo, *tuples):
            notes = [n.text for n in genten.cp(data, 2, seed=1).notes if n.code == "merged_entries"]
            assert [text.startswith(said or "-") for text in notes] == [True] * (said is not None)


def test_sums_of_truths_in_arrays_are_told():
    said = (
        r"^values: 2 values have the subscripts of others, and sums are taken for values of True "
        r"and False: duplicates='max' makes an entry 1 where one of its values is True, and "
    )
    truths = np.array([True, True, False, True])
    for values in (truths, truths.tolist()):
        with pytest.warns(UserWarning, match=said):
            X = genten.tensor((SUBSCRIPTS, values, (3, 2)))
        assert X.to_dense()[0, 1] == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert genten.tensor((SUBSCRIPTS, truths), duplicates="max").to_dense()[0, 1] == 1
        genten.tensor((SUBSCRIPTS, truths), duplicates="sum")
        genten.tensor((SUBSCRIPTS[:2], truths[:2]))
        genten.tensor((SUBSCRIPTS, truths.astype(int)))
        genten.tensor(np.array([[True, False], [True, True]]))


def test_sums_of_counts_are_meant():
    """Of rows that are counted, and under losses of counts."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    columns = {"who": rng.choice(list("abcdef"), 300), "what": rng.choice(list("xyz"), 300)}
    events = pandas.DataFrame(columns)
    counts = events.assign(n=rng.integers(1, 4, 300))
    away = [("a", "x")]
    sums = "entries lie at the same subscripts as others, and sums count"
    for values, loss, told in (
        (None, "gaussian", False),
        (None, "poisson", False),
        ("n", "poisson", False),
        ("n", "negative-binomial", False),
        ("n", "gaussian", True),
    ):
        X = genten.tensor(events if values is None else counts, values=values)
        for ask in (genten.cp, lambda X, R, **how: genten.choose_rank(X, [1, R], starts=2, **how)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = ask(X, 2, loss=loss, missing=away, max_iterations=5)
            assert any(sums in str(each.message) for each in caught) is told
            if ask is genten.cp:
                assert any(note.code == "merged_entries" for note in found.notes) is told


def test_sums_have_the_bits_of_those_of_a_table_in_a_file(tmp_path):
    rng = np.random.default_rng(5)
    rows = np.stack([rng.integers(0, 3, 400), rng.integers(0, 2, 400)], axis=1)
    values = rng.random(400)
    entries, sums = summed(rows, values)
    X = genten.tensor((rows, values, (3, 2)), duplicates="sum")
    assert (X.subscripts.tolist(), X.values.tolist()) == ([list(entry) for entry in entries], sums)
    table = tmp_path / "t.csv"
    lines = [f"{a},{b},{v!r}" for (a, b), v in zip(rows.tolist(), values.tolist(), strict=True)]
    table.write_text("\n".join(["a,b,value", *lines]) + "\n")
    assert genten.read(table, values="value").values.tolist() == sums


def test_tensors_made_of_others_know_how_they_were_made():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {"user": list("aabc"), "item": list("xxyx"), "week": [1, 1, 2, 1],
         "stars": [5.0, 4.0, 3.0, 2.0]}
    )  # fmt: skip
    X = genten.tensor(table, values="stars", duplicates="mean", index_base=1)
    told = {"duplicates": 1, "merged_by": "mean", "values": "stars"}
    assert X.permute([2, 0, 1]).file_facts == {**told, "table_base": 1}
    del told["values"]  # which the column does not have any more
    assert X.map(np.log).file_facts == {**told, "table_base": 1}
    assert X[["a", "b"]].file_facts == {"merged_by": "mean", "values": "stars", "table_base": 1}
    assert X["a"].file_facts == {"merged_by": "mean", "table_base": 1}
    assert X[:, :, 1:].file_facts == {"merged_by": "mean", "values": "stars", "table_base": 1}
    assert X.collapse("week").file_facts == {"table_base": 1}
    more = table.assign(price=7.0)
    model = genten.cp(X.permute(["item", "week", "user"]), 1).model
    assert model.evaluate(more).listed.entries == 3
    assert model.residuals(X).tolist() == pytest.approx((X.values - model.predict(X.to_pandas(
        )[["item", "week", "user"]])).tolist())  # fmt: skip
    with pytest.raises(ValueError, match="merged with others of the tensor by 'sum'"):
        model.evaluate(genten.tensor(table, values="stars", index_base=1))
    with pytest.raises(ValueError, match="which one has the values"):
        genten.cp(X.map(np.log1p), 1).model.evaluate(more)


@pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow", "x.parquet"])
def test_sums_of_truths_are_told(form, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({
        "user": list("aabb"), "item": list("xxyx"), "flag": [True, True, False, True],
    })  # fmt: skip
    table = frame
    if form == "polars":
        table = pytest.importorskip("polars").from_pandas(frame)
    elif form != "pandas":
        pytest.importorskip("pyarrow")
        table = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    if form == "x.parquet":
        table = tmp_path / form
        frame.to_parquet(table)
    said = (
        r"^values: 1 row has the subscripts of others, and sums are taken for values of True and "
        r"False: duplicates='max' makes an entry 1 where one of its rows is True, and duplicates="
    )
    with pytest.warns(UserWarning, match=said):
        summed = genten.tensor(table, values="flag")
    assert sorted(summed.values) == [0.0, 1.0, 2.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sorted(genten.tensor(table, values="flag", duplicates="max").values) == [0, 1, 1]
        assert genten.tensor(table, values="flag", duplicates="sum") == summed
        genten.tensor(frame.drop_duplicates(), values="flag")
        genten.tensor(frame.astype({"flag": int}), values="flag")


@pytest.mark.parametrize("rule", [None, "sum", "mean", "last", "max"])
def test_duplicates_of_binary_files(tmp_path, rule):
    entries = np.array([[0, 0], [1, 1], [0, 0]]), np.array([1.0, 2.0, 4.0])
    genten.tensor(entries).save(tmp_path / "x.gtn")
    X = genten.read(tmp_path / "x.gtn", **({} if rule is None else {"duplicates": rule}))
    expected = genten.tensor(entries, duplicates=rule)
    np.testing.assert_array_equal(X.to_dense(), expected.to_dense())
    # Sums are left to be made.
    assert X.file_facts["duplicates"] == (0 if rule in (None, "sum") else 1)
    model = genten.cp(X, 2, seed=1).model
    assert model.evaluate(tmp_path / "x.gtn").fit == pytest.approx(1, abs=1e-6)
    assert model.evaluate(entries).fit == pytest.approx(1, abs=1e-6)
    assert X.coalesce().to_dense()[0, 0] == expected.to_dense()[0, 0]


def test_refused_duplicates_of_binary_files(tmp_path):
    genten.tensor((np.array([[0, 0], [0, 0]]), np.ones(2))).save(tmp_path / "x.gtn")
    with pytest.raises(ValueError, match="duplicates: expected one entry for the same"):
        genten.read(tmp_path / "x.gtn", duplicates="refuse")
