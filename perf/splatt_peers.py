#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Nonnegative CP and completion of ratings, beside SPLATT, from the same starts.

SPLATT is not built here: --splatt-cpd names the program of its branch wip/ao-admm (AO-ADMM) and
--splatt-complete that of its branch sc16 (completion by ALS), both built with 32-bit indices and
double precision. Both take their random start from rand(); given_rand.c, beside this file, puts the
numbers of our start in its place, which is between 0 and 1.

constrained   `splatt cpd --con nonneg` and `genten decompose --nonnegative all` on the shapes of
              perf_table.py and on files: seconds an iteration; seconds until the objective is 1.001
              of the best that either found, and until it is what both reach, the worse of the two
              that they end with. Without the preparation of either.
completion    `splatt complete -a als` and `genten decompose --missing unlisted` with one ridge:
              seconds an iteration; the objective; RMSE at the listed entries, and at others, whose
              values the model that the ratings were drawn from gives. Ours shares the lengths of
              components among modes after each sweep, and so goes another way after the first.

Programs run in turn, --rounds times; the tables have medians. Objectives, and the errors after the
first iteration of completion, must agree, or the program fails in the end. It needs NumPy.
--seconds ends measuring in time: the text says how many rounds there were.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np

import splatt_files as files
import splatt_tables as tables

HERE = pathlib.Path(__file__).resolve().parent
RANK = 16
SHAPES = ("uber", "nell2", "enron", "vast", "lbnl", "uniform")
RATINGS: dict[str, dict[str, Any]] = {
    "uniform": {"dimensions": (30000, 40000, 50000), "nonzeros": 10_000_000, "options": []},
    "movielens": {"dimensions": (162541, 59047, 300), "nonzeros": 10_000_000,
                  "options": ["--powers", ".6,.6,.3"]},
}  # fmt: skip
PLANTED = ["--rank", "4", "--factors", "uniform", "--noise", "0.2"]
TEST_ENTRIES = 100_000
# Relative. Inexact row updates, and lengths that are shared or not, lead to other minima; the first
# iteration of completion is the same to the digits that SPLATT prints.
OBJECTIVES_AGREE = 0.01
FIRST_ERRORS_AGREE = 1e-4


@dataclasses.dataclass
class Settings:
    """Programs and how they are run."""

    genten: str
    splatt_cpd: str
    splatt_complete: str
    given_rand: pathlib.Path
    directory: pathlib.Path
    threads: int
    scale: float
    rounds: int
    iterations: int
    completion_iterations: int
    ridge: float
    until: float
    keep: bool

    def run(self, command: list[str], folder: pathlib.Path, **environment: str) -> str:
        """What it prints; its failure ends this program."""
        places = {"OMP_NUM_THREADS": str(self.threads)}
        done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False,
                              env={**os.environ, **places, **environment})  # fmt: skip
        if done.returncode != 0:
            sys.exit(f"splatt_peers: {' '.join(command)} failed\n{done.stdout[-2000:]}"
                     f"{done.stderr[-2000:]}")  # fmt: skip
        return done.stdout

    def run_splatt(self, command: list[str], folder: pathlib.Path) -> str:
        return self.run(command, folder, LD_PRELOAD=str(self.given_rand),
                        GIVEN_RAND=str(folder / "start.rand"))  # fmt: skip

    def time_is_up(self, begun: float) -> bool:
        """Whether another round, as long as the one from `begun` to now, would end too late."""
        return 2 * time.monotonic() - begun > self.until


