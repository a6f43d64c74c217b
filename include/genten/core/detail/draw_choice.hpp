// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which draws of a sequence are wanted: all, or those of a part of the tensor.

#include <genten/core/detail/generate_draws.hpp>

#include <vector>

namespace genten::detail {

/// The subscripts of one draw, each made when it is asked for.
class DrawnRow {
 public:
  DrawnRow(const SubscriptDraws& draws, offset_t t)
      : m_draws(draws), m_t(t), m_cluster(draws.cluster(t)) {}

  std::uint64_t operator()(int n) {
    const unsigned bit = 1u << n;
    if ((m_known & bit) == 0) {
      m_subscripts[n] = m_draws.subscript(m_t, m_cluster, n);
      m_known |= bit;
    }
    return m_subscripts[n];
  }

 private:
  static_assert(max_order <= 32);
  const SubscriptDraws& m_draws;
  offset_t m_t;
  std::uint64_t m_cluster;
  unsigned m_known = 0;
  Kokkos::Array<std::uint64_t, max_order> m_subscripts;
};

/// One side of a cut that takes apart what lies below and above a place in the order (mode first,
/// then all modes from the first to the last).
struct DrawCut {
  int mode = 0;
  bool above = false;
  Kokkos::Array<std::uint64_t, max_order> place{};  ///< the first subscripts that are above

  [[nodiscard]] bool holds(DrawnRow& row, int order) const {
    const std::uint64_t at = row(mode);
    return (at != place[mode] ? at > place[mode] : !comes_before(row, order)) == above;
  }

 private:
  [[nodiscard]] bool comes_before(DrawnRow& row, int order) const {
    for (int n = 0; n < order; ++n) {
      if (row(n) != place[n]) return row(n) < place[n];
    }
    return false;
  }
};

/// The draws that are wanted: those on the right sides of all cuts and, of these, a sample. Both
/// depend on the subscripts alone, so that draws of the same cell are wanted together.
struct DrawChoice {
  std::vector<DrawCut> cuts = {};
  /// So many of 2^64 cells are in the sample; 0: all of them.
  std::uint64_t sample = 0;

  [[nodiscard]] bool takes_all() const { return cuts.empty() && sample == 0; }

  [[nodiscard]] bool takes(DrawnRow& row, int order) const {
    for (const DrawCut& cut : cuts) {
      if (!cut.holds(row, order)) return false;
    }
    if (sample == 0) return true;
    std::uint64_t word = 0x73616d706c65ULL;
    for (int n = 0; n < order; ++n) word = mix_bits(word) ^ row(n);
    return mix_bits(word) < sample;
  }
};

}  // namespace genten::detail
