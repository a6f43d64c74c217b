# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models that go on: what a stream takes from a run, and what a refused batch leaves."""

import pathlib
import re
import warnings

import numpy as np
import pytest

import genten
from genten.describe import relative_weights

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
    with pytest.raises(ValueError, match="under the loss of the run, huber.*; project_rows finds"):
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
    with pytest.raises(ValueError, match="loss of the run, huber: expected gaussian or poisson"):
        genten.Stream(other, mode=2)
    stream = genten.Stream(other, mode=2, loss="gaussian")
    assert stream.model.loss is None
    stream.save(path)
    assert genten.load(path).loss is None


def test_missing_entries_of_the_run_are_refused_as_the_tool_refuses_them(old):
    r = genten.cp(old, 1, missing="unlisted", seed=1)
    m = r.model
    for call in (lambda: genten.Stream(r, mode=2), lambda: genten.Stream(m, mode=2),
                 lambda: r.update(NEW, 2), lambda: m.update(NEW, 2)):  # fmt: skip
        with pytest.raises(ValueError, match="the run had missing entries") as error:
            call()
        ways = str(error.value).partition(": project_rows(X, 2, missing='unlisted') finds rows")[2]
        assert "genten.cp(..., missing='unlisted', init=model) all rows from old and new" in ways
        assert re.search(r"; genten\.Model\(m\.weights, .*values are drawn towards zero$", ways)
    assert m.project_rows(NEW, 2, missing="unlisted").rows.shape == (2, 1)
    assert genten.Model(m.weights, m.factors, m.labels, m.mode_names).update(NEW, 2).shape[2] == 6


def test_models_of_streams_are_normalized(old, tmp_path):
    for options in ({}, {"nonnegative": "all"}, {"loss": "poisson"}, {"extra": 0}):
        r = genten.cp(old, 2, nonnegative=True, seed=1)
        stream = genten.Stream(r.model, mode=2, **options)
        stream.update(NEW)
        m = stream.model
        order = 1 if "loss" in options else 2
        for factor in m.factors:
            assert np.allclose(np.linalg.norm(factor, ord=order, axis=0), 1)
        assert not (m.weights == 1).any()
        stream.save(tmp_path / "s.gkt")
        assert same(genten.load(tmp_path / "s.gkt"), m)
        again = genten.Stream.load(tmp_path / "s.gkt")
        assert same(again.model, m)
        for each in (stream, again):
            each.update(NEW)
        assert same(stream.model, again.model)
    bounded = genten.cp(old, 2, upper=1e4, seed=1).model.update(NEW, 2, upper=1e4)
    assert (bounded.weights == 1).all()
    assert len(set(relative_weights(bounded))) == 2


def test_the_bounds_of_a_stream_go_with_its_model(old, tmp_path):
    stream = genten.Stream(genten.cp(old, 2, nonnegative=True, seed=1), mode=2)
    stream.update(NEW)
    stream.save(tmp_path / "s.gkt")
    for model in (stream.model, genten.load(tmp_path / "s.gkt")):
        assert model.project_rows(-NEW, 2).options["lower"] == 0
        assert genten.Stream(model, mode=2).options["loss"] == "gaussian"
        assert (model.update(NEW, 2).factors[2] >= 0).all()
    damped = genten.cp(old, 1, ridge=10.0, seed=1).model.update(NEW, 2, ridge=10.0)
    found = damped.project_rows(NEW, 2)
    assert found.options["ridge"] == 10 and found.options["scales"] == []
    assert np.allclose(found.rows, damped.factors[2][4:])


def test_a_model_of_a_file_alone_is_told_of(old, tmp_path, recwarn):
    r = genten.cp(old, 1, seed=1)
    r.model.save(tmp_path / "m.gkt")
    (tmp_path / "m.gkt.labels.json").unlink()
    m = genten.load(tmp_path / "m.gkt")
    told = "nothing beside .*m.gkt tells of the run that made it"
    for call in (lambda: m.project_rows(NEW, 2), lambda: m.update(NEW, 2),
                 lambda: genten.Stream(m, 2)):  # fmt: skip
        with pytest.warns(UserWarning, match=told):
            call()
    recwarn.clear()
    m.project_rows(NEW, 2, loss="gaussian")
    m.update(NEW, 2, nonnegative=False)
    r.model.project_rows(NEW, 2)
    assert not [each for each in recwarn if "nothing beside" in str(each.message)]


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


