// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a contraction reads, on every backend.

#include <genten/format/key_layout.hpp>

namespace genten::detail {

/// A matrix whose rows are gathered: its rows are picked by `field` of the key.
template <class Scalar>
struct GatheredTable {
  KeyField field;
  const Scalar* data = nullptr;
  std::size_t stride = 0;
};

/// Nonzeros and tables of a walk. Plain pointers, valid during one contraction.
template <class Scalar>
struct WalkInput {
  const std::uint64_t* keys = nullptr;
  const Scalar* values = nullptr;
  int words = 1;
  KeyField row;
  int count = 0;  ///< gathered tables
  Kokkos::Array<GatheredTable<Scalar>, max_order> tables{};
};

}  // namespace genten::detail
