# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of rows are those of the table that a tensor was made of, through text and in print."""

import io
import re
import warnings

import numpy as np
import pandas
import pytest

import genten

TABLE = pandas.DataFrame(
    [[day, item, float(day * (2 if item == "tea" else 1))] for day in (1, 2, 3, 4)
     for item in ("milk", "tea") if day != 2 or item == "tea"],
    columns=["day", "item", "cups"],
)  # fmt: skip


@pytest.fixture(params=[0, 1])
def base(request):
    return request.param


@pytest.fixture
def X(base):
    return genten.tensor(TABLE.assign(day=TABLE.day - 1 + base), values="cups", index_base=base)


@pytest.mark.parametrize("name", ["x.tns", "x.sptensor.gz", "x.gtn"])
def test_saved_text_keeps_the_numbers_of_its_table(X, base, name, tmp_path):
    X.save(tmp_path / name)
    table = TABLE.assign(day=TABLE.day - 1 + base)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = genten.read(tmp_path / name)
        assert read == X and read.to_pandas("cups").equals(X.to_pandas())
        assert read.compact().labels == X.compact().labels
        model = genten.cp(read, 1, seed=1).model
        model.save(tmp_path / "m.gkt")
        for each in (model, genten.load(tmp_path / "m.gkt")):
            assert each._run["index_base"] == base
            assert each.evaluate(table).fit == pytest.approx(each.evaluate(X).fit, abs=1e-12)
            assert each.evaluate(tmp_path / name).fit == pytest.approx(each.evaluate(X).fit)
            np.testing.assert_array_equal(each.predict(table), each.predict(X))
        again = genten.cp(X, 1, seed=1).model
        assert again.evaluate(tmp_path / name).fit == pytest.approx(again.evaluate(X).fit)
        read.save(tmp_path / "again.tns")
        assert genten.read(tmp_path / "again.tns").file_facts["table_base"] == base


def test_other_text_beside_a_table_is_told(tmp_path):
    (tmp_path / "a.tns").write_text("1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 1 3\n3 2 6\n")
    model = genten.cp(genten.read(tmp_path / "a.tns"), 1, seed=1).model
    table = pandas.DataFrame({"a": [1, 2], "b": [1, 2], "n": [1.0, 4.0]})
    told = "numbers count from 0 in tables, and from 1 in the text that the model was made from"
    X = genten.tensor(table, values="n", index_base=1)
    Y = genten.tensor(table.assign(a=[0, 1], b=[0, 1]), values="n", index_base=0)
    for each in (X, Y):
        each.mode_names = None
    with pytest.warns(UserWarning, match=told) as caught:
        model.predict(table[["a", "b"]] - 1)
    for number in (0, 1):
        assert f"index_base={number}" in str(caught[0].message)
    Z = genten.tensor(table, values="n")
    Z.mode_names = None
    with pytest.warns(UserWarning, match=told), pytest.raises(ValueError, match="none of its rows"):
        model.evaluate(Z)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*numbers count from 0")
        assert model.predict(X) == pytest.approx([1, 4]) == model.predict(Y)
        assert model.evaluate(X).listed.residual_norm == pytest.approx(0, abs=1e-6)
        model.predict(np.array([[0, 0], [1, 1]]))


def test_numbers_are_the_same_everywhere(X, base, tmp_path):
    r = genten.cp(X, 1, seed=1)
    for model in (r.model, 2 * r.model, r.model.normalize()):
        strongest = 3 + base
        assert model.top(0, k=1)[0][0][0] == strongest
        assert model.top(k=1).name.tolist()[0] == strongest
        assert model.to_pandas()[0].index.tolist() == [base, base + 1, base + 2, base + 3]
        assert f"  {strongest}, tea" in str(model)
        model.report(tmp_path / "r.html")
        assert f">{strongest}<" in re.sub(r"\s*([<>])\s*", r"\1", (tmp_path / "r.html").read_text())
        model.save(tmp_path / "m.csv")
    tucker = genten.tucker(X, (1, 1)).model
    assert tucker.top(0, 0, k=1)[0][0] == 3 + base
    assert f" {3 + base}, tea" in str(tucker)
    assert X.head(1).day.tolist() == [base]


def test_pictures_have_the_numbers_of_the_table(X, base):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    model = genten.cp(X, 1, seed=1).model
    figure = model.plot(kinds={0: "line"})
    (line,) = [line for axes in figure.axes for line in axes.lines if len(line.get_xdata()) == 4]
    assert line.get_xdata().tolist() == [base, base + 1, base + 2, base + 3]
    bars = model.plot(kinds={0: "bars"})
    ticks = [[label.get_text() for label in axes.get_xticklabels()] for axes in bars.axes]
    assert list(map(str, range(base, base + 4))) in ticks
    pyplot.close("all")


def test_brackets_count_from_0_and_say_so(X, base):
    model = genten.cp(X, 1, seed=1).model
    for named in (model, X):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            last = named[-1, "tea"]
            named[0, "tea"]
            if not base:
                assert named[3, "tea"] == last
        if not base:
            continue
        with pytest.warns(UserWarning, match="3 is the row of the number 4; in brackets rows coun"):
            assert named[3, "tea"] == last
        with pytest.raises(IndexError, match="0 to 3, got 4; in brackets .* from 0, .* from 1$"):
            named[4, "tea"]


def test_the_name_of_values_goes_through_tables():
    X = genten.tensor(TABLE, values="cups", index_base=1)
    for each in (X, X.permute([1, 0]), X[:2], X.compact(), X.astype("float32")):
        table = each.to_pandas()
        assert table.columns[-1] == "cups" == each.head().columns[-1]
        again = genten.tensor(table, values="cups", index_base=1)
        assert again.sum() == pytest.approx(each.sum())
    assert X.to_pandas("n").columns[-1] == "n"
    assert X.map(np.log).to_pandas().columns[-1] == "value"  # which are others
    counted = genten.tensor(TABLE, modes=["day", "item"])
    assert counted.to_pandas().columns[-1] == "value"
    table = pandas.read_csv(io.StringIO(X.to_pandas().to_csv(index=False)))
    assert genten.tensor(table, values="cups", index_base=1) == X
    # Where they are called otherwise, advice goes by the names of the first one.
    named = TABLE.rename(columns={"cups": "n"}).assign(item="wine")
    other = genten.tensor(named, values="n", index_base=1)
    with pytest.raises(ValueError) as error:
        X + other
    call = re.search(r"genten.tensor\(pandas.concat.*\)(?= goes)", str(error.value))
    both = eval(call[0], {"genten": genten, "pandas": pandas, "X": X, "Y": other})
    assert both.sum() == pytest.approx(X.sum() + other.sum()) and both.shape == (4, 3)
