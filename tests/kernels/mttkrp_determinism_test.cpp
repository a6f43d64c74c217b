// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels that say they are deterministic give the same bits whatever the number of threads.

#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"
#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using genten_test::random_tensor;

std::vector<std::string> deterministic_kernels() {
  std::vector<std::string> names;
  genten::KernelList::for_each([&]<class Kernel>() {
    if constexpr (Kernel::template supports<Exec>) {
      if (Kernel::deterministic) names.emplace_back(Kernel::name);
    }
  });
  return names;
}

/// Hash of the MTTKRP of all modes.
template <class Scalar>
std::string hash_of_mttkrps(const genten_test::RandomTensor& recipe, std::size_t rank,
                            const std::string& kernel) {
  const Exec exec{};
  const auto tensor = genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(random_tensor(recipe));
  const auto model =
      genten_test::to_ktensor<Scalar, Exec>(genten_test::random_model(recipe.dimensions, rank, 5));
  // Caches so small that small tensors leave them; as many workers as there are threads.
  genten::MachineProperties machine = genten::MachineProperties::of(exec);
  machine.l1_cache = 1 << 13;
  machine.l2_cache = 1 << 16;
  machine.shared_cache = 1 << 21;
  machine.cores = 2;
  genten::MttkrpPlan<Scalar, std::uint32_t, Exec> plan(exec, tensor, rank,
                                                       {.kernel = kernel, .machine = machine});
  genten_test::BitHash hash;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const genten::FacMatrix<Scalar, Exec> output(tensor.dimension(mode), rank);
    plan.execute(exec, model.factors(), mode, output);
    exec.fence();
    for (std::size_t i = 0; i < output.rows(); ++i) {
      for (std::size_t j = 0; j < rank; ++j) hash.add(output(i, j));
    }
  }
  return hash.text();
}

template <class Scalar>
std::string hashes(const std::string& kernel) {
  std::string text;
  // A heavy slice, whose sums are taken in pieces; fused modes; factors beyond the L2 cache.
  for (const auto& recipe :
       {genten_test::RandomTensor{
            .dimensions = {700, 3000, 2000}, .nnz = 200'000, .heavy_slice = true},
        genten_test::RandomTensor{.dimensions = {300, 5, 4, 200}, .nnz = 100'000},
        genten_test::RandomTensor{
            .dimensions = {4000, 3000, 500}, .nnz = 160'000, .heavy_slice = true}}) {
    text += " " + hash_of_mttkrps<Scalar>(recipe, 17, kernel);
  }
  return text;
}

TEST(MttkrpDeterminism, DeterministicKernelsGiveTheSameBitsForOneTwoAndThreeThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    std::string text;
    for (const std::string& kernel : deterministic_kernels()) {
      text += kernel + hashes<float>(kernel) + hashes<double>(kernel) + ";";
    }
    return text;
  });
  if (genten_test::in_child()) return;
  EXPECT_NE(results[0].find("sorted "), std::string::npos) << results[0];
  EXPECT_NE(results[0].find("permuted "), std::string::npos) << results[0];
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

/// Of kernels that take several models side by side, the columns of each are what they are alone.
template <class Scalar>
void compare_side_by_side(const genten_test::RandomTensor& recipe, std::size_t rank,
                          std::size_t count) {
  SCOPED_TRACE(std::to_string(count) + " models of rank " + std::to_string(rank));
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  const Exec exec{};
  const auto tensor = genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(random_tensor(recipe));
  genten::MachineProperties machine = genten::MachineProperties::of(exec);
  machine.l1_cache = 1 << 13;
  machine.l2_cache = 1 << 16;
  machine.shared_cache = 1 << 21;
  genten::MttkrpPlan<Scalar, std::uint32_t, Exec> plan(exec, tensor, rank, {.machine = machine});
  ASSERT_TRUE(plan.takes_wider());
  const std::size_t stride = genten::padded_stride(rank, sizeof(Scalar));
  std::vector<Matrix> wide;
  for (const std::size_t rows : recipe.dimensions) wide.emplace_back(rows, count * stride);
  std::vector<std::vector<Matrix>> models;
  for (unsigned k = 0; k < count; ++k) {
    const auto model = genten_test::to_ktensor<Scalar, Exec>(
        genten_test::random_model(recipe.dimensions, rank, k));
    models.emplace_back(model.factors().begin(), model.factors().end());
    for (std::size_t n = 0; n < wide.size(); ++n) {
      for (std::size_t i = 0; i < wide[n].rows(); ++i) {
        std::copy_n(models[k][n].row(i), rank, wide[n].row(i) + k * stride);
      }
    }
  }
  // Versions that stay the same: what one width has left is not for another.
  genten::FactorVersions versions{};
  for (std::size_t n = 0; n < wide.size(); ++n) versions[n] = 1;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const Matrix output(tensor.dimension(mode), count * stride);
    plan.execute(exec, wide, mode, output, versions);
    for (std::size_t k = 0; k < count; ++k) {
      const Matrix alone(tensor.dimension(mode), rank);
      plan.execute(exec, models[k], mode, alone);
      std::size_t differing = 0;
      for (std::size_t i = 0; i < alone.rows(); ++i) {
        for (std::size_t r = 0; r < rank; ++r) {
          differing += alone(i, r) != output(i, k * stride + r) ? 1 : 0;
        }
      }
      EXPECT_EQ(differing, 0u) << "mode " << mode + 1 << ", model " << k;
    }
  }
}

TEST(MttkrpDeterminism, ModelsSideBySideHaveTheBitsOfEachAlone) {
  for (const auto& recipe :
       {genten_test::RandomTensor{
            .dimensions = {700, 3000, 2000}, .nnz = 100'000, .heavy_slice = true},
        genten_test::RandomTensor{.dimensions = {300, 5, 4, 200}, .nnz = 100'000},
        genten_test::RandomTensor{.dimensions = {40, 30}, .nnz = 900},
        genten_test::RandomTensor{.dimensions = {30, 20, 10, 8, 7}, .nnz = 30'000}}) {
    for (const std::size_t rank : {3, 17}) {
      compare_side_by_side<double>(recipe, rank, 5);
      compare_side_by_side<float>(recipe, rank, 3);
    }
  }
}

}  // namespace
