# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What splatt_peers.py has measured, as Markdown."""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]


def number(value: float | None) -> str:
    if value is None:
        return "never"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def ratio(line: Line, what: str) -> str:
    ours, theirs = line["genten"][what], line["splatt"][what]
    return f"{theirs / ours:.1f}" if ours and theirs else "-"


def name_of(line: Line) -> str:
    return f"{line['tensor']} {' x '.join(str(n) for n in line['dimensions'])}"


def size_of(line: Line) -> str:
    millions = line["nonzeros"] / 1e6
    return f"{millions:.3g} M" if millions >= 1 else f"{millions:.2f} M"


def rounds_of(lines: list[Line]) -> str:
    counts = sorted({int(line["rounds"]) for line in lines})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def print_table(head: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " --: |" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def print_machine(lines: list[Line], commit: str) -> None:
    environment = lines[0]["environment"]
    versions, build = environment["versions"], environment["build"]
    at = f" at commit `{commit}`" if commit else ""
    print(f"{environment['threads']} threads of {environment['machine']['processor']}, double; "
          f"Genten{at}: {versions['compiler']}, `{build['flags']}`, Kokkos {versions['kokkos']}. "
          f"Medians of {rounds_of(lines)} runs, the two in turn; an iteration is the median of all "
          "but the first. Preparation does not count on either side.\n")


def print_constrained(lines: list[Line], rank: int, iterations: int) -> None:
    print(f"Nonnegative factors, R = {rank}, {iterations} iterations from the same start; seconds, "
          "and the objectives that the two end with, as a part of ‖X‖² / 2. What both reach is the "
          "worse of these two.\n")
    rows = []
    for line in lines:
        row = [name_of(line), size_of(line)]
        for what in ("iteration_s", "to_1.001_s", "to_worse_s"):
            row += [number(line["genten"][what]), number(line["splatt"][what]), ratio(line, what)]
        half = line["norm"] ** 2 / 2
        rows.append(row + [f"{line[who]['objective'] / half:.5f}" for who in ("genten", "splatt")])
    print_table(["tensor", "nonzeros", "Genten, an iteration", "SPLATT", "ratio",
                 "Genten, to 1.001 of the best", "SPLATT", "ratio", "Genten, to what both reach",
                 "SPLATT", "ratio", "Genten, objective", "SPLATT"], rows)  # fmt: skip
    print()


def print_completion(lines: list[Line], rank: int, iterations: int) -> None:
    ridge = f"{lines[0]['ridge']:g}"
    print(f"Ratings, R = {rank}, ridge {ridge}, {iterations} iterations from the same start; "
          "seconds, for SPLATT also (in brackets) without the loss, which it computes by "
          "itself after each one. RMSE at the entries that are listed, first after one "
          "iteration, and at others, against the model that the ratings were drawn from.\n")
    rows = []
    for line in lines:
        ours, theirs = line["genten"], line["splatt"]
        rows.append([
            name_of(line), size_of(line), number(ours["iteration_s"]),
            f"{number(theirs['iteration_s'])} ({number(theirs['rows_s'])})",
            f"{ratio(line, 'iteration_s')} ({theirs['rows_s'] / ours['iteration_s']:.1f})",
            *(f"{side[what]:.5g}" for what in ("objective", "first_rmse", "rmse", "test_rmse")
              for side in (ours, theirs))])  # fmt: skip
    print_table(["ratings", "entries", "Genten, an iteration", "SPLATT", "ratio",
                 "Genten, objective", "SPLATT", "Genten, first RMSE", "SPLATT",
                 "Genten, RMSE", "SPLATT", "Genten, RMSE elsewhere", "SPLATT"], rows)  # fmt: skip
    print()
