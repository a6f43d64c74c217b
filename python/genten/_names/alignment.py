# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Modes and rows in the order of another's names: the same name is the same mode, and the same
label the same row, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..convert.parts import AnyArray, loaded, warn
from ..convert.times import spellings
from .labels import Labels
from .lookup import called, of_digits, of_other_names, rows_of
from .numbers import some_of
from .unknown import refuse_unknown

def differing_labels(
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
    names in another order; None where modes go by their numbers: without names on a side, and with
    the same names in the same order.

    Raises
    ------
    ValueError
        For names of which some are not those of both, or not unique.

    Examples
    --------
    >>> order_of_modes(["from", "to"], ["to", "from"]), order_of_modes(["a", "b"], ["a", "b"])
    ([1, 0], None)
    """
    if mine is None or theirs is None or len(mine) != len(theirs):
        return None
    here, there = list(mine), list(theirs)
    if here == there:
        return None
    if sorted(here) != sorted(there) or len(set(here)) < len(here):
        before = f"{what}: " if what else ""
        raise ValueError(
            f"{before}expected modes called {here}, each once and in any order, got "
            f"{there}{of_other_names(here, there)}; where they are the same modes, set mode_names "
            "of either"
        )
    return [there.index(name) for name in here]


def beyond(labels: Sequence[str], others: Sequence[str]) -> list[str]:
    """The labels that are not among others, which may have the same times in other words."""
    known = set(others)
    return [
        text
        for text in labels
        if text not in known and not any(alike in known for alike in spellings(text))
    ]


def warn_of_rows(
    mode: str, lacking: list[str], left_out: list[str], remedy: str = ""
) -> None:
    """Gives a warning of the rows that one side alone has, with what else to do of those that the
    tensor lacks."""
    notes = []
    if lacking:
        rows = "a row" if len(lacking) == 1 else f"{len(lacking)} rows"
        some = some_of(lacking)
        notes.append(f"the model has {rows} that the tensor lacks, taken for zeros: {some}{remedy}")
    if left_out:
        rows = "an empty row" if len(left_out) == 1 else f"{len(left_out)} empty rows"
        notes.append(f"the tensor has {rows} that the model lacks, left out: {some_of(left_out)}")
    if notes:
        warn(f"{mode}: {'; '.join(notes)}")


def warn_of_empty_numbers(
    subscripts: AnyArray,
    shape: Sequence[int],
    labels: Labels,
    mode_names: Sequence[str] | None,
    base: int,
    *,
    partial: Collection[int] = (),
    of_lacking: Callable[[int], str] | None = None,
    factors: Sequence[AnyArray] = (),
) -> None:
    """Gives a warning of rows without nonzeros of a table, in modes that labels do not name and
    that are not `partial`, with what to do of them in the mode, `of_lacking`. Rows that are zero in
    `factors` are not told of."""
    for mode, length in enumerate(shape):
        if labels[mode] is None and mode not in partial:
            met = np.zeros(length, dtype=bool)
            met[subscripts[:, mode]] = True
            if factors:
                met |= ~np.asarray(factors[mode].any(axis=1))
            lacking = [str(base + row) for row in np.flatnonzero(~met).tolist()]
            remedy = of_lacking(mode) if of_lacking else ""
            warn_of_rows(called(mode, mode_names), lacking, [], remedy)


def warn_of_new_names(place: str, known: Sequence[str], new: Sequence[str]) -> None:
    """Warns of names of new rows that may mean known ones, or sums of rows."""
    for note in _core.new_name_notes(list(known), list(new)):
        warn(f"{place} has {note}")


def refuse_nameless(
    labels: Labels, theirs: Labels, mode_names: Sequence[str] | None, what: str
) -> None:
    """Complains of a tensor, whose rows `theirs` names, beside a model without labels: of a table,
    or with numbers for names, its rows have no numbers that mean anything.

    Raises
    ------
    ValueError
        For the first such mode.
    """
    for mode, (own, other) in enumerate(zip(labels, theirs, strict=True)):
        if own is None and other is not None:
            before = f"{what}: " if what else ""
            of_pyttb = "genten.Model(m.weights, m.factor_matrices, X.labels)"
            also = f", of a model m of pyttb {of_pyttb}," if loaded("pyttb") else ""
            way = (
                "; where rows are in the order of X.labels, genten.Model(m.weights, m.factors, "
                f"X.labels){also} has those of the tensor X"
            )
            raise ValueError(
                f"{before}the tensor names the rows of {called(mode, mode_names)}: expected names "
                f"of those of the model, got none{of_digits(other) or way}"
            )


def aligned_columns(
    columns: list[AnyArray],
    theirs: Labels,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    but: int | None = None,
    what: str = "",
    warns: bool = True,
    remedy: str = "",
    partial: Collection[int] = (),
    of_lacking: Callable[[int], str] | None = None,
) -> tuple[list[AnyArray], Labels]:
    """The subscripts of a tensor, whose rows `theirs` names, as `labels` number the rows of every
    mode but one, and the labels then.

    Modes become as long as these are. Rows that the tensor lacks are empty then: what it does not
    list is zero. `what` is what messages begin with, and `remedy` what they say of names that are
    not there; a warning names rows that only one side has, unless `warns` is false, and says what
    to do of lacking ones in a mode, `of_lacking`. The tensor has some rows alone in `partial` ones.

    Raises
    ------
    ValueError
        For a label of a row with nonzeros that is not among them, or that several rows have.
    """
    columns, named = list(columns), list(theirs)
    unknown: list[str] = []
    before = f"{what}: " if what else ""
    for mode, mine, others in differing_labels(labels, theirs):
        if mode == but:
            continue
        called_here = before + called(mode, mode_names)
        used = np.unique(columns[mode])
        rows = np.zeros(len(others), dtype=np.int64)
        shown = [others[int(row)] for row in used]
        told = len(unknown)
        rows[used] = rows_of(shown, mine, called_here, remedy, unknown)
        if len(unknown) > told:
            continue
        if len(np.unique(rows[used])) < len(used):
            met = rows[used].tolist()
            twice = next(text for text, row in zip(shown, met, strict=True) if met.count(row) > 1)
            raise ValueError(f"{called_here}: several rows of the tensor are called {twice!r}")
        if warns:
            lacking = [] if mode in partial else beyond(mine, others)
            way = of_lacking(mode) if of_lacking else ""
            warn_of_rows(called_here, lacking, beyond(others, mine), way)
        columns[mode], named[mode] = rows[columns[mode]], mine
    refuse_unknown(unknown, remedy, before)
    return [column.astype(np.int64) for column in columns], named


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
            f"only {side} has {some_of([text for text in each if text not in other])}"
            for side, each, other in ((sides[0], mine, there), (sides[1], theirs, here))
            if not other.issuperset(each)
        ]
        raise ValueError(f"{mode}: expected the same labels, but {' and '.join(lacking)}")
    if not len(here) == len(mine) == len(theirs):
        several = next(text for text in here if list(mine).count(text) != 1
                       or list(theirs).count(text) != 1)  # fmt: skip
        raise ValueError(f"{mode}: several rows are called {several!r}")
    return rows_of(mine, theirs, mode)


def rows_in_common(
    labels: tuple[Labels, Labels],
    shapes: tuple[Sequence[int], Sequence[int]],
    bases: tuple[int, int],
    mode_names: Sequence[str] | None,
    what: str,
    sides: tuple[str, str],
    modes: Sequence[int],
) -> dict[int, tuple[AnyArray, AnyArray]]:
    """Of these modes the rows that two models have in common, in the order of the first: by their
    labels, and by their numbers, from their `bases`, where neither has any and one of them has
    more, as after an update. Without the modes in which their rows are the same. Warnings name rows
    that only one has.

    Raises
    ------
    ValueError
        Where they have no row in common, for a label of several rows, and for models without labels
        of which each has more rows than the other in some mode.
    """
    found: dict[int, tuple[AnyArray, AnyArray]] = {}
    longer = [
        np.sign(len_a - len_b) if mode in modes else 0
        for mode, (len_a, len_b) in enumerate(zip(*shapes, strict=True))
    ]
    grown = [sign for sign, a, b in zip(longer, *labels, strict=True) if a is None and b is None]
    by_number = not {1, -1} <= set(grown)
    for mode, (mine, theirs) in enumerate(zip(*labels, strict=True)):
        if mode not in modes:
            continue
        if (mine is None or theirs is None) and not (
            by_number and longer[mode] and _are_numbers(mine) and _are_numbers(theirs)
        ):
            continue
        first = bases[:1] * 2 if mine is theirs else bases
        mine, theirs = (
            [str(base + row) for row in range(shape[mode])] if each is None else each
            for each, base, shape in zip((mine, theirs), first, shapes, strict=True)
        )
        if list(mine) == list(theirs):
            continue
        here = f"{what}: {called(mode, mode_names)}"
        alone, left = beyond(mine, theirs), beyond(theirs, mine)
        if len(alone) == len(mine) or len(set(mine)) < len(mine):
            try:
                _order_of(mine, theirs, here, sides)  # which complains
            except ValueError as error:
                if len(alone) < len(mine):
                    raise
                others = [mode_names[n] if mode_names else n for n in modes if n != mode]
                raise ValueError(
                    f"{error}; modes={others!r} scores models of different rows, as of two halves "
                    "of a table, by the other modes"
                ) from None
        notes = [
            f"only {side} has {some_of(each)}"
            for side, each in zip(sides, (alone, left), strict=True)
            if each
        ]
        if notes:
            warn(f"{here}: {' and '.join(notes)}; rows that both have are compared")
        rows = np.flatnonzero(~np.isin(list(mine), alone)) if alone else np.arange(len(mine))
        found[mode] = rows, rows_of([mine[int(row)] for row in rows], theirs, here)
    return found


def warn_of_text_base(run: Mapping[str, Any], labels: Labels, table: Any, what: str) -> None:
    """Warns of a table whose numbers count from 0 beside a model of a text whose subscripts count
    from 1, unless the reader of the table was told what they count from."""
    asked = getattr(table, "file_facts", {}).get("read_options", {})
    of_text = run.get("text_base") == 1 and "index_base" not in run and None in labels
    if of_text and "index_base" not in asked:
        warn(
            f"{what}: numbers count from 0 in tables, and from 1 in the text that the model was "
            "made from: genten.tensor(table, ..., index_base=1) says that those of the table do, "
            "too, and index_base=0 that they do not"
        )


def _are_numbers(labels: Sequence[str] | None) -> bool:
    return labels is None or all(text.isdecimal() and text.isascii() for text in labels)


def aligned_factors(
    factors: list[AnyArray],
    theirs: Labels,
    labels: Labels,
    mode_names: Sequence[str] | None,
    *,
    what: str,
    sides: tuple[str, str],
) -> tuple[list[AnyArray], Labels]:
    """The factors of a model, whose rows `theirs` names, with their rows in the order of `labels`,
    where both are there and differ, and the labels then. `sides` is what messages call them, the
    model last.

    Unlike a tensor, a model says nothing of rows that it lacks: there are no zeros in their place.

    Raises
    ------
    ValueError
        Where these are not the same labels, or one of them stands for several rows.
    """
    factors, named = list(factors), list(theirs)
    for mode, mine, others in differing_labels(labels, theirs):
        order = _order_of(mine, others, f"{what}: {called(mode, mode_names)}", sides)
        factors[mode], named[mode] = factors[mode][order], mine
    return factors, named
