# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What looks at a result and its tensor takes no other tensor."""

import numpy as np
import pytest

import genten

D = np.random.default_rng(0).random((5, 6, 7))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["cp", "tucker"])
def test_reports_and_core_consistency_refuse_another_tensor(kind, dtype, tmp_path):
    pytest.importorskip("jinja2")
    X = genten.tensor(D, dtype=dtype)
    if kind == "cp":
        r = genten.cp(X, 2, seed=1)
    else:
        r = genten.tucker(X, (2, 2, 2), seed=1)
    for other, told in (
        (D * 100, r"of norm [\d.]+, got one of norm [\d.]+$"),
        (D[::-1], r"in which the model's fit is [\d.]+, got one in which it is -?[\d.]+$"),
    ):
        with pytest.raises(ValueError, match="^the tensor: expected that of the run, " + told):
            r.report(tmp_path / "r.html", tensor=other)
        if kind == "cp":
            with pytest.raises(ValueError, match="^core_consistency: X: expected that .*" + told):
                genten.core_consistency(other, r)
            assert genten.core_consistency(other, r.model) < 100
    for own in (D, X, D.astype("float32")):
        r.report(tmp_path / "r.html", tensor=own)
        if kind == "cp":
            assert genten.core_consistency(own, r) == pytest.approx(
                genten.core_consistency(X, r.model), rel=1e-3
            )


@pytest.mark.parametrize("more", [
    {"loss": "poisson"}, {"loss": "rayleigh"}, {"nonnegative": True}, {"ridge": 0.1},
    {"missing": "unlisted", "holdout": 0.1}, {"missing": [(0, 0, 0)]}, {"starts": 3},
    {"solver": "gcp", "max_iterations": 3}, {"tolerance": 1e-12, "max_iterations": 300},
])  # fmt: skip
def test_runs_of_all_kinds_know_their_tensor(more, tmp_path):
    pytest.importorskip("jinja2")
    r = genten.cp(D, 2, seed=1, **more)
    r.report(tmp_path / "r.html", tensor=D)
    if "missing" not in more:
        with pytest.raises(ValueError, match="expected that of the run, of norm"):
            r.report(tmp_path / "r.html", tensor=D * 1.001)


def test_reports_of_models_by_themselves_tell_of_entries(tmp_path):
    pytest.importorskip("jinja2")
    answers = np.random.default_rng(0).integers(1, 6, (30, 12, 4)).astype(float)
    answers[:2, :, 0], answers[2:5, :, 1] = 98, 99
    X = genten.tensor(answers)
    r = genten.cp(X, 2, seed=1)
    bare = genten.Model(r.model.weights, r.model.factors)
    said = "60 of 1440 values are 98 or 99 and far from all others"
    for source, tensor in ((r, X), (r.model, X), (bare, answers), (genten.tucker(X, 2).model, X)):
        with pytest.warns(UserWarning, match=said):
            page = genten.reports.render_report(source, tensor=tensor, date="")
        assert page.count(said) == 1
    assert said not in genten.reports.render_report(bare, date="")
    part = answers[:, :, 2:]
    whole = genten.reports.render_report(genten.cp(part, 2, seed=1).model, tensor=part, date="")
    assert "Numbers that may stand for" not in whole
