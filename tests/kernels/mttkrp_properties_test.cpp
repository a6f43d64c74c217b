// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What every kernel owes to the definition of MTTKRP, on random tensors: it is linear in the tensor
// and in each factor, and it follows a permutation of the modes.

#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Plan = genten::MttkrpPlan<double, std::uint32_t, Exec>;
using Matrix = genten::FacMatrix<double, Exec>;
using genten_test::mttkrp_reference;
using genten_test::plain;
using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using genten_test::random_matrix;
using genten_test::random_tensor;

class MttkrpProperties : public testing::TestWithParam<std::string> {
 protected:
  /// The MTTKRP by the kernel under test.
  PlainMatrix mttkrp(const PlainTensor& tensor, const std::vector<PlainMatrix>& factors,
                     std::size_t mode) const {
    const std::size_t columns = factors[0].columns;
    const auto library_tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(tensor);
    const auto model =
        genten_test::to_ktensor<double, Exec>({std::vector<double>(columns, 1.0), factors});
    Plan plan(exec, library_tensor, columns, {.kernel = GetParam()});
    const Matrix output(tensor.dimensions[mode], columns);
    plan.execute(exec, model.factors(), static_cast<int>(mode), output);
    exec.fence();
    return plain(output);
  }

  static std::vector<PlainMatrix> factors_for(const std::vector<std::size_t>& lengths,
                                              std::size_t columns, unsigned seed) {
    std::vector<PlainMatrix> factors;
    for (std::size_t n = 0; n < lengths.size(); ++n) {
      factors.push_back(random_matrix(lengths[n], columns, seed + static_cast<unsigned>(n)));
    }
    return factors;
  }

  /// |actual - expected| <= 4 bounds of `like`, entry by entry.
  static void expect_near(const PlainMatrix& actual, const PlainMatrix& expected,
                          const genten_test::MttkrpReference& like) {
    ASSERT_EQ(actual.rows, expected.rows);
    ASSERT_EQ(actual.columns, expected.columns);
    for (std::size_t i = 0; i < actual.rows; ++i) {
      for (std::size_t j = 0; j < actual.columns; ++j) {
        ASSERT_NEAR(actual(i, j), expected(i, j), 4.0 * like.bound<double>(i, j))
            << "entry " << i << ", " << j;
      }
    }
  }

  Exec exec;
  const std::vector<std::size_t> dimensions{40, 6, 30, 5};
  const std::size_t rank = 7;
};

TEST_P(MttkrpProperties, IsLinearInTheTensor) {
  const auto x = random_tensor({.dimensions = dimensions, .nnz = 3000, .seed = 1});
  const auto y = random_tensor({.dimensions = dimensions, .nnz = 2000, .seed = 2});
  const double a = 0.5, b = -4.0;
  PlainTensor combined{dimensions, {}, {}};
  for (std::size_t p = 0; p < x.nnz(); ++p) {
    combined.subscripts.push_back(x.subscripts[p]);
    combined.values.push_back(a * x.values[p]);
  }
  for (std::size_t p = 0; p < y.nnz(); ++p) {
    combined.subscripts.push_back(y.subscripts[p]);
    combined.values.push_back(b * y.values[p]);
  }
  const auto factors = factors_for(dimensions, rank, 10);
  for (std::size_t mode = 0; mode < dimensions.size(); ++mode) {
    const auto of_x = mttkrp(x, factors, mode), of_y = mttkrp(y, factors, mode);
    PlainMatrix expected = of_x;
    for (std::size_t k = 0; k < expected.elements.size(); ++k) {
      expected.elements[k] = a * of_x.elements[k] + b * of_y.elements[k];
    }
    expect_near(mttkrp(combined, factors, mode), expected,
                mttkrp_reference(combined, factors, mode));
  }
}

TEST_P(MttkrpProperties, IsLinearInEachFactor) {
  const auto x = random_tensor({.dimensions = dimensions, .nnz = 3000});
  const auto factors = factors_for(dimensions, rank, 20);
  for (std::size_t mode = 0; mode < dimensions.size(); ++mode) {
    for (std::size_t changed = 0; changed < dimensions.size(); ++changed) {
      if (changed == mode) continue;
      auto first = factors, second = factors, sum = factors, bound = factors;
      second[changed] = random_matrix(dimensions[changed], rank, 99);
      for (std::size_t k = 0; k < sum[changed].elements.size(); ++k) {
        const double other = second[changed].elements[k];
        sum[changed].elements[k] += 2.0 * other;
        bound[changed].elements[k] = std::abs(first[changed].elements[k]) + 2.0 * std::abs(other);
      }
      const auto of_first = mttkrp(x, first, mode), of_second = mttkrp(x, second, mode);
      PlainMatrix expected = of_first;
      for (std::size_t k = 0; k < expected.elements.size(); ++k) {
        expected.elements[k] += 2.0 * of_second.elements[k];
      }
      expect_near(mttkrp(x, sum, mode), expected, mttkrp_reference(x, bound, mode));
    }
  }
}

TEST_P(MttkrpProperties, FollowsAPermutationOfTheModes) {
  const auto x = random_tensor({.dimensions = dimensions, .nnz = 3000});
  const auto factors = factors_for(dimensions, rank, 30);
  std::vector<std::size_t> permutation{0, 1, 2, 3};
  while (std::next_permutation(permutation.begin(), permutation.end())) {
    if (permutation[0] == 0) continue;  // the others are enough
    PlainTensor permuted{{}, std::vector<std::vector<std::size_t>>(x.nnz()), x.values};
    std::vector<PlainMatrix> permuted_factors;
    for (const std::size_t mode : permutation) {
      permuted.dimensions.push_back(dimensions[mode]);
      permuted_factors.push_back(factors[mode]);
      for (std::size_t p = 0; p < x.nnz(); ++p) {
        permuted.subscripts[p].push_back(x.subscripts[p][mode]);
      }
    }
    for (std::size_t k = 0; k < permutation.size(); ++k) {
      expect_near(mttkrp(permuted, permuted_factors, k), mttkrp(x, factors, permutation[k]),
                  mttkrp_reference(x, factors, permutation[k]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, MttkrpProperties, testing::ValuesIn(genten::kernel_names<Exec>()),
                         [](const auto& kernel) { return kernel.param; });

}  // namespace
