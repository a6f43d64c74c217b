# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What ``genten decompose --json`` or ``genten tucker --json`` wrote, as a result."""

import json
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from ..describe import ModelLike, lengths_of, tucker_of

SAME_WEIGHTS = 1e-6
"""By which part weights, or the norm of a core, may differ that were written twice, in a text of
few digits too."""
MOST_WEIGHTS = 3
"""Weights that a message shows, of each side."""


class Recorded:
    """A run that the command-line tool recorded: the JSON's fields, and the model beside them.

    Fields have the names of `genten.Result`; history is by column. What the JSON holds beyond that
    (tensor, versions, machine, date, ...) is there by its name in the JSON.

    Examples
    --------
    >>> record = {"fit": 0.89, "stop_reason": "converged", "iterations": 9, "machine": "mine"}
    >>> run = Recorded(None, record)
    >>> run.fit, run.machine, run.starts
    (0.89, 'mine', [])
    """

    def __init__(self, model: Any, record: dict[str, Any]) -> None:
        self.model = model
        self.fit = float(record["fit"])
        self.stop_reason = str(record["stop_reason"])
        self.iterations = int(record["iterations"])
        self.best_start = int(record.get("best_start", 1)) - 1
        self.starts: list[dict[str, Any]] = [_numbers(one) for one in record.get("starts", [])]
        records = [_numbers(one) for one in record.get("history", [])]
        names = {"residual": "residual_norm"}
        self.history = {
            name: [one[names.get(name, name)] for one in records]
            for name in (
                "iteration", "fit", "fit_change", "residual", "objective", "kkt_violation",
                "holdout_rmse", "holdout_mae", "seconds",
            )
            if all(names.get(name, name) in one for one in records)
        }  # fmt: skip
        self._record = record

    def __getattr__(self, name: str) -> Any:
        record = self.__dict__.get("_record", {})
        if name not in record:
            raise AttributeError(f"the recorded result has no {name}")
        return record[name]


def _numbers(record: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinities and NaNs: they stand there as null."""
    missing = (
        "fit", "fit_change", "residual_norm", "objective", "kkt_violation", "holdout_rmse",
        "holdout_mae",
    )  # fmt: skip
    return {
        name: float("nan") if value is None and name in missing else value
        for name, value in record.items()
    }


def _refuse_another(path: str, record: dict[str, Any], model: Any, name: str) -> None:
    """Complains of a run that has not made this model."""
    tucker = tucker_of(model)
    if tucker is None:
        what, own = "its weights are", model.weights
        sizes = _numbers_in(path, record["weights"], "a list of weights")
        if len(sizes) != len(own):
            raise ValueError(
                f"{path}: a run of rank {len(sizes)}, but {name} has rank {len(own)}"
            )
    else:
        what = "the norm of its core is"
        sizes = _numbers_in(path, [record["core_norm"]], "the norm of a core")
        own = np.array([np.linalg.norm(tucker.core.astype(np.float64))])
        ranks, there = record["core_dimensions"], list(tucker.core.shape)
        if ranks != there:
            raise ValueError(
                f"{path}: a run of ranks {_by(ranks)}, but {name} has ranks {_by(there)}"
            )
    tensor = record.get("tensor")
    lengths = tensor.get("dimensions") if isinstance(tensor, dict) else None
    there = list(lengths_of(model))
    if lengths is not None and lengths != there:
        raise ValueError(
            f"{path}: a run on {_by(lengths)}, but {name} is a model of {_by(there)}"
        )
    if not same_weights(sizes, own):
        raise ValueError(
            f"{path}: the run of another model than {name}: {what} {_numbered(sizes)}, "
            f"the model's {_numbered(own)}"
        )


def _numbers_in(path: str, given: Any, what: str) -> npt.NDArray[np.float64]:
    try:
        numbers = np.array(given, dtype=np.float64)  # null is NaN.
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.ndim != 1 or not len(numbers):
        raise ValueError(f"{path}: expected {what}, got {given!r}")
    return numbers


def same_weights(one: npt.ArrayLike, other: npt.ArrayLike) -> bool:
    """Whether they are those of the same model.

    Examples
    --------
    >>> same_weights([2.0, 1.0], [2.0, 1.0000001]), same_weights([2.0], [2.0, 1.0])
    (True, False)
    """
    left, right = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    return left.shape == right.shape and np.allclose(
        left, right, rtol=SAME_WEIGHTS, atol=0, equal_nan=True
    )


def _by(lengths: Any) -> str:
    return " x ".join(map(str, lengths)) if isinstance(lengths, list) else repr(lengths)


def _numbered(weights: npt.NDArray[Any]) -> str:
    shown = " ".join(f"{weight:.7g}" for weight in weights[:MOST_WEIGHTS])
    return shown + " ..." * (len(weights) > MOST_WEIGHTS)


def read_recorded(
    path: str | os.PathLike[str], model: ModelLike | Any, *, model_name: str | None = None
) -> Recorded:
    """Reads the JSON of ``genten decompose --json``, or of ``genten tucker --json``.

    Parameters
    ----------
    path : path-like
        The file.
    model : Model or TuckerModel
        What ``--output`` wrote beside it, as `genten.load` reads it.
    model_name : str, optional
        What messages call the model, as its file.

    Returns
    -------
    Recorded
        For `render_report` and the pictures, as a `genten.Result` is.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It is no JSON of the command that makes such models, or that of another model, as the
        lengths of modes and the weights, or the norm of the core, tell.

    Examples
    --------
    >>> import genten, json, os, tempfile
    >>> model = genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1).model
    >>> record = {"fit": 0.89, "stop_reason": "converged", "iterations": 9}
    >>> record["weights"] = model.weights.tolist()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(os.path.join(folder, "result.json"), "w") as file:
    ...         json.dump(record, file)
    ...     run = read_recorded(os.path.join(folder, "result.json"), model)
    >>> run.fit, run.iterations, run.model is model
    (0.89, 9, True)
    """
    with open(path, encoding="utf-8") as file:
        try:
            record = json.load(file)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{os.fspath(path)}: not JSON: {error}") from error
    is_tucker = tucker_of(model) is not None
    command = "tucker" if is_tucker else "decompose"
    wanted = ["fit", "stop_reason", "iterations"]
    wanted += ["core_dimensions", "core_norm"] if is_tucker else ["weights"]
    if not isinstance(record, dict) or any(name not in record for name in wanted):
        if isinstance(record, dict) and {"suggested", "ranks"} <= set(record):
            raise ValueError(
                f"{os.fspath(path)}: what 'genten rank --json' writes is read by read_ranks, or "
                "given to the report as --ranks"
            )
        raise ValueError(
            f"{os.fspath(path)}: expected what 'genten {command} --json' writes, with "
            f"{', '.join(wanted)}"
        )
    _refuse_another(os.fspath(path), record, model, model_name or "the model")
    if record["fit"] is None:
        record["fit"] = float("nan")
    return Recorded(model, record)
