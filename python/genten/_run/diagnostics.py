# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is to be known of a run before its model is believed, in plain sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _core
from .._options import CP_APR
from ..convert.parts import AnyArray, warn
from ..tensors import Tensor
from .bounds import bounds_of, values_within
from .missing import UNLISTED


def _is_constrained(options: Mapping[str, Any], order: int) -> bool:
    """Whether rows have bounds or penalties, or modes are fixed."""
    bounded = any(each != (-math.inf, math.inf) for each in bounds_of(options, order))
    penalized = any(np.any(options.get(name, 0)) for name in ("ridge", "l1"))
    return bounded or penalized or len(options.get("fixed_modes", ())) != 0


def warn_of_default_rank(rank: int, shape: Sequence[int], options: Mapping[str, Any]) -> None:
    """Warns of a rank that nobody has asked for where it is too large for so small a tensor."""
    if why := _core.why_too_large(rank, shape, False, _is_constrained(options, len(shape))):
        warn(
            f"no rank was given, and the default, {rank}, is {why}: give a smaller one, as "
            f"genten.cp(X, {_core.small_rank(shape)})"
        )


def stop_reason(word: str, interrupted: bool) -> str:
    """The word for what ended a start."""
    if word != "observer":
        return word
    return "interrupted" if interrupted else "callback"


def stopped_early(raw: dict[str, Any]) -> str | None:
    """What ended the run before its starts were through: it did so in the last one that began."""
    last = stop_reason(raw["starts"][-1]["stop_reason"], raw["interrupted"])
    return last if last in ("interrupted", "callback", "time_limit") else None


def _numbered(starts: Sequence[int]) -> str:
    """Starts by their numbers, from 1: 'start 2', 'starts 2 to 4', 'starts 1, 3 and 4'."""
    first, last = starts[0], starts[-1]
    if len(starts) == 1:
        return f"start {first}"
    if len(starts) == last - first + 1 > 2:
        return f"starts {first} to {last}"
    return f"starts {', '.join(map(str, starts[:-1]))} and {last}"


def _of_starts(raw: dict[str, Any]) -> str:
    """Which of several starts were not finished when the run was stopped."""
    begun, wanted, best = len(raw["starts"]), raw["options"]["starts"], raw["best_start"] + 1
    unfinished = [
        number
        for number, start in enumerate(raw["starts"], 1)
        if start["stop_reason"] in ("observer", "time_limit")
    ]
    far = ", as far as it came" if best in unfinished else ""
    text = f"The run was stopped in start {begun} of {wanted}: the model is that of start {best}"
    rest = f"{_numbered(unfinished)} did not finish".capitalize()
    if begun < wanted:
        later = range(begun + 1, wanted + 1)
        rest += f", and {_numbered(later)} {'was' if len(later) == 1 else 'were'} not begun"
    return f"{text}{far}. {rest}."


def _of_resumed_starts(raw: dict[str, Any]) -> list[str]:
    """What becomes of starts that the run before has ended, as the tool says it."""
    if "resume" not in raw["options"]:
        return []
    limit, found = raw["options"]["max_iterations"], []
    before = [start for start in raw["starts"] if not len(start["history"]["iteration"])]
    if before:
        found.append("Starts that ended before the checkpoint have no history here.")
    by_limit = [start for start in before if start["stop_reason"] == "iteration_limit"]
    count = sum(start["iterations"] < limit for start in by_limit)
    if not count:
        return found
    stay = "start stays as it was" if count == 1 else "starts stay as they were"
    return [
        *found,
        f"{count} {stay} when a lower iteration limit ended {'it' if count == 1 else 'them'}: a "
        "resumed run goes on with the start in hand and those that follow."
    ]


def _of_stop(raw: dict[str, Any]) -> list[str]:
    stopped = stopped_early(raw)
    if stopped is not None and raw["options"]["starts"] > 1:
        return [_of_starts(raw)]
    if stopped == "interrupted":
        return ["The run was interrupted: the model is that of the last finished iteration."]
    found = _of_limits(raw)
    if raw["interrupted"]:
        found.append("Ctrl-C came after the last iteration: the run had ended by itself.")
    return found


