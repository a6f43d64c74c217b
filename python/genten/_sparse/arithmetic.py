# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sums and multiples of sparse tensors."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from .._model.run_record import refuse_other_base, table_base
from .._names.labels import name_beside
from .._model.row_numbers import both_by_numbers, numbers_in, warn_of_order
from ..convert.duplicates import added_up
from .exports import Exports

if TYPE_CHECKING:
    from typing_extensions import Self


class Arithmetic(Exports):
    """A sparse tensor that is added to others and multiplied by numbers."""

    def _times(self, number: Any, operator: str = "*") -> Self:
        if isinstance(number, (bool, np.bool_)) or not isinstance(number, Real):
            self._refuse(operator)  # type: ignore[attr-defined]
        return self.map(lambda values: values * number)  # type: ignore[attr-defined, no-any-return]

    def _plus(self, other: Any, sign: int, operator: str) -> Self:
        """The sum with another tensor, or the difference, of one nonzero an entry.

        Raises
        ------
        TypeError
            For what is no Tensor.
        ValueError
            For another shape, and other names of modes or labels.
        """
        if not isinstance(other, Exports):
            self._refuse(operator)  # type: ignore[attr-defined]
        if self.shape != other.shape:
            raise ValueError(
                f"X {operator} Y: expected tensors of one shape, got {self.shape} and "
                f"{other.shape}{_by_name(self, other, sign)}"
            )
        own, its = numbers_in(self), numbers_in(other)
        pair, what = (self.labels, other.labels), f"X {operator} Y"
        pair = both_by_numbers(pair, ((self.shape, own), (other.shape, its)))
        if own.of_table and its.of_table:
            refuse_other_base((own.base, its.base), pair, what, ("X", "Y"))
        warn_of_order(pair, self.mode_names, what, ("X", "Y"))
        for mine, theirs in zip(*pair, strict=True):
            if mine is not None and theirs is not None and list(mine) != list(theirs):
                raise ValueError(
                    f"X {operator} Y: expected tensors of the same labels"
                    f"{_by_name(self, other, sign)}"
                )
        if None not in (self.mode_names, other.mode_names) and self.mode_names != other.mode_names:
            raise ValueError(
                f"X {operator} Y: expected modes called {self.mode_names}, got {other.mode_names}; "
                "Y.permute(X.mode_names) has them in that order, if they are the same"
            )
        columns, values = self._added_up()
        its_columns, its_values = other._added_up()
        both = [np.concatenate(pair) for pair in zip(columns, its_columns, strict=True)]
        summed = added_up(both, np.concatenate([values, sign * its_values]), self.shape)
        shape, _, mode_names = self._names_of(range(self.ndim))
        labels = [b if a is None else a for a, b in zip(*pair, strict=True)]
        names = (shape, labels, mode_names or other.mode_names)
        return self._made(summed[0], summed[1], names, facts=self._kept_facts("numbers"))

    def __add__(self, other: Any) -> Self:
        """The sum with another tensor of the same shape and labels. Entries whose sum is 0 stay
        listed."""
        return self._plus(other, 1, "+")

    def __radd__(self, other: Any) -> Self:
        """The tensor itself beside 0, with which ``sum`` begins."""
        return self if isinstance(other, int) and other == 0 else self._plus(other, 1, "+")

    def __sub__(self, other: Any) -> Self:
        """The difference to another tensor of the same shape and labels."""
        return self._plus(other, -1, "-")

    def __rsub__(self, other: Any) -> Self:
        """Nothing but another tensor has one taken from it."""
        return self._refuse("-")  # type: ignore[attr-defined, no-any-return]

    def __neg__(self) -> Self:
        """The tensor times -1."""
        return self._times(-1)

    def __mul__(self, other: Any) -> Self:
        """The tensor times a number."""
        return self._times(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Self:
        """The tensor divided by a number."""
        if isinstance(other, Real) and other == 0:
            raise ZeroDivisionError("a Tensor is divided by zero")
        return self._times(1 / other if isinstance(other, Real) else other, "/")


def _by_name(X: Exports, Y: Exports, sign: int) -> str:
    """What to do about tensors of other rows. Of modes without labels a table does not say the
    length."""
    values = X._name_of_values
    lengths, shape = [_length_of_both(X, Y, mode) for mode in range(min(X.ndim, Y.ndim))], ""
    if X.ndim == Y.ndim and None not in lengths and None in X.labels:
        shape = f", shape={tuple(lengths)}"
        if base := table_base(X):
            shape += f", index_base={base}"
    its = Y._name_of_values if sign > 0 else name_beside("value", Y.mode_names)  # as of -Y
    other = f"{'Y' if sign > 0 else '(-Y)'}.to_pandas({'' if its == values else f'{values=}'})"
    return (
        f"; genten.tensor(pandas.concat([X.to_pandas(), {other}]), values={values!r}{shape}) "
        f"goes by the labels of both{', and by numbers where there are none' if shape else ''}"
    )


def _length_of_both(X: Exports, Y: Exports, mode: int) -> int | None:
    """How long a mode is with the rows of both; None where one alone has labels."""
    mine, theirs = X.labels[mode], Y.labels[mode]
    if mine is None or theirs is None:
        return max(X.shape[mode], Y.shape[mode]) if mine is theirs else None
    if list(mine) == list(theirs):
        return len(mine)
    met = [
        {names[row] for row in np.unique(each.subscripts[:, mode]).tolist()}
        for each, names in ((X, mine), (Y, theirs))
    ]
    return len(met[0] | met[1])
