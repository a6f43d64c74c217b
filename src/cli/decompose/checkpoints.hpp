// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Checkpoints of genten decompose: writing them while a run goes on, and going on from one.

#include "decompose.hpp"

#include <genten/cp/observer.hpp>
#include <genten/io/checkpoint.hpp>

#include <exception>

namespace genten::cli {

/// Says on standard error that a checkpoint could not be written, and why. The run goes on.
void warn_of_checkpoint(const std::string& path, const std::string& why);

/// Whether the run writes checkpoints into the file that it goes on from.
[[nodiscard]] bool keeps_its_checkpoint(const DecomposeOptions& options);

/// Says on standard error where the run will replace a checkpoint that it does not go on from. On
/// all processes.
void tell_of_earlier_checkpoint(const DecomposeOptions& options);

/// The checkpoints of a run.
class Checkpoints {
 public:
  explicit Checkpoints(const DecomposeOptions& options)
      : m_path(options.checkpoint), m_every(options.checkpoint_every) {}

  /// Writes a checkpoint where the options want one after this iteration, or where it is the last:
  /// `interrupted`, or one after which the start ends. One that cannot be written is told of,
  /// unless that before it could not be either, and tried again the next time.
  template <RealScalar Scalar, ExecutionSpace Exec>
  void keep(const KtensorIteration<Scalar, Exec>& iteration, bool interrupted) {
    if (m_path.empty()) return;
    const bool due = iteration.record.iteration % m_every == 0;
    if (!due && !interrupted && !iteration.ends) return;
    try {
      write_checkpoint(m_path, iteration.checkpoint());
      m_trouble.clear();
    } catch (const std::exception& error) {
      note_trouble(tools::sentence(error));
    }
  }

  /// Throws Error of kind `file` where the last one that was due could not be written.
  void require_last() const;

 private:
  void note_trouble(const std::string& why);

  std::string m_path;
  std::size_t m_every;
  std::string m_trouble;  ///< of the last one
};

/// Before the tensor is read, on all processes, by what the first finds in the checkpoint:
/// complains of options that mean nothing beside --resume or are not those of the checkpoint, and
/// sets the precision, the loss and what is missing to what they are there.
void prepare_to_resume(DecomposeOptions& options);

}  // namespace genten::cli
