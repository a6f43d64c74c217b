# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Labels survive being saved, and never go with a file that is not theirs."""

import json
import os
import subprocess
import warnings

import numpy as np
import pytest

import genten

NAMES = [["Zoë", "a\nb", ""], None]


@pytest.fixture
def model():
    return genten.Model([2.0], [np.ones((3, 1)), np.ones((2, 1))], NAMES, ["who", "what"])


@pytest.fixture
def tensor():
    entries = np.array([[0, 0], [1, 1]]), np.array([1.0, 2.0])
    return genten.tensor((*entries, (3, 2)), labels=NAMES, mode_names=["who", "what"])


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def beside(path):
    return path.with_name(path.name + ".labels.json")


@pytest.mark.parametrize("name", ["m.ktensor", "m.ktensor.gz", "m.gkt"])
def test_a_models_labels_come_back(model, tmp_path, name):
    model.save(tmp_path / name)
    loaded = genten.load(tmp_path / name)
    assert loaded.labels == NAMES and loaded.mode_names == ["who", "what"]
    assert loaded.top(0, 1, 0) == [("Zoë", 1.0)]
    told = json.loads(beside(tmp_path / name).read_text(encoding="utf-8"))
    assert (told["format"], told["version"], len(told["sha256"])) == ("genten labels", 1, 64)
    assert sorted(os.listdir(tmp_path)) == [name, name + ".labels.json"]
    given = genten.load(str(tmp_path / name), labels=[None, ["x", "y"]])
    assert given.labels == [None, ["x", "y"]] and given.mode_names == ["who", "what"]
    assert genten.load(tmp_path / name, mode_names=["p", "q"]).mode_names == ["p", "q"]


@pytest.mark.parametrize("name", ["x.tns", "x.txt.gz", "x.gtn", "x.tns.zst"])
def test_a_tensors_labels_come_back(tensor, tmp_path, name):
    tensor.save(tmp_path / name)
    X = genten.read(tmp_path / name)
    assert X.labels == NAMES and X.mode_names == ["who", "what"] and X.shape == (3, 2)
    assert X.subscripts.tolist() == tensor.subscripts.tolist() and X.values.tolist() == [1, 2]
    assert genten.tensor(tmp_path / name).labels == NAMES
    assert genten.cp(X, 1).model.labels == NAMES


def test_labels_that_the_tool_wrote(tensor, tmp_path):
    tool = os.environ.get("GENTEN_TOOL")
    if not tool:
        pytest.skip("GENTEN_TOOL names no tool")

    def run(*words):
        subprocess.run([tool, *map(str, words)], check=True, cwd=tmp_path, capture_output=True)

    tensor.save(tmp_path / "x.txt")
    run("convert", "x.txt", "y.gtn")
    run("convert", "x.txt", "z.txt.gz", "--output-index-base", 0)
    run("decompose", "y.gtn", "--rank", 1, "--output", "m.ktensor")
    (tmp_path / "who.txt").write_text("p\nq\nr\n")
    run("decompose", "y.gtn", "--rank", 1, "--output", "n.gkt", "--labels", "who.txt,")
    read = genten.read(tmp_path / "z.txt.gz", index_base=0)
    assert read.shape == (3, 2)
    for named in (genten.load(tmp_path / "m.ktensor"), read):
        assert named.labels == NAMES and named.mode_names == ["who", "what"]
    other = genten.load(tmp_path / "n.gkt")
    assert other.labels == [["p", "q", "r"], None]
    assert other.mode_names == ["who", "what"]


def test_names_of_modes_alone_and_other_bases(tensor, tmp_path):
    path = tmp_path / "x.tns"
    named = genten.tensor(tensor, labels=[None, None])
    named.save(path)
    assert genten.read(path).mode_names == ["who", "what"]
    tensor.save(path, index_base=0)
    assert genten.read(path, index_base=0).labels == NAMES
    with pytest.raises(OSError, match="subscript 0 in mode 1"):
        genten.read(path)
    moved = genten.tensor((np.array([[1, 1], [2, 1]]), np.ones(2), (3, 2)), labels=NAMES)
    moved.save(path, index_base=0)
    with pytest.warns(UserWarning, match="was read as one of shape .* with subscripts from 1"):
        assert genten.read(path).labels == [None, None]


