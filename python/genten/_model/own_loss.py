# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Losses of a caller's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core

_Array = npt.NDArray[np.float64]
_Function = Callable[[_Array, _Array], Any]
_DATA = ("real", "nonnegative", "binary", "positive")

_OF_ARRAYS = ("can be converted to Python scalars", "truth value of an array")
"""What NumPy says of arrays that a function takes for numbers."""


class Loss:
    """A loss of your own for `genten.cp`: a function f(x, m) of values x and the model's m, and its
    derivative by m.

    Both are called with arrays of many entries, and return one number for each. At the first point
    of a run the derivative is compared with central differences of the function.

    Parameters
    ----------
    function, derivative : callable
        Of two arrays x and m of float64 and equal length.
    lower : float
        0 where m must not be negative, so that factors are nonnegative; else ``-math.inf``.
    data : {'real', 'nonnegative', 'binary', 'positive'}
        The values x that it takes; others are refused before the run. Under 'positive' unlisted
        entries must be missing.
    ridge : float
        The penalty of each factor where a run asks for no other.
    name : str, optional
        What reports call it; the function's name if not given.

    Raises
    ------
    TypeError
        For what cannot be called.
    ValueError
        For another bound or other data, a ridge below 0, and the name of a loss of the library.

    Examples
    --------
    >>> import genten, numpy as np
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> squares = genten.Loss(lambda x, m: (m - x) ** 2, lambda x, m: 2 * (m - x), name="squares")
    >>> r = genten.cp(X, 2, loss=squares, tolerance=1e-8, max_iterations=5000)
    >>> r.options["loss"], abs(r.objective - 2 * genten.cp(X, 2, tolerance=1e-12).objective) < 1
    ('squares', True)
    """

    def __init__(
        self,
        function: _Function,
        derivative: _Function,
        *,
        lower: float = -math.inf,
        data: str = "real",
        ridge: float = 0.0,
        name: str | None = None,
    ) -> None:
        for what, each in (("function", function), ("derivative", derivative)):
            if not callable(each):
                raise TypeError(f"Loss: {what}: expected a function of x and m, got {each!r}")
        if lower not in (0, -math.inf):
            raise ValueError(f"Loss: lower: expected 0 or -inf, got {lower!r}")
        if data not in _DATA:
            known = ", ".join(repr(word) for word in _DATA)
            raise ValueError(f"Loss: data: expected one of {known}, got {data!r}")
        if not 0 <= ridge < math.inf:
            raise ValueError(f"Loss: ridge: expected a number of at least 0, got {ridge!r}")
        own = getattr(function, "__name__", "")
        self.name = name if name is not None else own if own.isidentifier() else "own"
        if self.name in _core.losses():
            raise ValueError(f"Loss: name: {self.name!r} is a loss of the library")
        self.function = function
        self.derivative = derivative
        self.lower = float(lower)
        self.data = data
        self.ridge = float(ridge)

    def __repr__(self) -> str:
        return f"<genten.Loss {self.name}>"

    def _asked(self) -> dict[str, Any]:
        """The loss as the extension takes it."""
        return {
            "name": self.name,
            "data": _DATA.index(self.data),
            "nonnegative": self.lower == 0.0,
            "ridge": self.ridge,
            "value": self._checked(self.function, "function"),
            "slope": self._checked(self.derivative, "derivative"),
        }

    def _checked(self, function: _Function, what: str) -> Callable[[_Array, _Array], _Array]:
        """The function with what it returns as an array of as many numbers."""

        def call(x: _Array, m: _Array) -> _Array:
            try:
                found = np.asarray(function(x, m), dtype=np.float64)
            except (TypeError, ValueError) as error:
                if not any(said in str(error) for said in _OF_ARRAYS):
                    raise
                raise type(error)(
                    f"loss {self.name}: {what}: {error}: it is called with arrays of many entries, "
                    "which numpy's functions and numpy.where take"
                ) from error
            if found.shape not in ((), x.shape):
                raise ValueError(
                    f"loss {self.name}: {what}: expected an array of shape {x.shape}, as those "
                    f"that it is called with, got {found.shape}"
                )
            return np.ascontiguousarray(np.broadcast_to(found, x.shape))

        return call
