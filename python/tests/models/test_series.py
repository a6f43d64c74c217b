# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models of Series of pandas, which have values, beside tables."""

import warnings

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")
RATINGS = pandas.DataFrame({
    "user": ["a", "a", "b", "b", "c"], "item": ["x", "y", "x", "y", "y"],
    "stars": [5.0, 3.0, 4.0, 2.0, 1.0],
})  # fmt: skip
STARS = RATINGS.set_index(["user", "item"]).stars
NEW = pandas.DataFrame({"user": ["d", "d"], "item": ["x", "y"], "stars": [50.0, 30.0]})


def unnamed(series=STARS):
    return series.rename(None)


@pytest.fixture
def reference():
    return genten.cp(genten.tensor(RATINGS, values="stars"), 1, seed=1).model


@pytest.mark.parametrize("series", [STARS, unnamed(), unnamed(STARS.unstack().stack().dropna())])
@pytest.mark.parametrize("saved", [None, "m.gkt", "m.ktensor", "m.npz"])
def test_tables_beside_a_model_of_a_series_are_not_counted(reference, series, saved, tmp_path):
    model = genten.cp(genten.tensor(series), 1, seed=1).model
    if saved:
        model.save(tmp_path / saved)
        model = genten.load(tmp_path / saved)
    polars = pytest.importorskip("polars")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table in (RATINGS, series, series.reset_index(), polars.from_pandas(RATINGS)):
            assert model.evaluate(table).fit == reference.evaluate(RATINGS).fit
        np.testing.assert_array_equal(model.residuals(RATINGS), reference.residuals(RATINGS))
        rows = reference.project(NEW, mode="user")
        np.testing.assert_array_equal(model.project(NEW, mode="user"), rows)
        assert model.update(NEW, mode="user") == reference.update(NEW, mode="user")


def test_estimators_and_tucker_models_of_a_series():
    X = genten.tensor(STARS)
    assert X.file_facts["values"] == "stars" and genten.tensor(unnamed()).file_facts["values"] == ""
    cp = genten.CP(1, seed=1).fit(STARS)
    assert cp.score(RATINGS) == pytest.approx(cp.score(STARS)) and cp.score(RATINGS) > 0.8
    np.testing.assert_array_equal(cp.transform(RATINGS), cp.transform(STARS))
    tucker = genten.tucker(X, (1, 1)).model
    assert tucker.evaluate(RATINGS).fit == tucker.evaluate(STARS).fit > 0.8


def test_a_table_without_values_is_refused():
    rows = RATINGS[["user", "item"]]
    sizes = rows.groupby(["user", "item"]).size()
    said = r"beside those of the modes, as the model's run had values, got \['user', 'item'\]; gen"
    model = genten.cp(genten.tensor(sizes), 1).model
    with pytest.raises(ValueError, match=said):
        model.evaluate(rows)
    counted = genten.tensor(rows, modes=["user", "item"])  # as the message says
    assert model.evaluate(counted).fit == model.evaluate(sizes).fit
    model = genten.cp(genten.tensor(STARS), 1).model
    with pytest.raises(ValueError, match="of the modes, as 'stars' in the run, got"):
        model.evaluate(rows)
    more = RATINGS.assign(year=2001.0)
    model = genten.cp(genten.tensor(unnamed()), 1).model
    with pytest.raises(ValueError, match=r"which one has the values\? .*values=\.\.\.\) says so"):
        model.evaluate(more)


def test_rows_beside_a_model_of_arrays_are_counted_with_a_warning(reference):
    X = genten.tensor(RATINGS, values="stars")
    arrays = (X.subscripts, X.values)
    model = genten.cp(genten.tensor(arrays, labels=X.labels, mode_names=X.mode_names), 1).model
    with pytest.warns(UserWarning, match="evaluate: rows are counted, since the table has no col"):
        model.evaluate(RATINGS[["user", "item"]])
    assert model.evaluate(RATINGS).fit == pytest.approx(reference.evaluate(RATINGS).fit)


def test_a_series_called_as_a_mode_has_no_name_for_its_values():
    series = STARS.rename("item")
    X = genten.tensor(series)
    assert X.mode_names == ["user", "item"] and X.file_facts["values"] == ""
    assert (X.values == STARS.values).all()


def test_missing_values_and_keys_of_a_series():
    series = STARS.copy()
    series.iloc[1] = np.nan
    said = r"^column 'stars', row 1: a value is missing; leave the rows out, as by series.dropna"
    with pytest.raises(ValueError, match=said):
        genten.tensor(series)
    assert genten.tensor(series.dropna()).nnz == 4
    keys = series.reset_index()
    keys.loc[2, "user"] = None
    series = keys.set_index(["user", "item"]).stars
    way = r"as by series.reset_index\(name='stars'\).dropna\(\) with values='stars'"
    with pytest.raises(ValueError, match=f"column 'user', row 2.*; leave the rows out, {way}"):
        genten.tensor(series)
    assert genten.tensor(series.reset_index(name="stars").dropna(), values="stars").nnz == 3


def test_predict_takes_tensors_by_their_names(reference):
    other = genten.tensor(RATINGS.iloc[[4, 3, 1]][["item", "stars", "user"]], values="stars")
    assert other.mode_names == ["item", "user"] and other.labels[1] == ["a", "b", "c"]
    other = genten.tensor(RATINGS.iloc[[4, 3]][["item", "stars", "user"]], values="stars")
    expected = reference.predict(RATINGS.iloc[[4, 3]][["user", "item"]])
    tucker = genten.tucker(genten.tensor(STARS), (1, 1)).model
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(reference.predict(other), expected)
        assert tucker.predict(other).shape == (2,)
    with pytest.raises(ValueError, match="predict: mode 0 .user.: no row is called 'd'; a model"):
        reference.predict(genten.tensor(NEW, values="stars"))
    places = genten.tensor((np.array([[0, 1], [2, 0]]), np.ones(2)))
    np.testing.assert_array_equal(reference.predict(places), reference.predict(places.subscripts))
    with pytest.raises(ValueError):
        reference.predict(genten.tensor(np.ones((3, 2, 2))))
    with pytest.raises(ValueError):
        reference.predict(genten.tensor(np.ones((4, 2))))


def test_a_column_of_another_name_in_the_place_of_the_values_is_named(reference):
    priced = RATINGS.rename(columns={"stars": "price"})
    said = r"evaluate: column 'price' is taken for the values, as 'stars' in the run; genten.tensor"
    with pytest.warns(UserWarning, match=said):
        found = reference.evaluate(priced)
    assert found.fit == reference.evaluate(RATINGS).fit
    named = genten.tensor(priced, modes=["user", "item"], values="price")
    with pytest.warns(UserWarning, match="column 'price', and the model was made from .* 'stars'"):
        assert reference.evaluate(named).fit == found.fit
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Nothing is known of the values of a Series without a name.
        assert genten.cp(genten.tensor(unnamed()), 1).model.evaluate(priced).fit > 0.8
