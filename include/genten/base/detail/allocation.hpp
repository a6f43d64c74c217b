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

[[noreturn]] inline void throw_memory_error(Error::Fields who, const char* complaint) {
  who.kind = Error::Kind::memory;
  who.complaint = complaint;
  throw Error(std::move(who));
}

/// What `body` returns; throws Error of kind `memory`, of the function, file or what else is in
/// `who`, for what the standard library throws where there is no memory or a length is none.
template <class Body>
decltype(auto) with_memory_errors(const Error::Fields& who, const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    throw_memory_error(who, "out of memory");
  } catch (const std::length_error&) {
    throw_memory_error(who, "more than memory can hold");
  }
}
template <class Body>
decltype(auto) with_memory_errors(const char* function, const Body& body) {
  return with_memory_errors(Error::Fields{.function = function}, body);
}

}  // namespace genten::detail
