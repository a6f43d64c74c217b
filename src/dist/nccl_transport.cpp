// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "device_transports.hpp"

#ifdef GENTEN_HAS_NCCL
#include "device_bytes.hpp"

#include <nccl.h>

#include <algorithm>
#endif

namespace genten::detail {

#ifdef GENTEN_HAS_NCCL

namespace {

void check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  throw Error(Error::Kind::runtime,
              std::string("NCCL, ") + what + ": " + ncclGetErrorString(result));
}

/// Each round is a group of sends and receives.
class NcclMailbox final : public DeviceMailbox {
 public:
  NcclMailbox(ncclComm_t processes, std::size_t sent, std::size_t received)
      : m_processes(processes),
        m_out(std::max<std::size_t>(sent, 1)),
        m_in(std::max<std::size_t>(received, 1)) {}

  [[nodiscard]] void* outgoing(const SentMessage& message) const override {
    return m_out.data() + message.begin;
  }
  void deliver(void* queue, std::span<const SentMessage> sent,
               std::span<const ReceivedMessage> received) override {
    auto* const stream = static_cast<cudaStream_t>(queue);
    check(ncclGroupStart(), "beginning a group");
    for (const SentMessage& each : sent) {
      check(ncclSend(m_out.data() + each.begin, each.bytes, ncclChar,
                     static_cast<int>(each.process), m_processes, stream),
            "sending");
    }
    for (const ReceivedMessage& each : received) {
      check(ncclRecv(m_in.data() + each.begin, each.bytes, ncclChar, static_cast<int>(each.process),
                     m_processes, stream),
            "receiving");
    }
    check(ncclGroupEnd(), "ending a group");
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(m_processes, &state), "asking for errors");
    check(state, "moving rows");
  }
  [[nodiscard]] const void* incoming() const override { return m_in.data(); }

 private:
  ncclComm_t m_processes;
  DeviceBytes m_out, m_in;
};

class NcclTransport final : public DeviceTransport {
 public:
  explicit NcclTransport(Communicator& processes) : m_processes(processes) {
    ncclUniqueId id;
    together(processes, [&] {
      if (processes.process() == 0) check(ncclGetUniqueId(&id), "naming a group of processes");
    });
    processes.broadcast(&id, sizeof id, 0);
    check(ncclCommInitRank(&m_group, static_cast<int>(processes.size()), id,
                           static_cast<int>(processes.process())),
          "joining the processes");
  }
  ~NcclTransport() override { ncclCommDestroy(m_group); }

  [[nodiscard]] std::unique_ptr<DeviceMailbox> make_mailbox(std::size_t sent,
                                                            std::size_t received) override {
    std::unique_ptr<DeviceMailbox> made;
    together(m_processes, [&] { made = std::make_unique<NcclMailbox>(m_group, sent, received); });
    return made;
  }

 private:
  Communicator& m_processes;
  ncclComm_t m_group = nullptr;
};

}  // namespace

std::unique_ptr<DeviceTransport> make_nccl_transport(Communicator& processes) {
  return std::make_unique<NcclTransport>(processes);
}

#else

std::unique_ptr<DeviceTransport> make_nccl_transport(Communicator& /*processes*/) {
  return nullptr;
}

#endif

}  // namespace genten::detail
