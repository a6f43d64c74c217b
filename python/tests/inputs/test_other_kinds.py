# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and columns of what is no number or subscript: ways out, followed to the letter."""

import re

import numpy as np
import pytest
import scipy.sparse

import genten

SUBSCRIPTS = np.array([[0, 0], [1, 1]])
TIMES = np.array(["2020-01-01", "2020-01-03"], dtype="M8[D]")
M = genten.Model([2.0], [np.ones((2, 1)), np.ones((2, 1))])


def way(error, pattern, **names):
    """What the code in a message gives."""
    found = re.search(pattern, str(error.value))
    assert found is not None, str(error.value)
    return eval(found[1], {"genten": genten, "numpy": np, **names})


@pytest.mark.parametrize("values, expected", [
    (TIMES, [0, 172800]), (TIMES - TIMES[0] + np.timedelta64(1, "D"), [86400, 259200]),
])  # fmt: skip
def test_times_as_values(values, expected):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": ["x", "y"], "b": ["p", "q"], "v": values})
    for call in (
        lambda: genten.tensor((SUBSCRIPTS, values)),
        lambda: genten.tensor(values),
        lambda: genten.tensor(table, values="v"),
    ):
        with pytest.raises(ValueError, match="values: expected real numbers, got (date|time)") as e:
            call()
        pattern = r"; (.*) are seconds$"
        assert way(e, pattern, values=values).tolist() == expected
        assert way(e, pattern, values=table["v"]).tolist() == expected


def test_complex_numbers():
    for given in ((SUBSCRIPTS, np.array([3j, 4.0])), np.array([[3j, 4.0]])):
        with pytest.raises(ValueError, match="numpy.abs and numpy.real make real numbers"):
            genten.tensor(given)


def test_masks_and_matrices_as_entries():
    mask = np.eye(2, dtype=bool)
    with pytest.raises(ValueError, match="expected whole numbers, got bool") as e:
        M.predict(mask)
    assert M.predict(way(e, r"; (\S+) has those", mask=mask)).tolist() == [2, 2]
    for matrix in (scipy.sparse.csr_array(mask * 1.0), scipy.sparse.coo_matrix(mask * 1.0)):
        with pytest.raises(TypeError, match="expected subscripts, a row for each entry") as e:
            M.predict(matrix)
        assert M.predict(way(e, r"; (.*) has those", it=matrix)).tolist() == [2, 2]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite(wrong):
    values = np.array([1.0, wrong])
    matrix = scipy.sparse.coo_array((values, SUBSCRIPTS.T))
    for given in ((SUBSCRIPTS, values), matrix):
        with pytest.raises(ValueError, match=r"at \(1, 1\): .*; leave such entries out, by"):
            genten.tensor(given)
    known = np.isfinite(values)
    r = genten.cp((SUBSCRIPTS[known], values[known], (2, 2)), 1, missing=SUBSCRIPTS[~known], seed=1)
    assert r.model.predict([[0, 0]]) == pytest.approx(1)


def test_factors_of_other_shapes():
    with pytest.raises(ValueError, match="factor 0: expected real numbers in 2 dimensions") as e:
        genten.Model([1.0], [scipy.sparse.csr_array(np.ones((2, 1)))])
    assert "; .toarray() is a dense one" in str(e.value)
    with pytest.raises(ValueError, match="got float64 of shape") as e:
        genten.Model([1.0], [np.ones(2)])
    column = way(e, "; (.*) is a column$", it=np.ones(2))
    assert genten.Model([1.0], [column]).shape == (2,)


def test_lists_and_columns_of_members():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="lists of one length make a dense array, by numpy.array"):
        genten.tensor([[1, 2], [3]])
    table = pandas.DataFrame({"a": [{"u": 1, "w": "p"}, {"u": 2, "w": "q"}], "v": [1.0, 2.0]})
    with pytest.raises(ValueError, match="column 'a', row 0: .* got a dict; ") as e:
        genten.tensor(table, values="v")
    assert list(way(e, "; (.*) has columns", pandas=pandas, table=table)) == ["u", "w"]
