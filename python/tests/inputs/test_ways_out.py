# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages name as the way out is one: it is gone here as it stands there."""

import re

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")

TABLE = pandas.DataFrame({
    "u": [*"aabbcd"], "i": [*"xyxyxz"], "w": [*"pqrpqr"], "n": [3, 4, 5, 6, 7, 1],
})  # fmt: skip


@pytest.fixture(scope="module")
def model():
    return genten.cp(genten.tensor(TABLE, values="n"), 2, seed=1).model


def test_an_index_of_levels_without_names(model):
    series = TABLE.set_index(["u", "i", "w"]).n
    known = model.predict(series)
    series.index.names = [None] * 3
    for given, name in ((series, "series"), (series.index, "index")):
        with pytest.raises(TypeError, match="predict: ") as caught:
            model.predict(given)
        message = str(caught.value)
        tuples = re.search(rf"{name}\.(index\.)?tolist\(\)", message)[0]
        named = re.search(rf"and ({name}\..*) has their names", message)[1]
        for call in (tuples, named):
            assert model.predict(eval(call, {name: given})).tolist() == known.tolist()
    nameless = genten.Model(model.weights, model.factors, model.labels)
    with pytest.raises(TypeError, match=r"series.index.tolist\(\) are entries of labels, in"):
        nameless.predict(series)
    with pytest.raises(TypeError, match=r"table.iloc\[\[0\]\] is a table of one row"):
        model.predict(TABLE.iloc[0])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_values_that_are_no_numbers_are_named(library):
    frames = pytest.importorskip(library)
    columns = TABLE.to_dict("list")
    for values, row in ((["1.5", "2", "n/a", "4", "?", "6"], 2), ([1, 2, 3.5, 4, "six", 5], 4)):
        if library == "pandas":
            table = pandas.DataFrame({**columns, "n": pandas.Series(values, dtype=object)})
        else:
            kind = {} if isinstance(values[0], str) else {"dtype": frames.Object}
            table = frames.DataFrame({**columns, "n": frames.Series(values, **kind)})
        said = re.escape(f"as in row {row} {values[row]!r}, a str; ")
        with pytest.raises(ValueError, match=said) as caught:
            genten.tensor(table, values="n")
        call = re.search(r"; (.*) makes numbers of the others, and leaves", str(caught.value))[1]
        if library == "pandas":
            numbers = eval(call, {"pandas": pandas, "table": table})
            found = genten.tensor(table.assign(n=numbers).dropna(), values="n")
            assert found.nnz == 5 - values.count("?")
        else:
            numbers = eval(call, {"polars": frames, "table": table})
            found = genten.tensor(table.with_columns(n=numbers).drop_nulls(), values="n")
            assert found.nnz == 5 - values.count("?")


