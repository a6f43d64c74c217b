#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures CP-ALS on the named shapes, and on shapes of other classes, and prints the whole table.

Each line generates a shape (once, as a text file in --directory, so that other codes can read it
too), decomposes it in a process of its own and takes the median iteration of that run, the time of
MTTKRP and of the whole call (preparation and finishing included), and the process's peak memory,
the reading of the text file included.

A peer is another code on the same files, of which there may be several:

  --peer NAME=COMMAND  a shell command with {file}, {rank}, {iterations} in it, whose last line of
                       output is JSON as {"iteration_s": 0.04, "mttkrp_s": 0.04, "prepare_s": 0.2,
                       "total_s": 0.6, "peak_mb": 283}; what is not known may be left out. Genten
                       and all peers run in turn, --rounds times, and medians are compared: on a
                       machine that is not quiet this is the only comparison worth reading.
                       als_peer.py is one for ALTO and SPLATT.
"""
import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

# Shapes that have no name in the library: dimensions, nonzeros, and the powers of popularity.
SHAPES = {
    "nell2-heads": ("12092,9184,28818", 8_000_000, ".8,.8,.8"),
    "enron-heads": ("6066,5699,244268,1176", 5_000_000, ".8,.8,.8,.8"),
    "cube": ("3000,4000,5000", 10_000_000, "0,0,0"),
    "five-short": ("300,400,500,200,100", 5_000_000, ".3,.3,.3,.3,.3"),
    "eight-short": ("20,30,40,50,20,30,40,50", 4_000_000, ".2,.2,.2,.2,.2,.2,.2,.2"),
    "graph": ("14541,14541,237", 272_000, ".7,.7,.9"),
    "long-mode": ("28000000,240000,2000", 6_000_000, ".6,.7,.9"),
    "100^4": ("100,100,100,100", 8_000_000, "0,0,0,0"),
    "small": ("200,200,200", 100_000, "0,0,0"),
    "matrix-gpu": ("200000,300000", 20_000_000, "0,0"),
    "lbnl-gpu": ("1605,4198,1631,4209,868131", 20_000_000, ".8,.8,.8,.8,.4"),
    "nell1-gpu": ("2902330,2143368,25495389", 100_000_000, ".7,.7,.7"),
}
LINES = [("uber", 16), ("uber", 64), ("nell2", 16), ("nell2", 128), ("enron", 16), ("vast", 16),
         ("lbnl", 16), ("uniform", 16), ("uniform", 128), ("delicious", 16)]
CLASS_LINES = [("nell2-heads", 16), ("enron-heads", 16), ("cube", 16), ("five-short", 16),
               ("100^4", 16), ("eight-short", 16), ("eight-short", 64), ("graph", 16),
               ("long-mode", 16), ("mails", 16), ("baskets", 16), ("triples", 16)]
# Larger numbers of nonzeros, for accelerators.
DEVICE_LINES = [("uber-gpu", 16), ("uniform", 16), ("uniform", 128), ("nell2-gpu", 16),
                ("vast-gpu", 16), ("enron-gpu", 16), ("delicious-gpu", 16)]
DEVICE_CLASS_LINES = [("small", 16), ("graph", 16), ("matrix-gpu", 16), ("lbnl-gpu", 16),
                      ("nell1-gpu", 16), ("uniform", 500), ("uniform", 1000)]


def peer_of(text):
    """(name, command) of an option --peer."""
    name, equals, command = text.partition("=")
    if not name or not equals or not command:
        raise argparse.ArgumentTypeError(f"expected NAME=COMMAND, got '{text}'")
    return name, command


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--bin", type=pathlib.Path, default=here.parent / "build/default/bin",
                        help="where perf_CpAlsRandomKtensor is (default: %(default)s)")
    parser.add_argument("--directory", type=pathlib.Path,
                        default=pathlib.Path(tempfile.gettempdir()) / "genten-perf",
                        help="where the tensors are kept (default: %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0,
                        help="times the nonzeros, dimensions to match; 0.01 is a quick try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="runs of each line (default: 1)")
    parser.add_argument("--lines", default="",
                        help="only these, as shape or shape:rank, comma-separated")
    parser.add_argument("--device", action="store_true",
                        help="the lines that accelerators are measured with")
    parser.add_argument("--classes", action="store_true",
                        help="the lines of other classes of shapes")
    parser.add_argument("--in-memory", action="store_true",
                        help="generate each tensor in the process that decomposes it: no files, "
                        "and a peak memory that counts the generator")
    parser.add_argument("--kernel", default="auto")
    parser.add_argument("--float", action="store_true", help="single precision (Genten alone)")
    parser.add_argument("--json", type=pathlib.Path, help="write everything that was measured")
    parser.add_argument("--peer", metavar="NAME=COMMAND", type=peer_of, action="append",
                        default=[], help="a code to run beside ours; may be given again")
    arguments = parser.parse_args()
    if arguments.in_memory and arguments.peer:
        parser.error("--peer needs files: leave out --in-memory")
    if len(dict(arguments.peer)) < len(arguments.peer):
        parser.error("--peer: two peers have the same name")
    return arguments


def wanted_lines(arguments):
    """The lines that --lines leaves."""
    classes = DEVICE_CLASS_LINES if arguments.device else CLASS_LINES
    shapes = DEVICE_LINES if arguments.device else LINES
    lines = classes if arguments.classes else shapes
    if not arguments.lines:
        return lines
    lines = shapes + classes
    chosen = []
    for word in arguments.lines.split(","):
        shape, _, rank = word.partition(":")
        found = [line for line in lines if line[0] == shape and (not rank or line[1] == int(rank))]
        if not found and rank:
            found = [(shape, int(rank))]
        if not found:
            sys.exit(f"perf_table: no line '{word}'")
        chosen += found
    return chosen


def run(command, **options):
    """Runs a command; its failure ends the program with what it said."""
    done = subprocess.run(command, text=True, capture_output=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"perf_table: {command} failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def shape_options(arguments, shape):
    """What tells our program to generate the shape."""
    seed = ["--seed", str(arguments.seed)]
    if shape not in SHAPES:
        return ["--shape", shape, "--scale", str(arguments.scale), *seed]
    dimensions, nonzeros, powers = SHAPES[shape]
    # As the library scales shapes: to the same density.
    lengths = [int(length) for length in dimensions.split(",")]
    shorter = arguments.scale ** (1 / len(lengths))
    lengths = [max(1, round(length * shorter)) for length in lengths]
    return ["--dimensions", ",".join(map(str, lengths)), "--nnz",
            str(round(nonzeros * arguments.scale)), "--powers", powers, *seed]


def tensor_file(arguments, program, shape):
    """The text file of a shape, generated when it is not there."""
    arguments.directory.mkdir(parents=True, exist_ok=True)
    path = arguments.directory / f"{shape}-{arguments.scale:g}-{arguments.seed}.tns"
    if not path.exists():
        print(f"generating {path}", file=sys.stderr)
        run([program, *shape_options(arguments, shape), "--write-tensor", str(path)])
    return path


def tensor_options(arguments, program, shape):
    """What tells our program to take the shape's tensor, and the tensor's file if there is one."""
    if arguments.in_memory:
        return shape_options(arguments, shape), None
    path = tensor_file(arguments, program, shape)
    return ["--file", str(path)], path


def run_genten(arguments, program, tensor, rank):
    """One run of ours, as a dictionary of figures and the full report."""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "report.json"
        command = [program, *tensor, "--rank", str(rank), "--quiet", "--maxiters",
                   str(arguments.iterations), "--tol", "0", "--mttkrp-method", arguments.kernel,
                   "--json", str(report)]
        if arguments.float:
            command.append("--float")
        run(command)
        full = json.loads(report.read_text(encoding="utf-8"))
    figures = {name: full[name] for name in ("iteration_s", "mttkrp_s", "prepare_s", "fit")}
    figures["total_s"] = full["timings"]["total"]
    figures["peak_mb"] = full["peak_memory_bytes"] / 2**20
    figures["nonzeros"] = full["tensor"]["nonzeros"]
    return figures, full


def run_peer(arguments, command, path, rank):
    """One run of a peer's command."""
    command = command.format(
        file=shlex.quote(str(path)), rank=rank, iterations=arguments.iterations)
    return json.loads(run(command, shell=True).strip().splitlines()[-1])


