// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Explicit instantiation: the lists of types that the compiled library holds. With GENTEN_ETI
/// defined (by linking Genten::genten) headers declare these instances as extern templates, so that
/// users do not compile them again; other types are instantiated where they are used.

#include <genten/base/types.hpp>

/// M(..., Exec) for each execution space that Kokkos was built with and Genten instantiates. Of
/// hosts that is one, unless GENTEN_ENABLE_SERIAL was asked for: it takes as long to compile.
#if defined(KOKKOS_ENABLE_SERIAL) && \
    (defined(GENTEN_ETI_SERIAL_TOO) || !defined(KOKKOS_ENABLE_OPENMP))
#define GENTEN_ETI_SERIAL(M, ...) M(__VA_ARGS__, Kokkos::Serial)
#else
#define GENTEN_ETI_SERIAL(M, ...)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define GENTEN_ETI_OPENMP(M, ...) M(__VA_ARGS__, Kokkos::OpenMP)
#else
#define GENTEN_ETI_OPENMP(M, ...)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define GENTEN_ETI_CUDA(M, ...) M(__VA_ARGS__, Kokkos::Cuda)
#else
#define GENTEN_ETI_CUDA(M, ...)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define GENTEN_ETI_HIP(M, ...) M(__VA_ARGS__, Kokkos::HIP)
#else
#define GENTEN_ETI_HIP(M, ...)
#endif
/// Those of the host.
#define GENTEN_ETI_HOSTS(M, ...)    \
  GENTEN_ETI_SERIAL(M, __VA_ARGS__) \
  GENTEN_ETI_OPENMP(M, __VA_ARGS__)
#define GENTEN_ETI_EXECS(M, ...)   \
  GENTEN_ETI_HOSTS(M, __VA_ARGS__) \
  GENTEN_ETI_CUDA(M, __VA_ARGS__)  \
  GENTEN_ETI_HIP(M, __VA_ARGS__)

/// M(PREFIX, Exec) for all that is instantiated; PREFIX is `extern` in headers.
#define GENTEN_ETI_SPACES(M, PREFIX) GENTEN_ETI_EXECS(M, PREFIX)

/// M(PREFIX, Ordinal, Exec), likewise.
#define GENTEN_ETI_ORDINALS(M, PREFIX)       \
  GENTEN_ETI_EXECS(M, PREFIX, std::uint32_t) \
  GENTEN_ETI_EXECS(M, PREFIX, std::uint64_t)

/// M(PREFIX, Scalar, Exec), likewise.
#define GENTEN_ETI_SCALARS(M, PREFIX) \
  GENTEN_ETI_EXECS(M, PREFIX, float)  \
  GENTEN_ETI_EXECS(M, PREFIX, double)

/// M(PREFIX, Scalar, Ordinal, Exec), likewise.
#define GENTEN_ETI_TENSORS(M, PREFIX)                \
  GENTEN_ETI_EXECS(M, PREFIX, float, std::uint32_t)  \
  GENTEN_ETI_EXECS(M, PREFIX, float, std::uint64_t)  \
  GENTEN_ETI_EXECS(M, PREFIX, double, std::uint32_t) \
  GENTEN_ETI_EXECS(M, PREFIX, double, std::uint64_t)

/// The same on hosts alone.
#define GENTEN_ETI_HOST_TENSORS(M, PREFIX)           \
  GENTEN_ETI_HOSTS(M, PREFIX, float, std::uint32_t)  \
  GENTEN_ETI_HOSTS(M, PREFIX, float, std::uint64_t)  \
  GENTEN_ETI_HOSTS(M, PREFIX, double, std::uint32_t) \
  GENTEN_ETI_HOSTS(M, PREFIX, double, std::uint64_t)
