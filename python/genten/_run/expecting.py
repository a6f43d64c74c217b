# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What results say of single entries."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..model import Model


class Expecting:
    """A result with values to be expected."""

    model: Model | Any
    options: dict[str, Any]

    def predict(self, subscripts: Any) -> npt.NDArray[np.float64]:
        """The values to be expected at entries of the tensor: those of the model or, where its loss
        says that they are no means, what they stand for, as probabilities under losses of 0 and 1.

        Parameters
        ----------
        subscripts : array of shape (entries, N), table, or list of tuples
            As of `Model.predict`.

        Returns
        -------
        ndarray of shape (entries,)

        Raises
        ------
        ValueError
            For subscripts and labels that no entry has.

        Examples
        --------
        >>> import genten, numpy as np
        >>> r = genten.cp(np.eye(3) > 0, 1, loss="bernoulli-logit", seed=1)
        >>> bool((r.predict([[0, 0], [0, 1]]) < 1).all())
        True
        """
        loss = self.options["loss"]
        if loss not in _core.losses():  # of functions that know no means
            loss = None
        found: npt.NDArray[np.float64] = self.model.predict(
            subscripts, loss, self.options.get("loss_parameter")
        )
        return found
