# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What newcomers ask of results, reports, columns and slices by the names of others."""

import inspect
import re
import warnings
from collections.abc import Iterable
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pandas
import pytest

import genten
from genten import _names_of_others as others

TABLE = pandas.DataFrame({"u": list("aabb"), "i": list("xyxy"), "n": [1.0, 2.0, 3.0, 4.0]})


@pytest.fixture(scope="module")
def X():
    return genten.tensor(np.random.default_rng(1).poisson(3, (5, 4, 3)).astype(float))


@pytest.fixture(scope="module")
def r(X):
    return genten.cp(X, 2, seed=1)


@pytest.fixture(scope="module")
def choice(X):
    return genten.choose_rank(X, [1, 2], starts=3)


def test_results_are_no_tuples(X, r, choice):
    said = "a Result is no tuple: r.model is .*r.model.weights and r.model.factors.*genten.cp_als "
    with pytest.raises(TypeError, match=said):
        model, init, info = r
    with pytest.raises(TypeError, match=said):
        r[0]
    with pytest.raises(TypeError, match="TuckerResult is no tuple: .*r.model.core and r.model.fac"):
        core, factors = genten.tucker(X, (1, 1, 1))
    with pytest.raises(TypeError, match="RankChoice is no tuple: choice.suggested is the number"):
        list(choice)
    with pytest.raises(TypeError, match="a RankChoice is no array: choice.to_pandas"):
        np.asarray(choice)


def test_results_are_no_lists_to_pandas(X, r, choice):
    found = genten.tucker(X, (1, 1, 1))
    for one in (r, found, found.model, choice):
        assert not isinstance(one, Iterable)
        with pytest.raises(TypeError, match=f"a {type(one).__name__} is no tuple: "):
            list(one)
        assert pandas.Series(one, index=[1, 2])[2] is one and pandas.Series([one])[0] is one
        frame = pandas.DataFrame({"n": [1, 2]})
        frame["r"] = one
        assert frame["r"][1] is one


def test_results_are_no_dictionaries(r):
    with pytest.raises(TypeError, match="a Result is no dictionary: .fit is its fit"):
        r["fit"]
    with pytest.raises(TypeError, match="a Result has no 'iters': that is r.iterations"):
        r["iters"]


def of_pyttb(X):
    pyttb = pytest.importorskip("pyttb")
    theirs = X.to_pyttb()
    found = pyttb.cp_als(theirs, 1, printitn=0, maxiters=2)[2]
    return {*found} | {*pyttb.cp_apr(theirs, 1, printitn=0, maxiters=2)[2]}


@pytest.mark.parametrize("name", sorted(others.RESULTS))
def test_what_names_of_others_are_of_a_result(r, name):
    with pytest.raises(AttributeError) as caught:
        getattr(r, name)
    said = str(caught.value)
    found = re.fullmatch(
        rf"a Result has no '{name}': (?:that is )?(.*?)(,.*| says how .*| shows it)?", said
    )
    eval(found.group(1), {"r": r, "genten": genten})


@pytest.mark.parametrize("init", ["uniform", None])
def test_initial_guesses(X, r, init):
    init = init or r.model
    found = genten.cp(X, 2, init=init, max_iterations=1)
    with pytest.raises(AttributeError, match=r"'init'\] says how it was made; genten.cp_als retu"):
        found.M0  # noqa: B018
    assert found.options["init"] == init
    assert isinstance(genten.cp_als(X, 2, printitn=0, maxiters=1)[1], genten.Model)


def test_names_that_results_of_tucker_models_lack(X):
    found = genten.tucker(X, (1, 1, 1))
    with pytest.raises(AttributeError, match="TuckerResult has no 'n_iter': that is r.iterations$"):
        found.n_iter  # noqa: B018
    with pytest.raises(AttributeError, match="object has no attribute 'f_trace'$"):
        found.f_trace  # noqa: B018


