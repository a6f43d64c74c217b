// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Copies between a device and pageable host memory. A device reads and writes pinned memory alone:
/// what its runtime does with other memory goes through a buffer of one thread, at a fifth of the
/// speed of the bus. Here every thread of the host has two small pinned buffers of its own, of
/// which it fills one while the other is in flight.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/eti.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <vector>

namespace genten::detail {

/// The numbers of StagedCopy that measurements set, on an H200 whose host has 16 threads and copies
/// to pinned memory at 43 GB/s: 128 MB go to the device at 18 GB/s and back at 18 instead of 9 and
/// 17 without staging, 2 GB at 39 both ways instead of 9 and 18, but 64 MB at 13 to 15 instead of
/// 16.
struct StagedCopyTuning {
  /// Bytes of a pinned buffer: starting a copy costs as much as 400 KB of it.
  std::size_t piece_bytes = std::size_t{1} << 20;
  /// So many threads of the host take part at most. More of them would have more memory pinned,
  /// which costs 0.3 ms a megabyte.
  std::size_t most_lanes = 8;
  /// Views of at least so many bytes are copied through pinned buffers: below, pinning them costs
  /// what it saves.
  std::size_t least_bytes = std::size_t{128} << 20;

  /// For a copy of so many bytes.
  [[nodiscard]] static StagedCopyTuning of(std::size_t bytes) {
    StagedCopyTuning tuning;
    if (bytes < std::size_t{1} << 30) tuning.most_lanes = 4;
    return tuning;
  }
};

/// Copies bytes between the memory of `Exec` and pageable host memory. Hosts have pinned buffers,
/// too, in plain memory: so the same code runs there.
template <ExecutionSpace Exec>
class StagedCopy {
 public:
  /// Copies are queued on `exec`, behind what is queued there.
  explicit StagedCopy(const Exec& exec, const StagedCopyTuning& tuning = {})
      : m_exec(exec),
        m_piece_bytes(tuning.piece_bytes),
        m_lanes(std::clamp<std::size_t>(static_cast<std::size_t>(HostExec().concurrency()), 1,
                                        tuning.most_lanes)),
        m_bytes(uninitialized_view<Pinned>("genten::staged_copy",
                                           2 * m_lanes.size() * tuning.piece_bytes)) {
    char* bytes = m_bytes.data();
    for (Lane& lane : m_lanes) {
      for (Buffer& buffer : lane.buffers) {
        buffer.bytes = bytes;
        bytes += m_piece_bytes;
      }
    }
  }
  StagedCopy(const StagedCopy&) = delete;
  StagedCopy& operator=(const StagedCopy&) = delete;
  /// Waits until the device has no more use for the buffers.
  ~StagedCopy() { fence(m_exec, "genten::staged_copy"); }

  /// Returns when `host` has been read; what was read last may still be in flight.
  void to_device(char* device, const char* host, std::size_t bytes) {
    for_each_lane([&](Lane& lane, std::size_t first) {
      for (std::size_t begin = first; begin < bytes; begin += step()) {
        const std::size_t count = std::min(m_piece_bytes, bytes - begin);
        Buffer& buffer = lane.next();
        buffer.wait();
        std::memcpy(buffer.bytes, host + begin, count);
        queue(buffer, device + begin, buffer.bytes, count);
      }
    });
  }

  /// Returns when `host` has been written.
  void to_host(char* host, const char* device, std::size_t bytes) {
    for_each_lane([&](Lane& lane, std::size_t first) {
      Buffer* before = nullptr;
      const auto unload = [&](std::size_t begin) {
        before->wait();
        std::memcpy(host + begin, before->bytes, std::min(m_piece_bytes, bytes - begin));
      };
      for (std::size_t begin = first; begin < bytes; begin += step()) {
        Buffer& buffer = lane.next();
        queue(buffer, buffer.bytes, device + begin, std::min(m_piece_bytes, bytes - begin));
        if (before != nullptr) unload(begin - step());
        before = &buffer;
        if (begin + step() >= bytes) unload(begin);
      }
    });
  }

 private:
  using Pinned = Kokkos::View<char*, typename Backend<Exec>::pinned_space>;
  struct Buffer {
    char* bytes = nullptr;
    bool used = false;
    typename Backend<Exec>::Event done;  ///< behind the last copy from or to it

