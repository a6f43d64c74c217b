# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The process: signals, forks, threads, the end, and other libraries beside genten."""

import re
import subprocess
import sys
import textwrap
import threading

import pytest
from conftest import equal_models, run_python

import genten

LARGE = """
    import genten, numpy as np, os, signal, sys, threading, time
    rng = np.random.default_rng(1)
    shape = (300, 300, 300)
    # Whoever runs the tests in the background may have it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    X = genten.tensor((rng.integers(0, 300, (200_000, 3)), rng.random(200_000), shape))
"""


def code(text):
    return textwrap.dedent(LARGE) + textwrap.dedent(text)


@pytest.mark.parametrize("callback", ["None", "lambda it: None"])
def test_ctrl_c_returns_the_model(callback):
    out = run_python(
        code(f"""
        pid = os.getpid()
        threading.Thread(target=lambda: (time.sleep(1.5), os.kill(pid, signal.SIGINT))).start()
        begun = time.monotonic()
        r = genten.cp(X, 8, tolerance=0, max_iterations=1_000_000, callback={callback})
        print(r.stop_reason, r.starts[-1].stop_reason, r.iterations > 0, r.model.rank)
        print(time.monotonic() - begun < 60, any("interrupted" in text for text in r.warnings))
        print(genten.cp(X, 2, max_iterations=2, tolerance=0).stop_reason)
        """)
    )
    assert out == "interrupted interrupted True 8\nTrue True\niteration_limit\n"


def test_other_signals_handlers_may_raise():
    out = run_python(
        code("""
        class Alarm(Exception): pass
        def handler(*_): raise Alarm
        signal.signal(signal.SIGALRM, handler)
        signal.alarm(1)
        try:
            genten.cp(X, 8, tolerance=0, max_iterations=1_000_000)
        except Alarm:
            print("raised")
        """)
    )
    assert out == "raised\n"


def test_python_runs_on_while_genten_computes():
    out = run_python(
        code("""
        ticks, stop = 0, False
        def count():
            global ticks
            while not stop:
                ticks += 1
                time.sleep(0.005)
        counter = threading.Thread(target=count); counter.start()
        genten.cp(X, 8, tolerance=0, time_limit=1.5, max_iterations=1_000_000)
        stop = True; counter.join()
        print(ticks > 20)
        """)
    )
    assert out == "True\n"


