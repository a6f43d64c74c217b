// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Programs that one process or several ranks of a launcher run: what they do together.

#include "ranks.hpp"
#include "tools/kokkos/session.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten::tools {

/// Runs `body`; on several ranks so that all throw what one does.
void on_all_ranks(const std::function<void()>& body);

/// Runs `body` on the only rank or the first; all throw what it throws.
void on_first_rank(const std::function<void()>& body);
/// A value of the first rank, on all.
template <class T>
[[nodiscard]] T of_first_rank(T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  RankModule* const module = RanksOfProgram::now();
  if (module != nullptr) module->ranks().broadcast(&value, sizeof value, 0);
  return value;
}

/// Is this the only rank, or the first, which has the model and writes?
[[nodiscard]] bool is_first_rank();

/// `run_program` for a program that a launcher may have started as several ranks, which
/// RanksOfProgram then has; the first one speaks.
int run_program_on_ranks(std::string_view program, const std::function<int()>& body);

/// Runs `body` in a session of Kokkos with these arguments. Of several ranks each has cores and a
/// device of its own; usage errors and AgreedErrors leave as they are, being those of all ranks,
/// and what not all of them know of ends them all at once.
int run_with_kokkos(const std::vector<std::string>& arguments, Needs needs,
                    const std::function<int()>& body);

}  // namespace genten::tools
