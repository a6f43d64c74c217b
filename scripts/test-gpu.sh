#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds Genten for a GPU, runs the tests of the library there and times the shapes with -gpu names.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/test-gpu.sh KOKKOS_PREFIX [CMAKE ARGUMENT]...

KOKKOS_PREFIX is an installed Kokkos with CUDA (4.6 with CUDA 13: old View implementation, and the
compiler nvcc_wrapper, given as -DCMAKE_CXX_COMPILER=...), beside which lies the KokkosKernels of
its version, configured with -DKokkosKernels_ENABLE_TPL_CUBLAS=ON and
-DKokkosKernels_ADD_DEFAULT_ETI=OFF (it builds in seconds; where it lies elsewhere, give
-DKokkosKernels_ROOT=...). Builds in build/gpu, runs the tests of the library, the typed ones on the
device as well as on the host, some of them also under compute-sanitizer where there is one, and
prints for the named shapes the time of CP-ALS, and that of MTTKRP as a percentage of what the
device's memory can do. Where there are several GPUs and an MPI, runs the tests of processes, too,
and prints perf/process_table.py's table for one, two, four and eight of them.
GENTEN_JOBS sets the number of parallel jobs.
TEXT
}

case ${1:---help} in --help | -h) usage; exit 0 ;; esac
prefix=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake -S . -B build/gpu -DCMAKE_BUILD_TYPE=Release -DKokkos_ROOT="$prefix" "$@"
programs=(genten_unit_base genten_unit_core genten_unit_dense genten_unit_cp genten_unit_format
  genten_unit_mttkrp genten_kernels)
cmake --build build/gpu --parallel "${GENTEN_JOBS:-$(nproc)}" \
  --target "${programs[@]}" perf_CpAlsRandomKtensor perf_Mttkrp
export OMP_PROC_BIND=false OMP_WAIT_POLICY=passive
failed=()
for program in "${programs[@]}"; do
  "build/gpu/tests/$program" || failed+=("$program")
done
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck; do
    for test in genten_kernels:MttkrpReferenceTest/Cuda_double_32.OrdersOneToEightAgree \
      genten_kernels:DeviceAgreement/1.CpAlsFitsLikeTheHost \
      'genten_unit_dense:FactorUpdateTest/Cuda_double_32.*Wide*' \
      'genten_unit_base:StagedCopyTest/Cuda_double_32.*' \
      'genten_unit_cp:*'; do
      compute-sanitizer --tool "$tool" --error-exitcode 9 "build/gpu/tests/${test%%:*}" \
        --gtest_filter="${test#*:}" || failed+=("$tool ${test#*:}")
    done
  done
fi
if ((${#failed[@]})); then
  printf 'failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
for shape in uber-gpu:16 uniform:16 uniform:128 nell2-gpu:16 vast-gpu:16 enron-gpu:16 \
  delicious-gpu:16; do
  build/gpu/bin/perf_CpAlsRandomKtensor --shape "${shape%:*}" --rank "${shape#*:}" --maxiters 10 \
    --quiet
  build/gpu/bin/perf_Mttkrp --shape "${shape%:*}" --ranks "${shape#*:}" --kernels sorted \
    --check-rows 1000
done

gpus=$(nvidia-smi --list-gpus 2>/dev/null | wc -l)
if ((gpus > 1)) && command -v mpirun >/dev/null; then
  cmake --build build/gpu --parallel "${GENTEN_JOBS:-$(nproc)}"
  ctest --test-dir build/gpu -R '^mpi\.' --output-on-failure
  counts=1
  for count in 2 4 8; do ((count > gpus)) || counts+=,$count; done
  perf/process_table.py --bin build/gpu/bin --processes "$counts" --transports peer,nccl \
    --json build/gpu/processes.json --lines uniform:16 uniform:128 delicious-gpu:16 nell1-gpu:16 \
    weak:16 uniform:16:--nonnegative=all uniform:16:--acceleration=nesterov
fi
