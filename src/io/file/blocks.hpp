// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Work on the host, cut into blocks that threads take one after the other.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/types.hpp>
#include <genten/base/work_meter.hpp>

#include <algorithm>
#include <atomic>
#include <exception>

namespace genten::detail {

/// Who works on blocks, and who watches.
struct BlockWork {
  std::size_t threads = 0;     ///< 0: as many as there are
  WorkMeter* meter = nullptr;  ///< null: nobody

  /// Begins a step whose blocks `for_each_block` counts.
  void begin(const char* step, std::size_t blocks) const {
    if (meter != nullptr) meter->begin(step, blocks);
  }
};

/// Number of threads that work on `blocks` blocks; `wanted` 0 means as many as there are.
inline std::size_t worker_count(const HostExec& host, std::size_t blocks, std::size_t wanted) {
  const auto threads = static_cast<std::size_t>(std::max(1, static_cast<int>(host.concurrency())));
  const std::size_t most = wanted == 0 ? threads : std::min(wanted, threads);
  return std::max<std::size_t>(1, std::min(most, blocks));
}

/// Runs body(block, worker) for every block. Workers take blocks in increasing order, so a block
/// starts only after all before it have started; `meter` counts those that are done. Returns when
/// all is done; an exception that the body threw, which must not leave a parallel region, is thrown
/// then.
template <class Body>
void for_each_block(const char* label, const HostExec& host, std::size_t workers,
                    std::size_t blocks, const Body& body, WorkMeter* meter = nullptr) {
  using Policy = Kokkos::RangePolicy<HostExec, Kokkos::IndexType<std::size_t>>;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  Kokkos::parallel_for(label, Policy(host, 0, workers), [&](const std::size_t worker) {
    try {
      for (std::size_t block = next++; block < blocks; block = next++) {
        body(block, worker);
        if (meter != nullptr) meter->add(1);
      }
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  });
  fence(host, label);
  if (failure) std::rethrow_exception(failure);
}

/// Lowers `least` to `value` if that is smaller.
inline void atomic_lower(std::atomic<std::size_t>& least, std::size_t value) {
  std::size_t seen = least.load(std::memory_order_relaxed);
  while (value < seen && !least.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace genten::detail
