// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Coordinate descent of rows by systems of their own, beside plain loops.

#include <genten/mttkrp/row_equations.hpp>

#include "reference.hpp"
#include "row_reference.hpp"
#include "tensor_test.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten::RowConstraint;
using genten::RowEquationsTuning;
using genten_test::PlainMatrix;
using genten_test::PlainTensor;

constexpr double none = RowConstraint::none;

/// The system of a row, with what `base` and the sign of the entries make of it.
struct PlainSystem {
  PlainMatrix gram;
  std::vector<double> right;
};

template <class Combination>
class RowEquationsDescent : public genten_test::TensorTest<Combination> {
 protected:
  using Base = genten_test::TensorTest<Combination>;
  using typename Base::Exec;
  using typename Base::Scalar;
  using Systems = genten::RowEquations<Scalar, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  static constexpr bool is_double = sizeof(Scalar) == 8;

  static std::vector<PlainMatrix> random_factors(const std::vector<std::size_t>& dimensions,
                                                 std::size_t rank, unsigned seed) {
    auto model = genten_test::random_model(dimensions, rank, seed);
    for (auto& factor : model.factors) {
      for (double& x : factor.elements) x = static_cast<Scalar>(std::sin(1.0 + 50.0 * x));
    }
    return model.factors;
  }
  static std::vector<Matrix> to_matrices(const std::vector<PlainMatrix>& plain) {
    std::vector<Matrix> result;
    for (const auto& matrix : plain) {
      result.push_back(genten_test::to_matrix<Scalar, Exec>(matrix));
    }
    return result;
  }
  static std::vector<PlainSystem> systems_of(const PlainTensor& tensor,
                                             const std::vector<PlainMatrix>& factors,
                                             std::size_t mode, const PlainMatrix& base,
                                             double sign) {
    const std::size_t rank = base.columns;
    std::vector<PlainSystem> systems(tensor.dimensions[mode],
                                     {base, std::vector<double>(rank, 0.0)});
    for (std::size_t p = 0; p < tensor.nnz(); ++p) {
      std::vector<double> k(rank, 1.0);
      for (std::size_t n = 0; n < tensor.order(); ++n) {
        for (std::size_t r = 0; n != mode && r < rank; ++r) {
          k[r] *= factors[n](tensor.subscripts[p][n], r);
        }
      }
      PlainSystem& system = systems[tensor.subscripts[p][mode]];
      for (std::size_t r = 0; r < rank; ++r) {
        for (std::size_t s = 0; s < rank; ++s) system.gram(r, s) += sign * k[r] * k[s];
        system.right[r] += tensor.values[p] * k[r];
      }
    }
    return systems;
  }
  static std::vector<double> row_of(const PlainMatrix& matrix, std::size_t i) {
    const auto begin = matrix.elements.begin() + static_cast<std::ptrdiff_t>(i * matrix.columns);
    return {begin, begin + static_cast<std::ptrdiff_t>(matrix.columns)};
  }

  /// Whether rows are where plain loops end, from the same rows.
  void expect_rows(const PlainMatrix& found, const PlainMatrix& start,
                   const std::vector<PlainSystem>& systems, const RowConstraint& constraint,
                   double violation, const std::vector<bool>& counts) const {
    double most = 0.0;
    for (std::size_t i = 0; i < systems.size(); ++i) {
      auto expected = row_of(start, i);
      const auto own = row_of(found, i);
      if (!counts[i]) {
        EXPECT_EQ(own, std::vector<double>(own.size(), 0.0)) << "row " << i;
        continue;
      }
      const auto& [gram, right] = systems[i];
      most = std::max(most, genten_test::row_violation(gram, right, expected, constraint));
      const double before = genten_test::row_objective(gram, right, expected, constraint);
      genten_test::descend_reference(gram, right, expected, constraint);
      const double wanted = genten_test::row_objective(gram, right, expected, constraint);
      const double reached = genten_test::row_objective(gram, right, own, constraint);
      const double slack = (is_double ? 1e-11 : 1e-4) * (1.0 + std::abs(before) + std::abs(wanted));
      EXPECT_LE(reached, before + slack) << "row " << i;
      EXPECT_NEAR(reached, wanted, slack) << "row " << i;
      for (std::size_t r = 0; r < own.size(); ++r) {
        EXPECT_GE(own[r], constraint.lower);
        EXPECT_LE(own[r], constraint.upper);
        if (is_double) {
          EXPECT_NEAR(own[r], expected[r], 1e-8) << "row " << i;
        }
      }
    }
    EXPECT_NEAR(violation, most, (is_double ? 1e-11 : 1e-4) * (1.0 + most));
  }
};
TYPED_TEST_SUITE(RowEquationsDescent, genten_test::ModelTypes, genten_test::TypeNames);

