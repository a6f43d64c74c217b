// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MemberTable: what tables of options, of results and of states are made of. std::tuple would do,
/// but its elements are nested in one another: files that see the tables of all solvers took half
/// as long again to parse.

#include <cstddef>
#include <utility>

namespace genten {

/// One of the lines of a table.
template <std::size_t Number, class Line>
struct TableLine {
  Line line;
};

namespace detail {

template <class Numbers, class... Lines>
struct TableLines;

template <std::size_t... Numbers, class... Lines>
struct TableLines<std::index_sequence<Numbers...>, Lines...> : TableLine<Numbers, Lines>... {
  template <class Visitor>
  constexpr void visit_all(Visitor& visit) const {
    (visit(this->TableLine<Numbers, Lines>::line), ...);
  }
};

}  // namespace detail

/// Lines in their order, each of its own type.
template <class... Lines>
struct MemberTable : detail::TableLines<std::index_sequence_for<Lines...>, Lines...> {
  /// Calls visit(line) for each.
  template <class Visitor>
  constexpr void for_each(Visitor&& visit) const {
    this->visit_all(visit);
  }
};

/// A table of these lines. Of options, a line may be a table itself: its lines stand in its place.
template <class... Lines>
[[nodiscard]] constexpr MemberTable<Lines...> member_table(const Lines&... lines) {
  return {{{lines}...}};
}

/// The line of that number of a table, from 0.
template <std::size_t Number, class Line>
[[nodiscard]] constexpr const Line& line_of(const TableLine<Number, Line>& table) {
  return table.line;
}

}  // namespace genten
