# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models in .csv and .npz, as the tool writes them."""

import csv
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import genten

NAMES = ["plain", 'a "quoted", one', "two\nlines", "caf\u00e9", "carriage\rreturn", ""]


def model_of(dtype):
    rng = np.random.default_rng(2)
    factors = [rng.normal(size=(n, 3)).astype(dtype) for n in (6, 4)]
    factors[0][:, 0] = [0.0, -0.0, 1e-4, 123456.0, 1e22, 2.5e-7]
    factors[1][:, 1] = [1.0, 1e5, 1e-3, -0.00123]
    return genten.Model(np.array([3, 2, 0.5], dtype), factors, labels=[NAMES, None])


def tool():
    path = os.environ.get("GENTEN_TOOL")
    if not path:
        pytest.skip("GENTEN_TOOL names no tool")
    return path


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_npz_holds_the_arrays(tmp_path, dtype):
    model = model_of(dtype)
    model.save(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as arrays:
        assert list(arrays) == ["weights", "factor_1", "factor_2", "labels_1", "run"]
        assert arrays["labels_1"].tolist() == NAMES
        found = genten.Model(arrays["weights"], [arrays["factor_1"], arrays["factor_2"]])
    assert found.isequal(model) and found.dtype == dtype
    before = (tmp_path / "m.npz").read_bytes()
    columns = [np.asfortranarray(factor) for factor in model.factors]
    genten.Model(model.weights, columns, model.labels).save(tmp_path / "n.npz")
    assert (tmp_path / "n.npz").read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["m.npz", "n.npz"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_npz_is_read(tmp_path, dtype):
    model = model_of(dtype)
    model.save(tmp_path / "m.npz")
    (tmp_path / "m.npz").rename(tmp_path / "m")  # by content
    assert genten.load(tmp_path / "m", dtype=dtype) == model
    assert genten.load(tmp_path / "m").dtype == np.float64
    assert genten.load(tmp_path / "m", labels=[None, list("abcd")]).labels[1] == list("abcd")
    tucker = genten.TuckerModel(np.ones((2, 3), dtype), [np.eye(5, 2, dtype=dtype), None])
    tucker.save(tmp_path / "t.npz")
    found = genten.load(tmp_path / "t.npz", dtype=dtype)
    assert found == tucker and found.factors[1] is None and found.labels == [None, None]


def test_npz_knows_the_run_and_names_of_modes(tmp_path):
    entries = np.array([[0, 1], [2, 0], [1, 1]])
    X = genten.tensor((entries, np.ones(3)), mode_names=["who", "what"])
    for options in (
        {"loss": "bernoulli-odds"}, {"nonnegative": True, "missing": "unlisted"},
        {"loss": "negative-binomial", "loss_parameter": 3.0, "upper": 2.0},
    ):  # fmt: skip
        model = genten.cp(X, 1, max_iterations=5, **options).model
        model.save(tmp_path / "m.gkt")
        model.save(tmp_path / "m.npz")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            own, other = genten.load(tmp_path / "m.gkt"), genten.load(tmp_path / "m.npz")
        assert other == model and other.mode_names == ["who", "what"] and other._run == own._run
        assert other.loss == model.loss and other.loss_parameter == model.loss_parameter
        np.testing.assert_array_equal(other.predict(entries), model.predict(entries))
        assert repr(other.evaluate(X)) == repr(model.evaluate(X))
    assert not (tmp_path / "m.npz.labels.json").exists()
    found = genten.tucker(X, (1, 1)).model
    found.save(tmp_path / "t.npz")
    found.save(tmp_path / "t.gkt")
    tucker = genten.load(tmp_path / "t.npz")
    assert tucker == found and tucker._run == genten.load(tmp_path / "t.gkt")._run
    subprocess.run(
        [tool(), "convert", "--model", "m.gkt", "tool.npz", "--quiet"], check=True, cwd=tmp_path
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        of_tool = genten.load(tmp_path / "tool.npz")
    assert of_tool == own and of_tool.mode_names == own.mode_names and of_tool._run == own._run
    np.savez(tmp_path / "other.npz", weights=np.ones(1), factor_1=np.ones((2, 1)))
    said = r"other.npz tells nothing of the run that made it, nor names of modes, as archives that"
    with pytest.warns(UserWarning, match=said) as caught:
        genten.load(tmp_path / "other.npz")
    assert str(caught[0].message).endswith(
        "did not write: least squares of all entries are assumed; Genten's own forms do, as .gkt"
    )


def test_npz_without_a_model(tmp_path):
    good = {"weights": np.ones(2), "factor_1": np.ones((3, 2)), "factor_2": np.ones((4, 2))}
    core = {"core": np.ones((2, 2)), "factor_1": np.ones((3, 2))}
    for arrays, message in (
        ({"arr_0": np.ones(3)}, "expected an archive of a model: weights, .* got arr_0"),
        ({**good, "factor_9": np.ones((3, 2))}, "expected factor_1 to factor_9, got none for mode"),
        ({**good, "more": np.ones(1)}, "got weights, factor_1, factor_2, more"),
        ({**good, "factor_2": np.ones((4, 3))}, "factor 1: expected 2 columns, one a weight"),
        ({**good, "factor_2": np.full((4, 2), np.nan)}, "factor 1"),
        ({**good, "labels_1": np.array(["a"])}, "labels_1: expected 3 texts, got <U1 of shape"),
        ({**good, "labels_1": np.arange(3)}, "labels_1: expected 3 texts, got int64"),
        ({**good, "mode_names": np.array(["a"])}, "mode_names: expected 2 texts"),
        ({**good, "run": np.array("[]")}, "run: expected what is known of a model's run, as JSON"),
        ({**good, "run": np.array('{"loss": "gaussian", "l1": "q"}')}, "JSON: could not convert"),
        ({**good, "run": np.array('{"loss": "gaussian", "index_base": 2}')}, "its index_base is 2"),
        ({**good, "run": np.array("{")}, "run: expected what is known of a model's run, as JSON"),
        ({**good, "run": np.array('{"loss": "none"}')}, "its loss is 'none', which this genten"),
        ({"weights": np.ones(2)}, "factors: expected at least one"),
        ({**core, "factor_3": np.ones((3, 2))}, "expected an archive of a model"),
        ({**core, "factor_1": np.ones((3, 1))}, "factor 0: expected 2 columns, the core's length"),
        ({**core, "core": np.array("x")}, "core"),
        ({**core, "core": np.array([{}], object)}, "allow_pickle"),
    ):
        np.savez(tmp_path / "m.npz", **arrays)
        with pytest.raises(OSError, match=message) as failure:
            genten.load(tmp_path / "m.npz")
        assert str(failure.value).startswith(f"{tmp_path / 'm.npz'}: ")
    model_of(np.float64).save(tmp_path / "m.npz")
    content = (tmp_path / "m.npz").read_bytes()
    for damaged in (content[:200], content[:-60], content.replace(b"NUMPY", b"NUMPX")):
        (tmp_path / "m.npz").write_bytes(damaged)
        with pytest.raises(OSError, match=r"m\.npz: "):
            genten.load(tmp_path / "m.npz")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_csv_has_a_line_for_each_row(tmp_path, dtype):
    model = model_of(dtype)
    model.save(tmp_path / "m.csv")
    text = (tmp_path / "m.csv").read_text(encoding="utf-8")
    head = "mode,row,name,component_1,component_2,component_3\n0,0,weight,3,2,0.5\n"
    assert text.startswith(head)
    assert "1,2,\"a \"\"quoted\"\", one\",-0," in text and "\n1,3,\"two\nlines\",1e-04," in text
    with open(tmp_path / "m.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[2:]
    for mode, factor in enumerate(model.factors, 1):
        rows = [line for line in lines if line[0] == str(mode)]
        assert [line[1] for line in rows] == [str(row + 1) for row in range(len(factor))]
        assert [line[2] for line in rows] == (model.labels[mode - 1] or [""] * 4)
        assert (np.array([line[3:] for line in rows], dtype) == factor).all()
    assert [path.name for path in tmp_path.iterdir()] == ["m.csv"]


@pytest.mark.parametrize("form", [".csv", ".npz"])
def test_the_tool_writes_the_same(tmp_path, form):
    model = model_of(np.float64)
    names = ["plain", 'a "quoted", one', "caf\u00e9", "x", "y", "z"]
    model.labels = [names, None]
    genten.write_labels(tmp_path / "a.labels", names)
    model.save(tmp_path / "m.gkt")
    model.save(tmp_path / f"python{form}")
    command = [tool(), "convert", "--model", "m.gkt", f"tool{form}", "--quiet"]
    labels = ["--labels", "a.labels,"] if form == ".csv" else []
    subprocess.run([*command, *labels], check=True, cwd=tmp_path)
    if form == ".csv":
        assert (tmp_path / "python.csv").read_text() == (tmp_path / "tool.csv").read_text()
        return
    with np.load(tmp_path / "python.npz") as mine, np.load(tmp_path / "tool.npz") as theirs:
        assert list(mine) == [*theirs, "run"] and str(mine["run"]) == "{}"
        for name in theirs:
            assert mine[name].dtype == theirs[name].dtype and (mine[name] == theirs[name]).all()


def test_a_file_that_cannot_be_written_is_not_begun(tmp_path, monkeypatch):
    model = model_of(np.float64)
    for name in ("m.csv", "m.npz"):
        with pytest.raises(FileNotFoundError) as caught:
            model.save(tmp_path / "absent" / name)
        assert caught.value.filename == str(tmp_path / "absent" / name)
    (tmp_path / "m.csv").write_text("before")

    def fail(number):
        raise RuntimeError("in the middle")

    monkeypatch.setattr("genten._files.models._digits", fail)
    with pytest.raises(RuntimeError, match="in the middle"):
        model.save(tmp_path / "m.csv")
    assert (tmp_path / "m.csv").read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["m.csv"]


def test_the_tool_says_what_makes_a_model_of_an_archive(tmp_path):
    path = tmp_path / "it's $5.npz"
    model = model_of(np.float64)
    model.save(path)
    told = subprocess.run([tool(), "show", path.name], capture_output=True, text=True, cwd=tmp_path)
    code = told.stderr.split('python3 -c "')[1].rsplit('"', 1)[0]
    typed = f'cd "$1" && "$2" -c "{code}"'
    subprocess.run(["bash", "-c", typed, "-", str(tmp_path), sys.executable], check=True)
    subprocess.run([tool(), "show", "it's $5.gkt"], check=True, cwd=tmp_path, capture_output=True)
    assert genten.load(tmp_path / "it's $5.gkt").labels == model.labels
