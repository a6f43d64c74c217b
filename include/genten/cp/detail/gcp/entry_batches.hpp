// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// EntryBatches: random entries, nonzeros and zeros apart, for gradients of few of them.

#include <genten/core/listed_entries.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/random.hpp>
#include <genten/cp/detail/gcp/gcp_problem.hpp>
#include <genten/cp/detail/gcp/stacked_model.hpp>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace genten::detail {

/// Draws entry k: the first `nonzeros` of each batch are nonzeros, all of them where there are no
/// more, and the others are anywhere; those that turn out to be listed or missing weigh nothing. A
/// functor, as its parts are.
template <class Subscripts, class Values, class Weights, class Find>
struct DrawStratified {
  typename Subscripts::const_type from;
  typename Values::const_type from_values;
  Subscripts subscripts;
  Values values;
  Weights weights;
  Find find_listed, find_missing;
  bool has_missing;
  std::size_t batch, nonzeros;
  double nonzero_weight, zero_weight;
  Kokkos::Array<std::size_t, max_order> dimensions;
  int order;
  std::uint64_t seed;

  KOKKOS_FUNCTION void operator()(const std::size_t k) const {
    const std::size_t place = k % batch;
    if (place < nonzeros) {
      const auto all = static_cast<std::size_t>(from.extent(0));
      const std::size_t p = nonzeros == all ? place : below(all, k, order);
      for (int n = 0; n < order; ++n) subscripts(k, n) = from(p, n);
      values(k) = from_values(p);
      weights(k) = nonzero_weight;
      return;
    }
    for (int n = 0; n < order; ++n) {
      subscripts(k, n) = static_cast<RowNumber>(below(dimensions[n], k, n));
    }
    values(k) = 0;
    const auto at = static_cast<offset_t>(k);
    find_listed(at);
    bool counts = find_listed.flags(k) == 0;
    if (has_missing) {
      find_missing(at);
      counts = counts && find_missing.flags(k) == 0;
    }
    weights(k) = counts ? zero_weight : 0.0;
  }

 private:
  KOKKOS_FUNCTION std::size_t below(std::size_t end, std::size_t k, int what) const {
    const double uniform = random_uniform(seed, k, static_cast<std::uint64_t>(what));
    const auto number = static_cast<std::size_t>(uniform * static_cast<double>(end));
    return number < end ? number : end - 1;
  }
};

/// Weights times f'(x, m) at entries.
template <RealScalar Scalar, class Subscripts, class Values, class Weights>
struct WeightedSlopes {
  Subscripts subscripts;
  Values values;
  Weights weights, slopes;
  ModelValues<Scalar> value_of;
  LossKernel loss;
  std::size_t first;

  KOKKOS_FUNCTION void operator()(const std::size_t j) const {
    const std::size_t k = first + j;
    const double weight = weights(k);
    slopes(j) = weight == 0.0 ? 0.0
                              : weight * loss.slope(static_cast<double>(values(k)),
                                                    value_of(&subscripts(k, 0)));
  }
};

/// What a gradient sums over entries: slope times the rows of the other factors, of `model` and
/// `gradient` one factor below the other.
template <RealScalar Scalar, class Subscripts, class Slopes>
struct EntryProducts {
  static constexpr std::size_t tile = 8;

  FacMatrix<const Scalar, typename Subscripts::execution_space> model;
  FacMatrix<Scalar, typename Subscripts::execution_space> gradient;
  Subscripts subscripts;
  Slopes slopes;
  GcpLimits limits;
  int order;
  std::size_t first, count;

  KOKKOS_FUNCTION std::size_t row(std::size_t k, int n) const {
    return (n == 0 ? 0 : limits.end[n - 1]) + subscripts(k, n);
  }
  /// Columns from `begin` of the product at entry j for mode n.
  KOKKOS_FUNCTION void product(std::size_t j, int n, std::size_t begin, std::size_t width,
                               double* to) const {
    for (std::size_t r = 0; r < width; ++r) to[r] = slopes(j);
    for (int o = 0; o < order; ++o) {
      if (o == n) continue;
      const Scalar* const factor = model.row(row(first + j, o)) + begin;
      for (std::size_t r = 0; r < width; ++r) to[r] *= static_cast<double>(factor[r]);
    }
  }
};

/// Some columns of one mode's gradient, all entries in turn: sums do not depend on the threads.
template <class Products>
struct SumOfTile {
  Products of;

