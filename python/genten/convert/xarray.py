# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of xarray: dimensions are modes, and their coordinates names of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import dense, pydata
from .keys import labels_of
from .parts import Parts, loaded, refuse_hints
from .times import texts_of


def accepts(data: Any) -> bool:
    """Whether `data` is a `xarray.DataArray`."""
    xarray = loaded("xarray")
    return xarray is not None and isinstance(data, xarray.DataArray)


def _labels(data: Any, dimension: Any) -> Sequence[str] | None:
    """The names of the rows of a mode; None where there are none, and where they are numbers of
    rows."""
    if dimension not in data.coords:
        return None
    keys = data.coords[dimension].values
    if keys.dtype.kind in "iu" and np.array_equal(keys, np.arange(len(keys))):
        return None
    if keys.dtype.kind == "M":
        return texts_of(keys)
    return labels_of(dimension, keys if keys.dtype.kind == "m" else keys.tolist())


def to_parts(data: Any, dtype: Any = None, shape: Any = None, **hints: Any) -> Parts:
    """Takes the elements that are not 0, of one that holds pydata's sparse array as it is."""
    refuse_hints("an array of xarray", shape=shape, **hints)
    if pydata.accepts(data.data):
        parts = pydata.to_parts(data.data, dtype=dtype)
    else:
        array = np.asarray(data.values)
        holes = int(np.isnan(array).sum()) if array.dtype.kind == "f" else 0
        if holes:
            raise ValueError(
                f"values: {holes} of {array.size} elements are NaN; "
                "genten.cp(X.fillna(0), rank, missing=X.isnull().values) takes them for missing"
            )
        parts = dense.to_parts(array, dtype=dtype)
    parts.labels = [_labels(data, dimension) for dimension in data.dims]
    parts.mode_names = [str(dimension) for dimension in data.dims]
    return parts
