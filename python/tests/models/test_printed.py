# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models as text, and histories as tables."""

import copy
import pickle
import re

import numpy as np
import pytest

import genten


def test_a_model_is_printed_as_a_table():
    who, what = [[0.1, 0.9], [0.2, -0.95]], [[0.0, 1.0], [0.0, 0.5], [0.0, 0.1]]
    labels = [["Ann", "a name that is much too long to print"], None]
    model = genten.Model([2.0, 4.0], [who, what], labels, ["who", "what"])
    assert str(model).splitlines() == [
        "genten.Model of rank 2; who: 2, what: 3",
        "component  weight  relative  strongest rows",
        "        1       4    100.0%  a name that …ng to print (-), 0",
        "        0       2     50.0%  a name that …ng to print, -",
    ]
    assert repr(model) == "<genten.Model 2 x 3, rank 2, float64>"
    many = genten.Model(None, [np.eye(30)])
    assert str(many).splitlines()[0] == "genten.Model of rank 30; mode 0: 30"
    assert len(str(many).splitlines()) == 23 and str(many).endswith("... and 10 lighter ones")


def test_a_history_is_a_table_of_columns(titanic):
    r = genten.cp(titanic, 2)
    names = [
        "iteration", "fit", "fit_change", "residual", "objective", "kkt_violation", "holdout_rmse",
        "holdout_mae", "seconds",
    ]  # fmt: skip
    assert list(r.history) == list(r.history.keys()) == names
    assert len(r.history) == r.iterations == len(r.history["fit"])
    columns = dict(r.history)
    assert all(columns[name] is getattr(r.history, name) for name in names)
    assert r.history == r.history != copy.deepcopy(r.history) and hash(r.history)
    for other in (pickle.loads(pickle.dumps(r.history)), copy.deepcopy(r.history)):
        assert np.array_equal(other.fit, r.history.fit) and repr(other) == repr(r.history)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_history_makes_a_data_frame(titanic, library):
    frames = pytest.importorskip(library)
    r = genten.cp(titanic, 2, starts=2)
    for history in (r.history, r.starts[0].history):
        table = frames.DataFrame(history)
        assert table.shape == (len(history), 9)
        assert np.array_equal(table["fit"].to_numpy(), history.fit)
    empty = genten.cp(titanic, 2, max_iterations=0).history
    assert frames.DataFrame(empty).shape == (0, 9) and not empty


@pytest.mark.parametrize("loss", ["bernoulli-logit", "bernoulli-odds", "poisson-log", "gaussian"])
def test_no_fit_of_values_that_are_no_means(loss):
    X = (np.random.default_rng(2).random((4, 3, 5)) > 0.5).astype(float)
    r = genten.cp(X, 1, loss=loss, seed=1, max_iterations=5)
    has = loss == "gaussian"
    assert ("\n  fit " in str(r), "\n  residual " in str(r)) == (has, has)
    assert f"fit       {r.fit:.12g}\n" in str(r) or not has


@pytest.mark.parametrize("more", [{}, {"loss": "huber"}, {"loss": "poisson"}, {"solver": "gcp"}])
def test_one_start_is_told_of_random_ones(titanic, tmp_path, more):
    file, few = tmp_path / "run.gkt", {**more, "max_iterations": 2}
    random = genten.cp(titanic, 1, checkpoint=file, **few)
    for r in (random, genten.cp(titanic, 1, seed=1, max_iterations=2000, **more)):
        better = ": starts=5 may find better" if r.stop_reason == "converged" else ""
        assert re.search(f"\n  stopped  .*, one start{better}\n", str(r))
    assert r.stop_reason == "converged"
    others = [genten.cp(titanic, 1, init=init, **few) for init in ("nvecs", random.model)]
    others += [genten.cp(titanic, 1, starts=2, **few), genten.cp(titanic, resume=file, **few)]
    assert not any("one start" in str(r) for r in others)


def test_unlisted_entries_of_a_table_are_told_to_be_zero():
    pandas = pytest.importorskip("pandas")
    rows = [(f"a{i}", f"b{j}", 1.0 + i * j % 5) for i in range(9) for j in range(9) if (i + j) % 3]
    X = genten.tensor(pandas.DataFrame(rows, columns=["a", "b", "v"]), values="v")
    assert "float64, unlisted entries zero\n" in str(genten.cp(X, 1))
    assert "entries zero" not in str(genten.cp(X, 1, missing="unlisted"))
    assert "core 2 x 2, float64, unlisted entries zero\n" in str(genten.tucker(X, (2, 2)))
    assert "entries zero" not in str(genten.tucker(X.to_dense(), (2, 2)))
    assert "entries    unlisted ones are zero" in str(genten.choose_rank(X, [1], starts=2))
    assert "entries zero" not in str(genten.cp(genten.tensor(X.to_dense()), 1))
