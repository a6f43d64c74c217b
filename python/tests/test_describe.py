# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is suspicious about models and runs, and what nothing is said about."""

from types import SimpleNamespace

import numpy as np
import pytest
from stand_ins import DATA, Model, Tensor, random_model, titanic

from genten.describe import (
    component_order,
    congruence,
    fit_of,
    kind_of,
    mode_name,
    model_findings,
    result_findings,
    row_name,
    shorten,
    strongest,
)


def keys(findings):
    return {finding.key for finding in findings}


def near_copies(difference, sign=1.0):
    model = random_model([40, 30, 20], 3)
    for n, factor in enumerate(model.factors):
        factor[:, 2] = factor[:, 0] * (sign if n == 0 else 1.0)
        factor[:, 2] += difference * np.random.default_rng(n).standard_normal(len(factor))
        factor[:, 2] /= np.linalg.norm(factor[:, 2])
    return model


def test_a_good_model_has_no_findings():
    assert model_findings(random_model([40, 30, 20], 5), 100.0) == []


def test_collinear_components_are_found_and_named_by_number():
    model = near_copies(0.001)
    (found,) = model_findings(model)
    assert found.key == "collinear" and "1 with 3 (1.00)" in found.text
    assert model_findings(near_copies(0.3)) == []


def test_cancelling_components_are_found_by_their_sign():
    assert keys(model_findings(near_copies(0.001, sign=-1.0))) == {"cancelling"}
    model = near_copies(0.001)
    model.weights[0] *= -1  # The sign of a weight counts like that of a column.
    assert keys(model_findings(model)) == {"cancelling"}


def test_congruence_is_the_cosine_of_the_components_as_tensors():
    model = random_model([4, 3, 5], 3)
    model.weights[1] *= -1
    parts = [
        np.einsum("i,j,k->ijk", *(f[:, r] for f in model.factors)).ravel() * model.weights[r]
        for r in range(3)
    ]
    parts = [part / np.linalg.norm(part) for part in parts]
    expected = [[one @ other for one in parts] for other in parts]
    np.testing.assert_allclose(congruence(model), expected, atol=1e-12)


def test_components_that_cancel_far_above_the_norm_are_degenerate():
    model = near_copies(0.001, sign=-1.0)
    model.weights = np.array([30.0, 1e-9, 29.9])
    assert keys(model_findings(model, 20.0)) == {"cancelling", "tiny_components"}
    found = {f.key: f.text for f in model_findings(model, 10.0)}
    assert found.keys() == {"degenerate", "tiny_components"}
    assert found["degenerate"].startswith("2 components are up to 3 times as large as the data")
    model.weights = np.array([30.0, 1.0, 0.0])
    assert keys(model_findings(model, 10.0)) == {"zero_components"}


def test_a_model_that_is_not_finite_is_said_to_be_that_and_no_more():
    model = random_model([40, 30], 3)
    model.factors[1][4, 2] = np.nan
    assert keys(model_findings(model)) == {"non_finite"}


def test_a_good_run_has_no_findings():
    result = titanic()
    assert keys(result_findings(result)) == {"starts_disagree"}
    result.notes = []
    assert result_findings(result) == []


NOTE = {"code": "useless_fit", "title": "Hardly better than nothing", "text": "Useless."}


def test_notes_and_other_warnings_of_a_run_are_its_findings():
    """Of a result, or of what the tool recorded, each said once."""
    record = {
        "notes": [NOTE], "warnings": ["Useless.", "The last checkpoint could not be written."],
        "starts": [{"fit": 0.5}], "options": {"init": "uniform"},
    }  # fmt: skip
    found = result_findings(record)
    assert [each.key for each in found] == ["useless_fit", "note", "one_start"]
    assert found[0].title == NOTE["title"] and found[0].text == "Useless."
    assert found[1].text == "The last checkpoint could not be written."
    assert [each.key for each in result_findings(SimpleNamespace(**record))] == [
        each.key for each in found
    ]


def test_a_model_with_a_fit_below_zero_is_worse_than_nothing():
    for norm in (100.0, None):
        found = model_findings(random_model([40, 30, 20], 2), norm, -0.5)
        assert keys(found) == {"useless_fit"}


def test_a_fit_of_ones_own_guess_needs_no_second_start():
    one = {"starts": [{"fit": 0.5}], "options": {"init": "start.ktensor"}}
    assert result_findings(one) == []


def test_the_fit_is_that_of_the_full_tensor():
    model = random_model([5, 4, 6], 3)
    generator = np.random.default_rng(1)
    dense = np.where(generator.random((5, 4, 6)) < 0.3, generator.standard_normal((5, 4, 6)), 0)
    tensor = Tensor((5, 4, 6), np.argwhere(dense), dense[dense != 0])
    full = np.einsum("r,ir,jr,kr->ijk", model.weights, *model.factors)
    residual = np.linalg.norm(dense - full)
    fit, found = fit_of(model, tensor)
    assert found == pytest.approx(residual, rel=1e-12)
    assert fit == pytest.approx(1 - residual / np.linalg.norm(dense), rel=1e-12)


def test_the_recorded_fit_of_the_titanic_is_found_again():
    result = titanic()
    lines = (DATA / "titanic/titanic.tns").read_text().splitlines()
    entries = np.array([line.split() for line in lines if line[0] != "#"], dtype=int)
    tensor = Tensor((4, 2, 2, 2), entries[:, :4] - 1, entries[:, 4].astype(float))
    fit, residual = fit_of(result.model, tensor)
    assert fit == pytest.approx(result.fit, abs=1e-12)
    assert residual == pytest.approx(result.residual_norm, abs=1e-9)


def test_strongest_entries_are_exact_and_stable():
    generator = np.random.default_rng(5)
    for length in (1, 7, 1000):
        column = generator.integers(-4, 5, length).astype(float)
        order = np.argsort(-np.abs(column), kind="stable")
        order = order[column[order] != 0]
        for k in (0, 1, 5, length, length + 3):
            np.testing.assert_array_equal(strongest(column, k), order[:k])


def test_names_fall_back_to_numbers_from_where_one_counts():
    model = Model(np.array([1.0, 2.0, 2.0]), [np.ones((2, 3)), np.ones((2, 3))], [["a", "b"], None])
    assert component_order(model).tolist() == [1, 2, 0]
    assert (mode_name(model, 1), mode_name(model, 1, 1)) == ("mode 1", "mode 2")
    model.mode_names = ["x", ""]
    assert (mode_name(model, 0), mode_name(model, 1, 1)) == ("x", "mode 2")
    assert [row_name(model, n, 1, 1) for n in (0, 1)] == ["b", "2"]
    assert kind_of(model, 0) == "bars"


def test_long_names_lose_their_middle():
    assert shorten("abcdefghij", 5) == "ab…ij"
    assert shorten("a\tb\x00c\n d", 9) == "a b c d"
    assert all(len(shorten("x" * 50, width)) == width for width in range(1, 50))
