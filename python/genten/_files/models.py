# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of models: the own ones of Genten, and .csv and .npz for other programs, as of the tool."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import IO, Any

import numpy as np

from .. import _library
from .._model.ktensor import Ktensor
from .._model.tucker import tucker_arrays
from .._names.labels import Labels, check_names_to_save
from ..convert.parts import AnyArray
from .forms import TENSOR_FORMS, is_single, split_name
from .paths import file_name, written_whole
from .sidecar import read_sidecar, write_sidecar

_TEXTS = ("", ".ktensor", ".txt")
_BINARIES = (".gkt", ".bin")
_TUCKER_TEXTS = ("", ".ttensor", ".txt")


def read_model(
    path: str | os.PathLike[str], labels: Any, mode_names: Any, dtype: Any
) -> tuple[bool, AnyArray, list[Any], Any, Any, tuple[str | None, float | None]]:
    """Whether it is a Tucker model, weights or the core, factors, labels and names of modes, which
    are those beside the file where they are not given, and the loss there; see `genten.load`."""
    name = file_name(path)
    is_tucker, array, factors = _library.read_model(name, is_single(dtype))
    # Where all names are given, the loss alone is of use.
    beside = read_sidecar(name, quiet=labels is not None and mode_names is not None)
    if beside is not None:
        labels = beside.labels if labels is None else labels
        mode_names = beside.mode_names if mode_names is None else mode_names
    loss = (None, None) if beside is None else beside.loss
    return is_tucker, array, factors, labels, mode_names, loss


def _digits(number: Any) -> str:
    """The shortest digits that read back to the same number, in the shorter form, as C++ has it."""
    if 1e-3 <= abs(number) < 1e5 or number == 0:
        return str(number).removesuffix(".0")
    fixed = np.format_float_positional(number, trim="-")
    scientific = np.format_float_scientific(number, trim="-", exp_digits=2)
    return fixed if len(fixed) <= len(scientific) else scientific


def _field(name: str) -> str:
    """In quotes where something in it would be taken for the table's."""
    quoted = any(sign in name for sign in ',"\r\n')
    return '"' + name.replace('"', '""') + '"' if quoted else name


def _csv_lines(model: Ktensor) -> Iterator[str]:
    model._checked()
    yield ",".join(["mode,row,name", *(f"component_{r}" for r in range(1, model.rank + 1))])
    yield ",".join(["0,0,weight", *map(_digits, model.weights.astype(model.dtype))])
    for mode, factor in enumerate(model.factors):
        names = model.labels[mode]
        for row, numbers in enumerate(factor.astype(model.dtype, copy=False)):
            name = "" if names is None else _field(names[row])
            yield ",".join([f"{mode + 1},{row + 1},{name}", *map(_digits, numbers)])


def _write_csv(model: Ktensor, file: IO[bytes]) -> None:
    for line in _csv_lines(model):
        file.write(f"{line}\n".encode(errors="surrogateescape"))


def _write_arrays(
    arrays: dict[str, AnyArray], labels: Labels, dtype: Any, file: IO[bytes]
) -> None:
    """An archive of NumPy's, with the names of rows."""
    import zipfile  # not for those who write none

    for mode, names in enumerate(labels, 1):
        if names is not None:
            arrays[f"labels_{mode}"] = np.array(names, np.str_)
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            # Without a time of writing equal models are equal files.
            member = zipfile.ZipInfo(f"{name}.npy")
            with archive.open(member, "w", force_zip64=True) as place:
                kind = array.dtype if array.dtype.kind == "U" else dtype
                little = kind.newbyteorder("<")
                packed = np.asarray(array, little, order="F" if name == "core" else "C")
                np.lib.format.write_array(place, packed, version=(1, 0), allow_pickle=False)


def _write_npz(model: Ktensor, file: IO[bytes]) -> None:
    weights, factors = model._checked()
    arrays: dict[str, AnyArray] = {"weights": weights}
    arrays.update((f"factor_{mode}", each) for mode, each in enumerate(factors, 1))
    _write_arrays(arrays, model.labels, model.dtype, file)


_EXPORTS = {".csv": _write_csv, ".npz": _write_npz}
"""By the ending what writes a file for other programs, which Genten does not read back. Rows and
modes count from 1 there, as the tool has it."""


def write_model(model: Ktensor, path: str | os.PathLike[str]) -> None:
    """Writes a model; see `Model.save`."""
    name = file_name(path)
    extension, compression = split_name(name)
    check_names_to_save(model.labels, model.shape, model.mode_names, name)
    if extension in _EXPORTS and compression == "none":
        with written_whole(name) as file:
            _EXPORTS[extension](model, file)
        return
    if extension not in (*_TEXTS, *_BINARIES):
        kind = ", which is that of a tensor" if extension in TENSOR_FORMS else ""
        raise ValueError(
            f"{name}: expected a name that ends in {', '.join(_TEXTS[1:])} (text, also "
            f"with .gz or .zst), {', '.join(_BINARIES)} (binary) or {', '.join(_EXPORTS)} "
            f"(for other programs), got {extension}{kind}"
        )
    binary = extension in _BINARIES
    if binary and compression != "none":
        raise ValueError(f"{name}: the binary form of a model is not compressed")
    weights, factors = model._packed()
    _library.write_model(weights, factors, name, binary, compression)
    loss = (model.loss, model.loss_parameter)
    write_sidecar(name, model.shape, model.labels, model.mode_names, loss=loss)


def write_tucker_model(
    core: AnyArray,
    factors: Sequence[AnyArray | None],
    labels: Labels,
    mode_names: Sequence[str] | None,
    path: str | os.PathLike[str],
) -> None:
    """Writes a Tucker model of arrays of one type; see `TuckerModel.save`."""
    name = file_name(path)
    extension, compression = split_name(name)
    shape = tuple(
        rank if factor is None else len(factor)
        for rank, factor in zip(core.shape, factors, strict=True)
    )
    check_names_to_save(labels, shape, mode_names, name)
    if extension == ".npz" and compression == "none":
        arrays: dict[str, AnyArray] = {"core": core}
        for mode, each in enumerate(factors, 1):
            if each is not None:
                arrays[f"factor_{mode}"] = each
        with written_whole(name) as file:
            _write_arrays(arrays, labels, core.dtype, file)
        return
    if extension not in (*_TUCKER_TEXTS, *_BINARIES):
        raise ValueError(
            f"{name}: expected a name that ends in {', '.join(_TUCKER_TEXTS[1:])} (text, also with "
            f".gz or .zst), {', '.join(_BINARIES)} (binary) or .npz (for other programs), "
            f"got {extension}"
        )
    binary = extension in _BINARIES
    if binary and compression != "none":
        raise ValueError(f"{name}: the binary form of a model is not compressed")
    _library.write_tucker_model(*tucker_arrays(core, factors), name, binary, compression)
    write_sidecar(name, shape, labels, mode_names)
