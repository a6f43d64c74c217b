# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models: construction, operations against NumPy, files of other libraries."""

import re

import numpy as np
import pytest
from conftest import equal_models, same_bits

import genten


@pytest.fixture
def model():
    rng = np.random.default_rng(3)
    return genten.Model([3.0, 2.0, 0.5], [rng.normal(size=(n, 3)) for n in (6, 4, 5)])


def test_arrays_are_kept_as_they_are():
    factor = np.ones((3, 2), order="F")
    m = genten.Model(None, [factor, factor.astype(np.float32)])
    assert m.factors[0] is factor and m.dtype == np.float64
    assert m.weights.tolist() == [1, 1] and (m.shape, m.rank, m.ndim) == ((3, 3), 2, 2)
    assert genten.Model([1], [[[2], [3]]]).factors[0].dtype == np.float64


@pytest.mark.parametrize(
    "weights, factors, message",
    [
        (None, [], "at least one"),
        ([1.0], [np.ones((3, 2))], "factor 0: expected 1 columns, one a weight, got 2"),
        (None, [np.ones((3, 2)), np.ones((3, 1))], "factor 1: expected 2 columns"),
        (None, [np.ones(3)], "factor 0: expected real numbers in 2 dimensions"),
        (None, [np.ones((3, 1), complex)], "factor 0: expected real numbers"),
    ],
)
def test_shapes_that_do_not_go_together_are_refused(weights, factors, message):
    with pytest.raises(ValueError, match=message):
        genten.Model(weights, factors)


