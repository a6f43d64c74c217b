# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of what callers give beside a model, whose run says what their data leave open: which
columns of a table are modes, which one has the values, and what becomes of duplicates; and what is
missing of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._files.tensors import table_columns
from ._input import tensor, tensor_beside_model
from ._missing import (
    NONE,
    UNLISTED,
    as_mask,
    entries_in,
    is_unlisted,
    missing_entries,
    warn_of_list,
)
from ._model.run_record import is_text, rule_in
from ._names.alignment import order_of_modes
from ._names.lookup import require_columns
from ._names.text_order import warn_of_text_order
from .convert import arrow, frames
from .convert.keys import decoded
from .convert.parts import warn
from .tensors import Tensor, beside, lacks_names


def tensor_for(
    model: Any, X: Any, what: str, dtype: Any = None, new_rows: int | None = None
) -> Tensor:
    """The tensor of data beside a model, as `tensor_of` says it by the model's modes and run. Rows
    of the mode `new_rows` are others than the model's."""
    run = getattr(model, "_run", {})
    given = tensor_of(X, getattr(model, "mode_names", None), run, what, dtype)
    nameless = [own is None for own in given.labels]
    warn_of_text_order(nameless, given.shape, getattr(model, "labels", None), what, new_rows)
    return given


def tensor_of(
    X: Any,
    mode_names: Sequence[str] | None,
    run: Mapping[str, Any],
    what: str,
    dtype: Any = None,
) -> Tensor:
    """The tensor of data beside a model with these names of modes, of that run. Of a table the
    columns of these names are modes, and the one that is left has the values, or that of the run.
    Messages begin with `what`.

    Raises
    ------
    ValueError
        For a table that lacks one of the modes, or of which more than one column may have the
        values, and for a tensor whose duplicates were merged by another rule than those of the run.
    """
    if isinstance(X, Tensor):
        given = X if dtype is None else X.astype(dtype)
        _warn_of_other_values(given, run, what)
        return _by_rule(given, run, what)
    hints: dict[str, Any] = {}
    is_path = isinstance(X, (str, os.PathLike))
    columns = None if mode_names is None else _columns_of(X, is_path, mode_names)
    if columns is not None and mode_names is not None:
        hints = columns_beside(columns, mode_names, run, what)
    if (rule := run.get("duplicates")) is not None:
        hints["duplicates"] = rule
    is_text_table = is_path and columns and arrow.file_form(os.fspath(X)) is None
    if is_text_table and run.get("decimal") == ",":
        hints["decimal"] = ","
        warn(
            f"{what}: numbers of {os.fspath(X)!r} have a decimal comma, as in the model's run; "
            "genten.read(path, decimal='.') says otherwise"
        )
    counts_from_0 = is_path and not columns and run.get("text_base") == 0
    if counts_from_0:
        hints["index_base"] = 0
    found = tensor_beside_model(X, dtype, hints)
    if counts_from_0 and is_text(found.file_facts):
        warn(
            f"{what}: subscripts of {os.fspath(X)!r} count from 0, as in the text that the model "
            "was made from; genten.read(path, index_base=1) says otherwise"
        )
    return found


def values_keyword(column: str) -> str:
    """How the column of the values is given to `genten.tensor`, in words; "" is any.

    Examples
    --------
    >>> values_keyword("price"), values_keyword("")
    ("genten.tensor(..., values='price')", 'genten.tensor(..., values=...)')
    """
    return f"genten.tensor(..., values={column!r})" if column else "genten.tensor(..., values=...)"


def columns_beside(
    columns: Sequence[Any],
    mode_names: Sequence[str],
    run: Mapping[str, Any],
    what: str,
    option: Callable[[str], str] = values_keyword,
) -> dict[str, Any]:
    """The columns of a table that are modes of a model, and that of its values, as the keywords
    `modes` and `values` of `genten.tensor`; rows count where the latter is None. A warning names a
    column that is taken in the place of the run's; `option` says how one is given."""
    by_text = dict(zip(map(str, decoded(columns, what)), columns, strict=True))
    require_columns(list(by_text), mode_names, what)
    left = [name for name in by_text if name not in mode_names]
    modes = [by_text[name] for name in mode_names]
    has_values = run.get("values") is not None
    own = run.get("values", "")
    if own in left:
        return {"modes": modes, "values": by_text[own]}
    if own is None:
        if left:
            warn(f"{what}: {_core.unused_columns_note(left, True, option)}")
        return {"modes": modes, "values": None}
    if has_values and not left:
        as_there = f"as {own!r} in the run" if own else "as the model's run had values"
        raise ValueError(
            f"{what}: expected a column with the values beside those of the modes, {as_there}, "
            f"got {columns}; genten.tensor(table, modes={list(mode_names)}) counts rows"
        )
    if not left:
        warn(
            f"{what}: rows are counted, since the table has no column beside those of the modes, "
            "and nothing says whether the model was made from values"
        )
    if len(left) > 1:
        raise ValueError(
            f"{what}: columns {left} are none of the modes {list(mode_names)}: which one has the "
            f"values? genten.tensor(table, modes={list(mode_names)}, values=...) says so, or "
            "counts rows without values="
        )
    if has_values and own:
        warn(
            f"{what}: column {left[0]!r} is taken for the values, as {own!r} in the run; "
            f"genten.tensor(table, modes={list(mode_names)}, values=...) names another"
        )
    return {"modes": modes, "values": by_text[left[0]] if left else None}


