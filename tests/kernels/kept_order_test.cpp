// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel sorted where the nonzeros stay in the order they came in, against the serial
// reference.

#include <genten/mttkrp/execute_with.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using genten_test::mttkrp_agrees;
using genten_test::mttkrp_reference;
using genten_test::PlainMatrix;
using genten_test::PlainTensor;

/// So that whole factors are near.
genten::MachineProperties machine() {
  genten::MachineProperties result = genten::MachineProperties::of(genten::HostExec());
  result.l1_cache = 1 << 15;
  result.l2_cache = 1 << 20;
  result.shared_cache = 1 << 25;
  result.cores = 2;
  return result;
}

template <class Combination>
class KeptOrder : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Plan = genten::MttkrpPlan<Scalar, Ordinal, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;

  static Matrix make(const PlainMatrix& from) {
    Matrix matrix(from.rows, from.columns);
    genten_test::assign(matrix, from);
    return matrix;
  }
  Plan plan_of(const PlainTensor& tensor, std::size_t rank, const std::vector<int>& sequence = {}) {
    Plan plan(exec, genten_test::to_sptensor<Scalar, Ordinal, Exec>(tensor), rank,
              {.kernel = "sorted", .machine = machine(), .sweeps = 1.0}, sequence);
    for (const auto& order : plan.template choice_of<genten::kernels::Sorted>()->orders) {
      EXPECT_TRUE(order.tiles.empty()) << plan.describe();
    }
    return plan;
  }

  Exec exec;
};

TYPED_TEST_SUITE(KeptOrder, genten_test::HostTypes, genten_test::TypeNames);

constexpr std::size_t rank = 17;

std::vector<PlainTensor> tensors() {
  return {genten_test::random_tensor({.dimensions = {60, 50, 1}, .nnz = 2500, .seed = 1}),
          genten_test::random_tensor({.dimensions = {60, 50, 40}, .nnz = 120'000, .seed = 2}),
          genten_test::random_tensor({.dimensions = {30, 3, 2, 40}, .nnz = 3000, .seed = 3}),
          genten_test::random_tensor({.dimensions = {40, 30}, .nnz = 700, .seed = 4})};
}

TYPED_TEST(KeptOrder, AgreesWithTheReference) {
  using Rows = typename TestFixture::Matrix;
  for (const PlainTensor& tensor : tensors()) {
    std::vector<PlainMatrix> plain;
    std::vector<Rows> factors;
    for (std::size_t n = 0; n < tensor.order(); ++n) {
      plain.push_back(
          genten_test::random_matrix(tensor.dimensions[n], rank, 10 + static_cast<unsigned>(n)));
      factors.push_back(this->make(plain.back()));
    }
    // The last mode first, whose sums by tuple then serve the first one, too.
    std::vector<int> sequence(tensor.order());
    std::iota(sequence.begin(), sequence.end(), -1);
    sequence.front() = static_cast<int>(tensor.order()) - 1;
    auto plan = this->plan_of(tensor, rank, sequence);
    genten::FactorVersions versions{};
    for (std::size_t n = 0; n < tensor.order(); ++n) versions[n] = 1;
    for (const int mode : sequence) {
      const auto n = static_cast<std::size_t>(mode);
      const Rows output(tensor.dimensions[n], rank);
      plan.execute(this->exec, factors, mode, output, versions);
      this->exec.fence();
      EXPECT_TRUE(mttkrp_agrees(output, mttkrp_reference(tensor, plain, n)))
          << "mode " << mode << ": " << plan.describe();
    }
  }
}

TYPED_TEST(KeptOrder, GivesTheSameBitsForAnyNumberOfThreads) {
  using Rows = typename TestFixture::Matrix;
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([&] {
    genten_test::BitHash bits;
    for (const PlainTensor& tensor : tensors()) {
      std::vector<Rows> factors;
      for (std::size_t n = 0; n < tensor.order(); ++n) {
        factors.push_back(this->make(
            genten_test::random_matrix(tensor.dimensions[n], rank, 10 + static_cast<unsigned>(n))));
      }
      auto plan = this->plan_of(tensor, rank);
      for (std::size_t n = 0; n < tensor.order(); ++n) {
        const Rows output(tensor.dimensions[n], rank);
        plan.execute(this->exec, factors, static_cast<int>(n), output);
        this->exec.fence();
        for (std::size_t i = 0; i < output.rows(); ++i) {
          for (std::size_t r = 0; r < rank; ++r) bits.add(output(i, r));
        }
      }
    }
    return bits.text();
  });
  if (genten_test::in_child()) return;
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

}  // namespace
