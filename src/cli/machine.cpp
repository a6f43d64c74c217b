// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "machine.hpp"

#include "text.hpp"

#include <genten/base/types.hpp>
#include <genten/version.hpp>

#include <genten_build_info.hpp>

#include <nlohmann/json.hpp>

#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <thread>

namespace genten::cli {
namespace {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

std::size_t backend_threads() {
  const Kokkos::DefaultExecutionSpace exec;
  return static_cast<std::size_t>(exec.concurrency());
}

std::string time_now() {
  char buffer[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return buffer;
}

}  // namespace

nlohmann::ordered_json describe_environment() {
  nlohmann::ordered_json machine;
  struct utsname system {};
  uname(&system);
  machine["host"] = system.nodename;
  machine["system"] = std::string(system.sysname) + " " + system.release + " " + system.machine;
  machine["processor"] = processor_name();
  machine["processors"] = std::thread::hardware_concurrency();
  machine["memory_bytes"] =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));

  nlohmann::ordered_json environment;
  environment["versions"] = {{"genten", GENTEN_VERSION},
                             {"kokkos", GENTEN_KOKKOS_VERSION},
                             {"compiler", GENTEN_BUILD_COMPILER}};
  environment["build"] = {{"type", GENTEN_BUILD_TYPE}, {"flags", GENTEN_BUILD_FLAGS}};
  environment["machine"] = machine;
  environment["backend"] = Kokkos::DefaultExecutionSpace::name();
  environment["threads"] = backend_threads();
  environment["date"] = time_now();
  return environment;
}

std::string describe_backend() {
  return std::string(Kokkos::DefaultExecutionSpace::name()) + ", " +
         count_of(backend_threads(), "thread");
}

}  // namespace genten::cli
