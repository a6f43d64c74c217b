#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs what Genten needs, and only what is missing: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/install-deps.sh [--variant openmp|serial|arm] [--kokkos-root] [--no-packages]
                               [--python | --python-report] [--clang]
       scripts/install-deps.sh --docs

Installs the compiler, build tools and libraries that Genten needs from Debian's packages (as root
or through sudo), and makes sure that there are Kokkos and KokkosKernels:

  * an installed Kokkos that CMake finds (Kokkos_ROOT, CMAKE_PREFIX_PATH, a module, a system-wide
    one) is used when it has a parallel backend and a KokkosKernels of the same version is found,
    too (KokkosKernels_ROOT, CMAKE_PREFIX_PATH, beside that Kokkos);
  * otherwise both are built from Debian's source package "trilinos" into
    ${XDG_CACHE_HOME:-~/.cache}/genten/deps and kept for the next time.

Options
  --variant openmp   OpenMP and Serial, release (default), into .../deps
  --variant serial   Serial alone, always built here, into .../deps-serial
  --variant arm      OpenMP and Serial for 64-bit ARM: Debian's cross compiler and an emulator, and
                     into .../deps-arm Debian's libraries for arm64, unpacked and not installed,
                     and what is built there
  --kokkos-root      install nothing, print the prefix of the Kokkos that would be used
  --no-packages      install no Debian packages, only look after Kokkos and KokkosKernels
  --python           make also ${XDG_CACHE_HOME:-~/.cache}/genten/venv, a virtual environment with
                     what python/requirements-test.txt lists, from PyPI: to build and test the
                     Python package; and Chromium, in which reports are tested
  --python-report    the same with python/requirements-report.txt: what building the package and
                     writing reports takes
  --clang            Clang and its OpenMP as well, for the preset of that name
  --docs             install what scripts/docs.sh needs of Debian's packages, nothing else
  --help             this text
TEXT
}

variant=openmp
print_root=false
packages=true
python=''
docs=false
clang=false
while [ $# -gt 0 ]; do
  case $1 in
    --variant) variant=${2:?--variant needs a name}; shift ;;
    --variant=*) variant=${1#*=} ;;
    --kokkos-root) print_root=true ;;
    --no-packages) packages=false ;;
    --python) python=test ;;
    --python-report) python=report ;;
    --docs) docs=true ;;
    --clang) clang=true ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; die "unknown argument: $1" ;;
  esac
  shift
done
cache=$(genten_cache_dir)
case $variant in
  openmp) prefix=$cache/deps ;;
  serial) prefix=$cache/deps-serial ;;
  arm) sysroot=$cache/deps-arm prefix=$cache/deps-arm/usr/local ;;
  *) die "--variant is openmp, serial or arm, not '$variant'" ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/genten-deps.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # apt downloads as a user of its own

# --- Debian packages -----------------------------------------------------------------------------

# Tools are looked for as commands, so that a newer CMake from elsewhere is good enough.
tools=(g++:g++ cmake:cmake ninja:ninja-build ccache:ccache python3:python3 pkg-config:pkg-config
  xz:xz-utils tar:tar flock:util-linux dpkg-shlibdeps:dpkg-dev file:file qemu-x86_64:qemu-user)
# The BLAS is the serial OpenBLAS: Genten calls LAPACK for R x R matrices only, and a threaded BLAS
# would fight OpenMP for the cores. It coexists with any other BLAS that is installed.
libraries=(libopenblas-serial-dev zlib1g-dev libzstd-dev libxxhash-dev libfast-float-dev
  nlohmann-json3-dev libcli11-dev libarchive-dev libgtest-dev libgmock-dev libbenchmark-dev
  liblbfgspp-dev libopenmpi-dev openmpi-bin libmpich-dev mpich)
if $clang; then
  tools+=(clang++:clang)
  libraries+=(libomp-dev)
fi
# Unpacked below the cache: the libraries for ARM that the library and its tests are linked with.
arm_libraries=(libc6-dev libstdc++6 libgomp1 libopenblas-serial-dev zlib1g-dev libzstd-dev
  libxxhash-dev libfast-float-dev nlohmann-json3-dev libgtest-dev libgmock-dev)
if [ "$variant" = arm ]; then
  tools=(aarch64-linux-gnu-g++:g++-aarch64-linux-gnu qemu-aarch64:qemu-user cmake:cmake
    ninja:ninja-build ccache:ccache python3:python3 xz:xz-utils tar:tar flock:util-linux)
  libraries=()
