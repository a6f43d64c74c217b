// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/power_of_two.hpp>
#include <genten/core/fill_random.hpp>
#include <genten/core/mode_order.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/iterate.hpp>
#include <genten/dense/blas_buffer.hpp>
#include <genten/tucker/detail/tucker_step.hpp>
#include <genten/tucker/tucker.hpp>

#include <set>
#include <string>

namespace genten::detail {

/// Throws Error for modes that the tensor does not have or that are named twice.
inline std::set<int> checked_modes(const std::vector<int>& modes, int order, const char* option) {
  std::set<int> seen;
  for (const int mode : modes) {
    if (mode < 0 || mode >= order) throw Error::no_such_mode_of(option, mode, order);
    if (seen.insert(mode).second) continue;
    throw Error::of_option(
        option, "mode " + error_text::number(mode) + error_text::counted() + " is named twice");
  }
  return seen;
}

/// Sets the orders of modes.
template <class Problem>
void order_modes(Problem& problem, const TuckerOptions& options, bool has_guess) {
  const auto order = static_cast<int>(problem.dimensions.size());
  const auto fixed = checked_modes(options.fixed_modes, order, "fixed-modes");
  checked_modes(options.mode_order, order, "mode-order");
  if (!fixed.empty() && !has_guess) {
    throw Error::of_option("fixed-modes", "expected a guess, which has their factors")
        .as(Error::Code::guess);
  }
  for (const int mode : fixed) {
    if (problem.rank(mode) != 0) continue;
    throw Error::of_option("fixed-modes", "mode " + error_text::number(mode) +
                                              error_text::counted() +
                                              " is not compressed and has no factor");
  }
  problem.order = options.mode_order;
  if (problem.order.empty()) {
    problem.order = natural_mode_order(problem.dimensions.size());
  } else if (problem.order.size() != problem.dimensions.size()) {
    throw Error::of_option("mode-order", "expected all " + std::to_string(order) + " modes, got " +
                                             std::to_string(problem.order.size()));
  }
  std::stable_partition(problem.order.begin(), problem.order.end(),
                        [&](int n) { return problem.rank(n) != 0; });
  for (const int n : problem.order) {
    if (problem.rank(n) != 0 && !fixed.contains(n)) problem.updates.push_back(n);
  }
}

/// Throws Error unless a guess is of the tensor's dimensions and its columns are orthonormal.
template <RealScalar Scalar, ExecutionSpace Exec>
void check_guess(const Exec& exec, const Ttensor<Scalar, Exec>& guess,
                 const std::vector<std::size_t>& dimensions) {
  if (guess.dimensions() != dimensions) {
    throw Error::in("tucker", "expected a guess of the tensor's dimensions").as(Error::Code::guess);
  }
  constexpr double most = sizeof(Scalar) == sizeof(float) ? 1e-4 : 1e-8;
  for (int n = 0; n < guess.order(); ++n) {
    if (!guess.is_compressed(n)) continue;
    const HostMatrix gram = cross_gram(exec, guess.factor(n), guess.factor(n));
    for (std::size_t r = 0; r < gram.extent(0); ++r) {
      for (std::size_t s = 0; s < gram.extent(1); ++s) {
        if (std::abs(gram(r, s) - (r == s ? 1.0 : 0.0)) <= most) continue;
        throw Error::in(
            "tucker", "expected orthonormal columns in the guess, got " + number_text(gram(r, s)) +
                          " as the inner product of columns " + error_text::number(r) + " and " +
                          error_text::number(s) + " of mode " + error_text::number(n))
            .as(Error::Code::guess);
      }
    }
  }
}

inline void require_tucker_memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                  std::size_t scalar_bytes, const TuckerOptions& options) {
  std::string ranks;
  for (const std::size_t rank : options.ranks) {
    ranks += (ranks.empty() ? "" : " x ") + std::to_string(rank);
  }
  require_memory({.what = "a Tucker decomposition of ranks " + ranks,
                  .parts = tucker_memory(dimensions, nnz, scalar_bytes, options),
                  .available = options.memory_available > 0.0 ? options.memory_available
                                                              : available_beside_blas(),
                  .allowed = options.memory_available > 0.0});
}

/// The factors that hooi begins with, or that the other methods end with, and their core.
template <RealScalar Scalar, ExecutionSpace Exec>
class TuckerStart {
 public:
  using Tensor = Sptensor<Scalar, RowNumber, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;

  TuckerStart(TuckerProblem<Scalar, Exec>& problem, const Tensor& tensor,
              std::vector<Matrix> factors, const LeadingVectorsOptions& options)
      : m_problem(problem), m_tensor(tensor), m_factors(std::move(factors)), m_options(options) {}

