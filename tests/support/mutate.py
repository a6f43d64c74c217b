#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Do the tests notice? Changes one operator at a time, builds one test program and runs it.

    tests/support/mutate.py --count 40 --seed 1 --build build/default --json results.json
    tests/support/mutate.py --again results.json --fates survived

Each change (a relation, an arithmetic operator, a constant, a boolean) is made in the checkout that
BUILD was configured from, and taken back before the next one, also when the run is interrupted. A
change is `killed` when the tests fail, crash, or run out of time or memory, `stillborn` when it
does not compile, and `survived` otherwise: then a test is missing, the code is not needed, or
nobody could notice. Changes that nobody could notice stand with the reason in
mutate_equivalent.txt; they are counted as `equivalent` and not tried. SUITES says which program
tests which files. --list shows the changes and makes none, --only tries those whose FILE:LINE
starts with a text. --json keeps the results: a run that was interrupted goes on after them, and
--again makes the changes of an earlier run once more, wherever their lines are by now."""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
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

# What is tested by which program. The library is built again for its own sources; a header's change
# is seen by the tests that include it, which are linked to the library as it was: first those of
# one source alone, which build soon and find most, then all of the program.
SUITES = [  # paths, program, the source to try first (None: build the library and all again)
    ("src/io", "genten_unit_io", None),
    ("include/genten/format/detail/(record_sort|counting_pass|record_number)",
     "genten_unit_format", "record_sort_test"),
    ("include/genten/format/record_layout", "genten_unit_format", "record_layout_test"),
    ("include/genten/format/(detail/)?value_dictionary", "genten_unit_format",
     "value_dictionary_test"),
    ("include/genten/format/(detail/)?(mode_groups|packed_tensor)", "genten_unit_format",
     "mode_groups_test"),
    ("include/genten/format/(detail/)?(relabeling|row_permutation)", "genten_unit_format",
     "relabeling_test"),
    ("include/genten/format", "genten_unit_format", "sorted_copy_test"),
    ("include/genten/base/detail/radix_sort.hpp|include/genten/core/detail/key_packing.hpp",
     "genten_unit_core", "radix_sort_test"),
]
SOURCES = ["src/io", "include/genten/format", "include/genten/base/detail/radix_sort.hpp",
           "include/genten/core/detail/key_packing.hpp"]
ENVIRONMENT = {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false", "OMP_WAIT_POLICY": "passive",
               "GTEST_FAIL_FAST": "1", "GTEST_BRIEF": "1"}
EQUIVALENT = pathlib.Path(__file__).with_name("mutate_equivalent.txt")


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
    def __init__(self, path, number, line, column, text, replacement):
        self.path, self.number, self.column = str(path), number, column
        self.text, self.replacement = text, replacement
        # What names the change although lines move: the line with the change marked in it.
        marked = f"{{{text.strip()} -> {replacement.strip()}}}"
        head, tail = line[:column], line[column + len(text):]
        space = " " if text.startswith(" ") else ""
        self.marked = (head + space + marked + space + tail).strip()
        self.occurrence = 1  # of several lines in the file that read so

    def __str__(self):
        return f"{self.path}:{self.number}: {self.marked}"

    def key(self):
        return self.path, self.marked, self.occurrence

    def applied(self, content):
        lines = content.split("\n")
        line = lines[self.number - 1]
        lines[self.number - 1] = (line[:self.column] + self.replacement +
                                  line[self.column + len(self.text):])
        return "\n".join(lines)


def mutations_of(names):
    found, occurrences = [], collections.Counter()
    for path in sources_of(names):
        lines = path.read_text().splitlines()
        for number, *change in changes_of(path):
            mutation = Mutation(path, number, lines[number - 1], *change)
            occurrences[mutation.path, mutation.marked] += 1
            mutation.occurrence = occurrences[mutation.path, mutation.marked]
            found.append(mutation)
    return found


def block_lines(path, first_line):
    """The numbers of the lines from the one that reads so to that of the brace that closes the
    block which it opens, or in which it stands."""
    lines = [code_of(line) for line in pathlib.Path(path).read_text().splitlines()]
    texts = [line.strip() for line in pathlib.Path(path).read_text().splitlines()]
    if texts.count(first_line) != 1:
        raise SystemExit(f"{EQUIVALENT.name}: {path} has {texts.count(first_line)} lines "
                         f"'{first_line}', expected 1")
    depth, opened, numbers = 0, False, set()
    for number in range(texts.index(first_line) + 1, len(lines) + 1):
        numbers.add(number)
        depth += lines[number - 1].count("{") - lines[number - 1].count("}")
        opened = opened or depth > 0
        if depth < 0 or (opened and depth == 0):
            break
    return numbers


class Equivalents:
    """The changes that nobody could notice, from mutate_equivalent.txt, which says how."""

    def __init__(self):
        self.changes, self.blocks = set(), set()
        for line in EQUIVALENT.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                path, rest = line.split(" | ", 1)
                what, _ = rest.rsplit(" | ", 1)
                if what.startswith("block: "):
                    self.blocks |= {(path, n) for n in block_lines(path, what[len("block: "):])}
                else:
                    self.changes.add((path, what.strip()))

    def __contains__(self, mutation):
        return ((mutation.path, mutation.marked) in self.changes or
                (mutation.path, mutation.number) in self.blocks)


def run_limited(command, seconds, gigabytes=None, **environment):
    """Whether a command ends well within the limits; its whole process group is ended if not."""
    def limit():
        if gigabytes:
            resource.setrlimit(resource.RLIMIT_DATA, (gigabytes << 30, gigabytes << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    process = subprocess.Popen(command, shell=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True, preexec_fn=limit,
                               env={**os.environ, **ENVIRONMENT, **environment})
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


class Suite:
    """One test program, built from a build folder."""

    def __init__(self, arguments, target, first):
        self.build, self.memory, self.limit = arguments.build, arguments.memory, arguments.timeout
        ninja = f"ninja -C {shlex.quote(self.build)}"
        self.whole_command = f"{ninja} -j{arguments.jobs} tests/{target}"
        self.stages = [(self.whole_command, f"tests/{target}")]  # how to build, what to run
        built = self.restore()
        started = time.monotonic()
        if not built or not self.passes(f"tests/{target}"):
            raise SystemExit(f"{target}: the unchanged sources do not build, or the tests fail")
        if not self.limit:
            self.limit = max(20, 5 * (time.monotonic() - started))
        if first:
            commands = json.loads(pathlib.Path(self.build, "compile_commands.json").read_text())
            objects = [match.group(1) for command in commands
                       for match in [re.search(rf"-o (\S*/{target}\.dir/\S+)", command["command"])]
                       if match]
            link = subprocess.run(f"{ninja} -t commands -s tests/{target}", shell=True, check=True,
                                  capture_output=True, text=True).stdout.strip().splitlines()[-1]
            alone = link.replace(f"-o tests/{target}", f"-o tests/{target}_first")
            for name in objects:
                if f"/{first}.cpp" not in name:
                    alone = alone.replace(f" {name}", "")
            ones = [name for name in objects if f"/{first}.cpp" in name]
            self.stages = [
                (f"{ninja} -j{arguments.jobs} {' '.join(names)} && "
                 f"cd {shlex.quote(self.build)} && {command}", program)
                for names, command, program in ((ones, alone, f"tests/{target}_first"),
                                                (objects, link, f"tests/{target}"))]

    def restore(self):
        return run_limited(self.whole_command, 3600)

    def passes(self, program):
        # In memory where possible: tests that write files would wait for the disk.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(dir=memory, ignore_cleanup_errors=True) as folder:
            return run_limited(str(pathlib.Path(self.build, program)), self.limit, self.memory,
                               TMPDIR=folder)

    def fate(self, mutation):
        path = pathlib.Path(mutation.path)
        original = path.read_text()
        try:
            path.write_text(mutation.applied(original))
            for command, program in self.stages:
                if not run_limited(command, 900):
                    return "stillborn"
                if not self.passes(program):
                    return "killed"
            return "survived"
        finally:
            path.write_text(original)


def suite_of(path):
    """The place in SUITES of the first that the path belongs to."""
    for place, (pattern, _, _) in enumerate(SUITES):
        if re.match(pattern, path):
            return place
    raise SystemExit(f"{path}: SUITES names no program that tests it")


def chosen(arguments):
    every = mutations_of(arguments.sources or SOURCES)
    if arguments.again:
        kept = json.loads(pathlib.Path(arguments.again).read_text())
        wanted = {(m["path"], m["marked"], m["occurrence"]) for m in kept
                  if not arguments.fates or m["fate"] in arguments.fates}
        found = {m.key(): m for m in every if m.key() in wanted}
        print(f"{len(wanted) - len(found)} of {len(wanted)} changes have no place any more")
        return list(found.values())
    if arguments.only:
        return [m for m in every if any(f"{m.path}:{m.number}:".startswith(o) or
                                        f"{m.path}:{m.number}:".endswith("/" + o + ":")
                                        for o in arguments.only)]
    random.Random(arguments.seed).shuffle(every)
    return every[:arguments.count]


def summary(results):
    """Lines of fates by folder, and of all. Equivalent changes count as not made."""
    fates = ("killed", "survived", "equivalent", "stillborn")
    counts = collections.defaultdict(collections.Counter)
    for result in results:
        counts[str(pathlib.Path(result["path"]).parent)][result["fate"]] += 1
        counts["all"][result["fate"]] += 1
    yield f"{'':28}" + "".join(f"{fate:>12}" for fate in fates) + "   killed of those that count"
    for folder in sorted(counts, key=lambda f: (f == "all", f)):
        count = counts[folder]
        alive = count["killed"] + count["survived"]
        share = f"{100 * count['killed'] / alive:20.0f} %" if alive else ""
        yield f"{folder:28}" + "".join(f"{count[fate]:12}" for fate in fates) + share


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", nargs="+", metavar="PATH", help="default: SOURCES")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default="build/default")
    parser.add_argument("--timeout", type=float, metavar="SECONDS",
                        help="for the tests of one change; default: five times the unchanged ones")
    parser.add_argument("--memory", type=int, default=8, metavar="GB", help="for the tests")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="+", metavar="FILE:LINE")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--again", metavar="FILE")
    parser.add_argument("--fates", nargs="+", metavar="FATE", help="of --again; default: all")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("interrupted"))
    mutations = chosen(arguments)
    if arguments.list:
        print(*mutations, sep="\n")
        return 0
    # One program after the other: a header that was changed and restored makes the library stale.
    mutations.sort(key=lambda m: suite_of(m.path))
    known, results, suites = Equivalents(), [], {}
    if arguments.json and pathlib.Path(arguments.json).exists():
        results = json.loads(pathlib.Path(arguments.json).read_text())
    tried = {(r["path"], r["marked"], r["occurrence"]) for r in results}
    for mutation in mutations:
        if mutation.key() in tried:
            continue
        started, which = time.monotonic(), suite_of(mutation.path)
        fate = "equivalent"
        if mutation not in known:
            if which not in suites:
                suites[which] = Suite(arguments, *SUITES[which][1:])
            fate = suites[which].fate(mutation)
        results.append({"path": mutation.path, "marked": mutation.marked,
                        "occurrence": mutation.occurrence, "fate": fate})
        print(f"{fate:10} {time.monotonic() - started:5.0f} s  {mutation}", flush=True)
        if arguments.json:
            pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1))
    for suite in suites.values():
        suite.restore()
    print(*summary(results), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
