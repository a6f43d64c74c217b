# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables beside models: their names need a model with names, and their numbers are names where
those of the model are."""

import importlib.util
import io
import json
import re
import shutil
import warnings

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")

MIXED = "user,item,n\n17,p,1\n22,q,2\nA3,p,3\n17,q,5\n"
NAMED = "user,item,n\nx,p,1\ny,q,2\nz,p,3\nx,q,5\n"
NUMBERED = "user,item,n\n1,p,1\n2,q,2\n3,p,3\n1,q,5\n"


@pytest.fixture(params=["file", "frame"])
def table(request, tmp_path):
    """Makes a tensor of a table's text."""

    def made(text):
        path = tmp_path / "t.csv"
        path.write_text(text)
        return genten.tensor(
            path if request.param == "file" else pandas.read_csv(path), values="n"
        )

    return made


def test_names_need_a_model_with_names(table, tmp_path):
    X = table(NAMED)
    assert X.shape == (3, 2)
    bare = genten.Model(None, [np.ones((3, 1)), np.ones((2, 1))])
    said = "the tensor names the rows of mode 0 .user.: expected names of those of the model, got"
    for use in (
        lambda: bare.evaluate(X),
        lambda: bare.residuals(X),
        lambda: X.innerprod(bare),
        lambda: genten.cp(X, init=bare),
        lambda: genten.reports.render_report(bare, tensor=X),
    ):
        with pytest.raises(ValueError, match=said):
            use()
    with pytest.raises(ValueError, match="mode 1 .item."):
        bare.project_rows(X, 0)
    bare.save(tmp_path / "m.gkt")
    with pytest.raises(ValueError, match=said):
        genten.cp(X, init=tmp_path / "m.gkt")
    # What the message says, factors by themselves, and names that came otherwise.
    named = genten.Model(bare.weights, bare.factors, X.labels)
    assert named.evaluate(X).fit == bare.evaluate(genten.tensor((X.subscripts, X.values))).fit
    assert genten.cp(X, init=bare.factors).fit > 0
    places = genten.tensor((X.subscripts, X.values), labels=X.labels)
    assert bare.evaluate(places).fit == named.evaluate(X).fit


def test_numbers_are_names_where_those_of_the_model_are(table):
    model = genten.cp(table(MIXED), 1).model
    assert model.labels[0] == ["17", "22", "A3"]
    with pytest.warns(UserWarning, match="the model has a row that the tensor lacks.*'A3'"):
        found = model.evaluate(table("user,item,n\n22,q,2\n17,q,5\n"))
    assert found.listed.residual_norm < 2
    with pytest.raises(ValueError, match="no row is called '9'"):
        model.evaluate(table("user,item,n\n9,q,2\n17,q,5\n"))


@pytest.mark.filterwarnings("ignore:mode 0 is 1000008 long")
def test_numbers_of_new_slices_of_a_mode_with_names(table):
    model = genten.cp(table(MIXED), 1).model
    new = table("user,item,n\n1000007,q,5\n9,p,1\n")
    assert model.project_rows(new, "user").model.labels[0] == ["9", "1000007"]
    assert model.update(new, "user").labels[0] == ["17", "22", "A3", "9", "1000007"]
    with pytest.raises(ValueError, match="slice '17' is there already"):
        model.update(table("user,item,n\n17,q,5\n"), "user")


def test_ids_leave_rows_empty(table):
    model = genten.cp(table(NUMBERED), 1).model
    new = table("user,item,n\n3007,q,5\n9,p,1\n")
    said = r"3006 of 3008 rows have no entries: are these slices ids. A .* \(compact\(\) of a Tens"
    with pytest.warns(UserWarning, match=said):
        model.project_rows(new, "user")
    with pytest.raises(ValueError, match="here is 9: 9 rows without entries would follow the 4 of"):
        model.update(new, "user")
    said = "3006 of 3008 slices of mode 0 become rows without .* of a tensor's compact.., by which"
    with pytest.warns(UserWarning, match=said):
        model.update(table("user,item,n\n3007,q,5\n2,p,1\n"), "user")
    # Without a warning.
    assert model.project_rows(table("user,item,n\nu9,q,5\n"), "user").rows.shape == (1, 1)
    compact = genten.cp(table(NUMBERED).compact(), 1).model
    assert compact.project_rows(new, "user").model.labels[0] == ["9", "3007"]
    assert compact.update(new, "user").labels[0] == ["1", "2", "3", "9", "3007"]


