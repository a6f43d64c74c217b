# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Dense tensors of pyttb, of which elements are NaN."""

import re

import numpy as np
import pytest

import genten

pyttb = pytest.importorskip("pyttb")


def test_missing_elements():
    array = np.random.default_rng(3).random((6, 5, 4))
    array[1, 2, 3] = array[0, 0, 1] = np.nan
    X = pyttb.tensor(array.copy())
    with pytest.raises(ValueError, match="2 of 120 elements are NaN") as caught:
        genten.cp(X, 2)
    call = re.search(r"genten\.cp\(.*?\)\)", str(caught.value))[0]
    found = eval(call, {"genten": genten, "numpy": np, "X": X, "rank": 2})
    assert found.fit > 0
    mask = np.isnan(array)
    same = genten.cp(array, 2, missing=mask, seed=1)
    result = genten.cp(X, 2, missing=mask, seed=1)
    assert result.fit == same.fit
    assert result.model.evaluate(X, missing=mask).fit == pytest.approx(result.fit)
    assert genten.CP(2, missing=mask, seed=1).fit(X).result_.fit == same.fit
