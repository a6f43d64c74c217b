# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a script written for pyttb asks of the model that `cp_als` returns."""

import copy
import inspect
import json
import pickle

import numpy as np
import pytest
from conftest import equal_models

import genten


@pytest.fixture
def model():
    rng = np.random.default_rng(3)
    factors = [rng.normal(size=(n, 3)) for n in (6, 4, 5)]
    return genten.Model([3.0, 2.0, 0.5], factors, [None, list("abcd"), None], ["p", "q", "r"])


def test_names_that_mean_the_same(model):
    pytest.importorskip("pyttb")
    theirs = model.to_pyttb()
    assert (model.ncomponents, model.ndims) == (theirs.ncomponents, theirs.ndims) == (3, 3)
    assert model.factor_matrices is model.factors and model.shape == theirs.shape
    assert np.allclose(model.double(), theirs.double())
    assert model.norm() == model.norm == pytest.approx(theirs.norm())
    for chosen in (1, [2, 0], (0,), np.array([1, 2]), None):
        mine, peer = model.extract(chosen), theirs.extract(chosen)
        assert np.array_equal(mine.weights, peer.weights)
        for one, other in zip(mine.factors, peer.factor_matrices, strict=True):
            assert np.array_equal(one, other)
        assert mine.labels[1] == list("abcd") and mine.mode_names == ["p", "q", "r"]


def test_a_copy_has_arrays_of_its_own(model):
    copied = model.copy()
    assert equal_models(copied, model) and copied.labels == model.labels
    assert not any(np.shares_memory(a, b) for a, b in zip(copied.factors, model.factors))
    copied.weights[0] = 7
    assert model.weights[0] == 3


@pytest.mark.parametrize("components", [3, -1, [], [0, 3], 0.5, "a", [[0]]])
def test_components_that_there_are_not(model, components):
    with pytest.raises(ValueError, match="extract: expected components from 0 to 2, got"):
        model.extract(components)


def test_scores_and_products_with_their_models(model):
    pytest.importorskip("pyttb")
    theirs = model.to_pyttb()
    assert model.score(theirs) == pytest.approx(1)
    assert model.innerprod(theirs) == pytest.approx(theirs.norm() ** 2)
    half = genten.Model(model.weights / 2, model.factors)
    assert half.score(theirs, greedy=True) == pytest.approx(half.to_pyttb().score(theirs)[0])


