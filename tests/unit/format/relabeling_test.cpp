// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/sptensor_ops.hpp>
#include <genten/format/detail/relabeling_impl.hpp>
#include <genten/format/relabeling.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Relabeling = genten::Relabeling<std::uint32_t, Exec>;
using Matrix = genten::FacMatrix<double, Exec>;
using genten::offset_t;

class RelabelingTest : public testing::Test {
 protected:
  // Mode 2 is so long that its rows are found by sorting.
  const genten_test::PlainTensor plain_tensor = genten_test::random_tensor(
      {.dimensions = {30, 200, 2'000'000}, .nnz = 400, .empty_slices = true, .heavy_slice = true});
  const Exec exec{};
  const genten::Sptensor<double, std::uint32_t, Exec> tensor =
      genten_test::to_sptensor<double, std::uint32_t, Exec>(plain_tensor);
  const Relabeling relabeling{exec, tensor};

  [[nodiscard]] std::vector<std::size_t> counts(int mode) const {
    std::vector<std::size_t> result(tensor.dimension(mode), 0);
    for (const auto& at : plain_tensor.subscripts) ++result[at[static_cast<std::size_t>(mode)]];
    return result;
  }
};

TEST_F(RelabelingTest, RowsInUseComeByDescendingCountAndOnlyThey) {
  for (int mode = 0; mode < 3; ++mode) {
    const auto count = counts(mode);
    const auto rows = relabeling.original_rows(mode);
    std::size_t used = 0;
    for (const std::size_t c : count) used += c != 0;
    ASSERT_EQ(rows.extent(0), used) << "mode " << mode;
    EXPECT_LT(used, tensor.dimension(mode)) << "the test wants empty rows";
    for (std::size_t i = 0; i < used; ++i) {
      ASSERT_GT(count[rows(i)], 0u) << "mode " << mode << ", row " << i;
      if (i == 0) continue;
      const bool descends = count[rows(i - 1)] > count[rows(i)];
      const bool tie = count[rows(i - 1)] == count[rows(i)] && rows(i - 1) < rows(i);
      ASSERT_TRUE(descends || tie) << "mode " << mode << ", row " << i;
    }
  }
}

TEST_F(RelabelingTest, RelabeledTensorIsTheTensorByItsNewNumbers) {
  const auto relabeled = relabeling.apply(exec, tensor).materialize(exec);
  exec.fence();
  EXPECT_EQ(relabeled.dimensions(), relabeling.dimensions());
  ASSERT_EQ(relabeled.nnz(), tensor.nnz());
  for (std::size_t p = 0; p < plain_tensor.nnz(); ++p) {
    EXPECT_EQ(relabeled.values()(p), tensor.values()(p));
    for (int n = 0; n < 3; ++n) {
      ASSERT_EQ(relabeling.original_rows(n)(relabeled.subscripts()(p, n)),
                tensor.subscripts()(p, n));
    }
  }
}

TEST_F(RelabelingTest, GathersTheRowsThatHaveNonzeros) {
  const int mode = 1;
  const std::size_t rank = 5;
  const auto plain_wide = genten_test::random_matrix(tensor.dimension(mode), rank, 4);
  const Matrix wide(tensor.dimension(mode), rank);
  for (std::size_t i = 0; i < wide.rows(); ++i) {
    for (std::size_t j = 0; j < rank; ++j) wide(i, j) = plain_wide(i, j);
  }
  const auto rows = relabeling.original_rows(mode);
  const Matrix narrow(rows.extent(0), rank);
  relabeling.gather_rows(exec, mode, wide, narrow);
  exec.fence();
  for (std::size_t i = 0; i < rows.extent(0); ++i) {
    for (std::size_t j = 0; j < rank; ++j) ASSERT_EQ(narrow(i, j), plain_wide(rows(i), j));
  }
}

