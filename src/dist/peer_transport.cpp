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

/// Messages that are copied at once.
struct Copies {
  struct Copy {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
  };
  Kokkos::Array<Copy, most_processes> of;
};

/// Each row of blocks copies a message of whole words of 4 bytes.
__global__ void copy(const Copies copies) {
  using Word = unsigned;
  const Copies::Copy& each = copies.of[blockIdx.y];
  auto* const to = reinterpret_cast<Word*>(each.to);
  const auto* const from = reinterpret_cast<const Word*>(each.from);
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < each.bytes / sizeof(Word); i += step) {
    to[i] = from[i];
  }
}

/// Every process has two places that the others reach, which take turns by rounds. What is
/// delivered or sent is written there by its senders before all meet; what is offered there is
/// fetched by the others after that. So a place is written again after its process has met the
/// others once more, and thus after all have read what was there two rounds before.
///
/// Short messages are moved by a kernel. With long ones it would keep multiprocessors waiting for
/// the link that others could use: such messages are moved by the device's copy engines.
class PeerMailbox final : public DeviceMailbox {
 public:
  /// `memory`, of `memory_bytes` of the same, is zero.
  PeerMailbox(Communicator& processes, DeviceBytes memory, std::size_t outgoing,
              std::size_t incoming)
      : m_memory(std::move(memory)), m_process(processes.process()) {
    struct Offer {
      cudaIpcMemHandle_t handle;
      std::size_t place;
    };
    Offer own{{}, place_bytes(outgoing, incoming)};
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

  [[nodiscard]] static std::size_t memory_bytes(std::size_t outgoing, std::size_t incoming) {
    return flag_bytes + 2 * place_bytes(outgoing, incoming);
  }

  [[nodiscard]] void* outgoing(const Message& message) const override { return there(message); }
  void deliver(void* queue, std::span<const Message> /*sent*/,
               std::span<const Message> /*received*/) override {
    begin_round(static_cast<cudaStream_t>(queue));
  }
  void send(void* queue, const void* from, std::span<const Message> sent,
            std::span<const Message> /*received*/) override {
    auto* const stream = static_cast<cudaStream_t>(queue);
    move(stream, sent, [&](const Message& each) {
      return Copies::Copy{there(each), static_cast<const std::byte*>(from) + each.begin,
                          each.bytes};
    });
    begin_round(stream);
  }
  [[nodiscard]] const void* incoming() const override {
    return m_boxes[m_process].place_of(m_round);
  }
  [[nodiscard]] void* offered() const override { return m_boxes[m_process].place_of(m_round + 1); }
  void fetch(void* queue, std::span<const Message> /*sent*/, std::span<const Message> received,
             void* to) override {
    auto* const stream = static_cast<cudaStream_t>(queue);
    begin_round(stream);
    move(stream, received, [&](const Message& each) {
      return Copies::Copy{static_cast<std::byte*>(to) + each.begin,
                          m_boxes[each.process].place_of(m_round) + each.begin_there, each.bytes};
    });
  }

 private:
  static constexpr std::size_t flag_bytes = 256, longest_short = std::size_t{256} << 10;
  static_assert(flag_bytes >= most_processes * sizeof(Round));

  /// Room for the messages of a round.
  static std::size_t place_bytes(std::size_t outgoing, std::size_t incoming) {
    return (std::max(outgoing, incoming) + 255) / 256 * 256;
  }
  struct Box {
    std::byte* begin;
    std::size_t place;
    [[nodiscard]] std::byte* place_of(Round round) const { return begin + round % 2 * place; }
  };

  /// Where the other process will find a message of the next round.
  [[nodiscard]] std::byte* there(const Message& message) const {
    return m_boxes[message.process].place_of(m_round + 1) + message.begin_there;
  }
  void begin_round(cudaStream_t stream) {
    meet<<<1, most_processes, 0, stream>>>(m_flags, ++m_round);
    check_cuda(cudaGetLastError(), "meeting the processes");
  }
  /// Copies messages as copy_of(message) says.
  template <class CopyOf>
  static void move(cudaStream_t stream, std::span<const Message> messages, const CopyOf& copy_of) {
    if (messages.empty()) return;
    Copies copies{};
    std::size_t longest = 0, all = 0;
    for (std::size_t k = 0; k < messages.size(); ++k) {
      copies.of[k] = copy_of(messages[k]);
      longest = std::max(longest, messages[k].bytes);
      all += messages[k].bytes;
    }
    if (all <= longest_short) {
      constexpr std::size_t threads = 256;
      const std::size_t words = longest / sizeof(unsigned);
      const dim3 blocks(static_cast<unsigned>((words + threads - 1) / threads),
                        static_cast<unsigned>(messages.size()));
      copy<<<blocks, threads, 0, stream>>>(copies);
      check_cuda(cudaGetLastError(), "moving rows");
      return;
    }
    for (std::size_t k = 0; k < messages.size(); ++k) {
      const Copies::Copy& each = copies.of[k];
      check_cuda(cudaMemcpyAsync(each.to, each.from, each.bytes, cudaMemcpyDefault, stream),
                 "moving rows");
    }
  }

  DeviceBytes m_memory;  ///< flags and both places
  std::size_t m_process;
  std::vector<SharedBytes> m_others;
  Flags m_flags{};
  std::vector<Box> m_boxes;  ///< by process
  Round m_round = 0;
};

class PeerTransport final : public DeviceTransport {
 public:
  explicit PeerTransport(Communicator& processes) : m_processes(processes) {}

  [[nodiscard]] std::unique_ptr<DeviceMailbox> make_mailbox(std::size_t outgoing,
                                                            std::size_t incoming) override {
    // Memory goes when no other process has it open: their mailboxes have closed it before they
    // come.
    m_processes.barrier();
    std::erase_if(m_given, [](const DeviceBytes& each) { return each.is_last(); });
    DeviceBytes memory;
    together(m_processes, [&] {
      const std::size_t bytes = PeerMailbox::memory_bytes(outgoing, incoming);
      memory = DeviceBytes(bytes);
      check_cuda(cudaMemset(memory.data(), 0, bytes), "clearing memory");
      check_cuda(cudaDeviceSynchronize(), "clearing memory");
    });
    m_given.push_back(memory);
    auto made = std::make_unique<PeerMailbox>(m_processes, memory, outgoing, incoming);
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
