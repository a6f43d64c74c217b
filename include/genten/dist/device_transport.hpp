// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DeviceTransport: how processes move what lies in their devices' memory without their hosts.

#include <genten/base/enum_words.hpp>
#include <genten/dist/communicator.hpp>

#include <array>
#include <memory>
#include <string>

namespace genten {

/// A message to a process: where it begins among all that this one sends, and among all that the
/// other one receives. In bytes, as all lengths here.
struct SentMessage {
  std::size_t process = 0, begin = 0, begin_there = 0, bytes = 0;
};
/// One from a process, and where it begins among all that this one receives.
struct ReceivedMessage {
  std::size_t process = 0, begin = 0, bytes = 0;
};

/// Where processes leave messages for each other: a round of them is written where `outgoing` says,
/// delivered, and read from `incoming`. What reads a round comes before what writes the next one.
/// All processes take part in every round, also those without messages, and in the same order.
class DeviceMailbox {
 public:
  DeviceMailbox() = default;
  DeviceMailbox(const DeviceMailbox&) = delete;
  DeviceMailbox& operator=(const DeviceMailbox&) = delete;
  virtual ~DeviceMailbox() = default;

  /// Where kernels are to write a message of the next round.
  [[nodiscard]] virtual void* outgoing(const SentMessage& message) const = 0;
  /// Queues the delivery on `queue`, a cudaStream_t: it follows what is queued there, and what is
  /// queued later follows it. Throws Error of kind runtime where the library fails.
  virtual void deliver(void* queue, std::span<const SentMessage> sent,
                       std::span<const ReceivedMessage> received) = 0;
  /// Where what the last round has brought begins. It stays until the next one is delivered.
  [[nodiscard]] virtual const void* incoming() const = 0;
};

/// Makes mailboxes, and must outlive them.
class DeviceTransport {
 public:
  DeviceTransport() = default;
  DeviceTransport(const DeviceTransport&) = delete;
  DeviceTransport& operator=(const DeviceTransport&) = delete;
  virtual ~DeviceTransport() = default;

  /// For rounds in which this process sends and receives at most so many bytes. All processes call
  /// it. Memory: at most what is sent and twice what is received. Throws Error of kind memory, on
  /// all processes, where one has too little.
  [[nodiscard]] virtual std::unique_ptr<DeviceMailbox> make_mailbox(std::size_t sent,
                                                                    std::size_t received) = 0;
};

/// What moves rows between processes.
enum class TransportKind {
  automatic,  ///< the first of those below that there is
  peer,       ///< kernels write to the memory of the other devices of a machine
  nccl,       ///< NCCL moves them
  mpi         ///< the processes' hosts do, by the Communicator
};

constexpr auto enum_words(TransportKind) {
  return std::array{
      EnumWord("auto", TransportKind::automatic, "the first of the others that there is"),
      EnumWord("peer", TransportKind::peer, "GPUs write to each other's memory in one machine"),
      EnumWord("nccl", TransportKind::nccl, "NCCL"),
      EnumWord("mpi", TransportKind::mpi, "the hosts")};
}

/// A transport, or none and why.
struct TransportChoice {
  std::unique_ptr<DeviceTransport> transport;
  std::string name;  ///< "peer", "nccl", or why it is "mpi"
};

/// The transport between these processes. `peer` needs at most 16 processes, all on one machine,
/// and devices that reach each other's memory; `nccl` a library that was built with NCCL; both, a
/// device for each process. All processes call it, after Kokkos has its device, and get the same.
/// Throws Error of kind argument where the one that is wanted cannot be, of kind runtime where NCCL
/// fails.
[[nodiscard]] TransportChoice make_device_transport(
    Communicator& processes, TransportKind wanted = TransportKind::automatic);

}  // namespace genten
