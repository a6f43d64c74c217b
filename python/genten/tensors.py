# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core, _library
from ._display import html_of
from ._files.tensors import write_tensor
from ._model.ktensor import Ktensor
from ._names.alignment import aligned_columns, differing_labels, order_of_modes
from ._names.labels import Labels, Named, checked_labels
from ._pyttb_names import Norm, PyttbTensorNames
from .convert.duplicates import added_up, distinct_cells
from .convert.parts import AnyArray, as_values, checked_dtype, imported

COUNTED_UNASKED = 500_000
"""Nonzeros up to which it takes no noticeable time to count the cells in which they lie."""


class Tensor(Named, PyttbTensorNames):
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

    def coalesce(self) -> Tensor:
        """The tensor with one nonzero a cell, the sum of all that lie there, in the order of the
        cells; itself where no two lie in one.

        Returns
        -------
        Tensor
            With the labels of this one.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 0], [1, 1], [0, 0]]), np.array([1.0, 2.0, 4.0])))
        >>> X
        <genten.Tensor 2 x 2, 3 stored entries in 2 distinct cells, density 0.5, float64>
        >>> X.coalesce().values
        array([5., 2.])
        """
        if self.distinct_cells == self.nnz:
            return self
        self._checked()
        columns, values, _ = added_up(list(self.subscripts.T), self.values, self.shape)
        core = _library.tensor_from_columns(columns, values, list(self.shape), False)
        names = (self.labels, self.mode_names)
        return Tensor(core, *names, self.source, self.file_facts, cells=len(values))

    def compact(self) -> Tensor:
        """The tensor without rows that have no nonzeros; itself where there are none in any mode.

        Where the numbers of a mode are ids, it is as long as the largest of them. A mode that loses
        rows has labels then: those that it had, or the numbers of the rows that are kept.

        Returns
        -------
        Tensor
            With the nonzeros of this one in the same order.

        Examples
        --------
        >>> import genten, numpy as np
        >>> subscripts = np.array([[70, 0], [4, 1], [70, 1]])
        >>> X = genten.tensor((subscripts, np.array([1.0, 2.0, 3.0])))
        >>> X.shape, X.compact().shape, X.compact().labels
        ((71, 2), (2, 2), [['4', '70'], None])
        """
        columns, labels = list(self._checked().subscripts.T), list(self.labels)
        shape = list(self.shape)
        for mode in range(self.ndim):
            rows, places = np.unique(columns[mode], return_inverse=True)
            if len(rows) == shape[mode]:
                continue
            names = labels[mode]
            labels[mode] = [str(row if names is None else names[row]) for row in rows.tolist()]
            columns[mode], shape[mode] = places.reshape(-1), len(rows)
        if tuple(shape) == self.shape:
            return self
        found = self._with_columns(columns, shape, labels, self.mode_names)
        found.source, found.file_facts = None, {}
        return found

    def _with_columns(
        self, columns: list[AnyArray], shape: Sequence[int], labels: Labels, mode_names: Any
    ) -> Tensor:
        """The same nonzeros at other subscripts, of which no two become the same."""
        core = _library.tensor_from_columns(columns, self.values, list(shape), False)
        more = (self.source, self.file_facts, self._shared, self._known_cells)
        return Tensor(core, labels, mode_names, *more)

    def innerprod(self, model: Any) -> float:
        """Inner product with a model: the sum over the nonzeros of the value times the model's.

        Parameters
        ----------
        model : Model, or a model of pyttb or TensorLy
            Of the same shape. Where both have names of modes or labels of rows, they go by these;
            rows that the tensor lacks are zero, and a warning names them.

        Returns
        -------
        float

        Raises
        ------
        TypeError
            For what is no model.
        ValueError
            For a model of another shape, and for nonzeros in rows that it lacks.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.innerprod(genten.Model([2.0], [np.ones((3, 1)), np.ones((2, 1))]))
        6.0
        """
        given = Ktensor._of(model)
        if given is None:
            raise TypeError(f"innerprod: expected a Model, got {type(model).__name__}")
        X = relabelled(self, given.labels, given.mode_names, what="innerprod")
        if given.dtype != X.dtype:  # Nothing is lost in the wider one.
            X = X.astype(np.float64)
        weights, factors = given._rows(X.dtype)
        return _library.tensor_innerprod(X._core, weights, factors)

    def astype(self, dtype: Any) -> Tensor:
        """The same tensor with values of another type; itself where it has them already.

        Parameters
        ----------
        dtype : float32 or float64

        Returns
        -------
        Tensor
            With the labels of this one.

        Raises
        ------
        ValueError
            For another type, and for values that it cannot hold: those that would become infinite
            or 0. A warning tells where whole numbers are rounded.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.astype("float32").values
        array([1., 2.], dtype=float32)
        """
        wanted = checked_dtype(dtype)
        return self if wanted == self.dtype else self._changed(dtype=wanted)

    def to_coo(self) -> Any:
        """The tensor as a `scipy.sparse.coo_array` of as many dimensions, its arrays copied.

        Returns
        -------
        scipy.sparse.coo_array

        Raises
        ------
        ImportError
            Without SciPy 1.13 or later.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.to_coo().toarray()
        array([[0., 1.],
               [0., 0.],
               [2., 0.]])
        """
        try:
            from scipy.sparse import coo_array
        except ImportError as error:
            raise ImportError("to_coo needs SciPy 1.13 or later: pip install scipy") from error
        coords = tuple(column.astype(np.int64) for column in self._checked().subscripts.T)
        return coo_array((self.values.copy(), coords), shape=self.shape)

    def to_scipy(self) -> Any:
        """The same as `to_coo`.

        Returns
        -------
        scipy.sparse.coo_array

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.to_scipy().shape
        (3, 2)
        """
        return self.to_coo()

    def to_pyttb(self) -> Any:
        """The tensor as a `pyttb.sptensor`, duplicates added up.

        Returns
        -------
        pyttb.sptensor
            Of float64.

        Raises
        ------
        ImportError
            Without pyttb.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> theirs = X.to_pyttb()
        >>> theirs.nnz, theirs.shape
        (2, (3, 2))
        """
        pyttb = imported("pyttb", "to_pyttb needs pyttb")
        subscripts = self._checked().subscripts.astype(np.int64)
        values = self.values.astype(np.float64)[:, None]
        return pyttb.sptensor.from_aggregator(subscripts, values, self.shape)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Writes the tensor, with its labels beside it: `genten.write`.

        Parameters
        ----------
        path : path
            Its name says the form where `format` does not.
        **options
            The keywords of `genten.write`: format, index_base and compression.

        Raises
        ------
        ValueError
            For a name that says no form, and for options that contradict it.
        OSError
            For a file that cannot be written.

        Examples
        --------
        >>> import genten, numpy as np, os, tempfile
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     X.save(os.path.join(folder, "x.gtn"))
        ...     genten.read(os.path.join(folder, "x.gtn")).shape
        (3, 2)
        """
        write_tensor(self._core, self.labels, self.mode_names, path, options)

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


def relabelled(
    X: Tensor,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    but: int | None = None,
    what: str = "",
    warns: bool = True,
) -> Tensor:
    """The tensor with its modes in the order of `mode_names`, and the rows of every mode but one
    as `labels` number them, where it has names, too, and they differ; itself where they do not.
    The rest is as of `aligned_columns`.

    Raises
    ------
    ValueError
        For names of modes that are the same in part, and for subscripts or values that no tensor
        has.
    """
    if X.ndim != len(labels):
        return X
    order = order_of_modes(mode_names, X.mode_names, what)
    if order is not None:
        columns = [X.subscripts[:, mode] for mode in order]
        shape, named = [X.shape[mode] for mode in order], [X.labels[mode] for mode in order]
        X = X._with_columns(columns, shape, named, list(mode_names or ()))
    if all(mode == but for mode, *_ in differing_labels(labels, X.labels)):
        return X
    checked_labels(X.labels, X.shape)  # which are lists that others may have changed
    columns, names = list(X._checked().subscripts.T), (X.labels, labels, mode_names)
    columns, named = aligned_columns(columns, *names, but=but, what=what, warns=warns)
    shape = [n if each is None else len(each) for n, each in zip(X.shape, named, strict=True)]
    return X._with_columns(columns, shape, named, X.mode_names)
