// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Programs that one process or several processes of a launcher run: what they do together.

#include "processes.hpp"
#include "tools/kokkos/session.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten::tools {

/// Runs `body`; on several processes so that all throw what one does.
void on_all_processes(const std::function<void()>& body);

/// Runs `body` on the only process or the first; all throw what it throws.
void on_first_process(const std::function<void()>& body);
/// A value of the first process, on all.
template <class T>
[[nodiscard]] T of_first_process(T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  MpiModule* const module = ProcessesOfProgram::now();
  if (module != nullptr) module->processes().broadcast(&value, sizeof value, 0);
  return value;
}

/// Is this the only process, or the first, which has the model and writes?
[[nodiscard]] bool is_first_process();

/// `run_program` for a program that a launcher may have started as several processes, which
/// ProcessesOfProgram then has; the first one speaks.
int run_program_on_processes(std::string_view program, const std::function<int()>& body);

/// Runs `body` in a session of Kokkos with these arguments. Of several processes each has cores and
/// a device of its own; usage errors and AgreedErrors leave as they are, being those of all
/// processes, and what not all of them know of ends them all at once.
int run_with_kokkos(const std::vector<std::string>& arguments, Needs needs,
                    const std::function<int()>& body);

}  // namespace genten::tools
