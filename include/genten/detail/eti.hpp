// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Explicit instantiation: the lists of types that the compiled library holds. With GENTEN_ETI
/// defined (by linking Genten::genten) headers declare these instances as extern templates, so that
/// users do not compile them again; other types are instantiated where they are used.

#include <genten/core/types.hpp>

/// M(Exec) for each execution space that Kokkos was built with and Genten instantiates.
#ifdef KOKKOS_ENABLE_SERIAL
#define GENTEN_ETI_SERIAL(M) M(Kokkos::Serial)
#else
#define GENTEN_ETI_SERIAL(M)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define GENTEN_ETI_OPENMP(M) M(Kokkos::OpenMP)
#else
#define GENTEN_ETI_OPENMP(M)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define GENTEN_ETI_CUDA(M) M(Kokkos::Cuda)
#else
#define GENTEN_ETI_CUDA(M)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define GENTEN_ETI_HIP(M) M(Kokkos::HIP)
#else
#define GENTEN_ETI_HIP(M)
#endif
#define GENTEN_ETI_EXECS(M) \
  GENTEN_ETI_SERIAL(M) GENTEN_ETI_OPENMP(M) GENTEN_ETI_CUDA(M) GENTEN_ETI_HIP(M)
