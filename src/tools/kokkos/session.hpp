// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Kokkos as a program starts it.

#include <string>
#include <vector>

namespace genten::tools {

/// What a program computes on. In a build whose default execution space is that of the host, both
/// are the same.
enum class Needs {
  host,   ///< a device may be used where there is one
  device  ///< the default execution space, whatever it is
};

/// Kokkos, initialized while one of these lives.
///
/// Whatever Kokkos would end the process for is looked at before, and said in the words of a user:
/// values of its arguments and of its variables in the environment, numbers of threads that it
/// cannot hold, and devices that are not there.
class KokkosSession {
 public:
  /// Arguments are those that begin with "--kokkos-". Throws Error of kind `argument` for wrong
  /// ones, of kind `runtime` where a device is needed and none can be used.
  KokkosSession(const std::vector<std::string>& arguments, Needs needs);
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;

  /// Has the one that lives a device? The default execution space can then be used even where it is
  /// not that of the host.
  [[nodiscard]] static bool has_device();
};

/// Takes the arguments for Kokkos out of those of a program.
[[nodiscard]] std::vector<std::string> take_kokkos_arguments(int& argc, char** argv);

}  // namespace genten::tools