def test_labels_of_a_file_that_was_replaced_are_not_used(model, tmp_path):
    path = tmp_path / "m.ktensor"
    model.save(path)
    other = genten.Model([9.0], [np.ones((3, 1)), np.ones((2, 1))])
    genten._core.write_model(*other._packed(), str(path), False, "none")
    said = "m.ktensor.labels.json is not used: it was written for other content of .*m.ktensor; rem"
    with pytest.warns(UserWarning, match=said):
        assert genten.load(path).labels == [None, None]
    everything = {"labels": NAMES, "mode_names": ["a", "b"]}
    assert genten.load(path, **everything).labels == NAMES  # without a look at the file beside it
    other.save(path)
    assert not beside(path).exists() and genten.load(path).labels == [None, None]


@pytest.mark.parametrize(
    "change, why",
    [
        (lambda told: "{\n", "used: line 2: expected JSON, got something else; remove it"),
        (lambda told: "[]", "used: it is not in the form of such files; remove it"),
        (lambda told: "9" * 5000, "used: it is not in the form of such files; remove it"),
        (lambda told: json.dumps({**told, "version": 2}), "its version is 2"),
        (lambda told: json.dumps({**told, "names_sha256": "0"}), "names were changed"),
        (lambda told: json.dumps({**told, "mode_names": ["who", "why"]}), "names were changed"),
        (lambda told: json.dumps({**told, "index_base": 1}), "names were changed"),
        (lambda told: json.dumps({**told, "format": "x"}), "its format is 'x'"),
        (lambda told: json.dumps({"format": "genten labels"}), "it lacks 'version'"),
        (lambda told: json.dumps({**told, "labels": [["a"], None]}), "as many as its shape says"),
        (lambda told: json.dumps({**told, "labels": ["abc", None]}), "its labels are not texts"),
        (lambda told: json.dumps({**told, "labels": [[1, 2, 3], None]}), "are not texts"),
        (lambda told: json.dumps({**told, "mode_names": "ab"}), "its labels are not texts"),
        (lambda told: json.dumps({**told, "shape": 3}), "not in the form of such"),
        (lambda told: "[" * 100_000, "used: it is not in the form of such files; remove it"),
    ],
)
def test_what_is_wrong_beside_a_file_is_told_and_not_used(model, tmp_path, change, why):
    path = tmp_path / "m.gkt"
    model.save(path)
    told = json.loads(beside(path).read_text())
    beside(path).write_text(change(told))
    with pytest.warns(UserWarning, match=why):
        assert genten.load(path).labels == [None, None]


def test_only_files_of_labels_are_removed(tmp_path, model):
    path = tmp_path / "m.gkt"
    beside(path).write_text('{"mine": 1}')
    genten.Model(None, model.factors).save(path)
    assert beside(path).read_text() == '{"mine": 1}'


def test_shapes_that_are_asked_for_go_before_labels(tensor, tmp_path):
    tensor.save(tmp_path / "x.tns")
    with pytest.warns(UserWarning, match=r"its labels are for shape \(3, 2\), the file was read"):
        assert genten.read(tmp_path / "x.tns", dimensions=[5, 5]).shape == (5, 5)