@pytest.mark.parametrize(
    ("library", "kind"),
    [
        ("pandas", "object"), ("pandas", "category"), ("polars", "String"),
        ("polars", "Categorical"), ("polars", "Object"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "words",
    [
        ("Yes", "No", "Yes"), ("no", "yes", "no"), ("True", "False", "True"), ("F", "T", "F"),
        ("Yes", "yes ", "No"), ("No", None, "Yes"), ("no", None, "YES"),
    ],
)  # fmt: skip
def test_words_for_true_and_false_become_numbers(library, kind, words):
    frames = pytest.importorskip(library)
    dtype = kind if library == "pandas" else getattr(frames, kind)
    columns = {"u": ["a", "b", "c"], "i": ["x", "y", "x"]}
    table = frames.DataFrame({**columns, "n": frames.Series(words, dtype=dtype)})
    missing = "column 'n', row 1: a value is missing"
    if None in words and kind not in ("object", "String"):
        with pytest.raises(ValueError, match=missing):
            genten.tensor(table, values="n")
        return
    with pytest.raises(ValueError, match=f"as in row 0 '{words[0]}', a str; ") as caught:
        genten.tensor(table, values="n")
    said = re.search(r"; (.*) makes 1 of '(.*)' and 0 of '(.*)'$", str(caught.value))
    numbers = eval(said[1], {library: frames, "table": table})
    truths = {said[2]: 1.0, said[3]: 0.0, None: None}
    expected = [truths[word and word.strip().lower()] for word in words]
    numbers = [None if each is None or each != each else each for each in numbers.to_list()]
    assert numbers == expected
    table = frames.DataFrame({**columns, "n": numbers})
    if None in words:
        with pytest.raises(ValueError, match=missing):
            genten.tensor(table, values="n")
    else:
        assert genten.tensor(table, values="n").sum() == sum(expected)


def test_other_words_are_not_taken_for_truths():
    for words in (["yes", "maybe", "no"], ["yes", "yes", "yes"], ["yes", "false", "no"]):
        table = pandas.DataFrame({"u": ["a", "b", "c"], "n": words})
        with pytest.raises(ValueError, match="; without values= each row counts as 1$"):
            genten.tensor(table, values="n")


def test_numbers_that_are_no_rows_are_named():
    arrow = pytest.importorskip("pyarrow")
    table = TABLE.assign(u=[1, 2, 1.5, 4, 5, 6])
    told = r"column 'u', row 2: expected a whole number, as rows have, got 1.5; table.astype"
    theirs = arrow.Table.from_pandas(table)
    for given in (table, theirs, theirs.to_reader(2)):
        with pytest.raises(ValueError, match=told):
            genten.tensor(given, values="n", modes=["u", "i", "w"])
    negative = TABLE.assign(u=[-1, 2, 3, 4, 5, 6])
    for given, number in ((table, "1.5"), (theirs, "1.5"), (negative, "-1")):
        with pytest.raises(ValueError, match="makes names of") as caught:
            genten.tensor(given, values="n", modes=["u", "i", "w"])
        calls = re.findall(r"table\.[a-z_().]*astype\(\{'u': str\}\)", str(caught.value))
        named = eval(calls[given is theirs], {"table": given})
        assert number in genten.tensor(named, values="n").labels[0]


def test_columns_that_are_called_by_numbers():
    table = TABLE.assign(u=[-1, 2, 3, 4, 5, 6])
    table.columns = range(4)
    with pytest.raises(ValueError, match="makes names of") as caught:
        genten.tensor(table, values=3)
    call = re.search(r"table\.astype\(\{0: str\}\)", str(caught.value))[0]
    assert "-1" in genten.tensor(eval(call), values=3).labels[0]


def test_tables_without_rows():
    with pytest.raises(ValueError, match="^expected a table with rows, got one without$"):
        genten.tensor(TABLE[:0].astype(float), values="n")


def test_files_of_matlab(tmp_path, monkeypatch):
    io = pytest.importorskip("scipy.io")
    monkeypatch.chdir(tmp_path)
    full = np.arange(24.0).reshape(2, 3, 4)
    io.savemat("x.mat", {"note": "of a test", "amounts": full})
    for read in (genten.read, genten.tensor, genten.load):
        with pytest.raises(OSError, match="got a file of MATLAB: ") as caught:
            read("x.mat")
        call = re.search(r"genten\.tensor\(.*\]\)", str(caught.value))[0]
        made = eval(call, {"genten": genten, "scipy": pytest.importorskip("scipy")})
        assert np.array_equal(made.to_dense(), full)
    with pytest.raises(TypeError, match=r"got a dict; its arrays .* as it\['amounts'\]$"):
        genten.tensor(io.loadmat("x.mat"))


def test_missing_entries_in_a_tuple():
    X = genten.tensor(TABLE, values="n")
    one, two = ("a", "x", "p"), (("a", "x", "p"), ("b", "y", "p"))
    for missing in (one, (0, 1, 2), two):
        with pytest.raises(TypeError, match="missing: expected entries in a list") as caught:
            genten.cp(X, 1, missing=missing)
        call = re.search(r": (\S+) is a list of", str(caught.value))[1]
        r = genten.cp(X, 1, missing=eval(call, {"missing": missing}), max_iterations=5)
        assert r.completion is None or r.model.rank == 1
    entries = (np.array([[0, 0, 0]]), np.ones(1), X.shape)  # as a tensor
    assert genten.cp(X, 1, missing=entries, max_iterations=5).model.rank == 1


def test_functions_are_no_losses(model):
    told = r"expected a text or a genten.Loss, got a function; genten.Loss\(f, derivative\) makes"
    for call in (
        lambda loss: genten.cp(np.eye(3), 1, loss=loss), lambda loss: model.predict(TABLE, loss),
        lambda loss: model.evaluate(TABLE, loss), lambda loss: model.residuals(TABLE, loss=loss),
        lambda loss: genten.CP(1, loss=loss).fit(np.eye(3)),
        lambda loss: model.project_rows(TABLE, "u", loss=loss),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=told):
            call(lambda x, m: (x - m) ** 2)
        with pytest.raises(TypeError, match="loss: expected a text, got 3"):
            call(3)
    own = genten.Loss(lambda x, m: (m - x) ** 2, lambda x, m: 2 * (m - x), name="squares")
    X = genten.tensor(TABLE, values="n")
    with pytest.raises(TypeError, match="expected a text, got <genten.Loss squares>") as caught:
        model.evaluate(TABLE, own)
    call = re.search(r"; (f\(.*\)) is its function", str(caught.value))[1]
    found = eval(call, {"f": own.function, "X": X, "m": model})
    assert found == pytest.approx(model.evaluate(X).listed.residual_norm ** 2)
    with pytest.raises(TypeError, match="x - m.predict"):
        model.residuals(TABLE, loss=own)


def test_texts_in_the_place_of_subscripts():
    users, items, values = TABLE.u, TABLE.i, TABLE.n
    for given in (
        ([users, items], values), (TABLE[["u", "i"]].to_numpy(), values), (users, items, values),
        (np.array([["a", "x"]]), [1.0]), ([["a", "x"]], [1.0]),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="texts name rows in a table") as caught:
            genten.tensor(given)
    call = re.search(r"table: (genten.*)$", str(caught.value))[1]
    names = {"users": users, "items": items, "values": values}
    found = eval(call, {"genten": genten, "pandas": pandas, **names})
    assert found.sum() == values.sum() and found.labels == [[*"abcd"], [*"xyz"]]


def test_tables_of_other_kinds(model):
    for given, way, error in (
        (TABLE.to_dict("list"), "pandas.DataFrame(it)", TypeError),
        (TABLE.to_records(index=False), "pandas.DataFrame(it)", ValueError),
        (TABLE.groupby(["u", "i", "w"]), "its .sum()", TypeError),
    ):
        with pytest.raises(error, match=re.escape(way)):
            genten.tensor(given, **({"values": "n"} if isinstance(given, dict) else {}))
        table = eval(way.replace("its ", "it"), {"pandas": pandas, "it": given})
        assert genten.tensor(table.reset_index(drop="u" in table), values="n").sum() == 26
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"got a DuckDBPyConnection; its .sql\('SELECT ...'\) is a"):
        genten.tensor(duckdb.connect())
    with pytest.raises(TypeError, match=r"got a Series of polars.*: its .to_frame\(\) counts"):
        genten.tensor(polars.Series("u", ["a", "b"]))
    with pytest.raises(TypeError, match="got a mapping; pandas.DataFrame"):
        model.predict({"u": ["a"]})
    arrow = pytest.importorskip("pyarrow").Table.from_pandas(TABLE)
    for given in (duckdb.connect().from_df(TABLE), arrow):
        assert model.predict(given).tolist() == model.predict(TABLE).tolist()
    for one in (("a", "x", "p"), ["a", "x", "p"]):
        with pytest.raises(ValueError, match="expected a list of entries, got one") as caught:
            model.predict(one)
        call = re.search(r": (\[.*\]) is a list", str(caught.value))[1]
        assert model.predict(eval(call)) == model.predict(TABLE[:1])


def test_scripts_of_pyttb_begin_at_tables(model):
    X = genten.tensor(TABLE, values="n")
    factors = [factor.copy() for factor in model.factors]
    for init in ("nvecs", "random", factors, genten.Model(None, factors, X.labels), model):
        found, begun, info = genten.cp_als(X, 2, init=init, maxiters=3, printitn=0)
        assert found.labels == begun.labels == X.labels and info["fit"] > 0
        again, _, _ = genten.cp_als(X, 2, init=begun, maxiters=3, printitn=0)
        assert again == found
    pytest.importorskip("pyttb")
    theirs, _, _ = genten.cp_als(X, 2, init=model.to_pyttb(), maxiters=3, printitn=0)
    assert theirs == found


def test_values_that_a_loss_does_not_take_and_arrays_of_objects():
    X = genten.tensor(TABLE.assign(n=TABLE.n - 5), values="n")
    for loss in ("poisson", "negative-binomial", "beta"):
        with pytest.raises(ValueError, match="; loss='gaussian', least squares, takes any num"):
            genten.cp(X, 1, loss=loss)
    assert genten.cp(X, 1, loss="gaussian", max_iterations=3).model.rank == 1
    objects = np.array([[1, None], [2, 3]], dtype=object)
    with pytest.raises(ValueError, match=r"got object; .astype\(float\) makes numbers of objects"):
        genten.tensor(objects)
    assert np.isnan(objects.astype(float)).sum() == 1  # of which another message tells
    with pytest.raises(ValueError, match="a table with texts is taken as it is"):
        genten.tensor(TABLE.to_numpy())
