# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What models take over from the run that made them: missing entries, duplicates, constraints; and
what an initial guess does for rows that it lacks."""

import json
import os
import subprocess
import warnings

import numpy as np
import pandas
import pytest

import genten


@pytest.fixture
def ratings():
    rng = np.random.default_rng(3)
    rows = [(f"u{u}", f"f{f}", 1.0 + (u * f) % 5) for u in range(8) for f in range(6)]
    table = pandas.DataFrame(rows, columns=["user", "film", "stars"])
    return table[rng.random(len(table)) < 0.7].reset_index(drop=True)


def new_rows(table, count):
    table = table[table["user"] == "u3"].head(count)
    return genten.tensor(table.assign(user="new"), values="stars")


@pytest.fixture
def completed(ratings):
    X = genten.tensor(ratings, values="stars")
    return X, genten.cp(X, 2, missing="unlisted", seed=1)


def test_a_loaded_model_knows_of_missing_entries(completed, ratings, tmp_path):
    X, r = completed
    r.model.save(tmp_path / "m.gkt")
    loaded = genten.load(tmp_path / "m.gkt")
    new = new_rows(ratings, 4)
    found = loaded.project_rows(new, "user")
    assert found.options["missing"] == "unlisted" and found.entries.tolist() == [4]
    assert loaded.project_rows(new, "user", missing="none").entries.tolist() == [6]
    assert loaded.evaluate(X).fit == pytest.approx(r.fit, abs=1e-12)
    assert loaded.evaluate(X).all.entries == X.nnz


def test_a_model_knows_that_nobody_gave_its_ridge(completed, tmp_path):
    X, r = completed
    for path, run in (("m.gkt", r), ("n.gkt", genten.cp(X, 2, missing="unlisted", ridge=0.5))):
        run.model.save(tmp_path / path)
        genten.load(tmp_path / path).save(tmp_path / path)
        told = json.loads((tmp_path / f"{path}.labels.json").read_text())["run"]
        assert told["ridge"] == (pytest.approx(r.completion["ridge"]) if run is r else [0.5])
        assert told.get("ridge_by_default", False) == (run is r)


def test_a_model_knows_the_constraints_of_its_run(ratings, tmp_path):
    X = genten.tensor(ratings, values="stars")
    r = genten.cp(X, 2, nonnegative=["user"], ridge=[0.5, 0.25], upper=[np.inf, 9.0], seed=1)
    r.model.save(tmp_path / "m.gkt")
    assert json.loads((tmp_path / "m.gkt.labels.json").read_text())["run"] == {
        "loss": "gaussian", "nonnegative": [1], "ridge": [0.5, 0.25], "upper": [None, 9.0],
        "values": "stars",
    }
    new = new_rows(ratings, 4)
    expected = r.project_rows(new, "user").rows
    for model in (r.model, genten.load(tmp_path / "m.gkt")):
        assert model.project_rows(new, "user").rows == pytest.approx(expected)
        assert model.project_rows(new, 0).options["lower"] == 0.0
        assert model.project_rows(new, 0, ridge=2.0).options["ridge"] == 2.0
        turned = model.permute(["film", "user"]).project_rows(new.permute(["film", "user"]), 1)
        assert turned.options["lower"] == 0.0
        stream = genten.Stream(model, "user")
        assert stream.options["ridge"] == [0.5, 0.25]
        assert stream.options["lower"] == [0.0, -np.inf]
    plain = genten.Model(r.model.weights, r.model.factors, X.labels, X.mode_names)
    assert plain.project_rows(new, 0).options["ridge"] == 0.0


def test_projected_models_are_saved_with_their_run(ratings, tmp_path):
    X = genten.tensor(ratings, values="stars")
    r = genten.cp(X, 2, loss="huber", loss_parameter=np.float32(0.5), seed=1, max_iterations=5)
    for model in (r.model, genten.Model(r.model.weights, r.model.factors, X.labels, X.mode_names)):
        found = model.project_rows(new_rows(ratings, 4), "user").model
        found.save(tmp_path / "p.gkt")
        again = genten.load(tmp_path / "p.gkt")
        assert again.labels == found.labels
        assert (again.loss, again.loss_parameter) == (model.loss, model.loss_parameter)


@pytest.mark.parametrize("number", [0.4959708893842458, 1e15, 1.1e15, 5e-324, 3, 0.1])
def test_numbers_of_a_run_read_back(ratings, tmp_path, number):
    model = genten.cp(genten.tensor(ratings, values="stars"), 1, ridge=number, seed=1).model
    model.save(tmp_path / "m.gkt")
    assert genten.load(tmp_path / "m.gkt")._run["ridge"] == [number]


def test_a_pipe_is_read_once(ratings, tmp_path):
    model = genten.cp(genten.tensor(ratings, values="stars"), 1, seed=1).model
    model.save(tmp_path / "m.gkt")
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", tmp_path / "m.gkt", tmp_path / "pipe"]):
        assert genten.load(tmp_path / "pipe").rank == 1


def test_what_an_earlier_genten_has_written_is_told(ratings, tmp_path):
    genten.cp(genten.tensor(ratings, values="stars"), 1, loss="poisson").model.save(
        tmp_path / "m.gkt"
    )
    beside = tmp_path / "m.gkt.labels.json"
    beside.write_text(beside.read_text().replace('"run_sha256"', '"loss_sha256"'))
    with pytest.warns(UserWarning, match="of an earlier genten, which kept less of a run"):
        assert genten.load(tmp_path / "m.gkt").loss is None


def test_the_rule_for_duplicates_is_the_runs(ratings, tmp_path):
    X = genten.tensor(pandas.concat([ratings, ratings]), values="stars", duplicates="mean")
    r = genten.cp(X, 1, seed=1)
    r.model.save(tmp_path / "m.gkt")
    assert json.loads((tmp_path / "m.gkt.labels.json").read_text())["run"] == {
        "duplicates": "mean", "loss": "gaussian", "values": "stars"
    }
    loaded = genten.load(tmp_path / "m.gkt")
    path = tmp_path / "twice.csv"
    pandas.concat([ratings, ratings]).astype({"stars": int}).to_csv(path, index=False)
    with pytest.raises(OSError, match=r"as in genten\.read\(\.\.\., values='stars'\)"):
        genten.cp(str(path))
    assert loaded.evaluate(X).fit == pytest.approx(r.fit, abs=1e-12)
    series = pandas.concat([ratings, ratings]).set_index(["user", "film"])["stars"]
    assert loaded.evaluate(series).fit == pytest.approx(r.fit, abs=1e-12)


def test_rules_that_were_changed_are_not_used(completed, tmp_path):
    _, r = completed
    r.model.save(tmp_path / "m.gkt")
    beside = tmp_path / "m.gkt.labels.json"
    beside.write_text(beside.read_text().replace('"unlisted"', '"listed"'))
    with pytest.warns(UserWarning, match="its run was changed after"):
        genten.load(tmp_path / "m.gkt")


def test_rows_of_few_entries_have_the_least_norm(completed, ratings):
    r = completed[1]
    model = genten.Model(r.model.weights, r.model.factors, r.model.labels, r.model.mode_names)
    new = new_rows(ratings, 1)
    few = "1 row has fewer entries than the model's 2 components.*'new'"
    with pytest.warns(UserWarning, match=few):
        found = model.project_rows(new, "user", missing="unlisted")
    films = model.factors[1] * model.weights
    norms = np.linalg.norm(films, axis=0)
    film = new.labels[1][0]
    k = films[model.labels[1].index(film)] / norms
    expected = k * new.values[0] / (k @ k) / norms
    assert found.rows[0] == pytest.approx(expected, rel=1e-9)
    assert found.converged.all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.project_rows(new, "user", missing="unlisted", ridge=0.1)


def test_missing_rows_are_not_taken_for_zeros(completed, ratings):
    r, new = completed[1], new_rows(ratings, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r.project_rows(new, "user")
    with pytest.warns(UserWarning, match="rows that the tensor lacks, taken for zeros"):
        r.project_rows(new, "user", missing="none")


def test_a_guess_may_lack_rows(ratings):
    old = ratings[ratings["user"] != "u5"]
    model = genten.cp(genten.tensor(old, values="stars"), 2, seed=1).model
    X = genten.tensor(ratings, values="stars")
    with pytest.warns(UserWarning, match=r"mode 0 \(user\): the tensor has rows that the guess "
                      "lacks: 'u5'; these begin at the mean"):
        r = genten.cp(X, init=model, max_iterations=0)
    rows = r.model.factors[0] * r.model.weights
    others = [row for row, name in enumerate(X.labels[0]) if name != "u5"]
    at = X.labels[0].index("u5")
    assert rows[at] == pytest.approx(rows[others].mean(axis=0))
    with pytest.raises(ValueError, match="rows of a fixed mode cannot be guessed"):
        genten.cp(X, init=model, fixed_modes=["user"])
    with pytest.raises(ValueError, match="only the guess has 'u5'"):
        genten.cp(genten.tensor(old, values="stars"), init=r.model)


def test_hints():
    X = genten.read("data/titanic/titanic.tns")
    with pytest.raises(ValueError, match="did you mean 'poisson'"):
        genten.cp(X, 2, loss="poison")
    with pytest.raises(TypeError, match=r"as in range\(1, 7\), got 3; genten.cp makes a model"):
        genten.choose_rank(X, 3)
    with pytest.raises(TypeError, match="'rank'; did you mean 'ranks'"):
        genten.tucker(X, rank=2)
    r = genten.cp(X, 2, solver="gcp", max_iterations=3)
    assert "squares are not halved" in repr(r)


def test_means_of_numbers_whose_sum_no_float_holds():
    entries = np.array([[0, 0], [0, 0], [1, 0]])
    X = genten.tensor((entries, np.array([1.5e308, 1.7e308, 1.0])), duplicates="mean")
    assert X.to_dense()[:, 0].tolist() == [1.6e308, 1.0]
    table = pandas.DataFrame({"a": [0, 0, 1], "b": ["x", "x", "x"], "v": [1.5e308, 1.7e308, 1.0]})
    Y = genten.tensor(table, values="v", duplicates="mean")
    assert Y.to_dense()[:, 0].tolist() == [1.6e308, 1.0]


def test_every_function_names_the_nearest_keyword():
    pytest.importorskip("matplotlib")
    X = genten.tensor(np.ones((2, 3)))
    m = genten.cp(X, 1).model
    for said, use in (
        ("^tensor: .* 'value'; did you mean 'values'", lambda: genten.tensor(X, value=1)),
        ("^config: .* 'thread'; did you mean 'threads'", lambda: genten.config(thread=2)),
        ("^plot: .* 'mode'; did you mean 'modes'", lambda: m.plot(mode=0)),
        ("^plot: .* 'titel'; did you mean 'title'", lambda: genten.cp(X, 1).plot(titel="")),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=said):
            use()


def test_messages_and_lists_of_names_tell_of_public_names_alone():
    X = genten.tensor(np.ones((2, 3)))
    m = genten.cp(X, 1).model
    stream = genten.Stream(m, mode=0)
    for said, use in (
        (r"^Model\.update\(\) missing", m.update), (r"^Tensor\.ttv\(\) missing", X.ttv),
        (r"^Result\.update\(\) missing", genten.cp(X, 1).update),
        (r"^Stream\.update\(\) missing", stream.update),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=said):
            use()
    assert repr(stream) == "<genten.Stream 2 x 3, slices of mode 0, 0 batches>"
    names = [name for name in dir(genten) if not name.startswith("__")]
    public = {name for name in genten.__all__ if not name.startswith("__")}
    assert set(names) == {*public, "plots", "reports"}
    with pytest.raises(ValueError, match="archives of NumPy are for models, and .gtn is the own"):
        X.save("t.npz")
    with pytest.raises(ValueError, match=r"X.to_pandas\(\).to_parquet\(path\) writes a table"):
        X.save("t.parquet")
