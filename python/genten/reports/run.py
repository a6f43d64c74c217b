# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of a run: the data, and what others say of method, courses and starts."""

import math
import platform
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..convert.duplicates import distinct_subscripts
from ..describe import ModelLike, TensorLike, lengths_of, mode_name, tucker_of, value_of
from ..describe.another import record_of
from ..describe.fits import norm_of
from ..describe.model import labels_of
from ..describe.goals import completion_of, holdout_of, loss_text, measure_of, misses_unlisted
from ..describe.protocols import column_of
from .charts import Chart, number
from .courses import charts_of, history_of
from .method import count_of, method_of, returned_sentence, seconds_of
from .starts import Start, starts_of


@dataclass
class Mode:
    """One mode of the data; `rank` is that of a Tucker model."""

    name: str
    length: str
    named: str
    used: str | None
    rank: str | None


@dataclass
class Run:
    """Everything about a run that is known; lists are empty where nothing is."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    returned: str = ""
    heads: list[str] = field(default_factory=list)
    history: list[tuple[str, ...]] = field(default_factory=list)
    history_of: int = 0
    starts: list[Start] = field(default_factory=list)
    agreement: str = ""
    measure: str = ""
    timings: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def scored(self) -> bool:
        """Whether the model of a start beside the best was kept."""
        return any(start.score is not None for start in self.starts)


def modes_of(model: ModelLike, tensor: TensorLike | None) -> list[Mode]:
    """The modes of the data; with the tensor, how many rows of each have nonzeros."""
    modes, tucker = [], tucker_of(model)
    for mode, length in enumerate(lengths_of(model)):
        used = None
        if tensor is not None:
            seen = np.zeros(length, dtype=bool)
            seen[np.asarray(tensor.subscripts)[:, mode]] = True
            used = f"{int(seen.sum()):,}"
        named = "no" if labels_of(model, mode) is None else "yes"
        rank = None if tucker is None else f"{tucker.core.shape[mode]:,}"
        modes.append(Mode(mode_name(model, mode, 1), f"{length:,}", named, used, rank))
    return modes


def data_facts(
    model: ModelLike, tensor: TensorLike | None, result: Any, name: str | None
) -> list[tuple[str, str]]:
    """What the data are: their name, shape, nonzeros, values."""
    record = record_of(result)
    facts = [("Tensor", name or "not named")]
    facts.append(("Shape", " × ".join(f"{length:,}" for length in lengths_of(model))))
    nnz, distinct = nonzeros_of(tensor, record)
    entries = math.prod(lengths_of(model))
    if nnz is not None:
        listed = "Known entries" if misses_unlisted(result) else "Nonzeros"
        facts.append((listed, _entries(nnz, distinct, entries)))
    facts += _counting(result, entries)
    duplicates = value_of(record or value_of(tensor, "file_facts", {}), "duplicates")
    if duplicates:
        rule = value_of(record or value_of(tensor, "file_facts", {}), "merged_by", "sum")
        became = "added to others" if rule == "sum" else f"merged with others ({rule})"
        facts.append(("Duplicates", f"{duplicates:,} entries, {became}"))
    norm = value_of(result, "tensor_norm", value_of(record, "norm"))
    if tensor is not None:
        norm = norm_of(tensor) if norm is None else norm
        values = np.asarray(tensor.values)
        if len(values):
            low, high = float(values.min()), float(values.max())
            whole = ", whole numbers" if bool((values == np.rint(values)).all()) else ""
            text = f"all {number(low)}" if low == high else f"{number(low)} to {number(high)}"
            facts.append(("Values", text + (whole if low != high else "")))
    if norm is not None:
        of = "" if completion_of(result) is None else " of the entries that count"
        text = f"{number(float(norm), 6)} (root of the sum of squares{of})"
        facts.append(("Norm", text))
    if result is None and (loss := value_of(model, "loss")) is not None:
        facts.append(("Loss of the model", loss_text(loss, value_of(model, "loss_parameter"))))
    return facts


def _counting(result: Any, entries: int) -> list[tuple[str, str]]:
    """Which entries the model was fitted to, where some are missing."""
    record = completion_of(result)
    if record is None:
        return []
    missing = value_of(value_of(result, "options", {}), "missing")
    if misses_unlisted(result):
        text = "all that are not listed"
    else:
        file = missing if isinstance(missing, str) else value_of(missing, "source")
        text = f"those of {file}" if file else "those of a list; all others count, zeros too"
    counting = float(value_of(record, "entries", math.nan))
    share = f" ({number(100 * counting / entries, 3)}% of all entries)" if entries else ""
    facts = [("Missing entries", text), ("Entries that count", f"{counting:,.0f}{share}")]
    held = holdout_of(result)
    if held is not None:
        count = int(value_of(held, "entries", 0))
        known = max(count + counting, 1.0)
        text = f"{count_of(count, 'entry')}, {number(100 * count / known, 3)}% of the known ones"
        seed = value_of(value_of(result, "options", {}), "holdout_seed")
        facts.append(("Held out", text if seed is None else f"{text}, by seed {seed}"))
    rows = int(value_of(record, "empty_rows", 0))
    if rows:
        what = "entry" if misses_unlisted(result) else "nonzero"
        facts.append(("Zero rows", f"{rows:,}, of which no {what} counts"))
    return facts


def nonzeros_of(tensor: TensorLike | None, record: Any) -> tuple[int | None, int | None]:
    """How many nonzeros are stored, and how many distinct subscripts they have; None where that is
    not known.

    `record` is what a result says of its tensor: with a density, it knows of the entries."""
    if tensor is None:
        nnz = value_of(record, "nnz")
        assumed = nnz if value_of(record, "density") else None
        return nnz, value_of(record, "distinct_subscripts", assumed)
    known: int | None = getattr(tensor, "distinct_subscripts", None)
    if known is None:
        known = distinct_subscripts(np.asarray(tensor.subscripts), tensor.shape)
    return tensor.nnz, known


def _entries(nnz: int, distinct: int | None, entries: int) -> str:
    if distinct is None:
        return f"{nnz:,} stored entries"
    share = 100 * min(distinct, entries) / entries if entries else 0.0
    density = f" ({number(share, 3)}% of all entries)" if entries else ""
    if distinct == nnz:
        return f"{nnz:,}{density}"
    return f"{nnz:,} stored entries with {distinct:,} distinct subscripts{density}"


def run_of(result: Any) -> Run:
    """What is known of how a model was made."""
    if result is None:
        return Run()
    run = Run(facts=method_of(result), charts=charts_of(result), returned=returned_sentence(result))
    run.history_of = len(column_of(value_of(result, "history", {}), "fit"))
    run.heads, run.history = history_of(result)
    run.starts, run.agreement = starts_of(result)
    run.measure = measure_of(result).name if run.starts else ""
    timings = dict(value_of(result, "timings", {}))
    total = timings.pop("total", None) or sum(timings.values())
    for phase, spent in sorted(timings.items(), key=lambda item: -item[1]):
        share = spent / total if total else 0.0
        run.timings.append((phase.replace("_", " "), seconds_of(spent), f"{share:.1%}"))
    return run


def versions_of(result: Any) -> list[tuple[str, str]]:
    """The versions and the machine that made the model, as far as they are known."""
    facts: list[tuple[str, str]] = []
    found = value_of(result, "versions", {})
    genten = value_of(found, "genten")
    if genten is None:
        genten = getattr(sys.modules.get("genten"), "__version__", None)
        if genten is not None:
            found = {"genten": genten, "python": platform.python_version(), "numpy": np.__version__}
    names = {
        "genten": "Genten",
        "kokkos": "Kokkos",
        "compiler": "Compiler",
        "python": "Python",
        "numpy": "NumPy",
    }
    facts += [(names.get(name, str(name)), str(value)) for name, value in dict(found).items()]
    machine = value_of(result, "machine", {})
    if value_of(machine, "processor"):
        cores = value_of(machine, "processors")
        facts.append(("Processor", f"{machine['processor']}" + (f", {cores} cores" * bool(cores))))
    if value_of(result, "instruction_set"):
        facts.append(("Instruction set", str(value_of(result, "instruction_set"))))
    if value_of(result, "date"):
        facts.append(("Run on", str(value_of(result, "date"))))
    return facts
