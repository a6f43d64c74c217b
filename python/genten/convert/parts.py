# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Subscripts, values and shape, brought into the types that the extension takes."""

from __future__ import annotations

import importlib
import operator
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .numbers import EXACT, held, narrowed, rounding_of

AnyArray = npt.NDArray[Any]

NUMBERS_OF = {
    "c": "; numpy.abs and numpy.real make real numbers of complex ones",
    "m": "; values / numpy.timedelta64(1, 's') are seconds",
    "M": "; (values - values.min()) / numpy.timedelta64(1, 's') are seconds",
}
"""By kinds of arrays of something else, what makes real numbers of it."""

LONGEST = 2**63 - 1
"""The length that no mode may exceed."""

def imported(module: str, need: str) -> Any:
    """A module of another library, which need not be there.

    Raises
    ------
    ImportError
        With who needs what, and how it is installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{need}: pip install {module.partition('.')[0]}") from error


@dataclass
class Parts:
    """A sparse tensor in pieces: `subscripts` is a nnz x N matrix, or a list of N vectors;
    `distinct` says that it is known that no two nonzeros have the same subscripts, `own` that
    nobody else has the arrays, `duplicates` what becomes of nonzeros with the same subscripts where
    nobody says, `is_table` that its rows are those of a table's columns, `of_truths` that its
    values were True and False."""

    subscripts: AnyArray | list[AnyArray]
    values: AnyArray
    shape: tuple[int, ...]
    labels: list[Sequence[str] | None] | None = None
    mode_names: list[str] | None = None
    distinct: bool = False
    own: bool = False
    duplicates: str | None = None
    is_table: bool = False
    of_truths: bool = False


def loaded(module: str) -> Any:
    """The module if somebody has imported it, else None."""
    return sys.modules.get(module)


def warn(message: str) -> None:
    """Gives a warning that names the line from which the package was called."""
    level, frame = 2, sys._getframe(1)
    package = __name__.partition(".")[0]
    while frame.f_back and frame.f_back.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level + 1)


def shown(value: Any, most: int = 80) -> str:
    """What messages show of a value: what it looks like, cut off behind a word where it is long.

    Examples
    --------
    >>> shown([1, 2]), shown("one two three", 12)
    ('[1, 2]', "'one two ...")
    """
    text = repr(value)
    if len(text) <= most:
        return text
    kept = text[: most - 3]
    return f"{kept[: kept.rfind(' ') + 1] or kept}..."


def checked_dtype(dtype: Any) -> np.dtype[Any]:
    """The type of values as the machine has it.

    Raises
    ------
    ValueError
        For another than float32 and float64.
    """
    wanted: np.dtype[Any] = np.dtype(dtype).newbyteorder("=")
    if wanted not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise ValueError(f"dtype: expected float32 or float64, got {np.dtype(dtype)}")
    return wanted


def host_array(
    data: Any, what: str, instead: str = "fill them or leave them out"
) -> AnyArray:
    """A NumPy array of anything that is like one, from a device where that must be; `what` is its
    name in messages, and `instead` the way out for masked elements."""
    if isinstance(data, np.ma.MaskedArray):
        masked = int(np.ma.getmaskarray(data).sum())
        if masked:
            raise ValueError(
                f"{what}: expected an array without masked elements, got {masked}; {instead}"
            )
        return np.asarray(data.data)
    if isinstance(data, np.ndarray):
        return np.asarray(data)  # Of a matrix every part would be a matrix again.
    if hasattr(data, "detach") and hasattr(data, "cpu"):  # PyTorch
        return np.asarray(data.detach().cpu().numpy())
    if hasattr(data, "get") and hasattr(data, "__cuda_array_interface__"):  # CuPy
        return np.asarray(data.get())
    if hasattr(data, "__dlpack__") and not hasattr(data, "__array__"):
        try:
            return np.from_dlpack(data)
        except (BufferError, RuntimeError, ValueError):
            return np.from_dlpack(data, device="cpu")  # NumPy 2.1 and later copy from devices
    try:
        return np.asarray(data)
    except ValueError:  # Lists of several lengths.
        raise ValueError(f"{what}: expected rows of one length, got {shown(data)}") from None


def _native(array: AnyArray) -> AnyArray:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def as_values(data: Any, dtype: Any = None) -> AnyArray:
    """Values as contiguous float32 or float64: float32 and float16 become float32, the rest
    float64, unless `dtype` says. Gives a warning where whole numbers are rounded.

    Raises
    ------
    ValueError
        For values that would become infinite or 0, and for what is no vector of real numbers.
    """
    single = np.dtype(np.float32)
    array = host_array(data, "values")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"values: expected a vector, got an array of shape {array.shape}")
    if array.dtype.kind not in "fiub":
        texts = array.dtype.kind in "OSUT" and any(isinstance(each, str) for each in array)
        objects = "; numpy.array(values, dtype=float) makes numbers of objects, and NaN of None"
        hint = objects if array.dtype.kind == "O" else NUMBERS_OF.get(array.dtype.kind, "")
        hint = _OF_TEXTS if texts else hint
        raise ValueError(f"values: expected real numbers, got {array.dtype}{hint}")
    if dtype is not None:
        wanted = checked_dtype(dtype)
    else:
        small = array.dtype.kind == "f" and array.dtype.itemsize <= 4
        wanted = single if small else np.dtype(np.float64)
    taken = narrowed(array, wanted)
    lost = ~held(array, taken)
    if lost.any():
        at = int(lost.argmax())
        raise ValueError(
            f"values: nonzero {at}: expected what {wanted} holds, got {array[at]!s}, which "
            f"would become {taken[at]}"
        )
    warn_of_rounding(array, taken, "values", asked=dtype is not None)
    return taken


def warn_of_rounding(array: AnyArray, taken: AnyArray, what: str, *, asked: bool) -> None:
    """Gives a warning where whole numbers are others in `taken`, and where long doubles are that
    nobody has `asked` to narrow."""
    if text := rounding_of(array, taken, asked=asked):
        warn(f"{what}: {text}")


def of_integers(items: Sequence[int]) -> AnyArray:
    """Integers of any size as an array: of numbers where 64 bits hold them, else of floats, with a
    warning where these are others."""
    if max(map(abs, items)) < 2**63:
        return np.array(items)
    taken = np.array(items, dtype=np.float64)
    if [int(each) for each in taken] != list(items):
        warn("values: integers beyond 2**53 are rounded to float64")
    return taken


def as_subscripts(data: Any) -> AnyArray:
    """Subscripts as integers of the machine's byte order; others must be whole numbers."""
    array = host_array(data, "subscripts")
    if array.ndim == 0:
        raise ValueError(f"subscripts: expected an array, a row a nonzero, got {array[()]!r}")
    if array.size == 0 and array.dtype.kind not in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "O":
        try:
            flat = [operator.index(each) for each in array.ravel()]
        except TypeError:
            wrong = _no_index(array)
            raise ValueError(f"subscripts: expected whole numbers, got {wrong}") from None
        for at, value in enumerate(flat):
            if not -LONGEST <= value < LONGEST:
                where = np.unravel_index(at, array.shape)
                raise ValueError(_too_large(int(where[0]), value))
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
        far = np.abs(array) >= np.float64(2**63)
        if far.any():
            where = np.argwhere(far)[0]
            raise ValueError(_too_large(int(where[0]), array[tuple(where)]))
        limit = EXACT.get(array.dtype, 2**53)
        if (np.abs(array) > limit).any():
            warn(
                f"subscripts: whole numbers beyond 2**{limit.bit_length() - 1} are rounded in "
                f"{array.dtype}: those here may be other ids than were meant; take them from "
                "integers or texts"
            )
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        way = _OF_TEXTS if array.dtype.kind in "SUT" else ""
        if array.dtype.kind == "b":
            way = "; numpy.argwhere(mask) has those of a mask"
        raise ValueError(f"subscripts: expected whole numbers, got {array.dtype}{way}")
    return _native(array)