def test_slices_of_an_array_may_be_ids():
    whole = np.random.default_rng(0).random((6, 5, 4))
    model = genten.cp(whole, 2, seed=1).model
    new = np.zeros((10, 5, 4))
    new[[7, 9]] = whole[:2]
    said = (
        r"^project: 8 of 10 rows have no entries: are these slices ids\? A model of a tensor "
        r"without empty slices takes ids for names, if the slices are one, too \(compact\(\) of a T"
    )
    with pytest.warns(UserWarning, match=said):
        rows = model.project(new, 0)
    compact = genten.cp(genten.tensor(whole).compact(), 2, seed=1).model
    found = compact.project_rows(genten.tensor(new).compact(), 0)  # without a warning
    assert found.model.labels[0] == ["7", "9"]
    np.testing.assert_allclose(found.rows, rows[[7, 9]])
    new[:5] = whole[:5]
    with pytest.warns(UserWarning, match="^project: 3 of 10 rows have no entries$"):
        model.project(new, 0)


def test_a_plain_run_is_known(tmp_path):
    X = genten.tensor((np.array([[0, 1], [1, 0], [1, 1]]), np.array([1.0, 2.0, 3.0])))
    genten.cp(X, 1).model.save(tmp_path / "m.gkt")
    assert json.loads((tmp_path / "m.gkt.labels.json").read_text())["run"] == {"loss": "gaussian"}
    genten.load(tmp_path / "m.gkt").project_rows(X, 0)  # without a warning
    shutil.copy(tmp_path / "m.gkt", tmp_path / "bare.gkt")
    said = r"bare.gkt tells of the run that made it .did .* copied without .*bare.gkt.labels.json"
    with pytest.warns(UserWarning, match=said):
        found = genten.load(tmp_path / "bare.gkt").project_rows(X, 0)
    at = genten.load(tmp_path / "bare.gkt")
    for what, of in (("predict", X.subscripts), ("evaluate", X), ("residuals", X)):
        with pytest.warns(UserWarning, match=f"{what}: nothing beside .*{said}.*: its values are"):
            getattr(at, what)(of)
        getattr(at, what)(of, loss="gaussian")  # without a warning
    # What was assumed is not written as if it were known.
    found.model.save(tmp_path / "p.gkt")
    assert not (tmp_path / "p.gkt.labels.json").exists()
    genten.load(tmp_path / "bare.gkt").save(tmp_path / "m.npz")
    with pytest.warns(UserWarning, match="nothing in .*m.npz tells of the run that made it: le"):
        genten.load(tmp_path / "m.npz").project_rows(X, 0)


@pytest.mark.parametrize(
    "number, options",
    [
        ("1,234", "decimal=',' or thousands=','"),
        ("1,234,567.5", "thousands=','"),
        ("12,34", "decimal=','"),
    ],
)
def test_commas_of_numbers(number, options):
    frame = pandas.DataFrame({"a": ["x"], "n": [number]})
    with pytest.raises(ValueError) as refused:
        genten.tensor(frame, values="n")
    assert str(refused.value).endswith(
        f"a str; {number!r} has a comma, as pandas.read_csv(..., {options}) reads"
    )


WEEKS = "user,week,n\na,1,1\nb,2,2\na,3,30\nb,3,4\n"


def test_numbers_of_a_table_do_not_say_how_long_modes_are(table):
    model = genten.cp(table(WEEKS), 1, nonnegative=True).model
    few = table("user,week,n\na,1,1\nb,2,2\n")
    assert few.shape == (2, 3) and model.shape == (2, 4)
    found = model.evaluate(few)
    assert found.all.entries == 8 and found.listed.entries == 2
    rows = model.project_rows(table("user,week,n\nc,1,1\n"), "user")
    assert rows.model.shape == (1, 4) and rows.model.labels[0] == ["c"]
    with pytest.raises(ValueError, match=r"mode 1 \(week\): the number 9 is none of its rows, wh"):
        model.evaluate(table("user,week,n\na,1,1\nb,9,2\n"))


