# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`cp_als` beside pyttb's and TensorLy's, from the same start."""

import inspect

import numpy as np
import pytest
from conftest import equal_models

import genten
from genten import _cp_als


def sparse_tensor(pyttb):
    rng = np.random.default_rng(5)
    subscripts = np.unique(rng.integers(0, (20, 15, 10), (400, 3)), axis=0)
    return pyttb.sptensor(subscripts, rng.random((len(subscripts), 1)), (20, 15, 10))


def test_pyttbs_arguments_and_triple(capsys):
    pyttb = pytest.importorskip("pyttb")
    theirs = list(inspect.signature(pyttb.cp_als).parameters.values())
    mine = list(inspect.signature(genten.cp_als).parameters.values())
    assert [(p.name, p.default) for p in mine[: len(theirs)]] == [
        (p.name, p.default) for p in theirs
    ]
    X = sparse_tensor(pyttb)
    rng = np.random.default_rng(6)
    init = pyttb.ktensor([rng.random((n, 4)) for n in X.shape])
    for keywords in ({}, {"dimorder": [2, 0, 1]}, {"maxiters": 3}, {"stoptol": 1e-6}):
        model, start, info = genten.cp_als(X, 4, init=init, **keywords)
        peer, _, peer_info = pyttb.cp_als(X, 4, init=init, **keywords)
        assert info["fit"] == pytest.approx(peer_info["fit"], abs=1e-10)
        assert info["normresidual"] == pytest.approx(peer_info["normresidual"], abs=1e-8)
        assert set(peer_info) <= set(info) and set(peer_info["params"]) == set(info["params"])
        if "maxiters" not in keywords:  # theirs says 2 where 3 were done, and 3 where they ran out
            assert info["iters"] == peer_info["iters"]
        assert model.score(genten.Model(peer.weights, peer.factor_matrices)) > 1 - 1e-6
        assert start.rank == 4
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "CP_ALS:" and lines[1].startswith(" Iter 0: f = ")


@pytest.mark.parametrize(
    "keywords", [{"printitn": 5}, {"printitn": 1}, {"printitn": 3, "maxiters": 8}, {"maxiters": 1}]
)
def test_pyttbs_lines(capsys, keywords):
    pyttb = pytest.importorskip("pyttb")
    X, rng = sparse_tensor(pyttb), np.random.default_rng(6)
    init = pyttb.ktensor([rng.random((n, 4)) for n in X.shape])
    printed = []
    for library in (pyttb, genten):
        library.cp_als(X, 4, init=init, stoptol=1e-5, **keywords)
        printed.append(capsys.readouterr().out.splitlines())
    theirs, mine = printed
    assert len(theirs) > 2 and [line.split("=")[0] for line in theirs] == [
        line.split("=")[0] for line in mine
    ]
    for one, other in zip(theirs[1:], mine[1:], strict=True):
        assert float(one.split()[-1]) == pytest.approx(float(other.split()[-1]), rel=0.1, abs=1e-8)


@pytest.mark.parametrize(
    "name, meant",
    [("stoptl", "stoptol"), ("tol", "stoptol"), ("max_iter", "maxiters"), ("printit", "printitn"),
     ("random_state", "seed"), ("start", "starts"), ("verbose", "printitn")],
)  # fmt: skip
def test_misspelt_keywords_are_answered_with_names_of_cp_als(titanic, capsys, name, meant):
    with pytest.raises(TypeError, match=f"cp_als: unexpected keyword '{name}'; did you mean '"):
        genten.cp_als(titanic, 2, **{name: 1})
    with pytest.raises(TypeError, match=f"did you mean '{meant}'"):
        genten.cp_als(titanic, 2, **{name: 1})
    assert capsys.readouterr().out == ""


def test_nothing_is_printed_before_an_error(titanic, capsys):
    for keywords in ({"kernel": "x"}, {"memory_available": 1}, {"maxiters": -1}, {"stoptol": 2}):
        with pytest.raises((ValueError, MemoryError)):
            genten.cp_als(titanic, 2, **keywords)
    with pytest.raises(TypeError) as caught:
        genten.cp_als(titanic, 2, zzz=1)
    said = str(caught.value)
    assert said.endswith("; help(genten.cp_als) tells of all 31")
    known = set(_cp_als._names())
    assert {"stoptol", "maxiters", "time_limit"} <= known
    assert not {"tolerance", "max_iterations", "resume", "X"} & known
    genten.cp_als(titanic, 2, maxiters=0)
    assert capsys.readouterr().out.splitlines()[0] == "CP_ALS:"


def test_random_starts_and_fixed_modes(titanic, capsys):
    model, init, info = genten.cp_als(titanic, 2, printitn=0)
    assert capsys.readouterr().out == ""
    again = genten.cp(titanic, 2, tolerance=1e-4, max_iterations=1000, seed=1)
    assert info["fit"] == pytest.approx(again.fit, abs=1e-9)
    assert init.shape == titanic.shape and model.rank == 2
    fixed, _, _ = genten.cp_als(titanic, 2, optdims=[1, 2, 3], init=init, printitn=0)
    found = np.abs(fixed.normalize().factors[0].T @ init.normalize().factors[0])
    assert np.allclose(np.sort(found.max(axis=0)), 1)
    for keywords in ({"init": "svd"}, {"fixsigns": False}, {"rank": 3, "init": init}):
        with pytest.raises(ValueError):
            genten.cp_als(titanic, **{"rank": 2, "printitn": 0, **keywords})


