#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures CP-ALS on one, two and more processes, each with a GPU where there are GPUs.

Each line is a shape generated where it stays, the same nonzeros on any number of processes. For
each number of processes and each transport the table has the median iteration, the mean of its
parts, how many times less it takes than one process, and what the model of docs/guide/clusters.md
predicts: its seconds from --machine, with the time a nonzero takes from MTTKRP of one process, and
a time for each mode such that one process takes what it took. Checked on the way, and reported at
the end with exit code 1: fits agree with those of one process to 1e-12 (--tolerance), a repeated
run has the same bits, and as many rows were sent as the model counts, to a ten-thousandth.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from perf_table import print_table, shape_options

LINES = ["uniform:16", "uniform:128", "delicious-gpu:16", "uniform:16:--nonnegative=all",
         "uniform:16:--acceleration=nesterov"]
PARTS = ("mttkrp", "fold", "expand", "wait", "reduce", "solve", "gram")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/default/bin"),
                        help="where the benchmarks are (default: %(default)s)")
    parser.add_argument("--launcher", default="mpirun --bind-to none",
                        help="what starts processes, before -np (default: %(default)s)")
    parser.add_argument("--processes", default="1,2",
                        help="numbers of processes, the first 1 (default: %(default)s)")
    parser.add_argument("--transports", default="auto",
                        help="of several processes, one after the other (default: %(default)s)")
    parser.add_argument("--lines", nargs="+", default=LINES, metavar="SHAPE:R[:OPTION]",
                        help="shapes as of perf_table.py, and weak: 100,000^3 with "
                             "--weak-nonzeros for each process (default: %(default)s)")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--scale", type=float, default=1, help="of the nonzeros (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weak-nonzeros", type=int, default=1_000_000_000)
    parser.add_argument("--kernel", default="sorted", help="of MTTKRP (default: %(default)s)")
    parser.add_argument("--machine", default="bandwidth=3.5e11,latency=1e-5,message-seconds=2e-6,"
                        "row-bandwidth=1.1e12",
                        help="figures of the model (default: %(default)s, GPUs with NVLink)")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="of fits")
    parser.add_argument("--json", type=pathlib.Path, help="write all reports to this file")
    return parser.parse_args()


def tensor_options(arguments, shape, processes):
    if shape != "weak":
        return shape_options(arguments, shape)
    return ["--dimensions", "100000,100000,100000", "--nnz",
            str(arguments.weak_nonzeros * processes), "--seed", str(arguments.seed)]


