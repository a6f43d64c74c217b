# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP models that go on while slices of one mode arrive."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._files.models import read_model
from ._files.paths import file_name
from ._options import knowing_keywords_of_methods
from ._pyttb_names import hint_of_models
from ._streaming import Streaming
from ._tucker.result import TuckerResult
from .convert.pyttb import way_of_model
from .model import Model
from .result import Result
from .tucker_model import TuckerModel

if TYPE_CHECKING:
    from typing_extensions import Self


@knowing_keywords_of_methods
class Stream(Streaming[Model]):
    """A CP model that goes on while slices of one mode arrive, as ``genten update`` does.

    Beside the model stand statistics as large as its other factors, no entries of earlier slices
    but for `history`: memory does not grow with time, but for the factor of `mode`.

    Parameters
    ----------
    model : Model or Result
        That goes on; it is not changed. Loss and constraints of the run that made it are the
        defaults of those options, as far as they are known.
    mode : int or str
        In which slices arrive: counted from 0, or its name.
    training : Tensor, or what `genten.tensor` takes, optional
        What the model was fitted to: exact statistics where the fit had not converged or was
        constrained, and the first batch of the history.
    **options
        forget, history, sweeps, loss ('gaussian' or 'poisson'), nonnegative, ridge, l1, lower and
        upper: as of ``genten update``.

    Raises
    ------
    TypeError, ValueError
        For options that mean nothing or are out of range, a model beyond its bounds, and a model
        or result of another loss than these or of a run with missing entries.

    Examples
    --------
    >>> import genten, numpy as np
    >>> X = genten.read("data/il2-response/il2-response.tns.zst").to_dense()
    >>> warm = genten.cp(X[:, :, :6], 3, tolerance=1e-8, max_iterations=1000)
    >>> stream = genten.Stream(warm.model, mode=2, sweeps=5)
    >>> for dose in range(6, 12):
    ...     batch = stream.update(X[:, :, dose : dose + 1])
    >>> stream.model.shape, stream.model.evaluate(X).fit > 0.6
    ((13, 4, 12, 8), True)
    """

    def __init__(
        self, model: Model | Result, mode: int | str, *, training: Any = None, **options: Any
    ) -> None:
        if isinstance(model, Result):
            model = model.model
        if not isinstance(model, Model):
            is_tucker = isinstance(model, (TuckerModel, TuckerResult))
            way = f"; {hint_of_models(model, 'update')}" if is_tucker else way_of_model(model)
            kind = type(model).__name__
            raise TypeError(f"Stream: expected a Model or a Result, got {kind}{way}")
        self._begin(model, mode, training, options)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """What `save` or ``genten update`` has written.

        Parameters
        ----------
        path : path

        Returns
        -------
        Stream

        Raises
        ------
        OSError
            For a file that is absent, damaged, or no stream's.

        Examples
        --------
        >>> import genten, os, tempfile
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns").to_dense()
        >>> stream = genten.Stream(genten.cp(X[:, :, :4], 1).model, mode=2)
        >>> batch = stream.update(X[:, :, 4:5])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     stream.save(os.path.join(folder, "stream.gkt"))
        ...     again = genten.Stream.load(os.path.join(folder, "stream.gkt"))
        >>> batch = again.update(X[:, :, 5:])
        >>> again.model.shape, again.batches
        ((2, 2, 6), 2)
        """
        stream = cls.__new__(cls)
        stream._core = _core.load_stream(file_name(path))
        _, *arrays, run = read_model(path, None, None, np.float64)
        found: list[Any] = arrays
        stream._keep_names(Model(*found)._of_run(run))
        return stream
