# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse input in whatever form it comes, as subscripts, values and a shape.

Each module here knows one family of libraries and asks nothing of the others; none imports a
library that the caller has not imported.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from . import arrow, dense, frames, pydata, pyttb, scipy, torch, xarray
from .parts import AnyArray, Parts, from_arrays, host_array

__all__ = ["Parts", "dense_values", "from_arrays", "to_parts"]

_FAMILIES = (scipy, pydata, pyttb, torch, frames, xarray, arrow, dense)


_WAYS = {
    "dict": "pandas.DataFrame(it) makes a table of lists by column",
    "GroupBy": "its .sum() or .size() is a table",
    "NpzFile": "its arrays are taken by their names, as it['arr_0']",
    "ktensor": f"its .full() is a dense tensor, which is taken; {pyttb.MODELS['ktensor']}",
    "ttensor": f"its .full() is a dense tensor, which is taken; {pyttb.MODELS['ttensor']}",
    "TuckerModel": "its .to_dense() is a dense array, which is taken",
    "sumtensor": "its .full() is a dense tensor, which is taken",
    "sptenmat": "its .to_sptensor() is taken",
    "tenmat": "its .to_tensor() is taken",
    "DuckDBPyConnection": "its .sql('SELECT ...') is a relation, which is taken",
}
"""What is told of by how types are called that hold tables or tensors, and are none."""


def _of_list(data: list[Any]) -> str:
    """What makes something that is taken of a list."""
    lengths = {len(each) if isinstance(each, (tuple, list)) else 0 for each in data}
    rows = [row for row in data if isinstance(row, (tuple, list))]
    numbers = [isinstance(each, Real) for row in rows for each in row]
    if any(isinstance(row, dict) for row in data):
        return "pandas.DataFrame(it) makes a table of its rows"
    if rows and len(lengths) > 1:
        return "lists of one length make a dense array, by numpy.array"
    if any(isinstance(each, (tuple, list)) for row in rows for each in row):
        return "numpy.array(it) makes a dense array of nested lists"
    if len(lengths) == 1 and 2 < max(lengths) <= dense.MOST_MODES + 1:
        if not all(numbers):
            last = max(lengths) - 1
            return (
                f"genten.tensor(pandas.DataFrame(it), values={last}) makes a tensor of rows of "
                "labels that end with a value"
            )
        if isinstance(data[0], tuple) or len(data) > max(lengths):
            return (
                "genten.tensor((numpy.array(it)[:, :-1], numpy.array(it)[:, -1])) makes a tensor "
                "of rows of subscripts that end with a value, and numpy.array(it) is a dense matrix"
            )
    if data and all(hasattr(each, "tocoo") for each in data):
        return (
            "genten.tensor(sparse.stack([sparse.COO(each) for each in it], axis=-1)), of pydata's "
            "sparse, makes a tensor of slices"
        )
    return "numpy.array makes a dense array of nested lists"


def dense_values(data: Any) -> AnyArray | None:
    """The array of dense data, as of NumPy, masked or not, xarray, `pyttb.tensor` and what speaks
    DLPack; None of others."""
    data = pyttb.array_of(data)
    if xarray.accepts(data):
        data = data.data if pydata.accepts(data.data) else data.values
    if isinstance(data, np.ndarray):
        return data
    family = next((each for each in _FAMILIES if each.accepts(data)), None)
    return host_array(data, "a dense array") if family is dense else None


def to_parts(data: Any, **hints: Any) -> Parts:
    """The parts of any supported object; see `genten.tensor` for what these are.

    Raises
    ------
    TypeError
        For an object of no supported kind.
    ValueError
        For one that holds what no sparse tensor can.
    """
    for family in _FAMILIES:
        if family.accepts(data):
            return family.to_parts(data, **hints)  # type: ignore[no-any-return]
    if isinstance(data, list):
        raise TypeError(
            "expected a tuple (subscripts, values, shape) or an array, got a list; "
            f"{_of_list(data)}"
        )
    kind = type(data)
    way = next((way for name, way in _WAYS.items() if kind.__name__.endswith(name)), None)
    if isinstance(data, dict) and (keys := [key for key in data if isinstance(key, tuple)]):
        names = [f"mode{n}" for n in range(len(keys[0]))]
        way = f"pandas.Series(it).rename_axis({names}) has its keys as entries"
    if isinstance(data, dict) and "__header__" in data:  # of scipy.io.loadmat
        names = [
            key for key, each in data.items()
            if getattr(getattr(each, "dtype", None), "kind", "no") in "fiub"
        ]  # fmt: skip
        way = f"its arrays are taken by their names, as it[{(names or ['name'])[0]!r}]"
    if variables := list(getattr(data, "data_vars", ())):  # of xarray
        way = f"its variables are taken, as it[{variables[0]!r}]"
    if way is not None:
        raise TypeError(f"expected a tensor or a table, got a {kind.__name__}; {way}")
    raise TypeError(
        f"expected a sparse tensor, got {kind.__module__}.{kind.__qualname__}; genten takes SciPy, "
        "pydata/sparse, pyttb, PyTorch and CuPy sparse arrays, tables of pandas, polars, Arrow and "
        "DuckDB, xarray, dense arrays, paths, and (subscripts, values, shape)"
    )