@pytest.mark.parametrize(
    "name, said",
    [
        ("full", r"to_dense\(\) is the array"),
        ("arrange", r"normalize\(\) returns one with components by weight"),
        ("viz", r"that is plot\(\)"),
        ("ttv", r"to_pyttb\(\).ttv is pyttb's own"),
        ("tovec", r"to_pyttb\(\).tovec"),
    ],
)
def test_names_that_mean_something_else_say_so(model, name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(model, name)
    assert not hasattr(model, name) and not hasattr(model, "no_such_name")
    with pytest.raises(AttributeError, match="'Model' object has no attribute 'no_such_name'"):
        model.no_such_name  # noqa: B018


def test_every_name_of_pyttb_is_answered(model):
    pyttb = pytest.importorskip("pyttb")
    unanswered = []
    for name in dir(pyttb.ktensor):
        if name.startswith("_") or name == "order":  # of memory there
            continue
        try:
            getattr(model, name)
        except AttributeError as error:
            if "pyttb" not in str(error):
                unanswered.append(name)
    assert unanswered == []


def test_models_are_still_copied_pickled_and_written(model):
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert equal_models(other, model) and other.ncomponents == 3
    assert json.loads(json.dumps({"norm": model.norm})) == {"norm": float(model.norm)}


def test_one_entry_of_a_model(model):
    assert model[1, 2, 3] == model.predict([[1, 2, 3]])[0] == model.to_dense()[1, 2, 3]
    assert isinstance(model[np.int64(1), 2, 3], float)
    assert genten.Model([2.0], [np.array([[0.5], [3.0]])])[1] == 6
    for entry in ((1, 2), (slice(None), 0, 0), (0.5, 1, 1), [[0, 1, 2]]):
        with pytest.raises(TypeError, match="a Model is indexed by 3 rows, one of each.*; predict"):
            model[entry]
    with pytest.raises(IndexError, match=r"mode 1 \(q\): expected a row from 0 to 3, got 4"):
        model[0, 4, 0]


def test_every_name_of_pyttbs_tucker_models_is_answered():
    pyttb = pytest.importorskip("pyttb")
    model = genten.TuckerModel(np.ones((2, 1)), [np.eye(3)[:, :2], np.ones((2, 1))])
    unanswered = []
    for name in (each for each in dir(pyttb.ttensor) if not each.startswith("_")):
        try:
            getattr(model, name)
        except AttributeError as error:
            assert str(error).startswith("TuckerModel has no")
            unanswered += [name] * ("pyttb's ttensor: " not in str(error))
    assert unanswered == []
    for name in ("weights", "ncomponents", "normalize"):
        with pytest.raises(AttributeError, match=f"no '{name}': .*genten.Model, which genten.cp f"):
            getattr(model, name)


def test_every_name_of_pyttbs_sparse_tensors_is_answered(model):
    pyttb = pytest.importorskip("pyttb")
    X = genten.tensor(np.eye(3))
    unanswered = []
    for name in dir(pyttb.sptensor):
        if name.startswith("_") or name == "copy":
            continue
        try:
            getattr(X, name)
        except AttributeError as error:
            if "pyttb" not in str(error):
                unanswered.append(name)
    assert unanswered == [] and not hasattr(X, "no_such_name")
    with pytest.raises(AttributeError, match="'subs' as pyttb's sptensor: that is subscripts"):
        X.subs  # noqa: B018
    assert pickle.loads(pickle.dumps(copy.deepcopy(X))).norm == X.norm


@pytest.mark.parametrize(
    "name, said",
    [
        ("sptensor", r"genten.tensor\(\(subs, vals, shape\)\)"),
        ("cp_apr", "loss=.poisson."),
        ("ktensor", r"genten.Model\(weights, factors\)"),
        ("gcp_opt", r"genten.cp\(X, R, loss="),
        ("no_such_name", "^module 'genten' has no attribute 'no_such_name'$"),
    ],
)
def test_names_of_other_packages_say_what_is_here(name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(genten, name)
    assert not hasattr(genten, name)


def test_subscripts_values_and_shape_are_one_tuple():
    subs, vals = np.array([[0, 1], [1, 1]]), np.array([[1.0], [2.0]])
    expected = r"in one tuple, genten.tensor\(\(subs, vals, shape\)\), got"
    for arguments in ((subs, vals, (2, 2)), (subs, vals), (subs.tolist(), [1, 2])):
        with pytest.raises(TypeError, match=expected):
            genten.tensor(*arguments)
    assert genten.tensor((subs, vals), (2, 3)).shape == (2, 3)
    names = list(inspect.signature(genten.tensor).parameters)
    assert names[:2] == ["data", "shape"] and len(names) == 10


def test_a_norm_of_a_tensor_may_be_called():
    X = genten.tensor((np.array([[0, 1], [2, 0]]), np.array([3.0, 4.0])))
    assert X.norm() == X.norm == 5.0 and repr(X.norm) == "5.0"
    assert json.dumps(X.norm) == "5.0" and type(X.norm()) is float


def test_operators_and_brackets_say_what_to_do_instead(model):
    X = genten.tensor(model.to_dense())
    for wrong, hint in (
        (lambda: model + model, r"a Model has no '\+': to_pyttb\(\) \+ other.to_pyttb\(\) has"),
        (lambda: model - model, r"a Model has no '-': to_pyttb\(\) - other.*; m.residuals\(X\)"),
        (lambda: model * model, r"a Model has no '\*': 2 \* m takes a number"),
        (lambda: model / True, r"a Model has no '/': m / 2 takes a number"),
        (lambda: np.ones(2) * model, r"a Model has no '\*'"),
        (lambda: X + 1, r"a Tensor has no '\+': X \+ Y takes another Tensor; beside arrays"),
        (lambda: np.ones(3) + X, r"a Tensor has no '\+'"),
        (lambda: X - model, r"a Tensor has no '-'.*m.residuals\(X\) is what it leaves"),
        (lambda: X * X, r"a Tensor has no '\*': 2 \* X takes a number; X.map"),
        (lambda: X * True, r"a Tensor has no '\*'"),
        (lambda: np.ones(3) * X, r"a Tensor has no '\*'"),
        (lambda: X / X, r"a Tensor has no '/': X / 2 takes a number"),
        (lambda: list(X), "'Tensor' object is not iterable"),
    ):
        with pytest.raises(TypeError, match=hint):
            wrong()
    pytest.importorskip("pyttb")
    both = (model.to_pyttb() + model.to_pyttb()).full().double()
    assert np.allclose(both, 2 * model.to_dense())


def test_sums_and_multiples_of_tensors():
    subscripts = np.array([[0, 1], [2, 0], [0, 1]])
    X = genten.tensor((subscripts, [1.0, 2.0, 4.0], (3, 2)), labels=[list("abc"), None])
    Y = genten.tensor((np.array([[2, 0], [1, 1]]), np.float32([-2.0, 5.0]), (3, 2)))
    x, y = X.to_dense(), Y.to_dense()
    for found, known in (
        (X + Y, x + y), (Y + X, x + y), (X - Y, x - y), (X - X, 0 * x), (-X, -x), (2 * X, 2 * x),
        (X * np.float64(0.5), x / 2), (np.int64(3) * X, 3 * x), (X / 4, x / 4),
        (sum([X, Y, X]), 2 * x + y), (Y + Y, 2 * y), (sum([X, Y]), x + y),
    ):  # fmt: skip
        assert np.array_equal(found.to_dense(), known) and found.nnz == found.distinct_subscripts
    assert (X + Y).labels == (Y + X).labels == X.labels and (X + Y)["c", 0] == 0.0
    assert (X + Y).nnz == 3 and (Y + Y).dtype == np.float32 and (X - X).nnz == 2
    with pytest.raises(ZeroDivisionError):
        X / 0
    with pytest.raises(ValueError, match="expected finite numbers"):
        X * np.inf
    for other, said in (
        (genten.tensor(np.eye(3)), r"X \+ Y: expected tensors of one shape, got \(3, 2\) and"),
        (genten.tensor(y, labels=[list("abd"), None]), "tensors of the same labels; genten"),
    ):
        with pytest.raises(ValueError, match=said):
            X + other
    named = genten.tensor(np.eye(2), mode_names=["p", "q"])
    turned = genten.tensor(np.eye(2), mode_names=["q", "p"])
    with pytest.raises(ValueError, match=r"expected modes called \['p', 'q'\].*Y.permute\(X"):
        named - turned
    assert (named - turned.permute(named.mode_names)).sum() == 0


def test_tables_of_other_rows_are_added_as_the_message_says():
    pandas = pytest.importorskip("pandas")
    X, Y = (
        genten.tensor(pandas.DataFrame({"u": list(u), "i": list(i), "n": n}), values="n")
        for u, i, n in (("aab", "xyx", [1, 2, 3]), ("bcc", "xxz", [4, 5, 6]))
    )
    with pytest.raises(ValueError) as caught:
        X + Y
    call = str(caught.value).partition("; ")[2].partition(" goes by")[0]
    found = eval(call, {"genten": genten, "pandas": pandas, "X": X, "Y": Y})
    assert found["b", "x"] == 7.0 and found.sum() == 21.0 and found.mode_names == ["u", "i"]


def test_tensors_are_equal_entry_by_entry():
    subscripts = np.array([[0, 1], [2, 0], [0, 1]])
    X = genten.tensor((subscripts, [1.0, 2.0, 4.0], (3, 2)))
    Y = genten.tensor((np.array([[2, 0], [0, 1]]), [2.0, 5.0], (3, 2)))
    assert X == Y and X != genten.tensor((subscripts, [1.0, 2.0, 3.0], (3, 2)))
    assert X != genten.tensor((subscripts, [1.0, 2.0, 4.0], (4, 2))) and X is not None
    assert X != genten.tensor((subscripts, [1.0, 2.0, 4.0], (3, 2)), mode_names=["a", "b"])


def test_results_say_what_their_model_has():
    r = genten.cp(np.ones((2, 3)), 1)
    for name in ("top", "weights", "factors", "save", "labels"):
        with pytest.raises(AttributeError, match=f"a Result has no '{name}', but its model does"):
            getattr(r, name)
    with pytest.raises(AttributeError, match="^'Result' object has no attribute 'xyzzy'$"):
        print(r.xyzzy)
    with pytest.raises(AttributeError, match="choose_rank"):
        print(genten.rank)


def test_keywords_of_pyttb():
    X = genten.tensor(np.ones((2, 3)))
    for error, use in (
        ("ttv: unexpected keyword 'exclude_dims'; list the other modes in modes=; its keywords are",
         lambda: X.ttv(np.ones(3), exclude_dims=0)),
        ("ttm: .* 'dims'; did you mean 'modes'", lambda: X.ttm(np.ones((2, 2)), dims=0)),
        ("mttkrp: .* 'n'; did you mean 'mode'", lambda: X.mttkrp([np.ones((2, 1))] * 2, n=0)),
        ("permute: .* 'order'; did you mean 'modes'", lambda: X.permute(order=[1, 0])),
        ("extract: .* 'idx'; its only keyword is components",
         lambda: genten.cp(X, 1).model.extract(idx=0)),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=error):
            use()
    assert X.ttv.__doc__ and X.ttv(np.ones(3), modes=1).shape == (2,)


def test_a_model_is_made_of_weights_and_factors():
    m = genten.Model([1.0], [np.ones((2, 1)), np.ones((3, 1))])
    with pytest.raises(TypeError, match="those of a ktensor M are M.weights and M.factor_mat"):
        genten.Model(m)
    with pytest.raises(TypeError, match="expected weights and factors, got weights alone$"):
        genten.Model([1.0])
    class CPTensor:  # as TensorLy's
        weights, factors = m.weights, m.factors

    with pytest.raises(TypeError, match=r"those of TensorLy's model are genten.Model\(\*model\)$"):
        genten.Model(CPTensor())


def test_names_of_tucker_models():
    r = genten.tucker(genten.tensor(np.arange(6.0).reshape(2, 3)), (1, 1))
    for name, way in (
        ("full", "to_dense"), ("u", "that is factors"), ("score", "rotation"),
        ("to_pyttb", "pyttb.ttensor"), ("to_tensorly", "TuckerTensor"),
    ):  # fmt: skip
        said = f"^TuckerModel has no '{name}' as pyttb's ttensor: .*{way}"
        with pytest.raises(AttributeError, match=said):
            getattr(r.model, name)
    with pytest.raises(AttributeError, match="^'TuckerModel' object has no attribute 'xyzzy'$"):
        print(r.model.xyzzy)
    pyttb = pytest.importorskip("pyttb")
    theirs = pyttb.ttensor(pyttb.tensor(r.model.core), r.model.factors)  # as the message says
    np.testing.assert_allclose(theirs.full().data, r.model.to_dense())


def test_a_result_is_no_array():
    X = genten.tensor(np.ones((2, 3)))
    for r in (genten.cp(X, 1), genten.tucker(X, (1, 1))):
        with pytest.raises(TypeError, match=r"Result is no array: numpy.asarray of its .model is"):
            np.asarray(r)
        assert np.asarray(r.model).shape == (2, 3)


def test_keywords_of_others_in_cp():
    X = genten.tensor(np.ones((2, 3)))
    for keyword, said in {
        "type": "'type'; did you mean 'loss'", "objective": "'objective'; did you mean 'loss'",
        "optdims": "fixed_modes= are the others", "fixsigns": "signs are always made unambig",
    }.items():  # fmt: skip
        with pytest.raises(TypeError, match=said):
            genten.cp(X, 1, **{keyword: "x"})
    for ranks in ([2, 2], (2, 2)):
        with pytest.raises(TypeError, match=r"^cp: expected a rank, .* second .*, got .2, 2.; ge"):
            genten.cp(X, ranks)
