// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What cp_gcp starts from.

#include <genten/core/fill_random.hpp>
#include <genten/cp/detail/bounded_start.hpp>
#include <genten/cp/detail/gcp/gcp_problem.hpp>
#include <genten/cp/detail/gcp/stacked_model.hpp>
#include <genten/cp/run_state.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace genten::detail {

/// Where a start begins: at a guess, where a checkpoint stands after so many iterations, or at
/// random factors.
template <RealScalar Scalar, ExecutionSpace Exec>
struct GcpBeginning {
  std::optional<Ktensor<Scalar, Exec>> guess = {};
  std::optional<GcpStepState<Scalar>> saved = {};
  std::size_t iterations = 0;
  std::uint64_t seed = 0;
};

/// ||M||^2 over the entries that count.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double squared_model_norm(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                                        const Ktensor<Scalar, Exec>& model, const LossSums& sums) {
  if (!problem.sums_all_zeros()) {
    return std::max(0.0, sums.squared_difference - problem.norm * problem.norm +
                             2.0 * sums.inner_product + sums.zero_square);
  }
  const double norm = genten::norm(exec, model);
  return std::max(0.0, norm * norm + sums.zero_square);
}

/// ||X - M|| over the entries that count, in the scale of the objective.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double residual_norm(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                                   const Ktensor<Scalar, Exec>& model, const LossSums& sums) {
  double square = sums.squared_difference + sums.zero_square;
  if (problem.sums_all_zeros()) {
    square = problem.norm * problem.norm - 2.0 * sums.inner_product +
             squared_model_norm(exec, problem, model, sums);
  }
  return std::sqrt(std::max(0.0, square));
}

/// The residual and the fit, in the scale of the data.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_residual(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                    const Ktensor<Scalar, Exec>& model, const LossSums& sums,
                    SweepOutcome& outcome) {
  const double residual = residual_norm(exec, problem, model, sums);
  outcome.residual_norm = std::ldexp(residual, problem.exponent);
  outcome.fit = problem.norm > 0.0 ? 1.0 - residual / problem.norm : residual == 0.0 ? 1.0 : 0.0;
}

/// Rows of one factor for which no entry counts become a number.
template <RealScalar Scalar, ExecutionSpace Exec>
void set_empty_rows_of(const Exec& exec, const EntriesByRow<Exec>& counted,
                       const FacMatrix<Scalar, Exec>& factor, Scalar to) {
  const std::size_t columns = factor.columns();
  Kokkos::parallel_for(
      "genten::set_empty_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, factor.rows()),
      KOKKOS_LAMBDA(const std::size_t i) {
        if (counted(i) != 0.0) return;
        for (std::size_t r = 0; r < columns; ++r) factor(i, r) = to;
      });
}

/// Rows for which no entry counts become value(n) in mode n.
template <RealScalar Scalar, ExecutionSpace Exec, class Value>
void set_empty_rows(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                    const Ktensor<Scalar, Exec>& model, const Value& value) {
  if (problem.empty_rows == 0) return;
  for (std::size_t n = 0; n < problem.counted.size(); ++n) {
    if (!problem.is_free[n]) continue;
    set_empty_rows_of(exec, problem.counted[n], model.factor(static_cast<int>(n)),
                      static_cast<Scalar>(value(n)));
  }
  fence(exec, "genten::set_empty_rows");
}

/// They become zero, as far as bounds allow: nothing else says what they are to be.
template <RealScalar Scalar, ExecutionSpace Exec>
void clear_empty_rows(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                      const Ktensor<Scalar, Exec>& model) {
  set_empty_rows(exec, problem, model, [&](std::size_t n) {
    return std::clamp(0.0, problem.constraints[n].lower, problem.constraints[n].upper);
  });
}

/// The gradient by the free factors. It leaves empty rows where they are: sums over all entries
/// without those over missing ones are 0 there but for rounding.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_gradient(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                    const Ktensor<Scalar, Exec>& model, const Ktensor<Scalar, Exec>& gradient) {
  problem.objective->gradient(exec, model, gradient, problem.is_free);
  set_empty_rows(exec, problem, gradient, [](std::size_t) { return 0.0; });
}

/// Elements become their magnitudes.
template <RealScalar Scalar, ExecutionSpace Exec>
void take_magnitudes(const Exec& exec, const FacMatrix<Scalar, Exec>& factor) {
  const std::size_t columns = factor.columns();
  Kokkos::parallel_for(
      "genten::take_magnitudes",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, factor.rows()),
      KOKKOS_LAMBDA(const std::size_t i) {
        for (std::size_t r = 0; r < columns; ++r) {
          factor(i, r) = factor(i, r) < Scalar(0) ? -factor(i, r) : factor(i, r);
        }
      });
}