def test_tensorlys_parafac_finds_the_same_fit():
    parafac = pytest.importorskip("tensorly.decomposition").parafac
    from tensorly.cp_tensor import CPTensor

    rng = np.random.default_rng(8)
    full = rng.random((8, 7, 6)) * (rng.random((8, 7, 6)) < 0.3)
    factors = [rng.random((n, 3)) for n in full.shape]
    start = CPTensor((np.ones(3), [f.copy() for f in factors]))
    peer = parafac(full, 3, init=start, n_iter_max=20, tol=0, normalize_factors=False)
    r = genten.cp(full, init=factors, max_iterations=20, tolerance=0)
    error = np.linalg.norm(full - genten.Model(*peer).to_dense())
    assert r.residual_norm == pytest.approx(error, abs=1e-10 * r.tensor_norm)


def test_further_keywords_of_cp(titanic, capsys):
    seen = []
    _, _, info = genten.cp_als(
        titanic, 2, callback=lambda it: seen.append(it.iteration) or it.iteration == 3, printitn=2
    )
    assert seen == [1, 2, 3] and info["result"].stop_reason == "callback"
    assert capsys.readouterr().out.count(" Iter ") == 2
    genten.cp_als(titanic, 2, callback=seen.append, printitn=0)
    assert seen[-1].start == 0
    model, init, info = genten.cp_als(titanic, 3, starts=4, seed=2, printitn=0)
    whole = genten.cp(titanic, 3, starts=4, seed=2, max_iterations=1000)
    assert equal_models(model, whole.model) and len(info["result"].starts) == 4
    again, _, _ = genten.cp_als(titanic, 3, init=init, printitn=0)
    assert again.score(model) > 1 - 1e-9 and info["result"].best_start > 0
    ordered, _, _ = genten.cp_als(titanic, 2.0, printitn=0, dimorder=[0, 1, 2, -1])
    assert equal_models(ordered, genten.cp_als(titanic, 2, printitn=0)[0])


def numbers_printed(printed):
    return [int(line.split(":")[0].split()[1]) for line in printed.splitlines()[1:-1]]


def test_the_last_line_of_each_start_comes_before_the_next_start(titanic, capsys):
    more = {"starts": 3, "printitn": 1000}
    starts = genten.cp_als(titanic, 3, kernel="permuted", **more)[2]["result"].starts
    last = [start.iterations - 1 for start in starts]
    assert numbers_printed(capsys.readouterr().out) == [0, last[0], 0, last[1], 0, last[2]]
    genten.cp_als(titanic, 3, **more)  # Starts that take turns have their last lines at the end.
    assert numbers_printed(capsys.readouterr().out) == [0, 0, 0, *last]
    genten.cp_als(titanic, 3, kernel="permuted", stoptol=0, maxiters=4, **more)
    assert numbers_printed(capsys.readouterr().out) == [0, 0, 0]


def test_the_last_line_of_a_run_that_was_stopped(titanic, capsys):
    genten.cp_als(titanic, 3, callback=lambda it: it.iteration == 3, printitn=1000)
    assert numbers_printed(capsys.readouterr().out) == [0, 2]


def test_of_no_iterations_the_last_is_number_0(titanic):
    info = genten.cp_als(titanic, 2, maxiters=0, printitn=0)[2]
    assert info["iters"] == info["result"].iterations == 0


@pytest.mark.parametrize(
    "keywords, error, message",
    [
        ({"rank": -2}, ValueError, "rank: expected a whole number from 1"),
        ({"rank": "2"}, TypeError, "rank: expected a whole number from 1"),
        ({"seed": -2}, ValueError, "seed: expected a whole number of at least 0, got -2"),
        ({"optdims": [0, 9]}, ValueError, "optdims: expected a mode from 0 to 3, got 9"),
        ({"optdims": []}, ValueError, "optdims: expected at least one mode from 0 to 3, got none"),
        ({"optdims": 1}, TypeError, "optdims: expected modes, counted from 0, or"),
        ({"dimorder": [0, 1, 2, 4]}, ValueError, "dimorder: expected a mode from 0 to 3, got 4"),
        ({"tolerance": 0.1}, TypeError, "tolerance: in cp_als this is stoptol"),
        ({"stoptol": 2}, ValueError, "stoptol: expected a number from 0 to 1, got 2"),
        ({"maxiters": "9"}, TypeError, "maxiters: expected a whole number from 0"),
        ({"resume": "run.gkt"}, TypeError, "resume: cp_als returns the initial guess"),
        ({"init": genten.Model(None, [np.ones((2, 2))])}, ValueError, "init: expected a model of"),
    ],
)
def test_wrong_arguments(titanic, keywords, error, message):
    with pytest.raises(error, match=message):
        genten.cp_als(titanic, **{"rank": 2, "printitn": 0, **keywords})