def prepare(settings: Settings, folder: pathlib.Path, source: str | list[str]) -> None:
    """tensor.gtn, without empty slices, from a file or what `generate` makes of options;
    tensor.bin for SPLATT and the start, in a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(source, list):
        settings.run([settings.genten, "generate", "whole.gtn", "--quiet", *source], folder)
        source = "whole.gtn"
    settings.run([settings.genten, "convert", source, "tensor.gtn", "--compact", "--quiet"], folder)
    (folder / "whole.gtn").unlink(missing_ok=True)
    tensor = files.read_tensor(folder / "tensor.gtn")
    files.write_splatt(folder / "tensor.bin", tensor)
    files.write_start(folder, tensor.dimensions, RANK, seed=1)


def rating_options(settings: Settings, name: str) -> list[str]:
    """Options of `generate`, for --scale times the rows and the entries."""
    recipe = RATINGS[name]
    rows = (n if n < 1000 else max(2, round(n * settings.scale)) for n in recipe["dimensions"])
    entries = str(round(recipe["nonzeros"] * settings.scale))
    return ["--dimensions", ",".join(str(n) for n in rows), "--nnz", entries, *recipe["options"],
            *PLANTED, "--model", "truth.gkt"]  # fmt: skip


def decompose(settings: Settings, folder: pathlib.Path, *options: object) -> dict[str, Any]:
    settings.run([settings.genten, "decompose", "tensor.gtn", "--init", "start.ktensor",
                  "--tolerance", "0", "--quiet", "--json", "genten.json",
                  *(str(each) for each in options)], folder)  # fmt: skip
    return dict(json.loads((folder / "genten.json").read_text(encoding="utf-8")))


def iteration_seconds(seconds: list[float]) -> float:
    """The median iteration but the first, of the seconds at the ends of all."""
    return statistics.median(np.diff(seconds)) if len(seconds) > 1 else seconds[0]


def constrained_genten(settings: Settings, folder: pathlib.Path) -> dict[str, Any]:
    full = decompose(settings, folder, "--nonnegative", "all", "--max-iterations",
                     settings.iterations)  # fmt: skip
    return {"seconds": [each["seconds"] for each in full["history"]],
            "objectives": [each["objective"] for each in full["history"]],
            "norm": full["tensor_norm"], "environment": environment_of(full)}  # fmt: skip


def constrained_splatt(settings: Settings, folder: pathlib.Path, norm: float) -> dict[str, Any]:
    """Errors are summed from their printed changes, which have more digits than they have."""
    out = settings.run_splatt(
        [settings.splatt_cpd, "cpd", "tensor.bin", "-r", str(RANK), "-i", str(settings.iterations),
         "--tol", "0", "--con", "nonneg", "-t", str(settings.threads), "--seed", "1", "-v",
         "--nowrite"], folder)  # fmt: skip
    lines = re.findall(r"its =\s*\d+ \(([\d.]+)s\).*delta = (\S+)", out)
    errors = 1 + np.cumsum([float(change) for _, change in lines])
    return {"seconds": np.cumsum([float(each) for each, _ in lines]).tolist(),
            "objectives": (norm**2 / 2 * errors**2).tolist()}  # fmt: skip


def until(run: dict[str, Any], objective: float) -> float | None:
    """Seconds until a run's objective is at most this."""
    return next((at for at, reached in zip(run["seconds"], run["objectives"])
                 if reached <= objective), None)  # fmt: skip


def measure_constrained(settings: Settings, name: str) -> dict[str, Any]:
    folder = settings.directory / f"constrained-{pathlib.Path(name).name}-{settings.scale:g}"
    begun = time.monotonic()
    prepare(settings, folder, ["--shape", name, "--scale", str(settings.scale)]
            if name in SHAPES else str(pathlib.Path(name).resolve()))  # fmt: skip
    runs: dict[str, list[dict[str, Any]]] = {"genten": [], "splatt": []}
    for _ in range(settings.rounds):
        if runs["genten"] and settings.time_is_up(begun):
            break
        begun = time.monotonic()
        runs["genten"].append(constrained_genten(settings, folder))
        runs["splatt"].append(
            constrained_splatt(settings, folder, runs["genten"][0]["norm"]))
    norm, environment = runs["genten"][0]["norm"], runs["genten"][-1]["environment"]
    last = {who: statistics.median(run["objectives"][-1] for run in found)
            for who, found in runs.items()}  # fmt: skip
    best = min(min(run["objectives"]) for found in runs.values() for run in found)
    worse = max(run["objectives"][-1] for found in runs.values() for run in found)
    line: dict[str, Any] = {"tensor": pathlib.Path(name).name.split(".")[0],
                            "rounds": len(runs["genten"]), "best": best, "norm": norm,
                            "environment": environment}  # fmt: skip
    line |= dict(zip(("dimensions", "nonzeros"), files.size_of(folder / "tensor.gtn")))
    for who, found in runs.items():
        line[who] = {
            "iteration_s": statistics.median(iteration_seconds(run["seconds"]) for run in found),
            "objective": last[who],
            "fit": 1 - np.sqrt(2 * last[who]) / norm,
            "to_1.001_s": median_or_none([until(run, 1.001 * best) for run in found]),
            "to_worse_s": median_or_none([until(run, worse) for run in found]),
            "runs": found,
        }
    line["agree"] = abs(last["splatt"] / last["genten"] - 1) <= OBJECTIVES_AGREE
    if not settings.keep:
        files.remove_folder(folder)
    return line


