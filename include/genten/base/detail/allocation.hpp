// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Memory that there is not, as an Error.

#include <genten/base/error.hpp>

#include <Kokkos_Core.hpp>

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace genten::detail {

/// A new View. Kokkos throws what its release likes where there is no memory for it; this throws
/// Error of kind `memory`.
template <class View, class... Arguments>
[[nodiscard]] View new_view(Arguments&&... arguments) {
  try {
    return View(std::forward<Arguments>(arguments)...);
  } catch (const std::exception&) {
    throw Error(Error::Kind::memory, std::string("out of memory on ") + View::memory_space::name());
  }
}

/// What `body` returns; throws Error of kind `memory`, which names `where`, for what the standard
/// library throws where there is no memory or a length is none.
template <class Body>
decltype(auto) with_memory_errors(const char* where, const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    throw Error(Error::Kind::memory, std::string(where) + ": out of memory");
  } catch (const std::length_error&) {
    throw Error(Error::Kind::memory, std::string(where) + ": more than memory can hold");
  }
}

}  // namespace genten::detail
