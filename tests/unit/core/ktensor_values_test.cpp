// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "ktensor_fixture.hpp"
#include "thread_counts.hpp"

#include <genten/core/nonzero_residuals.hpp>

namespace {

using genten_test::error_of;
using genten_test::on_host;
using genten_test::plain;
using genten_test::random_model;
using ktensor_test::dimensions;
using ktensor_test::KtensorTest;
using ktensor_test::rank;

template <class Combination>
class KtensorValuesTest : public KtensorTest<Combination> {};
TYPED_TEST_SUITE(KtensorValuesTest, genten_test::ModelTypes, genten_test::TypeNames);

// ---- norms and inner products

TYPED_TEST(KtensorValuesTest, NormAndInnerProductAgreeWithTheReference) {
  const auto a = random_model(dimensions, rank, 16);
  const auto b = random_model(dimensions, 3, 17);
  const auto model = TestFixture::make(a), other = TestFixture::make(b);
  EXPECT_NEAR(norm(this->exec, model), norm_reference(a), 1e-12 * norm_reference(a));
  double expected = 0.0;
  genten_test::for_each_element(dimensions, [&](const std::vector<std::size_t>& subscripts) {
    expected += entry_reference(a, subscripts) * entry_reference(b, subscripts);
  });
  EXPECT_NEAR(innerprod(this->exec, model, other), expected,
              1e-12 * norm_reference(a) * norm_reference(b));
  EXPECT_EQ(error_of([&] {
              (void)innerprod(this->exec, model, TestFixture::make(random_model({6, 1, 9}, 2, 1)));
            }),
            "innerprod: expected dimensions 6 x 1 x 9 x 4, got 6 x 1 x 9");
}

TYPED_TEST(KtensorValuesTest, NormAndInnerProductNeitherOverflowNorUnderflow) {
  using Limits = std::numeric_limits<typename TypeParam::Scalar>;
  const auto a = random_model(dimensions, rank, 16), b = random_model(dimensions, rank, 17);
  const double product = innerprod(this->exec, TestFixture::make(a), TestFixture::make(b));
  for (const int power : {Limits::max_exponent - 20, Limits::min_exponent + 20}) {
    auto scaled = a, inverse = b;
    for (double& weight : scaled.weights) weight = std::ldexp(weight, power);
    // One mode takes out most of what another puts in.
    for (double& x : inverse.factors[0].elements) x = std::ldexp(x, power);
    for (double& x : inverse.factors[1].elements) x = std::ldexp(x, -power);
    for (double& weight : inverse.weights) weight = std::ldexp(weight, -power);
    const auto model = TestFixture::make(scaled), other = TestFixture::make(inverse);
    EXPECT_NEAR(norm(this->exec, model) / std::ldexp(norm_reference(a), power), 1.0, 1e-6);
    EXPECT_NEAR(norm(this->exec, other) / std::ldexp(norm_reference(b), -power), 1.0, 1e-6);
    EXPECT_NEAR(innerprod(this->exec, model, other), product,
                1e-6 * norm_reference(a) * norm_reference(b));
  }
}

template <class Combination>
class KtensorHostTest : public KtensorTest<Combination> {};
TYPED_TEST_SUITE(KtensorHostTest, genten_test::HostModelTypes, genten_test::TypeNames);

// Devices add in another order.
TYPED_TEST(KtensorHostTest, NormOfALongModeIsTheSameOnSerialAndParallelSpaces) {
  const std::vector<std::size_t> lengths{5000, 40};
  const auto model = genten::random_ktensor<typename TypeParam::Scalar>(this->exec, lengths, 37, 5);
  const auto other = genten::clone_to<genten::HostExec>(model);
  EXPECT_EQ(norm(this->exec, model), norm(genten::HostExec(), other));
  normalize(this->exec, model);
  normalize(genten::HostExec(), other);
  EXPECT_EQ(plain(model).weights, plain(other).weights);
  EXPECT_EQ(plain(model).factors[0].elements, plain(other).factors[0].elements);
}

TYPED_TEST(KtensorHostTest, NormOfALongModeIsTheSameForEveryNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([&] {
    const std::vector<std::size_t> lengths{5000, 40};
    const auto model =
        genten::random_ktensor<typename TypeParam::Scalar>(this->exec, lengths, 37, 5);
    genten_test::BitHash hash;
    hash.add(norm(this->exec, model));
    normalize(this->exec, model);
    const auto normalized = plain(model);
    for (const double weight : normalized.weights) hash.add(weight);
    for (const double element : normalized.factors[0].elements) hash.add(element);
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

template <class Combination>
class SptensorInnerprodTest : public testing::Test {};
TYPED_TEST_SUITE(SptensorInnerprodTest, genten_test::AllTypes, genten_test::TypeNames);

TYPED_TEST(SptensorInnerprodTest, AgreesWithTheReference) {
  using Exec = typename TypeParam::Exec;
  using Scalar = typename TypeParam::Scalar;
  for (const std::size_t order : {1u, 3u, 8u}) {
    for (const std::size_t r : {1u, 8u, 19u}) {
      const std::vector<std::size_t> lengths(order, order < 8 ? 9 : 3);
      const auto tensor = genten_test::random_tensor(
          {.dimensions = lengths, .nnz = 6000, .seed = 3, .duplicate_every = 9});
      const auto model = random_model(lengths, r, 4);
      const double actual = innerprod(
          Exec(), genten_test::to_sptensor<Scalar, typename TypeParam::Ordinal, Exec>(tensor),
          genten_test::to_ktensor<Scalar, Exec>(model));
      EXPECT_NEAR(actual, innerprod_reference(tensor, model),
                  1e-12 * norm_reference(tensor) * norm_reference(model));
    }
  }
}

// ---- entries

TYPED_TEST(KtensorValuesTest, ValuesAndDenseArraysAgreeWithTheReference) {
  const auto contents = random_model(dimensions, 19, 18);
  const auto model = TestFixture::make(contents);
  const auto dense =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to_dense(this->exec, model));
  ASSERT_EQ(dense.extent(0), 6u * 1 * 9 * 4);
  std::size_t index = 0;
  genten_test::for_each_element(dimensions, [&](const std::vector<std::size_t>& subscripts) {
    const double expected = entry_reference(contents, subscripts);
    EXPECT_NEAR(value_at(this->exec, model, subscripts), expected, 1e-14 * 60);
    // Rounded to the scalar once.
    EXPECT_NEAR(static_cast<double>(dense(index)), expected,
                1e-14 * 60 + TestFixture::tolerance(0.5) * std::abs(expected));
    ++index;
  });
  EXPECT_EQ(error_of([&] {
              (void)value_at(this->exec, model, std::vector<std::size_t>{1, 0, 9, 0});
            }),
            "value_at: expected a subscript below 9 in mode 3, got 9");
  EXPECT_NE(error_of([&] {
              (void)value_at(this->exec, model, std::vector<std::size_t>{1, 0});
            }),
            "");
}

TYPED_TEST(KtensorValuesTest, ModelValuesAreThoseOfEachEntryInTheOrderGiven) {
  using Memory = typename TypeParam::Exec::memory_space;
  const auto contents = random_model(dimensions, 19, 18);
  const auto model = TestFixture::make(contents);
  // Out of order, and one entry twice.
  const std::vector<std::vector<std::size_t>> entries{{5, 0, 8, 3}, {0, 0, 0, 0}, {5, 0, 8, 3}};
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Memory> subscripts("subscripts",
                                                                        entries.size(), 4);
  const auto write = [&](std::size_t p, std::size_t n, std::uint32_t to) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), subscripts);
    host(p, n) = to;
    Kokkos::deep_copy(subscripts, host);
  };
  for (std::size_t p = 0; p < entries.size(); ++p) {
    for (std::size_t n = 0; n < 4; ++n) write(p, n, static_cast<std::uint32_t>(entries[p][n]));
  }
  const auto values = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), model_values(this->exec, model, subscripts));
  const auto rounded = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), genten::model_values<float>(this->exec, model, subscripts));
  ASSERT_EQ(values.extent(0), entries.size());
  for (std::size_t p = 0; p < entries.size(); ++p) {
    EXPECT_EQ(values(p), value_at(this->exec, model, entries[p]));
    EXPECT_EQ(rounded(p), static_cast<float>(values(p)));
  }
  write(1, 2, 9);
  EXPECT_EQ(error_of([&] { (void)model_values(this->exec, model, subscripts); }),
            "model_values: entry 1: expected a subscript below 9 in mode 3, got 9");
  EXPECT_EQ(error_of([&] {
              (void)model_values(this->exec, TestFixture::make(random_model({6, 1, 9}, 2, 1)),
                                 subscripts);
            }),
            "model_values: expected 3 subscripts an entry, got 4");
}

