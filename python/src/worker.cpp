// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "worker.hpp"

#include <csignal>
#include <exception>
#include <utility>

namespace genten::python {

Worker::Worker() {
  // Signals are for the interpreter's threads; those that the worker starts inherit its mask.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  m_thread = std::thread([this] { serve(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Worker::~Worker() {
  {
    const std::lock_guard lock(m_guard);
    m_ends = true;
  }
  m_changed.notify_all();
  m_thread.join();
}

void Worker::run(const std::function<void()>& work) {
  exchange(work, m_for_worker, m_for_caller);
}

void Worker::ask_back(const std::function<void()>& favour) {
  exchange(favour, m_for_caller, m_for_worker);
}

void Worker::exchange(const std::function<void()>& task, Slot& to, Slot& from) {
  bool done = false;
  std::exception_ptr thrown;
  const std::function<void()> whole = [&] {
    try {
      task();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(m_guard);
    done = true;
    m_changed.notify_all();
  };
  std::unique_lock lock(m_guard);
  to = &whole;
  m_changed.notify_all();
  while (true) {
    m_changed.wait(lock, [&] { return done || from != nullptr; });
    if (done) break;
    const Slot asked = std::exchange(from, nullptr);
    lock.unlock();
    (*asked)();
    lock.lock();
  }
  lock.unlock();
  if (thrown) std::rethrow_exception(thrown);
}

void Worker::serve() {
  std::unique_lock lock(m_guard);
  while (true) {
    m_changed.wait(lock, [&] { return m_ends || m_for_worker != nullptr; });
    if (m_for_worker == nullptr) return;
    const Slot work = std::exchange(m_for_worker, nullptr);
    lock.unlock();
    (*work)();
    lock.lock();
  }
}

}  // namespace genten::python
