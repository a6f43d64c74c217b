#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs what is missing, builds the tool, and decomposes a real tensor: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/demo.sh [--seed N]

Installs what is missing (scripts/install-deps.sh), builds the tool genten, and decomposes the
package relations of Debian 12 (data/debian-packages: package x dependency x kind of relation) into
32 components without negative elements, whose strongest names are printed. Model, figures and a
report in HTML are left in build/demo; for the report the Python package is built, where there is
what that needs.

  --seed N  begin at another random guess (1): whichever, the same ecosystems can be named
  --help    this text
GENTEN_JOBS sets the number of parallel jobs of the build.
TEXT
}

seed=1
while [ $# -gt 0 ]; do
  case $1 in
    --seed) [ $# -ge 2 ] || die "--seed: expected a number"; seed=$2; shift ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; die "unknown argument: $1" ;;
  esac
  shift
done

# Before anything is installed or built. Numbers too long for the shell are compared as texts.
# shellcheck disable=SC2071
[[ $seed =~ ^[0-9]{1,20}$ && ! ($seed =~ ^[0-9]{20}$ && $seed > 18446744073709551615) ]] ||
  die "--seed: expected a whole number from 0 to 18446744073709551615, got '$seed'"

from=$PWD
GENTEN_PYTHON=--python-report
GENTEN_TARGETS=genten_cli
genten_build default -DGENTEN_ENABLE_NATIVE=ON -DGENTEN_ENABLE_UNITY=ON

# Paths that hold where the script was called.
root=''
[ "$from" = "$PWD" ] || root=$PWD/
genten=${root}build/default/bin/genten
data=${root}data/debian-packages
output=${root}build/demo
[ -x "$genten" ] || die "there is no $genten after the build"
for file in debian-packages.tns package.labels dependency.labels kind.labels; do
  [ -r "$data/$file.zst" ] || die "there is no $data/$file.zst; is the checkout complete?"
done
mkdir -p "$output"

command=("$genten" decompose "$data/debian-packages.tns.zst"
  --rank 32 --nonnegative all --seed "$seed"
  --labels "$data/package.labels.zst,$data/dependency.labels.zst,$data/kind.labels.zst" --top 5
  --output "$output/demo.ktensor" --json "$output/demo.json")

# Threads that stay on their cores: what Kokkos recommends, and asks for in a warning otherwise.
export OMP_PROC_BIND=${OMP_PROC_BIND:-spread} OMP_PLACES=${OMP_PLACES:-threads}

say "decomposing the package relations of Debian 12:"
printf '      %s\n' "${command[*]}" >&2
"${command[@]}" || die "the tool ended with exit code $?"
say "the model is in $output/demo.ktensor, all figures are in $output/demo.json"

if [ -f "$(genten_venv)/genten.stamp" ]; then
  say "building the Python package for the report"
  genten_alone
  genten_make default _core
  genten_done
  PYTHONPATH=build/default/python "$(genten_venv)/bin/python" -m genten report \
    "$output/demo.ktensor" --json "$output/demo.json" --tensor "$data/debian-packages.tns.zst" \
    --labels "$data/package.labels.zst,$data/dependency.labels.zst,$data/kind.labels.zst" \
    --title "Package relations of Debian 12" -o "$output/report.html" ||
    die "the report could not be written"
  say "a report of it, for any browser, is in $output/report.html"
else
  say "there is no report: the Python package, which writes it, could not be built here"
fi
