// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// LbfgsPairs: the differences of points and gradients that L-BFGS makes its direction from.

#include <genten/cp/detail/gcp/lbfgs_passes.hpp>
#include <genten/cp/detail/gcp/stacked_model.hpp>

#include <cmath>
#include <vector>

namespace genten::detail {

template <RealScalar Scalar, ExecutionSpace Exec>
class LbfgsPairs {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using At = PointAndSlope<Scalar, Exec>;

  /// Room for so many pairs.
  LbfgsPairs(const Exec& exec, std::size_t rows, std::size_t columns, std::size_t most) {
    for (std::size_t k = 0; k < most; ++k) {
      m_pairs.push_back({Matrix(exec, rows, columns, "genten::lbfgs_steps"),
                         Matrix(exec, rows, columns, "genten::lbfgs_slopes")});
    }
  }

  [[nodiscard]] std::size_t count() const { return m_count; }
  void clear() { m_count = 0; }
  /// The pair so many places from the oldest.
  [[nodiscard]] const Matrix& step(std::size_t k) const { return m_pairs[place(k)].step; }
  [[nodiscard]] const Matrix& slope(std::size_t k) const { return m_pairs[place(k)].slope; }
  /// Adds a pair, which is to be written by fill(step, slope), in the place of the oldest where
  /// there is no more room.
  template <class Fill>
  void add(const Fill& fill) {
    if (m_count == m_pairs.size()) {
      m_first = (m_first + 1) % m_pairs.size();
    } else {
      ++m_count;
    }
    fill(step(m_count - 1), slope(m_count - 1));
  }

  /// The direction at a point. All inner products come from one pass, and the two loops of L-BFGS
  /// run over these (Chen, Wang and Zhou, Large-scale L-BFGS using MapReduce, NIPS 2014): bounds
  /// leave other elements free in every step, so that none can be kept. `first_length` is that of
  /// a step along the gradient where there are no pairs.
  void write(const Exec& exec, const At& at, double first_length, const Matrix& direction) const {
    VectorSet<Scalar> vectors;
    for (std::size_t k = 0; k < m_count; ++k) vectors.add(step(k).data());
    for (std::size_t k = 0; k < m_count; ++k) vectors.add(slope(k).data());
    vectors.add(at.gradient.data());
    const HostMatrix products = free_products(exec, at, vectors);
    const auto pairs = static_cast<int>(m_count);
    std::vector<double> numbers(static_cast<std::size_t>(vectors.count), 0.0);
    numbers.back() = 1.0;
    const auto product_with = [&](int vector) {
      double sum = 0.0;
      for (int k = 0; k < vectors.count; ++k) {
        sum += numbers[static_cast<std::size_t>(k)] * products(k, vector);
      }
      return sum;
    };
    const auto curved = [&](int k) {
      const double along = products(k, pairs + k);
      return along > 1e-10 * std::sqrt(products(k, k) * products(pairs + k, pairs + k));
    };
    std::vector<double> alpha(m_count, 0.0);
    double length = first_length;
    for (int k = pairs - 1; k >= 0; --k) {
      if (!curved(k)) continue;
      const auto place_of = static_cast<std::size_t>(k);
      alpha[place_of] = product_with(k) / products(k, pairs + k);
      numbers[static_cast<std::size_t>(pairs + k)] -= alpha[place_of];
    }
    for (int k = pairs - 1; k >= 0; --k) {
      if (!curved(k)) continue;
      length = products(k, pairs + k) / products(pairs + k, pairs + k);
      break;
    }
    for (double& number : numbers) number *= length;
    for (int k = 0; k < pairs; ++k) {
      if (!curved(k)) continue;
      const double beta = product_with(pairs + k) / products(k, pairs + k);
      numbers[static_cast<std::size_t>(k)] += alpha[static_cast<std::size_t>(k)] - beta;
    }
    write_direction(exec, at, vectors, numbers, length, direction);
  }

 private:
  struct Pair {
    Matrix step, slope;
  };
  [[nodiscard]] std::size_t place(std::size_t k) const { return (m_first + k) % m_pairs.size(); }

  std::vector<Pair> m_pairs;
  std::size_t m_first = 0;
  std::size_t m_count = 0;
};

}  // namespace genten::detail
