# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Random tensors and the models that they are made of."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import genten


def test_entries_are_as_many_as_asked_for() -> None:
    X = genten.generate((30, 20, 10), 500, values="ones")
    assert X.shape == (30, 20, 10)
    assert X.nnz == X.distinct_subscripts == 500
    assert np.all(X.values == 1)
    again = genten.generate((30, 20, 10), 500, values="ones")
    assert np.array_equal(X.subscripts, again.subscripts)
    other = genten.generate((30, 20, 10), 500, values="ones", seed=2)
    assert not np.array_equal(X.subscripts, other.subscripts)


def test_a_planted_model_is_all_of_its_tensor() -> None:
    made = genten.generate((9, 8, 7), rank=2, support=4)
    X, planted = made
    assert X is made.tensor and planted is made.model
    assert np.allclose(X.to_dense(), planted.to_dense())
    assert planted.evaluate(X).fit == pytest.approx(1)


def test_values_of_a_model_are_at_random_subscripts() -> None:
    X, model = genten.generate((9, 8, 7), 100, rank=2, factors="normal")
    assert X.nnz == 100
    assert np.allclose(X.values, model.to_dense()[tuple(X.subscripts.T)])
    noisy, _ = genten.generate((9, 8, 7), 100, rank=2, factors="normal", noise=0.1)
    assert np.linalg.norm(noisy.values - X.values) == pytest.approx(0.1 * X.norm, rel=0.3)


def test_named_shapes_are_scaled() -> None:
    X = genten.generate("uber", scale=0.001, dtype=np.float32)
    assert X.nnz == 3300
    assert X.ndim == 4
    assert X.values.dtype == np.float32


@pytest.mark.skipif("GENTEN_TOOL" not in os.environ, reason="GENTEN_TOOL names no tool")
def test_it_is_the_tensor_of_the_tool(tmp_path: Path) -> None:
    path = tmp_path / "x.tns"
    subprocess.run(
        [os.environ["GENTEN_TOOL"], "generate", str(path), "--dimensions", "30,20,10"]
        + ["--nnz", "50", "--powers", "0.8,0,0", "--seed", "3"],
        check=True,
        capture_output=True,
    )
    X = genten.generate((30, 20, 10), 50, powers=(0.8, 0, 0), seed=3)
    told = genten.read(path, dimensions=(30, 20, 10))
    assert np.array_equal(X.subscripts, told.subscripts)
    assert np.array_equal(X.values, told.values)


def test_seeds_are_drawn_and_told() -> None:
    X = genten.generate((9, 8, 7), 20, seed=np.random.default_rng(1))
    Y = genten.generate((9, 8, 7), 20, seed=X.file_facts["seed"])
    assert np.array_equal(X.values, Y.values)
    Z = genten.generate((9, 8, 7), 20, seed=None)
    again = genten.generate((9, 8, 7), 20, seed=Z.file_facts["seed"])
    assert np.array_equal(Z.values, again.values)


@pytest.mark.parametrize(
    ("args", "how", "message"),
    [
        (((9, 8),), {}, "shape: expected nnz= or support= beside it"),
        (((9, 8), 5), {"support": 2}, "support: expected rank="),
        (((9, 8), 5), {"noise": 0.1}, "noise: expected rank= beside it, since it is added"),
        (((9, 8), 5), {"rank": 2, "support": 2}, "nnz: it has no effect beside support="),
        (((9, 8), 5), {"rank": 2, "values": "ones"}, "values: it has no effect beside rank="),
        (("uber", 5), {}, "nnz: it has no effect beside shape="),
        (("uber",), {"rank": 2, "support": 2}, "shape: a shape by name has no effect beside sup"),
        (((9, 8),), {"rank": 2, "support": 2, "scale": 2}, "scale: it has no effect beside"),
        (("ubr",), {}, "shape: expected lengths of the modes or one of uber, nell2"),
        (((9, 8), 500), {}, "500"),
        (((9, 8), 5), {"rank": 0}, "rank: expected a whole number from 1"),
        (((9, 8), 5), {"rank": 1, "factors": "unform"}, "factors: expected one of 'uniform'"),
        (((9, 8), 5), {"values": "one"}, "values: expected one of"),
        (((9, 8), 5), {"seed": -1}, "seed: expected a whole number of at least 0"),
        (((9, 8), 5), {"dtype": int}, "dtype: expected float32 or float64"),
        (((9, 8),), {"nonzeros": 5}, "unexpected keyword 'nonzeros'; did you mean 'nnz'"),
    ],
)
def test_what_cannot_be_is_refused(
    args: tuple[object, ...], how: dict[str, object], message: str
) -> None:
    with pytest.raises((TypeError, ValueError, RuntimeError), match=message):
        genten.generate(*args, **how)  # type: ignore[call-overload]
