// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of CP-ALS that share what is prepared of a tensor.

#include <genten/core/generate.hpp>
#include <genten/cp/cp_als.hpp>

#include "thread_counts.hpp"
#include "tool_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using genten::CpAlsOptions;
using genten::HostExec;
using genten_test::BitHash;
using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;
using Prepared = genten::PreparedTensor<double, HostExec>;
using Result = genten::CpAlsResult<double, HostExec>;

/// Of all numbers of a run but seconds.
std::string bits_of(const Result& run) {
  BitHash hash;
  for (const auto& record : run.history) hash.add(record.fit);
  hash.add(run.residual_norm);
  for (std::size_t r = 0; r < run.model.rank(); ++r) hash.add(run.model.weights()(r));
  for (const auto& factor : run.model.factors()) {
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < factor.columns(); ++r) hash.add(factor(i, r));
    }
  }
  return hash.text() + run.kernel_description;
}

/// How often nonzeros were packed while `body` ran.
template <class Body>
std::ptrdiff_t times_packed(const Body& body) {
  const genten_test::ToolRecorder recorder;
  body();
  const auto& labels = recorder.allocations();
  return std::count(labels.begin(), labels.end(), "genten::packed_records");
}

class PreparedTensorTest : public testing::Test {
 protected:
  PreparedTensorTest()
      : tensor(genten::generate_sparse<double>(HostExec(),
                                               {.name = "triples",
                                                .dimensions = {3000, 2000, 4000},
                                                .nonzeros = 60'000,
                                                .exponents = {.5, .5, .7},
                                                .runs = {30, 30, 1}},
                                               5)) {}

  /// On a small L2 cache, so that modes are fused by tuples at rank 8.
  [[nodiscard]] static CpAlsOptions options(std::size_t rank) {
    CpAlsOptions result{.rank = rank, .max_iterations = 3, .tolerance = 0.0, .starts = 2};
    genten::MachineProperties machine = genten::MachineProperties::of(HostExec());
    machine.l1_cache = 1 << 13;
    machine.l2_cache = 1 << 16;
    result.mttkrp.machine = machine;
    return result;
  }

  Tensor tensor;
};

TEST_F(PreparedTensorTest, GivesTheBitsOfRunsOfTheirOwnWhateverRanBefore) {
  Prepared prepared(tensor);
  for (const std::size_t rank : {8, 5, 9, 3, 4, 10, 9, 1, 17, 8}) {
    const CpAlsOptions how = options(rank);
    EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, how)), bits_of(cp_als(HostExec(), tensor, how)))
        << rank;
  }
}

TEST_F(PreparedTensorTest, GivesTheBitsOfOthersAfterOtherOptions) {
  Prepared prepared(tensor);
  std::vector<CpAlsOptions> hows(5, options(8));
  hows[1].mode_order = {2, 0, 1};
  hows[2].fixed_modes = {1};
  hows[3].acceleration = genten::Acceleration::nesterov;
  hows[4].mttkrp.kernel = "permuted";
  hows.push_back(hows[0]);
  hows.back().nonnegative.modes = {0, 1, 2};
  hows.push_back(hows[0]);
  for (std::size_t k = 0; k < hows.size(); ++k) {
    EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, hows[k])),
              bits_of(cp_als(HostExec(), tensor, hows[k])))
        << k;
  }
}

TEST_F(PreparedTensorTest, PreparesOnceForRowsOfTheSameBytes) {
  Prepared prepared(tensor);
  const auto packed = [&](std::size_t rank) {
    return times_packed([&] { (void)cp_als(HostExec(), prepared, options(rank)); });
  };
  EXPECT_EQ(packed(8), 1);
  EXPECT_EQ(packed(5), 0) << "64 bytes, too";
  EXPECT_EQ(packed(8), 0);
  EXPECT_EQ(packed(9), 1) << "80 bytes";
  prepared.release();
  EXPECT_EQ(packed(9), 1);
  const auto guess = cp_als(HostExec(), tensor, options(9)).model;
  CpAlsOptions one = options(9);
  one.starts = 1;
  EXPECT_EQ(times_packed([&] { (void)cp_als(HostExec(), prepared, guess, one); }), 0);
}

TEST_F(PreparedTensorTest, KeepsNothingThatALimitOfMemoryHasNoRoomFor) {
  CpAlsOptions how = options(5);
  const auto packed = [&](Prepared& prepared) {
    return times_packed([&] { (void)cp_als(HostExec(), prepared, how); });
  };
  how.memory_available = 1e9;
  Prepared ample(tensor);
  EXPECT_EQ(packed(ample), 1);
  EXPECT_EQ(packed(ample), 0);
  // The smallest that a run fits in leaves nothing to keep beside it.
  double fits = 1e9, fails = 0.0;
  while (fits - fails > 1024.0) {
    how.memory_available = 0.5 * (fits + fails);
    try {
      (void)cp_als(HostExec(), tensor, how);
      fits = how.memory_available;
    } catch (const genten::Error&) {
      fails = how.memory_available;
    }
  }
  how.memory_available = fits;
  Prepared scarce(tensor);
  EXPECT_EQ(packed(scarce), packed(scarce));
}

TEST_F(PreparedTensorTest, SurvivesARunThatEndsByAnException) {
  Prepared prepared(tensor);
  const CpAlsOptions how = options(8);
  const auto before = bits_of(cp_als(HostExec(), prepared, how));
  EXPECT_THROW((void)cp_als(HostExec(), prepared, how,
                            [](const auto&) -> genten::ObserverAction { throw 1; }),
               int);
  EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, how)), before);
}

TEST_F(PreparedTensorTest, GivesTheSameBitsForEveryNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([&] {
    Prepared prepared(tensor);
    std::string all;
    for (const std::size_t rank : {7, 8, 2, 9}) {
      all += bits_of(cp_als(HostExec(), prepared, options(rank)));
    }
    return all;
  });
  if (genten_test::in_child()) return;
  EXPECT_THAT(results, testing::Each(results[0]));
}

}  // namespace
