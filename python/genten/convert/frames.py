# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Long tables of pandas and polars: a row a nonzero, a column a mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from . import wide
from .columns import (
    Holes,
    Infinite,
    checked_name,
    from_base,
    modes_of,
    parts_of_columns,
    refuse_unknown,
    subscripts_in,
    warn_of_numbers,
    warn_of_numbers_as_texts,
)
from .doubtful_names import warn_of_unused_names
from .keys import labels_of, numbered
from .no_numbers import by_cast, no_numbers
from .parts import AnyArray, Parts, as_values, loaded, of_integers, refuse_hints, warn
from .series import are_whole, holds_floats, is_number, is_polars, missing_in, of_long_integers
from .times import texts_at_zones, texts_of


def accepts(data: Any) -> bool:
    """Whether `data` is a DataFrame, or a Series of pandas, whose index says the modes."""
    for module in ("pandas", "polars"):
        frame = getattr(loaded(module), "DataFrame", None)
        if frame is not None and isinstance(data, frame):
            return True
    return is_series(data)


def is_series(data: Any) -> bool:
    series = getattr(loaded("pandas"), "Series", None)
    return series is not None and isinstance(data, series)


def with_index(data: Any) -> Any:
    """A table of pandas with its index as columns, where that has names. One of plain row numbers
    without a name says nothing, and stays away.

    Raises
    ------
    ValueError
        For another index without names, which may be meant for a mode.
    """
    index = getattr(data, "index", None)
    if index is None or not hasattr(index, "names"):
        return data
    names = list(index.names)
    if all(name is None for name in names) and index.nlevels == 1 and not is_series(data):
        if loaded("pandas").api.types.is_integer_dtype(index.dtype):
            return data
    if None in names:
        kind, leave_out = "table", ", or leave them out by reset_index(drop=True)"
        if is_series(data):  # without its index it would say nothing but values
            kind, leave_out = "Series", ""
        raise ValueError(
            f"the {kind}'s index has {'levels' if len(names) > 1 else 'keys'} without a name: name "
            f"them, as by rename_axis({[f'mode{level}' for level in range(len(names))]}), to make "
            f"them modes{leave_out}"
        )
    columns = [] if is_series(data) else list(data.columns)
    for name in names:
        if name in columns or names.count(name) > 1:
            raise ValueError(
                f"the table's index is called {name!r}, as something else is: give it another "
                "name, or leave it out by reset_index(drop=True)"
            )
    return data.reset_index(name=_values_in(data)) if is_series(data) else data.reset_index()


def refuse_pivot(data: Any) -> None:
    """Complains of a wide table of pandas: its columns are the rows of a mode, as their common name
    says, or of several, as their levels do."""
    columns: Any = getattr(data, "columns", ())
    several = getattr(columns, "nlevels", 1) > 1
    name = getattr(columns, "name", None)
    if name is None and not several:
        return
    cells = list(columns) if several else _columns_of_numbers(data)
    if not cells:
        return
    kind = "column is" if len(cells) == 1 else f"{len(cells)} columns are"
    what = f"of {columns.nlevels} levels" if several else f"a mode {name!r}"
    call = wide.call_for_levels(data) if several else wide.call_for_pandas(data, cells)
    hint = unknown = ""
    if several and None not in data.index.names:
        one = f"genten.tensor(table[{wide.plain(columns[-1])!r}])"
        hint = f"; where they are several quantities, as aggregates are, {one} takes one of them"
    if data[cells].isna().to_numpy().any():
        unknown = f", of which empty ones are zeros, {wide.UNLESS_MISSING}"
    raise ValueError(
        f"expected a long table, a column a mode, got a wide one, whose {kind} {what}, as of a "
        f"pivot: {call} takes its cells for values{unknown}, and values= or modes= says which "
        f"columns of a long one are{hint}"
    )


_OF_CELLS = ("integer", "floating", "mixed-integer-float", "boolean", "decimal")
"""What pandas finds in columns of numbers or truths, also among objects."""


def _columns_of_numbers(data: Any) -> list[Any]:
    """The columns of a pivot that hold its cells: of numbers or truths, but for the ids that
    reset_index() has put first, which may be whole numbers, too."""
    names = [name for name in data.columns if list(data.columns).count(name) == 1]
    floats = [name for name in names if holds_floats(data[name])]
    cells = [
        name for name in names
        if name in floats or loaded("pandas").api.types.infer_dtype(data[name]) in _OF_CELLS
    ]  # fmt: skip
    is_reset = floats and list(data.index.names) == [None]
    return cells[cells.index(floats[0]) :] if is_reset else cells


