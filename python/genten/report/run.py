# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of a run: the data, the method, how the fit came about."""

import math
import platform
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._cells import distinct_cells
from ..describe import ModelLike, TensorLike, mode_name, value_of
from ..describe.fits import norm_of
from ..describe.model import labels_of
from ..describe.protocols import column_of, fit_tolerance
from .charts import Chart, Line, line_chart, number, thinned
from .starts import ENDS, Start, starts_of

MOST_ROWS = 60


@dataclass
class Mode:
    """One mode of the data."""

    name: str
    length: str
    named: str
    used: str | None


@dataclass
class Run:
    """Everything about a run that is known; lists are empty where nothing is."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    history: list[tuple[str, ...]] = field(default_factory=list)
    history_of: int = 0
    starts: list[Start] = field(default_factory=list)
    agreement: str = ""
    timings: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def scored(self) -> bool:
        """Whether the model of a start beside the best was kept."""
        return any(start.score is not None for start in self.starts)


def count_of(count: int, noun: str) -> str:
    """A count with its noun.

    Examples
    --------
    >>> count_of(1, "start"), count_of(1200, "start")
    ('1 start', '1,200 starts')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def seconds_of(value: float) -> str:
    """A time for people."""
    if value >= 120:
        return f"{int(value // 60):,} min {int(value % 60)} s"
    return f"{number(value, 3)} s"


def told_of(result: Any) -> Any:
    """What a result says of its tensor: the tool's record does, and what `genten.cp` returns."""
    return value_of(result, "tensor") or value_of(result, "tensor_facts", {})


def modes_of(model: ModelLike, tensor: TensorLike | None) -> list[Mode]:
    """The modes of the data; with the tensor, how many rows of each have nonzeros."""
    modes = []
    for mode, factor in enumerate(model.factors):
        used = None
        if tensor is not None:
            seen = np.zeros(len(factor), dtype=bool)
            seen[np.asarray(tensor.subscripts)[:, mode]] = True
            used = f"{int(seen.sum()):,}"
        named = "no" if labels_of(model, mode) is None else "yes"
        modes.append(Mode(mode_name(model, mode, 1), f"{len(factor):,}", named, used))
    return modes


def data_facts(
    model: ModelLike, tensor: TensorLike | None, result: Any, name: str | None
) -> list[tuple[str, str]]:
    """What the data are: their name, shape, nonzeros, values."""
    told = told_of(result)
    facts = [("Tensor", name or "not named")]
    facts.append(("Shape", " × ".join(f"{len(factor):,}" for factor in model.factors)))
    nnz, distinct = nonzeros_of(tensor, told)
    if nnz is not None:
        cells = math.prod(len(factor) for factor in model.factors)
        facts.append(("Nonzeros", _entries(nnz, distinct, cells)))
    duplicates = value_of(told or value_of(tensor, "file_facts", {}), "duplicates")
    if duplicates:
        facts.append(("Duplicates", f"{duplicates:,} entries, added to others"))
    norm = value_of(result, "tensor_norm", value_of(told, "norm"))
    if tensor is not None:
        norm = norm_of(tensor) if norm is None else norm
        values = np.asarray(tensor.values)
        if len(values):
            low, high = float(values.min()), float(values.max())
            whole = ", whole numbers" if bool((values == np.rint(values)).all()) else ""
            text = f"all {number(low)}" if low == high else f"{number(low)} to {number(high)}"
            facts.append(("Values", text + (whole if low != high else "")))
    if norm is not None:
        facts.append(("Norm", f"{number(float(norm), 6)} (root of the sum of squares)"))
    return facts


def nonzeros_of(tensor: TensorLike | None, told: Any) -> tuple[int | None, int | None]:
    """How many nonzeros are stored, and in how many cells they lie; None where that is not known.

    `told` is what a result says of its tensor: with a density, it knows of the cells."""
    if tensor is None:
        nnz = value_of(told, "nnz")
        return nnz, value_of(told, "distinct_cells", nnz if value_of(told, "density") else None)
    known: int | None = getattr(tensor, "distinct_cells", None)
    if known is None:
        known = distinct_cells(np.asarray(tensor.subscripts), tensor.shape)
    return tensor.nnz, known


