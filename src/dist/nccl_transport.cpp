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
  NcclMailbox(ncclComm_t processes, std::size_t outgoing, std::size_t incoming)
      : m_processes(processes),
        m_out(std::max<std::size_t>(outgoing, 1)),
        m_in(std::max<std::size_t>(incoming, 1)) {}

  [[nodiscard]] void* outgoing(const Message& message) const override {
    return m_out.data() + message.begin;
  }
  void deliver(void* queue, std::span<const Message> sent,
               std::span<const Message> received) override {
    move(queue, m_out.data(), sent, received, m_in.data());
  }
  void send(void* queue, const void* from, std::span<const Message> sent,
            std::span<const Message> received) override {
    move(queue, static_cast<const std::byte*>(from), sent, received, m_in.data());
  }
  [[nodiscard]] const void* incoming() const override { return m_in.data(); }
  [[nodiscard]] void* offered() const override { return m_out.data(); }
  void fetch(void* queue, std::span<const Message> sent, std::span<const Message> received,
             void* to) override {
    move(queue, m_out.data(), sent, received, static_cast<std::byte*>(to));
  }

 private:
  void move(void* queue, const std::byte* from, std::span<const Message> sent,
            std::span<const Message> received, std::byte* to) {
    auto* const stream = static_cast<cudaStream_t>(queue);
    check(ncclGroupStart(), "beginning a group");
    for (const Message& each : sent) {
      check(ncclSend(from + each.begin, each.bytes, ncclChar, static_cast<int>(each.process),
                     m_processes, stream),
            "sending");
    }
    for (const Message& each : received) {
      check(ncclRecv(to + each.begin, each.bytes, ncclChar, static_cast<int>(each.process),
                     m_processes, stream),
            "receiving");
    }
    check(ncclGroupEnd(), "ending a group");
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(m_processes, &state), "asking for errors");
    check(state, "moving rows");
  }

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

  [[nodiscard]] std::unique_ptr<DeviceMailbox> make_mailbox(std::size_t outgoing,
                                                            std::size_t incoming) override {
    std::unique_ptr<DeviceMailbox> made;
    together(m_processes,
             [&] { made = std::make_unique<NcclMailbox>(m_group, outgoing, incoming); });
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
