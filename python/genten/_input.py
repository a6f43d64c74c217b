# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of what callers give, and of files: `tensor`, `read` and `write`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from . import _core
from ._files.paths import file_name
from ._files.tensors import names_to_ask_again, read_listed, read_tensor
from ._model.run_record import repeated
from ._names.labels import NumberNames
from ._names.lookup import warn_of_equal_names
from ._options import READ, WRITE, knowing_keywords
from ._pyttb_names import of_one_tuple
from .convert import Parts, arrow, frames, from_arrays, to_parts, wide
from .convert.columns import (
    numbers_of,
    warn_of_numbers,
    warn_of_numbers_as_texts,
)
from .convert.doubtful_names import warn_of_doubtful_names
from .convert.duplicates import added_up, checked_rule, may_repeat
from .convert.long_modes import warn_of_long_modes, warn_of_single_rows
from .convert.parts import (
    checked_dtype,
    columns_of,
    of_base_1,
    refuse_hints,
    warn,
    warn_of_base_1,
)
from .tensors import Tensor


def _merged(parts: Parts, rule: str) -> dict[str, Any]:
    """Brings the nonzeros with the same subscripts together; how many became others, and by which
    rule."""
    columns = columns_of(parts.subscripts)
    if parts.distinct or len(parts.shape) != len(columns):  # Others complain of the order.
        return {}
    chosen, values, parts.distinct = added_up(columns, parts.values, parts.shape, rule)
    many = len(parts.values) - len(values)
    if many == 0:
        return {}
    parts.subscripts, parts.values, parts.own = chosen, values, True
    return {"duplicates": many, "merged_by": rule}


def _merges_in_core(parts: Parts, rule: str | None) -> bool:
    """Whether the extension merges nonzeros, of arrays that it takes as they are: to the same bits
    as `added_up`, in two thirds of the memory. That one has more to say of refused ones and of
    float32."""
    packed = isinstance(parts.subscripts, np.ndarray) and parts.own
    able = packed and not parts.distinct and parts.values.dtype == np.float64
    return able and rule not in (None, "refuse")


def _core_of(parts: Parts, copy: bool) -> Any:
    """The tensor as the extension holds it. Of a value that is not finite people look for its
    place, which the extension calls by its number among the nonzeros."""
    try:
        if isinstance(parts.subscripts, list):
            return _core.tensor_from_columns(
                parts.subscripts, parts.values, list(parts.shape), copy
            )
        return _core.tensor_from_matrix(parts.subscripts, parts.values, list(parts.shape), copy)
    except ValueError as error:
        wrong = np.flatnonzero(~np.isfinite(parts.values))
        number = f"nonzero {wrong[0]}" if len(wrong) else "nothing"
        if not str(error).startswith(f"{number}: expected a finite value"):
            raise
        place = tuple(int(column[wrong[0]]) for column in columns_of(parts.subscripts))
        complaint = str(error).removeprefix(number)
        way = "leave such entries out, by numpy.isfinite; missing= of genten.cp takes those unknown"
        raise ValueError(f"values: {number}, at {place}{complaint}; {way}") from None


def _from_parts(
    parts: Parts, labels: Any, mode_names: Any, copy: bool, rule: Any, file: Any = None
) -> Tensor:
    asked = {} if rule is None or file is not None and file[0] else {"merged_by": rule}
    is_default, rule = rule is None, parts.duplicates if rule is None else rule
    merges_in_core = _merges_in_core(parts, rule)
    as_listed = parts.values
    facts = {} if rule is None or merges_in_core else _merged(parts, rule)
    source, of_file = (None, {}) if file is None else file
    core = _core_of(parts, copy)
    if facts:
        core.keep_listed(np.ascontiguousarray(as_listed))
    if rule is not None and merges_in_core:
        many = 0
        if may_repeat(columns_of(parts.subscripts), parts.shape):
            core, many = _core.merged(core, rule)
        parts.distinct = True
        if many:
            facts = {"duplicates": many, "merged_by": rule}
    if asked and not facts:
        facts = {"duplicates": 0, **asked}
    made = Tensor(
        core,
        parts.labels if labels is None else labels,
        parts.mode_names if mode_names is None else mode_names,
        source,
        {**of_file, **facts},
        shared=not (copy or parts.own),
        distinct=core.nnz if parts.distinct else None,
        is_table=parts.is_table,
    )
    if is_default and parts.of_truths and (many := repeated(made)):
        one = "row" if parts.is_table else "value"
        have = f"{one} has" if many == 1 else f"{one}s have"
        warn(
            f"values: {many} {have} the subscripts of others, and sums are taken for values of "
            f"True and False: duplicates='max' makes an entry 1 where one of its {one}s is True, "
            "and duplicates='sum' says that sums are meant"
        )
    return made


