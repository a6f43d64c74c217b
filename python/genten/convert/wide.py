# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Wide tables, whose columns are the rows of a mode, as those of months and of a pivot: calls that
make a tensor of them, for messages."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from numbers import Number
from typing import Any

import numpy as np

from .. import _core
from .parts import loaded
from .series import holds_floats

MOST_NAMED = 3
"""Columns that a message names."""
UNLESS_MISSING = "unless missing='unlisted' of genten.cp says not"
"""What is said of empty cells that count as zeros."""


def _free(name: str, taken: Sequence[Any]) -> str:
    """The name, or one like it that is not taken."""
    while name in taken:
        name += "_"
    return name


def plain(name: tuple[Any, ...]) -> tuple[Any, ...]:
    """A name of several levels with numbers as Python writes them."""
    return tuple(each.item() if isinstance(each, np.generic) else each for each in name)


def _is_id(name: tuple[Any, ...]) -> bool:
    """Whether that is a column of ids among those of several levels, as reset_index() makes it."""
    is_tuple = isinstance(name, tuple)
    return is_tuple and all(isinstance(each, str) and not each for each in name[1:])


def _tensor_of(table: str, values: str) -> str:
    return f"genten.tensor({table}, values={values!r})"


def _melted(table: str, ids: Sequence[Any], values: Sequence[Any], mode: str, dropna: str) -> str:
    """The call for pandas, of a table whose ids are columns; `mode` is what melt calls that of the
    other columns by itself."""
    taken, how = [*ids, *values], ""
    if mode in ids:
        mode = _free(str(mode), taken)
        how += f", var_name={mode!r}"
    if (cells := _free("value", [*taken, mode])) != "value":
        how += f", value_name={cells!r}"
    return _tensor_of(f"{table}.melt(id_vars={list(ids)!r}{how}){dropna}", cells)


def times_among(columns: Sequence[Any]) -> list[Any]:
    """Those of the columns that are called as times are, where they are three or more."""
    times = _core.columns_of_times([str(name) for name in columns])
    return [name for name in columns if str(name) in times]


def of_one_quantity(columns: Sequence[Any], call: str) -> str:
    """A sentence of columns that may hold one quantity, and what makes a tensor of them; "" of a
    single one."""
    if len(columns) < 2:
        return ""
    named = ", ".join(map(repr, columns[:MOST_NAMED]))
    named += " and so on" if len(columns) > MOST_NAMED else ""
    leaves_out = re.search(r"\.(dropna|drop_nulls|drop_nans)\(", call)
    empty = f", and zeros of empty cells, {UNLESS_MISSING}" if leaves_out else ""
    return f". If {named} hold one quantity, as those of months, {call} makes a mode of them{empty}"


def cells_among(columns: Sequence[Any]) -> list[Any]:
    """Those of the columns that may hold one quantity by their names: without those of ids, as the
    index that reset_index() makes a column, and those with texts for names beside numbers.

    Examples
    --------
    >>> cells_among(["index", "jan", "feb"]), cells_among(["user", 1, 2])
    (['jan', 'feb'], [1, 2])
    """
    numbers = [name for name in columns if isinstance(name, Number) or str(name).isdigit()]
    if len(numbers) > 1:
        return numbers
    return [name for name in columns if name not in ("index", "level_0")]


def parted(columns: Sequence[Any], floats: Sequence[Any] = ()) -> tuple[list[Any], list[Any]]:
    """Those of these columns of numbers that may hold one quantity by their names, and those of
    other quantities, which are no ids either, as some of the `floats` are.

    Examples
    --------
    >>> parted(["store", "2023-01", "2023-02", "2023-03", "total"])
    (['2023-01', '2023-02', '2023-03'], ['total'])
    >>> parted(["jan", "feb", "total"])
    (['jan', 'feb'], ['total'])
    """
    amounts = [name for name in columns if _core.likeness_to_values(str(name)) == 2]
    cells = cells_among(columns)
    others = [name for name in cells if name not in amounts]
    cells = times_among(cells) or (others if len(others) > 1 else cells)
    no_ids = [*amounts, *floats]
    return cells, [name for name in columns if name in no_ids and name not in cells]