  KOKKOS_FUNCTION void operator()(const std::size_t task) const {
    const std::size_t columns = of.model.columns(), tiles = (columns + of.tile - 1) / of.tile;
    const auto n = static_cast<int>(task / tiles);
    const std::size_t begin = task % tiles * of.tile;
    const std::size_t width = columns - begin < of.tile ? columns - begin : of.tile;
    if (of.limits.fixed[n]) return;
    double product[Products::tile];
    for (std::size_t j = 0; j < of.count; ++j) {
      if (of.slopes(j) == 0.0) continue;
      of.product(j, n, begin, width, product);
      auto* const to = of.gradient.row(of.row(of.first + j, n)) + begin;
      for (std::size_t r = 0; r < width; ++r) {
        to[r] += static_cast<std::remove_cvref_t<decltype(to[r])>>(product[r]);
      }
    }
  }
};

/// The same by entries side by side, for devices.
template <class Products>
struct SumOfEntry {
  Products of;

  KOKKOS_FUNCTION void operator()(const std::size_t j) const {
    if (of.slopes(j) == 0.0) return;
    double product[Products::tile];
    for (int n = 0; n < of.order; ++n) {
      if (of.limits.fixed[n]) continue;
      const std::size_t columns = of.model.columns();
      auto* const to = of.gradient.row(of.row(of.first + j, n));
      for (std::size_t begin = 0; begin < columns; begin += of.tile) {
        const std::size_t width = columns - begin < of.tile ? columns - begin : of.tile;
        of.product(j, n, begin, width, product);
        for (std::size_t r = 0; r < width; ++r) {
          using Scalar = std::remove_cvref_t<decltype(to[r])>;
          Kokkos::atomic_add(&to[begin + r], static_cast<Scalar>(product[r]));
        }
      }
    }
  }
};

/// Batches of random entries, each of as many nonzeros as zeros where these count, and what a
/// gradient sums over one: without bias that over all entries that count. Stratified as in Kolda
/// and Hong, SIMODS 2:1066 (2020). Draws are hashes of a seed and their number.
template <RealScalar Scalar, ExecutionSpace Exec>
class EntryBatches {
 public:
  using Entries = GcpEntries<Scalar, Exec>;
  using Space = typename Exec::memory_space;
  using Subscripts = Kokkos::View<RowNumber**, Kokkos::LayoutRight, Space>;
  using Values = Kokkos::View<Scalar*, Space>;
  using Weights = Kokkos::View<double*, Space>;
  /// Entries, in whole batches, at least one.
  static constexpr std::size_t drawn_at_once = 1048576;

  EntryBatches(const Exec& exec, Entries entries, bool zeros_count, std::size_t size)
      : m_entries(std::move(entries)) {
    const auto listed = static_cast<std::size_t>(m_entries.listed.nnz());
    m_nonzeros = std::min(size, listed);
    m_size = m_nonzeros + (zeros_count ? size : 0);
    m_listed = groups_of(exec, m_entries.listed);
    m_missing = m_entries.missing ? groups_of(exec, *m_entries.missing) : m_listed;
    m_at_once = std::max<std::size_t>(1, drawn_at_once / std::max<std::size_t>(1, m_size));
    const std::size_t drawn = m_at_once * m_size;
    const auto order = static_cast<std::size_t>(m_entries.listed.order());
    m_subscripts = new_view<Subscripts>("genten::subscripts", drawn, order);
    m_values = new_view<Values>("genten::values", drawn);
    m_weights = new_view<Weights>("genten::weights", drawn);
    m_flags = new_view<Flags>("genten::listed_entries", drawn);
    m_slopes = new_view<Weights>("genten::slopes", m_size);
  }

  /// Batches that are drawn together.
  [[nodiscard]] std::size_t at_once() const { return m_at_once; }

