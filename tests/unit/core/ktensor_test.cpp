// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "ktensor_fixture.hpp"

#include <algorithm>
#include <limits>

namespace {

using genten::NormKind;
using genten_test::change_on_host;
using genten_test::error_of;
using genten_test::on_host;
using genten_test::plain;
using genten_test::random_model;
using ktensor_test::dimensions;
using ktensor_test::KtensorTest;
using ktensor_test::rank;

TYPED_TEST_SUITE(KtensorTest, genten_test::ModelTypes, genten_test::TypeNames);

// ---- construction and copies

TYPED_TEST(KtensorTest, StartsWithUnitWeightsAndZeroFactors) {
  const typename TestFixture::Model model(dimensions, rank);
  EXPECT_EQ(model.order(), 4);
  EXPECT_EQ(model.rank(), rank);
  EXPECT_EQ(model.dimensions(), dimensions);
  const auto contents = plain(model);
  EXPECT_EQ(contents.weights, std::vector<double>(rank, 1.0));
  for (const auto& factor : contents.factors) {
    EXPECT_EQ(factor.elements, std::vector<double>(factor.rows * rank, 0.0));
  }
}

TYPED_TEST(KtensorTest, ClonesAreDeepAndCopiesShallow) {
  const auto model = TestFixture::make();
  const auto shallow = model;
  const auto deep = genten::clone(model);
  change_on_host(model, [](const auto& host) {
    host.weights()(0) = 77;
    host.factor(2)(3, 1) = 78;
  });
  EXPECT_EQ(plain(shallow).weights[0], 77);
  EXPECT_EQ(plain(shallow).factors[2](3, 1), 78);
  EXPECT_NE(plain(deep).weights[0], 77);
  EXPECT_NE(plain(deep).factors[2](3, 1), 78);
  EXPECT_EQ(genten::create_mirror_view(model).weights().data() == model.weights().data(),
            genten::is_host_space<typename TypeParam::Exec>);
}

TYPED_TEST(KtensorTest, RefusesFactorsOfAnotherRank) {
  using Cp = typename TestFixture::Model;
  using Factor = typename Cp::factor_type;
  const typename Cp::weights_view weights("w", 3);
  EXPECT_EQ(error_of([&] {
              Cp(weights, {Factor(4, 3), Factor(5, 2)});
            }),
            "Ktensor: expected 3 columns (one a weight) in the factor of mode 2, got 2");
  EXPECT_NE(error_of([&] { deep_copy(Cp(dimensions, 3), Cp(dimensions, 4)); }), "");
}

// ---- normalize

TYPED_TEST(KtensorTest, NormalizesColumnsAndKeepsEntries) {
  for (const NormKind kind : {NormKind::one, NormKind::two, NormKind::inf}) {
    auto before = random_model(dimensions, rank, 7);
    before.weights[1] = -before.weights[1];
    const auto model = TestFixture::make(before);
    normalize(this->exec, model, kind);
    const auto after = plain(model);
    for (const double weight : after.weights) EXPECT_GT(weight, 0.0);
    for (const auto& factor : after.factors) {
      for (std::size_t r = 0; r < rank; ++r) {
        double one = 0.0, two = 0.0, inf = 0.0;
        for (std::size_t i = 0; i < factor.rows; ++i) {
          one += std::abs(factor(i, r));
          two += factor(i, r) * factor(i, r);
          inf = std::max(inf, std::abs(factor(i, r)));
        }
        const double norm = kind == NormKind::one   ? one
                            : kind == NormKind::two ? std::sqrt(two)
                                                    : inf;
        EXPECT_NEAR(norm, 1.0, TestFixture::tolerance(2));
      }
    }
    TestFixture::expect_same_entries(after, before, 8);
    TestFixture::expect_zero_padding(model);
  }
}

TYPED_TEST(KtensorTest, NormalizeLeavesZeroColumnsAndZeroesTheirWeight) {
  auto before = random_model(dimensions, rank, 8);
  for (std::size_t i = 0; i < dimensions[2]; ++i) before.factors[2](i, 3) = 0.0;
  const auto model = TestFixture::make(before);
  normalize(this->exec, model);
  const auto after = plain(model);
  EXPECT_EQ(after.weights[3], 0);
  EXPECT_GT(after.weights[2], 0);
  for (std::size_t i = 0; i < dimensions[2]; ++i) EXPECT_EQ(after.factors[2](i, 3), 0);
}

TYPED_TEST(KtensorTest, NormalizeNeitherOverflowsNorUnderflows) {
  using Real = typename TypeParam::Scalar;
  const typename TestFixture::Model model(std::vector<std::size_t>{2, 2}, 1);
  const Real large = std::numeric_limits<Real>::max() / 8;
  change_on_host(model, [&](const auto& host) {
    host.factor(0)(0, 0) = 3 * (large / 4);
    host.factor(0)(1, 0) = large;
    host.factor(1)(0, 0) = 1 / large;
  });
  normalize(this->exec, model);
  const auto after = plain(model);
  EXPECT_NEAR(after.factors[0](0, 0), 0.6, TestFixture::tolerance(2));
  EXPECT_NEAR(after.factors[0](1, 0), 0.8, TestFixture::tolerance(2));
  EXPECT_NEAR(after.weights[0], 1.25, TestFixture::tolerance(4));
}

// ---- arrange, extract, permuted modes

TYPED_TEST(KtensorTest, ArrangesByDescendingWeight) {
  auto before = random_model(dimensions, rank, 9);
  before.weights = {1.0, 3.0, 2.0, 3.0, 0.5};
  const auto model = TestFixture::make(before);
  EXPECT_EQ(arrange(this->exec, model), (std::vector<std::size_t>{1, 3, 2, 0, 4}));
  const auto after = plain(model);
  EXPECT_EQ(after.weights, (std::vector<double>{3.0, 3.0, 2.0, 1.0, 0.5}));
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    for (std::size_t i = 0; i < dimensions[n]; ++i) {
      EXPECT_EQ(after.factors[n](i, 0), before.factors[n](i, 1));
      EXPECT_EQ(after.factors[n](i, 1), before.factors[n](i, 3));
      EXPECT_EQ(after.factors[n](i, 3), before.factors[n](i, 0));
    }
  }
  TestFixture::expect_zero_padding(model);
}

