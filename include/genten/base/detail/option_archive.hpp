// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Options and figures of results in archives of bytes.

#include <genten/base/detail/byte_archive.hpp>
#include <genten/base/option_field.hpp>
#include <genten/base/result_field.hpp>

#include <type_traits>

namespace genten::detail {

/// Of a selection of modes.
template <class Archive, class Self>
requires requires(Self& selection) {
  selection.all;
  selection.modes;
}
void archive_members(Archive& archive, Self& selection) {
  archive(selection.all);
  archive(selection.modes);
}
/// Of options of any solver, what their table lists.
template <class Archive, class Self>
requires requires {
  std::remove_const_t<Self>::fields();
}
void archive_members(Archive& archive, Self& options) {
  for_each_field(options, [&](const auto&, auto& value) { archive(value); });
}
/// Of a part of a result, what its table lists.
template <class Archive, class Self>
requires(!HasMembers<Self>) && requires {
  std::remove_const_t<Self>::figures();
}
void archive_members(Archive& archive, Self& part) {
  std::remove_const_t<Self>::figures().for_each(
      [&](const auto& line) { archive(part.*(line.member)); });
}

}  // namespace genten::detail
