# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The lines in a report that make the same model again do so, however the run was made."""

import json
import os
import shlex
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest

pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from conftest import DATA, equal_models

import genten
from genten.reports import read_ranks, read_recorded, render_report

TITANIC = str(DATA / "titanic" / "titanic.tns")
TOOL = os.environ.get("GENTEN_TOOL")


class Code(HTMLParser):
    """The text of a page's code, with its lines."""

    def __init__(self, page):
        super().__init__()
        self.inside, self.text = False, ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.inside |= tag == "code"

    def handle_endtag(self, tag):
        self.inside &= tag != "code"

    def handle_data(self, data):
        self.text += data * self.inside


def again(result, **scope):
    """The lines of a result's report, and the model that they make."""
    lines = Code(render_report(result)).text
    exec(lines, scope)
    return lines, scope["r"].model


def interrupt(it):
    if it.start == 1 and it.iteration == 2:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "keywords, said",
    [
        ({}, "seed=4, starts=1, init='uniform'"),
        ({"starts": 3, "init": "normal"}, "starts=3, init='normal'"),
        ({"mode_order": [3, 1, 0, 2]}, "mode_order=[3, 1, 0, 2]"),
        ({"dtype": "float32", "kernel": "permuted"}, "dtype='float32'"),
        ({"nonnegative": True, "ridge": 3}, "nonnegative=True, ridge=[3.0]"),
        ({"nonnegative": [1], "upper": [9, np.inf, 9, 9]}, "upper=[9.0, float('inf'), 9.0, 9.0]"),
        ({"callback": lambda it: it.iteration == 3}, "stopped by its callback: this ends after"),
        ({"time_limit": 1e-9}, "stopped by its time limit"),
        ({"starts": 3, "callback": interrupt}, "by an interruption in start 3 of 3: this makes"),
        ({"starts": 3, "callback": lambda it: it.start + it.iteration == 3}, "by its callback in"),
    ],
)
def test_runs_of_random_guesses(keywords, said):
    result = genten.cp(genten.read(TITANIC), 3, seed=4, **keywords)
    lines, model = again(result)
    assert equal_models(model, result.model), lines
    assert said in lines and f"X = genten.read({TITANIC!r})\n" in lines


@pytest.mark.parametrize(
    "keywords", [{}, {"starts": 2}, {"callback": lambda it: it.iteration == 30}]
)
def test_runs_that_choose_their_ridge(keywords):
    X, _ = genten.generate((12, 10, 8), rank=2, nnz=400, noise=0, seed=3)
    result = genten.cp(X, 2, missing="unlisted", **keywords)
    lines, model = again(result, X=X)
    assert equal_models(model, result.model) and "ridge" not in lines
    fixed = genten.cp(X, 2, missing="unlisted", ridge=result.options["ridge"], **keywords)
    assert not equal_models(fixed.model, result.model)
    lines, model = again(fixed, X=X)
    assert equal_models(model, fixed.model) and "ridge=[" in lines


def test_names_come_back(tmp_path):
    modes = ["class", "sex", "age", "survived"]
    files = [DATA / "titanic" / f"{mode}.labels" for mode in modes]
    names = {"labels": [*files[:3], None], "mode_names": modes}
    for X in (genten.read(TITANIC, **names), genten.tensor(TITANIC, **names)):
        result = genten.cp(X, 2, seed=1)
        lines, model = again(result)
        assert equal_models(model, result.model) and model == result.model
        assert f"labels=[{str(files[0])!r}, " in lines and "'age', 'survived'])" in lines
        assert ", None]," in lines and "X.labels" not in lines
    X.save(tmp_path / "x.gtn")
    result = genten.cp(tmp_path / "x.gtn", 2, seed=1)
    lines, model = again(result)
    assert model == result.model and model.labels[0][3] == "Crew" and "labels" not in lines
    X = genten.read(TITANIC)
    X.labels = [None, ["Male", "Female"], None, None]
    lines, model = again(genten.cp(X, 2, seed=1))
    assert model.labels[1] is None
    assert "# X.labels: names of rows, which were in no files.\n" in lines


