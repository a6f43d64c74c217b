# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values of models at entries, with what is to be known of them, and their components."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator
from opcode import opmap
from types import FrameType
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from .._names.lookup import called, is_row, row_at, warn_of_zero_rows
from ..convert.parts import shown
from ..describe import first_row
from .arrays import Weighted
from .components import Component


_UNPACKING = opmap.get("UNPACK_SEQUENCE")


def values_of(
    model: Any, entries: npt.NDArray[Any], what: str, base: int = 0
) -> npt.NDArray[np.float64]:
    """Values at entries, with a warning of those in rows that are zero."""
    values: npt.NDArray[np.float64] = model._values_at(entries)
    if (zero := values == 0).any():
        warn_of_zero_rows(model, entries[zero], base, what)
    return values


def value_at(model: Any, keys: tuple[Any, ...]) -> float:
    """The value at one entry, of which each key is the number of a row or its label."""
    base, names = first_row(model, 0), model.mode_names
    rows = [
        row_at(key, model.shape[mode], model.labels[mode], called(mode, names), base)
        for mode, key in enumerate(keys)
    ]
    return float(values_of(model, np.array([rows]), "model")[0])


def _number_of(key: Any) -> int | None:
    """A key that is a whole number; None of others, truths among them."""
    try:
        return None if isinstance(key, (bool, np.bool_)) else operator.index(key)
    except TypeError:
        return None


def _is_unpacked(frame: FrameType) -> bool:
    """Whether what a frame of Python is at takes something apart, as ``weights, factors = m``."""
    return frame.f_code.co_code[frame.f_lasti] == _UNPACKING


class Indexed(Weighted):
    """A model's components and values by brackets, `len` and iteration."""

    @overload
    def __getitem__(self, keys: int | np.integer[Any]) -> Component: ...
    @overload
    def __getitem__(self, keys: tuple[Any, ...] | str) -> float: ...
    def __getitem__(self, keys: Any) -> Component | float:
        """The model's value at one entry of the tensor, by numbers of rows, negative ones counted
        from the end, or by their labels: ``m[0, "tea"]``; `predict` gives those at many. Where
        there are several modes, one whole number is that of a component: ``m[0]``, ``m[-1]``."""
        number, rank = _number_of(keys), len(self.weights)
        if number is not None and len(self.factors) > 1:
            if not -rank <= number < rank:
                raise IndexError(f"expected a component from 0 to {rank - 1}, got {number}")
            return self._component(number % rank)
        given = keys if isinstance(keys, tuple) else (keys,)
        if len(given) != len(self.factors) or not all(map(is_row, given)):
            raise TypeError(
                f"a Model is indexed by {len(self.factors)} rows, one of each mode, by their "
                "numbers or labels, or by the number of a component, got "
                f"{shown(keys)}; predict gives the values at many entries, extract a model of some "
                "components"
            )
        return value_at(self, given)

    def __len__(self) -> int:
        """Number of components, `rank`."""
        return len(self.weights)

    def __iter__(self) -> Iterator[Component]:
        """The components, one by one, in their order.

        Raises
        ------
        TypeError
            For ``weights, factors = m``, as models of others are unpacked.
        """
        if _is_unpacked(sys._getframe(1)):
            raise TypeError(
                "a Model is no tuple: weights, factors = m.weights, m.factors takes its arrays; of "
                "its components, list(m) is unpacked"
            )
        return map(self._component, range(len(self.weights)))

    def _component(self, number: int) -> Component:
        columns = [factor[:, number] for factor in self.factors]
        return Component(float(self.weights[number]), columns)
