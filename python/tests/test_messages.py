# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The library's errors in Python's words: types, numbers of errors, keywords, counting from 0."""

import errno
import os
import pickle

import numpy as np
import pytest

import genten


@pytest.fixture
def X():
    return genten.tensor(np.eye(3))


def test_files_of_the_other_kind_name_the_function_that_reads_them(X, tmp_path):
    model = genten.cp(X, 1).model
    for name in ("m.ktensor", "m.gkt", "m.txt.gz"):
        model.save(tmp_path / name)
        with pytest.raises(OSError, match="expected a sparse tensor, .*; genten.load reads models"):
            genten.read(tmp_path / name)
    for name in ("x.tns", "x.gtn", "x.txt.gz"):
        X.save(tmp_path / name)
        for call in (genten.load, lambda path: genten.cp(X, 1, init=path)):
            with pytest.raises(OSError, match="; genten.read reads tensors$"):
                call(tmp_path / name)


def test_a_path_is_no_list_of_entries(X, tmp_path):
    model = genten.cp(X, 1).model
    with pytest.raises(FileNotFoundError):
        model.predict("no.csv")
    files = (("r.csv", b"a,b", "csv"), ("r.parquet", b"PAR1", "parquet"))
    for name, begins, reader in (*files, ("r.arrow", b"ARROW1", "feather")):
        (tmp_path / name).write_bytes(begins)
        with pytest.raises(TypeError, match=f"got a path: pandas.read_{reader}.* reads a table"):
            model.predict(tmp_path / name)


def test_the_index_of_a_series_is_no_table_yet(X):
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_tuples([(0,) * X.ndim], names=[f"m{n}" for n in range(X.ndim)])
    with pytest.raises(TypeError, match=r"give its \.to_frame\(index=False\)"):
        genten.cp(X, 1).model.predict(index)


def test_every_mode_by_the_word_of_the_tool(X):
    assert genten.cp(X, 1, nonnegative="all", seed=1).options["nonnegative"] is True
    named = genten.tensor(X, mode_names=["all", *(f"m{n}" for n in range(1, X.ndim))])
    assert genten.cp(named, 1, nonnegative="all", seed=1).options["nonnegative"] == [0]


def test_inner_products_are_with_models_and_tensors(X):
    for other in (X.values, 3, None):
        with pytest.raises(TypeError, match="innerprod: expected a Model or a Tensor, got "):
            X.innerprod(other)


def test_matrices_are_arrays(X):
    numbers = np.matrix([[0.0, 2.0], [3.0, 0.0]])
    assert genten.tensor(numbers).values.tolist() == [2.0, 3.0]
    assert genten.tensor((np.matrix([[0, 1], [1, 0]]), [2.0, 3.0])).shape == (2, 2)
    assert type(genten.Model(None, [numbers]).factors[0]) is np.ndarray


def test_files_that_there_are_not_are_told_as_open_tells_them(X, tmp_path):
    model = genten.cp(X, 1).model
    absent = str(tmp_path / "ab: sent" / "x.tns")
    for call in (
        lambda: genten.read(absent),
        lambda: genten.tensor(absent),
        lambda: genten.load(absent),
        lambda: genten.read_labels(absent),
        lambda: X.save(absent),
        lambda: model.save(absent[:-4] + ".gkt"),
        lambda: genten.write_labels(absent, ["a"]),
        lambda: genten.cp(X, 1, init=absent),
        lambda: genten.cp(X, resume=absent),
        lambda: genten.tensor(X, labels=[absent, None]),
    ):
        with pytest.raises(FileNotFoundError, match="cannot be (opened|written): No ") as caught:
            call()
        assert caught.value.errno == errno.ENOENT and caught.value.filename[:-4] == absent[:-4]
        assert pickle.loads(pickle.dumps(caught.value)).errno == errno.ENOENT
    with pytest.raises(IsADirectoryError, match="expected a file, got a directory"):
        genten.read(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        genten.read(tmp_path / "file" / "x.tns")


def test_other_trouble_of_the_system(X, tmp_path):
    full = tmp_path / "x.tns"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError) as caught:
        X.save(full)
    assert type(caught.value) is OSError and caught.value.errno == errno.ENOSPC
    said = f"cannot be written: {os.strerror(errno.ENOSPC)}"
    assert str(caught.value) == f"[Errno {errno.ENOSPC}] {said}: '{full}'"


