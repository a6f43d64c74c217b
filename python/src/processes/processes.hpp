// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The processes of a communicator of mpi4py, and what they agree on.

#include "../runtime.hpp"

#include <genten/mpi/module.hpp>

#include <map>
#include <memory>
#include <string>

namespace genten::python {

/// Why the processes of a communicator, by its address and what its MPI says of itself, are of no
/// use here; empty where they are. Not for all processes to call.
[[nodiscard]] std::string trouble_of_processes(std::uintptr_t communicator,
                                               const std::string& library);

/// Processes, as long as a call takes. Every member but `all` and `library` is called by all of
/// them, in the same order, with the interpreter's lock held.
class Processes {
 public:
  /// Of a communicator of which `trouble_of_processes` has said nothing on any process. `messages`
  /// is a Python object that has `packed(exception)`, bytes, and `raise_theirs(bytes, rank)`.
  Processes(std::uintptr_t communicator, const std::string& library, nb::object messages);
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  [[nodiscard]] Communicator& all() const { return m_module->processes(); }
  [[nodiscard]] bool is_first() const { return all().process() == 0; }
  [[nodiscard]] const char* library() const { return m_module->library(); }

  /// Runs `body`. Where it raises on one process, all raise the same: what the first of them has
  /// raised. Between this process's `body` and the end of the call no signal is looked at, so that
  /// none leaves alone.
  void agree(const std::function<void()>& body);

  /// `run_in_turn` on all processes at once. Where one does not get its turn, none runs `body`, and
  /// all raise the reason. `body` throws an AgreedError or nothing: with anything else, which the
  /// others know nothing of and would wait for ever, it ends all processes.
  void in_turn(const std::function<void()>& body);

  /// Throws an AgreedError where what is said of something is not the same on all processes.
  /// Processes that do not say anything of it say "nothing", and those that say "" are left out.
  void require_same(const std::map<std::string, std::string>& said);

 private:
  [[noreturn]] void abandon(const std::string& message);

  nb::object m_messages;
  std::unique_ptr<MpiModule> m_module;
};

}  // namespace genten::python
