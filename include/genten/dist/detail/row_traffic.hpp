// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows on their way: packed side by side for other processes, and taken from what they sent.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/dist/device_transport.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace genten::detail {

/// The rows that are shared with each of some processes, all in one list, and for each row of them
/// where the others' parts of it are.
template <ExecutionSpace Exec>
struct RowLists {
  using Numbers = Kokkos::View<std::uint32_t*, typename Exec::memory_space>;

  struct List {
    std::size_t process, begin, count;
  };

  /// Throws Error of kind memory where they are more than their numbers can count.
  explicit RowLists(const std::vector<std::vector<std::uint32_t>>& by_process) {
    std::size_t count = 0;
    for (const auto& list : by_process) count += list.size();
    require_countable(count);
    std::vector<std::uint32_t> all;
    all.reserve(count);
    for (std::size_t r = 0; r < by_process.size(); ++r) {
      if (by_process[r].empty()) continue;
      lists.push_back({r, all.size(), by_process[r].size()});
      all.insert(all.end(), by_process[r].begin(), by_process[r].end());
    }
    rows = copied("genten::shared_rows", all);
    // Of each row, the places of its parts in the order of processes.
    std::vector<std::uint32_t> order(all.size()), first, each;
    for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t one, std::uint32_t other) { return all[one] < all[other]; });
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      if (k != 0 && all[order[k]] == all[order[k - 1]]) continue;
      first.push_back(k);
      each.push_back(all[order[k]]);
    }
    first.push_back(static_cast<std::uint32_t>(order.size()));
    places = copied("genten::shared_places", order);
    starts = copied("genten::shared_starts", first);
    distinct = copied("genten::shared_distinct", each);
  }

  std::vector<List> lists;  ///< by ascending process, none of them empty
  Numbers rows;             ///< of all lists
  Numbers distinct;         ///< the rows, each once
  Numbers starts;           ///< where the places of each of them begin; at last, their number
  Numbers places;           ///< in `rows`

  static void require_countable(std::size_t count) {
    if (count <= std::numeric_limits<std::uint32_t>::max()) return;
    throw Error(Error::Kind::memory, "a process shares " + std::to_string(count) +
                                         " rows of a mode with others, 2^32 or more: take more "
                                         "processes");
  }

 private:
  static Numbers copied(const char* label, const std::vector<std::uint32_t>& numbers) {
    const auto result = new_view<Numbers>(
        Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), numbers.size());
    copy_view(
        Exec(), result,
        Kokkos::View<const std::uint32_t*, Kokkos::HostSpace,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>(numbers.data(), numbers.size()));
    fence(Exec(), "genten::shared_rows");
    return result;
  }
};

/// body(i, r) by the number of an element. A functor, since nvcc takes no lambda where the kind of
/// the execution space decides.
template <class Body>
struct ByElement {
  Body body;
  std::size_t columns;
  KOKKOS_FUNCTION void operator()(std::size_t element) const {
    body(element / columns, element % columns);
  }
};

/// Runs body(i, r) for all of `rows` rows and R columns: on hosts row by row, on devices an element
/// a thread.
template <ExecutionSpace Exec, class Body>
void for_each_element(const char* label, const Exec& exec, std::size_t rows, std::size_t columns,
                      const Body& body) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
  if constexpr (is_host_space<Exec>) {
    Kokkos::parallel_for(label, Policy(exec, 0, rows), [&](const std::size_t i) {
      for (std::size_t r = 0; r < columns; ++r) body(i, r);
    });
  } else {
    Kokkos::parallel_for(label, Policy(exec, 0, rows * columns), ByElement<Body>{body, columns});
  }
}

/// Rows in the order of a list of numbers, side by side.
template <RealScalar Scalar, class Number>
struct PackRows {
  Scalar* to;
  const Number* number;
  const Scalar* rows;
  std::size_t columns, stride;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t r) const {
    to[i * columns + r] = rows[number[i] * stride + r];
  }
};
/// And back.
template <RealScalar Scalar>
struct UnpackRows {
  const Scalar* from;
  const std::uint32_t* number;
  Scalar* rows;
  std::size_t columns, stride;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t r) const {
    rows[number[i] * stride + r] = from[i * columns + r];
  }
};
/// Adds to each row its parts, in their order.
template <RealScalar Scalar>
struct AddParts {
  const Scalar* from;
  const std::uint32_t* number;
  const std::uint32_t* starts;
  const std::uint32_t* places;
  Scalar* rows;
  std::size_t columns, stride;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t r) const {
    Scalar sum = rows[number[i] * stride + r];
    for (std::uint32_t k = starts[i]; k < starts[i + 1]; ++k) {
      sum += from[places[k] * columns + r];
    }
    rows[number[i] * stride + r] = sum;
  }
};

/// The messages of the rows of a mode that go one way, in bytes.
struct RowMessages {
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;

  /// Of rows of so many bytes each. All processes call it.
  template <ExecutionSpace Exec>
  RowMessages(Communicator& processes, const RowLists<Exec>& out, const RowLists<Exec>& in,
              std::size_t row_bytes) {
    std::vector<std::size_t> begins(processes.size()), there(processes.size());
    for (const auto& list : in.lists) {
      begins[list.process] = list.begin * row_bytes;
      received.push_back({list.process, list.begin * row_bytes, list.count * row_bytes});
    }
    processes.all_to_all(begins.data(), sizeof(std::size_t), there.data());
    for (const auto& list : out.lists) {
      sent.push_back(
          {list.process, list.begin * row_bytes, there[list.process], list.count * row_bytes});
    }
  }
};

