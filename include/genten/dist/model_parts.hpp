// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A model of which every process has some rows: brought to process 0, or written by all to one
/// file.

#include <genten/core/ktensor.hpp>
#include <genten/cp/components.hpp>
#include <genten/cp/model_part.hpp>
#include <genten/dist/communicator.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace genten {

/// Bytes of a model that go from process to process at once, of all processes together: what a
/// process takes beside its rows is at most some times as much.
inline constexpr std::size_t usual_model_round = std::size_t{64} << 20;

/// The whole model in the memory of process 0's host; on the others one without components. Rows
/// that no process has are zeros. All processes call it. Throws Error of kind memory, on all, where
/// one has too little.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, HostExec> gather(Communicator& processes,
                                               const ModelPart<Scalar, Exec>& part,
                                               std::size_t round_bytes = usual_model_round);

/// Writes a model in the binary form: the file that process 0 would write of what `gather` gives,
/// byte for byte, and as `write_ktensor` does, but each process writes a part of it at its place,
/// and none takes memory for more than its rows and some times `round_bytes`. All processes call
/// it, with the same path; the file is process 0's. Returns the processes that cannot reach it,
/// whose part the others write: those of machines that do not share its file system. What is no
/// regular file, as a pipe, process 0 writes alone, with the whole model. Throws Error of kind
/// `file`, on all processes, where one of them cannot write; then nothing is left of it.
template <RealScalar Scalar, ExecutionSpace Exec>
std::vector<std::size_t> write_ktensor(Communicator& processes, const std::string& path,
                                       const ModelPart<Scalar, Exec>& part,
                                       std::size_t round_bytes = usual_model_round);

/// `component_facts` of the whole model, by the sum of the processes' Gram matrices, in their
/// order. All processes call it, and get the same. Squares of elements must be within the range of
/// double. Throws Error of kind memory, on all, where one has too little.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ComponentFacts component_facts(const Exec& exec, Communicator& processes,
                                             const ModelPart<Scalar, Exec>& part);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/dist/detail/model_parts_impl.hpp>
#endif
