# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of how many components there are."""

import json

import pytest

pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from page import Page
from stand_ins import DATA, HERE, titanic

import genten
from genten._report_cli import main
from genten.reports import read_ranks, render_ranks, render_report
from genten.reports.command import tool_command

MODEL = str(HERE / "data" / "titanic.ktensor")


def row(rank, agreement, loss, **more):
    return {
        "rank": rank, "objective": 10.0 / rank, "fit": 0.5 + rank / 10, "starts": 8, "reached": 7,
        "agreement": agreement, "worst_component": agreement / 2, "holdout_loss": loss,
        "holdout_error": None if loss is None else 0.01, "congruence": 0.25,
        "core_consistency": None, "seconds": 1.5, **more,
    }  # fmt: skip


def record(**more):
    return {
        "suggested": 2, "decided": True,
        "reasons": [{"code": "verdict", "text": "R = 2: of the picks 2, 2 and <3> the median."}],
        "ranks": [row(1, 1.0, 0.5), row(2, 0.97, 0.2), row(3, 0.4, 0.25)],
        "zero_model": {}, "held_out": {"entries": 400, "part": 0.1, "draws": 2}, "stopped": None,
        "tensor": {"file": "data/visits.tns"}, **more,
    }  # fmt: skip


def written(tmp_path, told):
    path = tmp_path / "ranks.json"
    path.write_text(json.dumps(told))
    return path


def test_the_suggestion_its_reasons_the_table_and_three_panels(tmp_path):
    html = render_ranks(read_ranks(written(tmp_path, record())), date="")
    page = Page(html)
    assert page.texts("title")[0] == "How many components of visits.tns"
    for said in (
        "2 components.", "R = 2: of the picks 2, 2 and <3> the median.",
        "400 entries were held out", "7 of 8", "0.970", "0.2 ± 0.01", "0.7000", "suggested",
    ):  # fmt: skip
        assert said in page.text, said
    assert html.count('<svg class="chart"') == 3 and html.count('class="mark"') == 3
    assert html.count('path class="line other"') == 3  # a standard error on either side
    assert "0.97 at 2" in page.text  # for those who do not see
    assert "<3>" not in html and "http" not in html.replace("http-equiv", "")


def test_what_is_not_known_is_left_out(tmp_path):
    told = record(
        suggested=0, decided=False, ranks=[row(1, 0.5, None, fit=None)], stopped="time_limit",
        held_out={"entries": 0},
    )  # fmt: skip
    html = render_ranks(read_ranks(written(tmp_path, told)), date="")
    text = Page(html).text
    assert "None: nothing replicates, but the search was stopped" in text
    assert "No entries were held out" in text and "ended by the time limit after 1" in text
    assert html.count('<svg class="chart"') == 2 and html.count('class="mark"') == 0
    assert "nan" not in text.lower().replace("tenan", "")


def test_the_report_of_a_model_has_it_as_a_section(tmp_path):
    model = titanic().model
    best = {
        "rank": 3,
        "weights": model.weights.tolist(),
        "stability": [
            {"starts": 1.0, "refits": None, "unstable": False},
            {"starts": 0.875, "refits": None, "unstable": False},
            {"starts": 0.25, "refits": None, "unstable": True},
        ],
    }
    choice = read_ranks(written(tmp_path, record(model=best)))
    page = Page(render_report(model, ranks=choice, date=""))
    assert "How many components" in page.texts("h2")
    assert page.text.count("Found in 100% of the starts.") == 1
    assert "Found in 25% of the starts: do not build on it." in page.text
    assert "Of 3 components, 3 (counted from 1) is found by fewer than half" in page.text
    assert "2 components, but 1 of its components is unstable." in page.text
    html = render_report(titanic(), ranks=choice, date="")  # with charts of its own
    names = [piece.split('"')[0] for piece in html.split(' id="')[1:]]
    assert len(names) == len(set(names))
    # That choice has made the model, which it was told of.
    told = record(
        model=best,
        options={"loss": "poisson", "solver": "apr", "ranks": [1, 2, 3], "starts": 8, "lower": []},
    )
    page = Page(render_report(model, ranks=read_ranks(written(tmp_path, told)), date=""))
    assert "How the model was made is not known" not in page.text
    assert page.texts("title")[0] == "CP model of visits.tns, 3 components"
    assert page.texts("code") == [
        "genten rank data/visits.tns --ranks 1,2,3 --starts 8 --loss poisson"
    ]
    # Of another model it says nothing.
    other = {**best, "weights": [1.0, 2.0, 3.0]}
    choice = read_ranks(written(tmp_path, record(model=other)))
    with pytest.warns(UserWarning, match="another model of 3 components than this one"):
        text = Page(render_report(model, ranks=choice, date="")).text
    assert "Found in" not in text and "How the model was made is not known" in text


def box(page):
    return page.text.split("Before you trust it")[2].split("Components")[0]


