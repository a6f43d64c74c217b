// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/cp_als.hpp>
#include <genten/tucker/core_consistency.hpp>

#include "plain.hpp"
#include "test_types.hpp"
#include "tucker_data.hpp"

#include <gtest/gtest.h>

namespace {

template <class Types>
class ConsistencyMinima : public testing::Test {};
TYPED_TEST_SUITE(ConsistencyMinima, genten_test::HostModelTypes, genten_test::TypeNames);

TYPED_TEST(ConsistencyMinima, OfFewComponentsNeedNoInteractions) {
  using Scalar = typename TypeParam::Scalar;
  using Exec = typename TypeParam::Exec;
  const Exec exec;
  const auto tensor =
      genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(genten_test::cnt_tensor());
  for (const std::size_t rank : {1, 2}) {
    genten::CpAlsOptions options;
    options.rank = rank;
    options.tolerance = sizeof(Scalar) == 4 ? 1e-7 : 1e-14;
    options.max_iterations = 5000;
    options.starts = 3;
    const auto model = genten::cp_als(exec, tensor, options).model;
    EXPECT_NEAR(genten::core_consistency(exec, tensor, model).value, 100.0,
                sizeof(Scalar) == 4 ? 1e-1 : 1e-4);
  }
}

}  // namespace
