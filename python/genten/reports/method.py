# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of how a model was made: the method, its options, and how the run ended."""

import math
from typing import Any

from ..describe import mode_name, value_of
from ..describe.goals import (
    completion_of,
    goes_by_fit,
    has_violation,
    holdout_of,
    is_accelerated,
    is_generalized,
    is_of_counts,
    is_tucker,
    loss_of,
    returned_iteration,
    stop_rule,
)
from .charts import number


def count_of(count: int, noun: str) -> str:
    """A count with its noun.

    Examples
    --------
    >>> count_of(1, "start"), count_of(1200, "start"), count_of(2, "entry")
    ('1 start', '1,200 starts', '2 entries')
    """
    several = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else several}"


def seconds_of(value: float) -> str:
    """A time for people."""
    if value >= 120:
        return f"{int(value // 60):,} min {int(value % 60)} s"
    return f"{number(value, 3)} s"


def end_of(reason: str, result: Any) -> str:
    """Why a run, or a start, has ended.

    Examples
    --------
    >>> end_of("time_limit", {}), end_of("converged", {})
    ('time limit reached', 'converged: the fit changed by less than the tolerance')
    """
    patience = value_of(value_of(result, "options", {}), "patience", 0)
    waited = f" in {count_of(int(patience), 'iteration')}" if patience else ""
    ends = {
        "converged": f"converged: {stop_rule(result).converged}",
        "iteration_limit": "iteration limit reached",
        "time_limit": "time limit reached",
        "observer": "interrupted",
        "interrupted": "interrupted",
        "callback": "stopped by the callback",
        "non_finite": "numbers that are not finite; the last iteration was undone",
        "no_improvement": f"held-out error falls no more: not by a ten-thousandth{waited}",
        "stalled": "stalled: no step lowered the objective any more, before the tolerance was met",
    }
    return ends.get(reason, reason)


def held_out_sentence(result: Any) -> str:
    """How well the model meets the entries that were held out; nothing where none were."""
    held = holdout_of(result)
    if held is None:
        return ""
    rmse, mae = (number(float(value_of(held, name, math.nan))) for name in ("rmse", "mae"))
    entries = count_of(int(value_of(held, "entries", 0)), "entry")
    return (
        f"Over {entries} that it was not fitted to, the root of the mean square of its errors is "
        f"{rmse}, and their mean magnitude {mae}."
    )


def returned_sentence(result: Any) -> str:
    """Which iteration's model was returned, and why, where held-out entries have chosen it."""
    chosen = returned_iteration(result)
    if chosen is None:
        return ""
    iterations = int(value_of(result, "iterations", 0))
    if chosen == 0:
        return "The model is the initial guess: no iteration has led to finite numbers."
    rmse = number(float(value_of(holdout_of(result), "rmse", math.nan)))
    text = f"The model is that of iteration {chosen:,}"
    text += ", the last," if chosen == iterations else f" of {iterations:,}"
    text += f" since its error over held-out entries is the least: RMSE {rmse}."
    if chosen < iterations:
        later = count_of(iterations - chosen, "iteration")
        text += f" In the {later} after it that error was not smaller."
    return text


def _constraints(result: Any) -> str:
    """The options that constrain factors, in words."""
    options, parts = value_of(result, "options", {}), []
    modes = value_of(options, "nonnegative", ())
    if modes is True or modes == "all":
        parts.append("nonnegative")
    elif modes:
        parts.append(f"nonnegative in {count_of(len(modes), 'mode')}")
    for name in ("ridge", "l1", "lower", "upper"):
        numbers = value_of(options, name, ())
        if name == "ridge":  # Where entries are missing, that of the run may be its own.
            numbers = value_of(completion_of(result), "ridge", numbers)
        if len(set(numbers)) == 1 and set(numbers) != {None}:
            numbers = numbers[:1]
        bounds = name in ("lower", "upper")
        if any(each is None or each for each in numbers) or (numbers and bounds):
            said = [
                "none" if each is None or math.isinf(each) else number(float(each), 6)
                for each in numbers
            ]
            parts.append(f"{name} {', '.join(said)}")
    return "; ".join(parts)


def _method_name(result: Any) -> str:
    if is_of_counts(result):
        return "model of counts by maximum likelihood under Poisson's distribution (CP-APR)"
    if is_generalized(result):
        taken = value_of(value_of(result, "gcp") or result, "method")
        method = taken or value_of(value_of(result, "options", {}), "method")
        how = {
            "adam": "Adam, by gradients of random entries",
            "rows": "Newton's method, row by row",
        }.get(method, "exact gradients")
        return f"generalized CP decomposition by {how}, loss {loss_of(result)} (GCP)"
    name = "CP decomposition by alternating least squares"
    if completion_of(result) is not None:
        return f"{name} over the entries that are not missing"
    return f"{name} (CP-ALS)"


