# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages advise those who come from NumPy, SciPy, pyttb and TensorLy, done as they say."""

from __future__ import annotations

import copy
import csv
import math
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse

import genten

pyttb = pytest.importorskip("pyttb")

FULL = np.arange(1.0, 25.0).reshape(2, 3, 4)
X = genten.tensor(FULL)
M = genten.Model([2.0], [np.ones((n, 1)) for n in FULL.shape])
ALL = {"genten": genten, "numpy": np, "pyttb": pyttb, "scipy": scipy, "X": X, "m": M, "D": FULL}


def advised(error, pattern):
    """What the code in a message gives that follows a colon or a semicolon."""
    found = re.search(pattern, str(error.value))
    assert found is not None, str(error.value)
    return eval(found[0], dict(ALL))


def test_files_of_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("d.npy", FULL)
    np.savez("d.npz", some=FULL)
    scipy.sparse.save_npz("s.npz", scipy.sparse.csr_array(FULL[0]))
    pyttb.export_data(pyttb.tensor(FULL), "t.txt")
    pyttb.export_data(FULL[0], "m.txt")
    M.save("model.npz")
    for path in ("d.npy", "d.npz", "s.npz", "t.txt", "m.txt"):
        for function in (genten.read, genten.tensor):
            with pytest.raises(OSError, match=f"^{path}: expected a sparse tensor, got") as error:
                function(path)
            made = advised(error, r"genten\.tensor\(.*\)(?= makes)")
            assert made == genten.tensor(FULL[0] if path[0] in "sm" else FULL)
    with pytest.raises(OSError, match="genten.load") as error:
        genten.read("model.npz")
    assert advised(error, r"genten\.load\(.*\)(?= reads)") == M
    with pytest.raises(TypeError, match=r"got a NpzFile; .* as it\['arr_0'\]"):
        genten.tensor(np.load("d.npz"))


