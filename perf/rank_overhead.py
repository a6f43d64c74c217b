#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What choose_rank takes beside the iterations of its runs.

    PYTHONPATH=build/default/python OMP_NUM_THREADS=1 python perf/rank_overhead.py

A line for each phase of all runs on all entries together, and for what is outside of them: scores,
core consistency, preparation. The iterations are the phases of `ITERATIONS`. Runs without held-out
entries are not among the phases; of the default data there are none.
"""

import argparse
import time
from collections import Counter

import genten

ITERATIONS = ("gram", "mttkrp", "solve", "scale", "loop")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="data/debian-packages/debian-packages.tns.zst")
    parser.add_argument("--ranks", type=int, default=12, help="1 to this")
    parser.add_argument("--starts", type=int, default=8)
    given = parser.parse_args()
    X = genten.read(given.data)
    begin = time.perf_counter()
    choice = genten.choose_rank(X, range(1, given.ranks + 1), starts=given.starts)
    total = time.perf_counter() - begin
    phases = Counter()
    for result in choice.results.values():
        phases.update({name: s for name, s in result.timings.items() if name != "total"})
    phases["outside of the runs"] = total - sum(phases.values())
    alone = sum(phases[name] for name in ITERATIONS)
    for name, seconds in phases.most_common():
        print(f"{name:20} {seconds:8.3f} s  {seconds / alone:6.3f}")
    print(f"{'total':20} {total:8.3f} s, {total / alone:.3f} times the iterations' {alone:.3f} s")


if __name__ == "__main__":
    main()
