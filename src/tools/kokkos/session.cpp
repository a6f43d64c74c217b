// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "session.hpp"

#include "absent_device.hpp"
#include "settings.hpp"
#include "start.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <cstdlib>

namespace genten::tools {
namespace {

using Arguments = std::vector<std::string>;

bool device_is_there = false;

/// Kokkos' advice for benchmarks is not what a user has asked for. A setting comes first;
/// KOKKOS_DISABLE_WARNINGS=FALSE shows it.
void silence_advice(Arguments& arguments) {
  if (!kokkos_setting(arguments, "disable-warnings")) {
    arguments.emplace_back("--kokkos-disable-warnings");
  }
}

void require_threads(const Arguments& arguments) {
  const HostThreads threads = threads_at_start();
  if (const auto setting = kokkos_setting(arguments, "num-threads")) {
    static_cast<void>(setting->number(1, threads.most));
  } else if (threads.usual > threads.most) {
    const std::string most = std::to_string(threads.most);
    throw Error("expected at most " + most + " threads, which is what Kokkos can hold, got " +
                std::to_string(threads.usual) + "; set OMP_NUM_THREADS=" + most);
  }
}

/// "no device can be used: ...", and why that may be.
[[noreturn]] void refuse_without_device(const std::string& trouble) {
  std::string text = std::string("no device can be used, and this program was built for ") +
                     Kokkos::DefaultExecutionSpace::name() + ": " + trouble;
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name))
      text += std::string("; ") + name + " is '" + value + "'";
  }
  throw Error(Error::Kind::runtime, text);
}

/// Of the devices that there are, those that KOKKOS_VISIBLE_DEVICES lists, if it is set.
[[maybe_unused]] int visible_devices(int devices) {
  const char* const list = std::getenv("KOKKOS_VISIBLE_DEVICES");
  if (list == nullptr) return devices;
  const auto pieces = split_list(list);
  const std::string expected =
      "numbers of devices from 0 to " + std::to_string(devices - 1) + " with commas between them";
  for (const std::string& piece : pieces) {
    static_cast<void>(
        KokkosSetting{"KOKKOS_VISIBLE_DEVICES", piece}.number(0, devices - 1, expected));
  }
  return static_cast<int>(pieces.size());
}

/// Is there a device to start with, where `Exec` is that of one? Throws Error where one is needed,
/// or asked for, that is not there.
template <ExecutionSpace Exec>
bool find_device(const Arguments& arguments, Needs needs) {
  const auto chosen = kokkos_setting(arguments, "device-id");
  if constexpr (is_host_space<Exec>) {
    if (chosen && chosen->where.starts_with("--")) {
      throw Error(chosen->where + ": has no effect, this program was built for the host alone (" +
                  Exec::name() + "): leave it out");
    }
    return true;
  } else {
    const DeviceCount count = Devices<Exec>::count();
    if (count.devices == 0) {
      if (needs == Needs::device || chosen) refuse_without_device(count.trouble);
      return false;
    }
    const int devices = visible_devices(count.devices);
    if (chosen) {
      static_cast<void>(chosen->number(
          0, devices - 1,
          devices == 1
              ? "0, the only device"
              : "the number of one of " + count_of(static_cast<std::size_t>(devices), "device") +
                    ", from 0 to " + std::to_string(devices - 1)));
    }
    return true;
  }
}

void start(const Arguments& arguments) {
  Arguments copies = {"genten"};
  copies.insert(copies.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& copy : copies) argv.push_back(copy.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(copies.size());
  try {
    Kokkos::initialize(argc, argv.data());
  } catch (const std::exception& error) {
    throw Error(Error::Kind::runtime, std::string("Kokkos does not start: ") + error.what());
  }
  for (int i = 1; i < argc; ++i) {
    const std::string left = argv[static_cast<std::size_t>(i)];
    if (left == "--kokkos-help" || left == "--kokkos-disable-warnings") continue;
    Kokkos::finalize();
    throw Error(left + ": this release of Kokkos does not know it; see --kokkos-help");
  }
}

}  // namespace

KokkosSession::KokkosSession(const std::vector<std::string>& arguments, Needs needs) {
  Arguments checked = checked_kokkos_arguments(arguments);
  silence_advice(checked);
  require_threads(arguments);
  device_is_there = find_device<Kokkos::DefaultExecutionSpace>(arguments, needs);
  if (!device_is_there && !leave_device_out()) {
    refuse_without_device("this release of Kokkos cannot start without one");
  }
  start(checked);
}

KokkosSession::~KokkosSession() {
  Kokkos::finalize();
}

bool KokkosSession::has_device() {
  return device_is_there;
}

std::vector<std::string> take_kokkos_arguments(int& argc, char** argv) {
  std::vector<std::string> taken;
  char** const end = std::stable_partition(argv + 1, argv + argc, [](const char* argument) {
    return !std::string_view(argument).starts_with("--kokkos-");
  });
  for (char** each = end; each != argv + argc; ++each) taken.emplace_back(*each);
  argc = static_cast<int>(end - argv);
  *end = nullptr;
  return taken;
}

}  // namespace genten::tools
