// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The traversal with a functor, by every kernel that offers it, against plain loops in double
// precision.

#include <genten/mttkrp/execute_with.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using genten_test::random_matrix;
using genten_test::random_tensor;
using testing::HasSubstr;

template <class Scalar>
struct Value {
  KOKKOS_INLINE_FUNCTION Scalar operator()(Scalar x, Scalar) const { return x; }
};
/// The negative gradient of half the squared residual at the nonzeros, times a number that travels
/// with the functor.
template <class Scalar>
struct Difference {
  Scalar factor = 1;
  KOKKOS_INLINE_FUNCTION Scalar operator()(Scalar x, Scalar m) const { return factor * (x - m); }
};
/// The traversal's exact result, and how far a computation may be from it.
struct TraversalReference {
  PlainMatrix value;
  PlainMatrix bound;
};

/// `slope(x, m)` bounds the derivative of phi by m.
template <class Scalar, class Phi, class Slope>
TraversalReference traversal_reference(const PlainTensor& tensor,
                                       const std::vector<PlainMatrix>& factors, std::size_t mode,
                                       const Phi& phi, const Slope& slope) {
  const std::size_t rank = factors[0].columns;
  const double epsilon = std::numeric_limits<Scalar>::epsilon();
  PlainTensor weighted = tensor, uncertain = tensor;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    double model = 0.0, absolute = 0.0;
    for (std::size_t r = 0; r < rank; ++r) {
      double product = 1.0;
      for (std::size_t n = 0; n < tensor.order(); ++n) {
        product *= factors[n](tensor.subscripts[p][n], r);
      }
      model += product;
      absolute += std::abs(product);
    }
    weighted.values[p] = phi(tensor.values[p], model);
    const double model_error = epsilon * static_cast<double>(rank + tensor.order()) * absolute;
    uncertain.values[p] = model_error * std::abs(slope(tensor.values[p], model)) +
                          4.0 * epsilon * (std::abs(weighted.values[p]) + std::abs(model));
  }
  const auto sums = mttkrp_reference(weighted, factors, mode);
  const auto errors = mttkrp_reference(uncertain, factors, mode);
  TraversalReference result{sums.value, sums.value};
  for (std::size_t i = 0; i < result.bound.rows; ++i) {
    for (std::size_t r = 0; r < rank; ++r) {
      result.bound(i, r) = sums.template bound<Scalar>(i, r) + errors.absolute(i, r);
    }
  }
  return result;
}

template <class Combination>
class TraversalReferenceTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Plan = genten::MttkrpPlan<Scalar, Ordinal, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;

  /// Caches so small that small tensors leave them.
  [[nodiscard]] genten::MachineProperties machine() const {
    genten::MachineProperties result = genten::MachineProperties::of(exec);
    result.l1_cache = 1 << 13;
    result.l2_cache = 1 << 16;
    result.shared_cache = 1 << 21;
    result.cores = 2;
    return result;
  }
  static std::vector<std::string> traversal_kernels() {
    return genten::is_host_space<Exec> ? std::vector<std::string>{"atomic", "sorted"}
                                       : std::vector<std::string>{"atomic"};
  }
  static std::vector<PlainMatrix> positive_factors(const PlainTensor& tensor, std::size_t rank) {
    std::vector<PlainMatrix> factors;
    for (std::size_t n = 0; n < tensor.order(); ++n) {
      factors.push_back(random_matrix(tensor.dimensions[n], rank, 100 + static_cast<unsigned>(n)));
      for (double& value : factors.back().elements) {
        value = static_cast<Scalar>(0.25 + std::abs(value));
      }
    }
    return factors;
  }
  static std::vector<Matrix> make(const std::vector<PlainMatrix>& plain) {
    std::vector<Matrix> factors;
    for (const PlainMatrix& from : plain) {
      factors.emplace_back(from.rows, from.columns);
      genten_test::assign(factors.back(), from);
    }
    return factors;
  }

  template <class Phi>
  Matrix traversal(Plan& plan, const Phi& phi, const std::vector<Matrix>& factors,
                   std::size_t mode) {
    const Matrix output(factors[mode].rows(), factors[mode].columns());
    plan.execute_with(exec, phi, std::span<const Matrix>(factors), static_cast<int>(mode), output);
    exec.fence();
    return output;
  }

  void expect_near(const Matrix& actual, const TraversalReference& reference, const Plan& plan) {
    const PlainMatrix found = genten_test::plain(actual);
    for (std::size_t i = 0; i < found.rows; ++i) {
      for (std::size_t r = 0; r < found.columns; ++r) {
        ASSERT_LE(std::abs(found(i, r) - reference.value(i, r)), reference.bound(i, r))
            << plan.kernel() << ", " << plan.describe() << ", " << i << ", " << r;
      }
    }
  }

  void compare(const PlainTensor& tensor, std::size_t rank) {
    const auto plain = positive_factors(tensor, rank);
    const auto factors = make(plain);
    const auto library_tensor = genten_test::to_sptensor<Scalar, Ordinal, Exec>(tensor);
    for (const std::string& kernel : traversal_kernels()) {
      Plan plan(exec, library_tensor, rank, {.kernel = kernel, .machine = machine()});
      for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
        SCOPED_TRACE(kernel + ", rank " + std::to_string(rank) + ", mode " + std::to_string(mode));
        expect_near(traversal(plan, Difference<Scalar>{2}, factors, mode),
                    traversal_reference<Scalar>(
                        tensor, plain, mode, [](double x, double m) { return 2.0 * (x - m); },
                        [](double, double) { return 2.0; }),
                    plan);
      }
    }
  }

  Exec exec;
};

