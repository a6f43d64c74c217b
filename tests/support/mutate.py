#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Do the tests notice? Changes one operator at a time, builds one test program and runs it.

    tests/support/mutate.py --sources src/io --target genten_unit_io --count 40 --seed 1 \\
        --build build/default

Each change (a relation, an arithmetic operator, a constant, a boolean) is made in the checkout
that BUILD was configured from, and taken back before the next one, also when the run is
interrupted. A change is `killed` when the tests fail, crash or run out of time, `stillborn` when it
does not compile, and `survived` otherwise: then a test is missing, or the code is not needed, or
nobody could notice (say so in the report by hand). --list shows the changes and makes none, --only
tries those whose FILE:LINE starts with a text, --json keeps the results for --again, which tries
the survivors of an earlier run."""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import time

REPLACEMENTS = {
    " < ": [" <= "], " <= ": [" < "], " > ": [" >= "], " >= ": [" > "],
    " == ": [" != "], " != ": [" == "],
    " + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " % ": [" / "],
    " += ": [" -= "], " -= ": [" += "],
    " << ": [" >> "], " >> ": [" << "], " & ": [" | "], " | ": [" & "],
    " && ": [" || "], " || ": [" && "],
}
WORDS = {"true": "false", "false": "true", "min": "max", "max": "min"}
OPERATOR = re.compile("|".join(re.escape(text) for text in sorted(REPLACEMENTS, key=len)[::-1]))
NUMBER = re.compile(r"(?<![\w.'])(0x[0-9a-fA-F]+|0|[1-9]\d*)(?=[uUlL]*\b)(?!['.])")
NEGATION = re.compile(r"(?<![\w!])!(?=[\w(])")
WORD = re.compile(r"\b(true|false)\b|(?<=std::)(min|max)(?=[(<])")


def code_of(line):
    """The line with comments, literals and attributes blanked out, as long as before."""
    blank = lambda match: " " * len(match.group())
    line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])+\'', lambda m: "_" * len(m.group()), line)
    line = re.sub(r"//.*", blank, line)
    return re.sub(r"\[\[.*?\]\]", blank, line)


def changes_of(path):
    """All changes of one file: (line number, column, text, replacement)."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = code_of(line)
        if re.match(r"\s*(#|static_assert|template|GENTEN_INSTANTIATE)", code):
            continue
        # A reference or pointer in a declaration has no blank on its left, an operator has.
        for match in OPERATOR.finditer(code):
            for text in REPLACEMENTS[match.group()]:
                yield number, match.start(), match.group(), text
        for match in NEGATION.finditer(code):
            yield number, match.start(), "!", ""
        for match in WORD.finditer(code):
            yield number, match.start(), match.group(), WORDS[match.group()]
        for match in NUMBER.finditer(code):
            yield number, match.start(), match.group(), str(int(match.group(), 0) + 1)


def sources_of(names):
    for name in names:
        path = pathlib.Path(name)
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".cpp", ".hpp"))
        else:
            yield path


class Mutation:
    def __init__(self, path, line, column, text, replacement):
        self.path, self.line, self.column = str(path), line, column
        self.text, self.replacement = text, replacement

    def __str__(self):
        return (f"{self.path}:{self.line}:{self.column + 1}: '{self.text.strip()}' -> "
                f"'{self.replacement.strip()}'")

    def applied(self, content):
        lines = content.split("\n")
        line = lines[self.line - 1]
        end = self.column + len(self.text)
        if line[self.column:end] != self.text:
            raise SystemExit(f"{self}: the source has changed since")
        lines[self.line - 1] = line[:self.column] + self.replacement + line[end:]
        return "\n".join(lines)


class Runner:
    def __init__(self, arguments):
        self.build, self.target = arguments.build, arguments.target
        self.timeout = arguments.timeout
        self.command = arguments.command or str(
            pathlib.Path(arguments.build) / "tests" / arguments.target)
        self.make_command = arguments.make or (
            f"cmake --build {self.build} --target {self.target} -j {arguments.jobs}")

    def make(self):
        return subprocess.run(self.make_command, shell=True, capture_output=True).returncode == 0

    def passes(self):
        try:
            done = subprocess.run(self.command, shell=True, capture_output=True,
                                  timeout=self.timeout)
            return done.returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def fate(self, mutation):
        path = pathlib.Path(mutation.path)
        original = path.read_text()
        try:
            path.write_text(mutation.applied(original))
            if not self.make():
                return "stillborn"
            return "survived" if self.passes() else "killed"
        finally:
            path.write_text(original)


def chosen(arguments):
    if arguments.again:
        kept = json.loads(pathlib.Path(arguments.again).read_text())
        return [Mutation(**{k: m[k] for k in ("path", "line", "column", "text", "replacement")})
                for m in kept if m["fate"] == "survived"]
    every = [Mutation(path, *change) for path in sources_of(arguments.sources)
             for change in changes_of(path)]
    if arguments.only:
        return [m for m in every if any(f"{m.path}:{m.line}:".startswith(o) or
                                        f"{m.path}:{m.line}:".endswith("/" + o + ":")
                                        for o in arguments.only)]
    random.Random(arguments.seed).shuffle(every)
    return every[:arguments.count]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", nargs="+", default=["src/io"], metavar="PATH")
    parser.add_argument("--target", default="genten_unit_io")
    parser.add_argument("--command", metavar="COMMAND",
                        help="runs the tests; default: the program of the target")
    parser.add_argument("--make", metavar="COMMAND", help="builds the tests; default: the target")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default="build/default")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="+", metavar="FILE:LINE")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--again", metavar="FILE")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    mutations = chosen(arguments)
    if arguments.list:
        print(*mutations, sep="\n")
        return 0
    runner = Runner(arguments)
    if not runner.make() or not runner.passes():
        raise SystemExit("the unchanged sources do not build, or their tests fail")
    results = []
    for mutation in mutations:
        started = time.monotonic()
        fate = runner.fate(mutation)
        results.append({**vars(mutation), "fate": fate})
        print(f"{fate:9} {time.monotonic() - started:5.0f} s  {mutation}", flush=True)
        if arguments.json:
            pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1))
    runner.make()
    count = {fate: sum(r["fate"] == fate for r in results) for fate in
             ("killed", "survived", "stillborn")}
    alive = count["killed"] + count["survived"]
    print(f"{count['killed']} of {alive} changes killed, {count['survived']} survived, "
          f"{count['stillborn']} did not compile")
    return 0


if __name__ == "__main__":
    sys.exit(main())
