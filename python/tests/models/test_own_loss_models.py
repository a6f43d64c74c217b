# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What models know of a run under a loss of a caller's own."""

import numpy as np
import pytest

import genten

COUNTS = np.random.default_rng(1).poisson(2, (6, 5, 4)).astype(float)
OWN = genten.Loss(
    lambda x, m: m - x * np.log(m + 1e-10), lambda x, m: 1 - x / (m + 1e-10), lower=0.0, name="ours"
)
REFUSED = r"the loss of the run, ours, is a function of your own.*project_rows\(\.\.\., loss=\)"


@pytest.fixture(scope="module")
def estimator():
    return genten.CP(3, loss=OWN, seed=1, max_iterations=50).fit(COUNTS)


@pytest.mark.parametrize("name", ["", "own.gkt", "own.ktensor", "own.npz"])
def test_no_rows_are_found_under_it_in_silence(estimator, tmp_path, name, recwarn):
    m = estimator.model_
    if name:
        m.save(tmp_path / name)
        m = genten.load(tmp_path / name)
    new = COUNTS[:1, ::-1] * np.array([1.0, 0.0, 0.0, 5.0])
    for call in (m.project, m.project_rows):
        with pytest.raises(ValueError, match=REFUSED):
            call(new, 0)
    with pytest.raises(ValueError, match=REFUSED):
        m.project_rows(new, 0, ridge=1.0)
    with pytest.raises(ValueError, match="under the loss of the run, ours"):
        m.update(new, 0)
    for loss in ("gaussian", "poisson"):  # in the bounds of the run
        found = m.project_rows(new, 0, loss=loss)
        assert (found.rows >= 0).all() and found.options["loss"] == loss
    free = m.project_rows(new, 0, loss="gaussian", lower=-np.inf)
    assert (free.rows < 0).any()
    assert not [str(each.message) for each in recwarn if "tells" in str(each.message)]


SQUARES = genten.Loss(lambda x, m: (m - x) ** 2, lambda x, m: 2 * (m - x), name="squares")
LOGS = genten.Loss(lambda x, m: np.exp(m) - x * m, lambda x, m: np.exp(m) - x, name="logs")


