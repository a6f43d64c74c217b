#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the ```python blocks of the pages: python_test.py [PAGE]...

Blocks with ">>> " are doctests (ELLIPSIS, NORMALIZE_WHITESPACE), others are run as they are; a
page's blocks share their names. Each page runs in a folder of its own where data/ is the
repository's.
Skipped (exit code 77) where the package genten cannot be imported.
"""
import doctest
import importlib.util
import os
import pathlib
import sys
import tempfile

import pages

# What the code of a page mentions, and the package that it needs then.
NEEDS = {"pandas": "pandas", "genten.plots": "matplotlib", ".plot(": "matplotlib",
         "genten.report": "jinja2", ".report(": "jinja2"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def lacking(page):
    """Packages that a page's code needs and that are not installed."""
    code = "\n".join(line for block, wanted in pages.blocks(page) if block.language == "python"
                     for line in block.lines)
    needed = {package for mention, package in NEEDS.items() if mention in code}
    return sorted(name for name in needed if importlib.util.find_spec(name) is None)


def run_page(page):
    """Runs the blocks of a page; returns (number of blocks, number of those that failed)."""
    names, count, failed = {"__name__": "__main__"}, 0, 0
    for block, wanted in pages.blocks(page):
        if block.language != "python" or not wanted:
            continue
        count += 1
        text = "\n".join(block.lines) + "\n"
        if ">>> " in text:
            test = doctest.DocTestParser().get_doctest(text, names, block.where(), block.where(),
                                                       block.number)
            runner = doctest.DocTestRunner(optionflags=FLAGS)
            failed += bool(runner.run(test, clear_globs=False).failed)
            names.update(test.globs)
            continue
        try:
            exec(compile(text, block.where(), "exec"), names)
        except Exception as error:
            print(f"{block.where()}: {type(error).__name__}: {error}")
            failed += 1
    return count, failed


def main():
    try:
        import genten  # noqa: F401
    except ImportError as error:
        print(f"skipped: the Python package cannot be imported: {error}")
        return 77
    chosen = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or list(pages.all_pages())
    bad = 0
    for page in chosen:
        missing = lacking(page)
        if missing:
            print(f"{page.relative_to(pages.ROOT)}: skipped, there is no {', '.join(missing)}")
            continue
        with tempfile.TemporaryDirectory(prefix="genten-docs.") as folder:
            os.symlink(pages.ROOT / "data", os.path.join(folder, "data"))
            os.chdir(folder)
            count, failed = run_page(page)
            os.chdir(pages.ROOT)
        bad += failed
        if count:
            print(f"{page.relative_to(pages.ROOT)}: {count} blocks, {failed} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
