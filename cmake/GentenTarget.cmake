# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# genten_target_options(<target>): warnings and code-generation flags of Genten's own targets. They
# are private: who links Genten compiles with flags of their own.

set(genten_warning_flags "")
if(NOT GENTEN_WARNINGS STREQUAL "OFF" AND NOT MSVC)
  set(genten_warning_flags -Wall -Wextra -Wshadow)
  if(NOT GENTEN_HAS_CUDA)
    # nvcc's intermediate files carry line directives that -Wpedantic objects to.
    list(APPEND genten_warning_flags -Wpedantic)
  else()
    # They have parentheses around pointers to members, too; and it knows no pragma of GCC, which it
    # hands on to GCC.
    list(APPEND genten_warning_flags -Wno-parentheses "SHELL:-Xcudafe --diag_suppress=1675")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # How GCC before 4.6 passed wide vectors is of no concern: all code that passes them is new.
    list(APPEND genten_warning_flags -Wno-psabi)
  endif()
  if(GENTEN_WARNINGS STREQUAL "ERROR")
    list(APPEND genten_warning_flags -Werror)
  endif()
endif()

# Of what a static library holds, a program then takes the functions that it calls, not whole
# sources: see genten_link_called.
set(genten_section_flags "")
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND UNIX AND NOT APPLE
   AND NOT GENTEN_HAS_CUDA AND NOT GENTEN_HAS_HIP)
  set(genten_section_flags -ffunction-sections -fdata-sections)
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
  target_compile_options(${target} PRIVATE ${genten_warning_flags} ${genten_section_flags})
  target_compile_definitions(${target} PRIVATE ${genten_definitions})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# genten_link_called(<target>): leaves out of a program what it never calls.
function(genten_link_called target)
  if(genten_section_flags)
    target_link_options(${target} PRIVATE -Wl,--gc-sections)
  endif()
endfunction()

# genten_optimize_lightly(<target>): what stands between loops over nonzeros and rows, which costs
# more to optimize than to run.
function(genten_optimize_lightly target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE "$<$<NOT:$<CONFIG:Debug>>:-O1>")
  endif()
endfunction()

# genten_precompile(<target> <header>...): parses Kokkos, what most files include of the standard
# library and these headers once for all sources of the target.
# genten_precompile(<target> REUSE_FROM <other>): those of a target with the same options.
# Not with CUDA and HIP, whose compilers take no precompiled headers.
function(genten_precompile target)
  if(GENTEN_HAS_CUDA OR GENTEN_HAS_HIP)
    return()
  endif()
  if("${ARGV1}" STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    return()
  endif()
  target_precompile_headers(
    ${target}
    PRIVATE
    <algorithm>
    <array>
    <cmath>
    <functional>
    <limits>
    <map>
    <memory>
    <optional>
    <span>
    <string>
    <string_view>
    <vector>
    <Kokkos_Core.hpp>
    <genten/core/ktensor.hpp>
    <genten/core/sptensor.hpp>
    ${ARGN})
endfunction()

# genten_by_folder(<target>): with GENTEN_ENABLE_UNITY, sources of a folder are compiled as one, so
# that what they include is parsed once. Those of src/eti are not, where most time goes to code, nor
# those of src/cli itself, each of which is a command, with functions of the same names.
function(genten_by_folder target)
  if(NOT GENTEN_ENABLE_UNITY OR GENTEN_HAS_CUDA OR GENTEN_HAS_HIP)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/src"
               OUTPUT_VARIABLE folder)
    cmake_path(GET folder PARENT_PATH folder)
    if(NOT folder MATCHES "^(eti|cli)$")
      string(MAKE_C_IDENTIFIER "${folder}" group)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# genten_objects(<target> <objects> <source>...): sources of a target that are compiled with options
