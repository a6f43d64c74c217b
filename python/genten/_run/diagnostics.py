# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is to be known of a run before its model is believed, in plain sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _core
from ..convert.parts import warn
from ..describe.ends import ended_by
from .bounds import bounds_of

_TELLS_NOTHING = "the model tells nothing of the data"


def _is_constrained(options: Mapping[str, Any], order: int) -> bool:
    """Whether rows have bounds or penalties, or modes are fixed."""
    bounded = any(each != (-math.inf, math.inf) for each in bounds_of(options, order))
    penalized = any(np.any(options.get(name, 0)) for name in ("ridge", "l1"))
    return bounded or penalized or len(options.get("fixed_modes", ())) != 0


def warn_of_default_rank(rank: int, shape: Sequence[int], options: Mapping[str, Any]) -> None:
    """Warns of a rank that nobody has asked for where it is too large for so small a tensor."""
    if why := _core.why_too_large(rank, shape, False, _is_constrained(options, len(shape))):
        warn(
            f"no rank was given, and the default, {rank}, is {why}: give a smaller one, as "
            f"genten.cp(X, {_core.small_rank(shape)})"
        )


def warn_of_rank(rank: int, shape: Sequence[int], options: Mapping[str, Any]) -> None:
    """Warns of a rank that somebody has asked for where any tensor of the shape needs less."""
    if why := _core.why_too_large(rank, shape, True, _is_constrained(options, len(shape))):
        smaller = _core.small_rank(shape)
        warn(f"rank {rank} is {why}: give a smaller one, as genten.cp(X, {smaller})")


FEWEST_REFITS = 20
"""Of fewer the ends of intervals that hold nine of ten are the outermost refits."""


def check_refits(refits: int) -> None:
    """Refuses a single refit, which has no spread, and warns of so few that they say little.

    Raises
    ------
    ValueError
        For one refit.
    """
    if refits == 1:
        raise ValueError(
            "bootstrap: expected 0 or at least 2 refits, since one has no spread, got 1; "
            "bootstrap=200 makes intervals"
        )
    if 0 < refits < FEWEST_REFITS:
        warn(
            f"bootstrap: intervals of {refits} refits say little, since their ends are the "
            f"outermost refits: {FEWEST_REFITS} are the fewest that make sense, as "
            f"bootstrap={FEWEST_REFITS}, and 200 are better"
        )


def warn_of_no_entries(nonzeros: int, missing: str = "none") -> None:
    """Warns of a tensor without entries, as of a table without rows, which every run ends well
    on, or of one whose nonzeros a mask leaves out. The tool refuses files of that kind."""
    if nonzeros == 0 and missing == "listed":
        warn(
            f"the tensor has no nonzeros that are not missing: {_TELLS_NOTHING}; is the mask "
            "inverted? True says that an entry is missing"
        )
    elif nonzeros == 0:
        warn(f"the tensor has no entries: {_TELLS_NOTHING}")


def warn_of_earlier_checkpoint(path: str, resume: str) -> None:
    """Warns where a run is to replace the checkpoint of an earlier one, which it does not go on
    from."""
    if not os.path.isfile(path) or (os.path.exists(resume) and os.path.samefile(path, resume)):
        return
    try:
        is_checkpoint = _core.checkpoint_scalar_bytes(path) != 0
    except OSError:
        return
    if is_checkpoint:
        warn(
            f"checkpoint: {path} is that of an earlier run, which the first one of this run "
            f"replaces; resume={path!r} goes on with it"
        )


def stop_reason(word: str, interrupted: bool) -> str:
    """The word for what ended a start."""
    if word != "observer":
        return word
    return "interrupted" if interrupted else "callback"


def stopped_early(raw: dict[str, Any]) -> str | None:
    """What ended the run before its starts were through."""
    reasons = (start["stop_reason"] for start in raw["starts"])
    return ended_by(stop_reason(reason, raw["interrupted"]) for reason in reasons)


def _of_means(raw: dict[str, Any], X: Any) -> list[str]:
    """That held-out entries, of those that are listed, are met no better than by a mean."""
    own = raw["own"]
    listed = "rmse" in own and isinstance(raw["options"].get("missing"), str)
    if not listed or own.get("holdout") is None:
        return []
    rmse, spread = own["holdout"]["rmse"], float(np.std(X.coalesce().values, dtype=np.float64))
    if not rmse >= spread:
        return []
    return [
        f"The held-out RMSE, {rmse:.6g}, is no less than the standard deviation of the known "
        f"values, {spread:.6g}: their mean would predict as well. A lower rank or a larger ridge "
        "may help."
    ]


def _of_scale(raw: dict[str, Any]) -> list[str]:
    """That sums of squares of values have left the range of numbers, where no note says so."""
    objective, residual, norm = abs(raw["objective"]), raw["residual_norm"], raw["tensor_norm"]
    told = any(note[0] == "objective_overflow" for note in raw["notes"])
    if math.isnan(objective):
        said = "not a number"
    elif objective == math.inf and not told:
        said = "beyond the range of numbers"
    elif objective < np.finfo(np.float64).tiny and norm > 0 and residual > 1e-100 * norm:
        said = "so small that it is rounded, to 0 at last"
    else:
        return []
    fit = raw["fit"]
    is_right = fit is not None and math.isfinite(fit) and math.isfinite(residual)
    if is_right:
        said += ", though fit and residual are right"
    elif fit is None or math.isnan(fit):
        said += ", and there is no fit"
    if not (0 < norm < math.inf):
        return [f"The objective is {said}."]
    power = min(max(math.floor(math.log10(norm)), -300), 300)
    return [
        f"The objective is {said}: genten.cp(X / 1e{power:+d}, ...) is of values that are near 1."
    ]


def warnings_beside_notes(raw: dict[str, Any], X: Any) -> list[str]:
    """What only Python has to say of a run of that tensor beside its notes."""
    found = _of_means(raw, X) + _of_scale(raw)
    if raw["tensor_norm"] == 0:
        what = "no entries" if X.nnz == 0 else "no value other than 0"
        found.append(f"The tensor has {what}: {_TELLS_NOTHING}.")
    if raw["checkpoint_trouble"]:
        found.append(f"The last checkpoint could not be written: {raw['checkpoint_trouble']}.")
    unseen = [start for start in raw["starts"] if not len(start["history"]["iteration"])]
    if unseen and "resume" in raw["options"]:
        found.append("Starts that ended before the checkpoint have no history here.")
    return found
