// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "signals.hpp"

#include <genten/io/atomic_file.hpp>

#include <atomic>
#include <csignal>

namespace genten::cli {

namespace {

static_assert(std::atomic<int>::is_always_lock_free, "signal handlers use these");

std::atomic<bool> only_noted{false};
std::atomic<int> signal_that_came{0};

extern "C" void end_by_signal(int number) {
  remove_temporary_files();
  // Whoever waits for the process is to see by what it ended.
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(number, &usual, nullptr);
  raise(number);
}

extern "C" void note_signal(int number) {
  int none = 0;
  if (only_noted && signal_that_came.compare_exchange_strong(none, number)) return;
  end_by_signal(number);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction old {};
  sigaction(number, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

void end_cleanly_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number, note_signal);
  handle(SIGPIPE, end_by_signal);
  handle(SIGXFSZ, SIG_IGN);
}

void outlive_closed_pipes() {
  handle(SIGPIPE, SIG_IGN);
}

InterruptGuard::InterruptGuard() {
  only_noted = true;
}

InterruptGuard::~InterruptGuard() {
  only_noted = false;
}

int InterruptGuard::signal() {
  return signal_that_came;
}

const char* signal_name(int signal) {
  if (signal == SIGINT) return "SIGINT";
  return signal == SIGTERM ? "SIGTERM" : "SIGHUP";
}

}  // namespace genten::cli
