// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What differs between backends and Kokkos does not hide; besides the vendors' libraries the only
/// place that asks which backends there are.

#include <genten/core/types.hpp>
#include <genten/detail/memory.hpp>

/// Before a loop of a device kernel: unroll it. Host compilers do not know the words.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define GENTEN_DEVICE_UNROLL _Pragma("unroll")
#else
#define GENTEN_DEVICE_UNROLL
#endif

namespace genten::detail {

/// Of a host backend.
template <ExecutionSpace Exec>
struct Backend {
  /// Host memory that kernels of `Exec` read and write.
  using pinned_space = Kokkos::HostSpace;
  /// Bytes that can still be allocated.
  static double free_bytes() { return static_cast<double>(available_host_bytes()); }
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct Backend<Kokkos::Cuda> {
  using pinned_space = Kokkos::CudaHostPinnedSpace;
  static double free_bytes() {
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0.0;
    return static_cast<double>(free);
  }
  static double shared_cache_bytes() {
    int device = 0, bytes = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return 0.0;
    if (cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) != cudaSuccess) return 0.0;
    return static_cast<double>(bytes);
  }
};
#endif

#ifdef KOKKOS_ENABLE_HIP
template <>
struct Backend<Kokkos::HIP> {
  using pinned_space = Kokkos::HIPHostPinnedSpace;
  static double free_bytes() {
    std::size_t free = 0, total = 0;
    if (hipMemGetInfo(&free, &total) != hipSuccess) return 0.0;
    return static_cast<double>(free);
  }
  static double shared_cache_bytes() {
    int device = 0, bytes = 0;
    if (hipGetDevice(&device) != hipSuccess) return 0.0;
    if (hipDeviceGetAttribute(&bytes, hipDeviceAttributeL2CacheSize, device) != hipSuccess)
      return 0.0;
    return static_cast<double>(bytes);
  }
};
#endif

}  // namespace genten::detail
