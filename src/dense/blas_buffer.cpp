// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "lapack.hpp"

#include <genten/base/detail/memory.hpp>
#include <genten/base/memory.hpp>
#include <genten/base/types.hpp>
#include <genten/dense/blas_buffer.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

// OpenBLAS alone has it. A shared library may be exchanged for another one after the build, which
// only a weak reference allows; but a weak one does not take a member out of a static library.
#ifdef GENTEN_STATIC_OPENBLAS
extern "C" char* openblas_get_config();
#else
extern "C" [[gnu::weak]] char* openblas_get_config();
#endif

namespace genten {
namespace {

constexpr std::size_t buffer_bytes = (std::size_t{128} << 20) + 4096;

bool openblas_is_used() {
#ifdef GENTEN_STATIC_OPENBLAS
  return openblas_get_config() != nullptr;
#else
  return &openblas_get_config != nullptr;
#endif
}

/// Whether nothing has to be mapped any more. Once the buffer was there, it stays.
std::atomic<bool>& no_buffer_to_come() {
  static std::atomic<bool> none = !openblas_is_used();
  return none;
}

/// Whether as much can be mapped.
bool can_map(std::size_t bytes) {
  void* const probe =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return false;
  munmap(probe, bytes);
  return true;
}

}  // namespace

double blas_buffer_bytes() {
  return no_buffer_to_come() ? 0.0 : static_cast<double>(buffer_bytes);
}

void require_blas_buffer() {
  if (no_buffer_to_come() || can_map(buffer_bytes)) return;
  // What is said to be available may lie in pieces.
  require_memory(
      {.what = "OpenBLAS, which solves R x R systems,",
       .parts = {{"buffer", static_cast<double>(buffer_bytes)}},
       .available = std::min(available_memory<HostExec>(), static_cast<double>(buffer_bytes) - 1.0),
       .remedy = "only a higher limit on address space or data (ulimit -v, ulimit -d) helps"});
}

void begin_blas() {
  if (no_buffer_to_come()) return;
  require_blas_buffer();
  // Any call maps it. At once, before what was found to be there is taken by something else.
  const int n = 1;
  double matrix = 1.0;
  int info = 0;
  dpotrf_("L", &n, &matrix, &n, &info);
  no_buffer_to_come() = true;
}

double available_beside_blas() {
  detail::MemoryFacts facts = detail::memory_facts();
  for (detail::ProcessLimit* limit : {&facts.address_space, &facts.data}) {
    limit->used += blas_buffer_bytes();
  }
  return detail::available_bytes(facts);
}

}  // namespace genten
