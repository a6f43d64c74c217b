# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Helpers that the scripts share. Source it; it changes nothing by itself.

# say, warn: progress goes to standard error, so that a script's output can be captured.
say() { printf '==> %s\n' "$*" >&2; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Where everything that the scripts build or keep outside the checkout lies.
genten_cache_dir() {
  printf '%s/genten\n' "${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}"
}

# Jobs for builds: at most one for each 1.5 GB of memory, since Kokkos code is heavy to compile.
genten_jobs() {
  local cores memory_jobs
  cores=$(nproc 2>/dev/null || echo 2)
  memory_jobs=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo 2>/dev/null) || true
  [ "${memory_jobs:-0}" -ge 1 ] || memory_jobs=1
  [ "$cores" -le "$memory_jobs" ] && echo "$cores" || echo "$memory_jobs"
}

# The virtual environment in which the Python package is built and tested.
genten_venv() { printf '%s/venv\n' "$(genten_cache_dir)"; }

genten_root() { (cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd); }

# genten_writable <path>...: dies of the first that is there and may not be written.
genten_writable() {
  local path
  for path in "$@"; do
    [ ! -e "$path" ] || [ -w "$path" ] || die "$(realpath "$path") cannot be written by" \
      "$(id -un 2>/dev/null || id -u): build in a checkout of your own, or make it yours"
  done
}

# genten_alone: waits until no other script builds in this checkout, and keeps them waiting until
# genten_done or the end of the shell. The file descriptor is the one that marks the lock held.
genten_alone() {
  have flock || return 0
  exec 7>build/.lock
  flock --nonblock 7 && return
  say "waiting for another script that builds in $PWD/build"
  flock 7
}
genten_done() { exec 7>&-; }

# genten_make <preset> [target]...: builds what is configured.
genten_make() {
  local preset=$1
  shift
  cmake --build "build/$preset" --parallel "$GENTEN_JOBS" ${1:+--target "$@"} >&2 ||
    die "the build failed; the compiler's messages are above"
}

# genten_build <preset> [cmake argument]...: installs what is missing, configures and builds, and
# leaves the shell in the root of the checkout. Builds GENTEN_TARGETS alone where that is set, and
# the Python package where GENTEN_PYTHON is --python or --python-report (scripts/install-deps.sh)
# and there is what it needs.
genten_build() {
  local preset=$1 variant=openmp log python=() clang=''
  shift
  cd "$(genten_root)"
  log=build/configure-$preset.log
  mkdir -p build 2>/dev/null || die "$PWD/build cannot be made: build in a checkout of your own"
  [ -d build ] || die "$PWD/build is no folder"
  genten_writable build build/.lock "build/$preset" "$log"
  case $preset in serial | arm) variant=$preset ;; esac
  [ "$preset" != clang ] || clang=--clang
  scripts/install-deps.sh --variant "$variant" ${GENTEN_PYTHON:+"$GENTEN_PYTHON"} $clang
  if [ -n "${GENTEN_PYTHON:-}" ]; then
    python=(-DGENTEN_ENABLE_PYTHON=OFF)
    [ ! -f "$(genten_venv)/genten.stamp" ] ||
      python=(-DGENTEN_ENABLE_PYTHON=ON -DPython_EXECUTABLE="$(genten_venv)/bin/python")
  fi
  export GENTEN_JOBS=${GENTEN_JOBS:-$(genten_jobs)}
  # A found Kokkos without a parallel backend (Debian's own) must not hide the one that was built.
  export Kokkos_ROOT
  Kokkos_ROOT=$(scripts/install-deps.sh --variant "$variant" --kokkos-root)
  genten_alone
  say "configuring build/$preset"
  cmake --preset "$preset" -DGENTEN_ENABLE_NATIVE=OFF -DGENTEN_ENABLE_UNITY=OFF \
    "${python[@]}" "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    die "cmake could not configure; its messages are above, and in $log"
  }
  say "building build/$preset with $GENTEN_JOBS jobs"
  # shellcheck disable=SC2086
  genten_make "$preset" ${GENTEN_TARGETS:-}
  genten_done
}
