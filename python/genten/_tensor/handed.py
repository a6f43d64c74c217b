# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tensors become elsewhere: arrays, tensors of other libraries, files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .. import _files

if TYPE_CHECKING:
    from ..tensors import Tensor


class Handed:
    """The methods of `Tensor` that hand it over."""

    def to_coo(self) -> Any:
        """The tensor as a `scipy.sparse.coo_array` of as many dimensions.

        Raises
        ------
        ImportError
            Without SciPy 1.13 or later.
        """
        try:
            from scipy.sparse import coo_array
        except ImportError as error:
            raise ImportError("to_coo needs SciPy 1.13 or later: pip install scipy") from error
        X = cast("Tensor", self)
        coords = tuple(column.astype(np.int64) for column in X.subscripts.T)
        return coo_array((X.values.copy(), coords), shape=X.shape)

    def to_scipy(self) -> Any:
        """The same as `to_coo`."""
        return self.to_coo()

    def to_pyttb(self) -> Any:
        """The tensor as a `pyttb.sptensor`, duplicates added up.

        Raises
        ------
        ImportError
            Without pyttb.
        """
        try:
            import pyttb
        except ImportError as error:
            raise ImportError("to_pyttb needs pyttb: pip install pyttb") from error
        X = cast("Tensor", self)
        subscripts = X.subscripts.astype(np.int64)
        values = X.values.astype(np.float64)[:, None]
        return pyttb.sptensor.from_aggregator(subscripts, values, X.shape)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Writes the tensor, with its labels beside it; see `genten.write`."""
        _files.write(cast("Tensor", self), path, **options)