// With those of the entries that are zero they are all of ||X - M||^2.
TYPED_TEST(KtensorValuesTest, ResidualsAtNonzerosAreWhatTheModelLeaves) {
  using Real = typename TypeParam::Scalar;
  const auto plain_model = random_model(dimensions, rank, 19);
  const auto model = TestFixture::make(plain_model);
  const auto plain_tensor = genten_test::random_tensor({.dimensions = dimensions, .nnz = 150});
  const auto tensor =
      genten_test::to_sptensor<Real, std::uint32_t, typename TestFixture::Exec>(plain_tensor);
  const auto residuals = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), nonzero_residuals(this->exec, tensor, model));
  ASSERT_EQ(residuals.extent(0), plain_tensor.nnz());
  const double size = norm_reference(plain_model);
  for (std::size_t p = 0; p < plain_tensor.nnz(); ++p) {
    const auto stored = static_cast<Real>(plain_tensor.values[p]);
    EXPECT_NEAR(residuals(p), stored - entry_reference(plain_model, plain_tensor.subscripts[p]),
                1e-6 * size);
    EXPECT_EQ(residuals(p), static_cast<double>(stored) -
                                value_at(this->exec, model, plain_tensor.subscripts[p]));
  }
  EXPECT_NE(error_of([&] {
              (void)nonzero_residuals(this->exec, tensor,
                                      TestFixture::make(random_model({6, 1, 9}, 2, 1)));
            }),
            "");
}

