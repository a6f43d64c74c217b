# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages advise works as typed."""

import numpy as np
import pytest

import genten

pd = pytest.importorskip("pandas")

COUNTS = np.random.default_rng(8).poisson(3, (8, 7, 6)) + 1
DENSE = COUNTS.astype(float)


@pytest.fixture(scope="module")
def table():
    entries = np.ndindex(COUNTS.shape)
    rows = [(f"u{i}", "abcdefg"[j], k + 1, COUNTS[i, j, k]) for i, j, k in entries]
    return pd.DataFrame(rows, columns=["u", "i", "w", "n"])


@pytest.fixture(scope="module")
def of_table(table):
    X = genten.tensor(table, values="n", index_base=1)
    return X, genten.cp(X, 2, seed=1).model


@pytest.fixture(scope="module")
def model():
    return genten.cp(DENSE, 2, seed=1, nonnegative=True).model


@pytest.mark.parametrize("kind", ["cp", "tucker"])
def test_tensors_are_made_as_long_as_the_model(kind, model):
    m = model if kind == "cp" else genten.tucker(DENSE, (2, 2, 2)).model
    for what in ("evaluate", "residuals"):
        for part in (DENSE[3:6], genten.tensor(DENSE[3:6])):
            with pytest.raises(ValueError, match=f"^{what}: expected a tensor of .*") as told:
                getattr(m, what)(part)
            advice = "genten.tensor((X.subscripts, X.values, (8, 7, 6)))"
            assert advice in str(told.value)
            X = genten.tensor(part)
            assert eval(advice, {"genten": genten, "X": X}).shape == m.shape
            shifted = "X.subscripts + [1, 0, 0]"
            assert f"{shifted} where they begin at row 1 of mode 0" in str(told.value)
            assert eval(shifted, {"X": X})[0].tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match=r"got one of \(9, 7, 6\)$"):
        m.evaluate(np.ones((9, 7, 6)))


def test_a_part_that_is_made_as_long_counts_alone(model):
    X = genten.tensor(DENSE[3:6])
    longer = genten.tensor((X.subscripts + [3, 0, 0], X.values, model.shape))
    found = model.evaluate(longer, partial=True)
    rows = genten.Model(model.weights, [model.factors[0][3:6], *model.factors[1:]])
    assert found.all.entries == X.nnz and found.fit == pytest.approx(rows.evaluate(X).fit)


def test_texts_of_a_tensor_become_numbers_in_its_table(of_table):
    X, m = of_table
    advice = r"by \.astype\(\{column: int\}\); X\.to_pandas\(\) is that of a tensor X$"
    numbers = X.compact().to_pandas().astype({"w": int})
    for what, more in (("evaluate", ()), ("predict", ()), ("project", (0,))):
        with pytest.raises(ValueError, match=advice):
            getattr(m, what)(X.compact(), *more)
        getattr(m, what)(numbers, *more)
    assert m.evaluate(numbers).fit == m.evaluate(X).fit
