// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/mttkrp/semi_sparse.hpp>

#include "plain.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"
#include "tucker_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using testing::HasSubstr;

/// X_(n) X_(n)^T, from all pairs of entries.
PlainMatrix gram_of(const PlainTensor& tensor, std::size_t mode) {
  PlainMatrix gram(tensor.dimensions[mode], tensor.dimensions[mode]);
  const auto entries = tensor.entries();
  for (const auto& [subscripts, value] : entries) {
    auto other = subscripts;
    for (std::size_t i = 0; i < gram.rows; ++i) {
      other[mode] = i;
      const auto found = entries.find(other);
      if (found != entries.end()) gram(subscripts[mode], i) += value * found->second;
    }
  }
  return gram;
}

template <class Types>
class NvecsTest : public testing::Test {
 protected:
  using Exec = typename Types::Exec;
  using Scalar = typename Types::Scalar;

  static auto tensor_of(const PlainTensor& plain) {
    return genten_test::to_sptensor<Scalar, typename Types::Ordinal, Exec>(plain);
  }
  static double tolerance() { return sizeof(Scalar) == 4 ? 1e-5 : 1e-9; }

  /// Orthonormal, eigenvectors of the Gram matrix, of positive first largest elements.
  static void expect_eigenvectors(const genten::LeadingVectors<Exec>& found,
                                  const PlainMatrix& gram) {
    const double scale = found.eigenvalues[0];
    for (std::size_t k = 0; k < found.eigenvalues.size(); ++k) {
      double largest = 0.0;
      for (std::size_t i = 0; i < gram.rows; ++i) {
        double product = 0.0;
        for (std::size_t j = 0; j < gram.rows; ++j) product += gram(i, j) * found.vectors(j, k);
        EXPECT_NEAR(product, found.eigenvalues[k] * found.vectors(i, k), 1e-9 * scale);
        if (std::abs(found.vectors(i, k)) > std::abs(largest)) largest = found.vectors(i, k);
      }
      EXPECT_GT(largest, 0.0);
      for (std::size_t l = 0; l <= k; ++l) {
        double product = 0.0;
        for (std::size_t i = 0; i < gram.rows; ++i) {
          product += found.vectors(i, k) * found.vectors(i, l);
        }
        EXPECT_NEAR(product, k == l ? 1.0 : 0.0, 1e-13);
      }
    }
  }
  Exec exec;
};
TYPED_TEST_SUITE(NvecsTest, genten_test::HostTypes, genten_test::TypeNames);

TYPED_TEST(NvecsTest, FindsKnownEigenvaluesByEitherWay) {
  const std::vector<std::vector<double>> of_cnt{
      {846.949988188, 374.934362271, 345.663370347, 266.339300683, 158.367606563},
      {943.268030044, 407.442471716, 316.740592152, 251.613192402, 222.377543422},
      {890.260094719, 408.728582383, 357.334539455, 242.704598589, 186.325300162}};
  const std::vector<std::vector<double>> of_bin2{
      {32.519197715, 26.2928209984, 25.6971412132, 8.24893241274, 5.63238925026},
      {33.1076046526, 26.9970537516, 24.4431720801, 10.5478675674, 8.13995881914},
      {76.2387943793, 12.7861487295, 8.85656133153, 8.07314994646, 6.04534561326}};
  const auto expect = [&](const PlainTensor& plain, const auto& known) {
    const auto tensor = this->tensor_of(plain);
    for (int mode = 0; mode < 3; ++mode) {
      for (const std::size_t most_direct : {100, 0}) {
        for (const std::size_t count : {5, 1, 2}) {
          genten::LeadingVectorsOptions options;
          options.most_direct = most_direct;
          const auto found = genten::nvecs(this->exec, tensor, mode, count, options);
          ASSERT_EQ(found.eigenvalues.size(), count);
          EXPECT_TRUE(found.converged);
          EXPECT_EQ(found.products == 0, most_direct != 0);
          for (std::size_t k = 0; k < count; ++k) {
            const double value = known[static_cast<std::size_t>(mode)][k];
            EXPECT_NEAR(found.eigenvalues[k], value, this->tolerance() * value);
          }
          this->expect_eigenvectors(found, gram_of(plain, static_cast<std::size_t>(mode)));
        }
      }
    }
  };
  expect(genten_test::cnt_tensor(), of_cnt);
  expect(genten_test::bin2_tensor(), of_bin2);
}

TYPED_TEST(NvecsTest, FindsVectorsOfLongModesWithRestarts) {
  // Duplicates count as their sum.
  const auto plain = genten_test::random_tensor({{300, 40, 50}, 2500, 3, 11});
  genten::LeadingVectorsOptions options;
  options.most_direct = 10;
  for (const std::size_t count : {1, 3, 8}) {
    const auto found = genten::nvecs(this->exec, this->tensor_of(plain), 0, count, options);
    EXPECT_TRUE(found.converged);
    EXPECT_GT(found.products, 5 * count);  // a basis has at most five blocks
    this->expect_eigenvectors(found, gram_of(plain, 0));
    const auto direct = genten::nvecs(this->exec, this->tensor_of(plain), 0, count);
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_NEAR(found.eigenvalues[k], direct.eigenvalues[k], 1e-9 * direct.eigenvalues[0]);
      for (std::size_t i = 0; i < 300; ++i) {
        EXPECT_NEAR(found.vectors(i, k), direct.vectors(i, k), 1e-6);
      }
    }
  }
}

