// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of cp_gcp share.

#include <genten/cp/cp_gcp.hpp>

#include "formula_data.hpp"
#include "reference.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace genten_test {

template <class Combination>
class GcpTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Tensor = genten::Sptensor<Scalar, std::uint32_t, Exec>;
  using Model = genten::Ktensor<Scalar, Exec>;
  static constexpr bool is_double = sizeof(Scalar) == 8;

  Exec exec;

  static Tensor make(const PlainTensor& tensor) {
    return to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
  }
  static Tensor make(const char* name) { return make(formula_tensor(name)); }
  static Model make(const PlainModel& model) { return to_ktensor<Scalar, Exec>(model); }
  static Model ones(const std::vector<std::size_t>& dimensions) {
    PlainModel model = formula_model(dimensions, 1, '+');
    for (auto& factor : model.factors) {
      std::fill(factor.elements.begin(), factor.elements.end(), 1.0);
    }
    return make(model);
  }
  template <class Call>
  static std::string message_of(const Call& call) {
    try {
      call();
    } catch (const genten::Error& error) {
      return error.what();
    }
    return "no error";
  }
  static bool has(const std::vector<genten::GcpWarning>& warnings, genten::GcpDoubt doubt) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const auto& warning) { return warning.doubt == doubt; });
  }
  /// Weights one: those of the model multiplied into its first factor.
  static PlainModel with_weights_inside(const Model& from) {
    PlainModel model = plain(from);
    for (std::size_t r = 0; r < model.weights.size(); ++r) {
      for (std::size_t i = 0; i < model.factors[0].rows; ++i) {
        model.factors[0](i, r) *= model.weights[r];
      }
      model.weights[r] = 1.0;
    }
    return model;
  }
  /// Runs run(loss, tensor) with several numbers of threads; closed and enumerated zeros alike.
  template <class Run>
  static void expect_same_bits(const Run& run) {
    if (!has_threads()) GTEST_SKIP() << "this host backend has one thread";
    if (!genten::is_host_space<Exec>) GTEST_SKIP() << "hosts alone";
    const auto results = with_thread_counts([&] {
      PlainTensor tensor = random_tensor({.dimensions = {70, 300, 11}, .nnz = 5000, .seed = 3});
      for (double& x : tensor.values) x = 1.0;
      BitHash hash;
      for (const genten::AnyLoss& loss : {genten::AnyLoss(genten::losses::Poisson()),
                                          genten::AnyLoss(genten::losses::NegativeBinomial{1.0})}) {
        const auto result = run(loss, tensor);
        for (const auto& record : result.history) hash.add(record.objective);
        for (const auto& factor : plain(result.model).factors) {
          for (const double x : factor.elements) hash.add(x);
        }
      }
      return hash.text();
    });
    if (in_child()) return;
    EXPECT_EQ(results[1], results[0]);
    EXPECT_EQ(results[2], results[0]);
  }
};

}  // namespace genten_test
