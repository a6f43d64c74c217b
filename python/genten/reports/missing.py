# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which entries of the data do not count."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

from .._missing import LISTED, NONE, UNLISTED, missing_entries, notes_on_entries
from .._model.partial import counting, in_rows
from .._model.run_record import run_of
from .._tensor_for import missing_of_run
from ..describe import Finding, TensorLike, lengths_of, mode_name, tucker_of, value_of
from ..describe.another import record_of
from ..describe.goals import completion_of, has_fit, is_of_counts, takes_zeros
from ..tensors import Tensor
from .charts import number
from .run import nonzeros_of

LARGE = 10**12
"""So many entries are told in few digits."""


def missing_of(
    missing: Any, own: Any, tensor: Any, model: Any, result: Any
) -> Tensor | str | None:
    """What is missing of a tensor that has the model's rows, by these, by default as in the run:
    'unlisted', a tensor of the entries that are, or None. `own` is the tensor as it was given:
    those without names are in its rows. A warning tells of a run with a list that is not known.

    Raises
    ------
    ValueError
        Without a tensor, beside a Tucker model, and for entries that the tensor does not have.
    OSError
        For a file that cannot be read.
    """
    if missing is not None and tensor is None:
        raise ValueError("missing: has no effect without a tensor")
    if tucker_of(model) is not None:
        if missing is not None:
            raise ValueError(
                "missing: has no effect beside a Tucker model, of which all entries count: "
                "leave it out"
            )
        return None
    if not isinstance(tensor, Tensor):
        return None
    options = value_of(result, "options", {})
    run = run_of(options) if options else getattr(model, "_run", {})
    of_run = value_of(options, "missing")
    is_word = of_run in (NONE, UNLISTED, LISTED) if isinstance(of_run, str) else True
    is_file = not is_word and os.path.isfile(of_run)
    if missing is None and (is_file or isinstance(of_run, Tensor)):
        return missing_entries(of_run, tensor, run.get("index_base"))
    return missing_of_run(model, missing, own, tensor, run, "report")


def missing_facts(missing: Tensor | str | None, result: Any) -> list[tuple[str, str]]:
    """What a report says of them, where the run itself says nothing."""
    if missing is None or completion_of(result) is not None:
        return []
    if isinstance(missing, str):
        return [("Missing entries", "all that are not listed")]
    count = missing.distinct_subscripts
    return [("Missing entries", f"{count:,} of a list; all others count, zeros too")]


def findings_of_entries(
    model: Any, tensor: Any, missing: Any, partial: Sequence[int]
) -> list[Finding]:
    """What a run on the tensor would note of its entries, which of `partial` modes has some rows
    alone."""
    if not isinstance(tensor, Tensor):
        return []
    takes_missing = tucker_of(model) is None
    loss, away = value_of(model, "loss"), missing or NONE
    rows = counting(tensor.subscripts, tensor.shape, partial)
    counted = in_rows(tensor, rows) if partial else tensor
    notes = notes_on_entries(tensor, away, counted, loss, takes_missing)[1]
    return [Finding(code, title, text) for code, title, text, _, _ in notes]


def partial_facts(model: Any, modes: Sequence[int]) -> list[tuple[str, str]]:
    """What a report says of modes of which the tensor has some rows alone."""
    named = ", ".join(mode_name(model, mode, 1) for mode in modes)
    return [("Rows that count", f"those with entries, of {named}")] if modes else []


def zeros_of(
    model: Any, source: Any, tensor: TensorLike | None, findings: Sequence[Finding]
) -> str:
    """That the entries which a table does not list were zeros in the run of a result, or of a
    choice of the rank: nothing that is looked at tells whether they are. "" where all are listed
    or some were missing, where the findings say it, and of losses whose zeros are no numbers."""
    if source is None or not takes_zeros(model, source) or not has_fit(source):
        return ""
    listed, every = nonzeros_of(tensor, record_of(source))[1], math.prod(lengths_of(model))
    is_told = any(each.key in ("ratings", "unlisted_zeros") for each in findings)
    if listed is None or listed >= every or is_told:
        return ""
    count = f"{every - listed:,} of {every:,}"
    if every > LARGE:
        count = f"All but {listed:,} of {number(float(every))}"
    if is_of_counts(source):  # which are zeros
        return f"{count} entries are not listed and count as zeros."
    by_tool = value_of(source, "tensor") is not None
    way = "--missing unlisted" if by_tool else "missing='unlisted'"
    if tucker_of(model) is not None:
        way += f" of {'genten decompose' if by_tool else 'genten.cp'}"
    if every - listed == 1:
        return (
            f"{count} entries is not listed and counts as zero; if it is unknown, {way} leaves it "
            "out."
        )
    return (
        f"{count} entries are not listed and count as zeros; where they are unknown, {way} leaves "
        "them out."
    )
