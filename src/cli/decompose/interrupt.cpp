// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

namespace genten::cli {

namespace {
// The only kind of object that a signal handler may write.
volatile std::sig_atomic_t signal_that_came = 0;

extern "C" void note_signal(int number) {
  signal_that_came = number;
}
}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, &m_old_int);
  sigaction(SIGTERM, &action, &m_old_term);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &m_old_int, nullptr);
  sigaction(SIGTERM, &m_old_term, nullptr);
}

int InterruptGuard::signal() {
  return signal_that_came;
}

}  // namespace genten::cli
