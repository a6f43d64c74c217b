# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the pages of the documentation hold, for the tests that run it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

NOT_RUN = re.compile(r"<!-- not run: \S.*-->")


class Block:
    """A fenced block: its language, its lines, and the number of the first of them in the page."""

    def __init__(self, page, language, number):
        self.page, self.language, self.number, self.lines = page, language, number, []

    def where(self, offset=0):
        return f"{self.page.relative_to(ROOT)}:{self.number + offset}"


def all_pages():
    """Every page with text of our own: docs/, and the files of the repository that are pages."""
    import prepare

    yield ROOT / "README.md"
    yield from (ROOT / name for name in prepare.PAGES if not name.startswith("examples/"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


LIST_ITEM = re.compile(r"( *)([-*+]|\d+[.)]) +")


def indented_code(page):
    """The numbers of the lines at which code begins that is a block by its indentation alone."""
    fenced, after_blank, in_code, content = False, True, False, 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.lstrip().startswith(("```", ":::")):
            fenced, after_blank = not fenced, False
            continue
        if fenced:
            continue
        if not line.strip():
            after_blank = True
            continue
        indentation = len(line) - len(line.lstrip(" "))
        item = LIST_ITEM.match(line)
        deep = indentation >= content + 4
        if deep and after_blank and not in_code:
            yield number
        in_code = deep and (after_blank or in_code)
        if not deep and item:
            content = len(item.group(0))
        elif after_blank and indentation < content:
            content = 0
        after_blank = False


def blocks(page):
    """(block, whether it is to be run) for each fenced block of a page.

    A block is not run where the line above it is a comment `<!-- not run: why -->`.
    """
    block, before = None, ""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if block is not None:
            if line.startswith("```"):
                yield block, not NOT_RUN.fullmatch(block.before)
                block = None
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            block = Block(page, line[3:].strip(), number + 1)
            block.before = before
        if line.strip():
            before = line.strip()