TYPED_TEST(KtensorTest, ArrangesByAGivenPermutation) {
  const auto model = TestFixture::make(10);
  const auto before = plain(model);
  arrange(this->exec, model, {4, 2, 0, 1, 3});
  const auto after = plain(model);
  EXPECT_EQ(after.weights[1], before.weights[2]);
  EXPECT_EQ(after.factors[3](2, 4), before.factors[3](2, 3));
  EXPECT_EQ(error_of([&] {
              arrange(this->exec, model, {0, 1, 2, 3});
            }),
            "arrange: expected a permutation of 5 components, got 4");
  EXPECT_EQ(error_of([&] {
              arrange(this->exec, model, {0, 1, 2, 3, 3});
            }),
            "arrange: expected components below 5, each once, got 3 twice");
  EXPECT_EQ(error_of([&] {
              arrange(this->exec, model, {0, 1, 2, 3, 5});
            }),
            "arrange: expected components below 5, each once, got 5");
}

TYPED_TEST(KtensorTest, ExtractsComponents) {
  const auto model = TestFixture::make(11);
  const auto before = plain(model);
  const auto part = extract(this->exec, model, {3, 0, 3});
  ASSERT_EQ(part.rank(), 3u);
  const auto contents = plain(part);
  EXPECT_EQ(contents.weights[0], before.weights[3]);
  EXPECT_EQ(contents.factors[2](8, 1), before.factors[2](8, 0));
  EXPECT_EQ(contents.factors[2](8, 2), before.factors[2](8, 3));
  change_on_host(part, [](const auto& host) { host.factor(2)(8, 1) = 99; });  // a copy
  EXPECT_EQ(plain(model).factors[2].elements, before.factors[2].elements);
  TestFixture::expect_zero_padding(part);
  EXPECT_NE(error_of([&] { (void)extract(this->exec, model, {5}); }), "");
}

