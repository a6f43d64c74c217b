# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the tool share: running it, and reading what it writes."""
import itertools
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOL = os.environ["GENTEN_TOOL"]
DATA = pathlib.Path(os.environ["GENTEN_TEST_DATA_DIR"])
SHARED = pathlib.Path(os.environ["GENTEN_SHARED_DATA_DIR"])
SUCCESS, FAILURE, WRONG_USAGE, FILE_TROUBLE, INTERRUPTED = 0, 1, 2, 3, 4

TITANIC = DATA / "titanic" / "titanic.tns"
TITANIC_MODES = ("class", "sex", "age", "survived")
TITANIC_LABELS = ",".join(str(DATA / "titanic" / f"{m}.labels") for m in TITANIC_MODES)
ADMISSIONS = DATA / "ucb-admissions" / "ucb-admissions.tns"


class ToolTest(unittest.TestCase):
    """A test case with a directory of its own, in which the tool runs."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="genten-cli-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def run_tool(self, *arguments, expect=SUCCESS, environment=None):
        """Runs the tool to its end and checks its exit code."""
        command = [TOOL, *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.directory, capture_output=True, text=True, timeout=120,
            env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}\n{done.stderr}")
        return done

    def run_json(self, *arguments, expect=SUCCESS, environment=None):
        """The same with --json; returns what was written."""
        self.run_tool(*arguments, "--json", "result.json", expect=expect, environment=environment)
        return self.read_json("result.json")

    def backend(self):
        """Kokkos' name of where decompose computes."""
        return self.run_tool("--version").stdout.split()[-1].rstrip(")")

    def on_device(self):
        return self.backend() in ("Cuda", "HIP")

    def read_json(self, name):
        return json.loads((self.directory / name).read_text())

    def write(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path

    def files(self):
        """Names of everything in the directory: a temporary file that was left would show."""
        return sorted(entry.name for entry in self.directory.iterdir())


class Model:
    """A model in the Tensor Toolbox's text form."""

    def __init__(self, path):
        words = pathlib.Path(path).read_text().split()
        assert words.pop(0) == "ktensor", path
        order = int(words.pop(0))
        self.dimensions = [int(words.pop(0)) for _ in range(order)]
        self.rank = int(words.pop(0))
        self.weights = [float(words.pop(0)) for _ in range(self.rank)]
        self.factors = []
        for dimension in self.dimensions:
            assert words.pop(0) == "matrix", path
            assert int(words.pop(0)) == 2, path
            assert [int(words.pop(0)), int(words.pop(0))] == [dimension, self.rank], path
            rows = [[float(words.pop(0)) for _ in range(self.rank)] for _ in range(dimension)]
            self.factors.append(rows)
        assert not words, path

    def numbers(self):
        """Weights and all elements of the factors."""
        return self.weights + [x for factor in self.factors for row in factor for x in row]

    def residual_norm(self, entries):
        """||X - M|| of the tensor with these entries, summed over all its entries."""
        everywhere = itertools.product(*map(range, self.dimensions))
        return math.sqrt(math.fsum((entries.get(at, 0.0) - self.entry(at)) ** 2
                                   for at in everywhere))

    def entry(self, subscripts):
        total = 0.0
        for r, weight in enumerate(self.weights):
            product = weight
            for factor, i in zip(self.factors, subscripts):
                product *= factor[i][r]
            total += product
        return total


def read_entries(path):
    """{subscripts from 0: value} of a text tensor without a header."""
    entries = {}
    for line in pathlib.Path(path).read_text().splitlines():
        fields = line.split("#")[0].split()
        if fields:
            entries[tuple(int(f) - 1 for f in fields[:-1])] = float(fields[-1])
    return entries
