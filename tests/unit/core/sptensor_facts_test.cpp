// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/generate.hpp>
#include <genten/core/sptensor_ops.hpp>

#include "plain.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using genten::look_at_order;
using genten::SptensorFacts;
using genten::SubscriptRange;
using genten_test::error_of;

constexpr SptensorFacts nothing, distinct{true, false}, sorted{false, true}, both{true, true};

template <class Combination>
class SptensorFactsTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Tensor = genten::Sptensor<Scalar, Ordinal, Exec>;

  /// A 4 x 3 tensor, of which as much is promised as `facts` says. Its nonzeros keep all promises.
  Tensor promised(SptensorFacts facts) const {
    return trusted({0, 0, 0, 2, 1, 0, 3, 1}, {1, 2, 3, 4}, facts);
  }
  Tensor trusted(std::vector<Ordinal> subscripts, std::vector<Scalar> values,
                 SptensorFacts facts) const {
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    const Kokkos::View<Ordinal**, Kokkos::LayoutRight, typename Exec::memory_space> there(
        "subscripts", values.size(), 2);
    const Kokkos::View<Scalar*, typename Exec::memory_space> values_there("values", values.size());
    Kokkos::deep_copy(there,
                      Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace, Unmanaged>(
                          subscripts.data(), values.size(), 2));
    Kokkos::deep_copy(values_there, Kokkos::View<Scalar*, Kokkos::HostSpace, Unmanaged>(
                                        values.data(), values.size()));
    return Tensor::trusted(exec, {4, 3}, there, values_there, facts);
  }
  Exec exec;
};

TYPED_TEST_SUITE(SptensorFactsTest, genten_test::AllTypes, genten_test::TypeNames);

TYPED_TEST(SptensorFactsTest, NothingIsKnownOfWhatComesFromOutside) {
  using Sparse = typename TestFixture::Tensor;
  const auto tensor = this->promised(both);
  const Sparse checked(this->exec, tensor.dimensions(), tensor.subscripts(), tensor.values());
  EXPECT_EQ(checked.facts(), nothing);
  const std::vector<typename TypeParam::Ordinal> rows{0, 1, 2};
  const std::vector<typename TypeParam::Scalar> values{1, 2, 3};
  EXPECT_EQ(Sparse::from_host({3}, rows, values).facts(), nothing);
}

TYPED_TEST(SptensorFactsTest, OneNonzeroIsSortedAndDistinct) {
  EXPECT_EQ(typename TestFixture::Tensor().facts(), both);
  EXPECT_EQ(this->trusted({}, {}, nothing).facts(), both);
  EXPECT_EQ(this->trusted({3, 1}, {1}, nothing).facts(), both);
}

TYPED_TEST(SptensorFactsTest, OperationsCarryWhatStaysTrue) {
  for (const SptensorFacts facts : {nothing, distinct, sorted, both}) {
    const auto tensor = this->promised(facts);
    EXPECT_EQ(tensor.facts(), facts);
    EXPECT_EQ(genten::copy_to<genten::HostExec>(tensor).facts(), facts);
    EXPECT_EQ(create_mirror_view_and_copy(tensor).facts(), facts);
    const std::vector<SubscriptRange> most{{0, 4}, {0, 2}};
    EXPECT_EQ(subtensor(this->exec, tensor, most).facts(), facts);
    const SptensorFacts unordered{facts.distinct, false};
    EXPECT_EQ(permute_modes(this->exec, tensor, std::vector{1, 0}).facts(), unordered);
    EXPECT_EQ(sum_duplicates(this->exec, tensor).tensor.facts(), facts == distinct ? facts : both);
  }
}

TYPED_TEST(SptensorFactsTest, AnOrderIsEstablishedByOneLook) {
  const auto look = [&](const std::vector<typename TypeParam::Ordinal>& subscripts) {
    const auto tensor = this->trusted(
        subscripts, std::vector<typename TypeParam::Scalar>(subscripts.size() / 2, 1), nothing);
    return look_at_order(this->exec, tensor.subscripts());
  };
  EXPECT_EQ(look({}), both);
  EXPECT_EQ(look({3, 2}), both);
  EXPECT_EQ(look({0, 2, 1, 0, 1, 1, 3, 0}), both);
  EXPECT_EQ(look({0, 2, 1, 0, 1, 0, 3, 0}), sorted);
  EXPECT_EQ(look({1, 1, 1, 0}), nothing);
  EXPECT_EQ(look({1, 0, 0, 2}), nothing);
  EXPECT_EQ(look({1, 0, 1, 0, 0, 2}), nothing);
}

TYPED_TEST(SptensorFactsTest, DebugBuildsFindBrokenPromises) {
  if constexpr (!genten::checks_promises) GTEST_SKIP() << "promises are not checked";
  const auto infinity = std::numeric_limits<typename TypeParam::Scalar>::infinity();
  EXPECT_EQ(error_of([&] {
              (void)this->trusted({0, 0, 1, 3}, {1, 1}, nothing);
            }),
            "Sptensor: nonzero 1: expected a subscript below 3 in mode 2, got 3");
  EXPECT_EQ(error_of([&] {
              (void)this->trusted({0, 0, 1, 2}, {1, infinity}, nothing);
            }),
            "Sptensor: nonzero 1: expected a finite value, got inf");
  EXPECT_EQ(error_of([&] {
              (void)this->trusted({1, 0, 0, 2}, {1, 1}, sorted);
            }),
            "Sptensor: expected sorted nonzeros, as promised, got others");
  EXPECT_EQ(error_of([&] {
              (void)this->trusted({1, 0, 1, 0}, {1, 1}, distinct);
            }),
            "Sptensor: expected distinct nonzeros, as promised, got equal subscripts");
  EXPECT_EQ(error_of([&] { (void)this->trusted({1, 0, 1, 0}, {1, 1}, sorted); }), "");
}

TYPED_TEST(SptensorFactsTest, ShapesAreCheckedInEveryBuild) {
  using Sparse = typename TestFixture::Tensor;
  const auto tensor = this->promised(both);
  EXPECT_NE(error_of([&] {
              (void)Sparse::trusted(this->exec, {4}, tensor.subscripts(), tensor.values(), both);
            }),
            "");
}

template <class Combination>
class GeneratedFactsTest : public testing::Test {};
TYPED_TEST_SUITE(GeneratedFactsTest, genten_test::HostTypes, genten_test::TypeNames);

TYPED_TEST(GeneratedFactsTest, GeneratedTensorsAreSortedAndDistinct) {
  using Scalar = typename TypeParam::Scalar;
  using Ordinal = typename TypeParam::Ordinal;
  const typename TypeParam::Exec exec;
  const genten::TensorRecipe recipe{"few", {9, 8, 7}, 200};
  const auto sparse = genten::generate_sparse<Scalar, Ordinal>(exec, recipe, 1);
  const auto low_rank = genten::generate_low_rank<Scalar, Ordinal>(exec, recipe, 2, 0.1, 1);
  const auto planted = genten::generate_planted<Scalar, Ordinal>(exec, {9, 8, 7}, 2, 3, 0.0, 1);
  using Tensor = genten::Sptensor<Scalar, Ordinal, typename TypeParam::Exec>;
  for (const Tensor& tensor : std::vector<Tensor>{sparse, low_rank.tensor, planted.tensor}) {
    EXPECT_EQ(tensor.facts(), both);
    EXPECT_EQ(look_at_order(exec, tensor.subscripts()), both);
  }
}

}  // namespace
