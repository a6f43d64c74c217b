# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What `genten.Stream` and the models' own `update` stand on: a model that goes on while slices of
one mode arrive."""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from ._batch import Batch
from ._files.paths import file_name
from ._files.sidecar import write_sidecar
from ._input import tensor
from ._missing import warn_of_entries
from ._model.ktensor import Ktensor
from ._model.options_again import cp_again
from ._model.run_record import origin_of, run_of
from ._names.alignment import beyond, order_of_modes, warn_of_new_names, warn_of_rows
from ._names.labels import (
    Labels, NumberNames, check_names_to_save, checked_mode, every_mode, like_names, near_to,
    numbered_modes,
)  # fmt: skip
from ._names.lookup import called
from ._names.numbers import some_of
from ._model.row_numbers import counting_from, with_numbers_as_names
from ._options import OptionTable
from ._slices import constraints_of_run, of_one_slice, warn_of_unknown_run
from ._tensor_for import tensor_of
from .convert.parts import warn
from .tensors import Tensor, check_base

_STREAM = OptionTable(_core.stream_options(), "genten.Stream")
_MAY_CHANGE = ("forget", "history", "sweeps")

AnyModel = TypeVar("AnyModel", bound=Ktensor)


def _other_ways(run: Mapping[str, Any], call: str = "project_rows") -> str:
    together = f"{cp_again(run)} all rows from old and new data together"
    return f"{call} finds rows of new slices alone, {together}"


def options_of_run(run: Mapping[str, Any], modes: int, what: str) -> dict[str, Any]:
    """Loss and constraints of a run, as options."""
    loss = run.get("loss") or "gaussian"
    if loss not in ("gaussian", "poisson"):
        raise ValueError(
            f"{what}: no statistics stand for earlier slices under the loss of the run, {loss}: "
            f"expected gaussian or poisson; {_other_ways(run)}, and loss='gaussian' goes on by "
            "least squares"
        )
    # Generalized CP minimizes the whole sum of squares, streams half of it.
    part = 0.5 if loss == "gaussian" and run.get("solver") == "gcp" else 1.0
    each = np.array(constraints_of_run(run, modes)).T * [[part], [part], [1], [1]]
    options: dict[str, Any] = {"loss": loss}
    nothing = {"ridge": 0.0, "l1": 0.0, "lower": -np.inf, "upper": np.inf}
    for (name, none), numbers in zip(nothing.items(), each):
        # Models of counts are nonnegative by themselves.
        if (numbers != none).any() and not (name == "lower" and loss == "poisson"):
            options[name] = numbers.tolist()
    return options


def _of_bytes(kind: Any, content: bytes, rest: Mapping[str, Any]) -> Any:
    """The stream of that class of which `Streaming.save` writes these bytes, and of the rest."""
    stream = kind.__new__(kind)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.gkt"
        path.write_bytes(content)
        stream._core = _core.load_stream(str(path))
    stream.__dict__.update(rest)
    return stream


def _tells_its_shape(X: Any, given: Tensor) -> bool:
    """Whether data, of which `given` is made, say how long modes are, as arrays do; subscripts
    alone, tables and files may end before the last row."""
    if isinstance(X, tuple):
        return len(X) == 3
    return not (given._is_table or isinstance(X, (Tensor, str, os.PathLike)))


def _has_a_shape(X: Any) -> bool:
    """Whether data are a tensor of just that shape: those of subscripts alone, of a table and of a
    text of entries may end before the last row."""
    if not isinstance(X, Tensor) or X._is_table or X._may_end_early:
        return False
    return X.file_facts.get("format") != "frostt"


class Streaming(Generic[AnyModel]):
    """A model that goes on, of the class of the one that it began with."""

    _what = "Stream"
    """What complaints begin with."""

    def _begin(self, model: AnyModel, mode: int | str, training: Any, options: Any) -> None:
        which = checked_mode(mode, model.ndim, model.mode_names)
        loss = options.get("loss") or model.loss or model._run.get("loss")
        run = {**model._run, "loss": loss}
        given = options_of_run(run, model.ndim, self._what) | options
        if "nonnegative" in given:
            named = every_mode(given["nonnegative"], model.mode_names)
            named = [named] if isinstance(named, str) else named
            try:
                given["nonnegative"] = numbered_modes(named, model.ndim, model.mode_names)
            except ValueError as error:
                raise ValueError(f"nonnegative: {error}") from None
        if "missing" in model._run:
            which_ones = "entries" if model._run["missing"] == "listed" else "'unlisted'"
            rows = f"project_rows(X, {mode!r}, missing={which_ones})"
            raise ValueError(
                f"{self._what}: the run had missing entries, which a stream takes for zeros: "
                f"{_other_ways(model._run, rows)}; genten.Model(m.weights, m.factors, m.labels, "
                "m.mode_names), which is the model m without its run, takes entries that new "
                "slices lack for zeros, by which its values are drawn towards zero"
            )
        if not set(options) - {*_MAY_CHANGE, "extra"}:
            warn_of_unknown_run(model, self._what)
        self._core = _core.begin_stream(*model._rows(np.float64), which, _STREAM.checked(given))
        self._keep_names(model)
        if training is not None:
            self._core.train(self._placed(training, None)[1]._core)

    def _keep_names(self, model: AnyModel) -> None:
        self._class = type(model)
        self._labels: Labels = [
            None if each is None else like_names(each, each) for each in model.labels
        ]
        self._mode_names = model.mode_names
        self._shape = list(model.shape)
        self._origin = dict(model._run)

    @property
    def _base(self) -> int | None:
        """What numbers of tables count from that are rows without labels, where that is known."""
        base: int | None = self._origin.get("index_base")
        return base

    def __reduce__(self) -> tuple[Any, ...]:
        """By the bytes of its file, so that a copy goes on with the same bits, and by itself."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stream.gkt")
            self._core.save(path)
            content = Path(path).read_bytes()
        rest = {name: each for name, each in self.__dict__.items() if name != "_core"}
        return _of_bytes, (type(self), content, copy.deepcopy(rest))

    def __repr__(self) -> str:
        shape = " x ".join(str(length) for length in self.model.shape)
        many = f"{self.batches} batch{'' if self.batches == 1 else 'es'}"
        return f"<genten.{type(self).__name__} {shape}, slices of mode {self.mode}, {many}>"

    @property
    def model(self) -> AnyModel:
        """The present model, normalized; where penalties and bounds other than 0 forbid that,
        weights are one."""
        model = self._class(*self._core.model(), self._labels, self._mode_names)
        run = run_of({**self.options, "solver": "stream"}, origin_of(self._origin))
        return model._of_run(run)

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
            model's last one are new, with a warning. New rows count as zeros in earlier slices,
            and rows that the slices lack as zeros in these. What tells its shape, as arrays, must
            have the model's; a `Tensor` may have another one.
        **options
            forget, history and sweeps from now on.

        Returns
        -------
        Batch

        Raises
        ------
        ValueError
            For a tensor of another order, arrays of another shape, labels of slices that are there
            already, and values that the loss does not take. Of the Poisson loss, a warning tells of
            values that are not whole numbers.

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
        given, placed, labels, shape, slices = self._placed(X, self.mode)
        named = slices == "named"
        found = self._core.update(placed._core, None if named else self._base or 0)
        first, doubts = found.pop("first"), found.pop("doubts")
        batch = Batch(**found)
        have = self._shape[self.mode]
        self._labels, self._shape = labels, shape  # Once nothing is refused any more.
        if not named:
            self._warn_of_empty(batch, first, have)
            self._warn_of_again(batch, first, have, slices)
        for doubt in doubts:
            warn(f"{self._what}: {doubt}")
        loss = self.options["loss"]
        warn_of_entries(given, placed, None, loss, self._what, {}, takes_missing=False)
        return batch

    def _placed(
        self, X: Any, arriving: int | None
    ) -> tuple[Tensor, Tensor, Labels, list[int], str]:
        """The tensor, the same with the model's rows and new ones behind them, labels and shape
        of all, and whether slices that arrive are 'named', have the 'numbers' of a table, or
        neither."""
        given = tensor_of(X, self._mode_names, self._origin, self._what, np.float64)
        told = _tells_its_shape(X, given)
        if given.ndim != len(self._shape):
            raise ValueError(
                f"{self._what}: expected a tensor of order {len(self._shape)}, got {given.ndim}"
                f"{of_one_slice(given.shape, self._shape, arriving)}"
            )
        order = order_of_modes(self._mode_names, given.mode_names, self._what)
        check_base(given, self._labels, self._origin, self._what)
        moved = order or list(range(given.ndim))
        own = [self._labels[moved.index(mode)] for mode in range(given.ndim)]
        still = None if arriving is None else moved[arriving]
        given = with_numbers_as_names(given, own, self._what, still)
        if given._is_table:
            given = counting_from(self._base, given, self._what)
        as_given = order is None
        order = list(range(given.ndim)) if order is None else order
        subscripts = given.subscripts
        columns, shape, labels = [], [], list(self._labels)
        slices = "numbers" if given._is_table else ""
        for mode, theirs in enumerate(order):
            column, names = subscripts[:, theirs], given.labels[theirs]
            length, known = given.shape[theirs], labels[mode]
            if mode == arriving:
                labels[mode] = self._labels_of_slices(mode, names, length)
                slices = slices if names is None else "named"
                shape.append(length)
            elif known is not None and names is not None:
                known = like_names(known, known)
                places = {name: row for row, name in enumerate(known)}
                for name in names:
                    if places.setdefault(name, len(known)) == len(known):
                        known.append(name)
                if arriving is not None:
                    self._tell_of_names(mode, known, names)
                rows = np.array([places[name] for name in names], dtype=np.int64)
                column, labels[mode], as_given = rows[column], known, False
                shape.append(len(known))
            elif known is None and names is not None:
                raise ValueError(
                    f"{self._what}: mode {mode}: expected a model with labels, since the tensor's "
                    "rows have some, got one without, whose rows may be in another order"
                )
            elif known is not None and length > len(known):
                raise ValueError(
                    f"{self._what}: mode {mode}: expected labels of new rows, got none"
                )
            else:
                if told and length != self._shape[mode]:
                    self._refuse_shape(given.shape, arriving)
                if arriving is not None:
                    self._tell_of_numbers(X, given, mode, theirs)
                shape.append(max(length, self._shape[mode]))
            columns.append(column)
        if arriving is None and shape != self._shape:
            self._refuse_shape(tuple(shape), arriving)
        # The tensor itself brings what is known of its nonzeros.
        as_given = as_given and shape == list(given.shape)
        parts = None if as_given else (np.stack(columns, axis=1), given.values)
        placed = given if parts is None else tensor(parts, shape=shape)
        if arriving is not None:
            shape[arriving] += self._shape[arriving]
        return given, placed, labels, shape, slices

    def _tell_of_names(self, mode: int, names: Sequence[str], given: Sequence[str]) -> None:
        """Warns of names of another mode that become rows, where no `Batch` tells of them: they may
        be misspelt; and of rows that the names given lack."""
        if self._what != "update":
            return
        have = self._shape[mode]
        place = f"{self._what}: {called(mode, self._mode_names)}"
        self._tell_of_lacking(mode, beyond(names[:have], given))
        if len(names) > have:
            new = list(names[have:])
            rows = "a new row" if len(new) == 1 else f"{len(new)} new rows"
            warn(
                f"{place}: {rows}, of names that the model has not met: "
                f"{some_of(new)}{near_to(new[0], names[:have])}"
            )
            warn_of_new_names(place, names[:have], new)

    def _tell_of_lacking(self, mode: int, lacking: list[str]) -> None:
        """Warns of rows that slices lack, as `project` does: a stream's batches often do."""
        place, names = f"{self._what}: {called(mode, self._mode_names)}", self._mode_names
        partial = mode if names is None else names[mode]
        rows = f"project_rows(X, {self.mode}, partial={partial!r})"
        warn_of_rows(place, lacking, [], f"; {rows} finds rows of its slices without these")

    def _refuse_shape(self, shape: tuple[int, ...], arriving: int | None) -> None:
        """Complains of what tells another shape than the model's: modes may be swapped."""
        if arriving is None:
            raise ValueError(
                f"{self._what}: expected a training tensor of shape {tuple(self._shape)}, got one "
                f"of {shape}"
            )
        raise ValueError(
            f"{self._what}: expected a tensor of shape {tuple(self._shape)} but for mode "
            f"{arriving}, got {shape}; of a Tensor, as genten.tensor(X) makes it, rows behind the "
            "model's last one are new, and those that it lacks are zeros"
        )

    def _tell_of_numbers(self, X: Any, given: Tensor, mode: int, theirs: int) -> None:
        """Warns of rows without labels in another mode, `theirs` of the tensor, that become new,
        and of those that it lacks, but for zero ones. Modes with names are found by these."""
        have, base, length = self._shape[mode], self._base or 0, given.shape[theirs]
        place = f"{self._what}: {called(mode, self._mode_names)}"
        if length > have:
            first, last = have + base, length - 1 + base
            new = f"a new row, {last}" if first == last else f"new rows, {first} to {last}"
            is_named = given.mode_names is not None and self._mode_names is not None
            question = "" if is_named else ": are the modes in the model's order?"
            warn(f"{place}: {new}, where the model has {have} rows{question}")
        elif length < have and _has_a_shape(X):
            warn(
                f"{place}: the tensor has {length} rows, and the model {have}, of which the others "
                "are taken for zeros; are the modes in the model's order? shape= of genten.tensor "
                "says how many rows are meant"
            )
        elif given._is_table and self._what == "update":
            counts: npt.NDArray[np.bool_] = np.any(self._core.model()[1][mode], axis=1)
            counts[given.subscripts[:, theirs]] = False
            self._tell_of_lacking(mode, [str(base + row) for row in np.flatnonzero(counts)])

    def _warn_of_empty(self, batch: Batch, first: int, have: int) -> None:
        """Warns of slices without entries behind the model's, and of more than these: they may be
        numbers of its own, or ids. Single empty ones are no news."""
        used, mode, base = batch.slices - batch.empty, self.mode, self._base or 0
        if not used:
            return
        if first > 0 or batch.empty >= used:
            warn(
                f"{self._what}: {batch.empty} of {batch.slices} slices of mode {mode} become rows "
                f"without entries, slice {base + first} row {base + have + first} of the model: "
                f"in each batch slices count from {base}; if they are ids, make the model "
                "of a tensor's compact(), by which these are names"
            )
        elif batch.slices > have:
            warn(
                f"{self._what}: {batch.slices} slices of mode {mode}, where the model has "
                f"{have}: if these are among them, leave them out, since in each "
                f"batch slices count from {base}, and slice {base} becomes row {base + have} of "
                "the model"
            )

    def _warn_of_again(self, batch: Batch, first: int, have: int, slices: str) -> None:
        """Warns of slices of a table that all have numbers of the model's own, where no `Batch`
        tells of them: they may be given twice. A model that has taken in slices before was told."""
        last, base = batch.slices - 1, self._base or 0
        told = self._what != "update" or self._origin.get("solver") == "stream"
        if told or slices != "numbers" or first > 0 or last >= have:
            return
        row, of_mode = base + have, f"of {called(self.mode, self._mode_names)}"
        they = f"slice {base} {of_mode} becomes row {row}"
        if last:
            they = f"slices {base} to {base + last} {of_mode} become rows {row} to {row + last}"
        warn(
            f"{self._what}: {they} of the model, which has rows of these numbers, too, since "
            f"slices count from {base} in each batch; a model of X.compact() has names for its "
            "slices, and refuses those that it has"
        )

    def _labels_of_slices(
        self, mode: int, names: Sequence[str] | None, length: int
    ) -> Sequence[str] | None:
        known, place = self._labels[mode], f"{self._what}: {called(mode, self._mode_names)}"
        if known is None and names is None:
            return None
        if names is None and isinstance(known, NumberNames):
            raise ValueError(
                f"{place}: the model knows its slices by numbers as names, and numbers in arrays "
                "are rows; give a table, or labels"
            )
        base, have = self._base or 0, self._shape[mode]
        there = list(known or map(str, range(base, base + have)))
        new = list(names or map(str, range(base + have, base + have + length)))
        earlier = set(there)
        if again := [name for name in new if name in earlier]:
            are = f"slice{'s' * (len(again) > 1)} {some_of(again)} {'are' if again[1:] else 'is'}"
            raise ValueError(
                f"{place}: {are} there already: expected new ones alone; "
                f"{cp_again(self._origin)} fits all data again"
            )
        if known is not None and names is not None:
            warn_of_new_names(place, there, new)
        return like_names(names or () if known is None else known, there + new)

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
        write_sidecar(
            name, model.shape, model.labels, model.mode_names, self._base, model._run
        )
