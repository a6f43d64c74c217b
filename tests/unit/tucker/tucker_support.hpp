// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of Tucker decompositions share.

#include <genten/core/cross_gram.hpp>
#include <genten/tucker/tucker.hpp>

#include "plain.hpp"
#include "test_types.hpp"
#include "tucker_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tucker_test {

using genten::TuckerInit;
using genten::TuckerMethod;
using genten::TuckerOptions;
using genten_test::PlainTensor;

template <class Types>
class TuckerTest : public testing::Test {
 public:
  using Exec = typename Types::Exec;
  using Scalar = typename Types::Scalar;
  using Result = genten::TuckerResult<Scalar, Exec>;
  using Model = genten::Ttensor<Scalar, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;

 protected:
  static auto tensor_of(const PlainTensor& plain) {
    return genten_test::to_sptensor<Scalar, typename Types::Ordinal, Exec>(plain);
  }
  Result run(const PlainTensor& plain, const TuckerOptions& options) {
    return genten::tucker(exec, tensor_of(plain), options);
  }
  static double tolerance() { return sizeof(Scalar) == 4 ? 1e-5 : 1e-9; }
  static double roundings() { return sizeof(Scalar) == 4 ? 1e-5 : 1e-13; }

  /// ||X - M|| by all elements, with the model's elements one by one.
  static double residual_of(const PlainTensor& plain, const Model& model) {
    const auto entries = plain.entries();
    double sum = 0.0;
    std::vector<std::size_t> subscripts(plain.order(), 0);
    for (bool more = true; more;) {
      const auto found = entries.find(subscripts);
      const double distance =
          (found == entries.end() ? 0.0 : found->second) - genten::value_at(model, subscripts);
      sum += distance * distance;
      more = false;
      for (std::size_t n = 0; n < subscripts.size() && !more; ++n) {
        more = ++subscripts[n] < plain.dimensions[n];
        if (!more) subscripts[n] = 0;
      }
    }
    return std::sqrt(sum);
  }
  static double norm_of(const PlainTensor& plain) {
    double sum = 0.0;
    for (const auto& [subscripts, value] : plain.entries()) sum += value * value;
    return std::sqrt(sum);
  }

  /// Orthonormal factors of positive first largest elements (but for fixed ones), ||core||^2 +
  /// residual^2 = ||X||^2, and the residual that of all elements.
  void expect_consistent(const PlainTensor& plain, const Result& result,
                         const std::vector<int>& fixed = {}) {
    for (int n = 0; n < result.model.order(); ++n) {
      if (!result.model.is_compressed(n)) continue;
      const Matrix& factor = result.model.factor(n);
      const auto gram = genten::cross_gram(exec, factor, factor);
      for (std::size_t r = 0; r < gram.extent(0); ++r) {
        double largest = 0.0;
        for (std::size_t i = 0; i < factor.rows(); ++i) {
          const auto element = static_cast<double>(factor(i, r));
          if (std::abs(element) > std::abs(largest)) largest = element;
        }
        EXPECT_TRUE(largest > 0.0 || std::count(fixed.begin(), fixed.end(), n) != 0);
        for (std::size_t s = 0; s < gram.extent(0); ++s) {
          EXPECT_NEAR(gram(r, s), r == s ? 1.0 : 0.0, roundings());
        }
      }
    }
    const double norm = norm_of(plain);
    EXPECT_NEAR(result.tensor_norm, norm, tolerance() * norm);
    EXPECT_NEAR(genten::core_norm(result.model), result.core_norm, tolerance() * norm);
    EXPECT_NEAR(std::hypot(result.core_norm, result.residual_norm), norm, tolerance() * norm);
    EXPECT_NEAR(result.fit, 1.0 - result.residual_norm / result.tensor_norm, 1e-15);
    EXPECT_NEAR(residual_of(plain, result.model), result.residual_norm,
                result.residual_error + tolerance() * norm);
    EXPECT_TRUE(result.vectors_converged);
  }
  Exec exec;
};

}  // namespace tucker_test
