# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
#
# Finds what Genten is built with. Kokkos is looked for where CMake looks (Kokkos_ROOT,
# CMAKE_PREFIX_PATH), then where scripts/install-deps.sh puts the one that it builds, then in the
# system, whose Kokkos may well have no parallel backend. KokkosKernels, which has to be built with
# that Kokkos, is looked for where CMake looks (KokkosKernels_ROOT, CMAKE_PREFIX_PATH), then beside
# it.

if(NOT TARGET Kokkos::kokkos)
  set(GENTEN_DEPS deps CACHE STRING
      "folder below scripts/install-deps.sh's cache whose Kokkos is used: deps or deps-serial")
  mark_as_advanced(GENTEN_DEPS)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(genten_deps "$ENV{XDG_CACHE_HOME}/genten/${GENTEN_DEPS}")
  else()
    set(genten_deps "$ENV{HOME}/.cache/genten/${GENTEN_DEPS}")
  endif()
  find_package(Kokkos 3.4 CONFIG HINTS "${genten_deps}")
  if(NOT Kokkos_FOUND)
    message(FATAL_ERROR "Genten needs Kokkos 3.4 or later. Run scripts/install-deps.sh, or set "
                        "Kokkos_ROOT to the prefix of an installed one.")
  endif()
  message(STATUS "Genten: Kokkos ${Kokkos_VERSION} with ${Kokkos_DEVICES} (${Kokkos_DIR})")
endif()
if(NOT TARGET Kokkos::kokkoskernels)
  cmake_path(SET genten_kokkos_prefix NORMALIZE "${Kokkos_DIR}/../../..")
  find_package(KokkosKernels CONFIG HINTS "${genten_kokkos_prefix}")
  if(NOT KokkosKernels_FOUND)
    message(FATAL_ERROR "Genten needs KokkosKernels, built with the Kokkos ${Kokkos_VERSION} in "
                        "${Kokkos_DIR}. Run scripts/install-deps.sh, which builds both, or install "
                        "it beside that Kokkos or set KokkosKernels_ROOT to its prefix.")
  endif()
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" genten_kokkos_release "${Kokkos_VERSION}")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" genten_kernels_release "${KokkosKernels_VERSION}")
  if(NOT genten_kokkos_release STREQUAL genten_kernels_release)
    message(FATAL_ERROR "KokkosKernels ${KokkosKernels_VERSION} (${KokkosKernels_DIR}) does not go "
                        "with Kokkos ${Kokkos_VERSION} (${Kokkos_DIR}): their versions must match. "
                        "Set KokkosKernels_ROOT to the prefix of one that was built with it.")
  endif()
  message(STATUS "Genten: KokkosKernels ${KokkosKernels_VERSION} (${KokkosKernels_DIR})")
endif()
if(Kokkos_DEVICES MATCHES "CUDA")
  set(GENTEN_HAS_CUDA ON)
endif()
if(Kokkos_DEVICES MATCHES "HIP")
  set(GENTEN_HAS_HIP ON)
endif()
# KokkosKernels exports them in its own namespace, 4.6 and later in that of Kokkos.
if((GENTEN_HAS_CUDA AND NOT TARGET KokkosKernels::CUBLAS AND NOT TARGET Kokkos::CUBLAS)
   OR (GENTEN_HAS_HIP AND NOT TARGET KokkosKernels::ROCBLAS AND NOT TARGET Kokkos::ROCBLAS))
  message(WARNING "This KokkosKernels was built without cuBLAS or rocBLAS: factors of many columns "
                  "will be updated by slower loops of Genten's own.")
endif()

# The small R x R algebra.
find_package(BLAS REQUIRED)
find_package(LAPACK REQUIRED)
# What is linked statically is known now: OpenBLAS has this function, and it alone.
if("${LAPACK_LIBRARIES};${BLAS_LIBRARIES}" MATCHES "\\.a(;|$)")
  include(CheckCXXSourceCompiles)
  include(CMakePushCheckState)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_LIBRARIES LAPACK::LAPACK BLAS::BLAS)
  check_cxx_source_compiles("extern \"C\" char* openblas_get_config();
                             int main() { return openblas_get_config() == nullptr; }"
                            GENTEN_STATIC_OPENBLAS)
  cmake_pop_check_state()
endif()
if(GENTEN_HAS_HIP)
  find_package(rocprim CONFIG REQUIRED)
endif()

# Files.
find_package(ZLIB REQUIRED)
find_package(Zstd REQUIRED)
find_package(FastFloat CONFIG REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
mark_as_advanced(XXHASH_INCLUDE_DIR)
add_library(xxHash::header INTERFACE IMPORTED)
target_include_directories(xxHash::header INTERFACE "${XXHASH_INCLUDE_DIR}")
find_package(nlohmann_json CONFIG REQUIRED)

if(GENTEN_ENABLE_CLI OR GENTEN_ENABLE_PERF)
  find_package(CLI11 CONFIG REQUIRED)
endif()
if(GENTEN_ENABLE_CLI)
  find_package(LibArchive REQUIRED)
endif()
# Devices of several ranks talk to each other directly where NCCL is there.
set(GENTEN_HAS_NCCL OFF)
if(GENTEN_HAS_CUDA AND GENTEN_ENABLE_MPI)
  find_path(NCCL_INCLUDE_DIR nccl.h)
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(GENTEN_HAS_NCCL ON)
  endif()
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
endif()
set(GENTEN_HAS_MPI OFF)
if(GENTEN_ENABLE_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)  # MPI's old C++ interface
  find_package(MPI COMPONENTS CXX)
  set(GENTEN_HAS_MPI ${MPI_CXX_FOUND})
endif()
if(GENTEN_ENABLE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(GENTEN_ENABLE_PERF)
  find_package(benchmark CONFIG REQUIRED)
endif()
if(GENTEN_ENABLE_TESTS)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
endif()