TYPED_TEST_SUITE(TraversalReferenceTest, genten_test::AllTypes, genten_test::TypeNames);

TYPED_TEST(TraversalReferenceTest, OrdersOneToEightAgree) {
  const std::vector<std::size_t> lengths = {40, 30, 20, 6, 5, 4, 3, 2};
  for (std::size_t order = 1; order <= lengths.size(); ++order) {
    const std::vector<std::size_t> dimensions(lengths.begin(),
                                              lengths.begin() + static_cast<std::ptrdiff_t>(order));
    this->compare(random_tensor({.dimensions = dimensions, .nnz = 500, .seed = 3}), 5);
  }
}

TYPED_TEST(TraversalReferenceTest, RanksOfEveryKindOfRowAgree) {
  const auto tensor = random_tensor({.dimensions = {50, 40, 30}, .nnz = 800, .seed = 4});
  for (const std::size_t rank : {1U, 2U, 3U, 8U, 10U, 12U, 20U, 33U, 64U, 65U, 100U, 130U, 200U}) {
    this->compare(tensor, rank);
  }
}

TYPED_TEST(TraversalReferenceTest, FactorsBeyondTheNearCacheAgree) {
  this->compare(random_tensor({.dimensions = {3000, 2000, 500}, .nnz = 4000, .seed = 5}), 16);
  this->compare(random_tensor({.dimensions = {3000, 20, 500, 9}, .nnz = 4000, .seed = 6}), 16);
}

