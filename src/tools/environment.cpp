// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "environment.hpp"

#include "kokkos/session.hpp"
#include "kokkos/start.hpp"
#include "text.hpp"

#include <genten/base/instruction_set.hpp>
#include <genten/base/machine.hpp>
#include <genten/base/memory.hpp>
#include <genten/version.hpp>

#include <genten_build_info.hpp>

#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <thread>

namespace genten::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

Json machine() {
  struct utsname system {};
  uname(&system);
  Json json = {
      {"host", system.nodename},
      {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
      {"processor", processor_name()},
      {"processors", std::thread::hardware_concurrency()},
      {"memory_bytes", static_cast<double>(std::max(sysconf(_SC_PHYS_PAGES), 0L)) *
                           static_cast<double>(sysconf(_SC_PAGESIZE))}};
  json["cache_bytes"] = host_cache_sizes();
  double load = 0.0;
  if (getloadavg(&load, 1) == 1) json["load_average"] = load;
  return json;
}

std::string time_now() {
  char buffer[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return buffer;
}

using Exec = Kokkos::DefaultExecutionSpace;

std::size_t host_threads() {
  return static_cast<std::size_t>(HostExec().concurrency());
}

/// Of the device that is used, if one is.
template <ExecutionSpace Space>
std::optional<DeviceFacts> device_facts() {
  if constexpr (!is_host_space<Space>) {
    if (KokkosSession::has_device()) return Devices<Space>::facts();
  }
  return std::nullopt;
}

Json device_json() {
  const auto device = device_facts<Exec>();
  if (!device) return nullptr;
  return {{"name", device->name},
          {"number", device->number},
          {"memory_bytes", device->memory_bytes},
          {"driver", device->driver}};
}

}  // namespace

Json describe_environment() {
  Json json = {{"versions",
                {{"genten", GENTEN_VERSION},
                 {"kokkos", GENTEN_KOKKOS_VERSION},
                 {"compiler", GENTEN_BUILD_COMPILER}}},
               {"build", {{"type", GENTEN_BUILD_TYPE}, {"flags", GENTEN_BUILD_FLAGS}}},
               {"machine", machine()},
               {"backend", Exec::name()},
               {"device", device_json()},
               {"instruction_set", std::string(instruction_set())},
               {"threads", host_threads()}};
  for (const char* name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "GENTEN_ISA"}) {
    if (const char* value = std::getenv(name)) json["environment"][name] = value;
  }
  json["date"] = time_now();
  return json;
}

std::string describe_backend() {
  const char* what = is_host_space<Exec> ? "thread" : "host thread";
  std::string text = Exec::name();
  if (const auto device = device_facts<Exec>()) {
    text += " on " + device->name + " (" + format_bytes(device->memory_bytes) + ", driver for " +
            device->driver + ")";
  }
  return text + ", " + count_of(host_threads(), what);
}

double peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace genten::tools
