# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and names in reports, notes and file names, as their readers take them."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("genten._core", reason="the extension is not built")
pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from conftest import DATA
from page import Page

import genten
from genten.reports.charts import Line, line_chart
from genten.reports.components import components_of


TITANIC = DATA / "titanic" / "titanic.tns"


def collinear() -> genten.Result:
    """A run with more components than the data have."""
    X = np.einsum("i,j,k->ijk", *(np.arange(1.0, n) for n in (5, 4, 6)))
    return genten.cp(X, 2, seed=3, ridge=1e-3)


def test_notes_count_from_0_and_reports_from_1():
    r = collinear()
    (note,) = [note for note in r.notes if note.code == "collinear"]
    assert "nearly the same: 0 with 1 (" in note.text
    assert note.text in r.warnings
    page = genten.reports.render_report(r)
    assert "nearly the same (counted from 1): 1 with 2 (" in page
    assert "0 with 1" not in page


def random_counts():
    """Counts without any pattern."""
    rng = np.random.default_rng(0)
    subscripts = np.stack([rng.integers(0, n, 1500) for n in (20, 20, 6, 30)], axis=1)
    return genten.tensor((subscripts, rng.poisson(2, 1500) + 1.0, (20, 20, 6, 30)))


@pytest.mark.parametrize("options", [
    {"loss": "poisson"}, {}, {"nonnegative": True}, {"starts": 2},
    {"starts": 1, "bootstrap": 5, "nonnegative": True},
])  # fmt: skip
def test_components_that_are_not_found_again_are_told_everywhere(options):
    r = genten.cp(random_counts(), 4, seed=1, **{"starts": 4, **options})
    unstable = [str(c) for c, each in enumerate(r.stability) if each.unstable]
    (note,) = [note for note in r.notes if note.code == "unstable_components"]
    assert len(unstable) == note.numbers["components"] > 0 and note.numbers["rank"] == 4
    named = " and ".join(filter(None, (", ".join(unstable[:-1]), unstable[-1])))
    assert note.text.startswith(f"Of 4 components, {named} ")
    assert "genten.choose_rank compares ranks" in note.text
    assert note.text in r.warnings and note.text in str(r)
    assert note.text.count("refits") == ("bootstrap" in options)
    page = Page(genten.reports.render_report(r))
    assert "Nothing suspicious" not in page.text and "do not build on it" in page.text
    assert "Components that are not found again." in page.texts("strong")
    # Of a run that was recorded without the note, too.
    r.notes[:] = [each for each in r.notes if each.code != "unstable_components"]
    r.warnings.clear()
    page = Page(genten.reports.render_report(r))
    assert page.texts("strong").count("Components that are not found again.") == 1


def test_standard_errors_that_there_are_none_of_are_told():
    how = {"loss": "poisson", "standard_errors": True, "max_iterations": 2}
    r = genten.cp(random_counts(), 4, seed=1, **how)
    assert not r.standard_errors.determined
    (note,) = [note for note in r.notes if note.code == "no_standard_errors"]
    assert "a smaller tolerance" in note.text
    page = Page(genten.reports.render_report(r))
    assert "Standard errors are not known." in page.texts("strong")


@pytest.mark.parametrize("name", ["x.pdf", "x.png", "x.html.gz"])
def test_reports_are_html_alone(tmp_path, name):
    r = genten.cp(np.ones((2, 2, 2)), 1)
    for write in (r.report, r.model.report):
        with pytest.raises(ValueError, match=r"expected a name that ends in \.html, got .*" + name):
            write(tmp_path / name)
    choice = genten.choose_rank(np.ones((2, 2, 2)), [1], starts=2)
    with pytest.raises(ValueError, match=r"ends in \.html"):
        choice.report(tmp_path / name)
    assert not list(tmp_path.iterdir())
    r.report(tmp_path / "x.HTM")


def test_names_with_commas_have_quotes_and_strong_rows_are_counted():
    first = np.array([[3.0], [2.0], [1.0]])
    m = genten.Model([1.0], [first, first], [["Doe, Jane", "Roe", "Poe"], None])
    (found,) = components_of(m, 5)
    assert found.heading == "“Doe, Jane” and 1 other, mode 2 row 1 and 1 other"


def test_zeros_and_tiny_numbers_look_alike():
    m = genten.Model([1.0], [np.array([[1.0], [0.0], [1e-9], [-1e-9]])])
    (found,) = components_of(m, 5)
    assert [row.value for row in found.modes[0].rows] == ["1.000", "0.000", "0.000", "0.000"]


def test_charts_say_where_their_axis_begins():
    x, y = np.arange(1.0, 7), np.array([0.1, 0.5, 0.8, 0.85, 0.9, 0.9])
    how = {"title": "Fit", "description": "", "x_label": "", "y_label": ""}
    whole, cut = line_chart([Line(x, y)], **how), line_chart([Line(x, y)], y_from=0.8, **how)
    falling = line_chart([Line(x, -y)], y_to=-0.8, **how)
    assert whole is not None and cut is not None and falling is not None
    assert whole.cut == ""
    assert cut.cut == "The axis begins at 0.794: what is below is not drawn."
    assert falling.cut == "The axis ends at −0.794: what is above is not drawn."
    r = genten.cp(genten.read(TITANIC), 3, seed=1)
    page = genten.reports.render_report(r)
    assert re.search(r"The axis begins at 0\.\d+: what is below is not drawn\.", page)
    titles = [axes.get_title() for axes in genten.plots.plot_result(r).axes]
    assert re.fullmatch(r"from 0\.\d+ up", titles[0]) and titles[1] == titles[0]


def purchases(drop=0):
    """How often 40 people bought of 30 things: a table that lists 300 of 1200 entries, or of 9
    people and 10 things, the first `drop` entries left out."""
    pandas = pytest.importorskip("pandas")
    people, things = ((40, 30), (9, 10))[drop > 0]
    rows = [
        (f"p{i}", f"t{j}", int(10.0 ** (3 * ((7 * i + 11 * j) % 100) / 100)))
        for i in range(people)
        for j in range(things)
        if drop or (i + j) % 4 == 0
    ]
    return pandas.DataFrame(rows[drop:], columns=["person", "thing", "times"])


def test_unlisted_entries_that_count_as_zeros_are_told_beside_what_was_looked_at():
    X = genten.tensor(purchases(), values="times")
    said = (
        "900 of 1,200 entries are not listed and count as zeros; where they are unknown, "
        "missing='unlisted'"
    )
    for run in ({}, {"nonnegative": True}, {"solver": "gcp"}):
        page = Page(genten.reports.render_report(genten.cp(X, 1, seed=1, **run)))
        assert f"{said} leaves them out." in page.texts("p"), run
        assert not any("entries" in text for text in page.texts("strong"))
    page = Page(genten.reports.render_report(genten.tucker(X, (2, 2))))
    assert f"{said} of genten.cp leaves them out." in page.texts("p")
    few = genten.cp(genten.tensor(purchases(1), values="times"), 1, seed=1)
    text = "1 of 90 entries is not listed and counts as zero; if it is unknown, missing='unlisted'"
    assert text in Page(genten.reports.render_report(few)).text
    missing = genten.cp(X, 1, seed=1, missing="unlisted")
    for r in (missing, genten.cp(X.to_dense(), 1, seed=1), genten.cp(genten.read(TITANIC), 1)):
        assert "count as zero" not in genten.reports.render_report(r)
