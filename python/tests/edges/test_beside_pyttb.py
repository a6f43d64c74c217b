# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of pyttb beside ours, and what names of its package say."""

import logging

import numpy as np
import pytest

import genten

pyttb = pytest.importorskip("pyttb")

RNG = np.random.default_rng(0)
SHAPE = (6, 5, 4)
SUBS = np.unique(RNG.integers(0, SHAPE, (60, 3)), axis=0)
THEIRS = pyttb.sptensor(SUBS, RNG.random((len(SUBS), 1)) + 0.1, SHAPE)
COUNTS = pyttb.sptensor(SUBS, RNG.poisson(3, (len(SUBS), 1)) + 1.0, SHAPE)
FACTORS = [RNG.random((n, 3)) for n in SHAPE]
MODEL = genten.Model([3.0, 1.0, 2.0], FACTORS)


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.WARNING)  # pyttb tells of copies of arrays
    yield
    logging.disable(logging.NOTSET)


def objective_of_pyttb(name, data, number):
    from pyttb.gcp import fg, fg_setup, handles

    function, _, _ = fg_setup.setup(handles.Objectives[name], data, number)
    return fg.evaluate(MODEL.to_pyttb(), data, None, function, None)


@pytest.mark.parametrize(
    ("name", "number"),
    [("gaussian", None), ("poisson", None), ("poisson-log", None), ("bernoulli-odds", None),
     ("bernoulli-logit", None), ("rayleigh", None), ("gamma", None), ("huber", 0.25),
     ("beta", 0.3)],
)  # fmt: skip
def test_losses_are_the_same_numbers(name, number):
    data = COUNTS.full() if name.startswith("poisson") else THEIRS.full()
    if name.startswith("bernoulli"):
        data = pyttb.tensor((data.data > 0).astype(float))
    elif name in ("rayleigh", "gamma", "beta"):
        data = data + 0.1
    wanted = objective_of_pyttb(name.upper().replace("-", "_"), data, number)
    found = genten.evaluate(MODEL, genten.tensor(data), name, number)
    assert found.all.loss == pytest.approx(wanted, rel=1e-9)


def test_objectives_of_counts_have_the_other_sign():
    guess = pyttb.ktensor([RNG.random((n, 2)) for n in SHAPE])
    both = {"stoptol": 1e-7, "maxiters": 3000, "printitn": 0}
    _, _, info = pyttb.cp_apr(COUNTS, 2, init=guess.copy(), **both)
    r = genten.cp(COUNTS, 2, loss="poisson", init=guess, tolerance=1e-7, max_iterations=3000)
    assert -r.objective == pytest.approx(info["obj"], rel=1e-4)
    with pytest.raises(AttributeError, match=r"'obj': that is -r\.objective, as cp_apr has"):
        r.obj  # noqa: B018
    with pytest.raises(AttributeError, match=r"'final_f': that is r\.objective"):
        r.final_f  # noqa: B018


@pytest.mark.parametrize(
    "options",
    [{}, {"stoptol": 1e-8}, {"maxiters": 5}, {"dimorder": [2, 1, 0]}, {"optdims": [0, 1]}],
)
def test_iterations_of_cp_als(options):
    guess = pyttb.ktensor([RNG.random((n, 3)) for n in SHAPE])
    options = {"maxiters": 40, "printitn": 0, **options}
    theirs, _, known = pyttb.cp_als(THEIRS, 3, init=guess.copy(), **options)
    mine, _, found = genten.cp_als(THEIRS, 3, init=guess.copy(), **options)
    assert found["iters"] == known["iters"]
    assert found["fit"] == pytest.approx(known["fit"], abs=1e-10)
    np.testing.assert_allclose(mine.to_dense(), theirs.double(), atol=1e-10)
    if "optdims" not in options:
        for one, other in zip(mine.factors, theirs.factor_matrices, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-9)


def test_products_have_the_weights_of_models():
    X = genten.tensor(THEIRS)
    for mode, found in enumerate(X.mttkrps(MODEL)):
        wanted = THEIRS.mttkrp(MODEL.to_pyttb(), mode)
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_values_at_entries_of_a_tensor_of_any_size():
    X = genten.tensor(THEIRS)
    with pytest.raises(TypeError, match=r"X\.to_pyttb\(\)\[subscripts\]"):
        X[SUBS[:2]]
    assert np.array_equal(X.to_pyttb()[SUBS[:2]].ravel(), THEIRS.vals[:2].ravel())


