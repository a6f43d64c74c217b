// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Rows of new slices for fixed other factors.
#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/project_rows.hpp>
#include <genten/io/tns.hpp>

#include "../gcp/formula_data.hpp"
#include "places.hpp"
#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>
#include <thread>

namespace {

using genten::AnyLoss;
using genten::HostExec;
using genten::ProjectOptions;
using genten::RowConstraint;
using genten_test::formula_model;
using genten_test::formula_tensor;
using genten_test::PlainMatrix;
using genten_test::PlainModel;
using genten_test::PlainTensor;
namespace losses = genten::losses;
using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;
using Model = genten::Ktensor<double, HostExec>;

Tensor sparse(const PlainTensor& tensor) {
  return genten_test::to_sptensor<double, std::uint32_t, HostExec>(tensor);
}

Model model_of(const PlainModel& model) {
  return genten_test::to_ktensor<double, HostExec>(model);
}

Tensor admissions() {
  return genten::read_sptensor<double, std::uint32_t, HostExec>(
             HostExec(), genten_test::data_file("ucb-admissions/ucb-admissions.tns"))
      .tensor;
}

genten::Projection<double, HostExec> project(const Model& model, const Tensor& tensor, int mode,
                                             const AnyLoss& loss,
                                             const ProjectOptions& options = {}) {
  auto found = genten::project_rows(HostExec(), model, tensor, mode, loss, options);
  for (const auto& row : found.rows) {
    EXPECT_TRUE(row.converged) << loss.facts().text() << ", " << row.kkt;
    EXPECT_LE(row.kkt, 1e-10);
  }
  return found;
}

double total(const genten::Projection<double, HostExec>& found) {
  double sum = 0.0;
  for (const auto& row : found.rows) sum += row.loss;
  return sum;
}

void expect_rows(const Model& model, int mode, const std::vector<double>& expected,
                 double relative = 1e-8) {
  const auto rows = genten_test::plain(model.factor(mode)).elements;
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(rows[i], expected[i], relative * std::max(std::abs(expected[i]), 1.0)) << i;
  }
}

/// Where the default space is a device, arrays are copied to the host and the rows back.
TEST(ProjectRows, ArraysOfADeviceGiveTheBitsOfTheHost) {
  using Exec = Kokkos::DefaultExecutionSpace;
  const PlainTensor tensor = formula_tensor("cnt");
  PlainTensor away{tensor.dimensions, {{0, 1, 2}, {3, 2, 1}}, {1.0, 1.0}};
  const PlainModel model = formula_model(tensor.dimensions, 2, '+');
  const auto on = [](const PlainTensor& each) {
    return genten_test::to_sptensor<double, std::uint32_t, Exec>(each);
  };
  const auto elements = [](const auto& found) {
    return genten_test::plain(genten::create_mirror_view_and_copy(found.model).factor(0)).elements;
  };
  const auto there = genten_test::to_ktensor<double, Exec>(model);
  for (const AnyLoss& loss : {AnyLoss(losses::Gaussian()), AnyLoss(losses::Poisson())}) {
    const auto all = genten::project_rows(Exec(), there, on(tensor), 0, loss);
    EXPECT_EQ(elements(all), elements(project(model_of(model), sparse(tensor), 0, loss)));
    const auto some = genten::project_rows(Exec(), there, on(tensor), on(away), 0, loss);
    EXPECT_EQ(elements(some),
              elements(genten::project_rows(HostExec(), model_of(model), sparse(tensor),
                                            sparse(away), 0, loss)));
  }
}

