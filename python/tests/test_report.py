# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says, and that it is one whole and harmless page."""

import copy
import os
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from page import Page
from stand_ins import DATA, HERE, Model, Result, Tensor, random_model, titanic

import genten
from genten.reports import read_recorded, render_report
from genten.reports.method import method_of

RECORD = HERE / "data" / "titanic.json"


def titanic_tensor():
    lines = (DATA / "titanic/titanic.tns").read_text().splitlines()
    entries = np.array([line.split() for line in lines if line[0] != "#"], dtype=int)
    return Tensor((4, 2, 2, 2), entries[:, :4] - 1, entries[:, 4].astype(float))


def recorded():
    return read_recorded(RECORD, titanic().model)


def test_a_recorded_run_is_told_whole():
    page = Page(render_report(recorded(), tensor=titanic_tensor(), date=""))
    text = page.text
    assert page.texts("title")[0] == "CP model of titanic.tns, 3 components"
    for said in (
        "accounts for 99.8% of the sum of squares", "its fit is 0.9562",  # How good.
        "24 (75% of all entries)", "1 to 670, whole numbers", "4 × 2 × 2 × 2",  # The data.
        "851.31",
        "uniform random numbers in [0, 1)", "converged: the fit changed by less", "sorted",
        "OpenMP, 2 threads",  # How.
        "Only one of 4 starts reached the best fit, 0.956187", "the worst ended at 0.906286",
        "genten decompose data/titanic/titanic.tns --rank 3 --seed 1 --starts 4 --init uniform "
        "--max-iterations 100 --tolerance 0.0001 --kernel auto --precision double",
        "0.1.0", "3.4.01", "GNU 12.2.0",  # With what.
    ):  # fmt: skip
        assert said in text, said


def test_constraints_and_their_objective_are_told():
    result = Result(random_model([4, 3, 2], 2))
    result.options = {"nonnegative": "all", "ridge": [1, 0, 2.5], "upper": [None, 3, None]}
    result.objective, result.penalty = 12.5, 2.0
    text = Page(render_report(result)).text
    assert "nonnegative; ridge 1, 0, 2.5; upper none, 3, none" in text and "12.5" in text
    assert "converged: the objective changed by less" in text


def test_components_stand_by_weight_with_every_entry_of_short_modes():
    source = recorded()
    page = Page(render_report(source))
    headings = [text for text in page.texts("span") if text.startswith(("Crew", "1st"))]
    assert headings == [
        "Crew, Male, Adult, No",
        "Crew (−) and 1 other, Male, Adult, No",
        "1st and 1 other, Female, Adult, Yes",
    ]
    assert [i for i in page.ids if re.fullmatch(r"component-\d+", i)] == [
        f"component-{place}" for place in (1, 2, 3)
    ]
    for factor in source.model.factors:
        for value in factor.ravel():
            assert f"{value:.3f}".replace("-", "−") in page.text
    for said in ("1,091", "447.7", "171.1", "41.1%", "15.7%"):
        assert said in page.texts("td")


def test_long_modes_name_the_strongest_rows_only():
    model = random_model([5000, 30], 2, names=True)
    page = Page(render_report(model, k=3))
    for r in range(2):
        for n, factor in enumerate(model.factors):
            order = np.argsort(-np.abs(factor[:, r]))
            assert all(f"name {row} of mode {n}" in page.texts("th") for row in order[:3])
    assert len([text for text in page.texts("th") if text.startswith("name ")]) == 2 * 2 * 3
    assert "the strongest 3 of 5,000 rows hold" in page.text


def test_bars_have_one_scale_and_negative_ones_their_colour():
    model = Model(np.ones(1), [np.array([[0.8], [-0.4], [0.0], [0.2]])])
    bars = [a for a in Page(render_report(model)).all("rect")][1:]  # The first is the weight's.
    assert [(float(a["x"]), float(a["width"]), a.get("class")) for a in bars] == [
        (33.3, 66.7, None), (0.0, 33.3, "n"), (33.3, 0.0, None), (33.3, 16.7, None)]  # fmt: skip


