// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows on their way: side by side for other processes, and taken from what they sent.

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
/// a thread. Where a body tells which row it reads, body.source(i), hosts ask for it some rows
/// before.
template <ExecutionSpace Exec, class Body>
void for_each_element(const char* label, const Exec& exec, std::size_t rows, std::size_t columns,
                      const Body& body) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
  if constexpr (is_host_space<Exec>) {
    Kokkos::parallel_for(label, Policy(exec, 0, rows), [&](const std::size_t i) {
      if constexpr (requires { body.source(i); }) {
        constexpr std::size_t ahead = 8, line = 64 / sizeof(*body.source(0));
        const auto* const next = body.source(std::min(i + ahead, rows - 1));
        for (std::size_t r = 0; r < columns; r += line) __builtin_prefetch(next + r);
      }
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
  [[nodiscard]] KOKKOS_FUNCTION const Scalar* source(std::size_t i) const {
    return rows + number[i] * stride;
  }
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t r) const {
    to[i * columns + r] = source(i)[r];
  }
};
/// Adds to each row its parts, which are `width` elements apart, in their order.
template <RealScalar Scalar>
struct AddParts {
  const Scalar* from;
  const std::uint32_t* number;
  const std::uint32_t* starts;
  const std::uint32_t* places;
  Scalar* rows;
  std::size_t width, stride;
  [[nodiscard]] KOKKOS_FUNCTION const Scalar* source(std::size_t i) const {
    return from + places[starts[i]] * width;
  }
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t r) const {
    Scalar sum = rows[number[i] * stride + r];
    for (std::uint32_t k = starts[i]; k < starts[i + 1]; ++k) sum += from[places[k] * width + r];
    rows[number[i] * stride + r] = sum;
  }
};

/// The messages of the rows of a mode that go one way, in bytes.
struct RowMessages {
  std::vector<Message> sent, received;

  /// Of rows of so many bytes each. All processes call it.
  template <ExecutionSpace Exec>
  RowMessages(Communicator& processes, const RowLists<Exec>& out, const RowLists<Exec>& in,
              std::size_t row_bytes)
      : sent(messages(processes, out, in, row_bytes)),
        received(messages(processes, in, out, row_bytes)) {}

 private:
  /// Those of `these`, which the others have among their `others`.
  template <ExecutionSpace Exec>
  static std::vector<Message> messages(Communicator& processes, const RowLists<Exec>& these,
                                       const RowLists<Exec>& others, std::size_t row_bytes) {
    std::vector<std::size_t> begins(processes.size()), there(processes.size());
    for (const auto& list : others.lists) begins[list.process] = list.begin * row_bytes;
    processes.all_to_all(begins.data(), sizeof(std::size_t), there.data());
    std::vector<Message> result;
    for (const auto& list : these.lists) {
      result.push_back(
          {list.process, list.begin * row_bytes, there[list.process], list.count * row_bytes});
    }
    return result;
  }
};

/// Moves rows between processes, with their padding, by their hosts or by a mailbox of devices.
/// Foreign rows follow each other as they are sent, so that they go from where MTTKRP has written
/// them and come to where the next MTTKRP reads them.
template <RealScalar Scalar, ExecutionSpace Exec>
class RowTraffic {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// `direct`: null where the processes' hosts move rows. Of matrices of so many columns, that
  /// Genten has allocated, at most so many rows are borrowed and lent. All processes construct it.
  /// Throws Error of kind memory, on all, where one has too little.
  RowTraffic(Communicator& processes, DeviceTransport* direct, std::size_t columns,
             std::size_t borrowed, std::size_t lent)
      : m_processes(processes), m_width(width(columns)) {
    if (direct != nullptr) {
      const std::size_t bytes = lent * m_width * sizeof(Scalar);
      m_mailbox = direct->make_mailbox(bytes, bytes);
      return;
    }
    together(processes, [&] {
      m_lent = room<Buffer>(lent * m_width);
      if constexpr (!is_host_space<Exec>) {
        const std::size_t most = std::max(borrowed, lent) * m_width;
        for (auto* each : {&m_host_out, &m_host_in}) *each = room<HostBuffer>(most);
      }
    });
  }
  /// Elements of a row on its way.
  [[nodiscard]] static std::size_t width(std::size_t columns) {
    return padded_stride(columns, sizeof(Scalar));
  }

