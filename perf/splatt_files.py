# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files that splatt_peers.py hands from one program to the other."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import shutil
from typing import Any

import numpy as np

RAND_MAX = 2**31 - 1


@dataclasses.dataclass
class Tensor:
    dimensions: tuple[int, ...]
    subscripts: np.ndarray[Any, Any]  # (nonzeros, order), counting from 0
    values: np.ndarray[Any, Any]


def header_of(path: pathlib.Path) -> tuple[int, int, tuple[int, ...]]:
    """Bytes of a subscript and number of nonzeros of a .gtn file, and its dimensions."""
    words = np.fromfile(path, np.uint32, 16)
    order = int(words[5])
    dimensions = np.fromfile(path, np.uint64, order, offset=56)
    return int(words[7]), int(words[8:10].view(np.uint64)[0]), tuple(int(n) for n in dimensions)


def size_of(path: pathlib.Path) -> tuple[tuple[int, ...], int]:
    """Dimensions and nonzeros of a .gtn file."""
    _, nonzeros, dimensions = header_of(path)
    return dimensions, nonzeros


def read_tensor(path: pathlib.Path) -> Tensor:
    """A .gtn file in double, which is Genten's header of 192 bytes, subscripts and values."""
    width, nonzeros, dimensions = header_of(path)
    count = nonzeros * len(dimensions)
    subscripts = np.fromfile(path, {4: np.uint32, 8: np.uint64}[width], count, offset=192)
    values_at = 192 + (count * width + 63) // 64 * 64
    values = np.fromfile(path, np.float64, nonzeros, offset=values_at)
    return Tensor(dimensions, subscripts.reshape(nonzeros, len(dimensions)), values)


def write_splatt(path: pathlib.Path, tensor: Tensor) -> None:
    """The binary form that SPLATT reads as fast as the disk is."""
    with path.open("wb") as file:
        np.zeros(1, np.int32).tofile(file)
        np.array([4, 8], np.uint64).tofile(file)
        sizes = [len(tensor.dimensions), *tensor.dimensions, len(tensor.values)]
        np.array(sizes, np.uint32).tofile(file)
        for n in range(len(tensor.dimensions)):
            tensor.subscripts[:, n].astype(np.uint32).tofile(file)
        tensor.values.tofile(file)


def write_start(folder: pathlib.Path, dimensions: tuple[int, ...], rank: int, seed: int) -> None:
    """The start in [0, 1], start.ktensor for us, start.rand for given_rand.c: uniform, but for the
    lengths of columns, which are the same for all modes, so that ours does not change them."""
    rng = np.random.default_rng(seed)
    factors = [rng.random((n, rank)) for n in dimensions]
    factors = [each / np.linalg.norm(each, axis=0) for each in factors]
    largest = max(float(each.max()) for each in factors)
    numbers = [np.round(each / largest * RAND_MAX).astype(np.int32) for each in factors]
    with (folder / "start.rand").open("wb") as file:
        for each in numbers:
            each.tofile(file)
    write_ktensor(folder / "start.ktensor", [each / RAND_MAX for each in numbers])


def write_ktensor(path: pathlib.Path, factors: list[np.ndarray[Any, Any]]) -> None:
    """Factors as a model with weights 1."""
    rank = factors[0].shape[1]
    with path.open("w", encoding="ascii") as file:
        lengths = " ".join(str(len(each)) for each in factors)
        print(f"ktensor\n{len(factors)}\n{lengths}\n{rank}\n{' '.join(['1'] * rank)}", file=file)
        for each in factors:
            print(f"matrix\n2\n{len(each)} {rank}", file=file)
            file.writelines(" ".join(map(repr, row)) + "\n" for row in each.tolist())


def read_splatt_factors(folder: pathlib.Path) -> list[np.ndarray[Any, Any]]:
    """mode1.mat and so on, as `splatt complete` writes them where it runs."""
    factors: list[np.ndarray[Any, Any]] = []
    while (path := folder / f"mode{len(factors) + 1}.mat").exists():
        rows = path.read_text(encoding="ascii").count("\n")
        factors.append(np.fromfile(path, sep=" ").reshape(rows, -1))
    return factors


def write_test_entries(folder: pathlib.Path, count: int) -> None:
    """test.tns: entries that tensor.gtn does not list, each subscript that of a listed entry, drawn
    independently, so that all rows are known and popular ones more often asked for; their values
    are those of the model in truth.npz, of whose rows tensor.gtn.labels.json numbers those kept."""
    tensor = read_tensor(folder / "tensor.gtn")
    rng = np.random.default_rng(2)
    drawn = np.stack([column[rng.integers(0, len(column), count)]
                      for column in tensor.subscripts.T], axis=1)  # fmt: skip
    keys = np.ravel_multi_index(tuple(drawn.T.astype(np.int64)), tensor.dimensions)
    listed = np.ravel_multi_index(tuple(tensor.subscripts.T.astype(np.int64)), tensor.dimensions)
    _, first = np.unique(keys, return_index=True)
    drawn = drawn[first[~np.isin(keys[first], listed)]]
    truth = np.load(folder / "truth.npz")
    product = np.tile(truth["weights"], (len(drawn), 1))
    names = json.loads((folder / "tensor.gtn.labels.json").read_text(encoding="utf-8"))["labels"]
    for n, column in enumerate(drawn.T):
        kept = np.array(names[n], np.int64)
        product *= truth[f"factor_{n + 1}"][kept[column] - 1]
    with (folder / "test.tns").open("w", encoding="ascii") as file:
        subscripts = (drawn.astype(np.int64) + 1).tolist()
        for at, value in zip(subscripts, product.sum(axis=1).tolist()):
            print(*at, repr(value), file=file)


def remove_folder(folder: pathlib.Path) -> None:
    shutil.rmtree(folder)
