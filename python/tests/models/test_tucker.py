# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tucker decompositions and models, and core consistency."""

import os
import pickle
import re
import signal
import subprocess
import threading

import numpy as np
import pytest
from conftest import DATA

import genten

UCB = DATA / "ucb-admissions"
MODES = ["admit", "gender", "dept"]


@pytest.fixture
def X():
    labels = [UCB / f"{mode}.labels" for mode in MODES]
    return genten.read(UCB / "ucb-admissions.tns", labels=labels, mode_names=MODES)


def full(model):
    """The tensor by the formula, with identities where modes are not compressed."""
    factors = [np.eye(r) if f is None else f for r, f in zip(model.ranks, model.factors)]
    return np.einsum("abc,ia,jb,kc->ijk", model.core, *factors)


@pytest.mark.parametrize("method", ["hooi", "st-hosvd", "hosvd"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ranks", [(2, 1, 2), (2, None, 3), (None, 2, None)])
def test_fit_and_model_are_of_the_same_residual(X, method, dtype, ranks):
    r = genten.tucker(X, ranks, method=method, dtype=dtype)
    tolerance = 1e-4 if dtype == np.float32 else 1e-11
    difference = X.to_dense() - full(r.model)
    assert np.linalg.norm(difference) == pytest.approx(r.residual_norm, abs=tolerance * 1000)
    assert r.fit == pytest.approx(1 - r.residual_norm / r.tensor_norm, abs=tolerance)
    assert r.core_norm == pytest.approx(np.linalg.norm(r.model.core), rel=1e-6)
    assert r.model.dtype == dtype and r.model.labels == X.labels
    for rank, factor in zip(ranks, r.model.factors):
        assert (factor is None) == (rank is None)
        if factor is not None:
            np.testing.assert_allclose(factor.T @ factor, np.eye(rank), atol=tolerance)
    assert (r.iterations == 0) == (method != "hooi")
    assert len(r.history) == r.iterations


def test_hooi_is_no_worse_than_where_it_begins():
    i, j, k = np.meshgrid(*map(np.arange, (6, 5, 4)), indexing="ij")
    data = np.sin(1.0 + 2 * i + 3 * j * k) + np.cos(i * j + k)
    start = genten.tucker(data, (3, 2, 2), method="st-hosvd")
    best = genten.tucker(data, (3, 2, 2), tolerance=1e-12, max_iterations=1000)
    assert best.fit >= start.fit
    assert (np.diff(best.history.fit) >= -1e-14).all()
    again = genten.tucker(data, init=best.model, tolerance=1e-12)
    assert again.fit == pytest.approx(best.fit, abs=1e-12)
    drawn = genten.tucker(data, (3, 2, 2), init="random", seed=3)
    same = genten.tucker(data, (3, 2, 2), init="random", seed=3)
    assert np.array_equal(drawn.model.core, same.model.core)
    assert drawn.options["seed"] == 3
    assert genten.tucker(data, (3, 2, 2), init="random", seed=None).options["seed"] != 1


def test_values_by_number_and_name(X):
    m = genten.tucker(X, (2, 2, 3)).model
    dense = full(m)
    np.testing.assert_allclose(m.to_dense(), dense, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(m), dense, rtol=1e-12)
    assert m[1, 0, -1] == pytest.approx(dense[1, 0, 5], rel=1e-12)
    assert m["Rejected", "Female", "B"] == m[1, 1, 1]
    entries = np.argwhere(np.ones(m.shape))
    np.testing.assert_allclose(m.predict(entries), dense.ravel(), rtol=1e-11)
    named = [("Admitted", "Female", "C"), ("Rejected", "Male", "F")]
    np.testing.assert_allclose(m.predict(named), [dense[0, 1, 2], dense[1, 0, 5]], rtol=1e-12)
    cp = m.to_cp()
    assert cp.rank == 4
    np.testing.assert_allclose(cp.to_dense(), dense, atol=1e-10)
    assert m.norm == pytest.approx(np.linalg.norm(dense), rel=1e-12)
    with pytest.raises(ValueError, match="entry 0: expected a subscript below 6 in mode 2, got 6"):
        m.predict([[0, 0, 6]])
    with pytest.raises(TypeError, match="indexed by 3 rows"):
        m[0, 0]


def test_errors_over_entries(X):
    r = genten.tucker(X, (2, 1, 2))
    for found in (r.model.evaluate(X), genten.evaluate(r, X), genten.evaluate(r.model, X)):
        assert found.fit == pytest.approx(r.fit, abs=1e-12)
        assert found.all.residual_norm == pytest.approx(r.residual_norm, rel=1e-9)
    assert np.linalg.norm(r.model.residuals(X)) == pytest.approx(r.residual_norm, rel=1e-9)


def test_strongest(X):
    m = genten.tucker(X, (2, 2, None)).model
    (columns, value), *_ = m.top_core(3)
    assert abs(value) == np.abs(m.core).max() and m.core[columns] == value
    assert m.top("admit", 0, k=1)[0][0] == "Rejected"
    assert len(m.top(1)) == 2 and len(m.top(1)[0]) == 2
    assert "columns" in str(m) and "Rejected" in str(m)
    assert "core" in m._repr_html_()
    for arguments, message in (
        (("dept",), "mode 2 is not compressed"),
        (("x",), "expected a mode, one of"),
        ((0, 2), "expected a column from 0 to 1, got 2"),
        ((0, 0, 0), "expected k of at least 1"),
    ):
        with pytest.raises(ValueError, match=message):
            m.top(*arguments)


@pytest.mark.parametrize("name", ["m.ttensor", "m.ttensor.gz", "m.txt.zst", "m", "m.gkt"])
def test_files(X, name, tmp_path):
    for ranks in ((2, 2, 3), (2, None, 3)):
        m = genten.tucker(X, ranks).model
        m.save(tmp_path / name)
        assert genten.load(tmp_path / name) == m
        assert genten.load(tmp_path / name, dtype=np.float32).dtype == np.float32
    m.save(tmp_path / name)
    with pytest.raises(ValueError, match="init: expected a CP model, got a Tucker model"):
        genten.cp(X, 1, init=tmp_path / name)
    assert pickle.loads(pickle.dumps(m)) == m == m.copy()
    plain = genten.TuckerModel(m.core, m.factors)
    assert plain != m and m != 3


def test_archives_of_numpy_are_those_of_the_tool(X, tmp_path):
    r = genten.tucker(X, (2, None, 3))
    r.model.save(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as mine:
        assert set(mine) == {
            "core", "factor_1", "factor_3", "labels_1", "labels_2", "labels_3", "run", "mode_names"
        }  # fmt: skip
        np.testing.assert_array_equal(mine["core"], r.model.core)
        tool = os.environ.get("GENTEN_TOOL")
        if not tool:
            pytest.skip("GENTEN_TOOL names no tool")
        labels = ",".join(str(UCB / f"{mode}.labels") for mode in MODES)
        subprocess.run(
            [tool, "tucker", str(UCB / "ucb-admissions.tns"), "--ranks", "2,0,3", "--labels",
             labels, "-q", "-o", str(tmp_path / "t.npz")],
            check=True,
        )  # fmt: skip
        theirs = genten.load(tmp_path / "t.npz")
        assert theirs.labels == r.model.labels
        np.testing.assert_allclose(theirs.to_dense(), r.model.to_dense(), atol=1e-8)
        with np.load(tmp_path / "t.npz") as theirs:
            assert set(theirs) == set(mine)
            for name in set(theirs) - {"run"}:
                assert mine[name].dtype == theirs[name].dtype
                assert mine[name].shape == theirs[name].shape
                if mine[name].dtype.kind == "U":
                    assert (mine[name] == theirs[name]).all()
                else:
                    np.testing.assert_allclose(mine[name], theirs[name], atol=1e-8)


def test_duplicates_of_a_run_are_those_of_its_model(tmp_path):
    stars = np.array([[0, 0], [0, 0], [1, 0], [1, 1]]), np.array([1.0, 5.0, 2.0, 4.0])
    r = genten.tucker(genten.tensor(stars, duplicates="mean"), (2, 2))
    for name in ("m.ttensor", "m.gkt"):
        r.model.save(tmp_path / name)
        loaded = genten.load(tmp_path / name)
        for model in (r.model, loaded, loaded.copy(), loaded.to_cp()):
            assert model.evaluate(stars).fit == pytest.approx(1.0, abs=1e-9)
    assert genten.TuckerModel(r.model.core, r.model.factors).evaluate(stars).fit < 0.9


def test_models_to_begin_with(X, tmp_path):
    first = genten.tucker(X, (2, 1, 2))
    first.model.save(tmp_path / "m.ttensor")
    for init in (first.model, tmp_path / "m.ttensor"):
        r = genten.tucker(X, init=init, fixed_modes=["dept"])
        assert r.fit == pytest.approx(first.fit, abs=1e-9)
        np.testing.assert_array_equal(r.model.factors[2], first.model.factors[2])
    del first  # Factors of fixed modes are no longer those of the guess.
    assert np.isfinite(r.model.factors[2]).all()
    assert r.options["init"] == str(tmp_path / "m.ttensor")
    turned = genten.TuckerModel(r.model.core, r.model.factors, [["b", "a"], None, None])
    with pytest.raises(ValueError, match="rows in the order of the tensor's"):
        genten.tucker(X, init=turned)
    skewed = genten.TuckerModel(np.ones((1, 1, 1)), [np.ones((n, 1)) for n in X.shape])
    with pytest.raises(ValueError, match="expected orthonormal columns in the guess"):
        genten.tucker(X, init=skewed)
    with pytest.raises(ValueError, match="expected a model of shape"):
        genten.tucker(np.ones((2, 2, 2)), init=r.model)


def test_what_means_nothing_is_refused(X):
    for keywords, message in (
        ({}, "ranks: expected the core's length in each mode"),
        ({"ranks": (2, 2)}, r"ranks: expected 3 numbers \(one a mode\), got 2"),
        ({"ranks": (3, 2, 2)}, r"at most 2 \(the dimension\) in mode 0, got 3"),
        ({"ranks": (1, 1, 2)}, r"at most 1 \(the product of the other ranks\) in mode 2"),
        ({"ranks": 0}, "expected a rank for one mode or more"),
        ({"ranks": "222"}, "ranks: expected whole numbers, one a mode, got '222'"),
        ({"ranks": (1, 1, -1)}, "ranks: expected whole numbers of at least 0, got -1"),
        ({"ranks": 1, "method": "svd"}, "method: expected one of 'hooi'"),
        ({"ranks": 1, "method": "hosvd", "tolerance": 1e-3}, "tolerance: has no effect beside"),
        ({"ranks": 1, "method": "hosvd", "init": "random"}, "init: has no effect beside"),
        ({"ranks": 1, "seed": 2}, "seed: has no effect without init='random'"),
        ({"ranks": 1, "fixed_modes": [0]}, "fixed_modes: expected init, a TuckerModel"),
        ({"ranks": 1, "mode_order": [0, 1]}, "mode_order: expected all 3 modes, got 2"),
        ({"ranks": 1, "mode_order": ["x"]}, "mode_order: expected a mode, one of"),
        ({"ranks": 1, "init": "foo"}, "init: expected one of 'st-hosvd', 'hosvd', 'random'"),
        ({"ranks": 1, "init": 3}, "init: expected one of"),
        ({"ranks": 1, "dtype": "int8"}, "dtype"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            genten.tucker(X, **keywords)
    with pytest.raises(MemoryError, match="ranks 1 x 1 x 1 needs"):
        genten.tucker(X, 1, memory_available=10)


def test_models_are_checked(tmp_path):
    ones = np.ones((3, 2))
    for arguments, message in (
        (([[1.0]], [ones, ones]), "factor 0: expected 1 columns"),
        (([1.0], [ones, ones]), "core: expected real numbers in 2 dimensions"),
        (([[np.nan]], [ones, ones]), r"core: expected finite numbers, got nan in element \(0, 0\)"),
        ((np.ones(1), []), "factors: expected at least one"),
        ((np.ones((2, 2)), [ones, None], [["a"], None]), "3"),
    ):
        with pytest.raises(ValueError, match=message):
            genten.TuckerModel(*arguments)
    m = genten.TuckerModel(np.ones((2, 2)), [ones, None])
    assert m.shape == (3, 2) and m.ranks == (2, 2) and m.ndim == 2
    with pytest.raises(ValueError, match="expected a name that ends in .ttensor"):
        m.save(tmp_path / "m.ktensor")
    with pytest.raises(ValueError, match="to_dense: expected at most 5 elements, got 6"):
        m.to_dense(most=5)
    assert list(tmp_path.iterdir()) == []


def test_callbacks_and_progress(X, capsys):
    seen = []

    def look(it):
        seen.append((it.iteration, it.fit, it.model()))

    four = {"tolerance": 0, "max_iterations": 4}
    r = genten.tucker(X, (2, 1, 2), **four, progress=True, callback=look)
    assert [each[0] for each in seen] == [1, 2, 3, 4]
    assert all(isinstance(each[2], genten.TuckerModel) for each in seen)
    assert seen[-1][2].labels == X.labels
    assert r.stop_reason == "iteration_limit" and not r.notes  # A tolerance of 0 asks for all.
    assert capsys.readouterr().err
    r = genten.tucker(X, (2, 1, 2), tolerance=0, callback=lambda it: it.iteration == 2)
    assert (r.stop_reason, r.iterations) == ("callback", 2)
    r = genten.tucker(X, (2, 1, 2), tolerance=1e-15, max_iterations=1)
    assert [note.code for note in r.notes] == ["iteration_limit"]
    assert r.notes[0].text in r.warnings and r.notes[0].text in repr(r)
    with pytest.raises(KeyError):
        genten.tucker(X, 1, callback=lambda it: {}["none"])


def test_interrupts_keep_the_model(X):
    # A shell's job in the background has been told to ignore them.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        r = genten.tucker(X, (2, 1, 2), tolerance=0, max_iterations=10**9, time_limit=60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert r.stop_reason == "interrupted" and r.fit > 0.5
    assert "interrupted" in repr(r) and r.seconds > 0


def test_core_consistency(X):
    plain = genten.cp(X, 2, tolerance=1e-10, max_iterations=1000)
    assert genten.core_consistency(X, plain) == pytest.approx(100, abs=0.01)
    model = genten.cp(X, 2, nonnegative=True).model
    # By its definition: the core that fits best, by pseudoinverses.
    factors = model.normalize(sort=False, signs=False).factors
    weights = model.normalize(sort=False, signs=False).weights
    inverses = [np.linalg.pinv(f) for f in [factors[0] * weights, *factors[1:]]]
    core = np.einsum("ijk,ai,bj,ck->abc", X.to_dense(), *inverses)
    core[range(2), range(2), range(2)] -= 1
    known = 100 * (1 - (core**2).sum() / 2)
    assert genten.core_consistency(X, model) == pytest.approx(known, abs=1e-9)
    assert genten.core_consistency(X, model, norms="as_given") == pytest.approx(known, abs=1e-9)
    turned = X.permute(["dept", "gender", "admit"])
    assert genten.core_consistency(turned, model) == pytest.approx(known, abs=1e-9)
    assert np.isnan(genten.core_consistency(X, genten.cp(X, 3)))
    with pytest.raises(MemoryError):
        genten.core_consistency(X, model, memory_available=1)
    with pytest.raises(TypeError, match="expected a Model or a Result"):
        genten.core_consistency(X, 3)
    with pytest.raises(ValueError, match="norms: expected 'first_mode' or 'as_given'"):
        genten.core_consistency(X, model, norms="other")
    with pytest.raises(ValueError, match="dimensions"):
        genten.core_consistency(np.ones((2, 2, 2)), model)


def test_what_models_of_cp_have_names_the_way_out(titanic):
    m = genten.tucker(titanic, 2).model
    for name, way in (
        ("components", "its core and factors are no components, as those of genten.Model"),
        ("loss", "it is of least squares, and genten.cp takes other losses"),
        ("update", r"a model of genten.cp has update, and genten.tucker\(X, ranks\) takes new"),
    ):
        with pytest.raises(AttributeError, match=f"^TuckerModel has no '{name}': {way}"):
            getattr(m, name)
    with pytest.raises(TypeError, match="^Stream: .* got TuckerModel; a model of genten.cp has "):
        genten.Stream(m, 0)


def test_core_consistency_with_missing_entries_is_that_of_filled_ones():
    """By what the messages say."""
    rng = np.random.default_rng(0)
    full = np.einsum("ir,jr,kr->ijk", *(rng.random((n, 2)) for n in (9, 6, 5)))
    missing = rng.random(full.shape) < 0.2
    holes, zeros = np.where(missing, np.nan, full), np.where(missing, 0.0, full)
    r = genten.cp(holes, 2, missing=missing, seed=1, tolerance=1e-10, max_iterations=5000)
    m = r.model
    for X in (holes, np.ma.array(zeros, mask=missing)):
        for model in (r, m):
            with pytest.raises(ValueError, match=r"^core_consistency: X: .* give numpy") as told:
                genten.core_consistency(X, model)
            way = re.search(r"give (numpy.where\(.*, X\)),", str(told.value)).group(1)
            filled = eval(way, {"numpy": np, "r": r, "m": m, "X": X})
            assert genten.core_consistency(filled, model) == pytest.approx(100, abs=0.1)
    with pytest.raises(TypeError, match=r"'missing'; numpy.where\(missing, m.to_dense\(\), X\)"):
        genten.core_consistency(zeros, m, missing=missing)
    with pytest.warns(UserWarning, match=r"zero and count.* where these are missing, numpy.where"):
        assert genten.core_consistency(zeros, m) < 99


def test_models_of_pyttb():
    pyttb = pytest.importorskip("pyttb")
    core, factors = np.arange(12.0).reshape(2, 3, 2), [np.eye(4, 2), np.ones((5, 3)), np.eye(2)]
    sparse = pyttb.tensor(core).to_sptensor()
    for theirs in (pyttb.tensor(core), sparse):
        T = pyttb.ttensor(theirs, factors)
        with pytest.raises(TypeError, match="got a core alone: those of a ttensor T are T.core"):
            genten.TuckerModel(T)
        m = genten.TuckerModel(T.core, T.factor_matrices)
        np.testing.assert_allclose(m.to_dense(), T.full().data)
    with pytest.raises(TypeError, match="expected core and factors, got a core alone$"):
        genten.TuckerModel(core)
