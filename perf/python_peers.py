#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package beside the tool, and beside pyttb and TensorLy.

Three measurements, printed as Markdown and, with --json, written to a file:

import   seconds that a new process takes for `import genten` beside `import numpy`, and the size of
         the package;
path     from a scipy.sparse.coo_array to the end of the first iteration in Python, and from the
         same nonzeros in a binary file (in the page cache) by the tool, that is in C++; both by the
         clock on the wall, until all memory is given back, and both without the start of a process
         and of Kokkos: Python's have started before, and of the tool's time that of the same
         command with a tensor of one nonzero is taken off;
peers    pyttb.cp_als and TensorLy's parafac for sparse tensors from the same start, for as many
         iterations: seconds an iteration, and the fits, which must agree.

Run it on an idle machine, with OMP_NUM_THREADS set. A peer that is not installed is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from typing import Any, Callable

import numpy as np
import scipy.sparse

import genten

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEBIAN = ROOT / "data" / "debian-packages" / "debian-packages.tns.zst"


def median_of(repeats: int, run: Callable[[], float]) -> float:
    return statistics.median(run() for _ in range(repeats))


def import_seconds(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True,
                                text=True).stdout)  # fmt: skip


def measure_import(repeats: int) -> dict[str, float]:
    folder = pathlib.Path(genten.__file__).parent
    files = [each for each in folder.rglob("*.*") if "__pycache__" not in str(each)]
    libraries = folder.with_name("genten.libs")
    if libraries.exists():
        files += list(libraries.iterdir())
    return {
        "genten": median_of(repeats, lambda: import_seconds("genten")),
        "numpy": median_of(repeats, lambda: import_seconds("numpy")),
        "package_bytes": sum(file.stat().st_size for file in files),
    }


def random_coo(nonzeros: int, order: int = 3) -> scipy.sparse.coo_array:
    """Uniformly scattered nonzeros, in no order, at a density of about one in a thousand."""
    length = max(4, round((1000 * nonzeros) ** (1 / order)))
    rng = np.random.default_rng(1)
    coords = tuple(rng.integers(0, length, nonzeros) for _ in range(order))
    return scipy.sparse.coo_array((rng.random(nonzeros), coords), shape=(length,) * order)


def python_path(coo: scipy.sparse.coo_array, rank: int) -> dict[str, float]:
    begun = time.perf_counter()
    X = genten.tensor(coo)
    taken = time.perf_counter()
    r = genten.cp(X, rank, max_iterations=1, tolerance=0, seed=1)
    fit, run = r.fit, time.perf_counter() - taken
    del r, X  # as the tool does at its end
    return {"take": taken - begun, "run": run, "wall": time.perf_counter() - begun, "fit": fit}


def tool_wall(tool: str, file: pathlib.Path, rank: int) -> float:
    """Seconds of a process of the tool, from its start to its end."""
    begun = time.perf_counter()
    subprocess.run(
        [tool, "decompose", file, "--rank", str(rank), "--max-iterations", "1", "--tolerance", "0",
         "--seed", "1", "--json", file.with_suffix(".json"), "--quiet"],
        check=True,
    )  # fmt: skip
    return time.perf_counter() - begun


def tool_path(
    tool: str, file: pathlib.Path, one_nonzero: pathlib.Path, rank: int
) -> dict[str, float]:
    start = tool_wall(tool, one_nonzero, rank)
    wall = tool_wall(tool, file, rank) - start
    report = json.loads(file.with_suffix(".json").read_text())
    return {
        "take": report["tensor"]["read_seconds"],
        "run": report["timings"]["total"],
        "wall": wall,
        "start": start,
        "fit": report["fit"],
    }


def measure_path(tool: str, nonzeros: int, rank: int, repeats: int) -> dict[str, Any]:
    coo = random_coo(nonzeros)
    with tempfile.TemporaryDirectory() as folder:
        file, one = pathlib.Path(folder) / "x.gtn", pathlib.Path(folder) / "one.gtn"
        genten.tensor(coo).save(file)
        genten.tensor((np.zeros((1, 3), int), np.ones(1))).save(one)
        # In turn, so that both see the machine alike; the first of each warms up.
        both = [
            (python_path(coo, rank), tool_path(tool, file, one, rank)) for _ in range(repeats + 1)
        ]
    found: dict[str, Any] = {"nonzeros": nonzeros, "rank": rank}
    for name, column in (("python", 0), ("tool", 1)):
        runs = [pair[column] for pair in both[1:]]
        found[name] = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    found["ratio"] = found["python"]["wall"] / found["tool"]["wall"]
    return found


def fit_of(X: genten.Tensor, model: genten.Model) -> float:
    """1 - ||X - M|| / ||X||, the same formula for everybody."""
    square = X.norm**2 + model.norm**2 - 2 * X.innerprod(model)
    return float(1 - np.sqrt(max(square, 0.0)) / X.norm)


