#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds a wheel that needs nothing but NumPy, and tries it: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/build-wheel.sh [--no-tests] [CMAKE DEFINITION]...

Installs what is missing (scripts/install-deps.sh --python), builds a wheel of the Python package
for any x86-64 (or whatever this machine is) with the Python of that virtual environment, puts the
libraries that it needs into it under names of their own (auditwheel), so that they meet no other
package's, and leaves it in dist/. It has no modules for MPI, whose libraries must be those of the
machine. Then installs it into a clean virtual environment and runs the
package's tests there, also those of pictures and reports, unless --no-tests is given. A Python of
3.12 or later gives a wheel for that and all later ones.

Further arguments are definitions for CMake, as BUILD_SHARED_LIBS=ON.
TEXT
}

tests=true
definitions=()
while [ $# -gt 0 ]; do
  case $1 in
    --no-tests) tests=false ;;
    --help | -h) usage; exit 0 ;;
    *=*) definitions+=(-C "cmake.define.$1") ;;
    *) usage >&2; die "unknown argument: $1" ;;
  esac
  shift
done

cd "$(genten_root)"
scripts/install-deps.sh --python
venv=$(genten_venv)
[ -f "$venv/genten.stamp" ] || die "there is no virtual environment to build in; see above"
Kokkos_ROOT=$(scripts/install-deps.sh --kokkos-root)
export Kokkos_ROOT CMAKE_BUILD_PARALLEL_LEVEL=${GENTEN_JOBS:-$(genten_jobs)}

# Of LAPACK six functions are called, of small matrices. Those of the reference implementation take
# .1 MB in the wheel, all of OpenBLAS 9. Runs are as fast up to 64 columns, a sixth slower
# at 256. CMake's search for them needs gfortran's runtime library, the wheel does not.
folder=$(realpath "$(gcc -print-file-name=liblapack_pic.a)")
folder=${folder%/*}
case " ${definitions[*]-} " in
  *BLAS_LIBRARIES=* | *LAPACK_LIBRARIES=*) ;;
  *)
    if [ -f "$folder/liblapack_pic.a" ] && [ -f "$folder/blas/libblas.a" ]; then
      static=$folder/blas/libblas.a
      definitions+=(-C "cmake.define.BLAS_LIBRARIES=$static;gfortran")
      definitions+=(-C "cmake.define.LAPACK_LIBRARIES=$folder/liblapack_pic.a;$static;gfortran")
      definitions+=(-C cmake.define.GENTEN_REFERENCE_LAPACK=ON)
    fi
    ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/genten-wheel.XXXXXX")
trap 'rm -rf "$work"' EXIT
say "building the wheel in build/wheel with $CMAKE_BUILD_PARALLEL_LEVEL jobs"
"$venv/bin/python" -m pip wheel . --quiet --no-deps --wheel-dir "$work" \
  -C build-dir=build/wheel \
  -C cmake.define.GENTEN_ENABLE_MPI=OFF "${definitions[@]}" ||
  die "the wheel could not be built; its messages are above"

say "putting the libraries that it needs into it"
mkdir -p dist
rm -f dist/genten-*.whl
PATH="$venv/bin:$PATH" "$venv/bin/python" -m auditwheel repair --plat auto --wheel-dir dist \
  "$work"/genten-*.whl >"$work/auditwheel.log" 2>&1 || {
  cat "$work/auditwheel.log" >&2
  die "auditwheel could not repair the wheel"
}
wheel=$(echo dist/genten-*.whl)
say "$wheel: $(($(stat -c %s "$wheel") / 1024)) KiB"
if ! $tests; then exit 0; fi

# What the repaired wheel computes is what the plain one does: bits of a model.
digest() {
  OMP_NUM_THREADS=2 "$1" - "$PWD/data/titanic/titanic.tns" <<'PYTHON'
import hashlib, sys, genten
model = genten.cp(genten.read(sys.argv[1]), 4, seed=3, tolerance=0).model
print(hashlib.sha256(b"".join(a.tobytes() for a in (model.weights, *model.factors))).hexdigest())
PYTHON
}
say "trying it in a clean virtual environment"
for kind in plain repaired; do
  "$venv/bin/python" -m venv "$work/$kind"
  if [ $kind = plain ]; then file=$(echo "$work"/genten-*.whl); else file=$wheel; fi
  "$work/$kind/bin/python" -m pip install --quiet --disable-pip-version-check "$file"
done
plain=$(digest "$work/plain/bin/python")
repaired=$(digest "$work/repaired/bin/python")
[ "$plain" = "$repaired" ] || die "the repaired wheel computes other bits than the plain one"
"$work/repaired/bin/python" -m pip install --quiet --disable-pip-version-check \
  "${wheel}[plot,report]" pytest scipy scikit-learn pandas
OMP_WAIT_POLICY=passive "$work/repaired/bin/python" -m pytest -p no:cacheprovider -q python/tests ||
  die "there are failed tests"

say "writing a report with it"
"$work/repaired/bin/python" - "$work/titanic.ktensor" <<'PYTHON'
import sys, genten
genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1).model.save(sys.argv[1])
PYTHON
"$work/repaired/bin/genten-report" --help | grep -e --output >/dev/null ||
  die "genten-report --help lists no options"
"$work/repaired/bin/genten-report" "$work/titanic.ktensor" --tensor data/titanic/titanic.tns \
  --output "$work/titanic.html" || die "genten-report wrote no report"
for part in 'its fit is' 'prefers-color-scheme'; do
  grep -q "$part" "$work/titanic.html" || die "the report lacks '$part'"
done
say "$wheel is good"
