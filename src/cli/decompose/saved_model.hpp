// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What becomes of the model that genten decompose has found: of one process, and of several
/// processes, which have it in parts.

#include "decompose.hpp"
#include "outputs.hpp"
#include "processes.hpp"

namespace genten::cli {

/// A model that was written, if it was to be.
template <RealScalar Scalar>
struct SavedModel {
  std::string file;  ///< that holds it now, "" for none
  /// Where the report is written, if it makes use of the whole; without components where it could
  /// not be put together.
  Ktensor<Scalar, HostExec> model;
};

/// Whether the report or a file needs the whole model in one place. The binary form is written by
/// all who have a part.
[[nodiscard]] bool needs_whole_model(const DecomposeOptions& options);

/// Bytes of the host that a solver has in hand while it hands its model over.
struct BesideModel {
  double factors = 0.0;      ///< where they are the host's and not the model themselves
  double row_numbers = 0.0;  ///< of a process
};
template <class Tensor>
[[nodiscard]] BesideModel beside_model(const Tensor&, std::size_t) {
  return {};
}
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] BesideModel beside_model(const ProcessesTensor<Scalar, Ordinal>& tensor,
                                       std::size_t rank) {
  const bool on_host = is_host_space<Kokkos::DefaultExecutionSpace>;
  return {on_host ? process_factor_bytes(tensor.parts, rank) : 0.0, row_number_bytes(tensor.parts)};
}

/// Throws Error of kind memory, before the work, where the finished model could not be handed from
/// a device to the host or put together there, or where a form needs more: the binary one of one
/// process holds rows without padding.
void require_output_memory(const DecomposeOptions& options, const TensorFacts& facts,
                           std::size_t scalar_bytes, const BesideModel& beside);

/// Throws Error of kind memory, before the work, where process 0 could not put checkpoints
/// together. All processes call it.
template <class Tensor>
void require_checkpoint_memory(const DecomposeOptions&, const Tensor&) {}
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void require_checkpoint_memory(const DecomposeOptions& options,
                               const ProcessesTensor<Scalar, Ordinal>& tensor) {
  if (options.checkpoint.empty()) return;
  require_memory_to_gather<Kokkos::DefaultExecutionSpace>(ProcessesOfProgram::now()->processes(),
                                                          tensor.parts, options.common.rank,
                                                          options.common, WholeModel::checkpoints);
}

/// Attempts what all processes do together. What they have not agreed on ends them all: one that
/// went on alone would wait for the others.
bool attempt_together(Attempts& attempt, const std::function<void()>& step);

/// The places where processes may write a model that cannot be written to `path`: those of the
/// first.
[[nodiscard]] std::vector<std::string> rescue_places_of_processes(Communicator& processes,
                                                                  const std::string& path);
/// Says which processes could not reach a file, if any.
void tell_of_absent_processes(const std::string& path, const std::vector<std::size_t>& absent);

/// Writes a model that did not get to `path` to the first of the rescue places that takes it, whose
/// names get `ending` behind them. All processes call it, and get the name of the file, "" for
/// none.
template <RealScalar Scalar, ExecutionSpace Exec>
std::string rescue_parts(Communicator& processes, const std::string& path,
                         const std::string& ending, const ModelPart<Scalar, Exec>& part) {
  std::string written;
  for (const std::string& place : rescue_places_of_processes(processes, path)) {
    try {
      tell_of_absent_processes(place + ending, write_ktensor(processes, place + ending, part));
      written = place + ending;
      break;
    } catch (const AgreedError&) {  // told of with the last of them
    }
  }
  tell_of_rescue(written);
  return written;
}

/// `save_model` by all processes. All call it, and get the same.
template <RealScalar Scalar, ExecutionSpace Exec>
std::string save_parts(Attempts& attempt, Communicator& processes, const std::string& path,
                       const ModelPart<Scalar, Exec>& part) {
  const bool written = attempt_together(
      attempt, [&] { tell_of_absent_processes(path, write_ktensor(processes, path, part)); });
  return written ? path : rescue_parts(processes, path, "", part);
}

/// Writes the model of a run, wherever it lies, and brings it to the first process's host where
/// that is of use. All processes call it; what fails is told at once.
template <RealScalar Scalar, class Result>
[[nodiscard]] SavedModel<Scalar> save_result(Attempts& attempt, const DecomposeOptions& options,
                                             const Result& result, const OutputNames& names) {
  SavedModel<Scalar> saved;
  const auto save_whole = [&] {
    saved.file = save_model(attempt, options.output, saved.model, names);
  };
  if constexpr (requires { result.part; }) {
    Communicator& processes = ProcessesOfProgram::now()->processes();
    const bool by_all = tools::model_form(options.output) == tools::ModelForm::binary;
    if (by_all) saved.file = save_parts(attempt, processes, options.output, result.part);
    if (!needs_whole_model(options)) return saved;
    const bool whole =
        attempt_together(attempt, [&] { saved.model = gather(processes, result.part); });
    if (by_all || options.output.empty()) return saved;
    if (!whole) {  // each process still has its rows, which the binary form takes as they are
      saved.file = rescue_parts(processes, options.output, ".gkt", result.part);
    } else if (is_first_process()) {
      save_whole();
    }
  } else {
    attempt([&] {
      saved.model = create_mirror_view_and_copy(result.model);
      save_whole();
    });
  }
  return saved;
}

}  // namespace genten::cli
