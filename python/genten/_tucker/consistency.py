# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Core consistency of CP models."""

from __future__ import annotations

import math
from typing import Any

from .. import _core
from .._missing import filled, has_mask
from .._options import knowing_keywords
from .._tensor_for import tensor_for
from ..describe.another import refuse_another
from ..convert.parts import warn
from ..model import Model
from ..tensors import beside


@knowing_keywords
def core_consistency(
    X: Any, model: Any, *, norms: str = "first_mode", memory_available: float = 0.0
) -> float:
    """How far a CP model is from needing interactions between its components.

    Of all Tucker cores for the model's factors one fits the tensor best. Of a CP model without
    interactions it is the superdiagonal of ones, and the core consistency is 100; low and negative
    numbers say that it has more components than the data have patterns, or that noise is strong:
    models of the true rank often score low, too.

    Parameters
    ----------
    X : Tensor, or what `genten.tensor` takes
        The tensor that the model was made for; beside a Result another one is refused. Modes and
        rows go by their names as those of `Model.evaluate` do. All entries count: missing ones are
        commonly filled with the model's values, ``numpy.where(missing, m.to_dense(), X)``.
    model : Model, a Result for its model, or a model of pyttb or TensorLy
    norms : {'first_mode', 'as_given'}
        How norms are shared among modes, on which the number depends: columns of all modes but the
        first have norm one, and the first has the rest; or factors as they are, with the weights
        in the first mode.
    memory_available : float
        Bytes that it may take: the core has R^N numbers; 0: as many as are free.

    Returns
    -------
    float
        At most 100; NaN where it is not defined, since the rank exceeds the length of a mode.

    Raises
    ------
    TypeError
        For what has no model.
    ValueError
        For another shape, for NaN and masked elements, and for another tensor than that of a
        Result, which its norm and the fit tell.
    MemoryError
        For a core that does not fit.

    Notes
    -----
    Bro and Kiers, Journal of Chemometrics 17 (2003), 274.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> [round(genten.core_consistency(X, genten.cp(X, R, tolerance=1e-9)), 1) for R in (1, 2, 3)]
    [100.0, 100.0, nan]
    """
    found = Model._of(getattr(model, "model", model))
    if found is None:
        raise TypeError(
            "core_consistency: expected a Model or a Result behind the tensor, as in "
            f"genten.core_consistency(X, model), got a {type(model).__name__}"
        )
    if norms not in ("first_mode", "as_given"):
        raise ValueError(f"norms: expected 'first_mode' or 'as_given', got {norms!r}")
    call = "r.model.to_dense()" if hasattr(model, "model") else "m.to_dense()"
    if (unknown := filled(X)[1]) is not None:
        mask = "numpy.ma.getmaskarray(X)" if has_mask(X) else "numpy.isnan(X)"
        raise ValueError(
            f"core_consistency: X: {unknown.sum()} of {unknown.size} elements are NaN or masked, "
            f"and all count here: give numpy.where({mask}, {call}, X), which has the model's "
            "values in their place, as is common"
        )
    given = beside(found, tensor_for(found, X, "core_consistency"), "core_consistency")
    refuse_another(given, found, model, "core_consistency: X")
    is_part = "missing" in found._run
    if is_part and (zeros := math.prod(given.shape) - given.distinct_subscripts):
        warn(
            f"core_consistency: X: {zeros} entries are zero and count, and the model was made "
            f"without missing entries: where these are missing, numpy.where(missing, {call}, X) "
            "has the model's values in their place, as is common"
        )
    _, value, _ = _core.core_consistency(
        given._core, *found._rows(given.dtype), norms == "as_given", float(memory_available)
    )
    return value
