// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The ranks of a communicator of mpi4py, and what they agree on.

#include "../runtime.hpp"

#include <genten/mpi/module.hpp>

#include <map>
#include <memory>
#include <string>

namespace genten::python {

/// Why the ranks of a communicator, by its address and what its MPI says of itself, are of no use
/// here; empty where they are. Not for all ranks to call.
[[nodiscard]] std::string trouble_of_ranks(std::uintptr_t communicator, const std::string& library);

/// Ranks, as long as a call takes. Every member but `all` and `library` is called by all of them,
/// in the same order, with the interpreter's lock held.
class Ranks {
 public:
  /// Of a communicator of which `trouble_of_ranks` has said nothing on any rank. `messages` is a
  /// Python object that has `packed(exception)`, bytes, and `raise_theirs(bytes, rank)`.
  Ranks(std::uintptr_t communicator, const std::string& library, nb::object messages);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] Communicator& all() const { return m_module->ranks(); }
  [[nodiscard]] bool is_first() const { return all().rank() == 0; }
  [[nodiscard]] const char* library() const { return m_module->library(); }

  /// Runs `body`. Where it raises on one rank, all raise the same: what the first of them has
  /// raised. Between this rank's `body` and the end of the call no signal is looked at, so that
  /// none leaves alone.
  void agree(const std::function<void()>& body);

  /// `run_in_turn` on all ranks at once. Where one does not get its turn, none runs `body`, and all
  /// raise the reason. `body` throws an AgreedError or nothing: with anything else, which the
  /// others know nothing of and would wait for ever, it ends all processes.
  void in_turn(const std::function<void()>& body);

  /// Throws an AgreedError where what is said of something is not the same on all ranks. Ranks that
  /// do not say anything of it say "nothing", and those that say "" are left out.
  void require_same(const std::map<std::string, std::string>& said);

 private:
  [[noreturn]] void abandon(const std::string& message);

  nb::object m_messages;
  std::unique_ptr<RankModule> m_module;
};

}  // namespace genten::python
