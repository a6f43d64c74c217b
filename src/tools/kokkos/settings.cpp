// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "settings.hpp"

#include "tools/option_text.hpp"

#include <genten/base/error.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace genten::tools {
namespace {

constexpr const char* prefix = "--kokkos-";

/// Options that have had another name in older or newer releases.
struct Renamed {
  const char* name;
  const char* before;
};
constexpr Renamed renamed[] = {{"num-threads", "threads"}, {"tools-libs", "tools-library"}};

/// Every option that a Kokkos has had, by its present name; those at hand know some of them.
constexpr const char* known[] = {
    "help",           "disable-warnings", "print-configuration", "num-threads", "device-id",
    "tune-internals", "map-device-id-by", "tools-libs",          "tools-args",  "tools-help",
    "numa",           "num-devices"};

/// "device-id" of "--kokkos-device-id=3".
std::string name_of(const std::string& argument) {
  const std::string start = std::string(prefix);
  std::string name = argument.substr(start.size(), argument.find('=') - start.size());
  for (const Renamed& each : renamed) {
    if (name == each.before) name = each.name;
  }
  return name;
}

std::string variable_of(const std::string& name) {
  std::string variable = "KOKKOS_" + name;
  std::replace(variable.begin(), variable.end(), '-', '_');
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return variable;
}

/// The name that the Kokkos at hand has for an option.
std::string name_at_hand(const std::string& name) {
  constexpr bool before = KOKKOS_VERSION < 30700;
  for (const Renamed& each : renamed) {
    if (before && name == each.name) return each.before;
  }
  return name;
}

[[noreturn]] void refuse(const KokkosSetting& setting, const std::string& expected) {
  throw Error(setting.where + ": expected " + expected + ", got '" + setting.value + "'");
}

}  // namespace

int KokkosSetting::number(int lowest, int highest, const std::string& expected) const {
  int result = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, result);
  if (error != std::errc() || stop != end || result < lowest || result > highest) {
    refuse(*this, expected.empty() ? expected_number<int>(lowest, highest) : expected);
  }
  return result;
}

void KokkosSetting::require_one_of(const std::vector<std::string>& words) const {
  std::string lower = value;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::find(words.begin(), words.end(), lower) == words.end()) refuse(*this, join(words, "|"));
}

std::optional<KokkosSetting> kokkos_setting(const std::vector<std::string>& arguments,
                                            const std::string& name) {
  for (auto argument = arguments.rbegin(); argument != arguments.rend(); ++argument) {
    if (name_of(*argument) != name) continue;
    const std::size_t equals = argument->find('=');
    return KokkosSetting{argument->substr(0, equals),
                         equals == std::string::npos ? "" : argument->substr(equals + 1)};
  }
  const std::string variable = variable_of(name);
  const char* const value = std::getenv(variable.c_str());
  if (value == nullptr) return std::nullopt;
  return KokkosSetting{variable, value};
}

std::vector<std::string> checked_kokkos_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    const std::string name = name_of(argument);
    if (std::find(std::begin(known), std::end(known), name) == std::end(known)) {
      throw Error("unknown option " + argument.substr(0, argument.find('=')) +
                  "; see --kokkos-help");
    }
    const std::size_t equals = argument.find('=');
    result.push_back(prefix + name_at_hand(name) +
                     (equals == std::string::npos ? "" : argument.substr(equals)));
  }
  for (const char* name : {"disable-warnings", "print-configuration", "tune-internals"}) {
    const auto setting = kokkos_setting(arguments, name);
    const bool bare = setting && setting->value.empty() && setting->where.starts_with(prefix);
    if (setting && !bare) setting->require_one_of({"true", "false", "yes", "no", "1", "0"});
  }
  const auto mapping = kokkos_setting(arguments, "map-device-id-by");
  if (mapping) mapping->require_one_of({"mpi_rank", "random"});
  return result;
}

}  // namespace genten::tools