@pytest.mark.parametrize("dtype, close", [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_operations_agree_with_numpy(model, dtype, close):
    weights, factors = model.weights.astype(dtype), [f.astype(dtype) for f in model.factors]
    m = genten.Model(weights, [np.asfortranarray(f) for f in factors])
    full = np.einsum("r,ir,jr,kr->ijk", weights, *factors)
    assert np.allclose(m.to_dense(), full, rtol=close)
    assert m.norm == pytest.approx(np.linalg.norm(full), rel=close)
    other = genten.Model(None, [f[:, :2] for f in factors])
    assert m.innerprod(other) == pytest.approx(np.vdot(full, other.to_dense()), rel=close)
    X = genten.tensor(np.where(full > 1, full, 0).astype(dtype))
    assert m.innerprod(X) == pytest.approx(np.vdot(full, full * (full > 1)), rel=close)
    entries = np.array([[0, 0, 0], [5, 3, 4], [2, 1, 3]])
    assert np.allclose(m.predict(entries), full[tuple(entries.T)], rtol=close)
    assert m.predict(entries.astype(np.uint8)).dtype == np.float64
    assert m.predict([]).shape == (0,)
    n = m.normalize()
    assert np.allclose(n.to_dense(), full, atol=close * 10) and (np.diff(n.weights) <= 0).all()
    for factor in n.factors:
        assert np.allclose(np.linalg.norm(factor, axis=0), 1, rtol=close)
    assert same_bits(m.weights, weights)


def test_normalize_without_order(model):
    n = model.normalize(sort=False, signs=False)
    for factor, before in zip(n.factors, model.factors, strict=True):
        assert np.allclose(factor, before / np.linalg.norm(before, axis=0))


def test_scores(model):
    shuffled = genten.Model(model.weights[[2, 0, 1]], [f[:, [2, 0, 1]] for f in model.factors])
    score = shuffled.score(model)
    assert isinstance(score, float) and score == pytest.approx(1)
    assert score.permutation == [1, 2, 0] and score.flipped == [False] * 3
    turned = genten.Model(model.weights, [-model.factors[0], *model.factors[1:]])
    assert turned.score(model).flipped == [True] * 3
    half = genten.Model(model.weights / 2, model.factors)
    assert half.score(model) == pytest.approx(0.5)
    assert half.score(model, weight_penalty=False, greedy=True) == pytest.approx(1)
    with pytest.raises(ValueError, match="at least the reference's 3 components, got 1"):
        genten.Model(None, [f[:, :1] for f in model.factors]).score(model)


def test_scores_by_some_modes_alone():
    """As of split halves, whose rows are different ones."""
    rng = np.random.default_rng(3)
    waves, items = rng.random((5, 2)), rng.random((6, 2))
    names = [[f"w{k}" for k in range(5)], [f"i{k}" for k in range(6)]]

    def half(first, count):
        people = [f"p{first + k}" for k in range(count)]
        factors = [rng.random((count, 2)), waves, items[::-1] if first else items]
        labels = [people, names[0], names[1][::-1] if first else names[1]]
        return genten.Model(None, factors, labels=labels, mode_names=["who", "wave", "item"])

    one, other = half(0, 7), half(7, 9)
    with pytest.raises(ValueError, match=r"same labels, .*; modes=\['wave', 'item'\] scores mod"):
        one.score(other)
    for modes in (["wave", "item"], [1, 2], "item"):
        score = one.score(other, modes=modes, weight_penalty=False)
        assert score == pytest.approx(1) and score.permutation == [0, 1]
    sizes = [np.linalg.norm(m.factors[0], axis=0) for m in (one, other)]
    ratio = np.minimum(*sizes) / np.maximum(*sizes)
    assert one.score(other, modes=[1, 2]) == pytest.approx(ratio.mean())
    with pytest.raises(ValueError, match=r"score: modes: expected at least one mode, got \[\]"):
        one.score(other, modes=[])


def test_projection_finds_the_factor_again(model):
    X = genten.tensor(model.to_dense())
    for mode in (0, 1, 2, -1):
        assert np.allclose(model.project(X, mode), model.factors[mode])
    rows = genten.tensor(model.to_dense()[[4, 1]])
    assert np.allclose(model.project(rows, 0), model.factors[0][[4, 1]])
    twice = genten.Model(None, [np.repeat(f[:, :1], 2, axis=1) for f in model.factors])
    found = twice.project(genten.tensor(twice.to_dense()), 0)
    assert np.allclose(found, twice.factors[0])
    with pytest.raises(ValueError, match="but for mode 0, got"):
        model.project(genten.tensor(np.ones((6, 4, 4))), 0)
    with pytest.raises(ValueError, match="expected a mode from 0 to 2, got 3"):
        model.project(X, 3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.uint8])
def test_padded_factors_are_not_copied(monkeypatch, dtype, kind):
    rng = np.random.default_rng(4)
    wide = [rng.normal(size=(n, 4)).astype(dtype) for n in (60, 40, 50)]
    padded = genten.Model(np.array([3, 2, 1], dtype), [factor[:, :3] for factor in wide])
    packed = genten.Model(padded.weights, [np.ascontiguousarray(f) for f in padded.factors])
    entries = rng.integers(0, (60, 40, 50), (49, 3)).astype(kind)
    X = genten.tensor((entries, np.arange(49, dtype=dtype), packed.shape))
    expected, many = packed.predict(entries), np.repeat(entries, 99, axis=0)
    square, product = packed.norm(), X.innerprod(packed)
    why = "predict: entry 2: expected .* below 40 in mode 1, got 77"
    with pytest.raises(ValueError, match=why):
        padded.predict([[0, 0, 0], [1, 1, 1], [2, 77, 2]])
    with pytest.raises(ValueError, match="expected 3 subscripts an entry, got 2"):
        padded.predict([[0, 0]])
    columns = genten.Model(padded.weights, [np.asfortranarray(f) for f in packed.factors])
    assert same_bits(columns.predict(entries), expected)
    assert same_bits(columns.predict(many)[::99], expected)

    def refuse(array, *how):
        assert array.ndim == 1, "a factor is copied"
        return array

    monkeypatch.setattr(np, "require", refuse)
    assert same_bits(padded.predict(entries), expected)
    assert same_bits(padded.predict(many)[::99], expected)
    assert float(padded.score(packed)) == pytest.approx(1)
    assert (padded.norm(), X.innerprod(padded)) == (square, product)
    assert padded.innerprod(packed) == pytest.approx(square**2, rel=1e-5)


def test_rows_that_overlap_or_go_backwards_are_copied():
    rng = np.random.default_rng(5)
    factor = rng.normal(size=(6, 3))
    odd = [factor[::-1], np.broadcast_to(factor[2], (4, 3)), factor[:, ::-1], factor[2:3, 1:]]
    for each in [*odd, factor[:, :1], factor[::2], np.frombuffer(b"x" * 49, "u1")[1:].view(float)
                 .reshape(2, 3)]:  # fmt: skip
        m = genten.Model(None, [each, each])
        packed = genten.Model(None, [np.array(each), np.array(each)])
        entries = rng.integers(0, len(each), (50, 2))
        assert same_bits(m.predict(entries), packed.predict(entries))
        assert m.norm == packed.norm and m.score(packed) == packed.score(packed)


def test_wrong_entries_are_refused(model):
    why = "predict: entry 1: expected a subscript below 4 in mode 1"
    with pytest.raises(ValueError, match=why):
        model.predict([[0, 0, 0], [0, 4, 0]])
    with pytest.raises(ValueError, match="expected 3 subscripts an entry, got 2"):
        model.predict([[0, 0]])
    with pytest.raises(ValueError, match="Sptensor|dimensions"):
        model.innerprod(genten.tensor(np.ones((2, 2))))
    assert model.innerprod(model.to_dense()) == pytest.approx(model.norm**2)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(bad):
    good, spoilt = np.ones((3, 2)), np.ones((4, 2))
    spoilt[2, 1] = bad
    with pytest.raises(ValueError, match=f"factor 1: expected finite .* got {bad} in row 2, col"):
        genten.Model(None, [good, spoilt])
    with pytest.raises(ValueError, match=f"weights: expected finite .*, got {bad} in component 1$"):
        genten.Model([1.0, bad], [good, good])
    single = spoilt.astype(np.float32)
    with pytest.raises(ValueError, match="factor 0: expected finite numbers"):
        genten.Model(None, [single])


def test_top_entries():
    factor = np.array([[0.1, 3], [-0.9, 2], [0.4, -5], [0.9, 0]])
    m = genten.Model(None, [factor, factor[:2]], [["a", "b", "c", "d"], None])
    assert m.top(0, 3, 0) == [("b", -0.9), ("d", 0.9), ("c", 0.4)]
    assert m.top(1, 1) == [[("c", -5.0)], [(0, 3.0)]]
    assert len(m.top(1, 99, 0)) == 4
    for component in (2, -1):
        with pytest.raises(ValueError, match=f"component from 0 to 1, got {component}"):
            m.top(component)
    for k in (0, -1):
        with pytest.raises(ValueError, match=f"top: expected k of at least 1, got {k}"):
            m.top(0, k)


def test_labels_that_are_set_are_checked(model):
    model.labels = [list("abcdef"), None, None]
    assert model.top(0, 1, 0)[0][0] in "abcdef"
    with pytest.raises(ValueError, match="labels: expected 4 names in mode 1, got 2"):
        model.labels = [None, ["a", "b"], None]
    with pytest.raises(ValueError, match="mode_names: expected 3 names, got 1"):
        model.mode_names = ["a"]
    assert model.labels[0] == list("abcdef") and model.mode_names is None
    model.labels = model.mode_names = None
    assert model.labels == [None, None, None]


def test_models_are_equal_by_value(model, tmp_path):
    model.labels = [None, list("abcd"), None]
    model.save(tmp_path / "m.gkt")
    loaded = genten.load(tmp_path / "m.gkt")
    assert loaded == model == model.copy() and loaded.isequal(model)
    loaded.labels = None
    assert loaded != model and loaded.isequal(model)
    loaded.weights[0] += 1
    assert not loaded.isequal(model) and model != "a model"
    assert genten.Model(None, model.factors[:2]) != genten.Model(None, model.factors)
    with pytest.raises(TypeError, match="unhashable"):
        hash(model)
    with pytest.raises(TypeError, match="isequal: expected a Model, got int"):
        model.isequal(3)


def test_evaluations_show_what_they_know(titanic):
    model = genten.cp(titanic, 2, nonnegative=True, seed=1).model
    shown = repr(model.evaluate(titanic))
    assert shown.startswith("Evaluation(listed=EntryErrors(entries=24, residual_norm=")
    assert not re.search(r"nan|loss|None|notes|zeros|auc", shown)
    under = repr(model.evaluate(titanic, "poisson"))
    assert "mean_loss=" in under and "loss='poisson'" in under and "auc" not in under
    free = genten.cp(titanic, 2, seed=1).model.evaluate(titanic)
    assert ("mae=nan" in repr(free)) == bool(np.isnan(free.all.mae))


def test_scores_of_results(titanic):
    r = genten.cp(titanic, 2)
    assert r.model.score(r) == pytest.approx(1)
    with pytest.raises(TypeError, match=r"a Model or a Result, got ndarray; m.evaluate\(X\) comp"):
        r.model.score(np.ones(3))
    with pytest.raises(ValueError, match=r"components, got 1; reference.score\(model\) has the"):
        r.model.extract([0]).score(r.model)
    assert r.model.score(r.model.extract([0])) > 0


def test_dense_tensors_have_a_limit():
    m = genten.Model(None, [np.ones((1000, 1))] * 4)
    with pytest.raises(ValueError, match="at most 100000000 elements, got 1000000000000"):
        m.to_dense()


@pytest.mark.parametrize("name", ["m.ktensor", "m.ktensor.gz", "m.txt.zst", "m.gkt", "m.bin"])
def test_files(model, tmp_path, name):
    model.save(tmp_path / name)
    assert equal_models(genten.load(tmp_path / name), model)
    single = genten.load(tmp_path / name, dtype="float32")
    assert single.dtype == np.float32
    named = genten.load(str(tmp_path / name), labels=[None, list("abcd"), None])
    assert named.labels[1] == list("abcd")


def test_files_that_are_refused(model, tmp_path):
    with pytest.raises(ValueError, match="is that of a tensor"):
        model.save(tmp_path / "m.tns")
    for name in ("m.npz.gz", "m.csv.zst", "m.json.gz", "m.v2"):
        with pytest.raises(ValueError, match=rf"{name}: expected a name that ends in .ktensor, .*"):
            model.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    model.save(tmp_path / "m")
    assert genten.load(tmp_path / "m") == model
    with pytest.raises(ValueError, match="not compressed"):
        model.save(tmp_path / "m.gkt.gz")
    with pytest.raises(OSError):
        model.save(tmp_path / "absent" / "m.gkt")
    with pytest.raises(OSError, match="absent"):
        genten.load(tmp_path / "absent")
    (tmp_path / "bad").write_text("ktensor\n2\n")
    with pytest.raises(OSError, match="bad"):
        genten.load(tmp_path / "bad")


def test_other_libraries_models(model):
    pyttb = pytest.importorskip("pyttb")
    theirs = model.to_pyttb()
    assert isinstance(theirs, pyttb.ktensor)
    assert np.allclose(theirs.full().data, model.to_dense())
    tensorly = pytest.importorskip("tensorly")
    assert np.allclose(tensorly.cp_to_tensor(model.to_tensorly()), model.to_dense())