fi
if $docs; then
  tools=(doxygen:doxygen python3:python3)
  libraries=(python3-venv)
fi

# The extension of the Python package is built for the python3 that is found first, which needs not
# be Debian's.
python_can_build() {
  python3 -c 'import ensurepip, os, sysconfig, venv
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null
}

package_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_packages() {
  local entry package
  for entry in "${tools[@]}"; do
    have "${entry%%:*}" || echo "${entry##*:}"
  done
  for package in "${libraries[@]}"; do
    package_installed "$package" || echo "$package"
  done
  if [ -n "$python" ] && ! python_can_build; then printf '%s\n' python3-dev python3-venv; fi
  if [ "$python" = test ]; then
    have chromium || echo chromium
    have chromedriver || echo chromium-driver
  fi
}

install_packages() {
  if ! have dpkg-query || ! have apt-get; then
    [ "$variant" != arm ] ||
      die "building for ARM takes Debian's cross compiler and packages, and this is no Debian"
    warn "no Debian or Ubuntu, so nothing is installed. Genten needs a C++20 compiler," \
      "CMake 3.25, Ninja, LAPACK, zlib, zstd, xxHash, fast_float, nlohmann-json, CLI11," \
      "libarchive, and for tests and benchmarks GoogleTest and Google Benchmark"
    return
  fi
  local missing=() as_root=()
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -eq 0 ]; then
    say "Debian packages: all there"
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    have sudo ||
      die "installing packages needs root or sudo; these are missing: ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing Debian packages: ${missing[*]}"
  "${as_root[@]}" apt-get -qq update >&2 ||
    warn "apt-get update failed; going on with the package lists that are here"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
    install --yes --no-install-recommends "${missing[@]}" >"$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    die "could not install: ${missing[*]}. The messages of apt-get above say why"
  }
}

# --- Kokkos and KokkosKernels ---------------------------------------------------------------------

# Prints the directory of the Kokkos package that CMake finds; fails where there is none, where it
# has no parallel backend, or where there is no KokkosKernels that goes with it, and says so then.
probe_kokkos() {
  have cmake || return 1
  local probe=$work/probe
  rm -rf "$probe"
  mkdir -p "$probe"
  cat >"$probe/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.23)
project(Probe CXX)
find_package(Kokkos CONFIG QUIET HINTS "${HINT}")
if(Kokkos_FOUND AND Kokkos_DEVICES MATCHES "OPENMP|OpenMP|THREADS|Threads|HPX|CUDA|HIP|SYCL")
  find_package(KokkosKernels CONFIG QUIET HINTS "${Kokkos_DIR}/../../..")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" release "${Kokkos_VERSION}")
  if(NOT KokkosKernels_FOUND)
    file(WRITE "${CMAKE_BINARY_DIR}/lacking" "the Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} has no "
      "KokkosKernels beside it, nor does KokkosKernels_ROOT name one, so it is not used")
  elseif(NOT "${KokkosKernels_VERSION}." MATCHES "^${release}\\.")
    file(WRITE "${CMAKE_BINARY_DIR}/lacking" "the KokkosKernels ${KokkosKernels_VERSION} in "
      "${KokkosKernels_DIR} does not go with the Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR}, so "
      "neither is used")
  else()
    file(WRITE "${CMAKE_BINARY_DIR}/result" "${Kokkos_DIR}")
  endif()
endif()
CMAKE
  cmake -S "$probe" -B "$probe/build" -DHINT="$1" >"$probe/log" 2>&1 || return 1
  if [ -f "$probe/build/lacking" ]; then
    warn "$(cat "$probe/build/lacking")"
  fi
  [ -f "$probe/build/result" ] && cat "$probe/build/result"
}

# The prefix of a package directory such as <prefix>/lib/cmake/Kokkos.
prefix_of() { printf '%s\n' "${1%/lib*/cmake/Kokkos}"; }

stamp_of() { printf '%s/share/genten/deps.stamp\n' "$1"; }

# A copy of the machine's own apt sources, in $1, with source entries instead of binary ones.
# Both forms are handled: one line a source (*.list) and deb822 stanzas (*.sources).
copy_sources_for_source_packages() {
  local to=$1 file
  mkdir -p "$to"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    sed -nE '/cdrom:/d; s/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$file" | sort -u \
      >"$to/$(basename "$file" .list).list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    sed -E 's/^Types:.*$/Types: deb-src/' "$file" >"$to/$(basename "$file")"
  done
}