TEST(ProjectRows, KnownRowsOfAdmissions) {
  const Tensor tensor = admissions();
  const Model model = model_of(formula_model({2, 2, 6}, 2, '+'));
  ProjectOptions half{.loss_factor = 0.5};
  const auto free = project(model, tensor, 2, losses::Gaussian(), half);
  EXPECT_NEAR(2.0 * total(free), 433050.60453, 1e-4);
  expect_rows(free.model, 2,
              {814.67973, -257.016901, 646.205242, -274.023193, 339.079483, 431.652976, 712.018261,
               -4.87736808, 356.821123, 206.998295, 1280.71713, -388.614892});
  ProjectOptions nonnegative = half;
  nonnegative.constraint.lower = 0.0;
  const auto positive = project(model, tensor, 2, losses::Gaussian(), nonnegative);
  EXPECT_NEAR(2.0 * total(positive), 459815.32902, 1e-4);
  expect_rows(positive.model, 2,
              {506.422893, 0, 317.551669, 0, 339.079483, 431.652976, 706.168521, 0, 356.821123,
               206.998295, 814.626391, 0});
  const auto counts = project(model, tensor, 2, losses::Poisson());
  EXPECT_NEAR(total(counts), -18843.772075, 1e-5);
  expect_rows(counts.model, 2,
              {917.087274, 48.255539, 615.789474, 0, 344.75076, 461.317795, 678.654, 115.061485,
               366.160157, 184.490509, 751.578947, 0});
  ProjectOptions ridge = half;
  ridge.constraint.ridge = 1.0;
  const auto damped = project(model, tensor, 2, losses::Gaussian(), ridge);
  EXPECT_NEAR(2.0 * total(damped), 763018.11097, 1e-4);
  expect_rows(damped.model, 2,
              {96.8254299, 84.8169999, 62.7804121, 45.9839563, 147.950537, 198.777887, 128.543892,
               140.82464, 106.278012, 134.139853, 155.297958, 138.019178});
}

/// One row, R = 1, the other factors ones: the row is the best constant.
TEST(ProjectRows, TheBestConstantOfEveryLoss) {
  const std::vector<double> counts{3, 1, 0, 7, 2, 0, 0, 4, 1, 5, 0, 2};
  const std::vector<double> ones{1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0};
  std::vector<double> positive = counts;
  for (double& each : positive) each += 0.5;
  const auto mean = [](const std::vector<double>& of) {
    return std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
  };
  double squares = 0.0;
  for (const double each : positive) squares += each * each / 12.0;
  const double p = mean(ones), m = mean(counts), of_positive = mean(positive);
  struct Known {
    AnyLoss loss;
    std::vector<double> values;
    double constant;
  };
  const std::vector<Known> all{
      {losses::Gaussian(), counts, m},
      {losses::Poisson(), counts, m},
      {losses::PoissonLog(), counts, std::log(m)},
      {losses::BernoulliOdds(), ones, p / (1 - p)},
      {losses::BernoulliLogit(), ones, std::log(p / (1 - p))},
      {losses::BernoulliPoisson(), ones, -std::log(1 - p)},
      {losses::NegativeBinomial{1.0}, counts, m},
      {losses::NegativeBinomial{3.0}, counts, m / 3.0},
      {losses::Gamma(), positive, of_positive},
      {losses::Rayleigh(), positive, std::sqrt(std::numbers::pi / 4.0 * squares)},
      {losses::Beta{0.5}, positive, of_positive},
      {losses::Beta{1.5}, counts, m},
      {losses::Beta{2.0}, counts, m},
      {losses::Huber{100.0}, counts, m},
      {losses::Weighted{0.1}, counts, 25.0 / (8.0 + 0.4)}};
  for (const Known& known : all) {
    SCOPED_TRACE(known.loss.facts().text());
    PlainTensor tensor{{3, 4, 1}, {}, {}};
    for (std::size_t i = 0; i < 12; ++i) {
      if (known.values[i] == 0.0) continue;
      tensor.subscripts.push_back({i % 3, i / 3, 0});
      tensor.values.push_back(known.values[i]);
    }
    PlainModel model{{2.0}, {PlainMatrix(3, 1), PlainMatrix(4, 1), PlainMatrix(1, 1)}};
    for (auto& factor : model.factors) {
      std::fill(factor.elements.begin(), factor.elements.end(), 1.0);
    }
    ProjectOptions options;
    if (!known.loss.facts().takes_zeros) options.unlisted = genten::UnlistedEntries::missing;
    const auto found = project(model_of(model), sparse(tensor), 2, known.loss, options);
    EXPECT_NEAR(2.0 * found.model.factor(2)(0, 0), known.constant, 1e-8);
    EXPECT_EQ(found.rows[0].entries, 12.0);
    double loss = 0.0;
    for (const double x : known.values) loss += known.loss.value(x, known.constant);
    EXPECT_NEAR(found.rows[0].loss, loss, 1e-9 * (1.0 + std::abs(loss)));
    // It explains nothing, being the constant itself, unless 0 is what losses begin from.
    const bool from_zero = known.loss.facts().data == genten::LossData::real;
    EXPECT_NEAR(found.rows[0].explained, from_zero ? found.rows[0].explained : 0.0, 1e-7);
  }
}

