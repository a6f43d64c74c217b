# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Missing entries of a tensor that has the model's rows and modes in another order."""

import re

import numpy as np
import pandas
import pytest

import genten

RNG = np.random.default_rng(0)
LENGTHS, MODES = (6, 5, 4), ["x", "y", "z"]
FULL = np.einsum("ir,jr,kr->ijk", *[RNG.random((n, 2)) for n in LENGTHS]) + 0.5
NAMES = [[f"{mode}{i}" for i in range(n)] for mode, n in zip(MODES, LENGTHS)]
WILD = np.zeros(LENGTHS, dtype=bool)
WILD[0, 0, 0] = WILD[1, 2, 3] = True
ROWS = [[3, 1, 5, 0, 2, 4], [4, 0, 1, 3, 2], [2, 3, 0, 1]]


@pytest.fixture(scope="module")
def model():
    return genten.cp(genten.tensor(FULL, labels=NAMES, mode_names=MODES), 2, seed=1).model


@pytest.fixture(params=[(0, 1, 2), (2, 0, 1)], ids=["rows", "modes"])
def given(request):
    """A tensor with two wild entries, and the mask of these."""
    order = request.param
    place = np.ix_(*ROWS)
    values, mask = np.where(WILD, 1000.0, FULL)[place], WILD[place]
    labels = [[NAMES[k][i] for i in ROWS[k]] for k in order]
    names = [MODES[k] for k in order]
    X = genten.tensor(values.transpose(order), labels=labels, mode_names=names)
    return X, mask.transpose(order)


def pyttb_of(kind, mask):
    pyttb = pytest.importorskip("pyttb")
    rows = np.argwhere(mask)
    if kind == "dense":
        return pyttb.tensor(mask.astype(float))
    return pyttb.sptensor(rows, np.ones((len(rows), 1)), mask.shape)


def file_of(mask, folder):
    np.savetxt(folder / "gone.tns", np.argwhere(mask) + 1, fmt="%d")
    return folder / "gone.tns"


def entries_of(mask, **names):
    rows = np.argwhere(mask)
    return genten.tensor((rows, np.ones(len(rows)), mask.shape), **names)


def named(X, mask, names):
    """Tuples of names in some modes, of rows in the others."""
    return [
        tuple(X.labels[k][i] if k in names else int(i) for k, i in enumerate(row))
        for row in np.argwhere(mask)
    ]


FORMS = {
    "mask": lambda X, mask, _: mask,
    "lists of truth": lambda X, mask, _: mask.tolist(),
    "array": lambda X, mask, _: np.argwhere(mask),
    "lists": lambda X, mask, _: np.argwhere(mask).tolist(),
    "tuples": lambda X, mask, _: named(X, mask, []),
    "objects": lambda X, mask, _: np.argwhere(mask).astype(object),
    "some names": lambda X, mask, _: named(X, mask, [1]),
    "names": lambda X, mask, _: named(X, mask, [0, 1, 2]),
    "frame": lambda X, mask, _: pandas.DataFrame(named(X, mask, [0, 1, 2]), columns=X.mode_names),
    "tensor": lambda X, mask, _: entries_of(mask),
    "arrays": lambda X, mask, _: (np.argwhere(mask), np.ones(2), mask.shape),
    "modes": lambda X, mask, _: entries_of(mask, mode_names=X.mode_names),
    "labels": lambda X, mask, _: entries_of(mask, mode_names=X.mode_names, labels=X.labels),
    "some labels": lambda X, mask, _: entries_of(mask, labels=[X.labels[0], None, None]),
    "sptensor": lambda X, mask, _: pyttb_of("sparse", mask),
    "pyttb": lambda X, mask, _: pyttb_of("dense", mask),
    "text": lambda X, mask, folder: file_of(mask, folder),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_are_of_the_tensor_as_it_is_given(model, given, form, tmp_path):
    X, mask = given
    missing = FORMS[form](X, mask, tmp_path)
    plain = genten.tensor(np.where(WILD, 1000.0, FULL), labels=NAMES, mode_names=MODES)
    fit = model.evaluate(plain, missing=WILD).fit
    assert fit > 0.9 and model.evaluate(X, missing=missing).fit == pytest.approx(fit)
    for mode, rows in zip(MODES, ROWS):
        known = model.project_rows(plain, mode, missing=WILD)
        found = model.project_rows(X, mode, missing=missing)
        assert found.explained.min() > 0.98
        if mode == "x":
            np.testing.assert_allclose(found.rows, known.rows[rows], rtol=1e-6)
    model.report(tmp_path / "r.html", tensor=X, missing=missing)
    text = re.sub(r"<[^>]+>|\s+", " ", (tmp_path / "r.html").read_text(encoding="utf-8"))
    assert f"its fit is {fit:.4f}" in text and "1000" not in text
    training = model.project_rows(FULL[:2], "x", training=np.ma.array(FULL, mask=WILD))
    assert not training.far_worse.any()


def test_a_list_of_the_run_is_of_its_rows(given):
    X, mask = given
    run = genten.cp(X, 2, seed=1, missing=mask)
    back = X.to_pandas().iloc[::-1]
    turned = genten.tensor(back, modes=MODES, values=back.columns[-1])
    found = run.project_rows(X, "x", missing=mask, training=turned)
    assert not found.far_worse.any()
    assert found.explained.min() > 0.98