def test_modes_by_name_and_rows_by_label(old):
    X = genten.tensor(NEW, labels=[None, ["no", "yes"], ["E", "F"]], mode_names=list("abc"))
    named = genten.cp(old, 2, seed=1)
    named.model.mode_names = list("abc")
    stream = genten.Stream(named.model, mode="c", nonnegative=["b"])
    with pytest.raises(ValueError, match="mode 1: expected a model with labels"):
        stream.update(X)
    with pytest.raises(ValueError, match="'d'"):
        genten.Stream(named.model, mode="c", nonnegative=["d"])
    assert stream.options["nonnegative"] == [1]


def test_rows_are_those_of_project_rows(old):
    for how in ({"loss": "poisson"}, {"nonnegative": True}, {}):
        r = genten.cp(old, 2, seed=1, **how)
        stream = genten.Stream(r, mode=2, sweeps=2)
        stream.update(NEW)
        model = stream.model
        found = model.project_rows(NEW, 2, **how)
        np.testing.assert_allclose(model.factors[2][4:], found.rows, rtol=1e-6, atol=1e-6)


def same(one, other):
    return one.labels == other.labels and all(map(np.array_equal, one.factors, other.factors))


def test_update_is_a_stream_of_one_batch(old):
    for how in ({}, {"loss": "poisson"}, {"nonnegative": True}):
        r = genten.cp(old, 2, seed=1, **how)
        before = r.model.copy()
        stream = genten.Stream(r, mode=2, sweeps=3)
        stream.update(NEW)
        later = r.update(NEW, 2, sweeps=3)
        assert isinstance(later, genten.Model) and later.shape == (2, 2, 6)
        assert same(later, stream.model) and later.loss == stream.model.loss
        assert same(r.model, before)
    counts = genten.cp(old, 2, loss="poisson", seed=1)
    assert same(counts.model.update(NEW, 2), counts.update(NEW, 2))
    assert counts.update(NEW, 2, loss="gaussian").loss is None


def test_more_slices_than_the_model_has_are_told(old):
    model = genten.cp(old, 2, seed=1).model
    with pytest.warns(UserWarning, match="update: 5 slices of mode 2, where the model has 4: if "):
        model.update(np.concatenate([old, NEW[:, :, :1]], axis=2), 2)


def test_update_goes_by_names(old):
    modes = ["admit", "gender", "dept"]
    labels = [["Admitted", "Rejected"], ["Male", "Female"], list("ABCD")]
    named = genten.tensor(old, labels=labels, mode_names=modes)
    model = genten.cp(named, 1, seed=1).model
    turned = genten.tensor(
        NEW.transpose(2, 1, 0)[:, ::-1],
        labels=[["E", "F"], ["Female", "Male"], labels[0]],
        mode_names=["dept", "gender", "admit"],
    )
    later = model.update(turned, "dept", sweeps=2)
    assert later.labels[2] == list("ABCDEF") and later.mode_names == modes
    plain = genten.cp(old, 1, seed=1).model.update(NEW, 2, sweeps=2)
    assert all(map(np.allclose, later.factors, plain.factors))
    more = genten.tensor(
        np.pad(NEW, ((0, 0), (0, 1), (0, 0)), constant_values=5.0),
        labels=[labels[0], ["Male", "Female", "Other"], ["E", "F"]],
        mode_names=modes,
    )
    assert model.update(more, "dept").labels[1] == ["Male", "Female", "Other"]


def test_update_tells_of_rows_that_the_slices_lack():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    factors = [rng.random((n, 2)) for n in (10, 6, 8)]
    full = genten.Model(None, factors).to_dense()
    names = [[f"{mode}{row}" for row in range(n)] for mode, n in zip("uwi", full.shape)]
    X = genten.tensor(full, labels=names, mode_names=["user", "week", "item"])
    m = genten.cp(X, 2, seed=1, tolerance=1e-12, max_iterations=2000).model
    table = X.to_pandas()
    new = table[(table.week == "w2") & table.user.isin(names[0][:4])].astype(
        {"user": str, "week": str}
    )
    new["week"] = "w9"
    said = r"mode 0 \(user\): the model has 6 rows that the tensor lacks, taken for zeros: 'u4', "
    with pytest.warns(UserWarning, match=f"^project: {said}"):
        m.project(new, mode="week")
    with pytest.warns(UserWarning, match=f"^update: {said}") as told:
        later = m.update(new, mode="week")
    assert len(told) == 1 and later.shape == (10, 7, 8)
    assert str(told[0].message).endswith("project_rows(X, 1, partial='user') finds rows of its "
                                         "slices without these")  # fmt: skip
    rows = m.project_rows(new, 1, partial="user").rows
    assert np.allclose(rows[0], m.factors[1][2], rtol=1e-4)
    stream = genten.Stream(m, mode="week")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Rows that a batch lacks are the usual case.
        assert stream.update(new).new_rows == [0, 1, 0]
    with pytest.raises(TypeError, match=r"^unexpected keyword 'missing'; .* here; project_row"):
        m.update(new, "week", missing="unlisted")
    with pytest.raises(TypeError, match=r"project: unexpected keyword 'missing'; .*project_rows"):
        m.project(new, 1, missing="unlisted")


