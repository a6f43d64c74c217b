# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models as sequences of components, as arrays, by labels, and with modes in another order."""

import copy

import numpy as np
import pytest

import genten


@pytest.fixture
def model():
    rng = np.random.default_rng(3)
    factors = [rng.normal(size=(n, 3)) for n in (6, 4, 5)]
    return genten.Model([3.0, 2.0, 0.5], factors, [None, list("abcd"), None], ["p", "q", "r"])


def test_components(model):
    assert len(model) == model.rank == 3
    total = np.zeros(model.shape)
    for component in model:
        assert isinstance(component, genten.Component) and type(component.weight) is float
        total += component.weight * np.einsum("a,b,c", *component.columns)
    np.testing.assert_allclose(total, model.to_dense())
    assert np.shares_memory(next(iter(model)).columns[0], model.factors[0])
    assert [c.weight for c in model] == model.weights.tolist()


def test_components_by_number(model):
    for number, component in enumerate(model):
        for key in (number, np.int32(number), number - 3):
            assert model[key].weight == component.weight
            for one, other in zip(model[key].columns, component.columns, strict=True):
                assert one.tolist() == other.tolist() and np.shares_memory(one, other)
    assert [c.weight for c in reversed(model)] == model.weights[::-1].tolist()
    for number in (3, -4):
        with pytest.raises(IndexError, match=rf"a component from 0 to 2, got {number}$"):
            model[number]
    for key in (True, slice(2), [0, 1], "a", (0, 1)):
        with pytest.raises(TypeError, match="or by the number of a component, got .* extract a mo"):
            model[key]


def test_components_that_are_taken_for_weights_and_factors(model):
    weights, *factors = model
    for wrong in (
        lambda: np.asarray(weights), lambda: weights * 2, lambda: 2 * weights,
        lambda: np.array([2.0]) * weights, lambda: weights @ weights, lambda: -weights,
        lambda: np.sqrt(weights), lambda: float(weights), lambda: len(factors[0]),
        lambda: list(factors[0]), lambda: factors[0][0], lambda: factors[0][:, 1],
    ):  # fmt: skip
        with pytest.raises(TypeError, match="^a Component is no array: .* m.weights, m.factors"):
            wrong()
    for name in ("shape", "T", "sum", "copy", "astype"):
        with pytest.raises(AttributeError, match=f"^'{name}': a Component .* m.weights, m.factors"):
            getattr(weights, name)
    with pytest.raises(AttributeError, match="^'Component' object has no attribute 'wieght'$"):
        weights.wieght  # noqa: B018
    assert weights and copy.deepcopy(weights).weight == weights.weight


def test_arrays(model):
    for found in (np.asarray(model), np.array(model, dtype="float32")):
        np.testing.assert_allclose(found, model.to_dense(), rtol=1e-5)
    big = genten.Model(None, [np.ones((20_000, 1)), np.ones((20_000, 1))])
    with pytest.raises(TypeError, match=r"a Model of 400000000 elements .* by to_dense\(most=4"):
        np.asarray(big)


def test_one_entry_by_labels(model):
    assert model[1, "c", 3] == model[1, 2, 3] == model[-5, 2, -2] == model.predict([[1, 2, 3]])[0]
    for keys, error, said in (
        ((0, "e", 0), ValueError, r"mode 1 \(q\): no row is called 'e'"),
        (("a", 0, 0), ValueError, r"mode 0 \(p\) has no labels, expected a whole number"),
        ((0, 0, 5), IndexError, r"mode 2 \(r\): expected a row from 0 to 4, got 5"),
    ):
        with pytest.raises(error, match=said):
            model[keys]


def test_orders_of_modes(model):
    turned = model.permute(["r", 0, "q"])
    np.testing.assert_allclose(turned.to_dense(), model.to_dense().transpose(2, 0, 1))
    assert turned.labels == [None, None, list("abcd")] and turned.mode_names == ["r", "p", "q"]
    assert type(turned) is genten.Model
    with pytest.raises(ValueError, match="permute: modes: expected all 3 modes, each once"):
        model.permute([0, 1])


def test_the_strongest_of_all_components(model):
    pandas = pytest.importorskip("pandas")
    table = model.top(k=2)
    assert list(table.columns) == ["component", "weight", "mode", "name", "value"]
    assert len(table) == 3 * 3 * 2
    for component in range(3):
        rows = table[(table.component == component) & (table["mode"] == "q")]
        assert list(zip(rows.name, rows.value, strict=True)) == model.top(component, 2, "q")
        assert set(rows.weight) == {model.weights[component]}
    assert set(model.top(mode="q")["mode"]) == {"q"}
    assert isinstance(genten.Model(None, model.factors).top(k=1), pandas.DataFrame)
    for wrong, said in (
        (lambda: model.top(3), "top: expected a component from 0 to 2, got 3"),
        (lambda: model.top(k=0), "top: expected k of at least 1"),
        (lambda: model.top(mode=3), "expected a mode from 0 to 2, got 3"),
    ):
        with pytest.raises(ValueError, match=said):
            wrong()
