// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "temporary_name.hpp"

#include <unistd.h>

#include <mutex>
#include <thread>
#include <utility>

namespace genten::detail {

namespace {

static_assert(std::atomic<TemporaryName*>::is_always_lock_free, "signal handlers read these");

std::atomic<TemporaryName*> first{nullptr};
std::mutex changing;  // held by threads that change the list; a handler only reads it
std::atomic<int> readers{0};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers change it");

}  // namespace

TemporaryName::TemporaryName(std::string name) : m_name(std::move(name)) {
  const std::lock_guard lock(changing);
  m_next = first.load();
  first = this;
}

TemporaryName::~TemporaryName() {
  const std::lock_guard lock(changing);
  std::atomic<TemporaryName*>* link = &first;
  while (link->load() != this) link = &link->load()->m_next;
  *link = m_next.load();
  // A handler in another thread may stand at this name: whoever comes now will not meet it any
  // more.
  while (readers != 0) std::this_thread::yield();
}

void TemporaryName::remove_all() noexcept {
  ++readers;
  for (const TemporaryName* each = first; each != nullptr; each = each->m_next) {
    unlink(each->c_str());
  }
  --readers;
}

}  // namespace genten::detail
