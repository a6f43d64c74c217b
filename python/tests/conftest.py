# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the package share."""

import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import genten

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("GENTEN_TEST_DATA_DIR", ROOT / "data"))


@pytest.fixture
def titanic():
    return genten.read(DATA / "titanic" / "titanic.tns")


@pytest.fixture
def random_arrays():
    """Distinct subscripts (int64, nnz x 3), values and shape of a small random tensor."""
    rng = np.random.default_rng(7)
    shape = (11, 7, 5)
    entries = rng.choice(np.prod(shape), 120, replace=False)
    subscripts = np.ascontiguousarray(np.stack(np.unravel_index(entries, shape), axis=1))
    return subscripts.astype(np.int64), rng.normal(size=120), shape


class OnlyDlpack:
    """What any library offers that speaks DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def run_python(code, **environment):
    """Runs code in a process of its own; its standard output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "GENTEN_TEST_DATA_DIR": str(DATA), **environment},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def same_bits(one, other):
    return one.dtype == other.dtype and np.array_equal(
        np.ascontiguousarray(one).view(np.uint8), np.ascontiguousarray(other).view(np.uint8)
    )


def equal_models(one, other):
    return same_bits(one.weights, other.weights) and all(
        same_bits(a, b) for a, b in zip(one.factors, other.factors, strict=True)
    )