  void hosvd() {
    for (const int mode : m_problem.updates) {
      m_factors[static_cast<std::size_t>(mode)] =
          m_problem.take(nvecs(m_problem.exec, m_tensor, mode, m_problem.rank(mode), m_options));
    }
  }
  void st_hosvd() { multiply_all(true); }
  void random(std::uint64_t seed) {
    for (const int mode : m_problem.updates) {
      const FacMatrix<double, Exec> vectors(m_problem.exec,
                                            m_problem.dimensions[static_cast<std::size_t>(mode)],
                                            m_problem.rank(mode));
      fill_random(m_problem.exec, vectors, seed, mode, FactorKind::normal);
      orthonormalize(m_problem.exec, vectors, 0, vectors.columns(), seed);
      m_factors[static_cast<std::size_t>(mode)] = rounded<Scalar>(m_problem.exec, vectors);
    }
  }

  [[nodiscard]] const std::vector<Matrix>& factors() const { return m_factors; }
  /// If it was found with the factors: a product in all modes takes longer here than by Ttmc.
  [[nodiscard]] const std::optional<TuckerCore>& known_core() const { return m_core; }
  [[nodiscard]] const TuckerCore& core() {
    if (!m_core) multiply_all(false);
    return *m_core;
  }

 private:
  /// The core, mode after mode; where asked for, factors are found on the way.
  void multiply_all(bool find) {
    const Exec& exec = m_problem.exec;
    SemiSparse<Scalar, Exec> product(exec, m_tensor, m_problem.order);
    for (const int mode : m_problem.order) {
      if (m_problem.rank(mode) == 0) break;
      Matrix& factor = m_factors[static_cast<std::size_t>(mode)];
      if (find && m_problem.is_updated(mode)) {
        factor = m_problem.take(product.leading_vectors(exec, m_problem.rank(mode), m_options));
      }
      product = product.multiply(exec, factor);
    }
    m_core = core_of(exec, product);
  }

  TuckerProblem<Scalar, Exec>& m_problem;
  Tensor m_tensor;
  std::vector<Matrix> m_factors;
  LeadingVectorsOptions m_options;
  std::optional<TuckerCore> m_core;
};

/// Fits, norms and the model of a core.
template <RealScalar Scalar, ExecutionSpace Exec>
void finish_tucker(const TuckerProblem<Scalar, Exec>& problem, const TuckerCore& core,
                   const std::vector<FacMatrix<Scalar, Exec>>& factors,
                   TuckerResult<Scalar, Exec>& result) {
  const double norm = problem.tensor_norm, core_norm = core.norm();
  const double residual = projected_residual(norm, core_norm);
  // What rounding may have changed of the difference of squares.
  const double error = (sizeof(Scalar) == sizeof(float) ? 0x1p-20 : 0x1p-46) * norm * norm;
  const auto scaled = [&](double x) { return std::ldexp(x, problem.exponent); };
  result.model = problem.model(core, factors);
  result.fit = norm > 0.0 ? 1.0 - residual / norm : 1.0;
  result.residual_norm = scaled(residual);
  result.residual_error = scaled(error == 0.0 ? 0.0 : error / (residual + std::sqrt(error)));
  result.tensor_norm = scaled(norm);
  result.core_norm = scaled(core_norm);
  result.vectors_converged = problem.vectors_converged;
}

/// What is asked for, checked before subscripts of 64 bits are copied.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] TuckerProblem<Scalar, Exec> checked_problem(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ttensor<Scalar, Exec>* guess, const TuckerOptions& options) {
  if (tensor.order() < 2) {
    throw Error::in("tucker", "expected a tensor of order 2 or more, got order " +
                                  std::to_string(tensor.order()));
  }
  check_ranges(options);
  check_tucker_ranks(tensor.dimensions(), options.ranks);
  TuckerProblem<Scalar, Exec> problem;
  problem.exec = exec;
  problem.dimensions = tensor.dimensions();
  problem.ranks = options.ranks;
  order_modes(problem, options, guess != nullptr);
  if (guess != nullptr) check_guess(exec, *guess, problem.dimensions);
  return problem;
}

