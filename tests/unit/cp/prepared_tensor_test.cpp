// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of CP-ALS that share what is prepared of a tensor.

#include <genten/core/generate.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/cp/detail/cp_als_problem.hpp>

#include "memory_recorder.hpp"
#include "thread_counts.hpp"
#include "tool_recorder.hpp"
#include "triples.hpp"

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

/// Of all numbers of a run but seconds.
template <class Scalar>
std::string bits_of(const genten::CpAlsResult<Scalar, HostExec>& run) {
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

/// The same entries twice, so that their sums are those of `tensor` times 2.
Tensor twice(const Tensor& tensor) {
  const std::size_t nnz = tensor.nnz();
  const auto order = static_cast<std::size_t>(tensor.order());
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts("subscripts",
                                                                                   2 * nnz, order);
  Kokkos::View<double*, Kokkos::HostSpace> values("values", 2 * nnz);
  for (std::size_t k = 0; k < 2 * nnz; ++k) {
    values(k) = tensor.values()(k % nnz);
    for (std::size_t n = 0; n < order; ++n) subscripts(k, n) = tensor.subscripts()(k % nnz, n);
  }
  return {tensor.dimensions(), subscripts, values};
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
  PreparedTensorTest() : tensor(genten_test::triples()) {}

  /// On a small L2 cache, so that modes are fused by tuples at rank 8.
  [[nodiscard]] static CpAlsOptions options(std::size_t rank) {
    CpAlsOptions result{.rank = rank, .max_iterations = 3, .tolerance = 0.0, .starts = 2};
    result.mttkrp.machine = genten_test::machine_of_small_caches(1 << 16);
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
  how.mttkrp.kernel = "sorted";  // one that packs, also where memory is scarce
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
  EXPECT_EQ(packed(scarce), 1);
  EXPECT_EQ(packed(scarce), 1);
}

TEST_F(PreparedTensorTest, CountsWhatItKeepsAfterStartsSideBySide) {
  CpAlsOptions how = options(2);
  how.starts = 8;
  how.mttkrp.kernel = "sorted";            // one that takes wider rows
  how.mttkrp.machine->l2_cache = 1 << 30;  // factors of all starts
  const auto expect_counted = [&](const CpAlsOptions& last) {
    Prepared prepared(tensor);
    (void)cp_als(HostExec(), prepared, how);  // Kokkos keeps scratch memory
    (void)cp_als(HostExec(), prepared, last);
    prepared.release();
    const genten_test::MemoryRecorder recorder(Kokkos::HostSpace::name());
    (void)cp_als(HostExec(), prepared, how);
    (void)cp_als(HostExec(), prepared, last);
    const double counted = prepared.kept()->bytes;
    // Factors of eight starts and side by side would be 2.3 MB.
    EXPECT_NEAR(counted, recorder.live(), 0.1 * recorder.live() + (512 << 10));
    prepared.release();
    EXPECT_LT(recorder.live(), 64 << 10);
  };
  expect_counted(how);
  CpAlsOptions alone = how;
  alone.starts = 1;
  expect_counted(alone);
  CpAlsOptions constrained = how;
  constrained.nonnegative.modes = {0, 1, 2};
  expect_counted(constrained);
}

TEST_F(PreparedTensorTest, KeepsNothingOfARescaledTensor) {
  const CpAlsOptions how = options(8);
  for (const int exponent : {-900, 400}) {
    const Tensor scaled = times_power_of_two(HostExec(), tensor, exponent);
    const std::string own = bits_of(cp_als(HostExec(), scaled, how));
    Prepared prepared(scaled);
    double peaks[2] = {}, live = 0.0;
    for (const bool shares : {false, true}) {
      const genten_test::MemoryRecorder recorder(Kokkos::HostSpace::name());
      EXPECT_EQ(
          bits_of(shares ? cp_als(HostExec(), prepared, how) : cp_als(HostExec(), scaled, how)),
          own);
      peaks[shares] = recorder.peak();
      live = recorder.live();
    }
    EXPECT_LT(live, 64 << 10);
    EXPECT_LE(peaks[1], peaks[0] + (64 << 10)) << "values are " << 8 * tensor.nnz();
    EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, how)), own);
  }
}

TEST_F(PreparedTensorTest, AddsUpDuplicatesOnce) {
  const Tensor doubled = twice(tensor);
  Prepared prepared(doubled);
  for (const std::size_t rank : {8, 6, 9}) {
    const CpAlsOptions how = options(rank);
    EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, how)), bits_of(cp_als(HostExec(), doubled, how)))
        << rank;
  }
  EXPECT_EQ(prepared.kept()->distinct.nnz(), sum_duplicates(HostExec(), tensor).tensor.nnz());
}

TEST_F(PreparedTensorTest, TakesFloat) {
  const auto narrow = genten::generate_sparse<float>(
      HostExec(), {.name = "narrow", .dimensions = {300, 200, 400}, .nonzeros = 9'000}, 3);
  genten::PreparedTensor<float, HostExec> prepared(narrow);
  for (const std::size_t rank : {16, 9, 17, 3, 16}) {
    const CpAlsOptions how = options(rank);
    EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, how)), bits_of(cp_als(HostExec(), narrow, how)))
        << rank;
  }
}

TEST_F(PreparedTensorTest, SharesWithCopiesWhichEachReleaseIt) {
  Prepared prepared(tensor), copy = prepared;
  const CpAlsOptions how = options(8);
  const auto packed = [&](Prepared& one) {
    return times_packed([&] { (void)cp_als(HostExec(), one, how); });
  };
  EXPECT_EQ(packed(prepared), 1);
  EXPECT_EQ(packed(copy), 0) << "made before the first run";
  copy.release();
  EXPECT_EQ(packed(prepared), 1);
}

TEST_F(PreparedTensorTest, MayBeReleasedWhileItRuns) {
  Prepared prepared(tensor);
  const CpAlsOptions how = options(8);
  const auto own = bits_of(cp_als(HostExec(), tensor, how));
  EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, how,
                           [&](const auto&) {
                             prepared.release();
                             return genten::ObserverAction::proceed;
                           })),
            own);
  EXPECT_EQ(bits_of(cp_als(HostExec(), prepared, how)), own);
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