def test_what_a_choice_doubts_stands_before_the_model(tmp_path):
    model = titanic().model  # of 3 components, which agree with a score of 0.4
    best = {"rank": 3, "weights": model.weights.tolist(), "stability": []}
    rows = [row(2, 1.0, 0.2), row(3, 0.4, 0.25, reached=1)]
    notes = [{"code": "not_converged", "title": "It did not converge", "text": "Not at all."}]
    options = {"loss": "gaussian", "solver": "als"}
    more = {"model": best, "notes": notes, "options": options, "stopped": "time_limit"}
    choice = read_ranks(written(tmp_path, record(decided=False, ranks=rows, **more)))
    found = box(Page(render_report(model, ranks=choice, date="")))
    undecided = "The data do not decide how many components there are"
    for said in (
        "It did not converge", "Another number of components is suggested",
        "of what was tried 2 is suggested", "ended by the time limit after 3 components",
        "Of 8 starts of 3 components 1 came to",
        "the median score against the best is 0.400",
    ):  # fmt: skip
        assert said in found, said
    assert "Nothing suspicious" not in found and "could not be looked at" not in found
    assert undecided not in found
    through = written(tmp_path, record(decided=False, ranks=rows, **{**more, "stopped": None}))
    assert undecided in box(Page(render_report(model, ranks=read_ranks(through), date="")))
    # Where it doubts nothing, the page says what was looked at.
    sure = {**more, "notes": [], "stopped": None, "suggested": 3}
    choice = read_ranks(written(tmp_path, record(ranks=[row(3, 1.0, 0.2)], **sure)))
    found = box(Page(render_report(model, ranks=choice, date="")))
    assert "Nothing suspicious was found. Looked at: how the run ended" in found
    assert "the choice of how many components there are, and its starts" in found


def test_a_model_by_itself_says_what_was_not_looked_at():
    found = box(Page(render_report(titanic().model, date="")))
    assert "Most could not be looked at." in found and "Nothing suspicious" not in found
    assert "Nothing here tells of the run: whether the run converged" in found
    assert "r.report(...)" in found and "given as --json" in found and "as --tensor" in found
    assert "Looked at, and found as it should be: components that are nearly" in found
    X = genten.read(DATA / "titanic" / "titanic.tns")
    fitted = box(Page(render_report(titanic().model, tensor=X, date="")))
    assert "Most could not" in fitted and "how well the model fits" not in fitted


def test_of_another_tensor_it_is_refused(tmp_path):
    model, read = genten.load(MODEL), genten.read(DATA / "titanic" / "titanic.tns")
    for facts, shown in (
        ({"dimensions": [4, 2]}, "a tensor of 4 x 2, but the model is of 4 x 2 x 2 x 2"),
        ({"dimensions": [4, 2, 2, 2], "nnz": 25}, "of 25 nonzeros, but that of the model has 24"),
    ):
        choice = read_ranks(written(tmp_path, record(tensor=facts)))
        with pytest.raises(ValueError, match=shown):
            render_report(model, tensor=read, ranks=choice)
    choice = genten.choose_rank(read.to_dense()[:, :, :, 0], [1, 2], starts=2)
    with pytest.raises(ValueError, match="a tensor of 4 x 2 x 2, but the model is of 4 x 2 x 2 x"):
        render_report(model, ranks=choice)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (
            {"loss": "poisson", "solver": "apr", "steps": "auto", "kappa": 0.01, "kernel": "auto"},
            "--loss poisson --steps auto",
        ),
        (
            {"loss": "huber", "solver": "gcp", "method": "lbfgs", "corrections": 8, "batch": 0},
            "--loss huber --method lbfgs --corrections 8",
        ),
        (
            {"loss": "huber", "solver": "gcp", "method": "adam", "corrections": 8, "batch": 0},
            "--loss huber --method adam --batch 0",
        ),
        (
            {"loss": "huber", "solver": "gcp", "method": "rows", "corrections": 8, "batch": 0},
            "--loss huber --method rows",
        ),
    ],
)
def test_its_line_has_no_options_that_the_tool_refuses(options, line):
    assert tool_command(options, "x.tns", command="rank") == f"genten rank x.tns {line}"


def test_the_command(tmp_path, capsys):
    path, out = str(written(tmp_path, record())), str(tmp_path / "out.html")
    assert main(["--ranks", path, "-o", out, "--title", "Visits"]) == 0
    with open(out, encoding="utf-8") as file:
        assert "<title>Visits</title>" in file.read()
    for arguments, code, expected in (
        ([], 2, "expected a model, or --ranks FILE"),
        (["--ranks", path, "--json", "r.json"], 2, "--json: has no effect without a model"),
        ([MODEL, "--json", path], 2, "given to the report as --ranks"),
        (["--ranks", "none.json"], 3, "none.json"),
        (["--ranks", MODEL], 2, "not JSON"),
        (["--ranks", str(HERE / "data" / "titanic.json")], 2, "'genten rank --json' writes"),
    ):
        assert main([*arguments, "-o", out]) == code
        assert expected in capsys.readouterr().err
