# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`cp` on the processes of a communicator of mpi4py."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

import numpy as np

from .. import _core
from .._files.paths import file_name
from .._files.sidecar import Sidecar, read_sidecar
from .._input import tensor
from .._model.run_record import entry_facts, table_base
from .._names.labels import Labels
from ..convert.parts import AnyArray, warn
from ..tensors import Tensor
from .initial_guess import NVECS
from .request import Request, Run, check_names, without_aliases
from .seeds import is_generator

MOST_PACKED = 1 << 16
"""Bytes of an exception that goes from one process to the others; of longer ones its words do."""
NOTHING_ELSE = "runs on one process: not yet there beside comm"


def has_others(comm: Any) -> bool:
    """Whether a communicator has other processes than this one.

    Raises
    ------
    TypeError
        For what is no communicator of mpi4py with one group of processes.
    RuntimeError
        Where MPI does not run.
    """
    mpi = sys.modules.get("mpi4py.MPI")  # Nobody has a communicator without it.
    if mpi is None or not isinstance(comm, mpi.Comm):
        raise TypeError(f"comm: expected a communicator of mpi4py, got {comm!r}")
    if not mpi.Is_initialized() or mpi.Is_finalized():
        raise RuntimeError("comm: MPI does not run")
    if comm == mpi.COMM_NULL:
        raise TypeError("comm: expected a communicator, got MPI.COMM_NULL")
    if comm.Is_inter():
        raise TypeError("comm: expected processes of one group, got an intercommunicator")
    return int(comm.Get_size()) > 1


@dataclass
class WholeTensor:
    """What this process knows of the tensor that all have together, in place of a `Tensor`."""

    shape: tuple[int, ...]
    nnz: int
    dtype: np.dtype[Any]
    values: AnyArray
    labels: Labels
    mode_names: Sequence[str] | None
    source: str | None
    file_facts: dict[str, Any]
    _is_counted: bool = True
    _is_table: bool = False

    @property
    def ndim(self) -> int:
        """Number of modes."""
        return len(self.shape)

    @property
    def distinct_subscripts(self) -> int:
        """How many distinct subscripts nonzeros have; duplicates have been added up."""
        return int(self.file_facts["distinct_subscripts"])

    @property
    def density(self) -> float:
        """Share of entries with nonzeros."""
        elements = float(np.prod([float(length) for length in self.shape]))
        return self.distinct_subscripts / elements if elements else 0.0

    def astype(self, dtype: Any) -> WholeTensor:
        """Itself: all of it is in the type of the computation."""
        return self

    def coalesce(self) -> WholeTensor:
        """Itself: `values` are the least and the largest of the sums already."""
        return self


def _digest(names: Any) -> str:
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:12]


def _of_labels(X: Tensor | None) -> str:
    """What tells the labels of a process from those of others; "" of a process without nonzeros."""
    if X is None:
        return ""
    labels = [None if names is None else list(names) for names in X.labels]
    if all(names is None for names in labels) and X.mode_names is None:
        return "none"
    names = None if X.mode_names is None else list(X.mode_names)
    return f"some of digest {_digest([labels, names])}"


