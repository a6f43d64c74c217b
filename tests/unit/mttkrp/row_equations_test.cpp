// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The systems of rows, beside systems that are written out and eliminated one by one.

#include <genten/mttkrp/row_equations.hpp>

#include "reference.hpp"
#include "tensor_test.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten::RowEquationsTuning;
using genten::RowSolveCounts;
using genten_test::error_of;
using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using testing::HasSubstr;

/// Rows of two pieces and more already at ten entries.
constexpr RowEquationsTuning small_pieces{.entries_per_task = 16,
                                          .entries_per_piece_host = 5,
                                          .entries_per_piece_device = 5,
                                          .piece_bytes = 1e9};

/// A system and the entries of its row.
struct PlainSystem {
  PlainMatrix matrix;
  std::vector<double> right;
  std::size_t entries = 0;
};

std::vector<double> product_at(const PlainTensor& tensor, const std::vector<PlainMatrix>& factors,
                               std::size_t p, std::size_t mode) {
  std::vector<double> product(factors[0].columns, 1.0);
  for (std::size_t n = 0; n < tensor.order(); ++n) {
    for (std::size_t r = 0; n != mode && r < product.size(); ++r) {
      product[r] *= factors[n](tensor.subscripts[p][n], r);
    }
  }
  return product;
}

std::vector<PlainSystem> systems_of(const PlainTensor& tensor,
                                    const std::vector<PlainMatrix>& factors, std::size_t mode) {
  const std::size_t rank = factors[0].columns;
  std::vector<PlainSystem> systems(tensor.dimensions[mode],
                                   {PlainMatrix(rank, rank), std::vector<double>(rank, 0.0), 0});
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    PlainSystem& system = systems[tensor.subscripts[p][mode]];
    const auto k = product_at(tensor, factors, p, mode);
    ++system.entries;
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t s = 0; s < rank; ++s) system.matrix(r, s) += k[r] * k[s];
      system.right[r] += tensor.values[p] * k[r];
    }
  }
  return systems;
}

/// ||matrix x - right|| as a part of ||matrix|| ||x|| + ||right||: the backward error.
double backward_error(const PlainSystem& system, const std::vector<double>& x) {
  const std::size_t rank = x.size();
  double error = 0.0, matrix = 0.0, solution = 0.0, right = 0.0;
  for (std::size_t r = 0; r < rank; ++r) {
    double residual = -system.right[r];
    for (std::size_t s = 0; s < rank; ++s) {
      residual += system.matrix(r, s) * x[s];
      matrix += system.matrix(r, s) * system.matrix(r, s);
    }
    error += residual * residual;
    solution += x[r] * x[r];
    right += system.right[r] * system.right[r];
  }
  const double size = std::sqrt(matrix * solution) + std::sqrt(right);
  return size == 0.0 ? std::sqrt(error) : std::sqrt(error) / size;
}

template <class Combination>
class RowEquationsTest : public genten_test::TensorTest<Combination> {
 protected:
  using Base = genten_test::TensorTest<Combination>;
  using typename Base::Exec;
  using typename Base::Scalar;
  using Systems = genten::RowEquations<Scalar, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;

