#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lays out the sources of the documentation's site: see --help.

The pages of docs/ and files of the repository that are pages as well (PAGES), so that no fact is
written twice; links between them are turned into links of the site, links to other files of the
repository into their text. A link to what does not exist is an error. reference.py generates the
reference.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import reference

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Files of the repository that are pages of the site, and where.
PAGES = {
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "perf/README.md": "benchmarks.md",
    "data/README.md": "data.md",
    "include/genten/mttkrp/kernels/sorted/README.md": "how/sorted.md",
    "examples/minimal/README.md": "examples/minimal.md",
    "examples/choose_rank/README.md": "examples/choose-rank.md",
    "examples/embed_in_solver/README.md": "examples/embed-in-solver.md",
    "examples/complete_ratings/README.md": "examples/complete-ratings.md",
    "examples/minimize_with_lbfgs/README.md": "examples/minimize-with-lbfgs.md",
    "examples/own_loss/README.md": "examples/own-loss.md",
    "examples/tucker_model/README.md": "examples/tucker-model.md",
    "examples/sparse_products/README.md": "examples/sparse-products.md",
    "examples/new_slices/README.md": "examples/new-slices.md",
}
# Pages that are notebooks as well, written by notebook.py.
NOTEBOOKS = {"docs/tutorial-python.md": "tutorial-python.ipynb"}
FENCE = re.compile(r"^(```|:::).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def version_of(root):
    """The version in project() of CMakeLists.txt, the one source of it."""
    text = (root / "CMakeLists.txt").read_text()
    return re.search(r"project\(\s*Genten\s+VERSION\s+([\d.]+)", text).group(1)


def page_of(file, root=ROOT):
    """Where a file of the repository lies in the site's sources; None where it is no page."""
    name = file.relative_to(root).as_posix()
    if name in PAGES:
        return PAGES[name]
    if name.startswith("docs/") and file.suffix in (".md", ".png", ".svg"):
        return name.removeprefix("docs/")
    return None


def rewrite_links(text, origin, root=ROOT):
    """text of the file origin with its links as the site needs them; ValueError for dead ones."""
    here = pathlib.PurePosixPath(page_of(origin, root) or "x").parent

    def rewrite(match):
        image, label, target = match.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or target.startswith("mailto:") or not path:
            return match.group(0)
        file = (origin.parent / path).resolve()
        if generated(file, root):
            return match.group(0)
        if not file.exists():
            raise ValueError(f"{origin}: there is no {target}")
        page = page_of(file, root)
        if page is None:
            return label
        link = os.path.relpath(page, here) + (f"#{anchor}" if anchor else "")
        return f"{image}[{label}]({link})"

    parts, last = [], 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(rewrite, text[last : fence.start()]), fence.group(0)]
        last = fence.end()
    return "".join(parts) + LINK.sub(rewrite, text[last:])


def generated(file, root=ROOT):
    """Whether a page of that name is written by this script."""
    name = os.path.relpath(file, root / "docs")
    layers = [f"reference/cpp-{layer}.md" for layer in reference.LAYERS]
    return (name in ["reference/tool.md", "reference/python.md", *NOTEBOOKS.values(), *layers]
            or name.startswith("reference/python/"))


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def prepare(output, tool, xml, python):
    reference.name_files_by_path(xml)
    reference.mend_digits(xml)
    shutil.rmtree(output, ignore_errors=True)
    pages = {ROOT / name: page for name, page in PAGES.items()}
    for file in sorted((ROOT / "docs").rglob("*")):
        page = page_of(file) if file.is_file() else None
        if page:
            pages[file] = page
    for file, page in pages.items():
        if file.suffix != ".md":
            (output / page).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, output / page)
            continue
        text = rewrite_links(file.read_text(), file)
        if file.parent.parent.name == "examples":
            text += "\n## The program\n\n```{literalinclude} /sources/" + file.parent.name
            text += "/main.cpp\n:language: cpp\n:start-at: '#include'\n```\n"
            text += "\n## Its CMakeLists.txt\n\n```{literalinclude} /sources/" + file.parent.name
            text += "/CMakeLists.txt\n:language: cmake\n:start-at: cmake_minimum_required\n```\n"
        write(output / page, text)
    for page, made in NOTEBOOKS.items():
        subprocess.run([sys.executable, ROOT / "docs/notebook.py", ROOT / page, output / made],
                       check=True)
    shutil.copytree(ROOT / "examples", output / "sources", ignore=shutil.ignore_patterns("*.md"))
    write(output / "reference/tool.md", reference.tool_page(tool))
    for layer, headers in reference.public_headers().items():
        write(output / f"reference/cpp-{layer}.md", reference.layer_page(layer, headers, xml))
    for page, text in reference.python_page(python).items():
        write(output / "reference" / page, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/docs/source")
    parser.add_argument("--tool", help="the tool genten, whose help becomes a page")
    parser.add_argument("--xml", type=pathlib.Path, help="what Doxygen has written")
    parser.add_argument("--python", action="store_true", help="the Python package can be imported")
    parser.add_argument("--version", action="store_true", help="print the version, nothing else")
    arguments = parser.parse_args()
    if arguments.version:
        print(version_of(ROOT))
        return 0
    try:
        prepare(arguments.output, arguments.tool, arguments.xml, arguments.python)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