def test_every_figure_of_pyttb_is_answered(X, r):
    own = {"fnEvals", "fnVals", "nViolations", "nZeros", "algorithm"}  # that pyttb's methods have
    for name in of_pyttb(X) - own:
        with pytest.raises((AttributeError, TypeError), match="that is -?r|is its"):
            r[name]


def test_what_stands_in_the_model(r):
    for name, said in [
        ("factors", "but its model does: r.model.factors"),
        ("viz", r"of its model, r.model: that is plot\(\)"),
        ("full", r"of its model, r.model: to_dense\(\) is the array"),
    ]:
        with pytest.raises(AttributeError, match=f"a Result has no '{name}'.*{said}"):
            getattr(r, name)
    with pytest.raises(AttributeError, match="'Result' object has no attribute 'no_such_name'$"):
        r.no_such_name  # noqa: B018


@pytest.mark.parametrize("name", sorted(others.RANK_CHOICES))
def test_what_is_looked_for_in_a_choice(choice, name):
    with pytest.raises(AttributeError, match=f"a RankChoice has no '{name}': that is ") as caught:
        getattr(choice, name)
    expression = str(caught.value).partition(": that is ")[2].partition(",")[0]
    if choice.suggested:
        eval(expression, {"choice": choice})


def test_reports_by_one_function(r, choice, tmp_path):
    pytest.importorskip("jinja2")
    for source in (r, r.model, choice):
        genten.report(source, tmp_path / "a.html", date="")
        source.report(tmp_path / "b.html", date="")
        assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert "How many components" in (tmp_path / "a.html").read_text()
    with pytest.raises(TypeError, match=r"the path of the page .*genten.report\(r, 'run.html'\)"):
        genten.report(r)
    with pytest.raises(TypeError, match="model or a result, then the path .*, got 'x.html' first"):
        genten.report("x.html", r)


def test_misspelt_keywords_of_reports_and_pictures(r, choice, tmp_path):
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    page = tmp_path / "x.html"
    said = "^report: unexpected keyword 'titel'; did you mean 'title'"
    for call in (
        lambda: r.report(page, titel="x"),
        lambda: r.model.report(page, titel="x"),
        lambda: choice.report(page, titel="x"),
        lambda: genten.report(r, page, titel="x"),
    ):
        with pytest.raises(TypeError, match=said):
            call()
    assert not page.exists()
    for source in (r, r.model, choice):
        with pytest.raises(TypeError, match="^plot: unexpected keyword 'titel'; did you mean 'tit"):
            source.plot(titel="x")
    with pytest.raises(TypeError, match=r"unexpected keyword 'result'; its keywords are title, f"):
        r.plot(result=r)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("kind", ["column", "array", "list", "expression"])
def test_values_in_place_of_the_name_of_their_column(library, kind):
    module = pytest.importorskip(library)
    make = {"pandas": lambda t: t, "polars": lambda t: module.DataFrame(t.to_dict("list")),
            "pyarrow": lambda t: module.Table.from_pandas(t)}  # fmt: skip
    whole, table = make[library](TABLE), make[library](TABLE[["u", "i"]])
    values = {"column": lambda: whole["n"], "array": lambda: TABLE["n"].to_numpy(),
              "list": lambda: TABLE["n"].tolist(),
              "expression": lambda: module.lit(7.0).alias("n")}  # fmt: skip
    if kind == "expression" and library != "polars":
        pytest.skip("polars alone has them")
    given = values[kind]()
    data = whole if kind == "column" and library != "pyarrow" else table
    with pytest.raises(TypeError, match="values: expected the name of a column, got a ") as caught:
        genten.tensor(data, values=given)
    call = re.search(r"(genten\.tensor\(.*\)) takes it, all other columns be", str(caught.value))
    names = {"genten": genten, "polars": module, "table": data, "values": given}
    found = eval(call.group(1), names)
    expected = np.full((2, 2), 7.0) if kind == "expression" else [[1, 2], [3, 4]]
    np.testing.assert_array_equal(found.to_dense(), expected)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_a_slice_that_has_lost_its_mode(X, r, mode):
    D = X.to_dense()
    keys = tuple(0 if n == mode else slice(None) for n in range(3))
    for call in (r.model.project, r.project_rows, r.model.update):
        said = rf"; numpy.expand_dims\(X, {mode}\) makes .*, and (D\[.*\]) of a tensor D leaves"
        with pytest.raises(ValueError, match=said) as caught:
            call(D[keys], mode)
        one = eval(re.search(said, str(caught.value)).group(1), {"D": X})
        np.testing.assert_array_equal(one.to_dense(), np.expand_dims(D[keys], mode))
        call(one, mode)
    with pytest.raises(ValueError, match=r"but for mode 0, got \(3, 4\)$"):
        r.model.project(D[0].T, 0)


