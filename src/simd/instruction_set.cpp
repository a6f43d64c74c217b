// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "instruction_set.hpp"

#include <genten/base/error.hpp>
#include <genten/base/instruction_set.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace genten {
namespace {

struct KnownSet {
  std::string_view name;
  bool (*present)();
};

#if defined(__x86_64__)
// The levels by the features that tell them apart, since Clang before 17 does not know their names.
bool has_v2() {
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
}
bool has_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#endif

constexpr KnownSet all_sets[] = {
#if defined(__x86_64__)
    {"v2", has_v2},
    {"v3-shift", has_v3},
    {"v3", has_v3},
    {"v4", has_v4},
#else
    {"baseline", [] { return true; }},
#endif
};

/// Those that hot loops are compiled for, in the order of the tables in tables.cpp.
#ifdef GENTEN_ONLY_SET_NAME
constexpr KnownSet known_sets[] = {
    *std::find_if(std::begin(all_sets), std::end(all_sets),
                  [](const KnownSet& set) { return set.name == GENTEN_ONLY_SET_NAME; })};
#else
constexpr auto& known_sets = all_sets;
#endif

/// Whether the processor takes tens of cycles to extract bits: AMD's before family 19h, Zen 3, and
/// Hygon's, which derive from the first Zen.
bool extracts_bits_slowly() {
#if defined(__x86_64__)
  unsigned a = 0, words[3] = {};
  char vendor[13] = {};
  if (__get_cpuid(0, &a, &words[0], &words[2], &words[1]) == 0) return false;
  std::memcpy(vendor, words, sizeof words);
  const std::string_view name = vendor;
  if (name == "HygonGenuine") return true;
  unsigned b = 0, c = 0, d = 0;
  if (name != "AuthenticAMD" || __get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  const unsigned family = (a >> 8 & 15U) + ((a >> 8 & 15U) == 15U ? a >> 20 & 255U : 0U);
  return family < 0x19;
#else
  return false;
#endif
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (const auto name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text.empty() ? "none" : text;
}

int numbered(std::string_view name, const std::string& source) {
  int number = 0;
  for (const KnownSet& set : known_sets) {
    if (set.name == name && set.present()) return number;
    ++number;
  }
  throw Error(source + ": expected an instruction set that this library and this processor have (" +
              listed(instruction_sets()) + "), got '" + std::string(name) + "'");
}

int chosen_at_first() {
  if (const char* const name = std::getenv("GENTEN_ISA"); name != nullptr && *name != '\0') {
    return numbered(name, "GENTEN_ISA");
  }
  const auto present = instruction_sets();
  if (present.empty()) {
    throw Error("Genten: expected a processor with the instructions of x86-64-" +
                std::string(known_sets[0].name.substr(0, 2)) + ", got one without" +
                (std::size(known_sets) > 1 ? ""
                                           : "; builds without GENTEN_ENABLE_NATIVE are for all "
                                             "from x86-64-v2 (SSE4.2) on"));
  }
  const bool shift = present.size() > 1 && present.back() == "v3" && extracts_bits_slowly();
  return numbered(shift ? "v3-shift" : present.back(), "Genten");
}

std::atomic<int> set_in_use{-1};

}  // namespace

int detail::instruction_set_number() {
  int number = set_in_use.load(std::memory_order_relaxed);
  if (number < 0) {
    // Threads that come here together choose the same.
    number = chosen_at_first();
    set_in_use.store(number, std::memory_order_relaxed);
  }
  return number;
}

std::string_view instruction_set() {
  return known_sets[detail::instruction_set_number()].name;
}

std::vector<std::string_view> instruction_sets() {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
  std::vector<std::string_view> names;
  for (const KnownSet& set : known_sets) {
    if (set.present()) names.push_back(set.name);
  }
  return names;
}

void use_instruction_set(std::string_view name) {
  set_in_use.store(numbered(name, "use_instruction_set"), std::memory_order_relaxed);
}

}  // namespace genten
