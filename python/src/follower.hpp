// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What Python does after each iteration of a solver.

#include "runtime.hpp"

#include <genten/cp/observer.hpp>
#include <genten/cp/timings.hpp>
#include <genten/dist/communicator.hpp>
#include <genten/io/checkpoint.hpp>
#include <genten/run/notes.hpp>

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace genten::python {

/// What a caller wants to see and to have kept.
struct Watch {
  nb::object callback;     ///< called after each iteration, or None
  std::string checkpoint;  ///< file, or ""
  std::size_t checkpoint_every = 10;
  bool keep_starts = false;  ///< the model of every start, and not only that of the best
  nb::object tell = {};      ///< called with each note on the data before the run, or None
};

/// Follows a run: records of all starts, checkpoints, the callback, and Ctrl-C.
///
/// Python is asked after an iteration only where there is a callback, or where it has not been for
/// a twentieth of a second: it may have other threads that it is busy with.
class Follower {
 public:
  explicit Follower(const Watch& watch)
      : m_watch(watch), m_has_callback(!watch.callback.is_none()) {}

  template <class Model>
  ObserverAction operator()(const Iteration<Model>& iteration);

  /// Tells of the data before the run. Without the interpreter's lock.
  void tell(const std::vector<Note>& notes);
  /// To be called with the interpreter's lock held when the run is over: raises what a callback or
  /// a signal's handler has raised, and looks for a last Ctrl-C.
  void finish();

  /// Of a process that does not observe its run, after each sweep: whether signals are to end it.
  [[nodiscard]] bool wants_to_end();
  /// After `finish`, on all processes: a Ctrl-C on one of them is known to all, and so are the
  /// records that process 0 has seen.
  void share(Communicator& processes);

  [[nodiscard]] bool interrupted() const { return m_interrupted; }
  [[nodiscard]] bool stopped() const { return m_stopped; }
  [[nodiscard]] const std::vector<std::vector<IterationRecord>>& history() const {
    return m_history;
  }
  /// Makes the model that a start has ended with into Python objects; empty where none was kept:
  /// unless it was asked for, and of starts that this run has not seen end with finite numbers.
  [[nodiscard]] std::function<nb::object()> model_of(std::size_t start) const {
    return start < m_models.size() ? m_models[start] : nullptr;
  }
  /// Why the last checkpoint that was due is not there; "" where it is.
  [[nodiscard]] const std::string& checkpoint_trouble() const { return m_trouble; }

 private:
  void keep(std::size_t start, const IterationRecord& record);
  template <class Model>
  void keep_model(const Iteration<Model>& iteration);
  /// Takes the Python exception that is set: Ctrl-C ends the run in peace, others are kept.
  void take_exception();
  void look_for_signals();
  [[nodiscard]] bool is_due_to_look() const;
  void call(std::size_t start, const IterationRecord& record, const nb::object& make_model);
  [[nodiscard]] bool ends() const { return m_interrupted || m_stopped || m_thrown || is_ending(); }

  const Watch& m_watch;
  bool m_has_callback;
  bool m_interrupted = false;
  bool m_stopped = false;
  std::exception_ptr m_thrown;
  std::string m_trouble;
  std::vector<std::vector<IterationRecord>> m_history;
  std::vector<std::function<nb::object()>> m_models;
  Stopwatch m_since_look;
};

}  // namespace genten::python

#include "follower_impl.hpp"