const RowConstraint constraints[] = {{.lower = 0.0},
                                     {.ridge = 0.5, .l1 = 0.25},
                                     {.ridge = 0.125, .l1 = 0.5, .lower = -0.25, .upper = 0.5},
                                     {.lower = -none, .upper = 0.0}};

/// Rows of two pieces and more already at ten entries.
RowEquationsTuning tuning_of(bool teams) {
  return {.entries_per_task = 16,
          .entries_per_piece_host = 5,
          .entries_per_piece_device = 5,
          .piece_bytes = 1e9,
          .teams_on_hosts = teams};
}

TYPED_TEST(RowEquationsDescent, EveryRowDescendsByItsOwnSystem) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto tensor = genten_test::random_tensor(
      {.dimensions = {12, 7, 9}, .nnz = 260, .empty_slices = true, .heavy_slice = true});
  for (const std::size_t rank : {1U, 3U, 8U, 11U}) {
    const auto plain = this->random_factors(tensor.dimensions, rank, 5);
    const auto factors = this->to_matrices(plain);
    for (const bool teams : {false, true}) {
      typename TestFixture::Systems systems(this->exec, this->make(tensor), rank, tuning_of(teams));
      for (const RowConstraint& constraint : constraints) {
        for (std::size_t mode = 0; mode < 3; ++mode) {
          PlainMatrix start = plain[mode];
          for (double& x : start.elements) {
            x = std::min(std::max(x, constraint.lower), constraint.upper);
          }
          const auto rows = genten_test::to_matrix<Real, Space>(start);
          const double violation = systems.coordinate_descent(
              this->exec, factors, static_cast<int>(mode), constraint, rows);
          std::vector<bool> counts(tensor.dimensions[mode], false);
          for (const auto& at : tensor.subscripts) counts[at[mode]] = true;
          this->expect_rows(genten_test::plain(rows), start,
                            this->systems_of(tensor, plain, mode, PlainMatrix(rank, rank), 1.0),
                            constraint, violation, counts);
        }
      }
    }
  }
}

// Rows with entries that are missing, and those without.
TYPED_TEST(RowEquationsDescent, EveryRowDescendsByTheBaseWithoutItsEntries) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto missing = genten_test::random_tensor(
      {.dimensions = {12, 7, 9}, .nnz = 60, .empty_slices = true, .heavy_slice = true});
  for (const std::size_t rank : {1U, 5U, 8U}) {
    const auto plain = this->random_factors(missing.dimensions, rank, 3);
    const auto factors = this->to_matrices(plain);
    PlainMatrix grams(rank, rank);
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t s = 0; s < rank; ++s) {
        double product = 1.0;
        for (const std::size_t n : {1U, 2U}) {
          double sum = 0.0;
          for (std::size_t i = 0; i < missing.dimensions[n]; ++i) {
            sum += plain[n](i, r) * plain[n](i, s);
          }
          product *= sum;
        }
        grams(r, s) = product + (r == s ? 8.0 : 0.0);  // entries that are listed twice count twice
      }
    }
    const typename TestFixture::Systems::Square base("base", rank, rank);
    const auto host_base = Kokkos::create_mirror_view(base);
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t s = 0; s < rank; ++s) host_base(r, s) = grams(r, s);
    }
    Kokkos::deep_copy(base, host_base);
    const auto products = this->random_factors(missing.dimensions, rank, 8)[0];
    auto systems_of_rows = this->systems_of(missing, plain, 0, grams, -1.0);
    for (std::size_t i = 0; i < systems_of_rows.size(); ++i) {
      systems_of_rows[i].right = this->row_of(products, i);
    }
    for (const bool teams : {false, true}) {
      typename TestFixture::Systems systems(this->exec, this->make(missing), rank,
                                            tuning_of(teams));
      for (const RowConstraint& constraint : constraints) {
        PlainMatrix start = plain[0];
        for (double& x : start.elements) {
          x = std::min(std::max(x, constraint.lower), constraint.upper);
        }
        const auto rows = genten_test::to_matrix<Real, Space>(start);
        const double violation =
            systems.coordinate_descent_without(this->exec, factors, 0, constraint, base,
                                               genten_test::to_matrix<Real, Space>(products), rows);
        this->expect_rows(genten_test::plain(rows), start, systems_of_rows, constraint, violation,
                          std::vector<bool>(12, true));
      }
    }
  }
}

}  // namespace
