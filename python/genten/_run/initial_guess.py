# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The initial guess of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._files.paths import file_name
from .._options import CP_ALS
from .._load import load
from ..model import Model
from ..tensors import Tensor
from .bounds import bounds_of
from .nvecs import nvecs


NVECS = "nvecs"
"""The word for the leading left singular vectors."""


def is_path(init: Any) -> bool:
    """Whether that is the path of a file, and no word."""
    return isinstance(init, (str, bytes, os.PathLike)) and init != NVECS


def _loaded(init: Any, dtype: Any) -> Model:
    name = file_name(init, "init")
    if name.isidentifier() and not os.path.exists(name):  # A word, where a path has . or /.
        raise ValueError(
            f"init: expected 'random', one of {[*kinds(), NVECS]}, a model, factors, or the path "
            f"of a model, got {init!r}"
        )
    guess = load(name, dtype=dtype)
    if not isinstance(guess, Model):
        raise ValueError(f"init: expected a CP model, got a Tucker model in {name}")
    return guess


def guess_of(
    init: Any, rank: int | None, given: Tensor, options: Mapping[str, Any]
) -> Model | None:
    """The model to start from, if `init` is none of the words for random ones."""
    if init is None or isinstance(init, str) and (init == "random" or init in kinds()):
        return None
    if isinstance(init, str) and init == NVECS:
        columns = CP_ALS.options["rank"].default if rank is None else rank
        return nvecs(given, columns, bounds_of(options, given.ndim))
    if is_path(init):
        guess = _loaded(init, given.dtype)
    else:
        guess = init if isinstance(init, Model) else model_of(init)
    if rank is not None and rank != guess.rank:
        raise ValueError(f"rank: expected that of the initial guess, {guess.rank}, got {rank}")
    return guess_by_label(guess, given)


def guess_by_label(guess: Model, given: Tensor) -> Model:
    """The guess with its modes and rows as the tensor's, by their names where both have some.

    Raises
    ------
    ValueError
        For a guess of other rows than the tensor's.
    """
    sides = ("the tensor", "the guess")
    return guess._aligned(given.labels, given.mode_names, what="init", sides=sides)


def describe_guess(init: Any, guess: Model) -> Any:
    """What a result says that it began at: a word, a path, or the model."""
    if is_path(init):
        return file_name(init, "init")
    return init if isinstance(init, str) else guess


def kinds() -> dict[str, str]:
    """The words for random numbers, and what they mean."""
    return CP_ALS.options["init"].choices


def model_of(data: Any) -> Model:
    """A model of what other libraries have, or of a sequence of factors."""
    known = Model._of(data)
    if known is not None:
        return known
    if (
        isinstance(data, (tuple, list))
        and len(data) == 2
        and isinstance(data[1], (tuple, list))
        and any(np.ndim(factor) == 2 for factor in data[1])
    ):
        return Model(data[0], data[1])  # TensorLy's, as a pair of weights and factors.
    try:
        return Model(None, list(data))
    except TypeError:
        raise TypeError(
            f"init: expected 'random', one of {[*kinds(), NVECS]}, a model, factors, or a path, "
            f"got {data!r}"
        ) from None
