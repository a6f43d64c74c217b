# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors in the forms of other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._model.run_record import table_base
from .._names.labels import name_beside, whole
from ..convert.dense import DENSE_MOST, copy_of_dense, refuse_large
from ..convert.parts import AnyArray, imported
from .entries import Entries


class Exports(Entries):
    """A sparse tensor that turns into arrays, tables and the tensors of others."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return copy_of_dense(self, dtype, copy)

    def to_dense(self, *, most: int = DENSE_MOST) -> npt.NDArray[Any]:
        """The tensor as an array, with zeros where it lists nothing; `numpy.asarray` gives the
        same.

        Parameters
        ----------
        most : int
            Elements that it may have.

        Returns
        -------
        ndarray of shape (I_1, ..., I_N)
            Of the type of the values, duplicates added up.

        Raises
        ------
        ValueError
            For more than `most` elements.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0])))
        >>> X.to_dense()
        array([[0., 1.],
               [0., 0.],
               [2., 0.]])
        """
        refuse_large(self.shape, most)
        columns, values = self._added_up()
        full = np.zeros(self.shape, dtype=values.dtype)
        full[tuple(column.astype(np.intp) for column in columns)] = values
        return full

    @property
    def _name_of_values(self) -> str:
        """What a table of the tensor calls its values: as the one that it was made of, where that
        names them, and no mode is called so."""
        return name_beside(self.file_facts.get("values") or "value", self.mode_names)

    def to_pandas(self, values: str | None = None) -> Any:
        """The entries as a table of pandas: a row for each, a column for each mode and one of
        values.

        `genten.tensor(table, values=table.columns[-1])` makes a tensor of the table again, with
        ``index_base=1`` where this tensor is of a table whose numbers count from 1.

        Parameters
        ----------
        values : str, optional
            The name of the column of values; if not given, that of the table that the tensor was
            made of, or 'value', as where a function was taken of its values.

        Returns
        -------
        pandas.DataFrame
            Columns are called as the modes, or ``'mode 0'`` and so on where these have no names.
            Modes with labels are categories, in the order of their rows; of the others the column
            holds subscripts, which count from 0, or from what the numbers of the tensor's table
            do. Duplicates are rows of their own: `coalesce` adds them up.

        Raises
        ------
        ImportError
            Without pandas.
        ValueError
            For a name of the values that is that of a mode.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.tensor((np.array([[0, 1], [1, 0]]), np.array([1.0, 2.0])),
        ...     labels=[["tea", "milk"], None], mode_names=["item", "day"])
        >>> X.to_pandas()
           item  day  value
        0   tea    1    1.0
        1  milk    0    2.0
        """
        return self._table(slice(None), self._name_of_values if values is None else values)

    def head(self, n: int = 5) -> Any:
        """The first entries as a table of pandas, in the order in which they are stored.

        Parameters
        ----------
        n : int
            How many.

        Returns
        -------
        pandas.DataFrame
            As of `to_pandas`, of n rows or as many as there are entries.

        Raises
        ------
        ImportError
            Without pandas.
        ValueError
            For a negative number.

        Examples
        --------
        >>> import genten
        >>> genten.read("data/titanic/titanic.tns").head(2)
           mode 0  mode 1  mode 2  mode 3  value
        0       0       0       0       1    5.0
        1       0       0       1       0  118.0
        """
        if whole(n, "head: n") < 0:
            raise ValueError(f"head: expected n of at least 0, got {n}")
        return self._table(slice(n), self._name_of_values)

    def _table(self, rows: slice, value: str) -> Any:
        pandas = imported("pandas", "a table needs pandas")
        subscripts = self._checked().subscripts[rows]
        named = self.mode_names or [f"mode {mode}" for mode in range(self.ndim)]
        if value in named:
            raise ValueError(
                f"to_pandas: values: expected no name of a mode, got {value!r}; "
                f"X.to_pandas(values={name_beside(value, named)!r}) calls them otherwise"
            )
        columns: list[Any] = []
        base = table_base(self) or 0
        for mode, labels in enumerate(self.labels):
            codes = subscripts[:, mode].astype(np.int64)
            columns.append(codes + base if labels is None else _texts(pandas, codes, labels))
        columns.append(self.values[rows].copy())
        table = pandas.DataFrame(dict(enumerate(columns)))
        table.columns = [*named, value]
        return table

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
        """The tensor as a `pyttb.sptensor`, duplicates added up. Zeros that are listed stay so,
        where pyttb's own `from_aggregator` drops them.

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
        columns, values = self._changed(dtype=np.float64)._added_up()
        subscripts = np.column_stack(columns).astype(np.int64)
        return pyttb.sptensor(subscripts, values[:, None].copy(), self.shape)


def _texts(pandas: Any, codes: AnyArray, labels: Sequence[str]) -> Any:
    """Rows by their labels: categories, but where several rows are called alike."""
    names = list(labels)
    if len(set(names)) == len(names):
        return pandas.Categorical.from_codes(codes, categories=names)
    return np.array(names, dtype=object)[codes]
