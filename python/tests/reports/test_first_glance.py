# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report shows first: components by name, a map of all, and what to doubt."""

import numpy as np
import pytest

pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from page import Page
from stand_ins import Model, Result, random_model

from genten.describe import result_findings
from genten.reports import render_report
from genten.reports.charts import DIGIT, Line, line_chart
from genten.reports.components import components_of
from genten.reports.map import LEVELS, map_of


def spread_model():
    """A component of 40 packages that all depend on one, and one of a few of each."""
    packages = np.zeros((100, 2))
    packages[:40, 0], packages[50, 1] = 1.0, 1.0
    needed = np.zeros((30, 2))
    needed[7, 0], needed[[3, 4, 5, 6], 1] = 1.0, [2.0, 1.9, 1.8, -2.1]
    labels = [[f"package {i}" for i in range(100)], [f"lib{i}" for i in range(30)]]
    return Model(np.array([5.0, 2.0]), [packages, needed], labels, ["package", "needs"])


def test_components_are_named_by_the_modes_that_they_are_concentrated_in():
    first, second = components_of(spread_model(), 3)
    assert first.heading == "lib7; some 40 rows of package"
    assert second.heading == "package 50, lib6 (−) and 3 others"
    nowhere = Model(np.ones(1), [np.ones((50, 1)), np.ones((60, 1))])
    assert components_of(nowhere, 3)[0].heading == (
        "mode 1 row 1 and 49 others, mode 2 row 1 and 59 others"
    )


def test_bars_have_a_scale_of_their_own_in_each_component():
    model = spread_model()
    for component in components_of(model, 3):
        for mode in component.modes:
            assert max(row.width for row in mode.rows) > 45  # Of 100, and both signs.


def test_components_come_before_the_run_and_many_are_folded():
    page = Page(render_report(random_model([30, 20, 4], 9)))
    titles = [text for text in page.texts("h2")]
    assert titles.index("Components") < titles.index("The data")
    folds = [each for each in page.all("details") if each.get("class") == "component"]
    assert ["open" in each for each in folds] == [True] * 6 + [False] * 3


def test_the_map_has_a_cell_where_a_component_is_strong():
    found = map_of(spread_model())
    package, needs = found.panels
    assert (package.name, needs.name) == ("package", "needs")
    # Of long modes the strongest rows alone: packages 0 and 50, lib7 and lib6.
    assert [(kind, d.count("M")) for kind, d in package.paths] == [(f"p l{LEVELS}", 2)]
    assert [(kind, d.count("M")) for kind, d in needs.paths] == [
        (f"p l{LEVELS}", 1), (f"n l{LEVELS}", 1)
    ]  # fmt: skip
    assert needs.left + needs.width <= found.width + 0.1
    assert map_of(Model(np.ones(1), [np.ones((3, 1))])) is None
    assert len(map_of(random_model([5, 5], 200)).places) <= 64


def test_numbers_beside_an_axis_have_room():
    course = Line(np.arange(4.0), 1234567.0 + 1e6 * np.arange(4.0))
    chart = line_chart([course], title="", description="", x_label="", y_label="")
    longest = max(len(label) for _, label in chart.y_ticks)
    assert longest == len("1,234,567") and chart.left - 6 >= DIGIT * longest
    assert min(x for x, _ in chart.x_ticks) >= chart.left


def run_of_starts(*scores):
    run = Result(random_model([4, 4], 2), fit=0.9, options={"tolerance": 1e-4, "init": "random"})
    run.starts = [{"fit": 0.9, "score": score, "iterations": 9} for score in scores]
    return {finding.key: finding.text for finding in result_findings(run)}


def test_starts_of_one_fit_and_other_components_are_told():
    assert "starts_differ" not in run_of_starts(1.0, 0.97, 0.95)
    text = run_of_starts(1.0, 0.62, 0.97)["starts_differ"]
    assert text.startswith("1 of 3 starts came as near") and "down to 0.62" in text


@pytest.mark.parametrize("returned, told", [(2, True), (20, False)])
def test_a_best_iteration_that_is_an_early_one_is_told(returned, told):
    run = Result(random_model([4, 4], 2), iterations=22)
    run.completion = {"entries": 10.0, "returned_iteration": returned}
    run.holdout = {"rmse": 0.1, "mae": 0.1, "entries": 3}
    texts = {finding.key: finding.text for finding in result_findings(run)}
    assert ("early_best" in texts) == told
    assert not told or texts["early_best"].startswith("Of 22 iterations that of number 2 ")
