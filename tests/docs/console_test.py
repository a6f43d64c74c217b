#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the ```console blocks of the pages: console_test.py [PAGE]...

A line "$ command" is run by bash, "> " goes on with the line before; the lines below it are what it
has to print, where "..." stands for anything in a line, and alone for any lines. The blocks of a
page are run in order, in a folder of their own where data/ is the repository's. The tool is
$GENTEN_TOOL.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pages


def commands(block):
    """[command, offset of its line, lines that are expected] for each command of a block."""
    found = []
    for offset, line in enumerate(block.lines):
        if line.startswith("$ "):
            found.append([line[2:], offset, []])
        elif line.startswith("> ") and found and not found[-1][2]:
            found[-1][0] += "\n" + line[2:]
        elif found:
            found[-1][2].append(line)
        else:
            raise ValueError(f"{block.where(offset)}: a console block starts with a command")
    return found


def matches(expected, printed):
    """Whether the lines printed are those expected, "..." in these standing for anything."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"\n"
    text = "".join(line.rstrip() + "\n" for line in printed)
    return re.fullmatch(pattern, text) is not None


def run_page(page, environment):
    """Runs a page's blocks; returns complaints and the number of commands that were run."""
    complaints, count = [], 0
    with tempfile.TemporaryDirectory(prefix="genten-docs.") as folder:
        os.symlink(pages.ROOT / "data", os.path.join(folder, "data"))
        for block, wanted in pages.blocks(page):
            if block.language != "console" or not wanted:
                continue
            for command, offset, expected in commands(block):
                count += 1
                done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder,
                                      env=environment, text=True, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                # 141: what `head` left unread.
                if done.returncode not in (0, 141):
                    complaints.append(f"{block.where(offset)}: exit code {done.returncode}\n"
                                      f"{done.stdout}")
                elif not matches(expected, done.stdout.splitlines()):
                    complaints.append(f"{block.where(offset)}: expected\n" + "\n".join(expected) +
                                      f"\ngot\n{done.stdout}")
    return complaints, count


def main():
    tool = os.environ.get("GENTEN_TOOL")
    if not tool:
        print("GENTEN_TOOL names no tool")
        return 77
    environment = dict(os.environ)
    environment["PATH"] = f"{pathlib.Path(tool).parent}:{environment['PATH']}"
    environment["COLUMNS"] = "80"
    chosen = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or list(pages.all_pages())
    failed = total = 0
    for page in chosen:
        complaints, count = run_page(page, environment)
        total += count
        failed += len(complaints)
        for complaint in complaints:
            print(complaint)
        if count:
            print(f"{page.relative_to(pages.ROOT)}: {count} commands")
    if not total:
        print("no page has a command")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
