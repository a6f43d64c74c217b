# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of tensors of which duplicates were merged: they know the rule, and not how many there
were."""

import warnings

import numpy as np
import pandas
import pytest

import genten

TABLE = pandas.DataFrame(
    {"a": ["x", "x", "y"], "b": ["p", "p", "q"], "n": [1.0, 2.0, 3.0]}
)


@pytest.mark.parametrize("rule", [None, "mean"])
def test_parts_of_merged_tensors_are_decomposed(rule):
    whole = genten.tensor(TABLE, values="n", duplicates=rule)
    expected = genten.cp(whole, 1, seed=1)
    assert expected.tensor_facts["duplicates"] == 1
    parts = [whole[:, :], whole[:, :].coalesce(), whole.coalesce()[:], whole[:, ["p", "q"]]]
    for part in [*parts, whole[:, :].permute([0, 1]), whole[:, :].map(np.abs)]:
        found = genten.cp(part, 1, seed=1)
        assert found.model == expected.model
        assert found.tensor_facts["merged_by"] == (rule or "sum")
        assert "duplicates" not in found.tensor_facts
        assert genten.CP(1, seed=1).fit(part).result_.model == expected.model
        assert genten.tucker(part, (1, 1)).model.shape == (2, 2)
        assert list(genten.choose_rank(part, [1]).results) == [1]


def test_parts_of_merged_tensors_in_a_grid_search():
    selection = pytest.importorskip("sklearn.model_selection")
    subscripts = np.array([[n % 6, n % 3] for n in range(13)])
    whole = genten.tensor((subscripts, np.ones(13)), duplicates="sum")
    assert whole.file_facts["duplicates"] == 7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = selection.GridSearchCV(genten.CP(seed=1), {"rank": [1, 2]}, cv=2).fit(whole)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
