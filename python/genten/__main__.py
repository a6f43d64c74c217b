# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""``python -m genten``: commands that need Python; the others are those of the tool ``genten``."""

import sys
import warnings
from collections.abc import Sequence

USAGE = """\
usage: python -m genten report MODEL -o FILE ...

commands:
  report   write one HTML file that shows a model (python -m genten report --help)

Tensors are decomposed by genten.cp, or by the command-line tool: genten decompose --help
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0
    if not given or given[0] != "report":
        print(USAGE, end="", file=sys.stderr)
        return 2
    return report(given[1:])


def report(arguments: Sequence[str] | None = None) -> int:
    """The command ``genten-report``."""
    try:
        from ._report_cli import in_options
        from ._report_cli import main as run
    except ImportError as error:
        print(f"genten report: {error}", file=sys.stderr)
        return 1
    warnings.formatwarning = lambda message, *_: (
        f"genten report: warning: {in_options(str(message))}\n"
    )
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