@pytest.mark.filterwarnings("ignore:.*is not used")
def test_flipped_bits_give_the_same_names_or_none(model, tmp_path):
    path = tmp_path / "m.gkt"
    model.loss, model.loss_parameter = "huber", 0.5
    model.save(path)
    content = beside(path).read_bytes()
    for byte in range(len(content)):
        changed = bytearray(content)
        changed[byte] ^= 1 << byte % 8
        beside(path).write_bytes(changed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            loaded = genten.load(path)
        found = (loaded.labels, loaded.mode_names, loaded.loss, loaded.loss_parameter)
        none, right = ([None, None], None, None, None), (NAMES, ["who", "what"], "huber", 0.5)
        assert found == (none if caught else right)


def test_files_without_a_checksum_of_names_are_read(model, tmp_path):
    path = tmp_path / "m.gkt"
    model.save(path)
    told = json.loads(beside(path).read_text(encoding="utf-8"))
    del told["names_sha256"]
    beside(path).write_text(json.dumps(told))
    assert genten.load(path).labels == NAMES


@pytest.mark.parametrize("name", ["m.gkt", "m.ktensor", "m.csv", "m.npz"])
def test_text_that_is_no_utf8_is_refused(tmp_path, name):
    bad = os.fsdecode(b"\xff")
    path = tmp_path / name
    why = r"labels of mode 0, row 1: expected text in UTF-8, got '\\udcff'"
    with pytest.raises(ValueError, match=why):
        genten.Model(None, [np.ones((2, 1))], [["b", bad]]).save(path)
    with pytest.raises(ValueError, match="mode_names, row 0: expected text in UTF-8"):
        genten.Model(None, [np.ones((2, 1))], mode_names=[bad]).save(path)
    X = genten.tensor(np.eye(2), labels=[["b", bad], None])
    with pytest.raises(ValueError, match=why):
        X.save(tmp_path / "x.tns")
    with pytest.raises(ValueError, match="write_labels, row 0: expected text in UTF-8"):
        genten.write_labels(path, [bad])
    assert os.listdir(tmp_path) == []


def test_names_that_others_have_changed_are_counted_again(model, tmp_path):
    model.labels[0].append("more")
    with pytest.raises(ValueError, match="labels: expected 3 names in mode 0, got 4"):
        model.save(tmp_path / "m.gkt")
    assert os.listdir(tmp_path) == []


def test_what_is_missing_is_no_name(tmp_path):
    nothing = [None, float("nan"), np.float32("nan"), np.datetime64("NaT")]
    pandas = pytest.importorskip("pandas")
    for missing in (*nothing, pandas.NA, pandas.NaT):
        why = "labels: expected names for mode 0, row 1: a value is missing"
        for names in (["a", missing], np.array(["a", missing], object)):
            with pytest.raises(ValueError, match=why):
                genten.Model(None, [np.ones((2, 1))], [names])
            with pytest.raises(ValueError, match=why):
                genten.tensor(np.eye(2), labels=[names, None])
        with pytest.raises(ValueError, match="mode_names: expected .* for mode 1"):
            genten.tensor(np.eye(2), mode_names=["a", missing])
        with pytest.raises(ValueError, match="write_labels: expected names, row 1: a value is mis"):
            genten.write_labels(tmp_path / "n", ["a", missing])
    assert genten.tensor(np.eye(2), labels=[["nan", "None"], None]).labels[0] == ["nan", "None"]


def test_labels_that_cannot_be_written_are_an_error(model, tmp_path):
    (tmp_path / "m.gkt.labels.json").mkdir()
    with pytest.raises(OSError, match="labels.json"):
        model.save(tmp_path / "m.gkt")
    assert sorted(os.listdir(tmp_path)) == ["m.gkt", "m.gkt.labels.json"]


@pytest.mark.parametrize(
    "names", [[b"tea", "caf\u00e9".encode()], np.array([b"tea", "caf\u00e9".encode()])]
)
def test_bytes_are_text_in_utf_8(names, tmp_path):
    X = genten.tensor(np.eye(2), labels=[names, None], mode_names=[b"item", "day"])
    assert X.labels == [["tea", "caf\u00e9"], None] and X.mode_names == ["item", "day"]
    genten.write_labels(tmp_path / "x.labels", names)
    assert genten.read_labels(tmp_path / "x.labels") == ["tea", "caf\u00e9"]
    model = genten.Model(None, [np.eye(2), np.eye(2)], labels=[names, None])
    assert model.predict([(b"tea", 0), ("caf\u00e9", 0)]).tolist() == [1, 0]
    assert model.predict([("caf\u00e9".encode(), 1)]).tolist() == [1]


def test_bytes_of_a_table_are_text_in_utf_8():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"item": [b"tea", b"milk", b"tea"], "n": [1.0, 2.0, 4.0]})
    X = genten.tensor(table, values="n")
    assert X.labels == [["milk", "tea"]] and X.values.tolist() == [2, 5]
    assert genten.Model(None, [np.eye(2)[:, :1]], X.labels, X.mode_names).predict(
        table[["item"]]
    ).tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="column 'item': expected keys whose texts differ"):
        genten.tensor(table.assign(item=[b"tea", "tea", "milk"]), values="n")