  /// Rounded to Scalar, so that the library and the reference begin alike.
  static std::vector<PlainMatrix> random_factors(const std::vector<std::size_t>& dimensions,
                                                 std::size_t rank) {
    auto model = genten_test::random_model(dimensions, rank, 5);
    for (auto& factor : model.factors) {
      for (double& element : factor.elements) {
        element = static_cast<double>(static_cast<Scalar>(element));
      }
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
  static std::vector<double> row_of(const PlainMatrix& matrix, std::size_t i) {
    const auto begin = matrix.elements.begin() + static_cast<std::ptrdiff_t>(i * matrix.columns);
    return {begin, begin + static_cast<std::ptrdiff_t>(matrix.columns)};
  }
  static double tolerance() {
    return 100.0 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  }

  /// All modes of a tensor, each row beside its own system; rows without entries stay.
  void expect_solved(const PlainTensor& tensor, std::size_t rank, double ridge,
                     const RowEquationsTuning& tuning) {
    const auto plain = random_factors(tensor.dimensions, rank);
    const auto factors = to_matrices(plain);
    Systems systems(this->exec, this->make(tensor), rank, tuning);
    for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
      auto expected = systems_of(tensor, plain, mode);
      const auto output = genten_test::to_matrix<Scalar, Exec>(plain[mode]);
      const RowSolveCounts counts =
          systems.solve(this->exec, factors, static_cast<int>(mode), ridge, output);
      const PlainMatrix found = genten_test::plain(output);
      genten::offset_t rows = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].entries == 0) {
          EXPECT_EQ(row_of(found, i), row_of(plain[mode], i)) << "row " << i;
          continue;
        }
        ++rows;
        for (std::size_t r = 0; r < rank; ++r) expected[i].matrix(r, r) += ridge;
        EXPECT_LT(backward_error(expected[i], row_of(found, i)), tolerance())
            << "rank " << rank << ", mode " << mode << ", row " << i;
      }
      EXPECT_EQ(counts.rows, rows);
      EXPECT_EQ(systems.rows(static_cast<int>(mode)), rows);
    }
  }
};
TYPED_TEST_SUITE(RowEquationsTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(RowEquationsTest, EveryRowSolvesItsSystem) {
  const auto tensor = genten_test::random_tensor(
      {.dimensions = {12, 7, 9}, .nnz = 260, .empty_slices = true, .heavy_slice = true});
  for (const std::size_t rank : {1U, 2U, 3U, 5U, 8U, 9U, 10U, 16U, 21U, 33U, 40U}) {
    this->expect_solved(tensor, rank, 0.25, {});
    this->expect_solved(tensor, rank, 0.25, small_pieces);
  }
}

TYPED_TEST(RowEquationsTest, WideSystemsAndAnyOrder) {
  this->expect_solved(genten_test::random_tensor({.dimensions = {3, 20, 20}, .nnz = 900}), 128, 0.5,
                      small_pieces);
  this->expect_solved(genten_test::random_tensor({.dimensions = {15}, .nnz = 40}), 3, 0.5, {});
  this->expect_solved(genten_test::random_tensor({.dimensions = {15, 4}, .nnz = 50}), 3, 0.5, {});
  this->expect_solved(genten_test::random_tensor({.dimensions = {4, 5, 6, 3}, .nnz = 150}), 4, 0.5,
                      {});
  this->expect_solved(genten_test::random_tensor({.dimensions = {3, 4, 2, 3, 4, 2}, .nnz = 100}), 4,
                      0.5, {});
}

// What devices do, on whatever there is.
TYPED_TEST(RowEquationsTest, TeamsSolveTheSameSystems) {
  RowEquationsTuning teams = small_pieces;
  teams.teams_on_hosts = true;
  const auto tensor = genten_test::random_tensor(
      {.dimensions = {12, 7, 9}, .nnz = 260, .empty_slices = true, .heavy_slice = true});
  for (const std::size_t rank : {1U, 4U, 7U, 16U, 33U, 65U}) {
    this->expect_solved(tensor, rank, 0.25, teams);
  }
}

// Rows of fewer entries than there are columns, without ridge: the solution of least norm.
TYPED_TEST(RowEquationsTest, DeficientSystemsGetTheLeastNorm) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const PlainTensor tensor{{3, 2, 2}, {{0, 0, 0}, {0, 1, 1}, {2, 0, 1}}, {2.0, -1.0, 3.0}};
  const auto plain = this->random_factors(tensor.dimensions, 4);
  const auto factors = this->to_matrices(plain);
  typename TestFixture::Systems systems(this->exec, this->make(tensor), 4);
  const genten::FacMatrix<Real, Space> output(3, 4);
  const RowSolveCounts counts = systems.solve(this->exec, factors, 0, 0.0, output);
  EXPECT_EQ(counts.rows, 2);
  EXPECT_EQ(counts.least_norm, 2);
  const PlainMatrix found = genten_test::plain(output);
  // One entry: x k / ||k||^2.
  const auto k = product_at(tensor, plain, 2, 0);
  double square = 0.0;
  for (const double element : k) square += element * element;
  const double tolerance = this->tolerance();
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_NEAR(found(2, r), 3.0 * k[r] / square, tolerance);
    EXPECT_EQ(found(1, r), 0.0);
  }
  // Two entries are met exactly.
  for (const std::size_t p : {0U, 1U}) {
    const auto product = product_at(tensor, plain, p, 0);
    double model = 0.0;
    for (std::size_t r = 0; r < 4; ++r) model += product[r] * found(0, r);
    EXPECT_NEAR(model, tensor.values[p], 10.0 * tolerance);
  }
}

