# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How often `genten.choose_rank` finds the number of components that a tensor was made of.

    PYTHONPATH=build/default/python python3 perf/choose_rank.py [--seeds N] [KIND ...]

Tensors of 20 x 18 x 16 made of three, four or five components in turn, ranks 1 to 7, default
options: normal factors with 20 % noise, uniform ones (so nearly collinear) with 5 %, Poisson counts
of about 1,500 in all with factors a third filled, 30 x 24 x 50 of components of which each is .7
times as large as the one before, with 30 % noise, and noise alone, of which nothing replicates. The
table has how often the suggestion is right, and each of the three picks alone.
"""

import argparse
import time
from collections import Counter

import numpy as np

import genten

SHAPE = (20, 18, 16)
COUNTS = 1500


def with_noise(X, part, rng):
    """X and normal noise, of that part of its norm."""
    noise = rng.normal(size=X.shape)
    return X + part * np.linalg.norm(X) / np.linalg.norm(noise) * noise


def whole(factors):
    return np.einsum("ir,jr,kr->ijk", *factors)


def normal(rank, rng):
    return with_noise(whole([rng.normal(size=(n, rank)) for n in SHAPE]), 0.2, rng), {}


def collinear(rank, rng):
    return with_noise(whole([rng.uniform(size=(n, rank)) for n in SHAPE]), 0.05, rng), {}


def counts(rank, rng):
    mean = whole([rng.uniform(size=(n, rank)) * (rng.uniform(size=(n, rank)) < 1 / 3)
                  for n in SHAPE])  # fmt: skip
    drawn = rng.poisson(mean * COUNTS / mean.sum()).astype(float)
    return drawn, {"loss": "poisson"}


def sizes(rank, rng):
    shape = 30, 24, 50
    columns = [rng.normal(size=(n, rank)) for n in shape]
    first, *others = [each / np.linalg.norm(each, axis=0) for each in columns]
    return with_noise(whole([first * 0.7 ** np.arange(rank), *others]), 0.3, rng), {}


def noise(rank, rng):
    return rng.normal(size=SHAPE), {}


KINDS = {"normal": normal, "collinear": collinear, "counts": counts, "sizes": sizes, "noise": noise}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], default=[])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--starts", type=int, default=8)
    parser.add_argument("--verbose", action="store_true", help="each tensor, too")
    given = parser.parse_args()
    print(f"{'kind':<11}{'right':>9}  agreement  held out  one error  undecided  seconds each")
    for name in given.kinds or KINDS:
        right, began = Counter(), time.perf_counter()
        for seed in range(given.first, given.first + given.seeds):
            rank = 3 + seed % 3
            X, options = KINDS[name](rank, np.random.default_rng(seed))
            choice = genten.choose_rank(X, range(1, 8), starts=given.starts, **options)
            true = 0 if name == "noise" else rank
            right["suggested"] += choice.suggested == true
            right["undecided"] += not choice.decided
            for pick, value in choice.picks.items():
                right[pick] += value == true
            if given.verbose:
                print(f"  {seed}: {true}, got {choice.suggested} of {choice.picks}", flush=True)
        each = (time.perf_counter() - began) / given.seeds
        print(
            f"{name:<11}{right['suggested']:>3} of {given.seeds}  {right['agreement']:>9}"
            f"  {right['held_out']:>8}  {right['standard_error']:>9}  {right['undecided']:>9}"
            f"  {each:>12.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
