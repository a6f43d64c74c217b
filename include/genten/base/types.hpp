// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The scalar, ordinal and execution-space vocabulary that every template of Genten speaks.

#include <genten/base/numbers.hpp>

#include <Kokkos_Core.hpp>

namespace genten {

/// A Kokkos execution space.
template <class T>
concept ExecutionSpace = Kokkos::is_execution_space<T>::value;

/// The execution space that host algorithms use: the parallel host backend when there is one.
using HostExec = Kokkos::DefaultHostExecutionSpace;

/// True where kernels of `Exec` run on the host's memory and the host's processor.
template <ExecutionSpace Exec>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;

}  // namespace genten
