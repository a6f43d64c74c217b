// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Which kernel is taken where it was measured which one is the fastest, and what is said where that
// one cannot be had. The machine is the test's.

#include <genten/mttkrp/choose_kernel.hpp>
#include <genten/mttkrp/kernel_list.hpp>

#include "reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using genten::choose_kernel;
using genten::KernelChoice;
using genten::MachineProperties;
using genten::MttkrpProblem;
using genten::Refusal;
using testing::HasSubstr;

constexpr double plenty = 1e15;

/// Two threads of a processor with 1 MiB of L2 a core, as the measured one has.
MachineProperties machine() {
  MachineProperties result;
  result.l2_cache = 1 << 20;
  result.shared_cache = 32 << 20;
  result.workers = result.cores = 2;
  return result;
}

MttkrpProblem problem(const std::vector<std::size_t>& dimensions, genten::offset_t nnz,
                      std::size_t rank = 16) {
  MttkrpProblem result;
  result.dimensions = dimensions;
  result.nnz = nnz;
  result.rank = rank;
  result.update_order = genten::natural_mode_order(dimensions.size());
  result.relabeled = true;
  return result;
}

/// The tensor of packages of Debian, by whose measured times kernels are ranked.
MttkrpProblem packages() {
  MttkrpProblem result = problem({38'000, 43'000, 9}, 398'673);
  result.distinct_values = 1;
  return result;
}

std::vector<std::string> by_cost(const KernelChoice& choice) {
  auto candidates = choice.candidates;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
  std::vector<std::string> names;
  for (const auto& one : candidates) names.push_back(one.name);
  return names;
}

TEST(ChooseKernel, SortedIsBestWhereItWasMeasuredToBe) {
  for (const auto& [dimensions, nnz] :
       std::vector<std::pair<std::vector<std::size_t>, genten::offset_t>>{
           {{183, 24, 1140, 1717}, 3'300'000},
           {{12'092, 9184, 28'818}, 8'000'000},
           {{6066, 5699, 244'268, 1176}, 5'000'000},
           {{165'427, 11'374, 2, 100, 89}, 5'000'000},
           {{1605, 4198, 1631, 4209, 868'131}, 1'700'000},
           {{30'000, 40'000, 50'000}, 10'000'000},
           {{532'924, 17'262'471, 2'480'308, 1443}, 8'000'000}}) {
    for (const std::size_t rank : {4, 16, 128}) {
      EXPECT_EQ(choose_kernel<Exec>(problem(dimensions, nnz, rank), machine(), plenty).name,
                "sorted");
    }
  }
}

TEST(ChooseKernel, CostsRankTheKernelsAsTheirTimesDo) {
  // Milliseconds an iteration: 42, 98, 110; and 359 and 376, which count as equal.
  const auto names = by_cost(choose_kernel<Exec>(packages(), machine(), plenty));
  ASSERT_EQ(names.size(), 5u);
  EXPECT_EQ(names[0], "sorted");
  EXPECT_EQ(names[1], "permuted");
  EXPECT_EQ(names[2], "duplicated");
}

TEST(ChooseKernel, ShortMemoryForcesTheChoiceDownAndSaysSo) {
  const MttkrpProblem few = packages();
  const auto needs = [&](const char* name) {
    return choose_kernel<Exec>(few, machine(), plenty).find(name)->memory;
  };
  EXPECT_TRUE(choose_kernel<Exec>(few, machine(), needs("sorted")).refused().empty());
  const KernelChoice next = choose_kernel<Exec>(few, machine(), needs("sorted") - 1.0);
  EXPECT_NE(next.name, "sorted");
  EXPECT_LE(next.find(next.name)->memory, needs("sorted") - 1.0);
  ASSERT_FALSE(next.refused().empty());
  EXPECT_EQ(next.refused().front().name, "sorted");
  EXPECT_EQ(next.refused().front().refusal, Refusal::memory);
  const KernelChoice last = choose_kernel<Exec>(few, machine(), 1.0);
  EXPECT_EQ(last.name, "atomic");
  EXPECT_EQ(last.find("atomic")->memory, 0.0);
  EXPECT_EQ(last.refused().size(), 3u) << "team costs more";
}

TEST(ChooseKernel, PermutedComesBeforeAtomicWhereSortedDoesNotTakeTheTensor) {
  const std::size_t k17 = std::size_t{1} << 17;
  const auto wide = problem({k17, k17, k17, k17, k17, k17, k17, k17}, 1'000'000);
  const KernelChoice choice = choose_kernel<Exec>(wide, machine(), plenty);
  EXPECT_EQ(choice.name, "permuted");
  ASSERT_EQ(choice.refused().size(), 1u);
  EXPECT_EQ(choice.refused().front().name, "sorted");
  EXPECT_EQ(choice.refused().front().refusal, Refusal::tensor);
}

TEST(ChooseKernel, AKernelThatIsNamedObeysTheLimitToo) {
  const double needed = choose_kernel<Exec>(packages(), machine(), plenty).find("permuted")->memory;
  EXPECT_EQ(choose_kernel<Exec>(packages(), machine(), needed, "permuted").name, "permuted");
  try {
    static_cast<void>(choose_kernel<Exec>(packages(), machine(), needed - 1.0, "permuted"));
    FAIL() << "expected a genten::Error";
  } catch (const genten::Error& error) {
    EXPECT_EQ(error.kind(), genten::Error::Kind::memory);
    const auto bytes = [](double count) {
      return std::to_string(static_cast<std::uint64_t>(count)) + " bytes";
    };
    EXPECT_EQ(error.what(), "kernel permuted needs " + bytes(needed) + " of memory, allowed are " +
                                bytes(needed - 1.0));
  }
}

TEST(ChooseKernel, NewRowNumbersAreWrittenOutForKernelsThatDoNotLookThemUp) {
  MttkrpProblem plain = packages();
  plain.relabeled = false;
  const auto with = choose_kernel<Exec>(packages(), machine(), plenty);
  const auto without = choose_kernel<Exec>(plain, machine(), plenty);
  genten::KernelList::for_each([&]<class Kernel>() {
    const double more = with.find(Kernel::name)->memory - without.find(Kernel::name)->memory;
    EXPECT_EQ(more, Kernel::reads_relabeled ? 0.0 : plain.subscript_bytes()) << Kernel::name;
  });
}

/// What was measured on a device: bytes at the peak for each nonzero.
TEST(ChooseKernel, DevicesNeedMemoryForPairsThatTheySort) {
  MachineProperties device = machine();
  device.device = true;
  MttkrpProblem uniform = problem({30'000, 40'000, 50'000}, 10'000'000);
  const auto bytes = [&] { return genten::kernels::Sorted::memory(uniform, device).peak / 1e7; };
  // Records, a copy a mode, 16 for the last sort, and two to three carried rows for 64 nonzeros.
  EXPECT_NEAR(bytes(), 4 * 16.0 + 16.0 + 2.0 * 4.4, 3.0);
  uniform.distinct_values = 1;
  EXPECT_NEAR(bytes(), 4 * 8.0 + 16.0 + 2.0 * 4.4, 3.0);
}

}  // namespace
