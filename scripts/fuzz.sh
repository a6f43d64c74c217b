#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs one fuzz target for a while: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/fuzz.sh [--preset NAME] TARGET SECONDS [SEED]

Builds the fuzz target TARGET (text, table, binary, model, labels or options; see tests/fuzz) with a
preset of CMakePresets.json, by default "asan", and runs it for so many seconds. Without a SEED each
run tries other inputs. An input on which the target stops is left in fuzz-failure.bin.
TEXT
}

preset=asan
case ${1:-} in
  --preset) preset=${2:?--preset needs a name}; shift 2 ;;
  --preset=*) preset=${1#*=}; shift ;;
  --help | -h) usage; exit 0 ;;
esac
target=${1:?which target? See --help}
seconds=${2:?for how many seconds? See --help}
seed=${3:-$RANDOM$RANDOM}

root=$(cd "$here/.." && pwd)
build=$root/build/$preset
say "seed $seed"
if [ "$target" = options ]; then
  GENTEN_TARGETS=genten_cli genten_build "$preset" -DGENTEN_ENABLE_TESTS=ON
  GENTEN_TOOL=$build/bin/genten exec python3 "$root/tests/fuzz/fuzz_options.py" \
    --runs 1000000000 --seconds "$seconds" --seed "$seed"
fi
GENTEN_TARGETS=genten_fuzz_$target genten_build "$preset" -DGENTEN_ENABLE_TESTS=ON
OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive exec "$build/tests/fuzz/genten_fuzz_$target" \
  --runs 1000000000000 --seconds "$seconds" --seed "$seed" \
  --dict "$root/tests/fuzz/corpus/$target.dict" "$root/tests/fuzz/corpus/$target"
