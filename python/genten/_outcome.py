# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Results from the dictionaries that the extension returns."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np

from . import _core
from ._history import history_of
from ._model.run_record import origin_in, own_loss_in, run_of
from ._run.diagnostics import stop_reason, stopped_early, warnings_beside_notes
from ._run.holdout import Holdout
from ._run.trust import trust_of
from .describe.goals import models_means
from .model import Model
from .result import Note, Result, Start
from .tensors import Tensor

_OF_OTHER_SOLVERS = {
    "residual_route": "identity",
    "momentum_restarts": 0,
    "update_order": None,
    "mttkrp_gflops": math.nan,
    "mttkrp_gbytes": math.nan,
    "deviance": None,
    "inner_iterations": None,
}
"""Figures that some solvers alone have, where they have none."""
_OF_GCP = (
    "method", "zeros", "entries", "ridge", "projected_gradient", "scale_equation", "objectives",
    "gradients", "failed_epochs", "objective_error", "objective_errors", "empty_rows",
    "holdout_loss", "holdout_loss_error", "holdout_losses", "returned_iteration",
)  # fmt: skip
_OF_COMPLETION = (
    "entries", "rmse", "returned_iteration", "ridge", "empty_rows", "weight_ratio",
)  # fmt: skip


def result_of(raw: dict[str, Any], X: Tensor, facts: dict[str, Any]) -> Result:
    """The result from the dictionary that the extension returns, the tensor as it was computed
    with, and the facts of the one that was given."""
    is_certain = raw["residual_error"] <= 0.01 * raw["residual_norm"]
    if not models_means(raw["options"].get("loss"), raw["options"].get("loss_parameter")):
        raw = _without_fits(raw)
    interrupted, own = raw["interrupted"], raw["own"]
    asked = {"ridge_by_default": raw["ridge_by_default"]}
    run = run_of({**raw["options"], **asked}, origin_in(X))
    if own_loss_in(run) and raw.get("lower_of_loss") == 0.0:  # which a named loss says by itself
        run["nonnegative"] = True

    def named(arrays: Any) -> Model:
        weights, factors = arrays
        return Model(weights, factors, X.labels, X.mode_names)._of_run(run)

    model = None if raw["model"] is None else named(raw["model"])

    def model_of(number: int, start: dict[str, Any]) -> Model | None:
        if number == raw["best_start"]:
            return model
        return None if start["model"] is None else named(start["model"])

    starts = [
        Start(
            **{
                **_fields_of(Start, start),
                "stop_reason": stop_reason(start["stop_reason"], interrupted),
                "history": history_of(start["history"]),
                "model": model_of(number, start),
            }
        )
        for number, start in enumerate(raw["starts"])
    ]
    notes = [_with_place(Note(*each), raw["best_start"]) for each in raw["notes"]]
    holdout = own.get("holdout")
    completion = {name: own[name] for name in _OF_COMPLETION} if "rmse" in own else None
    more: dict[str, Any] = {
        "model": model,
        "kernel_description": own.get("kernel_description", raw["kernel"]),
        "residual_is_certain": is_certain,
        "gcp": {name: own[name] for name in _OF_GCP} if "zeros" in own else None,
        "completion": completion,
        "holdout": None if holdout is None else Holdout(**holdout),
        "stop_reason": stop_reason(raw["stop_reason"], interrupted),
        "history": history_of(raw["history"]),
        "starts": starts,
        "options": {**raw["options"], "dtype": str(X.dtype)},
        "warnings": [note.text for note in notes] + warnings_beside_notes(raw, X),
        "notes": notes,
        "stopped_early": stopped_early(raw),
        "tensor_facts": facts,
        **trust_of(raw, () if model is None else model.shape),
    }
    found = {**_OF_OTHER_SOLVERS, **_fields_of(Result, own), **_fields_of(Result, raw)}
    return Result(**{**found, **more})


def _without_fits(raw: dict[str, Any]) -> dict[str, Any]:
    """The same of a model whose values are no means, of which X - M says nothing; so has JSON."""
    found = {**raw, "residual_norm": math.nan}
    found["starts"] = [_without_fit(start) for start in raw["starts"]]
    return _without_fit(found)


def _without_fit(part: dict[str, Any]) -> dict[str, Any]:
    names = ("fit", "fit_change", "residual_norm")
    history = dict(part["history"])
    nothing = {n: np.full(len(history[n]), math.nan) for n in names if n in history}
    return {**part, "fit": math.nan, "history": history | nothing}


def _with_place(note: Note, best: int) -> Note:
    """The note; one on starts says where the result r has them, or what draws them."""
    added = {
        "stopped_in_start": f" Start {best + 1} is starts[{best}] of the result.",
        "starts_disagree": " genten.plot_starts(r) draws what each of them has reached.",
    }.get(note.code)
    return note if added is None else replace(note, text=note.text + added)


def _fields_of(kind: Any, raw: dict[str, Any]) -> dict[str, Any]:
    """What the extension calls as a class of ours does."""
    return {each.name: raw[each.name] for each in fields(kind) if each.name in raw}
