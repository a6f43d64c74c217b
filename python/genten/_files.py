# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files: tensors, models and labels, read and written by the library."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _library
from ._model_files import FOR_OTHERS, write_for_others
from ._names import check_names_to_save, texts_of_names
from ._options import READ, WRITE
from ._paths import file_name
from ._sidecar import ENDING, read_sidecar, write_sidecar
from .convert.keys import refuse_no_utf8
from .convert.parts import checked_dtype, warn

if TYPE_CHECKING:
    from .model import Model
    from .tensors import Tensor

_TENSOR_FORMS = {
    ".tns": "frostt",
    ".txt": "sptensor",
    ".sptensor": "sptensor",
    ".mtx": "matrix-market",
    ".gtn": "binary",
    ".bin": "binary",
}
_MODEL_TEXTS = ("", ".ktensor", ".txt")
_MODEL_BINARIES = (".gkt", ".bin")
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


def _split_name(path: str) -> tuple[str, str]:
    """The extension of a name without that of a compression, and the compression."""
    stem, last = os.path.splitext(path)
    compression = _COMPRESSIONS.get(last.lower(), "none")
    extension = os.path.splitext(stem)[1] if compression != "none" else last
    return extension.lower(), compression


def _is_single(dtype: Any) -> bool:
    return dtype is not None and checked_dtype(dtype) == np.float32


def read(
    path: str | os.PathLike[str],
    *,
    labels: Any = None,
    mode_names: Any = None,
    dtype: Any = None,
    **options: Any,
) -> Tensor:
    """Reads a sparse tensor from a text or binary file, compressed or not; content says which.

    Parameters
    ----------
    path : path
        The file.
    labels : sequence, optional
        For each mode the names of its rows, the path of a file with a name a line, or None. If not
        given, those that were saved with the file.
    mode_names : sequence of str, optional
        Names of the modes; likewise.
    dtype : float32 or float64, optional
        Of the values; float64 if not given.
    {options}

    Returns
    -------
    Tensor
        Subscripts in files count from 1 where nothing else is said, in tensors from 0.

    Raises
    ------
    OSError
        For a file that is absent or malformed, with the line.
    MemoryError
        For one that does not fit.

    Examples
    --------
    >>> import genten
    >>> genten.read("data/titanic/titanic.tns", mode_names=["class", "sex", "age", "survived"])
    <genten.Tensor 4 x 2 x 2 x 2, 24 nonzeros, density 0.75, float64>
    """
    from .tensors import Tensor

    name = file_name(path)
    given = READ.checked(options)
    core, facts = _library.read_tensor(name, _is_single(dtype), given)
    facts["read_options"] = given if dtype is None else {**given, "dtype": str(np.dtype(dtype))}
    facts["read_options"].update(_names_asked_for(labels, mode_names))
    if labels is None or mode_names is None:
        core, saved = _saved_names(core, name, facts)
        facts["labels_beside"] = labels is None and saved[0] is not None
        labels = saved[0] if labels is None else labels
        mode_names = saved[1] if mode_names is None else mode_names
    # Duplicates of text are added up or refused; binary files may hold what others wrote there.
    cells = None if facts["format"] == "binary" else core.nnz
    return Tensor(core, labels, mode_names, name, facts, cells=cells)


def _names_asked_for(labels: Any, mode_names: Any) -> dict[str, Any]:
    """Names as they were asked for, where they can be asked for again: those of rows by files."""
    asked: dict[str, Any] = {}
    if isinstance(labels, (list, tuple)):
        files = [os.fspath(each) if isinstance(each, os.PathLike) else each for each in labels]
        if all(each is None or isinstance(each, str) for each in files):
            asked["labels"] = files
    if isinstance(mode_names, (list, tuple)):
        asked["mode_names"] = [str(each) for each in mode_names]
    return asked


def _saved_names(
    core: _core.SparseTensor, name: str, facts: dict[str, Any]
) -> tuple[_core.SparseTensor, tuple[Any, Any]]:
    """Labels and names of modes that `write` has left beside a file. The lengths that they tell go
    before those of a text that knows entries alone, whose last slices may be empty."""
    beside = read_sidecar(name)
    if beside is None:
        return core, (None, None)
    based = beside.index_base in (None, facts["index_base"])
    shorter = len(core.shape) == len(beside.shape) and all(
        one <= other for one, other in zip(core.shape, beside.shape, strict=True)
    )
    unasked = facts["format"] == "frostt" and "dimensions" not in facts["read_options"]
    if based and unasked and shorter and core.shape != beside.shape:
        core = _library.tensor_from_matrix(core.subscripts, core.values, list(beside.shape), False)
    if not based or core.shape != beside.shape:
        warn(
            f"{name}{ENDING} is not used: its labels are for shape {beside.shape}, the file was "
            f"read as one of shape {core.shape} with subscripts from {facts['index_base']}"
        )
        return core, (None, None)
    return core, (beside.labels, beside.mode_names)


def _tensor_type() -> type[Tensor]:
    from .tensors import Tensor

    return Tensor


