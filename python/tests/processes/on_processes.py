# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What every process does in `test_processes.py`: on_processes.py NAME,... FOLDER runs these."""

import hashlib
import sys
import time
import traceback
import warnings

import numpy as np
import pandas
import processes_ended
from processes_support import (
    COMM,
    DATA,
    FOLDER,
    MPI,
    UCB,
    bits,
    close,
    raises,
    random_part,
    same_everywhere,
)

import genten

DEBIAN = DATA / "debian-packages" / "debian-packages.tns.zst"


def file():
    r = genten.cp(UCB, 3, seed=1, tolerance=0, max_iterations=10, comm=COMM)
    one = genten.cp(UCB, 3, seed=1, tolerance=0, max_iterations=10)
    close(r, one)
    same_everywhere((r.fit, r.stop_reason, list(r.history.fit), r.warnings, r.tensor_facts))
    assert one.ranks is None and r.ranks["count"] == COMM.size
    assert r.ranks["library"] in MPI.Get_library_version().replace("\t", " ")
    assert r.tensor_facts["nnz"] == 24 and r.tensor_facts["file"] == str(UCB)
    assert (r.model is None) == (COMM.rank != 0)
    if COMM.rank == 0:
        assert r.model.score(one.model) > 1 - 1e-9
        assert r.starts[0].model is r.model
    else:
        assert "model     that of process 0" in repr(r)


def compressed_file():
    r = genten.cp(DEBIAN, 4, tolerance=0, max_iterations=3, comm=COMM)
    close(r, genten.cp(DEBIAN, 4, tolerance=0, max_iterations=3))


def parts():
    whole, mine = random_part()
    how = {"seed": 3, "tolerance": 0, "max_iterations": 8}
    r = genten.cp(mine, 4, comm=COMM, **how)
    one = genten.cp(whole, 4, **how)
    close(r, one)
    assert r.tensor_facts["nnz"] == 2000
    assert r.tensor_facts["distinct_subscripts"] == one.tensor_facts["distinct_subscripts"] < 2000
    again = genten.cp(genten.tensor(mine), 4, comm=COMM, **how)
    if COMM.rank == 0:
        assert bits(r.model) == bits(again.model)
    root = genten.cp(whole if COMM.rank == COMM.size - 1 else None, 4, comm=COMM, **how)
    close(root, one)
    grid = genten.cp(mine, 4, comm=COMM, grid=[1, COMM.size, 1], **how)
    close(grid, one)
    assert grid.ranks["grid"] == f"1x{COMM.size}x1"


def long_modes():
    shape = (2**33, 4)
    mine = (np.array([[2**32 + COMM.rank, COMM.rank], [5, 1]]), np.array([1.0, 2.0]), shape)
    with raises(MemoryError, "needs 64.1 GiB of memory (model 64 GiB"):
        genten.cp(mine, 1, comm=COMM, memory_available=1e6)


def single_precision():
    whole, mine = random_part(dtype=np.float32)
    how = {"tolerance": 0, "max_iterations": 5}
    r = genten.cp(mine, 2, comm=COMM, **how)
    same_everywhere(r.options["dtype"])
    assert r.options["dtype"] == "float32" and abs(r.fit - genten.cp(whole, 2, **how).fit) < 1e-5
    wide = genten.cp(mine, 2, comm=COMM, dtype=np.float64, **how)
    close(wide, genten.cp(whole, 2, dtype=np.float64, **how))
    if COMM.rank == 0:
        assert r.model.dtype == np.float32 and wide.model.dtype == np.float64
    other = (mine[0], mine[1].astype(np.float64 if COMM.rank == 0 else np.float32), mine[2])
    with raises(ValueError, "dtype: expected values of one type on all processes"):
        genten.cp(other, 2, comm=COMM)
    tiny = (np.array([[0, 0], [1, 1]]), np.array([1.0, 1e-60 if COMM.rank == 0 else 1.0]), (2, 2))
    with raises(ValueError, "values: nonzero 1: expected what float32 holds, got a value so small"):
        genten.cp(tiny, 1, comm=COMM, dtype="float32")


