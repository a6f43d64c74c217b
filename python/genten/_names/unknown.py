# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names that no row has, of all modes at once, and which ones may be meant."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _core
from ..convert.columns import as_sentence
from .labels import near_to
from .numbers import MOST_NAMED


class UnknownRows(ValueError):
    """Names that no row of a mode has: what is `said` of them, and what to do about them."""

    def __init__(self, said: str, remedy: str = "") -> None:
        super().__init__(said + (as_sentence(remedy) if said.endswith("?") else remedy))
        self.said, self.remedy = said, remedy


def refuse_unknown(found: Sequence[UnknownRows], before: str) -> None:
    """Complains of the unknown names of all modes at once; messages begin with `before`.

    Raises
    ------
    UnknownRows
        Where there are some.
    """
    if not found:
        return
    said = found[0].said
    for each in found[1:]:
        said += (" " if said.endswith("?") else "; ") + each.said.removeprefix(before)
    raise UnknownRows(said, found[0].remedy)


def meant(unknown: Sequence[str], labels: Sequence[str]) -> str:
    """'; did you mean ...?' of names that no row has; '' where nothing tells."""
    for name in unknown[:MOST_NAMED]:
        if near := near_to(name, labels):
            return near if name == unknown[0] else f"{near[:-1]} by {name!r}?"
    meant = _core.meant_names(list(labels), list(unknown))
    return f"; {meant}" if meant else ""
