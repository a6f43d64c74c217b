// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the arguments for Kokkos and its variables in the environment ask for.

#include <optional>
#include <string>
#include <vector>

namespace genten::tools {

/// One setting, and the words by which its user knows it.
struct KokkosSetting {
  std::string where;  ///< "--kokkos-device-id" or "KOKKOS_DEVICE_ID"
  std::string value;

  /// Its value as a whole number in that range; throws Error of kind `argument` for all others,
  /// with what was expected in words if `expected` has any.
  [[nodiscard]] int number(int lowest, int highest, const std::string& expected = "") const;
  /// Throws Error of kind `argument` unless the value is one of these, in upper or lower case.
  void require_one_of(const std::vector<std::string>& words) const;
};

/// The setting of a name like "device-id": the last argument that gives it, or else its variable.
[[nodiscard]] std::optional<KokkosSetting> kokkos_setting(const std::vector<std::string>& arguments,
                                                          const std::string& name);

/// The arguments as the Kokkos at hand calls them. Throws Error of kind `argument` for those that
/// no Kokkos knows and for values that are none of theirs, in the environment too. Numbers of
/// threads and devices are left for others to judge.
[[nodiscard]] std::vector<std::string> checked_kokkos_arguments(
    const std::vector<std::string>& arguments);

}  // namespace genten::tools
