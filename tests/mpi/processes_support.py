# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the tool on several processes share: launchers, and processes that run."""
import hashlib
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

from cli_support import DATA, SUCCESS, TOOL, ToolTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from launching import QUIET, environment  # noqa: E402

DEBIAN = DATA / "debian-packages" / "debian-packages.tns.zst"


def launchers():
    """By flavor, the launcher of each MPI library that the tool has a module for."""
    found = {}
    for flavor, names in (("openmpi", ("mpirun.openmpi", "mpirun")),
                          ("mpich", ("mpirun.mpich", "mpirun")), ("mpi", ("mpirun",))):
        paths = [path for path in map(shutil.which, names) if path]
        if paths and (pathlib.Path(TOOL).parent / f"genten-{flavor}.so").exists():
            found[flavor] = paths[0]
    return found


@unittest.skipUnless(launchers(), "the tool has no module for MPI")
class ProcessesTest(ToolTest):
    def flavor(self):
        return next(iter(launchers()))

    def command(self, processes, *arguments, flavor=None, tool=TOOL):
        flavor = flavor or self.flavor()
        return [launchers()[flavor], *QUIET[flavor], "-n", str(processes), tool,
                *map(str, arguments)]

    def launch(self, processes, *arguments, expect=SUCCESS, flavor=None, threads=1, tool=TOOL):
        command = self.command(processes, *arguments, flavor=flavor, tool=tool)
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True,
                              timeout=120,
                              env=environment(OMP_NUM_THREADS=str(threads)))
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}\n{done.stderr}")
        return done

    def digest(self, name):
        return hashlib.sha256((self.directory / name).read_bytes()).hexdigest()


class Running(ProcessesTest):
    def start(self, processes, flavor, *arguments):
        launcher = subprocess.Popen(self.command(processes, *arguments, flavor=flavor),
                                    cwd=self.directory, text=True, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    env=environment())
        self.addCleanup(launcher.communicate)
        self.addCleanup(launcher.kill)
        return launcher

    def processes(self):
        """Processes of the tool in the test's directory."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if (entry / "exe").resolve() == pathlib.Path(TOOL).resolve() and (
                        entry / "cwd").resolve() == self.directory.resolve():
                    found.append(int(entry.name))
            except (OSError, ValueError):
                continue
        return found

    def start_iterating(self, processes, flavor, *arguments):
        """The same, after the first iteration, which it prints."""
        launcher = self.start(processes, flavor, *arguments)
        for line in launcher.stdout:
            if line.split()[:1] == ["1"]:
                return launcher
        return self.fail("no first iteration: " + launcher.stderr.read())

    def number_of(self, rank):
        """The process of that number."""
        for process in self.processes():
            variables = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            for name in (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK"):
                if name + b"=%d" % rank in variables:
                    return process
        return self.fail("there is no such process")

    def wait_for_nobody(self, seconds):
        """Until no process is left."""
        end = time.monotonic() + seconds
        while self.processes() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.processes(), [])
