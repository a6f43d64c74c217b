# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is computed of a sparse tensor by NumPy: sums, products with vectors and matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._model.arrays import real_array
from .._model.ktensor import Ktensor
from .._names.labels import checked_mode, checked_modes, whole
from .._model.row_numbers import numbers_in
from ..convert.numbers import is_finite
from ..convert.parts import AnyArray, as_values
from . import products
from .arithmetic import Arithmetic
from .entries import Entries

if TYPE_CHECKING:
    from typing_extensions import Self


class Algebra(Arithmetic):
    """A sparse tensor that is summed, reordered and multiplied."""

    def sum(self, axis: Any = None) -> float | Self:
        """The sum of all values, or sums over some modes.

        Parameters
        ----------
        axis : int, str, or sequence of them, optional
            Modes, by their numbers from 0 or their names; all if not given.

        Returns
        -------
        float, or Tensor
            A number where all modes are summed over, else what `collapse` returns.

        Raises
        ------
        ValueError
            For a mode that there is not, or that is named twice.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 1]]), np.array([1.0, 2.0])))
        >>> X.sum(), X.sum(0).to_dense()
        (3.0, array([0., 3.]))
        """
        return self._collapsed(axis, "sum: axis")

    def collapse(self, modes: Any = None) -> float | Self:
        """The tensor of the other modes, whose entries are sums over these.

        Parameters
        ----------
        modes : int, str, or sequence of them, optional
            By their numbers from 0 or their names; all if not given.

        Returns
        -------
        Tensor, or float
            A number where no mode is left. Entries whose sum is 0 stay listed.

        Raises
        ------
        ValueError
            For a mode that there is not, or that is named twice.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/titanic/titanic.tns",
        ...     mode_names=["class", "sex", "age", "survived"])
        >>> X.collapse(["sex", "age", "survived"]).to_dense()
        array([325., 285., 706., 885.])
        """
        return self._collapsed(modes, "collapse: modes")

    def _collapsed(self, modes: Any, what: str) -> float | Self:
        gone = checked_modes(modes, self.ndim, self.mode_names, what)
        columns, values = list(self._checked().subscripts.T), self.values
        left = [mode for mode in range(self.ndim) if mode not in gone]
        return self._summed(columns, values, left)

    def _summed(
        self, columns: list[AnyArray], values: AnyArray, left: list[int], zeros: bool = True
    ) -> float | Self:
        """The tensor of the modes that are left, with entries of one place added up."""
        if not left:
            return float(values.sum(dtype=np.float64))
        names = self._names_of(left)
        summed = products.merged([columns[mode] for mode in left], values, names[0])
        found = summed if zeros else products.without_zeros(*summed)
        return self._made(*found, names, facts=self._kept_facts("numbers"))

    def permute(self, modes: Any) -> Self:
        """The tensor with its modes in another order, as `numpy.transpose` has them.

        Parameters
        ----------
        modes : sequence of int or str
            All modes, each once, by their numbers from 0 or their names.

        Returns
        -------
        Tensor
            With labels and names of modes, which move with them.

        Raises
        ------
        ValueError
            For modes that are not all, or named twice.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1, 0], [2, 0, 1]]), np.array([1.0, 2.0])))
        >>> X.shape, X.permute([2, 0, 1]).shape
        ((3, 2, 2), (2, 3, 2))
        """
        order = checked_modes(modes, self.ndim, self.mode_names, "permute: modes", every=True)
        columns = list(self._checked().subscripts.T)
        known = self.distinct_subscripts == self.nnz
        moved = [columns[mode] for mode in order]
        facts = self._kept_facts("duplicates", "rule", "values", "numbers")
        return self._made(moved, self.values, self._names_of(order), known, facts)

    def map(self, function: Callable[[AnyArray], Any]) -> Self:
        """The tensor with a function of each value in its place.

        Parameters
        ----------
        function : callable
            Takes the vector of all values, as functions of NumPy do, and returns one as long.

        Returns
        -------
        Tensor
            With the same entries, those that become 0 among them, after duplicates are added up.
            What is not listed stays 0.

        Raises
        ------
        ValueError
            For a result of another shape, and for numbers that are not finite.
        TypeError
            For a function that takes no vector.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 100.0])))
        >>> X.map(np.log10).values
        array([0., 2.])
        """
        columns, values = self._added_up()
        try:
            given = np.asarray(function(values.copy()))
        except TypeError as error:
            raise TypeError(
                f"map: the function does not take a vector of {len(values)} values: {error}; "
                "numpy.vectorize makes one of a function of numbers"
            ) from error
        if given.shape != values.shape:
            raise ValueError(
                f"map: expected a function that returns a vector of {len(values)} values, as it "
                f"takes, got {given.dtype} of shape {given.shape}; numpy.vectorize makes one of a "
                "function of numbers"
            )
        taken = as_values(given)
        if not is_finite(taken):
            at = int(np.isfinite(taken).argmin())
            raise ValueError(
                f"map: expected finite numbers, got {taken[at]} of {values[at]}, nonzero {at}"
            )
        facts = self._kept_facts("duplicates", "rule", "numbers")
        return self._made(columns, taken, self._names_of(range(self.ndim)), facts=facts)

    def mttkrp(self, factors: Any, mode: int | str) -> AnyArray:
        """The matricized tensor times the Khatri-Rao product of the other modes' factors.

        Parameters
        ----------
        factors : Model, a model of pyttb or TensorLy, or sequence of arrays of shape (I_n, R)
            One a mode; that of `mode` is not read and may be None. Weights of a model multiply the
            columns. Where a model has names of modes or labels of rows, and the tensor, too, they
            go by these.
        mode : int or str
            Counted from 0, or its name.

        Returns
        -------
        ndarray of shape (I_mode, R)

        Raises
        ------
        ValueError
            For a mode that there is not, and for factors of other shapes.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.mttkrp([None, np.array([[10.0], [1.0]])], 0)
        array([[ 1.],
               [ 0.],
               [20.]])
        """
        mode = checked_mode(mode, self.ndim, self.mode_names)
        weights, others = self._factors_of(factors, mode, "mttkrp")
        dtype = np.result_type(self.dtype, *others)
        rows = [np.require(each, dtype, ["C", "A"]) for each in others]
        core = self._checked()._changed(dtype=dtype)._core
        found = _core.mttkrp(core, rows, [mode])[0]
        return found.copy() if weights is None else np.asarray(found * weights)

    def mttkrps(self, factors: Any) -> list[AnyArray]:
        """The result of `mttkrp` in every mode, from one preparation.

        It is the gradient of the inner product with a CP model, by the model's factors.

        Parameters
        ----------
        factors : Model, a model of pyttb or TensorLy, or sequence of arrays of shape (I_n, R)
            As of `mttkrp`, one for each mode.

        Returns
        -------
        list of ndarrays of shape (I_n, R)

        Raises
        ------
        ValueError
            For factors of other shapes.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> first, second = X.mttkrps([np.array([[1.0], [0.0], [3.0]]), np.array([[10.0], [1.0]])])
        >>> first.tolist(), second.tolist()
        ([[1.0], [0.0], [20.0]], [[6.0], [1.0]])
        """
        weights, others = self._factors_of(factors, None, "mttkrps")
        dtype = np.result_type(self.dtype, *others)
        rows = [np.require(each, dtype, ["C", "A"]) for each in others]
        core = self._checked()._changed(dtype=dtype)._core
        found = _core.mttkrp(core, rows, list(range(self.ndim)))
        return [each.copy() if weights is None else np.asarray(each * weights) for each in found]

    def _factors_of(
        self, factors: Any, mode: int | None, what: str
    ) -> tuple[AnyArray | None, list[AnyArray]]:
        """Weights, where there are any, and the factors, with zeros for that of `mode`."""
        weights, model = None, Ktensor._of(factors)
        if model is not None:
            how: dict[str, Any] = {"what": what, "sides": ("the tensor", "the model")}
            rows = self.shape, numbers_in(self)
            model = model._aligned(self.labels, self.mode_names, of_rows=rows, **how)
            weights, factors = model._checked()
        given = list(factors)
        if len(given) != self.ndim:
            raise ValueError(f"{what}: expected {self.ndim} factors, one a mode, got {len(given)}")
        others: dict[int, AnyArray] = {}
        for n, factor in enumerate(given):
            if n == mode:
                continue
            others[n] = real_array(factor, 2, f"{what}: factor {n}")
            wanted = (self.shape[n], next(iter(others.values())).shape[1])
            if others[n].shape != wanted:
                raise ValueError(
                    f"{what}: factor {n}: expected shape {wanted}, got {others[n].shape}"
                )
        if self.ndim < 2:
            raise ValueError(f"{what}: expected a tensor of at least two modes, got one")
        first = next(iter(others.values()))
        if mode is not None:
            others[mode] = np.zeros((self.shape[mode], first.shape[1]), dtype=first.dtype)
        return weights, [others[n] for n in range(self.ndim)]

    def ttv(self, vectors: Any, modes: Any = None) -> float | Self:
        """The tensor times vectors: sums over some modes, weighted by the numbers of each vector.

        Parameters
        ----------
        vectors : array of shape (I_n,), or sequence of them
            One for each of `modes`, or a list of one for each mode, of which these are taken.
        modes : int, str, or sequence of them, optional
            By their numbers from 0 or their names; all if not given.

        Returns
        -------
        Tensor of the other modes, or float
            A number where no mode is left. What becomes 0 is not listed.

        Raises
        ------
        ValueError
            For vectors of other lengths, and for a mode that there is not or that is named twice.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.ttv(np.array([10.0, 1.0]), 1).to_dense()
        array([ 1.,  0., 20.])
        >>> X.ttv([np.ones(3), np.ones(2)])
        3.0
        """
        gone = checked_modes(modes, self.ndim, self.mode_names, "ttv: modes")
        given = products.one_a_mode(vectors, gone, 1, "ttv", self.ndim)
        columns, values = list(self._checked().subscripts.T), self.values
        for mode, vector in zip(gone, given, strict=True):
            products.refuse_length(len(vector), self.shape[mode], f"ttv: vector of mode {mode}")
            values = values * vector[columns[mode]]
        left = [mode for mode in range(self.ndim) if mode not in gone]
        return self._summed(columns, values, left, zeros=False)

    def ttm(self, matrices: Any, modes: Any = None, *, transpose: bool = False) -> Self:
        """The tensor times matrices: every column of a mode's unfolding by that mode's matrix.

        Parameters
        ----------
        matrices : array of shape (J, I_n), or sequence of them
            One for each of `modes`, or a list of one for each mode, of which these are taken.
        modes : int, str, or sequence of them, optional
            By their numbers from 0 or their names; all if not given.
        transpose : bool
            Whether matrices have the shape (I_n, J) instead, as factors of models do.

        Returns
        -------
        Tensor
            Of length J in each of these modes, which lose their labels and keep their names. What
            becomes 0 is not listed.

        Raises
        ------
        ValueError
            For matrices of other shapes, and for a mode that there is not or that is named twice.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.ttm(np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 5.0]]), 0).to_dense()
        array([[ 2.,  1.],
               [10.,  0.]])
        """
        chosen = checked_modes(modes, self.ndim, self.mode_names, "ttm: modes")
        given = products.one_a_mode(matrices, chosen, 2, "ttm", self.ndim)
        columns, values = self._added_up()
        shape, labels, mode_names = self._names_of(list(range(self.ndim)))
        for mode, matrix in zip(chosen, given, strict=True):
            rows = matrix if transpose else matrix.T
            other = f"transpose={not transpose} takes the matrix as it is"
            hint = f"; {other}" if rows.shape[1] == shape[mode] else ""
            products.refuse_length(len(rows), shape[mode], f"ttm: matrix of mode {mode}", hint)
            columns, values = products.times_matrix(columns, values, shape, mode, rows)
            shape[mode], labels[mode] = rows.shape[1], None
        facts = self._kept_facts("numbers")
        return self._made(columns, values, (shape, labels, mode_names), facts=facts)

    def ttmc(self, matrices: Any, mode: int | str) -> AnyArray:
        """The tensor times matrices in all modes but one, in one pass over the nonzeros: the kernel
        of Tucker decompositions.

        Parameters
        ----------
        matrices : sequence of arrays of shape (I_n, J_n)
            One a mode, as factors of models are; that of `mode` is not read and may be None.
        mode : int or str
            Counted from 0, or its name.

        Returns
        -------
        ndarray of shape (J_1, ..., I_mode, ..., J_N)
            A dense array, of length I_mode in that mode.

        Raises
        ------
        ValueError
            For a mode that there is not, and for matrices of other lengths.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.ttmc([None, np.array([[10.0, 0.0], [1.0, 5.0]])], 0)
        array([[ 1.,  5.],
               [ 0.,  0.],
               [20.,  0.]])
        """
        mode = checked_mode(mode, self.ndim, self.mode_names)
        others = [n for n in range(self.ndim) if n != mode]
        if not others:
            raise ValueError("ttmc: expected a tensor of at least two modes, got one")
        given = list(matrices)
        if len(given) != self.ndim:
            raise ValueError(f"ttmc: expected {self.ndim} matrices, one a mode, got {len(given)}")
        taken = {n: real_array(given[n], 2, f"ttmc: matrix of mode {n}") for n in others}
        for n, matrix in taken.items():
            products.refuse_length(len(matrix), self.shape[n], f"ttmc: matrix of mode {n}")
        dtype = np.result_type(self.dtype, *taken.values())
        none = np.empty((0, 0), dtype)
        rows = [np.require(taken.get(n, none), dtype, ["C", "A"]) for n in range(self.ndim)]
        found = _core.ttmc(self._checked()._changed(dtype=dtype)._core, rows, mode)
        lengths = [taken[n].shape[1] for n in others]
        return np.moveaxis(found.reshape((self.shape[mode], *lengths), order="F"), 0, mode)

    def nvecs(self, mode: int | str, r: int) -> npt.NDArray[np.float64]:
        """The leading left singular vectors of a mode's unfolding, which is never made.

        Parameters
        ----------
        mode : int or str
            Counted from 0, or its name.
        r : int
            How many, at most the length of the mode.

        Returns
        -------
        ndarray of shape (I_mode, r)
            Orthonormal columns, of which the first element of largest magnitude is positive. Where
            the unfolding has a lower rank, the last ones are any that are orthogonal to the others.

        Raises
        ------
        ValueError
            For a mode that there is not, and more vectors than the mode is long.

        Examples
        --------
        >>> import genten, numpy as np
        >>> genten.tensor(np.array([[3.0, 6.0], [4.0, 8.0]])).nvecs(0, 1).round(12)
        array([[0.6],
               [0.8]])
        """
        mode = checked_mode(mode, self.ndim, self.mode_names)
        count = whole(r, "nvecs: r")
        if not 1 <= count <= self.shape[mode]:
            raise ValueError(f"nvecs: expected r from 1 to {self.shape[mode]}, got {count}")
        columns, values = self._added_up()
        # No square of a value may leave the range of numbers.
        largest = np.abs(values).max(initial=0) or 1
        scaled = values.astype(np.float64) / np.float64(largest)
        given = self._made(columns, scaled, self._names_of(range(self.ndim)))
        return _core.nvecs(given._core, mode, count)

    def _scalar_product(self, other: Entries) -> float:
        """The sum of the products of the values of both."""
        mine, theirs = self._added_up(), other._added_up()
        return products.scalar_product(mine, theirs, self.shape)