def notes():
    """Those on the tensor, of which each process has a part."""
    places = np.argwhere(np.random.default_rng(5).random((12, 10, 4)) < 0.8)
    counts = 20.0 + places.sum(axis=1)
    stars = 1.0 + counts % 5
    parents = np.column_stack([places, places[:, 0] // 3])
    codes = "ratings", "unlisted_zeros", "determined_modes"
    for subscripts, values, code in (
        (places, counts, "unlisted_zeros"),
        (places, stars, "ratings"),
        (parents, counts**2, "determined_modes"),
    ):
        shape = tuple(subscripts.max(axis=0) + 1)
        table = pandas.DataFrame(subscripts, columns=list("abcd")[: len(shape)]).assign(n=values)
        how = {"values": "n", "shape": shape}
        whole, file = genten.tensor(table, **how), FOLDER / f"{code}.tns"
        if COMM.rank == 0:
            whole.save(file)
        COMM.barrier()
        mine = genten.tensor(table[COMM.rank :: COMM.size], **how)
        arrays = subscripts, values, shape
        for given, one in ((mine, whole), (file, file), (arrays, arrays)):
            if given is arrays:
                given = tuple(each[COMM.rank :: COMM.size] for each in arrays[:2]) + (shape,)
            r = genten.cp(given, 2, comm=COMM, max_iterations=3)
            alone = genten.cp(one, 2, max_iterations=3)
            told, wanted = (
                [(note.code, note.text, note.numbers) for note in each.notes if note.code in codes]
                for each in (r, alone)
            )
            assert told == wanted
            assert [code] == [each for each, *_ in told] or (one is arrays and not told)
            same_everywhere(told)


def split():
    half = COMM.Split(COMM.rank % 2, key=-COMM.rank)
    whole, mine = random_part(half)
    how = {"seed": 3 + COMM.rank % 2, "tolerance": 0, "max_iterations": 5}
    r = genten.cp(mine, 4, comm=half, **how)
    close(r, genten.cp(whole, 4, **how))
    assert (r.ranks is None) == (half.size == 1)
    assert (r.model is None) == (half.rank != 0)
    half.Free()
    alone = genten.cp(whole, 4, comm=MPI.COMM_SELF, loss="poisson", max_iterations=2)
    assert alone.ranks is None and alone.deviance > 0


def options():
    whole, mine = random_part()
    how = {"tolerance": 0, "max_iterations": 5, "seed": 2}
    for more in ({"nonnegative": True, "l1": 0.1}, {"starts": 3}, {"mode_order": [2, 0, 1]},
                 {"upper": [0.5, 1, 2]}):  # fmt: skip
        r, one = genten.cp(mine, 3, comm=COMM, **how, **more), genten.cp(whole, 3, **how, **more)
        close(r, one)
        assert [len(start.history) for start in r.starts] == [5] * len(one.starts)
        same_everywhere([list(start.history.fit) for start in r.starts])
    kept = genten.cp(mine, 3, comm=COMM, starts=2, keep_starts=True, **how)
    assert all((start.model is None) == (COMM.rank != 0) for start in kept.starts)
    # Of process 0, so that the model of a run, which the others do not have, may begin another.
    first = genten.cp(mine, 3, comm=COMM, **how)
    on = genten.cp(mine, comm=COMM, init=first.model, tolerance=0, max_iterations=5)
    long = genten.cp(mine, 3, comm=COMM, **{**how, "max_iterations": 10})
    assert abs(on.fit - long.fit) < 1e-9
    how_fixed = {"init": first.model, "fixed_modes": [1], "tolerance": 0, "max_iterations": 5}
    fixed = genten.cp(mine, comm=COMM, **how_fixed)
    if COMM.rank == 0:
        assert abs(fixed.fit - genten.cp(whole, **how_fixed).fit) < 1e-9
    with raises(ValueError, "fixed_modes: expected init beside it"):
        genten.cp(mine, 3, comm=COMM, fixed_modes=[1])
    with raises(ValueError, "rank: expected that of the initial guess, 3, got 4"):
        genten.cp(mine, 4, comm=COMM, init=first.model)
    with raises(ValueError, "initial guess with the tensor's dimensions"):
        genten.cp(UCB, 3, comm=COMM, init=first.model)


def callback():
    _, mine = random_part()
    seen = []

    def look(iteration):
        model = iteration.model() if iteration.iteration == 2 else None
        seen.append((iteration.fit, None if model is None else model.weights[0]))
        return iteration.iteration == 3

    r = genten.cp(mine, 3, comm=COMM, callback=look, progress=True)
    assert r.stop_reason == r.stopped_early == "callback" and r.iterations == 3
    assert len(seen) == (3 if COMM.rank == 0 else 0)

    class Odd(Exception):
        pass

    def fail(iteration):
        raise KeyError("mine") if iteration.iteration == 2 else Odd()

    with raises(KeyError, "mine"):
        genten.cp(mine, 3, comm=COMM, callback=lambda it: it.iteration == 2 and fail(it))
    try:
        genten.cp(mine, 3, comm=COMM, callback=fail)
    except Exception as error:  # what cannot be sent to the others comes as its words
        assert type(error) is (Odd if COMM.rank == 0 else RuntimeError)


def checkpoints():
    _, mine = random_part()
    path = FOLDER / "run.gkt"
    how = {"tolerance": 0, "seed": 5, "starts": 2}
    whole = genten.cp(mine, 3, comm=COMM, max_iterations=12, **how)
    genten.cp(mine, 3, comm=COMM, max_iterations=12, checkpoint=path, checkpoint_every=5,
              callback=lambda it: it.start == 1 and it.iteration == 7, **how)  # fmt: skip
    on = genten.cp(mine, comm=COMM, resume=path if COMM.rank == 0 else None)
    assert on.fit == whole.fit and on.iterations == whole.iterations
    if COMM.rank == 0:
        assert bits(on.model) == bits(whole.model)
        assert abs(genten.cp(random_part()[0], resume=path).fit - whole.fit) < 1e-12
    with raises(ValueError, "seed: expected that of the checkpoint, 5, got 6"):
        genten.cp(mine, comm=COMM, resume=path, seed=6)
    with raises(FileNotFoundError, "No such file"):
        genten.cp(mine, comm=COMM, resume=FOLDER / "none.gkt")
    with raises(TypeError, "resume: expected the path of a file, got 5"):
        genten.cp(mine, 3, comm=COMM, resume=5 if COMM.rank == 0 else None)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        genten.cp(mine, 3, comm=COMM, max_iterations=2, checkpoint=FOLDER / "none" / "run.gkt")
    assert any("no checkpoint" in str(each.message) for each in told) == (COMM.rank == 0)


def memory_of_checkpoints():
    rows = np.arange(COMM.rank, 40000, COMM.size)
    mine = (np.stack([rows, rows * 7 % 40], 1), 1.0 + rows % 3, (40000, 40))
    # A model of 12.8 MB, beside which process 0 has its rows; a checkpoint's state is twice that.
    how = {"tolerance": 0, "max_iterations": 2, "kernel": "atomic", "memory_available": 38e6}
    file = FOLDER / "large.gkt"
    genten.cp(mine, 40, comm=COMM, **how)
    with raises(MemoryError, "a checkpoint of rank 40, on process 0, needs"):
        genten.cp(mine, 40, comm=COMM, checkpoint=file if COMM.rank == 0 else None, **how)
    assert not file.exists()
    how["memory_available"] = 60e6
    genten.cp(mine, 40, comm=COMM, checkpoint=file, **how)
    with raises(MemoryError, "factors before"):
        genten.cp(mine, 40, comm=COMM, checkpoint=file, acceleration="nesterov", **how)


def labels():
    rows = [["a", "b"], ["x", "y", "z"]]
    subscripts = np.array([[COMM.rank % 2, 0], [1, 2]])
    mine = genten.tensor((subscripts, np.array([1.0, 2.0]), (2, 3)), labels=rows,
                         mode_names=["left", "right"])  # fmt: skip
    r = genten.cp(mine, 1, comm=COMM, nonnegative=["left"])
    if COMM.rank == 0:
        assert r.model.labels == rows and r.model.mode_names == ["left", "right"]
        genten.write(mine, FOLDER / "named.tns")  # whose last rows an empty slice may be
    COMM.barrier()
    r = genten.cp(FOLDER / "named.tns", 1, comm=COMM)
    assert r.tensor_facts["shape"] == (2, 3)
    if COMM.rank == 0:
        assert r.model.labels == rows
        guess = genten.Model(None, [r.model.factors[0][::-1], r.model.factors[1]],
                             [["b", "a"], rows[1]])  # fmt: skip
    else:
        guess = None
    genten.cp(FOLDER / "named.tns", comm=COMM, init=guess)
    other = [["b", "a"], rows[1]] if COMM.rank == 1 else rows
    with raises(ValueError, "labels: expected the same on all processes"):
        genten.cp(genten.tensor(mine, labels=other), 1, comm=COMM)


def digest():
    """Prints what must be the same in another run, and with another MPI."""
    r = genten.cp(random_part()[1], 4, comm=COMM, seed=3, tolerance=0, max_iterations=8)
    if COMM.rank == 0:
        print("bits", hashlib.sha256(bits(r.model)).hexdigest())


if __name__ == "__main__":
    try:
        for name in sys.argv[1].split(","):
            begun = time.monotonic()
            (globals().get(name) or getattr(processes_ended, name))()
            COMM.barrier()
            if COMM.rank == 0:
                print(f"{name} {time.monotonic() - begun:.2f} s", flush=True)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        COMM.Abort(1)
