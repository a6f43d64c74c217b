// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/memory.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace genten::detail {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Whether a list like "cpu,memory" names the memory controller.
bool names_memory(const std::string& list) {
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) {
    if (item == "memory") return true;
  }
  return false;
}

/// A number at the beginning of a text; none for words like "max" and "unlimited".
std::optional<double> number(const std::string& text) {
  try {
    return std::stod(text);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The only number of a file.
std::optional<double> number_in(const std::string& file) {
  std::ifstream stream(file);
  std::string word;
  return stream >> word ? number(word) : std::nullopt;
}

/// Calls use(line) for each line of a file that may be absent.
template <class Use>
void for_each_line(const std::string& file, const Use& use) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) use(line);
}

/// The number of a line "Name:   123 kB" of /proc/meminfo and the like, times `unit`, if it has
/// that name.
void take_number(const std::string& line, std::string_view name, double unit, double& to) {
  if (!line.starts_with(name)) return;
  if (const auto value = number(line.substr(name.size()))) to = unit * *value;
}

/// The soft limits of lines "Max address space  SOFT  HARD  bytes" of /proc/self/limits, and what
/// counts against them, of /proc/self/status.
void add_limits(const std::string& root, MemoryFacts& facts) {
  for_each_line(root + "/proc/self/limits", [&](const std::string& line) {
    take_number(line, "Max address space", 1.0, facts.address_space.limit);
    take_number(line, "Max data size", 1.0, facts.data.limit);
  });
  for_each_line(root + "/proc/self/status", [&](const std::string& line) {
    take_number(line, "VmSize:", 1024.0, facts.address_space.used);
    take_number(line, "VmData:", 1024.0, facts.data.used);
  });
}

/// Where control groups with a memory controller are mounted.
struct Hierarchy {
  std::string mount;  ///< the directory
  std::string root;   ///< the group that it shows
  bool unified = false;
};

std::vector<Hierarchy> hierarchies(const std::string& root) {
  std::vector<Hierarchy> found;
  for_each_line(root + "/proc/self/mountinfo", [&](const std::string& line) {
    if (line.find("cgroup") == std::string::npos) return;  // most lines: words take time
    // id, parent, device, root, mount point, options, ..., "-", type, source, options of the type
    const Words words = words_of(line);
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || words.end() - dash < 4) return;
    const bool unified = dash[1] == "cgroup2";
    const bool memory = dash[1] == "cgroup" && names_memory(dash[3]);
    if (unified || memory) found.push_back({words[4], words[3], unified});
  });
  return found;
}

/// The group of the process in a hierarchy, from lines "0::/path" and "4:cpu,memory:/path".
std::optional<std::string> own_group(const std::string& root, bool unified) {
  std::optional<std::string> path;
  for_each_line(root + "/proc/self/cgroup", [&](const std::string& line) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) return;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : names_memory(controllers)) path = line.substr(second + 1);
  });
  return path;
}

ControlGroup read_group(const std::string& directory, bool unified) {
  const auto file = [&](const char* version_1, const char* version_2) {
    return number_in(directory + (unified ? version_2 : version_1));
  };
  ControlGroup group;
  const auto limit = file("/memory.limit_in_bytes", "/memory.max");
  // Version 1 has the largest number of pages where there is none, and statistics take time.
  constexpr double unlimited = 0x1p62;
  if (!limit || *limit >= unlimited) return group;
  const auto used = file("/memory.usage_in_bytes", "/memory.current");
  if (!used) return group;
  group.limit = *limit;
  group.used = *used;
  const std::string prefix = unified ? "" : "total_";  // with the groups inside
  const std::string cache[] = {prefix + "active_file ", prefix + "inactive_file ",
                               "slab_reclaimable "};
  for_each_line(directory + "/memory.stat", [&](const std::string& line) {
    for (const std::string& name : cache) {
      double bytes = 0.0;
      take_number(line, name, 1.0, bytes);
      group.page_cache += bytes;
    }
  });
  return group;
}

/// Adds the groups of a hierarchy, from the process's own outwards to the one that is mounted.
void add_groups(const std::string& root, const Hierarchy& hierarchy,
                std::vector<ControlGroup>& groups) {
  auto path = own_group(root, hierarchy.unified);
  if (!path) return;
  // A container may see its own group as the root of all.
  if (hierarchy.root != "/") {
    const std::size_t length = hierarchy.root.size();
    const bool inside =
        path->starts_with(hierarchy.root) && (path->size() == length || (*path)[length] == '/');
    path = inside ? path->substr(length) : "";
  }
  while (true) {
    groups.push_back(read_group(root + hierarchy.mount + *path, hierarchy.unified));
    const std::size_t slash = path->rfind('/');
    if (slash == std::string::npos) return;
    path->resize(slash);
  }
}

}  // namespace

MemoryFacts memory_facts(const std::string& root) {
  MemoryFacts facts;
  for_each_line(root + "/proc/meminfo", [&](const std::string& line) {
    take_number(line, "MemAvailable:", 1024.0, facts.machine);
  });
  add_limits(root, facts);
  for (const Hierarchy& hierarchy : hierarchies(root)) add_groups(root, hierarchy, facts.groups);
  return facts;
}

double available_bytes(const MemoryFacts& facts) {
  double least = facts.machine;
  for (const ControlGroup& group : facts.groups) {
    // Page cache that is counted twice, or written back just now, is not more than is used.
    const double held = std::max(group.used - group.page_cache, 0.0);
    least = std::min(least, group.limit - held);
  }
  for (const ProcessLimit& limit : {facts.address_space, facts.data}) {
    least = std::min(least, limit.limit - limit.used);
  }
  return std::max(least, 0.0);
}

double available_host_bytes() {
  return available_bytes(memory_facts());
}

}  // namespace genten::detail