/// No other row near it has a lower sum by a loop over all entries.
TEST(ProjectRows, NoNeighbourIsBetter) {
  struct Case {
    AnyLoss loss;
    const char* data;
    char kind;
    bool missing;
    RowConstraint constraint = {};
  };
  const std::vector<Case> cases{
      {losses::Gaussian(), "real", '0', false, {.ridge = 2.0, .lower = -0.2, .upper = 0.7}},
      {losses::Gaussian(), "real", '0', false, {.l1 = 1.5}},
      {losses::Gaussian(), "real", '0', true, {}},
      {losses::Weighted{0.1}, "cnt", '0', false},
      {losses::Huber{0.5}, "real", '0', false},
      {losses::Poisson(), "cnt", '+', false},
      {losses::Poisson(), "cnt", '+', true, {.l1 = 3.0}},
      {losses::PoissonLog(), "cnt", '0', false, {.ridge = 0.1}},
      {losses::NegativeBinomial{1.0}, "cnt", '+', false},
      {losses::BernoulliOdds(), "bin2", '+', false},
      {losses::BernoulliLogit(), "bin2", '0', false, {.ridge = 0.1}},
      {losses::BernoulliPoisson(), "bin2", '+', false},
      {losses::Gamma(), "pos", '+', true},
      {losses::Rayleigh(), "pos", '+', true},
      {losses::Beta{0.5}, "pos", '+', false},
      {losses::Beta{1.5}, "cnt", '+', false}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.loss.facts().text() + " of " + each.data);
    const PlainTensor tensor = formula_tensor(each.data);
    PlainModel model = formula_model(tensor.dimensions, 3, each.kind);
    ProjectOptions options{.constraint = each.constraint};
    if (each.missing) options.unlisted = genten::UnlistedEntries::missing;
    const auto found = project(model_of(model), sparse(tensor), 1, each.loss, options);
    model.factors[1] = genten_test::plain(found.model.factor(1));
    const auto objective = [&] {
      double sum = genten_test::loss_by_entries(each.loss, tensor, model, each.missing);
      for (const double a : model.factors[1].elements) {
        sum += 0.5 * each.constraint.ridge * a * a + each.constraint.l1 * std::abs(a);
      }
      return sum;
    };
    const double best = objective();
    double least = each.constraint.lower, penalties = 0.0;
    if (each.loss.facts().lower == 0.0) least = std::max(least, 0.0);
    for (double& a : model.factors[1].elements) {
      const double kept = a;
      EXPECT_GE(a, least);
      EXPECT_LE(a, each.constraint.upper);
      penalties += 0.5 * each.constraint.ridge * a * a + each.constraint.l1 * std::abs(a);
      for (const double by : {-1e-3, 1e-3}) {
        a = std::clamp(kept + by, least, each.constraint.upper);
        EXPECT_GE(objective(), best - 1e-11 * std::abs(best)) << kept;
      }
      a = kept;
    }
    EXPECT_NEAR(total(found) + penalties, best, 1e-9 * std::abs(best));
  }
}

/// The tensor that a model was made from gives the model's own factors.
TEST(ProjectRows, OwnFactors) {
  const HostExec exec;
  const auto expect_own = [&](const Model& model, const Tensor& tensor, const AnyLoss& loss,
                              ProjectOptions options, const std::vector<RowConstraint>& all) {
    for (int n = 0; n < model.order(); ++n) {
      const auto at = static_cast<std::size_t>(n);
      options.constraint = all.empty() ? RowConstraint() : all[at];
      if (!all.empty()) options.scales = genten::column_scales(exec, model, n, all);
      const auto found = project(model, tensor, n, loss, options);
      const auto own = genten_test::plain(model.factor(n)).elements;
      const auto rows = genten_test::plain(found.model.factor(n)).elements;
      for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(rows[i], own[i], 1e-8) << n;
    }
  };
  const Tensor counts = sparse(formula_tensor("cnt"));
  const ProjectOptions half{.loss_factor = 0.5};
  const auto als = genten::cp_als(exec, counts,
                                  {.rank = 2, .max_iterations = 1500, .tolerance = 0.0, .seed = 3});
  expect_own(als.model, counts, losses::Gaussian(), half, {});
  const std::vector<double> ridge{1.0, 2.0, 4.0};
  const auto damped = genten::cp_als(
      exec, counts,
      {.rank = 2, .max_iterations = 1500, .tolerance = 0.0, .seed = 3, .ridge = ridge});
  std::vector<RowConstraint> constraints(3);
  for (std::size_t n = 0; n < 3; ++n) constraints[n].ridge = ridge[n];
  expect_own(damped.model, counts, losses::Gaussian(), half, constraints);
  const auto apr = genten::cp_apr(exec, counts, {.rank = 1, .tolerance = 1e-13});
  expect_own(apr.model, counts, losses::Poisson(), {}, {});
}

