# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models as archives of NumPy, .npz."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from .._model.arrays import checked_arrays
from .._model.tucker import checked_tucker_arrays
from .._names.labels import Labels, number_modes, with_numbers
from ..convert.parts import AnyArray
from .sidecar import checked_run, known_of_run


def is_archive(path: str) -> bool:
    """Whether a file begins as zip archives do; of one that cannot be read others complain."""
    if not os.path.isfile(path):  # What is read of a pipe is gone.
        return False
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


@dataclass(frozen=True)
class Archive:
    """What an archive tells of a model: weights or the core, factors, names of rows and of modes,
    and of the run that made it, which is None where it does not say anything of one."""

    is_tucker: bool
    array: AnyArray
    factors: list[Any]
    labels: Labels | None
    mode_names: list[str] | None
    run: dict[str, Any] | None


def read_archive(path: str, dtype: Any) -> Archive:
    """The model of an archive.

    Raises
    ------
    OSError
        For an archive that is damaged or has no model.
    """
    import zipfile  # not for those who read none
    import zlib

    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        return _understood(arrays, dtype)
    except (ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise OSError(f"{path}: {error}") from None


def _understood(arrays: dict[str, AnyArray], dtype: Any) -> Archive:
    is_tucker = "core" in arrays
    first = "core" if is_tucker else "weights"
    numbered = [name.removeprefix("factor_") for name in arrays if name.startswith("factor_")]
    numbers = {int(each) for each in numbered if each.isdecimal() and each.isascii()}
    order = np.ndim(arrays[first]) if is_tucker else max(numbers, default=0)
    modes = range(1, order + 1)
    known = {f"{kind}_{mode}" for kind in ("factor", "labels") for mode in modes}
    known |= {first, "number_names", "mode_names", "run"}
    if first not in arrays or not known.issuperset(arrays):
        raise ValueError(
            "expected an archive of a model: weights, or the core of a Tucker model, factor_1, "
            f"factor_2, ..., labels_n where mode n has names, number_names, mode_names and run, "
            f"got {', '.join(arrays)}"
        )
    if not is_tucker and len(numbers) != order:
        lacks = min(set(modes) - numbers)
        raise ValueError(f"expected factor_1 to factor_{order}, got none for mode {lacks}")
    factors = [arrays.get(f"factor_{mode}") for mode in modes]
    check = checked_tucker_arrays if is_tucker else checked_arrays
    array, taken = check(arrays[first], factors)
    lengths = [
        np.shape(array)[mode] if each is None else len(each) for mode, each in enumerate(taken)
    ]
    labels = [_names(arrays, f"labels_{mode}", length) for mode, length in enumerate(lengths, 1)]
    named = any(names is not None for names in labels)
    return Archive(
        is_tucker,
        np.asarray(array, dtype),
        [None if each is None else np.asarray(each, dtype) for each in taken],
        with_numbers(labels, _number_modes(arrays)) if named else None,
        _names(arrays, "mode_names", order),
        _run(arrays),
    )


def _names(arrays: Mapping[str, AnyArray], member: str, length: int) -> list[str] | None:
    names = arrays.get(member)
    if names is None:
        return None
    if names.dtype.kind != "U" or names.shape != (length,):
        raise ValueError(
            f"{member}: expected {length} texts, got {names.dtype} of shape {names.shape}"
        )
    return [str(name) for name in names]


def _run(arrays: Mapping[str, AnyArray]) -> dict[str, Any] | None:
    if "run" not in arrays:
        return None
    text = arrays["run"]
    try:
        record = json.loads(str(text[()])) if text.dtype.kind == "U" and text.ndim == 0 else None
        if not isinstance(record, dict):
            raise TypeError
        if record.get("index_base", 0) not in (0, 1):
            raise ValueError(f"its index_base is {record['index_base']!r}")
        return checked_run(record) if record else {}
    except (KeyError, TypeError, ValueError) as error:
        why = f": {error}" if type(error) is ValueError else ""
        raise ValueError(f"run: expected what is known of a model's run, as JSON{why}") from None


def _number_modes(arrays: Mapping[str, AnyArray]) -> list[int]:
    modes = arrays.get("number_names", np.empty(0, np.int64))
    if modes.dtype.kind not in "iu" or modes.ndim != 1:
        raise ValueError(f"number_names: expected numbers of modes, got {modes.dtype}")
    return [int(mode) for mode in modes]


def write_archive(
    arrays: dict[str, AnyArray],
    labels: Labels,
    mode_names: Sequence[str] | None,
    run: Mapping[str, Any],
    dtype: Any,
    file: IO[bytes],
) -> None:
    """Arrays of a type, the names of rows and modes, and what is known of the model's run."""
    import zipfile  # not for those who write none

    for mode, names in enumerate(labels, 1):
        if names is not None:
            arrays[f"labels_{mode}"] = np.array(names, np.str_)
    if numbers := number_modes(labels):
        arrays["number_names"] = np.array(numbers, np.int64)
    if mode_names is not None:
        arrays["mode_names"] = np.array(mode_names, np.str_)
    record = known_of_run(run) or {}
    if record and run.get("index_base") is not None:
        record["index_base"] = run["index_base"]
    arrays["run"] = np.array(json.dumps(record, ensure_ascii=False), np.str_)
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            # Without a time of writing equal models are equal files.
            member = zipfile.ZipInfo(f"{name}.npy")
            with archive.open(member, "w", force_zip64=True) as place:
                kind = array.dtype if array.dtype.kind in "Ui" else dtype
                little = kind.newbyteorder("<")
                packed = np.asarray(array, little, order="F" if name == "core" else "C")
                np.lib.format.write_array(place, packed, version=(1, 0), allow_pickle=False)