def test_modes_from_the_last_one(X, r):
    found = genten.cp(X, 2, seed=1, nonnegative=[-1], mode_order=[-1, 0, 1]).options
    assert (found["nonnegative"], found["mode_order"]) == ([2], [2, 0, 1])
    assert genten.tucker(X, (1, 1, 1), mode_order=[0, 1, -1]).options["mode_order"] == [0, 1, 2]
    assert genten.Stream(genten.cp(X, 1, nonnegative=True), -1, nonnegative=[-1]).mode == 2
    with pytest.raises(ValueError, match="nonnegative: expected a mode from 0 to 2, got -4"):
        genten.cp(X, 2, nonnegative=[-4])
    with pytest.raises(ValueError, match="nonnegative: mode 2 is named twice: -1 is mode 2$"):
        genten.cp(X, 2, nonnegative=[-1, 2])
    with pytest.raises(ValueError, match="nonnegative: mode 2 is named twice: -1 is mode 2$"):
        genten.Stream(r, 0, nonnegative=[2, -1])
    with pytest.raises(ValueError, match=r"modes, got \[-1, 2\]: -1 is mode 2$"):
        X.collapse([-1, 2])
    named = genten.tensor(TABLE, values="n")
    with pytest.raises(ValueError, match="fixed_modes: mode 0 is named twice: 'u' is mode 0$"):
        genten.cp(named, 1, init=genten.cp(named, 1).model, fixed_modes=["u", 0])
    with pytest.raises(TypeError, match=r"nonnegative: expected True .*, got -1; \[-1\] is a list"):
        genten.cp(X, 2, nonnegative=-1)


def test_models_of_others_are_equal_as_isequal_says(r):
    pytest.importorskip("pyttb")
    pytest.importorskip("tensorly")
    named = genten.Model(r.model.weights, r.model.factors, mode_names=["a", "b", "c"])
    for m in (r.model, named):
        for other in (m.to_pyttb(), m.to_tensorly()):
            assert m == other and other == m and m.isequal(other)
    half = genten.Model(r.model.weights / 2, r.model.factors)
    assert half != r.model.to_pyttb() and r.model != named and r.model != 1


def test_models_equal_nothing_that_is_none(r):
    columns = SimpleNamespace(weights=np.ones(3), factors=[np.ones((5, 2))])
    texts = SimpleNamespace(weights="x", factor_matrices=3)
    for other in (MagicMock(), columns, texts):
        assert r.model != other and not r.model == other


def test_slices_numbered_from_0_are_told_of_once():
    weeks = TABLE.assign(week=[0, 1, 2, 3])[["week", "i", "n"]]
    model = genten.cp(genten.tensor(weeks, values="n"), 1).model
    with pytest.warns(UserWarning, match="become rows 4 to 7 of the model, which has rows"):
        model = model.update(weeks, "week")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.update(weeks, "week").shape == (12, 2)


