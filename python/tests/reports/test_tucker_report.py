# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of Tucker models: of Python's results and models, and of what the tool writes."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from page import Page
from stand_ins import DATA

import genten
from genten._report_cli import main
from genten.reports import read_recorded, render_ranks, render_report
from genten.reports.command import python_lines, tool_command

UCB = str(DATA / "ucb-admissions" / "ucb-admissions.tns")
TOOL = os.environ.get("GENTEN_TOOL")
MODES = ["admit", "gender", "dept"]


@pytest.fixture(scope="module")
def tensor():
    labels = [DATA / "ucb-admissions" / f"{mode}.labels" for mode in MODES]
    return genten.read(UCB, labels=labels, mode_names=MODES)


@pytest.fixture(scope="module")
def result(tensor):
    return genten.tucker(tensor, (2, 2, 2))


def rows_after(page, caption):
    """The texts of the entries of a table, behind its caption."""
    texts = [text for name, text in page.pieces if name in ("caption", "th", "td")]
    return texts[texts.index(caption) + 1 :]


def test_a_result_says_all_that_is_known(tensor, result, tmp_path):
    result.report(tmp_path / "run.html", tensor=tensor)
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    assert page.texts("h1") == ["Tucker model of ucb-admissions.tns, core 2 × 2 × 2"]
    assert len(page.ids) == len(set(page.ids))
    links = [a["href"][1:] for a in page.all("a") if a["href"].startswith("#")]
    assert set(links) <= set(page.ids) and {"core", "columns", "residuals"} <= set(links)
    largest = rows_after(page, "The largest elements")
    assert largest[2:14] == [
        "admit", "gender", "dept", "973.5", "75.0%", "1: Rejected, Admitted", "1: Male, Female",
        "1: A, C", "−416.66", "13.7%", "1: Rejected, Admitted", "2: Female, Male (−)",
    ]  # fmt: skip
    assert "88.7% of the core; all 2 rows" in page.text
    assert "higher-order orthogonal iteration (HOOI)" in page.text
    assert "8 + 20 = 28 numbers, core + factors" in page.text
    assert "0.857: the whole table has 24 entries" in page.text
    assert "r = genten.tucker(X, [2, 2, 2], init='st-hosvd', method='hooi'" in page.texts("code")[0]


def test_the_lines_make_the_same_model(tensor, result):
    told = {}
    lines = python_lines(result.options, None, result)
    assert "loss" not in lines and "seed" not in lines
    exec(lines, {"X": tensor}, told)
    assert told["r"].model == result.model
    random = genten.tucker(tensor, (2, 1, 2), init="random", seed=7)
    lines = python_lines(random.options, None, random)
    assert "seed=7" in lines and "init='random'" in lines
    exec(lines, {"X": tensor}, told)
    assert told["r"].model == random.model
    order = ["dept", "admit", "gender"]
    short = genten.tucker(tensor, (2, None, 3), method="st-hosvd", mode_order=order)
    exec(python_lines(short.options, None, short), {"X": tensor}, told)
    assert told["r"].model == short.model


def test_maps_show_pairs_of_modes(result):
    page = Page(render_report(result))
    assert [t for t in page.texts("figcaption") if "↓" in t] == [
        "admit ↓ gender →", "admit ↓ dept →", "gender ↓ dept →",
    ]  # fmt: skip
    matrix = genten.tucker(np.array([[3.0, 0.0, 1.0], [0.0, -2.0, 0.0]]), (2, 2))
    page = Page(render_report(matrix.model))
    assert "The core itself" in page.text
    assert sum("↓" in text for text in page.texts("figcaption")) == 1
    many = genten.TuckerModel(np.ones((1,) * 7), [np.ones((2, 1))] * 7)
    page = Page(render_report(many))
    assert sum("↓" in text for text in page.texts("figcaption")) == 15
    assert "The first 15 of 21 pairs of modes." in page.text


