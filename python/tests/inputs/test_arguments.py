# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What `genten.tensor` makes of its arguments: lists, names, and hints that mean nothing."""

import numpy as np
import pytest
from conftest import DATA, OnlyDlpack

import genten

TITANIC = DATA / "titanic" / "titanic.tns"
ROWS = [[0, 1, 0], [2, 0, 1]]
VALUES = [1.0, 2.0]


def dense_of(X):
    full = np.zeros(X.shape)
    np.add.at(full, tuple(X.subscripts.astype(np.int64).T), X.values)
    return full.tolist()


def test_lists_of_numbers_are_rows_or_columns():
    expected = dense_of(genten.tensor((np.array(ROWS), np.array(VALUES))))
    columns = [list(column) for column in zip(*ROWS, strict=True)]
    for given in (ROWS, columns, tuple(columns), [np.array(each) for each in columns]):
        assert dense_of(genten.tensor((given, VALUES))) == expected
    assert genten.tensor(([[3]], [1.0])).shape == (4,)
    assert genten.tensor(([[3, 1]], [1.0])).shape == genten.tensor(([[3], [1]], [1.0])).shape
    assert genten.tensor(([[], []], [], (2, 3))).shape == (2, 3)


def test_lists_that_may_be_rows_and_columns_are_refused():
    square = [[0, 1], [2, 0]]
    with pytest.raises(ValueError, match="2 lists of 2 numbers may be rows.*expected an array"):
        genten.tensor((square, VALUES))
    assert genten.tensor((np.array(square), VALUES)).shape == (3, 2)
    assert genten.tensor(([np.array(each) for each in square], VALUES)).shape == (2, 3)
    with pytest.raises(ValueError, match="lists of one length, got 1 and 2"):
        genten.tensor(([[0, 1], [2]], VALUES))


def test_subscripts_from_1_are_warned_of(recwarn):
    from_1 = np.array([[1, 2], [3, 1]])
    for given in (from_1, list(from_1.T), from_1.astype(float)):
        with pytest.warns(UserWarning, match="least is 1 in every mode.*subtract 1"):
            genten.tensor((given, VALUES))
    recwarn.clear()
    genten.tensor((from_1, VALUES, (4, 3)))
    genten.tensor((from_1 - 1, VALUES))
    genten.tensor((from_1 + [1, 0], VALUES))
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"i": [1, 2], "j": [1, 3], "x": VALUES})
    genten.tensor(table, (3, 4), modes=["i", "j"], values="x")
    assert len(recwarn) == 0
    with pytest.warns(UserWarning, match="least is 1 in column 'i' and column 'j'; .*base=1"):
        genten.tensor(table, values="x")


def test_numbers_from_1_beside_names_are_warned_of(tmp_path, recwarn):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"shop": list("abb"), "week": [1, 2, 3], "n": [2.0, 3.0, 1.0]})
    forms = [table]
    table.to_csv(tmp_path / "t.csv", index=False)
    forms.append(tmp_path / "t.csv")
    try:
        import pyarrow

        forms.append(pyarrow.Table.from_pandas(table))
    except ImportError:
        pass
    for form in forms:
        with pytest.warns(UserWarning, match="least is 1 in column 'week'; .*index_base=1") as said:
            X = genten.tensor(form, values="n")
        assert X.shape == (2, 4) and len(said) == 1
        recwarn.clear()
        assert genten.tensor(form, values="n", index_base=1).shape == (2, 3)
        assert genten.tensor(form, values="n", index_base=0).shape == (2, 4)
        assert len(recwarn) == 0
    later = table.assign(week=[0, 2, 3])
    genten.tensor(later, values="n")
    genten.tensor(later.assign(week=[2, 3, 4]), values="n", index_base=1)
    assert len(recwarn) == 0
    with pytest.warns(UserWarning, match="least is 1 in column 'week'; .*entries: .*compact"):
        genten.tensor(table.assign(shop=[0, 1, 2]), values="n")


def test_a_list_of_vectors_that_speak_dlpack_only():
    vectors = [OnlyDlpack(np.ascontiguousarray(column)) for column in np.array(ROWS).T]
    assert genten.tensor((vectors, VALUES)).subscripts.tolist() == ROWS