@pytest.mark.parametrize("rows", [[[0, 1, 1], [0, 1]], [("a", "b", "c"), ("a",)], [[True], []]])
def test_missing_entries_of_two_lengths(X, r, rows):
    for call in (lambda: genten.cp(X, 1, missing=rows), lambda: r.model.evaluate(X, missing=rows)):
        with pytest.raises(ValueError, match=r"^missing: expected rows of one length, got \["):
            call()


@pytest.mark.parametrize("name", sorted([*others.TENSORS_OF_OTHERS, *others.TABLES]))
def test_what_names_of_others_are_of_a_tensor(X, name):
    with pytest.raises(AttributeError, match=f"Tensor has no '{name}'(: |, but the table to_pand)"):
        getattr(X, name)
    assert name not in others.TABLES or hasattr(X.to_pandas(), name)


@pytest.mark.parametrize("name", sorted(others.MODELS_OF_OTHERS))
def test_what_names_of_others_are_of_a_model(r, name):
    with pytest.raises(AttributeError, match=f"Model has no '{name}': "):
        getattr(r.model, name)


@pytest.mark.parametrize("name", sorted(others.PACKAGE))
def test_what_functions_of_others_are_here(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}': ") as caught:
        getattr(genten, name)
    for own in re.findall(r"genten\.(\w+)", str(caught.value)):
        assert hasattr(genten, own) or name == "generate", own


@pytest.mark.parametrize("library", ["pyttb", "tensorly.decomposition"])
def test_every_function_of_others_is_answered(library):
    module = pytest.importorskip(library)
    unanswered = [
        name for name, thing in vars(module).items()
        if (inspect.isfunction(thing) or inspect.isclass(thing)) and name[0] != "_"
        and not hasattr(genten, name) and name not in others.PACKAGE
        and name not in others.ELSEWHERE
    ]  # fmt: skip
    assert set(unanswered) <= {"ignore_warnings"}


def test_scores_are_numbers(X, r):
    score = r.model.score(r.model)
    with pytest.raises(TypeError, match=r"a Score is a number and no tuple: .*m.extract\(score.p"):
        value, best, flag, permutation = score
    assert r.model.extract(score.permutation) == r.model
    assert pandas.Series([score]).dtype == pandas.Series(score, [1, 2]).dtype == np.float64
    assert np.array([score, score]).shape == (2,)
    frame = pandas.DataFrame({"n": [1, 2]})
    frame["score"] = score
    assert frame["score"].tolist() == [float(score)] * 2


def test_arguments_of_others(X, r):
    with pytest.raises(TypeError, match="^report: expected the path of the page, as in r.report"):
        r.report()
    assert list(inspect.signature(r.report).parameters) == ["path", "about"]
    with pytest.raises(TypeError, match=r"^collapse: expected modes alone; to_pyttb\(\).collapse"):
        X.collapse(0, np.max)
    named = genten.tensor(TABLE, values="n")
    model = genten.cp(named, 1).model
    table = pandas.DataFrame({"u": ["a", "c"], "i": ["x", "x"]})
    with pytest.raises(TypeError, match="'unknown'; rows must be known: ") as caught:
        model.predict(table, unknown="skip")
    known = re.search(r"table\[.*\]\)\]", str(caught.value)).group()
    known = eval(known, {"table": table, "m": model, "column": "u", "mode": 0})
    assert len(model.predict(known)) == 1


def test_estimators_say_what_they_found(X):
    found = genten.CP(2, seed=1).fit(X)
    for name, own in others.ESTIMATORS.items():
        said = f"no attribute '{name}': that is {own}, once it is fitted"
        with pytest.raises(AttributeError, match=re.escape(said)):
            getattr(found, name)
        if "(" not in own:
            eval(f"found.{own}" if own[0] != "1" else own.replace("result_", "found.result_"))
    with pytest.raises(AttributeError, match="object has no attribute 'no_such_name'$"):
        found.no_such_name  # noqa: B018


