# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of Tucker models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..convert.parts import AnyArray, loaded
from .._names.labels import listed
from .arrays import real_array, require_shapes


def checked_tucker_arrays(
    core: Any, factors: Sequence[Any]
) -> tuple[AnyArray, list[AnyArray | None]]:
    """Core and factors as a Tucker model has them.

    Raises
    ------
    TypeError
        For a list of arrays in the place of the core.
    ValueError
        For shapes that do not go together, and numbers that are not finite.
    """
    if not factors:
        raise ValueError("factors: expected at least one")
    pyttb = loaded("pyttb")
    if pyttb is not None and isinstance(core, (pyttb.tensor, pyttb.sptensor)):
        core = core.double()
    if isinstance(core, (list, tuple)) and any(isinstance(each, np.ndarray) for each in core):
        raise TypeError(
            "TuckerModel: expected an array as core before the factors, as in "
            f"genten.TuckerModel(core, factors), got a {type(core).__name__} of arrays"
        )
    array = real_array(core, len(factors), "core")
    taken = [
        None if factor is None else real_array(factor, 2, f"factor {mode}")
        for mode, factor in enumerate(factors)
    ]
    for mode, (factor, rank) in enumerate(zip(taken, array.shape, strict=True)):
        if factor is not None and factor.shape[1] != rank:
            raise ValueError(
                f"factor {mode}: expected {rank} columns, the core's length there, got "
                f"{factor.shape[1]}"
            )
    return array, taken


class Cored:
    """Something with a core and factors. Those that are set are checked as those that are given at
    first."""

    def _begin_with(self, core: Any, factors: Sequence[Any]) -> None:
        arrays = checked_tucker_arrays(core, factors)
        self.__dict__["core"], self.__dict__["factors"] = arrays

    @property
    def core(self) -> AnyArray:
        """The core."""
        return self.__dict__["core"]  # type: ignore[no-any-return]

    @core.setter
    def core(self, core: Any) -> None:
        self.__dict__["core"] = checked_tucker_arrays(core, self.factors)[0]

    @property
    def factors(self) -> list[AnyArray | None]:
        """The factors, one a mode, or None."""
        return self.__dict__["factors"]  # type: ignore[no-any-return]

    @factors.setter
    def factors(self, factors: Any) -> None:
        given = listed("factors: expected a sequence of arrays", factors)
        taken = [
            None if each is None else real_array(each, 2, f"factor {mode}")
            for mode, each in enumerate(given)
        ]
        require_shapes(self.factors, taken, "TuckerModel")
        self.__dict__["factors"] = taken


def tucker_arrays(
    core: AnyArray, factors: Sequence[AnyArray | None]
) -> tuple[AnyArray, list[int], list[AnyArray]]:
    """A Tucker model as the extension takes it: the core's elements, the first subscript varying
    fastest, its ranks, and factors of which those of modes that are not compressed are empty."""
    rows = [
        np.empty((0, 0), core.dtype)
        if each is None
        else np.require(each, core.dtype, ["C", "A"])
        for each in factors
    ]
    return np.require(core.ravel(order="F"), core.dtype, ["A"]), list(core.shape), rows


def cp_factors(core: AnyArray, factors: Sequence[AnyArray | None]) -> list[AnyArray]:
    """The factors of a CP model without weights that is the same: the longest mode of the core is
    folded into its factor, and of the others each has a column for each combination."""
    folded = int(np.argmax(core.shape))
    others = [mode for mode in range(core.ndim) if mode != folded]
    matrix = np.moveaxis(core.astype(np.float64), folded, 0)
    matrix = matrix.reshape(core.shape[folded], -1, order="F")
    lengths = [core.shape[mode] for mode in others]
    columns = np.unravel_index(np.arange(matrix.shape[1]), lengths, order="F") if others else ()
    taken: list[AnyArray] = [np.empty(0)] * core.ndim
    factor = factors[folded]
    taken[folded] = matrix if factor is None else factor.astype(np.float64) @ matrix
    for mode, chosen in zip(others, columns, strict=True):
        factor = factors[mode]
        whole_factor = np.eye(core.shape[mode]) if factor is None else factor
        taken[mode] = whole_factor.astype(np.float64)[:, chosen]
    return taken
