# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The lines that make the same model again."""

import math
import shlex
from collections.abc import Mapping
from typing import Any

from ..describe import value_of
from ..describe.ends import ended_by
from ..describe.goals import is_generalized, is_of_counts, misses_unlisted

_NOT_THE_MODEL = {
    "memory_available",
    "memory_limit",
    "read_memory_limit",
    "callback",
    "progress",
    "checkpoint",
    "checkpoint_every",
    "threads",
    "block_bytes",
    "observer",
    "resume",
}

_OF_TABLES = ("values", "modes", "decimal", "encoding")
"""Options of reading that tables have alone."""
_AS_READ_BY_DEFAULT = {"decimal": "auto", "encoding": "utf-8"}
"""Recorded of every file, but refused beside one that is no table."""


_CUT = {
    "callback": "its callback",
    "interrupted": "an interruption",
    "observer": "an interruption",
    "time_limit": "its time limit",
}
"""Ends that no option brings about again, and by what the run was stopped."""


def _given(options: Mapping[str, Any], result: Any) -> list[tuple[str, Any]]:
    """The options that the model depends on, those first that one asks for first."""
    random = _is_random(options.get("init"))
    if _is_tucker(options):  # which has one start, from random numbers where these are named
        random = options.get("init") == "random"
    meaningless = _meaningless(options, result)
    kept = {
        name: value
        for name, value in options.items()
        if name not in _NOT_THE_MODEL
        and value is not None
        and not (isinstance(value, (str, list, tuple)) and not value)
        and _AS_READ_BY_DEFAULT.get(name) != value
        and not (name == "time_limit" and not value)
        and (random or name not in ("seed", "starts"))  # They mean nothing beside a guess.
        and name not in meaningless
    }
    first = [name for name in ("rank", "ranks", "seed", "starts", "init") if name in kept]
    return [(name, kept[name]) for name in (*first, *(n for n in kept if n not in first))]


def _is_tucker(options: Mapping[str, Any]) -> bool:
    """Whether they are of a Tucker model: those of several numbers of components have starts."""
    return "ranks" in options and "starts" not in options


def _meaningless(options: Mapping[str, Any], result: Any) -> tuple[str, ...]:
    """The options that are recorded, but mean nothing beside the others, and would be refused."""
    if _is_tucker(options):
        of_hooi = ("max_iterations", "tolerance", "time_limit")
        begins = ("init",) * (not options.get("fixed_modes"))
        return () if options.get("method", "hooi") == "hooi" else (*of_hooi, *begins)
    if is_generalized({"options": options}):
        usual = options.get("loss") not in ("gaussian", "poisson")
        method = options.get("method")
        of_adam = ("rate", "epoch_steps", "batch", "failures")
        return (
            *(("solver",) * usual + ("init",) * (options.get("init") == "auto")),
            *(("corrections",) if method in ("adam", "rows", "auto") else ()),
            *(() if method == "adam" else of_adam),
            *(() if options.get("holdout") else ("holdout", "holdout_seed", "patience")),
        )
    if is_of_counts({"options": options}):
        by_newton = value_of(result, "kernel") == "per-row normal equations"
        if result is None:  # but options: steps are Newton's where none are named
            by_newton = options.get("steps") != "multiplicative"
        of_guess = ("kappa", "kappa_tolerance") if _is_random(options.get("init")) else ()
        return ("solver", *(("kernel", *of_guess) if by_newton else ()))
    if options.get("missing") is None:
        return ("solver",)
    without = () if options.get("holdout") else ("holdout", "holdout_seed", "patience")
    without = ("solver", *without)
    return (*without, "kernel") if misses_unlisted({"options": options}) else without


def _is_random(init: Any) -> bool:
    return init is None or isinstance(init, str) and init in ("auto", "uniform", "normal", "random")


def _again(options: Mapping[str, Any], result: Any) -> tuple[dict[str, Any], list[str]]:
    """Options that make the model again, of a run that was cut short too, and what to say of it."""
    again = dict(options)
    remarks = []
    resumed = options.get("resume")
    if resumed is not None:
        remarks.append(
            f"The run went on from {resumed!r}; these lines start from the beginning, and make the "
            "same model if it had begun with random numbers and these options."
        )
    starts = value_of(result, "starts", ())
    end = value_of(result, "stop_reason")
    reasons = [str(value_of(each, "stop_reason")) for each in starts]
    cut = [number for number, reason in enumerate(reasons, 1) if reason in _CUT]
    if end not in _CUT and not cut:
        return again, remarks
    again.pop("time_limit", None)
    if end in _CUT:
        again["max_iterations"] = value_of(result, "iterations")
    by = _CUT[ended_by(reasons) or str(end)]
    asked = value_of(options, "starts", 1)
    best = int(value_of(result, "best_start", 0))
    if asked > 1 and best < len(starts):
        again.update(starts=1, seed=value_of(starts[best], "seed"))
        remarks.append(
            f"The run was stopped by {by} in start {cut[-1] if cut else len(starts)} of {asked}: "
            f"this makes start {best + 1} alone, which was the best."
        )
    else:
        remarks.append(f"The run was stopped by {by}: this ends after as many iterations.")
    return again, remarks


def options_with_reading(options: Any, record: Any, tensor: Any, model: Any) -> dict[str, Any]:
    """The options of a run beside the tool's `record` of its tensor, with those by which a table
    was read: the run's own, or where it has not kept them those of `tensor`. Where neither is
    known they have no ``values``."""
    kept = dict(options)
    if value_of(record, "format") != "table" or "values" in kept:
        return kept
    read = value_of(value_of(tensor, "file_facts", {}), "read_options", {})
    if not read:
        return kept
    kept.update({"values": "", **{name: read[name] for name in _OF_TABLES if name in read}})
    own = getattr(model, "mode_names", None)
    if own and "modes" in read and set(own) == set(read["modes"]):
        kept["modes"] = list(own)  # in their order in the run
    return kept


