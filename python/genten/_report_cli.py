# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The command ``python -m genten report``, also installed as ``genten-report``."""

import argparse
import ast
import os
import re
import shlex
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from . import _core
from ._files.paths import require_page_name, write_whole
from ._files.tensors import table_columns
from ._input import tensor_beside_model
from ._names.labels import near_to
from ._names.lookup import require_columns
from ._tensor_for import columns_beside
from .reports import read_ranks, read_recorded, render_ranks, render_report
from .tensors import beside

DESCRIPTION = """\
Write one HTML file that shows a CP or Tucker model: its components, or its core and columns, by the
names of their strongest rows, how it was made, and what to know before trusting it.
"""
EXAMPLES = """\
examples:
  genten decompose counts.tns --rank 8 --output model.ktensor --json result.json
  python -m genten report model.ktensor --json result.json \\
    --labels people.txt,places.txt,years.txt --mode-names person,place,year -o report.html
  python -m genten report model.ktensor --tensor counts.csv --values count -o report.html
  genten rank counts.tns --loss poisson --output model.ktensor --json ranks.json
  python -m genten report model.ktensor --ranks ranks.json -o report.html
  genten tucker counts.tns --ranks 4,4,3 --output model.ttensor --json result.json
  python -m genten report model.ttensor --json result.json -o report.html
"""


class _Parser(argparse.ArgumentParser):
    """Whose complaints say what to type."""

    def error(self, message: str) -> NoReturn:
        super().error(f"{message}; as in {self.prog} model.gkt --tensor data.csv -o report.html")


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = _Parser(
        prog="python -m genten report",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "model",
        nargs="?",
        help="the model, as genten decompose, tucker or rank --output writes it; without one the "
        "report is of --ranks alone",
    )
    made.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the HTML file; - is the standard output",
    )
    made.add_argument("--json", metavar="FILE", help="what genten decompose or tucker --json wrote")
    made.add_argument(
        "--ranks",
        metavar="FILE",
        help="what genten rank --json wrote: how many components there are, and why",
    )
    made.add_argument(
        "--tensor",
        metavar="FILE",
        help="the data: nonzeros, values, and the fit where --json is not given",
    )
    made.add_argument(
        "--missing",
        metavar="unlisted|none|FILE",
        help="which entries of --tensor do not count: all that it does not list, none, or those "
        "that FILE lists (default as in the run that made the model)",
    )
    for name, meaning in _OF_TABLES.items():
        made.add_argument(
            _option(name), metavar=meaning[0], help=meaning[1], choices=_CHOICES.get(name)
        )
    made.add_argument(
        "--labels",
        metavar="FILE,...",
        help="names of the rows, one file a mode; nothing between two commas: no names (default "
        "those beside the model, or in what --json-factors wrote)",
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
        help="name the N strongest rows of long modes, and of a Tucker model the N largest "
        "elements of the core (default 10)",
    )
    return made


def main(arguments: Sequence[str] | None = None, genten: Any = None) -> int:
    """Runs the command; returns its exit code: 0, 2 for wrong usage, 3 for file trouble, else 1.

    `genten` stands in for the package, for tests.
    """
    given = parser().parse_args(arguments)
    try:
        require_page_name(given.output, "--output: ")
        page = _page(given, genten)
        if given.output == "-":
            sys.stdout.buffer.write(page.encode())  # UTF-8, as the page says, whatever the locale.
            sys.stdout.flush()
        else:
            write_whole(given.output, page)
    except (ImportError, MemoryError) as error:
        return _fail(error, 1)
    except OSError as error:
        return _fail(error, 3)
    except ValueError as error:
        return _fail(error, 2)
    return 0


def _fail(error: Exception, code: int) -> int:
    of_file = isinstance(error, OSError)
    print(f"genten report: {in_options(str(error), of_file)}", file=sys.stderr)
    return code


_NAMES = {"k": "--top"}
"""Options that are called otherwise here than the keywords of Python."""
_VALUE = r"('[^']*'|\[[^\]]*\]|\d+)"
_QUOTED = r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_MODE = r"\bmode (?P<number>\d+)\b(?P<name> \((?:[^()]|\([^()]*\))*\))?"
"""What people's names are quoted in, and a mode with its name, which may have brackets."""


def _option(keyword: str) -> str:
    return _NAMES.get(keyword, f"--{keyword.replace('_', '-')}")