def test_rows_and_components_count_from_one_and_the_page_says_so():
    page = Page(render_report(Model(np.array([1.0, 2.0]), [np.eye(3)[:, :2]])))
    assert page.texts("span")[:4] == [
        "Weight as a bar", "Component 1", "mode 1 row 2", "all 3 rows"]  # fmt: skip
    assert "count from 1" in page.text and "which is not that of the weights" in page.text


def test_a_python_result_says_how_to_call_it_again():
    result = titanic()
    result.options = {"rank": 3, "seed": 5, "starts": 4, "tolerance": 1e-4, "init": None}
    page = Page(render_report(result, tensor_name="titanic.tns"))
    (code,) = [text for text in page.texts("code")]
    assert code == (
        "import genten X = genten.read('titanic.tns') "
        "r = genten.cp(X, 3, seed=5, starts=4, tolerance=0.0001)"
    )
    given = Page(render_report(result, command="make model"))
    assert given.texts("code") == ["make model"]


def test_a_model_alone_has_no_run_but_a_fit_where_the_tensor_is_given():
    model = titanic().model
    alone = Page(render_report(model))
    assert "Convergence" not in alone.text and "How the model was made is not known" in alone.text
    assert "its fit is" not in alone.text
    with_data = Page(render_report(model, tensor=titanic_tensor()))
    assert "its fit is 0.9562" in with_data.text and "With nonzeros" in with_data.text


def test_findings_come_first_and_their_absence_is_said():
    result = titanic()
    result.notes = []
    assert "Nothing suspicious was found. Looked at: how the run ended" in render_report(result)
    result.notes = [{"code": "time_limit", "title": "Not converged", "text": "It ended."}]
    page = Page(render_report(result))
    assert page.texts("strong") == ["Not converged."] and "It ended." in page.text
    result.notes = None  # as earlier versions recorded runs
    result.model.factors = [np.ones((n, 3)) / np.sqrt(n) for n in (4, 2, 2, 2)]
    page = Page(render_report(result))
    assert page.texts("strong") == [
        "Components that are nearly the same.", "Most could not be looked at."
    ]  # fmt: skip


@pytest.mark.parametrize("hostile", [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "</style><b>",
    "' onload='alert(1)", "a & b"])  # fmt: skip
def test_no_name_becomes_markup(hostile):
    result = titanic()
    result.model.labels = [[f"{hostile}{i}" for i in range(len(f))] for f in result.model.factors]
    result.model.mode_names = [hostile] * 4
    result.kernel = hostile
    result.starts[0]["seed"] = hostile
    plain = Page(render_report(titanic(), title="t", date=""))
    page = Page(render_report(result, title=hostile, tensor_name=hostile, command=hostile, date=""))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    allowed = {name for _, attributes in plain.tags for name in attributes}
    assert {name for _, attributes in page.tags for name in attributes} == allowed
    assert page.texts("h1") == [hostile] and f"{hostile}0" in page.texts("th")


def test_the_page_needs_nothing_else():
    html = render_report(recorded())
    page = Page(html)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in page.tags}
    assert not re.search(r"https?:|url\(|@import|src=", html)
    links = [str(a["href"]) for a in page.all("a")]
    assert links and all(link.startswith("#") and link[1:] in page.ids for link in links)
    policy = next(a for a in page.all("meta") if a.get("http-equiv"))
    assert "default-src 'none'" in str(policy["content"])


def test_the_structure_serves_screen_readers():
    page = Page(render_report(recorded()))
    assert len(page.ids) == len(set(page.ids))
    tags = [tag for tag, _ in page.tags]
    assert [tags.count(tag) for tag in ("h1", "header", "nav", "main", "footer")] == [1] * 5
    levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))
    assert tags.count("caption") == tags.count("table")
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.all("th"))
    assert page.all("html")[0]["lang"] == "en"
    for attributes in page.all("svg"):
        if attributes.get("aria-hidden") != "true":
            assert attributes["role"] == "img"
            assert all(i in page.ids for i in str(attributes["aria-labelledby"]).split())
    for _, attributes in page.tags:
        if "aria-labelledby" in attributes:
            assert set(str(attributes["aria-labelledby"]).split()) <= set(page.ids)


def colors(css):
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", css))


