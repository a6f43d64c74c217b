// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a contraction reads, on every backend.

#include <genten/format/record_layout.hpp>

namespace genten::detail {

/// A matrix whose rows are gathered: its rows are picked by `field` of the record.
template <class Scalar>
struct GatheredFactor {
  RecordField field;
  const Scalar* data = nullptr;
};

/// Which rows a loop of the host asks for some nonzeros ahead.
enum class RowFetch {
  none,
  last,  ///< those of the last factor, which come from memory
  /// Those of the last factor past the L2 cache, since they come from the shared cache and have
  /// left L2 before they are used again; and those of the others, which lie there.
  non_temporal
};

/// The nonzeros and the factors of a contraction. Plain pointers, valid during one contraction.
template <class Scalar>
struct ContractionInput {
  const std::uint64_t* records = nullptr;
  const Scalar* dictionary = nullptr;
  RecordLayout layout;
  RecordField row;
  std::size_t stride = 0;  ///< elements from one row to the next, of all factors and of the output
  int count = 0;           ///< gathered factors
  RowFetch fetch = RowFetch::none;
  Kokkos::Array<GatheredFactor<Scalar>, max_order> factors{};
  const Scalar* own = nullptr;  ///< rows of the output's own mode; only traversals read them
};

}  // namespace genten::detail
