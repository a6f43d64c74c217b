# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of single entries: where the model is furthest from the data."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _core
from ..convert.duplicates import order_of_subscripts
from ..describe import first_row, mode_name, row_name, value_of
from ..describe.goals import loss_text
from ..describe.protocols import Array
from ..tensors import Tensor
from .charts import Chart, Line, line_chart, number

MOST_ENTRIES = 100_000
"""Of a tensor whose zeros are looked at, too."""
ROUNDING = 1e-7
"""Below this residuals show rounding and not the data."""


@dataclass
class Residuals:
    """The entries with the largest deviance residuals."""

    modes: list[str] = field(default_factory=list)
    rows: list[tuple[list[str], str, str, str]] = field(default_factory=list)
    """Names of the rows, the value, what was to be expected, and the residual."""
    about: str = ""
    chart: Chart | None = None
    """Those of all entries that are looked at, in ascending order."""


def residuals_of(
    model: Any, result: Any, tensor: Any, k: int, missing: Any, partial: Sequence[int] = ()
) -> Residuals:
    """The k entries of the tensor at which the loss of a run is furthest above the least that it
    can be, but for `missing` ones, 'unlisted' or a tensor of them, and those in rows that the
    tensor lacks in `partial` modes; none where the tensor is not known, the loss has no deviance,
    or the model is exact."""
    options = value_of(result, "options", {})
    if "loss" not in options:  # nothing is known of the run but what stands beside the model
        loss = value_of(model, "loss") or "gaussian"
        options = {"loss": loss, "loss_parameter": value_of(model, "loss_parameter")}
    loss, parameter = str(options["loss"]), options.get("loss_parameter")
    known = hasattr(model, "_values_at") and isinstance(tensor, Tensor)
    if not known or loss not in _core.losses():
        return Residuals()
    subscripts, x = _entries(tensor, missing)
    for mode in partial if tensor.nnz else ():
        counts = np.isin(subscripts[:, mode], tensor.subscripts[:, mode])
        subscripts, x = subscripts[counts], x[counts]
    if len(x) == 0:
        return Residuals()
    m = model._values_at(subscripts)
    expected, deviances = _core.loss_deviances(loss, parameter, x, m)
    if not np.isfinite(deviances).all():
        return Residuals()
    signed = np.sign(x - expected) * np.sqrt(deviances)
    if np.abs(signed).max() < ROUNDING:
        return Residuals()
    places = np.argsort(-np.abs(signed), kind="stable")[:k]
    first = first_row(model)
    rows = [
        (
            [row_name(model, n, int(row), first) for n, row in enumerate(subscripts[place])],
            number(float(x[place])),
            number(float(expected[place])),
            number(float(signed[place]), 3),
        )
        for place in places
    ]
    zeros = bool((x == 0).any())
    about = (
        f"Of {len(x):,} {'entries, zeros among them,' if zeros else 'listed entries'} those at "
        f"which the loss, {loss_text(loss, parameter)}, is furthest above the least that it can "
        "be. The deviance residual is the root of that (for likelihoods, of twice that), negative "
        "where the model expects more. Where values are counts, or 0 and 1, few are beyond 3 in "
        "size under a good model."
    )
    modes = [mode_name(model, mode, 1) for mode in range(model.ndim)]
    return Residuals(modes, rows, about, _chart_of(signed))


def _chart_of(signed: Array) -> Chart | None:
    ascending = np.sort(signed)
    share = 100.0 * np.arange(1, len(signed) + 1) / len(signed)
    return line_chart(
        [Line(share, ascending)],
        title="Deviance residuals",
        description=f"Deviance residuals of {len(signed):,} entries in ascending order, from "
        f"{number(float(ascending[0]), 3)} to {number(float(ascending[-1]), 3)}.",
        x_label="entries, % from the lowest residual",
        y_label="deviance residual",
    )


def _entries(tensor: Tensor, missing: Tensor | str | None) -> tuple[Any, Array]:
    """Subscripts and values of the entries that are looked at."""
    distinct = tensor if tensor.distinct_subscripts == tensor.nnz else tensor.coalesce()
    entries = math.prod(tensor.shape)
    if not isinstance(missing, str) and entries <= MOST_ENTRIES:
        subscripts = np.stack(np.unravel_index(np.arange(entries), tensor.shape), 1)
        values = np.asarray(distinct.to_dense(), dtype=np.float64).ravel()
    else:
        subscripts = np.asarray(distinct.subscripts)
        values = np.asarray(distinct.values, dtype=np.float64)
    if isinstance(missing, Tensor):
        both = np.concatenate([subscripts, missing.subscripts]).astype(np.uint64)
        order, new = order_of_subscripts(list(both.T), tensor.shape)
        numbers = np.empty(len(order), dtype=np.int64)
        numbers[order] = np.cumsum(new)
        kept = ~np.isin(numbers[: len(values)], numbers[len(values) :])
        subscripts, values = subscripts[kept], values[kept]
    return subscripts, values
