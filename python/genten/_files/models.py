# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of models."""

from __future__ import annotations

import os
from typing import Any

from .. import _library
from .._model.ktensor import Ktensor
from .._names.labels import check_names_to_save
from ..convert.parts import AnyArray
from .exports import FOR_OTHERS, write_for_others
from .forms import TENSOR_FORMS, is_single, split_name
from .paths import file_name
from .sidecar import read_sidecar, write_sidecar

_TEXTS = ("", ".ktensor", ".txt")
_BINARIES = (".gkt", ".bin")


def read_model(
    path: str | os.PathLike[str], labels: Any, mode_names: Any, dtype: Any
) -> tuple[AnyArray, list[AnyArray], Any, Any]:
    """Weights, factors, labels and names of modes, which are those beside the file where they are
    not given; see `genten.load`."""
    name = file_name(path)
    weights, factors = _library.read_model(name, is_single(dtype))
    beside = read_sidecar(name) if labels is None or mode_names is None else None
    if beside is not None:
        labels = beside.labels if labels is None else labels
        mode_names = beside.mode_names if mode_names is None else mode_names
    return weights, factors, labels, mode_names


def write_model(model: Ktensor, path: str | os.PathLike[str]) -> None:
    """Writes a model; see `Model.save`."""
    name = file_name(path)
    extension, compression = split_name(name)
    check_names_to_save(model.labels, model.shape, model.mode_names, name)
    if extension in FOR_OTHERS and compression == "none":
        write_for_others(model, name, extension)
        return
    if extension not in (*_TEXTS, *_BINARIES):
        kind = ", which is that of a tensor" if extension in TENSOR_FORMS else ""
        raise ValueError(
            f"{name}: expected a name that ends in {', '.join(_TEXTS[1:])} (text, also "
            f"with .gz or .zst), {', '.join(_BINARIES)} (binary) or {', '.join(FOR_OTHERS)} "
            f"(for other programs), got {extension}{kind}"
        )
    binary = extension in _BINARIES
    if binary and compression != "none":
        raise ValueError(f"{name}: the binary form of a model is not compressed")
    weights, factors = model._packed()
    _library.write_model(weights, factors, name, binary, compression)
    write_sidecar(name, model.shape, model.labels, model.mode_names)
