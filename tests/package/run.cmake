# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# One step of the package tests: see CMakeLists.txt.
cmake_minimum_required(VERSION 3.25)

function(run)
  list(JOIN ARGN " " command)
  message(STATUS "${command}")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endfunction()

set(prefix "${WORK_DIR}/moved")
set(cache
    "-G${GENERATOR}"
    "-DCMAKE_BUILD_TYPE=${CONFIG}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
# An installed Genten knows where its Kokkos is; a subproject is told.
set(kokkos "-DKokkos_DIR=${KOKKOS_DIR}" "-DKokkosKernels_DIR=${KOKKOS_KERNELS_DIR}")

# Nothing that is installed may remember where it was built or installed first.
function(check_relocatable)
  file(GLOB_RECURSE files "${prefix}/*.cmake" "${prefix}/*.hpp")
  if(NOT files)
    message(FATAL_ERROR "nothing was installed")
  endif()
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    foreach(path "${BUILD_DIR}" "${SOURCE_DIR}" "${WORK_DIR}")
      string(FIND "${text}" "${path}" found)
      if(NOT found EQUAL -1)
        message(FATAL_ERROR "${file} names ${path}")
      endif()
    endforeach()
  endforeach()
endfunction()

function(run_programs directory)
  string(REPLACE "," ";" CONSUMERS "${CONSUMERS}")
  foreach(consumer IN LISTS CONSUMERS)
    cmake_path(GET consumer FILENAME name)
    file(GLOB_RECURSE program "${directory}/${name}")
    list(FILTER program EXCLUDE REGEX "/CMakeFiles/")
    list(LENGTH program count)
    if(NOT count EQUAL 1)
      message(FATAL_ERROR "expected one program ${name} in ${directory}, found: ${program}")
    endif()
    # Examples are copied: without settings of threads they say nothing but what they have found.
    set(environment "--unset=OMP_PROC_BIND" "--unset=KOKKOS_DISABLE_WARNINGS")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${environment} "${program}"
                    RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(NOT result EQUAL 0 OR (errors AND NOT name STREQUAL "consumer"))
      message(FATAL_ERROR "failed (${result}): ${program}\n${errors}")
    endif()
  endforeach()
endfunction()

if(STEP STREQUAL "install")
  file(REMOVE_RECURSE "${WORK_DIR}")
  run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/installed" --config
      "${CONFIG}")
  file(RENAME "${WORK_DIR}/installed" "${prefix}")
  check_relocatable()
elseif(STEP STREQUAL "find_package")
  cmake_path(GET CONSUMERS FILENAME name)
  set(build "${WORK_DIR}/find_package-${name}")
  run("${CMAKE_COMMAND}" -S "${CONSUMERS}" -B "${build}" ${cache} "-DCMAKE_PREFIX_PATH=${prefix}")
  run("${CMAKE_COMMAND}" --build "${build}")
  run_programs("${build}")
elseif(STEP STREQUAL "add_subdirectory")
  # Compiled like the build under test, so that a compiler cache makes it quick.
  set(build "${BUILD_DIR}/tests/package/add_subdirectory")
  # What an interrupted run has left in the cache must not decide this one.
  file(REMOVE "${build}/CMakeCache.txt")
  run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/add_subdirectory" -B "${build}" ${cache}
      ${kokkos}
      "-DGENTEN_ENABLE_NATIVE=${NATIVE}" "-DGENTEN_SOURCE_DIR=${SOURCE_DIR}"
      "-DCONSUMERS=${CONSUMERS}")
  run("${CMAKE_COMMAND}" --build "${build}" --parallel 2)
  run_programs("${build}")
else()
  message(FATAL_ERROR "no such step: ${STEP}")
endif()
