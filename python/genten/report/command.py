# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The lines that make the same model again."""

import shlex
from collections.abc import Mapping
from typing import Any

_NOT_THE_MODEL = {
    "memory_available",
    "memory_limit",
    "read_memory_limit",
    "callback",
    "progress",
    "checkpoint",
    "checkpoint_every",
    "threads",
    "observer",
}


def _given(options: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The options that the model depends on, those first that one asks for first."""
    kept = {
        name: value
        for name, value in options.items()
        if name not in _NOT_THE_MODEL
        and value is not None
        and not (isinstance(value, (list, tuple)) and not value)
        and not (name == "time_limit" and not value)
    }
    first = [name for name in ("rank", "seed", "starts", "init") if name in kept]
    return [(name, kept[name]) for name in (*first, *(n for n in kept if n not in first))]


def _is_file(init: Any) -> bool:
    return isinstance(init, str) and init not in ("uniform", "normal", "random")


def tool_command(options: Mapping[str, Any], tensor: str, index_base: int = 1) -> str:
    """The command line of ``genten decompose`` with these options, modes counting from 1.

    Examples
    --------
    >>> tool_command({"rank": 3, "seed": 1, "mode_order": [1, 2], "time_limit": 0}, "my data.tns")
    "genten decompose 'my data.tns' --rank 3 --seed 1 --mode-order 1,2"
    """
    words = ["genten", "decompose", tensor]
    if index_base == 0:
        words += ["--index-base", "0"]
    from_file = _is_file(options.get("init"))
    for name, value in _given(options):
        if name == "rank" and from_file:
            continue  # The rank is the guess's.
        if name in ("mode_order", "fixed_modes"):
            value = ",".join(str(mode) for mode in value)
        words += ["--" + name.replace("_", "-"), _word(value)]
    return " ".join(shlex.quote(word) for word in words)


def _word(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value)


def python_lines(options: Mapping[str, Any], tensor: str | None) -> str:
    """The lines of Python that call `genten.cp` with these options.

    Examples
    --------
    >>> print(python_lines({"rank": 3, "seed": 1, "kernel": "auto"}, "counts.tns"))
    import genten
    X = genten.read('counts.tns')
    r = genten.cp(X, 3, seed=1, kernel='auto')
    """
    read = f"X = genten.read({tensor!r})" if tensor else "X = ...  # the tensor"
    arguments = ["X"]
    for name, value in _given(options):
        if name == "rank":
            arguments.append(str(value))
        elif isinstance(value, (str, int, float, bool, list, tuple)):
            arguments.append(f"{name}={value!r}")
        else:
            arguments.append(f"{name}=...")
    return f"import genten\n{read}\nr = genten.cp({', '.join(arguments)})"
