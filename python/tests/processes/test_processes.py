# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`cp` on the processes of communicators of mpi4py: `on_processes.py` under a launcher."""

import functools
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from conftest import DATA, ROOT

import genten

sys.path.insert(0, str(ROOT / "tests" / "support"))
from launching import QUIET, environment  # noqa: E402

pytest.importorskip("mpi4py")

PACKAGE = pathlib.Path(genten.__file__).parent
PROGRAM = pathlib.Path(__file__).with_name("on_processes.py")
SECONDS = 240


def _launcher(flavor):
    return shutil.which(f"mpirun.{flavor}") or shutil.which("mpirun")


def _has_module(flavor):
    return (PACKAGE / f"genten-{flavor}.so").exists() and _launcher(flavor) is not None


@functools.cache
def _library_of_mpich():
    """The MPICH that the module is linked with, as the loader finds it."""
    told = subprocess.run(["ldd", PACKAGE / "genten-mpich.so"], capture_output=True, text=True)
    for line in told.stdout.splitlines():
        name, _, where = line.strip().partition(" => ")
        if name in ("libmpich.so.12", "libmpi.so.12"):
            return where.split()[0]
    return None


def _environment(flavor, folder):
    """With which mpi4py takes that MPI; PyPI's wheel of it knows MPICH by its ABI's name alone."""
    made = environment(
        PYTHONPATH=os.pathsep.join([str(PACKAGE.parent), *sys.path]),
        GENTEN_TEST_DATA_DIR=str(DATA),
    )
    if flavor == "mpich":
        (folder / "lib").mkdir(exist_ok=True)
        link = folder / "lib" / "libmpi.so.12"
        if not link.exists():
            link.symlink_to(_library_of_mpich())
        made.update(MPI4PY_MPIABI="mpich", LD_LIBRARY_PATH=str(folder / "lib"))
    return made


def _launch(flavor, processes, names, folder, package=None):
    program = [sys.executable, PROGRAM, names, folder]
    command = [_launcher(flavor), *QUIET[flavor], "-n", str(processes), *program]
    made = _environment(flavor, folder)
    if package is not None:
        made["PYTHONPATH"] = os.pathsep.join([str(package), made["PYTHONPATH"]])
    return subprocess.run(
        [str(each) for each in command],
        env=made,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
    )


def _succeeds(*arguments, **keywords):
    done = _launch(*arguments, **keywords)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


needs_openmpi = pytest.mark.skipif(
    not _has_module("openmpi"), reason="the package has no module for Open MPI"
)
needs_mpich = pytest.mark.skipif(
    not _has_module("mpich") or _library_of_mpich() is None,
    reason="the package has no module for MPICH",
)
WHOLE_RUNS = "file,compressed_file,parts,long_modes,single_precision,notes,split,options"
FOLLOWED = "callback,checkpoints,memory_of_checkpoints,labels,interrupted,handlers,time_limit"
REFUSED = "errors,refused"


@needs_openmpi
@pytest.mark.parametrize("processes", [2, 3])
@pytest.mark.parametrize("names", [WHOLE_RUNS, FOLLOWED, REFUSED])
def test_openmpi(processes, names, tmp_path):
    _succeeds("openmpi", processes, names, tmp_path)


@needs_mpich
def test_mpich(tmp_path):
    _succeeds("mpich", 2, f"{WHOLE_RUNS},{FOLLOWED},{REFUSED}", tmp_path)


@needs_openmpi
def test_the_same_bits_each_time(tmp_path):
    told = [_succeeds("openmpi", 2, "digest", tmp_path).splitlines()[0] for _ in range(2)]
    if _has_module("mpich") and _library_of_mpich() is not None:
        told.append(_succeeds("mpich", 2, "digest", tmp_path).splitlines()[0])
    assert told[0].startswith("bits ") and len(set(told)) == 1


@needs_openmpi
def test_a_package_without_modules_says_what_to_do(tmp_path):
    package = tmp_path / "package"
    (package / "genten").mkdir(parents=True)
    for file in PACKAGE.iterdir():
        if not file.name.startswith("genten-"):
            (package / "genten" / file.name).symlink_to(file)
    _succeeds("openmpi", 2, "without_module", tmp_path, package=package)


@needs_openmpi
@pytest.mark.parametrize("name", ["one_thread_alone", "no_turn", "interrupted_early"])
def test_processes_that_cannot_take_part(name, tmp_path):
    _succeeds("openmpi", 2, name, tmp_path)


@needs_openmpi
def test_a_killed_process_ends_all(tmp_path):
    done = _launch("openmpi", 3, "killed", tmp_path)
    assert done.returncode != 0


def test_other_communicators_are_refused():
    with pytest.raises(TypeError, match="comm: expected a communicator of mpi4py, got"):
        genten.cp(genten.read(DATA / "titanic" / "titanic.tns"), 1, comm=object())
    assert "mpi4py.MPI" not in sys.modules  # which would start MPI
