// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Every kernel of the list, on every backend, scalar and ordinal, against the serial
// double-precision reference. Each comparison fills the output and the factor of the own mode with
// NaN first: neither may be read, and rows without nonzeros must become exactly zero.

#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

using genten_test::change_on_host;
using genten_test::mttkrp_agrees;
using genten_test::mttkrp_reference;
using genten_test::MttkrpReference;
using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using genten_test::random_matrix;
using genten_test::random_tensor;
using testing::HasSubstr;

/// How factor matrices are stored in a comparison.
enum class Storage { padded, wrapped };

template <class Combination>
class MttkrpReferenceTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Plan = genten::MttkrpPlan<Scalar, Ordinal, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  static constexpr Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  using Choice = genten::kernels::SortedChoice;
  /// Where factors leave the L2 cache `sorted` tiles; devices hide the latency of gathers
  /// instead.
  static constexpr bool tiles = genten::is_host_space<Exec>;

  /// Caches so small that small tensors leave them.
  [[nodiscard]] genten::MachineProperties machine() const {
    genten::MachineProperties result = genten::MachineProperties::of(exec);
    result.l2_cache = l2_bytes;
    result.shared_cache = shared_bytes;
    result.cores = 2;
    return result;
  }
  static constexpr double l2_bytes = 1 << 16;
  static constexpr double shared_bytes = 1 << 21;

  static Matrix make(std::size_t rows, std::size_t columns, Storage storage) {
    if (storage == Storage::padded) return Matrix(rows, columns);
    return Matrix(typename Matrix::view_type("wrapped", rows, columns));
  }
  static Matrix make(const PlainMatrix& from, Storage storage) {
    const Matrix matrix = make(from.rows, from.columns, storage);
    genten_test::assign(matrix, from);
    return matrix;
  }
  static Matrix all_nan(std::size_t rows, std::size_t columns, Storage storage) {
    const Matrix matrix = make(rows, columns, storage);
    change_on_host(matrix, [=](const auto& host) {
      for (std::size_t i = 0; i < rows; ++i) std::fill_n(host.row(i), columns, nan);
    });
    return matrix;
  }

  static genten::Sptensor<Scalar, Ordinal, Exec> make(const PlainTensor& tensor) {
    return genten_test::to_sptensor<Scalar, Ordinal, Exec>(tensor);
  }

  static std::vector<PlainMatrix> random_factors(const PlainTensor& tensor, std::size_t rank) {
    std::vector<PlainMatrix> factors;
    for (std::size_t n = 0; n < tensor.order(); ++n) {
      factors.push_back(random_matrix(tensor.dimensions[n], rank, 100 + static_cast<unsigned>(n)));
    }
    return factors;
  }

  static std::vector<std::string> all_kernels() {
    auto names = genten::kernel_names<Exec>();
    names.emplace_back("auto");
    return names;
  }

  /// Compares kernels with the reference in all modes. Returns what `sorted` has chosen.
  Choice compare(const PlainTensor& tensor, std::size_t rank, Storage storage = Storage::padded,
                 const std::vector<int>& update_order = {},
                 const std::vector<std::string>& kernels = all_kernels()) {
    const auto plain_factors = random_factors(tensor, rank);
    std::vector<MttkrpReference> references;
    std::vector<Matrix> factors;
    for (std::size_t n = 0; n < tensor.order(); ++n) {
      references.push_back(mttkrp_reference(tensor, plain_factors, n));
      factors.push_back(make(plain_factors[n], storage));
    }
    const auto library_tensor = make(tensor);
    Choice sorted_choice;
    for (const std::string& kernel : kernels) {
      Plan plan(exec, library_tensor, rank, {.kernel = kernel, .machine = machine()}, update_order);
      if (kernel != "auto") {
        EXPECT_EQ(plan.kernel(), kernel);
      }
      for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
        auto read = factors;
        read[mode] = all_nan(tensor.dimensions[mode], rank, storage);
        const Matrix output = all_nan(tensor.dimensions[mode], rank, storage);
        plan.execute(exec, read, static_cast<int>(mode), output);
        exec.fence();
        EXPECT_TRUE(mttkrp_agrees(output, references[mode]))
            << "kernel " << plan.kernel() << ", order " << tensor.order() << ", rank " << rank
            << ", mode " << mode << ", " << plan.describe();
      }
      if (kernel == "sorted") {
        sorted_choice = *plan.template choice_of<genten::kernels::Sorted>();
      }
    }
    return sorted_choice;
  }

  Exec exec;
};

