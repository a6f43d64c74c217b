// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// A solver that Genten does not have, from its gradient: L-BFGS with bounds, by LBFGSpp, fits
// nonnegative factors to counts. Genten's own solvers alternate between the modes; this one moves
// all factors at once.
//
// Shown are: a model as a vector of the solver's, and back; objective and gradient in one call,
// with the zeros of the sparse tensor; the results beside those of genten::cp_als, which is told to
// be nonnegative, and of genten::cp_apr. Least squares have a class of their own, CpGradient, which
// takes MTTKRP alone; LossGradient takes any loss.

#include <genten/genten.hpp>

#include <LBFGSB.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;  // LBFGSpp's vectors are on the host
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;
using Model = genten::Ktensor<double, Exec>;
using Vector = Eigen::VectorXd;

/// Calls visit(element of the model, element of the vector) for all elements.
template <class V, class Visit>
void for_each_element(const Model& model, V& vector, const Visit& visit) {
  Eigen::Index at = 0;
  for (const auto& factor : model.factors()) {
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < factor.columns(); ++r) visit(factor(i, r), vector[at++]);
    }
  }
}

/// What LBFGSpp minimizes: the objective of a CpGradient or LossGradient.
template <class Evaluate>
class Objective {
 public:
  Objective(const Model& model, Evaluate& evaluate)
      : m_model(model), m_gradient(genten::clone(Exec(), model)), m_evaluate(evaluate) {}

  double operator()(const Vector& x, Vector& gradient) {
    for_each_element(m_model, x, [](double& element, const double& from) { element = from; });
    const double objective = m_evaluate(Exec(), m_model, m_gradient);
    for_each_element(m_gradient, gradient, [](const double& slope, double& to) { to = slope; });
    return objective;
  }

 private:
  Model m_model, m_gradient;
  Evaluate& m_evaluate;
};

/// Minimizes from `model`, which becomes what is found.
template <class Evaluate>
double minimize(const char* loss, Evaluate evaluate, const Model& model) {
  Objective objective(model, evaluate);
  Eigen::Index size = 0;
  for (const auto& factor : model.factors()) {
    size += static_cast<Eigen::Index>(factor.rows() * factor.columns());
  }
  Vector x(size);
  for_each_element(model, x, [](const double& element, double& to) { to = element; });
  const Vector lower = Vector::Zero(size);
  const Vector upper = Vector::Constant(size, std::numeric_limits<double>::infinity());
  LBFGSpp::LBFGSBParam<double> limits;
  limits.max_iterations = 500;
  limits.past = 1;  // an iteration that gains less than delta ends the search
  limits.delta = 1e-9;
  LBFGSpp::LBFGSBSolver<double> solver(limits);
  double reached = 0.0;
  const int iterations = solver.minimize(objective, x, reached, lower, upper);
  for_each_element(model, x, [](double& element, const double& from) { element = from; });
  std::printf("%-8s  %3d iterations, objective %.6f\n", loss, iterations, reached);
  return reached;
}

/// Whether two objectives are nearly the same. Both are nonconvex searches: one may find a better
/// model than the other, not a much better one.
bool are_close(double one, double other) {
  return std::abs(one - other) < 0.05 * std::abs(one);
}

int run() {
  const Exec exec;
  constexpr std::size_t rank = 4;
  // Events with four groups of favourites, counted.
  const genten::TensorRecipe recipe{.name = "events",
                                    .dimensions = {60, 50, 40},
                                    .nonzeros = 4000,
                                    .exponents = {1.0, 1.0, 1.0},
                                    .clusters = 4,
                                    .values = genten::ValueKind::counts};
  const Tensor tensor = genten::generate_sparse<double, std::uint32_t>(exec, recipe, 1);
  const auto start = [&] {
    return genten::random_ktensor<double>(exec, tensor.dimensions(), rank, 7);
  };
  const double squares = minimize("gaussian", genten::CpGradient(exec, tensor, rank), start());
  genten::CpAlsOptions nonnegative{.rank = rank, .seed = 7, .starts = 5};
  nonnegative.nonnegative = genten::ModeSelection::every();
  const auto by_als = genten::cp_als(exec, tensor, nonnegative);
  std::printf("cp_als    %3zu iterations, objective %.6f\n", by_als.iterations, by_als.objective);

  const double likelihood = minimize(
      "poisson", genten::LossGradient(exec, tensor, rank, genten::AnyLoss::named("poisson")),
      start());
  const genten::CpAprOptions counts{.rank = rank, .seed = 7, .starts = 5};
  const auto by_apr = genten::cp_apr(exec, tensor, counts);
  std::printf("cp_apr    %3zu iterations, objective %.6f\n", by_apr.iterations, by_apr.objective);
  return are_close(squares, by_als.objective) && are_close(likelihood, by_apr.objective) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // else it advises how to bind threads
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
