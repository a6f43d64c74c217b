# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What files of tensors and models have no place for, beside them: labels, names of modes, and the
options of the run that made a model."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import _core
from .._model.run_record import own_loss_in, record_of, run_in
from .._names.labels import Labels, number_modes, with_numbers
from ..convert.duplicates import RULES
from ..convert.parts import warn
from .paths import own_descriptor, write_whole

ENDING = ".labels.json"
"""What is added to a file's name for that of its labels."""

_KIND, _VERSION = "genten labels", 1


_OTHER_FORM = "it is not in the form of such files"


def told_of_unknown_run(name: str) -> str:
    """That nothing tells of the run that made a model's file."""
    if name.endswith(".npz"):
        return f"nothing in {name} tells of the run that made it"
    alone = f" (did another program make it, or was it copied without {name}{ENDING}?)"
    lost = "" if os.path.exists(name + ENDING) else alone
    return f"nothing beside {name} tells of the run that made it{lost}"


def warn_of_unknown_loss(run: Mapping[str, Any], loss: Any, what: str) -> None:
    """Warns of a model of a file of which nobody knows what it minimizes. Who reads an archive has
    been told of that."""
    if loss is not None or not (name := run.get("unknown")) or name.endswith(".npz"):
        return
    warn(
        f"{what}: {told_of_unknown_run(name)}: its values are taken as they are; loss= says what "
        "it minimizes, 'gaussian' for least squares"
    )


@dataclass(frozen=True)
class Sidecar:
    """What is known of the rows and modes of a file."""

    path: str
    shape: tuple[int, ...]
    labels: Labels
    mode_names: list[str] | None
    index_base: int | None
    table_base: int | None
    run: dict[str, Any] = field(default_factory=dict)
    values: str = ""

    def fits(self, shape: tuple[int, ...], base: int | None) -> bool:
        """Whether the file was read as one of this shape, with subscripts from where they were; a
        warning says so if not."""
        if self.index_base in (None, base) and self.shape == shape:
            return True
        warn(
            f"{self.path}{ENDING} is not used: its labels are for shape {self.shape}, the file was "
            f"read as one of shape {shape} with subscripts from {base}"
        )
        return False


def _sha256(blocks: Iterable[bytes]) -> str:
    import hashlib  # It takes 3 ms, which those without labels save.

    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


def digest_of_file(path: str) -> str:
    with open(path, "rb") as file:
        return _sha256(iter(lambda: file.read(1 << 20), b""))


def _names_digest(record: dict[str, Any]) -> str:
    """The checksum of the names themselves, as the tool has it: of compact JSON in UTF-8."""
    names = {key: record.get(key) for key in ("index_base", "labels", "mode_names", "shape")}
    text = json.dumps(names, ensure_ascii=False, separators=(",", ":"))
    return _sha256([text.encode("utf-8", "surrogatepass")])


