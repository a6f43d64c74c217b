// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "follower.hpp"

#include <algorithm>
#include <type_traits>

namespace genten::python {

void Follower::keep(std::size_t start, const IterationRecord& record) {
  if (m_history.size() <= start) m_history.resize(start + 1);
  m_history[start].push_back(record);
}

void Follower::take_exception() {
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0) {
    PyErr_Clear();
    m_interrupted = true;
    return;
  }
  m_thrown = std::make_exception_ptr(nb::python_error());
}

void Follower::look_for_signals() {
  m_since_look = Stopwatch();
  if (PyErr_CheckSignals() != 0) take_exception();
}

bool Follower::is_due_to_look() const {
  constexpr double seconds_between_looks = 0.05;
  return m_since_look.seconds() > seconds_between_looks && !is_ending();
}

bool Follower::wants_to_end() {
  if (is_due_to_look()) ask_python([this] { look_for_signals(); });
  return ends();
}

void Follower::share(Communicator& processes) {
  static_assert(std::is_trivially_copyable_v<IterationRecord>);
  const std::vector<int> interrupted = all_gather(processes, m_interrupted ? 1 : 0);
  m_interrupted = std::find(interrupted.begin(), interrupted.end(), 1) != interrupted.end();
  const auto take_length = [&processes](auto& list) {
    std::size_t length = list.size();
    processes.broadcast(&length, sizeof length, 0);
    list.resize(length);
  };
  take_length(m_history);
  for (std::vector<IterationRecord>& records : m_history) {
    take_length(records);
    processes.broadcast(records.data(), records.size() * sizeof(IterationRecord), 0);
  }
}

void Follower::call(std::size_t start, const IterationRecord& record,
                    const nb::object& make_model) {
  try {
    const nb::object answer =
        m_watch.callback(start, record.iteration, record.fit, record.fit_change,
                         record.residual_norm, record.objective, record.kkt_violation,
                         record.holdout_rmse, record.holdout_mae, record.seconds, make_model);
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) nb::raise_python_error();
    m_stopped = truth != 0;
  } catch (nb::python_error& error) {
    error.restore();
    take_exception();
  }
}

void Follower::tell(const std::vector<Note>& notes) {
  if (notes.empty() || !m_watch.tell.is_valid() || m_watch.tell.is_none()) return;
  ask_python([&] {
    try {
      for (const Note& note : notes) m_watch.tell(in_words(note.text).c_str());
    } catch (nb::python_error& error) {  // as where warnings are errors
      error.restore();
      take_exception();
    }
  });
}

void Follower::finish() {
  if (!m_thrown && !m_interrupted) look_for_signals();
  if (m_thrown) std::rethrow_exception(m_thrown);
}

}  // namespace genten::python
