# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of models: the own ones of Genten, archives of NumPy, and .csv for other programs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import numpy as np

from .. import _core
from .._model.ktensor import Ktensor
from .._model.run_record import origin_of, run_of
from .._model.tucker import tucker_arrays
from .._names.labels import Labels, check_names_to_save
from ..convert.parts import AnyArray, warn
from .archives import is_archive, read_archive, write_archive
from .foreign import way_to_model
from .forms import TENSOR_FORMS, is_single, split_name
from .paths import file_name, written_whole
from .sidecar import read_sidecar, write_sidecar

_TEXTS = ("", ".ktensor", ".txt")
_BINARIES = (".gkt", ".bin")
_TUCKER_TEXTS = ("", ".ttensor", ".txt")


def read_model(
    path: str | os.PathLike[str], labels: Any, mode_names: Any, dtype: Any
) -> tuple[bool, AnyArray, list[Any], Any, Any, dict[str, Any]]:
    """Whether it is a Tucker model, weights or the core, factors, labels and names of modes, which
    are those beside the file where they are not given, and what is known there of the run; see
    `genten.load`."""
    name = file_name(path)
    single = is_single(dtype)
    told: dict[str, Any] | None = None
    if is_archive(name):
        found = read_archive(name, np.float32 if single else np.float64)
        is_tucker, array, factors, told = found.is_tucker, found.array, found.factors, found.run
        labels = found.labels if labels is None else labels
        mode_names = found.mode_names if mode_names is None else mode_names
        if told is None:
            _warn_of_unknown_run(name, is_tucker, mode_names)
    else:
        try:
            is_tucker, array, factors = _core.read_model(name, single)
        except OSError as error:
            if (way := way_to_model(name)) is None:
                raise
            raise OSError(f"{name}: {way}") from error
    # Where all names are given, the run alone is of use.
    beside = read_sidecar(name, quiet=labels is not None and mode_names is not None)
    if beside is not None:
        labels = beside.labels if labels is None else labels
        mode_names = beside.mode_names if mode_names is None else mode_names
    stream = _core.stream_options_in(name) if os.path.isfile(name) else None
    run, base = (told or {}, None) if beside is None else (beside.run, beside.index_base)
    if stream is not None:
        run = run_of({**stream, "solver": "stream"}, origin_of(run))
    elif "loss" not in run and not is_tucker:
        run = {**run, "unknown": name}  # Who goes on with it then says what is assumed.
    if base is not None:
        run = {**run, "index_base": base}
    return is_tucker, array, factors, labels, mode_names, run


def _warn_of_unknown_run(name: str, is_tucker: bool, mode_names: Any) -> None:
    """Warns of an archive that says nothing of a run, as those of others."""
    modes = "" if mode_names is not None else ", nor names of modes"
    loss = "" if is_tucker else ": least squares of all entries are assumed"
    warn(
        f"{name} tells nothing of the run that made it{modes}, as archives that Genten did not "
        f"write{loss}; Genten's own forms do, as .gkt"
    )


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


def _write_npz(model: Ktensor, file: IO[bytes]) -> None:
    weights, factors = model._checked()
    arrays: dict[str, AnyArray] = {"weights": weights}
    arrays.update((f"factor_{mode}", each) for mode, each in enumerate(factors, 1))
    write_archive(arrays, model.labels, model.mode_names, _run_of(model), model.dtype, file)


def _run_of(model: Ktensor) -> dict[str, Any]:
    """What is known of its run, of which the loss may have been set since."""
    loss = {"loss": model.loss, "loss_parameter": model.loss_parameter}
    return {**model._run, **{name: each for name, each in loss.items() if each is not None}}


_EXPORTS = {".csv": _write_csv, ".npz": _write_npz}
"""By the ending what writes a file for other programs. Rows and modes count from 1 there, as the
tool has it."""


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
            f"with .gz or .zst), {', '.join(_BINARIES)} (binary), .npz (of NumPy, which "
            f"genten.load takes, too) or .csv (for other programs), got {extension}{kind}"
        )
    binary = extension in _BINARIES
    if binary and compression != "none":
        raise ValueError(f"{name}: the binary form of a model is not compressed")
    weights, factors = model._packed()
    _core.write_model(weights, factors, name, binary, compression)
    run = _run_of(model)
    write_sidecar(
        name, model.shape, model.labels, model.mode_names, run.get("index_base"), run
    )


def write_tucker_model(
    core: AnyArray,
    factors: Sequence[AnyArray | None],
    labels: Labels,
    mode_names: Sequence[str] | None,
    path: str | os.PathLike[str],
    run: Mapping[str, Any],
) -> None:
    """Writes a Tucker model of arrays of one type, and what is known of its run; see
    `TuckerModel.save`."""
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
            write_archive(arrays, labels, mode_names, run, core.dtype, file)
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
    _core.write_tucker_model(*tucker_arrays(core, factors), name, binary, compression)
    write_sidecar(name, shape, labels, mode_names, run.get("index_base"), run)
