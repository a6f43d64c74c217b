# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Slices of other shapes than the model's, without labels, and copies of streams."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse

import genten


@pytest.fixture
def full():
    random = np.random.default_rng(3)
    return np.einsum("ir,jr,kr->ijk", *(random.random((n, 2)) + 0.1 for n in (8, 7, 6)))


@pytest.fixture
def model(full):
    return genten.cp(full[:, :, :3], 2, seed=1).model


def both_ways(model, X):
    """What takes in slices."""
    return (lambda: model.update(X, mode=2)), (lambda: genten.Stream(model, mode=2).update(X))


@pytest.mark.parametrize(
    "other",
    [
        lambda new: new.transpose(1, 0, 2),
        lambda new: new[:7],
        lambda new: np.ones((9, 7, 1)),
        lambda new: (np.array([[0, 0, 0]]), np.array([1.0]), (7, 7, 1)),
        lambda new: scipy.sparse.coo_array(([1.0], ([0], [0], [0])), shape=(9, 7, 1)),
    ],
)
def test_arrays_of_another_shape_are_refused(full, model, other):
    for take in both_ways(model, other(full[:, :, 3:])):
        with pytest.raises(ValueError, match=r"shape \(8, 7, 3\) but for mode 2, got .*as genten"):
            take()
    with pytest.raises(ValueError, match=r"expected a training tensor of shape .* \(7, 7, 3\)$"):
        model.update(full[:, :, 3:], mode=2, training=full[:7, :, :3])


@pytest.mark.parametrize(
    ("X", "said"),
    [
        (genten.tensor(np.ones((9, 7, 1))), "mode 0: a new row, 8, where the model has 8 rows"),
        (genten.tensor(np.ones((8, 9, 1))), "mode 1: new rows, 7 to 8, where the model has 7 rows"),
        ((np.array([[8, 0, 0]]), np.array([1.0])), "mode 0: a new row, 8, where"),
        (
            genten.tensor((np.array([[0, 0, 0]]), np.array([1.0]), (7, 7, 1))),
            "mode 0: the tensor has 7 rows, and the model 8, of which the others are taken for",
        ),
        (
            genten.tensor(np.ones((7, 7, 1))),
            r"the model 8, of which .* order\? shape= of genten.tensor says how many rows",
        ),
    ],
)
def test_tensors_of_another_shape_are_told_of(model, X, said):
    for take in both_ways(model, X):
        with pytest.warns(UserWarning, match=said):
            take()


def test_subscripts_alone_may_end_early(full, model):
    few = (np.array([[0, 0, 0]]), np.array([1.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X = genten.tensor(few)
        twice = genten.tensor(([[0, 0, 0], [0, 0, 0]], [1.0, 2.0]))
        derived = [
            X * 2, -X, X + X, X.map(np.sqrt), X.permute([1, 0, 2]), X[:, :, :1], twice.coalesce(),
            X.astype("float32"), genten.tensor(X, mode_names=["a", "b", "c"]), copy.copy(X),
            copy.deepcopy(X), pickle.loads(pickle.dumps(X)),
        ]  # fmt: skip
        for given in (few, X, twice, full[:, :, 3:], *derived):
            for take in both_ways(model, given):
                take()


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda stream: pickle.loads(pickle.dumps(stream))]
)
@pytest.mark.parametrize("begun", [False, True])
def test_copies_of_streams_go_on_by_themselves(full, model, again, begun):
    named = genten.Model(
        model.weights, model.factors, [None, None, ["x", "y", "z"]], ["a", "b", "c"]
    )
    stream = genten.Stream(named, mode="c", history=2, training=full[:, :, :3], forget=0.9)
    if begun:
        stream.update(full[:, :, 3:4])
    before = stream.model
    other = again(stream)
    assert type(other) is genten.Stream and other.options == stream.options
    assert (other.batches, other.mode) == (stream.batches, stream.mode)
    assert other.model == before and other.model.labels == before.labels
    theirs = other.update(full[:, :, 4:])
    assert stream.model == before and stream.batches == other.batches - 1
    assert stream.update(full[:, :, 4:]) == theirs or np.isnan(theirs.fit_of_new_rows)
    assert stream.model == other.model and stream.model.mode_names == ["a", "b", "c"]
