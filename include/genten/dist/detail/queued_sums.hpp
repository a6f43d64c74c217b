// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums over processes that follow what a device's queue holds, without their hosts.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/cp/exchange.hpp>
#include <genten/dist/device_transport.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// Some lists of numbers as one.
struct NumberLists {
  static constexpr int most = 6;
  Kokkos::Array<CombinedNumbers, most> lists{};
  int count = 0;

  explicit NumberLists(std::span<const CombinedNumbers> numbers) {
    if (numbers.size() > static_cast<std::size_t>(most)) {
      throw Error::in("queue_combine", "expected at most " + std::to_string(most) + " lists, got " +
                                           std::to_string(numbers.size()));
    }
    for (const CombinedNumbers& each : numbers) lists[count++] = each;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t total = 0;
    for (int k = 0; k < count; ++k) total += lists[k].count;
    return total;
  }
  /// Number i of them all; `largest` is set to whether that counts.
  [[nodiscard]] KOKKOS_FUNCTION double& at(std::size_t i, bool& largest) const {
    int k = 0;
    for (; k + 1 < count && i >= lists[k].count; ++k) i -= lists[k].count;
    largest = lists[k].largest;
    return lists[k].data[i];
  }
};

/// Puts the numbers side by side, as they are sent.
struct PackNumbers {
  NumberLists numbers;
  double* to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    bool largest = false;
    to[i] = numbers.at(i, largest);
  }
};
/// Combines this process's with those of the others, in the order of processes.
struct CombineProcesses {
  NumberLists numbers;
  const double* others;  ///< of all processes but this one
  std::size_t size, processes, process;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    bool largest = false;
    double& to = numbers.at(i, largest);
    const double own = to;
    double total = of(0, i, own);
    for (std::size_t r = 1; r < processes; ++r) {
      total = largest ? larger(total, of(r, i, own)) : total + of(r, i, own);
    }
    to = total;
  }

 private:
  [[nodiscard]] KOKKOS_FUNCTION double of(std::size_t r, std::size_t i, double own) const {
    return r == process ? own : others[(r < process ? r : r - 1) * size + i];
  }
};

/// Combines numbers by a DeviceTransport: every process sends all of its own to all others, which
/// are few, and each adds them up itself, so that all have the same bits.
template <ExecutionSpace Exec>
class QueuedSums {
 public:
  QueuedSums(const Communicator& processes, DeviceTransport& transport)
      : m_processes(processes.size()), m_process(processes.process()), m_transport(transport) {}

  void combine(const Exec& exec, std::span<const CombinedNumbers> numbers) {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    const NumberLists lists(numbers);
    const std::size_t size = lists.size();
    if (size > m_size) make_room(exec, size);
    std::vector<Message> sent, received;
    double* packed = nullptr;
    for (std::size_t r = 0; r < m_processes; ++r) {
      if (r == m_process) continue;
      // Each process leaves out itself.
      const std::size_t place = m_process < r ? m_process : m_process - 1;
      received.push_back({r, received.size() * bytes_of(size), 0, bytes_of(size)});
      sent.push_back({r, 0, place * bytes_of(size), bytes_of(size)});
      // All get the same, from the same place where it is one of this process's.
      auto* const to = static_cast<double*>(m_mailbox->outgoing(sent.back()));
      if (to == packed) continue;
      Kokkos::parallel_for("genten::pack_numbers", Policy(exec, 0, size), PackNumbers{lists, to});
      packed = to;
    }
    m_mailbox->deliver(Backend<Exec>::queue(exec), sent, received);
    const auto* const others = static_cast<const double*>(m_mailbox->incoming());
    Kokkos::parallel_for("genten::combine_processes", Policy(exec, 0, size),
                         CombineProcesses{lists, others, size, m_processes, m_process});
  }

 private:
  static std::size_t bytes_of(std::size_t size) { return size * sizeof(double); }
  void make_room(const Exec& exec, std::size_t size) {
    fence(exec, "genten::queued_sums");  // what is queued may still use the old one
    m_mailbox.reset();
    m_mailbox = m_transport.make_mailbox(bytes_of(size), (m_processes - 1) * bytes_of(size));
    m_size = size;
  }

  std::size_t m_processes, m_process;
  DeviceTransport& m_transport;
  std::size_t m_size = 0;  ///< numbers that there is room for
  std::unique_ptr<DeviceMailbox> m_mailbox;
};

}  // namespace genten::detail