def test_arrays_are_no_models(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("d.npy", FULL)
    pyttb.export_data(pyttb.tensor(FULL), "t.txt")
    for path, kind in (("d.npy", "an array of NumPy"), ("t.txt", "a dense tensor of pyttb")):
        with pytest.raises(OSError, match=f"^{path}: expected a model, got {kind}: ") as error:
            genten.load(path)
        assert advised(error, r"genten\.tensor\(.*\)(?= makes)") == X


@pytest.mark.skipif("GENTEN_TOOL" not in os.environ, reason="GENTEN_TOOL names no tool")
def test_the_tool_says_how_arrays_become_tensors(tmp_path):
    tool = os.environ["GENTEN_TOOL"]
    np.save(tmp_path / "d.npy", FULL)
    np.savez(tmp_path / "d.npz", some=FULL)
    for path in ("d.npy", "d.npz"):
        run = [tool, "info", path]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 3, done.stderr
        code = re.search(r'python3 -c "(.*)" makes the tensor d.gtn of it', done.stderr)
        assert code is not None, done.stderr
        again = [sys.executable, "-c", code[1].replace("'NAME'", "'some'")]
        subprocess.run(again, cwd=tmp_path, check=True)
        assert genten.read(tmp_path / "d.gtn") == X
        subprocess.run([tool, "info", "d.gtn"], cwd=tmp_path, check=True, capture_output=True)
        (tmp_path / "d.gtn").unlink()
    (tmp_path / "dir.v1").mkdir()
    for path, made in (
        ("bob's.npy", "bob's.gtn"), ("dir.v1/file", "dir.v1/file.gtn"), ("../x", "../x.gtn"),
        ('$a"b\\c`.npy', '$a"b\\c`.gtn'), ("y.gtn", "y.gtn.gtn"),
    ):  # fmt: skip
        folder = tmp_path / "dir.v1" if path == "../x" else tmp_path
        with open(folder / path, "wb") as file:
            np.save(file, FULL)
        done = subprocess.run(
            [tool, "info", "--", path], cwd=folder, capture_output=True, text=True, check=False
        )
        code = re.search(r"(python3 -c .*) makes the tensor (.*) of it", done.stderr)
        assert code is not None and code[2] == made, done.stderr
        run = f'"{sys.executable}"' + code[1].removeprefix("python3")
        subprocess.run(["sh", "-c", run], cwd=folder, check=True)
        assert genten.read(folder / made) == X
    with open(tmp_path / "d.npy", "rb") as file:
        done = subprocess.run(
            [tool, "info", "-"], stdin=file, capture_output=True, text=True, check=False
        )
    told = "(numpy.load('PATH')), 'tensor.gtn')\" makes the tensor tensor.gtn of it, PATH being "
    assert told in done.stderr, done.stderr
    done = subprocess.run(
        [tool, "show", "d.npy"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "d.npy:1: expected a model, got an array of NumPy" in done.stderr, done.stderr


def test_tables_of_parquet(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="to_parquet") as error:
        X.save("x.parquet")
    ALL["path"] = "x.parquet"
    advised(error, r"X\.to_pandas\(\)\.to_parquet\(path\)")
    assert np.array_equal(advised(error, r"genten\.read\(.*\)").to_dense(), FULL)


def test_operators_and_functions_of_numpy():
    for function, way in (
        (lambda: M - FULL, r"D - m.to_dense\(\)"),
        (lambda: FULL - M, r"D - m.to_dense\(\)"),
        (lambda: M - X, r"m.residuals\(X\)"),
        (lambda: np.sqrt(X), r"X.map\(numpy.sqrt\)"),
        (lambda: np.exp(M), r"numpy.exp\(m.to_dense\(\)\)"),
        (lambda: X > 2, r"X.map\(lambda v: v > 2\)"),
        (lambda: FULL > X, r"X.map\(lambda v: v < 2\)"),
        (lambda: X == 0, r"X.map\(lambda v: v == 2\)"),
        (lambda: 0 != X, r"X.map\(lambda v: v != 2\)"),
        (lambda: np.float64(1) == X, r"X.map\(lambda v: v == 2\)"),
        (lambda: X == FULL, r"X.to_dense\(\)"),
        (lambda: FULL != X, r"X.map\(lambda v: v != 2\)"),
        (lambda: X**2, r"X.map\(lambda v: v \*\* 2\)"),
        (lambda: abs(X), r"X.map\(abs\)"),
        (lambda: np.sum(X), r"X.sum\(\)"),
        (lambda: abs(M), r"abs\(m.to_dense\(\)\)"),
        (lambda: M <= 1, r"m.to_dense\(\) <= 2"),
        (lambda: np.max(X), r"X.to_dense\(\)"),
        (lambda: np.add(X, 1), r"X.to_dense\(\)"),
        (lambda: M * M, r"m.to_dense\(\)"),
        (lambda: M / M, r"m.to_dense\(\)"),
    ):
        with pytest.raises(TypeError) as error:
            function()
        assert advised(error, way) is not None
    assert np.float64(2) * X == X * np.float64(2) == 2 * X
    assert FULL != M and X != M and X is not None and X != "none" and not (X != X[:])
    with pytest.raises(TypeError, match="a Tensor has no '-'"):
        FULL - X
    array = FULL.copy()
    with pytest.raises(TypeError, match="numpy.subtract takes no Model"):
        array -= M


def test_numbers_of_components():
    with pytest.raises(AttributeError, match=r"genten.choose_rank\(X, range\(1, 7\)\)"):
        genten.rank  # noqa: B018
    with pytest.raises(TypeError, match=r"genten.choose_rank\(X, range\(1, 7\)\)"):
        genten.choose_rank(X)


def squares(x, m):
    return (m - x) ** 2


def slopes(x, m):
    return 2 * (m - x)


def test_losses_of_functions():
    with pytest.raises(TypeError, match="a genten.Loss, got a tuple of functions") as error:
        genten.cp(X, 1, loss=(squares, slopes, 0))
    ALL.update(f=squares, derivative=slopes)
    loss = advised(error, r"genten.Loss\(f, derivative, lower=0, name='mine'\)")
    assert loss.lower == 0 and genten.cp(X, 1, loss=loss, max_iterations=2).iterations
    with pytest.raises(TypeError, match="got 3, or a genten.Loss"):
        genten.cp(X, 1, loss=3)
    for function in (lambda x, m: float((m - x) ** 2), lambda x, m: x if m > 0 else m):
        with pytest.raises((TypeError, ValueError), match="function: .* with arrays of many"):
            genten.cp(X, 1, loss=genten.Loss(function, slopes))


def test_arguments_in_another_order():
    for call in (genten.cp, genten.cp_als):
        with pytest.raises(ValueError, match="'nvecs' begins at leading singular vectors"):
            call(X, 1, init="svd")
    for other in (X, FULL):
        with pytest.raises(TypeError, match=r"core_consistency\(X, model\), got a \w+$") as error:
            genten.core_consistency(M, other)
    ALL["model"] = M
    assert isinstance(advised(error, r"genten.core_consistency\(X, model\)"), float)
    with pytest.raises(TypeError, match=r"TuckerModel\(core, factors\), got a list of arrays$"):
        genten.TuckerModel(M.factors, np.ones((1, 1, 1)))
    for entry in ([0, 1, 2], np.array([0, 1, 2]), (0, 1, 2)):
        with pytest.raises(ValueError, match="is one entry") as error:
            M.predict(entry)
        assert M.predict(advised(error, r"\[\[.*\]\]")) == 2.0


def test_tables_of_a_mode_that_is_called_value(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    own = genten.tensor(FULL[0], labels=[list("abc"), list("wxyz")], mode_names=["value", "b"])
    monkeypatch.setitem(ALL, "X", own)
    with pytest.raises(ValueError, match="expected no name of a mode, got 'value'; ") as error:
        own.to_pandas("value")
    assert list(own.to_pandas().columns) == ["value", "b", "value_"]
    assert list(advised(error, r"X\.to_pandas\(.*\)(?= calls)").columns) == ["value", "b", "value_"]
    assert list(own.head(2).columns) == ["value", "b", "value_"]
    monkeypatch.setitem(ALL, "csv", csv)
    for path, call in (("x.parquet", "to_parquet"), ("x.csv", "to_csv")):
        with pytest.raises(ValueError, match=call) as error:
            own.save(path)
        monkeypatch.setitem(ALL, "path", path)
        advised(error, rf"X\.to_pandas\(.*?\)\.{call}\(.*?\)(?= writes)")
        assert advised(error, r"genten\.read\(.*\)(?= takes)") == own
    other = genten.tensor(FULL[0], labels=[list("abd"), list("wxyz")], mode_names=["value", "b"])
    monkeypatch.setitem(ALL, "Y", other)
    monkeypatch.setitem(ALL, "pandas", pandas)
    with pytest.raises(ValueError, match="the same labels") as error:
        own + other
    both = advised(error, r"genten\.tensor\(.*\)(?= goes)")
    assert both["a", "w"] == 2 * own["a", "w"] and both.shape == (4, 4)


@pytest.mark.parametrize(
    ("customers", "compact"), [(["4", "70"], True), (["4", "x"], False), ([4, 70], True)]
)
def test_tables_of_labels_that_are_digits(tmp_path, monkeypatch, customers, compact):
    pandas = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    table = pandas.DataFrame({"customer": [customers[n] for n in (0, 1, 0)], "item": list("abb")})
    own = genten.tensor(table.assign(n=[1.0, 2.0, 3.0]), values="n").compact()
    for name, each in (("X", own), ("csv", csv), ("path", "x.csv")):
        monkeypatch.setitem(ALL, name, each)
    with pytest.raises(ValueError, match="to_csv") as error:
        own.save("x.csv")
    advised(error, r"X\.to_pandas\(.*?\)\.to_csv\(.*?\)(?= writes)")
    again = advised(error, r"genten\.read\(.*\)(?= takes)")
    assert again == own and again.labels == [[str(each) for each in customers], ["a", "b"]]
    assert ("compact()" in str(error.value)) == compact


def test_sums_of_tensors_of_other_lengths(monkeypatch):
    pandas = pytest.importorskip("pandas")
    longer = np.zeros((2, 3, 6))
    longer[:, :, :4] = FULL
    monkeypatch.setitem(ALL, "pandas", pandas)
    for names in (None, ["a", "b"]):
        labels = [names, None, None]
        monkeypatch.setitem(ALL, "X", genten.tensor(FULL, labels=labels))
        monkeypatch.setitem(ALL, "Y", genten.tensor(longer, labels=labels))
        with pytest.raises(ValueError, match="tensors of one shape") as error:
            ALL["X"] + ALL["Y"]
        both = advised(error, r"genten\.tensor\(.*\)(?= goes)")
        assert both.shape == (2, 3, 6) and both.labels[0] == names
        assert np.array_equal(both.to_dense(), 2 * longer)


def test_vectors_and_matrices_of_all_modes():
    vectors = [np.arange(1.0, n + 1) for n in FULL.shape]
    assert X.ttv(vectors, 1) == X.ttv(vectors[1], 1)
    assert X.ttv(vectors, [2, 0]) == X.ttv([vectors[2], vectors[0]], [2, 0])
    matrices = [np.outer([1.0, 2.0], vector) for vector in vectors]
    assert X.ttm(matrices, 1) == X.ttm(matrices[1], 1)
    assert X.ttm(matrices, [2, 0]) == X.ttm([matrices[2], matrices[0]], [2, 0])
    with pytest.raises(ValueError, match="expected the length of the mode, 3, got 4"):
        X.ttv([vectors[0], vectors[2], vectors[1]], 1)
    with pytest.raises(ValueError, match="expected a vector for mode 1, got 2"):
        X.ttv(vectors[:2], 1)


def test_unfolding_by_pyttb(monkeypatch):
    monkeypatch.setitem(ALL, "mode", 1)
    for name in ("to_tenmat", "to_sptenmat", "unfold"):
        with pytest.raises(AttributeError) as error:
            getattr(X, name)
        code = re.search(r"to_pyttb.*?\]\)\)", str(error.value))
        found = eval("X." + code[0], dict(ALL))
        wanted = np.moveaxis(FULL, 1, 0).reshape(3, -1, order="F")
        assert np.array_equal(found.double().toarray(), wanted)


def test_ends_of_other_ways():
    r = genten.cp(X, 1, seed=1)
    for get, way in (
        (lambda: r.core_consistency, r"of its model, r.model: genten.core_consistency\(X, m\)"),
        (lambda: M.core_consistency, r"no 'core_consistency': genten.core_consistency\(X, m\) is"),
        (lambda: genten.cp_als(X, 1, mask=FULL > 3), r"^mask: .*genten.cp\(X, rank, missing=~mask"),
        (lambda: genten.evaluate(X, r), r"got Tensor; the model comes first: genten.evaluate\(mo"),
        (lambda: genten.evaluate(X, X), "got Tensor$"),
    ):
        with pytest.raises((AttributeError, TypeError), match=way):
            get()


def test_forms_of_models(tmp_path):
    with pytest.raises(ValueError, match=r"\.npz \(of NumPy, which genten\.load takes, too\) or"):
        M.save(tmp_path / "m.json")
    M.save(tmp_path / "m.csv")
    with pytest.raises(OSError, match=r"exports for other programs, \.npz for Python"):
        genten.load(tmp_path / "m.csv")


def test_truths_of_numpy():
    r = genten.cp(X, 1, nonnegative=np.True_, keep_starts=np.False_)
    assert r.options["nonnegative"] == genten.cp(X, 1, nonnegative=True).options["nonnegative"]
    assert genten.Stream(r.model, 2, nonnegative=np.True_).options["lower"] == [0.0] * 3
    assert (genten.CP(1, nonnegative=np.True_).fit(X).model_.factors[0] >= 0).all()


@pytest.mark.parametrize("name", ["project", "project_rows", "update", "transform"])
def test_names_that_tucker_models_lack(name):
    model = genten.tucker(X, (1, 1, 1)).model
    with pytest.raises(AttributeError, match="a model of genten.cp has "):
        getattr(model, name)
    assert hasattr(genten.cp(X, 1).model, {"transform": "project"}.get(name, name))


def test_advice_on_names_of_models_and_estimators():
    with pytest.raises(AttributeError) as error:
        M.astype("float32")
    single = eval(re.search(r"genten\.Model\(.*\)(?= has)", str(error.value))[0],
                  {**ALL, "t": np.float32})  # fmt: skip
    assert single.dtype == np.float32 and single.isequal(M)
    fitted = genten.CP(1, seed=1).fit(X)
    names = ("inverse_transform", "n_features_in_", "reconstruction_err_", "weights", "model")
    found = {}
    for each in (genten.CP(1), fitted):
        for name in names:
            with pytest.raises(AttributeError, match="once it is fitted$") as error:
                getattr(each, name)
            way = re.search(r"that is ([^,]+(\([^)]*\))?),", str(error.value))[1]
            found[name] = way
    of_fitted = {"math": math, "model_": fitted.model_, "result_": fitted.result_}
    made = {name: eval(way, of_fitted) for name, way in found.items()}
    assert made["inverse_transform"].shape == FULL.shape and made["n_features_in_"] == 12
    assert made["model"] is fitted.model_ and made["reconstruction_err_"] > 0
    for name in ("fms", "factor_match_score"):
        with pytest.raises(AttributeError, match=r"m\.score\(other\) compares two models$"):
            getattr(genten, name)


def test_what_is_set_of_a_model_is_checked():
    model, core = M.copy(), genten.TuckerModel(np.ones((1, 1)), [np.ones((2, 1)), None])
    for wrong in (1, "ones"):
        for each in (model, core):
            with pytest.raises(TypeError, match="^factors: expected a sequence of arrays, got"):
                each.factors = wrong
    for wrong in (1, [1.0, 2.0], [np.nan]):
        with pytest.raises(ValueError, match="weights|factor 0"):
            model.weights = wrong
    with pytest.raises(ValueError, match="^core: expected real numbers in 2 dimensions"):
        core.core = 1
    for each, kind in ((model, "Model"), (core, "TuckerModel")):
        before = each.copy()
        factors = [np.ones((5, 1)) for _ in range(each.ndim)]
        with pytest.raises(ValueError, match=rf"genten\.{kind}\(\w+, factors\) makes another"):
            each.factors = factors
        assert each.to_dense().tolist() == before.to_dense().tolist()
        each.factors = [None if f is None else (2 * f).tolist() for f in each.factors]
        assert each.norm == pytest.approx(before.norm * (8 if kind == "Model" else 2))
        assert pickle.loads(pickle.dumps(each)).norm == each.norm
    with pytest.raises(ValueError, match="^factor 1: expected finite numbers"):
        model.factors = [M.factors[0], np.full((3, 1), np.inf), M.factors[2]]


def test_unknown_attributes_are_not_set():
    own = genten.Model(M.weights, M.factors)
    tucker = genten.TuckerModel(np.ones((1, 1)), [np.ones((2, 1)), np.ones((3, 1))])
    for thing, name, near in (
        (genten.tensor(FULL), "mode_name", "mode_names"),
        (genten.tensor(FULL), "lables", "labels"),
        (own, "label", "labels"),
        (own, "los", "loss"),
        (tucker, "cores", "core"),
    ):
        kind = type(thing).__name__
        said = f"a {kind} has no attribute {name!r} that can be set; did you mean {near!r}[?]"
        with pytest.raises(AttributeError, match=said):
            setattr(thing, name, None)
        setattr(thing, near, getattr(thing, near))
    with pytest.raises(AttributeError, match="has no attribute 'note' that can be set$"):
        own.note = "mine"

    class Mine(genten.Model):
        pass

    mine = Mine(M.weights, M.factors)
    mine.note = "mine"
    assert mine.note == "mine"
    assert copy.deepcopy(own) == own and pickle.loads(pickle.dumps(X)) == X  # noqa: S301


def test_ranks_that_are_no_lists_of_them():
    assert genten.cp(FULL, rank=np.array(1)).model.rank == 1
    with pytest.raises(TypeError, match="expected subscripts, values and shape in one tuple"):
        genten.cp([[0, 1], [1]], [2, 3])
