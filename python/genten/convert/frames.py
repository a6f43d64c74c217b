# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Long tables of pandas and polars: a row a nonzero, a column a mode."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .keys import decoded, first_missing, labels_of, numbered
from .long_modes import warn_of_long_modes
from .parts import (
    AnyArray,
    Parts,
    as_shape,
    as_subscripts,
    as_values,
    lengths_of,
    loaded,
    refuse_hints,
    warn,
    warn_of_base_1,
)
from .times import texts_at_zones, texts_of


def accepts(data: Any) -> bool:
    """Whether `data` is a DataFrame, or a Series of pandas, whose index says the modes."""
    for module in ("pandas", "polars"):
        frame = getattr(loaded(module), "DataFrame", None)
        if frame is not None and isinstance(data, frame):
            return True
    return _is_series(data)


def _is_series(data: Any) -> bool:
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
    if all(name is None for name in names) and index.nlevels == 1 and not _is_series(data):
        if loaded("pandas").api.types.is_integer_dtype(index.dtype):
            return data
    if None in names:
        raise ValueError(
            f"the table's index has {'levels' if len(names) > 1 else 'keys'} without a name: name "
            f"them, as by rename_axis({[f'mode{level}' for level in range(len(names))]}), to make "
            "them modes, or leave them out by reset_index(drop=True)"
        )
    columns = [] if _is_series(data) else list(data.columns)
    for name in names:
        if name in columns or names.count(name) > 1:
            raise ValueError(
                f"the table's index is called {name!r}, as something else is: give it another "
                "name, or leave it out by reset_index(drop=True)"
            )
    return data.reset_index(name=_name_beside(names)) if _is_series(data) else data.reset_index()


def _name_beside(names: list[Any]) -> str:
    """A name for a column beside others."""
    name = "values"
    while name in names:
        name += "_"
    return name


def _checked_name(what: str, name: Any) -> None:
    """Complains of a column where its name is asked for."""
    try:
        hash(name)
        good = not hasattr(name, "__array__") and not hasattr(name, "meta")  # polars' expressions
    except TypeError:
        good = False
    if not good:
        known = getattr(name, "name", None)
        hint = f"; its name is {known!r}" if isinstance(known, str) else ""
        raise TypeError(f"{what}: expected the name of a column, got a {type(name).__name__}{hint}")


def _column(data: Any, name: Any) -> Any:
    there = list(data.columns)
    if name not in there:
        raise ValueError(f"expected one of the columns {there}, got {name!r}")
    if there.count(name) > 1:
        raise ValueError(f"expected columns of different names, got {name!r} several times")
    return data[name]


def _refuse_missing(name: Any, series: Any) -> None:
    missing = np.asarray(series.isna() if hasattr(series, "isna") else series.is_null().to_numpy())
    if missing.any():
        lacks = "expected a time, got NaT" if _may_hold_nat(series) else "a value is missing"
        raise ValueError(f"column {name!r}, row {int(missing.argmax())}: {lacks}")


def _may_hold_nat(series: Any) -> bool:
    return not _is_polars(series) and bool(
        loaded("pandas").api.types.is_datetime64_any_dtype(series.dtype)
    )


def _is_polars(data: Any) -> bool:
    polars = loaded("polars")
    return polars is not None and isinstance(data, polars.Series)


def _holds_floats(series: Any) -> bool:
    if _is_polars(series):
        return bool(series.dtype.is_float() or series.dtype.is_decimal())
    return bool(loaded("pandas").api.types.is_float_dtype(series.dtype))


def _holds_whole_numbers(series: Any) -> bool:
    """Whether a column may be one of values as well as one of subscripts; truths are neither."""
    if _is_polars(series):
        if series.dtype == loaded("polars").Object:
            return _are_whole(series.to_list())
        return bool(series.dtype.is_integer())
    if series.dtype == object:
        return _are_whole(series.tolist())
    return bool(loaded("pandas").api.types.is_integer_dtype(series.dtype))


def _holds_texts(series: Any) -> bool:
    if _is_polars(series):
        return bool(series.dtype == loaded("polars").String)
    types = loaded("pandas").api.types
    if series.dtype != object:
        return bool(types.is_string_dtype(series.dtype))
    return types.infer_dtype(series) == "string"  # type: ignore[no-any-return]


def _are_numbers(texts: Sequence[str]) -> bool:
    try:
        return all(math.isfinite(float(text)) for text in texts)
    except ValueError:
        return False


def _by_cast(series: Any, name: Any) -> str:
    """How texts become numbers, for messages."""
    cast = "cast(polars.Float64)" if _is_polars(series) else "astype(float)"
    return f"table[{name!r}].{cast}"


def _are_whole(items: Sequence[Any]) -> bool:
    return len(items) > 0 and all(
        isinstance(item, (int, np.integer)) and not isinstance(item, bool) for item in items
    )


