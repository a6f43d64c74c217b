# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Subscripts, values and shape, brought into the types that the extension takes."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]


@dataclass
class Parts:
    """A sparse tensor in pieces: `subscripts` is a nnz x N matrix, or a list of N vectors."""

    subscripts: AnyArray | list[AnyArray]
    values: AnyArray
    shape: tuple[int, ...]
    labels: list[Sequence[str] | None] | None = None
    mode_names: list[str] | None = None


def loaded(module: str) -> Any:
    """The module if somebody has imported it, else None."""
    return sys.modules.get(module)


def host_array(data: Any) -> AnyArray:
    """A NumPy array of anything that is like one, from a device where that must be."""
    if isinstance(data, np.ndarray):
        return data
    if hasattr(data, "detach") and hasattr(data, "cpu"):  # PyTorch
        return np.asarray(data.detach().cpu().numpy())
    if hasattr(data, "get") and hasattr(data, "__cuda_array_interface__"):  # CuPy
        return np.asarray(data.get())
    if hasattr(data, "__dlpack__") and not hasattr(data, "__array__"):
        try:
            return np.from_dlpack(data)
        except (BufferError, RuntimeError, ValueError):
            return np.from_dlpack(data, device="cpu")  # NumPy 2.1 and later copy from devices
    return np.asarray(data)


def _native(array: AnyArray) -> AnyArray:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def as_values(data: Any, dtype: Any = None) -> AnyArray:
    """Values as contiguous float32 or float64: float32 and float16 become float32, the rest
    float64, unless `dtype` says."""
    array = host_array(data)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"values: expected a vector, got an array of shape {array.shape}")
    if array.dtype.kind not in "fiub":
        raise ValueError(f"values: expected real numbers, got {array.dtype}")
    if dtype is None:
        single = array.dtype.kind == "f" and array.dtype.itemsize <= 4
        dtype = np.float32 if single else np.float64
    return np.require(array, np.dtype(dtype), ["C", "A"])


def as_subscripts(data: Any) -> AnyArray:
    """Subscripts as integers of the machine's byte order; others must be whole numbers."""
    array = host_array(data)
    if array.size == 0 and array.dtype.kind not in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "O":
        try:
            flat = [operator.index(each) for each in array.ravel()]
        except TypeError:
            raise ValueError("subscripts: expected whole numbers, got objects") from None
        return np.array(flat, dtype=np.int64).reshape(array.shape)
    if array.dtype.kind == "f":
        whole = np.isfinite(array)
        whole &= np.floor(np.where(whole, array, 0)) == array
        if not whole.all():
            where = np.argwhere(~whole)[0]
            value = array[tuple(where)]
            raise ValueError(
                f"subscripts: nonzero {where[0]}: expected a whole number, got {value}"
            )
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"subscripts: expected whole numbers, got {array.dtype}")
    return _native(array)


def as_shape(shape: Any) -> tuple[int, ...]:
    """Lengths of modes as Python integers."""
    try:
        lengths = tuple(operator.index(length) for length in shape)
    except TypeError:
        raise TypeError(f"shape: expected whole numbers, got {shape!r}") from None
    if any(length < 0 for length in lengths):
        raise ValueError(f"shape: expected lengths of at least 0, got {lengths}")
    return lengths


def _lengths(subscripts: AnyArray | list[AnyArray]) -> tuple[int, ...]:
    columns = subscripts if isinstance(subscripts, list) else list(subscripts.T)
    return tuple(int(column.max()) + 1 if column.size else 0 for column in columns)


def from_arrays(subscripts: Any, values: Any, shape: Any = None, dtype: Any = None) -> Parts:
    """Parts of a nnz x N matrix of subscripts, or a list or tuple of N vectors; without a shape
    the largest subscripts say it."""
    numbers = as_values(values, dtype)
    taken: AnyArray | list[AnyArray]
    if isinstance(subscripts, (list, tuple)) and all(
        hasattr(each, "shape") for each in subscripts
    ):
        taken = [as_subscripts(each) for each in subscripts]
    else:
        taken = as_subscripts(subscripts)
        if taken.ndim != 2:
            raise ValueError(
                "subscripts: expected a matrix, a row a nonzero, or a vector a mode, got an array "
                f"of shape {taken.shape}"
            )
    return Parts(taken, numbers, _lengths(taken) if shape is None else as_shape(shape))


def refuse_hints(kind: str, **hints: Any) -> None:
    """Complains of arguments of `tensor` that mean nothing for this kind of data."""
    for name, value in hints.items():
        if value is not None:
            raise TypeError(f"{name}: means nothing for {kind}")
