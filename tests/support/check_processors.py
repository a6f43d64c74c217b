#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tool on emulated processors: each gets the hot loops of its instruction set, and none
meets an instruction that it lacks.

check_processors.py PROGRAM TENSOR
"""
import json
import os
import shutil
import subprocess
import sys

EMULATOR = "qemu-x86_64"
# What qemu calls a processor, and the set that is right for it: the first EPYC extracts bits
# slowly.
PROCESSORS = {"Nehalem": "v2", "Haswell": "v3", "EPYC": "v3-shift", "EPYC-Milan": "v3"}


def run(program, *arguments):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    # OpenBLAS chooses by the emulated processor, too, unless told otherwise.
    for name in ("GENTEN_ISA", "OPENBLAS_CORETYPE"):
        environment.pop(name, None)
    return subprocess.run([*program, *arguments], check=True, capture_output=True, text=True,
                          env=environment).stdout


def main():
    program, tensor = sys.argv[1:]
    if shutil.which(EMULATOR) is None:
        print(f"{EMULATOR} is not installed: Debian has it in qemu-user")
        sys.exit(77)
    decompose = ("decompose", tensor, "--rank", "2", "--max-iterations", "5", "--json", "-")
    fit = json.loads(run([program], *decompose))["fit"]
    for processor, expected in PROCESSORS.items():
        result = json.loads(run([EMULATOR, "-cpu", processor, program], *decompose))
        print(f"{processor}: {result['instruction_set']}, fit {result['fit']:.15f}")
        if result["instruction_set"] != expected:
            sys.exit(f"{processor}: expected {expected}, got {result['instruction_set']}")
        if abs(result["fit"] - fit) > 1e-11:
            sys.exit(f"{processor}: expected a fit of {fit:.15f}, got {result['fit']:.15f}")


if __name__ == "__main__":
    main()
