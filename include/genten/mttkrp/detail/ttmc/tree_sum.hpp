// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TreeSum: Kronecker products of factor rows summed level by level, as one thread does it.

#include <genten/base/types.hpp>
#include <genten/format/record_layout.hpp>

#include <cstddef>
#include <vector>

namespace genten::detail {

/// One of the modes that a tensor is multiplied in.
template <class Scalar>
struct TtmcLevel {
  RecordField field;  ///< of its subscripts
  const Scalar* factor = nullptr;
  std::size_t stride = 0;  ///< of the factor's rows
  std::size_t columns = 0;
};

/// Sums over nonzeros that come sorted by a row's number and the levels' subscripts. sums(k) has
/// the sum over the nonzeros of the current subscripts of levels before k, of value times the
/// Kronecker product of the rows of levels k, k + 1, ...; the last of them varies fastest.
template <class Scalar>
class TreeSum {
 public:
  explicit TreeSum(const std::vector<TtmcLevel<Scalar>>& levels)
      : m_levels(levels), m_last(levels.size() - 1) {
    std::size_t length = 1;
    m_nodes.resize(levels.size());
    for (std::size_t k = levels.size(); k-- > 0;) {
      length *= levels[k].columns;
      m_nodes[k].sums.resize(length);
    }
  }

  /// Adds a nonzero of the row that is being summed.
  void add(const std::uint64_t* record, Scalar value) {
    std::size_t changed = 0;
    while (changed < m_last && m_nodes[changed].open &&
           m_levels[changed].field.get(record) == m_nodes[changed].subscript) {
      ++changed;
    }
    close(changed);
    for (std::size_t k = changed; k < m_last; ++k) {
      m_nodes[k].open = true;
      m_nodes[k].subscript = m_levels[k].field.get(record);
    }
    add_term(m_last, m_levels[m_last].field.get(record), &value, 1);
  }

  /// The row's sum; afterwards the next row begins. A row without nonzeros has none.
  [[nodiscard]] const Scalar* finish() {
    close(0);
    m_nodes[0].empty = true;
    return m_nodes[0].sums.data();
  }

 private:
  struct Node {
    std::vector<Scalar> sums;
    std::uint64_t subscript = 0;
    bool open = false;  ///< whether sums of the next level belong to `subscript`
    bool empty = true;  ///< whether `sums` are to be overwritten
  };

  /// Multiplies and adds what the levels from `first` on have open, the last ones first.
  void close(std::size_t first) {
    for (std::size_t k = m_last; k-- > first;) {
      Node& node = m_nodes[k];
      if (!node.open) continue;
      Node& below = m_nodes[k + 1];
      add_term(k, node.subscript, below.sums.data(), below.sums.size());
      below.empty = true;
      node.open = false;
    }
  }

  /// sums(k) += row of level k (x) terms.
  void add_term(std::size_t k, std::uint64_t subscript, const Scalar* terms, std::size_t count) {
    const TtmcLevel<Scalar>& level = m_levels[k];
    Node& node = m_nodes[k];
    const Scalar* const row = level.factor + subscript * level.stride;
    node.empty ? multiply<false>(row, level.columns, terms, count, node.sums.data())
               : multiply<true>(row, level.columns, terms, count, node.sums.data());
    node.empty = false;
  }

  template <bool Add>
  static void multiply(const Scalar* KOKKOS_RESTRICT row, std::size_t columns,
                       const Scalar* KOKKOS_RESTRICT terms, std::size_t count,
                       Scalar* KOKKOS_RESTRICT to) {
    if (count == 1) {
      const Scalar term = terms[0];
      for (std::size_t r = 0; r < columns; ++r) to[r] = (Add ? to[r] : Scalar(0)) + term * row[r];
      return;
    }
    for (std::size_t r = 0; r < columns; ++r, to += count) {
      const Scalar factor = row[r];
      for (std::size_t j = 0; j < count; ++j) {
        to[j] = (Add ? to[j] : Scalar(0)) + factor * terms[j];
      }
    }
  }

  const std::vector<TtmcLevel<Scalar>>& m_levels;
  std::size_t m_last;
  std::vector<Node> m_nodes;
};

}  // namespace genten::detail