TYPED_TEST(NvecsTest, FindsMultipleEigenvaluesAsOftenAsTheyOccur) {
  PlainTensor plain{{30, 30, 2}, {}, {}};
  for (std::size_t i = 0; i < 30; ++i) {
    plain.subscripts.push_back({i, i, i % 2});
    plain.values.push_back(i < 4 ? 2.0 : 1.0);
  }
  for (const std::size_t most_direct : {100, 0}) {
    genten::LeadingVectorsOptions options;
    options.most_direct = most_direct;
    const auto found = genten::nvecs(this->exec, this->tensor_of(plain), 0, 6, options);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(found.eigenvalues[k], k < 4 ? 4.0 : 1.0, 1e-12);
    }
    this->expect_eigenvectors(found, gram_of(plain, 0));
  }
}

TYPED_TEST(NvecsTest, SaysWhereItDidNotConverge) {
  const auto plain = genten_test::random_tensor({{300, 40, 50}, 2500, 3});
  genten::LeadingVectorsOptions options;
  options.most_direct = 0;
  options.most_blocks = 2;
  EXPECT_FALSE(genten::nvecs(this->exec, this->tensor_of(plain), 0, 3, options).converged);
}

TYPED_TEST(NvecsTest, TakesATensorWithoutNonzeros) {
  for (const std::size_t most_direct : {100, 0}) {
    genten::LeadingVectorsOptions options;
    options.most_direct = most_direct;
    const auto found =
        genten::nvecs(this->exec, this->tensor_of({{4, 3, 5}, {}, {}}), 2, 3, options);
    EXPECT_THAT(found.eigenvalues, testing::Each(0.0));
    this->expect_eigenvectors(found, PlainMatrix(5, 5));
  }
}

TYPED_TEST(NvecsTest, RefusesModesAndCountsThatAreNotThere) {
  const auto tensor = this->tensor_of(genten_test::cnt_tensor());
  EXPECT_THAT(
      genten_test::error_of([&] { static_cast<void>(genten::nvecs(this->exec, tensor, 3, 1)); }),
      HasSubstr("expected a mode from 1 to 3 (counted from 1), got 4"));
  EXPECT_THAT(
      genten_test::error_of([&] { static_cast<void>(genten::nvecs(this->exec, tensor, 2, 7)); }),
      HasSubstr("expected at most 6 vectors (the rows of mode 3), got 7"));
}

TYPED_TEST(NvecsTest, SemiSparseProductsAreThoseOfAllModes) {
  using Value = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto plain = genten_test::random_tensor({{4, 5, 3, 6}, 60, 3, 8});
  const std::vector<std::size_t> ranks{2, 3, 1, 4};
  const std::vector<int> order{2, 0, 3, 1};
  genten::SemiSparse<Value, Space> product(this->exec, this->tensor_of(plain), order);
  std::vector<PlainMatrix> factors;
  for (std::size_t n = 0; n < 4; ++n) {
    factors.push_back(
        genten_test::random_matrix(plain.dimensions[n], ranks[n], static_cast<unsigned>(n)));
  }
  // Mode 1, the last, is left as it is.
  for (const int n : {2, 0, 3}) {
    product = product.multiply(
        this->exec, genten_test::to_matrix<Value, Space>(factors[static_cast<std::size_t>(n)]));
  }
  EXPECT_EQ(product.sparse_modes(), std::vector<int>{1});
  EXPECT_EQ(product.dense_modes(), (std::vector<int>{2, 0, 3}));
  EXPECT_EQ(product.block_length(), 8);
  const auto elements = product.dense(this->exec);
  ASSERT_EQ(elements.extent(0), 2 * 5 * 1 * 4);
  for (std::size_t at = 0; at < elements.extent(0); ++at) {
    const std::size_t r0 = at % 2, i1 = at / 2 % 5, r3 = at / 10;
    double sum = 0.0;
    for (std::size_t p = 0; p < plain.nnz(); ++p) {
      const auto& s = plain.subscripts[p];
      if (s[1] != i1) continue;
      sum += plain.values[p] * factors[0](s[0], r0) * factors[2](s[2], 0) * factors[3](s[3], r3);
    }
    EXPECT_NEAR(static_cast<double>(elements(at)), sum, this->tolerance());
  }
}

TEST(NvecsThreads, GiveTheSameBits) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    using Exec = genten::HostExec;
    const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(
        genten_test::random_tensor({{900, 140, 150}, 20000, 3}));
    genten_test::BitHash hash;
    for (const std::size_t most_direct : {100, 200, 1000}) {
      genten::LeadingVectorsOptions options;
      options.most_direct = most_direct;
      for (int mode = 0; mode < 3; ++mode) {
        const auto found = genten::nvecs(Exec(), tensor, mode, 4, options);
        for (const double value : genten_test::plain(found.vectors).elements) hash.add(value);
      }
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
