// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The thread in which the library computes.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace genten::python {

/// A thread that does what others ask of it, one at a time, and may ask back.
///
/// Kokkos wants to be started, used and ended by one thread (Kokkos 3 insists), Python calls from
/// any, and signals are handled in its main thread alone. So the library computes in this thread,
/// which never touches Python, and whoever waits for it does what has to be done in Python.
class Worker {
 public:
  Worker();
  /// Waits for the thread, which must have nothing to do.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Has the thread do `work`, and meanwhile does what it asks for. Throws what `work` throws. Only
  /// one thread at a time may call this, but again from what it is asked to do.
  void run(const std::function<void()>& work);

  /// From within work: has the thread that waits for it do `favour`, and meanwhile does what that
  /// wants to be run. Throws what `favour` throws.
  void ask_back(const std::function<void()>& favour);

 private:
  using Slot = const std::function<void()>*;

  void serve();
  /// Puts a task into a slot and does what comes into the other one until the task is done.
  void exchange(const std::function<void()>& task, Slot& to, Slot& from);

  std::mutex m_guard;
  std::condition_variable m_changed;
  Slot m_for_worker = nullptr;
  Slot m_for_caller = nullptr;
  bool m_ends = false;
  std::thread m_thread;
};

}  // namespace genten::python
