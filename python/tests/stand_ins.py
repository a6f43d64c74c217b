# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models and results without the extension, for tests of pictures and reports."""

import json
import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Model:
    weights: np.ndarray
    factors: list[np.ndarray]
    labels: list[Sequence[str] | None] = field(default_factory=list)
    mode_names: list[str] | None = None

    def __post_init__(self) -> None:
        if not self.labels:
            self.labels = [None] * len(self.factors)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(factor.shape[0] for factor in self.factors)

    def score(self, other: "Model") -> float:
        """The greedy factor match score without the penalty for weights."""
        cosines = np.ones((len(self.weights), len(other.weights)))
        for mine, theirs in zip(self.factors, other.factors, strict=True):
            lengths = np.linalg.norm(mine, axis=0)[:, None] * np.linalg.norm(theirs, axis=0)
            cosines *= np.abs(mine.T @ theirs) / lengths
        total = 0.0
        for _ in self.weights:
            r, s = np.unravel_index(cosines.argmax(), cosines.shape)
            total += cosines[r, s]
            cosines[r, :] = cosines[:, s] = -1
        return total / len(self.weights)


@dataclass
class Result:
    model: Model
    fit: float = 0.5
    residual_norm: float = 1.0
    residual_is_certain: bool = True
    residual_route: str = "identity"
    tensor_norm: float = 2.0
    stop_reason: str = "converged"
    iterations: int = 0
    history: dict[str, np.ndarray] = field(default_factory=dict)
    starts: list[dict[str, Any]] = field(default_factory=list)
    best_start: int = 0
    timings: dict[str, float] = field(default_factory=dict)
    kernel: str = "sorted"
    options: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    notes: list[dict[str, Any]] | None = None


@dataclass
class Tensor:
    shape: tuple[int, ...]
    subscripts: np.ndarray
    values: np.ndarray

    @property
    def nnz(self) -> int:
        return len(self.values)

    @property
    def norm(self) -> float:
        return float(np.linalg.norm(self.values))


def read_ktensor(path: pathlib.Path | str) -> Model:
    """A model in the Tensor Toolbox's text form."""
    words = iter(pathlib.Path(path).read_text().split())
    assert next(words) == "ktensor"
    order = int(next(words))
    shape = [int(next(words)) for _ in range(order)]
    rank = int(next(words))
    weights = np.array([float(next(words)) for _ in range(rank)])
    factors = []
    for length in shape:
        assert next(words) == "matrix"
        assert [int(next(words)) for _ in range(3)] == [2, length, rank]
        numbers = np.array([float(next(words)) for _ in range(length * rank)])
        factors.append(numbers.reshape(length, rank))
    return Model(weights, factors)


def random_model(shape: Sequence[int], rank: int, seed: int = 0, names: bool = False) -> Model:
    """A model of columns with few large entries, some negative, as sparse data give."""
    generator = np.random.default_rng(seed)
    factors = []
    for length in shape:
        factor = generator.standard_normal((length, rank)) ** 3
        factors.append(factor / np.linalg.norm(factor, axis=0))
    labels = [
        [f"name {row} of mode {n}" for row in range(length)] if names else None
        for n, length in enumerate(shape)
    ]
    return Model(generator.uniform(1, 10, rank), factors, list(labels))


def read_result(path: pathlib.Path | str, model: Model) -> Result:
    """What ``genten decompose --json`` wrote, as a result."""
    found = json.loads(pathlib.Path(path).read_text())
    history = {"iteration": [], "fit": [], "fit_change": [], "residual": [], "seconds": []}
    for record in found["history"]:
        for name in history:
            history[name].append(record["residual_norm" if name == "residual" else name])
    names = (
        "fit",
        "residual_norm",
        "residual_route",
        "tensor_norm",
        "stop_reason",
        "iterations",
        "starts",
        "best_start",
        "timings",
        "kernel",
        "options",
        "notes",
    )
    columns = {name: np.array(values) for name, values in history.items()}
    return Result(model, history=columns, **{name: found[name] for name in names})


HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("GENTEN_TEST_DATA_DIR", HERE.parents[1] / "data"))


def titanic() -> Result:
    """The people on board the Titanic at rank 3, from four starts."""
    model = read_ktensor(HERE / "data" / "titanic.ktensor")
    model.mode_names = ["class", "sex", "age", "survived"]
    model.labels = [
        (DATA / "titanic" / f"{name}.labels").read_text().splitlines() for name in model.mode_names
    ]
    return read_result(HERE / "data" / "titanic.json", model)
