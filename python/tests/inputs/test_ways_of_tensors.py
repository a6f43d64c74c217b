# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Ways out that messages name for sparse tensors and their entries, followed to the letter."""

import re

import numpy as np
import pytest

import genten


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("users", [["b"], ["b", "c"]])
def test_sums_and_differences_by_labels(sign, users):
    pandas = pytest.importorskip("pandas")
    X = genten.tensor(pandas.DataFrame({"u": [*"ab"], "i": [*"xy"], "v": [5.0, 7.0]}), values="v")
    table = pandas.DataFrame({"u": users, "i": [*"yx"][: len(users)], "v": [3.0, 2.0][: len(users)]})
    Y = genten.tensor(table, values="v")
    with pytest.raises(ValueError, match="expected tensors of .*goes by the labels of both") as e:
        X + Y if sign > 0 else X - Y
    call = re.search(r"; (genten.*) goes by", str(e.value))[1]
    found = eval(call, {"genten": genten, "pandas": pandas, "X": X, "Y": Y})
    entries = dict(zip([*"abc"], found.sum(1).to_dense(), strict=False))
    assert entries["a"] == 5 and entries["b"] == 7 + 3 * sign
    assert entries.get("c", 2 * sign) == 2 * sign


@pytest.mark.parametrize("hits", [0, 1, 3, 4])
@pytest.mark.parametrize("kind", [list, tuple])
def test_arrays_one_a_mode_are_no_entries(hits, kind):
    D = np.random.default_rng(0).random((6, 5, 4))
    M = np.zeros(D.shape, bool)
    M[[0, 1, 2, 5][:hits], [3, 4, 0, 2][:hits], [2, 3, 1, 0][:hits]] = True
    model, columns = genten.cp(D, 2, max_iterations=5, seed=1).model, kind(np.nonzero(M))
    calls = {
        "predict": lambda entries: model.predict(entries),
        "missing": lambda entries: genten.cp(D, 2, missing=entries, max_iterations=2, seed=1).fit,
    }
    for what, call in calls.items():
        with pytest.raises(ValueError, match=f"^{what}: a {kind.__name__} of arrays may be") as e:
            call(columns)
        ways = re.findall(r"numpy\.\w+\([^)]*\)", str(e.value))
        known = {"numpy": np, "mask": M, "columns": columns, "rows": list(np.argwhere(M))}
        of_mask, of_columns, of_rows = (
            eval(way, known) if hits or "rows" not in way else np.argwhere(M) for way in ways
        )
        assert of_mask.tolist() == of_columns.tolist() == of_rows.tolist()
        found = np.atleast_1d(call(of_mask))
        assert found == pytest.approx(call(M) if what == "missing" else model.to_dense()[M])
        if hits != 3:
            with pytest.raises(ValueError, match=r"shape \(3, \d\): give its transpose, .T$"):
                call(np.array(columns))


@pytest.mark.parametrize("rule", ["mean", "last", "max"])
def test_residuals_of_duplicates_go_by_the_rule_of_the_run(rule):
    pieces = (np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1]]), [3.0, 1.0, 5.0], (2, 2, 2))
    model = genten.cp(genten.tensor(pieces, duplicates=rule), 2, seed=1).model
    expected = model.evaluate(pieces)
    assert expected.fit == pytest.approx(1)
    for X in (pieces, genten.tensor(pieces)):
        with pytest.raises(ValueError, match="one nonzero an entry, got 1 too many of 3") as e:
            model.residuals(X)
        call = re.search(r"; (genten\.tensor\(.*\)) merges those", str(e.value))[1]
        merged = eval(call, {"genten": genten, "X": X})
        assert np.abs(model.residuals(merged)).max() < 1e-6
    added = genten.tensor(pieces).coalesce()
    assert added.file_facts == {"duplicates": 1, "merged_by": "sum"}
    for call in (model.residuals, model.evaluate):
        with pytest.raises(ValueError, match=f"by 'sum', and those of .* by '{rule}'"):
            call(added)
