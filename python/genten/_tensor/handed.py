# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tensors become elsewhere: arrays, tensors of other libraries, files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .. import _files, _library
from .._pyttb_names import model_elsewhere
from ..convert.parts import checked_dtype, imported
from .by_label import relabelled

if TYPE_CHECKING:
    from ..model import Model
    from ..tensors import Tensor


class Handed:
    """The methods of `Tensor` that hand it over."""

    def innerprod(self, model: Model | Any) -> float:
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
        given = model_elsewhere(model)
        if given is None:
            raise TypeError(f"innerprod: expected a Model, got {type(model).__name__}")
        X = relabelled(cast("Tensor", self), given.labels, given.mode_names, what="innerprod")
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
        X = cast("Tensor", self)
        wanted = checked_dtype(dtype)
        return X if wanted == X.dtype else X._changed(dtype=wanted)

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
        X = cast("Tensor", self)
        coords = tuple(column.astype(np.int64) for column in X._checked().subscripts.T)
        return coo_array((X.values.copy(), coords), shape=X.shape)

    def to_scipy(self) -> Any:
        """The same as `to_coo`.

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
        X = cast("Tensor", self)
        subscripts = X._checked().subscripts.astype(np.int64)
        values = X.values.astype(np.float64)[:, None]
        return pyttb.sptensor.from_aggregator(subscripts, values, X.shape)

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
        _files.write(cast("Tensor", self), path, **options)
