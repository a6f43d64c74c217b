// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// Every kernel on the default execution space, which is the device where there is one, against
/// the plain reference; CP-ALS there against CP-ALS on the host.

#include "reference.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/mttkrp/plan.hpp>

#include <cstring>

namespace genten_test {
namespace {

using genten::HostExec;
using Exec = Kokkos::DefaultExecutionSpace;

template <class Scalar>
class DeviceAgreement : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceAgreement, Scalars);

template <class Scalar>
using Matrix = genten::FacMatrix<Scalar, Exec>;

template <class Scalar>
Matrix<Scalar> to_device(const PlainMatrix& from) {
  const Matrix<Scalar> to(from.rows, from.columns);
  const auto host = genten::create_mirror_view(to);
  for (std::size_t i = 0; i < from.rows; ++i) {
    for (std::size_t j = 0; j < from.columns; ++j) host(i, j) = static_cast<Scalar>(from(i, j));
  }
  genten::deep_copy(to, host);
  return to;
}

template <class Scalar>
auto to_host(const Matrix<Scalar>& from) {
  const auto host = genten::create_mirror_view(from);
  genten::deep_copy(host, from);
  return host;
}

/// One tensor, all kernels, all modes; deterministic kernels twice.
template <class Scalar>
void check_kernels(const RandomTensor& recipe, std::size_t rank) {
  const Exec exec;
  const PlainTensor plain_tensor = random_tensor(recipe);
  const auto tensor = to_sptensor<Scalar, std::uint32_t, Exec>(plain_tensor);
  std::vector<PlainMatrix> plain_factors;
  std::vector<Matrix<Scalar>> factors;
  for (std::size_t n = 0; n < recipe.dimensions.size(); ++n) {
    plain_factors.push_back(
        random_matrix(recipe.dimensions[n], rank, static_cast<unsigned>(n) + 7));
    factors.push_back(to_device<Scalar>(plain_factors.back()));
  }
  for (std::size_t mode = 0; mode < recipe.dimensions.size(); ++mode) {
    const auto reference = mttkrp_reference(plain_tensor, plain_factors, mode);
    for (const std::string& name : genten::kernel_names<Exec>()) {
      SCOPED_TRACE(name + ", mode " + std::to_string(mode) + ", rank " + std::to_string(rank));
      genten::MttkrpOptions options;
      options.kernel = name;
      genten::MttkrpPlan<Scalar, std::uint32_t, Exec> plan(exec, tensor, rank, options);
      const Matrix<Scalar> output(recipe.dimensions[mode], rank);
      Kokkos::deep_copy(output.padded_view(), Scalar(-7));  // every element must be written
      plan.execute(exec, factors, static_cast<int>(mode), output);
      exec.fence();
      const auto first = to_host(output);
      EXPECT_TRUE(mttkrp_agrees(first, reference));
      if (name != "sorted") continue;
      genten::MttkrpPlan<Scalar, std::uint32_t, Exec> again(exec, tensor, rank, options);
      for (int run = 0; run < 3; ++run) {
        again.execute(exec, factors, static_cast<int>(mode), output);
        exec.fence();
        const auto second = to_host(output);
        for (std::size_t i = 0; i < first.rows(); ++i) {
          ASSERT_EQ(std::memcmp(first.row(i), second.row(i), rank * sizeof(Scalar)), 0);
        }
      }
    }
  }
}

TYPED_TEST(DeviceAgreement, KernelsForEveryRank) {
  for (const std::size_t rank : {1, 2, 3, 16, 17, 32, 100, 128}) {
    check_kernels<TypeParam>({{37, 50, 23}, 4000, 3, 5, false, true}, rank);
  }
}

TYPED_TEST(DeviceAgreement, KernelsForEveryOrder) {
  const std::vector<std::size_t> dimensions{40, 3, 25, 60, 7};
  for (std::size_t order = 1; order <= dimensions.size(); ++order) {
    check_kernels<TypeParam>(
        {{dimensions.begin(), dimensions.begin() + static_cast<std::ptrdiff_t>(order)}, 3000, 5},
        16);
  }
}

TYPED_TEST(DeviceAgreement, ManyPiecesAndEmptySlices) {
  check_kernels<TypeParam>({{300, 200, 100}, 60000, 9, 0, true, true}, 16);
  check_kernels<TypeParam>({{2, 2000, 3}, 60000, 11}, 8);
}

TYPED_TEST(DeviceAgreement, KeysOfTwoWords) {
  check_kernels<TypeParam>({{100000, 90000, 80000, 70000, 60000}, 5000, 13}, 2);
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
      if (a.kernel == "sorted") EXPECT_EQ(a.history[i].fit, again.history[i].fit);
    }
  }
}

}  // namespace
}  // namespace genten_test
