// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The solver of a request, and the threads that it is run on.

#include <genten/base/detail/one_thread.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/run/run_cp.hpp>

namespace genten::detail {

/// The result of a solver as that of any.
template <RealScalar Scalar, ExecutionSpace Exec, class Result>
[[nodiscard]] CpRun<Scalar, Exec> run_of(const Result& result) {
  const typename Result::Own& own = result;
  return {result.model, result, own, {}};
}

/// `solve(arguments...)` with what the run begins at among them, as any solver takes it.
template <RealScalar Scalar, ExecutionSpace Exec, class Options, class Solve>
[[nodiscard]] CpRun<Scalar, Exec> run_from(const Beginning<Scalar, Exec>& beginning,
                                           const Options& options,
                                           const KtensorObserver<Scalar, Exec>& observer,
                                           const Solve& solve) {
  if (beginning.checkpoint) {
    return run_of<Scalar, Exec>(solve(*beginning.checkpoint, options, observer));
  }
  if (beginning.guess) return run_of<Scalar, Exec>(solve(*beginning.guess, options, observer));
  return run_of<Scalar, Exec>(solve(options, observer));
}

/// Runs the solver of a request.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpRun<Scalar, Exec> solve_cp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::optional<Sptensor<Scalar, Ordinal, Exec>>& missing, const CpRequest& request,
    const Beginning<Scalar, Exec>& beginning, const KtensorObserver<Scalar, Exec>& observer) {
  const auto run = [&](const auto& options, const auto& solve) {
    return run_from<Scalar, Exec>(beginning, options, observer, solve);
  };
  switch (request.solver()) {
    case Solver::apr: {
      CpAprOptions options = request.apr;
      options.loss = from_word<CountLoss>(request.loss).value_or(options.loss);
      return run(options, [&](const auto&... how) { return cp_apr(exec, tensor, how...); });
    }
    case Solver::completion:
      return run(request.completion, [&](const auto&... how) {
        return missing ? cp_completion(exec, tensor, *missing, how...)
                       : cp_completion(exec, tensor, how...);
      });
    case Solver::gcp: {
      const AnyLoss loss = request.any_loss();
      return run(request.gcp, [&](const auto&... how) {
        return missing ? cp_gcp(exec, tensor, *missing, loss, how...)
                       : cp_gcp(exec, tensor, loss, how...);
      });
    }
    case Solver::als:
      break;
  }
  return run(request.als, [&](const auto&... how) { return cp_als(exec, tensor, how...); });
}

/// Whether one thread is the fastest for iterations on a tensor of those dimensions, by the
/// products and the rows of one. Losses may sum over all entries.
[[nodiscard]] inline bool is_small_work(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                        std::size_t rank, bool over_all_entries) {
  constexpr double most = 1 << 15;
  double rows = 0.0, entries = 1.0;
  for (const std::size_t length : dimensions) {
    rows += static_cast<double>(length);
    entries *= static_cast<double>(length);
  }
  const double passed = std::max(rows, over_all_entries ? entries : static_cast<double>(nnz));
  return passed * static_cast<double>(rank) <= most;
}

/// Calls `body()`, on one thread where that is the fastest for runs of a request on a tensor with
/// so many components: the bits are the same.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Body>
void on_threads_for(const Sptensor<Scalar, Ordinal, Exec>& tensor, const CpRequest& request,
                    std::size_t rank, const Body& body) {
  const bool over_all = request.solver() == Solver::gcp;
  if (is_small_work(tensor.dimensions(), tensor.nnz(), rank, over_all)) {
    on_one_thread<Exec>(body);
  } else {
    body();
  }
}

}  // namespace genten::detail
