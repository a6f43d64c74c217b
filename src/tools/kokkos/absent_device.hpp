// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Kokkos without its device.

namespace genten::tools {

/// Lets Kokkos::initialize start the backends of the host alone, on a machine without a device that
/// it could use; the default execution space must not be used then. False where this Kokkos cannot
/// (before 4.0).
[[nodiscard]] bool leave_device_out();

}  // namespace genten::tools
