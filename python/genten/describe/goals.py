# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run sought: by which number it was ended, and by which its starts are compared.

Results are those of `genten.cp` or of the tool's JSON, whose fields have the same names but for
those of runs with missing entries, which stand at the JSON's top.
"""

import math
from dataclasses import dataclass
from typing import Any

from .. import _core
from .protocols import value_of


def solver_of(result: Any) -> str:
    """Which solver made a model; records of earlier versions say it by the loss.

    Examples
    --------
    >>> solver_of({"options": {"loss": "poisson"}}), solver_of({"fit": 0.9})
    ('apr', 'als')
    """
    options = value_of(result, "options", {})
    poisson = str(value_of(options, "loss", "gaussian")) == "poisson"
    return str(value_of(options, "solver", "apr" if poisson else "als"))


def is_of_counts(result: Any) -> bool:
    """Whether the model is one of counts, by alternating Poisson regression."""
    return solver_of(result) == "apr"


def is_generalized(result: Any) -> bool:
    """Whether any loss was minimized, by exact gradients."""
    return solver_of(result) == "gcp"


def is_tucker(result: Any) -> bool:
    """Whether a run made a Tucker model."""
    return value_of(result, "core_norm") is not None


def goes_by_fit(result: Any) -> bool:
    """Whether the fit, of least squares, tells what a run has come to."""
    return not (is_of_counts(result) or is_generalized(result))


def loss_of(result: Any) -> str:
    """The loss with its parameter: 'huber(0.5)'."""
    options = value_of(result, "options", {})
    loss, number = str(value_of(options, "loss", "gaussian")), value_of(options, "loss_parameter")
    return loss_text(loss, number)


def models_means(loss: Any, parameter: float | None = None) -> bool:
    """Whether the values of a model under a loss are expected values themselves, not logarithms of
    odds and the like; so those of a loss of functions."""
    return loss not in _core.losses() or _core.models_means(loss, parameter)


def has_fit(result: Any) -> bool:
    """Whether the fit of a run is that of expected values, as it is where the model's are."""
    options = value_of(result, "options", {})
    loss, number = value_of(options, "loss", "gaussian"), value_of(options, "loss_parameter")
    return models_means(loss, number)


def loss_text(loss: str, number: float | None) -> str:
    """The same of a name and a number.

    Examples
    --------
    >>> loss_text("huber", 0.5), loss_text("gamma", None)
    ('huber(0.5)', 'gamma')
    """
    return loss if number is None else f"{loss}({number:g})"


def completion_of(result: Any) -> Any:
    """What is told of a run with missing entries, by its names in the JSON; None of others."""
    found = value_of(result, "completion")
    if found is None and value_of(result, "rmse") is not None:
        return result
    return found


def is_accelerated(options: Any) -> bool:
    """Whether sweeps had momentum."""
    return str(value_of(options, "acceleration", "none")) != "none"


def misses_unlisted(result: Any) -> bool:
    """Whether all entries that the tensor does not list were missing."""
    missing = value_of(value_of(result, "options", {}), "missing")
    return isinstance(missing, str) and missing == "unlisted"


def takes_zeros(model: Any, result: Any) -> bool:
    """Whether entries that the table of a run does not list counted as zeros in it."""
    of_table = value_of(_tensor_of(result), "format") == "table"
    of_table = of_table or "index_base" in getattr(model, "_run", {})
    missing = value_of(value_of(result, "options", {}), "missing")
    return of_table and missing is None and completion_of(result) is None


def unlisted_zeros(result: Any) -> str:
    """That of a result, as the tool prints it: who has ratings may not expect it.

    Examples
    --------
    >>> unlisted_zeros({"tensor": {"format": "table", "density": 0.5}})
    ', unlisted entries zero'
    """
    lists_all = float(value_of(_tensor_of(result), "density", 0.0)) >= 1.0
    is_told = not lists_all and takes_zeros(value_of(result, "model"), result)
    return ", unlisted entries zero" if is_told else ""


def _tensor_of(result: Any) -> Any:
    return value_of(result, "tensor") or value_of(result, "tensor_facts", {})


def holdout_of(result: Any) -> Any:
    """rmse, mae and entries of what was held out of least squares; None where nothing was."""
    return None if is_generalized(result) else value_of(result, "holdout")


