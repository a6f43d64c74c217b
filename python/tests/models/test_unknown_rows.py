# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names and numbers of rows that a model has not met."""

import re
import warnings

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")

IDS = [7, 3, 7, 9, 3, 9]
TABLE = pandas.DataFrame({"user": IDS, "film": list("pqqprp"), "n": [1.0, 2, 3, 4, 5, 6]})


@pytest.fixture
def by_number():
    return genten.cp(genten.tensor(TABLE, values="n"), 1).model


@pytest.fixture
def by_name():
    return genten.cp(genten.tensor(TABLE, values="n").compact(), 1).model


def test_all_unknown_names_are_told_together(by_name):
    table = pandas.DataFrame({"user": [3, 12, 8, 12, 10, 11], "film": "p"})
    why = r"^predict: mode 0 \(user\): no rows are called '8', '10', '11' and 1 more, 4 of 5; a mod"
    with pytest.raises(ValueError, match=why):
        by_name.predict(table)
    tuples = [("12", "p"), ("8", "p"), ("3", "p")]
    with pytest.raises(ValueError, match=r"mode 0 \(user\): no rows are called '12', '8', 2 of 3;"):
        by_name.predict(tuples)
    with pytest.raises(ValueError, match=r"^project: mode 1 \(film\): no row is called 's'; a mod"):
        by_name.project(pandas.DataFrame({"user": [3], "film": ["s"], "n": [1.0]}), "user")
    X = genten.tensor(TABLE, values="n").compact()
    why = r"^missing: mode 0 \(user\): no row is called '12'; the tensor has no such rows: leave th"
    with pytest.raises(ValueError, match=why):
        genten.cp(X, 1, missing=[("12", "p")])
    with pytest.raises(ValueError, match="did you mean 'alice'"):
        genten.tensor(np.eye(2), labels=[["alice", "bob"], None])["alcie", 0]


def test_numbers_that_no_row_has(by_number):
    table = pandas.DataFrame({"user": [3, 12, 30, 12], "film": "p", "n": 1.0})
    why = r"mode 0 \(user\): the numbers 12, 30 are none of its rows, which count from 0 to 9; a mo"
    with pytest.raises(ValueError, match=f"^predict: {why}"):
        by_number.predict(table)
    for name, use in {
        "evaluate": by_number.evaluate,
        "project": lambda X: by_number.project(X, "film"),
        "project_rows": lambda X: by_number.project_rows(X, "film"),
    }.items():
        with pytest.raises(ValueError, match=f"^{name}: {why}"):
            use(table)
    X = genten.tensor(TABLE, values="n")
    for missing in ([(12, "p")], table[["user", "film"]][1:2], np.array([[12, 0]])):
        why = r"^missing: mode 0 \(user\): the number 12 is none of its rows, .* leave these entri"
        with pytest.raises(ValueError, match=why):
            genten.cp(X, 1, missing=missing)


def test_ids_that_the_data_do_not_have(by_number):
    told = r"mode 0 \(user\): 2 entries are in rows that are zero in the model, .* rows 4, 5$"
    one = r"mode 0 \(user\): an entry is in rows that are zero in the model, .* these are rows 5$"
    table = pandas.DataFrame({"user": [3, 4, 5], "film": "p", "n": 1.0})
    for entries in (table, [(3, "p"), (4, "p"), (5, "p")], np.array([[3, 0], [4, 0], [5, 0]])):
        with pytest.warns(UserWarning, match=f"^predict: {told}"):
            by_number.predict(entries)
    with pytest.warns(UserWarning, match=f"^model: {one}"):
        by_number[5, "p"]
    for name, use in {
        "evaluate": by_number.evaluate,
        "project": lambda X: by_number.project(X, "film"),
    }.items():
        with pytest.warns(UserWarning, match=f"^{name}: {told}"):
            use(table)
    X = genten.tensor(TABLE, values="n")
    why = r"^missing: mode 0 \(user\): 2 entries are in rows in which the tensor has nothing: 4, 5$"
    with pytest.warns(UserWarning, match=why):
        genten.cp(X, 1, missing=table[["user", "film"]], max_iterations=2)


