// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Extrapolation: a model of counts moved on in the direction in which sweeps improve it.

#include <genten/core/columns.hpp>
#include <genten/core/ktensor_ops.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace genten::detail {

/// What is left of an element at least: zeros are for steps to find, since multiplicative ones
/// never leave them.
inline constexpr double least_left = 0.1;

/// Elements of `before` become now + length (now - before), but no less than a tenth of `now`, and
/// its columns add up to one.
template <RealScalar Scalar, ExecutionSpace Exec>
void move_on(const Exec& exec, const FacMatrix<Scalar, Exec>& now,
             const FacMatrix<Scalar, Exec>& before, double length) {
  const std::size_t columns = now.columns();
  const auto by = static_cast<Scalar>(length), left = static_cast<Scalar>(least_left);
  const Scalar least = std::numeric_limits<Scalar>::min();
  Kokkos::parallel_for(
      "genten::move_on",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, now.rows()),
      KOKKOS_LAMBDA(const std::size_t i) {
        for (std::size_t r = 0; r < columns; ++r) {
          const Scalar from = now(i, r), floor = left * from;
          const Scalar goal = from + by * (from - before(i, r));
          const Scalar moved = goal > floor ? goal : floor;
          before(i, r) = moved < least ? Scalar(0) : moved;
        }
      });
  std::vector<double> sums = column_norms(exec, before, NormKind::one);
  std::replace(sums.begin(), sums.end(), 0.0, 1.0);
  scale_columns(exec, before, sums, true);
}

/// What sweeps have made of a model points to where they will take it. After a sweep the model M
/// becomes M + length (M - M'), elements being kept above 0, where that lowers the objective, M'
/// being what the sweep before had made of it; otherwise M stays, and the length shrinks. After
/// Ang, Cohen, Hien and Gillis, Extrapolated Alternating Algorithms for Approximate Canonical
/// Polyadic Decomposition, ICASSP 2020, who extrapolate the factors one by one.
template <RealScalar Scalar, ExecutionSpace Exec>
class Extrapolation {
 public:
  using Model = Ktensor<Scalar, Exec>;

  Extrapolation() = default;
  /// Goes on from M', or from nothing.
  Extrapolation(Model before, std::vector<double> weights, double length)
      : m_before(std::move(before)), m_weights(std::move(weights)), m_length(length) {}

  /// `model`'s columns add up to one, and `weights` are its. `lowers()` evaluates it as it then is,
  /// and says whether it is better than it was. True where it is: model and weights are other ones
  /// then, in other memory.
  template <class Lowers>
  bool extrapolate(const Exec& exec, Model& model, std::vector<double>& weights,
                   const Lowers& lowers) {
    if (m_weights.empty()) {
      m_before = clone(exec, model);
      m_weights = weights;
      return false;
    }
    for (int n = 0; n < model.order(); ++n) {
      move_on(exec, model.factor(n), m_before.factor(n), m_length);
    }
    move_weights(weights);
    std::swap(model, m_before);
    std::swap(weights, m_weights);
    set_weights(exec, model, weights);
    if (lowers()) {
      m_length *= growth;
      return true;
    }
    std::swap(model, m_before);
    std::swap(weights, m_weights);
    deep_copy(exec, m_before, model);
    m_weights = weights;
    m_length = std::max(least_length, shrinkage * m_length);
    return false;
  }

  /// M', of no weights where there is none.
  [[nodiscard]] const Model& before() const { return m_before; }
  [[nodiscard]] const std::vector<double>& weights() const { return m_weights; }
  [[nodiscard]] double length() const { return m_length; }

 private:
  static constexpr double first_length = 0.5;
  static constexpr double least_length = 0.1;
  static constexpr double growth = 1.2;
  static constexpr double shrinkage = 0.5;

  /// The same with the weights, whose sum stays.
  void move_weights(const std::vector<double>& now) {
    const double sum = std::accumulate(now.begin(), now.end(), 0.0);
    double moved = 0.0;
    for (std::size_t r = 0; r < now.size(); ++r) {
      m_weights[r] = std::max(least_left * now[r], now[r] + m_length * (now[r] - m_weights[r]));
      moved += m_weights[r];
    }
    for (double& weight : m_weights) weight *= moved > 0.0 ? sum / moved : 0.0;
  }

  Model m_before;
  std::vector<double> m_weights;
  double m_length = first_length;
};

}  // namespace genten::detail
