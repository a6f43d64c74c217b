# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Entries that are missing, as `cp`, `evaluate` and others take them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._files.paths import file_name
from ._input import read_entries, tensor
from ._model.run_record import entry_facts, repeated, table_base
from ._names.lookup import Rows, called, refuse_arrays, subscripts_of
from ._names.numbers import refuse_beyond, some_of
from ._names.text_order import warn_of_text_order
from ._model.row_numbers import numbers_in
from ._options import nearest
from .convert import dense_values, frames, pyttb, xarray
from .convert.parts import host_array, shown, warn
from .tensors import Tensor, as_long_as, relabelled

UNLISTED, NONE, LISTED = "unlisted", "none", "listed"
"""All entries that the tensor does not list are missing; none are; those of a list are."""
_NO_NAN = (
    "; a tensor has no NaN: 'unlisted' says that all entries are missing that it does not list"
)
_NOT_THERE = "; the tensor has no such rows: leave these entries out"


def has_mask(X: Any) -> bool:
    """Whether that is a masked array with masked elements, which says itself what is missing."""
    return isinstance(X, np.ma.MaskedArray) and bool(np.ma.getmaskarray(X).any())


def without_missing(X: Any, missing: Any, run: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
    """Data and what is missing of them: a dense array is a copy with zeros where a mask of its
    shape, or subscripts, say that elements are missing, which may be NaN, and the mask of a masked
    array says so where nothing else does: neither `missing` nor, by 'unlisted', the run. Of such an
    array masked elements are not listed. Other data are as they are.

    Raises
    ------
    ValueError
        For a mask of another shape, for one of numbers, and for NaN in a masked array that its mask
        leaves in.
    """
    if is_unlisted(missing, run or {}):
        _warn_of_zeros(X)
    if missing is not None:
        X = pyttb.array_of(X)
    if not isinstance(X, np.ndarray):
        return X, missing
    hidden = np.ma.getmaskarray(X) if has_mask(X) else None
    unlisted = hidden is not None and is_unlisted(missing, run or {})
    if hidden is not None and (missing is None or unlisted):
        _refuse_unmasked(X, hidden)
    if unlisted:
        mask = hidden
    else:
        missing = hidden if missing is None and hidden is not None else missing
        mask = _mask_of(missing, X.shape)
    if mask is None or (hidden is not None and bool((hidden & ~mask).any())):
        return X, missing  # Some are masked and not missing, which is refused.
    array = np.array(X)
    array[mask] = 0
    return array, missing


def filled(X: Any) -> tuple[Any, Any]:
    """Data, dense ones with zeros in place of NaN and of masked elements, and the mask of these;
    None where there are none."""
    array = dense_values(X)
    if array is None:
        return X, None
    mask, values = np.ma.getmaskarray(array), np.array(np.ma.getdata(array))
    if values.dtype.kind == "f":
        mask = mask | np.isnan(values)
    if not mask.any():
        return X, None
    values[mask] = 0
    return X.copy(data=values) if xarray.accepts(X) else values, mask


def _zeros_of(X: Any) -> tuple[int, int]:
    """How many of the known elements of a dense array are zeros; none of one with NaN."""
    array = dense_values(X)
    if array is None or array.dtype.kind not in "fiub":
        return 0, 0
    known = np.ma.getdata(array)[~np.ma.getmaskarray(array)] if has_mask(array) else array
    if known.dtype.kind == "f" and np.isnan(known).any():
        return 0, 0
    return known.size - np.count_nonzero(known), known.size


def _warn_of_zeros(X: Any) -> None:
    """Warns of zeros of a dense array where all entries are unknown that a tensor does not list: it
    lists none of these. Who makes a tensor of the array knows that. Of NaN an error tells."""
    zeros, size = _zeros_of(X)
    if zeros == 0:
        return
    way = (
        "missing=numpy.ma.getmaskarray(X) makes the masked elements alone unknown"
        if has_mask(dense_values(X))
        else "missing='none' makes all elements known, and missing=numpy.isnan(X) all but NaN"
    )
    count = "is 0 and counts" if zeros == 1 else "are 0 and count"
    warn(
        f"missing: {zeros} of {size} elements of the dense array {count} as unknown by "
        f"{UNLISTED!r}: if zeros are known, {way}; if not, genten.tensor(X) in place of X says so"
    )


def _mask_of(missing: Any, shape: tuple[int, ...]) -> Any:
    """The mask of a dense array that a mask or subscripts say; None of what is said otherwise, and
    of subscripts of other elements, which are refused later."""
    if isinstance(missing, np.ma.MaskedArray):  # which is refused later, too
        return None
    mask = as_mask(missing)
    if mask is not None:
        _refuse_shape(mask, shape)
        return mask
    if not isinstance(missing, np.ndarray):
        return None
    _refuse_numbers(missing, shape)
    if missing.dtype.kind not in "iu" or missing.ndim != 2 or missing.shape[1] != len(shape):
        return None
    if (missing < 0).any() or (missing >= shape).any():
        return None
    mask = np.zeros(shape, dtype=bool)
    mask[tuple(missing.T)] = True
    return mask


def _refuse_unmasked(X: Any, mask: Any) -> None:
    left = int(np.isnan(X.data[~mask]).sum()) if X.dtype.kind == "f" else 0
    if left:
        raise ValueError(
            f"values: {left} of {X.size} elements are NaN and not masked; "
            "numpy.ma.masked_invalid(X) masks them, too"
        )


def _refuse_shape(mask: Any, shape: tuple[int, ...]) -> None:
    if mask.shape != shape:
        raise ValueError(
            f"missing: expected a mask of shape {shape}, got one of shape {mask.shape}"
        )


def _refuse_numbers(numbers: Any, shape: tuple[int, ...]) -> None:
    if numbers.shape == shape and numbers.size and np.isin(numbers, (0, 1)).all():
        raise ValueError(
            f"missing: an array of {numbers.dtype}, of 0 and 1, of the shape {shape} may be a mask "
            "or subscripts: expected a mask of True and False, as by .astype(bool)"
        )


def missing_entries(
    missing: Any, given: Tensor, base: int | None = None
) -> Tensor | str | None:
    """What is missing of a tensor by words, subscripts, labels, a mask of the tensor's shape, a
    tensor, or the path of a file: 'unlisted', a tensor of the listed entries, or None where nothing
    is. A tensor has its rows by labels, where it and the one that is given have labels. Numbers of
    tables count as those of the table that is given, or of which it was made, else from `base`.

    Raises
    ------
    TypeError
        For what is neither a list of entries nor a tensor.
    ValueError
        For another word, and for entries that the tensor does not have.
    OSError
        For a file that cannot be read.
    """
    if missing is None or isinstance(missing, str) and missing == NONE:
        return None
    if isinstance(missing, str) and missing == UNLISTED:
        return UNLISTED
    listed, base = missing, _base_of(given, base)
    if isinstance(missing, (bool, int, float, np.number)):
        raise TypeError(
            f"missing: expected {UNLISTED!r}, entries, a mask, a tensor or the path of a file, got "
            f"{missing!r}{_NO_NAN if np.isnan(missing) else ''}"
        )
    if isinstance(missing, tuple) and not any(hasattr(each, "dtype") for each in missing):
        _refuse_tuple(missing)
    if isinstance(missing, tuple) and getattr(missing[0], "ndim", 0) == 1:  # Else (subscripts, ...)
        refuse_arrays(missing, len(missing), "missing")
    if isinstance(missing, (str, os.PathLike)):
        if isinstance(missing, str) and not os.path.exists(missing):
            is_word = missing.lower() in ("nan", "na", "n/a", "null", "none", "missing")
            no_file = ", which is no file" + _NO_NAN * is_word
            raise ValueError(
                f"missing: expected {UNLISTED!r}, entries, a tensor or the path of a file, got "
                f"{missing!r}{nearest(missing, [UNLISTED, NONE]) or no_file}"
            )
        listed = entries_in(missing, given, base)
    elif isinstance(missing, (np.ndarray, list)) or frames.accepts(missing):
        if isinstance(missing, np.ndarray) and missing.dtype.kind in "biu":
            way = "a tensor or a table with names says otherwise"
            nameless = [True] * given.ndim
            warn_of_text_order(nameless, given.shape, given.labels, "missing", way=way)
        subscripts = _subscripts(missing, given, base)
        if subscripts.ndim != 2 or subscripts.shape[1] != given.ndim:
            raise ValueError(
                f"missing: expected a row of {given.ndim} subscripts for each entry, got an array "
                f"of shape {subscripts.shape}"
            )
        listed = tensor(
            (subscripts, np.ones(len(subscripts)), given.shape),
            labels=given.labels,
            mode_names=given.mode_names,
        )
    names = (given.labels, given.mode_names)
    how: dict[str, Any] = {"what": "missing", "warns": False, "base": base}
    rows = given.shape, numbers_in(given)
    listed = relabelled(tensor(listed), *names, of_rows=rows, **how)
    listed = as_long_as(listed, given.shape) if listed._is_table else listed
    if listed.shape != given.shape:
        raise ValueError(
            f"missing: expected entries of {given.shape}, got those of {listed.shape}"
        )
    return listed._checked()


def _base_of(given: Tensor, base: int | None) -> int | None:
    of_table = table_base(given)
    return base if of_table is None else of_table


def entries_in(path: Any, given: Tensor, base: int | None) -> Tensor:
    """The missing entries that a file lists, with the names that it has; numbers as of
    `missing_entries`."""
    return read_entries(file_name(path, "missing"), given, _base_of(given, base))


def of_either(missing: Any, others: Tensor, given: Tensor) -> Tensor:
    """The entries that one of two lists has, of a tensor."""
    lists = [missing_entries(each, given) for each in (missing, others)]
    both = [each.subscripts for each in lists if isinstance(each, Tensor)]
    subscripts = np.unique(np.concatenate(both), axis=0)
    arrays = subscripts, np.ones(len(subscripts)), given.shape
    return tensor(arrays, labels=given.labels, mode_names=given.mode_names)


def _refuse_tuple(missing: tuple[Any, ...]) -> None:
    """Complains of a tuple in the place of a list of entries; lists of subscripts with values are
    none.

    Raises
    ------
    TypeError
        With the list that is meant.
    """
    alone = [isinstance(each, str) or not hasattr(each, "__len__") for each in missing]
    texts = [isinstance(key, str) for each in missing if isinstance(each, tuple) for key in each]
    if all(alone) or any(texts):
        way = "[missing] is a list of this one"
        way = way if all(alone) else "list(missing) is a list of these"
        raise TypeError(
            f"missing: expected entries in a list, a tuple of labels or subscripts for each, got "
            f"{shown(missing)}: {way}; {UNLISTED!r}, a mask, a table, a tensor or the path of a "
            "file say it, too"
        )


def kind_of(missing: Tensor | str | None) -> str:
    """What `missing_entries` has found, as the extension calls it: 'none', 'unlisted', 'listed'."""
    return NONE if missing is None else UNLISTED if isinstance(missing, str) else LISTED


def core_of(missing: Tensor | str | None) -> Any:
    """The entries that are listed, as the extension takes them; None where none are."""
    return missing._core if isinstance(missing, Tensor) else None


def is_unlisted(missing: Any, run: Mapping[str, Any]) -> bool:
    """Whether all entries are missing that a tensor does not list, by default as in the run."""
    asked = run.get("missing") if missing is None else missing
    return isinstance(asked, str) and asked == UNLISTED


def warn_of_list(
    run: Mapping[str, Any], what: str, keyword: str = "missing=", data: str = "X"
) -> None:
    """Warns of a run with a list of missing entries, where all entries of `data` count."""
    if run.get("missing") == LISTED:
        of_all = " (missing='none': that all do)" if keyword == "missing=" else ""
        warn(
            f"{what}: the model was made without entries that a list named as missing; here all "
            f"entries of {data} count, unless {keyword} says which do not{of_all}"
        )


def _word_of(missing: Any) -> str:
    """'none', 'unlisted' or 'listed', of what was asked for or found."""
    return missing if isinstance(missing, str) else kind_of(missing)


def notes_on_entries(
    given: Tensor, missing: Any, placed: Tensor, loss: Any = None, takes_missing: bool = True
) -> Any:
    """What a run on entries that meet a model would note of them: texts by their codes, titles and
    all, and whether they tell of gaps. `placed` are those of `given` in the model's rows."""
    loss = "gaussian" if loss is None else loss if isinstance(loss, str) else ""
    facts = entry_facts(given)
    word = _word_of(missing)
    return _core.notes_on_entries(given._core, placed._core, facts, loss, word, takes_missing)


def warn_of_merged(given: Tensor, missing: Any, loss: Any) -> None:
    """Warns before a run where some entries are missing and others with the same subscripts are
    added up: of what is measured, as ratings, a sum is seldom meant."""
    if _word_of(missing) == NONE or not repeated(given):
        return
    if note := notes_on_entries(given, missing, given, loss)[0].get("merged_entries"):
        warn(f"missing: {note}")


def warn_of_entries(
    given: Tensor,
    placed: Tensor,
    missing: Any,
    loss: Any,
    what: str,
    run: Mapping[str, Any],
    takes_missing: bool = True,
    part: str = "",
    X: Any = None,
) -> None:
    """Warns of entries that meet a model as a run on them would: of those that look unknown and
    count as zeros, of numbers that stand for what is not known, and of sums; else, of a table or
    text, of `part`: what makes it look as a part of the data, as held-out entries are. `placed` are
    those of `given` in the model's rows, `run` is the one that made it, and X are the data as they
    were given: of zeros of an array `without_missing` has told."""
    notes, _, tells_of_gaps = notes_on_entries(given, missing, placed, loss, takes_missing)
    besides = {"merged_entries": "; the tensor of the model's run takes the same"}
    of_array = _word_of(missing) == UNLISTED and _zeros_of(X)[0] > 0
    if "no_zeros" in notes and (of_array or is_unlisted(None, run)):  # which are told
        del notes["no_zeros"]
        if what == "evaluate" and not of_array:
            warn(f"{what}: {_core.zeros_not_compared()}")
    for code, note in notes.items():
        warn(f"{what}: {note}{besides.get(code, '')}")
    may_be_part = _word_of(missing) == NONE and (given._is_table or given.source is not None)
    if part and may_be_part and not tells_of_gaps:
        warn(f"{what}: {part}")


def _subscripts(missing: Any, given: Tensor, base: int | None) -> Any:
    if isinstance(missing, np.ma.MaskedArray):
        raise TypeError(
            "missing: expected a mask of True and False, got a masked array, whose mask is "
            "numpy.ma.getmaskarray(it)"
        )
    if frames.accepts(missing):
        _refuse_truth(missing, given)
    elif getattr(missing, "ndim", 1) > 0:
        if len(missing) == 0:
            return np.empty((0, given.ndim), dtype=np.int64)
        mask = as_mask(missing)
        if mask is not None:
            _refuse_shape(mask, given.shape)
            return np.argwhere(mask)
        _refuse_numbers(host_array(missing, "missing"), given.shape)
    known = Rows(given.shape, given.labels, given.mode_names, base, _NOT_THERE)
    entries = subscripts_of(missing, known, "missing")
    if entries.ndim == 2 and entries.shape[1] == given.ndim:
        for mode, column in enumerate(entries.T):
            place = f"missing: {called(mode, given.mode_names)}"
            refuse_beyond(column, given.shape[mode], 0, place, _NOT_THERE)
            if given._is_table and given.labels[mode] is None:
                _warn_of_unused(column, given.subscripts[:, mode], base or 0, place)
    return entries


def _warn_of_unused(column: Any, used: Any, base: int, place: str) -> None:
    """Warns of missing entries in rows of a table's numbers that hold nothing else, as those of ids
    that do not occur."""
    alone = ~np.isin(column, used)
    if alone.any():
        rows = [str(row + base) for row in np.unique(column[alone]).tolist()]
        lie = "an entry is" if alone.sum() == 1 else f"{alone.sum()} entries are"
        warn(
            f"{place}: {lie} in rows in which the tensor has nothing: {some_of(rows, quoted=False)}"
        )


def _refuse_truth(table: Any, given: Tensor) -> None:
    """Complains of a table of truth values, as of ``table.isna()``, which names no entries."""
    names_of = getattr(table, "column_names", getattr(table, "columns", None))  # a series has none
    labelled = all(names is not None for names in given.labels)
    if labelled and names_of is not None and given.mode_names:
        if sorted(map(str, names_of)) == sorted(given.mode_names):
            return  # Rows may be called True and False.
    columns = [table] if names_of is None else [table[name] for name in names_of]
    kinds = {str(getattr(each, "dtype", getattr(each, "type", ""))).lower() for each in columns}
    if kinds not in ({"bool"}, {"boolean"}):
        return
    if tuple(getattr(table, "shape", ())) == given.shape:
        way = "a mask of the tensor's shape as an array, by .to_numpy()"
    else:
        names = list(given.mode_names or [f"mode {n}" for n in range(given.ndim)])
        way = (
            f"a table with a row for each missing entry and the columns {names}, as "
            "table[table[value].isna()] of a table with a column of values"
        )
    raise TypeError(f"missing: expected {way}; got a table of True and False")


def as_mask(missing: Any) -> Any:
    """An array or nested lists of truth values, as an array; None for anything else."""
    innermost = missing
    while isinstance(innermost, list) and innermost:
        innermost = innermost[0]
    is_mask = isinstance(innermost, (bool, np.bool_)) or getattr(innermost, "dtype", None) == bool
    return host_array(missing, "missing") if is_mask else None
