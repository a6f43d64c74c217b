# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Cells that are missing, as `cp` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._input import tensor
from ._names.lookup import subscripts_of
from ._options import nearest
from .convert import frames
from .convert.parts import warn
from .tensors import Tensor, relabelled

UNLISTED = "unlisted"
"""All cells that the tensor does not list."""


def missing_cells(missing: Any, given: Tensor) -> Tensor | None:
    """The cells that are listed as missing, by subscripts, labels or a mask of the tensor's shape;
    None where all unlisted ones are. A tensor of them has its rows by labels, where it and the one
    that is given have labels.

    Raises
    ------
    TypeError
        For what is neither a list of cells nor a tensor.
    ValueError
        For another word, and for cells that the tensor does not have.
    """
    if isinstance(missing, str):
        if missing == UNLISTED:
            return None
        raise ValueError(
            f"missing: expected {UNLISTED!r}, cells or a tensor, got {missing!r}"
            f"{nearest(missing, [UNLISTED]) or '; genten.read reads a file'}"
        )
    cells = missing
    if isinstance(missing, (np.ndarray, list)) or frames.accepts(missing):
        subscripts = _subscripts(missing, given)
        if subscripts.ndim != 2 or subscripts.shape[1] != given.ndim:
            raise ValueError(
                f"missing: expected a row of {given.ndim} subscripts for each cell, got an array "
                f"of shape {subscripts.shape}"
            )
        cells = (subscripts, np.ones(len(subscripts)), given.shape)
    listed = relabelled(tensor(cells), given.labels, given.mode_names, what="missing", warns=False)
    if listed.shape != given.shape:
        raise ValueError(f"missing: expected cells of {given.shape}, got those of {listed.shape}")
    return listed._checked()


def missing_in_evaluation(missing: Any, given: Tensor, run: Mapping[str, Any]) -> Any:
    """What does not count where a model of that run is evaluated: 'unlisted', the cells, or None
    where all count."""
    if missing is None:
        missing = run.get("missing", "none")
        if missing == "listed":
            warn(
                "evaluate: the model was made without cells that a list named as missing; here all "
                "count, unless missing= says which do not (missing='none': that all do)"
            )
            return None
    if isinstance(missing, str) and missing == "none":
        return None
    cells = missing_cells(missing, given)
    if cells is None:
        return UNLISTED
    # Of a table their numbers are names wherever those of the tensor are.
    names = (given.labels, given.mode_names)
    facts, is_table = given.file_facts, given._is_table
    return Tensor(cells._core, *names, None, facts, cells._shared, is_table=is_table)


def warn_of_merged(given: Tensor) -> int:
    """Warns where entries of one cell are added up: of what is measured, as ratings, a sum is
    seldom meant. Returns how many are added to others."""
    merged: int = given.file_facts.get("duplicates", 0)
    if given.file_facts.get("merged_by", "sum") != "sum":
        return 0
    if given._is_counted:
        merged += given.nnz - given._checked().distinct_cells
    if merged:
        lie = "entry lies" if merged == 1 else "entries lie"
        warn(
            f"missing: {merged} {lie} in one cell with others, and sums are taken for values; "
            "genten.tensor(..., duplicates='mean'), 'last' or 'max' takes one value a cell"
        )
    return merged


def _subscripts(missing: Any, given: Tensor) -> Any:
    if not frames.accepts(missing) and getattr(missing, "ndim", 1) > 0:
        if len(missing) == 0:
            return np.empty((0, given.ndim), dtype=np.int64)
        mask = _mask(missing)
        if mask is not None:
            if mask.shape != given.shape:
                raise ValueError(
                    f"missing: expected a mask of shape {given.shape}, got one of shape "
                    f"{mask.shape}"
                )
            return np.argwhere(mask)
        numbers = np.asarray(missing)
        if numbers.shape == given.shape and np.isin(numbers, (0, 1)).all():
            raise ValueError(
                f"missing: an array of 0 and 1 of the shape {given.shape} may be a mask or "
                "subscripts: expected a mask of True and False, as by .astype(bool)"
            )
    return subscripts_of(missing, given.labels, given.mode_names, "missing")


def _mask(missing: Any) -> Any:
    """An array or nested lists of truth values, as an array; None for anything else."""
    innermost = missing
    while isinstance(innermost, list) and innermost:
        innermost = innermost[0]
    is_mask = isinstance(innermost, (bool, np.bool_)) or getattr(innermost, "dtype", None) == bool
    return np.asarray(missing) if is_mask else None
