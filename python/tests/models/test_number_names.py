# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names that are numbers, as the tool's --compact and X.compact() make them."""

import copy
import json
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas
import pytest
import scipy.sparse

import genten

TEXT = "17850 3 7 2\n17850 5 9 1\n13047 5 7 4\n13047 3 9 2\n"
NAMES = [["13047", "17850"], ["3", "5"], ["7", "9"]]
IDS = np.array([[17850, 3, 7], [17850, 5, 9], [13047, 5, 7], [13047, 3, 9]])
VALUES = np.array([2.0, 1.0, 4.0, 2.0])
COLUMNS = ["customer", "item", "week"]


def numbers_in(path):
    return json.loads(path.with_name(f"{path.name}.labels.json").read_text()).get("number_names")


def modes_of_numbers(named, folder):
    """The modes whose names are numbers, by what is written beside a file."""
    path = folder / "x.gtn" if isinstance(named, genten.Tensor) else folder / "m.gkt"
    named.save(path)
    return numbers_in(path)


def tool(*arguments):
    if "GENTEN_TOOL" not in os.environ:
        pytest.skip("GENTEN_TOOL is not set")
    done = subprocess.run(
        [os.environ["GENTEN_TOOL"], *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a.tns"
    path.write_text(TEXT)
    return path


@pytest.fixture
def compact(text):
    return genten.read(text).compact()


@pytest.fixture
def model(compact):
    return genten.cp(compact, 2, seed=1).model


def test_numbers_of_files_are_names(text, compact, tmp_path):
    assert compact.labels == NAMES and compact.compact() is compact
    assert modes_of_numbers(compact, tmp_path) == [1, 2, 3]
    assert genten.read(text).permute([2, 0, 1]).compact().labels == [NAMES[2], *NAMES[:2]]
    assert genten.read(text).map(np.sqrt).compact().labels == NAMES
    assert genten.tensor((IDS, VALUES)).compact().labels == NAMES
    table = pandas.DataFrame(IDS, columns=COLUMNS).assign(n=VALUES)
    assert genten.tensor(table, values="n").compact().labels == NAMES
    assert genten.tensor(table, values="n", index_base=1).compact().labels == NAMES
    table["item"] = ["x", "y", "y", "x"]
    mixed = genten.tensor(table, values="n").compact()
    assert mixed.labels == [NAMES[0], ["x", "y"], NAMES[2]]
    assert modes_of_numbers(mixed, tmp_path) == [1, 3]


def test_the_tool_makes_the_same(text, compact, tmp_path):
    tool("convert", text, tmp_path / "t.gtn", "--compact", "--quiet")
    read = genten.read(tmp_path / "t.gtn")
    assert read == compact and modes_of_numbers(read, tmp_path) == [1, 2, 3]
    tool("decompose", text, "--compact", "--rank", 2, "--seed", 1, "--quiet", "--output",
         tmp_path / "t.gkt")  # fmt: skip
    found = genten.load(tmp_path / "t.gkt")
    assert found.labels == NAMES and modes_of_numbers(found, tmp_path) == [1, 2, 3]
    assert found.evaluate(text).fit == found.evaluate(compact).fit
    # And the tool takes numbers of text for names beside what Python wrote.
    told = json.loads(tool("evaluate", tmp_path / "m.gkt", text, "--json", "-", "--quiet"))
    assert told["fit"] == pytest.approx(found.evaluate(text).fit, abs=1e-12)


def test_they_survive_what_labels_survive(model, compact, tmp_path):
    def modes(named):
        return modes_of_numbers(named, tmp_path)

    reordered = genten.Model(model.weights, model.factors, compact.labels, COLUMNS)
    made = [
        model.permute([2, 0, 1]),
        model.normalize(),
        model.copy(),
        model.extract([0]),
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
        reordered.permute(COLUMNS[::-1]),
        genten.cp(compact, 1, loss="poisson").model,
        genten.cp(compact, 2, init=model, max_iterations=2).model,
        genten.CP(1, seed=1).fit(compact).result_.model,
        genten.choose_rank(compact, [1]).results[1].model,
        compact.permute([2, 0, 1]),
        compact.map(np.sqrt),
        compact.astype("float32"),
        compact[:, ["3", "5"]],
        pickle.loads(pickle.dumps(compact)),
    ]
    for each in made:
        assert modes(each) == [1, 2, 3], each
    assert modes(compact["17850"]) == [1, 2] and modes(compact.collapse(2)) == [1, 2]
    for name in ("m.npz", "m.gkt", "m.txt"):
        model.save(tmp_path / name)
        assert modes(genten.load(tmp_path / name)) == [1, 2, 3]
    tucker = genten.tucker(compact, (1, 1, 1)).model
    for name in ("t.npz", "t.txt"):
        tucker.save(tmp_path / name)
        genten.load(tmp_path / name).save(tmp_path / "u.txt")
        assert numbers_in(tmp_path / "u.txt") == [1, 2, 3]
    model.save(tmp_path / "m.gkt")
    told = tmp_path / "m.gkt.labels.json"
    told.write_text(told.read_text().replace('"number_names": [\n1,', '"number_names": [\n4,'))
    with pytest.warns(UserWarning, match="no names for a mode whose names are to be numbers"):
        assert genten.load(tmp_path / "m.gkt").labels == [None] * 3


def test_numbers_beside_them_are_names(text, model, compact, tmp_path):
    reference = model.evaluate(compact)
    table = pandas.DataFrame(IDS).assign(n=VALUES)
    of_table = genten.tensor(table, values="n")
    of_table.mode_names = None
    of_file = genten.read(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in (str(text), of_file, of_file.map(np.abs), of_table, of_table[:, :]):
            assert model.evaluate(given).fit == reference.fit
            assert model.innerprod(given) == model.innerprod(compact)
        np.testing.assert_array_equal(model.residuals(of_file), model.residuals(compact))
        expected = [model[tuple(map(str, entry))] for entry in IDS.tolist()]
        np.testing.assert_array_equal(model.predict(pandas.DataFrame(IDS)), expected)
        assert of_file.innerprod(model) == compact.innerprod(model)
        assert compact.innerprod(of_file) == compact.norm**2
        report = tmp_path / "r.html"
        model.save(tmp_path / "m.gkt")
        model.report(report, tensor=genten.read(text))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "genten", "report", tmp_path / "m.gkt", "-o", report]
    subprocess.run([*command, "--tensor", text], check=True, env=environment)
    with pytest.raises(ValueError, match="no row is called '9'; a model says nothing of rows"):
        model.predict(pandas.DataFrame([[17850, 9, 7]]))


def test_numbers_of_arrays_are_rows_beside_them(model, compact):
    reference, subscripts = model.evaluate(compact), compact.subscripts
    tucker = genten.tucker(compact, (2, 2, 2)).model
    arrays = (subscripts, compact.values, compact.shape)
    flat = genten.cp(compact.collapse(2), 1, seed=1).model
    matrix = scipy.sparse.coo_array(compact.collapse(2).to_dense())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in (arrays, genten.tensor(arrays), compact.to_dense()):
            assert model.evaluate(given).fit == pytest.approx(reference.fit)
            assert model.innerprod(given) == pytest.approx(model.innerprod(compact))
            np.testing.assert_allclose(model.project(given, 1), model.project(compact, 1))
        assert flat.evaluate(matrix).fit == flat.evaluate(compact.collapse(2)).fit
        np.testing.assert_array_equal(
            model.residuals(genten.tensor(arrays)), model.residuals(compact)
        )
        for each in (model, tucker):
            expected = [each[tuple(entry)] for entry in subscripts.tolist()]
            for entries in (subscripts, subscripts.tolist(), list(map(tuple, subscripts))):
                np.testing.assert_array_equal(each.predict(entries), expected)
            np.testing.assert_array_equal(each.predict(compact.to_pandas().iloc[:, :3]), expected)
        # Numbers of a table of missing entries are names beside rows of arrays, too.
        gone = pandas.DataFrame(IDS[:1])
        expected = model.evaluate(compact, missing=gone)
        assert model.evaluate(arrays, missing=gone).fit == expected.fit != reference.fit
    why = "numbers in arrays are rows; give a table, or labels$"
    for beside in ((IDS, VALUES), (list(IDS.T), VALUES)):
        for call in (model.evaluate, model.innerprod, lambda X: model.project(X, 1)):
            with pytest.raises(ValueError, match=why):
                call(beside)
    with pytest.raises(ValueError, match=why):
        model.predict(IDS)
    with pytest.raises(ValueError, match="predict: .*17850"):
        model.predict(IDS.tolist())
    # The numbers of labels that are small stand for other rows: they are rows here, too.
    small = genten.tensor((np.array([[1, 0], [2, 1]]), np.array([2.0, 3.0]))).compact()
    found = genten.cp(small, 2, seed=1).model
    assert small.labels[0] == ["1", "2"]
    one, two = np.array([[1, 1]]), np.array([2.0])
    told = "mode 0: numbers in arrays are rows, and row 1 is called '2'; all of these are labels"
    with pytest.warns(UserWarning, match=f"predict: {told}, too, which they stand for in a table$"):
        assert found.predict(one) == found["2", "1"]
    table = pandas.DataFrame(one)  # as the warning says
    assert found.predict(table) == found["1", "1"] != found["2", "1"]
    for call in (found.evaluate, found.innerprod, found.residuals, found.project_rows):
        with pytest.warns(UserWarning, match=told):
            call((one, two, (2, 2)), *([1] if call == found.project_rows else []))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found.predict(np.array([[0, 1], [1, 1]]))  # None is called 0: these are rows.


def test_missing_entries_by_numbers(text, model, compact, tmp_path):
    (tmp_path / "gone.tns").write_text("17850 3 9\n13047 3 7\n")
    gone = np.array([[17850, 3, 9], [13047, 3, 7]])
    mask = np.zeros(compact.shape, dtype=bool)
    mask[1, 0, 1] = mask[0, 0, 0] = True
    reference = model.evaluate(compact, missing=mask)
    assert reference.all.entries == 6
    rows = np.argwhere(mask)
    (tmp_path / "valued.tns").write_text("17850 3 9 1\n13047 3 7 1\n")
    lists = [tmp_path / "gone.tns", genten.read(tmp_path / "valued.tns"), pandas.DataFrame(gone)]
    lists += [rows, rows.tolist(), genten.tensor((rows, np.ones(2), compact.shape))]
    for missing in lists:
        for given in (compact, str(text), compact.to_dense()):
            found = model.evaluate(given, missing=missing)
            assert found.fit == pytest.approx(reference.fit) and found.all.entries == 6
    expected = genten.cp(compact, 1, seed=1, missing=mask).model
    for missing in lists:
        assert genten.cp(compact, 1, seed=1, missing=missing).model == expected
    with pytest.raises(ValueError, match="numbers in arrays are rows; give a table, or labels$"):
        genten.cp(compact, 1, missing=gone)


def test_new_slices_by_numbers(model, tmp_path):
    new = tmp_path / "new.tns"
    new.write_text("17850 3 11 2\n18000 5 10 1\n")
    with pytest.warns(UserWarning, match="mode 0: a new row, of names .* not met: '18000'"):
        found = model.update(new, 2)
    assert found.labels == [[*NAMES[0], "18000"], NAMES[1], ["7", "9", "10", "11"]]
    assert modes_of_numbers(found, tmp_path) == [1, 2, 3]
    new.write_text("17850 3 9 1\n")
    with pytest.raises(ValueError, match="slice '9' is there already"):
        model.update(new, 2)
    new.write_text("17850 3 11 2\n18000 5 10 1\n")
    with pytest.raises(ValueError, match="mode 2: the model knows its slices by numbers as names"):
        model.update((np.array([[1, 0, 0]]), np.ones(1)), 2)
    (tmp_path / "rows.tns").write_text("17850 3 40 1\n13047 3 12 1\n")
    rows = model.project_rows(tmp_path / "rows.tns", 2)
    assert rows.model.labels[2] == ["12", "40"]
    assert modes_of_numbers(rows.model, tmp_path) == [1, 2, 3]
    stream = genten.Stream(model, mode=2)
    stream.update(new)
    assert stream.model.labels == found.labels
    stream.save(tmp_path / "s.gkt")
    assert numbers_in(tmp_path / "s.gkt") == [1, 2, 3]


def test_guesses(model, compact, text):
    with pytest.raises(ValueError, match="init: mode 0: the guess knows its rows by numbers"):
        genten.cp(text, 2, init=model)
    arrays = (compact.subscripts, compact.values, compact.shape)
    found = genten.cp(arrays, 2, init=model, max_iterations=2).model
    assert found.factors[0].tolist() == genten.cp(
        compact, 2, init=model, max_iterations=2
    ).model.factors[0].tolist()  # fmt: skip
    bare = genten.Model(model.weights, model.factors)
    with pytest.raises(ValueError, match="the tensor names the rows of mode 0"):
        genten.cp(compact, 2, init=bare)
    with pytest.raises(ValueError, match="the tensor names the rows of mode 0"):
        bare.evaluate(compact)


def test_text_beside_a_model_counts_as_that_of_the_model(tmp_path):
    text = tmp_path / "a0.tns"
    entries = [(i, j, k) for i in range(4) for j in range(3) for k in range(2)]
    text.write_text("".join(f"{i} {j} {k} {2 * i + j + k + 1}\n" for i, j, k in entries))
    X = genten.read(text, index_base=0)
    made = genten.cp(X, 1, seed=1).model
    made.save(tmp_path / "a.gkt")
    genten.load(tmp_path / "a.gkt").save(tmp_path / "b.gkt")
    record = json.loads((tmp_path / "b.gkt.labels.json").read_text())["run"]
    assert record == {"loss": "gaussian", "text_base": 0}
    for model in (made, genten.load(tmp_path / "b.gkt")):
        with pytest.warns(UserWarning, match="a0.tns' count from 0, as in the text that the model"):
            found = model.evaluate(text)
        assert found.fit == pytest.approx(model.evaluate(X).fit, abs=1e-12)
    X.save(tmp_path / "a.gtn")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made.evaluate(tmp_path / "a.gtn")
