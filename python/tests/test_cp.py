# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Decompositions: the tool's bits, options, callbacks, checkpoints, and what is refused."""

import inspect
import json
import os
import subprocess
import typing

import numpy as np
import pytest
from conftest import DATA, equal_models, run_python, same_bits

import genten
from genten import _core
from genten.describe.goals import stop_rule

TOOL = os.environ.get("GENTEN_TOOL")


@pytest.mark.skipif(not TOOL, reason="GENTEN_TOOL does not name the tool")
@pytest.mark.parametrize("precision, dtype", [("double", "float64"), ("float", "float32")])
def test_the_tool_computes_the_same_bits(tmp_path, precision, dtype):
    file, model, report = DATA / "ucb-admissions" / "ucb-admissions.tns", "m.gkt", "r.json"
    subprocess.run(
        [TOOL, "decompose", file, "--rank", "3", "--seed", "5", "--starts", "2", "--precision",
         precision, "-o", tmp_path / model, "--json", tmp_path / report, "--quiet"],
        check=True,
    )  # fmt: skip
    r = genten.cp(genten.read(file, dtype=dtype), 3, seed=5, starts=2)
    assert equal_models(r.model, genten.load(tmp_path / model, dtype=dtype))
    told = json.loads((tmp_path / report).read_text())
    for name in ("fit", "residual_norm", "tensor_norm", "iterations", "stop_reason", "kernel",
                 "residual_route"):  # fmt: skip
        assert getattr(r, name) == told[name], name
    assert r.best_start == told["best_start"] - 1  # the tool counts from 1
    assert [record["fit"] for record in told["history"]] == r.history.fit.tolist()
    assert [(s.seed, s.fit, s.iterations) for s in r.starts] == [
        (s["seed"], s["fit"], s["iterations"]) for s in told["starts"]
    ]
    assert set(told["timings"]) - {"observer"} == set(r.timings) - {"observer"}


def test_every_number_of_threads_computes_the_same_bits():
    code = """
        import genten, os, hashlib
        X = genten.read(os.environ["GENTEN_TEST_DATA_DIR"] + "/titanic/titanic.tns")
        r = genten.cp(X, 4, seed=3)
        bits = b"".join(a.tobytes() for a in (r.model.weights, *r.model.factors))
        print(hashlib.sha256(bits).hexdigest())
    """
    seen = {run_python(code, OMP_NUM_THREADS=str(threads)) for threads in (1, 2, 3, 5)}
    assert len(seen) == 1


def test_inputs_and_seeds_decide_alone(titanic):
    first = genten.cp(titanic, 3, seed=2)
    assert equal_models(first.model, genten.cp(titanic.to_coo(), 3, seed=2).model)
    assert not equal_models(first.model, genten.cp(titanic, 3, seed=3).model)
    single = genten.cp(titanic, 3, seed=2, dtype="float32")
    assert single.model.dtype == np.float32 and single.options["dtype"] == "float32"
    assert single.fit == pytest.approx(first.fit, abs=1e-3)


def test_the_result_says_what_happened(titanic):
    r = genten.cp(titanic, 3, starts=3, seed=2, tolerance=1e-6, max_iterations=1000)
    assert r.stop_reason == "converged" and r.kernel and r.backend
    assert r.history.iteration.tolist() == list(range(1, r.iterations + 1))
    assert r.history.fit[-1] == pytest.approx(r.fit, abs=1e-12)
    assert np.allclose(np.diff(r.history.fit), r.history.fit_change[1:])
    assert r.residual_norm == pytest.approx((1 - r.fit) * r.tensor_norm)
    assert r.tensor_norm == titanic.norm and r.residual_is_certain
    assert [s.seed for s in r.starts] == [2, 3, 4]
    assert max(s.fit for s in r.starts) == r.starts[r.best_start].fit == r.fit
    for start in r.starts:
        assert len(start.history) == start.iterations
    assert np.array_equal(r.starts[r.best_start].history.fit, r.history.fit)
    assert sum(v for k, v in r.timings.items() if k != "total") == pytest.approx(
        r.timings["total"], rel=0.1
    )
    assert r.options["rank"] == 3 and r.options["tolerance"] == 1e-6
    assert "converged" in repr(r) and "start" in repr(r)
    assert "<table>" in r._repr_html_()
    full = np.zeros(titanic.shape)
    full[tuple(titanic.subscripts.T)] = titanic.values
    assert np.linalg.norm(full - r.model.to_dense()) == pytest.approx(r.residual_norm)


