# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What models become elsewhere: arrays, models of other libraries, files."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from ._reported import Reported
from .convert.parts import imported

if TYPE_CHECKING:
    from .model import Model

DENSE_MOST = 100_000_000
"""Elements of the largest tensor that `Model.to_dense` makes without being told to."""


class Exchanged(Reported):
    """The methods of `Model` that hand it over."""

    weights: npt.NDArray[Any]
    factors: list[npt.NDArray[Any]]

    def to_dense(self, *, most: int = DENSE_MOST) -> npt.NDArray[np.float64]:
        """The full tensor as an array.

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
        shape = tuple(len(factor) for factor in self.factors)
        elements = math.prod(shape)
        if elements > most:
            raise ValueError(
                f"to_dense: expected at most {most} elements, got {elements}; see most="
            )
        weights, factors = cast("Model", self)._checked()
        # Exponents are added apart, so that no product leaves the range of numbers on its way.
        full, exponents = np.frexp(weights.astype(np.float64)[None, :])
        for factor in factors:
            numbers, more = np.frexp(factor.astype(np.float64))
            full = (full[:, None, :] * numbers[None, :, :]).reshape(-1, len(weights))
            exponents = (exponents[:, None, :] + more[None, :, :]).reshape(-1, len(weights))
        return np.asarray(np.ldexp(full, exponents).sum(axis=1)).reshape(shape)

    def to_pandas(self) -> list[Any]:
        """The factors as tables of pandas, a table a mode, with labels as their index.

        Returns
        -------
        list of pandas.DataFrame
            Of shape (I_n, R), a column a component, counted from 0; the index is called as the
            mode, where that has a name. The arrays are copied; weights are not in them.

        Raises
        ------
        ImportError
            Without pandas.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.5]])], [["tea", "milk"]], ["item"])
        >>> table = m.to_pandas()[0]
        >>> table.index.tolist(), table.loc["milk"].tolist()
        (['tea', 'milk'], [0.5])
        """
        pandas = imported("pandas", "to_pandas needs pandas")
        model = cast("Model", self)
        model._checked()
        names: Sequence[str | None] = model.mode_names or [None] * model.ndim
        components = pandas.RangeIndex(model.rank, name="component")
        return [
            pandas.DataFrame(
                factor.copy(),
                index=pandas.RangeIndex(len(factor), name=name)
                if labels is None
                else pandas.Index(list(labels), name=name, dtype=object),
                columns=components,
            )
            for factor, labels, name in zip(model.factors, model.labels, names, strict=True)
        ]

    def to_pyttb(self) -> Any:
        """The model as a `pyttb.ktensor`, its arrays copied.

        Returns
        -------
        pyttb.ktensor

        Raises
        ------
        ImportError
            Without pyttb.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> theirs = m.to_pyttb()
        >>> theirs.ncomponents, theirs.shape
        (1, (2, 2))
        """
        pyttb = imported("pyttb", "to_pyttb needs pyttb")
        weights, arrays = cast("Model", self)._checked()
        factors = [np.asfortranarray(factor, dtype=np.float64) for factor in arrays]
        return pyttb.ktensor(factors, weights.astype(np.float64))

    def to_tensorly(self) -> Any:
        """The model as TensorLy's `CPTensor`, its arrays copied.

        Returns
        -------
        tensorly.cp_tensor.CPTensor

        Raises
        ------
        ImportError
            Without TensorLy.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> theirs = m.to_tensorly()
        >>> theirs.rank, theirs.shape
        (1, (2, 2))
        """
        tensorly = imported("tensorly.cp_tensor", "to_tensorly needs TensorLy")
        weights, factors = cast("Model", self)._checked()
        return tensorly.CPTensor((weights.copy(), [factor.copy() for factor in factors]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model; the file appears under its name when it is complete.

        Labels and names of modes go into a file beside it, with .labels.json added to the name,
        which `genten.load` takes up while the file is the one that it was written with. What is
        written for other programs has none beside it, and `genten.load` does not read it: .npz
        holds the arrays weights, factor_n, and labels_n where a mode has labels, and .csv a line
        for each row of each factor, with its label; modes n and rows count from 1, and the tool
        writes the same.

        Parameters
        ----------
        path : path
            Names that end in .gkt or .bin mean Genten's binary form; .ktensor, .txt and no ending
            the Tensor Toolbox's text, compressed where .gz or .zst stands behind it; .csv and .npz
            files for other programs.

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
        >>> factors = [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])]
        >>> m = genten.Model([2.0], factors, labels=[["a", "b"], None])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     m.save(os.path.join(folder, "m.ktensor.gz"))
        ...     loaded = genten.load(os.path.join(folder, "m.ktensor.gz"))
        >>> loaded.labels
        [['a', 'b'], None]
        """
        from ._files import save_model

        save_model(cast("Model", self), path)
