// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Finishing a stored model gives, to the bit, what the operations on models give one after another.
#include <genten/cp/detail/finish_model.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace {

using genten::detail::Finish;
using genten_test::change_on_host;
using genten_test::on_host;
using genten_test::PlainModel;
using genten_test::random_model;

template <class Combination>
class FinishModelTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Model = genten::Ktensor<Scalar, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Stored = genten::detail::StoredModel<Scalar, std::uint32_t, Exec>;
  using Rows = typename genten::detail::StoredFactor<Scalar, std::uint32_t, Exec>::Rows;

  /// Some of the rows of a mode, in any order.
  static std::vector<std::uint32_t> some_rows(std::size_t dimension, std::size_t count) {
    std::vector<std::uint32_t> rows(dimension);
    std::iota(rows.begin(), rows.end(), 0u);
    std::shuffle(rows.begin(), rows.end(), std::mt19937_64(dimension));
    rows.resize(count);
    return rows;
  }

  /// A stored model of which the first mode has all rows, the others those that are listed.
  Stored store(const PlainModel& plain, const std::vector<std::size_t>& dimensions) const {
    Stored model{{}, plain.weights};
    for (std::size_t n = 0; n < dimensions.size(); ++n) {
      const auto& elements = plain.factors[n];
      auto& factor = model.factors.emplace_back();
      factor.matrix = genten_test::to_matrix<Scalar, Exec>(elements);
      factor.dimension = dimensions[n];
      for (std::size_t r = 0; r < plain.weights.size(); ++r) {
        factor.correction.push_back(0.37 + 0.11 * static_cast<double>((5 * r + n) % 7));
      }
      if (n == 0) continue;
      const auto rows = some_rows(dimensions[n], elements.rows);
      const Rows device("rows", rows.size());
      const auto host = Kokkos::create_mirror_view(device);
      std::copy(rows.begin(), rows.end(), host.data());
      Kokkos::deep_copy(device, host);
      factor.rows = device;
    }
    return model;
  }

  /// What finish_model stands for, operation by operation.
  Model step_by_step(const Stored& stored, const Finish& finish) const {
    std::vector<Matrix> factors;
    for (const auto& factor : stored.factors) {
      const Matrix copy(factor.matrix.rows(), factor.matrix.columns());
      deep_copy(copy, factor.matrix);
      scale_columns(exec, copy, factor.correction);
      factors.push_back(copy);
    }
    const typename Model::weights_view weights("weights", stored.weights.size());
    Model narrow(weights, factors);
    set_weights(exec, narrow, stored.weights);
    normalize(exec, narrow);
    if (finish.arrange) arrange(exec, narrow);
    for (std::size_t n = 0; n < factors.size(); ++n) {
      if (stored.factors[n].rows) factors[n] = all_rows(stored.factors[n], narrow.factors()[n]);
    }
    Model result(narrow.weights(), factors);
    if (finish.fix_signs) fix_signs(exec, result);
    return result;
  }
  template <class Factor>
  static Matrix all_rows(const Factor& factor, const Matrix& narrow) {
    const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), *factor.rows);
    const auto from = on_host(narrow);
    const Matrix wide(factor.dimension, narrow.columns());
    change_on_host(wide, [&](const auto& host) {
      for (std::size_t i = 0; i < rows.extent(0); ++i) {
        for (std::size_t r = 0; r < from.columns(); ++r) host(rows(i), r) = from(i, r);
      }
    });
    return wide;
  }

  /// Equal numbers, zeros by their signs, padding included.
  static void expect_same(const Model& found, const Model& expected) {
    const auto a = on_host(found), b = on_host(expected);
    const auto same = [](Scalar x, Scalar y) {
      return x == y && std::signbit(x) == std::signbit(y);
    };
    for (std::size_t r = 0; r < b.rank(); ++r) EXPECT_TRUE(same(a.weights()(r), b.weights()(r)));
    ASSERT_EQ(a.dimensions(), b.dimensions());
    for (int n = 0; n < b.order(); ++n) {
      ASSERT_EQ(a.factor(n).stride(), b.factor(n).stride());
      std::size_t different = 0;
      for (std::size_t k = 0; k < b.factor(n).rows() * b.factor(n).stride(); ++k) {
        different += same(a.factor(n).data()[k], b.factor(n).data()[k]) ? 0 : 1;
      }
      EXPECT_EQ(different, 0u) << "mode " << n;
    }
  }
  void expect_same_for_every_finish(const PlainModel& plain,
                                    const std::vector<std::size_t>& dimensions) const {
    for (const bool arranged : {false, true}) {
      for (const bool signs : {false, true}) {
        SCOPED_TRACE(std::to_string(arranged) + std::to_string(signs));
        const Finish finish{.arrange = arranged, .fix_signs = signs};
        const Stored stored = store(plain, dimensions);
        expect_same(finish_model(exec, stored, finish), step_by_step(stored, finish));
      }
    }
  }

  const Exec exec{};
};

TYPED_TEST_SUITE(FinishModelTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(FinishModelTest, GivesTheBitsOfTheSingleOperations) {
  for (const std::size_t rank : {1, 5, 17}) {
    auto plain = random_model({40, 1500, 3, 700}, rank, 3);
    for (double& weight : plain.weights) weight = std::abs(weight);
    this->expect_same_for_every_finish(plain, {40, 2100, 3, 700});
  }
}

TYPED_TEST(FinishModelTest, TakesTheFirstOfEquallyLargeElements) {
  auto plain = random_model({9, 30, 6}, 7, 4);
  for (double& weight : plain.weights) weight = 1.0;
  std::mt19937_64 random(5);
  for (auto& factor : plain.factors) {
    for (double& x : factor.elements) x = random() % 2 == 0 ? 1.0 : -1.0;
  }
  this->expect_same_for_every_finish(plain, {9, 50, 6});
}

TYPED_TEST(FinishModelTest, ZeroColumnsAndSmallNumbersAreNoTrouble) {
  auto plain = random_model({9, 30, 6}, 4, 4);
  for (double& weight : plain.weights) weight = std::abs(weight);
  for (std::size_t i = 0; i < 30; ++i) plain.factors[1](i, 2) = 0.0;
  for (std::size_t i = 0; i < 6; ++i) plain.factors[2](i, 1) *= 1e-37;
  this->expect_same_for_every_finish(plain, {9, 50, 6});
}

TYPED_TEST(FinishModelTest, TheStoredModelIsNotChanged) {
  using Fixture = FinishModelTest<TypeParam>;
  const auto plain = random_model({9, 30, 6}, 4, 4);
  const typename Fixture::Stored stored = this->store(plain, {9, 50, 6});
  const auto before = genten_test::plain(stored.factors[1].matrix).elements;
  (void)finish_model(this->exec, stored, Finish{});
  EXPECT_EQ(genten_test::plain(stored.factors[1].matrix).elements, before);
}

}  // namespace