def completion_genten(settings: Settings, folder: pathlib.Path) -> dict[str, Any]:
    full = decompose(settings, folder, "--missing", "unlisted", "--ridge", settings.ridge,
                     "--max-iterations", settings.completion_iterations, "--output",
                     "genten.ktensor")  # fmt: skip
    entries = full["entries"]
    return {"seconds": [each["seconds"] for each in full["history"]],
            "rmse": [each["residual_norm"] / np.sqrt(entries) for each in full["history"]],
            "objective": full["objective"], "environment": environment_of(full)}  # fmt: skip


def completion_splatt(settings: Settings, folder: pathlib.Path) -> dict[str, Any]:
    """SPLATT's clock stands still while the best model is copied, not while the loss is computed.
    With that tolerance any model is the best so far, so that the last is written."""
    out = settings.run_splatt(
        [settings.splatt_complete, "complete", "tensor.bin", "-a", "als", "-r", str(RANK), "-i",
         str(settings.completion_iterations), "--tol=-1e9", "--reg", str(settings.ridge), "-t",
         str(settings.threads), "--seed", "1"], folder)  # fmt: skip
    lines = re.findall(r"epoch:\s*(\d+) .*RMSE-tr: (\S+).*time: ([\d.]+)s", out)[1:]
    modes = [float(each) for each in re.findall(r"mode: \d+ time: ([\d.]+)s", out)]
    rmse = [float(each) for _, each, _ in lines]
    factors = files.read_splatt_factors(folder)
    files.write_ktensor(folder / "splatt.ktensor", factors)
    penalty = sum(float((each**2).sum()) for each in factors)
    entries = files.size_of(folder / "tensor.gtn")[1]
    return {"seconds": [float(at) for _, _, at in lines], "rmse": rmse,
            "rows_s": sum(modes) / len(lines),
            "objective": (entries * rmse[-1] ** 2 + settings.ridge * penalty) / 2}  # fmt: skip


def held_out_error(settings: Settings, folder: pathlib.Path, model: str) -> float:
    settings.run([settings.genten, "evaluate", model, "test.tns", "--json", "evaluate.json",
                  "--quiet"], folder)  # fmt: skip
    found = json.loads((folder / "evaluate.json").read_text(encoding="utf-8"))
    return float(found["listed"]["rmse"])


def measure_completion(settings: Settings, name: str) -> dict[str, Any]:
    folder = settings.directory / f"completion-{name}-{settings.scale:g}"
    begun = time.monotonic()
    prepare(settings, folder, rating_options(settings, name))
    settings.run([settings.genten, "convert", "--model", "truth.gkt", "truth.npz", "--quiet"],
                 folder)  # fmt: skip
    files.write_test_entries(folder, round(TEST_ENTRIES * min(1.0, settings.scale * 10)))
    runs: dict[str, list[dict[str, Any]]] = {"genten": [], "splatt": []}
    for _ in range(settings.rounds):
        if runs["genten"] and settings.time_is_up(begun):
            break
        begun = time.monotonic()
        runs["genten"].append(completion_genten(settings, folder))
        runs["splatt"].append(completion_splatt(settings, folder))
    line: dict[str, Any] = {"tensor": name, "rounds": len(runs["genten"]), "ridge": settings.ridge,
                            "environment": runs["genten"][-1]["environment"]}  # fmt: skip
    line |= dict(zip(("dimensions", "nonzeros"), files.size_of(folder / "tensor.gtn")))
    for who, found in runs.items():
        line[who] = {
            "iteration_s": statistics.median(iteration_seconds(run["seconds"]) for run in found),
            "objective": statistics.median(run["objective"] for run in found),
            "first_rmse": found[0]["rmse"][0],
            "rmse": statistics.median(run["rmse"][-1] for run in found),
            "test_rmse": held_out_error(settings, folder, f"{who}.ktensor"),
            "runs": found,
        }
    line["splatt"]["rows_s"] = statistics.median(run["rows_s"] for run in runs["splatt"])
    ours, theirs = line["genten"], line["splatt"]
    line["agree"] = (abs(theirs["first_rmse"] / ours["first_rmse"] - 1) <= FIRST_ERRORS_AGREE
                     and ours["objective"] <= (1 + OBJECTIVES_AGREE) * theirs["objective"])
    if not settings.keep:
        files.remove_folder(folder)
    return line


