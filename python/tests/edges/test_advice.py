# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages advise works as typed."""

import warnings

import numpy as np
import pytest

import genten

pd = pytest.importorskip("pandas")

COUNTS = np.random.default_rng(8).poisson(3, (8, 7, 6)) + 1
DENSE = COUNTS.astype(float)


@pytest.fixture(scope="module")
def table():
    entries = np.ndindex(COUNTS.shape)
    rows = [(f"u{i}", "abcdefg"[j], k + 1, COUNTS[i, j, k]) for i, j, k in entries]
    return pd.DataFrame(rows, columns=["u", "i", "w", "n"])


@pytest.fixture(scope="module")
def of_table(table):
    X = genten.tensor(table, values="n", index_base=1)
    return X, genten.cp(X, 2, seed=1).model


@pytest.fixture(scope="module")
def model():
    return genten.cp(DENSE, 2, seed=1, nonnegative=True).model


@pytest.mark.parametrize("kind", ["cp", "tucker"])
def test_tensors_are_made_as_long_as_the_model(kind, model):
    m = model if kind == "cp" else genten.tucker(DENSE, (2, 2, 2)).model
    for what in ("evaluate", "residuals"):
        for part in (DENSE[3:6], genten.tensor(DENSE[3:6])):
            with pytest.raises(ValueError, match=f"^{what}: expected a tensor of .*") as told:
                getattr(m, what)(part)
            advice = "genten.tensor((X.subscripts, X.values, (8, 7, 6)))"
            assert advice in str(told.value)
            X = genten.tensor(part)
            assert eval(advice, {"genten": genten, "X": X}).shape == m.shape
            shifted = "X.subscripts + [1, 0, 0]"
            assert f"{shifted} where they begin at row 1 of mode 0" in str(told.value)
            assert eval(shifted, {"X": X})[0].tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match=r"got one of \(9, 7, 6\)$"):
        m.evaluate(np.ones((9, 7, 6)))


def test_a_part_that_is_made_as_long_counts_alone(model):
    X = genten.tensor(DENSE[3:6])
    longer = genten.tensor((X.subscripts + [3, 0, 0], X.values, model.shape))
    found = model.evaluate(longer, partial=True)
    rows = genten.Model(model.weights, [model.factors[0][3:6], *model.factors[1:]])
    assert found.all.entries == X.nnz and found.fit == pytest.approx(rows.evaluate(X).fit)


def test_texts_become_numbers_in_a_table(of_table):
    X, m = of_table
    texts = X.compact().to_pandas()
    advice = r"by \.astype\(\{column: int\}\); X\.to_pandas\(\) is that of a tensor X$"
    for what, more in (("evaluate", ()), ("predict", ()), ("project", (0,))):
        with pytest.raises(ValueError, match=advice):
            getattr(m, what)(texts, *more)
        getattr(m, what)(texts.astype({"w": int}), *more)
    assert m.evaluate(texts.astype({"w": int})).fit == m.evaluate(X).fit
    assert m.evaluate(X.compact()).fit == m.evaluate(X).fit  # whose labels are numbers


def test_ids_become_names_without_a_warning_on_what_numbers_count_from():
    ids = pd.DataFrame({"a": [1, 2, 1, 3] * 9, "b": [1, 1, 2, 3] * 9, "n": range(36)})
    with pytest.warns(UserWarning, match=r"genten\.tensor\(\.\.\., index_base=0\)\.compact\(\), w"):
        known = genten.tensor(ids, values="n").compact()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X = genten.tensor(ids, values="n", index_base=0).compact()
    assert X == known and X.labels == known.labels


def test_the_warning_on_long_modes_says_that_it_comes_before_the_way_out():
    ids = pd.DataFrame({"a": [10**8, 5] * 9, "b": [1, 0, 2] * 6, "n": range(18)})
    with pytest.warns(UserWarning, match=r"compact\(\) numbers .*, after this warning; else give"):
        assert genten.tensor(ids, values="n").compact().shape == (2, 3)


@pytest.mark.parametrize("function", ["cp", "choose_rank"])
def test_inverted_masks_are_asked_about(function):
    known = DENSE > 4
    held = np.where(known, DENSE, 0)
    how = {"missing": known} | ({"starts": 2} if function == "choose_rank" else {})
    of = [1] if function == "choose_rank" else 1
    with pytest.warns(UserWarning, match="is the mask inverted. True says that an entry is"):
        getattr(genten, function)(held, of, **how)
    r = genten.cp(held, 1, missing=~known)
    assert r.completion["entries"] == known.sum() and not any("mask" in w for w in r.warnings)


def test_subscripts_from_1_are_told_to_be_less():
    subscripts, values = np.argwhere(DENSE) + 1, DENSE[DENSE != 0]
    advice = "subtract 1 from subscripts that count from 1"
    why = f"expected a subscript below .*; .* 1 in .*: {advice}"
    for taken in (subscripts, list(subscripts.T), subscripts.astype(np.uint32)):
        with pytest.raises(ValueError, match=why):
            genten.tensor((taken, values, DENSE.shape))
    assert (genten.tensor((subscripts - 1, values, DENSE.shape)).to_dense() == DENSE).all()
    with pytest.raises(ValueError, match="below 5 in mode 2, got 5$"):
        genten.tensor((subscripts - 1, values, (8, 7, 5)))


def test_arguments_of_pictures(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    X = genten.tensor(np.random.default_rng(0).random((4, 3, 2)))
    r, choice = genten.cp(X, 2), genten.choose_rank(X, [1, 2], starts=2)
    for number, (thing, draws) in enumerate(((r.model, "m"), (r, "r"), (choice, "choice"))):
        name = f"x{number}.png"
        with pytest.raises(TypeError, match="plot: expected no arguments without a keyw") as error:
            thing.plot(name)
        way = str(error.value).partition("; ")[2].partition(" writes a picture")[0]
        eval(f"{draws}{way}", {"m": r.model, "r": r, "choice": choice})  # noqa: S307
        assert (tmp_path / name).stat().st_size > 1000
    for given in (1, [1]):
        with pytest.raises(TypeError, match=r"; plot\(components=.*\) chooses comp") as error:
            r.model.plot(given)
        way = str(error.value).partition("; ")[2].partition(" chooses")[0]
        assert eval(f"m.{way}", {"m": r.model}) is not None  # noqa: S307
    with pytest.raises(TypeError, match="got 1; help.genten.Result.plot. tells of its keywords"):
        r.plot(5)
