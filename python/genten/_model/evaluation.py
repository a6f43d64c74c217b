# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How well models meet tensors: errors over entries."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from .. import _core
from .._options import nearest
from .own_loss import Loss


class _Shown:
    """What is printed of its dataclass: all fields but those that are as where nothing is known."""

    def _left_out(self) -> tuple[str, ...]:
        """Other fields that are not printed."""
        return ()

    def __repr__(self) -> str:
        told, left_out = [], self._left_out()
        for each in fields(self):  # type: ignore[arg-type]
            value = getattr(self, each.name)
            if repr(value) != repr(each.default) and each.name not in left_out:
                told.append(f"{each.name}={value!r}")
        return f"{type(self).__name__}({', '.join(told)})"


@dataclass(frozen=True, repr=False)
class EntryErrors(_Shown):
    """Errors of a model over some entries.

    Attributes
    ----------
    entries : int
        How many they are.
    residual_norm : float
        The root of the sum of (x - m)^2, under a loss of which m is no mean of the expected values
        in its place, as are rmse and mae.
    rmse, mae : float
        The root of the mean square and the mean magnitude; NaN where there are no entries, and
        `mae` also where it is not known.
    log_likelihood, deviance : float
        Of counts x with the model's values m for their means, Poisson's: the sum of
        x log m - m - log x!, and twice the sum of x log(x / m) - x + m. NaN where numbers are
        negative that must not be. Under another loss, where one is given, the likelihood is NaN,
        and the deviance twice what the loss is above the least that it can be for these x, or once
        under least squares and its kin. They are not printed where no loss is given, nor is a
        likelihood that is NaN.
    loss, mean_loss, loss_error : float
        Where a loss is given, its sum, its mean, and the standard error of the sum, which is 0
        unless zeros were sampled. `rmse` and `mae` are then those of the values to be expected.
    auc : float
        Under losses of 0 and 1, of listed entries: how probable it is that a 1 has a larger value
        of the model than a 0. Else NaN, as where no 0 is listed.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
    >>> m.evaluate(genten.tensor(np.array([[2.0, 2.0], [0.0, 0.0]]))).listed.rmse ** 2
    0.5000000000000001
    """

    entries: int
    residual_norm: float
    rmse: float
    mae: float
    log_likelihood: float = math.nan
    deviance: float = math.nan
    loss: float = math.nan
    mean_loss: float = math.nan
    loss_error: float = math.nan
    auc: float = math.nan

    def _left_out(self) -> tuple[str, ...]:
        if math.isnan(self.loss):
            return "log_likelihood", "deviance"
        return ("log_likelihood",) if math.isnan(self.log_likelihood) else ()


@dataclass(frozen=True, repr=False)
class Evaluation(_Shown):
    """How well a model meets a tensor: what `genten evaluate` prints.

    Attributes
    ----------
    listed : EntryErrors
        Over the entries in which the tensor has nonzeros, explicit zeros among them.
    all : EntryErrors
        Over all entries, those without nonzeros being zero. `mae`, `log_likelihood` and `deviance`
        are NaN for a model with negative numbers, unless all entries are listed.
    fit : float
        1 - ||X - M|| / ||X|| over all entries; NaN of a tensor of zeros. Under a loss whose model
        is no mean, as logarithms of odds, M are the expected values.
    tensor_norm : float
        ||X||.
    loss, zeros : str or None
        Where a loss is given, which, with its parameter, and how unlisted entries were summed:
        'none', 'closed_form', 'enumerated' or 'sampled'.
    notes : tuple of str
        Why numbers are infinite or NaN, if some are, and what helps.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> found = genten.evaluate(genten.cp(X, 2, seed=1), X)
    >>> found.listed.entries, found.all.entries, round(found.fit, 4)
    (24, 32, 0.8903)
    """

    listed: EntryErrors
    all: EntryErrors
    fit: float
    tensor_norm: float
    loss: str | None = None
    zeros: str | None = None
    notes: tuple[str, ...] = ()


