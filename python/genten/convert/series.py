# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Columns of pandas and of polars, and what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .parts import loaded


def missing_in(series: Any) -> Any:
    """By row whether a value is missing, as NaN is."""
    if not is_polars(series):
        return series.isna()
    missing = series.is_null()
    if series.dtype.is_float():
        missing = missing | series.is_nan().fill_null(True)
    return missing.to_numpy()


def is_polars(data: Any) -> bool:
    """Whether that is a column of polars, not of pandas."""
    polars = loaded("polars")
    return polars is not None and isinstance(data, polars.Series)


def holds_floats(series: Any) -> bool:
    if is_polars(series):
        return bool(series.dtype.is_float() or series.dtype.is_decimal())
    return bool(loaded("pandas").api.types.is_float_dtype(series.dtype))


def is_number(item: Any) -> bool:
    """Whether that is an integer or a float; truths are neither."""
    return isinstance(item, (float, np.floating)) or are_whole([item])


def are_whole(items: Sequence[Any]) -> bool:
    """Whether these are integers, and there are some."""
    return len(items) > 0 and all(
        isinstance(item, (int, np.integer)) and not isinstance(item, bool) for item in items
    )


def of_long_integers(series: Any) -> Any:
    """A column of integers of 128 bits of polars, which NumPy does not have, as one of 64 bits, or
    of objects where some are longer; other columns as they are."""
    if not is_polars(series) or str(series.dtype) not in ("Int128", "UInt128"):
        return series
    polars = loaded("polars")
    try:
        return series.cast(polars.Int64)
    except polars.exceptions.InvalidOperationError:
        return polars.Series(series.name, series.to_list(), dtype=polars.Object)
