// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Objective and gradient of least squares against sums over every entry, and where CP-ALS ends.
#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/gradient.hpp>

#include "plain.hpp"
#include "test_types.hpp"

#include <genten/cp/cp_als.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;

template <class Combination>
class GradientTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Tensor = genten::Sptensor<Scalar, std::uint32_t, Exec>;
  using Model = genten::Ktensor<Scalar, Exec>;
  using Gradient = genten::CpGradient<Scalar, std::uint32_t, Exec>;
  static constexpr bool is_double = sizeof(Scalar) == 8;

  Exec exec;

  static Tensor make(const PlainTensor& tensor) {
    return genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
  }
  static Model make(const PlainModel& model) {
    return genten_test::to_ktensor<Scalar, Exec>(model);
  }
  static PlainTensor counts(const std::vector<std::size_t>& dimensions, std::size_t nnz) {
    PlainTensor tensor = genten_test::random_tensor(
        {.dimensions = dimensions, .nnz = nnz, .seed = 5, .duplicate_every = 7});
    for (double& x : tensor.values) x = std::floor(10.0 * std::abs(x)) + 1.0;
    return tensor;
  }
  static PlainModel positive(const std::vector<std::size_t>& dimensions, std::size_t rank) {
    PlainModel model = genten_test::random_model(dimensions, rank, 3);
    std::fill(model.weights.begin(), model.weights.end(), 1.0);
    for (auto& factor : model.factors) {
      for (double& x : factor.elements) x = static_cast<Scalar>(std::abs(x) + 0.1);
    }
    return model;
  }

  /// Objective and gradient by a loop over all entries.
  static double reference(const PlainTensor& tensor, const PlainModel& model,
                          PlainModel& gradient) {
    const std::size_t order = tensor.dimensions.size();
    std::map<std::vector<std::size_t>, double> values;
    for (std::size_t p = 0; p < tensor.nnz(); ++p) values[tensor.subscripts[p]] += tensor.values[p];
    for (auto& factor : gradient.factors) {
      std::fill(factor.elements.begin(), factor.elements.end(), 0.0);
    }
    double objective = 0.0;
    std::vector<std::size_t> entry(order, 0);
    for (bool more = true; more;) {
      double m = 0.0;
      for (std::size_t r = 0; r < model.weights.size(); ++r) {
        double product = 1.0;
        for (std::size_t n = 0; n < order; ++n) product *= model.factors[n](entry[n], r);
        m += product;
      }
      const auto found = values.find(entry);
      const double x = found == values.end() ? 0.0 : found->second;
      objective += 0.5 * (x - m) * (x - m);
      for (std::size_t n = 0; n < order; ++n) {
        for (std::size_t r = 0; r < model.weights.size(); ++r) {
          double product = m - x;
          for (std::size_t o = 0; o < order; ++o) {
            if (o != n) product *= model.factors[o](entry[o], r);
          }
          gradient.factors[n](entry[n], r) += product;
        }
      }
      std::size_t n = 0;
      while (n < order && ++entry[n] == tensor.dimensions[n]) entry[n++] = 0;
      more = n < order;
    }
    return objective;
  }
  static double largest(const PlainModel& model) {
    double size = 0.0;
    for (const auto& factor : model.factors) {
      for (const double x : factor.elements) size = std::max(size, std::abs(x));
    }
    return size;
  }
};

using Default = Kokkos::DefaultExecutionSpace;
using OnDefaultSpace =
    testing::Types<genten_test::Types<Default, double>, genten_test::Types<Default, float>>;
TYPED_TEST_SUITE(GradientTest, OnDefaultSpace, genten_test::TypeNames);

TYPED_TEST(GradientTest, ZerosCountExactly) {
  const double tolerance = this->is_double ? 1e-12 : 1e-4;
  for (const std::vector<std::size_t>& dimensions :
       {std::vector<std::size_t>{9}, {8, 5}, {7, 6, 5}, {5, 4, 3, 6}}) {
    for (const std::size_t rank : {1, 3, 17}) {
      SCOPED_TRACE("order " + std::to_string(dimensions.size()) + ", rank " + std::to_string(rank));
      const PlainTensor tensor = this->counts(dimensions, 12);
      typename TestFixture::Gradient evaluate(this->exec, this->make(tensor), rank);
      // A second model finds nothing of the first.
      for (const double scale : {1.0, 0.5}) {
        PlainModel model = this->positive(dimensions, rank);
        for (double& x : model.factors.back().elements) x *= scale;
        PlainModel expected = model;
        const double objective = this->reference(tensor, model, expected);
        const auto gradient = this->make(model);
        EXPECT_NEAR(evaluate(this->exec, this->make(model), gradient) / objective, 1.0,
                    10.0 * tolerance);
        const PlainModel found = genten_test::plain(gradient);
        const double size = this->largest(expected);
        for (std::size_t n = 0; n < dimensions.size(); ++n) {
          for (std::size_t e = 0; e < found.factors[n].elements.size(); ++e) {
            ASSERT_NEAR(found.factors[n].elements[e], expected.factors[n].elements[e],
                        tolerance * size)
                << "mode " << n << ", element " << e;
          }
        }
      }
    }
  }
}

TYPED_TEST(GradientTest, ItVanishesWhereSolversEnd) {
  if (!this->is_double) GTEST_SKIP() << "to the digits of double";
  const PlainTensor tensor = this->counts({6, 5, 4}, 60);
  const auto sparse = this->make(tensor);
  const auto gradient = this->make(this->positive(tensor.dimensions, 2));
  const auto result =
      genten::cp_als(this->exec, sparse,
                     genten::CpAlsOptions{.rank = 2, .max_iterations = 5000, .tolerance = 1e-16});
  genten::redistribute(this->exec, result.model, 0);
  typename TestFixture::Gradient evaluate(this->exec, sparse, 2);
  EXPECT_NEAR(evaluate(this->exec, result.model, gradient) / result.objective, 1.0, 1e-10);
  EXPECT_LT(this->largest(genten_test::plain(gradient)), 1e-4 * result.tensor_norm);
}

TYPED_TEST(GradientTest, WrongCallsAreRefused) {
  const auto message_of = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const genten::Error& error) {
      return error.what();
    }
    return "";
  };
  const auto tensor = this->make(this->counts({4, 3}, 5));
  typename TestFixture::Gradient evaluate(this->exec, tensor, 2);
  const auto model = this->make(this->positive({4, 3}, 2));
  EXPECT_THAT(
      message_of([&] {
        static_cast<void>(evaluate(this->exec, this->make(this->positive({4, 2}, 2)), model));
      }),
      HasSubstr("expected a model with the tensor's dimensions and 2 components"));
  EXPECT_THAT(
      message_of([&] {
        static_cast<void>(evaluate(this->exec, model, this->make(this->positive({4, 3}, 1))));
      }),
      HasSubstr("expected a gradient with the tensor's dimensions and 2 components"));
  PlainModel heavy = this->positive({4, 3}, 2);
  heavy.weights[1] = 2.0;
  EXPECT_THAT(
      message_of([&] { static_cast<void>(evaluate(this->exec, this->make(heavy), model)); }),
      HasSubstr("expected a model of weights one"));
}

}  // namespace
