// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel sorted where the nonzeros stay in the order they came in, against the serial
// reference.

#include "sorted_plans.hpp"

#include <numeric>

namespace {

using genten_test::PlainTensor;

constexpr std::size_t rank = 17;

template <class Combination>
class KeptOrder : public genten_test::SortedPlans<Combination> {
 protected:
  using Base = genten_test::SortedPlans<Combination>;

  /// For caches that whole factors fit.
  typename Base::Plan plan_of(const PlainTensor& tensor, const std::vector<int>& sequence = {}) {
    auto plan = this->make(
        tensor, rank,
        {.machine = genten_test::machine_with_caches(1 << 15, 1 << 20, 1 << 25), .sweeps = 1.0},
        sequence);
    for (const auto& order : Base::choice_of(plan).orders) {
      EXPECT_TRUE(order.tiles.empty()) << plan.describe();
    }
    return plan;
  }
};

TYPED_TEST_SUITE(KeptOrder, genten_test::HostTypes, genten_test::TypeNames);

std::vector<PlainTensor> tensors() {
  return {genten_test::random_tensor({.dimensions = {60, 50, 1}, .nnz = 2500, .seed = 1}),
          genten_test::random_tensor({.dimensions = {60, 50, 40}, .nnz = 120'000, .seed = 2}),
          genten_test::random_tensor({.dimensions = {30, 3, 2, 40}, .nnz = 3000, .seed = 3}),
          genten_test::random_tensor({.dimensions = {40, 30}, .nnz = 700, .seed = 4})};
}

TYPED_TEST(KeptOrder, AgreesWithTheReference) {
  for (const PlainTensor& tensor : tensors()) {
    const auto plain = genten_test::random_factors(tensor, rank);
    const auto factors = TestFixture::make(plain);
    // The last mode first, whose sums by tuple then serve the first one, too.
    std::vector<int> sequence(tensor.order());
    std::iota(sequence.begin(), sequence.end(), -1);
    sequence.front() = static_cast<int>(tensor.order()) - 1;
    auto plan = this->plan_of(tensor, sequence);
    genten::FactorVersions versions{};
    for (std::size_t n = 0; n < tensor.order(); ++n) versions[n] = 1;
    for (const int mode : sequence) {
      this->expect_mttkrp(plan, tensor, plain, factors, mode, versions);
    }
  }
}

TYPED_TEST(KeptOrder, GivesTheSameBitsForAnyNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([&] {
    genten_test::BitHash bits;
    for (const PlainTensor& tensor : tensors()) {
      const auto factors = TestFixture::make(genten_test::random_factors(tensor, rank));
      auto plan = this->plan_of(tensor);
      genten_test::add_bits(bits, genten_test::mttkrps(this->exec, plan, factors));
    }
    return bits.text();
  });
  if (genten_test::in_child()) return;
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

}  // namespace
