# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of tensors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._names.labels import Labels, check_names_to_save, name_beside
from .._options import READ, WRITE
from ..convert import arrow
from ..convert.columns import are_numbers
from ..convert.duplicates import added_up
from .forms import TENSOR_FORMS, is_single, split_name
from .foreign import way_of_others
from .paths import file_name
from .sidecar import read_sidecar, write_sidecar


def read_tensor(
    path: Any, labels: Any, mode_names: Any, dtype: Any, options: dict[str, Any]
) -> tuple[_core.SparseTensor, Any, Any, str, dict[str, Any]]:
    """A tensor, its labels and names of modes, which are those beside the file where they are not
    given, the file's name, and what the reader found; see `genten.read`."""
    name = file_name(path)
    given = READ.checked(options)
    try:
        core, facts = _core.read_tensor(name, is_single(dtype), given)
    except OSError as error:
        if (way := way_of_others(name)) is None:
            raise
        raise OSError(f"{name}: {way}") from error
    rule = given.get("duplicates", "sum")
    if facts["format"] == "binary" and rule != "sum":
        core, merged = _merged(core, rule)
        facts["duplicates"] = merged
    table = {key: facts.pop(key, None) for key in ("labels", "mode_names")}
    facts["read_options"] = given if dtype is None else {**given, "dtype": str(np.dtype(dtype))}
    facts["read_options"].update(names_to_ask_again(labels, mode_names))
    if labels is None or mode_names is None:
        if facts["format"] == "table":
            saved = (table["labels"], table["mode_names"])
        else:
            core, saved = _saved_names(core, name, facts)
        facts["labels_beside"] = labels is None and saved[0] is not None
        labels = saved[0] if labels is None else labels
        mode_names = saved[1] if mode_names is None else mode_names
    return core, labels, mode_names, name, facts


def _merged(core: _core.SparseTensor, rule: str) -> tuple[_core.SparseTensor, int]:
    """The tensor of a binary file, whose reader merges no nonzeros with the same subscripts, with
    these merged by a rule, and how many there were too many."""
    columns, values, _ = added_up(list(core.subscripts.T), core.values, core.shape, rule)
    if len(values) == core.nnz:
        return core, 0
    found = _core.tensor_from_columns(columns, values, list(core.shape), False)
    found.keep_listed(np.ascontiguousarray(core.values))
    return found, core.nnz - len(values)


def read_listed(
    name: str, shape: Sequence[int], mode_names: list[str] | None, base: int | None
) -> tuple[_core.SparseTensor, Any, Any, str, dict[str, Any]]:
    """The same of a file that lists entries of a tensor of that shape, with values or without,
    which has these names of modes. The list counts from `base`, unless it says otherwise beside it.
    """
    beside = read_sidecar(name)
    options: dict[str, Any] = {"dimensions": list(shape if beside is None else beside.shape)}
    if beside is not None and beside.index_base is not None:
        base = beside.index_base
    if base is not None:
        options["index_base"] = str(base)
    core, facts = _core.read_entries(name, READ.checked(options), mode_names or [])
    labels, names = facts.pop("labels", None), facts.pop("mode_names", None)
    if beside is not None:
        read_from = beside.index_base if facts["format"] == "binary" else facts["index_base"]
        if beside.fits(core.shape, read_from):
            labels, names = beside.labels, beside.mode_names
    return core, labels, names, name, facts


def table_columns(path: str, options: dict[str, Any]) -> list[str]:
    """The names of the columns of a file that is a table of text, or by pyarrow; none of another
    file."""
    if arrow.file_form(path) in ("parquet", "arrow"):
        return arrow.columns_of(path)
    return _core.table_columns(path, READ.checked(options))


def names_to_ask_again(labels: Any, mode_names: Any) -> dict[str, Any]:
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
    base = facts["index_base"]
    if facts["format"] == "binary":  # it counts from nowhere
        base = beside.index_base
        facts["table_base"] = base
    based = beside.index_base in (None, base)
    shorter = len(core.shape) == len(beside.shape) and all(
        one <= other for one, other in zip(core.shape, beside.shape, strict=True)
    )
    unasked = facts["format"] == "frostt" and "dimensions" not in facts["read_options"]
    if based and unasked and shorter and core.shape != beside.shape:
        short = core
        core = _core.tensor_from_matrix(short.subscripts, short.values, list(beside.shape), False)
        core.keep_listed_of(short)
    if not beside.fits(core.shape, base):
        return core, (None, None)
    if beside.table_base is not None:
        facts["table_base"] = beside.table_base
    if beside.values:
        facts["values"] = beside.values
    return core, (beside.labels, beside.mode_names)


def write_tensor(
    core: _core.SparseTensor,
    labels: Labels,
    mode_names: list[str] | None,
    values: str | None,
    path: str | os.PathLike[str],
    options: dict[str, Any],
    base: int | None,
) -> None:
    """Writes a tensor of that `table_base`; `values` is what the table that it was made of calls
    its values, where that is known. See `genten.write`."""
    name = file_name(path)
    given = WRITE.checked(options)
    extension, compression = split_name(name)
    given.setdefault("compression", compression)
    if "format" not in given:
        if extension not in TENSOR_FORMS:
            # Of texts of digits the reader makes numbers of rows, which compact() takes for names.
            named = [names for names in labels if names is not None]
            are_digits = any(all(map(str.isdecimal, names)) for names in named)
            compact = ".compact()" if are_digits else ""
            column = name_beside(values or "value", mode_names)
            table = (
                "X.to_pandas().to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC) writes a "
                f"table, which genten.read(path, values={column!r}, decimal='.'){compact} takes"
            )
            arrow = "X.to_pandas().to_parquet(path) writes a table, which "
            arrow += f"genten.read(path, values={column!r}) takes"
            archive = "archives of NumPy are for models, and .gtn is the own form of tensors"
            if any(are_numbers(names) and not all(map(str.isdecimal, names)) for names in named):
                table = arrow  # In text numbers with decimals are values.
            way = {".csv": table, ".tsv": table, ".parquet": arrow, ".npz": archive}.get(
                extension, "give format="
            )
            raise ValueError(
                f"the name {name} does not say the form ({', '.join(TENSOR_FORMS)}); {way}"
            )
        given["format"] = TENSOR_FORMS[extension]
    if given["format"] == "binary" and given["compression"] != "none":
        raise ValueError(
            f"the binary form is not compressed, but compression {given['compression']} is asked "
            f"for {name}"
        )
    check_names_to_save(labels, core.shape, mode_names, name)
    _core.write_tensor(core, name, given)
    of_table = None
    if given["format"] != "binary":
        of_table, base = base, int(given.get("index_base") == "0") ^ 1
    write_sidecar(
        name, core.shape, labels, mode_names, base, table_base=of_table, values=values
    )
