# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models in files for other programs, as the tool writes them: .csv and .npz."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from .._model.ktensor import Ktensor
from ..convert.parts import AnyArray
from .paths import written_whole


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
    import zipfile  # not for those who write none

    weights, factors = model._checked()
    arrays: dict[str, AnyArray] = {"weights": weights}
    arrays.update((f"factor_{mode}", each) for mode, each in enumerate(factors, 1))
    for mode, names in enumerate(model.labels, 1):
        if names is not None:
            arrays[f"labels_{mode}"] = np.array(names, np.str_)
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            # Without a time of writing equal models are equal files.
            member = zipfile.ZipInfo(f"{name}.npy")
            with archive.open(member, "w", force_zip64=True) as place:
                kind = array.dtype if array.dtype.kind == "U" else model.dtype
                packed = np.require(array, kind.newbyteorder("<"), ["C"])
                np.lib.format.write_array(place, packed, version=(1, 0), allow_pickle=False)


_WRITERS = {".csv": _write_csv, ".npz": _write_npz}
FOR_OTHERS = tuple(_WRITERS)
"""Endings of files that Genten writes for other programs, and does not read back."""


def write_for_others(model: Ktensor, path: str | os.PathLike[str], extension: str) -> None:
    """Writes a model as one of `FOR_OTHERS`; the file appears when it is complete.

    Rows and modes count from 1 there, as the tool has it.

    Raises
    ------
    OSError
        For a file that cannot be written.
    """
    with written_whole(path) as file:
        _WRITERS[extension](model, file)
