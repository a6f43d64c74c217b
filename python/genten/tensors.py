# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors."""

from __future__ import annotations

import contextlib
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, _files, _library
from ._cells import distinct_cells
from ._names import Named
from ._printed import html_of
from ._pyttb_names import Norm, PyttbTensorNames, of_one_tuple
from ._tensor.handed import Handed
from ._tensor.rows import Shortened
from .convert import Parts, from_arrays, to_parts
from .convert.long_modes import warn_of_long_modes
from .convert.parts import as_values, checked_dtype, refuse_hints

if TYPE_CHECKING:
    from .model import Model

COUNTED_UNASKED = 500_000
"""Nonzeros up to which it takes no noticeable time to count the cells in which they lie."""


class Tensor(Named, PyttbTensorNames, Shortened, Handed):
    """A sparse tensor: the subscripts and values of its nonzeros, and its shape.

    Made by `genten.tensor` and `genten.read`. None of its methods changes it; subscripts count from
    0, and several nonzeros at the same subscripts mean their sum: `coalesce` adds them up.

    Attributes
    ----------
    labels : list
        For each mode the names of its rows, or None.
    mode_names : list of str, or None
        Names of the modes.
    source : str or None
        The file that it was read from.
    file_facts : dict
        What the reader found: format, compression, entries, duplicates; 'read_options' is how it
        was asked. Empty without a file.

    Examples
    --------
    >>> import genten, numpy as np
    >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([3.0, 4.0])))
    >>> X.shape, X.nnz, X.norm
    ((3, 2), 2, 5.0)
    """

    def __init__(
        self,
        core: _core.SparseTensor,
        labels: Any = None,
        mode_names: Any = None,
        source: str | None = None,
        file_facts: dict[str, Any] | None = None,
        shared: bool = False,
        cells: int | None = None,
    ) -> None:
        self._core = core
        self._shared = shared
        self.labels = labels
        self.mode_names = mode_names
        self.source = source
        self.file_facts = file_facts or {}
        self._norm: float | None = None
        self._cells = cells

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the modes."""
        return self._core.shape

    @property
    def ndim(self) -> int:
        """Number of modes N, the order of the tensor."""
        return len(self.shape)

    @property
    def order(self) -> int:
        """Number of modes N, the same as `ndim`."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """Number of stored nonzeros, duplicates and explicit zeros included; `distinct_cells` says
        in how many cells they lie."""
        return self._core.nnz

    @property
    def density(self) -> float:
        """Share of cells with nonzeros: `distinct_cells` by the number of elements; 0 without."""
        return self._density_of(self.distinct_cells)

    def _density_of(self, cells: int) -> float:
        elements = math.prod(self.shape)
        if cells == self.nnz <= elements:
            return self._core.density
        return min(cells, elements) / elements if elements else 0.0

    @property
    def distinct_cells(self) -> int:
        """In how many cells the nonzeros lie: `nnz` where no two lie in one. Where that is not
        known from where the tensor came from they are counted, which takes as long as sorting
        them: once, but each time where the array of subscripts is another's, who may have written
        to it."""
        known = self._known_cells
        if known is None:
            known = distinct_cells(self._checked().subscripts, self.shape)
            self._cells = known
        return known

    @property
    def _known_cells(self) -> int | None:
        """In how many cells the nonzeros lie, where that is known and nobody can change it."""
        return None if self._shared and self._core.shares_subscripts else self._cells

    @property
    def _is_counted(self) -> bool:
        """Whether `distinct_cells` costs next to nothing."""
        return self._known_cells is not None or self.nnz <= COUNTED_UNASKED

    def _checked(self) -> Tensor:
        """Itself, once it is certain that arrays of others still hold what a tensor may.

        Raises
        ------
        ValueError
            For a subscript outside the shape, and a value that is not finite, with the nonzero.
        """
        if self._shared:
            _library.check_tensor(self._core)
        return self

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values: float32 or float64."""
        return np.dtype(self._core.values.dtype)

    @property
    def subscripts(self) -> npt.NDArray[Any]:
        """The subscripts, nnz x N, uint32 or uint64: a view that cannot be written to."""
        return self._core.subscripts

    @property
    def values(self) -> npt.NDArray[Any]:
        """The values, of length nnz: a view that cannot be written to."""
        return self._core.values

    @property
    def norm(self) -> Norm:
        """Frobenius norm, with duplicates added up; computed once, but each time of a tensor that
        may use arrays of others, which may have been written to. Calling it, as in pyttb, gives
        the same number."""
        norm = self._norm
        if norm is None:
            norm = _library.tensor_norm(self._core)
            self._norm = None if self._shared else norm
        return Norm(norm)

    def _changed(
        self, labels: Any = None, mode_names: Any = None, dtype: Any = None, copy: bool = False
    ) -> Tensor:
        """A tensor of the same subscripts and values, without a copy where none is asked for."""
        core = self._core
        if copy or (dtype is not None and dtype != self.dtype):
            values = self.values if dtype is None else as_values(self.values, dtype)
            core = _library.tensor_from_matrix(self.subscripts, values, list(self.shape), copy)
        return Tensor(
            core,
            self.labels if labels is None else labels,
            self.mode_names if mode_names is None else mode_names,
            self.source,
            self.file_facts,
            self._shared and not copy,
            self._known_cells,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        self._checked()
        return _unpickled, (
            np.array(self.subscripts),
            np.array(self.values),
            self.shape,
            self.labels,
            self.mode_names,
            self.source,
            self.file_facts,
            False,
            self._known_cells,
        )

    def _facts(self) -> list[tuple[str, str]]:
        """What repr and notebooks say of it; the number of cells where counting them is quick."""
        facts = [("shape", " x ".join(str(length) for length in self.shape))]
        cells = None
        if self._is_counted:
            with contextlib.suppress(ValueError):  # Of spoilt arrays this is no place to complain.
                cells = self.distinct_cells
        if cells == self.nnz:
            facts.append(("nonzeros", str(self.nnz)))
        else:
            facts.append(("stored entries", str(self.nnz)))
        if cells is not None:
            facts += [("distinct cells", str(cells))] * (cells != self.nnz)
            facts.append(("density", f"{self._density_of(cells):.4g}"))
        facts.append(("dtype", str(self.dtype)))
        modes = [str(n) for n, names in enumerate(self.labels) if names is not None]
        if modes:
            facts.append((f"names for mode{'s' if len(modes) > 1 else ''}", ", ".join(modes)))
        return facts

    def __repr__(self) -> str:
        facts = dict(self._facts())
        shape, dtype = facts.pop("shape"), facts.pop("dtype")
        named = "".join(f", {key} {facts.pop(key)}" for key in list(facts) if key[:5] == "names")
        density = f", density {facts.pop('density')}" if "density" in facts else ""
        entries = " in ".join(f"{number} {noun}" for noun, number in facts.items())
        return f"<genten.Tensor {shape}, {entries}{density}, {dtype}{named}>"

    def _repr_html_(self) -> str:
        return html_of("genten.Tensor", self._facts())


def _unpickled(
    subscripts: npt.NDArray[Any], values: npt.NDArray[Any], shape: tuple[int, ...], *rest: Any
) -> Tensor:
    return Tensor(_library.tensor_from_matrix(subscripts, values, list(shape), False), *rest)


def _from_parts(parts: Parts, labels: Any, mode_names: Any, copy: bool) -> Tensor:
    if isinstance(parts.subscripts, list):
        core = _library.tensor_from_columns(parts.subscripts, parts.values, list(parts.shape), copy)
    else:
        core = _library.tensor_from_matrix(parts.subscripts, parts.values, list(parts.shape), copy)
    return Tensor(
        core,
        parts.labels if labels is None else labels,
        parts.mode_names if mode_names is None else mode_names,
        shared=not (copy or parts.own),
        cells=len(parts.values) if parts.distinct else None,
    )


@of_one_tuple
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
) -> Tensor:
    """A sparse tensor from what other libraries have.

    Parameters
    ----------
    data : object
        One of: a `scipy.sparse.coo_array` of any order, another sparse array or matrix of SciPy
        or CuPy; a sparse array of pydata's `sparse`; a `pyttb.sptensor`; a sparse tensor of
        PyTorch; a long table of pandas or polars; a Series of pandas with the modes as its index; a
        dense array (warned of above ten million elements); a tuple ``(subscripts, values)`` or
        ``(subscripts, values, shape)``; the path of a file; a `Tensor`. Arrays are those of NumPy
        or anything that speaks DLPack. A list is none of these, and refused: ``numpy.array`` makes
        a dense array of nested lists.

        Subscripts are an array, nnz x N, or a list or tuple of N arrays of length nnz, one a mode.
        Lists of plain numbers are taken in the same two forms, as N lists where each is as long as
        there are values, else as nnz rows, and refused where nnz is N, so that both would do.
    shape : sequence of int, optional
        Lengths of the modes, where tuples, tables and files do not say them. Without it they are
        the largest subscripts and one.
    modes : sequence of column names, optional
        Of a table, the columns that are modes, levels of an index with names among them; all but
        `values` if not given, of which then none may hold floats, nor whole numbers where `values`
        is not given either: these may be values that nobody named. Columns of categories, texts and
        times become subscripts with labels, in the order of the categories or of the sorted texts
        and times; times are labelled to the coarsest unit that loses nothing of any. Whole numbers
        are subscripts as they are. Different keys with the same text are refused.
    values : column name, optional
        Of a table, the column of values; without it each row counts as 1. Rows of one cell are
        added up.
    labels : sequence, optional
        For each mode the names of its rows, the path of a file with a name a line, or None.
    mode_names : sequence of str, optional
        Names of the modes; those of the columns if not given.
    dtype : float32 or float64, optional
        Of the values. Without it float32 stays and all else becomes float64. A warning tells where
        whole numbers are rounded, and long doubles that nobody has asked to narrow.
    copy : bool
        Copy arrays in any case. By default a C-contiguous nnz x N matrix of integers of 32 or 64
        bits and a contiguous vector of float32 or float64 are used where they lie: who writes to
        them changes the tensor, and what is computed afterwards is of the new numbers, which are
        checked again each time. Everything else is copied once.

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
    if isinstance(data, Tensor):
        refuse_hints("a Tensor", shape=shape, modes=modes, values=values)
        # Not `in`: np.dtype("float64") equals None.
        same = labels is None and mode_names is None and (dtype is None or dtype == data.dtype)
        return data if same and not copy else data._changed(labels, mode_names, dtype, copy)
    if isinstance(data, (str, os.PathLike)):
        refuse_hints("a path", modes=modes, values=values)
        hints = {} if shape is None else {"dimensions": shape}
        return _files.read(data, labels=labels, mode_names=mode_names, dtype=dtype, **hints)
    if isinstance(data, tuple) and len(data) in (2, 3):
        refuse_hints("subscripts and values", modes=modes, values=values)
        if len(data) == 3 and shape is not None:
            raise TypeError("shape: given twice, in the data and beside it")
        given = data[2] if len(data) == 3 else shape
        parts = from_arrays(data[0], data[1], given, dtype)
        if given is None:
            columns = parts.subscripts
            listed = columns if isinstance(columns, list) else list(columns.T)
            warn_of_long_modes(listed, parts.shape)
    else:
        parts = to_parts(data, dtype=dtype, shape=shape, modes=modes, values=values)
    return _from_parts(parts, labels, mode_names, copy)