def test_tuples_of_pyttb_and_tensorly(X, r):
    model = genten.cp(X, 2, seed=1).model
    said = r"a Model is no tuple: weights, factors = m.weights, m.factors .*, list\(m\) is unpacked"
    for each in (model, r.model):
        with pytest.raises(TypeError, match=said):
            weights, factors = each
    first, second = list(model)
    assert [first.weight, second.weight] == [c.weight for c in model] == model.weights.tolist()
    assert len([*model]) == len(tuple(model)) == len(list(enumerate(model))) == 2
    with pytest.raises(TypeError, match="a Component is no array: .*m.weights and m.factors are"):
        first[0]
    with pytest.raises(TypeError, match="a TuckerModel is no tuple: m.core and m.factors are its"):
        core, factors = genten.tucker(X, (1, 1, 1)).model
    with pytest.raises(TypeError, match="weights alone: genten.Model.None, factors. has weights"):
        genten.Model(r.model.factors)
    with pytest.raises(TypeError, match="Model: expected weights first, then factors, got fact"):
        genten.Model(r.model.factors, r.model.weights)
    with pytest.raises(TypeError, match="Tensor: genten.tensor makes tensors, of a tuple"):
        genten.Tensor(X.subscripts, X.values, X.shape)


@pytest.mark.parametrize(
    "keyword, said",
    [
        ({"return_errors": True}, "1 - r.history.fit is the error after each iteration"),
        ({"n_jobs": 2}, r"genten.config\(threads=...\) says how many"),
        ({"optimizer": None}, "did you mean 'method'"),
        ({"loss": "KL"}, "got 'KL'; did you mean 'poisson'"),
        ({"loss": "mse"}, "did you mean 'gaussian'"),
        ({"loss": "mae"}, "'huber' with a small loss_parameter is near the absolute error"),
        ({"exact": True}, "bounds and l1 are solved exactly, others by coordinate descent"),
        ({"normalize_factors": True}, "columns of the model have norm 1, but beside bounds other"),
        ({"nonnegative": [True, False, True]}, r"\[0, 2\] are the modes"),
    ],
)
def test_options_of_others(X, keyword, said):
    with pytest.raises((TypeError, ValueError), match=said):
        genten.cp(X, 2, **keyword)


def test_messages_name_what_was_called(X):
    with pytest.raises(TypeError, match="^choose_rank: unexpected keyword 'n_starts'.*'starts'"):
        genten.choose_rank(X, [1, 2], n_starts=3)
    with pytest.raises(TypeError, match="^CP: unexpected keyword 'n_iter_max'; .*max_iterations"):
        genten.CP(2, n_iter_max=3)
    with pytest.raises(TypeError, match="^cp: .*range.*genten.choose_rank.X, ranks. tries several"):
        genten.cp(X, range(1, 4))
    with pytest.raises(TypeError, match="None in place of a rank leaves a mode as it is"):
        genten.tucker(X, (1, 1), modes=[0, 1])
    assert genten.tucker(X, (1, 1, None)).model.shape == X.shape
    with pytest.raises(ValueError, match="got 'svd'; 'st-hosvd' and 'hosvd' begin at leading sing"):
        genten.tucker(X, (1, 1, 1), init="svd")


def test_losses_of_pyttb(X):
    pyttb = pytest.importorskip("pyttb")
    for objective in pyttb.gcp.handles.Objectives:
        own = objective.name.lower().replace("_", "-").removeprefix("zt-")
        with pytest.raises(TypeError, match=f"; did you mean '{own}'"):
            genten.cp(X, 2, loss=objective)


