// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What kernels say that they need beside the tensor is what they allocate at their peak, to within
// a tenth, on every backend. The machine is the test's, so that tensors of some hundred thousand
// nonzeros have every kind of order.

#include <genten/core/random.hpp>
#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include "memory_recorder.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

namespace {

template <class Combination>
class KernelMemory : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Plan = genten::MttkrpPlan<Scalar, Ordinal, Exec>;
  using Tensor = genten::Sptensor<Scalar, Ordinal, Exec>;
  static constexpr bool host = genten::is_host_space<Exec>;

  /// Caches of 64 KiB and 4 MiB.
  [[nodiscard]] genten::MachineProperties machine() const {
    genten::MachineProperties result = genten::MachineProperties::of(exec);
    result.l1_cache = 1 << 13;
    result.l2_cache = 1 << 16;
    result.cores = 2;
    result.shared_cache = 1 << 22;
    return result;
  }

  /// Evenly spread subscripts, with values that are all distinct, or few; those of all modes but
  /// the second are of so many tuples, unless it is 0.
  static Tensor make(const std::vector<std::size_t>& dimensions, std::size_t nnz, bool coded,
                     std::size_t tuples = 0) {
    std::vector<Ordinal> subscripts;
    std::vector<Scalar> values;
    for (std::size_t p = 0; p < nnz; ++p) {
      for (std::size_t n = 0; n < dimensions.size(); ++n) {
        const std::size_t drawn = tuples == 0 || n == 1 ? p : p % tuples;
        subscripts.push_back(
            static_cast<Ordinal>(genten::random_bits(1, n, drawn) % dimensions[n]));
      }
      values.push_back(static_cast<Scalar>(coded ? p % 100 : p + 1));
    }
    return Tensor::from_host(dimensions, subscripts, values);
  }

  /// Columns of rows of so many bytes.
  static constexpr std::size_t columns(std::size_t bytes) { return bytes / sizeof(Scalar); }

  /// Prepares a kernel and compares; returns the plan.
  Plan prepare(const genten::RelabeledTensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
               const std::string& kernel, double sweeps = 0.0) const {
    // Kokkos keeps scratch memory of a device from launch to launch: it is there the second time.
    if (!host) Plan(exec, tensor, rank, {.kernel = kernel, .machine = machine()});
    const genten_test::MemoryRecorder recorder(Exec::memory_space::name());
    Plan plan(exec, tensor, rank, {.kernel = kernel, .machine = machine(), .sweeps = sweeps});
    exec.fence();
    const double needed = plan.choice().find(kernel)->memory;
    // Distinct values are looked for before a kernel is chosen.
    constexpr double hash_table = 256 << 10;
    EXPECT_NEAR(recorder.peak(), needed, std::max(0.1 * needed, hash_table))
        << kernel << ", " << needed / static_cast<double>(tensor.nnz()) << " bytes a nonzero, "
        << recorder.peak() / static_cast<double>(tensor.nnz()) << " measured; " << plan.describe();
    return plan;
  }

  /// The same for `sorted`, with values coded and not; returns what it has chosen.
  genten::kernels::SortedChoice sorted(const std::vector<std::size_t>& dimensions, std::size_t nnz,
                                       std::size_t rank) const {
    static_cast<void>(prepare(make(dimensions, nnz, false), rank, "sorted"));
    const Plan plan = prepare(make(dimensions, nnz, true), rank, "sorted");
    return *plan.template choice_of<genten::kernels::Sorted>();
  }

  Exec exec;
};

template <class Exec>
using TwoOfEach = std::tuple<genten_test::Types<Exec, double, std::uint32_t>,
                             genten_test::Types<Exec, float, std::uint32_t>>;
using Combinations = decltype(genten_test::combinations<TwoOfEach>(genten_test::AllSpaces()));
TYPED_TEST_SUITE(KernelMemory, Combinations, genten_test::TypeNames);