/// The rows in use and their numbers by counting and by sorting, whatever the mode's length says.
template <class Ordinal>
void expect_one_answer(const genten_test::PlainTensor& plain_tensor) {
  const Exec exec{};
  const auto tensor = genten_test::to_sptensor<double, Ordinal, Exec>(plain_tensor);
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const std::size_t length = tensor.dimension(mode);
    const auto counts =
        genten::detail::count_slices_on_host(exec, tensor.subscripts(), mode, length);
    const auto counted = genten::detail::rows_by_count<Ordinal>(counts);
    const auto sorted = genten::detail::rows_by_count_of_long_mode<Ordinal>(
        exec, tensor.subscripts(), mode, length);
    ASSERT_EQ(sorted.extent(0), counted.extent(0));
    for (std::size_t i = 0; i < counted.extent(0); ++i) ASSERT_EQ(sorted(i), counted(i));
    const auto numbers = genten::detail::numbers_in_long_mode<Ordinal>(exec, tensor.subscripts(),
                                                                       mode, length, sorted);
    for (offset_t p = 0; p < tensor.nnz(); ++p) {
      ASSERT_EQ(sorted(numbers(p)), tensor.subscripts()(p, mode)) << "nonzero " << p;
    }
  }
}

TEST(RelabelingOfLongModes, IsThatOfOthers) {
  // One mode is longer than what private histograms are kept for.
  const auto tensor = genten_test::random_tensor({.dimensions = {1, 40, 5000, 1'200'000},
                                                  .nnz = 30'000,
                                                  .empty_slices = true,
                                                  .heavy_slice = true});
  expect_one_answer<std::uint32_t>(tensor);
  expect_one_answer<std::uint64_t>(tensor);
  expect_one_answer<std::uint32_t>({{7, 3}, {{5, 2}}, {1.0}});
}

TEST(RelabelingOfLongModes, TakesNoMemoryForTheirLength) {
  const Exec exec{};
  const std::size_t longest = std::size_t{1} << 60;
  const auto tensor = genten_test::to_sptensor<double, std::uint64_t, Exec>(
      {{longest, 3, std::size_t{5} << 30},
       {{longest - 1, 0, 7},
        {5, 1, 7},
        {longest - 1, 2, std::size_t{5} << 30 >> 1},
        {5, 1, 9},
        {5, 0, 9}},
       {1, 2, 3, 4, 5}});
  const genten::Relabeling<std::uint64_t, Exec> relabeling(exec, tensor);
  EXPECT_EQ(relabeling.dimensions(), (std::vector<std::size_t>{2, 3, 3}));
  EXPECT_EQ(relabeling.original_rows(0)(0), 5u);
  EXPECT_EQ(relabeling.original_rows(0)(1), longest - 1);
  EXPECT_EQ(relabeling.original_rows(2)(0), 7u);
  const auto relabeled = relabeling.apply(exec, tensor);
  const auto subscripts = relabeled.subscripts();
  for (int mode = 0; mode < 3; ++mode) {
    for (offset_t p = 0; p < tensor.nnz(); ++p) {
      EXPECT_EQ(relabeling.original_rows(mode)(subscripts(p, mode)), tensor.subscripts()(p, mode));
    }
  }
}

TEST(RelabelingOfDistinctNonzeros, KnowsThemDistinctButNotSorted) {
  const Exec exec{};
  const auto checked = genten_test::to_sptensor<double, std::uint32_t, Exec>(
      genten_test::PlainTensor{{4, 2}, {{0, 1}, {3, 0}, {3, 1}}, {1, 2, 3}});
  const auto tensor = sum_duplicates(exec, checked).tensor;
  ASSERT_EQ(tensor.facts(), (genten::SptensorFacts{true, true}));
  const Relabeling relabeling(exec, tensor);
  EXPECT_EQ(relabeling.apply(exec, tensor).materialize(exec).facts(),
            (genten::SptensorFacts{true, false}));
  EXPECT_EQ(relabeling.apply(exec, checked).materialize(exec).facts(), genten::SptensorFacts());
}

TEST(RelabelingOfEmptyTensor, KeepsAllRows) {
  const Exec exec{};
  const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(
      genten_test::PlainTensor{{4, 2}, {}, {}});
  const Relabeling relabeling(exec, tensor);
  EXPECT_EQ(relabeling.dimensions(), (std::vector<std::size_t>{4, 2}));
  for (const int mode : {0, 1}) {
    const auto rows = relabeling.original_rows(mode);
    for (std::size_t i = 0; i < rows.extent(0); ++i) EXPECT_EQ(rows(i), i) << mode;
  }
}

}  // namespace
