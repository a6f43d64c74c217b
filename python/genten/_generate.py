# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Random tensors, of a known model where that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._options import Option, OptionTable, knowing_keywords
from ._run.seeds import drawn, random_seed
from .convert.parts import checked_dtype
from .model import Model
from .tensors import Tensor

_RECIPE = OptionTable(_core.recipe_options(), "genten.generate")
_WORDS = {"uniform": "in [0, 1)", "normal": "standard normal"}
_OTHERS = {
    name: Option(name, kind, None, lowest, highest, words, "")
    for name, kind, lowest, highest, words in [
        ("rank", "int", 1, 1e6, {}),
        ("support", "int", 1, 1e6, {}),
        ("noise", "float", 0, None, {}),
        ("factors", "choice", None, None, _WORDS),
        ("scale", "float", 1e-9, 1e9, {}),
        ("seed", "int", 0, None, {}),
    ]
}


class Planted(NamedTuple):
    """A tensor that `generate` has made, and its model: a pair.

    Attributes
    ----------
    tensor : Tensor
        The tensor.
    model : Model
        The model whose values it has, before noise.

    Examples
    --------
    >>> import genten
    >>> genten.generate((9, 8, 7), rank=2, support=4).model
    <genten.Model 9 x 8 x 7, rank 2, float64>
    """

    tensor: Tensor
    model: Model


@overload
def generate(
    shape: str | Sequence[int],
    nnz: int | None = None,
    *,
    rank: None = None,
    powers: Sequence[float] | None = None,
    clusters: int | None = None,
    runs: Sequence[int] | None = None,
    values: str | None = None,
    scale: float = 1.0,
    seed: int | np.random.Generator | np.random.RandomState | None = 1,
    dtype: npt.DTypeLike = np.float64,
) -> Tensor: ...


@overload
def generate(
    shape: str | Sequence[int],
    nnz: int | None = None,
    *,
    rank: int,
    support: int | None = None,
    noise: float = 0.0,
    factors: str | None = None,
    powers: Sequence[float] | None = None,
    clusters: int | None = None,
    runs: Sequence[int] | None = None,
    scale: float = 1.0,
    seed: int | np.random.Generator | np.random.RandomState | None = 1,
    dtype: npt.DTypeLike = np.float64,
) -> Planted: ...


@knowing_keywords
def generate(
    shape: str | Sequence[int],
    nnz: int | None = None,
    *,
    rank: int | None = None,
    support: int | None = None,
    noise: float = 0.0,
    factors: str | None = None,
    powers: Sequence[float] | None = None,
    clusters: int | None = None,
    runs: Sequence[int] | None = None,
    values: str | None = None,
    scale: float = 1.0,
    seed: int | np.random.Generator | np.random.RandomState | None = 1,
    dtype: npt.DTypeLike = np.float64,
) -> Tensor | Planted:
    """A random sparse tensor, and the model that it was made from where a rank is given.

    The same arguments give the same tensor on any machine and for any number of threads, that of
    the tool's ``genten generate``.

    Parameters
    ----------
    shape : sequence of int, or str
        Lengths of the modes, or the name of a shape as the benchmarks have them, such as 'uber',
        with its number of nonzeros.
    nnz : int
        Distinct nonzeros. Where nearly all entries of a small tensor are asked for there may be
        fewer.
    rank : int
        Takes the values from a random model of this rank, at random subscripts. Other entries are
        zero in the tensor, though not in the model.
    support : int
        Lets each column of that model have so many nonzero rows, and the tensor every nonzero of
        the model, in place of `nnz`: then the tensor has that rank, and without noise the model
        fits it exactly.
    noise : float
        Norm of normal noise, relative to that of the tensor.
    factors : {'uniform', 'normal'}
        Elements of the model's factors: in [0, 1), as if not given, or standard normal.
    powers : sequence of float
        One a mode: the kth row is as popular as k^-power. 0, as if not given: all alike.
    clusters : int
        So many groups have popular rows of their own.
    runs : sequence of int
        One a mode: so many draws in a row share the row of that mode, as the words of a mail share
        its sender.
    values : {'uniform', 'normal', 'ones', 'counts'}
        Values that come from no model: in (0, 1], as if not given; standard normal; 1; how often
        the subscripts were drawn.
    scale : float
        This many times the nonzeros, at the same density.
    seed : int, Generator, RandomState or None
        Of all random numbers; None: a random one, which ``X.file_facts['seed']`` says.
    dtype : float64 or float32
        Type of the values.

    Returns
    -------
    Tensor, or (tensor, model)
        The pair where `rank` is given.

    Raises
    ------
    TypeError, ValueError
        For arguments that do not go together, and for what cannot be met.

    Examples
    --------
    >>> import genten
    >>> genten.generate((30, 20, 10), 500)
    <genten.Tensor 30 x 20 x 10, 500 nonzeros, density 0.08333, float64>
    >>> X, planted = genten.generate((30, 20, 10), rank=2, support=5, noise=0.01)
    >>> genten.cp(X, 2).model.score(planted) > 0.99
    True
    """
    name = shape if isinstance(shape, str) else ""
    recipe: dict[str, Any] = {"powers": powers, "clusters": clusters, "runs": runs, "nnz": nnz}
    options = {**recipe, "values": values, "rank": rank, "support": support, "factors": factors}
    _refuse_others(
        {option: value is not None for option, value in options.items()}
        | {"shape": bool(name), "dimensions": not name, "noise": noise != 0, "scale": scale != 1}
    )
    if name and name not in _core.named_shapes():
        raise ValueError(
            f"shape: expected lengths of the modes or one of {', '.join(_core.named_shapes())}; "
            f"got {name!r}"
        )
    if not name:
        recipe["dimensions"] = shape
    seed = drawn(seed)
    others = {
        "rank": rank,
        "support": support,
        "noise": noise,
        "factors": factors or "uniform",
        "scale": scale,
        "seed": random_seed() if seed is None else seed,
    }
    asked: dict[str, Any] = {
        key: None if value is None else _OTHERS[key].checked(value)
        for key, value in others.items()
    }
    single = checked_dtype(dtype) == np.float32
    given = _RECIPE.checked({**recipe, "values": values})
    core, arrays = _core.generate(name, given, single=single, **asked)
    tensor = Tensor(core, None, None, None, {"seed": asked["seed"]}, distinct=core.nnz)
    if arrays is None:
        return tensor
    return Planted(tensor, Model(*arrays)._of_run({"loss": "gaussian"}))


def _refuse_others(given: dict[str, bool]) -> None:
    """Raises where those that are given do not go together, as the tool's options."""
    broken = _core.broken_recipe_rule({name for name, is_given in given.items() if is_given})
    if broken is None:
        return

    def called(name: str) -> str:
        return "shape" if name == "dimensions" else name

    option, other, needed, why = broken
    if other:
        what = "a shape by name" if other == "shape" else "it"
        raise TypeError(
            f"{called(other)}: {what} has no effect beside {called(option)}=, since {why}: leave "
            "one of them out"
        )
    expected = " or ".join(f"{name}=" for name in needed)
    raise TypeError(f"{called(option)}: expected {expected} beside it, since {why}")
