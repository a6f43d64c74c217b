# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of xarray, whose dimensions have names and coordinates."""

import numpy as np
import pytest

import genten

xarray = pytest.importorskip("xarray")
pandas = pytest.importorskip("pandas")

FULL = np.arange(6.0).reshape(2, 3)
ARRAY = xarray.DataArray(FULL, dims=["who", "year"], coords={"who": ["ann", "bob"],
                                                            "year": [2001, 2004, 2009]})


def test_dimensions_are_modes_and_coordinates_names_of_rows():
    X = genten.tensor(ARRAY)
    assert X.mode_names == ["who", "year"]
    assert X.labels == [["ann", "bob"], ["2001", "2004", "2009"]]
    assert np.array_equal(X.to_dense(), FULL) and X["bob", "2004"] == 4.0
    assert genten.tensor(ARRAY.transpose("year", "who")).shape == (3, 2)
    plain = genten.tensor(ARRAY.drop_vars("year").assign_coords(who=[0, 1]))
    assert plain.labels == [None, None] and plain.mode_names == ["who", "year"]
    times = {"who": pandas.to_datetime(["2024-01-01", "2024-01-02"]),
             "year": pandas.to_timedelta([1, 2, 3], unit="h")}  # fmt: skip
    assert genten.tensor(ARRAY.assign_coords(times)).labels == [
        ["2024-01-01", "2024-01-02"], ["0 days 01:00:00", "0 days 02:00:00", "0 days 03:00:00"],
    ]  # fmt: skip
    assert genten.tensor(ARRAY, dtype="float32").dtype == np.float32


def test_missing_values_are_told_with_the_way_out():
    X = ARRAY.where(ARRAY != 3)
    with pytest.raises(ValueError, match=r"1 of 6 elements are NaN; genten.cp\(X.fillna") as e:
        genten.tensor(X)
    assert "rank, missing=X.isnull().values) takes them for missing" in str(e.value)
    r = genten.cp(X.fillna(0), 1, missing=X.isnull().values, seed=1)
    assert r.options["missing"] != "none" and r.model.labels[0] == ["ann", "bob"]


def test_what_is_told():
    with pytest.raises(TypeError, match=r"got a Dataset; its variables are taken, as it\['cups'\]"):
        genten.tensor(ARRAY.to_dataset(name="cups"))
    assert genten.tensor(ARRAY.to_dataset(name="cups")["cups"]) == genten.tensor(ARRAY)
    with pytest.raises(ValueError, match="'who': expected keys whose texts differ, got 'a'"):
        genten.tensor(ARRAY.assign_coords(who=["a", "a"]))
    with pytest.raises(TypeError, match="values: has no effect for an array of xarray"):
        genten.tensor(ARRAY, values="cups")


def test_sparse_arrays_stay_so():
    sparse = pytest.importorskip("sparse")
    X = genten.tensor(xarray.DataArray(sparse.COO(np.eye(3)), dims=["a", "b"]))
    assert X.nnz == 3 and X.mode_names == ["a", "b"]
