// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The transports that make_device_transport chooses from. Each has a file of its own.

#include <genten/dist/device_transport.hpp>

namespace genten::detail {

/// Kernels write into the memory of other devices of the same machine, which CUDA lets processes
/// share. None where processes are on several machines or devices do not reach each other.
[[nodiscard]] std::unique_ptr<DeviceTransport> make_peer_transport(Communicator& processes);

/// NCCL. None where the library was built without it.
[[nodiscard]] std::unique_ptr<DeviceTransport> make_nccl_transport(Communicator& processes);

}  // namespace genten::detail
