// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Random entries of a box that stand for all of it: zeros, where there are too many to go through.

#include <genten/core/model_values.hpp>
#include <genten/core/random.hpp>
#include <genten/core/sptensor.hpp>

#include <vector>

namespace genten::detail {

/// The part of draws that are uniform where the others follow a model: no entry is so unlikely that
/// its weight is more than four times that of a uniform sample, whatever the model becomes.
inline constexpr double uniform_part = 0.25;

/// One number a row, the modes one below the other, and component.
template <ExecutionSpace Exec>
using ColumnSums = Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>;

/// The sums of each column up to each row.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ColumnSums<Exec> sums_down_columns(const Exec& exec,
                                                 const Ktensor<Scalar, Exec>& model,
                                                 std::size_t rows) {
  const auto sums = new_view<ColumnSums<Exec>>("genten::sums_down_columns", rows, model.rank());
  std::size_t first = 0;
  for (const auto& factor : model.factors()) {
    const std::size_t length = factor.rows();
    Kokkos::parallel_for(
        "genten::sums_down_columns",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, model.rank()),
        KOKKOS_LAMBDA(const std::size_t r) {
          double sum = 0.0;
          for (std::size_t i = 0; i < length; ++i) {
            sums(first + i, r) = sum += static_cast<double>(factor(i, r));
          }
        });
    first += length;
  }
  fence(exec, "genten::sums_down_columns");
  return sums;
}

/// Draws entries from a mixture: with some probability uniformly, else in proportion to the value
/// of a model without negative elements. As that is a sum of products, a component is drawn by its
/// mass and each subscript by the component's column.
template <RealScalar Scalar, ExecutionSpace Exec>
class ProductDraw {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Space = typename Exec::memory_space;

  /// Uniform alone, unless `by_model`, and where the model is 0.
  ProductDraw(const Exec& exec, const Model& model, bool by_model) : m_order(model.order()) {
    std::size_t rows = 0;
    for (int n = 0; n < m_order; ++n) {
      m_first[n] = rows;
      m_length[n] = model.dimensions()[static_cast<std::size_t>(n)];
      m_entries *= static_cast<double>(m_length[n]);
      rows += m_length[n];
    }
    if (!by_model) return;
    const std::size_t rank = model.rank();
    m_sums = sums_down_columns(exec, model, rows);
    m_mass = new_view<Mass>("genten::mass_of_components", rank);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_sums);
    const auto mass = Kokkos::create_mirror_view(m_mass);
    for (std::size_t r = 0; r < rank; ++r) {
      double product = 1.0;
      for (int n = 0; n < m_order; ++n) product *= host(m_first[n] + m_length[n] - 1, r);
      mass(r) = m_total += product;
    }
    Kokkos::deep_copy(m_mass, mass);
    m_uniform = m_total > 0.0 ? uniform_part : 1.0;
  }

  /// Writes the subscripts of draw k.
  template <SubscriptOrdinal Ordinal>
  KOKKOS_FUNCTION void draw(std::uint64_t seed, std::uint64_t k, Ordinal* subscripts) const {
    const auto uniform = [=](int what) {
      return random_uniform(seed, k, static_cast<std::uint64_t>(what));
    };
    const bool anywhere = uniform(m_order) < m_uniform;
    std::size_t component = 0;
    if (!anywhere) {
      const double at = uniform(m_order + 1) * m_total;
      while (component + 1 < m_mass.extent(0) && m_mass(component) <= at) ++component;
    }
    for (int n = 0; n < m_order; ++n) {
      const std::size_t row =
          anywhere ? static_cast<std::size_t>(uniform(n) * static_cast<double>(m_length[n]))
                   : row_at(n, component, uniform(n));
      subscripts[n] = static_cast<Ordinal>(row < m_length[n] ? row : m_length[n] - 1);
    }
  }
  /// The probability of an entry at which the model has the value m.
  [[nodiscard]] KOKKOS_FUNCTION double probability(double m) const {
    return m_uniform / m_entries + (m_uniform < 1.0 ? (1.0 - m_uniform) * m / m_total : 0.0);
  }

 private:
  using Mass = Kokkos::View<double*, Space>;

  /// The first row up to which the column adds up to more than that part of its sum.
  KOKKOS_FUNCTION std::size_t row_at(int n, std::size_t r, double part) const {
    const std::size_t first = m_first[n];
    std::size_t low = 0, high = m_length[n] - 1;
    const double at = part * m_sums(first + high, r);
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (m_sums(first + middle, r) <= at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  int m_order;
  Kokkos::Array<std::size_t, max_order> m_first{}, m_length{};
  double m_entries = 1.0, m_total = 0.0, m_uniform = 1.0;
  ColumnSums<Exec> m_sums;
  Mass m_mass;  ///< of components, up to each
};

/// So many draws, each with the weight with which a function of it stands for the sum of that over
/// all entries.
template <SubscriptOrdinal Ordinal, RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> draw_entries(const Exec& exec,
                                                           const Ktensor<Scalar, Exec>& model,
                                                           std::size_t draws, std::uint64_t seed,
                                                           bool by_model) {
  using Space = typename Exec::memory_space;
  const ProductDraw<Scalar, Exec> source(exec, model, by_model);
  const auto subscripts = new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Space>>(
      Kokkos::view_alloc(exec, "genten::subscripts", Kokkos::WithoutInitializing), draws,
      model.dimensions().size());
  const auto weights = new_view<Kokkos::View<Scalar*, Space>>(
      Kokkos::view_alloc(exec, "genten::weights", Kokkos::WithoutInitializing), draws);
  const ModelValues<Scalar> value_of(model);
  Kokkos::parallel_for(
      "genten::draw_entries",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, draws),
      KOKKOS_LAMBDA(const std::size_t k) {
        source.draw(seed, k, &subscripts(k, 0));
        const double probability = source.probability(value_of(&subscripts(k, 0)));
        weights(k) = static_cast<Scalar>(1.0 / (static_cast<double>(draws) * probability));
      });
  fence(exec, "genten::draw_entries");
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, model.dimensions(), subscripts, weights,
                                                  SptensorFacts());
}

}  // namespace genten::detail