def luminance(color):
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("dark", [False, True])
def test_contrast_is_that_of_wcag_aa(dark):
    css = (HERE.parent / "genten/reports/templates/style.css").read_text()
    light, night = css.split("prefers-color-scheme: dark")[:2]
    palette = colors(night.split("* {")[0] if dark else light)
    assert len(palette) == 10

    def contrast(one, other):
        a, b = sorted((luminance(palette[one]), luminance(palette[other])))
        return (b + 0.05) / (a + 0.05)

    for background in ("page", "panel", "alert"):
        assert contrast("ink", background) >= 7
    for background in ("page", "panel"):
        assert contrast("muted", background) >= 4.5 and contrast("blue", background) >= 4.5
        assert contrast("orange", background) >= 4.5  # Bars, and the name of the tolerance.
        assert contrast("grey", background) >= 3


def test_a_large_model_makes_a_small_page():
    model = random_model([59_401, 86_870, 8], 16, names=True)
    assert len(render_report(model).encode()) < 400_000


def test_long_histories_are_thinned():
    count = 5000
    fit = 1 - 0.9 ** np.arange(1, count + 1)
    history = {"iteration": np.arange(1, count + 1), "fit": fit, "seconds": np.arange(count) / 10,
               "fit_change": np.diff(fit, prepend=0)}  # fmt: skip
    html = render_report(Result(random_model([3, 4], 2), history=history, iterations=count))
    assert len(html.encode()) < 60_000 and "60 of 5000" in " ".join(Page(html).text.split())


def test_what_is_not_finite_is_told():
    result = Result(random_model([3, 4], 2), fit=float("nan"), stop_reason="non_finite",
                    history={"iteration": [1], "fit": [np.nan], "fit_change": [np.nan],
                             "seconds": [0.1]})  # fmt: skip
    page = Page(render_report(result))
    assert "numbers that are not finite" in page.text and "nan" not in page.text.lower().split()
    result.model.factors[0][0, 0] = np.inf
    assert "The model is not finite" in Page(render_report(result)).text


@pytest.mark.parametrize("order", [1, 2, 8])
def test_any_order_rank_one_and_zero_models(order):
    Page(render_report(random_model([2, 20, 700, 5, 17, 401, 3, 2][:order], 1)))
    zero = Model(np.zeros(2), [np.zeros((n, 2)) for n in (3, 600)])
    assert "all 600 rows are zero" in Page(render_report(zero)).text


def test_nothing_is_changed():
    result, tensor = titanic(), titanic_tensor()
    before = copy.deepcopy(result)
    for array in (result.model.weights, *result.model.factors, tensor.subscripts, tensor.values):
        array.setflags(write=False)
    render_report(result, tensor=tensor)
    np.testing.assert_equal(vars(result.model), vars(before.model))
    assert result.starts == before.starts and result.timings == before.timings


def test_files_are_written_in_utf8_and_the_same_twice(tmp_path):
    for name in "ab":
        genten.report(recorded(), tmp_path / name, date="")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert "×" in (tmp_path / "a").read_text(encoding="utf-8")


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "a.html").write_text("before")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        genten.report(recorded(), tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["a.html"]
    genten.report(recorded(), "/dev/null")
    with pytest.raises(OSError, match="no-such-folder"):
        genten.report(recorded(), tmp_path / "no-such-folder" / "a.html")


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="at least 1"):
        render_report(titanic().model, k=0)
    with pytest.raises(ValueError, match="shape"):
        render_report(random_model([3, 4], 2), tensor=titanic_tensor())


def test_without_jinja_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        "try: import genten.reports\n"
        "except ImportError as error: print(error)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                          env=environment)  # fmt: skip
    assert 'pip install "genten[report]"' in done.stdout


def test_agreement_says_whether_components_were_compared():
    result = titanic()
    for start in result.starts:
        start["fit"] = 0.9
    assert "the models of the other starts were not kept." in Page(render_report(result)).text
    for start in result.starts:
        start["score"] = 1.0
    page = Page(render_report(result)).text
    assert "do not prove, that the components agree, too." in page and "models of the" not in page


@pytest.mark.parametrize("said, word", [("float64", "double"), ("float32", "float")])
def test_the_precision_is_called_as_the_tool_calls_it(said, word):
    for options in ({"dtype": said}, {"precision": word}):
        assert ("Precision", word) in method_of(Result(titanic().model, options=options))
