# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What stands at the top of a report: a sentence or two, the main figures, what was found."""

from typing import Any

import numpy as np

from .._model.evaluation import Evaluation
from ..describe import (
    Finding,
    ModelLike,
    TensorLike,
    first_row,
    model_findings,
    result_findings,
    trust_findings,
    value_of,
)
from ..describe.another import record_of
from ..describe.model import labels_of
from ..describe.goals import (
    completion_of,
    goes_by_fit,
    has_fit,
    held_out_loss_of,
    holdout_of,
    is_generalized,
    is_of_counts,
    loss_of,
    misses_unlisted,
    stop_rule,
)
from .charts import number
from .method import count_of, held_out_sentence
from .ranks import findings_of_ranks
from .run import nonzeros_of


def lead_of(
    model: ModelLike, result: Any, fit: float | None, errors: Evaluation | None = None
) -> str:
    """What a CP model is, and how well it goes with the data."""
    ways, rank = len(model.factors), len(model.weights)
    record = completion_of(result)
    holes = "" if record is None else " with missing entries"
    text = f"A table of numbers in {count_of(ways, 'way')}{holes} is written as the sum of "
    text += f"{count_of(rank, 'simple pattern')}."
    if is_of_counts(result):
        return text + _lead_of_counts(result, fit)
    if is_generalized(result):
        return text + _lead_of_loss(result, fit)
    if result is None and errors is not None:
        return text + _lead_of_errors(errors, fit)
    data = "data" if record is None else "entries that count"
    text += _accounted_for(data, fit)
    held = held_out_sentence(result)
    return f"{text} {held}" if held else text


def numbered(model: Any, parts: str) -> str:
    """From what numbers count in a report: those of its `parts`, and of modes and rows without
    names, where there are any."""
    modes = range(len(model.factors))
    names = getattr(model, "mode_names", None)
    unnamed = ["modes"] * (not names or not all(names))
    rows = any(labels_of(model, mode) is None for mode in modes)
    unnamed += ["rows"] * rows
    counted = [parts.capitalize(), *unnamed]
    what = parts.capitalize()
    if unnamed:
        what = f"{', '.join(counted[:-1])} and {counted[-1]} without names"
    text = f"{what} count from 1 here, as in files and on the command line"
    if rows and first_row(model) == 0:
        text += ", but rows without names that are numbers of a table, which are these numbers"
    return text


def lead_of_tucker(model: Any, ranks: str, fit: float | None) -> str:
    """What a Tucker model is, and how well it goes with the data."""
    text = f"A table of numbers in {count_of(len(model.factors), 'way')} is written as a core of "
    text += f"{ranks} numbers, and columns that say what its places stand for in each way."
    return text + _accounted_for("data", fit)


def _accounted_for(data: str, fit: float | None) -> str:
    if fit is None or not np.isfinite(fit) or fit < 0:
        return ""
    return (
        f" The model accounts for {1 - (1 - fit) ** 2:.1%} of the sum of squares of the {data}:"
        f" its fit is {number(fit)}, where 1 is exact and 0 is no better than nothing."
    )


def _lead_of_counts(result: Any, fit: float | None) -> str:
    deviance = value_of(result, "deviance")
    text = " The patterns were sought under which these counts are most likely"
    if deviance is not None:
        text += f": the deviance from the data is {number(float(deviance), 6)}, where 0 is exact"
    text += "."
    if fit is not None and np.isfinite(fit):
        text += f" By least squares, which were not sought, the fit is {number(fit)}."
    return text


def _lead_of_loss(result: Any, fit: float | None) -> str:
    objective = number(float(value_of(result, "objective", np.nan)), 6)
    text = f" The patterns were sought under which the loss, {loss_of(result)}, is least: the "
    text += f"objective is {objective}."
    held = held_out_loss_of(result)
    if held is not None:
        loss, error, entries = held
        text += (
            f" Over {count_of(entries, 'entry')} that it was not fitted to, the mean loss is"
            f" {number(loss)}, with a standard error of {number(error)}."
        )
    return text + _fit_besides(fit, has_fit(result))


def _lead_of_errors(errors: Evaluation, fit: float | None) -> str:
    text = " The patterns were sought under which the loss,"
    text += f" {errors.loss}, is least: over all entries its mean is {number(errors.all.mean_loss)}"
    text += "." if np.isnan(errors.listed.auc) else f", and the AUC {number(errors.listed.auc)}."
    return text + _fit_besides(fit, False)


