// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MemoryPeak: how much memory lives at once.

#include <genten/base/detail/kokkos_compat.hpp>

#include <algorithm>
#include <cmath>

namespace genten::detail {

/// Bytes that `uninitialized_view` allocates for an array of so many: on hosts long arrays begin on
/// a huge page and end with one.
[[nodiscard]] inline double array_bytes(double bytes, bool device) {
  constexpr auto page = static_cast<double>(huge_page);
  return device || bytes < page ? bytes : (std::ceil(bytes / page) + 1.0) * page;
}

/// Bytes that a vendor's library takes to count with, while it sorts so many pairs on a device: of
/// CUB, .21 to .24 a pair were measured.
[[nodiscard]] inline double device_sort_workspace(double pairs) {
  return 0.25 * pairs;
}

/// Replays what some code takes and gives back, in bytes, and knows the most that lived at once.
class MemoryPeak {
 public:
  void take(double bytes) {
    m_live += bytes;
    m_peak = std::max(m_peak, m_live);
  }
  void give(double bytes) { m_live -= bytes; }
  /// Takes what is given back before anything else is taken.
  void pass(double bytes) {
    take(bytes);
    give(bytes);
  }
  [[nodiscard]] double peak() const { return m_peak; }
  /// What has not been given back.
  [[nodiscard]] double live() const { return m_live; }

 private:
  double m_live = 0.0;
  double m_peak = 0.0;
};

}  // namespace genten::detail
