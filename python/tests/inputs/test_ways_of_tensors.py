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
