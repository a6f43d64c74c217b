# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models and results draw and report themselves."""

import pytest

import genten

pytest.importorskip("matplotlib", reason='pictures need pip install "genten[plot]"')
pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')


def test_methods_are_the_functions(titanic, tmp_path):
    before = titanic.values.copy()
    r = genten.cp(titanic, 2, starts=2)
    weights = r.model.weights.copy()
    assert len(r.model.plot(title="mine").axes) >= 8
    assert len(r.plot().axes) >= 2
    assert len(genten.plot_starts([r, genten.cp(titanic, 2, seed=9)]).axes) >= 2
    assert [axes.get_label() for axes in genten.plot_starts(r).axes] == ["fits"]
    r.report(tmp_path / "r.html", tensor=titanic, title="Titanic <again>")
    text = (tmp_path / "r.html").read_text()
    assert "Titanic &lt;again&gt;" in text and "<again>" not in text
    assert (r.model.weights == weights).all() and (titanic.values == before).all()
