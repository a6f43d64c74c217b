// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Stable radix sort on devices, by the vendors' libraries.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/error.hpp>

#include <string>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif
#ifdef KOKKOS_ENABLE_HIP
#include <rocprim/device/device_radix_sort.hpp>
#endif

namespace genten::detail {

#ifdef KOKKOS_ENABLE_CUDA
/// Without a workspace, says how many bytes of it sorting takes; with one, sorts, and returns
/// whether the result lies in the spare memory.
template <class Pairs>
bool call_vendor_sort(const Kokkos::Cuda& exec, const Pairs& pairs, int bits, void* workspace,
                      std::size_t& bytes) {
  cub::DoubleBuffer keys(pairs.keys.data(), pairs.spare_keys.data());
  cub::DoubleBuffer values(pairs.values.data(), pairs.spare_values.data());
  const auto status = cub::DeviceRadixSort::SortPairs(workspace, bytes, keys, values,
                                                      static_cast<offset_t>(pairs.keys.extent(0)),
                                                      0, bits, exec.cuda_stream());
  if (status != cudaSuccess) {
    throw Error(Error::Kind::runtime, std::string("device sort: ") + cudaGetErrorString(status));
  }
  return keys.Current() != pairs.keys.data();
}
#endif

#ifdef KOKKOS_ENABLE_HIP
template <class Pairs>
bool call_vendor_sort(const Kokkos::HIP& exec, const Pairs& pairs, int bits, void* workspace,
                      std::size_t& bytes) {
  rocprim::double_buffer keys(pairs.keys.data(), pairs.spare_keys.data());
  rocprim::double_buffer values(pairs.values.data(), pairs.spare_values.data());
  const auto status =
      rocprim::radix_sort_pairs(workspace, bytes, keys, values, pairs.keys.extent(0), 0u,
                                static_cast<unsigned>(bits), exec.hip_stream());
  if (status != hipSuccess) {
    throw Error(Error::Kind::runtime, std::string("device sort: ") + hipGetErrorString(status));
  }
  return keys.current() != pairs.keys.data();
}
#endif

/// Sorts `keys` by their low `bits` bits, and `values` with them; equal keys keep their order. From
/// pass to pass they change places with the spare memory, so that no other copy is taken. Returns
/// whether they lie there in the end.
template <ExecutionSpace Exec, class Pairs>
[[nodiscard]] bool sort_on_device(const Exec& exec, const Pairs& pairs, int bits) {
  using Workspace = Kokkos::View<char*, typename Exec::memory_space>;
  std::size_t bytes = 0;
  static_cast<void>(call_vendor_sort(exec, pairs, bits, nullptr, bytes));
  const auto workspace = uninitialized_view<Workspace>("genten::sort_workspace", bytes + 1);
  const bool in_spare = call_vendor_sort(exec, pairs, bits, workspace.data(), bytes);
  fence(exec, "genten::sort_on_device");
  return in_spare;
}

}  // namespace genten::detail
