// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What becomes of the model that genten decompose has found: of one process, and of several ranks,
/// which have it in parts.

#include "decompose.hpp"
#include "outputs.hpp"
#include "ranks.hpp"

namespace genten::cli {

/// A model that was written, if it was to be.
template <RealScalar Scalar>
struct SavedModel {
  std::string file;  ///< that holds it now, "" for none
  /// Where the report is written, if it makes use of the whole.
  Ktensor<Scalar, HostExec> model;
};

/// Whether the report or a file needs the whole model in one place. The binary form is written by
/// all who have a part.
[[nodiscard]] bool needs_whole_model(const DecomposeOptions& options);

/// Throws Error of kind memory, before the work, where the finished model could not be handed from
/// a device to the host or put together there, or where a form needs more: the binary one of one
/// process holds rows without padding. `beside`: bytes that the host has in hand meanwhile.
void require_output_memory(const DecomposeOptions& options, const TensorFacts& facts,
                           std::size_t scalar_bytes, double beside);

/// Bytes of the factors that a solver has while it hands its model to the host, where they are the
/// host's and not the model themselves.
template <class Tensor>
[[nodiscard]] double bytes_beside_model(const Tensor&, std::size_t) {
  return 0.0;
}
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] double bytes_beside_model(const RanksTensor<Scalar, Ordinal>& tensor,
                                        std::size_t rank) {
  if (!is_host_space<Kokkos::DefaultExecutionSpace>) return 0.0;
  double rows = 0.0;
  for (const auto& mode : tensor.parts.shared) rows += static_cast<double>(mode.rows.size());
  return rows * static_cast<double>(padded_stride(rank, sizeof(Scalar)) * sizeof(Scalar));
}

/// The places where ranks may write a model that cannot be written to `path`: those of the first.
[[nodiscard]] std::vector<std::string> rescue_places_of_ranks(Communicator& ranks,
                                                              const std::string& path);
/// Says which ranks could not reach a file, if any.
void tell_of_absent_ranks(const std::string& path, const std::vector<std::size_t>& absent);

/// `save_model` by all ranks. All call it, and get the same.
template <RealScalar Scalar, ExecutionSpace Exec>
std::string save_parts(Attempts& attempt, Communicator& ranks, const std::string& path,
                       const ModelPart<Scalar, Exec>& part) {
  const auto write = [&](const std::string& place) {
    tell_of_absent_ranks(place, write_ktensor(ranks, place, part));
  };
  if (attempt([&] { write(path); })) return path;
  std::string written;
  for (const std::string& place : rescue_places_of_ranks(ranks, path)) {
    try {
      write(place);
      written = place;
      break;
    } catch (const AgreedError&) {  // told of with the last of them
    }
  }
  tell_of_rescue(written);
  return written;
}

/// Writes the model of a run, wherever it lies, and brings it to the first rank's host where that
/// is of use. All ranks call it; what fails is told at once.
template <RealScalar Scalar, class Result>
[[nodiscard]] SavedModel<Scalar> save_result(Attempts& attempt, const DecomposeOptions& options,
                                             const Result& result, const Labels& labels) {
  SavedModel<Scalar> saved;
  const auto save_whole = [&] {
    saved.file = save_model(attempt, options.output, saved.model, labels);
  };
  if constexpr (requires { result.part; }) {
    Communicator& ranks = RanksOfProgram::now()->ranks();
    const bool by_all = tools::model_form(options.output) == tools::ModelForm::binary;
    if (by_all) saved.file = save_parts(attempt, ranks, options.output, result.part);
    if (!needs_whole_model(options)) return saved;
    const bool whole = attempt([&] { saved.model = gather(ranks, result.part); });
    if (whole && !by_all && is_first_rank()) save_whole();
  } else {
    attempt([&] {
      saved.model = create_mirror_view_and_copy(result.model);
      save_whole();
    });
  }
  return saved;
}

}  // namespace genten::cli