def _warn_of_other_values(given: Tensor, run: Mapping[str, Any], what: str) -> None:
    """Warns of a tensor of a table that has other values than that of the run, as of other units.
    """
    facts = given.file_facts
    if "values" not in facts or "values" not in run:
        return
    own, its = (None if each is None else str(each) for each in (run["values"], facts["values"]))
    if own == its or "" in (own, its):  # of a series without a name, whose values may be the same
        return
    modes = "" if given.mode_names is None else f", modes={list(given.mode_names)}"
    table = f"genten.tensor(table{modes}"
    its_column = f"the tensor has the values of column {its!r}"
    if own is None and np.isin(given.values, (0, 1)).all() and not given.values.all():
        return  # which say of more entries whether there is a row
    if own is None:
        warn(
            f"{what}: {its_column}, and rows were counted in the table that the model was made "
            f"from; {table}) counts rows"
        )
    elif its is None:
        warn(
            f"{what}: the tensor counts rows, and the model was made from the values of column "
            f"{own!r}; {table}, values={own!r}) takes these"
        )
    else:
        warn(
            f"{what}: {its_column}, and the model was made from those of {own!r}: where both are "
            "the same quantity, in the same unit, genten.tensor(table.rename(columns="
            f"{{{its!r}: {own!r}}}){modes}, values={own!r}) says so"
        )


def _columns_of(X: Any, is_path: bool, names: Sequence[str]) -> list[Any] | None:
    """The names of the columns of a long table, its index among them; None of anything else.

    Raises
    ------
    ValueError
        For a wide table, which has no columns of these names.
    """
    if is_path:
        return table_columns(os.fspath(X), {}) or None
    if frames.accepts(X):
        if frames.is_series(X):
            return None
        if not set(names) <= {*getattr(getattr(X, "index", None), "names", ()), *X.columns}:
            frames.refuse_pivot(X)
        return list(frames.with_index(X).columns)
    return arrow.columns_of_table(X) if arrow.accepts(X) else None


def _by_rule(given: Tensor, run: Mapping[str, Any], what: str) -> Tensor:
    """The tensor with its duplicates merged as those of the run were."""
    if "loss" not in run:  # Nobody knows that of a model of arrays.
        return given
    rule, facts = run.get("duplicates") or "sum", given.file_facts
    merged = facts.get("duplicates", 0)
    own = rule_in(facts) or "sum"
    if merged and own != rule:
        many = "1 entry was" if merged == 1 else f"{merged} entries were"
        raise ValueError(
            f"{what}: {many} merged with others of the tensor by {own!r}, and those of the model's "
            f"run by {rule!r}: expected the same; give the table or arrays in place of the tensor, "
            f"or genten.tensor(..., duplicates={rule!r})"
        )
    if rule == "sum" or given.distinct_subscripts == given.nnz:
        return given
    given._checked()
    parts = (given.subscripts, given.values, given.shape)
    found = tensor(parts, labels=given.labels, mode_names=given.mode_names, duplicates=rule)
    found.file_facts = {**given._kept_facts("values", "numbers"), **found.file_facts}
    return found


def require_own_entries(given: Tensor, X: Any, run: Mapping[str, Any], what: str) -> None:
    """Complains of the tensor of arrays, or of another tensor, X, that has other nonzeros, as where
    some of them have the same subscripts.

    Raises
    ------
    ValueError
        With how many there are too many, and what brings them together by the rule of the run.
    """
    of_arrays = not given._is_table and given.source is None
    merged = given.file_facts.get("duplicates", 0) if of_arrays else 0
    merged = X.nnz - given.nnz if isinstance(X, Tensor) else merged
    if more := merged + given.nnz - given.distinct_subscripts:
        rule, way = run.get("duplicates") or "sum", "coalesce() adds up those of an entry"
        if rule != "sum":
            arrays = "(X.subscripts, X.values, X.shape)" if isinstance(X, Tensor) else "X"
            names = ", labels=X.labels, mode_names=X.mode_names" if isinstance(X, Tensor) else ""
            way = (
                f"genten.tensor({arrays}{names}, duplicates={rule!r}) merges those of an entry, as "
                "the model's run did"
            )
        raise ValueError(
            f"{what}: expected one nonzero an entry, got {more} too many of {given.nnz + merged}; "
            f"{way}"
        )


