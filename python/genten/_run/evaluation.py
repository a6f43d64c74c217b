# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How well models meet tensors. Pickles know the classes by this module."""

from __future__ import annotations

from typing import Any

from .._model.evaluation import EntryErrors, Evaluation
from ..convert.pyttb import way_of_model
from ..model import Model
from ..tucker_model import TuckerModel

__all__ = ["EntryErrors", "Evaluation", "evaluate"]


def evaluate(
    model: Model | Any,
    X: Any,
    loss: str | None = None,
    loss_parameter: float | None = None,
    *,
    missing: Any = None,
    partial: Any = None,
) -> Evaluation:
    """How well a model meets a tensor: errors over the entries that it lists and over all.

    Parameters
    ----------
    model : Model, TuckerModel, a result for its model, or a model of pyttb or TensorLy
    X : Tensor, or what `genten.tensor` takes
        Of the model's shape, such as entries that were held out.
    loss : str, optional
        What the model minimizes; if not given, that of the run that made it. See
        `Model.evaluate`.
    loss_parameter : float, optional
        The number of a loss that has one.
    missing : 'unlisted', 'none', entries or a tensor, optional
        Entries that do not count; see `Model.evaluate`.
    partial : True, modes or 'all', optional
        Modes of which X has some rows alone; see `Model.evaluate`.

    Returns
    -------
    Evaluation

    Raises
    ------
    TypeError
        For what has no model, and for a loss of a Tucker model.
    ValueError
        For a tensor of another shape.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> found = genten.evaluate(genten.cp(X, 2, loss="poisson", seed=1), X)
    >>> found.all.deviance < 2000 < found.listed.residual_norm * 100
    True
    """
    given = getattr(model, "model", model)
    options = getattr(model, "options", {})
    if loss is None and loss_parameter is None and options.get("solver") == "gcp":
        known = options.get("loss") == "gaussian"  # of which models do not speak
        loss = "gaussian" if known else None
    found = given if isinstance(given, TuckerModel) else Model._of(given)
    if found is None:
        behind = getattr(X, "model", X)
        is_model = isinstance(behind, TuckerModel) or Model._of(behind) is not None
        turned = "; the model comes first: genten.evaluate(model, X)"
        way = turned if is_model else way_of_model(model)
        raise TypeError(f"evaluate: expected a Model or a Result, got {type(model).__name__}{way}")
    if isinstance(found, TuckerModel):
        if loss is not None:
            raise TypeError(
                "loss: has no effect beside a Tucker model, which is of least squares: leave it out"
            )
        return found.evaluate(X, missing=missing, partial=partial)
    return found.evaluate(X, loss, loss_parameter, missing=missing, partial=partial)
