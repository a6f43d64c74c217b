# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What models say of single entries."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._files.sidecar import warn_of_unknown_loss
from ._model.evaluation import refuse_no_loss
from ._model.ktensor import Ktensor
from ._model.lookup import values_of
from ._model.residuals import check_kind, residuals_of
from ._names.alignment import warn_of_text_base
from ._names.lookup import Rows, nothing_known, subscripts_of
from ._model.own_loss import Loss
from ._tensor_for import require_own_entries, tensor_for
from .convert import arrow, frames
from .tensors import Tensor, beside, require_shape


def predicted(model: Any, subscripts: Any) -> npt.NDArray[np.float64]:
    """The values of a model of either kind at entries, as `Model.predict` takes them.

    Raises
    ------
    FileNotFoundError
        For the path of no file.
    TypeError
        For the path of a file, and for what else is none of these.
    ValueError
        For subscripts and labels that no entry has.
    """
    if isinstance(subscripts, (str, os.PathLike)):
        os.stat(subscripts)  # that there is no such file is said first
        path, form = os.fspath(subscripts), arrow.file_form(subscripts)
        reader = {None: "read_csv", "parquet": "read_parquet"}.get(form, "read_feather")
        raise TypeError(
            "predict: expected subscripts, a table or tuples of labels, got a path: "
            f"pandas.{reader}({path!r}) reads a table of them"
            + (", and genten predict takes files" if form is None else "")
        )
    base = model._run.get("index_base")
    subscripts = arrow.as_frame(subscripts)
    if isinstance(subscripts, Tensor):
        given = beside(model, subscripts, "predict", warns=False)
        entries, of_table = given._checked().subscripts, given._is_table
        if of_table and given.ndim == model.ndim:  # Rows that are zero were told.
            return np.asarray(model._values_at(entries), dtype=np.float64)
        if given.ndim == model.ndim and not of_table:
            way = "model.predict(X.subscripts + first) predicts for a part X that begins at first"
            require_shape(given, model.shape, "predict", f"; {way}")
    else:
        known = Rows(model.shape, model.labels, model.mode_names, base, nothing_known(model))
        entries, of_table = subscripts_of(subscripts, known), frames.accepts(subscripts)
    if of_table:
        warn_of_text_base(model._run, model.labels, subscripts, "predict")
    if entries.size == 0 and entries.ndim < 2:
        return np.empty(0)
    return values_of(model, entries, "predict", (base or 0) if of_table else 0)


class Predicting(Ktensor):
    """A model with values at entries, and what is to be expected there."""

    def predict(
        self,
        subscripts: Any,
        loss: str | Loss | None = None,
        loss_parameter: float | None = None,
    ) -> npt.NDArray[np.float64]:
        """The model's values at entries of the tensor, or the values to be expected there.

        Parameters
        ----------
        subscripts : array of shape (entries, N), table, list of tuples, or Tensor
            Counted from 0; or a table of pandas, polars, pyarrow or DuckDB with columns of the
            modes' names (N columns in their order where these have none); or tuples of labels.
            Labels are looked up as texts, numbers of a table's columns too where their mode has
            labels; times by any form of the same one, as dates of Python or Timestamps of pandas.
            Of a tensor the entries that it lists, in the order of its ``subscripts``; modes and
            rows go by their names as those of `Model.evaluate` do. A warning tells of rows that are
            zero, as those of ids that the data do not have.
        loss : str, optional
            What the model minimizes, a word of `genten.cp`, by default its `loss`: then values to
            be expected are returned, which are others where the model is no mean: probabilities of
            1 under losses of 0 and 1, exp(m) under 'poisson-log', r m under 'negative-binomial'.
            'gaussian' gives the model's own values, and so does a `genten.Loss`, of which nobody
            knows what is to be expected.
        loss_parameter : float, optional
            The number of a loss that has one.

        Returns
        -------
        ndarray of shape (entries,)

        Raises
        ------
        TypeError
            For a parameter of a loss that has none, and for the path of a file.
        ValueError
            For subscripts and labels that no entry has, and for a loss that there is not.

        Examples
        --------
        >>> import genten, numpy as np
        >>> factors = [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])]
        >>> m = genten.Model([2.0], factors, labels=[["tea", "milk"], None])
        >>> m.predict([[0, 0], [0, 1], [1, 1]])
        array([1., 2., 0.])
        >>> m.predict([("tea", 0), ("tea", 1), ("milk", 1)])
        array([1., 2., 0.])
        >>> m.predict([[0, 0], [0, 1]], loss="bernoulli-odds")
        array([0.5       , 0.66666667])
        """
        loss, loss_parameter = self._loss_of(loss, loss_parameter)
        values = predicted(self, subscripts)
        warn_of_unknown_loss(self._run, loss, "predict")
        if loss is None or isinstance(loss, Loss):
            return values
        return _core.loss_means(loss, loss_parameter, values)

    def residuals(
        self,
        X: Any,
        kind: str = "response",
        loss: str | None = None,
        loss_parameter: float | None = None,
    ) -> npt.NDArray[np.float64]:
        """What the model leaves of a tensor's nonzeros: by nonzero, its value minus the one that is
        to be expected there, as `predict` says it.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Of the model's shape, with one nonzero an entry: see `Tensor.coalesce`. Modes and rows
            go by their names, as those of `Model.evaluate` do.
        kind : {'response', 'pearson', 'deviance'}
            That difference itself, or divided by the standard deviation that the loss's
            distribution has there, or the square root of what the entry adds to the deviance, with
            the sign of the difference. Of least squares all are the same.
        loss : str, optional
            As of `predict`, by default the model's: 'gaussian' means the value minus the model's
            own, also where that is a logarithm or odds.
        loss_parameter : float, optional
            The number of a loss that has one.

        Returns
        -------
        ndarray of shape (nnz,)
            In the order of ``X.subscripts``. Entries without nonzeros, which are zero, are not
            among them.

        Raises
        ------
        TypeError
            For a parameter of a loss that has none.
        ValueError
            For another shape, where several nonzeros have the same subscripts, for another kind,
            and for 'pearson' under 'weighted', 'huber' and 'beta', which have no distribution.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.residuals(np.array([[1.5, 2.0], [0.0, 3.0]]))
        array([0.5, 0. , 3. ])
        >>> counts = np.array([[3, 4]])
        >>> m = genten.Model([1.0], [np.ones((1, 1)), np.array([[1.0], [4.0]])])
        >>> m.residuals(counts, "pearson", loss="poisson")
        array([2., 0.])
        """
        loss, loss_parameter = self._loss_of(loss, loss_parameter)
        refuse_no_loss(loss, "; x - m.predict(X) is what the model leaves")
        warn_of_unknown_loss(self._run, loss, "residuals")
        check_kind(kind, loss)
        given = beside(self, tensor_for(self, X, "residuals"), "residuals")
        require_shape(given, self.shape, "residuals")
        require_own_entries(given, X, self._run, "residuals")
        if given.nnz == 0:
            return np.empty(0)
        values = np.asarray(given._checked().values, dtype=np.float64)
        models = self._values_at(given.subscripts)
        return residuals_of(kind, values, models, loss, loss_parameter)