def unknown_reading(options: Mapping[str, Any], result: Any, command: str) -> str:
    """What stands in the place of a line for a table of which nobody knows how it was read."""
    line = tool_command(options, "TABLE", result=result, command=command)
    flags = ", ".join(f"--{name}" for name in _OF_TABLES)
    remark = [f"This, with the options by which the table was read ({flags}), which were not kept:"]
    return "\n".join([*_comments(remark), *_comments(line.splitlines())])


def tool_command(
    options: Mapping[str, Any],
    tensor: str,
    index_base: int = 1,
    result: Any = None,
    command: str = "decompose",
) -> str:
    """The command line of ``genten decompose`` with these options, as it records them, or of
    another `command`, ``genten tucker`` where they have its ranks.

    Modes count from 1 in the tool's records, as they do on its command line. With the `result` the
    line makes the model of a run that was stopped, too.

    Examples
    --------
    >>> tool_command({"rank": 3, "seed": 1, "mode_order": [1, 2], "time_limit": 0}, "my data.tns")
    "genten decompose 'my data.tns' --rank 3 --seed 1 --mode-order 1,2"
    """
    options, remarks = _again(options, result)
    words = ["genten", "tucker" if _is_tucker(options) else command, tensor]
    if index_base == 0 and "index_base" not in options:
        words += ["--index-base", "0"]
    from_file = not _is_random(options.get("init")) and options.get("init") != "nvecs"
    for name, value in _given(options, result):
        if name == "rank" and from_file:
            continue  # The rank is the guess's.
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words += [flag] if value else []
        else:
            words += [flag, _word(value, "-inf" if name == "lower" else "inf")]
    line = " ".join(shlex.quote(word) for word in words)
    return "\n".join([*_comments(remarks), line])


def _word(value: Any, none: str = "inf") -> str:
    """An option's value on a command line. JSON has no infinities: they are null there."""
    if value is None:
        return none
    if isinstance(value, (list, tuple)):
        return ",".join(_word(each, none) for each in value)
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value)


def _comments(sentences: list[str]) -> list[str]:
    return [f"# {sentence}" for sentence in sentences]


def python_lines(options: Mapping[str, Any], tensor: str | None, result: Any = None) -> str:
    """The lines of Python that call `genten.cp`, or `genten.tucker`, with these options.

    With the `result` they read the tensor as it was read, and make the model of a run that was
    stopped, too. Without a file the tensor is called X, and an initial guess that was no file init.

    Examples
    --------
    >>> print(python_lines({"rank": 3, "seed": 1, "kernel": "auto"}, "counts.tns"))
    import genten
    X = genten.read('counts.tns')
    r = genten.cp(X, 3, seed=1, kernel='auto')
    >>> print(python_lines({"rank": 3, "seed": 1}, None))
    import genten
    # X: the tensor, which is not known to come from a file.
    r = genten.cp(X, 3, seed=1)
    """
    options, remarks = _again(options, result)
    read = ["# X: the tensor, which is not known to come from a file."]
    if tensor:
        facts = value_of(result, "tensor_facts", {})
        read = [_reading(tensor, facts)]
        if _lacks_names(result, facts):
            remarks.append("X.labels: names of rows, which were in no files.")
    arguments = ["X"]
    for name, value in _given(options, result):
        if name in ("rank", "ranks"):
            arguments.append(_expression(value))
        elif name == "missing" and _is_list_in_file(value):
            arguments.append(f"missing={value.source!r}")
        elif name == "missing" and value_of(value, "source"):
            file_facts = {"read_options": value_of(value, "file_facts", {}).get("read_options", {})}
            read.append(_reading(value.source, file_facts).replace("X", "missing", 1))
            arguments.append("missing=missing")
        elif name == "missing" and not isinstance(value, str):
            remarks.append("missing: the subscripts of the missing entries, which are in no file.")
            arguments.append("missing=missing")
        elif isinstance(value, (str, int, float, bool, list, tuple)):
            arguments.append(f"{name}={_expression(value)}")
        else:
            remarks.append(f"{name}: the model that the run began at, which is in no file.")
            arguments.append(f"{name}={name}")
    function = "tucker" if _is_tucker(options) else "cp"
    call = f"r = genten.{function}({', '.join(arguments)})"
    return "\n".join(["import genten", *read, *_comments(remarks), call])


def _is_list_in_file(missing: Any) -> bool:
    """Whether missing entries were given by the path of their file."""
    known = value_of(missing, "source") is not None
    return known and "read_options" not in value_of(missing, "file_facts", {})


def _lacks_names(result: Any, facts: Any) -> bool:
    """Whether rows had names that reading the tensor again does not bring back."""
    if value_of(facts, "file") is None:
        return False
    named = any(names is not None for names in value_of(value_of(result, "model"), "labels", ()))
    asked = "labels" in value_of(facts, "read_options", {})
    return named and not asked and not value_of(facts, "labels_beside", False)


def _expression(value: Any) -> str:
    """An option's value in Python, where infinities have no name."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_expression(each) for each in value)}]"
    if isinstance(value, float) and math.isinf(value):
        return f"float('{value}')"
    return repr(value)


def _reading(file: str, facts: Any) -> str:
    """The line that reads a tensor as it was read."""
    options = value_of(facts, "read_options", {})
    given = [f"{name}={value!r}" for name, value in options.items() if name not in _NOT_THE_MODEL]
    line = f"X = genten.read({', '.join([repr(file), *given])})"
    had, has = value_of(options, "dtype", "float64"), value_of(facts, "dtype", "float64")
    return line if had == has else f"{line}.astype({has!r})"
