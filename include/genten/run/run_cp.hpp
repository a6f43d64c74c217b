// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// run_cp: a request and a tensor in, a model and its report out; the one place where solvers are
/// chosen.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/observer.hpp>
#include <genten/run/predictions.hpp>
#include <genten/run/report.hpp>
#include <genten/run/request.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <algorithm>
#include <functional>
#include <string_view>

namespace genten {

/// What a run begins at, if not at random factors: one of them, or none. A guess brings its rank.
template <RealScalar Scalar, ExecutionSpace Exec>
struct Beginning {
  std::optional<Ktensor<Scalar, Exec>> guess = std::nullopt;
  std::optional<Checkpoint<Ktensor<Scalar, Exec>>> checkpoint = std::nullopt;
};

/// Asked now and then whether what is under way is to end; empty: never.
using InterruptCheck = std::function<bool()>;

/// The result of any solver.
template <RealScalar Scalar, ExecutionSpace Exec>
struct CpRun {
  Ktensor<Scalar, Exec> model;
  CpFigures figures;
  OwnFigures own;
  RunTrust trust = {};
};

/// What is to be known of the data before the run of a settled request: slices that leave it
/// without a minimum, for which that run then does not look again. Of entries that are held out it
/// knows nothing: the run finds and tells of slices then. Nothing where it fails.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<Note> notes_before_run(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    CpRequest& request) {
  std::vector<Note> notes;
  if (request.solver() != Solver::gcp || request.gcp.holdout > 0.0) return notes;
  request.gcp.slices = unless_it_fails([&] {
    return std::optional(slices_without_minimum(exec, tensor, missing ? &*missing : nullptr,
                                                request.any_loss().facts(), request.gcp));
  });
  if (!request.gcp.slices) return notes;
  for (const GcpWarning& warning : *request.gcp.slices) notes.push_back(note_of(warning));
  return notes;
}

/// Runs the solver of a request that is settled. `missing` lists the entries that do not count,
/// where the request says that they are listed. Of several starts it keeps the models, on the host,
/// if they fit in a quarter of what is free, to say how often each component is found. Error bars
/// follow, unless the observer has ended the run. When `interrupted` says so, a run by Adam ends
/// within its epoch; so does a bootstrap, also when the request's time limit is over, run included,
/// and keeps the refits that are made. Throws
/// what the solver throws and, before the run, Error for error bars that cannot be had.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpRun<Scalar, Exec> run_cp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    const CpRequest& request, const std::type_identity_t<Beginning<Scalar, Exec>>& beginning,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer,
    const InterruptCheck& interrupted = {});

namespace detail {
[[nodiscard]] CpRequest saved_request(std::string_view state);
}  // namespace detail

/// The request of the run that a checkpoint is of: its solver, its loss, what was missing, and all
/// options of the solver. Throws Error for a checkpoint of a loss that is not the library's.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpRequest request_of(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::saved_request(checkpoint.state);
}

/// The report of a run.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] RunReport run_report(const CpRun<Scalar, Exec>& run, const ComponentFacts& components,
                                   const RunSettings& settings) {
  RunSettings of_run = settings;
  // A signal that has ended the bootstrap did not come too late.
  of_run.is_interrupted = settings.is_interrupted && !is_interrupted(run.trust);
  if (settings.has_missing && settings.models_means && settings.entries.values) {
    const ValueRange& values = *settings.entries.values;
    const double largest = std::max(values.highest, -values.lowest);
    of_run.far_predictions =
        unless_it_fails([&] { return part_beyond(Exec(), run.model, times_the_data * largest); });
  }
  RunReport report = run_report(run.figures, run.own, run.model.weights(), components, of_run);
  report.trust = run.trust;
  const std::size_t starts = run.figures.starts.size();
  for (Note& note : notes_of(run.trust, report.weights, report.notes, false, starts)) {
    report.notes.push_back(std::move(note));
  }
  return report;
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/run/detail/run_cp_impl.hpp>
#endif
