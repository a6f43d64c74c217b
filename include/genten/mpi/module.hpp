// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a program that is not linked with MPI loads where it is started by a launcher of MPI: the
/// one function of a module that is. So one program serves several MPI libraries, and none.

#include <genten/dist/communicator.hpp>

#include <memory>

namespace genten {

/// MPI from its start to its end, for a whole program.
class RankModule {
 public:
  virtual ~RankModule() = default;  ///< ends MPI; all ranks come here
  RankModule() = default;
  RankModule(const RankModule&) = delete;
  RankModule& operator=(const RankModule&) = delete;

  [[nodiscard]] virtual Communicator& ranks() = 0;
  /// "Open MPI v4.1.4"
  [[nodiscard]] virtual const char* library() const = 0;
  /// Ends all ranks at once.
  virtual void end_all(int exit_code) = 0;
};

/// The name of the module's function, which starts MPI.
inline constexpr const char* rank_module_function = "genten_start_ranks";
/// Its type.
using RankModuleFunction = RankModule* (*)();

}  // namespace genten
