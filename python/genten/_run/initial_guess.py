# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The initial guess of a run."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from .._files.paths import file_name
from .._options import CP_ALS
from .._load import load
from .._model.options_again import options_again
from .._model.run_record import has_numbers, refuse_other_base, table_base
from .._names.alignment import beyond, order_of_modes, refuse_nameless
from .._names.labels import Labels, NumberNames, like_names
from .._names.lookup import called
from .._names.numbers import some_of
from .._model.row_numbers import named_by_numbers, numbers_in, numbers_of
from ..convert.parts import shown, warn
from ..model import Model
from ..tensors import Tensor, naming
from .bounds import bounds_of
from .nvecs import nvecs


NVECS = "nvecs"
SVD = "; 'nvecs' begins at leading singular vectors, as 'svd' of TensorLy does"
"""The word for the leading left singular vectors."""
_SIDES = ("the tensor", "the guess")


def is_path(init: Any) -> bool:
    """Whether that is the path of a file, and no word."""
    return isinstance(init, (str, bytes, os.PathLike)) and init != NVECS


def _loaded(init: Any, dtype: Any) -> Model:
    name = file_name(init, "init")
    if name.isidentifier() and not os.path.exists(name):  # A word, where a path has . or /.
        raise ValueError(
            f"init: expected 'random', one of {[*kinds(), NVECS]}, a model, factors, or the path "
            f"of a model, got {init!r}{SVD if name == 'svd' else ''}"
        )
    guess = load(name, dtype=dtype)
    if not isinstance(guess, Model):
        raise ValueError(f"init: expected a CP model, got a Tucker model in {name}")
    return guess


def guess_of(
    init: Any, rank: int | None, given: Tensor, options: Mapping[str, Any], lowest: float
) -> Model | None:
    """The model to start from, if `init` is none of the words for random ones. Vectors are made to
    be at least `lowest`, as the loss needs them."""
    if init is None or isinstance(init, str) and (init == "random" or init in kinds()):
        return None
    if isinstance(init, str) and init == NVECS:
        columns = CP_ALS.options["rank"].default if rank is None else rank
        return nvecs(given, columns, bounds_of(options, given.ndim, lowest))
    if is_path(init):
        guess = _loaded(init, given.dtype)
    else:
        guess = init if isinstance(init, Model) else model_of(init)
    # Factors by themselves are of the tensor's rows.
    if guess.ndim == given.ndim and (is_path(init) or isinstance(init, Model)):
        order = order_of_modes(given.mode_names, guess.mode_names, "init") or range(given.ndim)
        here: Labels = [given.labels[list(order).index(mode)] for mode in range(given.ndim)]
        if given._is_table:  # whose texts are no numbers
            here = [each if isinstance(each, NumberNames) else None for each in here]
        named = named_by_numbers(guess.labels, guess.shape, numbers_of(guess._run), here)
        if named != guess.labels:
            names = guess.mode_names
            guess = Model(guess.weights, guess.factors, named, names)._of_run(guess._run)
        labels = [guess.labels[mode] for mode in order]
        refuse_nameless(labels, naming(given), given.mode_names, "init")
        _refuse_numbers(given, labels)
        if given._is_table:
            bases = (table_base(given), guess._run.get("index_base"))
            refuse_other_base(bases, (given.labels, labels), "init", _SIDES)
    if rank is not None and rank != guess.rank:
        raise ValueError(f"rank: expected that of the initial guess, {guess.rank}, got {rank}")
    guess = guess_by_label(guess, given, options.get("fixed_modes") or ())
    if guess.shape != given.shape:
        is_turned = sorted(guess.shape) == sorted(given.shape)
        raise ValueError(
            "init: expected an initial guess with the tensor's dimensions, "
            f"{given.shape}, got one of {guess.shape}"
            f"{'; are its modes in another order?' * is_turned}"
        )
    return guess


def _refuse_numbers(given: Tensor, labels: Labels) -> None:
    """Complains of a tensor of a file without labels beside a guess whose labels are numbers.

    Raises
    ------
    ValueError
        For the first such mode.
    """
    for mode, (here, there) in enumerate(zip(given.labels, labels, strict=True)):
        if here is None and isinstance(there, NumberNames) and has_numbers(given):
            raise ValueError(
                f"init: {called(mode, given.mode_names)}: the guess knows its rows by numbers as "
                "names, and the tensor has numbers of rows: expected X.compact() of the tensor X, "
                "or X.labels = model.labels where its rows are those of the guess"
            )


def _with_new_rows(guess: Model, given: Tensor, fixed: Sequence[int]) -> Model:
    """The guess with rows for labels that the tensor alone has, at the mean of its other rows; a
    warning tells of them.

    Raises
    ------
    ValueError
        For such rows of a fixed mode.
    """
    if guess.ndim != given.ndim:
        return guess
    order = order_of_modes(given.mode_names, guess.mode_names, "init") or range(given.ndim)
    factors, labels, notes = list(guess.factors), list(guess.labels), []
    for mode, own in enumerate(order):
        here, there = given.labels[mode], labels[own]
        if here is None or there is None or beyond(there, here):
            continue  # what the guess alone has, others refuse
        new = beyond(here, there)
        if not new:
            continue
        text = f"{called(mode, given.mode_names)}: the tensor has rows that the guess lacks: "
        if mode in fixed:
            raise ValueError(f"init: {text}{some_of(new)}; rows of a fixed mode cannot be guessed")
        notes.append(text + some_of(new))
        mean = factors[own].mean(axis=0, keepdims=True, dtype=np.float64)
        added = np.repeat(mean.astype(factors[own].dtype), len(new), axis=0)
        factors[own] = np.concatenate([factors[own], added])
        labels[own] = like_names(there, [*there, *new])
    if not notes:
        return guess
    warn(f"init: {'; '.join(notes)}; these begin at the mean of the other rows")
    return Model(guess.weights, factors, labels, guess.mode_names)._of_run(guess._run)


def guess_by_label(guess: Model, given: Tensor, fixed: Sequence[int] = ()) -> Model:
    """The guess with its modes and rows as the tensor's, by their names where both have some. Rows
    that the tensor alone has begin at the mean of the others.

    Raises
    ------
    ValueError
        For a guess with rows that the tensor lacks.
    """
    guess = _with_new_rows(guess, given, fixed)
    rows = given.shape, numbers_in(given)
    return guess._aligned(given.labels, given.mode_names, of_rows=rows, what="init", sides=_SIDES)


def warn_of_run_of_guess(
    guess: Model, init: Any, given: Collection[str], lowest: float
) -> None:
    """Warns of options of the guess's run that are not `given` to this one, under a loss by which
    factors are `lowest` at least."""
    lost = options_again(guess._run, given, lowest)
    if not lost:
        return
    name = f" in {file_name(init, 'init')}" if is_path(init) else ""
    which = "; entries are those that were missing there" if "missing=entries" in lost else ""
    warn(
        f"init: the guess{name} was made with {', '.join(lost)}, and this run is without: add "
        f"{'this' if len(lost) == 1 else 'these'} to go on as before{which}"
    )


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
            f"got {shown(data)}"
        ) from None