def test_what_is_wrong_in_a_file_has_no_number(tmp_path):
    (tmp_path / "x.tns").write_text("0 1 2\n1 1 2\n")
    with pytest.raises(OSError, match=r"x.tns:1: subscript 0 .* with index_base=0") as e:
        genten.read(tmp_path / "x.tns")
    assert type(e.value) is OSError and "--" not in str(e.value)


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"mode_order": [0]}, "^mode_order: expected all 2 modes, got 1$"),
        ({"mode_order": [1, 1]}, "^mode_order: mode 1 is named twice$"),
        ({"fixed_modes": [0, 0], "init": [np.ones((3, 1))] * 2},
         "^fixed_modes: mode 0 is named twice$"),
        ({"device": "tpu"}, "^device: expected 'auto', 'cpu' or 'gpu', got 'tpu'$"),
        ({"init": [np.ones((3, 1)), np.array([[1], [np.nan], [1]])]},
         "factor 1: expected finite numbers, got nan in row 1, column 0$"),
    ],
)  # fmt: skip
def test_options_and_modes_are_those_of_python(X, keywords, message):
    with pytest.raises(ValueError, match=message):
        genten.cp(X, **{"rank": 1, **keywords})


def test_errors_of_cp_do_not_begin_with_a_function_that_nobody_called(X, tmp_path):
    genten.cp(X, 1, checkpoint=tmp_path / "run.gkt", max_iterations=1)
    for call in (
        lambda: genten.cp(X, init=[np.ones((4, 1)), np.ones((3, 1))]),
        lambda: genten.cp(2 * np.eye(3), resume=tmp_path / "run.gkt"),
    ):
        with pytest.raises(ValueError, match="^(init: expected an in|expected a f|the checkpoint)"):
            call()


def test_too_little_memory_names_what_there_is_in_python():
    ids = np.array([[10**9, 0], [5, 1]])
    with pytest.raises(MemoryError, match=r"dropping empty slices \(compact\(\) of a Tensor\)"):
        genten.cp((ids, np.ones(2), (10**9 + 1, 2)), 4, memory_available=10**6)
    X = genten.tensor((ids, np.ones(2), (10**9 + 1, 2)))
    assert genten.cp(X.compact(), 1, memory_available=10**9).model.labels[0] == ["5", "1000000000"]
    with pytest.raises(ValueError, match=r"mode 0 has 1 of them \(compact\(\) of a Tensor drops"):
        genten.cp((np.array([[2, 0], [0, 1]]), np.ones(2)), 1, lower=1)


def test_what_lies_in_memory_counts_from_0(X, tmp_path):
    model = genten.cp(X, 1).model
    with pytest.raises(ValueError, match="^predict: entry 1: expected .* in mode 1, got 3$"):
        model.predict([[0, 0], [0, 3]])
    subscripts = np.array([[0, 1], [2, 2]])
    spoilt = genten.tensor((subscripts, np.ones(2), (3, 3)))
    subscripts[1, 0] = 7
    for call in (
        lambda: spoilt.norm,
        lambda: genten.cp(spoilt, 1),
        lambda: model.innerprod(spoilt),
        lambda: model.project(spoilt, 1),
        lambda: spoilt.save(tmp_path / "x.tns"),
        lambda: genten.tensor(spoilt, copy=True),
    ):
        with pytest.raises(ValueError, match="^nonzero 1: expected .* below 3 in mode 0, got 7$"):
            call()
    with pytest.raises(RuntimeError, match="the weight of component 0, "):
        genten.Model(None, [np.full((3, 1), 1e200)] * 3).normalize()


@pytest.mark.parametrize("kind", [ValueError, OSError, RuntimeError, MemoryError])
def test_what_a_callback_raises_is_raised_as_it_is(X, kind):
    trouble = kind("option a-b: mode 3 of --x y")

    def fail(iteration):
        raise trouble

    with pytest.raises(kind) as caught:
        genten.cp(X, 1, callback=fail)
    assert caught.value is trouble and str(trouble) == "option a-b: mode 3 of --x y"
