#!/bin/sh
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# compile-by-ccache.sh CCACHE COMPILER ARGUMENTS...
#
# Calls CCACHE so that whoever compiles the same finds it, whatever was built before and by which
# name of the compiler.
ccache=$1
compiler=$2
shift 2

# pip asks for g++ and CMake for c++: ccache takes names for compilers.
case $compiler in
  */g++) [ "$compiler" -ef "${compiler%g++}c++" ] && compiler=${compiler%g++}c++ ;;
esac

# ccache takes a precompiled header that is there from before for an input of what replaces it.
case " $* " in
  *" c++-header "*)
    previous=
    for argument; do
      [ "$previous" != -o ] || rm -f "$argument"
      previous=$argument
    done
    ;;
esac

exec "$ccache" "$compiler" "$@"