def _plain(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{float(value):.17g}"
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _run_digest(record: dict[str, Any]) -> str:
    """Likewise, with members in the order of their names and numbers as texts of 17 digits, which
    all programs write alike."""
    plain = {name: _plain(value) for name, value in record.items()}
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return _sha256([text.encode("utf-8", "surrogatepass")])


OWN_LOSS = "own_loss"
"""Of a run whose loss was a function, which no file can hold, its name in the place of a loss."""


def known_of_run(run: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a file can tell of a run, as JSON has it: of a loss that is a function the name."""
    if "loss" not in run:
        return None
    record = record_of(run)
    if own_loss_in(run) is not None:
        record[OWN_LOSS] = record.pop("loss")
    return record


def write_sidecar(
    path: str,
    shape: Sequence[int],
    labels: Labels,
    mode_names: Sequence[str] | None,
    index_base: int | None = None,
    run: Mapping[str, Any] | None = None,
    table_base: int | None = None,
    values: str | None = None,
) -> None:
    """Writes labels, names of modes and what is known of a model's run beside a file that was just
    written; where there is none of these, removes those that were written beside an earlier one.
    `table_base` is of a text, whose subscripts count from `index_base`, what the numbers of the
    table do that it was made of, and `values` the column of values of that.

    Raises
    ------
    OSError
        For a file that cannot be written.
    """
    # A pipe has no place beside it, nor has what is open already, as /dev/stdout.
    if not os.path.isfile(path) or own_descriptor(path) is not None:
        return
    run = run or {}
    options = known_of_run(run)
    if mode_names is None and options is None and all(names is None for names in labels):
        _remove(path + ENDING)
        return
    record: dict[str, Any] = {
        "format": _KIND,
        "version": _VERSION,
        "sha256": digest_of_file(path),
        "shape": list(shape),
        "mode_names": None if mode_names is None else list(mode_names),
        "labels": [None if names is None else list(names) for names in labels],
    }
    if numbers := number_modes(labels):
        record["number_names"] = numbers
    if index_base is not None:
        record["index_base"] = index_base
    if table_base is not None:
        record["table_base"] = table_base
    if values:
        record["values"] = values
    if options is not None:
        member = _member_of(options)
        record |= {member: options, f"{member}_sha256": _run_digest(options)}
    record["names_sha256"] = _names_digest(record)
    write_whole(path + ENDING, json.dumps(record, ensure_ascii=False, indent=0) + "\n")


def _member_of(options: Mapping[str, Any]) -> str:
    """Where a run is told: of one under a loss of a caller's own the tool, which has no such loss,
    is to know nothing."""
    return "own_run" if OWN_LOSS in options else "run"


def _remove(name: str) -> None:
    """Removes a file of labels, if it is one."""
    with contextlib.suppress(FileNotFoundError, ValueError, KeyError):
        _parsed(name)
        os.unlink(name)


def _parsed(name: str) -> dict[str, Any]:
    with open(name, "rb") as file:
        content = file.read()
    try:
        record = json.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: expected text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}: expected JSON, got something else") from None
    except (ValueError, RecursionError):
        raise ValueError(_OTHER_FORM) from None
    if not isinstance(record, dict):
        raise ValueError(_OTHER_FORM)
    if record["format"] != _KIND:
        raise ValueError(f"its format is {record['format']!r}, not {_KIND!r}")
    return record


def _are_texts(names: Any, count: int) -> bool:
    return (
        isinstance(names, list)
        and len(names) == count
        and all(isinstance(name, str) for name in names)
    )


def _understood(path: str, record: dict[str, Any]) -> Sidecar:
    if record["version"] != _VERSION:
        raise ValueError(f"its version is {record['version']!r}, this genten knows {_VERSION}")
    shape, labels, names = record["shape"], record["labels"], record["mode_names"]
    if not isinstance(shape, list) or not isinstance(labels, list):
        raise ValueError(_OTHER_FORM)
    good = len(labels) == len(shape) and all(
        each is None or _are_texts(each, length)
        for each, length in zip(labels, shape, strict=False)
    )
    if not good or (names is not None and not _are_texts(names, len(shape))):
        raise ValueError("its labels are not texts, as many as its shape says")
    labels = with_numbers(labels, record.get("number_names", []))
    bases = record.get("index_base"), record.get("table_base")
    if bases[1] not in (None, 0, 1):
        raise ValueError(f"its table_base is {bases[1]!r}, not 0 or 1")
    values = record.get("values", "")
    if not isinstance(values, str):
        raise ValueError(f"its values are {values!r}, not the name of a column")
    return Sidecar(path, tuple(shape), labels, names, *bases, _run_in(record), values)


def _run_in(record: dict[str, Any]) -> dict[str, Any]:
    if "loss_sha256" in record or "entries_sha256" in record:
        raise ValueError(
            "it is of an earlier genten, which kept less of a run: decompose again"
        )
    member = "own_run" if "own_run" in record else "run"
    options, digest = record.get(member), record.get(f"{member}_sha256")
    if options is None and digest is None:
        return {}
    if not isinstance(options, dict) or digest != _run_digest(options):
        raise ValueError("its run was changed after it was written")
    return checked_run(options)


def checked_run(options: Mapping[str, Any]) -> dict[str, Any]:
    """The run of which a file tells.

    Raises
    ------
    KeyError, TypeError, ValueError
        For what has another form, and for losses and rules that this genten does not know.
    """
    if OWN_LOSS in options:
        run = run_in({"loss": options[OWN_LOSS], **options})
        del run[OWN_LOSS]
    else:
        run = run_in(options)
    if OWN_LOSS not in options and run["loss"] not in _core.losses():
        raise ValueError(f"its loss is {run['loss']!r}, which this genten does not know")
    if run.get("duplicates", "sum") not in RULES:
        rule = run["duplicates"]
        raise ValueError(f"its rule for duplicates, {rule}, is none that this genten knows")
    return run


def read_sidecar(path: str, *, quiet: bool = False) -> Sidecar | None:
    """What stands beside a file, if that is the one it was written with; else a warning says why
    not, unless it is to be quiet. None, without a warning, where nothing stands there."""
    name = path + ENDING
    if not os.path.isfile(name) or not os.path.isfile(path):
        return None
    try:
        record = _parsed(name)
        found = _understood(path, record)
        digest = _names_digest(record)
        if record.get("names_sha256", digest) != digest:  # Older files have none.
            raise ValueError("its names were changed after it was written")
        if record["sha256"] != digest_of_file(path):
            raise ValueError(f"it was written for other content of {path}")
    except KeyError as error:
        why = f"it lacks {error}"
    except TypeError:
        why = _OTHER_FORM
    except (OSError, ValueError) as error:
        why = str(error)
    else:
        return found
    if not quiet:
        warn(f"{name} is not used: {why}; remove it, or save again")
    return None
