// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Words of tables that stand for true and false.

#include <array>
#include <string_view>
#include <utility>

namespace genten {

/// The words for true and false, in lower case. They are no values of a tensor: messages say how 1
/// and 0 are made of them.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 4> truth_words = {
    {{"true", "false"}, {"yes", "no"}, {"t", "f"}, {"y", "n"}}};

}  // namespace genten
