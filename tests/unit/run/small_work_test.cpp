// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs that are too small for several threads.

#include <genten/core/generate.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/run/choose_rank.hpp>
#include <genten/run/run_cp.hpp>

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace {

using Exec = genten::HostExec;

genten::Sptensor<double, std::uint32_t, Exec> tensor_of(std::size_t length) {
  genten::TensorRecipe recipe;
  recipe.dimensions = {length, length, length};
  recipe.nonzeros = 100;
  return genten::generate_sparse(Exec(), recipe, 1);
}

#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
constexpr bool is_told = true;
int threads_now() {
  return Kokkos::OpenMP::impl_thread_pool_size();
}
#else
constexpr bool is_told = false;
int threads_now() {
  return Exec().concurrency();
}
#endif

/// The threads that compute while a run is observed.
int threads_of_run(const genten::Sptensor<double, std::uint32_t, Exec>& tensor) {
  int threads = 0;
  (void)genten::run_cp(Exec(), tensor, std::nullopt, genten::CpRequest(), {}, [&](const auto&) {
    threads = threads_now();
    return genten::ObserverAction::stop;
  });
  return threads;
}

TEST(SmallWork, TakesOneThreadAndAllAfterwards) {
  const int all = threads_now();
  EXPECT_EQ(threads_of_run(tensor_of(9)), is_told ? 1 : all);
  EXPECT_EQ(threads_of_run(tensor_of(9000)), all) << "factors have many rows";
  EXPECT_EQ(threads_now(), all);
}

TEST(SmallWork, TakesOneThreadForRefits) {
  genten::CpRequest request{.loss = "poisson"};
  request.trust.bootstrap = 2;
  request.settle(true);
  std::set<int> seen;
  (void)genten::run_cp(Exec(), tensor_of(9), std::nullopt, request, {}, {}, [&] {
    seen.insert(threads_now());
    return false;
  });
  EXPECT_EQ(seen, std::set<int>{is_told ? 1 : threads_now()});
}

TEST(SmallWork, TakesOneThreadForAChoiceOfTheRank) {
  genten::CpRequest request{.loss = "poisson"};
  request.settle(true);
  std::set<int> seen;
  bool is_tested = false;
  genten::RankObserver<double, Exec> observer;
  observer.iterated = [&](const auto& iteration) {
    seen.insert(threads_now());
    is_tested = is_tested || iteration.draw.has_value();
    return genten::ObserverAction::proceed;
  };
  const genten::RankChoiceOptions options{.ranks = {1, 2}, .starts = 2};
  (void)genten::choose_rank(Exec(), tensor_of(9), std::nullopt, request, options, {}, observer);
  EXPECT_TRUE(is_tested);
  EXPECT_EQ(seen, std::set<int>{is_told ? 1 : threads_now()});
}

TEST(SmallWork, HasTheBitsOfMoreThreads) {
  const auto tensor = tensor_of(9);
  genten::CpRequest request;
  request.set_rank(3);
  const auto small = genten::run_cp(Exec(), tensor, std::nullopt, request, {}, {});
  const auto result = genten::cp_als(Exec(), tensor, request.als);
  EXPECT_EQ(small.figures.fit, result.fit);
  EXPECT_EQ(small.figures.iterations, result.iterations);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(small.model.weights()(r), result.model.weights()(r));
  }
}

TEST(SmallWork, PassesOnWhatIsThrown) {
  const auto tensor = tensor_of(9);
  const auto throws = [](const auto&) -> genten::ObserverAction {
    throw std::runtime_error("enough");
  };
  EXPECT_THROW((void)genten::run_cp(Exec(), tensor, std::nullopt, genten::CpRequest(), {}, throws),
               std::runtime_error);
  EXPECT_EQ(threads_of_run(tensor_of(9000)), threads_now());
}

}  // namespace