// All entries in the base but those that are listed: as if those alone had been left out.
TYPED_TEST(RowEquationsTest, ListedEntriesAreTakenFromTheBase) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  constexpr std::size_t rank = 6;
  PlainTensor all{{4, 5, 6}, {}, {}}, missing = all, rest = all;
  for (std::size_t entry = 0; entry < 120; ++entry) {
    const std::vector<std::size_t> at{entry % 4, entry / 4 % 5, entry / 20};
    auto& part = entry % 7 == 3 && at[0] != 2 ? missing : rest;
    for (PlainTensor* const tensor : {&all, &part}) {
      tensor->subscripts.push_back(at);
      tensor->values.push_back(1.0 + static_cast<double>(entry % 11));
    }
  }
  const auto plain = this->random_factors(all.dimensions, rank);
  const auto factors = this->to_matrices(plain);
  const auto with_all = systems_of(all, plain, 0), expected = systems_of(rest, plain, 0);
  const typename TestFixture::Systems::Square base("base", rank, rank);
  const auto host_base = Kokkos::create_mirror_view(base);
  PlainMatrix products(4, rank);
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t s = 0; s < rank; ++s) host_base(r, s) = with_all[0].matrix(r, s);
    for (std::size_t i = 0; i < 4; ++i) products(i, r) = expected[i].right[r];
  }
  Kokkos::deep_copy(base, host_base);
  for (const bool teams : {false, true}) {
    RowEquationsTuning tuning = small_pieces;
    tuning.teams_on_hosts = teams;
    typename TestFixture::Systems systems(this->exec, this->make(missing), rank, tuning);
    const auto rows = genten_test::to_matrix<Real, Space>(products);
    const auto counts = systems.solve_without(this->exec, factors, 0, 0.125, base, rows, rows);
    EXPECT_EQ(counts.rows, 3);
    EXPECT_EQ(counts.least_norm, 0);
    const PlainMatrix found = genten_test::plain(rows);
    for (const std::size_t i : {0U, 1U, 3U}) {
      auto system = expected[i];
      for (std::size_t r = 0; r < rank; ++r) system.matrix(r, r) += 0.125;
      EXPECT_LT(backward_error(system, this->row_of(found, i)), this->tolerance());
    }
  }
}

// What the other entries leave in the base is rounding, which is not to be taken for knowledge:
// rows of which an entry or two are known get the solution of least norm for these.
TYPED_TEST(RowEquationsTest, RoundingThatEntriesLeaveInTheBaseIsNothing) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  for (const std::size_t rank : {3U, 5U, 44U}) {
    PlainTensor all{{4, 17, 19}, {}, {}}, missing = all, known = all;
    for (std::size_t entry = 0; entry < 4 * 17 * 19; ++entry) {
      const std::vector<std::size_t> at{entry % 4, entry / 4 % 17, entry / 68};
      const bool is_known =
          at[0] == 3 || (at[1] == 5 && at[2] == 7) || (at[0] == 1 && at[1] == 8 && at[2] == 2);
      for (PlainTensor* const tensor : {&all, is_known ? &known : &missing}) {
        tensor->subscripts.push_back(at);
        tensor->values.push_back(1.0 + static_cast<double>(entry % 11));
      }
    }
    auto plain = this->random_factors(all.dimensions, rank);
    for (PlainMatrix& factor : plain) {  // whose products are rounded
      for (double& x : factor.elements) x = static_cast<Real>(std::sin(1.0 + 100.0 * x));
    }
    const auto factors = this->to_matrices(plain);
    const auto with_all = systems_of(all, plain, 0), expected = systems_of(known, plain, 0);
    const typename TestFixture::Systems::Square base("base", rank, rank);
    const auto host_base = Kokkos::create_mirror_view(base);
    PlainMatrix products(4, rank);
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t s = 0; s < rank; ++s) host_base(r, s) = with_all[0].matrix(r, s);
      for (std::size_t i = 0; i < 4; ++i) products(i, r) = expected[i].right[r];
    }
    Kokkos::deep_copy(base, host_base);
    const genten::FacMatrix<Real, Space> least(4, rank);
    typename TestFixture::Systems of_known(this->exec, this->make(known), rank);
    static_cast<void>(of_known.solve(this->exec, factors, 0, 0.0, least));
    const PlainMatrix norm_least = genten_test::plain(least);
    for (const bool teams : {false, true}) {
      RowEquationsTuning tuning;
      tuning.teams_on_hosts = teams;
      typename TestFixture::Systems systems(this->exec, this->make(missing), rank, tuning);
      const auto rows = genten_test::to_matrix<Real, Space>(products);
      const auto counts = systems.solve_without(this->exec, factors, 0, 0.0, base, rows, rows);
      EXPECT_EQ(counts.rows, 3);
      EXPECT_EQ(counts.least_norm, 3) << "rank " << rank;
      const PlainMatrix found = genten_test::plain(rows);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t r = 0; r < rank; ++r) {
          EXPECT_NEAR(found(i, r), norm_least(i, r), sizeof(Real) == 8 ? 1e-9 : 2e-2)
              << "rank " << rank << ", row " << i;
        }
      }
    }
  }
}