def medians(runs):
    """The median of each figure over runs."""
    return {name: statistics.median(one[name] for one in runs)
            for name in runs[0] if all(isinstance(one.get(name), (int, float)) for one in runs)}


def seconds(value):
    if value is None:
        return ""
    return f"{value:.2f}" if value >= 1 else f"{value:.4f}" if value < 0.1 else f"{value:.3f}"


def ratio(peer, ours):
    return f"{peer / ours:.2f}" if peer and ours else ""


def table_row(line):
    """The row of a measured line, as strings."""
    ours = line["genten"]
    row = [line["shape"], str(line["rank"]), f"{ours['nonzeros'] / 1e6:.3g} M",
           seconds(ours["prepare_s"]), seconds(ours["mttkrp_s"]), seconds(ours["iteration_s"]),
           seconds(ours["total_s"]), f"{ours['peak_mb']:.0f}", f"{ours['fit']:.6f}"]
    for peer in line["peers"].values():
        row += [seconds(peer.get("iteration_s")),
                ratio(peer.get("iteration_s"), ours["iteration_s"]),
                ratio(peer.get("mttkrp_s"), ours["mttkrp_s"]),
                ratio(peer.get("total_s"), ours["total_s"]),
                ratio(peer.get("peak_mb"), ours["peak_mb"])]
    return row


