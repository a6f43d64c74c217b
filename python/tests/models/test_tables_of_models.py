# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables beside models, whose run says which columns are modes, which one has the values, and what
becomes of rows for one entry."""

import json
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")


def ratings(rows=60, customers=6):
    """Ratings by customers with ids, each of a customer and an item once."""
    rng = np.random.default_rng(3)
    pairs = rng.choice(customers * 4, size=min(rows, customers * 3), replace=False)
    return pandas.DataFrame({
        "customer": pairs // 4 * 300 + 1000,
        "item": np.array(["bread", "milk", "salt", "tea"])[pairs % 4],
        "stars": rng.integers(1, 6, len(pairs)).astype(float),
    })  # fmt: skip


@pytest.fixture
def table():
    return ratings()


@pytest.fixture
def model(table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = genten.tensor(table, values="stars")
    return genten.cp(X.compact(), 1, seed=1).model


def forms_of(table, folder):
    """The table as other libraries and files have it."""
    forms = {"pandas": table, "index": table.set_index(["customer", "item"])}
    if "polars" in sys.modules or pytest.importorskip("polars"):
        import polars

        forms["polars"] = polars.from_pandas(table)
        forms["lazy"] = forms["polars"].lazy()
    pyarrow = pytest.importorskip("pyarrow")
    forms["arrow"] = pyarrow.Table.from_pandas(table)
    duckdb = pytest.importorskip("duckdb")
    forms["duckdb"] = duckdb.from_arrow(forms["arrow"])
    forms["parquet"], forms["csv"] = folder / "t.parquet", folder / "t.csv"
    table.to_parquet(forms["parquet"], index=False)
    table.to_csv(forms["csv"], index=False)
    return forms


@pytest.mark.filterwarnings("error")
def test_the_column_that_is_left_has_the_values(table, model, tmp_path):
    mixed = table[["stars", "item", "customer"]]
    wanted = model.evaluate(mixed)
    assert wanted.listed.entries == len(table)
    at = model.predict(table)
    assert wanted.listed.residual_norm == pytest.approx(np.linalg.norm(table["stars"] - at))
    rows, residuals = model.project(mixed, "item"), model.residuals(mixed)
    for name, form in forms_of(mixed, tmp_path).items():
        found = model.evaluate(form)
        assert found.listed.rmse == pytest.approx(wanted.listed.rmse), name
        assert model.project(form, "item") == pytest.approx(rows), name
        if name not in ("parquet", "csv"):
            assert model.predict(form) == pytest.approx(at), name
        assert sorted(model.residuals(form)) == pytest.approx(sorted(residuals)), name
        assert model.innerprod(form) == pytest.approx(model.innerprod(mixed)), name
    page = genten.reports.render_report(model, tensor=mixed)
    assert page.count(f"{wanted.fit:.4f}"[:5]) > 0


def test_the_values_of_the_run_go_before_others(table, model):
    more = table.assign(when=1.5)
    assert model.evaluate(more).listed.rmse == model.evaluate(table).listed.rmse
    bare = genten.Model(model.weights, model.factors, model.labels, model.mode_names)
    assert bare.evaluate(table).fit == model.evaluate(table).fit
    why = r"evaluate: columns \['stars', 'when'\] are none of the modes \['customer', 'item'\]: wh"
    with pytest.raises(ValueError, match=why):
        bare.evaluate(more)
    with pytest.raises(ValueError, match="expected a column with the values .*, as 'stars' in"):
        model.evaluate(table[["customer", "item"]])
    assert model.evaluate(table.rename(columns={"stars": "n"})).fit == model.evaluate(table).fit
    X = genten.tensor(table, modes=["item"])
    counted = genten.cp(X, 1).model
    counts = r"stars are not used, and each row counts as 1, as in .*: genten.tensor\(..., values="
    with pytest.warns(UserWarning, match=counts):
        assert counted.evaluate(table).listed.entries == 4


def test_files_keep_the_column_of_the_values(table, model, tmp_path):
    more = table.assign(when=1.5)
    counted = genten.cp(genten.tensor(table, modes=["customer", "item"]), 1).model
    numbered = table.rename(columns={"stars": 7})
    of_number = genten.cp(genten.tensor(numbered, values=7), 1).model
    tucker = genten.tucker(genten.tensor(table, values="stars"), [1, 1]).model
    models = {"m.gkt": (model, "stars"), "c.ktensor": (counted, None), "n.gkt": (of_number, "7"),
              "t.ttensor": (tucker, "stars")}  # fmt: skip
    tool = os.environ.get("GENTEN_TOOL")
    for name, (own, column) in models.items():
        own.save(tmp_path / name)
        record = json.loads((tmp_path / f"{name}.labels.json").read_text())
        assert record["run"] == {"loss": "gaussian", "values": column}, name
        if tool and own is not tucker:  # The tool keeps what it does not ask for.
            copy = f"copy-{name}"
            subprocess.run([tool, "convert", name, copy, "--quiet"], check=True, cwd=tmp_path)
            again = json.loads((tmp_path / f"{copy}.labels.json").read_text())
            assert again["run"] == record["run"] and again["run_sha256"] == record["run_sha256"]
    for path in tmp_path.glob("*m.gkt"):
        assert genten.load(path).evaluate(more).listed.rmse == model.evaluate(table).listed.rmse
    for path in tmp_path.glob("*c.ktensor"):
        with pytest.warns(UserWarning, match="column stars is not used, and each row counts as 1"):
            assert genten.load(path).evaluate(table).fit == pytest.approx(counted.evaluate(
                table[["customer", "item"]]).fit)  # fmt: skip
    loaded = genten.load(tmp_path / "n.gkt")
    assert loaded.evaluate(numbered).fit == of_number.evaluate(numbered).fit
    beside = tmp_path / "m.gkt.labels.json"
    record = json.loads(beside.read_text())
    record["run"]["values"] = ["stars"]
    record["run_sha256"] = genten._files.sidecar._run_digest(record["run"])
    beside.write_text(json.dumps(record))
    with pytest.warns(UserWarning, match="is not used: it is not in the form of such files"):
        genten.load(tmp_path / "m.gkt")


def test_columns_of_other_names_are_refused(table, model):
    other = table.rename(columns={"customer": "custmer"})
    uses = {
        "evaluate": model.evaluate,
        "residuals": model.residuals,
        "predict": model.predict,
        "project": lambda X: model.project(X, "item"),
        "project_rows": lambda X: model.project_rows(X, "item"),
        "update": lambda X: model.update(X, "item"),
        "the tensor": lambda X: genten.reports.render_report(model, tensor=X),
    }
    for name, use in uses.items():
        why = f"^{name}: expected a table with the columns .*'custmer' meant for 'customer'"
        with pytest.raises(ValueError, match=why):
            use(other)


def test_a_new_week_with_a_new_customer():
    days = pandas.DataFrame({
        "week": ["w1", "w1", "w2", "w2"], "customer": [70, 4, 70, 4], "item": list("abba"),
        "n": [1.0, 2.0, 3.0, 4.0],
    })  # fmt: skip
    X = genten.tensor(days, values="n")
    model = genten.cp(X.compact(), 1).model
    new = pandas.DataFrame({"week": "w3", "customer": [70, 71], "item": list("ab"), "n": [1.0, 2]})
    why = r"^project: mode 1 \(customer\): no row is called '71'; a model says nothing of rows that"
    with pytest.raises(ValueError, match=why + r" it has not met: leave these out, or take such"):
        model.project(new, "week")
    known = new[new["customer"].astype(str).isin(model.labels[1])]
    with pytest.warns(UserWarning, match="the model has a row that the tensor lacks"):
        assert model.project(known, "week").shape == (1, 1)
    why = r"^update: mode 1 \(customer\): a new row, of names that the model has not met: '71'$"
    with pytest.warns(UserWarning, match=why):
        later = model.update(new, "week")
    assert later.labels == [["w1", "w2", "w3"], ["4", "70", "71"], ["a", "b"]]


@pytest.mark.parametrize("rule, others", [("mean", "sum"), ("last", "mean"), (None, "max")])
def test_duplicates_are_those_of_the_run(rule, others):
    table = ratings()
    twice = pandas.concat([table, table.assign(stars=table["stars"] + 2)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = genten.tensor(twice, values="stars", duplicates=rule).compact()
        other = genten.tensor(twice, values="stars", duplicates=others)
    model = genten.cp(X, 1, seed=1).model
    wanted = model.evaluate(X).listed.rmse
    assert model.evaluate(twice).listed.rmse == pytest.approx(wanted)
    uses = {
        "evaluate": model.evaluate,
        "residuals": model.residuals,
        "project": lambda Y: model.project(Y, "item"),
        "update": lambda Y: model.update(Y, "item"),
        "the tensor": lambda Y: genten.reports.render_report(model, tensor=Y),
    }
    for name, use in uses.items():
        why = f"^{name}: 18 entries were merged .* by '{others}', and .* run by '{rule or 'sum'}'"
        with pytest.raises(ValueError, match=why):
            use(other)
    # Of arrays as they are the entries are merged now; what had none to merge knows the rule.
    pairs = (np.repeat(X.subscripts, 2, axis=0), np.repeat(X.values, 2), X.shape)
    arrays = genten.tensor(pairs, labels=X.labels)
    halves = 2 if rule is None else 1
    assert model.evaluate(arrays).tensor_norm == pytest.approx(halves * X.norm)
    once = genten.tensor((X.subscripts, X.values, X.shape), duplicates=rule)
    assert genten.cp(once, 1).model._run.get("duplicates") == rule


def test_what_helps_where_update_does_not(table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = genten.tensor(table, values="stars").compact()
    new = table[:1].assign(customer=5)
    for options in ({"missing": "unlisted"}, {"loss": "bernoulli-odds"}):
        data = X.map(np.sign) if "loss" in options else X
        model = genten.cp(data, 1, max_iterations=3, **options).model
        with pytest.raises(ValueError, match="leave these out, or find such rows by project_rows$"):
            model.project(new, "item")
        assert model.project_rows(new.assign(stars=1.0), "customer").rows.shape == (1, 1)


def test_a_result_is_an_initial_guess(table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = genten.tensor(table, values="stars").compact()
    r = genten.cp(X, 2, seed=3, max_iterations=5)
    one, other = (genten.cp(X, init=each, max_iterations=3) for each in (r, r.model))
    assert one.model == other.model and one.options["init"] == other.options["init"]
