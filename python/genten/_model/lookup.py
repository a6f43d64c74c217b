# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values of models at entries that callers name, with what is to be known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._names.lookup import (
    Rows,
    called,
    nothing_known,
    row_at,
    subscripts_of,
    warn_of_zero_rows,
)
from ..convert import frames


def _values_of(
    model: Any, entries: npt.NDArray[Any], what: str, base: int = 0
) -> npt.NDArray[np.float64]:
    """Values at entries, with a warning of those in rows that are zero."""
    values: npt.NDArray[np.float64] = model._values_at(entries)
    if (zero := values == 0).any():
        warn_of_zero_rows(model, entries[zero], base, what)
    return values


def value_at(model: Any, keys: tuple[Any, ...]) -> float:
    """The value at one entry, of which each key is the number of a row or its label."""
    rows = [
        row_at(key, model.shape[mode], model.labels[mode], called(mode, model.mode_names))
        for mode, key in enumerate(keys)
    ]
    return float(_values_of(model, np.array([rows]), "model")[0])


def predicted(model: Any, subscripts: Any) -> npt.NDArray[np.float64]:
    """The values of a model of either kind at entries, as `Model.predict` takes them."""
    base = model._run.get("index_base")
    known = Rows(model.shape, model.labels, model.mode_names, base, nothing_known(model))
    entries = subscripts_of(subscripts, known)
    if entries.size == 0 and entries.ndim < 2:
        return np.empty(0)
    of_table = frames.accepts(subscripts)
    return _values_of(model, entries, "predict", (base or 0) if of_table else 0)