def _refuse_several(table: Any, values: list[Any]) -> None:
    """Complains of several columns of values, as of a wide table."""
    if all(name in list(table.columns) for name in values):
        about = wide.about(table, values)
        one = f"; its name is {values[0]!r}" if len(values) == 1 else ""
        raise TypeError(f"values: expected the name of one column, got {values!r}{one}{about}")


def values_of(series: Any) -> str:
    """The name of a Series' values, "" where it has none, or that of one of its modes."""
    unnamed = series.name is None or series.name in list(series.index.names)
    return "" if unnamed else str(series.name)


def _values_in(series: Any) -> Any:
    """The name of its column of values beside those of its index."""
    if values_of(series):
        return series.name
    name, names = "values", list(series.index.names)
    while name in names:
        name += "_"
    return name


def _column(data: Any, name: Any) -> Any:
    refuse_unknown(list(data.columns), name)
    return data[name]


def refuse_missing(
    data: Any,
    names: Sequence[Any],
    values: Any = None,
    of_series: bool = False,
    hint: str = "",
) -> None:
    """Complains of all cells of these columns that are missing, together; `of_series` says that
    they are those of a Series, and `hint` what else may be meant."""
    holes, times = Holes(), []
    empty, nan = [], []  # columns of polars, which tells these apart
    for name in names:
        series = _column(data, name)
        missing = np.asarray(missing_in(series))
        holes.add(name, np.flatnonzero(missing))
        times += [name] * _may_hold_nat(series)
        if is_polars(series):
            nulls = series.null_count()
            empty += [name] * (nulls > 0)
            nan += [name] * (int(missing.sum()) > nulls)
    drop = [f".drop_nulls({empty})"] * bool(empty) + [f".drop_nans({nan})"] * bool(nan)
    way = "table" + ("".join(drop) or f".dropna(subset={holes.columns})")
    if of_series:
        way = "series.dropna()"
        if holes.columns != [values]:
            way = f"series.reset_index(name={values!r}).dropna() with values={values!r}"
    holes.refuse(values, f", as by {way}", times, hint)


def _may_hold_nat(series: Any) -> bool:
    return not is_polars(series) and bool(
        loaded("pandas").api.types.is_datetime64_any_dtype(series.dtype)
    )


def _holds_floats_only(data: Any, name: Any, values: Any, given: Any) -> bool:
    """Whether a column holds floats. Those of whole numbers may be ids of which some are missing,
    which pandas makes floats of: all that is missing in the table is told then, and that the table
    may be wide. `given` is the table with its index."""
    series = data[name]
    if not holds_floats(series):
        return False
    if _is_whole(series) and missing_in(series).any():
        hint = _about_holes(data, [each for each in data.columns if each != values], values, given)
        refuse_missing(data, list(data.columns), values, hint=hint)
    return True


def _about_holes(data: Any, names: Sequence[Any], values: Any, given: Any) -> str:
    """That a table may be wide, where columns of numbers are to be modes and some lack values; ""
    where none do. `given` is the table with its index."""
    numbers = [
        each for each in names if holds_floats(data[each]) or _holds_whole_numbers(data[each])
    ]
    if not any(missing_in(data[name]).any() for name in numbers):
        return ""
    of_values = [] if values is None else [values]
    return wide.about(given, [*of_values, *numbers]) if len(numbers) > 1 else ""


def _is_whole(series: Any) -> bool:
    known = np.asarray(series.to_numpy()[~np.asarray(missing_in(series))], dtype=np.float64)
    return len(known) > 0 and bool(np.isfinite(known).all() and (np.floor(known) == known).all())


def _to_names(series: Any) -> str:
    """How floats become names of rows."""
    cast = f"astype({{{series.name!r}: str}})"
    if is_polars(series):
        cast = f"cast({{{series.name!r}: polars.String}})"
    return f", and table.{cast} makes names of its numbers"


def _to_ids(series: Any) -> str:
    """How floats become ids, if they are whole numbers."""
    if not _is_whole(series):
        return ""
    cast = f"astype({{{series.name!r}: int}})"
    if is_polars(series):
        cast = f"cast({{{series.name!r}: polars.Int64}})"
    return f"; where they are ids, table.{cast} makes them whole numbers"


