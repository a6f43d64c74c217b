// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TensorSlices: the nonzeros of a sparse tensor in the order of the rows of each mode.

#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/sptensor.hpp>

#include <span>
#include <vector>

namespace genten {

/// One mode: which rows have nonzeros, and which nonzeros each of them has.
template <SubscriptOrdinal Ordinal>
struct ModeSlices {
  std::vector<Ordinal> rows;          ///< rows with nonzeros, ascending
  std::vector<std::uint64_t> starts;  ///< where the nonzeros of each of them begin; at last, nnz
  /// Positions in the tensor, by row; within a row in the lexicographic order of the subscripts.
  detail::HostArray<std::uint32_t> positions;

  /// The number of nonzeros of the row at a place among `rows`.
  [[nodiscard]] std::uint64_t count(std::size_t place) const {
    return starts[place + 1] - starts[place];
  }
};

/// What partitions of a tensor are made and counted from. It depends on the nonzeros and not on
/// the order in which they are stored, but for `positions` themselves.
template <SubscriptOrdinal Ordinal>
class TensorSlices {
 public:
  using Subscripts = Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;

  /// Sorts positions for each mode: 4 bytes a nonzero and mode, and 16 a row with nonzeros. Throws
  /// Error for 2^32 nonzeros or more, and of kind memory where there is not enough.
  TensorSlices(const HostExec& exec, std::vector<std::size_t> dimensions,
               const Subscripts& subscripts, SptensorFacts facts);
  template <RealScalar Scalar>
  TensorSlices(const HostExec& exec, const Sptensor<Scalar, Ordinal, HostExec>& tensor)
      : TensorSlices(exec, tensor.dimensions(), tensor.subscripts(), tensor.facts()) {}

  [[nodiscard]] int order() const { return static_cast<int>(m_dimensions.size()); }
  [[nodiscard]] std::size_t nnz() const { return m_subscripts.extent(0); }
  [[nodiscard]] const std::vector<std::size_t>& dimensions() const { return m_dimensions; }
  [[nodiscard]] const Subscripts& subscripts() const { return m_subscripts; }
  [[nodiscard]] const ModeSlices<Ordinal>& mode(int n) const {
    return m_modes[static_cast<std::size_t>(n)];
  }

 private:
  std::vector<std::size_t> m_dimensions;
  Subscripts m_subscripts;
  std::vector<ModeSlices<Ordinal>> m_modes;
};

}  // namespace genten
