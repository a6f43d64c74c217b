#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs what is missing, builds, and runs every test: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/test.sh [--preset NAME] [CTEST ARGUMENT]...

Installs what is missing (scripts/install-deps.sh), configures and builds a preset of
CMakePresets.json, by default "default", and runs its tests. Further arguments go to ctest, for
example: scripts/test.sh -R mttkrp --output-on-failure
Fails when anything fails. GENTEN_JOBS sets the number of parallel jobs.

For the tests of the Python package, which the presets default and serial build as well, Chromium is
installed of Debian's packages, and what python/requirements-test.txt lists comes from PyPI into the
virtual environment ${XDG_CACHE_HOME:-~/.cache}/genten/venv.

Presets:
TEXT
  sed -nE 's/^ +"(name|displayName)": "(.*)",?$/\1 \2/p' "$here/../CMakePresets.json" |
    awk '$1 == "name" {name = $2} $1 == "displayName" {sub(/^displayName /, "");
      printf "  %-8s %s\n", name, $0}'
}

preset=default
case ${1:-} in
  --preset) preset=${2:?--preset needs a name}; shift 2 ;;
  --preset=*) preset=${1#*=}; shift ;;
  --help | -h) usage; exit 0 ;;
esac

# ctest ignores what it does not know, and would run every test.
before=
known=$(ctest --help)
for argument in "$@"; do
  name=${argument%%=*}
  case $argument in
    -*) grep -qE -- "(^|[ ,])$name([ ,=<]|\$)" <<< "$known" ||
          die "unknown argument $argument: see --help, and ctest --help" ;;
    *) [[ $before == -* ]] || die "unknown argument $argument: perhaps -R $argument?" ;;
  esac
  before=$argument
done

# A sanitizer's runtime does not come into Python after the fact, and unoptimized code is tested by
# the C++ tests.
case $preset in
  arm) die "scripts/test-arm.sh runs tests with the preset arm" ;;
  default | serial) export GENTEN_PYTHON=--python ;;
esac
started=$SECONDS
genten_build "$preset" -DGENTEN_ENABLE_TESTS=ON
built=$SECONDS

say "testing"
status=0
ctest --preset "$preset" --parallel "$GENTEN_JOBS" --no-tests=error "$@" || status=$?
say "building took $((built - started)) s, testing $((SECONDS - built)) s"
[ "$status" -eq 0 ] || die "there are failed tests, or there is none of that name"
