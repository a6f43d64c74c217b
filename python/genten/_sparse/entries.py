# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Subscripts and values with the names of modes and rows: a sparse tensor by itself."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._display import html_of
from .._model.run_record import first_number, has_numbers, rule_in, table_base
from .._names.labels import Labels, Named
from .._pyttb_names import Norm, PyttbTensorNames
from ..convert.duplicates import added_up, distinct_subscripts
from ..convert.parts import AnyArray, as_values

if TYPE_CHECKING:
    from typing_extensions import Self

COUNTED_UNASKED = 500_000
"""Nonzeros up to which it takes no noticeable time to count the entries in which they lie."""

Names = tuple[list[int], Labels, list[str] | None]
"""Lengths of modes, the labels of their rows and their own names."""


class Entries(Named, PyttbTensorNames):
    """The entries of a sparse tensor, which `genten.Tensor` computes with, writes and exports."""

    _OWN = ("source", "file_facts")

    _is_table: bool
    """Whether its rows are those of a table: their numbers mean nothing where they have names."""

    _may_end_early: bool
    """Whether its subscripts alone say its shape, so that there may be more rows."""

    def __init__(
        self,
        core: _core.SparseTensor,
        labels: Any = None,
        mode_names: Any = None,
        source: str | None = None,
        file_facts: dict[str, Any] | None = None,
        shared: bool = False,
        distinct: int | None = None,
        is_table: bool = False,
        may_end_early: bool = False,
    ) -> None:
        if not isinstance(core, _core.SparseTensor):
            raise TypeError(
                "Tensor: genten.tensor makes tensors, of a tuple (subs, vals, shape) and of much "
                f"else, got {type(core).__name__}"
            )
        self._core = core
        self._shared = shared
        self.labels = labels
        self.mode_names = mode_names
        self.source = source
        self.file_facts = file_facts or {}
        self._norm: float | None = None
        self._distinct = distinct
        self._is_table = is_table
        self._may_end_early = may_end_early

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the modes."""
        return self._core.shape

    @property
    def ndim(self) -> int:
        """Number of modes N, the order of the tensor."""
        return len(self.shape)

    @property
    def order(self) -> int:
        """Number of modes N, the same as `ndim`."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """Number of stored nonzeros, duplicates and explicit zeros included; `distinct_subscripts`
        says how many distinct subscripts they have."""
        return self._core.nnz

    @property
    def density(self) -> float:
        """Share of entries with nonzeros: `distinct_subscripts` by the number of elements; 0
        without."""
        return self._density_of(self.distinct_subscripts)

    def _density_of(self, distinct: int) -> float:
        elements = math.prod(self.shape)
        if distinct == self.nnz <= elements:
            return self._core.density
        return min(distinct, elements) / elements if elements else 0.0

    @property
    def distinct_subscripts(self) -> int:
        """How many distinct subscripts the nonzeros have: `nnz` where no two are the same. Where
        that is not known from where the tensor came from they are counted, which takes as long as
        sorting them: once, but each time where the array of subscripts is another's, who may have
        written to it."""
        known = self._known_distinct
        if known is None:
            known = distinct_subscripts(self._checked().subscripts, self.shape)
            self._distinct = known
        return known

    @property
    def _known_distinct(self) -> int | None:
        """How many distinct subscripts the nonzeros have, where that is known and nobody can change
        it."""
        return None if self._shared and self._core.shares_subscripts else self._distinct

    @property
    def _is_counted(self) -> bool:
        """Whether `distinct_subscripts` costs next to nothing."""
        return self._known_distinct is not None or self.nnz <= COUNTED_UNASKED

    def _checked(self) -> Self:
        """Itself, once it is certain that arrays of others still hold what a tensor may.

        Raises
        ------
        ValueError
            For a subscript outside the shape, and a value that is not finite, with the nonzero.
        """
        if self._shared:
            self._core.check()
        return self

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values: float32 or float64."""
        return np.dtype(self._core.values.dtype)

    @property
    def subscripts(self) -> npt.NDArray[Any]:
        """The subscripts, nnz x N, uint32 or uint64: a view that cannot be written to."""
        return self._core.subscripts

    @property
    def values(self) -> npt.NDArray[Any]:
        """The values, of length nnz: a view that cannot be written to."""
        return self._core.values

    @property
    def norm(self) -> Norm:
        """Frobenius norm, with duplicates added up; computed once, but each time of a tensor that
        may use arrays of others, which may have been written to. Calling it, as in pyttb, gives
        the same number."""
        norm = self._norm
        if norm is None:
            norm = self._core.norm()
            self._norm = None if self._shared else norm
        return Norm(norm)

    def _changed(
        self, labels: Any = None, mode_names: Any = None, dtype: Any = None, copy: bool = False
    ) -> Self:
        """A tensor of the same subscripts and values, without a copy where none is asked for."""
        core = self._core
        if copy or (dtype is not None and dtype != self.dtype):
            values = self.values if dtype is None else as_values(self.values, dtype)
            core = _core.tensor_from_matrix(self.subscripts, values, list(self.shape), copy)
            core.keep_listed_of(self._core)
        return type(self)(
            core,
            self.labels if labels is None else labels,
            self.mode_names if mode_names is None else mode_names,
            self.source,
            self.file_facts,
            self._shared and not copy,
            self._known_distinct,
            self._is_table,
            self._may_end_early,
        )

    def _with_columns(
        self, columns: list[AnyArray], shape: Sequence[int], labels: Labels, mode_names: Any
    ) -> Self:
        """The same nonzeros at other subscripts, of which no two become the same."""
        core = _core.tensor_from_columns(columns, self.values, list(shape), False)
        core.keep_listed_of(self._core)
        more = (self.source, self.file_facts, self._shared, self._known_distinct, self._is_table)
        return type(self)(core, labels, mode_names, *more, self._may_end_early)

    def _made(
        self,
        columns: list[AnyArray],
        values: AnyArray,
        names: Names,
        distinct: bool = True,
        facts: dict[str, Any] | None = None,
    ) -> Self:
        """Another tensor, of arrays of its own. `names` are its shape, its labels and the names of
        its modes; `distinct` says that no two nonzeros have the same subscripts, and `facts` are
        those of this one that are its own, too."""
        shape, labels, mode_names = names
        if np.may_share_memory(values, self.values):  # Which may be those of others.
            values = values.copy()
        core = _core.tensor_from_columns(columns, values, list(shape), False)
        known = len(values) if distinct else None
        early = self._may_end_early
        return type(self)(
            core, labels, mode_names, file_facts=facts, distinct=known, may_end_early=early
        )

    def _kept_facts(self, *kinds: str) -> dict[str, Any]:
        """Facts of the tensor that another one of its entries has, too: 'duplicates', how many
        were merged; the 'rule' by which; the column of 'values'; and what 'numbers' of rows without
        labels count from, where they are those of a file or a table."""
        own = self.file_facts
        same = ("duplicates", "values")
        facts: dict[str, Any] = {name: own[name] for name in kinds if name in same and name in own}
        if "rule" in kinds and (rule := rule_in(own)) is not None:
            facts["merged_by"] = rule
        if "numbers" in kinds:
            base, first = table_base(self), first_number(self)
            facts |= {} if base is None else {"table_base": base}
            facts |= {"first_number": first} if has_numbers(self) and first != base else {}
        return facts

    def _names_of(self, modes: Sequence[int]) -> Names:
        """Shape, labels and names of some of the modes, in the order in which they are given."""
        names = self.mode_names
        return (
            [self.shape[mode] for mode in modes],
            [self.labels[mode] for mode in modes],
            None if names is None else [names[mode] for mode in modes],
        )

    def _added_up(self) -> tuple[list[AnyArray], AnyArray]:
        """Subscripts by mode, and values, of one nonzero an entry."""
        columns, values = list(self._checked().subscripts.T), self.values
        if self.distinct_subscripts == self.nnz:
            return columns, values
        columns, values, _ = added_up(columns, values, self.shape)
        return columns, values

    def _facts(self) -> list[tuple[str, str]]:
        """What repr and notebooks say of it; the number of distinct subscripts where counting them
        is quick."""
        facts = [("shape", " x ".join(str(length) for length in self.shape))]
        distinct = None
        if self._is_counted:
            with contextlib.suppress(ValueError):  # Of spoilt arrays this is no place to complain.
                distinct = self.distinct_subscripts
        if distinct == self.nnz:
            facts.append(("nonzeros", str(self.nnz)))
        else:
            facts.append(("stored entries", str(self.nnz)))
        if distinct is not None:
            facts += [("distinct subscripts", str(distinct))] * (distinct != self.nnz)
            facts.append(("density", f"{self._density_of(distinct):.4g}"))
        facts.append(("dtype", str(self.dtype)))
        modes = [str(n) for n, names in enumerate(self.labels) if names is not None]
        if modes:
            facts.append((f"names for mode{'s' if len(modes) > 1 else ''}", ", ".join(modes)))
        return facts

    def __repr__(self) -> str:
        facts = dict(self._facts())
        shape, dtype = facts.pop("shape"), facts.pop("dtype")
        named = "".join(f", {key} {facts.pop(key)}" for key in list(facts) if key[:5] == "names")
        density = f", density {facts.pop('density')}" if "density" in facts else ""
        entries = " with ".join(f"{number} {noun}" for noun, number in facts.items())
        return f"<genten.Tensor {shape}, {entries}{density}, {dtype}{named}>"

    def _repr_html_(self) -> str:
        return html_of("genten.Tensor", self._facts())