TYPED_TEST_SUITE(MttkrpReferenceTest, genten_test::AllTypes, genten_test::TypeNames);

constexpr std::size_t all_ranks[] = {1,  2,  3,  5,  8,  10, 12,  16,  17,
                                     20, 25, 28, 32, 40, 50, 100, 128, 200};

TYPED_TEST(MttkrpReferenceTest, OrdersOneToEightAgree) {
  const std::vector<std::size_t> lengths{11, 9, 8, 7, 6, 5, 4, 3};
  for (std::size_t order = 1; order <= lengths.size(); ++order) {
    const std::vector<std::size_t> dimensions(lengths.begin(),
                                              lengths.begin() + static_cast<long>(order));
    const auto tensor = random_tensor({.dimensions = dimensions, .nnz = 400, .duplicate_every = 7});
    // Each order takes a quarter of the ranks, each rank two of the orders.
    for (std::size_t k = order % 4; k < std::size(all_ranks); k += 4) {
      this->compare(tensor, all_ranks[k]);
    }
  }
}

TYPED_TEST(MttkrpReferenceTest, EveryRankAgreesAtOrderThree) {
  // Enough nonzeros for devices to carry sums from piece to piece more than once.
  const auto tensor = random_tensor({.dimensions = {30, 41, 7}, .nnz = 4000});
  for (const std::size_t rank : all_ranks) this->compare(tensor, rank);
}

TYPED_TEST(MttkrpReferenceTest, RankOneThousandAgrees) {
  this->compare(random_tensor({.dimensions = {13, 6, 21}, .nnz = 200}), 1000);
}

TYPED_TEST(MttkrpReferenceTest, WrappedMatricesWithoutPaddingAgree) {
  const auto tensor = random_tensor({.dimensions = {40, 30, 20}, .nnz = 3000});
  for (const std::size_t rank : {1, 3, 5, 17, 25}) this->compare(tensor, rank, Storage::wrapped);
}

TYPED_TEST(MttkrpReferenceTest, EmptySlicesBecomeExactlyZero) {
  this->compare(random_tensor({.dimensions = {51, 300, 8}, .nnz = 500, .empty_slices = true}), 10);
  // Rows before the first and after the last nonzero.
  auto tensor = random_tensor({.dimensions = {10, 10, 10}, .nnz = 100});
  tensor.dimensions = {60, 60, 60};
  for (auto& subscripts : tensor.subscripts) {
    for (auto& i : subscripts) i += 25;
  }
  this->compare(tensor, 5);
}

TYPED_TEST(MttkrpReferenceTest, EmptyTensorGivesZero) {
  this->compare(PlainTensor{{6, 5, 4}, {}, {}}, 5);
  this->compare(PlainTensor{{7}, {}, {}}, 3);
}

TYPED_TEST(MttkrpReferenceTest, ModesOfLengthZeroGiveZero) {
  this->compare(PlainTensor{{6, 0, 4}, {}, {}}, 5);
}

TYPED_TEST(MttkrpReferenceTest, OneNonzeroAgrees) {
  this->compare(PlainTensor{{6, 5, 4}, {{5, 0, 3}}, {-1.5}}, 17);
  this->compare(PlainTensor{{6}, {{2}}, {0.25}}, 2);
  this->compare(PlainTensor{{1, 1, 1, 1}, {{0, 0, 0, 0}}, {2.0}}, 3);
}

TYPED_TEST(MttkrpReferenceTest, ModesOfLengthOneAgree) {
  this->compare(random_tensor({.dimensions = {1, 50, 1, 60, 1}, .nnz = 2000}), 8);
  this->compare(random_tensor({.dimensions = {1, 1, 1}, .nnz = 300}), 2);
}

TYPED_TEST(MttkrpReferenceTest, DuplicatesAgree) {
  this->compare(random_tensor({.dimensions = {70, 60, 50}, .nnz = 5000, .duplicate_every = 2}), 16);
}

