// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ResultField: one line of a table of what a run has come to. JSON and Python's dictionary follow
/// from these tables, `figures()` of each aggregate: a new figure is one member and one line.

#include <genten/base/member_table.hpp>

#include <string_view>

namespace genten {

/// A member of `Owner` and its name, with underscores.
template <class Owner, class T>
struct ResultField {
  std::string_view name;
  T Owner::*member;
};
/// A line of the table, its types taken from `member`.
template <class Owner, class T>
[[nodiscard]] constexpr auto result_field(std::string_view name, T Owner::*member) {
  return ResultField<Owner, T>{name, member};
}

/// Calls `visit(name, value)` for each line of the table of `Owner`, in order.
template <class Owner, class Visitor>
constexpr void for_each_figure(const Owner& owner, Visitor&& visit) {
  Owner::figures().for_each([&](const auto& line) { visit(line.name, owner.*(line.member)); });
}

}  // namespace genten