class _Process:
    """What the extension asks a process for, step by step."""

    def __init__(self, request: Request, X: Any, path: str, grid: Any) -> None:
        self.request = request
        self.run: Run | None = None
        self.whole: WholeTensor | None = None
        self._given = X
        self._path = path
        self._grid = grid
        self._part: Tensor | None = None
        self._beside: Sidecar | None = None
        self._first = False

    def begin(self, first: bool) -> dict[str, Any]:
        """What this process brings, and what must be the same on all."""
        self._first = first
        request = self.request
        self._refuse()
        check_names(request.options)
        grid = [] if self._grid is None else _checked_grid(self._grid)
        if self._given is not None and not self._path:
            self._part = tensor(self._given)
        if self._path and first:
            self._beside = read_sidecar(self._path)
        dtype = request.saved_dtype() if first else request.dtype
        if dtype is not None and np.dtype(dtype) not in (np.float32, np.float64):
            raise ValueError(f"dtype: expected float32 or float64, got {dtype!r}")
        return {
            "tensor": None if self._part is None else self._part._core,
            "dtype": "" if dtype is None else str(np.dtype(dtype)),
            "grid": grid,
            "lengths_beside": [] if self._beside is None else list(self._beside.shape),
            "base_beside": -1 if self._beside is None else self._base_beside(),
            "same": self._same(grid),
        }

    def _base_beside(self) -> int:
        base = None if self._beside is None else self._beside.index_base
        return -1 if base is None else base

    def _refuse(self) -> None:
        request = self.request
        if request.missing is not None:
            raise ValueError(f"missing: {NOTHING_ELSE}")
        if request.loss not in (None, "gaussian"):
            raise ValueError(f"loss={request.loss!r}: {NOTHING_ELSE}")
        if request.solver not in (None, "als"):
            raise ValueError(f"solver={request.solver!r}: {NOTHING_ELSE}")
        if self._first and request.resume is not None and request.saved["solver"] != "als":
            raise ValueError(f"resume: a checkpoint of a run like its {NOTHING_ELSE}")
        if isinstance(request.init, str) and request.init == NVECS:
            raise ValueError(f"init={NVECS!r}: {NOTHING_ELSE}")
        for name in ("standard_errors", "bootstrap"):
            if request.options.get(name):
                raise ValueError(f"{name}: {NOTHING_ELSE}")

    def _same(self, grid: list[int]) -> list[tuple[str, str]]:
        """What must be the same on all processes, by name; "" where this one does not care."""
        request = self.request
        said = {
            "X": f"the file {self._path!r}" if self._path else "nonzeros",
            "rank": repr(request.rank),
            "device": repr(request.device),
            "dtype": repr(None if request.dtype is None else str(np.dtype(request.dtype))),
            "grid": repr(grid),
            "labels": "" if self._path else _of_labels(self._part),
        }
        options = without_aliases(request.options)
        for name, value in options.items():
            if value is not None:  # What is drawn, process 0 draws.
                said[name] = type(value).__name__ if is_generator(value) else repr(value)
        return [(name, text.replace("\0", "\\0")) for name, text in said.items()]

    def prepare(self, facts: dict[str, Any]) -> dict[str, Any]:
        """On process 0 all that the solver takes, now that the tensor is known."""
        self.whole = self._known(facts)
        given = cast(Tensor, self.whole)
        if not self._first:
            return {}
        if facts["repeated"]:
            warn(
                "X: every process has brought the same nonzeros, and they are added up: each is to "
                "bring a part, or all the name of one file"
            )
        self.run = run = self.request.run(given)
        return {
            **entry_facts(given if self._part is None else self._part),
            "options": run.settled["options"],
            "weights": run.weights,
            "factors": run.factors,
            "resume": self.request.resumed,
            "callback": run.observer(),
            "checkpoint": run.checkpoint(),
            "checkpoint_every": run.checkpoint_every(),
            "keep_starts": bool(self.request.keep_starts),
        }

    def _known(self, facts: dict[str, Any]) -> WholeTensor:
        shape = tuple(facts["shape"])
        values = np.array([facts["least"], facts["most"]])
        whole = WholeTensor(
            shape,
            facts["nnz"] + facts["summed"],
            np.dtype(facts["dtype"]),
            values[:0] if facts["nnz"] == 0 else values,
            [None] * len(shape),
            None,
            self._path or None,
            {"distinct_subscripts": facts["nnz"]},
        )
        if self._path:
            # As of what `read` returns, duplicates are not counted among the nonzeros.
            whole.nnz = facts["nnz"]
            known = "duplicates", "format", "index_base"
            whole.file_facts |= {name: facts[name] for name in known}
            self._name_by_file(whole, facts)
        elif self._part is not None:
            whole.labels, whole.mode_names = self._part.labels, self._part.mode_names
            whole.file_facts["table_base"] = table_base(self._part)
        return whole

    def _name_by_file(self, whole: WholeTensor, facts: dict[str, Any]) -> None:
        beside, base = self._beside, facts["index_base"]
        if beside is None:
            return
        if facts["format"] == "binary":  # it counts from nowhere
            base = whole.file_facts["table_base"] = beside.index_base
        if not beside.fits(whole.shape, base):
            return
        whole.labels, whole.mode_names = list(beside.labels), beside.mode_names
        whole.file_facts["labels_beside"] = True
        if beside.table_base is not None:
            whole.file_facts["table_base"] = beside.table_base

    def packed(self, error: BaseException) -> bytes:
        """An exception for the other processes."""
        return _packed(error)

    def raise_theirs(self, packed: bytes, process: int) -> NoReturn:
        """Raises what another process has raised."""
        _raise_theirs(packed, process)


def _packed(error: BaseException) -> bytes:
    """An exception as bytes, or its words where it does not go into some."""
    with contextlib.suppress(Exception):
        packed = pickle.dumps(error)
        if len(packed) <= MOST_PACKED and type(pickle.loads(packed)) is type(error):
            return packed
    return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"[:MOST_PACKED]))


def _raise_theirs(packed: bytes, process: int) -> NoReturn:
    theirs: Any
    try:
        theirs = pickle.loads(packed)
    except Exception:  # Not even its words could be sent.
        theirs = RuntimeError("something that has no words")
    if hasattr(theirs, "add_note"):
        theirs.add_note(f"raised on process {process}")
    raise theirs


def _checked_grid(grid: Any) -> list[int]:
    try:
        layers = [int(each) for each in grid]
    except (TypeError, ValueError):
        raise TypeError(f"grid: expected layers by mode, got {grid!r}") from None
    if min(layers, default=0) < 1 or isinstance(grid, (str, bytes)):
        raise ValueError(f"grid: expected layers of at least 1 by mode, got {grid!r}")
    return layers


def _ready(comm: Any, X: Any) -> tuple[int, str, str]:
    """Address of the communicator, its MPI, and the path of a file or "", once all processes are
    ready to take part. They tell each other by mpi4py's means: nobody knows yet whether ours will
    do.
    """
    mpi = sys.modules["mpi4py.MPI"]
    own: Exception | None = None
    address, library, path = mpi._addressof(comm), mpi.Get_library_version(), ""
    try:
        path = file_name(X, "X") if isinstance(X, (str, os.PathLike)) else ""
        trouble = _core.trouble_of_processes(address, library)
        if trouble:
            raise RuntimeError(f"comm: {trouble}")
    except Exception as error:
        own = error
    for process, packed in enumerate(comm.allgather(None if own is None else _packed(own))):
        if packed is not None:
            if own is not None:
                raise own
            _raise_theirs(packed, process)
    return address, library, path


def cp_on_processes(
    comm: Any, X: Any, request: Request, grid: Any
) -> tuple[dict[str, Any], Tensor, dict[str, Any]]:
    """`cp` where `has_others(comm)`, up to its result: `Run.outcome`. All processes call it."""
    address, library, path = _ready(comm, X)
    process = _Process(request, X, path, grid)
    raw: dict[str, Any] = {}
    try:
        raw = _core.cp_als_on_processes(address, library, path, str(request.device), process)
    finally:
        if process.run is not None:
            process.run.close(raw)
    whole = cast(Tensor, process.whole)
    run = process.run if process.run is not None else Run(request, whole, {}, {}, None, None)
    return run.outcome(raw, whole)