TYPED_TEST(RowEquationsTest, ResidualsAreThoseOfEveryEntry) {
  const auto tensor = genten_test::random_tensor({.dimensions = {6, 7, 8}, .nnz = 200});
  for (const std::size_t rank : {1U, 3U, 10U, 16U}) {
    const auto plain = this->random_factors(tensor.dimensions, rank);
    double expected = 0.0;
    for (std::size_t p = 0; p < tensor.nnz(); ++p) {
      const auto k = product_at(tensor, plain, p, 0);
      double model = 0.0;
      for (std::size_t r = 0; r < rank; ++r) {
        model += k[r] * plain[0](tensor.subscripts[p][0], r);
      }
      expected += (tensor.values[p] - model) * (tensor.values[p] - model);
    }
    for (const RowEquationsTuning& tuning : {RowEquationsTuning(), small_pieces}) {
      typename TestFixture::Systems systems(this->exec, this->make(tensor), rank, tuning);
      for (int mode = 0; mode < 3; ++mode) {
        EXPECT_NEAR(systems.squared_residual(this->exec, this->to_matrices(plain), mode), expected,
                    this->tolerance() * expected);
      }
    }
  }
}

TYPED_TEST(RowEquationsTest, NumbersThatAreNotFiniteAreNotHidden) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const PlainTensor tensor{{2, 2}, {{0, 0}, {1, 1}}, {2.0, 1.0}};
  auto plain = this->random_factors(tensor.dimensions, 2);
  plain[1](0, 1) = std::numeric_limits<double>::infinity();
  typename TestFixture::Systems systems(this->exec, this->make(tensor), 2);
  const genten::FacMatrix<Real, Space> output(2, 2);
  systems.solve(this->exec, this->to_matrices(plain), 0, 0.5, output);
  const PlainMatrix found = genten_test::plain(output);
  EXPECT_TRUE(std::isnan(found(0, 0)));
  EXPECT_TRUE(std::isfinite(found(1, 0)));
}

TYPED_TEST(RowEquationsTest, OtherShapesAreRefused) {
  using Factor = typename TestFixture::Matrix;
  const PlainTensor tensor{{2, 2}, {{0, 0}, {1, 1}}, {2.0, 1.0}};
  typename TestFixture::Systems systems(this->exec, this->make(tensor), 3);
  const std::vector<Factor> factors{Factor(2, 3), Factor(2, 3)};
  EXPECT_THAT(error_of([&] { systems.solve(this->exec, factors, 0, 0.0, Factor(3, 3)); }),
              HasSubstr("expected a padded 2 x 3 matrix in mode 1, got 3 x 3"));
  using View = typename Factor::view_type;
  const Factor unpadded(View("unpadded", 2, 3));
  EXPECT_THAT(error_of([&] { systems.solve(this->exec, factors, 0, 0.0, unpadded); }),
              HasSubstr("with rows of 3"));
}

TEST(RowEquationsDeterminism, SameBitsForOneTwoAndThreeThreads) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const Exec exec{};
    const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(
        genten_test::random_tensor({.dimensions = {40, 50, 60}, .nnz = 5000, .heavy_slice = true}));
    std::vector<genten::FacMatrix<double, Exec>> factors;
    for (const auto& factor : genten_test::random_model({40, 50, 60}, 12, 3).factors) {
      factors.push_back(genten_test::to_matrix<double, Exec>(factor));
    }
    genten::RowEquations<double, Exec> systems(exec, tensor, 12, small_pieces);
    genten_test::BitHash hash;
    for (int mode = 0; mode < 3; ++mode) {
      const auto& factor = factors[static_cast<std::size_t>(mode)];
      systems.solve(exec, factors, mode, 0.1, factor);
      for (const double element : genten_test::plain(factor).elements) hash.add(element);
      hash.add(systems.squared_residual(exec, factors, mode));
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