def test_a_list_is_no_tensor():
    for data in ([[[0.0], [1.0]], [[2.0], [3.0]]], [np.array(ROWS), np.array(VALUES)], []):
        with pytest.raises(TypeError, match=r"expected a tuple .* got a list; numpy\.array"):
            genten.tensor(data)


def test_hints_that_mean_nothing_are_refused(titanic):
    parts = np.array(ROWS), np.array(VALUES)
    kinds = (parts, "subscripts and values"), (titanic, "a Tensor")
    for data, kind in kinds:
        for name in ("modes", "values"):
            with pytest.raises(TypeError, match=f"{name}: has no effect for {kind}"):
                genten.tensor(data, **{name: ["a"]})
    with pytest.raises(TypeError, match="shape: has no effect for a Tensor"):
        genten.tensor(titanic, (9, 9, 9, 9))


def test_a_copy_of_a_tensor_is_one(titanic):
    for dtype in (None, "float32"):
        X = genten.tensor(titanic, copy=True, dtype=dtype)
        assert not np.shares_memory(X.subscripts, titanic.subscripts)
        assert not np.shares_memory(X.values, titanic.values)
        assert np.array_equal(X.subscripts, titanic.subscripts)
        assert np.array_equal(X.values, titanic.values) and X.source == titanic.source
    assert np.shares_memory(genten.tensor(titanic, labels=[None] * 4).values, titanic.values)


def test_labels_are_names_or_paths_everywhere(titanic):
    path = DATA / "titanic" / "class.labels"
    names = ["1st", "2nd", "3rd", "Crew"]
    rest = [None] * 3
    for given in (path, str(path), names, iter(names)):
        assert genten.tensor(titanic, labels=[given, *rest]).labels == [names, *rest]
    parts = titanic.subscripts, titanic.values
    assert genten.tensor(parts, labels=[path, *rest]).labels[0] == names
    assert genten.read(TITANIC, labels=[path, *rest]).labels[0] == names
    factors = genten.cp(titanic, 1).model.factors
    assert genten.Model(None, factors, labels=[path, *rest]).labels[0] == names
    with pytest.raises(OSError, match="absent.labels"):
        genten.tensor(titanic, labels=["absent.labels", *rest])


def test_a_text_is_no_sequence_of_names(titanic):
    for labels in ("abcd", DATA, 3):
        with pytest.raises(TypeError, match="labels: expected names, a path or None for each mode"):
            genten.tensor(titanic, labels=labels)
    with pytest.raises(TypeError, match="labels: expected names for mode 1, got 5"):
        genten.tensor(titanic, labels=[None, 5, None, None])
    with pytest.raises(TypeError, match="mode_names: expected a name for each mode, got 'abcd'"):
        genten.tensor(titanic, mode_names="abcd")


def test_the_norm_follows_shared_arrays():
    subscripts, values = np.array(ROWS), np.array([3.0, 4.0])
    X = genten.tensor((subscripts, values))
    named = genten.tensor(X, mode_names=["a", "b", "c"])
    own = genten.tensor((subscripts, values), copy=True)
    copied = genten.tensor(X, copy=True)
    assert [T.norm for T in (X, named, own, copied)] == [5.0] * 4
    values[1] = 0
    assert [T.norm for T in (X, named, own, copied)] == [3.0, 3.0, 5.0, 5.0]
    assert own._norm == copied._norm == 5.0


@pytest.mark.parametrize(
    "options",
    [
        {"nonnegative": [True]},
        {"nonnegative": [True, False, True, False]},
        {"fixed_modes": [True]},
        {"nonnegative": {0: True}},
        {"nonnegative": {0, 1}},
        {"ridge": {0: 1.0}},
        {"l1": {1.0, 2.0, 3.0, 4.0}},
        {"ridge": [True, 1, 1, 1]},
    ],
)
def test_what_would_be_read_otherwise_than_meant_is_refused(titanic, options):
    (name,) = options
    with pytest.raises(TypeError, match=f"{name}: expected "):
        genten.cp(titanic, 2, **options)


def test_the_keyword_of_another_function_is_told():
    with pytest.raises(TypeError, match="'printitn'; did you mean 'progress'"):
        genten.cp(genten.read(TITANIC), 2, printitn=1)