def test_numbers_of_a_table_stay_what_they_are(table, tmp_path):
    """In files of models and tensors, in models that come of these, and in reports."""
    X = table(WEEKS)
    assert X.labels[1] is None
    r = genten.cp(X, 1, nonnegative=True)
    r.model.save(tmp_path / "m.gkt")

    def base(name):
        return json.loads((tmp_path / f"{name}.labels.json").read_text())["index_base"]

    assert base("m.gkt") == 0
    model = genten.load(tmp_path / "m.gkt")
    model.permute([1, 0]).save(tmp_path / "turned.gkt")
    X.save(tmp_path / "x.gtn")
    genten.cp(genten.read(tmp_path / "x.gtn"), 1).model.save(tmp_path / "of_x.gkt")
    model.update(table("user,week,n\na,0,1\n"), "week").save(tmp_path / "later.gkt")
    for name in ("turned.gkt", "x.gtn", "of_x.gkt", "later.gkt"):
        assert base(name) == 0, name
    report = pytest.importorskip("genten.reports")
    r.report(tmp_path / "r.html", tensor=X)
    page = (tmp_path / "r.html").read_text()
    assert "week row 3" in page and "week row 4" not in page
    assert "numbers of a table, which are these numbers" in " ".join(page.split())
    counted = genten.tensor((np.array([[0, 1], [1, 3]]), np.array([1.0, 20.0])))
    assert "mode 2 row 4" in report.render_report(genten.cp(counted, 1))


FROM_1 = "user,week,n\n1,1,5\n2,2,1\n1,3,2\n2,1,4\n1,2,3\n"


@pytest.fixture
def from_1(tmp_path):
    """A file's tensor whose numbers count from 1, its model, and the same numbers as a frame."""
    (tmp_path / "f.csv").write_text(FROM_1)
    X = genten.read(tmp_path / "f.csv", values="n", index_base=1)
    return X, genten.cp(X, 1, nonnegative=True, seed=1), pandas.read_csv(tmp_path / "f.csv")


def test_numbers_count_from_what_those_of_the_model_do(from_1, tmp_path):
    X, r, frame = from_1
    assert X.shape == (2, 3)
    r.model.save(tmp_path / "m.gkt")
    X.save(tmp_path / "x.gtn")
    genten.tucker(X, [1, 1]).model.save(tmp_path / "t.gkt")
    genten.cp(genten.read(tmp_path / "x.gtn"), 1).model.save(tmp_path / "g.gkt")
    for name in ("m.gkt", "x.gtn", "t.gkt", "g.gkt"):
        told = json.loads((tmp_path / f"{name}.labels.json").read_text())
        assert (told["index_base"], told["shape"][:2]) == (1, [2, 3]), name
    for model in (r.model, genten.load(tmp_path / "m.gkt"), genten.load(tmp_path / "g.gkt")):
        Y = genten.tensor(frame, values="n")
        assert Y.shape == (3, 4)
        assert model.evaluate(Y).fit == model.evaluate(X).fit > 0.5
        assert model.residuals(Y).tolist() == model.residuals(X).tolist()
        assert Y.innerprod(model) == X.innerprod(model)
        rows = model.project_rows(Y, "user")
        assert rows.rows.tolist() == model.project_rows(X, "user").rows.tolist()
        assert rows.model._run["index_base"] == 1
    assert genten.core_consistency(Y, r.model) == genten.core_consistency(X, r.model)
    zero = genten.tensor(frame.assign(week=frame.week - 1), values="n")
    with pytest.raises(ValueError, match="evaluate: mode 1 .*week.*: expected numbers from 1, "):
        r.model.evaluate(zero)


def test_tensors_that_come_of_it_keep_its_numbers(from_1):
    X, r, _ = from_1
    for Y in (X.permute([1, 0]), X.map(np.sqrt), X.collapse("user"), X[0], X[:, :], X[:, :1]):
        assert genten.cp(Y, 1).model._run["index_base"] == 1
    # Numbers of rows stay what they are, also where the first ones are gone.
    part = X[:, 1:]
    assert part.labels == [None, [str(n) for n in range(2, X.shape[1] + 1)]]
    weeks = X.to_pandas().week
    assert sorted(part.to_pandas().week.astype(int)) == sorted(weeks[weeks > 1])
    assert r.model.evaluate(X.map(np.sqrt)).fit > 0
    short = genten.tensor((np.array([[0, 0], [4, 1]]), np.ones(2)))
    assert short.compact().labels[0] == ["0", "4"]


