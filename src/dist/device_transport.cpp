// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/error.hpp>
#include <genten/dist/device_transport.hpp>

#ifdef GENTEN_HAS_NCCL
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#endif

namespace genten {

#ifdef GENTEN_HAS_NCCL

namespace {

void check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  throw Error(Error::Kind::runtime,
              std::string("NCCL, ") + what + ": " + ncclGetErrorString(result));
}

/// Groups of sends and receives, over all ranks' devices.
class NcclTransport final : public DeviceTransport {
 public:
  explicit NcclTransport(Communicator& ranks) {
    ncclUniqueId id;
    together(ranks, [&] {
      if (ranks.rank() == 0) check(ncclGetUniqueId(&id), "naming a group of ranks");
    });
    ranks.broadcast(&id, sizeof id, 0);
    check(ncclCommInitRank(&m_ranks, static_cast<int>(ranks.size()), id,
                           static_cast<int>(ranks.rank())),
          "joining the ranks");
  }
  ~NcclTransport() override { ncclCommDestroy(m_ranks); }

  void exchange(void* queue, std::span<const Outgoing> sent,
                std::span<const Incoming> received) override {
    auto* const stream = static_cast<cudaStream_t>(queue);
    check(ncclGroupStart(), "beginning a group");
    for (const Outgoing& each : sent) {
      check(ncclSend(each.data, each.bytes, ncclChar, static_cast<int>(each.rank), m_ranks, stream),
            "sending");
    }
    for (const Incoming& each : received) {
      check(ncclRecv(each.data, each.bytes, ncclChar, static_cast<int>(each.rank), m_ranks, stream),
            "receiving");
    }
    check(ncclGroupEnd(), "ending a group");
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(m_ranks, &state), "asking for errors");
    check(state, "moving rows");
  }

 private:
  ncclComm_t m_ranks = nullptr;
};

/// What tells a device from all others of all machines.
std::array<char, 32> device_name() {
  std::array<char, 32> name{};
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) == cudaSuccess &&
      cudaGetDeviceProperties(&properties, device) == cudaSuccess) {
    std::memcpy(name.data(), &properties.uuid, sizeof properties.uuid);
  }
  return name;
}

}  // namespace

TransportChoice make_device_transport(Communicator& ranks) {
  const auto names = all_gather(ranks, device_name());
  if (std::set(names.begin(), names.end()).size() != names.size()) {
    return {nullptr, "mpi, since ranks share a device"};
  }
  return {std::make_unique<NcclTransport>(ranks), "nccl"};
}

#else

TransportChoice make_device_transport(Communicator& /*ranks*/) {
  return {nullptr, "mpi"};
}

#endif

}  // namespace genten