def test_numbers_that_are_names_of_other_rows():
    table = pandas.DataFrame({"week": [1, 2, 3, 1], "film": list("pqrp"), "n": 1.0})
    model = genten.cp(genten.tensor(table, values="n").compact(), 1).model
    assert model.labels[0] == ["1", "2", "3"]
    hint = "the row called '{0}' is found by its name, the text '{0}'$"
    told = "week.*: {0} is row {0}, which is called '{1}'; " + hint
    with pytest.warns(UserWarning, match=told.format(2, 3)):
        model[2, "p"]
    with pytest.raises(IndexError, match="row from 0 to 2, got 3; " + hint.format(3)):
        model[3, "p"]
    of_texts = model.copy()
    of_texts.labels = [list(model.labels[0]), model.labels[1]]
    for named in (model, of_texts):  # In brackets, tuples and arrays numbers are rows.
        for entries in ([(1, "p")], [[1, 0]], [(np.int64(1), "p")]):
            with pytest.warns(UserWarning, match=told.format(1, 2)):
                assert named.predict(entries) == model["2", "p"]
        with pytest.raises(ValueError, match="3 is none of its rows, .*" + hint.format(3)):
            named.predict([[3, 0]])
        of_rows = "numbers in arrays are rows, and row 1 is called '2'; all of these are labels"
        with pytest.warns(UserWarning, match=of_rows):
            assert named.predict(np.array([[1, 0]])) == model["2", "p"]
        with warnings.catch_warnings():  # Of which one is no label.
            warnings.simplefilter("error")
            assert named.predict(np.array([[1, 0], [0, 0]]))[0] == model["2", "p"]
        why = (
            "predict: mode 0 .week.: the number 3 is none of its rows, which count from 0 to 2; "
            "numbers in arrays are rows; give a table, or labels$"
        )
        with pytest.raises(ValueError, match=why):
            named.predict(np.array([[1, 0], [3, 0]]))


def test_numbers_below_those_of_a_table():
    model = genten.Model(None, [np.ones((3, 1)), np.ones((2, 1))])
    table = pandas.DataFrame({"a": [-1], "b": [0]})
    why = "^predict: mode 0: 1 of 1 numbers is -1, first of entry 0; codes have it in the place of"
    with pytest.raises(ValueError, match=why):
        model.predict(table)
    of_table = pandas.DataFrame({"a": [1, 2], "b": [1, 2], "n": [1.0, 2.0]})
    X = genten.tensor(of_table, values="n", index_base=1)
    why = r"from 1, from which rows are numbered, as the table was read that they come from, got 0$"
    with pytest.raises(ValueError, match=why):
        genten.cp(X, 1).model.predict(pandas.DataFrame({"a": [0], "b": [1]}))
    with pytest.raises(ValueError, match=why):
        genten.cp(X, 1, missing=pandas.DataFrame({"a": [0], "b": [1]}))


def test_numbers_as_texts_and_misspelt_names(by_number, by_name):
    texts = TABLE.astype({"user": str})
    way = r"; texts such as '3' become numbers in a table, by \.astype\(\{column: int\}\); X.to_p"
    with pytest.raises(ValueError, match=way):
        by_number.predict(texts)
    with pytest.raises(ValueError, match=way):
        by_number.evaluate(texts)
    with pytest.raises(ValueError, match=r"did you mean '7'\? A model says nothing of rows that"):
        by_name.predict(pandas.DataFrame({"user": ["7.0"], "film": "p"}))
    day = pandas.DataFrame({"day": pandas.to_datetime(["2024-01-01", "2024-01-02"]), "n": 1.0})
    with pytest.raises(ValueError, match="no row is called '2025-01-02'; a model says"):
        genten.cp(genten.tensor(day, values="n"), 1).model.predict([("2025-01-02",)])


