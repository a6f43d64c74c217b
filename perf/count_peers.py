#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP-APR beside pyttb's and SparTen's, from the same starts, on the same counts.

For every tensor a table is printed as Markdown: seconds of each program's own loop until its
violation of the conditions of Karush, Kuhn and Tucker is below the tolerance, by its own
definition, or "not in N s"; iterations; and the objective of the model that came of it, F = sum of
m over all entries - sum over nonzeros x log m, for all of them by genten.

pyttb is used where this interpreter has it, SparTen where --sparten names its program. Starts are
uniform random numbers, one of the seeds after another; figures are medians. All programs take as
many threads as OMP_NUM_THREADS says (pyttb as many as its NumPy takes). Files are text, one entry
a line, subscripts from 1.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = [ROOT / "data" / "titanic" / "titanic.tns", ROOT / "data/ucb-admissions/ucb-admissions.tns"]
# What is left of a process that has ended its loop: reading and writing.
GRACE = 30.0

Run = dict[str, Any]


def read_counts(file: pathlib.Path) -> tuple[np.ndarray, np.ndarray]:
    lines = np.loadtxt(file, comments="#", ndmin=2)
    return lines[:, :-1].astype(int), lines[:, -1]


def write_start(file: pathlib.Path, weights: np.ndarray, factors: list[np.ndarray]) -> None:
    """As the Tensor Toolbox writes a model, which all of the programs read."""
    shape, rank = [len(factor) for factor in factors], factors[0].shape[1]
    with file.open("w") as out:
        print("ktensor", len(shape), " ".join(map(str, shape)), rank, sep="\n", file=out)
        print(" ".join(f"{weight:.17g}" for weight in weights), file=out)
        for factor in factors:
            print("matrix", 2, f"{len(factor)} {rank}", sep="\n", file=out)
            np.savetxt(out, factor, fmt="%.17g")


def write_tensor(file: pathlib.Path, subscripts: np.ndarray, values: np.ndarray) -> None:
    with file.open("w") as out:
        print("sptensor", subscripts.shape[1], sep="\n", file=out)
        print(" ".join(map(str, subscripts.max(axis=0))), len(values), sep="\n", file=out)
        np.savetxt(out, np.column_stack([subscripts, values]), fmt="%d")


class Counts:
    """A tensor, a start, and where they lie as files."""

    def __init__(self, folder: pathlib.Path, source: pathlib.Path, rank: int, seed: int) -> None:
        self.subscripts, self.values = read_counts(source)
        self.shape = self.subscripts.max(axis=0)
        self.folder, self.rank = folder, rank
        self.tensor, self.start = folder / "counts.txt", folder / "start.ktensor"
        rng = np.random.default_rng(seed)
        self.factors = [rng.random((length, rank)) + 1e-3 for length in self.shape]
        # Adds up to the counts: far from there some of the programs lose components at once.
        sums = [factor.sum(axis=0) for factor in self.factors]
        self.factors = [factor / total for factor, total in zip(self.factors, sums)]
        sizes = np.prod(sums, axis=0)
        self.weights = self.values.sum() * sizes / sizes.sum()
        write_tensor(self.tensor, self.subscripts, self.values)
        write_start(self.start, self.weights, self.factors)

    def objective(self, weights: np.ndarray, factors: list[np.ndarray], given: Any) -> float:
        """By genten, from no sweep."""
        model = self.folder / "model.ktensor"
        write_start(model, weights, factors)
        return float(run_genten(self, given, "newton", init=model, sweeps=0)["objective"])


def run_genten(
    counts: Counts, given: Any, steps: str, init: pathlib.Path | None = None, sweeps: int = 10**6
) -> Run:
    report = counts.folder / "told.json"
    subprocess.run(
        [given.tool, "decompose", counts.tensor, "--loss", "poisson", "--init",
         init or counts.start, "--steps", steps, "--max-iterations", str(sweeps), "--tolerance",
         str(given.tolerance), "--time-limit", str(given.limit), "--json", report, "--quiet"],
        check=True,
    )  # fmt: skip
    found = json.loads(report.read_text())
    return {
        "seconds": found["timings"]["total"],
        "iterations": found["iterations"],
        "converged": found["stop_reason"] == "converged",
        "objective": found["objective"],
    }


def run_pyttb(counts: Counts, given: Any, algorithm: str) -> Run:
    import pyttb

    tensor = pyttb.sptensor(counts.subscripts - 1, counts.values[:, None], tuple(counts.shape))
    start = pyttb.ktensor([f.copy(order="F") for f in counts.factors], counts.weights.copy())
    begun = time.perf_counter()
    model, _, output = pyttb.cp_apr(
        tensor, counts.rank, algorithm=algorithm, stoptol=given.tolerance, stoptime=given.limit,
        maxiters=10**6, init=start, printitn=0,
    )  # fmt: skip
    seconds = time.perf_counter() - begun
    violations = np.ravel(output["kktViolations"])
    if not np.all(np.isfinite(model.weights)):
        raise ArithmeticError("its model has weights that are not finite")
    return {
        "seconds": seconds,
        "iterations": int(np.count_nonzero(violations)),
        "converged": seconds < given.limit,
        "objective": counts.objective(model.weights, model.factor_matrices, given),
    }