  void draw(const Exec& exec, std::uint64_t seed) {
    if (m_size == 0) return;
    using From = typename Subscripts::const_type;
    const auto nnz = static_cast<double>(m_entries.listed.nnz());
    DrawStratified<Subscripts, Values, Weights, Find> draw{
        .from = m_entries.listed.subscripts(),
        .from_values = m_entries.listed.values(),
        .subscripts = m_subscripts,
        .values = m_values,
        .weights = m_weights,
        .find_listed = {m_listed, From(m_subscripts), m_flags},
        .find_missing = {m_missing, From(m_subscripts), m_flags},
        .has_missing = m_entries.missing.has_value(),
        .batch = m_size,
        .nonzeros = m_nonzeros,
        .nonzero_weight = m_nonzeros == 0 ? 0.0 : nnz / static_cast<double>(m_nonzeros),
        .zero_weight = 1.0 / static_cast<double>(std::max<std::size_t>(1, m_size - m_nonzeros)),
        .dimensions = {},
        .order = m_entries.listed.order(),
        .seed = seed};
    for (int n = 0; n < draw.order; ++n) {
      draw.dimensions[n] = m_entries.listed.dimension(n);
      draw.zero_weight *= static_cast<double>(draw.dimensions[n]);
    }
    Kokkos::parallel_for(
        "genten::draw_batches",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, m_values.extent(0)),
        draw);
    fence(exec, "genten::draw_batches");
  }

  /// gradient += what the loss adds by batch `number` of those that are drawn; 0 in fixed modes.
  void add_gradient(const Exec& exec, std::size_t number, const StackedModel<Scalar, Exec>& model,
                    const GcpLimits& limits, const FacMatrix<Scalar, Exec>& gradient) {
    if (m_size == 0) return;
    write_slopes(exec, number * m_size, model.model());
    using Products = EntryProducts<Scalar, Subscripts, Weights>;
    const Products products{.model = model.all(),
                            .gradient = gradient,
                            .subscripts = m_subscripts,
                            .slopes = m_slopes,
                            .limits = limits,
                            .order = m_entries.listed.order(),
                            .first = number * m_size,
                            .count = m_size};
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    if constexpr (is_host_space<Exec>) {
      const std::size_t tiles = (model.all().columns() + Products::tile - 1) / Products::tile;
      Kokkos::parallel_for("genten::batch_gradient",
                           Policy(exec, 0, static_cast<std::size_t>(products.order) * tiles),
                           SumOfTile<Products>{products});
    } else {
      Kokkos::parallel_for("genten::batch_gradient", Policy(exec, 0, m_size),
                           SumOfEntry<Products>{products});
    }
    fence(exec, "genten::batch_gradient");
  }

 private:
  using Flags = Kokkos::View<unsigned char*, Space>;
  using Groups = SubscriptGroups<RowNumber, Exec>;
  using Find = FlagListed<Groups, typename Subscripts::const_type, Flags>;

  [[nodiscard]] static Groups groups_of(const Exec& exec,
                                        const Sptensor<Scalar, RowNumber, Exec>& tensor) {
    return group_subscripts<RowNumber, Exec>(exec, tensor.dimensions(), tensor.subscripts(),
                                             tensor.facts().sorted);
  }

  void write_slopes(const Exec& exec, std::size_t first, const Ktensor<Scalar, Exec>& model) {
    const BlockLoss* const blocks = m_entries.loss.blocks();
    if (blocks != nullptr) {
      if constexpr (is_host_space<Exec>) write_slopes_of_blocks(*blocks, first, model);
      return;
    }
    Kokkos::parallel_for("genten::batch_slopes",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, m_size),
                         WeightedSlopes<Scalar, Subscripts, Values, Weights>{
                             m_subscripts, m_values, m_weights, m_slopes,
                             ModelValues<Scalar>(model), m_entries.loss.kernel(), first});
  }
  /// Of a loss whose functions take many entries at once.
  void write_slopes_of_blocks(const BlockLoss& loss, std::size_t first,
                              const Ktensor<Scalar, Exec>& model) {
    const ModelValues<Scalar> value_of(model);
    m_x.resize(m_size);
    m_model.resize(m_size);
    for (std::size_t j = 0; j < m_size; ++j) {
      m_x[j] = static_cast<double>(m_values(first + j));
      m_model[j] = value_of(&m_subscripts(first + j, 0));
    }
    loss.slope(m_x.data(), m_model.data(), m_slopes.data(), m_size);
    for (std::size_t j = 0; j < m_size; ++j) {
      const double weight = m_weights(first + j);
      m_slopes(j) = weight == 0.0 ? 0.0 : weight * m_slopes(j);
    }
  }

  Entries m_entries;
  std::size_t m_size = 0;      ///< of a batch
  std::size_t m_nonzeros = 0;  ///< in it
  std::size_t m_at_once = 1;
  Groups m_listed, m_missing;
  Subscripts m_subscripts;
  Values m_values;
  Weights m_weights, m_slopes;
  Flags m_flags;
  std::vector<double> m_x, m_model;
};

}  // namespace genten::detail