def test_factors_are_views_that_keep_the_model_alive(titanic):
    r = genten.cp(titanic, 3)
    factor, expected = r.model.factors[0], r.model.factors[0].copy()
    assert factor.base is not None and factor.strides[1] == 8
    del r
    noise = [genten.cp(titanic, 3, seed=s) for s in range(5)]
    assert np.array_equal(factor, expected) and len(noise) == 5


def test_warnings_are_sentences(titanic):
    loose = genten.cp(titanic, 1, tolerance=1.0)
    assert any("tolerance, 1, is above the fit" in text for text in loose.warnings)
    exact = genten.cp(genten.Model(None, [np.eye(3)[:, :1]] * 3).to_dense(), 1, tolerance=0.0)
    assert exact.fit == pytest.approx(1)
    deficient = genten.cp(titanic, 12, max_iterations=3)
    assert any("rank-deficient" in text for text in deficient.warnings)
    assert "note" in repr(loose)


def test_acceleration_takes_fewer_iterations(titanic):
    runs = {
        how: genten.cp(titanic, 3, tolerance=1e-7, max_iterations=2000, acceleration=how)
        for how in ("none", "nesterov")
    }
    plain, accelerated = runs["none"], runs["nesterov"]
    assert plain.momentum_restarts == 0 and accelerated.momentum_restarts > 0
    assert 2 * accelerated.iterations < plain.iterations
    assert accelerated.fit > plain.fit - 1e-5
    assert accelerated.options["acceleration"] == "nesterov"
    assert stop_rule(accelerated).converged.endswith("tolerance in three iterations")


def test_options_come_from_the_table(titanic):
    names = {line["name"] for line in _core.cp_options()}
    signature = inspect.signature(genten.cp)
    for name in names:
        assert name in signature.parameters, name
        assert f"\n{name} : " in genten.cp.__doc__, name
    hinted = typing.get_type_hints(genten.CpOptions)
    assert set(hinted) == names - {"rank", "init"} | {"nonneg"}
    assert signature.parameters["tolerance"].default == 1e-4
    r = genten.cp(titanic, 2, kernel="permuted", mode_order=[3, 1, 0, 2], max_iterations=2)
    assert r.kernel == "permuted" and r.stop_reason == "iteration_limit"
    assert r.options["mode_order"] == [3, 1, 0, 2] and r.iterations == 2
    assert r.update_order == [3, 1, 0, 2]
    chosen = genten.cp(titanic, 2, update_order="automatic", max_iterations=2)
    assert chosen.update_order == [0, 1, 2, 3] and chosen.options["update_order"] == "automatic"
    assert genten.cp(titanic, 2, loss="poisson", max_iterations=1).update_order is None
    assert genten.cp(titanic, np.int64(2), seed=np.uint8(3)).options["seed"] == 3