@pytest.mark.parametrize(
    "given, words",
    [
        ({"labels": [["a", b"\xff"], None]}, r"expected names for mode 0, row 1: .*b'\\xff'"),
        ({"mode_names": [b"\xff", "b"]}, r"mode_names: .*, row 0: expected text in UTF-8"),
    ],
)
def test_bytes_that_are_not_in_utf_8_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        genten.tensor(np.eye(2), **given)


def test_the_name_of_the_values_goes_both_ways(tmp_path):
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"who": ["a", "b"], "what": ["x", "y"], "amount": [1.0, 2.0]})
    X = genten.tensor(table, values="amount")
    for name in ("x.gtn", "x.tns"):
        X.save(tmp_path / name)
        again = genten.read(tmp_path / name)
        assert json.loads(beside(tmp_path / name).read_text())["values"] == "amount"
        assert list(again.to_pandas()) == ["who", "what", "amount"]
        model = genten.cp(again, 1).model
        more = table.assign(price=0.0)  # The run knows which column has the values.
        assert model.evaluate(more) == model.evaluate(X)
    genten.tensor(table[["who", "what"]]).save(tmp_path / "counted.gtn")
    assert "values" not in json.loads(beside(tmp_path / "counted.gtn").read_text())
    if not (tool := os.environ.get("GENTEN_TOOL")):
        pytest.skip("GENTEN_TOOL names no tool")

    def convert(*words):
        subprocess.run([tool, "convert", *words], check=True, cwd=tmp_path, capture_output=True)

    for name in ("x.gtn", "x.tns"):
        convert(name, name + ".csv")
        header = (tmp_path / (name + ".csv")).read_text().splitlines()[0]
        assert header == "who,what,amount"
        convert(name + ".csv", "of-tool-" + name, "--values", "amount")
        assert genten.read(tmp_path / ("of-tool-" + name)).to_pandas().equals(X.to_pandas())


def test_a_name_of_the_values_that_is_none(tensor, tmp_path):
    tensor.save(tmp_path / "x.gtn")
    told = json.loads(beside(tmp_path / "x.gtn").read_text())
    beside(tmp_path / "x.gtn").write_text(json.dumps(told | {"values": 3}))
    with pytest.warns(UserWarning, match="not used: its values are 3, not the name of a column"):
        assert genten.read(tmp_path / "x.gtn").labels == [None, None]


def test_a_decimal_comma_of_the_run_is_that_of_new_tables(tmp_path):
    (tmp_path / "t.csv").write_text("user;film;n\nann;Up;3,5\nbob;Up;4\nann;Jaws;2,5\n")
    X = genten.read(tmp_path / "t.csv", values="n", decimal=",")
    (tmp_path / "new.csv").write_text("user;film;n\nann;Up;1.204\nbob;Jaws;5\n")
    model = genten.cp(X, 1).model
    model.save(tmp_path / "m.gkt")
    for each in (model, genten.load(tmp_path / "m.gkt")):
        with pytest.warns(UserWarning, match="' have a decimal comma, as in the model's run"):
            found = each.evaluate(tmp_path / "new.csv")
        assert found.tensor_norm**2 == pytest.approx(1204**2 + 25)
    points = genten.read(tmp_path / "new.csv", values="n", decimal=".")
    found = model.evaluate(points, missing="unlisted")
    assert found.tensor_norm**2 == pytest.approx(1.204**2 + 25)