TYPED_TEST(MttkrpReferenceTest, HeavySliceAgrees) {
  // Half of the nonzeros in one row: more than the longest chunk, so that it is split.
  this->compare(
      random_tensor({.dimensions = {900, 4000, 3000}, .nnz = 200'000, .heavy_slice = true}), 5);
  // The same with a pair of modes that is short enough to be fused.
  const auto choice = this->compare(
      random_tensor({.dimensions = {500, 40, 30}, .nnz = 200'000, .heavy_slice = true}), 10);
  EXPECT_TRUE(choice.any_fused());
  // All of them in one row.
  this->compare(random_tensor({.dimensions = {1, 4000, 3000}, .nnz = 100'000}), 3);
}

TYPED_TEST(MttkrpReferenceTest, FusedShortModesAgree) {
  const auto four = random_tensor({.dimensions = {200, 4, 3, 150}, .nnz = 20'000});
  EXPECT_TRUE(this->compare(four, 10).any_fused());
  const auto five = random_tensor({.dimensions = {3, 120, 4, 2, 5}, .nnz = 20'000});
  EXPECT_TRUE(this->compare(five, 17).any_fused());
  EXPECT_TRUE(this->compare(five, 3, Storage::padded, {4, 0, 3, 1, 2}).any_fused());
  // So dense that all modes form one group.
  const auto all = this->compare(random_tensor({.dimensions = {4, 3, 5}, .nnz = 3000}), 8);
  ASSERT_EQ(all.groups.size(), 1u);
  EXPECT_EQ(all.groups.front().modes, (std::vector{0, 1, 2}));
}

TYPED_TEST(MttkrpReferenceTest, FactorsBeyondTheNearCacheAgree) {
  constexpr std::size_t bytes = sizeof(typename TypeParam::Scalar);
  // Rows that fill the L2 cache three times.
  const auto rows = [this](std::size_t rank) {
    return static_cast<std::size_t>(3.0 * this->l2_bytes / static_cast<double>(rank * bytes));
  };
  // Nonzeros enough for entries, where rows of the longest mode bypass the L2 cache, or so few
  // that every mode has an order of its own.
  for (const bool entries : {false, true}) {
    SCOPED_TRACE(entries);
    const std::size_t rank = 128 / bytes;
    const auto choice =
        this->compare(random_tensor({.dimensions = {rows(rank), rows(rank) / 2, rows(rank) / 3},
                                     .nnz = entries ? std::size_t{50'000} : std::size_t{30'000}}),
                      rank);
    if (!TestFixture::tiles) continue;
    EXPECT_GT(choice.order_of(1).row_block_bits, 0);
    EXPECT_EQ(choice.order_of(1).tiles.front().mode, entries ? 2 : 1);
    EXPECT_EQ(choice.order_of(1).non_temporal, entries);
    EXPECT_EQ(choice.order_of(0).tiles.front().mode, 0);
  }
  const auto four =
      this->compare(random_tensor({.dimensions = {rows(16), 90, rows(16), 70}, .nnz = 30'000}), 16);
  // Half of the nonzeros in one row: enough for its block to be split.
  const auto heavy = this->compare(
      random_tensor(
          {.dimensions = {rows(8), rows(8), rows(8) / 2}, .nnz = 160'000, .heavy_slice = true}),
      8);
  if (TestFixture::tiles) {
    EXPECT_GT(four.order_of(0).row_block_bits, 0);
    EXPECT_GT(heavy.order_of(0).row_block_bits, 0);
  }
}

TYPED_TEST(MttkrpReferenceTest, FactorBeyondTheSharedCacheAgrees) {
  constexpr std::size_t bytes = sizeof(typename TypeParam::Scalar);
  const auto rows = [](double cache) { return static_cast<std::size_t>(cache / (16 * bytes)); };
  const std::size_t cached = rows(0.7 * this->l2_bytes);
  const auto choice =
      this->compare(random_tensor({.dimensions = {cached, rows(0.6 * this->shared_bytes), cached},
                                   .nnz = 20'000}),
                    16);
  EXPECT_EQ(choice.order_of(1).row_block_bits, TestFixture::tiles ? 5 : 0);
  if (TestFixture::tiles) {
    EXPECT_EQ(choice.order_of(0).fetched_mode, 1);
  }
}

TYPED_TEST(MttkrpReferenceTest, WideRowsInColumnPanelsAgree) {
  // Five packs of columns of rows that leave the L2 cache.
  const auto rows = static_cast<std::size_t>(this->shared_bytes / 3.0 / (5 * 64));
  constexpr std::size_t bytes = sizeof(typename TypeParam::Scalar);
  const auto tensor = random_tensor(
      {.dimensions = {rows / 2, rows / 4, rows / 4}, .nnz = 5 * rows, .heavy_slice = true});
  EXPECT_EQ(this->compare(tensor, 5 * 64 / bytes - 3).panel_packs, TestFixture::tiles ? 2 : 0);
}

TYPED_TEST(MttkrpReferenceTest, KeysOfOneAndTwoWordsAgree) {
  const std::size_t k16 = std::size_t{1} << 16;
  // 64 bits exactly.
  this->compare(random_tensor({.dimensions = {k16, k16, k16, k16}, .nnz = 3000}), 3);
  // 85 bits: the product of the dimensions is above 2^63.
  this->compare(
      random_tensor({.dimensions = {100'000, 90'000, 70'000, 80'000, 65'537}, .nnz = 3000}), 5);
  // 128 bits exactly.
  this->compare(
      random_tensor({.dimensions = {k16, k16, k16, k16, k16, k16, k16, k16}, .nnz = 3000}), 2);
}

TYPED_TEST(MttkrpReferenceTest, MoreThan128BitsAgreeWithoutTheSortedKernel) {
  const std::size_t k17 = std::size_t{1} << 17;
  const auto tensor =
      random_tensor({.dimensions = {k17, k17, k17, k17, k17, k17, k17, k17}, .nnz = 500});
  std::vector<std::string> kernels = this->all_kernels();
  EXPECT_EQ(std::erase(kernels, "sorted"), 1u);
  this->compare(tensor, 1, Storage::padded, {}, kernels);
  using Fixture = MttkrpReferenceTest<TypeParam>;
  const auto refuse = [&] {
    typename Fixture::Plan(this->exec, Fixture::make(tensor), 1, {.kernel = "sorted"});
  };
  EXPECT_THAT(genten_test::error_of(refuse), HasSubstr("128 bits"));
}

// A sweep as ALS makes it: the factor of each mode is replaced by a new one after its MTTKRP. A
// plan that is told by versions what changed must give what one gives that is told nothing.
TYPED_TEST(MttkrpReferenceTest, FactorVersionsChangeNothing) {
  using Fixture = MttkrpReferenceTest<TypeParam>;
  const std::size_t rank = 5;
  const auto tensor = random_tensor({.dimensions = {60, 4, 50, 3, 5}, .nnz = 12'000});
  const auto library_tensor = Fixture::make(tensor);
  for (const std::string& kernel : genten::kernel_names<typename Fixture::Exec>()) {
    typename Fixture::Plan plan(this->exec, library_tensor, rank, {.kernel = kernel});
    if (kernel == "sorted") {
      EXPECT_TRUE(plan.template choice_of<genten::kernels::Sorted>()->any_fused());
    }
    auto plain_factors = Fixture::random_factors(tensor, rank);
    std::vector<typename Fixture::Matrix> factors;
    for (const auto& factor : plain_factors)
      factors.push_back(Fixture::make(factor, Storage::padded));
    genten::FactorVersions versions{};
    std::uint64_t version = 0;
    for (std::size_t n = 0; n < tensor.order(); ++n) versions[n] = ++version;
    for (unsigned sweep = 0; sweep < 3; ++sweep) {
      for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
        const auto reference = mttkrp_reference(tensor, plain_factors, mode);
        // The output is the own mode's factor, as in ALS.
        plan.execute(this->exec, factors, static_cast<int>(mode), factors[mode], versions);
        this->exec.fence();
        EXPECT_TRUE(mttkrp_agrees(factors[mode], reference))
            << kernel << ", sweep " << sweep << ", mode " << mode;
        plain_factors[mode] = random_matrix(tensor.dimensions[mode], rank,
                                            1000 * (sweep + 1) + static_cast<unsigned>(mode));
        genten::deep_copy(factors[mode], Fixture::make(plain_factors[mode], Storage::padded));
        versions[mode] = ++version;
      }
    }
  }
}

}  // namespace
