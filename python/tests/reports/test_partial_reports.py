# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports on a model beside a tensor that has some of its rows alone."""

import warnings

import numpy as np
import pytest

import genten

pytest.importorskip("jinja2")
pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def table():
    counts = np.random.default_rng(8).poisson(3, (8, 7, 6)) + 1
    rows = [
        (f"u{i}", "abcdefg"[j], k + 1, counts[i, j, k]) for i, j, k in np.ndindex(counts.shape)
    ]
    return pd.DataFrame(rows, columns=["u", "i", "w", "n"])


@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
def test_rows_that_the_tensor_lacks_do_not_count(loss, table):
    model = genten.cp(genten.tensor(table, values="n", index_base=1), 2, loss=loss, seed=1).model
    part = table[(table.w < 3) & (table.u < "u4")]
    render = genten.reports.render_report
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        whole = render(model, tensor=part)
    told = [str(each.message) for each in told if "that the tensor lacks" in str(each.message)]
    assert [each.split("; ")[-1] for each in told] == [
        f"partial={mode!r} leaves such rows out" for mode in ("u", "w")
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = render(model, tensor=part, partial=True)
    fit = model.evaluate(part, partial=True).fit
    assert f"<dt>Fit</dt><dd>{fit:.4g}</dd>" in page
    assert f"<dt>Fit</dt><dd>{fit:.4g}</dd>" not in whole
    assert "are not listed and count as zeros" not in page
    assert "those with entries, of u, i, w" in page and "those with entries" not in whole
    assert "Of 56 listed entries those" in page and "Of 336 entries" in whole
    one = render(model, tensor=table[table.w < 3], partial="w")
    assert "those with entries, of w" in one


def test_where_partial_has_no_effect(table, tmp_path):
    X = genten.tensor(table, values="n", index_base=1)
    r, other = genten.cp(X, 2, seed=1), genten.tucker(X, (2, 2, 2))
    for source, tensor, said in (
        (r.model, None, "without a tensor"),
        (r, X, "beside a run, whose tensor has all rows"),
        (other, X, "beside a run"),
        (other.model, X, "beside a Tucker model"),
    ):
        with pytest.raises(ValueError, match=f"^partial: has no effect {said}"):
            source.report(tmp_path / "r.html", tensor=tensor, partial=True)