def _without_key(table: Any, columns: list[Any]) -> list[Any]:
    """The same without a first column of distinct whole numbers in ascending order, as the key of a
    pivot is."""
    name = min(columns, key=list(table.columns).index)
    key = np.asarray(table[name].to_numpy())
    is_key = key.dtype.kind in "iu" and len(key) > 1 and bool((key[1:] > key[:-1]).all())
    return [each for each in columns if each != name] if is_key and len(columns) > 2 else columns


def about(table: Any, columns: Sequence[Any]) -> str:
    """What messages say of these columns of a table of pandas, whose index may be columns, too, or
    of polars; "" where all but one are levels of the index."""
    there = [name for name in columns if name in list(table.columns)]
    own, left_out = parted(there, [name for name in there if holds_floats(table[name])])
    if len(own) > 1 and not times_among(own):
        own = _without_key(table, own)
    call = call_for_pandas if hasattr(table, "index") else call_for_polars
    return of_one_quantity(own, call(table, own, left_out))


def call_for_pandas(table: Any, columns: Sequence[Any], left_out: Sequence[Any] = ()) -> str:
    """What makes a tensor of a DataFrame of pandas, of which these columns hold one quantity, and
    others are `left_out`. The levels of an index are modes, but for plain numbers of rows without a
    name, where something else says what rows are."""
    text, index = f"table{_drop(left_out)}", list(table.index.names)
    if any(name in table.columns for name in index if name is not None):
        return call_for_levels(table)
    ids = [name for name in table.columns if name not in columns and name not in left_out]
    are_counted = index == [None] and table.index.dtype.kind in "iu" and len(ids) > 0
    if None in index and not are_counted:
        taken = [*table.columns, *index]
        for level, name in enumerate(index):
            if name is None:
                index[level] = _free("row", taken)
                taken.append(index[level])
        text += f".rename_axis(index={index if len(index) > 1 else index[0]!r})"
    if not are_counted:
        ids = [*index, *ids]
        text += ".reset_index()"
    mode = "variable" if table.columns.name is None else table.columns.name
    dropna = ".dropna()" if table[list(columns)].isna().to_numpy().any() else ""
    return _melted(text, ids, columns, mode, dropna)


def _drop(left_out: Sequence[Any]) -> str:
    return f".drop(columns={list(left_out)!r})" if left_out else ""


def call_for_levels(table: Any) -> str:
    """The same of one whose columns have several levels. Those of one key alone are no modes."""
    text, columns = "table", table.columns
    ids = [plain(name) for name in columns if _is_id(name)]
    index = list(table.index.names)
    if ids:
        text += f".set_index({ids!r})"
        index = [name[0] for name in ids]
        columns = columns.drop(ids)
    single = [n for n in range(columns.nlevels) if len(columns.unique(n)) == 1]
    single = single[: columns.nlevels - 1]
    if single:
        text += f".droplevel({single if len(single) > 1 else single[0]}, axis=1)"
        columns = columns.droplevel(single)
    taken: list[Any] = []
    for n, name in enumerate([*index, *columns.names]):
        what = "row" if n < len(index) else "column"
        taken.append(_free(what if name is None else str(name), taken))
    text += f".rename_axis(index={taken[: len(index)]!r}, columns={taken[len(index) :]!r})"
    levels = "" if columns.nlevels == 1 else str(list(range(columns.nlevels)))
    return f"genten.tensor({text}.stack({levels}).dropna())"