/// Rows in another order, alone, among others, with their entries in another order.
TEST(ProjectRows, AloneOrTogether) {
  PlainTensor tensor = formula_tensor("cnt");
  const Model model = model_of(formula_model(tensor.dimensions, 3, '+'));
  for (const AnyLoss& loss : {AnyLoss(losses::Gaussian()), AnyLoss(losses::Poisson()),
                              AnyLoss(losses::NegativeBinomial{1.0})}) {
    ProjectOptions options;
    options.constraint.lower = 0.0;
    const auto together = project(model, sparse(tensor), 0, loss, options);
    for (std::size_t row = 0; row < tensor.dimensions[0]; ++row) {
      PlainTensor alone{tensor.dimensions, {}, {}};
      alone.dimensions[0] = 1;
      for (std::size_t p = tensor.nnz(); p-- > 0;) {
        if (tensor.subscripts[p][0] != row) continue;
        alone.subscripts.push_back({0, tensor.subscripts[p][1], tensor.subscripts[p][2]});
        alone.values.push_back(tensor.values[p]);
      }
      const auto one = project(model, sparse(alone), 0, loss, options);
      EXPECT_EQ(one.rows[0].loss, together.rows[row].loss);
      for (std::size_t r = 0; r < 3; ++r) {
        EXPECT_EQ(one.model.factor(0)(0, r), together.model.factor(0)(row, r));
      }
    }
  }
}

TEST(ProjectRows, SameBitsForAnyNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    genten_test::BitHash hash;
    const PlainTensor tensor = formula_tensor("cnt");
    const Model model = model_of(formula_model(tensor.dimensions, 3, '+'));
    for (const AnyLoss& loss : {AnyLoss(losses::Gaussian()), AnyLoss(losses::BernoulliPoisson()),
                                AnyLoss(losses::Beta{1.5})}) {
      if (loss.facts().data == genten::LossData::binary) continue;
      const auto found = project(model, sparse(tensor), 2, loss);
      for (const double each : genten_test::plain(found.model.factor(2)).elements) hash.add(each);
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  for (const auto& each : results) EXPECT_EQ(each, results[0]);
}

/// A caller's functions are asked for many entries at once, by the thread that calls.
TEST(ProjectRows, LossesOfBlocksFindTheRowsOfTheirLoss) {
  const PlainTensor tensor = formula_tensor("cnt");
  const Model model = model_of(formula_model(tensor.dimensions, 3, '+'));
  const auto caller = std::this_thread::get_id();
  for (const AnyLoss& loss :
       {AnyLoss(losses::Gaussian()), AnyLoss(losses::Poisson()), AnyLoss(losses::PoissonLog())}) {
    SCOPED_TRACE(loss.facts().text());
    genten::BlockLoss blocks;
    blocks.facts = {.name = "own", .data = loss.facts().data, .lower = loss.facts().lower};
    std::size_t others = 0;
    blocks.value = [&](const double* x, const double* m, double* to, std::size_t count) {
      others += std::this_thread::get_id() != caller ? 1 : 0;
      for (std::size_t p = 0; p < count; ++p) to[p] = loss.value(x[p], m[p]);
    };
    blocks.slope = [&](const double* x, const double* m, double* to, std::size_t count) {
      for (std::size_t p = 0; p < count; ++p) to[p] = loss.slope(x[p], m[p]);
    };
    const auto known = project(model, sparse(tensor), 1, loss);
    const auto found = project(model, sparse(tensor), 1, blocks);
    const auto rows = genten_test::plain(found.model.factor(1)).elements;
    const auto expected = genten_test::plain(known.model.factor(1)).elements;
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i], expected[i], 1e-6);
    EXPECT_NEAR(total(found), total(known), 1e-9 * std::abs(total(known)));
    EXPECT_EQ(others, 0U);
    EXPECT_TRUE(std::isnan(found.rows[0].explained));
  }
}

