// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The default execution space, where it is a device, against itself and against the host: the same
// bits from run to run, and CP-ALS with the fits that it has on the host.

#include "reference.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/mttkrp/plan.hpp>

#include <cstring>

namespace genten_test {
namespace {

using genten::HostExec;
using Exec = Kokkos::DefaultExecutionSpace;

template <class Scalar>
class DeviceAgreement : public ::testing::Test {
 protected:
  void SetUp() override {
    if (genten::is_host_space<Exec>) GTEST_SKIP() << "there is no device to agree with the host";
  }
};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceAgreement, Scalars);

/// The MTTKRP of every mode by the kernel `sorted`, by a new plan.
template <class Scalar>
std::vector<PlainMatrix> sorted_mttkrps(const PlainTensor& plain_tensor, std::size_t rank) {
  const Exec exec;
  const auto tensor = to_sptensor<Scalar, std::uint32_t, Exec>(plain_tensor);
  const auto model = to_ktensor<Scalar, Exec>(random_model(plain_tensor.dimensions, rank, 7));
  genten::MttkrpPlan<Scalar, std::uint32_t, Exec> plan(exec, tensor, rank, {.kernel = "sorted"});
  std::vector<PlainMatrix> results;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const genten::FacMatrix<Scalar, Exec> output(tensor.dimension(mode), rank);
    plan.execute(exec, model.factors(), mode, output);
    exec.fence();
    results.push_back(plain(output));
  }
  return results;
}

TYPED_TEST(DeviceAgreement, SortedKernelGivesTheSameBitsInEveryRun) {
  for (const RandomTensor& recipe :
       {RandomTensor{.dimensions = {37, 50, 23}, .nnz = 4000, .duplicate_every = 5},
        RandomTensor{.dimensions = {300, 200, 100}, .nnz = 60'000, .heavy_slice = true},
        RandomTensor{.dimensions = {2, 2000, 3}, .nnz = 60'000},
        RandomTensor{.dimensions = {100'000, 90'000, 80'000, 70'000, 60'000}, .nnz = 5000}}) {
    const PlainTensor tensor = random_tensor(recipe);
    const std::size_t rank = recipe.dimensions.size() == 5 ? 2 : 17;
    const auto first = sorted_mttkrps<TypeParam>(tensor, rank);
    for (int run = 0; run < 3; ++run) {
      const auto again = sorted_mttkrps<TypeParam>(tensor, rank);
      for (std::size_t mode = 0; mode < first.size(); ++mode) {
        const auto &a = first[mode].elements, &b = again[mode].elements;
        EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0)
            << "mode " << mode + 1;
      }
    }
  }
}

TYPED_TEST(DeviceAgreement, CpAlsFitsLikeTheHost) {
  for (const std::size_t rank : {1, 3, 16, 33, 50}) {
    const PlainTensor plain_tensor = random_tensor({{60, 50, 40, 3}, 20000, 21});
    const auto here = to_sptensor<TypeParam, std::uint32_t, Exec>(plain_tensor);
    const auto there = to_sptensor<TypeParam, std::uint32_t, HostExec>(plain_tensor);
    genten::CpAlsOptions options;
    options.rank = rank;
    options.max_iterations = 8;
    options.tolerance = 0.0;
    const auto a = genten::cp_als(Exec(), here, options);
    const auto again = genten::cp_als(Exec(), here, options);
    const auto b = genten::cp_als(HostExec(), there, options);
    ASSERT_EQ(a.iterations, b.iterations);
    for (std::size_t i = 0; i < a.history.size(); ++i) {
      const double bound = std::is_same_v<TypeParam, float> ? 1e-4 : 1e-9;
      EXPECT_NEAR(a.history[i].fit, b.history[i].fit, bound) << "rank " << rank << ", " << i;
      if (a.kernel == "sorted") {
        EXPECT_EQ(a.history[i].fit, again.history[i].fit);
      }
    }
  }
}

/// Marks in the device's queue and the host's clock tell of the same seconds once.
TYPED_TEST(DeviceAgreement, PhasesOfCpAlsAddUpToTheTimeOfTheCall) {
  const auto tensor = to_sptensor<TypeParam, std::uint32_t, Exec>(
      random_tensor({.dimensions = {30'000, 2'000, 300}, .nnz = 200'000}));
  for (const std::size_t starts : {1, 3}) {
    const genten::CpAlsOptions options{
        .rank = 16, .max_iterations = 20, .tolerance = 0.0, .starts = starts};
    const genten::Stopwatch watch;
    const auto result = genten::cp_als(Exec(), tensor, options);
    const double seconds = watch.seconds();
    double sum = 0.0;
    for (const auto& phase : result.timings) sum += phase.name == "total" ? 0.0 : phase.seconds;
    EXPECT_GE(sum, 0.95 * seconds) << starts;
    EXPECT_LE(sum, 1.02 * seconds) << starts;
  }
}

}  // namespace
}  // namespace genten_test
