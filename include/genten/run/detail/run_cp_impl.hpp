// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/one_thread.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/run/detail/error_bars.hpp>

namespace genten {
namespace detail {

/// `solve(arguments...)` with what the run begins at among them, as any solver takes it.
template <RealScalar Scalar, ExecutionSpace Exec, class Options, class Solve>
[[nodiscard]] CpRun<Scalar, Exec> run_from(const Beginning<Scalar, Exec>& beginning,
                                           const Options& options,
                                           const KtensorObserver<Scalar, Exec>& observer,
                                           const Solve& solve) {
  const auto run_of = [](const auto& result) {
    const typename std::remove_cvref_t<decltype(result)>::Own& own = result;
    return CpRun<Scalar, Exec>{result.model, result, own, {}};
  };
  if (beginning.checkpoint) return run_of(solve(*beginning.checkpoint, options, observer));
  if (beginning.guess) return run_of(solve(*beginning.guess, options, observer));
  return run_of(solve(options, observer));
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

/// `solve_cp`, on one thread where that is the fastest: the bits are the same.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpRun<Scalar, Exec> solve_small_or_large(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::optional<Sptensor<Scalar, Ordinal, Exec>>& missing, const CpRequest& request,
    const Beginning<Scalar, Exec>& beginning, const KtensorObserver<Scalar, Exec>& observer) {
  const std::size_t rank = beginning.guess        ? beginning.guess->rank()
                           : beginning.checkpoint ? beginning.checkpoint->model.rank()
                                                  : request.common().rank;
  const bool over_all = request.solver() == Solver::gcp;
  if (!is_small_work(tensor.dimensions(), tensor.nnz(), rank, over_all)) {
    return solve_cp(exec, tensor, missing, request, beginning, observer);
  }
  std::optional<CpRun<Scalar, Exec>> run;
  on_one_thread<Exec>([&] { run = solve_cp(exec, tensor, missing, request, beginning, observer); });
  return std::move(*run);
}

}  // namespace detail

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpRun<Scalar, Exec> run_cp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    const CpRequest& request, const std::type_identity_t<Beginning<Scalar, Exec>>& beginning,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer,
    const InterruptCheck& interrupted) {
  return detail::run_with_error_bars(exec, tensor, missing, request, observer, interrupted,
                                     [&](const KtensorObserver<Scalar, Exec>& seen_by) {
                                       return detail::solve_small_or_large(
                                           exec, tensor, missing, request, beginning, seen_by);
                                     });
}

template <RealScalar Scalar, ExecutionSpace Exec>
CpRequest request_of(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  CpRequest request;
  if (is_apr_checkpoint(checkpoint)) {
    request.apr = checkpoint_apr_options(checkpoint);
    request.loss = to_string(request.apr.loss);
    return request;
  }
  if (is_gcp_checkpoint(checkpoint)) {
    const LossFacts loss = checkpoint_gcp_loss(checkpoint).facts();
    request.asked = Solver::gcp;
    request.loss = loss.name;
    if (!loss.parameter_name.empty()) request.loss_parameter = loss.parameter;
    request.gcp = checkpoint_gcp_options(checkpoint);
    if (request.gcp.unlisted == UnlistedEntries::missing) {
      request.missing = MissingEntries::unlisted;
    } else if (lists_missing_entries(checkpoint)) {
      request.missing = MissingEntries::listed;
    }
    return request;
  }
  switch (completion_checkpoint(checkpoint)) {
    case CompletionCheckpoint::none:
      request.als = checkpoint_options(checkpoint);
      return request;
    case CompletionCheckpoint::unlisted:
      request.missing = MissingEntries::unlisted;
      break;
    case CompletionCheckpoint::listed:
      request.missing = MissingEntries::listed;
      break;
  }
  request.completion = checkpoint_completion_options(checkpoint);
  return request;
}

}  // namespace genten

#define GENTEN_ETI_RUN_CP(PREFIX, SCALAR, ORDINAL, EXEC)                                       \
  PREFIX template genten::CpRun<SCALAR, EXEC> genten::run_cp<SCALAR, ORDINAL, EXEC>(           \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                             \
      const std::optional<genten::Sptensor<SCALAR, ORDINAL, EXEC>>&, const genten::CpRequest&, \
      const genten::Beginning<SCALAR, EXEC>&, const genten::KtensorObserver<SCALAR, EXEC>&,    \
      const genten::InterruptCheck&);
#define GENTEN_ETI_REQUEST_OF(PREFIX, SCALAR, EXEC)     \
  PREFIX template genten::CpRequest genten::request_of( \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_RUN_CP, extern)
GENTEN_ETI_SCALARS(GENTEN_ETI_REQUEST_OF, extern)
#endif