@pytest.mark.parametrize(
    "keywords, error, message",
    [
        ({"tolerence": 1}, TypeError, "unexpected keyword 'tolerence'; did you mean 'tolerance'"),
        ({"stoptol": 1}, TypeError, "did you mean 'tolerance'"),
        ({"random_state": 1}, TypeError, "did you mean 'seed'"),
        ({"maxiters": 1}, TypeError, "did you mean 'max_iterations'"),
        ({"n_iter_max": 1}, TypeError, "did you mean 'max_iterations'"),
        ({"xyzzy": 1}, TypeError, r"keyword 'xyzzy'; help\(genten.cp\) tells of all 51$"),
        ({"callbak": 1}, TypeError, r"did you mean 'callback'\? help\(genten.cp\) tells of al"),
        ({"values": "n"}, TypeError, r"; genten.tensor\(data, values=...\) makes a tensor of a"),
        ({"rank": 0}, ValueError, "rank: expected a whole number from 1 to 1e.06, got 0"),
        ({"rank": 2.5}, TypeError, "rank: expected a whole number"),
        ({"rank": True}, TypeError, "rank: expected a whole number"),
        ({"tolerance": 2}, ValueError, "tolerance: expected a number from 0 to 1, got 2"),
        ({"tolerance": float("nan")}, ValueError, "tolerance: expected"),
        ({"tolerance": "1"}, TypeError, "tolerance: expected a number"),
        ({"seed": -1}, ValueError, "seed: expected a whole number of at least 0, got -1"),
        ({"seed": 2**64}, ValueError, "seed: expected"),
        ({"kernel": "fast"}, ValueError, "kernel: expected one of 'auto'.*got 'fast'"),
        ({"mode_order": [0, 1]}, ValueError, "expected all 4 modes, got 2"),
        (
            {"mode_order": [3, 2, 1, 0], "update_order": "automatic"},
            TypeError,
            "mode_order: has no effect beside update_order='automatic': leave one of them out",
        ),
        ({"update_order": "best"}, ValueError, "expected one of 'given', 'automatic', got 'best'"),
        ({"mode_order": [0, 1, 2, 4]}, ValueError, "expected a mode from 0 to 3, got 4"),
        ({"fixed_modes": [-5]}, ValueError, "fixed_modes: expected a mode from 0 to 3, got -5"),
        ({"fixed_modes": 1}, TypeError, "fixed_modes: expected modes"),
        ({"acceleration": "newton"}, ValueError, "expected one of 'none', 'nesterov', got"),
        ({"acceleration": "nesterov", "loss": "poisson"}, TypeError, "acceleration: has no effect"),
        ({"acceleration": "nesterov", "missing": "unlisted"}, TypeError, "acceleration: has no"),
        ({"device": "tpu"}, ValueError, "device: expected 'auto', 'cpu' or 'gpu', got 'tpu'"),
        ({"init": "svd"}, ValueError, "init: expected 'random', .*'normal', 'nvecs'.*got 'svd'"),
        ({"init": "nvecs", "seed": 1}, TypeError, "seed: has no effect beside an initial guess"),
        ({"init": "./nvecs"}, OSError, "nvecs"),
        ({"init": 3}, TypeError, "init: expected 'random'"),
        ({"dtype": "int8"}, ValueError, "dtype: expected float32 or float64, got int8"),
        ({"checkpoint_every": 0}, ValueError, "checkpoint_every: expected"),
        ({"memory_available": 10}, MemoryError, "needs .* of memory"),
    ],
)
def test_wrong_arguments(titanic, keywords, error, message):
    with pytest.raises(error, match=message):
        genten.cp(titanic, **{"rank": 2, **keywords})


def test_no_gpu_is_said(titanic):
    if genten.config()["backend"] != genten.config()["host_backend"]:
        pytest.skip("this build has a device backend")
    with pytest.raises(RuntimeError, match="no device backend"):
        genten.cp(titanic, 2, device="gpu")


def test_initial_guesses(titanic, tmp_path):
    start = genten.cp(titanic, 3, max_iterations=2)
    whole = genten.cp(titanic, init=start.model, max_iterations=4)
    assert whole.model.rank == 3 and whole.fit > start.fit
    path = tmp_path / "start.gkt"
    start.model.save(path)
    for same in (path, str(path)):
        assert equal_models(genten.cp(titanic, init=same, max_iterations=4).model, whole.model)
    # Norms of normalized columns are 1 but for rounding.
    scaled = genten.cp(titanic, init=start.model.normalize(), max_iterations=4)
    assert scaled.fit == pytest.approx(whole.fit, rel=1e-12)
    assert scaled.model.score(whole.model) == pytest.approx(1, abs=1e-12)
    factors = [np.asfortranarray(f) for f in start.model.factors]
    assert genten.cp(titanic, init=factors).fit > 0.5
    pair = (start.model.weights, start.model.factors)
    for same in (pair, list(pair)):
        assert equal_models(genten.cp(titanic, init=same, max_iterations=4).model, whole.model)
    lists = [np.eye(3).tolist()] * 2  # Two factors, not a pair.
    assert genten.cp(np.eye(3), init=lists).fit == pytest.approx(1)
    with pytest.raises(ValueError, match="rank: expected that of the initial guess, 3, got 4"):
        genten.cp(titanic, 4, init=start.model)
    with pytest.raises(ValueError, match="starts: expected 1"):
        genten.cp(titanic, init=start.model, starts=2)
    with pytest.raises(TypeError, match="seed: has no effect"):
        genten.cp(titanic, init=start.model, seed=2)
    normal = genten.cp(titanic, 3, init="normal")
    assert normal.options["init"] == "normal" and genten.cp(titanic, 3, init="random").fit > 0
    fixed = genten.cp(titanic, init=start.model.normalize(), fixed_modes=[1])
    alike = fixed.model.score(start.model, weight_penalty=False)
    column = np.abs(fixed.model.factors[1][:, alike.permutation].T @ start.model.factors[1])
    assert np.allclose(np.diag(column), 1)


