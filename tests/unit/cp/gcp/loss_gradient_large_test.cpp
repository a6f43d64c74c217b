// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Objectives and gradients over 41 billion entries against a count by classes: of a model with few
// distinct rows, entries with the same three rows and value are alike.
#include <genten/cp/loss_gradient.hpp>

#include "formula_data.hpp"
#include "places.hpp"

#include <genten/io/tns.hpp>

#include <gtest/gtest.h>

#include <array>

namespace {

using genten::AnyLoss;
using genten_test::PlainMatrix;
using genten_test::PlainModel;
namespace losses = genten::losses;
using Exec = genten::HostExec;
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;

constexpr std::size_t order = 3, rank = 2;
/// Rows of a mode are of class i mod this.
constexpr std::array<std::size_t, order> classes{3, 4, 2};

double element(std::size_t n, std::size_t of_class, std::size_t r) {
  return 0.02 + static_cast<double>((3 * of_class + 5 * r + 7 * n + of_class * r) % 11) / 20.0;
}
PlainModel model_of_classes(const std::vector<std::size_t>& dimensions) {
  PlainModel model{std::vector<double>(rank, 1.0), {}};
  for (std::size_t n = 0; n < order; ++n) {
    PlainMatrix factor(dimensions[n], rank);
    for (std::size_t i = 0; i < dimensions[n]; ++i) {
      for (std::size_t r = 0; r < rank; ++r) factor(i, r) = element(n, i % classes[n], r);
    }
    model.factors.push_back(factor);
  }
  return model;
}

/// One class of entries.
struct Class {
  std::array<std::size_t, order> of{};
  double m = 0.0;
};

template <class Visit>
void for_each_class(const Visit& visit) {
  for (std::size_t c = 0; c < classes[0] * classes[1] * classes[2]; ++c) {
    Class found{{c % classes[0], c / classes[0] % classes[1], c / classes[0] / classes[1]}};
    for (std::size_t r = 0; r < rank; ++r) {
      double product = 1.0;
      for (std::size_t n = 0; n < order; ++n) product *= element(n, found.of[n], r);
      found.m += product;
    }
    visit(found);
  }
}
double rows_of_class(std::size_t length, std::size_t count, std::size_t of_class) {
  return static_cast<double>((length + count - 1 - of_class) / count);
}

class LossGradientLarge : public testing::Test {
 protected:
  Exec exec;
  Tensor tensor = genten::read_sptensor<double, std::uint32_t, Exec>(
                      genten_test::data_file("debian-packages/debian-packages.tns.zst"))
                      .tensor;