    void wait() const {
      if (used) done.wait();
    }
  };
  /// What one thread works with.
  struct Lane {
    Buffer buffers[2];
    std::size_t turn = 0;

    Buffer& next() { return buffers[turn++ % 2]; }
  };

  /// From one piece of a lane to its next.
  [[nodiscard]] std::size_t step() const { return m_lanes.size() * m_piece_bytes; }

  /// Calls body(lane, where its first piece begins) for all lanes, each in a thread; the first
  /// exception that leaves one is thrown here.
  template <class Body>
  void for_each_lane(const Body& body) {
    std::vector<std::exception_ptr> errors(m_lanes.size());
    const auto run = [&](const std::size_t k) {
      try {
        Backend<Exec>::attach_thread(m_exec);
        body(m_lanes[k], k * m_piece_bytes);
      } catch (...) {
        errors[k] = std::current_exception();
      }
    };
    if constexpr (is_host_space<Exec>) {
      // Marks of hosts wait for what runs, which must not be this loop.
      for (std::size_t k = 0; k < m_lanes.size(); ++k) run(k);
    } else {
      const HostExec host;
      using Policy = Kokkos::RangePolicy<HostExec>;
      Kokkos::parallel_for("genten::staged_copy",
                           Policy(host, 0, m_lanes.size(), Kokkos::ChunkSize(1)), run);
      fence(host, "genten::staged_copy");
    }
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  }
  void queue(Buffer& buffer, char* to, const char* from, std::size_t bytes) const {
    Backend<Exec>::queue_copy(m_exec, to, from, bytes);
    buffer.done.set(m_exec);
    buffer.used = true;
  }

  Exec m_exec;
  std::size_t m_piece_bytes;
  std::vector<Lane> m_lanes;
  Pinned m_bytes;
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

/// Copies bytes, queued on `exec`. Kokkos compiles a copy, with loops in several orders, for every
/// type of View; this one is shared by all.
template <class ToSpace, class FromSpace, ExecutionSpace Exec>
void copy_bytes(const Exec& exec, char* to, const char* from, std::size_t bytes) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(exec, Kokkos::View<char*, ToSpace, Unmanaged>(to, bytes),
                    Kokkos::View<const char*, FromSpace, Unmanaged>(from, bytes));
}

/// Copies a View to another of the same layout and extents, both without gaps, as Kokkos::deep_copy
/// with an instance does, but large ones between a device and pageable host memory by StagedCopy.
/// Fence `exec` before `to` is used elsewhere, or `from` given back.
template <ExecutionSpace Exec, class To, class From>
void copy_view(const Exec& exec, const To& to, const From& from) {
  const std::size_t bytes = from.span() * sizeof(typename From::value_type);
  if constexpr (is_staged<To, From>) {
    if (bytes >= StagedCopyTuning().least_bytes) {
      if constexpr (!is_host_space<Exec>) {
        copy_by(StagedCopy<Exec>(exec, StagedCopyTuning::of(bytes)), to, from, bytes);
      } else {
        constexpr bool up = is_host_space<typename From::memory_space::execution_space>;
        using Device = typename std::conditional_t<up, To, From>::memory_space::execution_space;
        fence(exec, "genten::copy_view");
        copy_by(StagedCopy<Device>(Device(), StagedCopyTuning::of(bytes)), to, from, bytes);
      }
      return;
    }
  }
  copy_bytes<typename To::memory_space, typename From::memory_space>(
      exec, reinterpret_cast<char*>(to.data()), reinterpret_cast<const char*>(from.data()), bytes);
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
    const auto copy = new_view<Filled>(
        Kokkos::view_alloc(view.label(), Kokkos::WithoutInitializing), view.layout());
    if (view.span_is_contiguous()) {
      copy_view(exec, copy, view);
    } else {
      Kokkos::deep_copy(exec, copy, view);
    }
    fence(exec, "genten::view_on");
    return Copy(copy);
  }
}

}  // namespace genten::detail

#define GENTEN_ETI_COPY_BYTES(PREFIX, EXEC)                                                      \
  PREFIX template void genten::detail::copy_bytes<EXEC::memory_space, EXEC::memory_space, EXEC>( \
      const EXEC&, char*, const char*, std::size_t);

#ifdef GENTEN_ETI
GENTEN_ETI_SPACES(GENTEN_ETI_COPY_BYTES, extern)
#endif
