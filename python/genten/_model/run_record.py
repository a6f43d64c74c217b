# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The options of the run that made a model, as far as new data ask for them: as `cp` has them in a
dictionary, and as JSON has them beside a model's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _core

NUMBERS = ("ridge", "l1", "lower", "upper")
_KEPT = (
    "loss", "loss_parameter", "solver", "nonnegative", *NUMBERS, "ridge_by_default", "missing",
    "duplicates", "decimal", "text_base",
)  # fmt: skip


ORIGIN = ("duplicates", "index_base", "text_base", "decimal", "values")
"""What runs know of how their tensors were made."""


def origin_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """What a run knows of how its tensor was made: the rule for duplicates, and of a table what its
    numbers count from that are rows without labels, and the column of its values, None where rows
    were counted, "" where it has no name, and a decimal comma; of a text what its subscripts count
    from."""
    return {name: run[name] for name in ORIGIN if name in run}


def origin_in(X: Any) -> dict[str, Any]:
    """The same of a tensor."""
    facts, base, rule = X.file_facts, table_base(X), rule_in(X.file_facts)
    origin: dict[str, Any] = {} if rule in (None, "sum") else {"duplicates": rule}
    if base is not None:
        origin["index_base"] = base
    if facts.get("read_options", {}).get("decimal") == ",":
        origin["decimal"] = ","
    if is_text(facts):
        origin["text_base"] = facts["index_base"]
    return origin | ({"values": facts["values"]} if "values" in facts else {})