  /// By row of a mode, nonzeros of the classes of the other two.
  [[nodiscard]] std::vector<std::array<double, 12>> nonzeros_by_row(std::size_t n) const {
    std::vector<std::array<double, 12>> counts(tensor.dimensions()[n]);
    const std::size_t a = (n + 1) % order, b = (n + 2) % order;
    for (genten::offset_t p = 0; p < tensor.nnz(); ++p) {
      const auto at = [&](std::size_t mode) -> std::size_t { return tensor.subscripts()(p, mode); };
      counts[at(n)][at(a) % classes[a] + classes[a] * (at(b) % classes[b])] += 1.0;
    }
    return counts;
  }
};

TEST_F(LossGradientLarge, ZerosOfClosedFormAreExact) {
  ASSERT_GT(tensor.nnz(), 398000);
  const auto& dimensions = tensor.dimensions();
  const auto model = genten_test::to_ktensor<double, Exec>(model_of_classes(dimensions));
  const auto gradient = genten::clone(exec, model);
  for (const AnyLoss& loss :
       {AnyLoss(losses::Gaussian()), AnyLoss(losses::Weighted{0.1}), AnyLoss(losses::Poisson()),
        AnyLoss(losses::BernoulliPoisson()), AnyLoss(losses::Beta{2.0})}) {
    SCOPED_TRACE(loss.facts().text());
    genten::LossGradient<double, std::uint32_t, Exec> gradient_of(exec, tensor, rank, loss);
    EXPECT_EQ(gradient_of.zeros(), genten::ZeroSums::closed_form);
    const double objective = gradient_of(exec, model, gradient);
    for (std::size_t n = 0; n < order; ++n) {
      const auto nonzeros = nonzeros_by_row(n);
      const std::size_t a = (n + 1) % order, b = (n + 2) % order;
      double expected = 0.0, size = 0.0, worst = 0.0;
      for (std::size_t i = 0; i < dimensions[n]; ++i) {
        std::array<double, rank> slope{}, slope_size{};
        for_each_class([&](const Class& each) {
          if (each.of[n] != i % classes[n]) return;
          const double ones = nonzeros[i][each.of[a] + classes[a] * each.of[b]];
          const double zeros = rows_of_class(dimensions[a], classes[a], each.of[a]) *
                                   rows_of_class(dimensions[b], classes[b], each.of[b]) -
                               ones;
          expected += zeros * loss.value(0.0, each.m) + ones * loss.value(1.0, each.m);
          size +=
              std::abs(zeros * loss.value(0.0, each.m)) + std::abs(ones * loss.value(1.0, each.m));
          for (std::size_t r = 0; r < rank; ++r) {
            const double others = element(a, each.of[a], r) * element(b, each.of[b], r);
            const double by_zeros = zeros * loss.slope(0.0, each.m) * others;
            const double by_ones = ones * loss.slope(1.0, each.m) * others;
            slope[r] += by_zeros + by_ones;
            slope_size[r] += std::abs(by_zeros) + std::abs(by_ones);
          }
        });
        for (std::size_t r = 0; r < rank; ++r) {
          const double found = gradient.factor(static_cast<int>(n))(i, r);
          worst = std::max(worst, std::abs(found - slope[r]) / slope_size[r]);
        }
      }
      EXPECT_LT(worst, 1e-11);
      EXPECT_NEAR(objective, expected, 1e-11 * size);
    }
  }
}

// Where they have none, a few of them tell the sum to a hundredth.
TEST_F(LossGradientLarge, SampledZerosAreNearTheCount) {
  const auto& dimensions = tensor.dimensions();
  const auto model = genten_test::to_ktensor<double, Exec>(model_of_classes(dimensions));
  std::array<double, 24> nonzeros{};
  const auto place = [](std::size_t i, std::size_t j, std::size_t k) {
    return i + classes[0] * (j + classes[1] * k);
  };
  for (genten::offset_t p = 0; p < tensor.nnz(); ++p) {
    const auto at = tensor.subscripts();
    nonzeros[place(at(p, 0) % classes[0], at(p, 1) % classes[1], at(p, 2) % classes[2])] += 1.0;
  }
  for (const AnyLoss& loss : {AnyLoss(losses::BernoulliOdds()), AnyLoss(losses::PoissonLog()),
                              AnyLoss(losses::NegativeBinomial{2.0})}) {
    SCOPED_TRACE(loss.facts().text());
    double expected = 0.0;
    for_each_class([&](const Class& each) {
      const double ones = nonzeros[place(each.of[0], each.of[1], each.of[2])];
      double all = 1.0;
      for (std::size_t n = 0; n < order; ++n) {
        all *= rows_of_class(dimensions[n], classes[n], each.of[n]);
      }
      expected += (all - ones) * loss.value(0.0, each.m) + ones * loss.value(1.0, each.m);
    });
    genten::LossGradientOptions options;
    options.zero_samples = 20000;
    genten::LossGradient<double, std::uint32_t, Exec> gradient_of(exec, tensor, rank, loss,
                                                                  options);
    EXPECT_EQ(gradient_of.zeros(), genten::ZeroSums::sampled);
    gradient_of.draw_zeros(exec, model, 1);
    const auto sums = gradient_of.sums(exec, model);
    EXPECT_NEAR(sums.objective, expected, 4.0 * sums.error);
    EXPECT_LT(sums.error, 0.01 * std::abs(expected));
  }
}

}  // namespace