def held_out_loss_of(result: Any) -> tuple[float, float, int] | None:
    """Of generalized models the mean loss over held-out entries, its standard error, and how many
    they are; None where none were."""
    held = value_of(result, "holdout")
    if not is_generalized(result) or held is None:
        return None
    own = value_of(result, "gcp", result)  # JSON has all at its top
    loss, error = (
        float(value_of(own, name, math.nan)) for name in ("holdout_loss", "holdout_loss_error")
    )
    return loss, error, int(value_of(held, "entries", 0))


def returned_iteration(result: Any) -> int | None:
    """The iteration whose model was returned, where held-out entries have chosen it."""
    if holdout_of(result) is None:
        return None
    number: int | None = value_of(completion_of(result), "returned_iteration")
    return number


def has_violation(result: Any) -> bool:
    """Whether the conditions of Karush, Kuhn and Tucker were looked at."""
    return not math.isnan(float(value_of(result, "kkt_violation", math.nan)))


def is_constrained(result: Any) -> bool:
    """Whether least squares had bounds or penalties."""
    if not goes_by_fit(result):
        return False
    return float(value_of(result, "penalty", 0.0)) > 0 or has_violation(result)


@dataclass(frozen=True)
class StopRule:
    """The column of the history that a run follows, its name, and from where it has converged."""

    column: str
    name: str
    tolerance: float | None
    converged: str
    settled: str


def stop_rule(result: Any) -> StopRule:
    """By what a run ends when nothing else ends it.

    Examples
    --------
    >>> stop_rule({"options": {"tolerance": 1e-4}}).name
    'fit'
    >>> stop_rule({"penalty": 2.0}).converged
    'the objective changed by less than the tolerance, as a part of it'
    >>> stop_rule({"options": {"acceleration": "nesterov"}}).converged
    'the fit changed by less than the tolerance in three iterations'
    """
    options = value_of(result, "options", {})
    tolerance = value_of(options, "tolerance")
    during = " in three iterations" * is_accelerated(options)
    if is_of_counts(result):
        return StopRule(
            "kkt_violation",
            "KKT violation",
            tolerance,
            "the KKT violation was below the tolerance",
            "the KKT violation was below the tolerance",
        )
    if is_generalized(result):
        own = value_of(result, "gcp", result)  # JSON has all at its top
        said = "the projected gradient was below the tolerance, as a part of the objective"
        if value_of(own, "zeros") == "sampled":
            said = "new samples of zeros told of no gain any more"
        return StopRule("kkt_violation", "projected gradient", tolerance, said, said)
    if completion_of(result) is not None or is_constrained(result):
        return StopRule(
            "objective",
            "objective",
            tolerance,
            f"the objective changed by less than the tolerance, as a part of it{during}",
            "the objective had settled",
        )
    return StopRule(
        "fit",
        "fit",
        tolerance,
        f"the fit changed by less than the tolerance{during}",
        "the fit had settled",
    )


@dataclass(frozen=True)
class Measure:
    """What the best of several starts has most or least of."""

    field: str
    name: str
    most: bool
    near: float
    """How far from the best one a start may be and still count as equal to it."""


def measure_of(result: Any) -> Measure:
    """By what the starts of a run are compared.

    Examples
    --------
    >>> measure_of({"holdout": {"rmse": 0.5}})
    Measure(field='holdout_rmse', name='held-out RMSE', most=False, near=0.005)
    """
    if (tested := held_out_loss_of(result)) is not None:
        return Measure("holdout_loss", "held-out loss", False, tested[1])
    held = holdout_of(result)
    if held is not None:
        return Measure("holdout_rmse", "held-out RMSE", False, 0.01 * float(value_of(held, "rmse")))
    rule = stop_rule(result)
    if rule.column == "fit":
        tolerance = 1e-4 if rule.tolerance is None else rule.tolerance
        return Measure("fit", "fit", True, 10 * max(tolerance, 1e-6))
    if not goes_by_fit(result):
        near = 1e-4 * abs(float(value_of(result, "objective", 0.0)))
    else:  # By so much a change of the fit by a thousandth would change it.
        norm, residual = (
            float(value_of(result, name, 0.0)) for name in ("tensor_norm", "residual_norm")
        )
        near = 1e-3 * norm * max(residual, 1e-3 * norm)
    return Measure("objective", "objective", False, near)
