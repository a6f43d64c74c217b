# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP models that go on while slices of one mode arrive."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _library
from ._files.models import read_model
from ._files.paths import file_name
from ._files.sidecar import write_sidecar
from ._input import tensor
from ._names.alignment import order_of_modes
from ._names.labels import Labels, check_names_to_save, checked_mode
from ._options import OptionTable
from ._slices import constraints_of_run
from .model import Model
from .result import Result
from .tensors import Tensor

if TYPE_CHECKING:
    from typing_extensions import Self

_STREAM = OptionTable(_core.stream_options())
_MAY_CHANGE = ("forget", "history", "sweeps")


@dataclass(frozen=True)
class Batch:
    """What became of a batch of slices.

    Attributes
    ----------
    slices, nonzeros : int
    new_rows : list of int
        By mode; of the streaming mode its slices.
    tensor_norm, residual_norm : float
        Of the batch, and of what the model leaves of it.
    fit : float
        1 - residual_norm / tensor_norm.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns").to_dense()
    >>> stream = genten.Stream(genten.cp(X[:, :, :4], 1).model, mode=2)
    >>> batch = stream.update(X[:, :, 4:])
    >>> batch.slices, batch.new_rows, 0 < batch.fit < 1
    (2, [0, 0, 2], True)
    """

    slices: int
    nonzeros: int
    new_rows: list[int]
    tensor_norm: float
    residual_norm: float
    fit: float


def _loss_of_model(model: Model) -> dict[str, Any]:
    if model.loss not in (None, "gaussian", "poisson"):
        raise ValueError(
            "Stream: no statistics stand for earlier slices under the loss of the model, "
            f"{model.loss}: expected gaussian or poisson; Model.project_rows finds rows of new "
            "slices alone, genten.cp(..., init=model) all rows from all data, and Stream(model, "
            "..., loss='gaussian') goes on by least squares"
        )
    return {} if model.loss is None else {"loss": model.loss}


def _options_of_run(result: Result) -> dict[str, Any]:
    run = result.options
    loss = run.get("loss") or "gaussian"
    others = (
        "; Result.project_rows finds rows of new slices alone, genten.cp(..., init=model) all rows "
        "from all data, and Stream(result.model, ..."
    )
    if loss not in ("gaussian", "poisson"):
        raise ValueError(
            f"Stream: no statistics stand for earlier slices under the loss of the run, {loss}: "
            f"expected gaussian or poisson{others}, loss='gaussian') goes on by least squares"
        )
    if run.get("missing") is not None:
        raise ValueError(
            "Stream: the run had missing entries, which a stream takes for zeros: expected a run "
            f"without{others}) goes on without what the run was asked"
        )
    # Generalized CP minimizes the whole sum of squares, streams half of it.
    part = 0.5 if loss == "gaussian" and run.get("solver") == "gcp" else 1.0
    each = np.array(constraints_of_run(run, result.model.ndim)).T * [[part], [part], [1], [1]]
    options: dict[str, Any] = {"loss": loss}
    nothing = {"ridge": 0.0, "l1": 0.0, "lower": -np.inf, "upper": np.inf}
    for (name, none), numbers in zip(nothing.items(), each):
        # Models of counts are nonnegative by themselves.
        if (numbers != none).any() and not (name == "lower" and loss == "poisson"):
            options[name] = numbers.tolist()
    return options


