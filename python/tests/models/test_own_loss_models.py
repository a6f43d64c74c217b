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


def test_results_and_estimators_refuse_too(estimator):
    for call in (estimator.transform, estimator.score):
        with pytest.raises(ValueError, match=REFUSED):
            call(COUNTS[:1])
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