def missing_beside(
    model: Any, missing: Any, own: Tensor, placed: Tensor, base: int | None, but: int | None = None
) -> Tensor | str | None:
    """What is missing of a tensor, as `missing_entries` says it, by the rows of a model, where the
    tensor is `placed`; rows of the mode `but` are others. Entries without names are those of the
    tensor as it was given, `own`, and go wherever that one does.

    Raises
    ------
    TypeError, ValueError, OSError
        As of `missing_entries`.
    """
    if missing is None or isinstance(missing, str) and missing in (UNLISTED, NONE):
        return missing_entries(missing, placed)
    are_names = lacks_names(own, model.labels)  # the numbers of a text, but not those of arrays
    if isinstance(missing, os.PathLike) or isinstance(missing, str) and os.path.exists(missing):
        missing = entries_in(missing, placed if are_names else own, base)
    elif not (isinstance(missing, (*_ENTRIES, *_NO_TENSORS)) or frames.accepts(missing)):
        missing = tensor(missing)
    by_numbers = _goes_by_numbers(missing, own, placed)
    if not by_numbers or are_names:
        found = missing_entries(missing, _as_given(own, placed, by_numbers), base)
    else:
        found = missing_entries(missing, own, base)
        assert isinstance(found, Tensor)  # of what is no word
        found = beside(model, _with_facts_of(own, found), "", but, warns=False)
    return missing_entries(found, placed, base)


def _as_given(own: Tensor, placed: Tensor, by_numbers: bool) -> Tensor:
    """A tensor that is `placed` with its modes, and if entries go by numbers its named rows, as it
    was given; subscripts of others tell nothing."""
    order = order_of_modes(own.mode_names, placed.mode_names)
    if order is None and not (by_numbers and own.labels != placed.labels):
        return placed
    columns, shape, labels = [], [], []
    for mode, there in enumerate(order or range(own.ndim)):
        is_own = by_numbers and own.labels[mode] is not None
        source, at = (own, mode) if is_own else (placed, there)
        columns.append(source.subscripts[:, at])
        shape.append(source.shape[at])
        labels.append(source.labels[at])
    return placed._with_columns(columns, shape, labels, own.mode_names)


_ENTRIES = (list, np.ndarray)
_NO_TENSORS = (type(None), str, tuple, bool, int, float, np.number)


def _goes_by_numbers(missing: Any, own: Tensor, placed: Tensor) -> bool:
    """Whether entries are in rows by their numbers in the tensor as it was given; those of the
    shape that it has where it is `placed` are not, if that is another."""
    if isinstance(missing, Tensor):
        shape = missing.shape
        if missing._is_table or None not in missing.labels:
            return False
    elif isinstance(missing, _ENTRIES):
        mask = as_mask(missing)
        if mask is None:
            return _holds_numbers(missing)
        shape = mask.shape
    else:
        return isinstance(missing, tuple)
    return shape == own.shape or shape != placed.shape


def _holds_numbers(entries: Any) -> bool:
    if isinstance(entries, (list, tuple)) or getattr(entries, "dtype", None) == object:
        return any(map(_holds_numbers, entries))
    return isinstance(entries, (int, np.number)) or getattr(entries, "ndim", 0) > 0 and (
        entries.dtype.kind in "biuf"
    )


def missing_of_run(
    model: Any, missing: Any, own: Tensor, placed: Tensor, run: Mapping[str, Any], what: str
) -> Tensor | str | None:
    """What is missing where a model of that run meets a tensor, by default as in the run: as
    `missing_beside` says it."""
    if missing is None:
        warn_of_list(run, what, data="the tensor")
        missing = UNLISTED if is_unlisted(missing, run) else NONE
    return missing_beside(model, missing, own, placed, run.get("index_base"))


def _with_facts_of(given: Tensor, found: Tensor) -> Tensor:
    """Missing entries of a tensor, whose numbers are names wherever those of the tensor are."""
    names = (given.labels, given.mode_names)
    facts, is_table = given.file_facts, given._is_table
    return Tensor(found._core, *names, None, facts, found._shared, is_table=is_table)
