#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a program uses SSE3 to AVX-512 only where it chose them at run time.

check_instructions.py PROGRAM

Disassembles a program that was compiled for any x86-64. Functions in the namespaces of
instruction sets (x86_64_v2, ...) may have such instructions. In another function they would end the
program with SIGILL on a processor that lacks them: an inline function that a set's objects share
with others, for instance, which the linker takes from whichever object comes first.

Loops of the kernel `sorted` that fetch rows ahead must have kept their prefetch instructions.
"""
import re
import subprocess
import sys

# Beyond the oldest x86-64, of SSE3 to AVX-512.
ADVANCED = re.compile(r"%[yz]mm|\t(?:v[a-z0-9]+|pext|pdep|shrx|sarx|shlx|mulx|andn|bzhi|rorx"
                      r"|lzcnt|blsr|blsi|blsmsk|bextr|movbe|popcnt|hadd[p][sd]|movddup|lddqu"
                      r"|pshufb|phadd[wd]|pabs[bwd]|palignr|pmulld|round[sp][sd]|pcmpeqq|ptest"
                      r"|pblendvb|blendvp[sd]|dpp[sd]|pextr[bdq]|pinsr[bdq]|pmov[sz]x\w+"
                      r"|pm(?:inu|axu)[wd]|pm(?:ins|axs)[bd]|crc32[bwlq]?)\s")
SET = re.compile(r"\d+x86_64_v\d")
# Rows of whole lines, two gathered factors.
FETCHING = re.compile(r"\d+x86_64_v[234]\w*?chunk_loop\w+SimdRowIdLi8ELi2ELi0EEELi2E")


def functions_with_advanced_instructions(program):
    """Their mangled names, those of instruction sets left out, how many these are, and loops of the
    kernel `sorted` without a prefetch."""
    found, sets, fetching, fetches, name = set(), set(), set(), set(), "?"
    with subprocess.Popen(["objdump", "--disassemble", "--no-show-raw-insn", program],
                          stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.endswith(">:\n"):
                name = line[line.index("<") + 1:-3]
                if FETCHING.search(name):
                    fetching.add(name)
            elif "\tprefetch" in line:
                fetches.add(name)
            elif ADVANCED.search(line):
                (sets if SET.search(name) else found).add(name)
    return found, sets, fetching - fetches


def main():
    found, sets, unfetching = functions_with_advanced_instructions(sys.argv[1])
    print(f"{len(sets)} functions of instruction sets, {len(found)} others with their instructions")
    if not sets:
        sys.exit("there is no function of an instruction set: is the program stripped?")
    if unfetching:
        print("loops that should fetch rows ahead, without a prefetch instruction:")
    if found or unfetching:
        names = "\n".join(sorted(found | unfetching)[:20])
        sys.exit(subprocess.run(["c++filt"], input=names, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
