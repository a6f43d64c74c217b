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

# genten_build <preset> [cmake argument]...: installs what is missing, configures and builds, and
# leaves the shell in the root of the checkout. Builds GENTEN_TARGETS alone where that is set, and
# the Python package where GENTEN_PYTHON is --python or --python-report (scripts/install-deps.sh)
# and there is what it needs.
genten_build() {
  local preset=$1 variant=openmp log python=()
  shift
  cd "$(genten_root)"
  [ "$preset" != serial ] || variant=serial
  scripts/install-deps.sh --variant "$variant" ${GENTEN_PYTHON:+"$GENTEN_PYTHON"}
  if [ -n "${GENTEN_PYTHON:-}" ]; then
    python=(-DGENTEN_ENABLE_PYTHON=OFF)
    [ ! -f "$(genten_venv)/genten.stamp" ] ||
      python=(-DGENTEN_ENABLE_PYTHON=ON -DPython_EXECUTABLE="$(genten_venv)/bin/python")
  fi
  export GENTEN_JOBS=${GENTEN_JOBS:-$(genten_jobs)}
  # A found Kokkos without a parallel backend (Debian's own) must not hide the one that was built.
  export Kokkos_ROOT
  Kokkos_ROOT=$(scripts/install-deps.sh --variant "$variant" --kokkos-root)
  have ccache && [ "$preset" != cuda ] && export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  say "configuring build/$preset"
  mkdir -p build
  log=build/configure-$preset.log
  cmake --preset "$preset" "${python[@]}" "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    die "cmake could not configure; its messages are above, and in $log"
  }
  say "building build/$preset with $GENTEN_JOBS jobs"
  # shellcheck disable=SC2086
  cmake --build "build/$preset" --parallel "$GENTEN_JOBS" \
    ${GENTEN_TARGETS:+--target $GENTEN_TARGETS} >&2 ||
    die "the build failed; the compiler's messages are above"
}
