# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the functions that processes run share."""

import contextlib
import os
import pathlib
import pickle
import sys

import mpi4py
import numpy as np

if sys.argv[1] == "one_thread_alone":
    mpi4py.rc.thread_level = "single"

from mpi4py import MPI  # noqa: E402

COMM = MPI.COMM_WORLD
DATA = pathlib.Path(os.environ["GENTEN_TEST_DATA_DIR"])
UCB = DATA / "ucb-admissions" / "ucb-admissions.tns"
FOLDER = pathlib.Path(sys.argv[2])


def random_part(comm=COMM, dtype=np.float64):
    """(subscripts, values, shape) of all nonzeros, and of those that this process brings."""
    rng = np.random.default_rng(7)
    shape = (30, 20, 10)
    subscripts = rng.integers(0, shape, size=(2000, 3))  # with duplicates
    values = rng.integers(1, 9, 2000).astype(dtype)  # that add up to the same in any order
    mine = np.arange(2000) % comm.size == comm.rank
    return (subscripts, values, shape), (subscripts[mine], values[mine], shape)


def bits(model):
    return b"".join(np.ascontiguousarray(a).tobytes() for a in (model.weights, *model.factors))


def same_everywhere(value, comm=COMM):
    assert len({pickle.dumps(each) for each in comm.allgather(value)}) == 1, value


def close(one, other):
    assert one.iterations == other.iterations and abs(one.fit - other.fit) < 1e-12, (one, other)


@contextlib.contextmanager
def raises(kind, words, comm=COMM):
    """The same on all processes: this kind of exception, with these words."""
    try:
        yield
    except kind as error:
        assert type(error) is kind and words in str(error), repr(error)
        same_everywhere(str(error), comm)
    else:
        raise AssertionError(f"nothing was raised, expected {words}")
