#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a page of the documentation as a Jupyter notebook: notebook.py PAGE.md NOTEBOOK.ipynb

Python examples become cells with the output that the page shows; the rest of the page becomes text.
Needs nbformat. prepare.py writes the notebooks of the site by this.
"""
import ast
import doctest
import pathlib
import re
import sys

import nbformat
from nbformat import v4

BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
LOCAL_LINK = re.compile(r"\[([^\]]*)\]\((?![a-z]+:)[^)]*\)")


def text_of(markdown):
    """Text without what is beside the page alone: pictures, and links to other pages."""
    text = IMAGE.sub("", COMMENT.sub("", markdown))
    return LOCAL_LINK.sub(r"\1", text).strip()


def outputs_of(source, wanted, count):
    """What a cell shows: the value of its last line, or what it prints."""
    if not wanted:
        return []
    last = ast.parse(source).body[-1]
    is_print = (isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
                and getattr(last.value.func, "id", "") == "print")
    if isinstance(last, ast.Expr) and not is_print:
        return [v4.new_output("execute_result", {"text/plain": wanted.rstrip("\n")},
                              execution_count=count)]
    return [v4.new_output("stream", name="stdout", text=wanted)]


def code_of(block):
    """(source, output) of each cell: examples up to the first that shows something."""
    if ">>> " not in block:
        return [(block.rstrip("\n"), "")]
    found, source = [], ""
    for example in doctest.DocTestParser().get_examples(block):
        source += example.source
        if example.want:
            found.append((source.rstrip("\n"), example.want))
            source = ""
    return [*found, (source.rstrip("\n"), "")] if source else found


def notebook_of(page):
    """The notebook of a page's Markdown."""
    cells, at, count = [], 0, 0
    for block in BLOCK.finditer(page):
        cells.append(v4.new_markdown_cell(text_of(page[at:block.start()])))
        for source, wanted in code_of(block.group(1)):
            count += 1
            cells.append(v4.new_code_cell(source, execution_count=count,
                                          outputs=outputs_of(source, wanted, count)))
        at = block.end()
    cells.append(v4.new_markdown_cell(text_of(page[at:])))
    cells = [cell for cell in cells if cell.source]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"  # The same each time, unlike those of nbformat.
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = v4.new_notebook(cells=cells, metadata={"kernelspec": kernel,
                                                  "language_info": {"name": "python"}})
    nbformat.validate(made)
    return made


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    page, notebook = map(pathlib.Path, sys.argv[1:])
    nbformat.write(notebook_of(page.read_text(encoding="utf-8")), notebook)
    return 0


if __name__ == "__main__":
    sys.exit(main())