# of their own.
function(genten_objects target objects)
  add_library(${objects} OBJECT ${ARGN})
  genten_target_options(${objects})
  target_compile_definitions(${objects}
                             PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_include_directories(${objects}
                             PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_link_libraries(${objects} PRIVATE Kokkos::kokkos)
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()

# The instruction sets that hot loops are compiled for, and those of loops over records besides: see
# src/simd/tables.cpp.
set(genten_simd_sets_of_records "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(genten_simd_sets x86_64_v2 x86_64_v3 x86_64_v4)
  set(genten_simd_flags_x86_64_v2 -march=x86-64-v2)
  # Without what no feature test asks for (src/simd/instruction_set.cpp).
  set(genten_simd_flags_x86_64_v3 -march=x86-64-v3 -mno-lzcnt -mno-movbe -mno-f16c)
  set(genten_simd_sets_of_records x86_64_v3_shift)
  set(genten_simd_flags_x86_64_v3_shift ${genten_simd_flags_x86_64_v3} -DGENTEN_SLOW_PEXT)
  # Compilers prefer 256-bit vectors even where there are 512-bit ones.
  set(genten_simd_flags_x86_64_v4 -march=x86-64-v4 -mno-lzcnt -mno-movbe -mno-f16c
                                  -mprefer-vector-width=512)
else()
  set(genten_simd_sets baseline)
  set(genten_simd_flags_baseline "")
endif()
set(genten_simd_compiled ${genten_simd_sets} ${genten_simd_sets_of_records})

# Of these the one that src/simd/instruction_set.cpp would choose on this machine, as -march=native
# tells, with its name there.
set(genten_simd_only "")
if(GENTEN_ENABLE_NATIVE AND NOT genten_simd_sets STREQUAL "baseline")
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
    OUTPUT_VARIABLE genten_native_macros
    RESULT_VARIABLE genten_native_result
    ERROR_QUIET)
  if(NOT genten_native_result EQUAL 0)
    message(FATAL_ERROR "GENTEN_ENABLE_NATIVE: expected a compiler that knows -march=native, got "
                        "${CMAKE_CXX_COMPILER}")
  endif()
  function(genten_has_macros result)
    set(${result} TRUE PARENT_SCOPE)
    foreach(macro IN LISTS ARGN)
      if(NOT genten_native_macros MATCHES "#define __${macro}__ ")
        set(${result} FALSE PARENT_SCOPE)
      endif()
    endforeach()
  endfunction()
  genten_has_macros(genten_has_v3 AVX2 FMA BMI BMI2)
  genten_has_macros(genten_has_v4 AVX2 FMA BMI BMI2 AVX512F AVX512BW AVX512CD AVX512DQ AVX512VL)
  if(genten_has_v4)
    set(genten_simd_compiled x86_64_v4)
    set(genten_simd_only v4)
  elseif(genten_has_v3 AND genten_native_macros MATCHES "#define __(znver[12]|bdver4)__ ")
    set(genten_simd_compiled x86_64_v3 x86_64_v3_shift)
    set(genten_simd_only v3-shift)
  elseif(genten_has_v3)
    set(genten_simd_compiled x86_64_v3)
    set(genten_simd_only v3)
  else()
    set(genten_simd_compiled x86_64_v2)
    set(genten_simd_only v2)
  endif()
endif()

# genten_simd_objects(<target> <folder> <set>...): compiles the folder's sources once for each of
# these sets, all they define in a namespace of its name, and adds the objects to a target.
function(genten_simd_objects target folder)
  foreach(set IN LISTS ARGN)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    if(set IN_LIST genten_simd_sets_of_records)
      list(FILTER sources INCLUDE REGEX "/(sorted|models)_[a-z]+\\.cpp$")
    endif()
    if(NOT sources)
      continue()
    endif()
    set(objects ${target}_${set})
    genten_objects(${target} ${objects} ${sources})
    target_compile_definitions(${objects} PRIVATE GENTEN_SIMD_SET=${set})
    # The last -march counts, and Kokkos may bring one. Optimized in every build: otherwise small
    # functions that others have, too, would be compiled with these instructions.
    add_library(${objects}_flags INTERFACE)
    target_compile_options(${objects}_flags INTERFACE -O2 ${genten_simd_flags_${set}})
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
      target_compile_options(${objects}_flags INTERFACE -O3)
    endif()
    target_link_libraries(${objects} PRIVATE ${objects}_flags)
  endforeach()
endfunction()
