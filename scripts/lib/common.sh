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
genten_cache_dir() { printf '%s/genten\n' "${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}"; }

# Jobs for builds: at most one for each 1.5 GB of memory, since Kokkos code is heavy to compile.
genten_jobs() {
  local cores memory_jobs
  cores=$(nproc 2>/dev/null || echo 2)
  memory_jobs=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo 2>/dev/null || echo 2)
  [ "${memory_jobs:-0}" -ge 1 ] || memory_jobs=1
  [ "$cores" -le "$memory_jobs" ] && echo "$cores" || echo "$memory_jobs"
}