def run_genten(X: genten.Tensor, start: genten.Model, iterations: int) -> genten.Model:
    return genten.cp(X, init=start, max_iterations=iterations, tolerance=0).model


def run_pyttb(X: genten.Tensor, start: genten.Model, iterations: int) -> genten.Model:
    import pyttb

    model, _, _ = pyttb.cp_als(
        X.to_pyttb(), start.rank, stoptol=0, maxiters=iterations, init=start.to_pyttb(), printitn=0
    )
    return genten.Model(model.weights, model.factor_matrices)


def run_tensorly(X: genten.Tensor, start: genten.Model, iterations: int) -> genten.Model:
    import sparse
    from tensorly.contrib.sparse.decomposition import parafac
    from tensorly.cp_tensor import CPTensor

    given = sparse.COO(X.subscripts.T.astype(np.int64), X.values, shape=X.shape)
    init = CPTensor((start.weights.copy(), [factor.copy() for factor in start.factors]))
    weights, factors = parafac(
        given, start.rank, init=init, n_iter_max=iterations, tol=0, normalize_factors=False
    )
    dense = [np.asarray(getattr(f, "todense", lambda f=f: f)()) for f in (weights, *factors)]
    return genten.Model(dense[0], dense[1:])


PEERS = {"genten": run_genten, "pyttb": run_pyttb, "tensorly": run_tensorly}


def measure_peers(X: genten.Tensor, rank: int, iterations: int, repeats: int) -> dict[str, Any]:
    rng = np.random.default_rng(2)
    start = genten.Model(None, [rng.random((length, rank)) for length in X.shape])
    found: dict[str, Any] = {"tensor": repr(X), "rank": rank, "iterations": iterations}
    for name, run in PEERS.items():
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                seconds = []
                run(X, start, 1)  # imports and compiles what it needs
                for _ in range(repeats):
                    # What a run costs beside its iterations goes out with the difference.
                    begun = time.perf_counter()
                    run(X, start, 1)
                    once = time.perf_counter()
                    model = run(X, start, 1 + iterations)
                    seconds.append((time.perf_counter() - 2 * once + begun) / iterations)
        except Exception as error:  # noqa: BLE001: whatever a peer does is told of
            found[name] = {"trouble": f"{type(error).__name__}: {error}"}
            continue
        found[name] = {"seconds": statistics.median(seconds), "fit": fit_of(X, model)}
    return found


def print_report(found: dict[str, Any]) -> None:
    print(f"{found['machine']}, {found['threads']} threads, genten {found['version']}\n")
    times = found["import"]
    print(
        f"import genten: {times['genten']:.3f} s (numpy alone {times['numpy']:.3f} s), package "
        f"{times['package_bytes'] / 2**20:.1f} MiB\n"
    )
    if "path" in found:
        path = found["path"]
        print(f"| {path['nonzeros']} nonzeros, rank {path['rank']} | wall | take | run | fit |")
        print("| --- | --- | --- | --- | --- |")
        for name in ("python", "tool"):
            each = path[name]
            print(
                f"| {name} | {each['wall']:.3f} s | {each['take']:.3f} s | {each['run']:.3f} s | "
                f"{each['fit']:.10f} |"
            )
        print(
            f"\nratio {path['ratio']:.2f}, by the clock on the wall; without the start of a "
            f"process, which takes the tool {path['tool']['start']:.3f} s\n"
        )
    for peers in found["peers"]:
        print(f"{peers['tensor']}, rank {peers['rank']}, {peers['iterations']} iterations\n")
        print("| | seconds an iteration | beside genten | fit | fit - genten's |")
        print("| --- | --- | --- | --- | --- |")
        mine = peers["genten"]
        for name in PEERS:
            each = peers[name]
            if "trouble" in each:
                print(f"| {name} | {each['trouble'][:60]} | | | |")
                continue
            print(
                f"| {name} | {each['seconds']:.4g} | {each['seconds'] / mine['seconds']:.1f} | "
                f"{each['fit']:.12f} | {each['fit'] - mine['fit']:.1e} |"
            )
        print()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tool", default=str(ROOT / "build" / "default" / "bin" / "genten"))
    parser.add_argument("--nonzeros", type=int, default=10_000_000, help="of the path")
    parser.add_argument("--peer-nonzeros", type=int, default=1_000_000, help="of a random tensor")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--iterations", type=int, default=5, help="of the peers")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    found: dict[str, Any] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
        "version": genten.__version__,
        "import": measure_import(given.repeats),
    }
    if pathlib.Path(given.tool).exists():
        found["path"] = measure_path(given.tool, given.nonzeros, given.rank, given.repeats)
    tensors = [genten.read(DEBIAN), genten.tensor(random_coo(given.peer_nonzeros))]
    found["peers"] = [
        measure_peers(X, given.rank, given.iterations, given.repeats) for X in tensors
    ]
    found["threads"] = genten.config()["threads"]
    found["config"] = genten.config()
    print_report(found)
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