def test_another_base_is_refused(from_1, tmp_path):
    X, r, frame = from_1
    Z = genten.read(tmp_path / "f.csv", values="n", index_base="0")
    for use in (r.model.evaluate, r.model.residuals, lambda X: r.model.project_rows(X, 0)):
        with pytest.raises(ValueError, match="index_base: expected 1, from which the model .* 0"):
            use(Z)
    with pytest.raises(ValueError, match="evaluate: the tensor numbers rows from 0, the model fr"):
        r.model.evaluate(Z.map(np.sqrt))
    with pytest.raises(ValueError, match="index_base: expected 1, from which"):
        r.model.update(Z, "week")
    said = "init: the tensor numbers rows from [01], the guess from [01], as their tables were"
    with pytest.raises(ValueError, match=said):
        genten.cp(Z, init=r.model)
    with pytest.raises(ValueError, match=said):
        genten.cp(X, init=genten.cp(Z, 1).model)
    with pytest.raises(ValueError, match="score: this model numbers rows from 1, the other from 0"):
        r.model.score(genten.cp(Z, 1).model)


def test_slices_that_arrive_count_from_there(from_1):
    _, r, frame = from_1
    new = genten.tensor(pandas.DataFrame({"user": [1, 2], "week": 1, "n": [3.0, 2.0]}), values="n")
    model = r.model.update(new, "week")
    assert model.shape == (2, 4) and model._run["index_base"] == 1
    later = genten.tensor(pandas.DataFrame({"user": [1], "week": [9], "n": [3.0]}), values="n")
    with pytest.raises(ValueError, match="slices of mode 1 from 1, and the first one here is 9"):
        r.model.update(later, "week")
    named = pandas.DataFrame({"user": ["u9"], "week": [2], "n": [3.0]})
    assert r.model.update(genten.tensor(named, values="n"), "user").labels[0] == ["1", "2", "u9"]


def test_lists_of_missing_entries_count_as_the_tensor_does(from_1, tmp_path):
    X, r, frame = from_1
    (tmp_path / "no.csv").write_text("user,week\n1,1\n")
    by_file = genten.cp(X, 1, missing=tmp_path / "no.csv", seed=1)
    by_rows = genten.cp(X, 1, missing=[[0, 0]], seed=1)
    assert by_file.residual_norm == by_rows.residual_norm and by_file.tensor_norm**2 < 31
    found = r.model.evaluate(genten.tensor(frame, values="n"), missing=tmp_path / "no.csv")
    assert found.listed.entries == 4 and found.all.entries == 5


def test_tables_of_entries_count_as_the_model_does(from_1, tmp_path):
    X, r, frame = from_1
    r.model.save(tmp_path / "m.gkt")
    expected = r.model.predict([[0, 0], [1, 2]])
    table = pandas.DataFrame({"week": [1, 3], "user": [1, 2]})
    for model in (r.model, genten.load(tmp_path / "m.gkt")):
        assert model.predict(table).tolist() == expected.tolist()
    other = genten.tucker(X, [1, 1]).model
    assert other.predict(table).tolist() == other.predict([[0, 0], [1, 2]]).tolist()
    with pytest.raises(ValueError, match="predict: mode 0 .*: expected numbers from 1, .* 0$"):
        r.model.predict(table - 1)


def test_tables_of_missing_entries_count_as_the_tensor_does(from_1, tmp_path):
    X, r, frame = from_1
    gone = pandas.DataFrame({"week": [1], "user": [2]})
    gone.to_csv(tmp_path / "no.csv", index=False)
    X.save(tmp_path / "x.gtn")
    for Y in (X, genten.read(tmp_path / "x.gtn"), X.map(np.sqrt)):
        for missing in (gone, tmp_path / "no.csv", genten.tensor(gone, modes=["user", "week"])):
            found = genten.cp(Y, 1, missing=missing).options["missing"]
            assert found.subscripts.tolist() == [[1, 0]]
    with pytest.raises(ValueError, match="missing: mode 1 .*week.*: expected numbers from 1"):
        genten.cp(X, 1, missing=gone - 1)
    # Beside a model of a table they count as its rows, where the tensor is of none.
    plain = genten.tensor((X.subscripts, X.values))
    by_rows = r.model.evaluate(plain, missing=[[1, 0]])
    (tmp_path / "no.tns").write_text("2 1\n")
    for missing in (gone[["user", "week"]], tmp_path / "no.csv", tmp_path / "no.tns"):
        found = r.model.evaluate(X, missing=missing)
        assert found.listed.residual_norm == by_rows.listed.residual_norm
    found = r.model.evaluate(plain, missing=gone[["user", "week"]])
    assert found.listed.residual_norm == by_rows.listed.residual_norm