/// Brings a model that is much smaller than the data to their size, by powers of two: sums of
/// (x - m)^2 would hide that of m^2.
template <RealScalar Scalar, ExecutionSpace Exec>
void come_near(const Exec& exec, const GcpProblem<Scalar, Exec>& problem, std::size_t free,
               const Ktensor<Scalar, Exec>& model) {
  constexpr double most_apart = 1024.0;  // which leaves m^2 half of its digits
  double all = 1.0;
  for (const std::size_t rows : problem.dimensions) all *= static_cast<double>(rows);
  const double ratio =
      problem.norm / genten::norm(exec, model) * std::sqrt(all / std::max(problem.entries, 1.0));
  if (!(ratio > most_apart) || !std::isfinite(ratio)) return;
  const double each = std::exp2(std::round(std::log2(ratio) / static_cast<double>(free)));
  for (int n = 0; n < problem.order(); ++n) {
    if (!problem.is_free[static_cast<std::size_t>(n)]) continue;
    scale_columns(exec, model.factor(n), std::vector<double>(model.rank(), each));
  }
}

/// Random factors within the bounds, normal ones that must not be negative by their magnitudes,
/// scaled, where these allow it, to the multiple that is nearest
/// to the data; where the model is a logarithm, to values of .5 on the average.
template <RealScalar Scalar, ExecutionSpace Exec>
void random_start(const Exec& exec, const GcpProblem<Scalar, Exec>& problem, std::uint64_t seed,
                  GcpInit init, const Ktensor<Scalar, Exec>& model) {
  const bool is_uniform =
      init == GcpInit::uniform || (init == GcpInit::automatic && problem.loss.lower == 0.0);
  for (int n = 0; n < problem.order(); ++n) {
    fill_random(exec, model.factor(n), seed, n,
                is_uniform ? FactorKind::uniform : FactorKind::normal);
    if (!is_uniform && problem.constraints[static_cast<std::size_t>(n)].lower >= 0.0) {
      take_magnitudes(exec, model.factor(n));
    }
    move_within(exec, model.factor(n), problem.constraints[static_cast<std::size_t>(n)]);
  }
  clear_empty_rows(exec, problem, model);
  const auto free = std::count(problem.is_free.begin(), problem.is_free.end(), true);
  if (!problem.may_scale_start || free == 0) return;
  if (!problem.is_logarithm) come_near(exec, problem, static_cast<std::size_t>(free), model);
  problem.objective->draw_zeros(exec, model, seed);
  const LossSums sums = problem.objective->sums(exec, model);
  const double square = squared_model_norm(exec, problem, model, sums);
  if (!(square > 0.0)) return;
  double multiple = sums.inner_product / square;
  if (problem.is_logarithm) multiple = 0.5 * std::sqrt(problem.entries / square);
  // Random signs may point away from the data.
  if (!(multiple > 0.0)) multiple = 0.1 * problem.norm / std::sqrt(square);
  if (!(multiple > 0.0) || !std::isfinite(multiple)) return;
  const double each = std::pow(multiple, 1.0 / static_cast<double>(free));
  for (int n = 0; n < problem.order(); ++n) {
    if (!problem.is_free[static_cast<std::size_t>(n)]) continue;
    scale_columns(exec, model.factor(n), std::vector<double>(model.rank(), each));
  }
  fence(exec, "genten::random_start");
}

/// A caller's model, its weights in the factors that are free. Throws Error where it is outside the
/// bounds or not finite.
template <RealScalar Scalar, ExecutionSpace Exec>
void start_of_guess(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                    const Ktensor<Scalar, Exec>& guess, const Ktensor<Scalar, Exec>& model) {
  std::vector<int> takers;
  for (int n = 0; n < problem.order(); ++n) {
    if (problem.is_free[static_cast<std::size_t>(n)]) takers.push_back(n);
  }
  const auto counted = counted_guess(exec, guess, takers, problem.exponents);
  check_within(exec, counted, problem.constraints);
  for (int n = 0; n < problem.order(); ++n) {
    genten::deep_copy(exec, model.factor(n), counted.factors[static_cast<std::size_t>(n)]);
  }
  clear_empty_rows(exec, problem, model);
}

}  // namespace genten::detail