def report_of(command):
    """The report that a benchmark writes, or None where it refuses the run, saying why."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "report.json"
        done = subprocess.run([*command, "--json", str(path)], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            print(" ".join(command), done.stderr.strip()[-2000:], sep="\n", file=sys.stderr)
            return None
        return json.loads(path.read_text(encoding="utf-8"))


def run(arguments, line, processes, transport):
    shape, rank, *options = line.split(":")
    command = [str(arguments.bin / "perf_CpAlsRandomKtensor"),
               *tensor_options(arguments, shape, processes), "--rank", rank, "--maxiters",
               str(arguments.iterations), "--quiet", "--mttkrp-method", arguments.kernel, *options]
    if processes > 1:
        command = [*arguments.launcher.split(), "-np", str(processes), *command,
                   "--transport", transport]
    return report_of(command)


def partition(arguments, line, processes, figures):
    """The report of what would be sent, at these figures of the model."""
    shape, rank, *_ = line.split(":")
    command = [str(arguments.bin / "perf_Partition"), *tensor_options(arguments, shape, processes),
               "--rank", rank, "--ranks", str(processes), "--grids", "1"]
    return report_of(command + [f"--{name}={value}" for name, value in figures.items()])


def prediction(arguments, line, one, processes):
    """(seconds of an iteration, rows that are sent one way) by the model."""
    figures = dict(figure.split("=") for figure in arguments.machine.split(","))
    modes = len(one["tensor"]["dimensions"])
    figures["nonzero-seconds"] = one["mttkrp_s"] / (one["tensor"]["nonzeros"] * modes *
                                                    int(line.split(":")[1]))
    report = partition(arguments, line, processes, figures)
    if report and one["iteration_s"] > report["one_rank_s"]:
        figures["mode-seconds"] = (one["iteration_s"] - report["one_rank_s"]) / modes
        report = partition(arguments, line, processes, figures)
    if not report:
        return None, None
    scheme = report["ranks"][0]["schemes"][0]
    return scheme["predicted_s"]["total"], sum(mode["words"] for mode in scheme["modes"])


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}" if seconds is not None else ""


def bits(report):
    return [step["fit"] for step in report["history"]], report["weights"]


def table_row(line, processes, transport, report, one, predicted):
    each = report["iterations"]
    parts = [milliseconds(report["timings"].get(part, 0) / each) for part in PARTS]
    ratio = one["iteration_s"] / report["iteration_s"] if one else None
    if line.startswith("weak"):  # as many nonzeros a process: 1 is perfect
        ratio = report["iteration_s"] / one["iteration_s"] if one else None
    sent = report.get("ranks")
    sent = 8 * sum(mode["words"] for mode in sent["folded"]) / each / 1e6 if sent else 0
    return [line, str(processes), transport if processes > 1 else "",
            milliseconds(report["iteration_s"]), f"{ratio:.2f}" if ratio else "",
            milliseconds(predicted), *parts, f"{sent:.3g}",
            f"{report['tensor']['seconds_to_load']:.3g}", f"{report['prepare_s']:.3g}",
            f"{report['fit']:.12f}"]


def measure(arguments, line, found):
    """The rows of one line and their reports; what is wrong goes to found."""
    rows, reports, one = [], [], None
    for processes in map(int, arguments.processes.split(",")):
        predicted, counted = (None, None) if not one or line.startswith("weak") else \
            prediction(arguments, line, one, processes)
        for transport in arguments.transports.split(",") if processes > 1 else [""]:
            runs = [run(arguments, line, processes, transport) for _ in range(2)]
            where = f"{line}, {processes} processes {transport}".rstrip()
            if None in runs:
                found.append(f"{where}: refused")
                continue
            report = min(runs, key=lambda each: each["iteration_s"])
            report["iteration_s"] = statistics.median(each["iteration_s"] for each in runs)
            if bits(runs[0]) != bits(runs[1]):
                found.append(f"{where}: a repeated run has other bits")
            if processes == 1:
                one = report
            elif one and not line.startswith("weak"):
                apart = abs(report["fit"] - one["fit"])
                if apart > arguments.tolerance:
                    found.append(f"{where}: the fit is {apart:.1e} from that of one process")
                sent = sum(report["ranks"]["rows_by_mode"])
                # A generated tensor is divided by a few draws more than it takes.
                if counted is not None and abs(counted - sent) > 1e-4 * counted:
                    found.append(f"{where}: {sent} rows are sent, {counted} predicted")
            rows.append(table_row(line, processes, transport, report, one, predicted))
            reports.append({"line": line, "processes": processes, "transport": transport,
                            "predicted_s": predicted, "report": report})
            print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    return rows, reports


def main():
    arguments = parse_arguments()
    os.environ.setdefault("OMP_PROC_BIND", "false")
    rows, reports, found = [], [], []
    for line in arguments.lines:
        more, made = measure(arguments, line, found)
        rows += more
        reports += made
    if reports:
        environment = reports[-1]["report"]["environment"]
        device = (environment["device"] or {}).get("name")
        print(f"\n{device or environment['machine']['processor']}, "
              f"{reports[-1]['report'].get('ranks', {}).get('library', 'one process')}; "
              f"milliseconds, {arguments.iterations} iterations, medians of two runs; parts are "
              "means of all iterations; MB are those of all folds of an iteration\n")
    print_table(["line", "processes", "transport", "iteration", "ratio", "predicted", *PARTS,
                 "MB sent", "generate s", "prepare s", "fit"], rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")
    for each in found:
        print(each, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