/// Moves packed rows: through buffers where `Exec` computes and, for devices, others of the host,
/// or by a mailbox of devices.
template <RealScalar Scalar, ExecutionSpace Exec>
class RowTraffic {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// `direct`: null where the processes' hosts move rows. At most so many elements go either way at
  /// once. All processes construct it. Throws Error of kind memory, on all, where one has too
  /// little.
  RowTraffic(Communicator& processes, DeviceTransport* direct, std::size_t most)
      : m_processes(processes) {
    if (direct != nullptr) {
      m_mailbox = direct->make_mailbox(most * sizeof(Scalar), most * sizeof(Scalar));
      return;
    }
    together(processes, [&] {
      for (auto* each : {&m_out, &m_in}) *each = room<Buffer>(most);
      if constexpr (is_host_space<Exec>) {
        m_host_out = m_out;
        m_host_in = m_in;
      } else {
        for (auto* each : {&m_host_out, &m_host_in}) *each = room<HostBuffer>(most);
      }
    });
  }

  /// Sends the rows of the lists. What comes can be added or unpacked next.
  void send(const Exec& exec, const RowLists<Exec>& lists, const RowMessages& messages,
            const Matrix& rows) {
    if (m_mailbox != nullptr) {
      for (std::size_t k = 0; k < lists.lists.size(); ++k) {
        const auto& list = lists.lists[k];
        pack(exec, static_cast<Scalar*>(m_mailbox->outgoing(messages.sent[k])),
             lists.rows.data() + list.begin, list.count, rows);
      }
      m_mailbox->deliver(Backend<Exec>::queue(exec), messages.sent, messages.received);
      return;
    }
    const std::size_t count = lists.rows.extent(0);
    pack(exec, m_out.data(), lists.rows.data(), count, rows);
    if constexpr (!is_host_space<Exec>) {
      Backend<Exec>::queue_copy(exec, m_host_out.data(), m_out.data(),
                                count * rows.columns() * sizeof(Scalar));
    }
    fence(exec, "genten::pack");
    exchange(messages);
  }
  /// Adds what came to the rows, in the order of processes.
  void add(const Exec& exec, const RowLists<Exec>& lists, const Matrix& rows) const {
    for_each_element(
        "genten::add_parts", exec, lists.distinct.extent(0), rows.columns(),
        AddParts<Scalar>{received(exec, lists, rows), lists.distinct.data(), lists.starts.data(),
                         lists.places.data(), rows.data(), rows.columns(), rows.stride()});
  }
  /// Replaces the rows by what came.
  void unpack(const Exec& exec, const RowLists<Exec>& lists, const Matrix& rows) const {
    for_each_element("genten::unpack", exec, lists.rows.extent(0), rows.columns(),
                     UnpackRows<Scalar>{received(exec, lists, rows), lists.rows.data(), rows.data(),
                                        rows.columns(), rows.stride()});
  }

 private:
  using Buffer = Kokkos::View<Scalar*, typename Exec::memory_space>;
  using HostBuffer = Kokkos::View<Scalar*, typename Backend<Exec>::pinned_space>;

  template <class View>
  static View room(std::size_t count) {
    return new_view<View>(
        Kokkos::view_alloc(std::string("genten::rows_on_their_way"), Kokkos::WithoutInitializing),
        count);
  }
  static void pack(const Exec& exec, Scalar* to, const std::uint32_t* numbers, std::size_t count,
                   const Matrix& rows) {
    for_each_element(
        "genten::pack", exec, count, rows.columns(),
        PackRows<Scalar, std::uint32_t>{to, numbers, rows.data(), rows.columns(), rows.stride()});
  }
  void exchange(const RowMessages& messages) {
    std::vector<Communicator::Outgoing> out;
    std::vector<Communicator::Incoming> in;
    for (const auto& each : messages.sent) {
      out.push_back({each.process, m_host_out.data() + each.begin / sizeof(Scalar), each.bytes});
    }
    for (const auto& each : messages.received) {
      in.push_back({each.process, m_host_in.data() + each.begin / sizeof(Scalar), each.bytes});
    }
    m_processes.exchange(out, in);
  }
  /// What came, where kernels of `exec` read it.
  const Scalar* received(const Exec& exec, const RowLists<Exec>& lists, const Matrix& rows) const {
    if (m_mailbox != nullptr) return static_cast<const Scalar*>(m_mailbox->incoming());
    if constexpr (!is_host_space<Exec>) {
      Backend<Exec>::queue_copy(exec, m_in.data(), m_host_in.data(),
                                lists.rows.extent(0) * rows.columns() * sizeof(Scalar));
    }
    return m_in.data();
  }

  Communicator& m_processes;
  std::unique_ptr<DeviceMailbox> m_mailbox;
  Buffer m_out, m_in;
  HostBuffer m_host_out, m_host_in;
};

}  // namespace genten::detail
