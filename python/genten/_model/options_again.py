# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Options by which another run goes on as that of a model, which its factors alone do not say."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from .run_record import NUMBERS, own_loss_in

def options_again(
    run: Mapping[str, Any], given: Collection[str] = (), lowest: float = -math.inf
) -> list[str]:
    """The options of a model's run, as they are typed, without those at their default and those
    that are `given`, and without `nonnegative` where factors are `lowest` at least by the loss.

    Examples
    --------
    >>> options_again({"loss": "huber", "loss_parameter": 0.5, "ridge": [0.1], "solver": "gcp"})
    ["loss='huber'", 'loss_parameter=0.5', 'ridge=0.1']
    >>> options_again({"loss": "poisson", "missing": "unlisted"}, ["loss"])
    ["missing='unlisted'"]
    """
    found: dict[str, str] = {}
    own = own_loss_in(run)
    for name in ("loss", "loss_parameter", "nonnegative", *NUMBERS, "missing"):
        value = run.get(name)
        if value is None or name in given or (name == "nonnegative" and "lower" in given):
            continue
        if name == "loss":
            text = "" if value == "gaussian" else own or repr(value)
        elif name == "nonnegative":
            is_of_loss = (own is not None and "loss" in found) or lowest >= 0.0
            text = "" if is_of_loss else _typed_modes(value)
        elif name == "missing":
            text = repr(value) if value == "unlisted" else "entries"
        elif name == "ridge" and run.get("ridge_by_default"):  # such a run chooses its own
            text = ""
        else:
            text = _typed(value)
        if text:
            found[name] = text
    # Generalized CP minimizes the whole sum of squares, which penalties are beside.
    is_whole = run.get("solver") == "gcp" and run.get("loss") == "gaussian"
    if is_whole and not {"ridge", "l1"}.isdisjoint(found) and "solver" not in given:
        found["solver"] = repr("gcp")
    return [f"{name}={text}" for name, text in found.items()]


def cp_again(run: Mapping[str, Any]) -> str:
    """The call that fits all data as that run did, from its model.

    Examples
    --------
    >>> cp_again({"loss": "gamma"}), cp_again({})
    ("genten.cp(..., loss='gamma', init=model)", 'genten.cp(..., init=model)')
    """
    return f"genten.cp({', '.join(['...', *options_again(run), 'init=model'])})"


def _typed(numbers: Any) -> str:
    """A number, or a list with one for each mode."""
    each = [
        f"{number:.15g}" if np.isfinite(number) else f"float('{number}')"
        for number in np.atleast_1d(np.asarray(numbers, np.float64)).tolist()
    ]
    return each[0] if len(set(each)) == 1 else f"[{', '.join(each)}]"


def _typed_modes(modes: Any) -> str:
    if isinstance(modes, (bool, str)):  # "all" in files
        return "True" if modes else ""
    return repr([int(mode) for mode in modes]) if len(modes) else ""
