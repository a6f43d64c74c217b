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
/// of the instance's queue.
template <ExecutionSpace Exec>
struct DeviceAlgebraArrays {
  using memory_space = typename Exec::memory_space;
  using pinned_space = typename Backend<Exec>::pinned_space;
  using Column = Kokkos::View<double*, memory_space>;
  using Rows = Kokkos::View<double**, Kokkos::LayoutRight, memory_space>;

  int order, rank;
  Kokkos::View<double***, Kokkos::LayoutRight, memory_space> gram;
  Rows correction, predicted;
  Column weights, products;
  Kokkos::View<int, memory_space> count;  ///< of transforms that the last solve has written
  Kokkos::View<DeviceAlgebraReport, pinned_space> report;
  Kokkos::View<double*, pinned_space> factors;  ///< of `rescale`

  DeviceAlgebraArrays(int modes, std::size_t columns)
      : order(modes),
        rank(checked(modes, columns)),
        gram(new_view<decltype(gram)>("genten::grams", static_cast<std::size_t>(order), columns,
                                      columns)),
        correction(new_view<decltype(correction)>("genten::corrections",
                                                  static_cast<std::size_t>(order), columns)),
        predicted(new_view<decltype(predicted)>("genten::predicted_weights",
                                                static_cast<std::size_t>(order), columns)),
        weights(new_view<decltype(weights)>("genten::weights", columns)),
        products(new_view<decltype(products)>("genten::column_products", columns)),
        count("genten::transforms"),
        report("genten::als_report"),
        factors("genten::column_factors", static_cast<std::size_t>(order) * columns) {
    for (const auto& ones : {correction, predicted}) Kokkos::deep_copy(ones, 1.0);
    Kokkos::deep_copy(weights, 1.0);
  }

  /// Bytes that they take on the device.
  [[nodiscard]] static double memory(int order, std::size_t rank) {
    const auto columns = static_cast<double>(rank);
    return sizeof(int) + 8.0 * columns * (order * (columns + 2.0) + 2.0);
  }

  [[nodiscard]] DeviceAlgebraState state(const Column& others) const {
    return {order,         rank,           gram.data(),     correction.data(), predicted.data(),
            others.data(), weights.data(), products.data(), report.data()};
  }
  [[nodiscard]] Column correction_of(int mode) const {
    const std::size_t columns = correction.extent(1);
    return Column(correction.data() + static_cast<std::size_t>(mode) * columns, columns);
  }

  template <class Square>
  void set_gram(const Exec& exec, int mode, const Square& from) const {
    const auto device = Kokkos::subview(gram, mode, Kokkos::ALL, Kokkos::ALL);
    const auto host = Kokkos::create_mirror_view(device);
    for (std::size_t r = 0; r < host.extent(0); ++r) {
      for (std::size_t q = 0; q < host.extent(1); ++q) host(r, q) = from(r, q);
    }
    Kokkos::deep_copy(exec, device, host);
    fence(exec, "genten::set_gram");
  }
  [[nodiscard]] AlgebraState save(const Exec& exec) const {
    return {.gram = on_host(exec, gram),
            .correction = on_host(exec, correction),
            .predicted = on_host(exec, predicted),
            .weights = on_host(exec, weights),
            .statistics = report().statistics,
            .rank_deficient_solves = report().rank_deficient_solves};
  }
  void restore(const Exec& exec, const AlgebraState& state) const {
    state.check(gram.extent(0), gram.extent(1));
    to_device(exec, state.gram, gram);
    to_device(exec, state.correction, correction);
    to_device(exec, state.predicted, predicted);
    to_device(exec, state.weights, weights);
    report().statistics = state.statistics;
    report().rank_deficient_solves = state.rank_deficient_solves;
  }

  template <class View>
  [[nodiscard]] static std::vector<double> on_host(const Exec& exec, const View& view) {
    const auto host = Kokkos::create_mirror_view(view);
    Kokkos::deep_copy(exec, host, view);
    fence(exec, "genten::als_vector");
    return {host.data(), host.data() + host.size()};
  }

 private:
  template <class View>
  static void to_device(const Exec& exec, const std::vector<double>& from, const View& view) {
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(from.begin(), from.end(), host.data());
    Kokkos::deep_copy(exec, view, host);
    fence(exec, "genten::als_vector");
  }
  /// The kernels count elements in 32 bits.
  [[nodiscard]] static int checked(int order, std::size_t rank) {
    const double most = std::sqrt(std::numeric_limits<int>::max() / (order + 2.0));
    if (static_cast<double>(rank) > most) {
      throw Error("cp_als: expected a rank of at most " +
                  std::to_string(static_cast<std::size_t>(most)) + " for " + std::to_string(order) +
                  " modes on a device, got " + std::to_string(rank));
    }
    return static_cast<int>(rank);
  }
};

}  // namespace genten::detail
