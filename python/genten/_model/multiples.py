# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models times numbers."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .run_record import ORIGIN
from ..convert.parts import warn

if TYPE_CHECKING:
    from typing_extensions import Self


def run_of_multiple(run: Mapping[str, Any], number: float, order: int) -> dict[str, Any]:
    """What is known of a run that still holds of `number` times its model of that order, beside
    `number` times its data. Warnings say where the loss does not, and with it constraints, or
    bounds do not."""
    loss = run.get("loss", "gaussian")
    is_named = loss in _core.losses()  # others are functions
    power = _core.loss_power(loss, run.get("loss_parameter")) if is_named else None
    if power is None or (number <= 0 and _core.lower_bound(loss) >= 0):
        warn(
            f"a model of a run under {loss!r} times {number:g} no longer minimizes that: it is "
            "taken for one of least squares, unless loss= of evaluate and others says what it is"
        )
        return {name: run[name] for name in (*ORIGIN, "missing") if name in run}
    found = dict(run)
    # Elements of each factor are |number|^(1 / order) times as large, of which a penalty takes the
    # square, or the magnitude.
    for name, of_penalty in (("ridge", 2), ("l1", 1)):
        if name in found and number != 0:
            found[name] = np.multiply(found[name], abs(number) ** (power - of_penalty / order))
    if number < 0:
        found.pop("nonnegative", None)
    bounds = [name for name in ("lower", "upper") if name in run and _is_left(run[name], number)]
    for name in bounds:
        del found[name]
    if bounds:
        warn(
            f"a model of a run with bounds times {number:g} is not bound by "
            f"{' and '.join(bounds)}, which it forgets"
        )
    return found


def _is_left(bound: Any, number: float) -> bool:
    """Whether factors within a bound, or one a mode, may be beyond it as those of a multiple."""
    finite = np.isfinite(bound)
    return bool((finite & ((np.asarray(bound) != 0) | (number < 0))).any())


class Multiples:
    """A model that is multiplied and divided by numbers."""

    if TYPE_CHECKING:

        def _refuse(self, operator: str) -> Any: ...
        # The array by which a multiple differs, and the model with `number` times that array.
        def _scales(self) -> npt.NDArray[Any]: ...
        def _multiple(self, scales: npt.NDArray[Any], number: float) -> Self: ...

    def _number(self, number: Any, operator: str) -> float:
        if isinstance(number, (bool, np.bool_)) or not isinstance(number, Real):
            self._refuse(operator)
        return float(number)

    def __mul__(self, other: Any) -> Self:
        """The model times a number, which multiplies its weights or its core."""
        number = self._number(other, "*")
        return self._multiple(self._scales() * number, number)

    __rmul__ = __mul__

    def __neg__(self) -> Self:
        """The model times -1."""
        return self * -1

    def __truediv__(self, other: Any) -> Self:
        """The model divided by a number."""
        number = self._number(other, "/")
        if number == 0:
            raise ZeroDivisionError(f"a {type(self).__name__} is divided by zero")
        return self._multiple(self._scales() / number, 1 / number)
