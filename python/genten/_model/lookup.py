# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values of models at entries, with what is to be known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._names.lookup import called, row_at, warn_of_zero_rows


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
    rows = [
        row_at(key, model.shape[mode], model.labels[mode], called(mode, model.mode_names))
        for mode, key in enumerate(keys)
    ]
    return float(values_of(model, np.array([rows]), "model")[0])
