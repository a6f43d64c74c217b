# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Labels and names of modes beside files of tensors and models, which have no place for them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._names.labels import Labels
from ..convert.parts import warn
from .paths import own_descriptor, write_whole

ENDING = ".labels.json"
"""What is added to a file's name for that of its labels."""

_KIND, _VERSION = "genten labels", 1


_OTHER_FORM = "it is not in the form of such files"


@dataclass(frozen=True)
class Sidecar:
    """What is known of the rows and modes of a file."""

    path: str
    shape: tuple[int, ...]
    labels: list[list[str] | None]
    mode_names: list[str] | None
    index_base: int | None

    def fits(self, shape: tuple[int, ...], base: int) -> bool:
        """Whether the file was read as one of this shape, with subscripts from where they were; a
        warning says so if not."""
        if self.index_base in (None, base) and self.shape == shape:
            return True
        warn(
            f"{self.path}{ENDING} is not used: its labels are for shape {self.shape}, the file was "
            f"read as one of shape {shape} with subscripts from {base}"
        )
        return False


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _names_digest(told: dict[str, Any]) -> str:
    """The checksum of the names themselves, as the tool has it: of compact JSON in UTF-8."""
    names = {key: told.get(key) for key in ("index_base", "labels", "mode_names", "shape")}
    text = json.dumps(names, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def write_sidecar(
    path: str,
    shape: Sequence[int],
    labels: Labels,
    mode_names: Sequence[str] | None,
    index_base: int | None = None,
) -> None:
    """Writes labels and names of modes beside a file that was just written; where there are none,
    removes those that were written beside an earlier one.

    Raises
    ------
    OSError
        For a file that cannot be written.
    """
    # A pipe has no place beside it, nor has what is open already, as /dev/stdout.
    if not os.path.isfile(path) or own_descriptor(path) is not None:
        return
    if mode_names is None and all(names is None for names in labels):
        _remove(path + ENDING)
        return
    told: dict[str, Any] = {
        "format": _KIND,
        "version": _VERSION,
        "sha256": _digest(path),
        "shape": list(shape),
        "mode_names": None if mode_names is None else list(mode_names),
        "labels": [None if names is None else list(names) for names in labels],
    }
    if index_base is not None:
        told["index_base"] = index_base
    told["names_sha256"] = _names_digest(told)
    write_whole(path + ENDING, json.dumps(told, ensure_ascii=False, indent=0) + "\n")


def _remove(name: str) -> None:
    """Removes a file of labels, if it is one."""
    with contextlib.suppress(FileNotFoundError, ValueError, KeyError):
        _parsed(name)
        os.unlink(name)


def _parsed(name: str) -> dict[str, Any]:
    with open(name, "rb") as file:
        content = file.read()
    try:
        told = json.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: expected text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}: expected JSON, got something else") from None
    except (ValueError, RecursionError):
        raise ValueError(_OTHER_FORM) from None
    if not isinstance(told, dict):
        raise ValueError(_OTHER_FORM)
    if told["format"] != _KIND:
        raise ValueError(f"its format is {told['format']!r}, not {_KIND!r}")
    return told


def _are_texts(names: Any, count: int) -> bool:
    return (
        isinstance(names, list)
        and len(names) == count
        and all(isinstance(name, str) for name in names)
    )


def _understood(path: str, told: dict[str, Any]) -> Sidecar:
    if told["version"] != _VERSION:
        raise ValueError(f"its version is {told['version']!r}, this genten knows {_VERSION}")
    shape, labels, names = told["shape"], told["labels"], told["mode_names"]
    if not isinstance(shape, list) or not isinstance(labels, list):
        raise ValueError(_OTHER_FORM)
    good = len(labels) == len(shape) and all(
        each is None or _are_texts(each, length)
        for each, length in zip(labels, shape, strict=False)
    )
    if not good or (names is not None and not _are_texts(names, len(shape))):
        raise ValueError("its labels are not texts, as many as its shape says")
    return Sidecar(path, tuple(shape), labels, names, told.get("index_base"))


def read_sidecar(path: str) -> Sidecar | None:
    """What stands beside a file, if that is the one it was written with; else a warning says why
    not. None, without a warning, where nothing stands there."""
    name = path + ENDING
    if not os.path.isfile(name) or not os.path.isfile(path):
        return None
    try:
        told = _parsed(name)
        found = _understood(path, told)
        if told.get("names_sha256", digest := _names_digest(told)) != digest:  # Older files: none.
            raise ValueError("its names are not those any more that it was written with")
        if told["sha256"] != _digest(path):
            raise ValueError(f"{path} is not the file any more that it was written with")
    except KeyError as error:
        why = f"it lacks {error}"
    except TypeError:
        why = _OTHER_FORM
    except (OSError, ValueError) as error:
        why = str(error)
    else:
        return found
    warn(f"{name} is not used: {why}; remove it, or save again")
    return None
