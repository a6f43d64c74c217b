// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// WeightedZeros: the sum of weights times f(0, m) over some entries, and its gradient.

#include <genten/cp/detail/apr/walk_plan.hpp>
#include <genten/cp/detail/gcp/entry_values.hpp>

#include <algorithm>
#include <cmath>

namespace genten::detail {

/// What the traversals with a loss multiply the other factors' rows by.
enum class SlopeOf {
  entry,              ///< f'(x, m)
  entry_beyond_zero,  ///< that without f'(0, m), which is summed over all entries
  zero_times_weight   ///< x f'(0, m), x being a weight
};

template <RealScalar Scalar>
struct LossSlope {
  LossKernel loss;
  SlopeOf of;
  KOKKOS_INLINE_FUNCTION Scalar operator()(Scalar x, Scalar m) const {
    const auto value = static_cast<double>(x), model = static_cast<double>(m);
    if (of == SlopeOf::zero_times_weight) {
      return static_cast<Scalar>(value * loss.slope(0.0, model));
    }
    const double slope = loss.slope(value, model);
    return static_cast<Scalar>(of == SlopeOf::entry ? slope : slope - loss.slope(0.0, model));
  }
};

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
        m_plan(make_walk_plan(exec, m_entries, rank, options, available)) {}

  [[nodiscard]] const Tensor& entries() const { return m_entries; }

  [[nodiscard]] WeightedZeroSums sums(const Exec& exec, const Model& model,
                                      const LossKernel& loss) const {
    const ModelValues<Scalar> value_of(model);
    const auto subscripts = m_entries.subscripts();
    const auto weights = m_entries.values();
    return sum_of_nonzeros<WeightedZeroSums>(
        "genten::weighted_zeros", exec, m_entries.nnz(), KOKKOS_LAMBDA(const offset_t p) {
          const auto weight = static_cast<double>(weights(p));
          const double m = value_of(&subscripts(p, 0)), value = weight * loss.value(0.0, m);
          return WeightedZeroSums{value, value * value, weight * m * m};
        });
  }

  /// gradient += that of the sum by the factor of the mode.
  void add_gradient(const Exec& exec, const Model& model, const LossKernel& loss, int mode,
                    const Matrix& gradient) {
    const Matrix part(
        typename Matrix::view_type(m_memory.data(), gradient.rows(), m_memory.stride()),
        gradient.columns());
    m_plan.execute_with(exec, LossSlope<Scalar>{loss, SlopeOf::zero_times_weight}, model.factors(),
                        mode, part);
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
  MttkrpPlan<Scalar, Ordinal, Exec> m_plan;
};

}  // namespace genten::detail
