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

/// "Name:   123 kB" of /proc/meminfo and the like, in bytes.
std::optional<double> kibibytes_in(const std::string& file, std::string_view name) {
  std::optional<double> found;
  for_each_line(file, [&](const std::string& line) {
    if (!line.starts_with(name)) return;
    if (const auto value = number(line.substr(name.size()))) found = 1024.0 * *value;
  });
  return found;
}

/// The soft limit of a line "Max address space  SOFT  HARD  bytes" of /proc/self/limits.
double soft_limit(const std::string& root, std::string_view name) {
  double limit = no_limit;
  for_each_line(root + "/proc/self/limits", [&](const std::string& line) {
    if (!line.starts_with(name)) return;
    limit = number(line.substr(name.size())).value_or(no_limit);
  });
  return limit;
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
  const auto used = file("/memory.usage_in_bytes", "/memory.current");
  if (!limit || !used) return group;
  group.limit = *limit;
  group.used = *used;
  for_each_line(directory + "/memory.stat", [&](const std::string& line) {
    const Words words = words_of(line);
    if (words.size() != 2) return;
    const std::string prefix = unified ? "" : "total_";  // with the groups inside
    const bool cache = words[0] == prefix + "active_file" || words[0] == prefix + "inactive_file" ||
                       words[0] == "slab_reclaimable";
    if (cache) group.page_cache += number(words[1]).value_or(0.0);
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
    const bool inside = path->starts_with(hierarchy.root) &&
                        (path->size() == length || (*path)[length] == '/');
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
  const std::string status = root + "/proc/self/status";
  facts.machine = kibibytes_in(root + "/proc/meminfo", "MemAvailable:").value_or(no_limit);
  facts.address_space = {soft_limit(root, "Max address space"),
                         kibibytes_in(status, "VmSize:").value_or(0.0)};
  facts.data = {soft_limit(root, "Max data size"), kibibytes_in(status, "VmData:").value_or(0.0)};
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
