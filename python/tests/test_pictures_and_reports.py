# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures and reports of what the package itself computes."""

import os
import re
import subprocess
import sys

import pytest

pytest.importorskip("genten._core", reason="the extension is not built")
pytest.importorskip("matplotlib", reason='pictures need pip install "genten[plot]"')
pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from page import Page
from stand_ins import DATA, HERE

import genten
from genten.describe import fit_of
from genten.plots import plot_model, plot_result, plot_starts
from genten.reports import render_report

NAMES = ["class", "sex", "age", "survived"]
FILES = [str(DATA / "titanic" / f"{name}.labels") for name in NAMES]


@pytest.fixture(scope="module")
def tensor():
    return genten.read(DATA / "titanic" / "titanic.tns", labels=FILES, mode_names=NAMES)


@pytest.fixture(scope="module")
def result(tensor):
    return genten.cp(tensor, 3, starts=4, seed=1, progress=False)


def test_the_fit_of_a_model_is_that_of_the_run(tensor, result):
    fit, residual = fit_of(result.model, tensor)
    assert fit == pytest.approx(result.fit, abs=1e-12)
    assert residual == pytest.approx(result.residual_norm, rel=1e-9)


def test_pictures_take_the_packages_own_objects(tensor, result):
    first = plot_model(result.model).axes
    assert [axes.get_label() for axes in first][:2] == [
        "component 0 weight",
        "component 0 mode 0",
    ]
    figure = plot_result(result)
    assert len([line for line in figure.axes[0].lines if len(line.get_xdata()) > 1]) == 4
    others = [genten.cp(tensor, 3, seed=seed, progress=False) for seed in (1, 2, 3)]
    scores = plot_starts(others).axes[1].images[0].get_array()
    best = sorted(others, key=lambda one: -one.fit)
    assert scores[0, 1] == float(best[1].model.score(best[0].model))


def test_starts_of_one_run_whose_models_are_kept_are_compared(tensor, result):
    kept = genten.cp(tensor, 3, starts=4, seed=1, keep_starts=True)
    figure = plot_starts(kept, names=["a", "b", "c", "d"])
    assert [axes.get_label() for axes in figure.axes] == ["fits", "scores", "score scale"]
    ordered = sorted(kept.starts, key=lambda start: -start.fit)
    drawn = figure.axes[1].images[0].get_array()
    assert drawn[3, 1] == drawn[1, 3]
    assert drawn[0, 3] == float(ordered[3].model.score(ordered[0].model))
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == ["abcd"[kept.starts.index(start)] for start in ordered]
    assert [label.get_text() for label in plot_starts(kept).axes[0].get_yticklabels()] == [
        f"seed {start.seed}" for start in ordered
    ]
    with pytest.raises(ValueError, match="names: expected 4, got 2"):
        plot_starts(kept, names=["a", "b"])
    page, without = Page(render_report(kept)), Page(render_report(result))
    assert "Score" in page.texts("th") and "Score" not in without.texts("th")
    scores = [f"{float(start.model.score(kept.model)):.3f}" for start in kept.starts]
    assert all(score in page.texts("td") for score in scores) and "1.000" in scores
    assert "factor match score of the start's model against the best" in page.text


def test_a_report_of_a_run_says_how_to_run_it_again(tensor, result):
    page = Page(render_report(result, tensor=tensor))
    (code,) = page.texts("code")
    assert "genten.cp(X, 3, seed=1, starts=4, init='uniform'" in code
    scope = {"genten": genten}
    exec(code.replace("import genten ", "").replace(" r = ", "\nr = "), scope)
    assert scope["r"].fit == result.fit
    assert genten.__version__ in page.text and "1 to 670, whole numbers" in page.text


def test_the_command_reads_models_and_labels_by_the_library(result, tmp_path):
    result.model.save(tmp_path / "model.gkt")
    data = str(DATA / "titanic" / "titanic.tns")
    command = [sys.executable, "-m", "genten", "report", str(tmp_path / "model.gkt")]
    command += ["--tensor", data, "--labels", ",".join(FILES), "-o"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([*command, str(tmp_path / "a.html")], check=True, env=environment)
    page = Page((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert "its fit is 0.9562" in page.text and "Crew" in page.texts("th")
    assert "survived" in page.texts("caption")
    command[command.index("--labels") + 1] = "absent,,,"
    failed = subprocess.run([*command, "-"], capture_output=True, text=True, env=environment)
    assert failed.returncode == 3 and "absent" in failed.stderr


def test_the_code_of_the_page_on_pictures_runs(tmp_path, monkeypatch):
    page = (HERE.parents[1] / "docs" / "pictures.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 5
    (tmp_path / "data").symlink_to(DATA)
    monkeypatch.chdir(tmp_path)
    exec("\n".join(blocks), {})
    written = {file.name for file in tmp_path.iterdir()} - {"data"}
    assert written == {"model.png", "debian.png", "result.png", "starts.png", "report.html"}
    for name in re.findall(r"\((pictures/[^)]*)\)", page):
        assert (HERE.parents[1] / "docs" / name).is_file()
    assert 300_000 < (tmp_path / "report.html").stat().st_size < 400_000  # As the page says.


def test_results_are_drawn_as_their_models(tensor):
    r = genten.cp(tensor, 2, seed=1)
    drawn, other = plot_model(r), plot_model(r.model)
    assert [a.get_label() for a in drawn.axes] == [a.get_label() for a in other.axes]
    with pytest.raises(TypeError, match="expected a Model or a Result, got Tensor"):
        plot_model(tensor)


def test_arguments_the_wrong_way_round_are_told_of(tensor, tmp_path):
    r, file = genten.cp(tensor, 2, seed=1), str(tmp_path / "x.html")
    for last in (r, r.model):
        with pytest.raises(TypeError, match="report: expected a model or a result, then the path"):
            genten.report(file, last)
    with pytest.raises(TypeError, match="expected a Model or a Result, got str"):
        render_report(file)
    assert not os.path.exists(file)


def test_the_head_of_the_components_says_from_where_they_count(tensor):
    text = Page(render_report(genten.cp(tensor, 2, seed=1))).text
    said = text.index(
        "count from 1 here, as in files and on the command line; in Python, in what it prints and "
        "in its pictures, they count from 0"
    )
    assert text.index("The model is the sum of 2 parts") < said < text.index("Weight 8")


def test_the_head_speaks_of_what_has_no_name(tensor):
    model = genten.cp(tensor, 2, seed=1).model
    labels = [[f"r{i}" for i in range(length)] for length in model.shape]
    names = [f"way {n}" for n in range(model.ndim)]
    none, modes = [None, *labels[1:]], [None] * model.ndim
    for own, mode_names, who in (
        (labels, names, "Components count"),
        (none, names, "Components and rows without names count"),
        (labels, None, "Components and modes without names count"),
        (modes, None, "Components, modes and rows without names count"),
    ):
        named = genten.Model(model.weights, model.factors, own, mode_names)
        assert f"nothing. {who} from 1 here" in Page(render_report(named)).text
    tucker = genten.tucker(tensor, 1).model
    assert "itself. Columns count from 1 here, as in files" in Page(render_report(tucker)).text
