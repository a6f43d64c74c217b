#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs a part of the tests under one of the slower presets, another one every day: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

sets=(v2 v3-shift v3)
presets=(asan debug serial "${sets[@]}" clang)
programs=(genten_unit_base genten_unit_core genten_unit_io genten_unit_format genten_unit_dense
  genten_unit_mttkrp genten_unit_cp genten_unit_tucker genten_unit_dist genten_unit_run
  genten_unit_tools genten_kernels genten_integration tool fuzz)
count=$((${#presets[@]} * ${#programs[@]} + ${#sets[@]} + 2))

usage() {
  cat <<TEXT
Usage: scripts/test-rotation.sh [PART]

There are too many tests to run all of them under every preset every time. This builds and runs one
of $count parts: a test program, the tests that run the tool, or the fuzz targets, under one of
${presets[*]}: presets, and instruction sets under the preset default. Further
parts run the tests of the Python package with an instruction set each, and the last
two build the wheel and test it in a clean environment (scripts/build-wheel.sh), and build for
64-bit ARM and run tests by an emulator (scripts/test-arm.sh). PART counts from 0 and is by default
the number of the day, so that every part is run once in $count days. All of them under one preset:
scripts/test.sh --preset NAME.
TEXT
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  "") part=$(($(date -u +%s) / 86400 % count)) ;;
  *[!0-9]*) usage >&2; die "PART is a number, not '$1'" ;;
  *) part=$((10#$1)) ;;
esac
[ "$part" -lt "$count" ] || die "there are $count parts, counted from 0"
case $((count - part)) in
  2) say "part $part of $count: the wheel"; exec "$here/build-wheel.sh" ;;
  1) say "part $part of $count: 64-bit ARM"; exec "$here/test-arm.sh" ;;
esac
program=${programs[part / ${#presets[@]}]:-python}
if [ "$program" = python ]; then # sanitizers do not come into Python after the fact
  preset=${sets[part - ${#presets[@]} * ${#programs[@]}]}
else
  preset=${presets[part % ${#presets[@]}]}
fi

kind=$preset
case $preset in
  v*) export GENTEN_ISA=$preset; preset=default ;;
esac
say "part $part of $count: $program with $kind"
started=$SECONDS
case $program in
  tool) targets=genten_cli ;;
  python) targets="genten_cli _core"; export GENTEN_PYTHON=--python ;;
  fuzz) targets=$(echo genten_cli genten_fuzz_{text,table,binary,model,labels}) ;;
  *) targets=$program ;;
esac
GENTEN_TARGETS=$targets genten_build "$preset" -DGENTEN_ENABLE_TESTS=ON
built=$SECONDS
export OMP_NUM_THREADS=2 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive
export UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_stack_use_after_return=1
case $program in
  tool | python | fuzz)
    ctest --preset "$preset" --parallel "$GENTEN_JOBS" --no-tests=error -R "^$program\\."
    ;;
  *) "build/$preset/tests/$program" --gtest_brief=1 ;;
esac
say "building took $((built - started)) s, testing $((SECONDS - built)) s"
