#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tool (GENTEN_TOOL) with generated arguments and foretells what it says.

What each option takes is read from the help of its command, and checked here by rules of its own.
The input files do not exist and the standard input is empty: with good arguments the tool ends with
exit code 3 (or 1 where it may not have memory to read a stream), with wrong ones with 2 and a hint
at the help, and never in any other way. An option may be refused although its value is good (where
it needs another one, say), but not as a wrong value; `clash` has the rules that are foretold."""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

TOOL = os.environ["GENTEN_TOOL"]
FAILURE, WRONG_USAGE, FILE_TROUBLE = 1, 2, 3
# Files of the commands: those to read, those to write.
POSITIONALS = {
    "decompose": (["absent.tns"], []), "info": (["absent.tns"], []),
    "convert": (["absent.tns"], ["out.gtn"]),
    "compare": (["absent.ktensor", "other.ktensor"], []), "generate": ([], ["out.tns"])}
# Nothing of these is ever a number, a list or a choice.
JUNK = [b"", b"x", b"3x", b" 3", b"3 ", b"+3", b"0x10", b"1e", b"nan", b"inf", b"-inf", b"1e400",
        b"--", b"-z", b"\xff\xfe", b"\x1b[31m", "\u0663".encode(), b"3;4", b"%s%n", b"9" * 400,
        b"3\n"]


def run(arguments, directory):
    return subprocess.run([TOOL, *arguments], cwd=directory, capture_output=True, timeout=60,
                          stdin=subprocess.DEVNULL)


class Option:
    """What the help says of one option."""

    def __init__(self, name, kind, text):
        self.name, self.kind = name, kind
        bounds = re.search(r"\((?:(\S+) to (\S+?)|at least (\S+?)|at most (\S+?))(?:;|\))", text)
        self.lowest = self.highest = None
        if bounds:
            low, high, least, most = bounds.groups()
            self.lowest = float(low or least) if low or least else None
            self.highest = float(high or most) if high or most else None

    def good(self, rng):
        if self.kind == "":
            return []
        if self.kind in ("N", "NUMBER"):
            low = 1 if self.lowest is None else self.lowest
            high = max(low, 3) if self.highest is None else self.highest
            number = rng.choice([low, high, low + (high - low) * rng.random()])
            return [repr(number) if self.kind == "NUMBER" else str(int(number))]
        if self.kind == "N,...":
            return [rng.choice(["7", "3,4,5", "1,000002"])]
        if self.kind == "NUMBER,...":
            unbounded = ["-inf", "inf,-3.5,-inf"] if self.lowest is None else ["0"]
            return [rng.choice(["7", "0.5,1e3,2", *unbounded])]
        if self.kind == "MODE,...":
            return [rng.choice(["1", "3,1,2", "16"])]
        if self.kind == "all|MODE,...":
            return [rng.choice(["all", "1", "3,1,2", "16"])]
        if self.kind == "FILE":  # to be written
            return [rng.choice([self.name[2:] + ".gkt", "same.gkt", "-"])]
        return [rng.choice([word for word in self.kind.split("|") if word != "FILE"])]

    def wrong(self, rng):
        values = [b""] if self.kind == "FILE" else list(JUNK)
        if self.kind in ("N", "NUMBER"):
            values += [b"-1e-30" if self.kind == "NUMBER" else b"2.5"]
            values += [b"1,2"] if self.kind == "N" else [b"1e-400"]
            step = max(1, abs(self.highest or 0) / 10)
            if self.highest is not None:
                values += [str(self.highest + step).encode(), str(int(self.highest) + 1).encode()]
            if self.lowest is not None:
                values += [str(self.lowest - 1).encode(), b"-5"]
        elif self.kind == "N,...":
            values += [b"3,,4", b",3", b"3,", b"3,x", b"3, 4", b"99999999999999999999"]
        elif self.kind == "NUMBER,...":
            values += [b"3,,4", b",3", b"3,", b"3,x", b"3, 4", b"3,nan"]
            if self.lowest is None:
                values = [value for value in values if value not in (b"inf", b"-inf")]
            else:
                values += [str(self.lowest - 1).encode(), b"3,-5"]
        elif self.kind.endswith("MODE,..."):  # what begins with a letter may be a mode's name
            values = [b"", b"0", b"17", b"1,,2", b"1,0", b"-1", b"3x", b"+3", b"1e", b"9" * 400]
        elif self.kind != "FILE":
            values += [self.kind.split("|")[0].encode() + b"x", b"3"]
        return [rng.choice(values)]


def options_of(command, directory):
    """The options whose values the help tells all about."""
    text = run([command, "--help"], directory).stdout.decode()
    options = []
    for entry in re.findall(r"^  -.*?(?=^  -|^\S|\Z)", text, re.M | re.S):
        match = re.match(r"\s*(?:-\w,)?(--[\w-]+)(?:,[^ ]+)? ?((?:[A-Zx,.]+|\S*\|\S*)(?=\s))?(.*)",
                         entry, re.S)
        name, kind, rest = match.group(1), match.group(2) or "", " ".join(match.group(3).split())
        reads_file = "FILE" in kind and kind != "FILE" or name == "--resume"
        free_text = kind in ("NAME", "MODE", "TEXT", "TEXT,...", "QxQx...")
        if name == "--help" or reads_file or free_text:
            continue
        options.append(Option(name, kind, rest))
    return options


def clash(command, inputs, outputs, values):
    """Whether files and good values of options (by name) cannot stand together."""
    written = outputs + [values[name] for name in ("--output", "--checkpoint", "--json")
                         if name in values]
    if command == "generate" and "--model" in values:
        written.append(values["--model"])
    if inputs.count("-") > 1 or len(set(written)) != len(written):
        return True
    if values.get("--checkpoint") == "-":
        return True  # it is written again and again
    if command == "decompose" and "--fixed-modes" in values:
        return True  # there is no --init among the options here
    if command == "decompose" and (values.get("--solver") == "apr"  # the loss is gaussian here
                                   or values.get("--solver") == "completion"
                                   and values.get("--missing", "none") == "none"):
        return True
    if command == "decompose" and "--quiet" in values and not written:
        return values.get("--top", "0") == "0"  # nothing would be left of the run
    if command != "convert":
        return False
    if "--model" in values:
        return (not set(values) <= {"--model", "--to", "--precision", "--json", "--quiet"}
                or values.get("--to", "binary") != "binary"
                or outputs[0].endswith(".gtn"))  # the name of a tensor
    form = values.get("--to", "binary" if outputs[0].endswith(".gtn") else "sptensor")
    if form == "binary" and ("--output-index-base" in values
                             or values.get("--output-compression", "none") != "none"):
        return True
    if form == "matrix-market" and values.get("--output-index-base") == "0":
        return True
    return "--compact" in values and outputs[0] == "-"


class Case:
    """One command line, and whether it is good."""

    def __init__(self, rng, options):
        command = rng.choice(list(POSITIONALS))
        self.good = True
        inputs, outputs = ([name if rng.random() < 0.8 else "-" for name in names]
                           for names in POSITIONALS[command])
        pieces = [[name] for name in inputs + outputs]
        values = {}
        used = rng.sample(options[command], rng.randrange(0, min(5, len(options[command]) + 1)))
        # No tensor is generated: one of the arguments is always wrong there.
        wrong = rng.randrange(len(used) + 3) if command == "generate" or rng.random() < 0.6 else -1
        for i, option in enumerate(used):
            is_wrong = i == wrong and option.kind != ""
            self.good = self.good and not is_wrong
            value = option.wrong(rng) if is_wrong else option.good(rng)
            if not is_wrong:
                values[option.name] = value[0] if value else ""
            pieces.append(self.spelled(rng, option.name, value))
        if wrong == len(used) or command == "generate" and self.good:
            surplus = ["--unknown", "-z", "--ran=3", "---", "--=", "surplus", "-- --json"]
            pieces.append(rng.choice(surplus).split(" "))
            self.good = False
        elif wrong == len(used) + 1:
            pieces.pop(0)  # one file is missing
            self.good = False
        elif wrong == len(used) + 2 and used and used[0].kind != "":
            pieces.append([used[0].name, *used[0].good(rng)])  # given twice
            self.good = False
        self.good = self.good and not clash(command, inputs, outputs, values)
        without_memory = "-" in inputs and values.get("--read-memory-limit", "0") != "0"
        self.trouble = FAILURE if without_memory else FILE_TROUBLE
        head, rest = pieces[:1], pieces[1:]
        rng.shuffle(rest)
        if ["--", "--json"] in rest:
            rest.sort(key=lambda piece: piece == ["--", "--json"])
        self.arguments = [command] + [word for piece in head + rest for word in piece]

    @staticmethod
    def spelled(rng, name, value):
        if value and rng.random() < 0.5:
            value = value[0] if isinstance(value[0], bytes) else value[0].encode()
            return [name.encode() + b"=" + value]
        return [name, *value]


def complaint(case, done):
    """What is wrong with the tool's answer; nothing if it is as foretold."""
    said = done.stderr.decode(errors="replace")
    if done.returncode not in (WRONG_USAGE, case.trouble):
        return f"exit code {done.returncode}"
    if done.stdout:
        return "something on the standard output"
    if not said.startswith("genten: ") or len(said) > 2000:
        return "another message"
    if not case.good and done.returncode != WRONG_USAGE:
        return "wrong arguments are taken"
    if case.good and done.returncode == WRONG_USAGE and "expected" in said.split("\n")[0]:
        return "a good value is refused"
    if done.returncode == WRONG_USAGE and "Try: genten" not in said and not case.good:
        return "no hint at the help"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=150)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    counts = {True: 0, False: 0}
    failures = 0
    with tempfile.TemporaryDirectory(prefix="genten-fuzz-") as directory:
        options = {command: options_of(command, directory) for command in POSITIONALS}
        for command, known in options.items():
            assert len(known) >= 3, f"{command}: another form of help"
        end = time.monotonic() + settings.seconds
        for number in range(settings.runs):
            if time.monotonic() > end:
                break
            case = Case(random.Random(f"{settings.seed} {number}"), options)
            done = run(case.arguments, directory)
            wrong = complaint(case, done)
            left = [path.name for path in pathlib.Path(directory).iterdir()]
            if left:
                wrong = wrong or f"files are left: {left}"
                for name in left:
                    os.unlink(os.path.join(directory, name))
            if wrong:
                failures += 1
                print(f"{wrong}: genten {case.arguments}\n{done.stderr.decode(errors='replace')}")
            counts[case.good] += 1
    print(f"{counts[True]} good command lines, {counts[False]} wrong ones, "
          f"{failures} not answered as foretold")
    return 1 if failures or 0 in counts.values() else 0


if __name__ == "__main__":
    sys.exit(main())
