# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors with one nonzero a cell, and without rows that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from .. import _library
from .._cells import added_up

if TYPE_CHECKING:
    from ..tensors import Tensor


class Shortened:
    """The methods of `Tensor` that make smaller ones."""

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
        X = cast("Tensor", self)
        if X.distinct_cells == X.nnz:
            return X
        X._checked()
        columns, values, _ = added_up(list(X.subscripts.T), X.values, X.shape)
        return type(X)(
            _library.tensor_from_columns(columns, values, list(X.shape), False),
            X.labels,
            X.mode_names,
            X.source,
            X.file_facts,
            cells=len(values),
        )

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
        X = cast("Tensor", self)
        columns, shape, labels = list(X._checked().subscripts.T), list(X.shape), list(X.labels)
        for mode in range(X.ndim):
            rows, places = np.unique(columns[mode], return_inverse=True)
            if len(rows) == shape[mode]:
                continue
            names = labels[mode]
            labels[mode] = [str(row if names is None else names[row]) for row in rows.tolist()]
            columns[mode], shape[mode] = places.reshape(-1), len(rows)
        if tuple(shape) == X.shape:
            return X
        core = _library.tensor_from_columns(columns, X.values, shape, False)
        return type(X)(core, labels, X.mode_names, shared=X._shared, cells=X._known_cells)
