// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Copies between a device and pageable host memory. A device reads and writes pinned memory alone:
/// what its runtime does with other memory goes through a buffer of one thread, at a fifth of the
/// speed of the bus. Here all threads of the host fill one of two pinned buffers while the other is
/// in flight.

#include <genten/base/detail/backend.hpp>

#include <algorithm>
#include <cstring>

namespace genten::detail {

/// The numbers of StagedCopy that measurements set.
struct StagedCopyTuning {
  /// Each of the two pinned buffers has so many bytes: enough to hide what starting a copy costs,
  /// few because memory is pinned slowly.
  std::size_t piece_bytes = std::size_t{2} << 20;
  /// Views of at least so many bytes are copied through pinned buffers: below, pinning them costs
  /// what it saves. Measured on an H200 with 16 host threads: 128 MB go to the device at 14.8 GB/s
  /// instead of 8.2, 4 GB at 22.9 instead of 8.5, but 32 MB at 7.4 instead of 14.9.
  std::size_t least_bytes = std::size_t{128} << 20;
};

/// memcpy by all threads of the host.
inline void copy_on_host(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t share = std::size_t{64} << 10;
  const HostExec host;
  Kokkos::parallel_for(
      "genten::copy_on_host", Kokkos::RangePolicy<HostExec>(host, 0, (bytes + share - 1) / share),
      [=](const std::size_t k) {
        std::memcpy(to + k * share, from + k * share, std::min(share, bytes - k * share));
      });
  fence(host, "genten::copy_on_host");
}

/// Copies bytes between the memory of `Exec` and pageable host memory, in pieces through two pinned
/// buffers. Hosts have them, too, in plain memory: so the same code runs there.
template <ExecutionSpace Exec>
class StagedCopy {
 public:
  /// Copies are queued on `exec`, behind what is queued there.
  explicit StagedCopy(const Exec& exec, std::size_t piece_bytes = StagedCopyTuning().piece_bytes)
      : m_exec(exec), m_piece_bytes(piece_bytes) {
    for (Buffer& buffer : m_buffers) {
      buffer.bytes = uninitialized_view<Pinned>("genten::staged_copy", piece_bytes);
    }
  }
  StagedCopy(const StagedCopy&) = delete;
  StagedCopy& operator=(const StagedCopy&) = delete;
  /// Waits until the device has no more use for the buffers.
  ~StagedCopy() { fence(m_exec, "genten::staged_copy"); }

  /// Returns when `host` has been read; what was read last may still be in flight.
  void to_device(char* device, const char* host, std::size_t bytes) {
    for (std::size_t begin = 0, k = 0; begin < bytes; begin += m_piece_bytes, ++k) {
      const std::size_t count = std::min(m_piece_bytes, bytes - begin);
      Buffer& buffer = m_buffers[k % 2];
      if (k >= 2) buffer.ready.wait();
      copy_on_host(buffer.bytes.data(), host + begin, count);
      Kokkos::deep_copy(m_exec, Device(device + begin, count), Host(buffer.bytes.data(), count));
      buffer.ready.set(m_exec);
    }
  }

  /// Returns when `host` has been written.
  void to_host(char* host, const char* device, std::size_t bytes) {
    const std::size_t pieces = (bytes + m_piece_bytes - 1) / m_piece_bytes;
    for (std::size_t k = 0; k <= pieces; ++k) {
      if (k < pieces) {
        const std::size_t begin = k * m_piece_bytes, count = std::min(m_piece_bytes, bytes - begin);
        Buffer& buffer = m_buffers[k % 2];
        Kokkos::deep_copy(m_exec, Host(buffer.bytes.data(), count),
                          ConstDevice(device + begin, count));
        buffer.ready.set(m_exec);
      }
      if (k > 0) {
        const std::size_t begin = (k - 1) * m_piece_bytes;
        const Buffer& buffer = m_buffers[(k - 1) % 2];
        buffer.ready.wait();
        copy_on_host(host + begin, buffer.bytes.data(), std::min(m_piece_bytes, bytes - begin));
      }
    }
  }

 private:
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Pinned = Kokkos::View<char*, typename Backend<Exec>::pinned_space>;
  using Host = Kokkos::View<char*, typename Backend<Exec>::pinned_space, Unmanaged>;
  using Device = Kokkos::View<char*, typename Exec::memory_space, Unmanaged>;
  using ConstDevice = Kokkos::View<const char*, typename Exec::memory_space, Unmanaged>;
  struct Buffer {
    Pinned bytes;
    typename Backend<Exec>::Mark ready;  ///< behind the last copy from or to it
  };

  Exec m_exec;
  std::size_t m_piece_bytes;
  Buffer m_buffers[2];
};

/// Whether large Views are copied by StagedCopy: one of them lies on a device, the other where its
/// runtime does not know.
template <class To, class From>
inline constexpr bool is_staged = (std::is_same_v<typename To::memory_space, Kokkos::HostSpace> &&
                                   !is_host_space<typename From::memory_space::execution_space>) ||
                                  (std::is_same_v<typename From::memory_space, Kokkos::HostSpace> &&
                                   !is_host_space<typename To::memory_space::execution_space>);

/// The same bytes in `to`, of the same layout and extents as `from`, both without gaps.
template <class Device, class To, class From>
void copy_by(StagedCopy<Device>&& staged, const To& to, const From& from, std::size_t bytes) {
  auto* const target = reinterpret_cast<char*>(to.data());
  const auto* const source = reinterpret_cast<const char*>(from.data());
  if constexpr (std::is_same_v<typename To::memory_space, Kokkos::HostSpace>) {
    staged.to_host(target, source, bytes);
  } else {
    staged.to_device(target, source, bytes);
  }
}

/// Copies a View to another of the same layout and extents, both without gaps, as Kokkos::deep_copy
/// with an instance does, but large ones between a device and pageable host memory by StagedCopy.
/// Fence `exec` before `to` is used elsewhere, or `from` given back.
template <ExecutionSpace Exec, class To, class From>
void copy_view(const Exec& exec, const To& to, const From& from) {
  if constexpr (is_staged<To, From>) {
    const std::size_t bytes = from.span() * sizeof(typename From::value_type);
    if (bytes >= StagedCopyTuning().least_bytes) {
      if constexpr (!is_host_space<Exec>) {
        copy_by(StagedCopy<Exec>(exec), to, from, bytes);
      } else {
        constexpr bool up = is_host_space<typename From::memory_space::execution_space>;
        using Device = typename std::conditional_t<up, To, From>::memory_space::execution_space;
        fence(exec, "genten::copy_view");
        copy_by(StagedCopy<Device>(Device()), to, from, bytes);
      }
      return;
    }
  }
  Kokkos::deep_copy(exec, to, from);
}

/// A View in the memory of `To`: `view` itself if it lies there, or else a copy, made on `exec` and
/// complete on return.
template <ExecutionSpace To, class View>
[[nodiscard]] auto view_on(const To& exec, const View& view) {
  using Copy = Kokkos::View<typename View::data_type, typename View::array_layout,
                            typename To::memory_space>;
  if constexpr (std::is_same_v<typename View::memory_space, typename To::memory_space>) {
    return Copy(view);
  } else {
    using Filled = Kokkos::View<typename View::non_const_data_type, typename View::array_layout,
                                typename To::memory_space>;
    const Filled copy(Kokkos::view_alloc(view.label(), Kokkos::WithoutInitializing), view.layout());
    copy_view(exec, copy, view);
    fence(exec, "genten::view_on");
    return Copy(copy);
  }
}

}  // namespace genten::detail