def test_lists_of_text_count_as_the_tensor_does(from_1, tmp_path):
    X, _, frame = from_1
    (tmp_path / "no.tns").write_text("2 1\n")
    Z = genten.tensor(frame, values="n")  # from 0
    for base, given in ((1, X), (0, Z)):
        given.save(tmp_path / "x.gtn")
        saved = genten.read(tmp_path / "x.gtn")
        for Y in (given, saved, saved.map(np.sqrt), given[:, :]):
            found = genten.cp(Y, 1, missing=tmp_path / "no.tns").options["missing"]
            assert found.subscripts.tolist() == [[2 - base, 1 - base]]
            # What stands beside the list goes before.
            genten.tensor(found, mode_names=Y.mode_names).save(tmp_path / "own.tns")
            again = genten.cp(Y, 1, missing=tmp_path / "own.tns").options["missing"]
            assert again.subscripts.tolist() == found.subscripts.tolist()


def test_tables_of_tensors_make_them_again(from_1, tmp_path):
    X, r, frame = from_1
    table = X.to_pandas("n")
    pandas.testing.assert_frame_equal(
        table.sort_values(["user", "week"], ignore_index=True).astype(float),
        frame.sort_values(["user", "week"], ignore_index=True).astype(float),
    )
    assert X.head(1)["user"].min() >= 1
    table.to_csv(tmp_path / "again.csv", index=False)
    made = [
        genten.tensor(table, values="n", index_base=1),
        genten.tensor(tmp_path / "again.csv", values="n", index_base=1),
    ]
    if importlib.util.find_spec("pyarrow"):
        table.to_parquet(tmp_path / "again.parquet")
        made.append(genten.read(tmp_path / "again.parquet", values="n", index_base=1))
        pyarrow = pytest.importorskip("pyarrow")
        made.append(genten.tensor(pyarrow.Table.from_pandas(table), values="n", index_base=1))
    for Y in made:
        assert Y == X and genten.cp(Y, 1).model._run["index_base"] == 1
        assert r.model.evaluate(Y).fit == r.model.evaluate(X).fit
    assert r.model.evaluate(genten.tensor(table, values="n")).fit == r.model.evaluate(X).fit
    assert table["user"].min() == 1  # which nobody has written to


def test_the_base_of_a_table(from_1):
    _, r, frame = from_1
    zero = genten.tensor(frame, values="n", index_base=0)
    with pytest.raises(ValueError, match="index_base: expected 1, from which the model .* 0"):
        r.model.evaluate(zero)
    with pytest.raises(ValueError, match="expected the same, as index_base= of genten.read "):
        genten.cp(zero, init=r.model)
    with pytest.raises(ValueError, match="column 'user': expected numbers from 1, got 0"):
        genten.tensor(frame.assign(user=frame.user - 1), values="n", index_base=1)
    for data in ((np.array([[1, 1]]), np.ones(1)), np.ones((2, 2)), zero):
        with pytest.raises(TypeError, match="^index_base: has no effect for"):
            genten.tensor(data, index_base=1)
    with pytest.raises(ValueError, match="index_base"):
        genten.tensor(frame, values="n", index_base=2)


@pytest.mark.parametrize("more", [{}, {"loss": "poisson"}, {"solver": "gcp"}])
def test_a_list_of_all_entries_leaves_nothing(from_1, more):
    X, _, _ = from_1
    with pytest.raises(ValueError, match="missing: expected entries that leave nonzeros of the"):
        genten.cp(X, 1, missing=X.subscripts.astype(int), **more)


def test_text_beside_a_model_of_numbers_of_a_table(table, tmp_path):
    model = genten.cp(table("user,week,n\n0,1,1\n1,2,2\n0,3,30\n1,3,4\n"), 1).model
    (tmp_path / "x.tns").write_text("1 2 1\n2 3 2\n2 4 5\n")
    with pytest.warns(UserWarning, match="subscripts count from 1 in the text .*index_base=0. mea"):
        model.evaluate(genten.read(tmp_path / "x.tns"))
    model.evaluate(genten.read(tmp_path / "x.tns", index_base="1"))  # without a warning