def test_the_best_start_of_a_run_that_was_stopped_later():
    def stop_late(it):
        return it.start == 2 and it.iteration == 1

    X = genten.read(TITANIC)
    result = genten.cp(X, 3, seed=4, starts=4, callback=stop_late, kernel="permuted")
    assert result.best_start < 2 and result.stop_reason == "converged"
    lines, model = again(result)
    assert equal_models(model, result.model)
    assert f"start 3 of 4: this makes start {result.best_start + 1} alone" in lines


def test_runs_of_given_guesses(titanic, tmp_path):
    guess = genten.cp(titanic, 2, seed=9, max_iterations=1).model
    path = str(tmp_path / "guess.gkt")
    guess.save(path)
    result = genten.cp(TITANIC, init=path)
    lines, model = again(result)
    assert equal_models(model, result.model) and "seed" not in lines and repr(path) in lines
    result = genten.cp(TITANIC, init=guess, callback=lambda it: it.iteration == 2)
    lines, model = again(result, init=guess)
    assert equal_models(model, result.model)
    assert "# init: the model that the run began at" in lines and "seed" not in lines
    guess = [np.eye(n, 2) for n in titanic.shape]  # 0 where there are counts
    genten.Model(np.ones(2), guess).save(path)
    result = genten.cp(TITANIC, init=path, loss="poisson", kappa=0.5, max_iterations=3)
    lines, model = again(result)
    assert equal_models(model, result.model) and "kappa=0.5" in lines


def test_data_as_they_were_read(titanic, tmp_path):
    path = str(tmp_path / "zero.tns")
    titanic.save(path, index_base=0)
    X = genten.read(path, index_base=0, dimensions=[5, 2, 2, 2], dtype="float32")
    lines, model = again(genten.cp(X, 2))
    assert equal_models(model, genten.cp(X, 2).model) and model.shape == (5, 2, 2, 2)
    assert "index_base='0', dimensions=[5, 2, 2, 2], dtype='float32'" in lines
    Y = genten.read(path, index_base=0).astype("float32")
    lines, model = again(genten.cp(Y, 2, dtype="float64"))
    assert equal_models(model, genten.cp(Y, 2, dtype="float64").model)
    assert ".astype('float32')" in lines


def test_data_of_no_file(titanic):
    X = genten.tensor(np.arange(24.0).reshape(4, 3, 2))
    result = genten.cp(X, 2)
    lines, model = again(result, X=X)
    assert equal_models(model, result.model) and "# X: the tensor" in lines
    with pytest.raises(NameError, match="X"):  # It is no Ellipsis.
        again(result)
    assert "genten.read" not in Code(render_report(result, tensor_name="my numbers")).text


def test_resumed_runs(titanic, tmp_path):
    path = tmp_path / "run.gkt"
    genten.cp(TITANIC, 3, seed=2, checkpoint=path, callback=lambda it: it.iteration == 3)
    result = genten.cp(TITANIC, resume=path)
    lines, model = again(result)
    assert equal_models(model, result.model) and f"went on from {str(path)!r}" in lines


@pytest.mark.skipif(not TOOL, reason="GENTEN_TOOL does not name the tool")
@pytest.mark.parametrize("guess", [False, True])
def test_the_tools_runs(tmp_path, guess):
    model, record = tmp_path / "m.gkt", tmp_path / "r.json"
    words = ["--rank", "2", "--seed", "3", "--starts", "2", "--nonnegative", "2,3"]
    if guess:
        genten.cp(TITANIC, 2, max_iterations=1).model.save(tmp_path / "a guess.gkt")
        words = ["--init", tmp_path / "a guess.gkt", "--fixed-modes", "1"]
    words += ["--mode-order", "2,1,4,3", "--quiet", "--lower"]
    words += ["-inf,-99,-99,-inf"]
    subprocess.run([TOOL, "decompose", TITANIC, *words, "-o", model, "--json", record], check=True)
    first = genten.load(model)
    line = Code(render_report(read_recorded(record, first))).text
    assert "--lower -inf,-99,-99,-inf" in line
    assert ("--nonnegative 2,3 " in line) != guess
    assert "--mode-order 2,1,4,3" in line and ("--seed" in line) != guess
    taken = shlex.split(line, comments=True)[1:]
    subprocess.run([TOOL, *taken, "--quiet", "-o", model], check=True)
    assert equal_models(genten.load(model), first)


