// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What a multiplicative update is made of, against an answer that was computed independently.
#include <genten/cp/detail/apr/multiplicative.hpp>
#include <genten/cp/detail/apr/poisson_sums.hpp>
#include <genten/cp/detail/apr/traversal_plan.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Plan = genten::MttkrpPlan<double, std::uint32_t, Exec>;
using genten::detail::ValueSums;
using genten_test::PlainMatrix;

// Weights 1 and 2, A = [[0, 0], [3, 4]], B = [[0, 6], [7, 8]], X the whole model: of mode 0 the
// products of the other rows are those of B, and Phi takes A without the weights.
TEST(MultiplicativeUpdate, PhiOfASmallModel) {
  const Exec exec;
  genten_test::PlainModel model{{1.0, 2.0}, {PlainMatrix(2, 2), PlainMatrix(2, 2)}};
  model.factors[0].elements = {0.0, 0.0, 3.0, 4.0};
  model.factors[1].elements = {0.0, 6.0, 7.0, 8.0};
  genten_test::PlainTensor tensor{{2, 2}, {}, {}};
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    tensor.subscripts.push_back(at);
    tensor.values.push_back(entry_reference(model, at));
  });
  EXPECT_THAT(tensor.values, testing::ElementsAre(0.0, 48.0, 0.0, 85.0));  // by columns
  const auto factors = genten_test::to_ktensor<double, Exec>(model).factors();
  for (const char* kernel : {"sorted", "atomic"}) {
    Plan plan(exec, genten_test::to_sptensor<double, std::uint32_t, Exec>(tensor), 2,
              {.kernel = kernel});
    const genten::FacMatrix<double, Exec> phi(2, 2);
    plan.execute_with(exec, genten::PoissonRatio<double>{},
                      std::span<const genten::FacMatrix<double, Exec>>(factors), 0, phi);
    exec.fence();
    EXPECT_EQ(phi(0, 0), 0.0);
    EXPECT_EQ(phi(0, 1), 0.0);
    EXPECT_NEAR(phi(1, 0), 11.226415094339623, 1e-14);
    EXPECT_NEAR(phi(1, 1), 24.830188679245282, 1e-14);
  }
}

TEST(ValueSums, WhatAreNoCountsIsRefusedByName) {
  ValueSums sums = ValueSums::of(3.0);
  sums.require_counts("f");
  sums.add(ValueSums::of(-0.5));
  sums.add(ValueSums::of(-2.0));
  const auto message_of = [](const ValueSums& of) {
    return genten_test::error_of([&] { of.require_counts("f"); });
  };
  EXPECT_EQ(message_of(sums), "f: counts must not be negative; 2 values are, the least is -2");
  sums.add(ValueSums::of(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(message_of(sums), "f: counts must be finite; 1 value is not");
}

}  // namespace