_OF_TEXTS = (
    "; texts name rows in a table: genten.tensor(pandas.DataFrame({'user': users, 'item': items, "
    "'value': values}), values='value')"
)


def _no_index(array: AnyArray) -> str:
    """What messages say of the first object that is no whole number."""
    wrong = next(each for each in array.ravel() if not hasattr(each, "__index__"))
    return f"objects, as {shown(wrong)}{_OF_TEXTS if isinstance(wrong, (str, bytes)) else ''}"


def _too_large(nonzero: int, value: Any) -> str:
    return f"subscripts: nonzero {nonzero}: expected a subscript from 0 to 2**63 - 2, got {value}"


def as_shape(shape: Any) -> tuple[int, ...]:
    """Lengths of modes as Python integers."""
    try:
        lengths = tuple(operator.index(length) for length in shape)
    except TypeError:
        raise TypeError(f"shape: expected whole numbers, got {shape!r}") from None
    if any(length < 0 for length in lengths):
        raise ValueError(f"shape: expected lengths of at least 0, got {lengths}")
    if any(length > LONGEST for length in lengths):
        raise ValueError(f"shape: expected lengths of at most 2**63 - 1, got {lengths}")
    return lengths


def columns_of(subscripts: AnyArray | list[AnyArray]) -> list[AnyArray]:
    """The subscripts by mode."""
    return subscripts if isinstance(subscripts, list) else list(subscripts.T)


def lengths_of(subscripts: AnyArray | list[AnyArray]) -> tuple[int, ...]:
    """The lengths that the largest subscripts say."""
    columns = columns_of(subscripts)
    lengths = tuple(max(int(column.max()) + 1, 0) if column.size else 0 for column in columns)
    for column, length in zip(columns, lengths, strict=True):
        if length > LONGEST:
            raise ValueError(_too_large(int(column.argmax()), length - 1))
    return lengths


