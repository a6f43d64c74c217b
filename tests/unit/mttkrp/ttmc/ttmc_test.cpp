// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/mttkrp/ttmc.hpp>

#include "plain.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using testing::HasSubstr;

struct Reference {
  PlainMatrix value, absolute;
  std::vector<std::size_t> nonzeros;
};

/// One term after another: the sum, and that of absolute terms.
Reference reference_of(const PlainTensor& tensor, const std::vector<PlainMatrix>& factors,
                       std::size_t mode) {
  std::size_t columns = 1;
  for (std::size_t n = 0; n < factors.size(); ++n) columns *= n == mode ? 1 : factors[n].columns;
  Reference result{PlainMatrix(tensor.dimensions[mode], columns),
                   PlainMatrix(tensor.dimensions[mode], columns),
                   std::vector<std::size_t>(tensor.dimensions[mode], 0)};
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    const std::size_t i = tensor.subscripts[p][mode];
    ++result.nonzeros[i];
    for (std::size_t c = 0; c < columns; ++c) {
      double term = tensor.values[p];
      for (std::size_t n = 0, rest = c; n < factors.size(); ++n) {
        if (n == mode) continue;
        term *= factors[n](tensor.subscripts[p][n], rest % factors[n].columns);
        rest /= factors[n].columns;
      }
      result.value(i, c) += term;
      result.absolute(i, c) += std::abs(term);
    }
  }
  return result;
}

std::vector<PlainMatrix> random_factors(const std::vector<std::size_t>& dimensions,
                                        const std::vector<std::size_t>& ranks) {
  std::vector<PlainMatrix> factors;
  for (std::size_t n = 0; n < ranks.size(); ++n) {
    factors.push_back(
        genten_test::random_matrix(dimensions[n], ranks[n], static_cast<unsigned>(3 + n)));
  }
  return factors;
}

template <class Types>
class TtmcTest : public testing::Test {
 protected:
  using Exec = typename Types::Exec;
  using Scalar = typename Types::Scalar;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Kernel = genten::Ttmc<Scalar, Exec>;

  static auto tensor_of(const PlainTensor& plain) {
    return genten_test::to_sptensor<Scalar, typename Types::Ordinal, Exec>(plain);
  }
  static std::vector<Matrix> matrices(const std::vector<PlainMatrix>& plain) {
    std::vector<Matrix> result;
    for (const auto& matrix : plain) result.push_back(genten_test::to_matrix<Scalar, Exec>(matrix));
    return result;
  }
  void expect_products(const PlainTensor& plain, const std::vector<std::size_t>& ranks,
                       const genten::TtmcOptions& options = {}) {
    const auto factors = random_factors(plain.dimensions, ranks);
    const auto stored = matrices(factors);
    const Kernel kernel(exec, tensor_of(plain), options);
    for (int mode = 0; mode < static_cast<int>(ranks.size()); ++mode) {
      const Reference expected = reference_of(plain, factors, static_cast<std::size_t>(mode));
      const Matrix output(plain.dimensions[static_cast<std::size_t>(mode)],
                          Kernel::columns(stored, mode));
      Kokkos::deep_copy(output.padded_view(), Scalar(7));
      kernel.run(exec, stored, mode, output);
      ASSERT_EQ(output.columns(), expected.value.columns);
      for (std::size_t i = 0; i < output.rows(); ++i) {
        const double roundings = static_cast<double>(expected.nonzeros[i] + 2 * ranks.size());
        for (std::size_t c = 0; c < output.columns(); ++c) {
          EXPECT_NEAR(static_cast<double>(output(i, c)), expected.value(i, c),
                      roundings * epsilon() * expected.absolute(i, c))
              << "mode " << mode << ", row " << i << ", column " << c;
        }
      }
    }
  }
  static double epsilon() { return static_cast<double>(std::numeric_limits<Scalar>::epsilon()); }
  Exec exec;
};
TYPED_TEST_SUITE(TtmcTest, genten_test::HostTypes, genten_test::TypeNames);

TYPED_TEST(TtmcTest, AgreesWithThePlainSumForOrdersTwoToFive) {
  this->expect_products(genten_test::random_tensor({{13, 9}, 60, 1}), {3, 5});
  this->expect_products(genten_test::random_tensor({{8, 30, 11}, 300, 2, 7}), {2, 7, 3});
  this->expect_products(genten_test::random_tensor({{8, 3, 11, 6}, 400, 3}), {1, 3, 5, 2});
  this->expect_products(genten_test::random_tensor({{5, 4, 6, 3, 7}, 500, 4, 9}), {2, 3, 1, 2, 5});
}

// Blocks of 8, 4, 2 and 1 columns on either side, leaves that are summed before their product, and
// more terms of one row than are looked up at a time.
TYPED_TEST(TtmcTest, AgreesForWideAndNarrowFactors) {
  const auto repeated = genten_test::random_tensor({{3, 4, 90}, 700, 8});
  this->expect_products(repeated, {15, 9, 31});
  this->expect_products(repeated, {8, 8, 8});
  this->expect_products(repeated, {1, 33, 2});
  this->expect_products(genten_test::random_tensor({{2, 5, 70, 3}, 900, 9}), {7, 8, 16, 6});
  // More groups of a row than wait to be added at once, of short and of long sums.
  this->expect_products(genten_test::random_tensor({{12, 20, 30, 3}, 2000, 5}), {3, 2, 4, 2});
  this->expect_products(genten_test::random_tensor({{12, 20, 30, 3}, 600, 5}), {2, 50, 60, 2});
  this->expect_products(genten_test::random_tensor({{6, 200}, 500, 10}), {40, 19});
}

