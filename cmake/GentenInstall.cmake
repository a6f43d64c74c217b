# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause

include(CMakePackageConfigHelpers)

set(genten_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Genten")

install(
  TARGETS genten genten_header_only
  EXPORT GentenTargets
  FILE_SET HEADERS
  FILE_SET detail)
if(GENTEN_ENABLE_CLI)
  install(TARGETS genten_cli)
endif()
install(
  EXPORT GentenTargets
  NAMESPACE Genten::
  DESTINATION "${genten_package_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/GentenConfig.cmake.in" "${PROJECT_BINARY_DIR}/GentenConfig.cmake"
  INSTALL_DESTINATION "${genten_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/GentenConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/GentenConfig.cmake"
        "${PROJECT_BINARY_DIR}/GentenConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/FindZstd.cmake"
  DESTINATION "${genten_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