def write(X: Tensor, path: str | os.PathLike[str], **options: Any) -> None:
    """Writes a tensor; the file appears under its name when it is complete.

    Labels and names of modes go into a file beside it, with .labels.json added to the name, which
    `read` takes up while the file is the one that it was written with.

    Parameters
    ----------
    X : Tensor
    path : path
        Its name says the form where `format` does not: .tns (entries alone, which lose the
        lengths of modes whose last slices are empty), .txt or .sptensor, .mtx, .gtn or .bin, and
        .gz or .zst behind it.
    {options}

    Raises
    ------
    TypeError
        For what is no Tensor.
    ValueError
        For a name that says no form, for options that contradict it, and for labels and names of
        modes that are not in UTF-8; nothing is written then.
    OSError
        For a file that cannot be written.

    Examples
    --------
    >>> import genten, numpy as np, os, tempfile
    >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genten.write(X, os.path.join(folder, "x.sptensor.zst"))
    ...     genten.read(os.path.join(folder, "x.sptensor.zst")).values
    array([1., 2.])
    """
    if not isinstance(X, _tensor_type()):
        raise TypeError(
            f"write: expected a Tensor, got {type(X).__name__}; genten.tensor makes one"
        )
    name = file_name(path)
    given = WRITE.checked(options)
    extension, compression = _split_name(name)
    given.setdefault("compression", compression)
    if "format" not in given:
        if extension not in _TENSOR_FORMS:
            raise ValueError(
                f"the name {name} does not say the form ({', '.join(_TENSOR_FORMS)}); give format="
            )
        given["format"] = _TENSOR_FORMS[extension]
    if given["format"] == "binary" and given["compression"] != "none":
        raise ValueError(
            f"the binary form is not compressed, but compression {given['compression']} is asked "
            f"for {name}"
        )
    check_names_to_save(X, name)
    _library.write_tensor(X._core, name, given)
    base = None if given["format"] == "binary" else int(given.get("index_base") == "0") ^ 1
    write_sidecar(name, X.shape, X.labels, X.mode_names, base)


def load(
    path: str | os.PathLike[str],
    *,
    labels: Any = None,
    mode_names: Any = None,
    dtype: Any = None,
) -> Model:
    """Reads a model, also that of a checkpoint; content says the form.

    Parameters
    ----------
    path : path
        A model's file: the Tensor Toolbox's text, compressed or not, or Genten's binary form.
    labels : sequence, optional
        For each mode the names of its rows, the path of a file with a name a line, or None. If not
        given, those that were saved with the file.
    mode_names : sequence of str, optional
        Names of the modes; likewise.
    dtype : float32 or float64, optional
        Of weights and factors; float64 if not given.

    Returns
    -------
    Model

    Raises
    ------
    OSError
        For a file that is absent, malformed or damaged.

    Examples
    --------
    >>> import genten, os, tempfile
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genten.cp(X, rank=2).model.save(os.path.join(folder, "model.ktensor"))
    ...     genten.load(os.path.join(folder, "model.ktensor")).rank
    2
    """
    from .model import Model

    name = file_name(path)
    weights, factors = _library.read_model(name, _is_single(dtype))
    beside = read_sidecar(name) if labels is None or mode_names is None else None
    if beside is not None:
        labels = beside.labels if labels is None else labels
        mode_names = beside.mode_names if mode_names is None else mode_names
    return Model(weights, factors, labels, mode_names)


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Writes a model; see `Model.save`."""
    name = file_name(path)
    extension, compression = _split_name(name)
    check_names_to_save(model, name)
    if extension in FOR_OTHERS and compression == "none":
        write_for_others(model, name, extension)
        return
    if extension not in (*_MODEL_TEXTS, *_MODEL_BINARIES):
        kind = ", which is that of a tensor" if extension in _TENSOR_FORMS else ""
        raise ValueError(
            f"{name}: expected a name that ends in {', '.join(_MODEL_TEXTS[1:])} (text, also "
            f"with .gz or .zst), {', '.join(_MODEL_BINARIES)} (binary) or {', '.join(FOR_OTHERS)} "
            f"(for other programs), got {extension}{kind}"
        )
    binary = extension in _MODEL_BINARIES
    if binary and compression != "none":
        raise ValueError(f"{name}: the binary form of a model is not compressed")
    weights, factors = model._packed()
    _library.write_model(weights, factors, name, binary, compression)
    write_sidecar(name, model.shape, model.labels, model.mode_names)


def read_labels(path: str | bytes | os.PathLike[str]) -> list[str]:
    """Reads names of rows, one a line, compressed or not.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    list of str

    Raises
    ------
    OSError
        For a file that is absent, or that has an empty line.

    Examples
    --------
    >>> import genten
    >>> genten.read_labels("data/titanic/class.labels")
    ['1st', '2nd', '3rd', 'Crew']
    """
    return _library.read_labels(file_name(path))


def write_labels(path: str | os.PathLike[str], names: Sequence[str]) -> None:
    """Writes names of rows, one a line.

    Parameters
    ----------
    path : path
        The file, which appears when it is complete.
    names : sequence of str
        The names of all rows of a mode, in their order.

    Raises
    ------
    ValueError
        For a name that is empty, holds a line end or is not in UTF-8, and for None and NaN.
    OSError
        For a file that cannot be written.

    Examples
    --------
    >>> import genten, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genten.write_labels(os.path.join(folder, "days.labels"), ["Monday", "Tuesday"])
    ...     genten.read_labels(os.path.join(folder, "days.labels"))
    ['Monday', 'Tuesday']
    """
    texts = texts_of_names(names, "write_labels: expected names")
    refuse_no_utf8(texts, "write_labels")
    _library.write_labels(file_name(path), texts)


for _function, _table in ((read, READ), (write, WRITE)):
    _function.__doc__ = _table.filled_in(_function.__doc__)
