// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/cp/detail/cp_als_run.hpp>
#include <genten/cp/residual.hpp>

#include <set>

namespace genten::detail {

/// The modes that are updated, in order. Throws Error for modes that the tensor does not have, or
/// named twice.
inline std::vector<int> modes_to_update(const CpAlsOptions& options, int order) {
  const auto check = [order](const std::vector<int>& modes, const char* name) {
    std::set<int> seen;
    for (const int mode : modes) {
      if (mode < 0 || mode >= order) {
        throw Error::no_such_mode(std::string("option ") + name, mode, order);
      }
      if (!seen.insert(mode).second) {
        throw Error(std::string("option ") + name + ": mode " + std::to_string(mode + 1) +
                    " (counted from 1) is named twice");
      }
    }
    return seen;
  };
  const std::set<int> fixed = check(options.fixed_modes, "fixed-modes");
  check(options.mode_order, "mode-order");
  std::vector<int> modes = options.mode_order;
  if (modes.empty()) {
    modes.resize(static_cast<std::size_t>(order));
    std::iota(modes.begin(), modes.end(), 0);
  } else if (modes.size() != static_cast<std::size_t>(order)) {
    throw Error("option mode-order: expected all " + std::to_string(order) + " modes, got " +
                std::to_string(modes.size()));
  }
  std::erase_if(modes, [&](int mode) { return fixed.contains(mode); });
  return modes;
}

/// The modes in the order of their updates, then the fixed ones: the order for which MTTKRP is
/// prepared.
inline std::vector<int> preparation_order(std::vector<int> updates, int order) {
  for (int mode = 0; mode < order; ++mode) {
    if (std::find(updates.begin(), updates.end(), mode) == updates.end()) updates.push_back(mode);
  }
  return updates;
}

/// Fits nearer to 1 than this have lost digits to cancellation and are computed again.
inline constexpr double extended_residual_below = 1e-4;

/// Computes the final residual again where the identity's cancellation has eaten into it, or where
/// no iteration has computed one.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void refine_residual(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                     CpAlsResult<Scalar, Exec>& result) {
  if (result.stop_reason == StopReason::non_finite) return;
  const bool iterated = result.iterations != 0;
  if (iterated && result.residual_norm > extended_residual_below * result.tensor_norm) return;
  result.residual_norm = residual_norm_extended(exec, tensor, result.model);
  result.residual_route = ResidualRoute::extended;
  result.fit = fit_of(result.residual_norm, result.tensor_norm);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als_starts(const Exec& exec,
                                        const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                        const Ktensor<Scalar, Exec>* guess,
                                        const CpAlsOptions& options,
                                        const CpAlsObserver<Scalar, Exec>& observer) {
  using Run = CpAlsRun<Scalar, Ordinal, Exec>;
  const Stopwatch watch;
  PhaseTimings shared;
  double norm_of_tensor = 0.0;
  // Duplicates would be fine for MTTKRP but not for the norm.
  const auto unique = sum_duplicates(exec, tensor).tensor;
  shared.time(exec, "norm", [&] { norm_of_tensor = norm(exec, unique); });
  const std::size_t rank = guess != nullptr ? guess->rank() : options.rank;
  const auto updates = modes_to_update(options, tensor.order());
  const auto prepare = [&] {
    Relabeling<Ordinal, Exec> relabeling(exec, unique);
    auto relabeled = relabeling.apply(exec, unique);
    MttkrpPlan<Scalar, Ordinal, Exec> plan(exec, std::move(relabeled), rank, options.mttkrp,
                                           preparation_order(updates, tensor.order()));
    return CpAlsProblem<Scalar, Ordinal, Exec>{
        std::move(relabeling), std::move(plan), tensor.dimensions(), updates, norm_of_tensor, rank};
  };
  std::optional<CpAlsProblem<Scalar, Ordinal, Exec>> problem;
  shared.time(exec, "prepare", [&] { problem.emplace(prepare()); });
  CpAlsResult<Scalar, Exec> best;
  std::vector<StartRecord> starts;
  for (std::size_t start = 0; start < options.starts; ++start) {
    Run run(exec, *problem, options, observer, start, watch.seconds());
    if (guess != nullptr) {
      run.start_from(*guess);
    } else {
      run.start_random(options.seed + start);
    }
    run.iterate();
    const bool first = start == 0;
    auto result = run.result(start + 1 == options.starts);
    starts.push_back({options.seed + start, result.fit, result.iterations, result.stop_reason});
    const bool better = !std::isfinite(best.fit) || result.fit > best.fit;
    const StopReason reason = result.stop_reason;
    if (first || better) {
      best = std::move(result);
      best.best_start = start;
    }
    // What ends a run from outside ends the whole search.
    if (reason == StopReason::observer || reason == StopReason::time_limit) break;
  }
  shared.time(exec, "inner_product", [&] { refine_residual(exec, unique, best); });
  for (const PhaseTiming& phase : shared.phases()) {
    for (PhaseTiming& timing : best.timings) {
      if (timing.name == phase.name) timing.seconds += phase.seconds;
    }
  }
  for (PhaseTiming& timing : best.timings) {
    if (timing.name == "total") timing.seconds = watch.seconds();
  }
  best.starts = std::move(starts);
  return best;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                 const CpAlsOptions& options,
                                 CpAlsObserverArgument<Scalar, Exec> observer) {
  check_ranges(options);
  if (tensor.order() == 0) throw Error("cp_als: expected a tensor of order 1 or more, got order 0");
  return detail::cp_als_starts(exec, tensor, static_cast<const Ktensor<Scalar, Exec>*>(nullptr),
                               options, observer);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                 const Ktensor<Scalar, Exec>& initial_guess,
                                 const CpAlsOptions& options,
                                 CpAlsObserverArgument<Scalar, Exec> observer) {
  check_ranges(options);
  if (options.starts != 1) {
    throw Error("cp_als: expected one start from a given initial guess, got " +
                std::to_string(options.starts));
  }
  if (initial_guess.dimensions() != tensor.dimensions() || initial_guess.rank() == 0) {
    throw Error(
        "cp_als: expected an initial guess with the tensor's dimensions and at least one "
        "component");
  }
  return detail::cp_als_starts(exec, tensor, &initial_guess, options, observer);
}

}  // namespace genten

#define GENTEN_ETI_CP_ALS(PREFIX, SCALAR, ORDINAL, EXEC)                                        \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::CpAlsOptions&, \
      const genten::CpAlsObserver<SCALAR, EXEC>&);                                              \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                              \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::CpAlsOptions&,                        \
      const genten::CpAlsObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CP_ALS, extern)
#endif
