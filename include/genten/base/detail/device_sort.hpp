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

/// Keys and values that are sorted together, with as much room to sort into.
template <class Key, class Value, class Space>
struct SortPairs {
  Kokkos::View<Key*, Space> keys, sorted_keys;
  Kokkos::View<Value*, Space> values, sorted_values;

  explicit SortPairs(offset_t size)
      : keys(uninitialized_view<decltype(keys)>("genten::sort_keys", size)),
        sorted_keys(uninitialized_view<decltype(keys)>("genten::sorted_keys", size)),
        values(uninitialized_view<decltype(values)>("genten::sort_values", size)),
        sorted_values(uninitialized_view<decltype(values)>("genten::sorted_values", size)) {}
};

#ifdef KOKKOS_ENABLE_CUDA
/// Without room, says how many bytes of it sorting takes; with it, sorts.
template <class Pairs>
void call_vendor_sort(const Kokkos::Cuda& exec, const Pairs& pairs, int bits, void* room,
                      std::size_t& bytes) {
  const auto status = cub::DeviceRadixSort::SortPairs(
      room, bytes, pairs.keys.data(), pairs.sorted_keys.data(), pairs.values.data(),
      pairs.sorted_values.data(), static_cast<offset_t>(pairs.keys.extent(0)), 0, bits,
      exec.cuda_stream());
  if (status != cudaSuccess) {
    throw Error(Error::Kind::runtime, std::string("device sort: ") + cudaGetErrorString(status));
  }
}
#endif

#ifdef KOKKOS_ENABLE_HIP
template <class Pairs>
void call_vendor_sort(const Kokkos::HIP& exec, const Pairs& pairs, int bits, void* room,
                      std::size_t& bytes) {
  const auto status = rocprim::radix_sort_pairs(room, bytes, pairs.keys.data(),
                                                pairs.sorted_keys.data(), pairs.values.data(),
                                                pairs.sorted_values.data(), pairs.keys.extent(0),
                                                0u, static_cast<unsigned>(bits), exec.hip_stream());
  if (status != hipSuccess) {
    throw Error(Error::Kind::runtime, std::string("device sort: ") + hipGetErrorString(status));
  }
}
#endif

/// Sorts by the low `bits` bits of the keys; equal keys keep their order. The result is in the
/// `_room` arrays.
template <ExecutionSpace Exec, class Key, class Value, class Space>
void sort_on_device(const Exec& exec, const SortPairs<Key, Value, Space>& pairs, int bits) {
  std::size_t bytes = 0;
  call_vendor_sort(exec, pairs, bits, nullptr, bytes);
  const auto room =
      uninitialized_view<Kokkos::View<char*, Space>>("genten::sort_workspace", bytes + 1);
  call_vendor_sort(exec, pairs, bits, room.data(), bytes);
  fence(exec, "genten::sort_on_device");
}

}  // namespace genten::detail
