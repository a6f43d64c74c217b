#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tensor data/il2-response from what TensorLy ships.

    scripts/make-il2-tensor.py [--output FOLDER]

The tensor has four modes: ligand x time x dose x cell. Cells of the table that were not measured
are not listed; zeros that were measured are. Times and doses are put in ascending order, values
are rounded to six digits, and entries are sorted: the same data give the same bytes.

Written are one text tensor (FROSTT style, subscripts from 1), compressed with zstd, one list of
names per mode, and the licence of the data. Needs TensorLy (0.9 or later), NumPy and zstd.
"""

import argparse
import pathlib
import subprocess
import textwrap

import numpy as np
from tensorly.datasets import load_IL2data

MODES = ("ligand", "time", "dose", "cell")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path, help="folder [data/il2-response]",
                        default=pathlib.Path(__file__).parent.parent / "data/il2-response")
    folder = parser.parse_args().output

    data = load_IL2data()
    ligands, times, doses, cells = data["ticks"]
    by_time, by_dose = np.argsort(times), np.argsort(doses)
    table = np.asarray(data["tensor"])[:, by_time][:, :, by_dose]
    names = (ligands, [f"{times[i]:g}" for i in by_time], [f"{doses[i]:.3g}" for i in by_dose],
             cells)
    known = np.argwhere(~np.isnan(table))

    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Response of cells to interleukin 2: ligand x time x dose x cell, value: 0 to 1",
             f"# {' x '.join(map(str, table.shape))}, {len(known)} cells measured, "
             f"{np.count_nonzero(table == 0)} of them 0, {table.size - len(known)} not measured; "
             "subscripts from 1",
             "# made from TensorLy's load_IL2data() by scripts/make-il2-tensor.py",
             "# Copyright 2021 The Regents of the University of California; see LICENSE"]
    lines += ["%d %d %d %d %.6g" % (*(at + 1), table[tuple(at)]) for at in known]
    path = folder / "il2-response.tns"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    subprocess.run(["zstd", "-19", "--force", "--quiet", "--rm", str(path)], check=True)
    for mode, labels in zip(MODES, names):
        (folder / f"{mode}.labels").write_text("\n".join(labels) + "\n", encoding="ascii")
    (folder / "LICENSE").write_text(textwrap.dedent("    " * 2 + data["LICENSE"]) + "\n",
                                    encoding="ascii")
    print("\n".join(line[2:] for line in lines[:2]))


if __name__ == "__main__":
    main()
