# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# genten_target_options(<target>): warnings and code-generation flags of Genten's own targets. They
# are private: who links Genten compiles with flags of their own.

include(CheckCXXSourceCompiles)

set(genten_warning_flags "")
if(NOT GENTEN_WARNINGS STREQUAL "OFF" AND NOT MSVC)
  set(genten_warning_flags -Wall -Wextra -Wshadow)
  if(NOT GENTEN_HAS_CUDA)
    # nvcc's intermediate files carry line directives that -Wpedantic objects to.
    list(APPEND genten_warning_flags -Wpedantic)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT GENTEN_ENABLE_NATIVE)
    # How GCC before 4.6 passed wide vectors is of no concern: all code that passes them is new.
    list(APPEND genten_warning_flags -Wno-psabi)
  endif()
  if(GENTEN_WARNINGS STREQUAL "ERROR")
    list(APPEND genten_warning_flags -Werror)
  endif()
endif()

set(genten_native_flags "")
if(GENTEN_ENABLE_NATIVE)
  set(genten_native_flags -march=native)
  # Compilers prefer 256-bit vectors even where there are 512-bit ones. MTTKRP's long unit-stride
  # loops over columns want the wide ones.
  set(CMAKE_REQUIRED_FLAGS "-march=native -mprefer-vector-width=512")
  check_cxx_source_compiles(
    "#ifndef __AVX512F__
     #error no AVX-512
     #endif
     int main() { return 0; }"
    GENTEN_NATIVE_AVX512)
  unset(CMAKE_REQUIRED_FLAGS)
  if(GENTEN_NATIVE_AVX512)
    list(APPEND genten_native_flags -mprefer-vector-width=512)
  endif()
endif()

set(genten_definitions "")
if(GENTEN_ENABLE_BOUNDS_CHECK)
  set(genten_definitions _GLIBCXX_ASSERTIONS)
  if(NOT "DEBUG_BOUNDS_CHECK" IN_LIST Kokkos_OPTIONS AND NOT "BOUNDS_CHECK" IN_LIST Kokkos_OPTIONS)
    # The checks are in View's header: they need no Kokkos that was built with them.
    list(APPEND genten_definitions KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
  endif()
endif()

function(genten_target_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE ${genten_warning_flags} ${genten_native_flags})
  target_compile_definitions(${target} PRIVATE ${genten_definitions})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()
