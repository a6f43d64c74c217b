# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes the .debs of a build tree, installs that of the tool into a root of its own, and runs the
# tool from there.
cmake_minimum_required(VERSION 3.25)

foreach(program dpkg dpkg-deb dpkg-shlibdeps file ldd)
  find_program(found_${program} ${program})
  if(NOT found_${program})
    message("skipped: there is no ${program}")
    return()
  endif()
endforeach()

# run(<variable> <command>...): what the command prints.
function(run variable)
  list(JOIN ARGN " " command)
  message(STATUS "${command}")
  execute_process(
    COMMAND ${ARGN}
    WORKING_DIRECTORY "${WORK_DIR}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${command}\n${output}${errors}")
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern}, got\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/packages")
run(ignored "${CPACK}" -G DEB --config "${BUILD_DIR}/CPackConfig.cmake" -B "${WORK_DIR}/packages" -C
    "${CONFIG}")
file(GLOB package "${WORK_DIR}/packages/genten_*.deb")
list(LENGTH package count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "expected one package genten, got: ${package}")
endif()
file(GLOB modules "${WORK_DIR}/packages/genten-*.deb")

run(fields dpkg-deb --field "${package}")
string(REPLACE "." "\\." version "${VERSION}")
expect("${fields}" "Package: genten\n")
expect("${fields}" "Version: ${version}\n")
expect("${fields}" "Depends: [^\n]*libc6")
if(fields MATCHES "Depends:[^\n]*mpi")
  message(FATAL_ERROR "the tool itself needs no MPI:\n${fields}")
endif()

# The modules for ranks, of which one chooses that of one's own MPI.
file(GLOB built RELATIVE "${BUILD_DIR}/bin" "${BUILD_DIR}/bin/genten-*mpi*.so")
foreach(module IN LISTS built)
  string(REGEX REPLACE "\\.so$" "" name "${module}")
  expect("${fields}" "Suggests: [^\n]*${name}")
  file(GLOB each "${WORK_DIR}/packages/${name}_*.deb")
  run(module_fields dpkg-deb --field "${each}")
  expect("${module_fields}" "Depends: [^\n]*genten \\(= ${version}\\)")
  expect("${module_fields}" "Depends: [^\n]*lib[^\n ]*mpi")
  run(contents dpkg-deb --contents "${each}")
  expect("${contents}" "/genten/${module}\n")
endforeach()
list(LENGTH built count)
list(LENGTH modules packages)
if(NOT count EQUAL packages)
  message(FATAL_ERROR "expected packages of ${built}, got: ${modules}")
endif()

# Installed as a system would, but that what it depends on is the machine's own.
set(root "${WORK_DIR}/root")
run(user id -u)
if(user EQUAL 0)
  file(MAKE_DIRECTORY "${root}/var/lib/dpkg/info" "${root}/var/lib/dpkg/updates")
  file(TOUCH "${root}/var/lib/dpkg/status")
  run(ignored dpkg "--root=${root}" --force-depends --force-script-chrootless --install
      "${package}")
  run(status dpkg "--root=${root}" --status genten)
  expect("${status}" "Status: install ok installed")
else()
  run(ignored dpkg-deb --extract "${package}" "${root}")
endif()

set(tool "${root}/usr/bin/genten")
run(libraries ldd "${tool}")
if(libraries MATCHES "not found" OR libraries MATCHES "${BUILD_DIR}")
  message(FATAL_ERROR "the tool needs what the package does not name:\n${libraries}")
endif()
run(output "${tool}" --version)
expect("${output}" "genten ${version} ")
run(output "${tool}" decompose "${SOURCE_DIR}/data/titanic/titanic.tns" --rank 2 --output model.gkt)
expect("${output}" "stopped   converged")
run(output "${tool}" compare model.gkt model.gkt)
expect("${output}" "score with weights +1\\.0")
# Stripped, so that instructions cannot be told apart by functions: it runs on processors without.
find_program(qemu qemu-x86_64)
execute_process(COMMAND uname -m OUTPUT_VARIABLE processor OUTPUT_STRIP_TRAILING_WHITESPACE)
if(qemu AND processor STREQUAL "x86_64" AND NOT NATIVE)
  run(output python3 "${SOURCE_DIR}/tests/support/check_processors.py" "${tool}"
      "${SOURCE_DIR}/data/titanic/titanic.tns")
  expect("${output}" "Nehalem: v2, ")
endif()

foreach(file include/genten/genten.hpp include/genten/version.hpp share/doc/Genten/LICENSE
             share/man/man1/genten.1 share/bash-completion/completions/genten)
  if(NOT EXISTS "${root}/usr/${file}")
    message(FATAL_ERROR "the package lacks ${file}")
  endif()
endforeach()
file(GLOB_RECURSE config "${root}/usr/lib*/GentenConfig.cmake")
file(GLOB_RECURSE library "${root}/usr/lib*/libgenten.*")
if(NOT config OR NOT library)
  message(FATAL_ERROR "the package lacks the library or what find_package looks for")
endif()
