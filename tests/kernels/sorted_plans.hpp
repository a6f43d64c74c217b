// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SortedPlans: plans of the kernel sorted for a machine that the test describes, and their MTTKRPs
/// against the serial reference.

#include <genten/mttkrp/execute_with.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace genten_test {

inline genten::MachineProperties machine_with_caches(double l1, double l2, double shared) {
  genten::MachineProperties result = genten::MachineProperties::of(genten::HostExec());
  result.l1_cache = l1;
  result.l2_cache = l2;
  result.shared_cache = shared;
  result.cores = 2;
  return result;
}

inline std::vector<PlainMatrix> random_factors(const PlainTensor& tensor, std::size_t rank) {
  std::vector<PlainMatrix> factors;
  for (std::size_t n = 0; n < tensor.order(); ++n) {
    factors.push_back(random_matrix(tensor.dimensions[n], rank, 100 + static_cast<unsigned>(n)));
  }
  return factors;
}

template <class Combination>
class SortedPlans : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Plan = genten::MttkrpPlan<Scalar, Ordinal, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;

  static Matrix make(const PlainMatrix& from) {
    Matrix matrix(from.rows, from.columns);
    assign(matrix, from);
    return matrix;
  }
  static std::vector<Matrix> make(const std::vector<PlainMatrix>& plain) {
    std::vector<Matrix> factors;
    for (const PlainMatrix& from : plain) factors.push_back(make(from));
    return factors;
  }
  static auto make(const PlainTensor& tensor) { return to_sptensor<Scalar, Ordinal, Exec>(tensor); }
  Plan make(const PlainTensor& tensor, std::size_t rank, genten::MttkrpOptions options,
            const std::vector<int>& update_order = {}) const {
    options.kernel = "sorted";
    return Plan(exec, make(tensor), rank, options, update_order);
  }
  static const auto& choice_of(const Plan& plan) {
    return *plan.template choice_of<genten::kernels::Sorted>();
  }

  void expect_mttkrp(Plan& plan, const PlainTensor& tensor, const std::vector<PlainMatrix>& plain,
                     const std::vector<Matrix>& factors, int mode,
                     const genten::FactorVersions& versions = {}) const {
    const auto n = static_cast<std::size_t>(mode);
    const Matrix output(tensor.dimensions[n], factors[n].columns());
    plan.execute(exec, factors, mode, output, versions);
    exec.fence();
    EXPECT_TRUE(mttkrp_agrees(output, mttkrp_reference(tensor, plain, n)))
        << "mode " << mode << ", " << plan.describe();
  }
  /// Sweeps as ALS makes them, which tell the plan the versions of the factors.
  void expect_sweeps(Plan& plan, const PlainTensor& tensor, const std::vector<int>& updates,
                     std::size_t rank) const {
    auto plain = random_factors(tensor, rank);
    const auto factors = make(plain);
    genten::FactorVersions versions{};
    std::uint64_t version = 0;
    for (std::size_t n = 0; n < tensor.order(); ++n) versions[static_cast<int>(n)] = ++version;
    for (unsigned sweep = 0; sweep < 3; ++sweep) {
      for (const int mode : updates) {
        const auto m = static_cast<std::size_t>(mode);
        plan.execute(exec, factors, mode, factors[m], versions);
        exec.fence();
        EXPECT_TRUE(mttkrp_agrees(factors[m], mttkrp_reference(tensor, plain, m)))
            << "sweep " << sweep << ", mode " << mode;
        plain[m] = random_matrix(tensor.dimensions[m], rank,
                                 1000 * (sweep + 1) + static_cast<unsigned>(mode));
        assign(factors[m], plain[m]);
        versions[mode] = ++version;
      }
    }
  }

  Exec exec;
};

/// Those of all modes.
template <class Plan, class Matrix>
std::vector<Matrix> mttkrps(const genten::HostExec& exec, Plan& plan,
                            const std::vector<Matrix>& factors) {
  std::vector<Matrix> outputs;
  for (std::size_t n = 0; n < factors.size(); ++n) {
    plan.execute(exec, factors, static_cast<int>(n),
                 outputs.emplace_back(factors[n].rows(), factors[n].columns()));
  }
  exec.fence();
  return outputs;
}

template <class Matrix>
void add_bits(BitHash& bits, const std::vector<Matrix>& matrices) {
  for (const Matrix& matrix : matrices) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::size_t r = 0; r < matrix.columns(); ++r) bits.add(matrix(i, r));
    }
  }
}

}  // namespace genten_test
