# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tests launch several processes with: as root, and more of them than cores, as on any small
machine."""
import os

ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMP_PROC_BIND": "false",
    "OMP_WAIT_POLICY": "passive",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl": "self,vader",
}
QUIET = {"openmpi": ["--quiet"], "mpich": [], "mpi": []}
"""By the MPI what keeps its launcher from speaking of itself."""


def environment(**more):
    """The environment of this process with that of launched ones."""
    return {**os.environ, **ENVIRONMENT, **more}