def refuse_no_loss(loss: Any, way: str = "") -> None:
    """Complains of what is no word for a loss; `way` says what else there is for a `genten.Loss`.

    Raises
    ------
    TypeError
        With what makes a loss of a function.
    """
    if loss is None or isinstance(loss, str):
        return
    if isinstance(loss, Loss):
        raise TypeError(f"loss: expected a text, got {loss!r}{way}")
    if callable(loss):
        raise TypeError(
            "loss: expected a text or a genten.Loss, got a function; genten.Loss(f, derivative) "
            "makes a loss of a function f(x, m) and its derivative by m"
        )
    if isinstance(loss, (tuple, list)) and loss and callable(loss[0]):
        lower = ", lower=0" if len(loss) == 3 and loss[2] == 0 else ""
        raise TypeError(
            f"loss: expected a text or a genten.Loss, got a {type(loss).__name__} of functions; "
            f"genten.Loss(f, derivative{lower}, name='mine') makes a loss of them"
        )
    name = getattr(loss, "name", None)  # pyttb's objectives are members of an enumeration
    near = nearest_loss(name.lower().replace("_", "-")) if isinstance(name, str) else ""
    raise TypeError(
        f"loss: expected a text, got {loss!r}, or a genten.Loss of functions; texts are "
        f"{', '.join(map(repr, _core.losses()))}{near}"
    )


_LOSSES = {
    "gaussian": ("normal", "mse", "l2", "ls", "least-squares", "frobenius", "euclidean"),
    "poisson": ("count", "counts", "kl", "kullback-leibler"),
    "bernoulli-logit": ("binary", "logistic", "logit", "bernoulli"),
    "negative-binomial": ("nb", "negbin"),
    "huber": ("robust",),
}
"""What others call losses."""

_ABSOLUTE = ("absolute", "l1", "laplace", "mae")
"""What others call the absolute error, which no loss is."""


def nearest_loss(word: Any) -> str:
    """What to say behind the message on a word that is no loss.

    Examples
    --------
    >>> nearest_loss("KL"), nearest_loss("Gausian"), nearest_loss("x")
    ("; did you mean 'poisson'?", "; did you mean 'gaussian'?", '')
    """
    if not isinstance(word, str):
        return ""
    word = word.lower().replace("_", "-")
    if word in _ABSOLUTE:
        return "; 'huber' with a small loss_parameter is near the absolute error"
    meant = [loss for loss, words in _LOSSES.items() if word in words]
    return nearest(meant[0] if meant else word, _core.losses())


def refuse_unknown_loss(word: Any) -> None:
    """Complains of a text that is the name of no loss.

    Raises
    ------
    ValueError
        With all losses, and the nearest of them.
    """
    if word is not None and word not in _core.losses():
        *others, last = map(repr, _core.losses())
        known = f"{', '.join(others)} or {last}"
        raise ValueError(f"loss: expected {known}, got {word!r}{nearest_loss(word)}")


def check_parameter(loss: Any, number: float | None) -> None:
    """Complains of the number of no loss, and of what is no loss.

    Raises
    ------
    TypeError
        For a number without a loss, or beside one of functions.
    """
    if isinstance(loss, Loss):
        if number is not None:
            raise TypeError(
                "loss_parameter: has no effect beside a loss of functions: leave it out"
            )
        return
    refuse_no_loss(loss)
    if loss is None and number is not None:
        raise TypeError("loss_parameter: has no effect without loss")


def own_loss_note(name: str) -> str:
    """What to know of errors of a model whose run had a loss of a caller's own."""
    return (
        f"the loss of the run, {name}, is a function of your own and is not evaluated: errors are "
        "those of the model's values, and loss= takes a loss of the library"
    )


def evaluation_of(found: dict[str, Any], own_loss: str | None = None) -> Evaluation:
    """What the extension has found of a model, whose run had a loss of that name of a caller's own.
    """
    if own_loss is not None:
        found["notes"] = [*found["notes"], own_loss_note(own_loss)]
    found.pop("part", None)  # of which a warning tells
    entries: Any = {name: EntryErrors(**found.pop(name)) for name in ("listed", "all")}
    return Evaluation(**entries, notes=tuple(found.pop("notes")), **found)
