// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "device_transports.hpp"

#include <genten/base/detail/backend.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include "device_bytes.hpp"

#include <cuda/atomic>

#include <algorithm>
#include <utility>
#include <vector>
#endif

namespace genten::detail {

#ifdef KOKKOS_ENABLE_CUDA

namespace {

constexpr std::size_t most_processes = 16;
using Round = unsigned long long;

/// Where each process says which round it has come to, in the memory of the one that reads it.
struct Flags {
  Kokkos::Array<Round*, most_processes> of;  ///< by process, that process's
  unsigned processes, process;
};

/// Ends when all processes have come to the round: what they have written before, to whatever
/// memory, is then there. One block with a thread for each process.
__global__ void meet(const Flags flags, const Round round) {
  using Flag = cuda::atomic_ref<Round, cuda::thread_scope_system>;
  const unsigned other = threadIdx.x;
  if (other >= flags.processes || other == flags.process) return;
  __threadfence_system();
  Flag(flags.of[other][flags.process]).store(round, cuda::memory_order_release);
  Flag theirs(flags.of[flags.process][other]);
  while (theirs.load(cuda::memory_order_acquire) < round) {
  }
}

/// What another process shares of its device's memory.
class SharedBytes {
 public:
  explicit SharedBytes(const cudaIpcMemHandle_t& handle) {
    check_cuda(cudaIpcOpenMemHandle(&m_data, handle, cudaIpcMemLazyEnablePeerAccess),
               "reaching another device's memory");
  }
  SharedBytes(SharedBytes&& other) noexcept : m_data(std::exchange(other.m_data, nullptr)) {}
  ~SharedBytes() {
    if (m_data != nullptr) static_cast<void>(cudaIpcCloseMemHandle(m_data));
  }
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;
  SharedBytes& operator=(SharedBytes&&) = delete;
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(m_data); }

 private:
  void* m_data = nullptr;
};

/// Processes write their messages to where the others read them, and meet. There are two places,
/// which take turns: a process writes a round to one of them after it has met the others, and so
/// after they have read the round before the last, which was there.
///
/// Short messages are written there by the kernels that pack them. Those of long ones would keep
/// multiprocessors waiting for the link that others could use: such messages are packed beside, and
/// copied by the device's copy engines.
class PeerMailbox final : public DeviceMailbox {
 public:
  /// `memory`, of `memory_bytes(sent, received)`, is zero.
  PeerMailbox(Communicator& processes, DeviceBytes memory, std::size_t sent, std::size_t received)
      : m_memory(std::move(memory)), m_copies(is_long(sent)), m_process(processes.process()) {
    struct Offer {
      cudaIpcMemHandle_t handle;
      std::size_t place;
    };
    Offer own{{}, place_bytes(received)};
    together(processes, [&] {
      check_cuda(cudaIpcGetMemHandle(&own.handle, m_memory.data()), "sharing memory");
    });
    const auto offers = all_gather(processes, own);
    m_flags.processes = static_cast<unsigned>(processes.size());
    m_flags.process = static_cast<unsigned>(m_process);
    m_others.reserve(offers.size());
    together(processes, [&] {
      for (std::size_t r = 0; r < offers.size(); ++r) {
        std::byte* const data =
            r == m_process ? m_memory.data() : m_others.emplace_back(offers[r].handle).data();
        m_flags.of[r] = reinterpret_cast<Round*>(data);
        m_boxes.push_back({data + flag_bytes, offers[r].place});
      }
    });
  }

  [[nodiscard]] static std::size_t memory_bytes(std::size_t sent, std::size_t received) {
    return flag_bytes + 2 * place_bytes(received) + (is_long(sent) ? sent : 0);
  }

  [[nodiscard]] void* outgoing(const SentMessage& message) const override {
    if (!m_copies) return there(message);
    const Box& own = m_boxes[m_process];
    return own.begin + 2 * own.place + message.begin;
  }
  void deliver(void* queue, std::span<const SentMessage> sent,
               std::span<const ReceivedMessage> /*received*/) override {
    auto* const stream = static_cast<cudaStream_t>(queue);
    for (std::size_t k = 0; m_copies && k < sent.size(); ++k) {
      check_cuda(cudaMemcpyAsync(there(sent[k]), outgoing(sent[k]), sent[k].bytes,
                                 cudaMemcpyDefault, stream),
                 "sending rows");
    }
    meet<<<1, most_processes, 0, stream>>>(m_flags, ++m_round);
    check_cuda(cudaGetLastError(), "meeting the processes");
  }
  [[nodiscard]] const void* incoming() const override {
    return m_boxes[m_process].place_of(m_round);
  }

 private:
  /// Whether messages are long that all together take so many bytes.
  static bool is_long(std::size_t bytes) { return bytes > std::size_t{256} << 10; }

  static constexpr std::size_t flag_bytes = 256;
  static_assert(flag_bytes >= most_processes * sizeof(Round));

  /// Room for the messages of a round.
  static std::size_t place_bytes(std::size_t received) { return (received + 255) / 256 * 256; }
  struct Box {
    std::byte* begin;
    std::size_t place;
    [[nodiscard]] std::byte* place_of(Round round) const { return begin + round % 2 * place; }
  };

  /// Where the other process will find a message of the next round.
  [[nodiscard]] std::byte* there(const SentMessage& message) const {
    return m_boxes[message.process].place_of(m_round + 1) + message.begin_there;
  }

  DeviceBytes m_memory;  ///< flags, both places, and what is packed beside
  bool m_copies;
  std::size_t m_process;
  std::vector<SharedBytes> m_others;
  Flags m_flags{};
  std::vector<Box> m_boxes;  ///< by process
  Round m_round = 0;
};

class PeerTransport final : public DeviceTransport {
 public:
  explicit PeerTransport(Communicator& processes) : m_processes(processes) {}

  [[nodiscard]] std::unique_ptr<DeviceMailbox> make_mailbox(std::size_t sent,
                                                            std::size_t received) override {
    // Memory goes when no other process has it open: their mailboxes have closed it before they
    // come.
    m_processes.barrier();
    std::erase_if(m_given, [](const DeviceBytes& each) { return each.is_last(); });
    DeviceBytes memory;
    together(m_processes, [&] {
      const std::size_t bytes = PeerMailbox::memory_bytes(sent, received);
      memory = DeviceBytes(bytes);
      check_cuda(cudaMemset(memory.data(), 0, bytes), "clearing memory");
      check_cuda(cudaDeviceSynchronize(), "clearing memory");
    });
    m_given.push_back(memory);
    auto made = std::make_unique<PeerMailbox>(m_processes, memory, sent, received);
    m_processes.barrier();
    return made;
  }

 private:
  Communicator& m_processes;
  std::vector<DeviceBytes> m_given;
};

}  // namespace

std::unique_ptr<DeviceTransport> make_peer_transport(Communicator& processes) {
  if (processes.size() > most_processes || processes.node().size != processes.size())
    return nullptr;
  auto transport = std::make_unique<PeerTransport>(processes);
  try {
    static_cast<void>(transport->make_mailbox(1, 1));
  } catch (const AgreedError&) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return transport;
}

#else

std::unique_ptr<DeviceTransport> make_peer_transport(Communicator& /*processes*/) {
  return nullptr;
}

#endif

}  // namespace genten::detail
