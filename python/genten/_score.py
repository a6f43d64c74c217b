# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Norms, inner products and factor match scores of models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _library
from ._pyttb_names import Norm, model_elsewhere
from ._tensor.by_label import model_by_label
from .convert.parts import AnyArray

if TYPE_CHECKING:
    from .model import Model
    from .result import Result
    from .tensors import Tensor


class Score(float):
    """How alike two models are, a number from 0 to 1, and what goes with what.

    Attributes
    ----------
    component_scores : list of float
        For each component of the reference, the score of its match.
    permutation : list of int
        ``permutation[r]`` is the model's component that matches component r of the reference.
    flipped : list of bool
        For each component of the reference, whether a column of its match points the other way.

    Examples
    --------
    >>> import genten, numpy as np
    >>> one = genten.Model([2.0, 1.0], [np.eye(2), np.eye(2)])
    >>> score = one.score(one.extract([1, 0]))
    >>> score, score.permutation, score.component_scores
    (1.0, [1, 0], [1.0, 1.0])
    """

    component_scores: list[float]
    permutation: list[int]
    flipped: list[bool]

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Score:
        score = cls(found["score"])
        score.component_scores = found["component_scores"]
        score.permutation = found["permutation"]
        score.flipped = found["flipped"]
        return score


def _together(
    one: Model, other: Model, what: str
) -> tuple[AnyArray, list[AnyArray], AnyArray, list[AnyArray]]:
    """Arrays of both, of one type, with the rows of the same labels side by side."""
    sides = ("this model", "the other")
    other = model_by_label(other, one.labels, one.mode_names, what=what, sides=sides)
    dtype = np.result_type(one.dtype, other.dtype)
    return (*one._rows(dtype), *other._rows(dtype))


class Compared:
    """The methods of `Model` that measure it, by itself and against others."""

    @property
    def norm(self) -> Norm:
        """Frobenius norm of the full tensor that the model stands for; ``norm()`` is the same."""
        return Norm(_library.model_norm(*cast("Model", self)._rows()))

    def innerprod(self, other: Model | Tensor | Any) -> float:
        """Inner product with a model or with a sparse tensor: the sum of the products of elements.

        Parameters
        ----------
        other : Model of any rank, also of pyttb or TensorLy, or what `genten.tensor` takes
            Of the same shape. Where both have names of modes or labels of rows, they go by these;
            rows that a tensor lacks are zero, and a warning names them.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            For another shape, and for models whose labels are not the same.
        TypeError
            For what is neither a model nor a tensor.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.innerprod(m), m.innerprod(genten.tensor(m.to_dense()))
        (5.0, 5.0)
        """
        from .tensors import tensor

        model = model_elsewhere(other)
        if model is None:
            return tensor(other).innerprod(cast("Model", self))
        return _library.model_innerprod(*_together(cast("Model", self), model, "innerprod"))

    def score(
        self, reference: Model | Result | Any, *, weight_penalty: bool = True, greedy: bool = False
    ) -> Score:
        """The factor match score against another model, as the Tensor Toolboxes define it.

        Parameters
        ----------
        reference : Model, a Result for its model, or a model of pyttb or TensorLy
            Of the same shape, and of no more components. Where both have names of modes or labels
            of rows, they go by these.
        weight_penalty : bool
            Multiply each component's score by what the weights have in common.
        greedy : bool
            Match the best pair first, instead of for the best sum.

        Returns
        -------
        Score
            A number, 1 for equal models, with the matching.

        Raises
        ------
        TypeError
            For what has no model.
        ValueError
            For models that cannot be compared, as those of other rows, which the labels tell.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model(None, [np.eye(3), np.eye(3)])
        >>> score = m.score(m)
        >>> float(score), score.permutation
        (1.0, [0, 1, 2])
        """
        other = model_elsewhere(getattr(reference, "model", reference))
        if other is None:
            raise TypeError(f"score: expected a Model or a Result, got {type(reference).__name__}")
        arrays = _together(cast("Model", self), other, "score")
        return Score._of(_library.score(*arrays, weight_penalty, greedy))
