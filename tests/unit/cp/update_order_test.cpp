// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The order in which CP-ALS updates the modes: given, or chosen so that modes can be fused.

#include <genten/core/mode_order.hpp>
#include <genten/core/random.hpp>

#include "resumed_runs.hpp"
#include "triples.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using namespace genten_test::cp;
using genten::UpdateOrder;
using genten_test::error_of;
using genten_test::PlainMatrix;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double small = 1 << 16, large = 1 << 20;

/// Few tuples of the modes of each set occur.
Tensor<double> tensor_of_sets(const std::vector<std::size_t>& dimensions,
                              const std::vector<std::vector<std::size_t>>& sets) {
  constexpr std::size_t nonzeros = 60'000, tuples = 400;
  std::vector<std::uint32_t> subscripts(nonzeros * dimensions.size());
  std::vector<double> values;
  for (std::size_t p = 0; p < nonzeros; ++p) {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const std::size_t tuple = genten::random_bits(s + 1, p) % tuples;
      for (const std::size_t n : sets[s]) {
        subscripts[p * dimensions.size() + n] =
            static_cast<std::uint32_t>(genten::random_bits(9, n, tuple) % dimensions[n]);
      }
    }
    values.push_back(1.0 + static_cast<double>(genten::random_bits(10, p) % 1000) / 1000.0);
  }
  return Tensor<double>::from_host(dimensions, subscripts, values);
}

class UpdateOrderTest : public testing::Test {
 protected:
  /// With an L2 cache of so many bytes, on which the choice depends.
  [[nodiscard]] static CpAlsOptions options(double l2_cache = small) {
    CpAlsOptions result{
        .rank = 8, .max_iterations = 6, .tolerance = 0.0, .update_order = UpdateOrder::automatic};
    result.mttkrp.machine = genten_test::machine_of_small_caches(l2_cache);
    return result;
  }
  [[nodiscard]] static CpAlsOptions in_order(const std::vector<int>& modes) {
    CpAlsOptions result = options();
    result.update_order = UpdateOrder::given;
    result.mode_order = modes;
    return result;
  }
  /// Two pairs of modes, of which none are neighbours.
  const Tensor<double> pairs = tensor_of_sets({900, 500, 1200, 400}, {{0, 2}, {1, 3}});
};