def run_of(options: Mapping[str, Any], origin: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What is known of a run with these options on a tensor of that origin, without what is at its
    default. Missing entries of a list are 'listed': they say nothing of other data."""
    run: dict[str, Any] = {"loss": options.get("loss") or "gaussian"}
    for name in ("loss_parameter", "nonnegative", *NUMBERS):
        given = options.get(name)
        if given is None or given is False or not np.size(given):
            continue
        if name not in ("ridge", "l1") or np.any(given):
            run[name] = given
    if "ridge" in run and options.get("ridge_by_default"):  # such a run chooses its own
        run["ridge_by_default"] = True
    # Generalized CP minimizes the whole sum of squares, which penalties are beside, and the factors
    # of streams are as their penalties have them.
    if options.get("solver") in ("gcp", "stream"):
        run["solver"] = options["solver"]
    missing = options.get("missing")
    if missing is not None:
        is_all = isinstance(missing, str) and missing == "unlisted"
        run["missing"] = "unlisted" if is_all else "listed"
    return run | dict(origin or {})


def own_loss_in(run: Mapping[str, Any]) -> str | None:
    """The name of the loss of a run that was a function of its own; None where it was none."""
    loss: str | None = run.get("loss")
    return None if loss is None or loss in _core.losses() else loss


def rule_in(facts: Mapping[str, Any]) -> str | None:
    """The rule by which duplicates of a tensor were merged, by the facts of its file."""
    rule: str | None = facts.get("merged_by", facts.get("read_options", {}).get("duplicates"))
    return rule


def repeated(X: Any) -> int:
    """How many entries of a tensor are added to others with the same subscripts, as far as that is
    known."""
    if X.file_facts.get("merged_by", "sum") != "sum":
        return 0
    merged: int = X.file_facts.get("duplicates", 0)
    return merged + (X.nnz - X.distinct_subscripts if X._is_counted else 0)


def entry_facts(given: Any) -> dict[str, Any]:
    """What notes have to know of where a tensor's entries come from."""
    form = given.file_facts.get("format", "binary")
    return {
        # Arrays, and the binary form that they are saved in, do not say what their zeros are.
        "is_list": given._is_table or form != "binary",
        "columns": list(map(str, given.mode_names or ())) if given._is_table else [],
        "added_up": repeated(given),
    }


def table_base(X: Any) -> int | None:
    """From what the numbers of a table count that are a tensor's rows without labels, in its files
    and its models; None where it is of no table."""
    of_table: int | None = X.file_facts.get("table_base")  # of a file that was made of one
    return int(X.file_facts.get("index_base", 0)) if X._is_table else of_table


def is_text(facts: Mapping[str, Any]) -> bool:
    """Whether a tensor is of a text with subscripts, by the facts of its file."""
    return facts.get("format", "binary") not in ("binary", "table", "parquet", "arrow")


def first_number(X: Any) -> int:
    """The number of a tensor's first row in the file or table that it was made of; 0 of arrays."""
    facts, base = X.file_facts, table_base(X)
    if "first_number" in facts:
        return int(facts["first_number"])
    return int(facts["index_base"]) if base is None and is_text(facts) else base or 0


def has_numbers(X: Any) -> bool:
    """Whether the rows of a tensor that have no labels have the numbers of a file or a table, which
    are names beside labels that are numbers; those of arrays are rows."""
    return X._is_table or not {"format", "table_base", "first_number"}.isdisjoint(X.file_facts)


def refuse_other_base(
    bases: tuple[int | None, int | None],
    labels: tuple[Sequence[Any], Sequence[Any]],
    what: str,
    sides: tuple[str, str],
) -> None:
    """Complains of two sides whose rows are numbers of tables that count from other bases.

    Raises
    ------
    ValueError
        Where a mode has labels on neither side.
    """
    mine, theirs = bases
    if mine is None or theirs is None or mine == theirs or len(labels[0]) != len(labels[1]):
        return
    if any(own is None and other is None for own, other in zip(*labels, strict=True)):
        raise ValueError(
            f"{what}: {sides[0]} numbers rows from {mine}, {sides[1]} from {theirs}, as their "
            "tables were read: expected the same, as index_base= of genten.read and genten.tensor "
            "says it"
        )


def permuted(run: Mapping[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """The same of a model with its modes in that order."""
    found = dict(run)
    for name in NUMBERS:
        if np.size(run.get(name, 0)) > 1:
            found[name] = [run[name][mode] for mode in order]
    chosen = run.get("nonnegative")
    if isinstance(chosen, (list, tuple)):
        found["nonnegative"] = [at for at, mode in enumerate(order) if mode in chosen]
    return found


def record_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON has it: modes count from 1, and what is no bound is null."""
    record = {name: run[name] for name in _KEPT if run.get(name) is not None}
    if "values" in run:  # null where rows were counted
        record["values"] = None if run["values"] is None else str(run["values"])
    if "loss_parameter" in record:
        record["loss_parameter"] = float(record["loss_parameter"])
    for name in NUMBERS:
        if name in record:
            numbers = np.atleast_1d(np.asarray(run[name], np.float64)).tolist()
            record[name] = [each if np.isfinite(each) else None for each in numbers]
    chosen = run.get("nonnegative")
    if chosen is True:
        record["nonnegative"] = "all"
    elif chosen is not None and not isinstance(chosen, str):
        record["nonnegative"] = [int(mode) + 1 for mode in chosen]
    return dict(sorted(record.items()))


def run_in(record: Mapping[str, Any]) -> dict[str, Any]:
    """What `record_of` tells, and the tool.

    Raises
    ------
    KeyError, TypeError, ValueError
        For what has another form.
    """
    run = dict(record)
    for of_list in ("tensor", "missing_sha256"):  # of a list of missing entries, in a file
        run.pop(of_list, None)
    run["loss"] = str(record["loss"])
    for name in NUMBERS:
        if name in run:
            none = float("inf") if name == "upper" else float("-inf")
            run[name] = [none if each is None else float(each) for each in record[name]]
    if "loss_parameter" in run:
        run["loss_parameter"] = float(record["loss_parameter"])
    chosen = record.get("nonnegative")
    if chosen is not None and not isinstance(chosen, str):
        run["nonnegative"] = [int(mode) - 1 for mode in chosen]
    if "missing" in run and run["missing"] != "unlisted":  # The tool knows the list's file.
        run["missing"] = "listed"
    if not isinstance(run.get("values", ""), (str, type(None))):
        raise TypeError(f"values: expected the name of a column, got {run['values']!r}")
    return run
