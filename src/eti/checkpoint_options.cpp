// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/apr/cp_apr_impl.hpp>
#include <genten/cp/detail/completion/cp_completion_impl.hpp>
#include <genten/cp/detail/cp_als_impl.hpp>
#include <genten/cp/detail/gcp/cp_gcp_impl.hpp>

/// What checkpoints say of their runs.
#define GENTEN_ETI_CHECKPOINT_OPTIONS(PREFIX, SCALAR, EXEC)                          \
  PREFIX template genten::CpAlsOptions genten::checkpoint_options(                   \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template genten::CpAprOptions genten::checkpoint_apr_options(               \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template bool genten::is_apr_checkpoint(                                    \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template genten::CpCompletionOptions genten::checkpoint_completion_options( \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template genten::CompletionCheckpoint genten::completion_checkpoint(        \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template genten::CpGcpOptions genten::checkpoint_gcp_options(               \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template genten::AnyLoss genten::checkpoint_gcp_loss(                       \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template bool genten::lists_missing_entries(                                \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);                     \
  PREFIX template bool genten::is_gcp_checkpoint(                                    \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);

GENTEN_ETI_SCALARS(GENTEN_ETI_CHECKPOINT_OPTIONS, )
