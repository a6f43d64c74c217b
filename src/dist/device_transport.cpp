// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "device_transports.hpp"

#include <genten/base/detail/backend.hpp>

#include <array>
#include <cstring>
#include <set>

namespace genten {

namespace {

/// Whether no two processes have the same device.
bool have_own_devices([[maybe_unused]] Communicator& processes) {
#ifdef KOKKOS_ENABLE_CUDA
  std::array<char, 32> name{};  // which tells a device from all others of all machines
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) == cudaSuccess &&
      cudaGetDeviceProperties(&properties, device) == cudaSuccess) {
    std::memcpy(name.data(), &properties.uuid, sizeof properties.uuid);
  }
  const auto names = all_gather(processes, name);
  return std::set(names.begin(), names.end()).size() == names.size();
#else
  return true;
#endif
}

}  // namespace

TransportChoice make_device_transport(Communicator& processes, TransportKind wanted) {
  const bool any = wanted == TransportKind::automatic;
  if (wanted == TransportKind::mpi) return {nullptr, "mpi"};
  if (!have_own_devices(processes)) {
    if (any) return {nullptr, "mpi, since processes share a device"};
    throw AgreedError("rows cannot go from device to device, since processes share one");
  }
  if (any || wanted == TransportKind::peer) {
    if (auto peer = detail::make_peer_transport(processes)) return {std::move(peer), "peer"};
    if (!any) throw AgreedError("the processes' devices do not reach each other's memory");
  }
  if (auto nccl = detail::make_nccl_transport(processes)) return {std::move(nccl), "nccl"};
  if (any) return {nullptr, "mpi"};
  throw AgreedError("this library was built without NCCL");
}

}  // namespace genten
