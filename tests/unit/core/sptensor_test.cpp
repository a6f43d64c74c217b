// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/sptensor.hpp>
#include <genten/core/sptensor_ops.hpp>

#include "reference.hpp"
#include "tensor_test.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

using genten::SubscriptRange;
using genten_test::error_of;
using genten_test::plain;
using genten_test::PlainTensor;
using genten_test::random_tensor;
using genten_test::RandomTensor;

template <class Combination>
class SptensorTest : public genten_test::TensorTest<Combination> {};

TYPED_TEST_SUITE(SptensorTest, genten_test::AllTypes, genten_test::TypeNames);

// ---- construction

TYPED_TEST(SptensorTest, KeepsWhatItIsGiven) {
  const auto tensor = TestFixture::make({4, 3}, {3, 2, 0, 0, 1, 2}, {1, -2, 3});
  EXPECT_EQ(tensor.order(), 2);
  EXPECT_EQ(tensor.nnz(), 3);
  EXPECT_EQ(tensor.dimension(1), 3u);
  EXPECT_DOUBLE_EQ(tensor.density(), 3.0 / 12.0);
  const auto contents = plain(tensor);
  EXPECT_EQ(contents.subscripts, (std::vector<std::vector<std::size_t>>{{3, 2}, {0, 0}, {1, 2}}));
  EXPECT_EQ(contents.values, (std::vector<double>{1, -2, 3}));
}

TYPED_TEST(SptensorTest, TakesViewsWithoutACopy) {
  using Sparse = typename TestFixture::Tensor;
  const Kokkos::View<typename TypeParam::Ordinal**, Kokkos::LayoutRight,
                     typename Sparse::memory_space>
      subscripts("s", 2, 3);
  const Kokkos::View<typename TypeParam::Scalar*, typename Sparse::memory_space> values("v", 2);
  const Sparse tensor(this->exec, {1, 1, 1}, subscripts, values);
  EXPECT_EQ(tensor.subscripts().data(), subscripts.data());
  EXPECT_EQ(tensor.values().data(), values.data());
  EXPECT_EQ(create_mirror_view_and_copy(tensor).values().data() == values.data(),
            genten::is_host_space<typename TypeParam::Exec>);
  EXPECT_EQ(genten::copy_to<typename TypeParam::Exec>(tensor).values().data(), values.data());
}

TYPED_TEST(SptensorTest, CountsElementsBeyondTwoToThe64) {
  std::vector<std::size_t> dimensions(6, 3000000000u);
  const auto tensor = TestFixture::make(dimensions, {2999999999u, 0, 0, 0, 0, 1}, {1});
  EXPECT_DOUBLE_EQ(tensor.density() * std::pow(3e9, 6), 1.0);
  static_assert(std::is_same_v<decltype(tensor.nnz()), std::int64_t>);
}

TYPED_TEST(SptensorTest, EmptyTensorsAreTensors) {
  const auto tensor = TestFixture::make({4, 3}, {}, {});
  EXPECT_EQ(tensor.nnz(), 0);
  EXPECT_EQ(norm(this->exec, tensor), 0.0);
  EXPECT_EQ(sum(this->exec, tensor), 0.0);
  EXPECT_EQ(empty_slices(this->exec, tensor, 0), 4);
  EXPECT_EQ(sum_duplicates(this->exec, tensor).merged, 0);
  EXPECT_EQ(permute_modes(this->exec, tensor, std::vector{1, 0}).dimension(0), 3u);
  EXPECT_EQ(subtensor(this->exec, tensor, std::vector<SubscriptRange>{{0, 2}, {1, 1}}).nnz(), 0);
}

TYPED_TEST(SptensorTest, NamesTheFirstOffendingNonzero) {
  EXPECT_EQ(error_of([] {
              TestFixture::make({4, 3}, {0, 0, 1, 3, 9, 9}, {1, 1, 1});
            }),
            "Sptensor: nonzero 1: expected a subscript below 3 in mode 2, got 3");
  const auto infinity = std::numeric_limits<typename TypeParam::Scalar>::infinity();
  EXPECT_EQ(error_of([&] {
              TestFixture::make({4, 3}, {0, 0, 1, 2}, {1, infinity});
            }),
            "Sptensor: nonzero 1: expected a finite value, got inf");
  EXPECT_NE(error_of([&] { TestFixture::make({4, 3}, {0, 0}, {infinity - infinity}); }), "");
}

