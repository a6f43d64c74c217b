# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Packages by CPack from what is installed: tool, library and headers in one, and one for each MPI
# with the module that the tool loads for it, so that nobody else has to install an MPI. From a
# build tree:
#   cpack -G DEB --config <build>/CPackConfig.cmake
# What they need of shared libraries is found out by dpkg-shlibdeps. A static Kokkos is part of the
# tool; who links the packaged static library needs that Kokkos as well (GentenConfig.cmake looks
# for it).

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

# A package a component; what no component is named for is the first package.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME genten)
set(CPACK_DEBIAN_UNSPECIFIED_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
get_property(genten_mpi_flavors GLOBAL PROPERTY genten_mpi_flavors)
set(CPACK_COMPONENTS_ALL Unspecified ${genten_mpi_flavors})
set(genten_mpi_packages "")
foreach(flavor IN LISTS genten_mpi_flavors)
  string(TOUPPER "${flavor}" FLAVOR)
  list(APPEND genten_mpi_packages "genten-${flavor}")
  set(CPACK_DEBIAN_${FLAVOR}_PACKAGE_NAME "genten-${flavor}")
  set(CPACK_DEBIAN_${FLAVOR}_PACKAGE_DEPENDS "genten (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_${FLAVOR}_DESCRIPTION
      "The module that the tool genten loads where a launcher of this MPI has started it on several
ranks, among which it distributes a tensor's nonzeros.")
endforeach()
list(JOIN genten_mpi_packages ", " CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS)

include(CPack)