def test_slices_that_a_model_has_are_told_of(table):
    weeks = "week,item,n\n0,p,1\n1,q,2\n2,p,3\n3,q,4\n"
    model = genten.cp(table(weeks), 1).model
    told = r"update: slices 0 to 3 of mode 0 .week. become rows 4 to 7 of the model, which has rows"
    with pytest.warns(UserWarning, match=told):
        assert model.update(table(weeks), "week").shape == (8, 2)
    with pytest.warns(UserWarning, match=r"update: slice 0 of mode 0 .week. becomes row 4 of"):
        model.update(table("week,item,n\n0,p,1\n0,q,2\n"), "week")
    compact = genten.cp(table(weeks).compact(), 1).model
    with pytest.raises(ValueError, match="slices '0', '1', '2' and 1 more are there already"):
        compact.update(table(weeks), "week")
    assert compact.update(table("week,item,n\n4,p,1\n"), "week").labels[0] == list("01234")
    X = table(weeks)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert genten.cp(X[:3], 1).model.update(X[3:], 0).shape == (4, 2)
        genten.Stream(model, mode=0).update(X)


def test_tensors_of_other_values_are_told_of(table):
    text = "user,item,n,w\nx,p,1,10\ny,q,2,30\nz,p,3,20\n"
    X, table_of = table("user,item,n\nx,p,1\ny,q,2\nz,p,3\n"), pandas.read_csv(io.StringIO(text))
    modes = ["user", "item"]
    of_n, of_w = (genten.tensor(table_of, modes=modes, values=name) for name in "nw")
    counted = genten.tensor(table_of, modes=modes)
    model, of_counts = genten.cp(X, 1, seed=1).model, genten.cp(counted, 1, seed=1).model
    said = "the tensor has the values of column 'w', and the model was made from those of 'n': wh"
    with pytest.warns(UserWarning, match=f"^evaluate: {said}") as found:
        model.evaluate(of_w)
    way = re.search(r"genten.tensor.*(?= says so)", str(found[0].message))[0]
    renamed = eval(way, {"genten": genten, "table": table_of[[*modes, "w"]]})  # noqa: S307
    with pytest.warns(UserWarning, match=f"^project: {said}"):
        model.project(of_w, mode="user")
    with pytest.warns(UserWarning, match=r"^evaluate: the tensor counts rows, .* values='n'\) tak"):
        model.evaluate(counted)
    with pytest.warns(UserWarning, match="^evaluate: the tensor has the values of column 'w', and"):
        of_counts.evaluate(of_w)
    with pytest.warns(UserWarning, match="^update: the tensor has the values of column 'n', and"):
        of_counts.update(table("user,item,n\nv,p,5\n"), mode="user")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.evaluate(of_n)
        model.evaluate(renamed)
        model.evaluate(genten.tensor(table_of, modes=modes, values="n"))
        of_counts.evaluate(counted)


def test_dates_with_day_and_month_in_another_order_are_told():
    known = ["03/04/2024", "13/04/2024", "05/06/2024"]
    told = genten._core.new_name_notes(known, ["04/13/2024", "04/14/2024", "05/07/2024"])
    assert told == [
        '2 new names with the month first, as "04/13/2024", where known ones have the day first, '
        'as "13/04/2024": dates that may be either, as "03/04/2024", are then taken for another '
        "day; write dates as the known ones are"
    ]
    (told,) = genten._core.new_name_notes(["4/13/2024", "4/1/2024"], ["25/4/2024"])
    assert told.startswith('1 new name with the day first, as "25/4/2024", where known ones have')
    said = genten._core.meant_names(known, ["04/13/2024"])
    assert said == (
        'write dates as the known ones are, "13/04/2024" for "04/13/2024"; known dates have the '
        'day first, as "13/04/2024", and "04/13/2024" does not'
    )
    for names, fresh in (
        (known, ["14/04/2024", "05/07/2024"]),
        (known, ["1/13", "04/13/24", "4/13 mm"]),
        (["03/04/2024", "05/06/2024"], ["13/04/2024"]),
        (["13/04/2024", "04/13/2024"], ["04/14/2024"]),
        (["a/13", "b"], ["04/13/2024"]),
    ):
        assert not any("first" in note for note in genten._core.new_name_notes(names, fresh))
        assert "first" not in genten._core.meant_names(names, fresh)
