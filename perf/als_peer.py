#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP-ALS by ALTO's or SPLATT's program on one text file, as perf_table.py wants a peer:

    given='--file {file} --rank {rank} --iterations {iterations}'
    perf_table.py --peer "ALTO=als_peer.py --alto DIR $given" \\
        --peer "SPLATT=als_peer.py --splatt PROGRAM $given"

DIR holds ALTO's cpd64 and cpd128, built for this machine (config.mk: COMPILER=GCC, the orders and
ranks of the table specialized, vectors of 512 bits where the machine has them). Subscripts that fit
64 bits go to cpd64. PROGRAM is SPLATT's, built with 32-bit indices and double precision; it has a
CSF for every mode. Text readers being slow, the file is converted to the peer's binary form once
and kept beside the text. The last line of output is the result as JSON: seconds of the median
iteration but the first, of MTTKRP an iteration, of preparation and of all but reading, and the peak
memory. It needs NumPy.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np
import splatt_files as files


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    here = pathlib.Path(__file__).resolve().parent
    peer = parser.add_mutually_exclusive_group(required=True)
    peer.add_argument("--alto", type=pathlib.Path, help="the folder of its programs")
    peer.add_argument("--splatt", type=pathlib.Path, help="its program")
    parser.add_argument("--genten", default=str(here.parent / "build/default/bin/genten"),
                        help="our tool, which reads the text (default: %(default)s)")  # fmt: skip
    parser.add_argument("--file", type=pathlib.Path, required=True)
    parser.add_argument("--rank", type=int, required=True)
    parser.add_argument("--iterations", type=int, default=10)
    return parser.parse_args()


def write_alto(path: pathlib.Path, tensor: files.Tensor) -> None:
    """As ALTO reads it: numbers of 64 bits, the order, the dimensions, the number of nonzeros, the
    subscripts mode by mode, and the values."""
    sizes = [len(tensor.dimensions), *tensor.dimensions, len(tensor.values)]
    with path.open("wb") as file:
        np.array(sizes, np.uint64).tofile(file)
        for mode in range(len(tensor.dimensions)):
            tensor.subscripts[:, mode].astype(np.uint64).tofile(file)
        tensor.values.tofile(file)


def binary_file(genten: str, text: pathlib.Path, suffix: str) -> pathlib.Path:
    """The text's tensor in the binary form of a suffix, converted when it is not there."""
    binary = text.with_suffix(suffix)
    if binary.exists():
        return binary
    with tempfile.TemporaryDirectory(dir=text.parent) as directory:
        ours = pathlib.Path(directory) / "tensor.gtn"
        subprocess.run([genten, "convert", text, ours, "--quiet"], check=True)
        half = pathlib.Path(directory) / "half"
        (write_alto if suffix == ".alto" else files.write_splatt)(half, files.read_tensor(ours))
        half.rename(binary)
    return binary


def bits_of(binary: pathlib.Path) -> int:
    """The bits that the subscripts of one nonzero take, of a file of ALTO's."""
    order = int(np.fromfile(binary, np.uint64, 1)[0])
    return sum((int(n) - 1).bit_length() for n in np.fromfile(binary, np.uint64, order, offset=8))


def run(command: list[str]) -> tuple[str, float]:
    """What a program said, and its peak memory in MB."""
    # One thread for BLAS, whose threads would be others beside OpenMP's.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as out:
        with subprocess.Popen(command, env=environment, stdout=out,
                              stderr=subprocess.STDOUT) as process:  # fmt: skip
            # This process's memory alone, not that of a conversion before it.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    if process.returncode != 0:
        sys.exit(f"als_peer: {command[0]} failed ({process.returncode})\n{said[-1000:]}")
    return said, usage.ru_maxrss / 1024


def run_alto(arguments: argparse.Namespace) -> dict[str, Any]:
    binary = binary_file(arguments.genten, arguments.file, ".alto")
    program = str(arguments.alto / ("cpd64" if bits_of(binary) <= 64 else "cpd128"))
    said, peak = run([program, "-b", str(binary), "-r", str(arguments.rank), "-m",
                      str(arguments.iterations), "-e", "1e-300", "--model", "als"])  # fmt: skip
    phases = "setup|Linearization|sort|reorder|oidx|prtn"
    prepare = sum(float(each) for each in re.findall(rf"(?:{phases}) time = ([\d.]+) \(s\)", said))
    times = re.findall(r"time\(for MTTKRP\): ([\d.]+) s \(([\d.]+) s\)", said)
    iterations = [float(whole) for whole, _ in times]
    return {"iterations": iterations, "mttkrp": sum(float(each) for _, each in times),
            "prepare": prepare, "total": prepare + sum(iterations),
            "fit": re.findall(r"fit: (\S+)", said), "peak": peak}  # fmt: skip


def run_splatt(arguments: argparse.Namespace) -> dict[str, Any]:
    binary = binary_file(arguments.genten, arguments.file, ".bin")
    threads = os.environ.get("OMP_NUM_THREADS", str(os.cpu_count() or 1))
    said, peak = run([str(arguments.splatt), "cpd", str(binary), "-r", str(arguments.rank), "-i",
                      str(arguments.iterations), "--tol", "0", "--csf=all", "-t", threads, "--seed",
                      "1", "-v", "-v", "--nowrite"])  # fmt: skip
    spent = dict(re.findall(r"^  (TOTAL|MTTKRP|CSF|IO) +([\d.]+)s", said, re.MULTILINE))
    iterations = re.findall(r"its = +\d+ \(([\d.]+)s\)", said)
    return {"iterations": [float(each) for each in iterations],
            "mttkrp": float(spent.get("MTTKRP", "nan")), "prepare": float(spent.get("CSF", "nan")),
            "total": float(spent.get("TOTAL", "nan")) - float(spent.get("IO", "nan")),
            "fit": re.findall(r"fit = (\S+)", said), "peak": peak}  # fmt: skip


def main() -> None:
    arguments = parse_arguments()
    found = run_alto(arguments) if arguments.alto else run_splatt(arguments)
    iterations = found["iterations"]
    if not iterations:
        sys.exit("als_peer: the program tells of no iterations")
    print(json.dumps({
        "iteration_s": statistics.median(iterations[1:] or iterations),
        "mttkrp_s": found["mttkrp"] / len(iterations),
        "prepare_s": found["prepare"], "total_s": found["total"],
        "iterations": len(iterations),
        "fit": float(found["fit"][-1]),
        "peak_mb": found["peak"]}))  # fmt: skip


if __name__ == "__main__":
    main()
