#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the documentation's site: see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/docs.sh [--no-packages] [--tool FILE] [--python-path DIRECTORY]

Builds the documentation (docs/, the headers' comments, the tool's help) into build/docs/html, with
Doxygen and Sphinx. Warnings are errors. Sphinx and its extensions (docs/requirements.txt) go into a
virtual environment in ${XDG_CACHE_HOME:-~/.cache}/genten/docs-venv.

  --no-packages            install no Debian packages
  --tool FILE              the tool genten whose help is shown; otherwise build/default/bin/genten,
                           which is built where it is missing
  --python-path DIRECTORY  where the Python package genten can be imported from, for its reference;
                           otherwise build/default/python. Where it cannot be imported, the page
                           says so
  --help                   this text
TEXT
}

packages=() tool='' python_path=''
while [ $# -gt 0 ]; do
  case $1 in
    --no-packages) packages=(--no-packages) ;;
    --tool) tool=$(realpath "${2:?--tool needs a file}"); shift ;;
    --python-path) python_path=$(realpath "${2:?--python-path needs a directory}"); shift ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; die "unknown argument: $1" ;;
  esac
  shift
done

cd "$(genten_root)"
root=$PWD
output=$root/build/docs
mkdir -p "$output/doxygen"
[ ${#packages[@]} -gt 0 ] || scripts/install-deps.sh --docs
have doxygen || die "there is no doxygen: scripts/install-deps.sh --docs installs it"

if [ -z "$tool" ]; then
  tool=$root/build/default/bin/genten
  [ -x "$tool" ] || (GENTEN_TARGETS=genten_cli && genten_build default)
fi
[ -x "$tool" ] || die "there is no tool $tool"

venv=$(genten_cache_dir)/docs-venv
if ! cmp -s docs/requirements.txt "$venv/requirements.txt"; then
  say "installing Sphinx and its extensions into $venv"
  python3 -m venv "$venv" || die "python3 cannot make virtual environments: install python3-venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r docs/requirements.txt >&2 ||
    die "pip could not install what docs/requirements.txt lists"
  cp docs/requirements.txt "$venv/requirements.txt"
fi

say "reading the headers"
sed -e "s|@SOURCE@|$root|g" -e "s|@OUTPUT@|$output/doxygen|g" docs/Doxyfile.in \
  >"$output/doxygen/Doxyfile"
doxygen "$output/doxygen/Doxyfile"
# A documented type may have members that need no words; enum_words are how enumerations get theirs.
if grep -Ev ' of (struct|class) .* is not documented|Member enum_words\(' \
  "$output/doxygen/warnings.txt" >&2; then
  die "doxygen has warnings, above"
fi

export PYTHONPATH=${python_path:-$root/build/default/python} GENTEN_PYTHON_REFERENCE=0
arguments=()
if [ -d "$PYTHONPATH/genten" ] && "$venv/bin/python" -c 'import genten' 2>"$output/import.log"; then
  GENTEN_PYTHON_REFERENCE=1
  arguments=(--python)
else
  say "the Python package cannot be imported from $PYTHONPATH: its reference is left out"
fi
export GENTEN_DOXYGEN_XML=$output/doxygen/xml GENTEN_VERSION
GENTEN_VERSION=$("$venv/bin/python" docs/prepare.py --version)

say "building the site"
"$venv/bin/python" docs/prepare.py --output "$output/source" --tool "$tool" \
  --xml "$output/doxygen/xml" "${arguments[@]}"
"$venv/bin/sphinx-build" -b html -W --keep-going -q -c docs -d "$output/doctrees" \
  "$output/source" "$output/html" || die "Sphinx has warnings, above"
say "the site is in $output/html: open index.html"
