# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables beside models: their names need a model with names, and their numbers are names where
those of the model are."""

import json
import shutil

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
    said = "the table names the rows of mode 0 .user.: expected names of those of the model, got"
    for use in (
        lambda: bare.evaluate(X),
        lambda: bare.residuals(X),
        lambda: X.innerprod(bare),
        lambda: genten.cp(X, init=bare),
        lambda: genten.report.render_report(bare, tensor=X),
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
    with pytest.warns(UserWarning, match="3006 of 3008 rows have no entries: are these slices ids"):
        model.project_rows(new, "user")
    with pytest.raises(ValueError, match="got 9 as the first with entries, where the model has"):
        model.update(new, "user")
    with pytest.warns(UserWarning, match="3006 of 3008 slices of mode 0 become rows without"):
        model.update(table("user,item,n\n3007,q,5\n2,p,1\n"), "user")
    # Without a warning.
    assert model.project_rows(table("user,item,n\nu9,q,5\n"), "user").rows.shape == (1, 1)


def test_a_plain_run_is_known(tmp_path):
    X = genten.tensor((np.array([[0, 1], [1, 0], [1, 1]]), np.array([1.0, 2.0, 3.0])))
    genten.cp(X, 1).model.save(tmp_path / "m.gkt")
    assert json.loads((tmp_path / "m.gkt.labels.json").read_text())["run"] == {"loss": "gaussian"}
    genten.load(tmp_path / "m.gkt").project_rows(X, 0)  # without a warning
    shutil.copy(tmp_path / "m.gkt", tmp_path / "bare.gkt")
    said = r"bare.gkt tells of the run that made it .was it copied without .*bare.gkt.labels.json"
    with pytest.warns(UserWarning, match=said):
        found = genten.load(tmp_path / "bare.gkt").project_rows(X, 0)
    # What was assumed is not written as if it were known.
    found.model.save(tmp_path / "p.gkt")
    assert not (tmp_path / "p.gkt.labels.json").exists()
    genten.load(tmp_path / "m.gkt").save(tmp_path / "m.npz")
    with pytest.warns(UserWarning, match="m.npz tells of the run that made it, as beside no arch"):
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
        f"'3.5'; {number!r} has a comma, as pandas.read_csv(..., {options}) reads"
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
    with pytest.raises(ValueError, match="expected dimensions"):
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
    report = pytest.importorskip("genten.report")
    r.report(tmp_path / "r.html", tensor=X)
    page = (tmp_path / "r.html").read_text()
    assert "week row 3" in page and "week row 4" not in page
    assert "numbers of a table, which are these numbers" in " ".join(page.split())
    counted = genten.tensor((np.array([[0, 1], [1, 3]]), np.array([1.0, 20.0])))
    assert "mode 2 row 4" in report.render_report(genten.cp(counted, 1))
