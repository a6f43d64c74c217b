# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors and models with their modes and rows in the order of another's names: the same name is
the same mode, and the same label the same row, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import _library
from .._lookup import called, rows_of
from .._names import Labels, checked_labels
from ..convert.parts import warn
from ..convert.times import spellings

if TYPE_CHECKING:
    from ..model import Model
    from ..tensors import Tensor

MOST_NAMED = 3
"""Labels that a message names, of each side."""


def _differing(
    mine: Labels, theirs: Labels
) -> Iterator[tuple[int, Sequence[str], Sequence[str]]]:
    """The modes of which both have labels that are not the same in the same order."""
    for mode, (here, there) in enumerate(zip(mine, theirs, strict=True)):
        if here is not None and there is not None and list(here) != list(there):
            yield mode, here, there


def order_of_modes(
    mine: Sequence[str] | None, theirs: Sequence[str] | None, what: str = ""
) -> list[int] | None:
    """For each name of `mine` the mode of `theirs` that is called so, where both have the same
    names in another order; None where modes go by their numbers: without names on a side, with
    the same names in the same order, and where no name of one is that of another mode there.

    Raises
    ------
    ValueError
        Where some names are those of other modes, and others are not there or not unique.

    Examples
    --------
    >>> order_of_modes(["from", "to"], ["to", "from"]), order_of_modes(["a", "b"], ["a", "c"])
    ([1, 0], None)
    """
    if mine is None or theirs is None or len(mine) != len(theirs):
        return None
    here, there = list(mine), list(theirs)
    if not any(name in here and name != mode for mode, name in zip(here, there, strict=True)):
        return None
    if sorted(here) != sorted(there) or len(set(here)) < len(here):
        before = f"{what}: " if what else ""
        raise ValueError(
            f"{before}expected modes of the same names, each once, or other names altogether, got "
            f"{there} beside {here}"
        )
    return [there.index(name) for name in here]


def _with_modes(X: Tensor, mode_names: Sequence[str] | None, what: str) -> Tensor:
    """The tensor with its modes in the order of these names."""
    order = order_of_modes(mode_names, X.mode_names, what)
    if order is None:
        return X
    columns = [X.subscripts[:, mode] for mode in order]
    core = _library.tensor_from_columns(columns, X.values, [X.shape[mode] for mode in order], False)
    labels = [X.labels[mode] for mode in order]
    names = list(mode_names or ())
    return type(X)(
        core, labels, names, X.source, X.file_facts, shared=X._shared, cells=X._known_cells
    )


def _beyond(labels: Sequence[str], others: Sequence[str]) -> list[str]:
    """The labels that are not among others, which may have the same times in other words."""
    known = set(others)
    return [
        text
        for text in labels
        if text not in known and not any(alike in known for alike in spellings(text))
    ]


def _tell(mode: str, lacking: list[str], left_out: list[str]) -> None:
    """Gives a warning of the rows that one side alone has."""
    told = []
    if lacking:
        rows = "a row" if len(lacking) == 1 else f"{len(lacking)} rows"
        some = _some(lacking)
        told.append(f"the model has {rows} that the tensor lacks, taken for zeros: {some}")
    if left_out:
        rows = "an empty row" if len(left_out) == 1 else f"{len(left_out)} empty rows"
        told.append(f"the tensor has {rows} that the model lacks, left out: {_some(left_out)}")
    if told:
        warn(f"{mode}: {'; '.join(told)}")