def _holds_whole_numbers(series: Any) -> bool:
    """Whether a column may be one of values as well as one of subscripts; truths are neither."""
    if is_polars(series):
        if series.dtype == loaded("polars").Object:
            return are_whole(series.to_list())
        return bool(series.dtype.is_integer())
    if series.dtype == object:
        return are_whole(series.dropna().tolist())
    return bool(loaded("pandas").api.types.is_integer_dtype(series.dtype))


def _holds_texts(series: Any) -> bool:
    if is_polars(series):
        return bool(series.dtype == loaded("polars").String)
    types = loaded("pandas").api.types
    if series.dtype != object:
        return bool(types.is_string_dtype(series.dtype))
    return types.infer_dtype(series) == "string"  # type: ignore[no-any-return]


def _as_matrix(data: Any) -> str:
    """The call that takes a table of numbers for a matrix, if none of them is missing."""
    matrix = data.to_numpy()
    takes = matrix.dtype.kind == "f" and np.isfinite(matrix).all()
    return "genten.tensor(table.to_numpy())" if takes else ""


def _pandas_mode(series: Any, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    if _has_categories(series):
        return np.asarray(series.cat.codes), labels_of(name, series.cat.categories)
    if isinstance(series.dtype, loaded("pandas").DatetimeTZDtype):
        local, utc = series.dt.tz_localize(None), series.dt.tz_convert("UTC").dt.tz_localize(None)
        return _zoned_mode(local.to_numpy(), utc.to_numpy())
    return _array_mode(np.asarray(series.to_numpy()), name)


def _polars_mode(series: Any, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    series = of_long_integers(series)
    polars, kind = loaded("polars"), series.dtype
    if _has_categories(series):
        return series.to_physical().to_numpy(), kind.categories.to_list()
    # A global dictionary of categories may hold those of other tables.
    if kind == polars.Categorical:
        series, kind = series.cast(polars.String), polars.String
    if kind == polars.String:
        texts = series.unique().sort()  # by bytes in UTF-8, which is the order of Python's texts
        return series.cast(polars.Enum(texts)).to_physical().to_numpy(), texts.to_list()
    if kind == polars.Object or kind.is_nested():
        return numbered(name, series.to_list())
    if isinstance(kind, polars.Datetime) and kind.time_zone is not None:
        local, utc = series.dt.replace_time_zone(None), series.dt.convert_time_zone("UTC")
        return _zoned_mode(local.to_numpy(), utc.dt.replace_time_zone(None).to_numpy())
    return _array_mode(np.asarray(series.to_numpy()), name)


def _has_categories(series: Any) -> bool:
    """Whether a column has names of rows beside those that occur."""
    if is_polars(series):
        return bool(series.dtype == loaded("polars").Enum)
    return isinstance(series.dtype, loaded("pandas").CategoricalDtype)


def _array_mode(items: AnyArray, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    if items.dtype.kind in "iuf":
        return subscripts_in(items, name), None
    if items.dtype.kind == "O":
        return numbered(name, items.tolist())
    found, codes = np.unique(items, return_inverse=True)
    labels = texts_of(found) if found.dtype.kind == "M" else labels_of(name, found)
    return codes.reshape(-1), labels


def _zoned_mode(local: AnyArray, utc: AnyArray) -> tuple[AnyArray, Sequence[str]]:
    """Subscripts and labels of times of a zone, given by its clock and in UTC."""
    found, first, codes = np.unique(utc, return_index=True, return_inverse=True)
    return codes.reshape(-1), texts_at_zones(local[first], found)


def mode_of(data: Any, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    """Subscripts of a column without missing cells, and names where these are not numbers."""
    series = _column(data, name)
    return _polars_mode(series, name) if is_polars(series) else _pandas_mode(series, name)


def _warn_of_truths(
    data: Any, names: Sequence[Any], about_wide: Callable[[Sequence[Any]], str]
) -> None:
    """Warns of many columns of truths that are modes, as those of indicators are not meant."""
    truths = [name for name in names if str(data[name].dtype).lower() in ("bool", "boolean")]
    if len(truths) >= MOST_OF_TRUTHS:
        warn(
            f"{len(truths)} columns of True and False are a mode each; modes= says which columns "
            f"are modes{about_wide(truths)}"
        )


MOST_OF_TRUTHS = 4
"""Columns of truths from which a table seems to be one of indicators."""


def _numbers_of(series: Any) -> AnyArray:
    """The values of a column as an array.

    Raises
    ------
    ValueError
        For objects that are neither integers nor floats, such as decimal numbers of Python.
    """
    if is_polars(series) and series.dtype.is_nested():
        raise ValueError(f"values: {no_numbers(series, series.name, 'objects')}")
    if is_polars(series) and series.dtype.is_decimal():
        series = series.cast(loaded("polars").Float64)
    series = of_long_integers(series)
    array = np.asarray(series.to_numpy())
    if array.dtype == object:
        items = array.tolist()
        if are_whole(items):
            return of_integers(items)
        if all(map(is_number, items)):
            return array.astype(np.float64)
        raise ValueError(f"values: {no_numbers(series, series.name, 'objects')}")
    return array


def to_parts(
    data: Any,
    dtype: Any = None,
    shape: Any = None,
    modes: Sequence[Any] | None = None,
    values: Any = None,
    index_base: int | None = None,
    notes: bool = True,
    **hints: Any,
) -> Parts:
    """Takes the columns `modes`, by default all but `values`, as modes. Rows count as 1 where
    there is no column of values. Rows with the same subscripts are meant to be added up. An index
    with names is as many columns; a Series is the values at its index."""
    refuse_hints("a table", **hints)
    if isinstance(values, list) and not is_series(data):
        _refuse_several(data, values)
    if values is not None:
        checked_name("values", values, data)
    if of_series := is_series(data):
        refuse_hints("a Series", values=values)
        values = _values_in(data)
    if values is None and modes is None:
        refuse_pivot(data)
    given, data = data, with_index(data)
    column = None if values is None else _column(data, values)
    if len(data.columns) == 0:
        raise ValueError("expected a table with a column for each mode, got one without columns")
    left = [name for name in data.columns if name != values]
    if len(data) == 0 and modes is None and any(holds_floats(data[name]) for name in left):
        raise ValueError("expected a table with rows, got one without")
    if column is not None and _holds_texts(column):
        raise ValueError(f"values: {no_numbers(column, values, 'texts')}")
    names = modes_of(
        list(data.columns), modes, values,
        lambda name: _holds_floats_only(data, name, values, given),
        lambda name: _holds_whole_numbers(data[name]), way_to_ids=lambda name: _to_ids(data[name]),
        to_names=lambda name: _to_names(data[name]),
        about_wide=partial(wide.about, given),
        as_matrix=partial(_as_matrix, given),
    )  # fmt: skip
    hint = "" if modes is not None or of_series else _about_holes(data, names, values, given)
    refuse_missing(data, names if values is None else [*names, values], values, of_series, hint)
    if column is None:
        given_numbers = numbers = np.ones(len(data), dtype=np.float64 if dtype is None else dtype)
    else:
        given_numbers = _numbers_of(column)
        finite = f"table[numpy.isfinite(table[{values!r}])]"
        if is_polars(column):
            finite = f"table.filter(table[{values!r}].is_finite())"
        way = "" if of_series else f", as by {finite}"
        numbers = as_values(given_numbers, dtype)
        infinite = Infinite()
        infinite.add(numbers)
        infinite.refuse(values, way)
    taken = [mode_of(data, name) for name in names]
    taken = [
        (from_base(codes, index_base, f"column {name!r}") if labels is None else codes, labels)
        for name, (codes, labels) in zip(names, taken, strict=True)
    ]
    for name, (codes, labels) in zip(names, taken, strict=True):
        if notes and labels is not None and _has_categories(data[name]):
            used = np.bincount(codes, minlength=len(labels))  # of none is -1: that was refused
            warn_of_unused_names(name, labels, int(np.count_nonzero(used)))
    if values is not None and notes and not of_series:
        about = partial(wide.about, given)
        warn_of_numbers(names, taken, values, numbers, about, modes is not None)
    if modes is None and values is None and notes:
        _warn_of_truths(data, names, partial(wide.about, given))
    if values is None and modes is None:
        texts = [
            labels if _holds_texts(data[name]) else None
            for name, (_, labels) in zip(names, taken, strict=True)
        ]
        warn_of_numbers_as_texts(names, texts, lambda name, unit: by_cast(data[name], name, unit))
    parts = parts_of_columns(names, taken, numbers, shape, notes, index_base is not None)
    parts.of_truths = given_numbers.dtype.kind == "b"
    return parts
