// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the R x R side of ALS keeps on a device.

#include <genten/base/detail/allocation.hpp>
#include <genten/cp/detail/algebra/by_team.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace genten::detail {

/// The arrays of DeviceAlsAlgebra, but for what a solve works in. What is read is that at the end
/// of the instance's queue. Those that are saved lie one after another, so that one copy moves all.
template <ExecutionSpace Exec>
class DeviceAlgebraArrays {
 public:
  using pinned_space = typename Backend<Exec>::pinned_space;
  using Column = Kokkos::View<double*, typename Exec::memory_space>;
  using PinnedColumn = Kokkos::View<double*, pinned_space>;

  Kokkos::View<int, typename Exec::memory_space> count;  ///< of transforms, by the last solve
  Kokkos::View<DeviceAlgebraReport, pinned_space> report;
  PinnedColumn factors;  ///< of `rescale`

  DeviceAlgebraArrays(int order, std::size_t rank)
      : count("genten::transforms"),
        report("genten::als_report"),
        factors("genten::column_factors", static_cast<std::size_t>(order) * rank),
        m_order(order),
        m_rank(checked(order, rank)),
        m_all(new_view<Column>("genten::als_arrays", saved() + rank)) {
    // Gram matrices and products are 0.
    Kokkos::deep_copy(Kokkos::subview(m_all, Kokkos::make_pair(grams(), saved())), 1.0);
  }

  /// Bytes that they take on the device.
  [[nodiscard]] static double memory(int order, std::size_t rank) {
    const auto columns = static_cast<double>(rank);
    return sizeof(int) + 8.0 * columns * (order * (columns + 2.0) + 2.0);
  }

  [[nodiscard]] int order() const { return m_order; }
  [[nodiscard]] DeviceAlgebraState state(const Column& others) const {
    double* const gram = m_all.data();
    double* const correction = gram + grams();
    double* const predicted = correction + columns();
    double* const weights = predicted + columns();
    return {m_order, m_rank,           gram,         correction, predicted, others.data(),
            weights, weights + rank(), report.data()};
  }
  [[nodiscard]] Column correction(int mode) const {
    return Column(m_all.data() + grams() + static_cast<std::size_t>(mode) * rank(), rank());
  }
  [[nodiscard]] Column weights() const {
    return Column(m_all.data() + grams() + 2 * columns(), rank());
  }
  [[nodiscard]] static std::vector<double> on_host(const Exec& exec, const Column& column) {
    const auto host = Kokkos::create_mirror_view(column);
    Kokkos::deep_copy(exec, host, column);
    fence(exec, "genten::als_vector");
    return {host.data(), host.data() + host.size()};
  }

  template <class Square>
  void set_gram(const Exec& exec, int mode, const Square& from) {
    const PinnedColumn host = staged(exec);
    for (std::size_t r = 0; r < rank(); ++r) {
      for (std::size_t q = 0; q < rank(); ++q) host(r * rank() + q) = from(r, q);
    }
    const std::size_t square = rank() * rank();
    Backend<Exec>::queue_copy(exec, m_all.data() + static_cast<std::size_t>(mode) * square,
                              host.data(), square * sizeof(double));
  }
  [[nodiscard]] AlgebraState save(const Exec& exec) const {
    const PinnedColumn host = staged(exec);
    Backend<Exec>::queue_copy(exec, host.data(), m_all.data(), saved() * sizeof(double));
    fence(exec, "genten::als_save");
    const double* from = host.data();
    const auto next = [&](std::size_t size) {
      from += size;
      return std::vector<double>(from - size, from);
    };
    AlgebraState state;
    state.gram = next(grams());
    state.correction = next(columns());
    state.predicted = next(columns());
    state.weights = next(rank());
    state.statistics = report().statistics;
    state.rank_deficient_solves = report().rank_deficient_solves;
    return state;
  }
  void restore(const Exec& exec, const AlgebraState& state) {
    state.check(static_cast<std::size_t>(m_order), rank());
    double* to = staged(exec).data();
    for (const auto* const part :
         {&state.gram, &state.correction, &state.predicted, &state.weights}) {
      to = std::copy(part->begin(), part->end(), to);
    }
    Backend<Exec>::queue_copy(exec, m_all.data(), m_staging.data(), saved() * sizeof(double));
    report().statistics = state.statistics;
    report().rank_deficient_solves = state.rank_deficient_solves;
  }

 private:
  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(m_rank); }
  [[nodiscard]] std::size_t columns() const { return static_cast<std::size_t>(m_order) * rank(); }
  [[nodiscard]] std::size_t grams() const { return columns() * rank(); }
  /// Elements of all but the products.
  [[nodiscard]] std::size_t saved() const { return grams() + 2 * columns() + rank(); }
  /// Memory on the host for as many, which no copy reads any more.
  [[nodiscard]] PinnedColumn staged(const Exec& exec) const {
    if (m_staging.size() == 0) m_staging = new_view<PinnedColumn>("genten::als_staging", saved());
    fence(exec, "genten::als_staging");
    return m_staging;
  }
  /// The kernels count elements in 32 bits.
  [[nodiscard]] static int checked(int order, std::size_t rank) {
    const double most = std::sqrt(std::numeric_limits<int>::max() / (order + 2.0));
    if (static_cast<double>(rank) > most) {
      throw Error::in("cp_als", "expected a rank of at most " +
                                    std::to_string(static_cast<std::size_t>(most)) + " for " +
                                    std::to_string(order) + " modes on a device, got " +
                                    std::to_string(rank));
    }
    return static_cast<int>(rank);
  }

  int m_order, m_rank;
  Column m_all;  ///< Gram matrices, corrections, predicted weights, weights, products
  mutable PinnedColumn m_staging;
};

}  // namespace genten::detail