def test_categories_without_entries():
    users = pandas.Categorical(list("abac"), list("abcd"))
    table = pandas.DataFrame({"user": users, "film": list("pqqp"), "n": 1.0})
    model = genten.cp(genten.tensor(table, values="n"), 1).model
    told = r"^predict: mode 0 \(user\): an entry is in rows that are zero in the mod.* rows 'd'$"
    with pytest.warns(UserWarning, match=told):
        assert model.predict([("d", "p"), ("a", "p")])[0] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        genten.cp(genten.tensor(table, values="n"), 1, l1=0.01).model.predict([("d", "p")])


def test_slices_that_are_there(by_name):
    why = r"^update: mode 0 \(user\): slices '3', '7', '9' are there already: expected new ones"
    with pytest.raises(ValueError, match=why):
        by_name.update(TABLE, "user")


def test_names_written_otherwise_are_asked_for_beside_new_ones():
    days = [f"2024-03-0{day}" for day in range(1, 5)]
    shops = ["North", "South", "North", "South"]
    table = pandas.DataFrame({"shop": shops, "item": list("abab"), "day": days, "n": [1.0] * 4})
    m = genten.cp(genten.tensor(table, values="n"), 1).model
    asked = pandas.DataFrame(
        {"shop": ["Berlin", "SOUTH", "North"], "item": ["a", "z", "a"],
         "day": ["01.03.2024", "02.03.2024", "2024-03-01"], "n": [1.0, 2, 3]}
    )  # fmt: skip
    said = (
        "mode 0 (shop): no rows are called 'Berlin', 'SOUTH', 2 of 3; is \"South\" meant by "
        "\"SOUTH\"? mode 1 (item): no row is called 'z'; mode 2 (day): no rows are called "
        "'01.03.2024', '02.03.2024', 2 of 3; write dates as the known ones are, \"2024-03-01\" for "
        "\"01.03.2024\"; "
        "a model says nothing of rows that it has not met: leave these out, or take such rows in"
    )
    with pytest.raises(ValueError, match=re.escape(f"predict: {said}")):
        m.predict(asked)
    why = r"^predict: mode 0 \(shop\): no row is called 'oslo'; mode 1"
    with pytest.raises(ValueError, match=why):
        m.predict([("oslo", "z", days[0])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match=re.escape(f"evaluate: {said}")):
            m.evaluate(genten.tensor(asked, values="n"))
    asked = pandas.DataFrame({"shop": ["Berlin", "Nort"], "item": "a", "day": days[:2]})
    with pytest.raises(ValueError, match="2 of 2; did you mean 'North' by 'Nort'. A model says"):
        m.predict(asked)


def test_codes_of_unknown_names_are_no_rows(by_number):
    codes = pandas.Index(["p", "q", "r"]).get_indexer(["p", "s", "q"])
    entries = np.stack([np.array([3, 7, 9]), codes], axis=1)
    why = r"predict: mode 1 \(film\): 1 of 3 numbers is -1, first of entry 1; codes have it in the"
    for wrong in (entries, entries.tolist(), list(map(tuple, entries.tolist()))):
        with pytest.raises(ValueError, match=why):
            by_number.predict(wrong)
    assert len(by_number.predict(entries[(entries >= 0).all(axis=1)])) == 2
    with pytest.raises(ValueError, match="2 of 3 numbers are -1, first of entry 0"):
        by_number.predict([(-1, "p"), (3, "q"), (-1, "q")])


def test_dense_tensors_are_no_entries():
    model = genten.Model(None, [np.ones((2, 1)), np.ones((3, 1)), np.ones((4, 1))])
    dense = np.ones(model.shape)
    for wrong in (dense, pytest.importorskip("pyttb").tensor(dense)):
        with pytest.raises((TypeError, ValueError), match=r"; genten\.tensor\(X\) lists the nonz"):
            model.predict(wrong)
        assert len(model.predict(genten.tensor(wrong))) == dense.size
    assert model.to_dense().shape == dense.shape


@pytest.mark.parametrize("word", ["NaN", "nan", float("nan")])
def test_nan_is_no_way_to_say_what_is_missing(word):
    X = genten.tensor(TABLE, values="n")
    with pytest.raises((TypeError, ValueError), match="a tensor has no NaN: 'unlisted' says that"):
        genten.cp(X, 1, missing=word)
    genten.cp(X, 1, missing="unlisted")
