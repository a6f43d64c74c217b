// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Checkpoints in files: a model with what a solver needs to go on.

#include <genten/core/ktensor.hpp>

#include <string>

namespace genten {

/// Where a solver stood, so that it can go on there: see cp_als.
template <class Model>
struct Checkpoint {
  Model model;        ///< the best so far
  std::string state;  ///< the solver's own affair
};

namespace detail {
/// Compiled into the library for float and double.
template <RealScalar Scalar>
Checkpoint<Ktensor<Scalar, HostExec>> read_checkpoint_file(const std::string& path);
template <RealScalar Scalar>
void write_checkpoint_file(const std::string& path,
                           const Checkpoint<Ktensor<Scalar, HostExec>>& checkpoint);
}  // namespace detail

/// Bytes that a number of a checkpoint's model takes, 4 or 8: its precision. Throws Error of kind
/// `file` for a file that is no checkpoint.
[[nodiscard]] std::size_t checkpoint_scalar_bytes(const std::string& path);

/// Reads a checkpoint, whose precision must be that of Scalar. Whatever is wrong with the file, a
/// checksum included, is an Error of kind `file`.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] Checkpoint<Ktensor<Scalar, Exec>> read_checkpoint(const std::string& path) {
  auto checkpoint = detail::read_checkpoint_file<Scalar>(path);
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return checkpoint;
  } else {
    return {clone_to<Exec>(checkpoint.model), std::move(checkpoint.state)};
  }
}

/// Writes a checkpoint in Genten's binary form, which read_ktensor reads as a model. The file
/// appears under its name, in place of an older one, when it is complete.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_checkpoint(const std::string& path,
                      const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    detail::write_checkpoint_file<Scalar>(path, checkpoint);
  } else {
    detail::write_checkpoint_file<Scalar>(path,
                                          {clone_to<HostExec>(checkpoint.model), checkpoint.state});
  }
}

}  // namespace genten