def test_callbacks_see_and_end_runs(titanic):
    seen = []

    def callback(it):
        seen.append((it.start, it.iteration, it.fit))
        assert it.model().rank == 2 and it.seconds >= 0 and it.residual > 0
        return it.iteration == 3

    r = genten.cp(titanic, 2, callback=callback)
    assert r.stop_reason == "callback" and r.iterations == 3
    assert [fit for _, _, fit in seen] == r.history.fit.tolist()
    kept = []
    last = genten.cp(titanic, 2, callback=lambda it: kept.append(it))
    assert last.stop_reason == "converged"
    with pytest.raises(RuntimeError, match="in its callback alone"):
        kept[0].model()


def test_the_model_of_a_callback_is_that_of_a_run_that_ends_there(titanic):
    models = []
    genten.cp(titanic, 3, callback=lambda it: models.append(it.model()), max_iterations=4)
    for done, model in enumerate(models, 1):
        assert equal_models(model, genten.cp(titanic, 3, max_iterations=done).model)


def test_callbacks_may_compute(titanic):
    inner = []

    def callback(it):
        inner.append(genten.cp(titanic, 1).fit)
        return len(inner) > 2

    genten.cp(titanic, 2, callback=callback)
    assert len(inner) == 3 and len(set(inner)) == 1


def test_what_a_callback_raises_is_raised(titanic):
    class Mine(Exception):
        pass

    def callback(it):
        raise Mine("on purpose")

    with pytest.raises(Mine, match="on purpose"):
        genten.cp(titanic, 2, callback=callback)
    assert genten.cp(titanic, 2).fit > 0.5

    class Undecided:
        def __bool__(self):
            raise Mine("no truth")

    with pytest.raises(Mine, match="no truth"):
        genten.cp(titanic, 2, callback=lambda it: Undecided())


def test_checkpoints_go_on_with_the_same_bits(titanic, tmp_path):
    path = tmp_path / "run.gkt"
    whole = genten.cp(titanic, 3, seed=4, starts=2, tolerance=1e-9, max_iterations=30)
    part = genten.cp(
        titanic, 3, seed=4, starts=2, tolerance=1e-9, max_iterations=30, checkpoint=path,
        checkpoint_every=1, callback=lambda it: it.start == 1 and it.iteration == 5,
    )  # fmt: skip
    assert part.stop_reason in ("callback", "iteration_limit", "converged")
    rest = genten.cp(titanic, resume=path)
    assert equal_models(rest.model, whole.model)
    assert same_bits(rest.history.fit, whole.history.fit)
    assert rest.options["seed"] == 4 and rest.options["starts"] == 2
    assert genten.load(path).rank == 3
    assert genten.cp(titanic, resume=path, max_iterations=40).options["max_iterations"] == 40
    with pytest.raises(ValueError, match="seed: expected that of the checkpoint, 4, got 5"):
        genten.cp(titanic, resume=path, seed=5)
    with pytest.raises(ValueError, match="dtype: expected that of the checkpoint, float64"):
        genten.cp(titanic, resume=path, dtype="float32")
    with pytest.raises(TypeError, match="init: has no effect beside resume"):
        genten.cp(titanic, resume=path, init="normal")
    with pytest.raises(OSError):
        genten.cp(titanic, resume=DATA / "titanic" / "titanic.tns")


def test_checkpoints_that_cannot_be_written_are_told_of(titanic, tmp_path):
    with pytest.warns(RuntimeWarning, match="no checkpoint"):
        r = genten.cp(titanic, 2, checkpoint=tmp_path / "absent" / "run.gkt")
    assert r.stop_reason == "converged" and any("checkpoint" in text for text in r.warnings)


def test_progress_goes_to_standard_error(titanic, capsys, monkeypatch):
    monkeypatch.setattr("genten._run.progress._bar", lambda total: None)
    r = genten.cp(titanic, 2, progress=True)
    out, err = capsys.readouterr()
    assert out == "" and "iteration 1: fit 0." in err
    pytest.importorskip("tqdm")
    monkeypatch.undo()
    genten.cp(titanic, 2, progress=True, starts=2)
    out, err = capsys.readouterr()
    assert out == "" and "start 2 of 2" in err and r.fit > 0


def test_a_bar_is_full_where_the_run_is_over(titanic, capsys):
    pytest.importorskip("tqdm")

    def last(**how):
        r = genten.cp(titanic, 2, progress=True, **how)
        return r.iterations, capsys.readouterr().err.strip().split("\r")[-1]

    done, line = last(seed=1)
    assert "100%|" in line and f" {done}/{done} " in line and done < 100
    done, line = last(max_iterations=9, tolerance=0)
    assert " 9/9 " in line
    done, line = last(callback=lambda it: it.iteration == 2)
    assert " 2/100 " in line
