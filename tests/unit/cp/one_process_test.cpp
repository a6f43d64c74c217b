// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The exchange of one process leaves numbers and rows as they are, without a copy.
#include <genten/cp/detail/processes/one_process.hpp>

#include "cp_als_support.hpp"

#include <array>
#include <cmath>

namespace {

using namespace genten_test::cp;
using genten::detail::OneProcess;
using genten_test::random_tensor;

TEST(OneProcess, HandsMatricesOn) {
  auto& alone = OneProcess<double, Exec>::instance();
  EXPECT_FALSE(alone.is_distributed());
  EXPECT_EQ(alone.process(), 0U);
  EXPECT_EQ(alone.own_rows(1, 7), 7U);
  const genten::FacMatrix<double, Exec> rows(5, 3);
  EXPECT_EQ(alone.gather(Exec(), 0, rows).data(), rows.data());
  genten::FacMatrix<double, Exec> other(5, 3);
  alone.scatter(Exec(), 0, rows, other);
  EXPECT_EQ(other.data(), rows.data());
}

TEST(OneProcess, LeavesNumbersAndErrorsAsTheyAre) {
  auto& alone = OneProcess<double, Exec>::instance();
  std::array<double, 2> sums = {1.5, -0.0}, largest = {-3.0, 4.0};
  alone.combine(sums, largest);
  alone.take_first(sums);
  EXPECT_TRUE(alone.queue_combine(Exec(), std::array{genten::CombinedNumbers{sums.data(), 2}}));
  EXPECT_EQ(sums, (std::array{1.5, -0.0}));
  EXPECT_TRUE(std::signbit(sums[1]));
  EXPECT_EQ(largest, (std::array{-3.0, 4.0}));
  EXPECT_THROW(alone.together([] { throw genten::Error("no"); }), genten::Error);
}

TEST(OneProcess, HasNoPhasesOfExchanges) {
  const auto tensor = make(random_tensor({.dimensions = {9, 8, 7}, .nnz = 100}));
  for (const auto acceleration : {genten::Acceleration::none, genten::Acceleration::nesterov}) {
    const CpAlsOptions options{
        .rank = 2, .max_iterations = 5, .starts = 2, .acceleration = acceleration};
    for (const auto& phase : cp_als(Exec(), tensor, options).timings) {
      for (const char* name : {"fold", "expand", "reduce", "wait"}) EXPECT_NE(phase.name, name);
    }
  }
}

}  // namespace
