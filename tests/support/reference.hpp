// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A plain, serial, double-precision reference that shares nothing with the library but the types
/// that it reads: tests compare the library with it.

#include "plain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace genten_test {

// ---- MTTKRP

/// The MTTKRP of one mode with what a comparison needs: for each entry the sum of the absolute
/// values of its terms, and for each row the number of nonzeros that contribute.
struct MttkrpReference {
  PlainMatrix value;
  PlainMatrix absolute;
  std::vector<std::size_t> row_nonzeros;
  std::size_t order = 0;

  /// How far a computation in `Scalar`, whatever its order of additions, may be from `value`: each
  /// term has N - 1 multiplications and at most row_nonzeros additions happen to it, each with a
  /// relative error of at most epsilon / 2. (The reference's own error, in double, is allowed for.)
  template <class Scalar>
  [[nodiscard]] double bound(std::size_t i, std::size_t j) const {
    const double roundings = static_cast<double>(row_nonzeros[i] + order);
    return roundings * static_cast<double>(std::numeric_limits<Scalar>::epsilon()) * absolute(i, j);
  }
};

/// V(i, r) = sum over nonzeros with subscript i in `mode` of value times the product over the other
/// modes n of factors[n](i_n, r). Weights are not applied.
[[nodiscard]] inline MttkrpReference mttkrp_reference(const PlainTensor& tensor,
                                                      const std::vector<PlainMatrix>& factors,
                                                      std::size_t mode) {
  const std::size_t rows = tensor.dimensions[mode], rank = factors[0].columns;
  MttkrpReference result{PlainMatrix(rows, rank), PlainMatrix(rows, rank),
                         std::vector<std::size_t>(rows, 0), tensor.order()};
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    const std::size_t i = tensor.subscripts[p][mode];
    ++result.row_nonzeros[i];
    for (std::size_t r = 0; r < rank; ++r) {
      double term = tensor.values[p];
      for (std::size_t n = 0; n < tensor.order(); ++n) {
        if (n != mode) term *= factors[n](tensor.subscripts[p][n], r);
      }
      result.value(i, r) += term;
      result.absolute(i, r) += std::abs(term);
    }
  }
  return result;
}

/// The same, from the library's types.
template <class Scalar, class Ordinal, class Exec>
[[nodiscard]] MttkrpReference mttkrp_reference(
    const genten::Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::vector<genten::FacMatrix<Scalar, Exec>>& factors, int mode) {
  std::vector<PlainMatrix> plain_factors;
  for (const auto& factor : factors) plain_factors.push_back(plain(factor));
  return mttkrp_reference(plain(tensor), plain_factors, static_cast<std::size_t>(mode));
}

/// Whether every entry is within its bound of the reference: EXPECT_TRUE(mttkrp_agrees(v, ref)).
template <class Scalar, class Exec>
[[nodiscard]] ::testing::AssertionResult mttkrp_agrees(
    const genten::FacMatrix<Scalar, Exec>& actual, const MttkrpReference& reference) {
  using Value = std::remove_const_t<Scalar>;
  if (actual.rows() != reference.value.rows || actual.columns() != reference.value.columns) {
    return ::testing::AssertionFailure()
           << "expected " << reference.value.rows << " x " << reference.value.columns << ", got "
           << actual.rows() << " x " << actual.columns();
  }
  const PlainMatrix elements = plain(actual);
  for (std::size_t i = 0; i < elements.rows; ++i) {
    for (std::size_t j = 0; j < elements.columns; ++j) {
      const double expected = reference.value(i, j), got = elements(i, j);
      if (std::abs(got - expected) <= reference.bound<Value>(i, j)) continue;
      return ::testing::AssertionFailure()
             << "entry (" << i << ", " << j << "): expected " << expected << ", got " << got
             << ", off by " << std::abs(got - expected) << ", bound "
             << reference.bound<Value>(i, j) << " from " << reference.row_nonzeros[i]
             << " nonzeros";
    }
  }
  return ::testing::AssertionSuccess();
}

// ---- models

/// A model's entry.
[[nodiscard]] inline double entry_reference(const PlainModel& model,
                                            const std::vector<std::size_t>& subscripts) {
  double sum = 0.0;
  for (std::size_t r = 0; r < model.weights.size(); ++r) {
    double term = model.weights[r];
    for (std::size_t n = 0; n < subscripts.size(); ++n) term *= model.factors[n](subscripts[n], r);
    sum += term;
  }
  return sum;
}

/// Calls visit(subscripts) for every element of a dense tensor, the first subscript fastest.
template <class Visit>
void for_each_element(const std::vector<std::size_t>& dimensions, const Visit& visit) {
  for (const std::size_t dimension : dimensions) {
    if (dimension == 0) return;
  }
  std::vector<std::size_t> subscripts(dimensions.size(), 0);
  while (true) {
    visit(subscripts);
    std::size_t n = 0;
    while (n < dimensions.size() && ++subscripts[n] == dimensions[n]) subscripts[n++] = 0;
    if (n == dimensions.size()) return;
  }
}

/// Frobenius norm of the tensor, duplicates added up first.
[[nodiscard]] inline double norm_reference(const PlainTensor& tensor) {
  double sum = 0.0;
  for (const auto& [subscripts, value] : tensor.entries()) sum += value * value;
  return std::sqrt(sum);
}

/// Frobenius norm of the model, element by element.
[[nodiscard]] inline double norm_reference(const PlainModel& model) {
  std::vector<std::size_t> dimensions;
  for (const auto& factor : model.factors) dimensions.push_back(factor.rows);
  double sum = 0.0;
  for_each_element(dimensions, [&](const std::vector<std::size_t>& subscripts) {
    const double value = entry_reference(model, subscripts);
    sum += value * value;
  });
  return std::sqrt(sum);
}

/// Inner product of tensor and model.
[[nodiscard]] inline double innerprod_reference(const PlainTensor& tensor,
                                                const PlainModel& model) {
  double sum = 0.0;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    sum += tensor.values[p] * entry_reference(model, tensor.subscripts[p]);
  }
  return sum;
}

/// ||X - M||, element by element, so without cancellation. For small tensors.
[[nodiscard]] inline double residual_reference(const PlainTensor& tensor, const PlainModel& model) {
  const auto entries = tensor.entries();
  double sum = 0.0;
  for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& subscripts) {
    const auto found = entries.find(subscripts);
    const double value = found == entries.end() ? 0.0 : found->second;
    const double difference = value - entry_reference(model, subscripts);
    sum += difference * difference;
  });
  return std::sqrt(sum);
}

/// 1 - ||X - M|| / ||X||.
[[nodiscard]] inline double fit_reference(const PlainTensor& tensor, const PlainModel& model) {
  return 1.0 - residual_reference(tensor, model) / norm_reference(tensor);
}

}  // namespace genten_test