  /// Sends foreign rows, which begin at `first`, to their owners. What comes can be added next.
  void fold(const Exec& exec, const RowLists<Exec>& borrowed, const RowLists<Exec>& lent,
            std::size_t first, const RowMessages& messages, const Matrix& rows) {
    const Scalar* const from = in_place(rows, first);
    if (m_mailbox != nullptr) {
      return m_mailbox->send(Backend<Exec>::queue(exec), from, messages.sent, messages.received);
    }
    exchange(exec, messages, from, borrowed.rows.extent(0), m_lent.data(), lent.rows.extent(0));
  }
  /// Adds what came to the rows, in the order of processes.
  void add(const Exec& exec, const RowLists<Exec>& lists, const Matrix& rows) const {
    const Scalar* const from =
        m_mailbox != nullptr ? static_cast<const Scalar*>(m_mailbox->incoming()) : m_lent.data();
    for_each_element("genten::add_parts", exec, lists.distinct.extent(0), rows.columns(),
                     AddParts<Scalar>{from, lists.distinct.data(), lists.starts.data(),
                                      lists.places.data(), rows.data(), m_width, rows.stride()});
  }
  /// Sends lent rows to those who have borrowed them, and replaces the foreign ones.
  void expand(const Exec& exec, const RowLists<Exec>& borrowed, const RowLists<Exec>& lent,
              std::size_t first, const RowMessages& messages, const Matrix& rows) {
    Scalar* const to = in_place(rows, first);
    Scalar* const packed =
        m_mailbox != nullptr ? static_cast<Scalar*>(m_mailbox->offered()) : m_lent.data();
    for_each_element("genten::pack", exec, lent.rows.extent(0), m_width,
                     PackRows<Scalar, std::uint32_t>{packed, lent.rows.data(), rows.data(), m_width,
                                                     rows.stride()});
    if (m_mailbox != nullptr) {
      return m_mailbox->fetch(Backend<Exec>::queue(exec), messages.sent, messages.received, to);
    }
    exchange(exec, messages, packed, lent.rows.extent(0), to, borrowed.rows.extent(0));
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
  /// Where foreign rows begin, which go as they lie.
  [[nodiscard]] Scalar* in_place(const Matrix& rows, std::size_t first) const {
    if (rows.stride() != m_width) {
      throw Error("rows: expected a stride of " + std::to_string(m_width) + ", got " +
                  std::to_string(rows.stride()));
    }
    return rows.data() + first * m_width;
  }
  /// By the hosts, of so many rows. Those of devices go through pinned memory.
  void exchange(const Exec& exec, const RowMessages& messages, const Scalar* from, std::size_t sent,
                Scalar* to, std::size_t received) {
    const Scalar* host_from = from;
    Scalar* host_to = to;
    if constexpr (!is_host_space<Exec>) {
      Backend<Exec>::queue_copy(exec, m_host_out.data(), from, sent * m_width * sizeof(Scalar));
      host_from = m_host_out.data();
      host_to = m_host_in.data();
    }
    fence(exec, "genten::exchange");
    std::vector<Communicator::Outgoing> out;
    std::vector<Communicator::Incoming> in;
    for (const auto& each : messages.sent) {
      out.push_back({each.process, host_from + each.begin / sizeof(Scalar), each.bytes});
    }
    for (const auto& each : messages.received) {
      in.push_back({each.process, host_to + each.begin / sizeof(Scalar), each.bytes});
    }
    m_processes.exchange(out, in);
    if constexpr (!is_host_space<Exec>) {
      Backend<Exec>::queue_copy(exec, to, host_to, received * m_width * sizeof(Scalar));
    }
  }

  Communicator& m_processes;
  std::size_t m_width;
  std::unique_ptr<DeviceMailbox> m_mailbox;
  Buffer m_lent;  ///< of hosts: what owners receive in a fold, and send in an expand
  HostBuffer m_host_out, m_host_in;
};

}  // namespace genten::detail