def test_it_is_given_again(estimator, tmp_path):
    m, new = estimator.model_, COUNTS[:4, ::-1] * np.array([1.0, 0.0, 0.0, 5.0])
    m.save(tmp_path / "own.gkt")
    known = m.project_rows(new, 0, loss="poisson")
    for each in (m, genten.load(tmp_path / "own.gkt")):
        found = each.project_rows(new, 0, loss=OWN)
        np.testing.assert_allclose(found.rows, known.rows, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(found.losses, known.losses, rtol=1e-10)
        assert found.converged.all() and (found.kkt <= 1e-10).all()
        assert found.options["loss"] == "ours"
        assert found.entries.tolist() == [20] * 4 and np.isnan(found.explained).all()
    alone = [m.project_rows(new[row : row + 1], 0, loss=OWN).rows[0] for row in range(4)]
    assert np.array_equal(found.rows, alone)
    with pytest.raises(ValueError, match=r"_rows\(\.\.\., loss=\) takes the genten.Loss again"):
        found.model.project_rows(new, 0)
    with pytest.raises(ValueError, match="training: has no effect beside a loss of your own"):
        m.project_rows(new, 0, loss=OWN, training=COUNTS)
    with pytest.raises(TypeError, match="loss_parameter: has no effect beside a loss of functions"):
        m.project_rows(new, 0, loss=OWN, loss_parameter=2)
    entries = [[0, 0, 0], [1, 2, 3]]
    assert (m.predict(entries, OWN) == m.predict(entries)).all()
    assert (m.predict(entries, OWN) == m.predict(entries, "gaussian")).all()


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize(
    "own, name, how",
    [
        (SQUARES, "gaussian", {}),
        (SQUARES, "gaussian", {"ridge": 2.0}),
        (SQUARES, "gaussian", {"l1": 3.0}),
        (SQUARES, "gaussian", {"l1": 3.0, "nonnegative": True}),
        (SQUARES, "gaussian", {"l1": 2.0, "upper": -0.1}),
        (SQUARES, "gaussian", {"lower": 0.2, "upper": 0.9}),
        (LOGS, "poisson-log", {"ridge": 0.5}),
        (OWN, "poisson", {"ridge": 0.5}),
        (OWN, "poisson", {"missing": "unlisted"}),
        (LOGS, "poisson-log", {"ridge": 0.1, "missing": np.argwhere(COUNTS == 2)}),
    ],
)
def test_rows_are_those_of_the_librarys_losses(own, name, how, mode):
    rng = np.random.default_rng(7)
    model = genten.Model(None, [rng.random((n, 2)) + 0.1 for n in COUNTS.shape])
    if name == "gaussian":  # of which half the sum is minimized otherwise
        how = {key: value / 2 if key in ("ridge", "l1") else value for key, value in how.items()}
    known = model.project_rows(COUNTS, mode, loss=name, **how)
    if name == "gaussian":
        how = {key: value * 2 if key in ("ridge", "l1") else value for key, value in how.items()}
    found = model.project_rows(COUNTS, mode, loss=own, **how)
    np.testing.assert_allclose(found.rows, known.rows, rtol=1e-6, atol=1e-8)
    assert found.converged.all() and found.entries.tolist() == known.entries.tolist()


def test_what_it_does_not_take():
    model = genten.Model(None, [np.ones((2, 1)), np.ones((3, 1))])
    positive = genten.Loss(lambda x, m: x / m + np.log(m), lambda x, m: 1 / m - x / m**2,
                           lower=0, data="positive", name="mine")  # fmt: skip
    with pytest.raises(ValueError, match="loss mine: zeros have no minimum: .*missing"):
        model.project_rows(np.eye(3), 0, loss=positive)
    found = model.project_rows(np.eye(3) * 4, 0, loss=positive, missing="unlisted")
    assert found.rows.ravel() == pytest.approx([4, 4, 4])
    with pytest.raises(ValueError, match="mine: expected a model whose .* nonnegative"):
        genten.Model([-1.0], model.factors).project_rows(np.eye(3), 0, loss=positive)
    large = genten.Model(None, [np.ones((2, 1)), np.ones((2**16, 1)), np.ones((2**16, 1))])
    with pytest.raises(ValueError, match="going through the 4294967296 entries of a slice takes"):
        X = genten.tensor((np.zeros((1, 3), int), np.ones(1), large.shape))
        large.project_rows(X, 0, loss=SQUARES)


def test_estimators_know_it_and_results_do_not(estimator):
    np.testing.assert_allclose(
        estimator.transform(COUNTS[:2]), estimator.model_.project_rows(COUNTS[:2], 0, loss=OWN).rows
    )
    best = COUNTS - COUNTS * np.log(np.maximum(COUNTS, 1e-10))
    assert estimator.score(COUNTS) <= -best.mean()
    with pytest.raises(ValueError, match=REFUSED):
        estimator.result_.project_rows(COUNTS[:1], 0)


def test_evaluations_say_that_it_is_not_among_them(estimator):
    said = "the loss of the run, ours, is a function of your own and is not evaluated"
    for model in (estimator.model_, estimator.result_):
        found = genten.evaluate(model, COUNTS)
        assert found.loss is None and any(said in note for note in found.notes)
        assert not any(said in note for note in genten.evaluate(model, COUNTS, "poisson").notes)


def test_an_archive_without_a_run_is_told_of(tmp_path):
    np.savez(tmp_path / "m.npz", weights=np.ones(1), factor_1=np.ones((2, 1)),
             factor_2=np.ones((3, 1)))  # fmt: skip
    with pytest.warns(UserWarning, match="tells nothing of the run"):
        m = genten.load(tmp_path / "m.npz")
    with pytest.warns(UserWarning, match=r"nothing in .*m\.npz tells of the run that made it: lea"):
        m.project(np.ones((2, 3)), 0)