TYPED_TEST(KernelMemory, OfEveryKernel) {
  const auto tensor = this->make({600, 500, 700}, 300'000, false);
  for (const auto& name : genten::kernel_names<typename TypeParam::Exec>()) {
    static_cast<void>(this->prepare(tensor, this->columns(128), name));
  }
}

TYPED_TEST(KernelMemory, OfEveryKernelForATensorWithNewRowNumbers) {
  const auto tensor = this->make({600, 500, 700}, 300'000, false);
  const auto relabeled =
      genten::Relabeling<typename TypeParam::Ordinal, typename TypeParam::Exec>(this->exec, tensor)
          .apply(this->exec, tensor);
  for (const auto& name : genten::kernel_names<typename TypeParam::Exec>()) {
    static_cast<void>(this->prepare(relabeled, this->columns(128), name));
  }
}

TYPED_TEST(KernelMemory, OfOneCopyInEntries) {
  const auto choice = this->sorted({600, 500, 700}, 300'000, this->columns(128));
  if (this->host) {
    EXPECT_EQ(choice.orders[0].tiles, choice.orders[2].tiles);
    EXPECT_GT(choice.orders[0].tiles.size(), 1u);
  }
}

TYPED_TEST(KernelMemory, OfALongestModeWithACopyOfItsOwn) {
  const auto choice = this->sorted({700, 800, 6000}, 300'000, this->columns(128));
  if (this->host) {
    EXPECT_TRUE(choice.orders[0].non_temporal);
    EXPECT_EQ(choice.orders[0].tiles, choice.orders[1].tiles);
    EXPECT_NE(choice.orders[0].tiles, choice.orders[2].tiles);
  }
}

TYPED_TEST(KernelMemory, OfACopyForEachMode) {
  const auto choice = this->sorted({20'000, 30'000, 25'000}, 300'000, this->columns(128));
  if (this->host) {
    EXPECT_NE(choice.orders[0].tiles, choice.orders[1].tiles);
    EXPECT_NE(choice.orders[1].tiles, choice.orders[2].tiles);
  }
}

TYPED_TEST(KernelMemory, OfAStreamedMode) {
  const auto choice = this->sorted({700, 600, 60'000}, 300'000, this->columns(128));
  if (this->host) {
    EXPECT_EQ(choice.orders[0].fetched_mode, 2);
    EXPECT_EQ(choice.orders[0].tiles.size(), 1u);
  }
}

TYPED_TEST(KernelMemory, OfFusedModes) {
  EXPECT_TRUE(this->sorted({3000, 10, 12, 2000}, 300'000, this->columns(128)).any_fused());
  EXPECT_TRUE(this->sorted({20, 30, 25}, 300'000, this->columns(128)).any_fused());
}

// Tuples that occur, of modes that are as they come or in blocks, and of records of as many words
// as before or fewer.
TYPED_TEST(KernelMemory, OfModesFusedByTuplesThatOccur) {
  if (!this->host) GTEST_SKIP() << "devices do not fuse so";
  constexpr std::size_t k20 = std::size_t{1} << 20;
  for (const std::vector<std::size_t>& dimensions :
       {std::vector<std::size_t>{900, 40, 30, 1500}, std::vector<std::size_t>{5000, 4000, 9000},
        std::vector<std::size_t>{k20, 400, k20, 5000}}) {
    for (const bool coded : {false, true}) {
      const auto tensor = this->make(dimensions, 300'000, coded, 7000);
      const auto plan = this->prepare(tensor, this->columns(128), "sorted", 1e9);
      EXPECT_TRUE(plan.template choice_of<genten::kernels::Sorted>()->groups.front().sorted);
    }
  }
}

TYPED_TEST(KernelMemory, OfNonzerosThatStayInTheirOrder) {
  for (const std::vector<std::size_t>& dimensions :
       {std::vector<std::size_t>{120, 1, 100}, std::vector<std::size_t>{80, 90, 70}}) {
    for (const bool coded : {false, true}) {
      const auto plan =
          this->prepare(this->make(dimensions, 300'000, coded), this->columns(128), "sorted", 1.0);
      const auto& choice = *plan.template choice_of<genten::kernels::Sorted>();
      EXPECT_EQ(choice.orders.front().tiles.empty(), this->host) << plan.describe();
    }
  }
}

TYPED_TEST(KernelMemory, OfColumnPanels) {
  const auto choice = this->sorted({3000, 2000, 2500}, 300'000, this->columns(800));
  if (this->host) {
    EXPECT_GT(choice.panel_packs, 0);
  }
}

TYPED_TEST(KernelMemory, OfKeysOfTwoWords) {
  this->sorted({100'000, 90'000, 80'000, 70'000, 60'000}, 200'000, this->columns(40));
}

}  // namespace
