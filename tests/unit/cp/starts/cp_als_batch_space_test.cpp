// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Starts that run side by side where the default space is: on a device where there is one.
#include "batch_support.hpp"

#include <genten/cp/cp_als.hpp>

#include <utility>

namespace {

using namespace genten_test::cp;
using genten_test::random_tensor;

template <class Scalar>
void compare_on_default_space(std::size_t order, std::size_t rank) {
  using Space = Kokkos::DefaultExecutionSpace;
  SCOPED_TRACE("order " + std::to_string(order) + ", rank " + std::to_string(rank));
  const Space space{};
  std::vector<std::size_t> dimensions{120, 90, 60, 7, 5};
  dimensions.resize(order);
  const auto tensor = genten_test::to_sptensor<Scalar, std::uint32_t, Space>(
      random_tensor({.dimensions = dimensions, .nnz = 50'000, .seed = 4}));
  CpAlsOptions options{.rank = rank, .max_iterations = 6, .tolerance = 0.0, .seed = 3, .starts = 6};
  Histories together;
  const genten_test::ToolRecorder recorder;
  const auto all = cp_als(space, tensor, options, [&](const auto& iteration) {
    together[iteration.start].push_back(facts_of(iteration.record));
    // One that it has left, of most starts.
    if (iteration.start == 2 && iteration.record.iteration == 3) (void)iteration.model();
    return ObserverAction::proceed;
  });
  const auto& labels = recorder.allocations();
  EXPECT_NE(std::find(labels.begin(), labels.end(), "genten::factors_side_by_side"), labels.end());
  ASSERT_EQ(all.starts.size(), std::exchange(options.starts, 1));
  for (std::size_t s = 0; s < all.starts.size(); ++s) {
    Histories alone;
    const auto one = cp_als(space, tensor, options, [&](const auto& iteration) {
      alone[iteration.start].push_back(facts_of(iteration.record));
      return ObserverAction::proceed;
    });
    EXPECT_EQ(together[s], alone[0]) << "start " << s;
    if (s == all.best_start) {
      for (std::size_t n = 0; n < order; ++n) {
        EXPECT_EQ(genten_test::plain(all.model.factor(n)).elements,
                  genten_test::plain(one.model.factor(n)).elements);
      }
    }
    ++options.seed;
  }
}

TEST(CpAlsBatchSpaceTest, StartsOnTheDefaultSpaceHaveTheBitsThatTheyHaveAlone) {
  for (const std::size_t order : {3, 4, 5}) {
    for (const std::size_t rank : {1, 3, 8, 16}) {
      compare_on_default_space<double>(order, rank);
      compare_on_default_space<float>(order, rank);
    }
  }
}

}  // namespace
