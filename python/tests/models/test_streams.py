# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models that go on: what a stream takes from a run, and what a refused batch leaves."""

import pathlib

import numpy as np
import pytest

import genten

DATA = pathlib.Path(__file__).parents[3] / "data"


@pytest.fixture
def old():
    return genten.read(DATA / "ucb-admissions" / "ucb-admissions.tns").to_dense()[:, :, :4]


NEW = np.array([[[89.0, 512.0], [17.0, 353.0]], [[19.0, 313.0], [8.0, 207.0]]])


def test_the_run_gives_loss_and_constraints(old):
    counts = genten.cp(old, 2, loss="poisson", seed=1)
    assert genten.Stream(counts, mode=2).options["loss"] == "poisson"
    assert genten.Stream(counts.model, mode=2).options["loss"] == "poisson"
    assert genten.Stream(counts.model, mode=2, loss="gaussian").options["loss"] == "gaussian"
    damped = genten.cp(old, 1, ridge=[1.0, 2.0, 3.0], nonnegative=[0], seed=1)
    stream = genten.Stream(damped, mode=2)
    assert stream.options["ridge"] == [1.0, 2.0, 3.0]
    assert stream.options["lower"] == [0.0, -np.inf, -np.inf]
    assert genten.Stream(damped, mode=2, ridge=0.5).options["ridge"] == [0.5]
    whole = genten.cp(old, 1, solver="gcp", loss="gaussian", ridge=2.0, seed=1)
    assert genten.Stream(whole, mode=2).options["ridge"] == [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="under the loss of the run, huber.*Result.project_rows"):
        genten.Stream(genten.cp(old, 1, loss="huber", seed=1), mode=2)
    with pytest.raises(ValueError, match="the run had missing entries"):
        genten.Stream(genten.cp(old, 1, missing="unlisted", seed=1), mode=2)


def test_the_loss_of_the_model_goes_on(old, tmp_path):
    path = str(tmp_path / "s.gkt")
    stream = genten.Stream(genten.cp(old, 2, loss="poisson", seed=1).model, mode=2)
    stream.update(NEW)
    assert (stream.model.loss, stream.model.loss_parameter) == ("poisson", None)
    stream.save(path)
    assert genten.load(path).loss == "poisson"
    assert genten.Stream.load(path).model.loss == "poisson"
    other = genten.cp(old, 1, loss="huber", seed=1).model
    with pytest.raises(ValueError, match="loss of the model, huber: expected gaussian or poisson"):
        genten.Stream(other, mode=2)
    stream = genten.Stream(other, mode=2, loss="gaussian")
    assert stream.model.loss is None
    stream.save(path)
    assert genten.load(path).loss is None


def test_a_batch_that_is_refused_changes_nothing(old):
    r = genten.cp(genten.tensor(old, labels=[None, None, list("ABCD")]), 1, loss="poisson", seed=1)
    stream, other = genten.Stream(r, mode=2), genten.Stream(r, mode=2)
    with pytest.raises(ValueError, match="negative"):
        stream.update(genten.tensor(-NEW, labels=[None, None, ["E", "F"]]))
    for each in (stream, other):
        each.update(genten.tensor(NEW, labels=[None, None, ["E", "F"]]))
    assert stream.model.labels[2] == list("ABCDEF")
    assert stream.model.shape == (2, 2, 6)
    assert np.array_equal(stream.model.factors[0], other.model.factors[0])


def test_rows_are_those_of_project_rows(old):
    for how in ({"loss": "poisson"}, {"nonnegative": True}, {}):
        r = genten.cp(old, 2, seed=1, **how)
        stream = genten.Stream(r, mode=2, sweeps=2)
        stream.update(NEW)
        model = stream.model
        found = model.project_rows(NEW, 2, **how)
        np.testing.assert_allclose(model.factors[2][4:], found.rows, rtol=1e-6, atol=1e-6)