def call_for_polars(table: Any, columns: Sequence[Any], left_out: Sequence[Any] = ()) -> str:
    """The same of one of polars, whose lazy frames have the same call."""
    text = f"table.drop({list(left_out)!r})" if left_out else "table"
    ids = [name for name in table.columns if name not in columns and name not in left_out]
    if not ids:
        ids = [_free("row", columns)]
        text += f".with_row_index({ids[0]!r})"
    taken, how = [*ids, *columns], ""
    if "variable" in ids:
        how += f", variable_name={_free('variable', taken)!r}"
    if (cells := _free("value", taken)) != "value":
        how += f", value_name={cells!r}"
    some = [table[name] for name in columns]
    drop = ".drop_nulls()" if any(each.null_count() for each in some) else ""
    if any(each.dtype.is_float() and each.is_nan().any() for each in some):
        drop += f".drop_nans({cells!r})"
    return _tensor_of(f"{text}.unpivot(index={ids!r}{how}){drop}", cells)


LOOKED_AT = 100
"""Lines of a text that say how pandas reads it."""


def _how_pandas_reads(path: str, options: Mapping[str, Any]) -> str:
    """The keywords of pandas.read_csv for a table in a text file that was read by these options of
    `genten.read`."""
    encoding = options.get("encoding", "utf-8")
    opened: Any = gzip.open if path.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding=encoding, errors="replace") as file:
            lines = [line for line in islice(file, LOOKED_AT) if line.strip()]
    except (OSError, EOFError):
        lines = []
    if not lines or path.endswith(".zst"):
        return ", sep=None, engine='python'"
    plain_lines = [re.sub('"[^"]*"', "", line) for line in lines[:2]]
    delimiter = max("\t,;", key=plain_lines[0].count)
    how = "" if delimiter == "," else f", sep={delimiter!r}"
    records = [line.split(delimiter) for line in plain_lines]
    if any(all(field[:1] == " " for field in record[1:]) for record in records):
        how += ", skipinitialspace=True"
    decimal = options.get("decimal", "auto")
    if decimal != "auto":
        how += ", decimal=','" if decimal == "," else ""
        mark = "." if decimal == "," else ","
        grouped = rf'(?:^|["{delimiter}]) *[+-]?\d{{1,3}}(?:\{mark}\d\d\d)+(?!\d|\{mark})'
        if any(re.search(grouped, line) for line in lines):
            how += f", thousands={mark!r}"
    return how if encoding == "utf-8" else f"{how}, encoding={encoding!r}"


def about_text(
    path: str, options: Mapping[str, Any], modes: Sequence[str], columns: Sequence[str]
) -> str:
    """The same of a text file with these modes, which pandas reads."""
    how = _how_pandas_reads(path, options)
    there = dict.fromkeys([*modes, *columns])
    columns, left_out = parted(columns)
    ids = [name for name in there if name not in columns and name not in left_out]
    text = f"pandas.read_csv({path!r}{how}){_drop(left_out)}"
    return of_one_quantity(columns, _melted(text, ids, columns, "variable", ".dropna()"))


def about_arrow(
    data: Any, there: Sequence[str], floats: Sequence[str], columns: Sequence[str]
) -> str:
    """What messages say of these columns of a table in Arrow's form, of a relation of DuckDB, of a
    frame that was lazy, or of the file of a path. `floats` hold such, and `there` are all."""
    polars = loaded("polars")
    if polars is not None and isinstance(data, polars.DataFrame):
        return about(data, columns)
    columns, left_out = parted(columns, floats)
    ids = [name for name in there if name not in columns and name not in left_out]
    if isinstance(data, str):
        text = f"pyarrow.dataset.dataset({data!r}).to_table().to_pandas(ignore_metadata=True)"
    elif hasattr(data, "df"):
        text = "table.df()"
    elif isinstance(data, loaded("pyarrow").Table):
        text = "table.to_pandas(ignore_metadata=True)"
    else:  # a stream, of which nobody knows how much there is
        text = "table"
    text += _drop(left_out)
    if not ids:
        ids = [_free("row", columns)]
        text += f".rename_axis(index={ids[0]!r}).reset_index()"
    return of_one_quantity(columns, _melted(text, ids, columns, "variable", ".dropna()"))