def relabelled(
    X: Tensor,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    but: int | None = None,
    what: str = "",
    tell: bool = True,
) -> Tensor:
    """The tensor with its modes in the order of `mode_names`, and the rows of every mode but one
    as `labels` number them, where it has names, too, and they differ; itself where they do not.

    It becomes as long as they are. Rows that it lacks are empty then: what a sparse tensor does
    not list is zero. `what` is what messages begin with; a warning names rows that only one side
    has, unless `tell` is false.

    Raises
    ------
    ValueError
        For a label of a row with nonzeros that is not among them, or that several rows have, for
        names of modes that are the same in part, and for subscripts or values that no tensor has.
    """
    if X.ndim != len(labels):
        return X
    X = _with_modes(X, mode_names, what)
    differing = [each for each in _differing(labels, X.labels) if each[0] != but]
    if not differing:
        return X
    checked_labels(X.labels, X.shape)  # which are lists that others may have changed
    columns, shape, named = list(X._checked().subscripts.T), list(X.shape), list(X.labels)
    before = f"{what}: " if what else ""
    for mode, mine, theirs in differing:
        called_here = before + called(mode, mode_names)
        used = np.unique(columns[mode])
        rows = np.zeros(len(theirs), dtype=np.int64)
        shown = [theirs[int(row)] for row in used]
        rows[used] = rows_of(shown, mine, called_here)
        if len(np.unique(rows[used])) < len(used):
            met = rows[used].tolist()
            twice = next(text for text, row in zip(shown, met, strict=True) if met.count(row) > 1)
            raise ValueError(f"{called_here}: several rows of the tensor are called {twice!r}")
        if tell:
            _tell(called_here, _beyond(mine, theirs), _beyond(theirs, mine))
        columns[mode], shape[mode], named[mode] = rows[columns[mode]], len(mine), mine
    kept = [column.astype(np.int64) for column in columns]
    core = _library.tensor_from_columns(kept, X.values, shape, False)
    return type(X)(
        core, named, X.mode_names, X.source, X.file_facts, shared=X._shared, cells=X._known_cells
    )


def _some(labels: list[str]) -> str:
    named = ", ".join(map(repr, labels[:MOST_NAMED]))
    more = len(labels) - MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _order_of(
    mine: Sequence[str], theirs: Sequence[str], mode: str, sides: tuple[str, str]
) -> npt.NDArray[np.int64]:
    """The rows of `theirs` in the order of `mine`.

    Raises
    ------
    ValueError
        Where these are not the same labels, or one of them stands for several rows.
    """
    here, there = set(mine), set(theirs)
    if here != there:
        lacking = [
            f"only {side} has {_some([text for text in each if text not in other])}"
            for side, each, other in ((sides[0], mine, there), (sides[1], theirs, here))
            if not other.issuperset(each)
        ]
        raise ValueError(f"{mode}: expected the same labels, but {' and '.join(lacking)}")
    if not len(here) == len(mine) == len(theirs):
        several = next(text for text in here if list(mine).count(text) != 1
                       or list(theirs).count(text) != 1)  # fmt: skip
        raise ValueError(f"{mode}: several rows are called {several!r}")
    return rows_of(mine, theirs, mode)


def model_by_label(
    model: Model,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    what: str,
    sides: tuple[str, str],
) -> Model:
    """The model with its modes in the order of `mode_names`, and its rows in that of `labels`,
    where both have names and they differ; itself where they do not. `sides` is what messages call
    them, the model last.

    Unlike a tensor, a model says nothing of rows that it lacks: there are no zeros in their place.

    Raises
    ------
    ValueError
        Where these are not the same labels, or one of them stands for several rows, and where the
        names of modes are the same in part.
    """
    if model.ndim != len(labels):
        return model
    order_there = order_of_modes(mode_names, model.mode_names, what)
    if order_there is not None:
        moved = [model.factors[mode] for mode in order_there]
        labels_there = [model.labels[mode] for mode in order_there]
        model = type(model)(model.weights, moved, labels_there, mode_names)
    factors, named = list(model.factors), list(model.labels)
    for mode, mine, theirs in _differing(labels, model.labels):
        order = _order_of(mine, theirs, f"{what}: {called(mode, mode_names)}", sides)
        factors[mode], named[mode] = factors[mode][order], mine
    if all(one is other for one, other in zip(named, model.labels, strict=True)):
        return model
    return type(model)(model.weights, factors, named, model.mode_names)
