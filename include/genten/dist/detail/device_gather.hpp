// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DeviceGather: the rows of all processes' devices on that of process 0.

#include <genten/dist/detail/row_traffic.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace genten::detail {

/// Copies rows to others as long.
template <RealScalar Scalar>
struct CopyRows {
  const Scalar* from;
  Scalar* to;
  std::size_t width;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t r) const {
    to[i * width + r] = from[i * width + r];
  }
};

/// Gathers rows by a DeviceTransport, in rounds of so many bytes of each process that the memory
/// for them is small beside what is gathered.
template <RealScalar Scalar, ExecutionSpace Exec>
class DeviceGather {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// Bytes of a round, of all processes together.
  static constexpr std::size_t usual_round = std::size_t{64} << 20;

  /// For at most so many rows of a process. All processes construct it. Memory: on process 0 at
  /// most twice a round. Throws Error of kind memory, on all, where it has too little.
  DeviceGather(Communicator& processes, DeviceTransport& transport, std::size_t columns,
               std::size_t most_rows, std::size_t round_bytes = usual_round)
      : m_processes(processes),
        m_width(padded_stride(columns, sizeof(Scalar))),
        m_rows(std::clamp<std::size_t>(
            round_bytes / (std::max<std::size_t>(processes.size() - 1, 1) * bytes_of(1)), 1,
            std::max<std::size_t>(most_rows, 1))),
        m_mailbox(transport.make_mailbox(
            0, is_first() ? bytes_of(m_rows) * (processes.size() - 1) : 0)) {}

  /// On process 0 the first counts[r] rows of each process r, in the order of processes, go to
  /// `all`; the others do not look at that. Done when it returns.
  void run(const Exec& exec, const std::vector<std::size_t>& counts, const Matrix& rows,
           const Matrix& all) {
    if (is_first()) copy(exec, counts[0], rows.data(), all.data());
    std::size_t most = 0;
    for (std::size_t r = 1; r < counts.size(); ++r) most = std::max(most, counts[r]);
    for (std::size_t begin = 0; begin < most; begin += m_rows) {
      is_first() ? receive(exec, counts, begin, all)
                 : send(exec, counts[m_processes.process()], begin, rows);
    }
    fence(exec, "genten::gather");
  }

 private:
  [[nodiscard]] bool is_first() const { return m_processes.process() == 0; }
  [[nodiscard]] std::size_t bytes_of(std::size_t rows) const {
    return rows * m_width * sizeof(Scalar);
  }
  /// Of so many rows, those of the round that begins there.
  [[nodiscard]] std::size_t of_round(std::size_t count, std::size_t begin) const {
    return count <= begin ? 0 : std::min(count - begin, m_rows);
  }
  void copy(const Exec& exec, std::size_t rows, const Scalar* from, Scalar* to) const {
    for_each_element("genten::gather", exec, rows, m_width, CopyRows<Scalar>{from, to, m_width});
  }

  void send(const Exec& exec, std::size_t count, std::size_t begin, const Matrix& rows) {
    std::vector<Message> sent;
    if (const std::size_t now = of_round(count, begin); now != 0) {
      sent.push_back(
          {0, bytes_of(begin), (m_processes.process() - 1) * bytes_of(m_rows), bytes_of(now)});
    }
    m_mailbox->send(Backend<Exec>::queue(exec), rows.data(), sent, {});
  }
  void receive(const Exec& exec, const std::vector<std::size_t>& counts, std::size_t begin,
               const Matrix& all) {
    std::vector<Message> received;
    for (std::size_t r = 1; r < counts.size(); ++r) {
      const std::size_t now = of_round(counts[r], begin);
      if (now != 0) {
        received.push_back({r, (r - 1) * bytes_of(m_rows), bytes_of(begin), bytes_of(now)});
      }
    }
    m_mailbox->send(Backend<Exec>::queue(exec), nullptr, {}, received);
    const auto* const come = static_cast<const Scalar*>(m_mailbox->incoming());
    std::size_t first = counts[0];
    for (std::size_t r = 1; r < counts.size(); first += counts[r++]) {
      copy(exec, of_round(counts[r], begin), come + (r - 1) * m_rows * m_width,
           all.data() + (first + begin) * m_width);
    }
  }

  Communicator& m_processes;
  std::size_t m_width;  ///< elements of a row with its padding
  std::size_t m_rows;   ///< of a process in a round
  std::unique_ptr<DeviceMailbox> m_mailbox;
};

}  // namespace genten::detail
