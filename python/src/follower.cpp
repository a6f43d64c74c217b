// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "follower.hpp"

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

void Follower::finish() {
  if (!m_thrown && !m_interrupted) look_for_signals();
  if (m_thrown) std::rethrow_exception(m_thrown);
}

}  // namespace genten::python
