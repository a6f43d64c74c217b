# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Other losses than least squares."""

import numpy as np
import pytest

import genten
from genten import _core

LOSSES = list(_core.losses())


@pytest.fixture(scope="module")
def links():
    """Links among two groups of four, and a few across, twice."""
    where = [
        (i, j, k)
        for i in range(8)
        for j in range(8)
        for k in range(2)
        if (i < 4) == (j < 4) and (i * j + k) % 5 or (i, j, k) == (0, 7, 1)
    ]
    return genten.tensor((np.array(where), np.ones(len(where)), (8, 8, 2)))


@pytest.mark.parametrize("loss", LOSSES)
def test_each_runs_is_printed_and_reported(links, loss, tmp_path):
    missing = "unlisted" if loss in ("gamma", "rayleigh") else None
    r = genten.cp(links, 2, loss=loss, missing=missing, max_iterations=20)
    assert r.options["loss"] == loss and r.options["solver"] in repr(
        {"gaussian": "als", "poisson": "apr"}.get(loss, "gcp")
    )
    assert (r.gcp is not None) == (loss not in ("gaussian", "poisson"))
    assert np.all(np.diff(r.history.objective) <= 1e-9 * np.abs(r.history.objective[:-1]))
    r.report(tmp_path / "r.html")
    assert r.options["loss"] in (tmp_path / "r.html").read_text() or r.gcp is None
    assert r.plot().axes


def test_the_docstring_names_all():
    for loss in LOSSES:
        assert f"'{loss}'" in genten.cp.__doc__


def test_poisson_is_the_same_by_either_solver(titanic):
    by_rows = genten.cp(titanic, 2, loss="poisson", tolerance=1e-8)
    by_gradients = genten.cp(titanic, 2, loss="poisson", solver="gcp", tolerance=1e-9)
    assert by_gradients.objective == pytest.approx(by_rows.objective, rel=1e-7)
    ridged = genten.cp(titanic, 2, loss="poisson", ridge=1)
    assert ridged.options["solver"] == "gcp" and ridged.penalty > 0
    assert ridged.objective > by_gradients.objective


@pytest.mark.parametrize("loss", ["gaussian", "poisson", "bernoulli-logit", "huber"])
def test_zeros_are_held_out(links, loss, tmp_path):
    r = genten.cp(links, 2, loss=loss, holdout=0.25, starts=2)
    assert r.options["solver"] == "gcp"
    assert r.gcp["entries"] + r.holdout.cells == 128
    assert r.gcp["holdout_loss"] == min(r.gcp["holdout_losses"])
    assert r.gcp["holdout_loss_error"] > 0
    assert "held out  mean loss " in repr(r)
    r.report(tmp_path / "r.html")
    assert "32 cells that it was not fitted to" in (tmp_path / "r.html").read_text()


def test_listed_entries_are_missing(links):
    r = genten.cp(links, 2, loss="bernoulli-logit", missing=[(0, 0, 0), (7, 7, 1)])
    assert r.gcp["entries"] == 126 and r.options["missing"].nnz == 2


def test_sampled_zeros_are_told_of(links):
    r = genten.cp(links, 2, loss="huber", most_operations=0, zero_samples=500, max_iterations=5)
    assert r.gcp["zeros"] == "sampled" and r.gcp["objective_error"] > 0
    assert "zeros being sampled" in repr(r)


def test_a_run_goes_on(links, tmp_path):
    how = {"loss": "huber", "loss_parameter": 0.5, "tolerance": 0}
    whole = genten.cp(links, 2, max_iterations=12, **how)
    genten.cp(links, 2, max_iterations=5, checkpoint=tmp_path / "c.gkt", **how)
    resumed = genten.cp(links, resume=tmp_path / "c.gkt", max_iterations=12)
    assert resumed.objective == whole.objective and resumed.options["loss_parameter"] == 0.5
    with pytest.raises(ValueError, match=r"loss: .* the checkpoint, 'huber', got 'gamma'"):
        genten.cp(links, resume=tmp_path / "c.gkt", loss="gamma")


def test_what_does_not_fit_is_refused(titanic):
    for error, match, options in (
        (ValueError, "loss_parameter: expected a parameter d",
         {"loss": "huber", "loss_parameter": 0}),
        (TypeError, "loss_parameter: means nothing beside loss='gaussian'", {"loss_parameter": 1}),
        (TypeError, "corrections: means nothing beside loss='gaussian'", {"corrections": 3}),
        (ValueError, "solver: expected als|gcp beside loss='gaussian'", {"solver": "apr"}),
        (ValueError, "solver: expected 'als', .* or 'gcp', got 'newton'", {"solver": "newton"}),
        (ValueError, "loss bernoulli-logit: expected values 0 and 1", {"loss": "bernoulli-logit"}),
    ):
        with pytest.raises(error, match=match):
            genten.cp(titanic, 2, **options)


def test_notes_count_modes_from_0():
    X = genten.tensor((np.array([[0, 0, 0], [1, 1, 1]]), np.ones(2), (2, 2, 3)))
    r = genten.cp(X, 1, loss="poisson-log", ridge=0, max_iterations=5)
    assert any("1 slice of mode 2 has no nonzero" in text for text in r.warnings)
    assert any("1 slice of mode 2 has no nonzero" in note.text for note in r.notes)
