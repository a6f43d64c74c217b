# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in other types: which of them these hold, and which they round."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]

EXACT = {np.dtype(np.float32): 2**24, np.dtype(np.float64): 2**53}
"""Whole numbers up to here are what they are as such floats."""


def is_finite(array: AnyArray) -> bool:
    """Whether all elements are, by one pass that stores nothing."""
    with np.errstate(invalid="ignore", over="ignore"):
        total = array.sum()
    return bool(np.isfinite(total)) or bool(np.isfinite(array).all())


def narrowed(array: AnyArray, wanted: Any) -> AnyArray:
    """The array in rows of another type: itself where it is that already. Numbers beyond the type
    become infinite or 0, without a word of NumPy's."""
    with np.errstate(over="ignore", under="ignore"):
        return np.require(array, wanted, ["C", "A"])


def _is_narrower(array: AnyArray, taken: AnyArray) -> bool:
    return array.dtype.kind == "f" and array.dtype.itemsize > taken.dtype.itemsize


def held(array: AnyArray, taken: AnyArray) -> npt.NDArray[np.bool_]:
    """Where `taken` has neither an infinity nor a 0 in place of a finite number of `array`."""
    if not _is_narrower(array, taken):
        return np.ones(array.shape, dtype=bool)
    return np.asarray(((taken != 0) | (array == 0)) & (np.isfinite(taken) | ~np.isfinite(array)))


def held_columns(array: AnyArray, taken: AnyArray) -> npt.NDArray[np.bool_]:
    """By column of a matrix, or by element of a vector, whether `taken` still says what `array`
    does: nothing became infinite, and not all of it 0."""
    if not _is_narrower(array, taken):
        return np.ones(array.shape[-1], dtype=bool)
    rows, theirs = np.atleast_2d(array), np.atleast_2d(taken)
    finite = (np.isfinite(theirs) | ~np.isfinite(rows)).all(axis=0)
    whole: npt.NDArray[np.bool_] = finite & ((theirs != 0).any(axis=0) | (rows == 0).all(axis=0))
    return whole


def rounding_of(array: AnyArray, taken: AnyArray, *, asked: bool) -> str:
    """What to say where whole numbers are others in `taken`, and where long doubles are that
    nobody has `asked` to narrow; "" elsewhere."""
    if array.dtype.kind in "iu" and _is_rounded(array, taken):
        bits = EXACT[taken.dtype].bit_length() - 1
        return f"integers beyond 2**{bits} are rounded to {taken.dtype}"
    if not _is_narrower(array, taken) or np.array_equal(array, taken):
        return ""
    if not asked:
        return f"numbers of {array.dtype} are rounded to {taken.dtype}"
    whole = bool((np.rint(array) == array).all())
    return f"whole numbers are rounded to {taken.dtype}" if whole else ""


def _is_rounded(whole: AnyArray, taken: AnyArray) -> bool:
    """Whether some of the integers `whole` are others as the floats `taken`."""
    exact = EXACT[taken.dtype]
    if whole.size == 0 or np.iinfo(whole.dtype).max <= exact:
        return False
    if int(whole.max()) <= exact and int(whole.min()) >= -exact:
        return False
    limits = np.iinfo(whole.dtype)
    beyond = 2.0 ** (limits.bits - (whole.dtype.kind == "i"))
    with np.errstate(invalid="ignore"):  # what is rounded up to `beyond` is no integer any more
        back = taken.astype(whole.dtype)
    return bool(((back != whole) | (taken >= beyond)).any())


def of_decimals(types: Any, column: Any) -> Any:
    """A column of decimals of Arrow as integers, where all are whole, so that others warn of those
    that are rounded, else as floats; one of another type as it is."""
    if not types.is_decimal(column.type):
        return column
    try:
        return column.cast("int64" if column.type.scale == 0 else "float64")
    except ValueError:  # of integers that are too large
        return column.cast("float64")