TYPED_TEST(SptensorTest, RefusesWrongShapes) {
  EXPECT_EQ(error_of([] {
              TestFixture::make({4, 3}, {0, 0, 1}, {1, 1});
            }),
            "Sptensor: expected 2 subscripts for each of 2 values, got 3 subscripts");
  EXPECT_EQ(error_of([] { TestFixture::make({}, {}, {}); }),
            "Sptensor: expected an order from 1 to 16, got 0");
  EXPECT_NE(error_of([] { TestFixture::make(std::vector<std::size_t>(17, 2), {}, {}); }), "");
  if constexpr (sizeof(typename TypeParam::Ordinal) == 4) {
    EXPECT_EQ(error_of([] { TestFixture::make({std::size_t{1} << 33}, {}, {}); }),
              "Sptensor: mode 1 of length 8589934592 needs 64-bit ordinals, got 32-bit ones");
  }
}

// ---- norm and sum

TYPED_TEST(SptensorTest, NormAndSumAgreeWithTheReference) {
  for (const std::size_t nnz : {1u, 5u, 2047u, 30000u}) {
    const auto plain_tensor = random_tensor({.dimensions = {700, 800, 900}, .nnz = nnz, .seed = 3});
    const auto tensor = TestFixture::make(plain_tensor);
    double squares = 0.0;
    for (const double value : plain_tensor.values) squares += value * value;
    // Values are multiples of 1/64: sums of them and of their squares are exact in double.
    EXPECT_EQ(sum(this->exec, tensor),
              std::accumulate(plain_tensor.values.begin(), plain_tensor.values.end(), 0.0));
    EXPECT_EQ(norm(this->exec, tensor), std::sqrt(squares));
  }
}

TYPED_TEST(SptensorTest, NormNeitherOverflowsNorUnderflows) {
  using Real = typename TypeParam::Scalar;
  using Limits = std::numeric_limits<Real>;
  for (const int exponent : {Limits::max_exponent - 3, Limits::min_exponent + 3}) {
    const Real size = std::ldexp(Real(1), exponent);
    const auto tensor = TestFixture::make({4}, {0, 1}, {3 * size, 4 * size});
    EXPECT_DOUBLE_EQ(norm(this->exec, tensor) / static_cast<double>(size), 5.0);
    EXPECT_EQ(max_abs(this->exec, tensor), 4 * static_cast<double>(size));
  }
}

template <class Combination>
class SptensorHostTest : public SptensorTest<Combination> {};
TYPED_TEST_SUITE(SptensorHostTest, genten_test::HostTypes, genten_test::TypeNames);

// Devices add in another order.
TYPED_TEST(SptensorHostTest, NormIsTheSameOnSerialAndParallelSpaces) {
  using HostTensor =
      genten::Sptensor<typename TypeParam::Scalar, typename TypeParam::Ordinal, genten::HostExec>;
  auto values = random_tensor({.dimensions = {50, 50}, .nnz = 50000, .seed = 8});
  for (double& value : values.values) value = 1.0 / value;
  const auto tensor = TestFixture::make(values);
  const HostTensor other = genten::copy_to<genten::HostExec>(tensor);
  EXPECT_EQ(norm(this->exec, tensor), norm(genten::HostExec(), other));
  EXPECT_EQ(sum(this->exec, tensor), sum(genten::HostExec(), other));
}

