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

/// A message to a process or from one: where it begins among all that this process sends, or
/// receives, and among all that the other one receives, or sends. In bytes, as all lengths here.
struct Message {
  std::size_t process = 0, begin = 0, begin_there = 0, bytes = 0;
};

/// Where processes leave messages for each other, in rounds. What reads a round comes before what
/// begins the next one. All processes take part in every round, also those without messages, and in
/// the same order. What moves messages is queued on `queue`, a cudaStream_t: it follows what is
/// queued there, and what is queued later follows it. Throws Error of kind runtime where the
/// library fails.
class DeviceMailbox {
 public:
  DeviceMailbox() = default;
  DeviceMailbox(const DeviceMailbox&) = delete;
  DeviceMailbox& operator=(const DeviceMailbox&) = delete;
  virtual ~DeviceMailbox() = default;

  /// Where kernels are to write a message of a round that is delivered.
  [[nodiscard]] virtual void* outgoing(const Message& message) const = 0;
  /// Delivers what was written there.
  virtual void deliver(void* queue, std::span<const Message> sent,
                       std::span<const Message> received) = 0;
  /// Sends messages from where they are, `from` and on: no pass of its own.
  virtual void send(void* queue, const void* from, std::span<const Message> sent,
                    std::span<const Message> received) = 0;
  /// Where what was delivered or sent in the last round has come to. It stays until the next round.
  [[nodiscard]] virtual const void* incoming() const = 0;

  /// Where kernels are to write the messages of a round that is fetched.
  [[nodiscard]] virtual void* offered() const = 0;
  /// Fetches what the others have written there to where it is wanted, `to` and on.
  virtual void fetch(void* queue, std::span<const Message> sent, std::span<const Message> received,
                     void* to) = 0;
};

/// Makes mailboxes, and must outlive them.
class DeviceTransport {
 public:
  DeviceTransport() = default;
  DeviceTransport(const DeviceTransport&) = delete;
  DeviceTransport& operator=(const DeviceTransport&) = delete;
  virtual ~DeviceTransport() = default;

  /// For rounds in which this process delivers or offers at most `outgoing` bytes, and gets at most
  /// `incoming` by what is delivered or sent. All processes call it. Memory: at most the sum, or
  /// twice the larger one. Throws Error of kind memory, on all processes, where one has too little.
  [[nodiscard]] virtual std::unique_ptr<DeviceMailbox> make_mailbox(std::size_t outgoing,
                                                                    std::size_t incoming) = 0;
};

/// What moves rows between processes.
enum class TransportKind {
  automatic,  ///< the first of those below that there is
  peer,       ///< devices of a machine reach each other's memory
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
