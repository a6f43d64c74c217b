# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python lines of the README and of the guide do what stands behind them."""

import doctest

import numpy as np
import pytest
from conftest import DATA, ROOT

import genten

pandas = pytest.importorskip("pandas")


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


def test_the_table_of_the_packages_is_their_tensor():
    """data/debian-packages has the same relations twice; only kinds are in another order."""
    folder = DATA / "debian-packages"
    of_table = genten.tensor(pandas.read_csv(folder / "relations.csv.xz"))
    labels = [folder / f"{mode}.labels.zst" for mode in of_table.mode_names]
    of_file = genten.read(folder / "debian-packages.tns.zst", labels=labels)
    assert of_table.labels[:2] == of_file.labels[:2]
    assert of_table.labels[2] == sorted(of_file.labels[2])
    kinds = np.array([of_table.labels[2].index(kind) for kind in of_file.labels[2]])
    expected = np.array(of_file.subscripts)
    expected[:, 2] = kinds[expected[:, 2]]
    order = [np.lexsort(rows.T) for rows in (expected, of_table.subscripts)]
    assert np.array_equal(expected[order[0]], np.array(of_table.subscripts)[order[1]])
    assert np.array_equal(of_table.values, of_file.values)
