# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What an update tells of slices that have arrived."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Batch:
    """What became of a batch of slices.

    Attributes
    ----------
    slices, nonzeros : int
    empty : int
        Slices without nonzeros.
    new_rows : list of int
        By mode; of the streaming mode its slices.
    tensor_norm, residual_norm : float
        Of the batch, and of what the model leaves of it.
    fit : float
        1 - residual_norm / tensor_norm.
    fit_of_new_rows : float
        The same over the listed entries in new rows of the other modes; NaN where there are none. A
        warning tells where it is below 0.5, and below half of the next.
    fit_of_other_rows : float
        The same over the others; NaN where there are no new rows.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns").to_dense()
    >>> stream = genten.Stream(genten.cp(X[:, :, :4], 1).model, mode=2)
    >>> batch = stream.update(X[:, :, 4:])
    >>> batch.slices, batch.new_rows, 0 < batch.fit < 1
    (2, [0, 0, 2], True)
    """

    slices: int
    nonzeros: int
    empty: int
    new_rows: list[int]
    tensor_norm: float
    residual_norm: float
    fit: float
    fit_of_new_rows: float
    fit_of_other_rows: float