def print_table(head, rows):
    widths = [max(len(row[c]) for row in [head] + rows) for c in range(len(head))]

    def put(cells):
        print("| " + " | ".join(cell.ljust(width) if c == 0 else cell.rjust(width)
                                for c, (cell, width) in enumerate(zip(cells, widths))) + " |")

    put(head)
    print("|" + "|".join("-" * (width + 1) + ("-" if c == 0 else ":")
                         for c, width in enumerate(widths)) + "|")
    for row in rows:
        put(row)


def caches(machine):
    """The sizes of a core's caches, as text."""
    sizes = machine.get("cache_bytes") or []
    return "".join(f"{size / 2**10:g} KB of L{level}, " if size < 2**20 else
                   f"{size / 2**20:g} MB of L{level}, "
                   for level, size in enumerate(sizes[:2], 1) if size)


def measure(arguments, program):
    """All lines, with the environment of the last run."""
    measured, environment = [], {}
    for shape, rank in wanted_lines(arguments):
        tensor, path = tensor_options(arguments, program, shape)
        ours, full = [], {}
        theirs = {name: [] for name, _ in arguments.peer}
        for _ in range(arguments.rounds):
            figures, full = run_genten(arguments, program, tensor, rank)
            ours.append(figures)
            for name, command in arguments.peer:
                theirs[name].append(run_peer(arguments, command, path, rank))
        line = {"shape": shape, "rank": rank, "genten": medians(ours), "genten_runs": ours,
                "report": full, "peers": {name: medians(runs) for name, runs in theirs.items()},
                "peer_runs": theirs}
        environment = full.pop("environment")
        print(" ".join(table_row(line)), file=sys.stderr)
        measured.append(line)
    return measured, environment


def main():
    arguments = parse_arguments()
    program = str(arguments.bin / "perf_CpAlsRandomKtensor")
    if not os.access(program, os.X_OK):
        sys.exit(f"perf_table: there is no program {program}: build with GENTEN_ENABLE_PERF, or "
                 "say --bin")
    os.environ.setdefault("OMP_PROC_BIND", "spread")
    os.environ.setdefault("OMP_PLACES", "threads")
    measured, environment = measure(arguments, program)

    head = ["shape", "R", "nonzeros", "prepare s", "MTTKRP s", "iteration s",
            "whole call s", "peak MB", "fit"]
    for name, _ in arguments.peer:
        head += [f"{name} iteration s", "ratio", "ratio MTTKRP", "ratio whole call", "ratio memory"]
    machine = environment.get("machine", {})
    print(f"\n{environment.get('device') or machine.get('processor')}, {caches(machine)}"
          f"{environment.get('threads')} threads ({environment.get('backend')}), "
          f"{environment.get('versions', {}).get('compiler')}, "
          f"{environment.get('build', {}).get('flags')}, "
          f"load {machine.get('load_average', 0):.2f}; "
          f"medians of {arguments.rounds} runs of {arguments.iterations} iterations; iteration: "
          "median of all but the first, MTTKRP: mean of all\n")
    print_table(head, [table_row(line) for line in measured])
    if arguments.json:
        arguments.json.write_text(json.dumps(
            {"environment": environment, "scale": arguments.scale, "seed": arguments.seed,
             "iterations": arguments.iterations, "lines": measured},
            indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
