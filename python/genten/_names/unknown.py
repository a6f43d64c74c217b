# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names that no row has, of all modes at once, and which ones may be meant."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _core
from ..convert.ambiguous import as_sentence
from .labels import near_to
from .numbers import MOST_NAMED


def refuse_unknown(found: Sequence[str], remedy: str, before: str = "") -> None:
    """Complains of names that no row has, of all modes at once: what is said of each mode, and what
    to do about them. Messages begin with `before`.

    Raises
    ------
    ValueError
        Where there are some.
    """
    said = ""
    for each in found:
        join = "" if not said else " " if said.endswith("?") else "; "
        said += join + (each.removeprefix(before) if said else each)
    if said:
        raise ValueError(said + (as_sentence(remedy) if said.endswith("?") else remedy))


def meant(unknown: Sequence[str], labels: Sequence[str]) -> str:
    """'; did you mean ...?' of names that no row has; '' where nothing tells."""
    for name in unknown[:MOST_NAMED]:
        if near := near_to(name, labels):
            return near if name == unknown[0] else f"{near[:-1]} by {name!r}?"
    meant = _core.meant_names(list(labels), list(unknown))
    return f"; {meant}" if meant else ""
