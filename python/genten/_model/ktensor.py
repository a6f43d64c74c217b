# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Weights and factors with the names of modes and rows: a model by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._display import html_of, table_of
from ..describe import first_row
from .._names.alignment import aligned_factors, order_of_modes
from .._names.labels import Labels, Named, checked_mode, checked_modes, listed, whole
from .row_numbers import OfRows, both_by_numbers, numbers_of
from .._pyttb_names import Norm, PyttbNames
from ..convert.dense import DENSE_MOST, copy_of_dense, refuse_large
from ..convert.numbers import is_finite
from . import arrays
from .arrays import Arrays
from .components import strongest_of, table_of_strongest
from .evaluation import check_parameter
from .lookup import Indexed
from .loss_of_model import OfLoss
from .multiples import Multiples, run_of_multiple
from .run_record import permuted

if TYPE_CHECKING:
    from typing_extensions import Self


class Ktensor(OfLoss, Indexed, Multiples, Named, PyttbNames):
    """Weights and factors, which `genten.Model` compares, draws and writes. It knows no tensor, so
    that tensors may know it."""

    _run: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        weights: Any,
        factors: Sequence[Any] | None = None,
        labels: Any = None,
        mode_names: Any = None,
    ) -> None:
        if factors is None:
            of_model = ": those of a ktensor M are M.weights and M.factor_matrices"
            hint = of_model if hasattr(weights, "factor_matrices") else ""
            if not hint and hasattr(weights, "weights") and hasattr(weights, "factors"):
                hint = ": those of TensorLy's model are genten.Model(*model)"
            elif not hint and arrays.are_matrices(weights):
                hint = ": genten.Model(None, factors) has weights of one"
            raise TypeError(f"Model: expected weights and factors, got weights alone{hint}")
        given = listed("factors: expected a sequence of arrays", factors)
        if arrays.are_matrices(weights):
            raise TypeError("Model: expected weights first, then factors, got factors first")
        weights, self.factors = arrays.checked_arrays(weights, given, new=True)
        self.weights = weights
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
    def ncomponents(self) -> int:
        """Number of components, `rank`."""
        return len(self.weights)

    @property
    def ndim(self) -> int:
        """Number of modes N."""
        return len(self.factors)

    @property
    def ndims(self) -> int:
        """Number of modes, `ndim`."""
        return len(self.factors)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the numbers: float32 where weights and factors all are, else float64."""
        single = all(a.dtype == np.float32 for a in (self.weights, *self.factors))
        return np.dtype(np.float32 if single else np.float64)

    @property
    def factor_matrices(self) -> list[npt.NDArray[Any]]:
        """The factors: the same list as `factors`."""
        return self.factors

    @property
    def norm(self) -> Norm:
        """Frobenius norm of the full tensor that the model stands for; ``norm()`` is the same."""
        return Norm(_core.model_norm(*self._rows()))

    @classmethod
    def _of(cls, data: Any) -> Self | None:
        """A model of pyttb's or TensorLy's as one of ours, with its arrays; None of others."""
        if isinstance(data, cls):
            return data
        for name in ("factor_matrices", "factors"):  # pyttb's, TensorLy's
            if hasattr(data, name) and hasattr(data, "weights"):
                return cls(data.weights, getattr(data, name))
        return None

    def _like(self, weights: Any, factors: Sequence[Any]) -> Self:
        return type(self)(weights, factors, self.labels, self.mode_names)._of_run(self._run)

    def _of_run(self, run: Mapping[str, Any]) -> Self:
        """The model, with what is known of the run that made it (`run_of`), of which least squares
        go without saying."""
        self._run = dict(run)
        named = run.get("loss") in _core.losses()  # others are functions
        if named and run["loss"] != "gaussian":
            self.loss, self.loss_parameter = run["loss"], run.get("loss_parameter")
        return self

    def _scales(self) -> npt.NDArray[Any]:
        return self.weights

    def _multiple(self, scales: npt.NDArray[Any], number: float) -> Self:
        run = dict(self._run)
        if self.loss is not None:  # which may have been set since
            run |= {"loss": self.loss, "loss_parameter": self.loss_parameter}
        factors = [factor.copy() for factor in self.factors]
        found = type(self)(scales, factors, self.labels, self.mode_names)
        return found._of_run(run_of_multiple(run, number, self.ndim))

    def _loss_of(
        self, loss: Any = None, loss_parameter: float | None = None
    ) -> tuple[Any, float | None]:
        """A loss that is asked for with its parameter or, where none is, the model's own.

        Raises
        ------
        TypeError
            For a parameter without a loss.
        """
        check_parameter(loss, loss_parameter)
        return (self.loss, self.loss_parameter) if loss is None else (loss, loss_parameter)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ktensor):  # Models of others have no names to compare.
            try:  # What has attributes of these names may be none.
                return NotImplemented if Ktensor._of(other) is None else self.isequal(other)
            except (TypeError, ValueError):
                return NotImplemented
        named = (self.labels, self.mode_names) == (other.labels, other.mode_names)
        return named and self.isequal(other)

    __hash__ = None  # type: ignore[assignment]

    def _checked(self) -> Arrays:
        """Weights and factors, once it is certain that they still are what a model has: others may
        have written to them, and put other arrays in their places.

        Raises
        ------
        ValueError
            For shapes that do not go together, and numbers that are not finite.
        """
        return arrays.checked_arrays(self.weights, self.factors)

    def _packed(self, dtype: Any = None) -> Arrays:
        """Weights and factors as the extension takes them, copied where they are otherwise."""
        return arrays.packed(*self._checked(), self.dtype if dtype is None else dtype)

    def _rows(self, dtype: Any = None) -> Arrays:
        """The same for functions that read rows alone."""
        return arrays.rows_of(*self._checked(), self.dtype if dtype is None else dtype)

    def _values_at(self, entries: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Values of the model, which are finite but where it is not, or where they overflow: only
        then all of it is looked at."""
        given = arrays.rows_for_entries(self.weights, self.factors, self.dtype, entries)
        values = _core.predict(*given)
        if not is_finite(values):
            self._checked()
        return values

    def _aligned(
        self,
        labels: Labels,
        mode_names: Sequence[str] | None,
        *,
        of_rows: OfRows,
        what: str,
        sides: tuple[str, str],
    ) -> Self:
        """The model with its modes in the order of `mode_names`, and its rows in that of `labels`,
        where both have names and they differ; itself where they do not. `of_rows` are the shape
        of the other side and the `Numbers` of its rows without labels. Messages are those of
        `aligned_factors`.

        Raises
        ------
        ValueError
            Where names of modes are the same in part, and labels are not the same.
        """
        if self.ndim != len(labels):
            return self
        model = self
        order = order_of_modes(mode_names, self.mode_names, what)
        if order is not None:
            moved = [self.factors[mode] for mode in order]
            moved_labels = [self.labels[mode] for mode in order]
            model = type(self)(self.weights, moved, moved_labels, mode_names)
            model = model._of_run(permuted(self._run, order))
        rows = of_rows, (model.shape, numbers_of(model._run))
        mine, theirs = both_by_numbers((labels, model.labels), rows)
        factors, named = aligned_factors(
            model.factors, theirs, mine, mode_names, what=what, sides=sides
        )
        if all(one is other for one, other in zip(named, model.labels, strict=True)):
            return model
        return type(self)(model.weights, factors, named, model.mode_names)._of_run(model._run)

    def normalize(self, *, norm: int = 2, sort: bool = True, signs: bool = True) -> Self:
        """The same tensor by columns of one norm and weights that are not negative.

        Parameters
        ----------
        norm : {2, 1}
            Columns have length 1, or their magnitudes add up to 1, as in models of counts.
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
        if norm not in (1, 2):
            raise ValueError(f"norm: expected 2 or 1, got {norm!r}")
        return self._like(*_core.normalized(*self._packed(), norm == 1, sort, signs))

    def copy(self) -> Self:
        """A model of its own arrays, equal to this one.

        Returns
        -------
        Model

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> other = m.copy()
        >>> other.weights[0] = 3.0
        >>> m.weights
        array([2.])
        """
        return self._like(self.weights.copy(), [factor.copy() for factor in self.factors])

    def extract(self, components: int | Sequence[int] | None = None) -> Self:
        """A model of some components alone, in the order in which they are named.

        Parameters
        ----------
        components : int or sequence of int
            Counted from 0; all if not given.

        Returns
        -------
        Model
            With the labels of this one.

        Raises
        ------
        ValueError
            For a component that there is not, and for none.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([3.0, 2.0], [np.eye(2), np.eye(2)])
        >>> m.extract([1, 0]).weights, m.extract(1).weights
        (array([2., 3.]), array([2.]))
        """
        rank = len(self.weights)
        chosen = np.atleast_1d(np.arange(rank) if components is None else components)
        if chosen.ndim != 1 or not len(chosen) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"extract: expected components from 0 to {rank - 1}, got {components!r}"
            )
        for component in chosen:
            if not 0 <= component < rank:
                raise ValueError(
                    f"extract: expected components from 0 to {rank - 1}, got {component}"
                )
        return self._like(self.weights[chosen], [factor[:, chosen] for factor in self.factors])

    def isequal(self, other: Any) -> bool:
        """Whether weights and factors are the same as those of another model; ``==`` asks for
        labels and names of modes, too, which models of pyttb and TensorLy do not have.

        Parameters
        ----------
        other : Model, or a model of pyttb or TensorLy

        Returns
        -------
        bool

        Raises
        ------
        TypeError
            For what is no model.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.isequal(m.copy()), m.isequal(genten.Model([3.0], m.factors))
        (True, False)
        """
        model = Ktensor._of(other)
        if model is None:
            raise TypeError(f"isequal: expected a Model, got {type(other).__name__}")
        mine, theirs = [self.weights, *self.factors], [model.weights, *model.factors]
        return len(mine) == len(theirs) and all(map(np.array_equal, mine, theirs))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return copy_of_dense(self, dtype, copy)

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
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.to_dense()
        array([[1., 2.],
               [0., 0.]])
        """
        refuse_large(self.shape, most)
        return arrays.full_array(*self._checked())

    def permute(self, modes: Any) -> Self:
        """The model with its modes in another order, as `numpy.transpose` has them.

        Parameters
        ----------
        modes : sequence of int or str
            All modes, each once, by their numbers from 0 or their names.

        Returns
        -------
        Model
            With labels and names of modes, which move with them, and the same arrays.

        Raises
        ------
        ValueError
            For modes that are not all, or named twice.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.ones((3, 1)), np.ones((2, 1))], mode_names=["a", "b"])
        >>> m.permute(["b", "a"]).shape
        (2, 3)
        """
        order = checked_modes(modes, self.ndim, self.mode_names, "permute: modes", every=True)
        names = self.mode_names
        return type(self)(
            self.weights,
            [self.factors[mode] for mode in order],
            [self.labels[mode] for mode in order],
            None if names is None else [names[mode] for mode in order],
        )._of_run(permuted(self._run, order))

    def double(self) -> npt.NDArray[np.float64]:
        """The full tensor as an array: `to_dense`.

        Returns
        -------
        ndarray of shape (I_1, ..., I_N)

        Raises
        ------
        ValueError
            For a tensor that is too large, as of `to_dense`.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.double()
        array([[1., 2.],
               [0., 0.]])
        """
        return self.to_dense()

    def top(
        self, component: int | None = None, k: int = 10, mode: int | str | None = None
    ) -> Any:
        """The strongest rows of a component, or of all as a table of pandas.

        Parameters
        ----------
        component : int, optional
            Counted from 0; all if not given.
        k : int
            How many of each mode, at least 1.
        mode : int or str, optional
            One mode alone, by its number from 0 or its name.

        Returns
        -------
        list, or pandas.DataFrame
            Of a component for each mode a list of (name, value), strongest first, ties in order of
            the rows; that list alone for one mode. The name is the label, or the row's number where
            there is none, which counts from 0, or as in the table that the model was made from. Of
            all components a table with a row for each of these, and the columns component, weight,
            mode, name and value.

        Raises
        ------
        ValueError
            For a component or mode that there is not, and a k below 1.
        ImportError
            For a table without pandas.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model(None, [np.array([[0.6], [0.8]])], labels=[["left", "right"]])
        >>> m.top(component=0, k=1)
        [[('right', 0.8)]]
        >>> m.top(k=1)
           component  weight    mode   name  value
        0          0     1.0  mode 0  right    0.8
        """
        k = whole(k, "top: k")
        if k < 1:
            raise ValueError(f"top: expected k of at least 1, got {k}")
        modes = checked_modes(mode, self.ndim, self.mode_names, "top")
        chosen = range(self.rank) if component is None else [whole(component, "top: component")]
        if not 0 <= chosen[0] < self.rank:
            raise ValueError(
                f"top: expected a component from 0 to {self.rank - 1}, got {component}"
            )
        base = first_row(self, 0)
        found = [strongest_of(self.factors, self.labels, r, modes, k, base) for r in chosen]
        if component is None:
            return table_of_strongest(found, self.weights, modes, self.mode_names)
        return found[0] if mode is None else found[0][0]

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