def run_sparten(counts: Counts, given: Any, method: str) -> Run:
    output = counts.folder / "sparten.ktensor"
    output.unlink(missing_ok=True)
    try:
        text = subprocess.run(
            [given.sparten, "--input", counts.tensor, "--init", counts.start, "--output", output,
             "--rank", str(counts.rank), "--method", method, "--tol", str(given.tolerance),
             "--maxiters", "1000000", "--printitn", "1"],
            check=True, capture_output=True, text=True, timeout=given.limit + GRACE,
        ).stdout  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"seconds": given.limit, "iterations": 0, "converged": False, "objective": None}
    # Iteration, violation, objective, seconds, and what differs.
    lines = re.findall(r"^ +(\d+) +(\d\S+) +-?\d\S+ +(\d\S+)", text, re.MULTILINE)
    if not lines:
        raise ValueError("its output tells of no iteration")
    iterations, violation, seconds = lines[-1]
    return {
        "seconds": float(seconds),
        "iterations": int(iterations),
        "converged": float(violation) < given.tolerance and float(seconds) < given.limit,
        "objective": counts.objective(*read_model(output), given),
    }


def read_model(file: pathlib.Path) -> tuple[np.ndarray, list[np.ndarray]]:
    words = file.read_text().split()
    at = 0

    def take(count: int) -> list[str]:
        nonlocal at
        at += count
        return words[at - count : at]

    take(1)
    order = int(take(1)[0])
    take(order)
    rank = int(take(1)[0])
    weights, factors = np.array(take(rank), float), []
    for _ in range(order):
        take(2)
        rows, columns = (int(word) for word in take(2))
        factors.append(np.array(take(rows * columns), float).reshape(rows, columns))
    return weights, factors


def programs(given: Any) -> dict[str, Callable[[Counts], Run]]:
    found: dict[str, Callable[[Counts], Run]] = {}
    for steps in ("newton", "multiplicative"):
        found[f"genten, {steps}"] = lambda counts, s=steps: run_genten(counts, given, s)
    if given.pyttb:
        for algorithm in ("mu", "pdnr", "pqnr"):
            found[f"pyttb, {algorithm}"] = lambda counts, a=algorithm: run_pyttb(counts, given, a)
    if given.sparten:
        for method in ("Multiplicative-Update", "Damped-Newton", "Quasi-Newton"):
            found[f"SparTen, {method.lower()}"] = lambda counts, m=method: run_sparten(
                counts, given, m
            )
    return found


def line(name: str, runs: list[Run], limit: float) -> str:
    """A line of the table: medians over the starts."""
    ended = [run for run in runs if run["converged"]]
    objectives = [run["objective"] for run in runs if run["objective"] is not None]
    middle = statistics.median
    seconds = f"{middle(run['seconds'] for run in runs):.3g} s" if ended else f"not in {limit:g} s"
    part = f"{len(ended)} of {len(runs)}"
    iterations = f"{middle(run['iterations'] for run in runs):g}" if ended else ""
    objective = f"{middle(objectives):.4f}, {min(objectives):.4f}" if objectives else ""
    return f"| {name} | {seconds} | {part} | {iterations} | {objective} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=pathlib.Path, default=DATA)
    parser.add_argument("--tool", default=str(ROOT / "build" / "default" / "bin" / "genten"))
    parser.add_argument("--sparten", help="the program Sparten_main")
    parser.add_argument("--no-pyttb", dest="pyttb", action="store_false")
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds a run may take")
    given = parser.parse_args()
    if given.pyttb:
        try:
            import pyttb  # noqa: F401
        except ImportError:
            given.pyttb = False
    print(f"{os.cpu_count()} processors, rank {given.rank}, {given.seeds} starts, "
          f"to {given.tolerance:g}\n")  # fmt: skip
    for file in given.files:
        found: dict[str, list[Run]] = {name: [] for name in programs(given)}
        for seed in range(1, given.seeds + 1):
            with tempfile.TemporaryDirectory() as folder:
                counts = Counts(pathlib.Path(folder), file, given.rank, seed)
                for name, run in programs(given).items():
                    try:
                        found[name].append(run(counts))
                    except Exception as error:  # noqa: BLE001: whatever a peer does is told of
                        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        print(f"{file.stem}: {' x '.join(map(str, counts.shape))}, {len(counts.values)} nonzeros\n")
        print("| | seconds | converged | iterations | objective: median, best |")
        print("| --- | --- | --- | --- | --- |")
        for name, runs in found.items():
            if runs:
                print(line(name, runs, given.limit))
        print(flush=True)


if __name__ == "__main__":
    main()
