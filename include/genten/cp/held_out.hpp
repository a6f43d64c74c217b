// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// hold_out: some of a tensor's entries are set aside, to test models by that have not seen them.

#include <genten/core/sptensor.hpp>
#include <genten/cp/loss_gradient.hpp>

#include <cstdint>
#include <optional>

namespace genten {

/// The entries of a tensor, those that test a model apart from the others. All are distinct.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct SplitEntries {
  /// A tensor of the same types.
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;
  Tensor counted;              ///< listed, and neither missing nor held out
  std::optional<Tensor> away;  ///< missing and, where unlisted entries are zeros, held-out ones
  Tensor held_out;             ///< perhaps without entries
};

/// Holds out that part of the entries that count, 0 < part < 1, as cp_gcp does. Where unlisted
/// entries are missing, listed ones are, by a hash of their subscripts and `seed`; else that part
/// of all entries of the box is drawn from `seed` alone, without repetition, so that zeros are
/// among them in proportion. `tensor` must be free of duplicates; `missing` lists entries that do
/// not count. Throws Error where nothing is held out.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] SplitEntries<Scalar, Ordinal, Exec> hold_out(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    UnlistedEntries unlisted, double part, std::uint64_t seed);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/cp_gcp.hpp>
#endif