TYPED_TEST(TtmcTest, WritesRowsWithoutNonzerosAsZeros) {
  genten_test::RandomTensor recipe{{12, 10, 9}, 80, 5};
  recipe.empty_slices = true;
  this->expect_products(genten_test::random_tensor(recipe), {3, 3, 3});
  this->expect_products(PlainTensor{{4, 3, 5}, {}, {}}, {2, 2, 2});
}

TYPED_TEST(TtmcTest, AddsPiecesOfHeavyRows) {
  genten_test::RandomTensor recipe{{40, 30, 20}, 3000, 6};
  recipe.heavy_slice = true;
  genten::TtmcOptions options;
  options.nonzeros_per_chunk = 64;
  options.most_chunks = 1000;
  this->expect_products(genten_test::random_tensor(recipe), {3, 2, 5}, options);
}

TYPED_TEST(TtmcTest, IsPreparedForSomeModesOrForOneCall) {
  const auto plain = genten_test::random_tensor({{8, 30, 11}, 300, 2});
  const auto factors = random_factors(plain.dimensions, {2, 7, 3});
  const auto tensor = this->tensor_of(plain);
  const auto stored = this->matrices(factors);
  const auto product =
      genten::ttmc(this->exec, tensor, std::span<const typename TestFixture::Matrix>(stored), 1);
  EXPECT_EQ(product.rows(), 30);
  EXPECT_EQ(product.columns(), 6);
  const genten::Ttmc<typename TestFixture::Scalar, typename TestFixture::Exec> kernel(
      this->exec, tensor, {.modes = {1}});
  const typename TestFixture::Matrix same(30, 6), other(8, 21);
  kernel.run(this->exec, stored, 1, same);
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(same(i, c), product(i, c));
  }
  EXPECT_THAT(genten_test::error_of([&] { kernel.run(this->exec, stored, 0, other); }),
              HasSubstr("mode 1 (counted from 1) is none of those that it was prepared for"));
}

TYPED_TEST(TtmcTest, RefusesWhatDoesNotFit) {
  using Product = typename TestFixture::Kernel;
  using Factor = typename TestFixture::Matrix;
  const auto error_of = [](const auto& call) { return genten_test::error_of(call); };
  const auto tensor = this->tensor_of(genten_test::random_tensor({{4, 5, 6}, 30, 2}));
  const Product kernel(this->exec, tensor);
  std::vector<Factor> factors{Factor(4, 2), Factor(5, 2), Factor(6, 2)};
  EXPECT_THAT(error_of([&] { kernel.run(this->exec, factors, 3, Factor(4, 4)); }),
              HasSubstr("expected a mode from 1 to 3 (counted from 1), got 4"));
  EXPECT_THAT(error_of([&] { kernel.run(this->exec, factors, 0, Factor(4, 5)); }),
              HasSubstr("expected an output of 4 x 4, got 4 x 5"));
  factors[1] = Factor(6, 2);
  EXPECT_THAT(error_of([&] { kernel.run(this->exec, factors, 0, Factor(4, 4)); }),
              HasSubstr("expected 5 rows and a column or more in the factor of mode 2, got 6 x 2"));
  factors.pop_back();
  EXPECT_THAT(error_of([&] { kernel.run(this->exec, factors, 0, Factor(4, 4)); }),
              HasSubstr("expected 3 factors, got 2"));
  EXPECT_THAT(error_of([&] {
                Product(this->exec, tensor, {.modes = {1, 1}});
              }),
              HasSubstr("mode 2 (counted from 1) is named twice"));
  EXPECT_THAT(error_of([&] { Product(this->exec, tensor, {.modes = {-1}}); }),
              HasSubstr("expected a mode from 1 to 3"));
  EXPECT_THAT(error_of([&] {
                Product(this->exec, this->tensor_of({{4}, {{1}}, {2.0}}));
              }),
              HasSubstr("expected a tensor of order 2 or more, got order 1"));
}

TEST(TtmcThreads, GiveTheSameBits) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    using Exec = genten::HostExec;
    genten_test::RandomTensor recipe{{40, 30, 20}, 5000, 6};
    recipe.heavy_slice = true;
    const auto plain = genten_test::random_tensor(recipe);
    std::vector<genten::FacMatrix<float, Exec>> factors;
    for (const auto& matrix : random_factors(plain.dimensions, {3, 4, 5})) {
      factors.push_back(genten_test::to_matrix<float, Exec>(matrix));
    }
    const auto tensor = genten_test::to_sptensor<float, std::uint32_t, Exec>(plain);
    genten::TtmcOptions options;
    options.nonzeros_per_chunk = 100;
    const genten::Ttmc<float, Exec> kernel(Exec(), tensor, options);
    genten_test::BitHash hash;
    for (int mode = 0; mode < 3; ++mode) {
      const genten::FacMatrix<float, Exec> output(plain.dimensions[static_cast<std::size_t>(mode)],
                                                  kernel.columns(factors, mode));
      kernel.run(Exec(), factors, mode, output);
      for (const float element : genten_test::plain(output).elements) hash.add(element);
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