def test_update_with_the_training_tensor_fits_all_of_it(old):
    r = genten.cp(old, 1, seed=1)
    whole = np.concatenate([old, NEW], axis=2)
    later = r.update(NEW, 2, training=old, history=2, sweeps=300)
    best = genten.cp(whole, 1, seed=1, tolerance=1e-12, max_iterations=1000)
    assert abs(later.evaluate(whole).fit - best.fit) < 1e-6


def test_update_refuses_in_its_own_name(old):
    model = genten.cp(old, 1, seed=1).model
    with pytest.raises(ValueError, match=r"update: expected a tensor of order 3, got 2"):
        model.update(NEW[0], 2)
    with pytest.raises(TypeError, match="swaps"):
        model.update(NEW, 2, swaps=3)
    with pytest.raises(ValueError, match="mode"):
        model.update(NEW, 3)
    with pytest.raises(ValueError, match="update: expected a training tensor of shape"):
        model.update(NEW, 2, training=np.ones((2, 2, 5)))
    other = genten.cp(old, 1, loss="huber", seed=1)
    with pytest.raises(ValueError, match="update: .* loss of the run, huber"):
        other.update(NEW, 2)
    with pytest.raises(ValueError, match="update: .* loss of the run, huber"):
        other.model.update(NEW, 2)
    assert other.model.update(NEW, 2, loss="gaussian").shape == (2, 2, 6)


def test_extra_components_are_not_those_of_the_model(old, tmp_path):
    model = genten.cp(old, 1, seed=1).model
    stream = genten.Stream(model, mode=2, extra=2)
    for k in range(2):
        stream.update(NEW[:, :, k : k + 1])
    assert stream.model.rank == 1 and stream.options["extra"] == 2
    stream.save(tmp_path / "s.gkt")
    assert genten.load(tmp_path / "s.gkt").rank == 1
    again = genten.Stream.load(tmp_path / "s.gkt")
    for each in (stream, again):
        each.update(NEW)
    assert same(stream.model, again.model)


def test_arrays_that_change_are_looked_at_again(old):
    stream = genten.Stream(genten.cp(old, 2, seed=1), mode=2)
    subscripts = np.array([[1, 0, 1], [0, 1, 0]], dtype=np.int64)
    batch = genten.tensor((subscripts, np.array([3.0, 4.0])), shape=(2, 2, 2))
    subscripts[0, 1] = 2**32
    with pytest.raises(ValueError, match="expected a subscript below 2 in mode 1, got 4294967296"):
        stream.update(batch)
    subscripts[0, 1] = 1
    assert stream.update(batch).nonzeros == 2


def test_numbers_that_the_slices_of_a_table_lack_are_told():
    pandas = pytest.importorskip("pandas")
    rows = [(user, item, week, user + len(item)) for user in (0, 1, 3) for item in ("tea", "milk")
            for week in ("w1", "w2")]  # fmt: skip
    table = pandas.DataFrame(rows, columns=["user", "item", "week", "n"])
    model = genten.cp(genten.tensor(table, values="n"), 1).model
    new = table[(table.week == "w1") & (table.user < 2)].assign(week="w3")
    said = (  # Row 2 is zero.
        r"^update: mode 0 \(user\): the model has a row that the tensor lacks, taken for zeros: "
        r"'3'; project_rows\(X, 2, partial='user'\) finds rows of its slices without these$"
    )
    with pytest.warns(UserWarning, match=said):
        model.update(new, "week")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.project_rows(new, 2, partial="user")
        genten.Stream(model, mode=2).update(new)
