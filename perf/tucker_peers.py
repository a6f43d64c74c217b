#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps of HOOI by the tool, beside a bound by flops and gathers, and beside pyttb where it fits.

Each line is a named shape with the same rank in every mode: the tool runs with 2 sweeps from a
random start and with --sweeps more, whose mean is a sweep, by phase (product, vectors, core).
The bound of the products counts, for each mode, of the nonzeros sorted as the kernel has them,

    2 (R nnz + sum over levels k of R^(N-k) times the distinct tuples of the row and k modes)

flops at --gflops a thread, and a row of R numbers gathered for each nonzero at --gathers GB/s.
pyttb's `tucker_als` densifies: it is run where a dense tensor of 8 bytes an entry takes at most
--dense-gb. Install it in an environment of its own. Run on an idle machine, with OMP_NUM_THREADS
set; two threads are what the tables have.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

# By name what `genten generate` takes, and the order. Only the cube is small enough for pyttb.
LINES = {
    "uber": (["--shape", "uber"], 4),
    "nell2": (["--shape", "nell2"], 3),
    "enron": (["--shape", "enron"], 4),
    "cube": (["--dimensions", "400,400,400", "--nnz", "1000000", "--values", "ones"], 3),
}


def tool(options: argparse.Namespace, *arguments: object) -> None:
    subprocess.run([options.tool, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def timings(options: argparse.Namespace, file: pathlib.Path, order: int, sweeps: int) -> dict:
    report = file.with_suffix(".json")
    ranks = ",".join([str(options.rank)] * order)
    tool(options, "tucker", file, "--ranks", ranks, "--init", "random", "--tolerance", 0,
         "--max-iterations", sweeps, "--json", report, "--output", file.with_suffix(".gkt"),
         "--quiet")  # fmt: skip
    return json.loads(report.read_text())["timings"]


def subscripts_of(options: argparse.Namespace, file: pathlib.Path) -> np.ndarray:
    text = file.with_suffix(".tns")
    tool(options, "convert", file, text, "--to", "frostt", "--quiet")
    return np.loadtxt(text).astype(np.int64)[:, :-1] - 1


def bound(subscripts: np.ndarray, rank: int, gflops: float, gathers: float, threads: int) -> float:
    """Seconds of the products of a sweep."""
    nnz, order = subscripts.shape
    lengths = subscripts.max(axis=0) + 1
    flops, read = 0.0, 0.0
    for mode in range(order):
        others = sorted((n for n in reversed(range(order)) if n != mode), key=lambda n: lengths[n])
        flops += 2.0 * rank * nnz
        read += 8.0 * rank * nnz
        keys = subscripts[:, mode].copy()
        tuples = []
        for n in others[:-1]:
            keys = np.unique(keys * lengths[n] + subscripts[:, n], return_inverse=True)[1]
            tuples.append(int(keys.max()) + 1)
        for k, count in enumerate(tuples):
            flops += 2.0 * rank ** (order - 1 - k) * count
    return max(flops / (gflops * 1e9 * threads), read / (gathers * 1e9))


def pyttb_sweep(subscripts: np.ndarray, values: np.ndarray, rank: int) -> float | None:
    try:
        import pyttb
    except ImportError:
        return None
    shape = tuple(int(n) for n in subscripts.max(axis=0) + 1)
    tensor = pyttb.sptensor(subscripts, values[:, None], shape).to_tensor()
    took = []
    for sweeps in (1, 2, 10):  # the first one warms caches and threads of BLAS
        begun = time.perf_counter()
        pyttb.tucker_als(tensor, [rank] * len(shape), maxiters=sweeps, stoptol=0, printitn=0)
        took.append(time.perf_counter() - begun)
    return (took[2] - took[1]) / 8


def measure(options: argparse.Namespace, shape: str, folder: pathlib.Path) -> dict:
    (recipe, order), file = LINES[shape], folder / f"{shape}.gtn"
    tool(options, "generate", file, *recipe, "--quiet")
    few, more = (timings(options, file, order, sweeps) for sweeps in (2, 2 + options.sweeps))
    line = {"shape": shape, "rank": options.rank}
    for phase in ("product", "vectors", "core"):
        line[f"{phase}_s"] = (more[phase] - few[phase]) / options.sweeps
    line["sweep_s"] = sum(line[f"{phase}_s"] for phase in ("product", "vectors", "core"))
    line["prepare_s"] = more["prepare"]
    subscripts = subscripts_of(options, file)
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    line["bound_s"] = bound(subscripts, options.rank, options.gflops, options.gathers, threads)
    if 8e-9 * np.prod(subscripts.max(axis=0) + 1.0) <= options.dense_gb:
        line["pyttb_s"] = pyttb_sweep(subscripts, np.ones(len(subscripts)), options.rank)
    return line


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    root = pathlib.Path(__file__).resolve().parents[1]
    parser.add_argument("--tool", default=str(root / "build" / "default" / "bin" / "genten"))
    parser.add_argument("--shapes", nargs="*", default=list(LINES), choices=list(LINES))
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--sweeps", type=int, default=4, help="that are timed beyond two")
    parser.add_argument("--gflops", type=float, default=20.0, help="of a thread, vectors of double")
    parser.add_argument("--gathers", type=float, default=40.0, help="GB/s of gathered rows")
    parser.add_argument("--dense-gb", type=float, default=8.0)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = [measure(options, shape, pathlib.Path(folder)) for shape in options.shapes]
    print("| shape | sweep | product | vectors | core | bound of products | pyttb's sweep |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for line in lines:
        peer = line.get("pyttb_s")
        cells = [f"{1e3 * line[name]:.0f} ms" for name in
               ("sweep_s", "product_s", "vectors_s", "core_s", "bound_s")]  # fmt: skip
        cells.append("" if peer is None else f"{1e3 * peer:.0f} ms")
        print(f"| {line['shape']} | {' | '.join(cells)} |")
    if options.json:
        about = {"threads": os.environ.get("OMP_NUM_THREADS"), "command": sys.argv}
        pathlib.Path(options.json).write_text(json.dumps(about | {"lines": lines}, indent=1))


if __name__ == "__main__":
    main()
