// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The few places where Kokkos 3.4 and Kokkos 5 are spoken to differently.

#include <genten/base/detail/allocation.hpp>
#include <genten/base/types.hpp>

#include <string>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace genten::detail {

/// Bytes of a huge page, as most systems have them.
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Asks for huge pages under memory that has not been touched yet. Only advice: where the system
/// has none to give, nothing changes.
inline void advise_huge_pages(void* data, std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (bytes < huge_page) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(data);
  static_cast<void>(bytes);
#endif
}

/// Waits for the instance alone; the label shows in profiles where Kokkos takes one (since 3.5).
template <ExecutionSpace Exec>
void fence(const Exec& exec, const char* label) {
  if constexpr (requires { exec.fence(std::string()); }) {
    exec.fence(std::string(label));
  } else {
    exec.fence();
  }
}

/// A View of rank 1 on a host that begins and ends where huge pages do, inside of a larger one
/// whose ends are never touched. Gathers from factors of some megabytes otherwise spend more time
/// on address translation than on data.
template <class View>
[[nodiscard]] View view_on_huge_pages(const std::string& label, std::size_t count) {
  constexpr std::size_t element = sizeof(typename View::value_type);
  const std::size_t bytes = (count * element + huge_page - 1) / huge_page * huge_page;
  const auto whole = new_view<View>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                    (bytes + huge_page) / element);
  const auto address = reinterpret_cast<std::uintptr_t>(whole.data());
  const std::size_t begin = (huge_page - address % huge_page) % huge_page / element;
  advise_huge_pages(whole.data() + begin, bytes);
  return Kokkos::subview(whole, Kokkos::make_pair(begin, begin + count));
}

/// A View whose elements are not touched, so that the kernel that writes them places their pages.
template <class View, class... Extents>
[[nodiscard]] View uninitialized_view(const std::string& label, Extents... extents) {
  using Element = typename View::value_type;
  constexpr bool on_host = is_host_space<typename View::execution_space>;
  if constexpr (on_host && sizeof...(Extents) == 1 && huge_page % sizeof(Element) == 0) {
    const std::size_t count = (static_cast<std::size_t>(extents), ...);
    if (count * sizeof(Element) >= huge_page) return view_on_huge_pages<View>(label, count);
  }
  const auto view = new_view<View>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                   static_cast<std::size_t>(extents)...);
  if constexpr (on_host) advise_huge_pages(view.data(), view.span() * sizeof(Element));
  return view;
}

/// A View of zeros, written by `exec` so that its threads place the pages.
template <class View, ExecutionSpace Exec, class... Extents>
[[nodiscard]] View zeroed_view(const Exec& exec, const std::string& label, Extents... extents) {
  const View view = uninitialized_view<View>(label, extents...);
  Kokkos::deep_copy(exec, view, typename View::value_type(0));
  fence(exec, "genten::zeroed_view");
  return view;
}

}  // namespace genten::detail
