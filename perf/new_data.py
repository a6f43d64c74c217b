#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""New data for an old model: updates of a stream beside CP-ALS, and projected rows one by one.

update   seconds that `Stream.update` takes for a batch of slices, of batches that arrive one after
         another at one stream, the first not counted, beside three iterations of CP-ALS on the same
         batches (the difference of calls with 13 and with 10 iterations) and beside a whole call of
         three, preparation included; medians, and their ratio;
rows     microseconds that `Model.project_rows` takes for a row, by loss.

Data are planted models with noise; --nonzeros is of a batch. Run it on an idle machine, with
OMP_NUM_THREADS set.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import genten


def planted(shape: tuple[int, ...], rank: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.random((length, rank)) for length in shape]


def sampled(factors: list[np.ndarray], nonzeros: int, seed: int) -> genten.Tensor:
    """Counts at distinct subscripts, about the model's values."""
    rng = np.random.default_rng(seed)
    shape = tuple(len(factor) for factor in factors)
    entries = rng.choice(np.prod(shape, dtype=np.int64), nonzeros, replace=False)
    subscripts = np.stack(np.unravel_index(entries, shape), axis=1)
    means = np.ones((nonzeros, factors[0].shape[1]))
    for n, factor in enumerate(factors):
        means *= factor[subscripts[:, n]]
    values = rng.poisson(means.sum(axis=1)) + 1.0
    return genten.tensor((subscripts, values), shape=shape)


def seconds_of(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def measure_updates(rank: int, nonzeros: int, repeats: int) -> list[dict[str, object]]:
    lines = []
    for slices, loss in ((1, "gaussian"), (50, "gaussian"), (1, "poisson"), (50, "poisson")):
        lengths = (600, 500, max(slices, 8))
        warm = sampled(planted(lengths, rank, 1), nonzeros, 2)
        solver = {"loss": loss} if loss == "poisson" else {}
        model = genten.cp(warm, rank, seed=1, max_iterations=20, **solver).model
        took: dict[str, list[float]] = {"update_s": [], "three_s": [], "call_s": []}
        batches = [
            sampled(planted((*lengths[:2], slices), rank, 1), nonzeros, 10 + repeat)
            for repeat in range(repeats + 1)
        ]
        stream = genten.Stream(model, mode=2, loss=loss)
        for batch in batches:
            took["update_s"].append(seconds_of(lambda batch=batch: stream.update(batch)))
        del took["update_s"][0]
        for batch in batches[1:]:

            def als(iterations: int, batch: genten.Tensor = batch) -> float:
                return seconds_of(
                    lambda: genten.cp(batch, rank, seed=1, max_iterations=iterations, tolerance=0.0)
                )

            took["three_s"].append(als(13) - als(10))
            took["call_s"].append(als(3))
        line: dict[str, object] = {"slices": slices, "loss": loss, "nonzeros": nonzeros}
        line |= {name: statistics.median(each) for name, each in took.items()}
        lines.append(line)
    return lines


def measure_rows(rank: int, repeats: int) -> list[dict[str, object]]:
    rows, per_row = 1000, 100
    factors = planted((600, 500, rows), rank, 1)
    X = sampled(factors, rows * per_row, 3)
    binary = genten.tensor((X.subscripts, np.ones(X.nnz)), shape=X.shape)
    model = genten.Model(None, factors)
    lines = []
    for name, tensor, how in (
        ("gaussian", X, {}),
        ("gaussian, nonnegative", X, {"nonnegative": True}),
        ("gaussian, unlisted missing", X, {"missing": "unlisted"}),
        ("poisson", X, {"loss": "poisson"}),
        ("bernoulli-poisson", binary, {"loss": "bernoulli-poisson"}),
    ):
        took = [seconds_of(lambda: model.project_rows(tensor, 2, **how)) for _ in range(repeats)]
        each = 1e6 * statistics.median(took) / rows
        lines.append({"loss": name, "entries": per_row, "row_us": each})
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--nonzeros", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    threads = os.environ.get("OMP_NUM_THREADS", "all")
    updates = measure_updates(options.rank, options.nonzeros, options.repeats)
    rows = measure_rows(options.rank, options.repeats)
    print(f"R = {options.rank}, {threads} threads, medians of {options.repeats}\n")
    print("| a batch | update | three iterations of CP-ALS | a call of three | update / three |")
    print("| --- | --- | --- | --- | --- |")
    for line in updates:
        update, three, call = (1e3 * float(line[n]) for n in ("update_s", "three_s", "call_s"))
        print(
            f"| {line['slices']} slices, {line['nonzeros']} nonzeros, {line['loss']} | "
            f"{update:.1f} ms | {three:.1f} ms | {call:.1f} ms | {update / three:.2f} |"
        )
    print("\n| rows | entries of a row | a row |\n| --- | --- | --- |")
    for line in rows:
        print(f"| {line['loss']} | {line['entries']} | {float(line['row_us']):.0f} us |")
    if options.json:
        about = {"machine": platform.processor(), "threads": threads, "rank": options.rank,
                 "version": genten.__version__, "command": sys.argv}  # fmt: skip
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(about | {"updates": updates, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