/// Entries of a list do not count, listed or not: as if the slices were without them.
TEST(ProjectRows, MissingEntries) {
  const PlainTensor tensor = formula_tensor("cnt");
  PlainTensor away{tensor.dimensions, {}, {}};
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 7; ++j) {
      if ((i * 5 + j * 3) % 4 != 0) continue;
      away.subscripts.push_back({i, j, (i + j) % 6});
      away.values.push_back(1.0);
    }
  }
  PlainModel model = formula_model(tensor.dimensions, 2, '+');
  for (const AnyLoss& loss : {AnyLoss(losses::Gaussian()), AnyLoss(losses::Poisson()),
                              AnyLoss(losses::NegativeBinomial{1.0})}) {
    SCOPED_TRACE(loss.facts().text());
    const auto found =
        genten::project_rows(HostExec(), model_of(model), sparse(tensor), sparse(away), 0, loss);
    model.factors[0] = genten_test::plain(found.model.factor(0));
    PlainModel gradient;
    const double sum = genten_test::loss_by_entries(loss, tensor, model, false, &gradient, away);
    EXPECT_NEAR(total(found), sum, 1e-9 * std::abs(sum));
    for (std::size_t i = 0; i < gradient.factors[0].elements.size(); ++i) {
      const double slope = gradient.factors[0].elements[i];
      if (model.factors[0].elements[i] > 0.0 || loss.facts().lower != 0.0) {
        EXPECT_NEAR(slope, 0.0, 1e-6);
      } else {
        EXPECT_GE(slope, -1e-6);
      }
    }
    double entries = 0.0;
    for (const auto& row : found.rows) entries += row.entries;
    EXPECT_EQ(entries, 336.0 - static_cast<double>(away.nnz()));
  }
}

TEST(ProjectRows, EmptyRowsAndDuplicates) {
  const Model model = model_of(formula_model({3, 4, 5}, 2, '+'));
  const PlainTensor twice{{2, 4, 5}, {{0, 1, 2}, {0, 1, 2}, {0, 3, 3}}, {1.0, 2.0, 4.0}};
  const PlainTensor once{{2, 4, 5}, {{0, 1, 2}, {0, 3, 3}}, {3.0, 4.0}};
  const auto a = project(model, sparse(twice), 0, losses::Gaussian());
  const auto b = project(model, sparse(once), 0, losses::Gaussian());
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_EQ(a.model.factor(0)(0, r), b.model.factor(0)(0, r));
    EXPECT_EQ(a.model.factor(0)(1, r), 0.0);
  }
  EXPECT_TRUE(std::isnan(a.rows[1].explained));
  ProjectOptions missing{.unlisted = genten::UnlistedEntries::missing};
  missing.constraint.lower = 0.5;
  const auto found = project(model, sparse(once), 0, losses::Gaussian(), missing);
  EXPECT_EQ(found.rows[1].entries, 0.0);
  EXPECT_EQ(found.model.factor(0)(1, 1), 0.5);
}

