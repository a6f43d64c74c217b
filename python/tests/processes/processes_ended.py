# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What processes do where something is wrong, or ends a run."""

import os
import signal
import threading
import time
import warnings

import numpy as np
from processes_support import COMM, FOLDER, MPI, UCB, raises, random_part, same_everywhere

import genten
import genten._run.processes


def errors():
    whole, mine = random_part()
    last = COMM.size - 1
    alone = COMM.rank == last
    with raises(ValueError, "rank: expected a whole number from 1"):
        genten.cp(mine, 0, comm=COMM)
    with raises(TypeError, "unexpected keyword 'max_iter'"):
        genten.cp(mine, 2, comm=COMM, max_iter=3)
    expected = "seed: expected the same on all processes, got 1 on process 0 and 2 on process"
    with raises(ValueError, expected):
        genten.cp(mine, 2, comm=COMM, seed=2 if alone else 1)
    with raises(ValueError, "got nothing on process 0 and 0.5 on process"):
        genten.cp(mine, 2, comm=COMM, **({"ridge": 0.5} if alone else {}))
    with raises(ValueError, "X: expected the same on all processes, got nonzeros on process 0"):
        genten.cp(UCB if alone else mine, 2, comm=COMM)
    with raises(ValueError, "X: expected the shape of the whole tensor on all processes"):
        genten.cp((*mine[:2], (30, 20, 11)) if alone else mine, 2, comm=COMM)
    with raises(ValueError, "X: expected at least one process to bring nonzeros"):
        genten.cp(None, 2, comm=COMM)
    with raises(ValueError, "nonzero 0: expected a subscript below 30 in mode 0, got"):
        genten.cp((mine[0] + 30, *mine[1:]) if alone else mine, 2, comm=COMM)
    with raises(FileNotFoundError, "No such file"):
        genten.cp(FOLDER / "none.tns", 2, comm=COMM)
    (FOLDER / "bad.tns").write_text("1 1 1\n1 x 1\n")
    COMM.barrier()
    with raises(OSError, "bad.tns:2: "):
        genten.cp(FOLDER / "bad.tns", 2, comm=COMM)
    with raises(ValueError, "grid"):
        genten.cp(mine, 2, comm=COMM, grid=[7, 1, 1])
    with raises(ValueError, "mode_order: expected a mode from 0 to 2, got -4"):
        genten.cp(mine, 2, comm=COMM, mode_order=[0, 1, -4])
    shared = np.array(mine[1])
    tensor = genten.tensor((np.ascontiguousarray(mine[0]), shared, mine[2]))
    if alone:
        shared[3] = np.nan
    with raises(ValueError, "nonzero 3: expected a finite value"):
        genten.cp(tensor, 2, comm=COMM)
    with raises(MemoryError, "allowed are 1000 bytes"):
        genten.cp(mine, 2, comm=COMM, memory_available=1000)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        genten.cp(whole, 2, comm=COMM)
    assert any("brought the same nonzeros" in str(w.message) for w in told) == (COMM.rank == 0)


def refused():
    _, mine = random_part()
    with raises(ValueError, "loss='poisson': runs on one process"):
        genten.cp(mine, 2, comm=COMM, loss="poisson")
    with raises(ValueError, "missing: runs on one process"):
        genten.cp(mine, 2, comm=COMM, missing="unlisted")
    with raises(ValueError, "init='nvecs': runs on one process"):
        genten.cp(mine, 2, comm=COMM, init="nvecs")
    with raises(ValueError, "standard_errors: runs on one process"):
        genten.cp(mine, 2, comm=COMM, standard_errors=True)
    with raises(ValueError, "bootstrap: runs on one process"):
        genten.cp(mine, 2, comm=COMM, bootstrap=5)
    with raises(TypeError, "comm: cp_als returns the initial guess"):
        genten.cp_als(mine, 2, comm=COMM)
    with raises(TypeError, "grid: has no effect in one process"):
        genten.cp(mine, 2, grid=[1, 1, 1])
    with raises(TypeError, "comm: expected a communicator of mpi4py, got 3"):
        genten.cp(mine, 2, comm=3)
    with raises(TypeError, "got MPI.COMM_NULL"):
        genten.cp(mine, 2, comm=MPI.COMM_NULL)
    half = COMM.Split(min(COMM.rank, 1))
    joined = half.Create_intercomm(0, COMM, 1 - min(COMM.rank, 1))
    with raises(TypeError, "got an intercommunicator"):
        genten.cp(mine, 2, comm=joined)
    path = FOLDER / "counts.gkt"
    if COMM.rank == 0:
        genten.cp(UCB, 2, loss="poisson", checkpoint=path)
    COMM.barrier()
    with raises(ValueError, "resume: a checkpoint of a run like its"):
        genten.cp(UCB, comm=COMM, resume=path)


def without_module():
    """Run with a package that has none."""
    _, mine = random_part()
    with raises(RuntimeError, "this build of genten has no module for the MPI of mpi4py"):
        genten.cp(mine, 2, comm=COMM)
    genten.cp(mine, 2, comm=MPI.COMM_SELF, max_iterations=1)


def one_thread_alone():
    """Run where MPI serves one thread."""
    _, mine = random_part()
    with raises(RuntimeError, "MPI was started for one thread alone"):
        genten.cp(mine, 2, comm=COMM)


def no_turn():
    """One process alone cannot begin to compute."""
    if COMM.rank == 1:
        genten.config(threads=10**6)
    with raises(ValueError, "1000000"):
        genten.cp(UCB, 2, comm=COMM)


def at_work(act):
    """A callback for process 0, after whose first call the last process has `act` called."""
    mark = FOLDER / act.__name__

    def wait():
        while not mark.exists():
            time.sleep(0.01)
        act()

    if COMM.rank == COMM.size - 1:
        threading.Thread(target=wait, daemon=True).start()
    return lambda iteration: iteration.iteration == 1 and mark.touch()


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


def interrupted():
    """A Ctrl-C on the last process alone."""
    _, mine = random_part()
    r = genten.cp(mine, 3, comm=COMM, tolerance=0, max_iterations=10**8,
                  callback=at_work(interrupt))  # fmt: skip
    assert r.stop_reason == r.stopped_early == "interrupted", r
    same_everywhere((r.fit, r.iterations))


def interrupted_early():
    """The same before there is anything to return."""
    _, mine = random_part()
    if COMM.rank == COMM.size - 1:
        genten._run.processes.tensor = lambda given: signal.raise_signal(signal.SIGINT)
    with raises(KeyboardInterrupt, ""):
        genten.cp(mine, 3, comm=COMM)


def alarm():
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def handlers():
    """What a signal's handler raises on one process."""
    _, mine = random_part()

    def stop(*_):
        raise TimeoutError("too late")

    signal.signal(signal.SIGALRM, stop)
    with raises(TimeoutError, "too late"):
        genten.cp(mine, 3, comm=COMM, tolerance=0, max_iterations=10**8, callback=at_work(alarm))


def time_limit():
    _, mine = random_part()
    r = genten.cp(mine, 3, comm=COMM, tolerance=0, max_iterations=10**8, time_limit=0.3)
    assert r.stop_reason == "time_limit" and r.timings["total"] < 30
    same_everywhere(r.iterations)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def killed():
    """One process ends where nobody expects it: the launcher ends the others."""
    _, mine = random_part()
    genten.cp(mine, 3, comm=COMM, tolerance=0, max_iterations=10**8, callback=at_work(die))
