# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What models say of single entries."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .ktensor import Ktensor
from .lookup import predicted


class Predicting(Ktensor):
    """A model with values at entries, and what is to be expected there."""

    def predict(
        self, subscripts: Any, loss: str | None = None, loss_parameter: float | None = None
    ) -> npt.NDArray[np.float64]:
        """The model's values at entries of the tensor, or the values to be expected there.

        Parameters
        ----------
        subscripts : array of shape (entries, N), table, or list of tuples
            Counted from 0; or a table of pandas or polars with columns of the modes' names (N
            columns in their order where these have none); or tuples of labels. Labels are looked up
            as texts, numbers of a table's columns too where their mode has labels; times by any
            form of the same one, as dates of Python or Timestamps of pandas. A warning tells of
            rows that are zero, as those of ids that the data do not have.
        loss : str, optional
            What the model minimizes, a word of `genten.cp`, by default its `loss`: then values to
            be expected are returned, which are others where the model is no mean: probabilities of
            1 under losses of 0 and 1, exp(m) under 'poisson-log', r m under 'negative-binomial'.
            'gaussian' gives the model's own values.
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
        if isinstance(subscripts, (str, os.PathLike)):
            raise TypeError(
                "predict: expected subscripts, a table or tuples of labels, got a path: "
                f"pandas.read_csv({os.fspath(subscripts)!r}) reads a table of them, and genten "
                "predict takes files"
            )
        loss, loss_parameter = self._loss_of(loss, loss_parameter)
        values = predicted(self, subscripts)
        return values if loss is None else _core.loss_means(loss, loss_parameter, values)
