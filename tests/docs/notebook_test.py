#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The notebook of the tutorial has its text, its code and its output, which python_test.py checks.

Skipped (exit code 77) where nbformat is not installed.
"""
import doctest
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

import pages  # noqa: I001  it makes docs/ importable
import prepare

if importlib.util.find_spec("nbformat") is None:
    print("skipped: there is no nbformat")
    sys.exit(77)
import nbformat
import notebook


class Notebooks(unittest.TestCase):
    def made(self, page):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.ipynb"
            subprocess.run([sys.executable, pages.ROOT / "docs/notebook.py", page, file],
                           check=True)
            return nbformat.read(file, as_version=4)

    def test_all_code_is_there_with_its_output(self):
        for name in prepare.NOTEBOOKS:
            page = pages.ROOT / name
            code = [cell for cell in self.made(page).cells if cell.cell_type == "code"]
            examples = [each for block, wanted in pages.blocks(page)
                        if block.language == "python" and wanted for each in
                        doctest.DocTestParser().get_examples("\n".join(block.lines) + "\n")]
            self.assertGreater(len(code), 15)
            self.assertEqual("\n".join(cell.source for cell in code) + "\n",
                             "".join(each.source for each in examples))
            self.assertEqual([text for cell in code for text in map(shown, cell.outputs)],
                             [each.want.rstrip("\n") for each in examples if each.want])

    def test_cells_run_as_they_are(self):
        page = ("# A\n\n```python\n>>> x = [2,\n...      3]\n>>> x\n[2, 3]\n"
                ">>> print(x[0])\n2\n```\n")
        made = notebook.notebook_of(page + "\nSee [B](b.md).\n\n![picture](c.png)\n")
        first, value, printed, last = made.cells
        self.assertEqual((first.source, last.source), ("# A", "See B."))
        self.assertEqual(value.source, "x = [2,\n     3]\nx")
        self.assertEqual(value.outputs[0].output_type, "execute_result")
        self.assertEqual((printed.outputs[0].output_type, printed.outputs[0].text),
                         ("stream", "2\n"))

    def test_it_is_the_same_each_time(self):
        page = pages.ROOT / next(iter(prepare.NOTEBOOKS))
        self.assertEqual(self.made(page), self.made(page))

    def test_the_page_links_to_it(self):
        for name, made in prepare.NOTEBOOKS.items():
            self.assertIn(f"]({made})", (pages.ROOT / name).read_text())


def shown(output):
    return output.get("text", output.get("data", {}).get("text/plain", "")).rstrip("\n")


if __name__ == "__main__":
    unittest.main()
