# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What notebooks show of tensors, models and results."""

import re

import numpy as np
import pytest
from page import Page

import genten
from genten._display import html_of

ENTRIES = np.array([[0, 1], [2, 0], [0, 1]])


@pytest.mark.parametrize(
    "make",
    [
        lambda: genten.tensor(np.eye(3)),
        lambda: genten.tensor((ENTRIES, np.ones(3))),
        lambda: genten.tensor((ENTRIES, np.ones(3)), labels=[list("abc"), None]),
        lambda: genten.tensor((ENTRIES, np.ones(3)), labels=[list("abc"), ["<b>", "&"]]),
        lambda: genten.Model(None, [np.eye(3), np.eye(3, dtype="f4")]),
        lambda: genten.cp(np.eye(3), 2),
    ],
)
def test_tables_say_what_repr_says(make):
    shown = make()
    page = Page(shown._repr_html_())
    assert [tag for tag, _ in page.tags][:3] == ["table", "caption", "tbody"]
    assert page.texts("caption") == [f"genten.{type(shown).__name__}"]
    words = set(re.findall(r"[\w.]+", " ".join([*page.texts("th"), *page.texts("td")])))
    told = set(re.findall(r"[\w.]+", repr(shown)))
    filling = {"genten.Tensor", "genten.Model", "genten.Result", "with", "shape", "dtype"}
    assert words ^ told <= filling, words ^ told
    assert all(tag["scope"] == "row" for tag in page.all("th"))
    assert len(shown._repr_html_()) < 2000


def test_entries_that_are_many_are_not_counted_for_a_table(monkeypatch):
    monkeypatch.setattr("genten._sparse.entries.COUNTED_UNASKED", 2)
    X = genten.tensor((ENTRIES, np.ones(3)))
    assert repr(X) == "<genten.Tensor 3 x 2, 3 stored entries, float64>"
    assert "distinct" not in X._repr_html_() and X._distinct is None


def test_what_is_shown_is_escaped():
    page = Page(html_of("<i>", [("<script>", "a & b </td>")]))
    assert page.texts("th") == ["<script>"] and page.texts("td") == ["a & b </td>"]