def _sought(result: Any) -> list[tuple[str, str]]:
    """What was minimized, where that is not the residual, and how far it has come."""
    facts = []
    constraints = _constraints(result)
    if constraints:
        facts.append(("Constraints", constraints))
    if is_of_counts(result):
        facts.append(("Constraints", "nonnegative"))
    if not constraints and stop_rule(result).column == "fit":
        return facts
    objective = float(value_of(result, "objective", math.nan))
    penalty = float(value_of(result, "penalty", 0.0))
    of_it = f", {number(penalty, 6)} of it penalties" if penalty > 0 else ""
    facts.append(("Objective", number(objective, 9) + of_it))
    if is_of_counts(result):
        deviance = float(value_of(result, "deviance", math.nan))
        facts.append(("Deviance", f"{number(deviance, 6)}, where 0 is exact"))
    if has_violation(result):
        text = number(float(value_of(result, "kkt_violation")), 3)
        name = "Projected gradient" if is_generalized(result) else "KKT violation"
        facts.append((name, text + " of the norm" * goes_by_fit(result)))
    return facts


def _random(result: Any) -> list[tuple[str, str]]:
    """Where the run began, and how often."""
    options, facts = value_of(result, "options", {}), []
    starts = len(value_of(result, "starts", ()))
    init = value_of(options, "init")
    guess = {
        "uniform": "uniform random numbers in [0, 1)",
        "normal": "normal random numbers",
        "auto": "random numbers as suit the loss",
        "random": "uniform random numbers in [0, 1)",
    }.get(str(init), init)
    if guess is not None:
        facts.append(("Initial guess", str(guess) if isinstance(guess, str) else "a model"))
    seed = value_of(options, "seed", value_of(result, "seed"))
    if seed is not None and not (isinstance(init, str) and guess == init):
        facts.append(("Seed", str(seed)))
    if starts:
        asked = value_of(options, "starts", starts)
        facts.append(("Starts", f"{starts:,}" + (f" of {asked:,}" if asked > starts else "")))
    return facts


TUCKER_METHODS = {
    "hooi": "higher-order orthogonal iteration (HOOI)",
    "st-hosvd": "sequentially truncated higher-order singular value decomposition (ST-HOSVD)",
    "hosvd": "truncated higher-order singular value decomposition (HOSVD)",
}
TUCKER_GUESSES = {
    "st-hosvd": "what ST-HOSVD finds",
    "hosvd": "what HOSVD finds",
    "random": "random orthonormal columns",
}


def _modes_text(result: Any, modes: Any) -> str:
    """Names of modes that options have: the tool's records count from 1, Python from 0."""
    first = 0 if value_of(result, "tensor") is None else 1
    return ", ".join(mode_name(result.model, mode - first, 1) for mode in modes)


def _tucker_method_of(result: Any) -> list[tuple[str, str]]:
    options = value_of(result, "options", {})
    method, init = str(value_of(options, "method", "hooi")), value_of(options, "init")
    name = TUCKER_METHODS.get(method, method)
    facts = [("Method", f"Tucker decomposition by {name}")]
    for option, title in (("mode_order", "Order of modes"), ("fixed_modes", "Fixed modes")):
        if modes := value_of(options, option, ()):
            facts.append((title, _modes_text(result, modes)))
    if method != "hooi":
        return facts + _machine(result)
    if init is not None:
        text = TUCKER_GUESSES.get(init, init) if isinstance(init, str) else "a model"
        facts.append(("Initial guess", text))
    if init == "random" and value_of(options, "seed") is not None:
        facts.append(("Seed", str(options["seed"])))
    return facts + _limits(result) + _ended(result) + _machine(result)


def method_of(result: Any) -> list[tuple[str, str]]:
    """Method, options, end and machine of a run, by name."""
    if is_tucker(result):
        return _tucker_method_of(result)
    options = value_of(result, "options", {})
    facts = [("Method", _method_name(result)), *_random(result), *_limits(result)]
    if is_accelerated(options):
        facts.append(("Acceleration", "Nesterov's momentum between iterations, with restarts"))
    return facts + _sought(result) + _ended(result) + _machine(result)


def _limits(result: Any) -> list[tuple[str, str]]:
    options, facts = value_of(result, "options", {}), []
    for name, title in (("tolerance", "Tolerance"), ("max_iterations", "Iteration limit")):
        value = value_of(options, name)
        if value is not None:
            followed = stop_rule(result).name if name == "tolerance" else ""
            of = f", of the {followed}" if followed not in ("", "fit") else ""
            facts.append((title, number(float(value), 6) + of))
    return facts


def _ended(result: Any) -> list[tuple[str, str]]:
    return [
        ("Ended", end_of(str(value_of(result, "stop_reason", "")), result)),
        ("Iterations", f"{value_of(result, 'iterations', 0):,}"),
    ]


def _machine(result: Any) -> list[tuple[str, str]]:
    options, facts = value_of(result, "options", {}), []
    total = value_of(value_of(result, "timings", {}), "total")
    if total is not None:
        facts.append(("Time", seconds_of(float(total))))
    dtype = value_of(options, "precision") or value_of(options, "dtype")
    if dtype:
        words = {"float64": "double", "float32": "float"}  # Those of the tool's records.
        facts.append(("Precision", words.get(str(dtype), str(dtype))))
    kernel = value_of(result, "kernel")
    if kernel:
        by_rows = "per-row normal equations" in str(kernel)
        facts.append(("Kernel" if by_rows else "MTTKRP kernel", str(kernel)))
    backend, threads = value_of(result, "backend"), value_of(result, "threads")
    device = value_of(result, "device")
    if isinstance(device, dict):
        device = value_of(device, "name", "a device")
    if backend:
        on = str(device) if device else count_of(int(threads), "thread") if threads else "this host"
        facts.append(("Ran on", f"{backend}, {on}"))
    return facts
