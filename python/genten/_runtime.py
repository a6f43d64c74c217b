# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The library's runtime: threads and what this build is."""

from __future__ import annotations

from typing import Any

from . import _core


def config(*, threads: int | None = None) -> dict[str, Any]:
    """What this build of genten is; sets the number of threads before the first computation.

    Kokkos, with which genten computes, is started by the first call that needs it and ends with
    the process. Its threads are OpenMP's: as many as ``OMP_NUM_THREADS`` says, or the machine has.

    Parameters
    ----------
    threads : int, optional
        Threads to compute with. They can be chosen once.

    Returns
    -------
    dict
        'version', 'kokkos', 'compiler', 'flags', 'backend', 'host_backend', 'started' and
        'threads' (None where Kokkos has not started and nothing was chosen).

    Raises
    ------
    ValueError
        For a number below 1.
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
    return _core.describe()
