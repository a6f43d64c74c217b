# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Target genten_build_info: the header genten_build_info.hpp (compiler, flags, Kokkos) that the tool
# and the benchmarks put into their reports.

string(TOUPPER "${CMAKE_BUILD_TYPE}" genten_config)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${genten_config}}" genten_build_flags)
configure_file("${PROJECT_SOURCE_DIR}/cmake/build_info.hpp.in"
               "${PROJECT_BINARY_DIR}/generated-private/genten_build_info.hpp" @ONLY)
add_library(genten_build_info INTERFACE)
target_include_directories(genten_build_info INTERFACE "${PROJECT_BINARY_DIR}/generated-private")
