# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which solver of a loss is the fastest: seconds until its objective is within 1e-6 of the best.

    PYTHONPATH=build/default/python python3 perf/losses_default.py [--debian] [--limit S]
        [--cpu] [--seeds N,...] [NAME ...]

Ten tensors, each with a loss; from one random guess the solver of the loss (alternating least
squares, counts by Newton's steps), L-BFGS, Newton's method by rows and Adam. The best objective is
that of any of them, so that a solver that ends at another minimum has none; in brackets is then by
what part it is above. `--cpu`: seconds of this process on all cores, which a busy machine
lengthens less; with OMP_NUM_THREADS=1.
`--peers`: Adam of pyttb (pip install pyttb) on three of them, and how long the default of the loss,
L-BFGS and Adam take here from the same guess to the objective that it ends with.
`--binary`: bernoulli-poisson beside poisson on data/debian-packages, R = 16: iterations and seconds
until each is within 1e-6 of its own best objective, in turn.
"""

import argparse
import time

import numpy as np

import genten

CLOSE = 1e-6


def planted(shape, rank, seed, density):
    """The values of a random nonnegative model with sparse factors, of that mean."""
    rng = np.random.default_rng(seed)
    factors = [rng.gamma(1.0, size=(n, rank)) * (rng.uniform(size=(n, rank)) < 0.4) for n in shape]
    values = np.einsum("ir,jr,kr->ijk", *factors)
    return values * density / values.mean(), rng


def counts(shape, rank, seed, density):
    mean, rng = planted(shape, rank, seed, density)
    return genten.tensor(rng.poisson(mean).astype(float))


def scattered(shape, rank, seed, density):
    """Counts whose variance is above their mean."""
    mean, rng = planted(shape, rank, seed, density)
    return genten.tensor(rng.poisson(mean * rng.gamma(2.0, 0.5, size=shape)).astype(float))


def links(shape, rank, seed, density):
    mean, rng = planted(shape, rank, seed, density)
    return genten.tensor((rng.uniform(size=shape) < 1.0 - np.exp(-mean)).astype(float))


def measured(shape, rank, seed, outliers):
    """Numbers of both signs with noise, and a part of outliers."""
    rng = np.random.default_rng(seed)
    values = np.einsum("ir,jr,kr->ijk", *(rng.normal(size=(n, rank)) for n in shape))
    values += 0.3 * rng.normal(size=shape)
    values[rng.uniform(size=shape) < outliers] += 20.0
    return genten.tensor(values)


def responses():
    """Those of data/il2-response that are above 0."""
    X = genten.read("data/il2-response/il2-response.tns.zst")
    kept = X.values > 0
    return genten.tensor((X.subscripts[kept], X.values[kept], X.shape))


def read(name):
    return genten.read(f"data/{name}/{name}.tns")


TENSORS = {
    "titanic": (lambda: read("titanic"), 2, {"loss": "negative-binomial"}, ""),
    "ucb": (lambda: read("ucb-admissions"), 2, {"loss": "poisson"}, "apr"),
    "il2 above 0": (responses, 3, {"loss": "gamma", "missing": "unlisted"}, ""),
    "outliers": (lambda: measured((40, 30, 20), 3, 1, 0.02), 3, {"loss": "huber"}, ""),
    "noise": (lambda: measured((60, 50, 40), 5, 2, 0.0), 5, {"loss": "gaussian"}, "als"),
    "counts": (lambda: counts((150, 120, 80), 6, 3, 0.05), 6, {"loss": "poisson"}, "apr"),
    "scattered": (lambda: scattered((60, 50, 40), 4, 4, 0.3), 4,
                  {"loss": "negative-binomial", "loss_parameter": 2}, ""),
    "links": (lambda: links((60, 50, 40), 4, 5, 0.05), 4, {"loss": "bernoulli-logit"}, ""),
    "odds": (lambda: links((60, 50, 40), 4, 6, 0.05), 4, {"loss": "bernoulli-odds"}, ""),
    "many links": (lambda: links((150, 120, 80), 6, 7, 0.02), 6, {"loss": "bernoulli-poisson"},
                   "apr"),
}  # fmt: skip
DEBIAN = {
    "debian": (lambda: genten.read("data/debian-packages/debian-packages.tns.zst"), 16,
               {"loss": "bernoulli-poisson"}, "apr"),
}  # fmt: skip


def guess_of(X, rank, how, seed=7):
    """One random model for all solvers, of the size of the data."""
    return genten.cp(X, rank, solver="gcp", max_iterations=0, seed=seed, **how).model


def course(X, rank, how, guess, limit, clock=None, **options):
    """Seconds and objectives of a run, as sums of f over all entries that count."""
    began, ends = (clock or time.perf_counter)(), []

    def note(iteration):
        ends.append((clock or time.perf_counter)() - began)
        return bool(clock) and ends[-1] > limit

    if not clock:
        options["time_limit"] = limit
    r = genten.cp(X, rank, init=guess, max_iterations=100000, callback=note, **how, **options)
    found = genten.evaluate(r.model, X, how["loss"], how.get("loss_parameter"))
    objective = np.asarray(r.history.objective)
    # Alternating solvers have their own constants, and least squares half of the sum.
    factor = 2.0 if r.options["solver"] == "als" else 1.0
    reached = (found.listed if "missing" in how else found.all).loss
    shift = 0.0 if r.options["solver"] == "gcp" else factor * r.objective - reached
    return np.asarray(ends), factor * objective - shift


def cell(seconds, objectives, best):
    close = np.flatnonzero(objectives <= best + CLOSE * abs(best))
    if len(close):
        return f"{seconds[close[0]]:.3g}"
    return f"- ({(objectives.min() - best) / abs(best):.0e})"


METHODS = ("lbfgs", "rows", "adam")


def measure(tensors, limit, seeds, clock, methods):
    print("| tensor | shape | nonzeros | R | loss | own solver | L-BFGS | rows | Adam |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, seed in ((name, seed) for name in tensors for seed in seeds):
        make, rank, how, own = tensors[name]
        X = make()
        guess = guess_of(X, rank, how, seed)
        runs = {}
        if own:
            runs["own"] = course(X, rank, how, guess, limit, clock, solver=own, tolerance=1e-9)
        for method in methods:
            more = {"solver": "gcp", "method": method, "tolerance": 1e-9}
            runs[method] = course(X, rank, how, guess, limit, clock, **more)
        best = min(objectives.min() for _, objectives in runs.values())
        cells = [cell(*runs[k], best) if k in runs else "" for k in ("own", *METHODS)]
        shape = " x ".join(map(str, X.shape))
        loss = how["loss"] + (", unlisted missing" if "missing" in how else "")
        cells[0] = f"{cells[0]} ({own})" if own else ""
        title = name + (f", seed {seed}" if len(seeds) > 1 else "")
        facts = [title, shape, f"{X.nnz:,}", str(rank), loss, *cells]
        print(f"| {' | '.join(facts)} |", flush=True)


def measure_binary(rounds, iterations):
    """Both losses from the same random start, in turn, beside each one's best of all rounds."""
    X = genten.read("data/debian-packages/debian-packages.tns.zst")
    print("| loss | iterations to 1e-6 | s an iteration | CPU s an iteration | s | CPU s |")
    print("| --- | --: | --: | --: | --: | --: |")
    for _ in range(rounds):
        seconds = []
        for loss in ("poisson", "bernoulli-poisson"):
            began, cpu = time.perf_counter(), time.process_time()
            r = genten.cp(X, 16, loss=loss, solver="apr", tolerance=0, max_iterations=iterations)
            wall, cpu = time.perf_counter() - began, time.process_time() - cpu
            objective = np.asarray(r.history.objective)
            best = objective.min()
            first = np.flatnonzero(objective <= best + CLOSE * abs(best))[0]
            seconds.append((first + 1) * cpu / len(objective))
            print(f"| {loss} | {first + 1} of {len(objective)} | {wall / len(objective):.3g} | "
                  f"{cpu / len(objective):.3g} | {r.history.seconds[first]:.3g} | "
                  f"{seconds[-1]:.3g} |", flush=True)  # fmt: skip
        ratio = seconds[1] / seconds[0]
        print(f"bernoulli-poisson takes {ratio:.2f} times the CPU time", flush=True)


# Its sampler needs zeros: "noise" and "outliers" have none.
PEERS = {
    "counts": ("POISSON", "poisson"),
    "odds": ("BERNOULLI_ODDS", "bernoulli-odds"),
    "scattered": ("POISSON", "poisson"),
}


def measure_peers(limit, epochs):
    import pyttb
    from pyttb.gcp.handles import Objectives
    from pyttb.gcp.optimizers import Adam

    print("| tensor | loss | pyttb's Adam: s | CPU s | its F | default | L-BFGS | Adam |")
    print("| --- | --- | --: | --: | --: | --: | --: | --: |")
    for name, (objective, loss) in PEERS.items():
        make, rank, _, _ = TENSORS[name]
        X, how = make(), {"loss": loss}
        guess = guess_of(X, rank, how)
        np.random.seed(0)
        theirs = pyttb.sptensor(np.asarray(X.subscripts, dtype=np.int64),
                                np.asarray(X.values).reshape(-1, 1), X.shape)  # fmt: skip
        began, cpu = time.perf_counter(), time.process_time()
        adam = Adam(max_iters=epochs, printitn=0)
        found, *_ = pyttb.gcp_opt(theirs, rank, Objectives[objective], adam,
                                  init=guess.to_pyttb(), printitn=0)  # fmt: skip
        spent, cpu = time.perf_counter() - began, time.process_time() - cpu
        model = genten.Model(found.weights, found.factor_matrices)
        reached = genten.evaluate(model, X, loss).all.loss
        cells = []
        for method in ("", "lbfgs", "adam"):
            more = {"solver": "gcp", "method": method} if method else {}
            seconds, objectives = course(X, rank, how, guess, limit, tolerance=1e-9, **more)
            there = np.flatnonzero(objectives <= reached)
            cells.append(f"{seconds[there[0]]:.3g}" if len(there) else "-")
        row = " | ".join([f"{spent:.3g}", f"{cpu:.3g}", f"{reached:.9g}", *cells])
        print(f"| {name} | {loss} | {row} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="of tensors; all if none")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of a run at most")
    parser.add_argument("--debian", action="store_true", help="data/debian-packages, too")
    parser.add_argument("--cpu", action="store_true", help="time of processors, not of the wall")
    parser.add_argument("--seeds", default="7", help="of guesses, separated by commas")
    parser.add_argument("--methods", default=",".join(METHODS), help="beside the own solver")
    parser.add_argument("--binary", action="store_true")
    parser.add_argument("--rounds", type=int, default=3, help="of --binary")
    parser.add_argument("--iterations", type=int, default=400, help="of --binary")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--epochs", type=int, default=1000, help="of the peer, 1000 steps each")
    given = parser.parse_args()
    if given.peers:
        measure_peers(given.limit, given.epochs)
        return
    if given.binary:
        measure_binary(given.rounds, given.iterations)
        return
    tensors = {**TENSORS, **(DEBIAN if given.debian else {})}
    names = given.names or list(tensors)
    seeds = [int(seed) for seed in given.seeds.split(",")]
    clock = time.process_time if given.cpu else None
    chosen = {name: tensors[name] for name in names}
    measure(chosen, given.limit, seeds, clock, given.methods.split(","))


if __name__ == "__main__":
    main()
