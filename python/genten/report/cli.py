# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The command ``python -m genten report``, also installed as ``genten-report``."""

import argparse
import gzip
import os
import pathlib
import sys
from collections.abc import Sequence
from typing import Any

DESCRIPTION = """\
Write one HTML file that shows a CP model: its components by the names of their strongest entries,
how it was made, and what to know before trusting it.
"""
EXAMPLES = """\
examples:
  genten decompose counts.tns --rank 8 --output model.ktensor --json result.json
  python -m genten report model.ktensor --json result.json --labels people.txt,places.txt,years.txt \\
    --mode-names person,place,year -o report.html
"""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="python -m genten report",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("model", help="the model, as genten decompose --output writes it")
    made.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the HTML file; - is the standard output",
    )
    made.add_argument("--json", metavar="FILE", help="what genten decompose --json wrote")
    made.add_argument(
        "--tensor",
        metavar="FILE",
        help="the data: nonzeros, values, and the fit where --json is not given",
    )
    made.add_argument(
        "--labels",
        metavar="FILE,...",
        help="names of the rows, one file a mode; nothing between two commas: no names",
    )
    made.add_argument(
        "--mode-names",
        metavar="NAME,...",
        help="names of the modes; by default those of the files of labels",
    )
    made.add_argument("--title", help="the page's title")
    made.add_argument(
        "--top",
        type=int,
        default=10,
        metavar="N",
        help="name the N strongest entries of long modes (default 10)",
    )
    return made


def main(arguments: Sequence[str] | None = None, genten: Any = None) -> int:
    """Runs the command; returns its exit code: 0, 2 for wrong usage, 3 for file trouble, else 1.

    `genten` stands in for the package, for tests.
    """
    given = parser().parse_args(arguments)
    try:
        page = _page(given, genten)
        if given.output == "-":
            sys.stdout.write(page)
        else:
            pathlib.Path(given.output).write_text(page, encoding="utf-8")
    except ImportError as error:
        return _fail(error, 1)
    except OSError as error:
        return _fail(error, 3)
    except ValueError as error:
        return _fail(error, 2)
    return 0


def _fail(error: Exception, code: int) -> int:
    print(f"genten report: {error}", file=sys.stderr)
    return code


def _page(given: argparse.Namespace, genten: Any) -> str:
    from . import read_recorded, render_report

    if genten is None:
        import genten
    model = genten.load(given.model)
    model = Named(model, *_names(given, len(model.factors), [len(f) for f in model.factors]))
    source = read_recorded(given.json, model) if given.json else model
    tensor = genten.read(given.tensor) if given.tensor else None
    return render_report(
        source, tensor=tensor, tensor_name=given.tensor, title=given.title, k=given.top
    )


class Named:
    """A model with other names: the numbers are the model's own."""

    def __init__(self, model: Any, labels: list[Any], mode_names: list[str | None]) -> None:
        self.weights, self.factors = model.weights, model.factors
        own = getattr(model, "labels", None) or [None] * len(model.factors)
        self.labels = [given or known for given, known in zip(labels, own, strict=True)]
        known_names = getattr(model, "mode_names", None) or [None] * len(model.factors)
        self.mode_names = [a or b for a, b in zip(mode_names, known_names, strict=True)]


def _names(
    given: argparse.Namespace, order: int, shape: list[int]
) -> tuple[list[Any], list[str | None]]:
    files = _listed(given.labels, order, "--labels")
    names: list[str | None] = _listed(given.mode_names, order, "--mode-names")
    labels: list[Any] = [None] * order
    for mode, file in enumerate(files):
        if not file:
            continue
        labels[mode] = read_labels(file)
        if len(labels[mode]) != shape[mode]:
            raise ValueError(
                f"{file}: {len(labels[mode])} names, but mode {mode + 1} has {shape[mode]} rows"
            )
        if not names[mode]:
            names[mode] = os.path.basename(file).split(".")[0]
    return labels, names


def _listed(text: str | None, order: int, option: str) -> list[Any]:
    if text is None:
        return [None] * order
    words = text.split(",")
    if len(words) != order:
        raise ValueError(f"{option}: expected {order}, one a mode, got {len(words)}")
    return [word or None for word in words]


def read_labels(path: str | os.PathLike[str]) -> list[str]:
    """The lines of a text file, which may be compressed by gzip or Zstandard."""
    data = pathlib.Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    elif data[:4] == b"\x28\xb5\x2f\xfd":
        data = _unpack_zstd(data, os.fspath(path))
    try:
        return data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{os.fspath(path)}: not text in UTF-8: {error}") from error


def _unpack_zstd(data: bytes, path: str) -> bytes:
    try:
        import zstandard
    except ImportError as error:
        text = f'{path}: Zstandard needs a package: pip install "genten[report]"'
        raise ImportError(text) from error
    return bytes(zstandard.ZstdDecompressor().decompressobj().decompress(data))
