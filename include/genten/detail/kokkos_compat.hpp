// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The few places where Kokkos 3.4 and Kokkos 5 are spoken to differently.

#include <genten/core/types.hpp>

#include <string>

namespace genten::detail {

/// Waits for the instance alone; the label shows in profiles where Kokkos takes one (since 3.5).
template <ExecutionSpace Exec>
void fence(const Exec& exec, const char* label) {
  if constexpr (requires { exec.fence(std::string()); }) {
    exec.fence(std::string(label));
  } else {
    exec.fence();
  }
}

/// A View whose elements are not touched, so that the kernel that writes them places their pages.
template <class View, class... Extents>
[[nodiscard]] View uninitialized_view(const char* label, Extents... extents) {
  return View(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing),
              static_cast<std::size_t>(extents)...);
}

}  // namespace genten::detail
