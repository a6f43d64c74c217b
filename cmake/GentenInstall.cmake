# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause

include(CMakePackageConfigHelpers)

set(genten_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Genten")

install(
  TARGETS genten genten_header_only
  EXPORT GentenTargets
  FILE_SET HEADERS
  FILE_SET detail)
if(TARGET genten_mpi)
  # For find_package(Genten COMPONENTS mpi) alone: nobody else needs an MPI.
  install(
    TARGETS genten_mpi
    EXPORT GentenMpiTargets
    FILE_SET HEADERS)
  install(
    EXPORT GentenMpiTargets
    NAMESPACE Genten::
    DESTINATION "${genten_package_dir}")
endif()
if(GENTEN_ENABLE_CLI)
  install(TARGETS genten_cli)
  if(TARGET genten_manual)
    set(genten_manual "${PROJECT_BINARY_DIR}/share")
    install(FILES "${genten_manual}/genten.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${genten_manual}/genten"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${genten_manual}/_genten"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${genten_manual}/genten.fish"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  endif()
endif()
install(
  EXPORT GentenTargets
  NAMESPACE Genten::
  DESTINATION "${genten_package_dir}")

# A small tensor, which programs find as ${Genten_DATA_DIR}/titanic.tns.
set(genten_data_dir "${CMAKE_INSTALL_DATADIR}/genten")
file(GLOB genten_data "${PROJECT_SOURCE_DIR}/data/titanic/titanic.tns"
     "${PROJECT_SOURCE_DIR}/data/titanic/*.labels")
install(FILES ${genten_data} DESTINATION "${genten_data_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/GentenConfig.cmake.in" "${PROJECT_BINARY_DIR}/GentenConfig.cmake"
  INSTALL_DESTINATION "${genten_package_dir}"
  PATH_VARS genten_data_dir)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/GentenConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/GentenConfig.cmake"
        "${PROJECT_BINARY_DIR}/GentenConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/FindZstd.cmake"
  DESTINATION "${genten_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