TYPED_TEST(TraversalReferenceTest, AHeavySliceAgrees) {
  // Half of the nonzeros in one row: more than a chunk, so that it is split.
  this->compare(random_tensor({.dimensions = {300, 900, 700}, .nnz = 40'000, .heavy_slice = true}),
                5);
  // The same with a pair of modes that is short enough to be fused.
  this->compare(random_tensor({.dimensions = {300, 20, 30}, .nnz = 40'000, .heavy_slice = true}),
                5);
}

// What a plan keeps of fused modes belongs to one kind of call: traverses and MTTKRPs may
// alternate.
TYPED_TEST(TraversalReferenceTest, TraversalsAndMttkrpsDoNotDisturbEachOther) {
  using Real = typename TestFixture::Scalar;
  const auto tensor = random_tensor({.dimensions = {400, 6, 5, 300}, .nnz = 6000, .seed = 8});
  const auto factors = this->make(this->positive_factors(tensor, 4));
  const auto library_tensor =
      genten_test::to_sptensor<Real, typename TestFixture::Ordinal, typename TestFixture::Exec>(
          tensor);
  for (const std::string& kernel : this->traversal_kernels()) {
    typename TestFixture::Plan plan(this->exec, library_tensor, 4, {.kernel = kernel});
    genten::FactorVersions versions{};
    for (int n = 0; n < 4; ++n) versions[n] = 1;  // nothing changes between the calls
    for (std::size_t mode = 0; mode < 4; ++mode) {
      const auto mttkrp = [&] {
        const typename TestFixture::Matrix output(factors[mode].rows(), 4);
        plan.execute(this->exec, factors, static_cast<int>(mode), output, versions);
        this->exec.fence();
        return genten_test::plain(output).elements;
      };
      const auto before = mttkrp();
      (void)this->traversal(plan, Difference<Real>{}, factors, mode);
      const auto after = mttkrp();
      const auto value =
          genten_test::plain(this->traversal(plan, Value<Real>{}, factors, mode)).elements;
      // Bits may differ: the traversal is compiled here, the library with its own flags.
      const double tolerance = 400.0 * std::numeric_limits<Real>::epsilon();
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double size = tolerance * (1.0 + std::abs(before[i]));
        EXPECT_NEAR(before[i], value[i], size);
        EXPECT_NEAR(before[i], after[i], kernel == "sorted" ? 0.0 : size);
      }
    }
  }
}

TYPED_TEST(TraversalReferenceTest, WhatLiesInThePaddingIsNotRead) {
  using Real = typename TestFixture::Scalar;
  using Factor = typename TestFixture::Matrix;
  const auto tensor = random_tensor({.dimensions = {30, 20, 10}, .nnz = 200, .seed = 9});
  const auto factors = this->make(this->positive_factors(tensor, 3));
  std::vector<Factor> foul;
  for (const Factor& factor : factors) {
    const typename Factor::view_type view("foul", factor.rows(), factor.stride());
    Kokkos::deep_copy(view, std::numeric_limits<Real>::quiet_NaN());
    foul.emplace_back(view, factor.columns());
    genten_test::assign(foul.back(), genten_test::plain(factor));
  }
  const auto library_tensor =
      genten_test::to_sptensor<Real, typename TestFixture::Ordinal, typename TestFixture::Exec>(
          tensor);
  for (const std::string& kernel : this->traversal_kernels()) {
    typename TestFixture::Plan plan(this->exec, library_tensor, 3, {.kernel = kernel});
    for (std::size_t mode = 0; mode < 3; ++mode) {
      const auto right =
          genten_test::plain(this->traversal(plan, Difference<Real>{}, factors, mode));
      const auto found = genten_test::plain(this->traversal(plan, Difference<Real>{}, foul, mode));
      for (std::size_t i = 0; i < right.elements.size(); ++i) {
        ASSERT_NEAR(found.elements[i], right.elements[i],
                    1e-4 * (1.0 + std::abs(right.elements[i])));
      }
    }
  }
}

// Copies of callers' matrices have Genten's memory, and whatever lay in the padding.
TYPED_TEST(TraversalReferenceTest, PaddingThatWasCopiedIsNotReadEither) {
  using Real = typename TestFixture::Scalar;
  using Factor = typename TestFixture::Matrix;
  const auto tensor = random_tensor({.dimensions = {30, 20, 10}, .nnz = 200, .seed = 9});
  const auto factors = this->make(this->positive_factors(tensor, 3));
  std::vector<Factor> copies;
  for (const Factor& factor : factors) {
    const typename Factor::view_type view("foul", factor.rows(), factor.stride());
    Kokkos::deep_copy(view, std::numeric_limits<Real>::quiet_NaN());
    const Factor foul(view, factor.columns());
    genten_test::assign(foul, genten_test::plain(factor));
    copies.emplace_back(factor.rows(), factor.columns());
    deep_copy(copies.back(), foul);
  }
  const auto library_tensor =
      genten_test::to_sptensor<Real, typename TestFixture::Ordinal, typename TestFixture::Exec>(
          tensor);
  typename TestFixture::Plan plan(this->exec, library_tensor, 3,
                                  {.kernel = this->traversal_kernels().back()});
  const auto right = genten_test::plain(this->traversal(plan, Difference<Real>{}, factors, 1));
  const auto found = genten_test::plain(this->traversal(plan, Difference<Real>{}, copies, 1));
  for (std::size_t i = 0; i < right.elements.size(); ++i) {
    ASSERT_NEAR(found.elements[i], right.elements[i], 1e-4 * (1.0 + std::abs(right.elements[i])));
  }
}

TYPED_TEST(TraversalReferenceTest, WrongCallsAreRefused) {
  using Real = typename TestFixture::Scalar;
  using Factor = typename TestFixture::Matrix;
  const auto tensor = random_tensor({.dimensions = {6, 5, 4}, .nnz = 20, .seed = 1});
  const auto factors = this->make(this->positive_factors(tensor, 3));
  const auto library_tensor =
      genten_test::to_sptensor<Real, typename TestFixture::Ordinal, typename TestFixture::Exec>(
          tensor);
  const auto message_of = [&](const char* kernel, const std::vector<Factor>& read,
                              const Factor& output) -> std::string {
    typename TestFixture::Plan plan(this->exec, library_tensor, 3, {.kernel = kernel});
    try {
      plan.execute_with(this->exec, Value<Real>{}, std::span<const Factor>(read), 0, output);
    } catch (const genten::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message_of("atomic", factors, factors[0]), HasSubstr("shares memory"));
  auto wrong = factors;
  wrong[0] = Factor(7, 3);
  EXPECT_THAT(message_of("atomic", wrong, Factor(6, 3)), HasSubstr("to be 6 x 3, got 7 x 3"));
  EXPECT_THAT(message_of("team", factors, Factor(6, 3)), HasSubstr("got one for team"));
  EXPECT_EQ(message_of("atomic", factors, Factor(6, 3)), "");
}

TEST(TraversalDeterminism, SortedGivesTheSameBitsForOneTwoAndThreeThreads) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const Exec exec{};
    genten_test::BitHash hash;
    for (const std::size_t rank : {7U, 70U}) {
      auto plain = random_tensor({.dimensions = {40, 900, 700}, .nnz = 30000, .seed = 2});
      const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(plain);
      const auto model =
          genten_test::to_ktensor<double, Exec>(genten_test::random_model({40, 900, 700}, rank, 5));
      genten::MttkrpPlan<double, std::uint32_t, Exec> plan(exec, tensor, rank,
                                                           {.kernel = "sorted"});
      for (int mode = 0; mode < 3; ++mode) {
        const genten::FacMatrix<double, Exec> output(tensor.dimension(mode), rank);
        plan.execute_with(exec, Difference<double>{}, model.factors(), mode, output);
        exec.fence();
        for (std::size_t i = 0; i < output.rows(); ++i) {
          for (std::size_t j = 0; j < rank; ++j) hash.add(output(i, j));
        }
      }
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
