# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tucker models."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._display import html_of, tucker_table
from ._files.models import write_tucker_model
from ._model.arrays import narrowed_columns
from ._model.components import strongest_of
from ._model.evaluation import Evaluation
from ._model.lookup import value_at
from ._model.multiples import Multiples, run_of_multiple
from ._model.tucker import Cored, checked_tucker_arrays, cp_factors
from ._names.labels import Named, checked_mode, listed, whole
from ._names.lookup import is_row
from ._predicting import predicted
from ._pyttb_names import Norm, PyttbTuckerNames
from ._reporting import Reportable
from .convert.dense import DENSE_MOST, copy_of_dense, refuse_large
from .convert.parts import AnyArray
from .describe import first_row
from .model import Model

if TYPE_CHECKING:
    from typing_extensions import Self


class TuckerModel(Cored, Multiples, Named, Reportable, PyttbTuckerNames):
    """A Tucker model: a core, times a matrix in each mode.

    Its value at (i, j, ...) is the sum over r, s, ... of
    ``core[r, s, ...] * factors[0][i, r] * factors[1][j, s] * ...``.

    Parameters
    ----------
    core : array of shape (R_1, ..., R_N), or a tensor of pyttb
    factors : sequence of arrays of shape (I_n, R_n), or None
        One a mode; None for a mode that is not compressed, of which R_n is the length. Columns of
        models that `genten.tucker` finds are orthonormal; others need not be.
    labels : sequence, optional
        For each mode the names of its rows, or None.
    mode_names : sequence of str, optional
        Names of the modes.

    Raises
    ------
    ValueError
        For arrays whose shapes do not go together, and for numbers that are not finite.

    Attributes
    ----------
    core : ndarray of shape (R_1, ..., R_N)
    factors : list of ndarrays of shape (I_n, R_n), or None
    labels : list
        For each mode the names of its rows, or None.
    mode_names : list of str, or None

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.TuckerModel([[2.0, 0.0]], [np.array([[0.6], [0.8]]), np.eye(2)])
    >>> m
    <genten.TuckerModel 2 x 2, core 1 x 2, float64>
    >>> m[1, 0], m.predict([[0, 0], [0, 1]])
    (1.6, array([1.2, 0. ]))
    """

    _run: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        core: Any,
        factors: Sequence[Any] | None = None,
        labels: Any = None,
        mode_names: Any = None,
    ) -> None:
        if factors is None:
            is_theirs = hasattr(core, "core") and hasattr(core, "factor_matrices")
            hint = ": those of a ttensor T are T.core and T.factor_matrices" if is_theirs else ""
            raise TypeError(f"TuckerModel: expected core and factors, got a core alone{hint}")
        given = listed("factors: expected a sequence of arrays", factors)
        self._begin_with(core, given)
        self.labels = labels
        self.mode_names = mode_names

    def _of_run(self, run: Mapping[str, Any]) -> Self:
        """The model, with what is known of the run that made it (`run_of`)."""
        self._run = dict(run)
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the modes."""
        pairs = zip(self.core.shape, self.factors, strict=True)
        return tuple(rank if factor is None else len(factor) for rank, factor in pairs)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The shape of the core."""
        return tuple(self.core.shape)

    @property
    def ndim(self) -> int:
        """Number of modes N."""
        return len(self.factors)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the numbers: float32 where core and factors all are, else float64."""
        arrays = [self.core, *(each for each in self.factors if each is not None)]
        single = all(each.dtype == np.float32 for each in arrays)
        return np.dtype(np.float32 if single else np.float64)

    @property
    def norm(self) -> Norm:
        """Frobenius norm of the full tensor that the model stands for; ``norm()`` is the same."""
        return self._cp().norm

    def to_cp(self) -> Model:
        """The same tensor as a CP model, which has all that models have.

        Returns
        -------
        Model
            One component for each choice of a column in every mode but that of the largest rank,
            in doubles, with weights of one: as many as the ranks multiply to, divided by the
            largest. They are parts of a formula, and not patterns in data.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.TuckerModel(np.ones((2, 3)), [np.eye(2), np.eye(3)])
        >>> m.to_cp()
        <genten.Model 2 x 3, rank 2, float64>
        """
        return self._cp()

    def predict(self, subscripts: Any) -> npt.NDArray[np.float64]:
        """The model's values at entries of the tensor.

        Parameters
        ----------
        subscripts : array of shape (entries, N), table, list of tuples, or Tensor
            As `Model.predict` takes them: numbers from 0, or labels.

        Returns
        -------
        ndarray of shape (entries,)

        Raises
        ------
        ValueError
            For subscripts and labels that no entry has.

        Examples
        --------
        >>> import genten, numpy as np
        >>> core, factors = [[2.0]], [np.array([[1.0], [0.5]]), np.array([[0.6], [0.8]])]
        >>> m = genten.TuckerModel(core, factors, labels=[["tea", "milk"], None])
        >>> m.predict([("milk", 0), ("tea", 1)])
        array([0.6, 1.6])
        """
        return predicted(self, subscripts)

    def __getitem__(self, keys: Any) -> float:
        """The model's value at one entry of the tensor, by numbers of rows, negative ones counted
        from the end, or by their labels: ``m[0, "tea"]``. `predict` gives those at many."""
        given = keys if isinstance(keys, tuple) else (keys,)
        if len(given) != self.ndim or not all(map(is_row, given)):
            if isinstance(keys, int):  # As where it is unpacked.
                raise TypeError("a TuckerModel is no tuple: m.core and m.factors are its parts")
            raise TypeError(
                f"a TuckerModel is indexed by {self.ndim} rows, one of each mode, by their numbers "
                f"or labels, got {keys!r}; predict gives the values at many entries"
            )
        return value_at(self, given)

    def evaluate(self, X: Any, *, missing: Any = None, partial: Any = None) -> Evaluation:
        """Errors over the entries that a tensor lists and over all entries, in double.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Of the model's shape; modes and rows go by their names as those of `Model.evaluate` do,
            and entries with the same subscripts become one as in the run that made the model.
        missing, partial : optional
            Entries that do not count, as of `Model.evaluate`.

        Returns
        -------
        Evaluation

        Raises
        ------
        ValueError
            For another shape, and for nonzeros in rows that the model lacks.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
        >>> r = genten.tucker(X, (2, 1, 2))
        >>> abs(r.model.evaluate(X).fit - r.fit) < 1e-12
        True
        """
        return self._cp().evaluate(X, missing=missing, partial=partial)

    def residuals(self, X: Any) -> npt.NDArray[np.float64]:
        """What the model leaves of a tensor's nonzeros: by nonzero, its value minus the model's.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            As of `Model.residuals`.

        Returns
        -------
        ndarray of shape (nnz,)

        Raises
        ------
        ValueError
            For another shape, and where several nonzeros have the same subscripts.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.TuckerModel([[2.0]], [np.array([[1.0], [0.5]]), np.array([[0.6], [0.8]])])
        >>> m.residuals(np.array([[1.0, 2.0], [0.0, 1.0]])).round(12)
        array([-0.2,  0.4,  0.2])
        """
        return self._cp().residuals(X)

    def to_dense(self, *, most: int = DENSE_MOST) -> npt.NDArray[np.float64]:
        """The full tensor as an array; `numpy.asarray` gives the same.

        Parameters
        ----------
        most : int
            Elements that it may have.

        Returns
        -------
        ndarray of shape (I_1, ..., I_N)

        Raises
        ------
        ValueError
            For more than `most` elements.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.TuckerModel([[2.0]], [np.array([[1.0], [0.5]]), np.array([[0.5], [1.0]])])
        >>> m.to_dense()
        array([[1. , 2. ],
               [0.5, 1. ]])
        """
        refuse_large(self.shape, most)
        core, factors = checked_tucker_arrays(self.core, self.factors)
        full = core.astype(np.float64)
        for mode, factor in enumerate(factors):
            if factor is not None:
                product = np.tensordot(factor.astype(np.float64), full, axes=(1, mode))
                full = np.moveaxis(product, 0, mode)
        return np.ascontiguousarray(full)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return copy_of_dense(self, dtype, copy)

    def top(self, mode: int | str, column: int | None = None, k: int = 10) -> list[Any]:
        """The strongest rows of a column of a mode, or of all its columns.

        Parameters
        ----------
        mode : int or str
            By its number from 0, or its name.
        column : int, optional
            Counted from 0; all if not given.
        k : int
            How many, at least 1.

        Returns
        -------
        list
            Of one column (name, value) of each, strongest first, ties in order of the rows; of all
            columns such a list of each. The name is the label, or the row's number, which counts
            from 0, or as in the table that the model was made from.

        Raises
        ------
        ValueError
            For a mode or a column that there is not, a mode that is not compressed, and a k below
            1.

        Examples
        --------
        >>> import genten, numpy as np
        >>> factors = [np.array([[0.6], [0.8]]), None]
        >>> m = genten.TuckerModel([[2.0, 1.0]], factors, labels=[["left", "right"], None])
        >>> m.top(0, 0, k=1)
        [('right', 0.8)]
        """
        k = _checked_count(k, "top")
        try:
            number = checked_mode(mode, self.ndim, self.mode_names)
        except (TypeError, ValueError) as error:
            raise type(error)(f"top: {error}") from None
        factor = self.factors[number]
        if factor is None:
            raise ValueError(f"top: mode {number} is not compressed: it has no columns")
        rank = factor.shape[1]
        chosen = list(range(rank)) if column is None else [whole(column, "top: column")]
        if not 0 <= chosen[0] < rank:
            raise ValueError(f"top: expected a column from 0 to {rank - 1}, got {column}")
        base, labels = first_row(self, 0), [self.labels[number]]
        found = [strongest_of([factor], labels, r, [0], k, base)[0] for r in chosen]
        return found if column is None else found[0]

    def top_core(self, k: int = 10) -> list[tuple[tuple[int, ...], float]]:
        """The largest elements of the core: which columns go together, and how strongly.

        Parameters
        ----------
        k : int
            How many, at least 1.

        Returns
        -------
        list of (columns, value)
            Columns counted from 0, one of each mode; of a mode that is not compressed the row.
            Largest magnitude first, zeros left out.

        Raises
        ------
        ValueError
            For a k below 1.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.TuckerModel([[2.0, -3.0]], [np.array([[0.6], [0.8]]), np.eye(2)])
        >>> m.top_core()
        [((0, 1), -3.0), ((0, 0), 2.0)]
        """
        k = _checked_count(k, "top_core")
        elements = np.asarray(self.core).ravel(order="F")
        order = np.argsort(-np.abs(elements), kind="stable")[:k]
        return [
            (tuple(int(r) for r in np.unravel_index(at, self.core.shape, order="F")), float(value))
            for at, value in zip(order, elements[order], strict=True)
            if value != 0
        ]

    def copy(self) -> Self:
        """A model of its own arrays, equal to this one.

        Returns
        -------
        TuckerModel

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.TuckerModel([[2.0]], [np.ones((2, 1)), np.ones((3, 1))])
        >>> m.copy() == m
        True
        """
        return self._with_core(self.core.copy())._of_run(self._run)

    def _with_core(self, core: npt.NDArray[Any]) -> Self:
        factors = [None if factor is None else factor.copy() for factor in self.factors]
        return type(self)(core, factors, self.labels, self.mode_names)

    def _scales(self) -> npt.NDArray[Any]:
        return self.core

    def _multiple(self, scales: npt.NDArray[Any], number: float) -> Self:
        return self._with_core(scales)._of_run(run_of_multiple(self._run, number, self.ndim))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model; the file appears under its name when it is complete.

        Labels, names of modes and the options of the run go into a file beside text and binary
        forms, with .labels.json added to the name, which `genten.load` takes up while the file is
        the one that it was written with.

        Parameters
        ----------
        path : path
            Names that end in .ttensor, .txt or nothing mean text, in the blocks of the Tensor
            Toolbox, compressed where .gz or .zst stands behind it; .gkt and .bin mean Genten's
            binary form, which is never compressed; .npz NumPy's archive of core, factor_n,
            labels_n where a mode has labels, mode_names and run, beside which nothing stands.

        Raises
        ------
        ValueError
            For a name with another ending, for numbers that are not finite, and for labels and
            names of modes that are not in UTF-8; nothing is written then.
        OSError
            For a file that cannot be written.

        Examples
        --------
        >>> import genten, numpy as np, os, tempfile
        >>> m = genten.TuckerModel([[2.0]], [np.ones((2, 1)), np.ones((3, 1))])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     m.save(os.path.join(folder, "m.ttensor"))
        ...     genten.load(os.path.join(folder, "m.ttensor")) == m
        True
        """
        core, factors = checked_tucker_arrays(self.core, self.factors)
        taken = [
            None if each is None else narrowed_columns(each, self.dtype, f"factor {mode}")
            for mode, each in enumerate(factors)
        ]
        write_tucker_model(
            core.astype(self.dtype, copy=False),
            taken,
            self.labels,
            self.mode_names,
            path,
            self._run,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TuckerModel):
            return NotImplemented
        named = (self.labels, self.mode_names) == (other.labels, other.mode_names)
        pairs = zip(self.factors, other.factors, strict=False)
        return (
            named
            and np.array_equal(self.core, other.core)
            and all(
                (mine is None) == (theirs is None)
                and (mine is None or theirs is None or np.array_equal(mine, theirs))
                for mine, theirs in pairs
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def _cp(self) -> Model:
        """The CP model of `to_cp`."""
        core, factors = checked_tucker_arrays(self.core, self.factors)
        taken = cp_factors(core, factors)
        return Model(None, taken, self.labels, self.mode_names)._of_run(self._run)

    def _values_at(self, entries: AnyArray) -> npt.NDArray[np.float64]:
        """Values at subscripts; of few entries the rows that they need are taken alone."""
        of_order = entries.ndim == 2 and entries.shape[1] == self.ndim
        few = of_order and 0 < entries.size < sum(self.shape)
        if not few or not all(
            int(each.min()) >= 0 and int(each.max()) < length
            for each, length in zip(entries.T, self.shape, strict=True)
        ):
            return self._cp()._values_at(entries)
        factors, at = [], []
        for factor, length, each in zip(self.factors, self.shape, entries.T, strict=True):
            rows, places = np.unique(each, return_inverse=True)
            unit = np.equal.outer(rows, np.arange(length)) if factor is None else factor[rows]
            factors.append(unit.astype(np.float64))
            at.append(places.reshape(-1))
        return TuckerModel(self.core, factors)._cp()._values_at(np.stack(at, axis=1))

    def _facts(self) -> list[tuple[str, str]]:
        """What repr and notebooks say of it."""
        shape, ranks = (" x ".join(map(str, each)) for each in (self.shape, self.ranks))
        return [("shape", shape), ("core", ranks), ("dtype", str(self.dtype))]

    def __str__(self) -> str:
        return tucker_table(self, self.top_core())

    def __repr__(self) -> str:
        (_, shape), (_, ranks), (_, dtype) = self._facts()
        return f"<genten.TuckerModel {shape}, core {ranks}, {dtype}>"

    def _repr_html_(self) -> str:
        return html_of("genten.TuckerModel", self._facts())


def _checked_count(k: Any, what: str) -> int:
    count = whole(k, f"{what}: k")
    if count < 1:
        raise ValueError(f"{what}: expected k of at least 1, got {count}")
    return count