def test_columns_and_lists_that_are_nearly_right(X):
    with pytest.raises(ValueError, match="got 'N'; did you mean 'n'|got 'N'$"):
        genten.tensor(TABLE, values="N")
    with pytest.raises(ValueError, match="got 'valu'; did you mean 'value'"):
        genten.tensor(TABLE.rename(columns={"n": "value"}), values="valu")
    with pytest.raises(TypeError, match=r"got 'u'; \['u'\] is a list of it"):
        genten.tensor(TABLE, values="n", modes="u")
    with pytest.raises(TypeError, match=r"got a list; numpy.array\(it\) makes a dense array"):
        genten.tensor(X.to_dense().tolist())
    with pytest.raises(TypeError, match=r"got a list; pandas.DataFrame\(it\) makes a table"):
        genten.tensor(TABLE.to_dict("records"))


def test_zeros_that_are_listed_stay_in_pyttb():
    pytest.importorskip("pyttb")
    subscripts = np.array([[1, 2], [0, 0], [2, 1], [1, 2], [0, 1]])
    values = np.array([2.0, 0.0, 3.0, 1.0, 0.0], dtype=np.float32)
    X = genten.tensor((subscripts, values, (4, 3)))
    theirs = X.to_pyttb()
    assert theirs.nnz == 4 and theirs.shape == (4, 3) and theirs.vals.dtype == np.float64
    assert np.array_equal(theirs.full().data, X.to_dense())
    again = genten.tensor(theirs)
    assert again.nnz == 4 and sorted(again.values.tolist()) == [0, 0, 3, 3]
    empty = genten.tensor(np.zeros((2, 3))).to_pyttb()
    assert empty.nnz == 0 and empty.shape == (2, 3)


def test_tensors_go_to_pyttb_and_back(X, r, tmp_path):
    pyttb = pytest.importorskip("pyttb")
    X.save(tmp_path / "x.txt")
    r.model.save(tmp_path / "m.ktensor")
    assert genten.tensor(pyttb.import_data(str(tmp_path / "x.txt"))) == X
    assert r.model == pyttb.import_data(str(tmp_path / "m.ktensor"))
    pyttb.export_data(X.to_pyttb(), str(tmp_path / "y.tns"))
    assert genten.read(tmp_path / "y.tns") == X


@pytest.mark.parametrize("name", sorted(others.TUCKER_MODELS_OF_OTHERS))
def test_what_names_of_others_are_of_a_tucker_model(X, name):
    found = genten.tucker(X, (1, 1, 1))
    said = re.escape(others.TUCKER_MODELS_OF_OTHERS[name])
    with pytest.raises(AttributeError, match=f"TuckerModel has no '{name}': {said}"):
        getattr(found.model, name)
    with pytest.raises(AttributeError, match=f"no '{name}'; of its model, r.model: {said}"):
        getattr(found, name)


@pytest.mark.parametrize("name", ["nonnegative", "loss", "missing", "l1"])
def test_keywords_of_cp_beside_tucker(X, name):
    with pytest.raises(TypeError, match=f"tucker: unexpected keyword '{name}'; genten.cp has it"):
        genten.tucker(X, 1, **{name: True})


def test_arguments_of_files(X, r, tmp_path):
    for call, kind in ((genten.read, "Tensor"), (genten.load, "Tensor"), (genten.load, "Result")):
        with pytest.raises(TypeError, match=f"expected the path of a file, got (a {kind}|<.*)$"):
            call(X if kind == "Tensor" else r)
    with pytest.raises(TypeError, match="got str; the path comes second"):
        genten.write(str(tmp_path / "x.tns"), X)
    with pytest.raises(TypeError, match=r"got Model; its method save\(path\) writes it"):
        genten.write(r.model, tmp_path / "x.ktensor")


def test_names_of_modes_have_an_order():
    with pytest.raises(TypeError, match="modes: expected a sequence of names of columns, got {'"):
        genten.tensor(TABLE, values="n", modes={"u", "i"})
    found = genten.tensor(TABLE, values="n", modes=np.array(["i", "u"]))
    assert found == genten.tensor(TABLE, values="n").permute(["i", "u"])