@of_one_tuple
@knowing_keywords
def tensor(
    data: Any,
    shape: Any = None,
    *,
    modes: Any = None,
    values: Any = None,
    labels: Any = None,
    mode_names: Any = None,
    dtype: Any = None,
    copy: bool = False,
    duplicates: str | None = None,
    index_base: Any = None,
) -> Tensor:
    """A sparse tensor from what other libraries have.

    Parameters
    ----------
    data : object
        One of: a `scipy.sparse.coo_array` of any order, another sparse array or matrix of SciPy
        or CuPy; a sparse array of pydata's `sparse`; a `pyttb.sptensor`; a sparse tensor of
        PyTorch; a long table of pandas, polars or pyarrow, a dataset or batches of pyarrow, a
        relation of DuckDB; a Series of pandas with the modes as its index; an array of xarray,
        whose dimensions are modes and whose coordinates names of rows; a dense array (warned of
        above ten million elements); a tuple ``(subscripts, values)`` or ``(subscripts, values,
        shape)``; the path of a file; a `Tensor`. Arrays are those of NumPy
        or anything that speaks DLPack. A list is none of these, and refused: ``numpy.array`` makes
        a dense array of nested lists.

        Subscripts are an array, nnz x N, or a list or tuple of N arrays of length nnz, one a mode.
        Lists of plain numbers are taken in the same two forms, as N lists where each is as long as
        there are values, else as nnz rows, and refused where nnz is N, so that both would do.
    shape : sequence of int, optional
        Lengths of the modes, where tuples, tables and files do not say them. Without it they are
        the largest subscripts and one.
    modes : sequence of column names, optional
        Of a table, in a file, too, the columns that are modes, levels of an index with names among
        them; all but `values` if not given, of which then none may hold floats, nor whole numbers
        where `values` is not given either: these may be values that nobody named. Columns of
        categories, texts and times become subscripts with labels, in the order of the categories or
        of the sorted texts and times; times are labelled to the coarsest unit that loses nothing of
        any. Whole numbers are subscripts as they are. Different keys with the same text are
        refused.
    values : column name, optional
        Of a table, in a file, too, the column of values; without it each row counts as 1.
    labels : sequence, optional
        For each mode the names of its rows, the path of a file with a name a line, or None. A
        warning tells of a name of several rows.
    mode_names : sequence of str, optional
        Names of the modes; those of the columns if not given.
    dtype : float32 or float64, optional
        Of the values. Without it float32 stays, float16 becomes float32 and all else float64. A
        warning tells where whole numbers are rounded, and long doubles that nobody has asked to
        narrow.
    copy : bool
        Copy arrays in any case. By default a C-contiguous nnz x N matrix of integers of 32 or 64
        bits and a contiguous vector of float32 or float64 are used where they lie: who writes to
        them changes the tensor, and what is computed afterwards is of the new numbers, which are
        checked again each time. Everything else is copied once.
    duplicates : {'sum', 'mean', 'last', 'max', 'refuse'}, optional
        What becomes of several entries with the same subscripts. If not given, rows of tables and
        entries of files are added up, and arrays stay as they are and mean the sum. ``file_facts``
        of the tensor, and ``tensor_facts`` of results, say how many were merged.
    index_base : {'auto', 0, 1}, optional
        Of a table, and of files, from what numbers of rows count; 'auto' is 0 in tables, or what
        the model counts from that the tensor is given to.

    Returns
    -------
    Tensor

    Raises
    ------
    ValueError
        For subscripts that are negative, too large or no whole numbers, values that are infinite
        or NaN or that the type of the values cannot hold (those that would become infinite or 0),
        masked elements, and arrays that do not go together.
    TypeError
        For data of no supported kind, and for arguments that mean nothing for theirs.
    OSError
        For a file that cannot be read.

    Examples
    --------
    >>> import genten, numpy as np
    >>> X = genten.tensor((np.array([[0, 1, 0], [2, 0, 1]]), np.array([1.0, 2.0]), (3, 2, 2)))
    >>> X
    <genten.Tensor 3 x 2 x 2, 2 nonzeros, density 0.1667, float64>
    """
    if dtype is not None:
        dtype = checked_dtype(dtype)
    if duplicates is not None:
        checked_rule(duplicates)
    if isinstance(data, Tensor):
        refuse_hints(
            "a Tensor", shape=shape, modes=modes, values=values, duplicates=duplicates,
            index_base=index_base,
        )  # fmt: skip
        # Not `in`: np.dtype("float64") equals None.
        same = labels is None and mode_names is None and (dtype is None or dtype == data.dtype)
        if same and not copy:
            return data
        return _told_of_names(data._changed(labels, mode_names, dtype, copy), labels)
    if isinstance(data, (str, os.PathLike)):
        hints = {
            "dimensions": shape, "modes": modes, "values": values, "duplicates": duplicates,
            "index_base": index_base,
        }  # fmt: skip
        return read(data, labels=labels, mode_names=mode_names, dtype=dtype, **hints)
    if isinstance(data, tuple) and len(data) in (2, 3):
        refuse_hints("subscripts and values", modes=modes, values=values, index_base=index_base)
        if len(data) == 3 and shape is not None:
            raise TypeError("shape: given twice, in the data and beside it")
        given = data[2] if len(data) == 3 else shape
        parts = from_arrays(data[0], data[1], given, dtype)
        if given is None:
            warn_of_long_modes(columns_of(parts.subscripts), parts.shape)
        try:
            made = _from_parts(parts, labels, mode_names, copy, duplicates)
        except ValueError as error:
            if "expected a subscript below" not in str(error):
                raise
            raise ValueError(f"{error}{of_base_1(parts.subscripts, parts.shape)}") from None
        made._may_end_early = given is None
        return _told_of_names(made, labels)
    asked = READ.checked({"index_base": index_base})
    base = _base_in(asked) if index_base is not None else None
    parts = to_parts(
        data, dtype=dtype, shape=shape, modes=modes, values=values, index_base=base
    )
    facts = {} if base is None else {"index_base": base, "read_options": asked}
    if parts.is_table:
        column = None if values is None else str(values)
        facts["values"] = frames.values_of(data) if frames.is_series(data) else column
    made = _from_parts(parts, labels, mode_names, copy, duplicates, (None, facts))
    return _told_of_names(made, labels)