def test_threads_take_turns(titanic):
    alone = [genten.cp(titanic, rank, seed=rank) for rank in (1, 2, 3, 4)]
    found = [None] * 4

    def work(rank):
        for _ in range(5):
            found[rank - 1] = genten.cp(titanic, rank, seed=rank, callback=lambda it: None)

    threads = [threading.Thread(target=work, args=(rank,)) for rank in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    for one, other in zip(alone, found, strict=True):
        assert equal_models(one.model, other.model)


def test_ctrl_c_while_waiting_for_a_turn():
    out = run_python(
        code("""
        pid = os.getpid()
        stop, has_turn = threading.Event(), threading.Event()
        run = threading.Thread(target=lambda: genten.cp(
            X, 8, tolerance=0, max_iterations=100_000_000,
            callback=lambda it: has_turn.set() or stop.is_set()))
        run.start()
        has_turn.wait()
        threading.Thread(target=lambda: (time.sleep(1.5), os.kill(pid, signal.SIGINT))).start()
        try:
            genten.cp(X, 2)
        except KeyboardInterrupt:
            print("interrupted", run.is_alive())
        stop.set()
        run.join()
        print(genten.cp(X, 2, max_iterations=2, tolerance=0).stop_reason)
        """)
    )
    assert out == "interrupted True\niteration_limit\n"


def test_models_of_iterations_that_are_over(titanic):
    told = []

    def ask(iteration):
        try:
            iteration.model()
        except RuntimeError as error:
            told.append(str(error))

    threads = []

    def callback(iteration):
        threads.append(threading.Thread(target=ask, args=(iteration,)))
        threads[-1].start()

    r = genten.cp(titanic, 2, seed=1, max_iterations=4, tolerance=0, callback=callback)
    for thread in threads:
        thread.join()
    assert r.iterations == 4
    assert told == ["an iteration's model can be had in its callback alone"] * 4


def test_first_call_from_another_thread():
    out = run_python(
        code("""
        results = []
        thread = threading.Thread(target=lambda: results.append(genten.cp(X, 2, max_iterations=2)))
        thread.start(); thread.join()
        print(results[0].fit == genten.cp(X, 2, max_iterations=2).fit)
        """)
    )
    assert out == "True\n"


def test_a_forked_child_is_told_what_to_do():
    out = run_python(
        code("""
        assert genten.cp(X, 2, max_iterations=2).iterations == 2
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            try:
                genten.cp(X, 2)
            except RuntimeError as error:
                print(error, flush=True)
            sys.exit(0)
        print(os.waitpid(pid, 0)[1], genten.cp(X, 2, max_iterations=2).iterations)
        """)
    )
    assert "forked from one that had already used genten" in out and "'spawn'" in out
    assert out.endswith("0 2\n")


def test_a_fork_before_the_first_call_is_fine():
    out = run_python("""
        import genten, os, sys, numpy as np
        sys.stdout.flush()
        pid = os.fork()
        X = genten.tensor((np.array([[0, 1], [1, 0]]), np.ones(2)))
        os.write(1, b"fits\\n" if genten.cp(X, 2).fit > 0.9 else b"does not fit\\n")
        if pid:
            print(os.waitpid(pid, 0)[1])
    """)
    assert out == "fits\nfits\n0\n"


def test_spawned_workers_compute():
    out = run_python(
        """
        import multiprocessing, genten, numpy as np, functools
        if __name__ == "__main__":
            X = genten.tensor((np.arange(60).reshape(20, 3) % 7, np.arange(20.0)))
            here = [genten.cp(X, rank).fit for rank in (1, 2, 3)]
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                there = pool.map(functools.partial(genten.cp, X), (1, 2, 3))
            print(here == [r.fit for r in there])
        """
    )
    assert out == "True\n"


@pytest.mark.parametrize("kept", ["module.kept = r.model.factors", "r.self = r", "daemon()"])
def test_the_end_of_the_process_is_clean(kept):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            code(f"""
            import sys as module
            r = genten.cp(X, 8, max_iterations=2)
            def daemon():
                run = lambda: genten.cp(X, 8, tolerance=0, max_iterations=10**8)
                threading.Thread(target=run, daemon=True).start()
                time.sleep(1)
            try:
                {kept}
            except AttributeError:
                globals()["cycle"] = [r, X]; cycle.append(cycle)
            print("done")
            """),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_threads_are_chosen_once():
    out = run_python(
        code("""
        genten.config(threads=3)
        print(genten.config()["threads"], genten.config()["started"])
        """).replace("    X = ", "").replace("X = genten.tensor", "later = lambda: genten.tensor")
        + textwrap.dedent("""
        later()
        print(genten.config()["threads"], genten.config()["started"])
        genten.config(threads=3)
        try:
            genten.config(threads=2)
        except RuntimeError as error:
            print(error)
        try:
            genten.config(threads=0)
        except ValueError as error:
            print(error)
        """)
    )
    assert out == (
        "3 False\n3 True\n"
        "threads: genten already computes with 3 threads; set them before its first call\n"
        "threads: expected a whole number of at least 1, got 0\n"
    )


def test_wrong_settings_of_the_environment_are_errors_of_python():
    out = run_python(
        """
        import genten, numpy as np
        try:
            genten.tensor((np.array([[0, 1]]), np.ones(1)))
        except (ValueError, RuntimeError) as error:
            print(type(error).__name__, error)
        """,
        OMP_NUM_THREADS="600",
    )
    assert out.startswith("ValueError expected at most 512 threads")


OTHERS = """
import numpy as np
import scipy.linalg, scipy.sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF
"""
USE = """
def use_genten():
    X = genten.tensor((np.arange(60).reshape(20, 3) % 7, np.arange(20.0)))
    return [genten.cp(X, 3).model.weights.tobytes() for _ in range(3)][-1]

def use_others():
    a = np.random.default_rng(0).random((300, 300))
    b = scipy.linalg.cho_factor(a @ a.T + np.eye(300))[0]
    c = KMeans(3, n_init=2, random_state=0).fit(a).inertia_
    return b.tobytes(), c

alone = use_genten(), use_others()
found = [None, None]
def run(slot, function):
    for _ in range(4):
        found[slot] = function()
threads = [threading.Thread(target=run, args=pair) for pair in enumerate([use_genten, use_others])]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(found[0] == alone[0], found[1][0] == alone[1][0], abs(found[1][1] - alone[1][1]) < 1e-6)
import hashlib; print(hashlib.sha256(alone[0]).hexdigest())
"""


def test_other_libraries_in_either_order():
    pytest.importorskip("sklearn")
    mine = "import genten, threading\n"
    outs = [run_python(first + second + USE) for first, second in ((mine, OTHERS), (OTHERS, mine))]
    assert outs[0].startswith("True True True\n") and outs[0] == outs[1]


def test_the_extension_shows_its_init_function_alone():
    import genten._core

    try:
        done = subprocess.run(
            ["nm", "-D", "--defined-only", genten._core.__file__], capture_output=True, text=True
        )
    except FileNotFoundError:
        pytest.skip("there is no nm")
    shown = [line.split()[-2:] for line in done.stdout.splitlines()]
    weak = [name for kind, name in shown if kind in "WVu"]  # Of headers, which the linker merges.
    assert [name for kind, name in shown if kind not in "WVu"] == ["PyInit__core"]
    own = re.compile("_Z(Z?N?K?|T[ISV]N?)(St|9__gnu_cxx|8nanobind)")
    assert [name for name in weak if not own.match(name) or "Kokkos" in name] == []