def _fit_besides(fit: float | None, of_model: bool) -> str:
    if fit is None or not np.isfinite(fit):
        return ""
    of = "" if of_model else " of the expected values"
    return f" By least squares, which were not sought, the fit{of} is {number(fit)}."


def figures_of_loss(errors: Evaluation | None) -> list[tuple[str, str]]:
    """Those of a model whose loss is another one than least squares."""
    if errors is None:
        return []
    figures = [("Mean loss", number(errors.all.mean_loss)), ("AUC", number(errors.listed.auc))]
    return figures if np.isfinite(errors.listed.auc) else figures[:1]


def figures_of(
    own: list[tuple[str, str]], result: Any, tensor: TensorLike | None, fit: float | None
) -> list[tuple[str, str]]:
    """Those of the kind of model among those of all kinds."""
    figures = [*own]
    if fit is not None:
        figures.insert(0, ("Fit", number(fit)))
    held, deviance = holdout_of(result), value_of(result, "deviance")
    if held is not None:
        figures.insert(1, ("Held-out RMSE", number(float(value_of(held, "rmse", np.nan)))))
    if deviance is not None:
        figures.insert(0, ("Deviance", number(float(deviance))))
    nnz, distinct = nonzeros_of(tensor, record_of(result))
    if nnz is not None:
        whole = "Known entries" if misses_unlisted(result) else "Nonzeros"
        figures.append((whole if distinct == nnz else "Stored entries", f"{nnz:,}"))
    if result is not None:
        figures.append(("Iterations", f"{result.iterations:,}"))
        starts = len(value_of(result, "starts", ()))
        if starts > 1:
            figures.append(("Starts", f"{starts:,}"))
    return figures


def findings_of(
    model: ModelLike, result: Any, fit: float | None, ranks: Any, chosen: Any, believed: Any
) -> list[Finding]:
    """Those of the run, or of the choice of the rank that has `chosen` the model, and where these
    have no notes, or there are none, those of the model; those of what is `believed` of components;
    and what a choice doubts."""
    source = chosen if result is None else result
    found = [] if source is None else result_findings(source)
    if value_of(source, "notes") is None:
        # Weights are no norms where columns add up to 1, and where entries are missing the whole
        # tensor is larger than what is known of it.
        compares = goes_by_fit(result) and completion_of(result) is None
        norm = value_of(result, "tensor_norm") if compares else None
        # Under other losses the fit is another question.
        sought = goes_by_fit(result) and value_of(model, "loss") in (None, "gaussian")
        found += model_findings(model, norm, fit if sought else None)
    found += trust_findings(believed, found)
    return found if ranks is None else found + findings_of_ranks(ranks, len(model.weights))


def looked_at(result: Any, is_tucker: bool, ranks: Any) -> str:
    """What was looked at, of the result or of the choice that has made the model."""
    looked = ["components that are nearly the same, that cancel each other, or without weight"]
    if is_tucker:
        looked = ["whether columns are orthonormal"]
    if value_of(result, "notes") is not None:
        ways = ["how the run ended"]
        ways += ["its tolerance"] * (stop_rule(result).column == "fit")
        ways += ["rounding"] + ["redundant equations"] * (goes_by_fit(result) and not is_tucker)
        ways += ["whether leading vectors were found to full accuracy"] * is_tucker
        if len(value_of(result, "starts", ())) > 1:
            ways.append("agreement of the starts")
        if value_of(result, "stability"):
            ways.append("how often components are found again")
        if value_of(result, "standard_errors") or value_of(result, "bootstrap"):
            ways.append("whether intervals of weights hold zero")
        looked = [*ways, *looked]
    if ranks is not None:
        looked.append("the choice of how many components there are, and its starts")
    return ", ".join(looked)


def not_looked_at(result: Any, tells_fit: bool) -> str:
    """What a report without the run, or without its notes, cannot look at, and what would tell;
    `tells_fit` says that it has the fit, or why there is none."""
    if value_of(result, "notes") is not None:
        return ""
    unknown = ["whether the run converged", "whether other starts end in the same components"]
    unknown += ["how well the model fits the data"] * (not tells_fit)
    told = (
        "a report of the result, r.report(...), or of what the tool's --json wrote, given as --json"
    )
    if not tells_fit:
        told += ", and the fit by the tensor, given as --tensor"
    return f"Nothing here tells of the run: {', '.join(unknown)}. That is told by {told}."
