# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The library's functions, whose errors are put into Python's words here and nowhere else.

The library speaks as its command-line tool does: of options with dashes, of modes and components
counted from 1. Here keywords have underscores, and what lies in memory counts from 0; what lies in
text files counts from 1 here, too. Errors of the operating system become those that `open` raises.
"""

from __future__ import annotations

import errno
import functools
import os
import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from . import _core

_P = ParamSpec("_P")
_R = TypeVar("_R")

_COUNT_AS_HERE = {
    "checkpoint_facts", "predict", "read_labels", "read_model", "read_tensor", "settled",
    "tensor_from_columns", "tensor_from_matrix", "write_labels", "write_model",
    "write_tucker_model",
}  # fmt: skip
"""Functions that have Python's subscripts before them, or a file's."""


DROPPING = "dropping rows without nonzeros (compact(), of a Tensor)"
"""What is here in place of an option of the tool."""


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"-?\d+", word) else repr(word)


def _choices(match: re.Match[str]) -> str:
    *words, last = (repr(word) for word in match[1].split("|"))
    return f"expected {', '.join(words)} or {last}, got "


def _keywords(text: str) -> str:
    """Options as keywords."""
    text = re.sub(r"^option ([a-z-]+):", lambda m: m[1].replace("-", "_") + ":", text)
    text = re.sub(r"expected ([\w-]+(?:\|[\w-]+)+), got ", _choices, text)
    return re.sub(
        r"--([a-z][a-z-]*) (\w+)\b",
        lambda m: f"{m[1].replace('-', '_')}={_quoted(m[2])}",
        text,
    )


def from_0(text: str) -> str:
    """Modes and components counted from 0."""
    text = re.sub(
        r"a mode from 1 to (\d+) \(counted from 1\), got (-?\d+)",
        lambda m: f"a mode from 0 to {int(m[1]) - 1}, got {int(m[2]) - 1}",
        text,
    )
    text = re.sub(
        r"\b(mode|component) (\d+)\b( \(counted from 1\))?",
        lambda m: f"{m[1]} {int(m[2]) - 1}",
        text,
    )
    return text


def translated(function: str, text: str) -> str:
    """What the library says in one of its functions, in Python's words.

    Examples
    --------
    >>> translated("cp_als", "option mode-order: mode 1 (counted from 1) is named twice")
    'mode_order: mode 0 is named twice'
    >>> translated("cp_als", "option device: expected auto|cpu|gpu, got 'x'")
    "device: expected 'auto', 'cpu' or 'gpu', got 'x'"
    >>> translated("predict", "Sptensor: nonzero 7: expected a subscript below 2 in mode 1, got 5")
    'predict: cell 7: expected a subscript below 2 in mode 1, got 5'
    """
    if function == "predict":
        text = re.sub(r"^Sptensor: nonzero ", "predict: cell ", text)
    within = (
        r"^(Sptensor|Ktensor|FacMatrix|cp_als|cp_apr|cp_completion|cp_gcp|distribute|tucker|"
        r"core_consistency|ttmc|nvecs): "
    )
    text = re.sub(within, "", text)
    text = text.replace("dropping empty slices (genten convert --compact)", DROPPING)
    text = text.replace("genten convert --compact drops them", "compact(), of a Tensor, drops them")
    return _keywords(text if function in _COUNT_AS_HERE else from_0(text))


def os_error(text: str, names: list[str]) -> OSError:
    """The error that the operating system's trouble is in Python, with `errno` and `filename`; a
    plain one for what is wrong in a file. `names` are those that were asked for.

    Examples
    --------
    >>> os_error("x.tns: cannot be opened: Permission denied", ["x.tns"])
    PermissionError(13, 'cannot be opened: Permission denied')
    >>> os_error("x.tns:2: expected --index-base 0", ["x.tns"])
    OSError('x.tns:2: expected index_base=0')
    """
    for name in names:
        if name and text.startswith(f"{name}: "):
            said = text[len(name) + 2 :]
            number = _number_of(said)
            if number is not None:
                return OSError(number, said, name)
    return OSError(_keywords(text))


def _number_of(said: str) -> int | None:
    """The number of the trouble that stands at the end of a message."""
    if said.startswith("expected a file, got a directory"):
        return errno.EISDIR
    trouble = said.rpartition(": ")[2]
    return next((n for n in errno.errorcode if os.strerror(n) == trouble), None)


_OF_THE_OTHER = {
    "read_tensor": (
        r": expected a sparse tensor, got (a model|a Tucker model|a file of type 'ktensor')$",
        "; genten.load reads models",
    ),
    "cp_als_on_ranks": (
        r": expected a sparse tensor, got (a model|a Tucker model|a file of type 'ktensor')$",
        "; genten.load reads models",
    ),
    "read_model": (
        r": expected (the word ktensor alone in this line, got|a model, got a sparse tensor)",
        "; genten.read reads tensors",
    ),
}
"""By function, what it says of files that another function reads, and which one that is."""


def _speaking(function: Callable[_P, _R], name: str) -> Callable[_P, _R]:
    @functools.wraps(function)
    def call(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
        try:
            return function(*arguments, **keywords)
        except (ValueError, RuntimeError, MemoryError, OSError) as error:
            below = error.__traceback__.tb_next if error.__traceback__ is not None else None
            if below is not None:  # A callback has raised it.
                raise
            said = _anew(error, name, arguments)
        raise said from None

    return call


def _anew(error: Exception, function: str, arguments: tuple[Any, ...]) -> Exception:
    if isinstance(error, OSError):
        pattern, hint = _OF_THE_OTHER.get(function, (None, ""))
        said = str(error)
        other = pattern is not None and re.search(pattern, said) is not None
        names = [each for each in arguments if isinstance(each, str)]
        return os_error(said + hint * other, names)
    return type(error)(translated(function, str(error)))


checkpoint_facts = _speaking(_core.checkpoint_facts, "checkpoint_facts")
checkpoint_scalar_bytes = _speaking(_core.checkpoint_scalar_bytes, "choose_rank")
choose_rank = _speaking(_core.choose_rank, "choose_rank")
column_scales = _speaking(_core.column_scales, "column_scales")
cp = _speaking(_core.cp, "cp")
cp_als_on_ranks = _speaking(_core.cp_als_on_ranks, "cp_als_on_ranks")
evaluate = _speaking(_core.evaluate, "evaluate")
far_worse_than = _speaking(_core.far_worse_than, "far_worse_than")
evaluate_loss = _speaking(_core.evaluate_loss, "evaluate_loss")
loss_deviances = _speaking(_core.loss_deviances, "loss_deviances")
loss_means = _speaking(_core.loss_means, "loss_means")
merged = _speaking(_core.merged, "merged")
model_innerprod = _speaking(_core.model_innerprod, "model_innerprod")
model_norm = _speaking(_core.model_norm, "model_norm")
mttkrp = _speaking(_core.mttkrp, "mttkrp")
normalized = _speaking(_core.normalized, "normalized")
nvecs = _speaking(_core.nvecs, "nvecs")
nvecs_model = _speaking(_core.nvecs_model, "nvecs")
predict = _speaking(_core.predict, "predict")
project_rows = _speaking(_core.project_rows, "project_rows")
random_model = _speaking(_core.random_model, "random_model")
read_labels = _speaking(_core.read_labels, "read_labels")
read_model = _speaking(_core.read_model, "read_model")
read_tensor = _speaking(_core.read_tensor, "read_tensor")
begin_stream = _speaking(_core.begin_stream, "begin_stream")
core_consistency = _speaking(_core.core_consistency, "core_consistency")
score = _speaking(_core.score, "score")
settled = _speaking(_core.settled, "settled")
check_tensor = _speaking(_core.SparseTensor.check, "check_tensor")
load_stream = _speaking(_core.load_stream, "load_stream")
train_stream = _speaking(_core.Stream.train, "train")
update_stream = _speaking(_core.Stream.update, "update")
tensor_from_columns = _speaking(_core.tensor_from_columns, "tensor_from_columns")
tensor_from_matrix = _speaking(_core.tensor_from_matrix, "tensor_from_matrix")
tensor_innerprod = _speaking(_core.tensor_innerprod, "tensor_innerprod")
tensor_norm = _speaking(_core.SparseTensor.norm, "tensor_norm")
ttmc = _speaking(_core.ttmc, "ttmc")
tucker = _speaking(_core.tucker, "tucker")
write_labels = _speaking(_core.write_labels, "write_labels")
write_model = _speaking(_core.write_model, "write_model")
write_tensor = _speaking(_core.write_tensor, "write_tensor")
write_tucker_model = _speaking(_core.write_tucker_model, "write_tucker_model")