@pytest.mark.skipif(not TOOL, reason="GENTEN_TOOL does not name the tool")
def test_a_run_of_the_tool_that_was_stopped(tmp_path):
    model, record = tmp_path / "m.gkt", tmp_path / "r.json"
    words = ["--rank", "2", "--seed", "3", "--starts", "2", "--time-limit", "1e-9", "--quiet"]
    subprocess.run([TOOL, "decompose", TITANIC, *words, "-o", model, "--json", record], check=True)
    first = genten.load(model)
    assert json.loads(record.read_text())["stop_reason"] == "time_limit"
    line = Code(render_report(read_recorded(record, first))).text
    assert "by its time limit in start 2 of 2" in line and "--time-limit" not in line
    taken = shlex.split(line, comments=True)[1:]
    subprocess.run([TOOL, *taken, "--quiet", "-o", model], check=True)
    assert equal_models(genten.load(model), first)


@pytest.fixture
def table(tmp_path):
    """A table with a column that is no mode, commas before decimals and a letter beyond ASCII."""
    path = tmp_path / "monthly sales.csv"
    rows = [f"{n % 4};é{n % 3};{n % 5};{n};{n + 1},5" for n in range(40)]
    text = "\n".join(["city;product;month;id;amount", *rows, "0;é0;0;0;2,5"])
    path.write_text(text + "\n", encoding="latin-1")
    return path


READ = ["--values", "amount", "--modes", "month,city,product", "--decimal", ",", "--encoding",
        "latin-1", "--duplicates", "max", "--index-base", "0"]  # fmt: skip


def made_again(line, model):
    taken = shlex.split(line, comments=True)[1:]
    subprocess.run([TOOL, *taken, "--output", model, "--quiet"], check=True)
    return genten.load(model)


@pytest.mark.skipif(not TOOL, reason="GENTEN_TOOL does not name the tool")
@pytest.mark.parametrize(
    "command, words",
    [
        ("decompose", ["--rank", "2", "--seed", "3"]),
        ("decompose", ["--rank", "1", "--missing", "unlisted", "--max-iterations", "40"]),
        ("rank", ["--ranks", "1", "--starts", "2", "--missing", "unlisted"]),
        ("tucker", ["--ranks", "2,2,2"]),
        ("rank", ["--ranks", "1,2", "--starts", "3", "--max-iterations", "20"]),
    ],
)
def test_the_tools_runs_on_tables(table, tmp_path, command, words):
    path, record = tmp_path / "m.gkt", tmp_path / "r.json"
    words = [command, table, *words, *READ, "--quiet", "-o", path, "--json", record]
    subprocess.run([TOOL, *words], check=True)
    first = genten.load(path)
    if command == "rank":
        page = render_report(first, ranks=read_ranks(record))
    else:
        page = render_report(read_recorded(record, first))
    line = Code(page).text
    assert "--values amount --modes month,city,product --decimal , --encoding latin-1" in line
    assert made_again(line, tmp_path / "again.gkt") == first and "--ridge" not in line


@pytest.mark.skipif(not TOOL, reason="GENTEN_TOOL does not name the tool")
def test_a_record_without_the_options_of_the_table(table, tmp_path):
    path, record = tmp_path / "m.gkt", tmp_path / "r.json"
    words = ["decompose", table, "--rank", "2", *READ, "--quiet", "-o", path, "--json", record]
    subprocess.run([TOOL, *words], check=True)
    first = genten.load(path)
    told = json.loads(record.read_text())
    for name in ("values", "modes", "decimal", "encoding"):
        del told["options"][name]
    record.write_text(json.dumps(told))
    run = read_recorded(record, first)
    line = Code(render_report(run)).text
    assert line.startswith("# This, with the options by which the table was read (--values, ")
    assert shlex.split(line, comments=True) == [] and "--rank 2" in line
    # Those by which the report has read it will do, with the modes in the model's order.
    X = genten.read(
        table, values="amount", modes=["city", "product", "month"], decimal=",",
        encoding="latin-1", duplicates="max",
    )  # fmt: skip
    line = Code(render_report(run, tensor=X)).text
    assert "--modes month,city,product" in line
    assert made_again(line, tmp_path / "again.gkt") == first
