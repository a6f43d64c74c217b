// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// WeightedZeros: the sum of weights times f(0, m) over some entries, and its gradient.

#include <genten/cp/detail/gcp/entry_values.hpp>

#include <algorithm>
#include <cmath>

namespace genten::detail {

/// With the model's values m, and weights w.
struct WeightedZeroSums {
  double value = 0.0;         ///< of w f(0, m)
  double value_square = 0.0;  ///< of its squares
  double model_square = 0.0;  ///< of w m^2

  KOKKOS_FUNCTION void add(const WeightedZeroSums& other) {
    value += other.value;
    value_square += other.value_square;
    model_square += other.model_square;
  }
};

/// What they are added up of, by MappedMttkrp.
struct WeightedZeroLoss {
  LossKernel loss;

  KOKKOS_INLINE_FUNCTION WeightedZeroSums operator()(double weight, double m) const {
    const double value = weight * loss.value(0.0, m);
    return {value, value * value, weight * m * m};
  }
  void add(WeightedZeroSums& sums, const double* weights, const double* m, int count) const {
    double f[most_entries] = {};
    loss.values(f, m, f, count);
    for (int k = 0; k < count; ++k) {
      const double value = weights[k] * f[k];
      sums.add({value, value * value, weights[k] * m[k] * m[k]});
    }
  }
};

/// The standard error of a sum over so many independent draws, those among them that count for
/// nothing.
[[nodiscard]] inline double error_of_sum(const WeightedZeroSums& sums, std::size_t draws) {
  const auto n = static_cast<double>(draws);
  const double square = sums.value_square - sums.value * sums.value / n;
  return std::sqrt(std::max(0.0, square) * n / std::max(1.0, n - 1.0));
}

/// Entries of a tensor whose values are their weights.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class WeightedZeros {
 public:
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;
  using Model = Ktensor<Scalar, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;

  WeightedZeros(const Exec& exec, Tensor entries, std::size_t rank, const MttkrpOptions& options,
                double available)
      : m_entries(std::move(entries)),
        m_memory(exec,
                 *std::max_element(m_entries.dimensions().begin(), m_entries.dimensions().end()),
                 rank, "genten::weighted_zeros"),
        m_mapped(exec, m_entries, rank, options, available) {}

  [[nodiscard]] const Tensor& entries() const { return m_entries; }

  [[nodiscard]] WeightedZeroSums sums(const Exec& exec, const Model& model,
                                      const LossKernel& loss) {
    return m_mapped.template sum<WeightedZeroSums>(exec, model.factors(), WeightedZeroLoss{loss});
  }

  /// Finds what gradients at this model sum; `is_summed`: `sums` has been called for it last.
  void find_slopes(const Exec& exec, const Model& model, const LossKernel& loss, bool is_summed) {
    m_mapped.map(exec, model.factors(), LossSlope{loss, SlopeOf::zero_times_weight}, is_summed);
  }
  /// gradient += that of the sum by the factor of the mode.
  void add_gradient(const Exec& exec, const Model& model, int mode, const Matrix& gradient) {
    const Matrix part(
        typename Matrix::view_type(m_memory.data(), gradient.rows(), m_memory.stride()),
        gradient.columns());
    m_mapped.execute(exec, model.factors(), mode, part);
    const std::size_t columns = gradient.columns();
    Kokkos::parallel_for(
        "genten::add_weighted_zeros",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, gradient.rows()),
        KOKKOS_LAMBDA(const std::size_t i) {
          for (std::size_t r = 0; r < columns; ++r) gradient(i, r) += part(i, r);
        });
    fence(exec, "genten::add_weighted_zeros");
  }

 private:
  Tensor m_entries;
  Matrix m_memory;
  MappedMttkrp<Scalar, Ordinal, Exec> m_mapped;
};

}  // namespace genten::detail