def _pandas_mode(series: Any, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    if isinstance(series.dtype, loaded("pandas").CategoricalDtype):
        return np.asarray(series.cat.codes), labels_of(name, series.cat.categories)
    if isinstance(series.dtype, loaded("pandas").DatetimeTZDtype):
        local, utc = series.dt.tz_localize(None), series.dt.tz_convert("UTC").dt.tz_localize(None)
        return _zoned_mode(local.to_numpy(), utc.to_numpy())
    return _array_mode(np.asarray(series.to_numpy()), name)


def _polars_mode(series: Any, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    polars, kind = loaded("polars"), series.dtype
    if kind == polars.Enum:
        return series.to_physical().to_numpy(), kind.categories.to_list()
    # A global dictionary of categories may hold those of other tables.
    if kind == polars.Categorical:
        return numbered(name, series.cast(polars.String).to_list())
    if kind in (polars.String, polars.Object) or kind.is_nested():
        return numbered(name, series.to_list())
    if isinstance(kind, polars.Datetime) and kind.time_zone is not None:
        local, utc = series.dt.replace_time_zone(None), series.dt.convert_time_zone("UTC")
        return _zoned_mode(local.to_numpy(), utc.dt.replace_time_zone(None).to_numpy())
    return _array_mode(np.asarray(series.to_numpy()), name)


def _array_mode(items: AnyArray, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    if items.dtype.kind in "iuf":
        return as_subscripts(items), None
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
    """Subscripts of a column, and names where these are not numbers."""
    series = _column(data, name)
    _refuse_missing(name, series)
    return _polars_mode(series, name) if _is_polars(series) else _pandas_mode(series, name)


def _names(data: Any, modes: Any, values: Any) -> list[Any]:
    """The columns that are modes."""
    if modes is None:
        names = [name for name in data.columns if name != values]
        for name in names:
            if _holds_floats(_column(data, name)):
                meant = "modes= says which columns are"
                if values is None:
                    meant = f"give genten.tensor(table, values={name!r})?"
                raise ValueError(f"column {name!r} holds floats, which are no mode: {meant}")
        if values is None:
            _refuse_ambiguous(data, names)
        return names
    if isinstance(modes, (str, bytes)) or not isinstance(modes, Iterable):
        raise TypeError(f"modes: expected a sequence of names of columns, got {modes!r}")
    names = list(modes)
    for name in names:
        _checked_name("modes", name)
    if not names:
        raise ValueError("modes: expected at least one column, got none")
    if values is not None and values in names:
        raise ValueError(f"modes: expected columns other than that of the values, got {values!r}")
    return names


def _refuse_ambiguous(data: Any, names: list[Any]) -> None:
    """Complains of columns that may hold subscripts or values where neither are named."""
    whole = [name for name in names if _holds_whole_numbers(data[name])]
    if whole:
        called = " and ".join(repr(name) for name in whole)
        hold = f"columns {called} hold" if len(whole) > 1 else f"column {called} holds"
        raise ValueError(
            f"{hold} whole numbers, which may be values or a mode's subscripts: give "
            f"genten.tensor(table, values={whole[-1]!r}), or modes={names!r} to count rows"
        )


def to_parts(
    data: Any,
    dtype: Any = None,
    shape: Any = None,
    modes: Sequence[Any] | None = None,
    values: Any = None,
    **hints: Any,
) -> Parts:
    """Takes the columns `modes`, by default all but `values`, as modes. Rows count as 1 where
    there is no column of values. Rows of one cell are meant to be added up. An index with names is
    as many columns; a Series is the values at its index."""
    refuse_hints("a table", **hints)
    if values is not None:
        _checked_name("values", values)
    if _is_series(data):
        refuse_hints("a Series", values=values)
        values = _name_beside(list(data.index.names))
    data = with_index(data)
    if values is None:
        numbers = np.ones(len(data), dtype=np.float64 if dtype is None else dtype)
    else:
        column = _column(data, values)
        _refuse_missing(values, column)
        if _holds_texts(column):
            raise ValueError(
                f"values: expected numbers in column {values!r}, got texts; "
                f"{_by_cast(column, values)} makes numbers of texts such as '3.5'"
            )
        numbers = as_values(column.to_numpy(), dtype)
    names = _names(data, modes, values)
    taken = [mode_of(data, name) for name in names]
    if values is None and modes is None:
        for name, (_, labels) in zip(names, taken, strict=True):
            if labels is not None and _holds_texts(data[name]) and _are_numbers(labels):
                warn(
                    f"column {name!r} holds numbers as texts, and is a mode: if they are values, "
                    f"take {_by_cast(data[name], name)} and give values={name!r}; modes={names!r} "
                    "says that they are not"
                )
    lengths = tuple(
        lengths_of([codes])[0] if labels is None else len(labels) for codes, labels in taken
    )
    if shape is not None:
        lengths = as_shape(shape)
    else:
        if all(labels is None for _, labels in taken):
            warn_of_base_1([codes for codes, _ in taken])
        # Names are as many as there are; of numbers the largest says how many.
        numbered_to = [
            length if labels is None else 0
            for length, (_, labels) in zip(lengths, taken, strict=True)
        ]
        warn_of_long_modes([codes for codes, _ in taken], numbered_to)
    columns = [codes for codes, _ in taken]
    if (nameless := first_missing(names)) is not None:
        raise ValueError(f"modes: expected columns with names, got {names[nameless]!r}")
    labelled = [labels for _, labels in taken]
    mode_names = [str(name) for name in decoded(names, "modes")]
    return Parts(columns, numbers, lengths, labelled, mode_names, duplicates="sum")