def in_options(text: str, of_file: bool = False) -> str:
    """A message of Python as it is told here: with the options as they are typed, and modes counted
    from 1, as those that are about a file's content do already. Calls of Python that have no option
    stay.

    Examples
    --------
    >>> in_options("missing: mode 0 (who): no row is called 'mode 7'")
    "--missing: mode 1 (who): no row is called 'mode 7'"
    >>> in_options("mode 0 (mode 5): no row is called 'dark mode 3'")
    "mode 1 (mode 5): no row is called 'dark mode 3'"
    >>> in_options("genten.read(..., values='n') names it, and missing='unlisted' says the other")
    '--values n names it, and --missing unlisted says the other'
    """

    def typed(found: re.Match[str]) -> str:
        value = ast.literal_eval(found[2])
        words = ",".join(value) if isinstance(value, list) else str(value)
        return f"{_option(found[1])} {shlex.quote(words)}"

    known = [*_OF_TABLES, "missing", "labels", "mode_names", "k"]
    names = "|".join(known)
    text = re.sub(rf"^({names})(?=: )", lambda found: _option(found[1]), text)
    call = rf"genten\.(?:read|tensor)\((?:table|path|\.\.\.)(?:, \.\.\.)?, ({names})={_VALUE}\)"
    text = re.sub(call, typed, text)
    if "genten." not in text:
        text = re.sub(rf"\b({names})={_VALUE}", typed, text)
    if of_file:
        return text
    return re.sub(f"{_QUOTED}|{_MODE}", _from_1, text)


def _from_1(found: re.Match[str]) -> str:
    """A mode counted from 1, with its name, unless that is this number, as of modes without a name
    beside --labels; what is quoted stays."""
    if found["number"] is None:
        return found[0]
    mode, name = f"mode {int(found['number']) + 1}", found["name"] or ""
    return mode if name == f" ({mode})" else mode + name


def _page(given: argparse.Namespace, genten: Any) -> str:
    ranks = None if given.ranks is None else read_ranks(given.ranks)
    if given.model is None:
        return _page_of_ranks(given, ranks)
    if genten is None:
        import genten
    files, names = _listed(given.labels), _listed(given.mode_names)
    model = genten.load(given.model, labels=files, mode_names=_mode_names(files, names))
    source: Any = model
    if given.json:
        source = read_recorded(given.json, model, model_name=given.model)
        labels = getattr(source, "labels", None)  # Of --json-factors.
        if files is None and labels is not None and all(names is None for names in model.labels):
            model.labels = labels
    for name in ("missing", *_OF_TABLES):
        if not given.tensor and getattr(given, name) is not None:
            raise ValueError(f"{_option(name)}: has no effect without --tensor")
    tensor = _tensor(given.tensor, given, genten, model) if given.tensor else None
    return render_report(
        source,
        tensor=tensor,
        tensor_name=given.tensor,
        title=given.title,
        k=given.top,
        ranks=ranks,
        missing=given.missing,
    )


def _page_of_ranks(given: argparse.Namespace, ranks: Any) -> str:
    if ranks is None:
        raise ValueError("expected a model, or --ranks FILE, got neither")
    for name in ("json", "tensor", "missing", "labels", "mode_names", *_OF_TABLES):
        if getattr(given, name) is not None:
            raise ValueError(f"{_option(name)}: has no effect without a model")
    return render_ranks(ranks, title=given.title)


_OF_TABLES = {
    "values": (
        "NAME",
        "of a table for --tensor, the column of values; by default the one that is none of the "
        "model's modes",
    ),
    "modes": (
        "NAME,...",
        "of a table, the columns that are the model's modes, in their order; by default those "
        "called as these, and of a model without names all but the values. With it and without "
        "--values, rows are counted where the model does not know the column of the values",
    ),
    "duplicates": ("RULE", "what becomes of rows for one entry: sum, mean, last, max or refuse"),
    "encoding": ("NAME", "of a table: utf-8 or latin-1"),
    "index_base": ("BASE", "what subscripts count from: auto, 0 or 1"),
    "decimal": ("SIGN", "of a table: . or, for numbers such as 3,5, a comma"),
}
"""Options of reading that ``genten decompose`` has, too: what they take and mean."""
_CHOICES = {"index_base": ("auto", "0", "1")}
"""Those of them that take few words."""


def _read(path: str, given: argparse.Namespace, genten: Any, model: Any) -> Any:
    options = {name: getattr(given, name) for name in _OF_TABLES}
    run, modes = getattr(model, "_run", {}), given.modes and given.modes.split(",")
    options["duplicates"] = options["duplicates"] or run.get("duplicates")
    if modes is not None:
        options["modes"] = modes
        _refuse_places(modes, model.mode_names)
    try:
        if modes or model.mode_names:
            options.update(_columns(path, given, run, modes or model.mode_names))
        asked = {name: value for name, value in options.items() if value is not None}
        if "modes" in asked:
            tensor = tensor_beside_model(path, None, asked)
        else:
            tensor = genten.read(path, **asked)
    except (OSError, ValueError) as error:
        of_option = re.match(f"({'|'.join(_OF_TABLES)}): ", str(error))
        if getattr(error, "errno", None) is not None or given.values is not None or of_option:
            raise
        hint = "; of a table, --values NAME says here which column holds the values"
        raise OSError(f"{error}{hint}") from None
    if modes and model.mode_names and sorted(modes) != sorted(model.mode_names):
        tensor.mode_names = model.mode_names
    return tensor