def _of_limits(raw: dict[str, Any]) -> list[str]:
    """That a limit came first, of a run that was to converge."""
    options, tolerance = raw["options"], raw["options"]["tolerance"]
    if tolerance <= 0:
        return []
    most = options["max_iterations"]
    if raw["stop_reason"] == "iteration_limit" and 0 < most <= raw["iterations"]:
        return [
            f"The iteration limit, {most}, was reached before the run converged to the tolerance, "
            f"{tolerance:g}."
        ]
    if raw["stop_reason"] == "time_limit":
        return [
            f"The time limit, {options['time_limit']:g} s, was reached before the run converged to "
            f"the tolerance, {tolerance:g}."
        ]
    return []


def _of_missing(raw: dict[str, Any]) -> list[str]:
    """That cells were too few for a row, or for the model."""
    found: list[str] = []
    completion = raw["completion"]
    if raw["fit"] < 0:
        found.append(
            f"The fit, {raw['fit']:.4g}, is below 0: a model of zeros would be closer to the known "
            "cells."
        )
    if count := completion["degenerate_components"]:
        found.append(
            f"{count} of the components {'is' if count == 1 else 'are'} more than ten times as "
            "large as the data: they cancel each other at the known cells and mean nothing at "
            "the missing ones; a larger ridge helps."
        )
    if count := completion["empty_rows"]:
        of_what = "cell" if raw["options"]["missing"] == UNLISTED else "nonzero"
        found.append(
            f"{count} row{' is' if count == 1 else 's are'} zero, of which no {of_what} counts."
        )
    return found


def _of_use(raw: dict[str, Any], X: Tensor) -> list[str]:
    """That the model is of no use: worse than none, or kept from all values by its bounds."""
    found: list[str] = []
    if raw["options"]["loss"] != "gaussian":  # The likelihood of counts is another question.
        unused = [
            name
            for name in ("kernel", "memory_limit", "kappa", "kappa_tolerance")
            if raw["options"][name] != CP_APR.options[name].default
        ]
        if raw["kernel"] == "row systems" and unused:
            found.append(
                f"{', '.join(unused)}: of no use to Newton's steps; steps='multiplicative' takes "
                "others."
            )
        return found
    if "completion" in raw:
        return _of_missing(raw)
    if raw["fit"] < 0:
        found.append(
            f"The fit, {raw['fit']:.4g}, is below 0: a model of zeros would be closer to the "
            "tensor."
        )
    bounds = bounds_of(raw["options"], X.ndim)
    least, most = values_within(bounds, raw["options"]["rank"])

    def excluded(values: AnyArray) -> bool:
        return len(values) > 0 and bool(least > values.max() or most < values.min())

    # Of nonzeros in one cell the sum counts.
    if excluded(X.values) and excluded(values := X.coalesce().values):
        found.append(
            f"The bounds keep every value of the model between {least:g} and {most:g}, and those "
            f"of the tensor's nonzeros lie between {values.min():g} and {values.max():g}."
        )
    return found


def _bytes(number: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.3g} {unit}"
        number /= 1024
    return f"{number:.3g} TiB"


def warnings_of(raw: dict[str, Any], X: Tensor) -> list[str]:
    """What the tool prints as notes, and what concerns Python alone, of a run with that tensor."""
    found = _of_use(raw, X)
    if not raw["residual_is_certain"]:
        found.append(f"Rounding hides residuals of up to {raw['residual_error']:.2g}.")
    if raw["tolerance_above_fit"]:
        found.append(
            f"The tolerance, {raw['options']['tolerance']:g}, is above the fit itself: a smaller "
            "one may find more."
        )
    if raw["zero_components"]:
        count = raw["zero_components"]
        found.append(f"{count} component{'s are' if count > 1 else ' is'} zero.")
    if raw["rank_deficient_solves"]:
        count = raw["rank_deficient_solves"]
        found.append(f"{count} solve{'s' if count > 1 else ''} with a rank-deficient matrix.")
    if raw["stop_reason"] == "non_finite":
        found.append(
            f"Iteration {raw['iterations'] + 1} left the range of finite numbers and was undone."
        )
    reasons = [
        f"{name} needs {_bytes(memory)}" if why == "memory" else f"{name} does not take this tensor"
        for name, why, memory in raw["refused_kernels"]
    ]
    if reasons:
        found.append(
            f"Kernel {raw['kernel']} where others would be faster: {', '.join(reasons)}; allowed "
            f"are {_bytes(raw['kernel_allowed_bytes'])}."
        )
    if raw["checkpoint_trouble"]:
        found.append(f"The last checkpoint could not be written: {raw['checkpoint_trouble']}.")
    return found + _of_stop(raw) + _of_resumed_starts(raw)
