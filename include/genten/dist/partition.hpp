// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Partition: which process computes which nonzero.

#include <genten/dist/grid.hpp>

#include <span>
#include <vector>

namespace genten {

/// A partition of all possible nonzeros of a tensor among processes, as a function of their
/// subscripts alone: equal subscripts always meet on one process, and every process can tell of any
/// nonzero whose it is. It is a binary tree of cuts, P - 1 of them for P processes, small enough to
/// be sent to all.
///
/// A cut takes apart what lies below and above a nonzero's place in the order (mode n first, then
/// all modes from the first to the last), so that even the nonzeros of a single row are divided.
class Partition {
 public:
  /// A cut in a mode. Nonzeros of other rows than `row` are decided by their row, those of `row`
  /// by whether their subscripts come before a given place.
  struct Cut {
    std::uint64_t row;
    std::int32_t mode;
    std::int32_t below;  ///< the next cut, or, where negative, ~process
    std::int32_t above;
  };

  /// All nonzeros of a tensor of that order on one process.
  explicit Partition(int order) : m_order(order) {}

  [[nodiscard]] int order() const { return m_order; }
  [[nodiscard]] std::size_t processes() const { return m_cuts.size() + 1; }
  /// The cuts, the first of all in front.
  [[nodiscard]] const std::vector<Cut>& cuts() const { return m_cuts; }
  /// The place at which a cut divides its row: the first subscripts that are above it.
  [[nodiscard]] std::span<const std::uint64_t> place(std::size_t cut) const {
    return {m_places.data() + cut * static_cast<std::size_t>(m_order),
            static_cast<std::size_t>(m_order)};
  }

  /// Adds a cut and returns its number; whoever builds a tree sets `below` and `above`. `place`:
  /// one subscript a mode.
  std::size_t add(int mode, std::span<const std::uint64_t> place);
  /// Sets what lies at one side of a cut.
  void set(std::size_t cut, bool above, std::int32_t next) {
    (above ? m_cuts[cut].above : m_cuts[cut].below) = next;
  }

  /// The process of the nonzero with these subscripts, `at(n)` in mode n.
  template <class Subscript>
  [[nodiscard]] std::uint32_t process_of(const Subscript& at) const {
    if (m_cuts.empty()) return 0;
    std::int32_t next = 0;
    while (next >= 0) {
      const Cut& cut = m_cuts[static_cast<std::size_t>(next)];
      const std::uint64_t row = at(cut.mode);
      const bool above = row != cut.row ? row > cut.row : !comes_before(at, next);
      next = above ? cut.above : cut.below;
    }
    return static_cast<std::uint32_t>(~next);
  }

 private:
  template <class Subscript>
  [[nodiscard]] bool comes_before(const Subscript& at, std::int32_t cut) const {
    const auto there = place(static_cast<std::size_t>(cut));
    for (int n = 0; n < m_order; ++n) {
      const std::uint64_t here = at(n), other = there[static_cast<std::size_t>(n)];
      if (here != other) return here < other;
    }
    return false;
  }

  int m_order;
  std::vector<Cut> m_cuts;
  std::vector<std::uint64_t> m_places;
};

/// The processes of a grid, the last mode changing fastest, with those layers in each mode. Throws
/// Error where grid and cuts do not belong together.
[[nodiscard]] Partition grid_partition(const Grid& grid, const std::vector<LayerCuts>& cuts);

/// The grid with layers of even numbers of nonzeros in each mode.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition grid_partition(const TensorSlices<Ordinal>& slices, const Grid& grid);

/// The process of each nonzero, in the order of the tensor.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] detail::HostArray<std::uint32_t> processes_of(const HostExec& exec,
                                                            const Partition& partition,
                                                            const TensorSlices<Ordinal>& slices);

}  // namespace genten
