// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "watched_mapping.hpp"

#include <genten/base/error.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

namespace genten::detail {

/// An element of a list that only grows, so that a signal handler may go through it at any time.
struct WatchedRange {
  std::atomic<std::uintptr_t> begin{0};  // 0: free to be used again
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> lost{false};
  WatchedRange* next = nullptr;
};

namespace {

std::atomic<WatchedRange*> first_range{nullptr};
std::mutex ranges_mutex;  // of everything below and of adding to the list
std::size_t ranges_in_use = 0;
struct sigaction action_before {};
std::uintptr_t page_bytes = 4096;  // set before the handler is

/// Puts zeros in place of what the file no longer has.
void on_bus_error(int, siginfo_t* info, void*) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (WatchedRange* range = first_range; range != nullptr; range = range->next) {
    const std::uintptr_t end = range->end;
    if (address < range->begin || address >= end || range->begin == 0) continue;
    range->lost = true;
    const std::uintptr_t page = address / page_bytes * page_bytes;
    void* const zeros = mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) break;
    errno = error;
    return;
  }
  // Not ours: the instruction fails again, and whoever was there before takes it.
  sigaction(SIGBUS, &action_before, nullptr);
  errno = error;
}

WatchedRange* watch(char* data, std::size_t bytes) {
  const std::lock_guard lock(ranges_mutex);
  WatchedRange* range = first_range;
  while (range != nullptr && range->begin != 0) range = range->next;
  if (range == nullptr) {
    range = new WatchedRange;
    range->next = first_range;
    first_range = range;
  }
  range->lost = false;
  range->end = reinterpret_cast<std::uintptr_t>(data) + bytes;
  range->begin = reinterpret_cast<std::uintptr_t>(data);
  if (ranges_in_use++ == 0) {
    page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &action_before);
  }
  return range;
}

void release(WatchedRange* range) {
  const std::lock_guard lock(ranges_mutex);
  range->begin = 0;
  if (--ranges_in_use != 0) return;
  struct sigaction action {};
  sigaction(SIGBUS, nullptr, &action);
  const bool still_ours =
      (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_bus_error;
  if (still_ours) sigaction(SIGBUS, &action_before, nullptr);
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error::in_file(path, 0, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

WatchedMapping::WatchedMapping(const std::string& path, int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail(path, "cannot be looked at");
  if (status.st_size == 0) return;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* const address = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) fail(path, "cannot be mapped into memory");
  m_data = static_cast<char*>(address);
  m_size = bytes;
  m_watched = watch(m_data, bytes);
  m_modified = status.st_mtim;
  m_descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

void WatchedMapping::will_need(std::string_view part) const {
  if (part.empty()) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t first = begin / page * page;
  madvise(reinterpret_cast<void*>(first), begin + part.size() - first, MADV_WILLNEED);
}

WatchedMapping::~WatchedMapping() {
  if (m_data == nullptr) return;
  release(m_watched);
  munmap(m_data, m_size);
  if (m_descriptor >= 0) close(m_descriptor);
}

WatchedMapping::WatchedMapping(WatchedMapping&& other) noexcept {
  *this = std::move(other);
}

WatchedMapping& WatchedMapping::operator=(WatchedMapping&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  std::swap(m_descriptor, other.m_descriptor);
  std::swap(m_modified, other.m_modified);
  std::swap(m_watched, other.m_watched);
  return *this;
}

void WatchedMapping::require_unchanged(const std::string& path) const {
  if (m_data == nullptr) return;
  struct stat status {};
  if (fstat(m_descriptor, &status) != 0) fail(path, "cannot be looked at");
  if (static_cast<std::size_t>(status.st_size) < m_size) {
    throw Error::in_file(path, 0,
                         "became shorter while it was read: from " + std::to_string(m_size) +
                             " to " + std::to_string(status.st_size) + " bytes");
  }
  if (m_watched->lost) {
    throw Error::in_file(path, 0,
                         "could not be read to its end: the disk or its connection failed");
  }
  const bool same_time =
      status.st_mtim.tv_sec == m_modified.tv_sec && status.st_mtim.tv_nsec == m_modified.tv_nsec;
  if (static_cast<std::size_t>(status.st_size) != m_size || !same_time) {
    throw Error::in_file(path, 0, "was changed while it was read");
  }
}

}  // namespace genten::detail