def _entries(nnz: int, distinct: int | None, cells: int) -> str:
    if distinct is None:
        return f"{nnz:,} stored entries"
    density = f" ({number(100 * min(distinct, cells) / cells, 3)}% of all cells)" if cells else ""
    if distinct == nnz:
        return f"{nnz:,}{density}"
    return f"{nnz:,} stored entries in {distinct:,} distinct cells{density}"


def run_of(result: Any) -> Run:
    """What is known of how a model was made."""
    if result is None:
        return Run()
    run = Run(facts=_method(result))
    history = value_of(result, "history", {})
    tolerance = fit_tolerance(result)
    run.charts = _charts(result, history, tolerance)
    run.history_of = len(column_of(history, "fit"))
    run.history = _history_rows(history)
    run.starts, run.agreement = starts_of(result, tolerance or 1e-4)
    timings = dict(value_of(result, "timings", {}))
    total = timings.pop("total", None) or sum(timings.values())
    for phase, spent in sorted(timings.items(), key=lambda item: -item[1]):
        share = spent / total if total else 0.0
        run.timings.append((phase.replace("_", " "), seconds_of(spent), f"{share:.1%}"))
    return run


def _constraints(options: Any) -> str:
    """The options that constrain factors, in words."""
    parts = []
    modes = value_of(options, "nonnegative", ())
    if modes is True or modes == "all":
        parts.append("nonnegative")
    elif modes:
        parts.append(f"nonnegative in {len(modes)} modes")
    for name in ("ridge", "l1", "lower", "upper"):
        numbers = value_of(options, name, ())
        if numbers:
            said = [
                "none" if each is None or math.isinf(each) else number(float(each), 6)
                for each in numbers
            ]
            parts.append(f"{name} {', '.join(said)}")
    return "; ".join(parts)