# Downloads Debian's source package trilinos and keeps of it packages/kokkos and
# packages/kokkos-kernels, packed, as $1.
fetch_sources() {
  local to=$1 orig
  have apt-get ||
    die "no Kokkos with a parallel backend and a KokkosKernels was found, and there is no apt-get" \
      "to get their sources with. Install both and set Kokkos_ROOT to their prefix"
  copy_sources_for_source_packages "$work/apt/sources"
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/download"
  [ "$(id -u)" -ne 0 ] || chmod 777 "$work/download" "$work"/apt/{lists,cache/archives}/partial
  local apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null
    -o Dir::Etc::sourceparts="$work/apt/sources" -o Dir::State::Lists="$work/apt/lists"
    -o Dir::Cache="$work/apt/cache")
  say "fetching the list of Debian's source packages (the system's own lists stay as they are)"
  "${apt[@]}" update >&2 || warn "not every list of source packages could be had"
  say "downloading Debian's source package trilinos, 166 MB, for the Kokkos and" \
    "KokkosKernels in it"
  (cd "$work/download" && "${apt[@]}" source --only-source --download-only trilinos >&2) ||
    die "Debian's source package trilinos could not be downloaded. Install Kokkos 3.4 or later" \
      "with OpenMP, and the KokkosKernels of its version, and set Kokkos_ROOT to their prefix"
  orig=$(find "$work/download" -name 'trilinos_*.orig.tar.*' ! -name '*.asc' | head -n 1)
  [ -n "$orig" ] || die "the source package trilinos came without its .orig.tar file"
  say "unpacking packages/kokkos and packages/kokkos-kernels"
  mkdir -p "$work/unpacked"
  tar -C "$work/unpacked" -xf "$orig" --wildcards --strip-components=2 '*/packages/kokkos' \
    '*/packages/kokkos-kernels' ||
    die "there is no packages/kokkos or no packages/kokkos-kernels in $(basename "$orig")"
  rm -rf "$work/download"
  tar -C "$work/unpacked" -czf "$to.part" kokkos kokkos-kernels
  mv "$to.part" "$to"
}

# Unpacks Debian's packages of libraries for ARM and what they need into $sysroot, by lists of apt's
# own for that architecture: the system's lists, packages and architectures stay as they are.
unpack_arm_libraries() {
  local apt file state=$work/arm
  have apt-get || die "there is no apt-get to get Debian's libraries for arm64 with"
  mkdir -p "$state"/{lists,cache/archives}/partial
  : >"$state/status"
  [ "$(id -u)" -ne 0 ] || chmod 777 "$state"/{lists,cache/archives}/partial
  apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64
    -o Dir::State="$state" -o Dir::State::Lists="$state/lists" -o Dir::State::status="$state/status"
    -o Dir::Cache="$state/cache")
  say "downloading Debian's libraries for arm64, 25 MB"
  "${apt[@]}" update >&2 || warn "not every list of packages for arm64 could be had"
  "${apt[@]}" install --yes --no-install-recommends --download-only "${arm_libraries[@]}" \
    >"$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    die "Debian's libraries for arm64 could not be had. The messages of apt-get above say why"
  }
  rm -rf "$sysroot"
  mkdir -p "$sysroot"
  for file in "$state"/cache/archives/*.deb; do
    dpkg-deb --extract "$file" "$sysroot" || die "$(basename "$file") could not be unpacked"
  done
  # What the scripts of the packages do: links into /lib hold below the folder, and OpenBLAS is
  # where it is looked for.
  find "$sysroot" -type l -lname '/*' | while read -r file; do
    ln -sfn --relative "$sysroot$(readlink "$file")" "$file"
  done
  ln -s openblas-serial/libopenblas.so{,.0} "$sysroot/usr/lib/aarch64-linux-gnu/"
}

# The version that the CMakeLists.txt of package $1 in directory $2 sets.
version_of() {
  sed -nE "s/^[[:space:]]*set\($1_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)\).*/\2/Ip" \
    "$2/CMakeLists.txt" | paste -sd .
}

# build_package <name> <directory> [cmake argument]...: configures, builds and installs sources.
build_package() {
  local name=$1 source=$2
  shift 2
  { cmake -S "$source" -B "$work/build-$name" -G Ninja -DCMAKE_INSTALL_PREFIX="$prefix" \
      -DCMAKE_CXX_STANDARD=17 -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@" &&
    cmake --build "$work/build-$name" --parallel "$(genten_jobs)" &&
    cmake --install "$work/build-$name"; } >"$work/$name.log" 2>&1 ||
    {
      tail -n 40 "$work/$name.log" >&2
      die "$name could not be built; its last messages are above"
    }
}