/// Where hooi begins, or what the other methods find.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] TuckerStart<Scalar, Exec> find_start(TuckerProblem<Scalar, Exec>& problem,
                                                   const Sptensor<Scalar, RowNumber, Exec>& tensor,
                                                   const Ttensor<Scalar, Exec>* guess,
                                                   const TuckerOptions& options) {
  const bool iterates = options.method == TuckerMethod::hooi;
  LeadingVectorsOptions accuracy;
  if (iterates) accuracy.tolerance = 1e-5;  // of where it begins, no more is worth its time
  std::vector<FacMatrix<Scalar, Exec>> factors(problem.dimensions.size());
  if (guess != nullptr) factors = guess->factors();
  TuckerStart<Scalar, Exec> start(problem, tensor, std::move(factors), accuracy);
  if (iterates && guess != nullptr) return start;
  if (iterates && options.init == TuckerInit::random) {
    start.random(options.seed);
  } else if (iterates ? options.init == TuckerInit::hosvd : options.method == TuckerMethod::hosvd) {
    start.hosvd();
  } else {
    start.st_hosvd();
  }
  return start;
}

template <RealScalar Scalar, ExecutionSpace Exec>
TuckerResult<Scalar, Exec> run_tucker(TuckerProblem<Scalar, Exec> problem,
                                      const Sptensor<Scalar, RowNumber, Exec>& given,
                                      const Ttensor<Scalar, Exec>* guess,
                                      const TuckerOptions& options,
                                      const TtensorObserver<Scalar, Exec>& observer) {
  const Stopwatch watch;
  const Exec& exec = problem.exec;
  require_tucker_memory(problem.dimensions, given.nnz(), sizeof(Scalar), options);
  PhaseTimings timings{"merge", "norm", "start"};
  auto tensor = timings.time("merge", [&] { return sum_duplicates(exec, given).tensor; });
  timings.time("norm", [&] {
    problem.exponent = scale_exponent(max_abs(exec, tensor), scale_quantum<Scalar>);
    if (problem.exponent != 0) tensor = times_power_of_two(exec, tensor, -problem.exponent);
    problem.tensor_norm = norm(exec, tensor);
  });
  auto start = timings.time("start", [&] { return find_start(problem, tensor, guess, options); });
  TuckerResult<Scalar, Exec> result;
  if (options.method != TuckerMethod::hooi || problem.updates.empty()) {
    const TuckerCore core = timings.time("core", [&] { return start.core(); });
    finish_tucker(problem, core, start.factors(), result);
  } else {
    auto step = timings.time("prepare", [&] {
      return TuckerStep<Scalar, Exec>(problem, tensor, start.factors(), start.known_core());
    });
    RunState state;
    state.seconds_before = watch.seconds();
    const auto stop =
        first_of(NonFinite{}, FitChange{options.tolerance}, TimeLimit{options.time_limit},
                 IterationLimit{options.max_iterations});
    result.stop_reason = iterate(step, state, stop, timings, observer);
    result.iterations = state.history.size();
    result.history = state.history;
    finish_tucker(problem, step.core(), step.factors(), result);
  }
  result.timings = timings.phases();
  result.timings.push_back({"total", watch.seconds()});
  return result;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec> TuckerResult<Scalar, Exec> tucker(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const TuckerOptions& options,
    const std::type_identity_t<TtensorObserver<Scalar, Exec>>& observer) {
  auto problem = detail::checked_problem<Scalar, Ordinal, Exec>(exec, tensor, nullptr, options);
  return detail::run_tucker<Scalar, Exec>(
      std::move(problem), with_row_numbers(exec, tensor, "tucker"), nullptr, options, observer);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec> TuckerResult<Scalar, Exec> tucker(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ttensor<Scalar, Exec>& guess, const TuckerOptions& options,
    const std::type_identity_t<TtensorObserver<Scalar, Exec>>& observer) {
  TuckerOptions used = options;
  std::vector<std::size_t> ranks;
  for (int n = 0; n < guess.order(); ++n) {
    ranks.push_back(guess.is_compressed(n) ? guess.rank(n) : 0);
  }
  if (!used.ranks.empty() && used.ranks != ranks) {
    throw Error::of_option("ranks", "expected those of the guess, or none").as(Error::Code::guess);
  }
  used.ranks = ranks;
  auto problem = detail::checked_problem(exec, tensor, &guess, used);
  return detail::run_tucker(std::move(problem), with_row_numbers(exec, tensor, "tucker"), &guess,
                            used, observer);
}

}  // namespace genten

#define GENTEN_ETI_TUCKER(PREFIX, SCALAR, ORDINAL, EXEC)                                         \
  PREFIX template genten::TuckerResult<SCALAR, EXEC> genten::tucker(                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::TuckerOptions&, \
      const genten::TtensorObserver<SCALAR, EXEC>&);                                             \
  PREFIX template genten::TuckerResult<SCALAR, EXEC> genten::tucker(                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                               \
      const genten::Ttensor<SCALAR, EXEC>&, const genten::TuckerOptions&,                        \
      const genten::TtensorObserver<SCALAR, EXEC>&);
