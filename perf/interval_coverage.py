#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How often intervals of 90 % hold the number that data were drawn from.

    python3 perf/interval_coverage.py [tensors] [refits] [losses]

Tensors are drawn from known models; each is decomposed from its true model, so that what is
measured is the interval and not the search. The table of docs/guide/trust.md is its output. The
last column counts tensors whose second derivatives were not positive definite: these have no
standard errors and do not count.
"""
import sys

import numpy as np

import genten

WITHIN = 1.6448536269514722
SHAPES = {
    "poisson": (12, 10, 8),
    "gaussian": (12, 10, 8),
    "bernoulli-odds": (24, 20, 16),  # Ones and zeros say little each.
}
WEIGHTS = {"poisson": (6000.0, 4000.0), "gaussian": (20.0, 12.0), "bernoulli-odds": (40.0, 28.0)}
RANK = 2


def true_model(rng, loss):
    """A model whose columns have norm one, as that loss has it: sums or 2-norms. Each component is
    strong in rows of its own, and nowhere 0."""
    factors = [rng.random((length, RANK)) + 0.4 for length in SHAPES[loss]]
    for factor in factors:
        half = len(factor) // 2
        factor[:half, 0] *= 4
        factor[half:, 1] *= 4
    by_sum = loss == "poisson"
    factors = [f / (f.sum(0) if by_sum else np.linalg.norm(f, axis=0)) for f in factors]
    return np.array(WEIGHTS[loss]), factors


def drawn(rng, loss, weights, factors):
    """A tensor with the noise of the loss."""
    m = np.einsum("r,ir,jr,kr->ijk", weights, *factors)
    if loss == "poisson":
        return rng.poisson(m).astype(float)
    if loss == "gaussian":
        return m + 0.5 * rng.standard_normal(m.shape)
    return (rng.random(m.shape) < m / (1 + m)).astype(float)


def share_within(loss, tensors, refits):
    """The share of entries and of weights that lie within their intervals, by standard errors and
    by a bootstrap, and the mean ratio of a bootstrap's deviations to standard errors."""
    entries, weights_in, ratios = {"errors": [], "refits": []}, {"errors": [], "refits": []}, []
    left_out = 0
    for seed in range(tensors):
        rng = np.random.default_rng(seed)
        weights, factors = true_model(rng, loss)
        X = genten.tensor(drawn(rng, loss, weights, factors))
        r = genten.cp(
            X, loss=loss, init=(weights, factors), tolerance=1e-9, max_iterations=3000,
            standard_errors=True, bootstrap=refits, ridge=0.0,
        )  # fmt: skip
        found = genten.Model(weights, factors).score(r.model, weight_penalty=False)
        errors, refitted = r.standard_errors, r.bootstrap
        if not errors.determined:
            left_out += 1
            continue
        place = found.permutation
        for n, factor in enumerate(factors):
            truth = factor[:, place]
            truth = truth * np.sign((truth * r.model.factors[n]).sum(0))
            inside = np.isfinite(errors.factors[n])
            # Normal intervals are for entries that lie well within the bounds.
            if loss != "gaussian":
                inside &= truth > 3 * np.nanmedian(errors.factors[n], axis=0)
            off = np.abs(r.model.factors[n] - truth)[inside]
            entries["errors"] += list(off <= WITHIN * errors.factors[n][inside])
            if refits:
                low, high = refitted.factors[n].lower[inside], refitted.factors[n].upper[inside]
                entries["refits"] += list((low <= truth[inside]) & (truth[inside] <= high))
                ratios += list(refitted.factors[n].deviation[inside] / errors.factors[n][inside])
        truth = weights[place]
        weights_in["errors"] += list(np.abs(r.model.weights - truth) <= WITHIN * errors.weights)
        if refits:
            between = (refitted.weights.lower <= truth) & (truth <= refitted.weights.upper)
            weights_in["refits"] += list(between)
    return entries, weights_in, ratios, left_out


def main():
    tensors = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    refits = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    losses = sys.argv[3].split(",") if len(sys.argv) > 3 else list(SHAPES)
    print("| loss | entries, standard errors | weights | entries, refits | weights | ratio | out |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for loss in losses:
        entries, weights, ratios, left_out = share_within(loss, tensors, refits)

        def percent(values):
            return f"{100 * np.mean(values):.1f} %" if len(values) else "-"

        ratio = f"{np.nanmean(ratios):.2f}" if ratios else "-"
        print(
            f"| {loss} | {percent(entries['errors'])} | {percent(weights['errors'])} "
            f"| {percent(entries['refits'])} | {percent(weights['refits'])} | {ratio} "
            f"| {left_out} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
