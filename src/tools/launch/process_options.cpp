// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "process_options.hpp"

#include "processes.hpp"
#include "tools/command_line.hpp"

#include <genten/base/types.hpp>

#include <algorithm>
#include <charconv>

namespace genten::tools {
namespace {

/// "4x1x2"
Grid parse_grid(const std::string& text) {
  Grid grid;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    std::size_t layers = 0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, layers);
    if (error != std::errc() || rest != text.data() + end || layers == 0) {
      reject("grid", "numbers of layers, one a mode, as in 4x1x2", text);
    }
    grid.push_back(layers);
    begin = end + 1;
  }
  return grid;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text) {
  usage_error("--" + option, text);
}

}  // namespace

void add_process_options(CLI::App& app, Grid& grid, TransportKind& transport) {
  add_text(
      app, "--grid", "QxQx...", [&grid](const std::string& text) { grid = parse_grid(text); },
      "of several processes, into how many layers each mode is cut (default: nonzeros are "
      "bisected, "
      "which is more even and sends less)");
  add_option(app, {"transport", "of several processes, what moves rows between their GPUs"},
             transport);
}

void require_use_of_process_options(const std::function<bool(const std::string&)>& given,
                                    TransportKind transport) {
  if (ProcessesOfProgram::now() == nullptr) {
    for (const char* name : {"grid", "transport"}) {
      if (given("--" + std::string(name)))
        refuse(name, "has no effect on one process: leave it out");
    }
    return;
  }
  const bool by_devices = transport == TransportKind::peer || transport == TransportKind::nccl;
  if (is_host_space<Kokkos::DefaultExecutionSpace> && by_devices) {
    refuse("transport " + std::string(to_string(transport)),
           "moves rows between GPUs, and these processes have none");
  }
}

}  // namespace genten::tools
