// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "processes.hpp"

#include "tools/launch/mpi_module.hpp"

#include <genten/base/error.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace genten::python {
namespace {

/// Where this extension lies: modules for MPI are beside it.
std::filesystem::path own_folder() {
  static const char here = 0;
  Dl_info found;
  if (dladdr(&here, &found) == 0) return {};
  return std::filesystem::path(found.dli_fname).parent_path();
}

/// The modules that may be for an MPI, by what it says of itself.
std::vector<std::string> flavors_of(const std::string& library) {
  const bool openmpi = library.find("Open MPI") != std::string::npos;
  return {openmpi ? "openmpi" : "mpich", "mpi"};
}

/// A function of the module for that MPI.
tools::ModuleFunction find_function(const std::string& library, const char* name) {
  return tools::find_module_function(flavors_of(library), {own_folder()}, name, RTLD_LOCAL);
}

std::vector<std::vector<char>> gather(Communicator& processes, const std::string& mine) {
  return all_gather_lists(processes, std::vector<char>(mine.begin(), mine.end()));
}

/// What was said, by name.
std::map<std::string, std::string> unpacked(const std::vector<char>& bytes) {
  std::map<std::string, std::string> said;
  for (auto at = bytes.begin(); at != bytes.end();) {
    const auto middle = std::find(at, bytes.end(), '\0');
    const auto end = std::find(middle + 1, bytes.end(), '\0');
    said[std::string(at, middle)] = std::string(middle + 1, end);
    at = end + 1;
  }
  return said;
}

}  // namespace

std::string trouble_of_processes(std::uintptr_t communicator, const std::string& library) {
  const auto found = find_function(library, process_trouble_function);
  if (found.function == nullptr) {
    return "this build of genten has no module for the MPI of mpi4py, " +
           library.substr(0, library.find_first_of(",\n\r")) +
           ": install genten from its sources where that MPI can be compiled with (pip install . "
           "in a checkout); looked for " +
           found.account;
  }
  // A function from a pointer to data, as POSIX has it.
  const auto trouble_of = reinterpret_cast<ProcessTroubleFunction>(found.function);
  std::string reason;
  trouble_of(reinterpret_cast<const void*>(communicator), library.c_str(), reason);
  return reason.empty() ? "" : reason + " (" + found.file.string() + ")";
}

Processes::Processes(std::uintptr_t communicator, const std::string& library, nb::object messages)
    : m_messages(std::move(messages)) {
  const nb::gil_scoped_release release;
  const auto found = find_function(library, process_taker_function);
  if (found.function == nullptr) {
    throw Error(Error::Kind::runtime, "comm: there is no module any more: " + found.account);
  }
  const auto take = reinterpret_cast<ProcessTakerFunction>(found.function);
  m_module.reset(take(reinterpret_cast<const void*>(communicator)));
}

Processes::~Processes() {
  const nb::gil_scoped_release release;
  m_module.reset();
}

void Processes::agree(const std::function<void()>& body) {
  std::exception_ptr own;
  std::string packed;
  try {
    body();
  } catch (...) {
    own = std::current_exception();
    packed = "?";  // if not even that works
    try {
      const auto bytes = nb::cast<nb::bytes>(m_messages.attr("packed")(exception_of(own)));
      packed.assign(bytes.c_str(), bytes.size());
    } catch (const std::exception&) {  // it is said without words
    }
  }
  std::vector<std::vector<char>> theirs;
  {
    const nb::gil_scoped_release release;
    theirs = gather(all(), packed);
  }
  const auto first = std::find_if(theirs.begin(), theirs.end(),
                                  [](const std::vector<char>& each) { return !each.empty(); });
  if (first == theirs.end()) return;
  if (own && *first == theirs[all().process()]) std::rethrow_exception(own);
  m_messages.attr("raise_theirs")(nb::bytes(first->data(), first->size()),
                                  static_cast<std::size_t>(first - theirs.begin()));
}

void Processes::in_turn(const std::function<void()>& body) {
  bool entered = false, all_entered = false;
  const auto enter = [&](bool here) {
    entered = true;
    const std::vector<int> others = all_gather(all(), here ? 1 : 0);
    all_entered = std::count(others.begin(), others.end(), 1) == std::ssize(others);
  };
  std::exception_ptr trouble;
  try {
    run_in_turn([&] {
      enter(true);
      if (!all_entered) return;
      try {
        body();
      } catch (const AgreedError&) {
        throw;
      } catch (const std::exception& error) {
        abandon(sentence(error));
      }
    });
  } catch (...) {
    if (entered) throw;
    trouble = std::current_exception();
    const nb::gil_scoped_release release;
    enter(false);
  }
  if (all_entered) return;
  agree([&] {
    if (trouble) std::rethrow_exception(trouble);
  });
}

void Processes::require_same(const std::map<std::string, std::string>& said) {
  std::string packed;
  for (const auto& [name, text] : said) packed += name + '\0' + text + '\0';
  std::vector<std::map<std::string, std::string>> of_all;
  {
    const nb::gil_scoped_release release;
    for (const auto& each : gather(all(), packed)) of_all.push_back(unpacked(each));
  }
  std::set<std::string> names;
  for (const auto& of_process : of_all) {
    for (const auto& [name, text] : of_process) names.insert(name);
  }
  const auto text_of = [&](std::size_t rank, const std::string& name) {
    const auto found = of_all[rank].find(name);
    return found == of_all[rank].end() ? "nothing" : found->second;
  };
  for (const std::string& name : names) {
    std::size_t first = 0;
    while (first < of_all.size() && text_of(first, name).empty()) ++first;
    for (std::size_t other = first + 1; other < of_all.size(); ++other) {
      const std::string here = text_of(first, name), there = text_of(other, name);
      if (there.empty() || there == here) continue;
      throw AgreedError(Error::Kind::argument, name + ": expected the same on all processes, got " +
                                                   here + " on process " + std::to_string(first) +
                                                   " and " + there + " on process " +
                                                   std::to_string(other));
    }
  }
}

void Processes::abandon(const std::string& message) {
  char host[256] = "a host";
  gethostname(host, sizeof host - 1);
  const std::string text =
      "genten: process " + std::to_string(all().process()) + " on " + host + ": " + message + "\n";
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  m_module->end_all(1);
  std::_Exit(1);
}

}  // namespace genten::python