TEST_F(UpdateOrderTest, IsChosenSoThatPairsAreFused) {
  const auto natural = cp_als(Exec(), pairs, in_order({})),
             chosen = cp_als(Exec(), pairs, options());
  EXPECT_THAT(natural.update_order, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(natural.kernel_description, Not(HasSubstr("fused")));
  EXPECT_THAT(chosen.update_order, ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(chosen.kernel_description, HasSubstr("modes 1 3 fused"));
  EXPECT_THAT(chosen.kernel_description, HasSubstr("modes 2 4 fused"));
  // The run is that in this order, which another machine does without fused modes.
  const auto given = cp_als(Exec(), pairs, in_order({0, 2, 1, 3}));
  EXPECT_EQ(given.update_order, chosen.update_order);
  EXPECT_EQ(numbers(given.model), numbers(chosen.model));
  CpAlsOptions elsewhere = in_order({0, 2, 1, 3});
  elsewhere.mttkrp.machine = genten_test::machine_of_small_caches(large);
  const auto plain = cp_als(Exec(), pairs, elsewhere);
  EXPECT_THAT(plain.kernel_description, Not(HasSubstr("fused")));
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(chosen.history[k].fit, plain.history[k].fit, 1e-10) << k;
  }
}

TEST_F(UpdateOrderTest, IsChosenForFiveModesAndLeftForThree) {
  const auto five = tensor_of_sets({900, 500, 1200, 400, 700}, {{0, 3}, {1, 4}, {2}});
  EXPECT_THAT(cp_als(Exec(), five, options()).update_order, ElementsAre(0, 3, 1, 4, 2));
  const auto three = tensor_of_sets({900, 500, 1200}, {{0, 2}, {1}});
  EXPECT_THAT(cp_als(Exec(), three, options()).update_order, ElementsAre(0, 1, 2));
}

TEST_F(UpdateOrderTest, IsNaturalWhereNothingIsGained) {
  const auto neighbours = tensor_of_sets({900, 500, 1200, 400}, {{0, 3}, {1, 2}});
  const auto fused = cp_als(Exec(), neighbours, options());
  EXPECT_THAT(fused.update_order, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(fused.kernel_description, HasSubstr("modes 1 4 fused"));
  EXPECT_EQ(numbers(fused.model), numbers(cp_als(Exec(), neighbours, in_order({})).model));
  const auto independent = tensor_of_sets({900, 500, 1200, 400}, {{0}, {1}, {2}, {3}});
  for (auto [tensor, how] :
       {std::pair(&independent, options()), std::pair(&pairs, options(large))}) {
    EXPECT_THAT(cp_als(Exec(), *tensor, how).update_order, ElementsAre(0, 1, 2, 3));
  }
  // Runs in which modes are not fused, or by other kernels.
  std::vector<CpAlsOptions> others(3, options());
  others[0].acceleration = genten::Acceleration::nesterov;
  others[1].mttkrp.kernel = "permuted";
  others[2].mttkrp.kernel = "atomic";
  for (const auto& how : others) {
    EXPECT_THAT(cp_als(Exec(), pairs, how).update_order, ElementsAre(0, 1, 2, 3));
  }
  CpAlsOptions fixed = options();
  fixed.fixed_modes = {1};
  EXPECT_THAT(cp_als(Exec(), pairs, fixed).update_order, ElementsAre(0, 2, 3));
}

TEST_F(UpdateOrderTest, IsTheSameForConstraintsStartsAndGuesses) {
  std::vector<CpAlsOptions> hows(3, options());
  hows[0].nonnegative = genten::ModeSelection::every();
  hows[0].starts = 2;
  hows[1].starts = 3;
  hows[2].upper = {0.5, 0.4, 0.6, 2.0};
  for (CpAlsOptions how : hows) {
    const auto chosen = cp_als(Exec(), pairs, how);
    EXPECT_THAT(chosen.update_order, ElementsAre(0, 2, 1, 3));
    how.update_order = UpdateOrder::given;
    how.mode_order = {0, 2, 1, 3};
    const auto given = cp_als(Exec(), pairs, how);
    EXPECT_EQ(numbers(given.model), numbers(chosen.model));
    EXPECT_EQ(given.best_start, chosen.best_start);
  }
  const auto guess = cp_als(Exec(), pairs, CpAlsOptions{.rank = 8, .max_iterations = 2}).model;
  EXPECT_EQ(numbers(cp_als(Exec(), pairs, guess, options()).model),
            numbers(cp_als(Exec(), pairs, guess, in_order({0, 2, 1, 3})).model));
}

TEST_F(UpdateOrderTest, StaysWhereARunGoesOn) {
  CpAlsOptions how = options();
  const auto whole = cp_als(Exec(), pairs, how);
  how.max_iterations = 2;
  std::vector<Saved<double>> saved;
  (void)run_saving(pairs, how, saved);
  how.max_iterations = 6;
  const auto resumed = cp_als(Exec(), pairs, saved.back(), how);
  expect_same_end(resumed, whole);
  EXPECT_EQ(resumed.update_order, whole.update_order);
  // On another machine, too, which would choose natural order.
  CpAlsOptions elsewhere = how;
  elsewhere.mttkrp.machine = genten_test::machine_of_small_caches(large);
  EXPECT_EQ(cp_als(Exec(), pairs, saved.back(), elsewhere).update_order, whole.update_order);
  how.update_order = UpdateOrder::given;
  EXPECT_THAT(error_of([&] { (void)cp_als(Exec(), pairs, saved.back(), how); }),
              HasSubstr("other options: update-order"));
}

TEST_F(UpdateOrderTest, OfPreparedTensorsIsThatOfRunsOfTheirOwn) {
  genten::PreparedTensor<double, Exec> prepared(pairs);
  for (const auto& how :
       {options(), in_order({}), options(), in_order({0, 2, 1, 3}), options(large)}) {
    const auto found = cp_als(Exec(), prepared, how), expected = cp_als(Exec(), pairs, how);
    EXPECT_EQ(found.update_order, expected.update_order);
    EXPECT_EQ(numbers(found.model), numbers(expected.model));
  }
}

TEST_F(UpdateOrderTest, IsNotGivenTwice) {
  CpAlsOptions how = options();
  how.mode_order = {0, 2, 1, 3};
  EXPECT_THAT(error_of([&] { (void)cp_als(Exec(), pairs, how); }),
              HasSubstr("mode-order: has no effect beside"));
}

/// Solves x G = v for the rows x by elimination.
PlainMatrix solved(PlainMatrix gram, PlainMatrix rows) {
  const std::size_t rank = gram.rows;
  for (std::size_t k = 0; k < rank; ++k) {
    for (std::size_t j = 0; j < rank; ++j) {
      if (j == k) continue;
      const double factor = gram(k, j) / gram(k, k);
      for (std::size_t i = 0; i < rank; ++i) gram(i, j) -= factor * gram(i, k);
      for (std::size_t i = 0; i < rows.rows; ++i) rows(i, j) -= factor * rows(i, k);
    }
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t k = 0; k < rank; ++k) rows(i, k) /= gram(k, k);
  }
  return rows;
}

/// A sweep of alternating least squares, mode by mode as defined.
void sweep(const PlainTensor& tensor, const std::vector<int>& order, PlainModel& model) {
  const std::size_t rank = model.weights.size();
  for (const int mode : order) {
    const auto n = static_cast<std::size_t>(mode);
    PlainMatrix gram(rank, rank);
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t q = 0; q < rank; ++q) {
        gram(r, q) = 1.0;
        for (std::size_t m = 0; m < tensor.order(); ++m) {
          double dot = 0.0;
          const PlainMatrix& factor = model.factors[m];
          for (std::size_t i = 0; i < factor.rows; ++i) dot += factor(i, r) * factor(i, q);
          if (m != n) gram(r, q) *= dot;
        }
      }
    }
    model.factors[n] = solved(gram, genten_test::mttkrp_reference(tensor, model.factors, n).value);
  }
}

