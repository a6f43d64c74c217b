# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Packages by CPack from what is installed: tool, library and headers in one. From a build tree:
#   cpack -G DEB --config <build>/CPackConfig.cmake
# What the tool needs of shared libraries is found out by dpkg-shlibdeps. A static Kokkos is part of
# the tool; who links the packaged static library needs that Kokkos as well (GentenConfig.cmake
# looks for it).

set(CPACK_PACKAGE_NAME genten)
set(CPACK_PACKAGE_VENDOR "Genten contributors")
set(CPACK_PACKAGE_CONTACT "Genten contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "Genten finds canonical polyadic (CP) models of sparse tensors by alternating least squares.
This package has the command-line tool genten, the C++20 library and its headers. Programs that are
linked with the library need the Kokkos and KokkosKernels that it was built with.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_SOURCE_IGNORE_FILES "/\\.git/" "/build[^/]*/" "/__pycache__/")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

include(CPack)
