# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles by ccache where that is found, also in what pip builds, so that the scripts and pip find
# what the other has compiled. CMAKE_CXX_COMPILER_LAUNCHER says otherwise where it is set, empty
# too, as a variable of CMake or of the environment. Not with CUDA, whose compilers it may not
# know.
#
# Paths below the checkout are hashed relative to the build folder (CCACHE_BASEDIR), so that a
# second checkout finds what the first has compiled. Headers are told apart by their content
# (CCACHE_DEPEND), not by what the preprocessor leaves of them: GCC compares a precompiled header
# that says `#pragma once` byte for byte with the file that is included again, comments too.

get_property(genten_launch_rule GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
if(PROJECT_IS_TOP_LEVEL
   AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER
   AND NOT DEFINED ENV{CMAKE_CXX_COMPILER_LAUNCHER}
   AND NOT genten_launch_rule
   AND NOT GENTEN_HAS_CUDA)
  find_program(GENTEN_CCACHE ccache)
  mark_as_advanced(GENTEN_CCACHE)
  if(GENTEN_CCACHE)
    # What ccache's manual asks for where there are precompiled headers.
    set(genten_sloppiness pch_defines,time_macros)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
                                    CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1
                                    CCACHE_SLOPPINESS=${genten_sloppiness}
                                    "${CMAKE_CURRENT_LIST_DIR}/compile-by-ccache.sh"
                                    "${GENTEN_CCACHE}")
    message(STATUS "Genten: compiling by ${GENTEN_CCACHE}")
  endif()
endif()
