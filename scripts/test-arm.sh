#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the library for 64-bit ARM and runs unit tests by an emulator: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

programs=(genten_unit_base genten_unit_dense genten_unit_mttkrp)

usage() {
  cat <<TEXT
Usage: scripts/test-arm.sh

Installs what is missing (scripts/install-deps.sh --variant arm), compiles the library and
${programs[*]}
by Debian's cross compiler for 64-bit ARM (the preset arm, in build/arm), where warnings are errors,
and runs these tests by qemu-aarch64. Fails when anything fails. Tests of what the emulator does not
do are skipped and listed. GENTEN_JOBS sets the number of parallel jobs.
TEXT
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  "") ;;
  *) usage >&2; die "unknown argument: $1" ;;
esac
case $(uname -m) in
  aarch64 | arm64) die "this machine is ARM itself: scripts/test.sh runs all tests on it" ;;
esac

started=$SECONDS
GENTEN_TARGETS=${programs[*]} genten_build arm -DGENTEN_ENABLE_TESTS=ON
built=$SECONDS
export OMP_NUM_THREADS=2 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=10000
sysroot=$(genten_cache_dir)/deps-arm
failed=()
for program in "${programs[@]}"; do
  say "$program"
  parts=()
  for ((part = 0; part < GENTEN_JOBS; part++)); do
    GTEST_TOTAL_SHARDS=$GENTEN_JOBS GTEST_SHARD_INDEX=$part \
      qemu-aarch64 -L "$sysroot" "build/arm/tests/$program" --gtest_brief=1 &
    parts+=($!)
  done
  status=0
  for part in "${parts[@]}"; do wait "$part" || status=1; done
  [ "$status" -eq 0 ] || failed+=("$program")
done
[ ${#failed[@]} -eq 0 ] || die "there are failed tests in ${failed[*]}"
say "building took $((built - started)) s, testing $((SECONDS - built)) s"