def warn_of_base_1(
    subscripts: AnyArray | list[AnyArray], names: Sequence[Any] | None = None
) -> None:
    """Gives a warning of subscripts of which the least is 1 in every mode, as where they count
    from 1; for those who know, and give a shape, there is none. Of a table, whose modes have these
    names, each mode is told of that begins so."""
    columns = columns_of(subscripts)
    from_1 = [n for n, each in enumerate(columns) if len(each) > 0 and int(each.min()) == 1]
    if not from_1 or (names is None and len(from_1) < len(columns)):
        return
    ids = "genten.tensor(..., index_base=0).compact(), where they are ids, leaves it out"
    if names is None:
        where, way = "every mode", "if these count from 1, subtract 1, or give index_base=1 with a "
        way += "table; else give a shape"
    else:
        where = " and ".join(f"column {names[n]!r}" for n in from_1)
        way = f"if these count from 1, give index_base=1; {ids}; index_base=0 says that it is meant"
        if any(len(each) > 0 and int(each.min()) == 0 for each in columns):
            way = ids
    warn(
        f"subscripts: the least is 1 in {where}; here they count from 0, so that row 0 of "
        f"{'each mode' if len(from_1) > 1 else 'the mode'} is empty, and takes part in models and "
        f"in errors of all entries: {way}"
    )


def _is_array(data: Any) -> bool:
    return any(hasattr(data, name) for name in ("shape", "__dlpack__", "__array__"))


def _refuse_ragged(lists: Any) -> None:
    lengths = {len(each) if hasattr(each, "__len__") else -1 for each in lists}
    if len(lengths) > 1:
        raise ValueError(
            f"subscripts: expected lists of one length, got {min(lengths)} and {max(lengths)}"
            if -1 not in lengths
            else "subscripts: expected lists of one length, got numbers among them"
        )


def from_arrays(
    subscripts: Any, values: Any, shape: Any = None, dtype: Any = None, distinct: bool = False
) -> Parts:
    """Parts of a nnz x N matrix of subscripts, or a list or tuple of N vectors; without a shape
    the largest subscripts say it. Lists of plain numbers are either, as the number of values says.
    `distinct` says that nobody has to look for nonzeros with the same subscripts.
    """
    given = host_array(values, "values")
    numbers = as_values(given, dtype)
    taken: AnyArray | list[AnyArray]
    several = isinstance(subscripts, (list, tuple)) and len(subscripts) > 0
    if several and any(_is_array(each) for each in subscripts):
        taken = [as_subscripts(each) for each in subscripts]
    else:
        if several:
            _refuse_ragged(subscripts)
        taken = as_subscripts(subscripts)
        if taken.ndim != 2:
            raise ValueError(
                "subscripts: expected a matrix, a row a nonzero, or a vector a mode, got an array "
                f"of shape {taken.shape}"
            )
        if several and taken.shape[1] == len(numbers):
            if taken.shape[0] == len(numbers) > 1:
                raise ValueError(
                    f"subscripts: {len(numbers)} lists of {len(numbers)} numbers may be rows, one "
                    "a nonzero, or columns, one a mode; expected an array, nnz x N, or a list of "
                    "arrays, one a mode"
                )
            taken = list(taken)
    if isinstance(taken, np.ndarray) and len(taken) != len(numbers) == taken.shape[1]:
        raise ValueError(
            f"subscripts: expected an array of {len(numbers)} x N, a row for each value, got "
            f"{len(taken)} x {len(numbers)}: give subscripts.T, or a list of arrays, one a mode"
        )
    if shape is None:
        warn_of_base_1(taken)
    lengths = lengths_of(taken) if shape is None else as_shape(shape)
    is_of_truths = given.dtype.kind == "b"
    return Parts(taken, numbers, lengths, distinct=distinct, of_truths=is_of_truths)


def of_base_1(subscripts: AnyArray | list[AnyArray], shape: Sequence[int]) -> str:
    """What to do about subscripts from 1 to the lengths of the modes, of which the last are too
    large; "" of others.

    Examples
    --------
    >>> of_base_1(np.array([[1, 1], [2, 3]]), (2, 3)).partition(":")[2]
    ' subtract 1 from subscripts that count from 1'
    >>> of_base_1(np.array([[0, 1], [2, 3]]), (2, 3))
    ''
    """
    columns = columns_of(subscripts)
    if len(columns) != len(shape) or any(len(each) == 0 for each in columns):
        return ""
    fits = all(int(each.max()) <= n for each, n in zip(columns, shape, strict=True))
    if not fits or any(int(each.min()) != 1 for each in columns):
        return ""
    return (
        "; the least is 1 in every mode, and here they count from 0: subtract 1 from subscripts "
        "that count from 1"
    )


def refuse_hints(kind: str, **hints: Any) -> None:
    """Complains of arguments of `tensor` that have no effect for this kind of data."""
    for name, value in hints.items():
        if value is not None:
            raise TypeError(f"{name}: has no effect for {kind}: leave it out")