/// Least squares without constraints: normal equations do not square the condition, sizes of
/// columns do not matter, and dependent columns give the rows of the least norm.
TEST(ProjectRows, NearlyDependentColumns) {
  const auto rows_of = [](double distance, double weight) {
    PlainModel model = formula_model({3, 6, 5}, 2, '+');
    for (auto& factor : model.factors) {
      for (std::size_t i = 0; i < factor.rows; ++i) {
        double* const row = &factor.elements[2 * i];
        row[1] = row[0] + distance * row[1];
      }
    }
    model.weights = {2.0, weight};
    PlainTensor tensor{{3, 6, 5}, {}, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t k = 0; k < 5; ++k) {
          const double* const b = &model.factors[1].elements[2 * j];
          const double* const c = &model.factors[2].elements[2 * k];
          // Rows (i, 1), with the size of the second column in the first one's measure.
          const double x = static_cast<double>(i) * 2.0 * b[0] * c[0] + b[1] * c[1];
          tensor.subscripts.push_back({i, j, k});
          tensor.values.push_back(x);
        }
      }
    }
    return project(model_of(model), sparse(tensor), 0, losses::Gaussian());
  };
  for (const double weight : {1.0, 0x1p-800}) {
    const auto found = rows_of(1e-6, weight);
    EXPECT_EQ(found.dependent, 0U);
    EXPECT_GT(found.condition, 1e5);
    for (std::size_t i = 0; i < 3; ++i) {
      // A double of the data has an error of 1e-16, which the condition multiplies.
      EXPECT_NEAR(found.model.factor(0)(i, 0), static_cast<double>(i), 1e-8);
      EXPECT_NEAR(found.model.factor(0)(i, 1) * weight, 1.0, 1e-8);
    }
  }
  const auto found = rows_of(0.0, 1.0);
  EXPECT_EQ(found.dependent, 1U);
  for (std::size_t i = 0; i < 3; ++i) {
    const double half = (2.0 * static_cast<double>(i) + 1.0) / 2.0;
    EXPECT_NEAR(found.model.factor(0)(i, 0), half / 2.0, 1e-12);
    EXPECT_NEAR(found.model.factor(0)(i, 1), half, 1e-12);
  }
}

TEST(ProjectRows, Refusals) {
  const Model model = model_of(formula_model({3, 4, 5}, 2, '+'));
  const Model real = model_of(formula_model({3, 4, 5}, 2, '0'));
  const Tensor tensor = sparse({{2, 4, 5}, {{0, 1, 2}}, {2.0}});
  const auto refused = [&](const Model& of, const Tensor& with, int mode, const AnyLoss& loss,
                           const ProjectOptions& options = {}) {
    try {
      static_cast<void>(genten::project_rows(HostExec(), of, with, mode, loss, options));
    } catch (const genten::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(model, tensor, 1, losses::Gaussian()), "");
  EXPECT_NE(refused(model, tensor, 3, losses::Gaussian()), "");
  EXPECT_NE(refused(real, tensor, 0, losses::Poisson()).find("nonnegative"), std::string::npos);
  EXPECT_NE(refused(model, tensor, 0, losses::Gamma()).find("missing"), std::string::npos);
  EXPECT_NE(refused(model, tensor, 0, losses::BernoulliLogit()).find("0 and 1"), std::string::npos);
  EXPECT_NE(
      refused(model, tensor, 0, losses::Huber{}, {.most_operations = 10.0}).find("most_operations"),
      std::string::npos);
  EXPECT_NE(
      refused(model, tensor, 0, losses::Gaussian(), {.constraint = {.lower = 2.0, .upper = 1.0}}),
      "");
}

TEST(ProjectRows, FarWorse) {
  const auto fence = [](const std::vector<double>& explained, double varying = 1.0) {
    std::vector<genten::ProjectedRow> rows;
    for (const double each : explained) {
      rows.push_back({.explained = 1.0 - (1.0 - each) * varying, .varying = varying});
    }
    return 1.0 - (1.0 - genten::far_worse_than(rows)) / varying;
  };
  EXPECT_TRUE(std::isnan(fence({0.9, 0.8, 0.7})));
  EXPECT_NEAR(fence({0.9, 0.9, 0.9, 0.9, std::nan("")}), 0.85, 1e-12);
  // By what varies, however large the mean is.
  EXPECT_NEAR(fence({0.9, 0.9, 0.9, 0.9}, 1e-3), 0.85, 1e-12);
  EXPECT_TRUE(std::isnan(fence({0.01, 0.02, 0.5, 0.8, 0.9}, 1e-3)));
  EXPECT_NEAR(fence({0.7, 0.75, 0.8, 0.85, 0.9}), 0.45, 1e-12);
  // The outer fence would be at 0 and below, where nothing of a row is explained.
  EXPECT_NEAR(fence({0.5, 0.6, 0.7, 0.8, 0.9}), 0.06, 1e-12);
  EXPECT_NEAR(fence({0.1, 0.2, 0.5, 0.8, 0.9}), 0.02, 1e-12);
  EXPECT_TRUE(std::isnan(fence({0.01, 0.02, 0.5, 0.8, 0.9})));
  EXPECT_TRUE(std::isnan(fence({-3.0, -2.0, -1.0, 0.5, 0.9})));
}

}  // namespace
