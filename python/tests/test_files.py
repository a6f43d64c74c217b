# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors and labels in files."""

import numpy as np
import pytest
from conftest import DATA

import genten


@pytest.mark.parametrize(
    "name", ["x.tns", "x.txt", "x.sptensor.gz", "x.tns.zst", "x.gtn", "x.bin", "X.TNS"]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_written_is_read(titanic, tmp_path, name, dtype):
    X = titanic.astype(dtype)
    X.save(tmp_path / name)
    Y = genten.read(tmp_path / name, dtype=dtype)
    assert Y.dtype == dtype and Y.shape == X.shape and Y.source == str(tmp_path / name)
    assert np.array_equal(Y.subscripts, X.subscripts) and np.array_equal(Y.values, X.values)
    assert Y.file_facts["entries"] == 24 and Y.file_facts["duplicates"] == 0


def test_options_of_files(titanic, tmp_path):
    path = tmp_path / "x"
    titanic.save(path, format="frostt", index_base=0, compression="gzip")
    with pytest.raises(OSError, match="x:"):
        genten.read(path)
    Y = genten.read(path, index_base="0", dimensions=[5, 2, 2, 2])
    assert Y.shape == (5, 2, 2, 2) and Y.file_facts["compression"] == "gzip"
    with pytest.raises(ValueError, match="does not say the form"):
        titanic.save(tmp_path / "x.dat")
    with pytest.raises(ValueError, match="binary form is not compressed"):
        titanic.save(tmp_path / "x.gtn.gz")
    with pytest.raises(TypeError, match="did you mean 'format'"):
        titanic.save(path, fromat="frostt")
    with pytest.raises(ValueError, match="duplicates: expected one of 'sum', 'mean', 'last', "):
        genten.read(path, duplicates="drop")
    with pytest.raises(MemoryError, match="memory"):
        genten.read(DATA / "debian-packages" / "debian-packages.tns.zst", memory_limit=1000)


def test_files_that_are_wrong(tmp_path):
    with pytest.raises(OSError, match="absent.tns"):
        genten.read(tmp_path / "absent.tns")
    (tmp_path / "bad.tns").write_text("1 1 2.0\n1 x 3.0\n")
    with pytest.raises(OSError, match="bad.tns:2: "):
        genten.read(tmp_path / "bad.tns")
    (tmp_path / "twice.tns").write_text("1 1 2.0\n1 1 3.0\n")
    assert genten.read(tmp_path / "twice.tns").values.tolist() == [5.0]
    with pytest.raises(OSError, match="twice.tns:2: "):
        genten.read(tmp_path / "twice.tns", duplicates="refuse")


def test_labels(tmp_path):
    names = ["Müller", "a b", "c"]
    genten.write_labels(tmp_path / "n.labels", names)
    assert genten.read_labels(tmp_path / "n.labels") == names
    with pytest.raises(ValueError):
        genten.write_labels(tmp_path / "n.labels", ["a\nb"])
    with pytest.raises(OSError):
        genten.read_labels(tmp_path / "absent")
    folder = DATA / "titanic"
    files = [folder / f"{mode}.labels" for mode in ("class", "sex", "age", "survived")]
    X = genten.read(folder / "titanic.tns", labels=files, mode_names=["c", "s", "a", "v"])
    assert X.labels[1] == ["Male", "Female"] and X.mode_names == ["c", "s", "a", "v"]
    with pytest.raises(ValueError, match="expected 4 names in mode 0, got 2"):
        genten.read(folder / "titanic.tns", labels=[files[1], None, None, None])


@pytest.mark.parametrize(
    "bad, got", [("a\0b", "a.x00b"), (b"a\0b", "a.x00b"), (b"\xff", "xff")]
)
def test_names_that_the_library_would_not_open_as_they_are(titanic, tmp_path, bad, got):
    folder = str(tmp_path) if isinstance(bad, str) else str(tmp_path).encode()
    name = folder + ("/" if isinstance(bad, str) else b"/") + bad
    tail = ".tns" if isinstance(bad, str) else b".tns"
    for call in (
        lambda: genten.write(titanic, name + tail),
        lambda: genten.read(name + tail),
        lambda: genten.load(name),
        lambda: genten.cp(titanic, 2).model.save(name),
        lambda: genten.read_labels(name),
        lambda: genten.write_labels(name, ["a"]),
        lambda: genten.cp(titanic, 2, init=name),
        lambda: genten.cp(titanic, 2, checkpoint=name),
        lambda: genten.cp(titanic, resume=name),
    ):
        with pytest.raises(ValueError, match=got):
            call()
    assert list(tmp_path.iterdir()) == []


def test_names_in_bytes_and_what_is_no_name(titanic, tmp_path):
    name = str(tmp_path / "Müller.gtn").encode()
    genten.write(titanic, name)
    assert genten.read(name).source == str(tmp_path / "Müller.gtn")
    with pytest.raises(TypeError, match="path: expected the path of a file, got 3"):
        genten.read(3)
    with pytest.raises(TypeError, match="write: expected a Tensor, got ndarray; genten.tensor"):
        genten.write(titanic.values, name)