def test_long_modes_and_modes_that_are_not_compressed(tmp_path, capsys):
    rng = np.random.default_rng(1)
    core = rng.normal(size=(30, 40, 2))
    factor = np.linalg.qr(rng.normal(size=(200, 30)))[0]
    model = genten.TuckerModel(core, [factor, None, np.eye(2)])
    page = Page(render_report(model, k=3))
    assert "Not compressed: the core has 40 rows of its own here." in page.text
    assert len(rows_after(page, "The largest elements")) > 0
    entries = [svg for svg in page.all("svg") if svg.get("viewbox", "").startswith("0 0 180")]
    assert len(entries) == 3
    for form in ("m.ttensor", "m.ttensor.gz", "m.gkt", "m.npz"):
        model.save(tmp_path / form)
        out = tmp_path / "m.html"
        assert main([str(tmp_path / form), "-o", str(out), "--title", form], genten) == 0
        assert Page(out.read_text(encoding="utf-8")).texts("h1") == [form]
    (tmp_path / "m.npz").write_bytes(b"PK\x03\x04 and no archive")
    assert main([str(tmp_path / "m.npz"), "-o", "-"], genten) == 3
    assert "m.npz: " in capsys.readouterr().err


def test_columns_that_are_not_orthonormal_are_told():
    model = genten.TuckerModel([[2.0]], [np.array([[1.0], [0.5]]), np.array([[0.6], [0.8]])])
    page = Page(render_report(model))
    assert "Columns are not orthonormal" in page.text and "mode 1" in page.text
    assert "mode 2 are not" not in page.text


def test_a_model_of_zeros_has_a_report():
    page = Page(render_report(genten.TuckerModel(np.zeros((1, 1)), [np.ones((1, 1))] * 2)))
    assert page.texts("h1") == ["Tucker model, core 1 × 1"]


def test_the_fit_of_a_model_by_itself_needs_the_tensor(tensor, result):
    assert "Fit" not in Page(render_report(result.model)).texts("dt")
    page = Page(render_report(result.model, tensor=tensor))
    assert page.texts("dd")[0] == "0.8238"


def test_what_goes_wrong_is_told(tensor, result, tmp_path, capsys):
    choice = genten.choose_rank(tensor, [1, 2], starts=2)
    with pytest.raises(ValueError, match="ranks: expected a CP model beside a choice"):
        render_report(result, ranks=choice)
    with pytest.raises(ValueError, match="k: expected at least 1"):
        result.model.report(tmp_path / "x.html", k=0)
    with pytest.raises(ValueError, match="the tensor's shape is"):
        render_report(result, tensor=np.ones((2, 2, 5)))
    assert not (tmp_path / "x.html").exists()
    assert render_ranks(choice)


@pytest.mark.skipif(not TOOL, reason="GENTEN_TOOL does not name the tool")
def test_records_of_the_tool(result, tmp_path, capsys):
    model, told = str(tmp_path / "m.ttensor"), str(tmp_path / "m.json")
    command = [TOOL, "tucker", UCB, "--ranks", "2,2,3", "-o", model, "--json", told, "-q"]
    subprocess.run(command, check=True)
    out = str(tmp_path / "m.html")
    assert main([model, "--json", told, "-o", out, "--tensor", UCB], genten) == 0
    page = Page(pathlib.Path(out).read_text(encoding="utf-8"))
    line = page.texts("code")[0]
    assert line.startswith(f"genten tucker {UCB} --ranks 2,2,3")
    assert "Iterations" in page.text
    record = json.loads(pathlib.Path(told).read_text())
    assert tool_command(record["options"], UCB) == line
    for changed, text in (
        ({"core_norm": 3.0}, "the norm of its core is 3, the model's"),
        ({"core_dimensions": [2, 2, 2]}, "a run of ranks 2 x 2 x 2, but .* has ranks 2 x 2 x 3"),
        ({"core_norm": "x"}, "expected the norm of a core"),
    ):
        pathlib.Path(told).write_text(json.dumps({**record, **changed}))
        with pytest.raises(ValueError, match=text):
            read_recorded(told, genten.load(model))
    pathlib.Path(told).write_text(json.dumps({"weights": [1.0], "fit": 1}))
    assert main([model, "--json", told, "-o", "-"], genten) == 2
    assert "expected what 'genten tucker --json' writes" in capsys.readouterr().err
