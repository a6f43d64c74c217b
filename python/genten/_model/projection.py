# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The factor of one mode that fits a tensor best, the others being fixed: least squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _library
from ..convert.duplicates import first_of_groups
from ..convert.parts import AnyArray, warn

_Doubles = npt.NDArray[np.float64]
_Whole = npt.NDArray[np.int64]

WELL_CONDITIONED = 1e2
"""The condition up to which normal equations lose at most four digits of sixteen."""
UNCERTAIN = 1e8
"""The condition from which at most half of the digits are certain, which a warning tells."""
MOST_CHUNK = 1 << 20
"""Numbers that are multiplied at a time, about."""


@dataclass(frozen=True)
class _Columns:
    """Columns of unit norm, or of zeros, times 2^exponents times sizes in [1/2, 1)."""

    units: _Doubles
    sizes: _Doubles
    exponents: _Whole


def _unit_columns(matrix: AnyArray) -> _Columns:
    wide = matrix.astype(np.float64)
    # By powers of two first, so that no square leaves the range of numbers.
    exponents = np.frexp(np.abs(wide).max(axis=0, initial=0.0))[1].astype(np.int64)
    wide = np.ldexp(wide, -exponents)
    norms = np.linalg.norm(wide, axis=0)
    sizes, more = np.frexp(norms)
    units = wide / np.where(norms == 0, 1.0, norms)
    return _Columns(units, sizes, exponents + more)


@dataclass(frozen=True)
class _Basis:
    """Of the Khatri-Rao product K of factors an orthonormal basis and its coordinates: K = Q R. Q
    stands in parts: of each factor, and of each product of what was before it with the next."""

    factors: list[_Doubles]
    products: list[_Doubles]
    coordinates: _Doubles


def _basis_of(factors: Sequence[_Doubles], rank: int) -> _Basis:
    """By QR decompositions alone, which do not square the condition, as Gram matrices do (Minster,
    Viviano, Liu and Ballard, "CP decomposition for tensors via alternating least squares with QR
    decomposition", 2023)."""
    parts, products = [], []
    coordinates = np.ones((1, rank))
    for n, factor in enumerate(factors):
        part, triangle = np.linalg.qr(factor)
        parts.append(part)
        pairs = (coordinates[:, None, :] * triangle[None, :, :]).reshape(-1, rank)
        if n == 0:
            coordinates = pairs
            continue
        product, coordinates = np.linalg.qr(pairs)
        products.append(product)
    return _Basis(parts, products, coordinates)


