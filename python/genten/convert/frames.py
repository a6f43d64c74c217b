# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Long tables of pandas and polars: a row a nonzero, a column a mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .parts import AnyArray, Parts, as_shape, as_subscripts, as_values, loaded, refuse_hints


def accepts(data: Any) -> bool:
    """Whether `data` is a DataFrame."""
    for module in ("pandas", "polars"):
        frame = getattr(loaded(module), "DataFrame", None)
        if frame is not None and isinstance(data, frame):
            return True
    return False


def _column(data: Any, name: Any) -> Any:
    if name not in list(data.columns):
        raise ValueError(f"expected one of the columns {list(data.columns)}, got {name!r}")
    return data[name]


def _refuse_missing(name: Any, missing: AnyArray) -> None:
    if missing.any():
        raise ValueError(f"column {name!r}, row {int(missing.argmax())}: a value is missing")


def _pandas_categories(series: Any) -> tuple[AnyArray, Sequence[str]] | None:
    if not hasattr(series, "cat"):
        return None
    _refuse_missing(series.name, np.asarray(series.isna()))
    return np.asarray(series.cat.codes), [str(name) for name in series.cat.categories]


def _polars_categories(series: Any) -> tuple[AnyArray, Sequence[str]] | None:
    polars = loaded("polars")
    if polars is None or not isinstance(series, polars.Series):
        return None
    if series.dtype not in (polars.Categorical, polars.Enum):
        return None
    _refuse_missing(series.name, series.is_null().to_numpy())
    if series.dtype == polars.Enum:
        names = series.dtype.categories.to_list()
        return series.to_physical().to_numpy(), names
    # A global dictionary of categories may hold those of other tables.
    return _distinct(np.asarray(series.cast(polars.String).to_list(), dtype=object))


def _distinct(items: AnyArray) -> tuple[AnyArray, Sequence[str]]:
    """Numbers for things, in their sorted order, and their names."""
    try:
        found, codes = np.unique(items, return_inverse=True)
    except TypeError:  # of types that have no order between them
        found, codes = np.unique(items.astype(str), return_inverse=True)
    return codes.reshape(-1), [str(item) for item in found]


def _mode(series: Any, name: Any) -> tuple[AnyArray, Sequence[str] | None]:
    """Subscripts of a column, and names where these are not numbers."""
    named = _polars_categories(series)
    if named is None and loaded("pandas") is not None:
        pandas = loaded("pandas")
        if isinstance(series, pandas.Series) and isinstance(series.dtype, pandas.CategoricalDtype):
            named = _pandas_categories(series)
    if named is not None:
        return named
    missing = series.isna() if hasattr(series, "isna") else series.is_null()
    _refuse_missing(name, np.asarray(missing.to_numpy()))
    items = np.asarray(series.to_numpy())
    if items.dtype.kind in "iuf":
        return as_subscripts(items), None
    return _distinct(items)


def to_parts(
    data: Any,
    dtype: Any = None,
    shape: Any = None,
    modes: Sequence[Any] | None = None,
    values: Any = None,
    **hints: Any,
) -> Parts:
    """Takes the columns `modes`, by default all but `values`, as modes. Rows count as 1 where
    there is no column of values, so that duplicates, which add up, are counts."""
    refuse_hints("a table", **hints)
    names = list(modes) if modes is not None else [c for c in data.columns if c != values]
    numbers = (
        np.ones(len(data), dtype=np.float64 if dtype is None else dtype)
        if values is None
        else as_values(_column(data, values).to_numpy(), dtype)
    )
    taken = [_mode(_column(data, name), name) for name in names]
    lengths = [
        len(labels) if labels is not None else (int(codes.max()) + 1 if codes.size else 0)
        for codes, labels in taken
    ]
    return Parts(
        [codes for codes, _ in taken],
        numbers,
        tuple(lengths) if shape is None else as_shape(shape),
        [labels for _, labels in taken],
        [str(name) for name in names],
    )