def _told_of_names(X: Tensor, labels: Any) -> Tensor:
    """The tensor, with a warning where labels that were given are of several rows."""
    if labels is not None:
        warn_of_equal_names(X.labels, X.mode_names, X._name_of_values)
    return X


def tensor_beside_model(data: Any, dtype: Any, hints: Mapping[str, Any]) -> Tensor:
    """A tensor by these keywords of `tensor`. Where they name the modes of a table, there are no
    notes on numbers that may be ids: the rows are those of the model."""
    if hints.get("modes") is None:
        return tensor(data, dtype=dtype, **hints)
    if isinstance(data, (str, os.PathLike)):
        asked = {name: each for name, each in hints.items() if each is not None}
        return _read(data, None, None, dtype, asked, notes=False)
    rule = hints.get("duplicates")
    dtype = None if dtype is None else checked_dtype(dtype)
    columns = {name: hints[name] for name in ("modes", "values")}
    parts = to_parts(data, dtype=dtype, notes=False, **columns)
    return _from_parts(parts, None, None, False, rule, (None, {"values": columns["values"]}))


def _base_in(options: dict[str, Any]) -> int | None:
    """From what numbers of a table count by the options of reading; None where nothing says it."""
    asked = options.get("index_base", "auto")
    return None if asked in ("auto", None) else int(asked)


