# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _library
from ._exchanged import Exchanged
from ._lookup import has_rows, rows_for, subscripts_of
from ._names import Named, checked_mode, listed, whole
from ._printed import html_of, table_of
from ._pyttb_names import PyttbNames
from ._run.evaluation import Evaluated
from ._run.projection import projected
from ._score import Compared
from ._tensor.by_label import relabelled
from .convert.model_arrays import narrowed_columns, real_array
from .convert.numbers import is_finite
from .convert.parts import AnyArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _real_factors(factors: Sequence[Any]) -> list[AnyArray]:
    return [real_array(factor, 2, f"factor {mode}") for mode, factor in enumerate(factors)]


class Model(Named, PyttbNames, Compared, Evaluated, Exchanged):
    """A CP model: the sum over r of weight r times the outer product of columns r of the factors.

    Parameters
    ----------
    weights : array of shape (R,), or None for ones
    factors : sequence of arrays of shape (I_n, R)
        One a mode. Arrays of float32 or float64 are kept as they are, without a copy.
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
    weights : ndarray of shape (R,)
    factors : list of ndarrays of shape (I_n, R)
    labels : list
        For each mode the names of its rows, or None.
    mode_names : list of str, or None

    Notes
    -----
    Two models are equal, by ``==``, where weights, factors, labels and names of modes are. Since
    arrays can be written to, models have no hash, and are no keys of dictionaries.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.6], [0.8]])])
    >>> m
    <genten.Model 2 x 2, rank 1, float64>
    >>> m.predict([[0, 1], [1, 1]])
    array([1.6, 0. ])
    """

    def __init__(
        self,
        weights: Any,
        factors: Sequence[Any],
        labels: Any = None,
        mode_names: Any = None,
    ) -> None:
        arrays = listed("factors: expected a sequence of arrays", factors)
        self.factors: list[npt.NDArray[Any]] = _real_factors(arrays)
        if not self.factors:
            raise ValueError("factors: expected at least one")
        rank = self.factors[0].shape[1]
        ones = np.ones(rank, dtype=self.factors[0].dtype)
        given = ones if weights is None else real_array(weights, 1, "weights")
        self.weights: npt.NDArray[Any] = given
        self._checked_columns(self.weights, self.factors)
        self.labels = labels
        self.mode_names = mode_names

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the modes."""
        return tuple(len(factor) for factor in self.factors)

    @property
    def rank(self) -> int:
        """Number of components R."""
        return len(self.weights)

    @property
    def ndim(self) -> int:
        """Number of modes N."""
        return len(self.factors)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the numbers: float32 where weights and factors all are, else float64."""
        single = all(a.dtype == np.float32 for a in (self.weights, *self.factors))
        return np.dtype(np.float32 if single else np.float64)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        named = (self.labels, self.mode_names) == (other.labels, other.mode_names)
        return named and self.isequal(other)

    __hash__ = None  # type: ignore[assignment]

    def _checked(self) -> tuple[AnyArray, list[AnyArray]]:
        """Weights and factors, once it is certain that they still are what a model has: others may
        have written to them, and put other arrays in their places.

        Raises
        ------
        ValueError
            For shapes that do not go together, and numbers that are not finite.
        """
        factors = _real_factors(self.factors)
        weights = real_array(self.weights, 1, "weights")
        self._checked_columns(weights, factors)
        return weights, factors

    @staticmethod
    def _checked_columns(weights: AnyArray, factors: Sequence[AnyArray]) -> None:
        for mode, factor in enumerate(factors):
            if factor.shape[1] != len(weights):
                raise ValueError(
                    f"factor {mode}: expected {len(weights)} columns, one a weight, got "
                    f"{factor.shape[1]}"
                )

    def _packed(self, dtype: Any = None) -> tuple[AnyArray, list[AnyArray]]:
        """Weights and factors as the extension takes them, copied where they are otherwise."""
        wanted = self.dtype if dtype is None else dtype
        weights, factors = self._checked()
        packed = [narrowed_columns(a, wanted, f"factor {mode}") for mode, a in enumerate(factors)]
        return narrowed_columns(weights, wanted, "weights"), packed

    def _rows(self, dtype: Any = None, check: bool = True) -> tuple[AnyArray, list[AnyArray]]:
        """The same for functions that read rows alone, and copy none for the sake of the padding
        behind them, as the library's factors have. Without a check it is for those that look at
        few rows, and at what comes out: `_finite_of`."""
        wanted = self.dtype if dtype is None else dtype
        weights, factors = self._checked() if check else (self.weights, self.factors)
        rows = [
            each if has_rows(each, wanted) else narrowed_columns(each, wanted, f"factor {mode}")
            for mode, each in enumerate(factors)
        ]
        return narrowed_columns(weights, wanted, "weights"), rows

    def _finite_of(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Values of the model, which are finite but where it is not, or where they overflow."""
        if not is_finite(values):
            self._checked()
        return values

    def _like(self, weights: Any, factors: Sequence[Any]) -> Model:
        return Model(weights, factors, self.labels, self.mode_names)

    def predict(self, subscripts: Any) -> npt.NDArray[np.float64]:
        """The model's values at cells of the tensor.

        Parameters
        ----------
        subscripts : array of shape (cells, N), table, or list of tuples
            Counted from 0; or a table of pandas or polars with columns of the modes' names (N
            columns in their order where these have none); or tuples of labels. Labels are looked up
            as texts, numbers of a table's columns too where their mode has labels; times by any
            form of the same one, as dates of Python or Timestamps of pandas.

        Returns
        -------
        ndarray of shape (cells,)

        Raises
        ------
        ValueError
            For subscripts and labels that no cell has.

        Examples
        --------
        >>> import genten, numpy as np
        >>> factors = [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])]
        >>> m = genten.Model([2.0], factors, labels=[["tea", "milk"], None])
        >>> m.predict([[0, 0], [0, 1], [1, 1]])
        array([1., 2., 0.])
        >>> m.predict([("tea", 0), ("tea", 1), ("milk", 1)])
        array([1., 2., 0.])
        """
        cells = subscripts_of(subscripts, self.labels, self.mode_names)
        if cells.size == 0 and cells.ndim < 2:
            return np.empty(0)
        return self._finite_of(_library.predict(*rows_for(self, cells)))

    def project(self, X: Any, mode: int | str) -> npt.NDArray[np.float64]:
        """The factor of one mode that fits a new tensor best, the others being as they are.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Its shape is the model's but for `mode`, which may have any length. Where both have
            names of modes, or labels of another mode's rows, they go by these; a warning names
            rows that the tensor lacks, which are zero.
        mode : int or str
            Counted from 0, or its name.

        Returns
        -------
        ndarray of shape (X.shape[mode], R)
            With the model's weights and other factors it is the least-squares fit, as accurate as
            by a QR decomposition: weights and sizes of columns do not matter, however far apart.
            Where other factors do not determine it, as where their columns are dependent, it is
            the fit of least norm (by columns of unit norm), and a warning says so.

        Raises
        ------
        ValueError
            For a tensor of another shape, a mode that there is not, and a factor that leaves the
            range of numbers.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.project(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]), mode=0).round(12)
        array([[1.],
               [2.],
               [3.]])
        """
        from .tensors import tensor

        mode = checked_mode(mode, self.ndim, self.mode_names)
        given = relabelled(tensor(X), self.labels, self.mode_names, but=mode, what="project")
        lengths = [n for k, n in enumerate(given.shape) if k != mode]
        if given.ndim != self.ndim or lengths != [
            n for k, n in enumerate(self.shape) if k != mode
        ]:
            raise ValueError(
                f"project: expected a tensor of shape {self.shape} but for mode {mode}, got "
                f"{given.shape}"
            )
        return projected(self, given, mode)

    def normalize(self, *, sort: bool = True, signs: bool = True) -> Model:
        """The same tensor by columns of unit 2-norm and weights that are not negative.

        Parameters
        ----------
        sort : bool
            Order components by weight, largest first.
        signs : bool
            Turn columns in pairs so that their largest elements are positive where they can be.

        Returns
        -------
        Model
            A new one; this one does not change.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model(None, [np.array([[2.0], [0.0]]), np.array([[0.0], [-3.0]])])
        >>> n = m.normalize()
        >>> n.weights, n.factors[1].ravel()
        (array([6.]), array([ 0., -1.]))
        """
        return self._like(*_library.normalized(*self._packed(), sort, signs))

    def top(
        self, component: int, k: int = 10, mode: int | str | None = None
    ) -> list[Any]:
        """The strongest entries of a component.

        Parameters
        ----------
        component : int
            Counted from 0.
        k : int
            How many of each mode, at least 1.
        mode : int or str, optional
            One mode alone, by its number from 0 or its name.

        Returns
        -------
        list
            For each mode a list of (name, value), strongest first, ties in order of the rows; that
            list alone for one mode. The name is the label, or the row's number where there is
            none.

        Raises
        ------
        ValueError
            For a component or mode that there is not, and a k below 1.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model(None, [np.array([[0.6], [0.8]])], labels=[["left", "right"]])
        >>> m.top(component=0, k=1)
        [[('right', 0.8)]]
        """
        component, k = whole(component, "top: component"), whole(k, "top: k")
        if not 0 <= component < self.rank:
            raise ValueError(
                f"top: expected a component from 0 to {self.rank - 1}, got {component}"
            )
        if k < 1:
            raise ValueError(f"top: expected k of at least 1, got {k}")
        if mode is None:
            return [self.top(component, k, n) for n in range(self.ndim)]
        mode = checked_mode(mode, self.ndim, self.mode_names)
        column = real_array(self.factors[mode][:, component], 1, f"factor {mode}")
        order = np.argsort(-np.abs(column), kind="stable")[:k]
        names = self.labels[mode]
        return [(names[i] if names is not None else int(i), float(column[i])) for i in order]

    def plot(self, **how: Any) -> Figure:
        """Draws a row a component and a column a mode: `genten.plots.plot_model`.

        Parameters
        ----------
        **how
            The keywords of `genten.plots.plot_model`.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ImportError
            Without Matplotlib.
        ValueError
            For a component, a mode or a kind that there is not.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.6], [0.8]])])
        >>> figure = m.plot(components=1)
        """
        from .plots import plot_model

        return plot_model(self, **how)

    def __str__(self) -> str:
        return table_of(self)

    def _facts(self) -> list[tuple[str, str]]:
        """What repr and notebooks say of it."""
        shape = " x ".join(str(length) for length in self.shape)
        return [("shape", shape), ("rank", str(self.rank)), ("dtype", str(self.dtype))]

    def __repr__(self) -> str:
        (_, shape), (_, rank), (_, dtype) = self._facts()
        return f"<genten.Model {shape}, rank {rank}, {dtype}>"

    def _repr_html_(self) -> str:
        return html_of("genten.Model", self._facts())
