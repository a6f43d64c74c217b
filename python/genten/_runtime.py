# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The library's runtime: threads and what this build is."""

from __future__ import annotations

from typing import Any

from . import _core
from ._options import knowing_keywords


@knowing_keywords
def config(
    *, threads: int | None = None, instruction_set: str | None = None
) -> dict[str, Any]:
    """What this build of genten is; sets the number of threads before the first computation.

    Kokkos, with which genten computes, is started by the first call that needs it and ends with
    the process. Its threads are OpenMP's: as many as ``OMP_NUM_THREADS`` says, or the machine has.

    Parameters
    ----------
    threads : int, optional
        Threads to compute with. They can be chosen once.
    instruction_set : str, optional
        The instructions that the hot loops use from now on: of x86-64 processors 'v2', 'v3-shift',
        'v3' or 'v4', which ``GENTEN_ISA`` in the environment names as well. By default the highest
        that the processor has.

    Returns
    -------
    dict
        'version', 'kokkos', 'compiler', 'flags', 'instruction_set', 'backend', 'host_backend',
        'started' and 'threads' (None where Kokkos has not started and nothing was chosen).

    Raises
    ------
    ValueError
        For a number below 1, and an instruction set that this build or processor lacks.
    RuntimeError
        For another number than that with which genten computes already.

    Examples
    --------
    >>> import genten
    >>> genten.config()["version"] == genten.__version__
    True
    """
    if threads is not None:
        _core.set_threads(threads)
    if instruction_set is not None:
        _core.use_instruction_set(instruction_set)
    return _core.describe()