TYPED_TEST(KtensorTest, PermutesModes) {
  const auto model = TestFixture::make(12);
  const auto permuted = permute_modes(this->exec, model, std::vector{2, 0, 3, 1});
  EXPECT_EQ(permuted.dimensions(), (std::vector<std::size_t>{9, 6, 4, 1}));
  EXPECT_EQ(permuted.factor(1).data(), model.factor(0).data());
  EXPECT_NE(error_of([&] { (void)permute_modes(this->exec, model, std::vector{0, 1, 2}); }), "");
}

// ---- weights into factors

TYPED_TEST(KtensorTest, RedistributesWeightsIntoOneMode) {
  const auto model = TestFixture::make(13);
  const auto before = plain(model);
  redistribute(this->exec, model, 2);
  const auto after = plain(model);
  EXPECT_EQ(after.weights, std::vector<double>(rank, 1.0));
  EXPECT_EQ(after.factors[0].elements, before.factors[0].elements);
  TestFixture::expect_same_entries(after, before, 2);
  EXPECT_EQ(error_of([&] { redistribute(this->exec, model, 4); }),
            "redistribute: expected a mode from 1 to 4 (counted from 1), got 5");
}

TYPED_TEST(KtensorTest, DistributesWeightsEvenly) {
  auto before = random_model(dimensions, rank, 14);
  before.weights = {16.0, 81.0, -16.0, 1.0, 0.0};
  const auto model = TestFixture::make(before);
  distribute_evenly(this->exec, model);
  const auto after = plain(model);
  EXPECT_EQ(after.weights, std::vector<double>(rank, 1.0));
  EXPECT_NEAR(after.factors[3](1, 1), 3 * before.factors[3](1, 1), TestFixture::tolerance(4));
  EXPECT_NEAR(after.factors[0](1, 2), -2 * before.factors[0](1, 2), TestFixture::tolerance(4));
  TestFixture::expect_same_entries(after, before, 12);
  TestFixture::expect_zero_padding(model);
}

// ---- signs

TYPED_TEST(KtensorTest, FixesSignsInPairs) {
  // Signs of the largest elements by mode, and what is to become of them.
  const std::vector<std::vector<double>> before{
      {1, 1, 1, 1}, {-1, -1, 1, 1}, {-1, 1, -1, -1}, {-1, -1, -1, -1}, {1, 1, -1, 1}};
  const std::vector<std::vector<double>> after{
      {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, -1}, {1, 1, 1, 1}, {1, 1, -1, 1}};
  auto contents = random_model(dimensions, rank, 15);
  for (std::size_t n = 0; n < 4; ++n) {
    for (std::size_t r = 0; r < rank; ++r) {
      contents.factors[n](dimensions[n] / 2, r) = 2.0 * before[r][n];
    }
  }
  const auto model = TestFixture::make(contents);
  fix_signs(this->exec, model);
  const auto fixed = plain(model);
  for (std::size_t n = 0; n < 4; ++n) {
    for (std::size_t r = 0; r < rank; ++r) {
      EXPECT_EQ(fixed.factors[n](dimensions[n] / 2, r), 2.0 * after[r][n])
          << "mode " << n << ", component " << r;
    }
  }
  TestFixture::expect_same_entries(fixed, contents, 0);
}

TYPED_TEST(KtensorTest, FixSignsTakesTheFirstOfEqualMagnitudes) {
  const typename TestFixture::Model model(std::vector<std::size_t>{3, 2}, 1);
  change_on_host(model, [](const auto& host) {
    host.factor(0)(1, 0) = -2;
    host.factor(0)(2, 0) = 2;
    host.factor(1)(0, 0) = -1;
    host.factor(1)(1, 0) = 1;
  });
  fix_signs(this->exec, model);
  const auto after = plain(model);
  EXPECT_EQ(after.factors[0](1, 0), 2);
  EXPECT_EQ(after.factors[0](2, 0), -2);
  EXPECT_EQ(after.factors[1](0, 0), 1);
}

}  // namespace