TEST(UpdateOrder, IsThatOfAPlainReference) {
  const std::vector<std::pair<std::vector<std::size_t>, std::vector<std::vector<int>>>> cases = {
      {{9, 8, 7}, {{}, {2, 0, 1}, {1, 0, 2}}},
      {{7, 6, 5, 8}, {{}, {0, 2, 1, 3}, {3, 1, 0, 2}}},
      {{5, 6, 4, 3, 7}, {{}, {0, 3, 1, 4, 2}, {4, 2, 0, 3, 1}}}};
  for (const auto& [dimensions, orders] : cases) {
    const PlainTensor plain = genten_test::random_tensor({.dimensions = dimensions, .nnz = 200});
    for (const auto& order : orders) {
      PlainModel model = genten_test::random_model(dimensions, 3, 5);
      std::fill(model.weights.begin(), model.weights.end(), 1.0);
      const auto run =
          cp_als(Exec(), make(plain), genten_test::to_ktensor<double, Exec>(model),
                 CpAlsOptions{.max_iterations = 4, .tolerance = 0.0, .mode_order = order});
      const auto updates = order.empty() ? genten::natural_mode_order(dimensions.size()) : order;
      EXPECT_EQ(run.update_order, updates);
      for (std::size_t k = 0; k < 4; ++k) {
        sweep(plain, updates, model);
        EXPECT_NEAR(run.history[k].fit, genten_test::fit_reference(plain, model), 1e-9) << k;
      }
    }
  }
}

}  // namespace