def _method(result: Any) -> list[tuple[str, str]]:
    options = value_of(result, "options", {})
    facts = [("Method", "CP decomposition by alternating least squares (CP-ALS)")]
    starts = len(value_of(result, "starts", ()))
    init = value_of(options, "init")
    guess = {
        "uniform": "uniform random numbers in [0, 1)",
        "normal": "normal random numbers",
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
    for name, title in (("tolerance", "Tolerance"), ("max_iterations", "Iteration limit")):
        value = value_of(options, name)
        if value is not None:
            facts.append((title, number(float(value), 6)))
    constraints = _constraints(options)
    if constraints:
        facts.append(("Constraints", constraints))
        facts.append(("Objective", number(float(value_of(result, "objective", math.nan)), 9)))
    ended = str(value_of(result, "stop_reason", ""))
    followed = "the objective" if constraints else "the fit"
    facts.append(("Ended", ENDS.get(ended, ended).replace("the fit", followed)))
    facts.append(("Iterations", f"{value_of(result, 'iterations', 0):,}"))
    total = value_of(value_of(result, "timings", {}), "total")
    if total is not None:
        facts.append(("Time", seconds_of(float(total))))
    precision, kernel = value_of(options, "precision"), value_of(result, "kernel")
    dtype = precision or value_of(options, "dtype")
    if dtype:
        facts.append(("Precision", str(dtype)))
    if kernel:
        facts.append(("MTTKRP kernel", str(kernel)))
    backend, threads = value_of(result, "backend"), value_of(result, "threads")
    device = value_of(result, "device")
    if isinstance(device, dict):
        device = value_of(device, "name", "a device")
    if backend:
        on = str(device) if device else count_of(int(threads), "thread") if threads else "this host"
        facts.append(("Ran on", f"{backend}, {on}"))
    return facts


def _charts(result: Any, history: Any, tolerance: float | None) -> list[Chart]:
    fit = column_of(history, "fit")
    iteration = column_of(history, "iteration")
    if len(iteration) != len(fit):
        iteration = np.arange(1.0, len(fit) + 1)
    lines, seconds_lines = [], []
    best = value_of(result, "best_start", 0)
    for place, start in enumerate(value_of(result, "starts", ())):
        if place == best and len(fit):
            continue
        own = value_of(start, "history", {})
        y, x = column_of(own, "fit"), column_of(own, "iteration")
        if not len(y):
            y = np.array([float(value_of(start, "fit", math.nan))])
            x = np.array([float(value_of(start, "iterations", 0))])
        lines.append(Line(x if len(x) == len(y) else np.arange(1.0, len(y) + 1), y, "other"))
        seconds = column_of(own, "seconds")
        if len(seconds) and len(seconds) == len(column_of(own, "fit")):
            seconds_lines.append(Line(seconds, y, "other"))
    lines.append(Line(iteration, fit))
    seconds = column_of(history, "seconds")
    if len(seconds) == len(fit):
        seconds_lines.append(Line(seconds, fit))
    later = np.concatenate([line.y[2:] if len(line.y) > 4 else line.y for line in lines])
    later = later[np.isfinite(later)]
    y_from = float(later.min()) if len(later) else None
    grew = (
        f"The fit rises from {number(float(fit[0]))} after iteration 1 to "
        f"{number(float(fit[-1]), 6)} after iteration {int(iteration[-1])}."
        if len(fit)
        else "No course of the fit was recorded."
    )
    made = [
        line_chart(
            lines,
            title="Fit by iteration",
            description=grew,
            x_label="iteration",
            y_label="fit",
            y_from=y_from,
        ),
        line_chart(
            seconds_lines,
            title="Fit by time",
            description=grew,
            x_label="seconds",
            y_label="fit",
            y_from=y_from,
        ),
        _change_chart(history, iteration, tolerance),
    ]
    return [chart for chart in made if chart is not None] if len(fit) else []


def _change_chart(history: Any, iteration: Any, tolerance: float | None) -> Chart | None:
    change = np.abs(column_of(history, "fit_change"))
    if not len(change) or len(change) != len(iteration):
        return None
    text = f"The last iteration changed the fit by {number(float(change[-1]), 2)}"
    text += f"; the tolerance is {number(tolerance)}." if tolerance else "."
    return line_chart(
        [Line(iteration, change)],
        title="Change of the fit",
        description=text,
        x_label="iteration",
        y_label="change of the fit",
        logarithmic=True,
        level=(tolerance, f"tolerance {number(tolerance)}") if tolerance else None,
    )


def _history_rows(history: Any) -> list[tuple[str, ...]]:
    fit = column_of(history, "fit")
    columns = [column_of(history, name) for name in ("iteration", "fit_change", "seconds")]
    if not len(fit) or any(len(column) != len(fit) for column in columns):
        return []
    iteration, change, seconds = columns
    return [
        (
            f"{int(iteration[i]):,}",
            f"{fit[i]:.9f}".replace("-", "−"),
            number(float(change[i]), 3),
            number(float(seconds[i]), 4),
        )
        for i in thinned(len(fit), MOST_ROWS)
    ]


def versions_of(result: Any) -> list[tuple[str, str]]:
    """The versions and the machine that made the model, as far as they are known."""
    facts: list[tuple[str, str]] = []
    told = value_of(result, "versions", {})
    genten = value_of(told, "genten")
    if genten is None:
        genten = getattr(sys.modules.get("genten"), "__version__", None)
        if genten is not None:
            told = {"genten": genten, "python": platform.python_version(), "numpy": np.__version__}
    names = {
        "genten": "Genten",
        "kokkos": "Kokkos",
        "compiler": "Compiler",
        "python": "Python",
        "numpy": "NumPy",
    }
    facts += [(names.get(name, str(name)), str(value)) for name, value in dict(told).items()]
    machine = value_of(result, "machine", {})
    if value_of(machine, "processor"):
        cores = value_of(machine, "processors")
        facts.append(("Processor", f"{machine['processor']}" + (f", {cores} cores" * bool(cores))))
    if value_of(result, "date"):
        facts.append(("Run on", str(value_of(result, "date"))))
    return facts