@pytest.mark.parametrize(
    ("name", "said"),
    [("from_pyttb", r"genten\.Model\(K\.weights, K\.factor_matrices\) is the model of a ktensor"),
     ("to_pyttb", r"X\.to_pyttb\(\) and m\.to_pyttb\(\)"), ("Objectives", "loss='poisson'"),
     ("create_problem", r"genten\.generate\(shape, nnz, rank=R, support=S\)"),
     ("gcp", r"genten\.cp\(X, R, loss="), ("from_polars", r"genten\.tensor\(table, values="),
     ("from_tensorly", r"genten\.Model\(\*model\)")],
)  # fmt: skip
def test_names_of_the_package(name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(genten, name)


def test_arguments_without_their_keywords(tmp_path):
    m, X = MODEL, genten.tensor(THEIRS)
    for call, said in (
        (lambda: m.normalize("all"), "normalize: expected no arguments without a keyword, got 1"),
        (lambda: X.permute(0, 1, 2), r"permute: expected a list of modes: permute\(\[0, 1, 2\]\)"),
        (lambda: X.permute("a", "b"), r"a list of modes: permute\(\['a', 'b'\]\)"),
        (lambda: genten.read("x.csv", "n"), r"read: .* got 2; help\(genten.read\) tells of"),
        (lambda: m.evaluate(THEIRS, "gaussian", None, None), "evaluate: expected 3 arguments w"),
        (lambda: m.score(m, threshold=0.9), "threshold'; the score is a number"),
        (lambda: m.project(THEIRS, mod=0), "'mod'; did you mean 'mode'"),
        (lambda: genten.cp(pyttb.sumtensor([THEIRS, THEIRS]), 2), r"a sumtensor; its .full\(\) is"),
    ):
        with pytest.raises(TypeError, match=said):
            call()


def test_what_takes_models_says_what_makes_one_of_theirs(tmp_path):
    theirs = pyttb.ktensor(FACTORS, np.ones(3))
    tucker = pyttb.ttensor(pyttb.tensor(RNG.random((2, 2, 2))), [f[:, :2] for f in FACTORS])
    of_cp = r"; genten.Model\(it.weights, it.factor_matrices\) is a model of it$"
    of_tucker = r"; genten.TuckerModel\(it.core, it.factor_matrices\) is a model of it$"
    for it, way in ((theirs, of_cp), (tucker, of_tucker)):
        for call in (
            lambda it=it: genten.report(it, tmp_path / "m.html"),
            lambda it=it: genten.plots.plot_model(it),
            lambda it=it: genten.Stream(it, 0),
        ):
            with pytest.raises(TypeError, match=f"expected a Model or a Result, got .tensor{way}"):
                call()
    with pytest.raises(TypeError, match=f"^evaluate: expected .* got ttensor{of_tucker}"):
        genten.evaluate(tucker, THEIRS)
    with pytest.raises(TypeError, match=f"^init: expected .* got ttensor{of_tucker}"):
        genten.tucker(THEIRS, (2, 2, 2), init=tucker)
    assert genten.TuckerModel(tucker.core, tucker.factor_matrices).evaluate(THEIRS).fit < 1


def test_labels_of_a_tensor_go_to_their_models_as_is_told():
    labels = [[f"{mode}{row}" for row in range(n)] for mode, n in zip("abc", SHAPE, strict=True)]
    pytest.importorskip("pandas")
    table = genten.tensor(THEIRS, labels=labels, mode_names=["a", "b", "c"]).to_pandas()
    X = genten.tensor(table, values="value", shape=SHAPE)
    assert X.labels == labels
    m = MODEL.to_pyttb()
    told = (
        r"genten.Model\(m.weights, m.factors, X.labels\), of a model m of pyttb "
        r"genten.Model\(m.weights, m.factor_matrices, X.labels\), has those of the tensor X$"
    )
    with pytest.raises(ValueError, match=told):
        genten.evaluate(m, X)
    named = genten.Model(m.weights, m.factor_matrices, X.labels)
    assert genten.evaluate(named, X).fit == MODEL.evaluate(THEIRS).fit