def _refuse_places(modes: Sequence[str], names: Sequence[str] | None) -> None:
    """Complains of columns for a model's modes, in their order, of which some alone are called as
    other modes."""
    if names is None or sorted(modes) == sorted(names):  # Then modes are matched by name.
        return
    if len(modes) != len(names):
        raise ValueError(f"--modes: expected {len(names)}, as the model has, got {len(modes)}")
    for column, name in zip(modes, names, strict=True):
        if column != name and column in names:
            raise ValueError(
                f"--modes: column {column!r} is given for mode {name!r}: expected the columns of "
                f"{list(names)} in this order"
            )


def _values_option(column: str) -> str:
    """How the column of the values is given; "" is any."""
    return f"--values {shlex.quote(column)}" if column else "--values"


def _columns(
    path: str, given: argparse.Namespace, run: Mapping[str, Any], names: Sequence[str]
) -> dict[str, Any]:
    """The modes of a table, which are called so, and its values, as the model says them; nothing
    of another file. Standard error tells of the columns that nobody looks at."""
    columns = table_columns(path, {} if given.encoding is None else {"encoding": given.encoding})
    if not columns:
        return {}
    require_columns(columns, names, path)
    left = [each for each in columns if each not in names]
    modes, values = [each for each in columns if each in names], given.values
    if given.modes is not None:
        modes = list(names)
    if values is not None:
        if values not in left:
            raise ValueError(
                f"--values: {path}: expected one of the columns that are no modes, {left}, got "
                f"{values!r}{near_to(values, left)}"
            )
    elif given.modes is None:
        values = columns_beside(columns, names, run, path, _values_option)["values"]
        if values is None:  # A warning has told of the columns that are left.
            return {"modes": modes, "values": None}
    elif run.get("values") in left:
        values = run["values"]
    others = [each for each in left if each != values]
    if others:
        noun, verb = ("column", "is") if len(others) == 1 else ("columns", "are")
        text = f"{noun} {', '.join(others)} {verb} not used"
        if values is None:
            text = _core.unused_columns_note(others, False, _values_option)
        print(f"genten report: note: {path}: {text}", file=sys.stderr)
    return {"modes": modes, "values": values}


def _with_own_names(model: Any, given: argparse.Namespace, genten: Any) -> Any:
    """The model with the names that stand beside it, not those of --labels and --mode-names."""
    if given.labels is None and given.mode_names is None:
        return model
    with warnings.catch_warnings():
        if given.labels is None or given.mode_names is None:  # Else nobody has looked beside it.
            warnings.simplefilter("ignore")
        return genten.load(given.model)


def _tensor(path: str, given: argparse.Namespace, genten: Any, model: Any) -> Any:
    """The data. Names that stand beside it and beside the model tell which mode and row is which;
    those of --labels and --mode-names may be others, for people."""
    model = _with_own_names(model, given, genten)
    tensor = _read(path, given, genten, model)
    if given.labels is None and given.mode_names is None:
        return tensor
    labels = getattr(tensor, "labels", None)
    named = getattr(tensor, "mode_names", None) is not None
    if labels is None or not (named or any(names is not None for names in labels)):
        return tensor
    if tensor.ndim != model.ndim:
        return tensor
    tensor = beside(model, tensor, path)
    both = zip(tensor.labels, model.labels, strict=True)
    # Without names beside the model its rows go by their numbers.
    tensor = genten.tensor(tensor, labels=[None for _ in both])
    tensor.mode_names = None
    return tensor


def _listed(text: str | None) -> list[str | None] | None:
    return None if text is None else [word or None for word in text.split(",")]


def _mode_names(files: list[str | None] | None, names: list[str | None] | None) -> list[str] | None:
    """The names that are given; elsewhere those of the files of labels, or numbers from 1."""
    order = max(len(files or ()), len(names or ()))
    if files is not None and names is not None and len(files) != len(names):
        raise ValueError(f"--labels and --mode-names: {len(files)} modes here, {len(names)} there")
    chosen = []
    for mode in range(order):
        file = files[mode] if files is not None else None
        name = names[mode] if names is not None else None
        stem = os.path.basename(file).split(".")[0] if file else ""
        chosen.append(name or stem or f"mode {mode + 1}")
    return chosen or None
