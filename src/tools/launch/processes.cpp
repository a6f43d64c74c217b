// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "processes.hpp"

#include "mpi_module.hpp"
#include "tools/kokkos/settings.hpp"
#include "tools/kokkos/start.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <genten/base/error.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace genten::tools {
namespace {

namespace fs = std::filesystem;

MpiModule* processes_now = nullptr;

/// Takes all that is printed, and keeps none of it.
std::streambuf& silence() {
  class Silence final : public std::streambuf {
    int overflow(int character) override { return character == EOF ? 0 : character; }
    std::streamsize xsputn(const char*, std::streamsize count) override { return count; }
  };
  // It outlives the streams, which are flushed when everything else is gone.
  static Silence& streambuf = *new Silence;
  return streambuf;
}

/// Devices that there are for `Exec`; 0 where it is the host.
template <ExecutionSpace Exec>
std::size_t count_devices() {
  if constexpr (is_host_space<Exec>) {
    return 0;
  } else {
    return static_cast<std::size_t>(Devices<Exec>::count().devices);
  }
}

std::size_t number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

/// The modules that may serve a launcher's processes, the likeliest first.
std::vector<std::string> module_flavors(const std::string& launcher) {
  std::vector<std::string> flavors = {"openmpi", "mpich", "mpi"};
  if (launcher == "mpich") std::swap(flavors[0], flavors[1]);
  if (launcher != "slurm") flavors = {flavors[0], "mpi"};
  return flavors;
}

/// Where modules lie: beside the program, and where it is installed.
std::vector<fs::path> module_folders() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  return {folder, folder.parent_path() / GENTEN_MODULE_FOLDER};
}

/// The cores that this process may run on.
CoreSet allowed_cores() {
  cpu_set_t found;
  CPU_ZERO(&found);
  if (sched_getaffinity(0, sizeof found, &found) != 0) {
    // A machine of more cores than the set holds, or one that does not tell.
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    CoreSet all;
    for (std::size_t core = 0; core < all.size() && static_cast<long>(core) < online; ++core) {
      all.set(core);
    }
    return all;
  }
  CoreSet cores;
  for (std::size_t core = 0; core < cores.size(); ++core) {
    cores[core] = CPU_ISSET(core, &found) != 0;
  }
  return cores;
}

/// The cores of this process. All processes call it.
std::size_t own_cores(Communicator& processes) {
  const Communicator::Node node = processes.node();
  const std::vector<std::size_t> nodes = all_gather(processes, node.first);
  const std::vector<CoreSet> of_all = all_gather(processes, allowed_cores());
  std::vector<CoreSet> allowed;
  for (std::size_t r = 0; r < of_all.size(); ++r) {
    if (nodes[r] == node.first) allowed.push_back(of_all[r]);
  }
  return cores_of_process(allowed, node.number);
}

/// Throws Error where MPI has not found the processes that were started: each would do all the
/// work.
void require_processes(const Launch& launch, MpiModule& module, const std::string& file) {
  const Communicator& processes = module.processes();
  if (processes.size() == launch.processes) return;
  const std::string text = format(
      "a launcher (%s) has started %zu processes, of which MPI (%s, %s) knows %zu: it is another "
      "MPI than the launcher's",
      launch.launcher.c_str(), launch.processes, file.c_str(), module.library(), processes.size());
  throw Error(Error::Kind::runtime, text);
}

}  // namespace

Launch find_launch() {
  struct Variables {
    const char *launcher, *size, *process;
  };
  for (const Variables& each :
       {Variables{"openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
        Variables{"mpich", "PMI_SIZE", "PMI_RANK"},
        Variables{"slurm", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    const std::size_t processes = number_in(each.size);
    if (processes != 0) return {each.launcher, processes, number_in(each.process)};
  }
  return {};
}

std::unique_ptr<MpiModule> start_processes(const Launch& launch) {
  if (launch.processes < 2) return nullptr;
  // MPI's own libraries look up symbols of the first one that is loaded.
  const ModuleFunction found = find_module_function(
      module_flavors(launch.launcher), module_folders(), mpi_module_function, RTLD_GLOBAL);
  if (found.function == nullptr) {
    throw Error(Error::Kind::runtime,
                format("a launcher (%s) has started %zu processes of this program, which was built "
                       "without MPI, or without that one: looked for ",
                       launch.launcher.c_str(), launch.processes) +
                    found.account);
  }
  // A function from a pointer to data, as POSIX has it.
  const auto start = reinterpret_cast<MpiModuleFunction>(found.function);
  std::unique_ptr<MpiModule> started(start());
  require_processes(launch, *started, found.file.string());
  return started;
}

void silence_streams() {
  std::cout.rdbuf(&silence());
  std::cerr.rdbuf(&silence());
}

ProcessesOfProgram::ProcessesOfProgram(std::unique_ptr<MpiModule> module)
    : m_module(std::move(module)) {
  processes_now = m_module.get();
}

ProcessesOfProgram::~ProcessesOfProgram() {
  processes_now = nullptr;
}

MpiModule* ProcessesOfProgram::now() {
  return processes_now;
}

void abandon_processes(MpiModule& mpi_module, const std::string& message) {
  char host[256] = "a host";
  gethostname(host, sizeof host - 1);
  const std::string text = "genten: process " + std::to_string(mpi_module.processes().process()) +
                           " on " + host + ": " + message + "\n";
  // std::cerr may be silent here.
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  mpi_module.end_all(failure);
  std::_Exit(failure);
}

std::size_t cores_of_process(std::span<const CoreSet> allowed, std::size_t process) {
  double cores = 0.0;
  for (std::size_t core = 0; core < allowed[process].size(); ++core) {
    if (!allowed[process][core]) continue;
    const auto sharing = std::count_if(allowed.begin(), allowed.end(),
                                       [core](const CoreSet& each) { return each[core]; });
    cores += 1.0 / static_cast<double>(sharing);
  }
  // Thirds may add up to a little less than a whole.
  return std::max<std::size_t>(1, static_cast<std::size_t>(cores + 1e-6));
}

std::vector<std::string> process_arguments(std::vector<std::string> arguments, MpiModule& module) {
  const Communicator::Node node = module.processes().node();
  const std::size_t cores = own_cores(module.processes());
  if (!kokkos_setting(arguments, "num-threads") && std::getenv("OMP_NUM_THREADS") == nullptr) {
    arguments.push_back("--kokkos-num-threads=" + std::to_string(cores));
  }
  const std::size_t devices = count_devices<Kokkos::DefaultExecutionSpace>();
  if (devices > 1 && !kokkos_setting(arguments, "device-id")) {
    arguments.push_back("--kokkos-device-id=" + std::to_string(node.number % devices));
  }
  return arguments;
}

}  // namespace genten::tools