TYPED_TEST(KtensorValuesTest, ToDenseRefusesWhatIsTooLargeWithItsSize) {
  const typename TestFixture::Model model(std::vector<std::size_t>{1000, 1000, 200}, 1);
  const std::string message = error_of([&] { (void)to_dense(this->exec, model); });
  EXPECT_NE(message.find("at most 100000000 elements, got 200000000"), std::string::npos)
      << message;
  EXPECT_NE(error_of([&] { (void)to_dense(this->exec, model, 199999999); }), "");
}

// ---- random models

TYPED_TEST(KtensorValuesTest, RandomModelsAreHashesOfSeedModeRowAndColumn) {
  using Real = typename TypeParam::Scalar;
  const auto uniform = genten::random_ktensor<Real>(this->exec, dimensions, rank, 42);
  const auto normal =
      random_ktensor<Real>(this->exec, dimensions, rank, 42, genten::FactorKind::normal);
  const auto host_uniform = on_host(uniform), host_normal = on_host(normal);
  // Devices have logarithms and cosines of their own.
  const double rounding =
      genten::is_host_space<typename TypeParam::Exec> ? 0.0 : TestFixture::tolerance(8);
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    for (std::size_t i = 0; i < dimensions[n]; ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        EXPECT_EQ(host_uniform.factors()[n](i, r),
                  static_cast<Real>(genten::random_uniform(42, n, i, r)));
        EXPECT_NEAR(host_normal.factors()[n](i, r),
                    static_cast<Real>(genten::random_normal(42, n, i, r)), rounding);
      }
    }
  }
  EXPECT_EQ(plain(uniform).weights, std::vector<double>(rank, 1.0));
  TestFixture::expect_zero_padding(uniform);
  const auto other = genten::random_ktensor<Real>(this->exec, dimensions, rank, 43);
  EXPECT_NE(plain(uniform).factors[0].elements, plain(other).factors[0].elements);
}

/// Two components, of which all rows but the first of the first one's columns are zero.
genten_test::PlainModel thin_and_ordinary(double weight, const std::vector<double>& sizes) {
  auto model = random_model(std::vector<std::size_t>(sizes.size(), 2), 2, 3);
  model.weights = {weight, 1.0};
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    model.factors[n](0, 0) = sizes[n];
    model.factors[n](1, 0) = 0.0;
    model.factors[n](0, 1) = model.factors[n](1, 1) = 1.0;
  }
  return model;
}

TEST(KtensorRange, AComponentWhoseDotUnderflowsIsNotLostBesideAnOrdinaryOne) {
  const genten::HostExec exec;
  const auto model =
      genten_test::to_ktensor<double, genten::HostExec>(thin_and_ordinary(1e100, {1e-170, 1e150}));
  EXPECT_NEAR(norm(exec, model), 1e80, 1e66);
}

TEST(KtensorRange, NormalizingMultipliesNormsWhosePartialProductsAreOutOfRange) {
  const genten::HostExec exec;
  for (const auto& sizes : {std::vector{1e-200, 1e-200, 1e300}, {1e200, 1e200, 1e-300}}) {
    const auto model =
        genten_test::to_ktensor<double, genten::HostExec>(thin_and_ordinary(1.0, sizes));
    normalize(exec, model);
    const double expected = sizes[0] * sizes[2] * sizes[1];
    EXPECT_NEAR(model.weights()(0), expected, 1e-14 * expected);
    EXPECT_EQ(model.factor(2)(0, 0), 1.0);
  }
}

TEST(KtensorRange, NormalizingRefusesWeightsThatNoNumberIsLargeEnoughFor) {
  const genten::HostExec exec;
  const auto model =
      genten_test::to_ktensor<double, genten::HostExec>(thin_and_ordinary(1e200, {1e150, 1.0}));
  EXPECT_EQ(error_of([&] { normalize(exec, model); }),
            "the weight of component 1, 1.000e+350, is not representable in double");
}

}  // namespace
