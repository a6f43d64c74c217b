# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Seeds that are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

BELOW = 2**32
"""What seeds that are drawn are below: numbers that people can copy."""


def is_generator(seed: Any) -> bool:
    """Whether that draws numbers: a Generator of NumPy's or a RandomState."""
    return isinstance(seed, (np.random.Generator, np.random.RandomState))


def drawn(seed: Any) -> Any:
    """A seed that is drawn from a Generator or a RandomState; anything else as it is.

    Raises
    ------
    TypeError
        For what generators are made of.

    Examples
    --------
    >>> one, other = (drawn(np.random.default_rng(3)) for _ in range(2))
    >>> one == other, drawn(7), drawn(None)
    (True, 7, None)
    """
    if isinstance(seed, (np.random.SeedSequence, np.random.BitGenerator)):
        raise TypeError(
            f"seed: expected a whole number or a generator, got a {type(seed).__name__}; "
            "numpy.random.default_rng(seed) makes a generator of it"
        )
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(BELOW))
    if isinstance(seed, np.random.RandomState):
        return int(seed.randint(BELOW, dtype=np.uint64))
    return seed


def random_seed() -> int:
    """A seed that nobody knows before."""
    return int(np.random.default_rng().integers(BELOW))
