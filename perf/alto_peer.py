#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP-ALS by ALTO's program on one text file, as perf_table.py wants a peer:

    perf_table.py --peer-name ALTO --peer-command \\
        'alto_peer.py --alto DIR --file {file} --rank {rank} --iterations {iterations}'

DIR holds cpd64 and cpd128, built for this machine (config.mk: COMPILER=GCC, the ranks of the table
specialized, vectors of 512 bits where the machine has them). Subscripts that fit 64 bits go to
cpd64. Its text reader being slow, the file is converted to ALTO's binary form once and kept beside
the text. The last line of output is the result as JSON: seconds of the median iteration but the
first, of MTTKRP an iteration, of preparation and of all, and the peak memory.
"""
import argparse
import array
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HEADER_BYTES = 192  # of Genten's binary form: see include/genten/io/binary.hpp


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--alto", type=pathlib.Path, required=True)
    parser.add_argument("--genten", default=str(here.parent / "build/default/bin/genten"),
                        help="our tool, which reads the text (default: %(default)s)")
    parser.add_argument("--file", type=pathlib.Path, required=True)
    parser.add_argument("--rank", type=int, required=True)
    parser.add_argument("--iterations", type=int, default=10)
    return parser.parse_args()


def convert(genten, text, binary):
    """Writes the text's tensor as ALTO reads it: numbers of 64 bits, the order, the dimensions, the
    number of nonzeros, the subscripts mode by mode, and the values."""
    with tempfile.TemporaryDirectory(dir=text.parent) as directory:
        ours = pathlib.Path(directory) / "tensor.gtn"
        subprocess.run([genten, "convert", text, ours, "--quiet"], check=True)
        info = json.loads(subprocess.run([genten, "info", ours, "--json", "-"], check=True,
                                         capture_output=True, text=True).stdout)
        content = ours.read_bytes()
    dimensions, nonzeros = info["dimensions"], info["nnz"]
    subscripts, values = array.array("I"), array.array("d")
    end = HEADER_BYTES + 4 * nonzeros * len(dimensions)
    subscripts.frombytes(content[HEADER_BYTES:end])
    begin = -(-end // 64) * 64
    values.frombytes(content[begin:begin + 8 * nonzeros])
    with binary.open("wb") as out:
        array.array("Q", [len(dimensions), *dimensions, nonzeros]).tofile(out)
        for mode in range(len(dimensions)):
            array.array("Q", subscripts[mode::len(dimensions)]).tofile(out)
        values.tofile(out)


def binary_file(genten, text):
    binary = text.with_suffix(".alto")
    if not binary.exists():
        half = binary.with_suffix(".half")
        convert(genten, text, half)
        half.rename(binary)
    return binary


def bits_of(binary):
    """The bits that the subscripts of one nonzero take."""
    with binary.open("rb") as file:
        (order,) = array.array("Q", file.read(8))
        dimensions = array.array("Q", file.read(8 * order))
    return sum((dimension - 1).bit_length() for dimension in dimensions)


def seconds_of(output, names):
    """The sum of what ALTO says these took."""
    return sum(float(found.group(1)) for name in names
               for found in re.finditer(rf"{name} time = ([\d.]+) \(s\)", output))


def main():
    arguments = parse_arguments()
    binary = binary_file(arguments.genten, arguments.file)
    program = str(arguments.alto / ("cpd64" if bits_of(binary) <= 64 else "cpd128"))
    # One thread for BLAS, whose threads would be others beside OpenMP's.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as out:
        with subprocess.Popen([program, "-b", str(binary), "-r", str(arguments.rank), "-m",
                               str(arguments.iterations), "-e", "1e-300", "--model", "als"],
                              env=environment, stdout=out, stderr=subprocess.STDOUT) as process:
            # This process's memory alone, not that of a conversion before it.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    times = [(float(a), float(b)) for a, b in re.findall(
        r"time\(for MTTKRP\): ([\d.]+) s \(([\d.]+) s\)", said)]
    if process.returncode != 0 or not times:
        sys.exit(f"alto_peer: {program} failed ({process.returncode})\n{said[-1000:]}")
    prepare = seconds_of(said, ["setup", "Linearization", "sort", "reorder", "oidx", "prtn"])
    iterations = [whole for whole, _ in times]
    print(json.dumps({
        "iteration_s": statistics.median(iterations[1:] or iterations),
        "mttkrp_s": statistics.mean(mttkrp for _, mttkrp in times),
        "prepare_s": prepare, "total_s": prepare + sum(iterations),
        "iterations": len(times),
        "fit": float(re.findall(r"fit: (\S+)", said)[-1]),
        "peak_mb": usage.ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