@knowing_keywords
def read(
    path: str | os.PathLike[str],
    *,
    labels: Any = None,
    mode_names: Any = None,
    dtype: Any = None,
    **options: Any,
) -> Tensor:
    """Reads a sparse tensor from a text or binary file, compressed or not, or from a table: CSV,
    TSV, or by pyarrow Parquet, Arrow or Feather. The content says which.

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
    return _told_of_names(_read(path, labels, mode_names, dtype, options), labels)


def _read(
    path: Any, labels: Any, mode_names: Any, dtype: Any, options: dict[str, Any], notes: bool = True
) -> Tensor:
    """What `read` reads; `notes` as of `tensor_beside_model`."""
    name = file_name(path)
    form = arrow.file_form(name)
    if form == "stream":
        raise OSError(
            f"{name}: expected a tensor or a table, got an Arrow stream: "
            "genten.tensor(pyarrow.ipc.open_stream(...), values=...) takes it"
        )
    if form is not None:
        return _read_arrow(form, name, labels, mode_names, dtype, options, notes)
    found = read_tensor(path, labels, mode_names, dtype, options)
    core, facts = found[0], found[-1]
    rounded = facts.pop("rounded", "")
    if rounded and notes:
        warn(f"{file_name(path)}: {rounded}")
    # Duplicates of text are added up or refused; binary files may hold what others wrote there.
    distinct = None if facts["format"] == "binary" else core.nnz
    made = Tensor(*found, distinct=distinct, is_table=facts["format"] == "table")
    if made._is_table:
        made.file_facts["values"] = options.get("values")
    if made._is_table and notes:
        columns, shape = list(made.subscripts.T), made.shape
        taken = list(zip(columns, made.labels, strict=True))
        if options.get("dimensions") is None:
            if _base_in(options) is None:
                warn_of_base_1(*numbers_of(made.mode_names or [], taken))
            named = zip(shape, made.labels, strict=True)
            warn_of_long_modes(columns, [n if names is None else 0 for n, names in named])
        names, values = made.mode_names or [], options.get("values")
        warn_of_single_rows(names, made.labels, columns, shape)
        warn_of_doubtful_names(names, made.labels, None if values is None else made.nnz)
        if values is None and options.get("modes") is None:
            warn_of_numbers_as_texts(names, made.labels, plain=False)
        if values is not None:
            about = partial(wide.about_text, file_name(path), options, names)
            chosen = options.get("modes") is not None
            warn_of_numbers(names, taken, values, made.values, about, chosen)
    return made


def read_entries(name: str, given: Tensor, base: int | None) -> Tensor:
    """The entries that a file lists, with values or without, for a tensor: text counts from what
    the text of that counted from, else from `base`, and of a table the columns with the names of
    its modes are read.

    Raises
    ------
    OSError
        For a file that is absent or malformed.
    """
    if arrow.file_form(name) is not None:
        return read(name, modes=given.mode_names)
    facts = given.file_facts
    if not given._is_table and facts.get("format", "binary") != "binary":
        base = facts.get("index_base")
    # Ids may be longer than the rows that are called by them are many.
    longest = np.iinfo(np.int64).max
    shape = [
        longest if isinstance(names, NumberNames) else length
        for names, length in zip(given.labels, given.shape, strict=True)
    ]
    found = read_listed(name, shape, given.mode_names, base)
    wanted, columns = given.mode_names, found[2]
    if found[-1]["format"] == "table" and wanted is not None and sorted(columns) != sorted(wanted):
        raise OSError(f"{name}: expected a table with the columns {wanted}, got {columns}")
    return Tensor(*found, is_table=found[-1]["format"] == "table")


_OF_TABLES = {"values": "values", "modes": "modes", "dimensions": "shape"}


def _read_arrow(
    form: str,
    name: str,
    labels: Any,
    mode_names: Any,
    dtype: Any,
    options: dict[str, Any],
    notes: bool,
) -> Tensor:
    """The tensor of a file of Parquet or Arrow."""
    given = READ.checked(options)
    rule = given.get("duplicates")
    for option in given:
        if option not in (*_OF_TABLES, "duplicates", "index_base"):
            raise TypeError(
                f"{option}: has no effect for {name}, which is no text: leave it out"
            )
    hints = {to: given[option] for option, to in _OF_TABLES.items() if option in given}
    hints["index_base"] = base = _base_in(given)
    try:
        parts = arrow.to_parts(name, dtype=dtype or "float64", notes=notes, **hints)
    except ValueError as error:
        raise OSError(f"{name}: {error}") from None
    facts: dict[str, Any] = {
        "format": form,
        "compression": "none",
        "index_base": base or 0,
        "file_bytes": os.stat(name).st_size,
        "entries": len(parts.values),
        "duplicates": 0,
        "mixed_bases": "",
        "read_options": {**given, **names_to_ask_again(labels, mode_names)},
        "labels_beside": labels is None and any(each is not None for each in parts.labels or ()),
        "values": given.get("values"),
    }
    if dtype is not None:
        facts["read_options"]["dtype"] = str(checked_dtype(dtype))
    return _from_parts(parts, labels, mode_names, False, rule, (name, facts))


@knowing_keywords
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
    if not isinstance(X, Tensor):
        way = "genten.tensor makes one"
        if isinstance(X, (str, os.PathLike)):
            way = "the path comes second"
        elif hasattr(X, "save"):
            way = "its method save(path) writes it"
        raise TypeError(f"write: expected a Tensor, got {type(X).__name__}; {way}")
    X.save(path, **options)


for _function, _table in ((read, READ), (write, WRITE)):
    _function.__doc__ = _table.filled_in(_function.__doc__)