def environment_of(full: dict[str, Any]) -> dict[str, Any]:
    return {name: full[name] for name in ("versions", "build", "machine", "backend", "threads")}


def median_or_none(seconds: list[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return statistics.median(known) if len(known) == len(seconds) else None


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--genten", default=str(HERE.parent / "build/default/bin/genten"))
    parser.add_argument("--splatt-cpd", help="of branch wip/ao-admm")
    parser.add_argument("--splatt-complete", help="of branch sc16")
    parser.add_argument("--given-rand", type=pathlib.Path,
                        help="given_rand.c compiled (default: compiled with cc)")  # fmt: skip
    parser.add_argument("--directory", type=pathlib.Path, required=True,
                        help="of what is generated")  # fmt: skip
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--scale", type=float, default=1.0, help="times the nonzeros")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--constrained", default=",".join(SHAPES),
                        help="these shapes, or files of tensors")
    parser.add_argument("--completion", default=",".join(RATINGS), help="these ratings")
    parser.add_argument("--iterations", type=int, default=30, help="of nonnegative decompositions")
    parser.add_argument("--completion-iterations", type=int, default=20)
    parser.add_argument("--ridge", type=float, default=1.0, help="of completion")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="to measure in")
    parser.add_argument("--commit", default="", help="of Genten, for the text")
    parser.add_argument("--keep", action="store_true", help="what is generated")
    parser.add_argument("--json", type=pathlib.Path, help="write everything that was measured")
    return parser.parse_args()


def settings_of(arguments: argparse.Namespace) -> Settings:
    directory = arguments.directory.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    given_rand = arguments.given_rand
    if given_rand is None:
        given_rand = directory / "given_rand.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", HERE / "given_rand.c", "-o", given_rand],
                       check=True)  # fmt: skip
    return Settings(
        genten=str(pathlib.Path(arguments.genten).resolve()),
        splatt_cpd=str(pathlib.Path(arguments.splatt_cpd or ".").resolve()),
        splatt_complete=str(pathlib.Path(arguments.splatt_complete or ".").resolve()),
        given_rand=given_rand.resolve(), directory=directory, threads=arguments.threads,
        scale=arguments.scale, rounds=arguments.rounds, iterations=arguments.iterations,
        completion_iterations=arguments.completion_iterations,
        ridge=arguments.ridge, keep=arguments.keep,
        until=time.monotonic() + arguments.seconds)  # fmt: skip


def main() -> None:
    arguments = parse_arguments()
    os.environ.setdefault("OMP_PROC_BIND", "spread")
    os.environ.setdefault("OMP_PLACES", "threads")
    settings = settings_of(arguments)
    parts = {
        "completion": (arguments.splatt_complete, arguments.completion, measure_completion),
        "constrained": (arguments.splatt_cpd, arguments.constrained, measure_constrained),
    }
    measured: dict[str, list[dict[str, Any]]] = {part: [] for part in parts}
    for part, (program, names, measure) in parts.items():
        for name in names.split(",") if program and names else []:
            if time.monotonic() > settings.until:
                print(f"splatt_peers: no time was left for {part} {name}", file=sys.stderr)
                continue
            measured[part].append(measure(settings, name))
            if arguments.json:
                arguments.json.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    lines = [line for part in measured.values() for line in part]
    if not lines:
        sys.exit("splatt_peers: nothing was measured: say --splatt-cpd or --splatt-complete")
    tables.print_machine(lines, arguments.commit)
    if measured["constrained"]:
        tables.print_constrained(measured["constrained"], RANK, settings.iterations)
    if measured["completion"]:
        tables.print_completion(measured["completion"], RANK, settings.completion_iterations)
    apart = [line["tensor"] for line in lines if not line["agree"]]
    if apart:
        sys.exit(f"splatt_peers: objectives or errors do not agree: {', '.join(apart)}")


if __name__ == "__main__":
    main()