def _times_basis(
    basis: _Basis, row: AnyArray, columns: list[AnyArray], values: _Doubles, rows: int
) -> _Doubles:
    """The unfolding of a tensor times Q. Entries are sorted so that those of one row, and of one
    subscript in the modes behind, stand together: each product is made once for them all."""
    order = np.lexsort([*columns, row]) if columns else np.argsort(row, kind="stable")
    keys = [key[order] for key in (row, *reversed(columns))]
    sums = values[order][:, None]
    for n, part in enumerate(basis.factors):
        subscripts = keys.pop()
        first = first_of_groups(keys)
        group = np.cumsum(first) - 1
        product = basis.products[n - 1] if n > 0 else np.eye(part.shape[1])
        after = np.zeros((int(np.count_nonzero(first)), product.shape[1]))
        many = max(1, MOST_CHUNK // max(1, sums.shape[1] * part.shape[1]))
        for at in range(0, len(sums), many):
            some = slice(at, at + many)
            pairs = sums[some, :, None] * part[subscripts[some], None, :]
            its = group[some]
            starts = np.flatnonzero(np.diff(its, prepend=its[0] - 1))
            added = np.add.reduceat(pairs.reshape(len(its), -1), starts, axis=0)
            after[its[starts]] += added @ product
        sums, keys = after, [key[first] for key in keys]
    found = np.zeros((rows, sums.shape[1]))
    np.add.at(found, keys[0], sums)
    return found


def _inverse(singular: _Doubles, rank: int, parts: int) -> tuple[_Doubles, str]:
    """What singular values are divided by, 0 for those of rounding, and what to say of them."""
    largest = float(singular.max(initial=0.0))
    least = largest * np.finfo(np.float64).eps * rank * (4 * parts + 4)
    kept = singular > least
    inverse = np.divide(1.0, singular, out=np.zeros_like(singular), where=kept)
    many = rank - int(np.count_nonzero(kept))
    if many:
        return inverse, (
            f"the columns of the other modes are dependent (rank {rank - many} of {rank}): of the "
            "factors that fit equally this is the one of least norm, by columns of unit norm"
        )
    condition = largest / float(singular.min(initial=np.inf)) if len(singular) else 1.0
    if condition > UNCERTAIN:
        return inverse, (
            "the columns of the other modes are nearly dependent: errors of the data and of "
            f"rounding become up to {condition:.1g} times as large"
        )
    return inverse, ""


def _coefficients(
    subscripts: AnyArray, values: _Doubles, shape: Sequence[int], mode: int, others: list[_Doubles]
) -> tuple[_Doubles, str]:
    """The least-squares factor for columns of unit norm, and what to say of it."""
    rank = others[mode].shape[1]
    gram = np.ones((rank, rank))
    for factor in others[:mode] + others[mode + 1 :]:
        gram *= factor.T @ factor
    if np.linalg.cond(gram, 2) < WELL_CONDITIONED**2:
        core = _library.tensor_from_matrix(subscripts, values, list(shape), False)
        return np.linalg.solve(gram, _library.mttkrp(core, others, mode).T).T, ""
    chosen = [factor for n, factor in enumerate(others) if n != mode]
    basis = _basis_of(chosen, rank)
    columns = [each.astype(np.int64) for each in subscripts.T]
    row = columns.pop(mode)
    product = _times_basis(basis, row, columns, values, shape[mode])
    left, singular, right = np.linalg.svd(basis.coordinates, full_matrices=False)
    inverse, note = _inverse(singular, rank, len(chosen))
    return ((product @ left) * inverse) @ right, note


def projected(
    weights: AnyArray,
    factors: Sequence[AnyArray],
    subscripts: AnyArray,
    values: AnyArray,
    shape: Sequence[int],
    mode: int,
) -> _Doubles:
    """The factor of `mode` that fits a tensor best, of the shape of the model in the other modes.

    Columns are brought to unit norm, and weights and sizes divide what is found for them at last:
    neither they nor the scale of the tensor enter the equations. Where these are well conditioned
    they are the normal ones; else QR and singular value decompositions solve them.

    Raises
    ------
    ValueError
        For a factor that leaves the range of numbers.
    """
    rank = len(weights)
    sizes, exponents = np.frexp(weights.astype(np.float64))
    others = []
    for n, factor in enumerate(factors):
        columns = _unit_columns(np.zeros((shape[mode], rank)) if n == mode else factor)
        others.append(columns.units)
        if n != mode:
            sizes, exponents = sizes * columns.sizes, exponents + columns.exponents
    scale = int(np.frexp(np.abs(values).max(initial=0.0))[1])
    found, notes = np.zeros((shape[mode], rank)), []
    present = sizes != 0
    if not present.all():
        zero = ", ".join(map(str, np.flatnonzero(~present)))
        notes.append(f"but for this mode the model is 0 in component {zero}: so are its rows here")
    if present.any():
        narrow = [np.ascontiguousarray(each[:, present]) for each in others]
        scaled = np.ldexp(values.astype(np.float64), -scale)
        found[:, present], note = _coefficients(subscripts, scaled, shape, mode, narrow)
        notes += [note] * bool(note)
    if notes:
        warn(f"project: {'; '.join(notes)}")
    with np.errstate(over="ignore", under="ignore"):
        factor = np.ldexp(found / np.where(present, sizes, 1.0), scale - exponents)
    lost = ~np.isfinite(factor).all(axis=0) | (found.any(axis=0) & ~factor.any(axis=0))
    if lost.any():
        raise ValueError(
            f"project: component {int(lost.argmax())}: expected a column that float64 holds, got "
            "one beyond: scale the weights or the tensor"
        )
    return np.asarray(factor)