build_kokkos() {
  local archive=$cache/kokkos-and-kernels-source.tar.gz source=$work/source launcher=() options
  local version kernels_version
  mkdir -p "$cache"
  [ "$variant" != arm ] || unpack_arm_libraries
  [ -f "$archive" ] || fetch_sources "$archive"
  rm -rf "$source"
  mkdir -p "$source"
  tar -C "$source" -xzf "$archive"
  version=$(version_of Kokkos "$source/kokkos")
  kernels_version=$(version_of KokkosKernels "$source/kokkos-kernels")
  have ccache && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  # No architecture flag is baked in: who includes Kokkos decides about -march.
  options=(-DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_TESTS=OFF -DKokkos_ENABLE_EXAMPLES=OFF
    -DKokkos_CXX_STANDARD=17)
  [ "$variant" != arm ] ||
    launcher+=(-DCMAKE_TOOLCHAIN_FILE="$(genten_root)/cmake/aarch64.cmake")
  case $variant in
    openmp | arm) options+=(-DKokkos_ENABLE_OPENMP=ON) ;;
    serial) options+=(-DKokkos_ENABLE_OPENMP=OFF) ;;
  esac
  say "building Kokkos $version ($variant) into $prefix"
  build_package Kokkos "$source/kokkos" "${launcher[@]}" "${options[@]}"
  # Genten instantiates what it needs of the kernels itself.
  say "building KokkosKernels $kernels_version beside it"
  build_package KokkosKernels "$source/kokkos-kernels" "${launcher[@]}" \
    -DKokkos_ROOT="$prefix" -DKokkosKernels_ADD_DEFAULT_ETI=OFF \
    -DKokkosKernels_ENABLE_TESTS=OFF -DKokkosKernels_ENABLE_EXAMPLES=OFF
  mkdir -p "$(dirname "$(stamp_of "$prefix")")"
  printf 'Kokkos %s and KokkosKernels %s, %s\n' "$version" "$kernels_version" "$variant" \
    >"$(stamp_of "$prefix")"
}

# Prints the prefix of the Kokkos to use, if there is one already.
existing_kokkos() {
  local found
  if [ "$variant" = openmp ] && found=$(probe_kokkos "$prefix"); then
    prefix_of "$found"
  elif [ -f "$(stamp_of "$prefix")" ]; then
    printf '%s\n' "$prefix"
  else
    return 1
  fi
}

provide_kokkos() {
  local root
  if root=$(existing_kokkos); then
    say "Kokkos: using the one in $root"
    return
  fi
  mkdir -p "$cache"
  # Two of these scripts at once: the second waits, then finds what the first has built.
  exec 9>"$cache/lock"
  flock 9
  [ -f "$(stamp_of "$prefix")" ] || build_kokkos
  exec 9>&-
  say "Kokkos: $(cat "$(stamp_of "$prefix")"), in $prefix"
}

# --- Python ---------------------------------------------------------------------------------------

# provide_python <file>: a virtual environment with at least what that file in python/ lists; what
# cannot be had is told of, and the package is then not built.
provide_python() {
  local venv stamp wanted more
  venv=$(genten_venv)
  stamp=$venv/genten.stamp
  wanted() { python3 -VV && cat "$(genten_root)/python/$1"; }
  for more in "$1" requirements-test.txt; do
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted "$more")" ]; then
      say "Python: using the virtual environment $venv"
      return
    fi
  done
  if ! python_can_build; then
    warn "this python3 has no venv or no headers, so the Python package is not built"
    return
  fi
  mkdir -p "$cache"
  exec 8>"$cache/venv.lock"
  flock 8
  say "making the virtual environment $venv, with what python/$1 lists, from PyPI"
  rm -f "$stamp"
  { python3 -m venv "$venv" &&
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
      -r "$(genten_root)/python/$1"; } \
    >"$work/pip.log" 2>&1 || {
    tail -n 5 "$work/pip.log" >&2
    warn "the packages in python/$1 could not be had, so the Python package is not built"
    exec 8>&-
    return
  }
  wanted "$1" >"$stamp"
  exec 8>&-
}

if $print_root; then
  existing_kokkos || die "there is no Kokkos yet: run scripts/install-deps.sh"
  exit 0
fi
if $packages; then install_packages; fi
$docs || provide_kokkos
if [ -n "$python" ]; then provide_python "requirements-$python.txt"; fi
