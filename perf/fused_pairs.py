#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What fused pairs of modes cost and gain in tensors of four modes, part by part.

    PYTHONPATH=build/default/python OMP_NUM_THREADS=1 python perf/fused_pairs.py

The choice of pairs to fuse rests on these figures. The script makes tensors whose subscripts depend
on each other, and of each the same with one pair or both replaced by one mode, whose rows are the
pairs that occur. The kernel `sorted` then computes MTTKRP of all modes of these (the sums), and of
the pairs as tensors of ones with three modes, the pair and its two modes: the first of its MTTKRPs
are the products of factor rows by pair, the other two those of the pair's modes (the passes over
tuples). Both together are what a sweep with fused pairs would take, with the orders that `sorted`
chooses. Tensors are timed in turn, and the fastest calls are added up.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import tempfile

import numpy as np

import genten

ROOT = pathlib.Path(__file__).resolve().parents[1]


def popular(rng, items, power, draws):
    """Items of which the kth is drawn as often as k^-power says, in an order of their own."""
    bounds = np.cumsum(np.arange(1, items + 1, dtype=float) ** -power)
    return rng.permutation(items)[np.searchsorted(bounds, bounds[-1] * rng.random(draws))]


def two_pairs(rng, nonzeros, pairs):
    """A nonzero is one of so many pairs of modes 1 and 2 and one of as many of modes 3 and 4."""
    dimensions = (20000, 2000, 40000, 300)

    def pool(first):
        drawn = [popular(rng, dimensions[first + k], (0.5, 0.7)[k], pairs) for k in range(2)]
        return np.unique(np.stack(drawn, 1), axis=0)

    left, right = pool(0), pool(2)
    chosen = rng.permutation(len(left))[np.arange(nonzeros // 10) % len(left)]
    rows = np.repeat(left[chosen], 10, axis=0)
    return np.hstack([rows, right[popular(rng, len(right), 0.3, len(rows))]]), dimensions


def tags(rng, nonzeros, dimensions, words, power):
    """User, item, tag and day: three tags a posting, out of the user's own so many."""
    postings = nonzeros // 3
    user = np.repeat(popular(rng, dimensions[0], power, postings), 3)
    item = np.repeat(popular(rng, dimensions[1], power, postings), 3)
    day = np.repeat(rng.integers(0, dimensions[3], postings), 3)
    own = popular(rng, dimensions[2], power, dimensions[0] * words).reshape(-1, words)
    tag = own[user, (words * rng.random(len(user)) ** 1.8).astype(int)]
    return np.stack([user, item, tag, day], 1), dimensions


# By name: how it is made, and its two pairs.
TENSORS = {
    "160 a pair": (lambda rng: two_pairs(rng, 4_000_000, 25_000), ((0, 1), (2, 3))),
    "40 a pair": (lambda rng: two_pairs(rng, 4_000_000, 100_000), ((0, 1), (2, 3))),
    "10 a pair": (lambda rng: two_pairs(rng, 4_000_000, 400_000), ((0, 1), (2, 3))),
    "tags of 60 thousand users": (
        lambda rng: tags(rng, 4_000_000, (60_000, 300_000, 50_000, 1000), 40, 0.7),
        ((0, 2), (1, 3)),
    ),
    "tags of 400 thousand users": (
        lambda rng: tags(rng, 4_000_000, (400_000, 2_000_000, 300_000, 3000), 3, 0.4),
        ((0, 2), (1, 3)),
    ),
}


class Parts:
    """One tensor and what is timed of it, as files."""

    def __init__(self, folder, name, rng):
        make, pairs = TENSORS[name]
        subscripts, dimensions = make(rng)
        subscripts = np.unique(subscripts, axis=0).astype(np.uint32)
        self.folder, self.nonzeros, self.tuples, self.files = folder, len(subscripts), [], {}
        columns = [(subscripts[:, m], dimensions[m]) for m in range(4)]
        fused = []
        for k, (a, b) in enumerate(pairs):
            key = subscripts[:, a].astype(np.uint64) * dimensions[b] + subscripts[:, b]
            found, number = np.unique(key, return_inverse=True)
            self.tuples.append(len(found))
            fused.append((number, len(found)))
            rows = [(np.arange(len(found)), len(found)), (found // dimensions[b], dimensions[a]),
                    (found % dimensions[b], dimensions[b])]  # fmt: skip
            self.save(f"tuples {k}", rows)
        self.save("modes", columns)
        for k in range(2):
            self.save(f"pair {k}", [fused[k], *(columns[m] for m in pairs[1 - k])])
        self.save("pairs", fused)

    def save(self, part, columns):
        rows = np.ascontiguousarray(np.stack([rows for rows, _ in columns], 1), dtype=np.uint32)
        shape = tuple(int(length) for _, length in columns)
        self.files[part] = self.folder / f"{part}.gtn"
        genten.write(genten.tensor((rows, np.ones(len(rows)), shape)), self.files[part])

    def measure(self, given):
        """By part, milliseconds of MTTKRP of all modes, the fastest of all calls for each mode."""
        report = self.folder / "report.json"
        best = {}
        for _, (part, file) in itertools.product(range(given.rounds), self.files.items()):
            command = [given.program, "--file", file, "--kernels", "sorted", "--no-probe"]
            command += ["--check-rows", "0", "--ranks", str(given.rank), "--json", report]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            modes = json.loads(report.read_text())["ranks"][0]["kernels"][0]["modes"]
            times = [1e3 * mode["fastest_s"] for mode in modes]
            best[part] = np.minimum(best.get(part, np.inf), times)
        return {part: float(times.sum()) for part, times in best.items()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--program", default=ROOT / "build/default/bin/perf_Mttkrp",
                        help="perf_Mttkrp (default: %(default)s)")  # fmt: skip
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tensors", nargs="+", choices=TENSORS, default=list(TENSORS))
    given = parser.parse_args()
    print("| tensor | fused | nonzeros a tuple | MB of rows | modes | sums | tuples | ratio |")
    print("| --- | --- | --: | --: | --: | --: | --: | --: |")
    for name in given.tensors:
        with tempfile.TemporaryDirectory() as folder:
            parts = Parts(pathlib.Path(folder), name, np.random.default_rng(7))
            ms = parts.measure(given)
            for part, groups in (("pair 0", [0]), ("pair 1", [1]), ("pairs", [0, 1])):
                modes = " and ".join("+".join(str(m + 1) for m in TENSORS[name][1][g])
                                     for g in groups)  # fmt: skip
                often = " and ".join(f"{parts.nonzeros / parts.tuples[g]:.3g}" for g in groups)
                rows = sum(parts.tuples[g] for g in groups) * given.rank * 8e-6
                passes = sum(ms[f"tuples {g}"] for g in groups)
                print(f"| {name} | {modes} | {often} | {rows:.3g} | {ms['modes']:.3g} "
                      f"| {ms[part]:.3g} | {passes:.3g} "
                      f"| {(ms[part] + passes) / ms['modes']:.2f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
