// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/sptensor_ops.hpp>

#include "tensor_test.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

using genten::SptensorFacts;
using genten_test::error_of;
using genten_test::plain;
using genten_test::PlainTensor;
using genten_test::random_tensor;
using genten_test::RandomTensor;

constexpr SptensorFacts distinct_only{true, false}, sorted_and_distinct{true, true};

template <class Combination>
class SumDuplicatesTest : public genten_test::TensorTest<Combination> {
 protected:
  /// The result holds the entries of `before`, in lexicographic order where any were merged.
  void expect_merged(const PlainTensor& before) {
    const auto entries = before.entries();
    const auto [tensor, merged] = sum_duplicates(this->exec, this->make(before));
    EXPECT_EQ(merged, static_cast<genten::offset_t>(before.nnz() - entries.size()));
    EXPECT_TRUE(tensor.facts().distinct);
    const auto after = plain(tensor);
    ASSERT_EQ(after.nnz(), entries.size());
    // Sums of multiples of 1/64 are exact unless they outgrow a float, which these do not.
    EXPECT_EQ(after.entries(), entries);
    if (merged != 0) {
      EXPECT_EQ(tensor.facts(), sorted_and_distinct);
      EXPECT_TRUE(std::is_sorted(after.subscripts.begin(), after.subscripts.end()));
    }
  }
};

TYPED_TEST_SUITE(SumDuplicatesTest, genten_test::AllTypes, genten_test::TypeNames);

const std::vector<RandomTensor> recipes{
    {.dimensions = {40, 30, 20}, .nnz = 500, .duplicate_every = 3},
    {.dimensions = {1, 1}, .nnz = 50},
    {.dimensions = {300, 300, 300}, .nnz = 20000, .duplicate_every = 5, .heavy_slice = true},
    // Keys of 51, 68 and 96 bits: one word, two, and two.
    {.dimensions = {100000, 100000, 100000}, .nnz = 70000, .duplicate_every = 7},
    {.dimensions = {100000, 100000, 100000, 100000}, .nnz = 3000, .duplicate_every = 2},
    {.dimensions = std::vector<std::size_t>(8, 4000), .nnz = 2000, .duplicate_every = 4},
    // Without duplicates.
    {.dimensions = {4000000000, 4000000000}, .nnz = 3000},
    {.dimensions = {4000000000, 4000000000, 4000000000}, .nnz = 3000}};

/// The nonzeros in lexicographic order, equal ones in theirs.
PlainTensor sorted(const PlainTensor& tensor) {
  std::vector<std::size_t> order(tensor.nnz());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tensor.subscripts[a] < tensor.subscripts[b];
  });
  PlainTensor result{tensor.dimensions, {}, {}};
  for (const std::size_t p : order) {
    result.subscripts.push_back(tensor.subscripts[p]);
    result.values.push_back(tensor.values[p]);
  }
  return result;
}

TYPED_TEST(SumDuplicatesTest, OfUnsortedTensors) {
  for (const RandomTensor& recipe : recipes) this->expect_merged(random_tensor(recipe));
}

TYPED_TEST(SumDuplicatesTest, OfSortedTensors) {
  for (const RandomTensor& recipe : recipes) this->expect_merged(sorted(random_tensor(recipe)));
}

TYPED_TEST(SumDuplicatesTest, AddsInDoubleInTheOrderOfStorage) {
  // In float the first sum would be 0; in another order the second would be 1.
  const auto [tensor, merged] = sum_duplicates(
      this->exec, TestFixture::make({9}, {5, 7, 5, 5, 5}, {1, 2, 16777216, 1, -16777216}));
  EXPECT_EQ(merged, 3);
  EXPECT_EQ(plain(tensor).values, (std::vector<double>{2, 2}));
  const auto [other, others_merged] = sum_duplicates(
      this->exec, TestFixture::make({9}, {7, 5, 5, 5}, {2, 0x1.0p60f, 1, -0x1.0p60f}));
  EXPECT_EQ(others_merged, 2);
  EXPECT_EQ(plain(other).values, (std::vector<double>{0, 2}));
}

TYPED_TEST(SumDuplicatesTest, ReturnsWhatHasNoneAsItIsAndSaysSo) {
  const auto sorted_tensor = TestFixture::make({4, 3}, {0, 0, 0, 2, 1, 0}, {1, 2, 3});
  EXPECT_EQ(sorted_tensor.facts(), SptensorFacts());
  const auto from_sorted = sum_duplicates(this->exec, sorted_tensor);
  EXPECT_EQ(from_sorted.merged, 0);
  EXPECT_EQ(from_sorted.tensor.values().data(), sorted_tensor.values().data());
  EXPECT_EQ(from_sorted.tensor.facts(), sorted_and_distinct);
  const auto tensor = TestFixture::make({4, 3}, {0, 2, 1, 0, 0, 0}, {1, 2, 3});
  const auto from_unsorted = sum_duplicates(this->exec, tensor);
  EXPECT_EQ(from_unsorted.merged, 0);
  EXPECT_EQ(from_unsorted.tensor.values().data(), tensor.values().data());
  EXPECT_EQ(from_unsorted.tensor.subscripts().data(), tensor.subscripts().data());
  EXPECT_EQ(from_unsorted.tensor.facts(), distinct_only);
}

TYPED_TEST(SumDuplicatesTest, BelievesWhatIsKnown) {
  // A promise that is not true, and that no debug build can tell by a look at neighbours.
  const auto tensor = TestFixture::make({4}, {2, 0, 2}, {1, 5, -1});
  const auto promised = TestFixture::Tensor::trusted(
      this->exec, tensor.dimensions(), tensor.subscripts(), tensor.values(), distinct_only);
  EXPECT_EQ(sum_duplicates(this->exec, promised).merged, 0);
}

TYPED_TEST(SumDuplicatesTest, KeepsZerosThatCancel) {
  const auto [tensor, merged] =
      sum_duplicates(this->exec, TestFixture::make({4}, {2, 0, 2}, {1, 5, -1}));
  EXPECT_EQ(merged, 1);
  ASSERT_EQ(tensor.nnz(), 2);
  EXPECT_EQ(plain(tensor).values[1], 0);
}

TYPED_TEST(SumDuplicatesTest, SaysWhenASumOverflows) {
  const auto huge = std::numeric_limits<typename TypeParam::Scalar>::max();
  for (const std::vector<typename TypeParam::Ordinal>& rows :
       {std::vector<typename TypeParam::Ordinal>{2, 2, 3}, {3, 2, 2}}) {
    EXPECT_EQ(error_of([&] {
                (void)sum_duplicates(this->exec, TestFixture::make({4}, rows, {huge, huge, huge}));
              }),
              "Sptensor: nonzero 0: expected a finite value, got inf");
  }
}

}  // namespace
