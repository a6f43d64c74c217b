// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Subscripts as Python has them, checked and brought into the library's form.

#include "arrays.hpp"

#include <genten/core/sptensor.hpp>

namespace genten::python {

/// The subscripts of one mode, whatever their type and wherever they lie.
struct SubscriptColumn {
  const char* data;
  std::int64_t stride;  ///< bytes from one to the next
  nb::dlpack::dtype type;
};

/// Subscripts of all modes: columns of one matrix, or an array each.
class SubscriptColumns {
 public:
  /// A nnz x N matrix, or N vectors of one length. Throws Error for other shapes, and for what are
  /// not integers of the host's byte order.
  explicit SubscriptColumns(const AnyArray& matrix);
  explicit SubscriptColumns(const std::vector<AnyArray>& vectors);

  [[nodiscard]] offset_t count() const { return m_count; }
  [[nodiscard]] int order() const { return static_cast<int>(m_columns.size()); }
  [[nodiscard]] const std::vector<SubscriptColumn>& columns() const { return m_columns; }

  /// The matrix itself where its elements are what a tensor of `Ordinal`s holds; negative ones of
  /// the signed type, which are refused anyway, aside. Else null.
  template <SubscriptOrdinal Ordinal>
  [[nodiscard]] const Ordinal* packed() const;

  /// What errors say of a row of subscripts.
  struct Row {
    const char* function = "Sptensor";
    const char* noun = "nonzero";
  };
  /// Throws Error naming the first row with a subscript outside of its mode. With a place to
  /// write to, writes the subscripts there, row by row. One parallel pass.
  template <SubscriptOrdinal Ordinal>
  void check(const std::vector<std::size_t>& dimensions, Ordinal* to, const Row& row) const;
  template <SubscriptOrdinal Ordinal>
  void check(const std::vector<std::size_t>& dimensions, Ordinal* to) const {
    check(dimensions, to, Row());
  }

 private:
  [[noreturn]] void refuse(offset_t index, const std::vector<std::size_t>& dimensions,
                           const Row& row) const;

  std::vector<SubscriptColumn> m_columns;
  offset_t m_count = 0;
};

}  // namespace genten::python