TYPED_TEST(SptensorHostTest, NormIsTheSameForEveryNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([&] {
    auto values = random_tensor({.dimensions = {50, 50}, .nnz = 50000, .seed = 8});
    for (double& value : values.values) value = 1.0 / value;
    const auto tensor = TestFixture::make(values);
    genten_test::BitHash hash;
    hash.add(norm(this->exec, tensor));
    hash.add(sum(this->exec, tensor));
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// ---- permuted modes

TYPED_TEST(SptensorTest, PermutesModes) {
  const auto before = random_tensor({.dimensions = {7, 1, 30, 4}, .nnz = 100, .seed = 2});
  const std::vector<int> modes{2, 0, 3, 1};
  const auto after = plain(permute_modes(this->exec, TestFixture::make(before), modes));
  EXPECT_EQ(after.dimensions, (std::vector<std::size_t>{30, 7, 4, 1}));
  EXPECT_EQ(after.values, before.values);
  for (std::size_t p = 0; p < before.nnz(); ++p) {
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(after.subscripts[p][k], before.subscripts[p][static_cast<std::size_t>(modes[k])]);
    }
  }
}

TYPED_TEST(SptensorTest, RefusesWhatIsNoPermutationOfModes) {
  const auto tensor = TestFixture::make({4, 3}, {0, 0}, {1});
  EXPECT_EQ(error_of([&] {
              (void)permute_modes(this->exec, tensor, std::vector{1, 1});
            }),
            "mode order: expected each mode from 1 to 2 once (counted from 1), got 2, 2");
}

// ---- subtensors

TYPED_TEST(SptensorTest, TakesSubtensorsByRanges) {
  const auto before = random_tensor({.dimensions = {20, 30, 5}, .nnz = 2000, .seed = 4});
  const std::vector<SubscriptRange> ranges{{3, 20}, {10, 11}, {0, 4}};
  const auto tensor = subtensor(this->exec, TestFixture::make(before), ranges);
  const auto after = plain(tensor);
  EXPECT_EQ(after.dimensions, (std::vector<std::size_t>{17, 1, 4}));
  PlainTensor expected{after.dimensions, {}, {}};
  for (std::size_t p = 0; p < before.nnz(); ++p) {
    std::vector<std::size_t> row;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::size_t i = before.subscripts[p][n];
      if (i >= ranges[n].begin && i < ranges[n].end) row.push_back(i - ranges[n].begin);
    }
    if (row.size() < 3) continue;
    expected.subscripts.push_back(row);
    expected.values.push_back(before.values[p]);
  }
  ASSERT_GT(expected.nnz(), 0u);
  EXPECT_EQ(after.subscripts, expected.subscripts);
  EXPECT_EQ(after.values, expected.values);
}

TYPED_TEST(SptensorTest, RefusesRangesOutsideTheTensor) {
  const auto tensor = TestFixture::make({4, 3}, {0, 0}, {1});
  const auto take = [&](std::vector<SubscriptRange> ranges) {
    return error_of([&] { (void)subtensor(this->exec, tensor, ranges); });
  };
  EXPECT_EQ(take({{0, 4}}), "subtensor: expected 2 ranges, one a mode, got 1");
  EXPECT_EQ(take({{0, 4}, {0, 4}}),
            "subtensor: expected a range within [0, 3) in mode 2, got [0, 4)");
  EXPECT_EQ(take({{3, 2}, {0, 3}}),
            "subtensor: expected a range within [0, 4) in mode 1, got [3, 2)");
  EXPECT_EQ(take({{0, 4}, {0, 3}}), "");
}

// ---- slices

TYPED_TEST(SptensorTest, CountsSlices) {
  const auto before =
      random_tensor({.dimensions = {50, 3, 1}, .nnz = 5000, .seed = 6, .empty_slices = true});
  const auto tensor = TestFixture::make(before);
  for (int mode = 0; mode < 3; ++mode) {
    const auto n = static_cast<std::size_t>(mode);
    std::vector<genten::offset_t> expected(before.dimensions[n], 0);
    for (const auto& row : before.subscripts) ++expected[row[n]];
    const auto counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                                            slice_counts(this->exec, tensor, mode));
    ASSERT_EQ(counts.extent(0), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(counts(i), expected[i]);
    EXPECT_EQ(empty_slices(this->exec, tensor, mode),
              std::count(expected.begin(), expected.end(), 0));
  }
  EXPECT_EQ(empty_slices(this->exec, tensor, 0), 25);
  EXPECT_EQ(error_of([&] { (void)slice_counts(this->exec, tensor, 3); }),
            "slice_counts: expected a mode from 1 to 3 (counted from 1), got 4");
  EXPECT_NE(error_of([&] { (void)slice_counts(this->exec, tensor, -1); }), "");
}

// ---- comparison

TYPED_TEST(SptensorTest, ComparesEverythingStored) {
  const auto tensor = TestFixture::make({4, 3}, {0, 0, 1, 2}, {1, 2});
  EXPECT_TRUE(equal(this->exec, tensor, TestFixture::make({4, 3}, {0, 0, 1, 2}, {1, 2})));
  EXPECT_FALSE(equal(this->exec, tensor, TestFixture::make({4, 4}, {0, 0, 1, 2}, {1, 2})));
  EXPECT_FALSE(equal(this->exec, tensor, TestFixture::make({4, 3}, {0, 0, 1, 1}, {1, 2})));
  EXPECT_FALSE(equal(this->exec, tensor, TestFixture::make({4, 3}, {0, 0, 1, 2}, {1, 3})));
  EXPECT_FALSE(equal(this->exec, tensor, TestFixture::make({4, 3}, {0, 0}, {1})));
}

}  // namespace
