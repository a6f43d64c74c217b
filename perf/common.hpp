// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the benchmark programs share: where a result was made, tables, the published formulas.

#include <genten/base/types.hpp>
#include <genten/version.hpp>

#include <genten_build_info.hpp>

#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace genten::perf {

using Json = nlohmann::ordered_json;

/// MTTKRP's GB/s as the published figures count it, for one mode: what every nonzero reads and
/// writes if nothing is in a cache, N rows of R reals, the value and a read and write of something
/// else (3 reals), and its N subscripts.
[[nodiscard]] inline double published_gbytes(int order, std::size_t rank, offset_t nnz,
                                             std::size_t scalar_bytes, std::size_t ordinal_bytes,
                                             double seconds) {
  const double n = order, r = static_cast<double>(rank);
  const double bytes =
      (n * r + 3.0) * static_cast<double>(scalar_bytes) + n * static_cast<double>(ordinal_bytes);
  return seconds > 0.0 ? bytes * static_cast<double>(nnz) / seconds * 1e-9 : 0.0;
}

/// MTTKRP's GFLOP/s as the published figures count it, for one mode: N R operations a nonzero, that
/// is N - 1 multiplications (of the value and N - 1 row elements) and one addition a column.
[[nodiscard]] inline double published_gflops(int order, std::size_t rank, offset_t nnz,
                                             double seconds) {
  const double operations = static_cast<double>(order) * static_cast<double>(rank);
  return seconds > 0.0 ? operations * static_cast<double>(nnz) / seconds * 1e-9 : 0.0;
}

/// Largest resident memory of this process so far, in bytes.
[[nodiscard]] inline double peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

namespace detail {

inline std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

inline double positive(long value) {
  return value > 0 ? static_cast<double>(value) : 0.0;
}

inline std::string time_now() {
  char buffer[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return buffer;
}

}  // namespace detail

/// Versions, flags, machine, backend and threads. Kokkos must be initialized.
[[nodiscard]] inline Json environment() {
  Json machine;
  machine["processor"] = detail::processor_name();
  machine["processors"] = std::thread::hardware_concurrency();
  machine["memory_bytes"] =
      detail::positive(sysconf(_SC_PHYS_PAGES)) * detail::positive(sysconf(_SC_PAGESIZE));
#ifdef _SC_LEVEL1_DCACHE_SIZE
  machine["cache_bytes"] = {detail::positive(sysconf(_SC_LEVEL1_DCACHE_SIZE)),
                            detail::positive(sysconf(_SC_LEVEL2_CACHE_SIZE)),
                            detail::positive(sysconf(_SC_LEVEL3_CACHE_SIZE))};
#endif
  double load[1] = {0.0};
  if (getloadavg(load, 1) == 1) machine["load_average"] = load[0];

  Json result;
  result["versions"] = {{"genten", GENTEN_VERSION},
                        {"kokkos", GENTEN_KOKKOS_VERSION},
                        {"compiler", GENTEN_BUILD_COMPILER}};
  result["build"] = {{"type", GENTEN_BUILD_TYPE}, {"flags", GENTEN_BUILD_FLAGS}};
  result["machine"] = machine;
  result["backend"] = Kokkos::DefaultExecutionSpace::name();
  result["threads"] = HostExec().concurrency();
  for (const char* name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES"}) {
    if (const char* value = std::getenv(name)) result["environment"][name] = value;
  }
  result["date"] = detail::time_now();
  return result;
}

/// Writes JSON to a file; "-" is standard output.
inline void write_json(const std::string& path, const Json& json) {
  if (path == "-") {
    std::cout << json.dump(2) << '\n';
    return;
  }
  std::ofstream file(path);
  file << json.dump(2) << '\n';
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

/// printf into a string.
template <class... Values>
[[nodiscard]] std::string format(const char* pattern, Values... values) {
  const int size = std::snprintf(nullptr, 0, pattern, values...);
  std::string text(static_cast<std::size_t>(std::max(size, 0)), '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, values...);
  return text;
}

/// Seconds with three significant digits, and the unit.
[[nodiscard]] inline std::string format_seconds(double seconds) {
  if (seconds >= 1.0) return format("%.3g s", seconds);
  if (seconds >= 1e-3) return format("%.3g ms", seconds * 1e3);
  return format("%.3g us", seconds * 1e6);
}

/// "30000 x 40000 x 50000"
[[nodiscard]] inline std::string format_dimensions(const std::vector<std::size_t>& dimensions) {
  std::string text;
  for (const std::size_t d : dimensions) text += (text.empty() ? "" : " x ") + std::to_string(d);
  return text;
}

/// A table that reads well on a terminal and pastes as Markdown. The first column is aligned left,
/// the others right.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : m_rows{std::move(head)} {}

  void add(std::vector<std::string> row) {
    row.resize(m_rows.front().size());
    m_rows.push_back(std::move(row));
  }

  void print(std::ostream& out = std::cout) const {
    std::vector<std::size_t> width(m_rows.front().size(), 3);
    for (const auto& row : m_rows) {
      for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    }
    print_row(out, m_rows.front(), width);
    for (std::size_t c = 0; c < width.size(); ++c) {
      out << (c == 0 ? "| :" : " | ") << std::string(width[c] - 1, '-') << (c == 0 ? "" : ":");
    }
    out << " |\n";
    for (std::size_t r = 1; r < m_rows.size(); ++r) print_row(out, m_rows[r], width);
    out.flush();
  }

 private:
  static void print_row(std::ostream& out, const std::vector<std::string>& row,
                        const std::vector<std::size_t>& width) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blank(width[c] - row[c].size(), ' ');
      out << (c == 0 ? "| " : " | ") << (c == 0 ? row[c] + blank : blank + row[c]);
    }
    out << " |\n";
  }

  std::vector<std::vector<std::string>> m_rows;
};

/// Runs body() and says how long it took. `exec` is fenced before and after.
template <ExecutionSpace Exec, class Body>
[[nodiscard]] double seconds_of(const Exec& exec, const Body& body) {
  exec.fence();
  const auto start = std::chrono::steady_clock::now();
  body();
  exec.fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The middle of the sorted values; 0 of none.
[[nodiscard]] inline double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// Runs a program's main function with errors turned into a message and exit code 1.
template <class Main>
int run_program(const char* name, const Main& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace genten::perf
