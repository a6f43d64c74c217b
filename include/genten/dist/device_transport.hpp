// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DeviceTransport: how ranks move what lies in their devices' memory without their hosts.

#include <genten/dist/communicator.hpp>

#include <memory>
#include <string>

namespace genten {

/// Moves messages from device to device, as Communicator::exchange does from host to host, but
/// queued: they follow what the instance's queue holds, and what is queued later follows them.
class DeviceTransport {
 public:
  using Outgoing = Communicator::Outgoing;
  using Incoming = Communicator::Incoming;

  DeviceTransport() = default;
  DeviceTransport(const DeviceTransport&) = delete;
  DeviceTransport& operator=(const DeviceTransport&) = delete;
  virtual ~DeviceTransport() = default;

  /// `queue`: a cudaStream_t. Throws Error of kind runtime where the library fails.
  virtual void exchange(void* queue, std::span<const Outgoing> sent,
                        std::span<const Incoming> received) = 0;
};

/// A transport, or none and why.
struct TransportChoice {
  std::unique_ptr<DeviceTransport> transport;
  std::string name;  ///< "nccl", or why it is "mpi"
};

/// The transport between these ranks: none where the library was built without NCCL, or where two
/// ranks have the same device, which it does not allow. All ranks call it, after Kokkos has its
/// device, and get the same. Throws Error of kind runtime where NCCL fails.
[[nodiscard]] TransportChoice make_device_transport(Communicator& ranks);

}  // namespace genten
