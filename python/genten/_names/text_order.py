# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows without names beside names in the order of texts, as 's1', 's10', 's2'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..convert.parts import warn
from ..describe.kinds import is_ordered
from .labels import Labels
from .numbers import some_of


def _by_numbers(name: str) -> list[tuple[int, str]]:
    """A key by which numbers in texts, however long, are compared as numbers."""
    parts = re.split(r"([0-9]+)", name)
    numbers = (part.lstrip("0") if place % 2 else part for place, part in enumerate(parts))
    return [(len(part) if place % 2 else 0, part) for place, part in enumerate(numbers)]


def counted(names: Sequence[str] | None) -> list[str] | None:
    """Names that are in the order of texts in that of their numbers; None where these are the same.

    Examples
    --------
    >>> counted(["s1", "s10", "s2"]), counted(["s1", "s2"]), counted(["0.1", "0.15", "0.2"])
    (['s1', 's2', 's10'], None, None)
    """
    if names is None or list(names) != sorted(names) or is_ordered(names):
        return None
    found = sorted(names, key=_by_numbers)
    return None if found == list(names) else found


def warn_of_text_order(
    nameless: Sequence[bool],
    lengths: Sequence[int],
    labels: Labels | None,
    what: str,
    but: int | None = None,
    way: str = "labels of the tensor say otherwise",
    subject: str | None = None,
) -> bool:
    """Warns of rows without names beside `labels` of as many rows in the order of texts: who made
    an array may have had them in that of numbers. Rows of the mode `but` are others. `subject` is
    what has no names, rows of the mode if not given. Whether it has warned."""
    warned = False
    for mode, (has_none, names) in enumerate(zip(nameless, labels or ())):
        if not has_none or mode == but or names is None or len(names) != lengths[mode]:
            continue
        if (meant := counted(names)) is not None:
            rows = subject or f"rows of mode {mode} have"
            warn(
                f"{what}: {rows} no names and are taken in the order of those that there are, "
                f"{some_of(names)}, not {some_of(meant)}; {way}"
            )
            warned = True
    return warned
