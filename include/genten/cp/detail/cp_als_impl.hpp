// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/cp/detail/cp_als_starts.hpp>

namespace genten::detail {

/// The whole of cp_als.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> run_cp_als(const Exec& exec,
                                     const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                     const Ktensor<Scalar, Exec>* guess,
                                     const CpAlsOptions& options,
                                     const KtensorObserver<Scalar, Exec>& observer) {
  const Stopwatch watch;
  const auto updates = modes_to_update(options, tensor.order());
  PhaseTimings timings{"merge", "norm",  "prepare", "setup",   "gram",    "mttkrp",
                       "solve", "scale", "loop",    "release", "arrange", "inner_product"};
  // Duplicates would be fine for MTTKRP but not for the norm.
  const auto distinct =
      timings.time(exec, "merge", [&] { return sum_duplicates(exec, tensor).tensor; });
  auto unscaled = timings.time(exec, "norm", [&] {
    return UnscaledTensor<Scalar, Ordinal, Exec>::of(exec, distinct, options);
  });
  auto problem = timings.time(exec, "prepare", [&] {
    const std::size_t rank = guess != nullptr ? guess->rank() : options.rank;
    return prepare_cp_als(exec, unscaled, rank, updates, options, guess != nullptr);
  });
  unscaled.tensor = {};

  CpAlsStarts<Scalar, Ordinal, Exec> starts(exec, distinct, problem, options, observer);
  starts.run(guess, timings, watch);
  CpAlsResult<Scalar, Exec> result = starts.result(timings);
  // Models of long modes take more memory than all that was needed to find them.
  timings.time("release", [&] { problem.plan.reset(); });
  result.model = timings.time(exec, "arrange", [&] { return starts.take_model(); });
  timings.time(exec, "inner_product",
               [&] { refine_residual(exec, distinct, problem, result.model, result); });
  result.starts[result.best_start].fit = result.fit;
  result.timings = timings.phases();
  // A device's marks have a clock of their own.
  result.timings.push_back({"total", std::max(watch.seconds(), timings.sum())});
  return result;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                 const CpAlsOptions& options,
                                 ObserverArgument<Scalar, Exec> observer) {
  check_ranges(options);
  if (tensor.order() == 0) throw Error("cp_als: expected a tensor of order 1 or more, got order 0");
  return detail::run_cp_als(exec, tensor, static_cast<const Ktensor<Scalar, Exec>*>(nullptr),
                            options, observer);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                 const Ktensor<Scalar, Exec>& initial_guess,
                                 const CpAlsOptions& options,
                                 ObserverArgument<Scalar, Exec> observer) {
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
  return detail::run_cp_als(exec, tensor, &initial_guess, options, observer);
}

}  // namespace genten

#define GENTEN_ETI_CP_ALS(PREFIX, SCALAR, ORDINAL, EXEC)                                        \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::CpAlsOptions&, \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                            \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                              \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::CpAlsOptions&,                        \
      const genten::KtensorObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CP_ALS, extern)
#endif