class Stream:
    """A CP model that goes on while slices of one mode arrive, as ``genten update`` does.

    Beside the model stand statistics as large as its other factors, no entries of earlier slices
    but for `history`: memory does not grow with time, but for the factor of `mode`.

    Parameters
    ----------
    model : Model or Result
        That goes on; it is not changed. Of a result the loss and the constraints of its run are the
        defaults of those options, of a model its `loss` is that of `loss`.
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
        For options that mean nothing or are out of range, a model beyond its bounds, a model
        or result of another loss than these, and the result of a run with missing entries.

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
            options = _options_of_run(model) | options
            model = model.model
        if not isinstance(model, Model):
            raise TypeError(f"Stream: expected a Model or a Result, got {type(model).__name__}")
        if "loss" not in options:
            options = _loss_of_model(model) | options
        which = checked_mode(mode, model.ndim, model.mode_names)
        given = _STREAM.checked(options)
        self._core = _library.begin_stream(*model._rows(np.float64), which, given)
        self._labels: Labels = [None if each is None else list(each) for each in model.labels]
        self._mode_names = model.mode_names
        self._shape = list(model.shape)
        if training is not None:
            _library.train_stream(self._core, self._placed(training, None)[0]._core)

    @property
    def model(self) -> Model:
        """The present model: weights one, the sizes of components in the rows of `mode`."""
        model = Model(*self._core.model(), self._labels, self._mode_names)
        return model._of_run((self.options["loss"], None))

    @property
    def mode(self) -> int:
        """The mode in which slices arrive, counted from 0."""
        return int(self._core.mode)

    @property
    def batches(self) -> int:
        """How many batches have arrived."""
        return int(self._core.batches)

    @property
    def options(self) -> dict[str, Any]:
        """The options, by their names."""
        return dict(self._core.options)

    def update(self, X: Any, **options: Any) -> Batch:
        """Takes in new slices, which follow those of the model.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Where both have names of modes or labels of rows, they go by these, and labels that the
            model lacks become new rows; else rows go by their numbers, and those behind the
            model's last one are new.
        **options
            forget, history and sweeps from now on.

        Returns
        -------
        Batch

        Raises
        ------
        ValueError
            For a tensor of another order, for labels of slices that are there already, and for
            values that the loss does not take.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns").to_dense()
        >>> stream = genten.Stream(genten.cp(X[:, :, :4], 1).model, mode=2)
        >>> for department in (4, 5):
        ...     batch = stream.update(X[:, :, department : department + 1], sweeps=2)
        >>> stream.model.shape, stream.batches
        ((2, 2, 6), 2)
        """
        other = [name for name in options if name not in _MAY_CHANGE]
        if other:
            raise TypeError(f"update: expected {', '.join(_MAY_CHANGE)}, got {other[0]}")
        if options:
            now = {name: self.options[name] for name in _MAY_CHANGE} | _STREAM.checked(options)
            self._core.set_options(now["forget"], now["history"], now["sweeps"])
        placed, labels, shape = self._placed(X, self.mode)
        batch = Batch(**_library.update_stream(self._core, placed._core))
        self._labels, self._shape = labels, shape  # Once nothing is refused any more.
        return batch

    def _placed(self, X: Any, arriving: int | None) -> tuple[Tensor, Labels, list[int]]:
        """The tensor with the model's rows, new ones behind them, and labels and shape of all."""
        given = tensor(X, dtype=np.float64)
        if given.ndim != len(self._shape):
            raise ValueError(
                f"Stream: expected a tensor of order {len(self._shape)}, got {given.ndim}"
            )
        order = order_of_modes(self._mode_names, given.mode_names, "Stream")
        order = list(range(given.ndim)) if order is None else order
        columns, shape, labels = [], [], list(self._labels)
        for mode, theirs in enumerate(order):
            column, names = given.subscripts[:, theirs], given.labels[theirs]
            length, known = given.shape[theirs], labels[mode]
            if mode == arriving:
                labels[mode] = self._labels_of_slices(mode, names, length)
                shape.append(length)
            elif known is not None and names is not None:
                known = list(known)
                places = {name: row for row, name in enumerate(known)}
                for name in names:
                    if places.setdefault(name, len(known)) == len(known):
                        known.append(name)
                rows = np.array([places[name] for name in names], dtype=np.int64)
                column, labels[mode] = rows[column], known
                shape.append(len(known))
            elif known is not None and length > len(known):
                raise ValueError(f"Stream: mode {mode}: expected labels of new rows, got none")
            else:
                shape.append(max(length, self._shape[mode]))
            columns.append(column)
        if arriving is None and shape != self._shape:
            raise ValueError(
                f"Stream: expected a training tensor of shape {tuple(self._shape)}, got one of "
                f"{tuple(shape)}"
            )
        placed = tensor((np.stack(columns, axis=1), given.values), shape=shape)
        if arriving is not None:
            shape[arriving] += self._shape[arriving]
        return placed, labels, shape

    def _labels_of_slices(
        self, mode: int, names: Sequence[str] | None, length: int
    ) -> Sequence[str] | None:
        known = self._labels[mode]
        if known is None and names is None:
            return None
        there = list(known or map(str, range(self._shape[mode])))
        new = list(names or map(str, range(len(there), len(there) + length)))
        again = set(there) & set(new)
        if again:
            raise ValueError(f"Stream: mode {mode}: slice {min(again)!r} is there already")
        return there + new

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes model and statistics (.gkt), for `load`, ``genten update``, and all that reads
        models. The stream then goes on with the bits of one that was not interrupted.

        Parameters
        ----------
        path : path
            A name that ends in .gkt.

        Raises
        ------
        ValueError
            For a name with another ending.
        OSError
            For a file that cannot be written.

        Examples
        --------
        >>> import genten, os, tempfile
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns").to_dense()
        >>> stream = genten.Stream(genten.cp(X[:, :, :4], 1).model, mode=2)
        >>> batch = stream.update(X[:, :, 4:])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     stream.save(os.path.join(folder, "stream.gkt"))
        ...     genten.load(os.path.join(folder, "stream.gkt")).shape
        (2, 2, 6)
        """
        name = file_name(path)
        if not name.endswith(".gkt"):
            raise ValueError(f"{name}: expected a name that ends in .gkt")
        model = self.model
        check_names_to_save(model.labels, model.shape, model.mode_names, name)
        self._core.save(name)
        loss = (model.loss, model.loss_parameter)
        write_sidecar(name, model.shape, model.labels, model.mode_names, loss=loss)

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
        stream._core = _library.load_stream(file_name(path))
        _, weights, factors, labels, mode_names, _ = read_model(path, None, None, np.float64)
        model = Model(weights, factors, labels, mode_names)
        stream._labels = [None if each is None else list(each) for each in model.labels]
        stream._mode_names = model.mode_names
        stream._shape = list(model.shape)
        return stream
