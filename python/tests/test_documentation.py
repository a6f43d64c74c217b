# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python lines of the README and of the guide do what stands behind them."""

import doctest

import pytest
from conftest import ROOT

pytest.importorskip("pandas")


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    parser = doctest.DocTestParser()
    # The fence that ends a block is none of its output.
    text = (ROOT / page).read_text().replace("\n```", "\n\n```")
    test = parser.get_doctest(text, {}, page, page, 0)
    assert len(test.examples) > 3
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    told = []
    runner.run(test, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)
