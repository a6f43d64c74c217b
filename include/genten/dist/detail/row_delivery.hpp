// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowDelivery: rows of a model to those processes that want them, by their numbers.

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/core/columns.hpp>
#include <genten/dist/communicator.hpp>
#include <genten/dist/detail/row_traffic.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace genten::detail {

/// Packs rows of a matrix into memory of the host.
template <RealScalar Scalar, ExecutionSpace Exec>
void pack_on_host(const Exec& exec, const FacMatrix<Scalar, Exec>& rows,
                  const std::vector<std::size_t>& which, Scalar* to) {
  const std::size_t columns = rows.columns();
  if constexpr (is_host_space<Exec>) {
    for_each_element(
        "genten::pack_rows", exec, which.size(), columns,
        PackRows<Scalar, std::size_t>{to, which.data(), rows.data(), columns, rows.stride()});
  } else {
    using Buffer = Kokkos::View<Scalar*, typename Exec::memory_space>;
    using OnHost =
        Kokkos::View<Scalar*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const auto numbers = to_space<typename Exec::memory_space>(exec, which);
    const auto packed = uninitialized_view<Buffer>("genten::packed_rows", which.size() * columns);
    for_each_element("genten::pack_rows", exec, which.size(), columns,
                     PackRows<Scalar, std::size_t>{packed.data(), numbers.data(), rows.data(),
                                                   columns, rows.stride()});
    copy_view(exec, OnHost(to, packed.extent(0)), packed);
  }
  fence(exec, "genten::pack_rows");
}

/// Row numbers from `begin` on, before `end`.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Delivers the rows of one mode, round by round. Takes 16 bytes a row of the process, and in a
/// round memory for what it sends and what it gets.
template <RealScalar Scalar, ExecutionSpace Exec>
class RowDelivery {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// `numbers`: of all rows of `rows`. All processes construct it.
  RowDelivery(const Exec& exec, Communicator& processes, const Matrix& rows,
              const std::vector<std::size_t>& numbers)
      : m_exec(exec), m_processes(processes), m_rows(rows) {
    together(processes, [&] {
      with_memory_errors(Error::Fields{.about = "the rows of a model"}, [&] {
        m_order.resize(numbers.size());
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
        std::sort(m_order.begin(), m_order.end(),
                  [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
        m_ascending.reserve(numbers.size());
        for (const std::size_t i : m_order) m_ascending.push_back(numbers[i]);
      });
    });
  }

  /// Each process r gets the rows in wanted[r], whose lists are the same on all processes. Calls
  /// use(number, row) for each that this process gets, on all processes at once: what it throws on
  /// one it throws on all.
  template <class Use>
  void run(std::span<const RowRange> wanted, const Use& use) {
    const std::size_t size = m_processes.size(), me = m_processes.process(),
                      columns = m_rows.columns();
    std::vector<std::size_t> sent(size), received(size), numbers, theirs;
    std::vector<Scalar> values, come;
    together(m_processes, [&] {
      with_memory_errors(Error::Fields{.about = "the rows of a model"},
                         [&] { pack(wanted, sent, numbers, values); });
    });
    m_processes.all_to_all(sent.data(), sizeof(std::size_t), received.data());
    received[me] = 0;
    together(m_processes, [&] {
      with_memory_errors(Error::Fields{.about = "the rows of a model"}, [&] {
        const auto all = std::accumulate(received.begin(), received.end(), std::size_t{0});
        theirs.resize(all);
        come.resize(all * columns);
      });
    });
    exchange(sent, numbers.data(), 1, received, theirs.data());
    exchange(sent, values.data(), columns, received, come.data());
    together(m_processes, [&] {
      const std::size_t first =
          std::accumulate(sent.begin(), sent.begin() + pos(me), std::size_t{0});
      for (std::size_t i = first; i < first + sent[me]; ++i) {
        use(numbers[i], values.data() + i * columns);
      }
      for (std::size_t i = 0; i < theirs.size(); ++i) use(theirs[i], come.data() + i * columns);
    });
  }

 private:
  static std::ptrdiff_t pos(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  /// The rows that go to each process, those for process 0 first.
  void pack(std::span<const RowRange> wanted, std::vector<std::size_t>& counts,
            std::vector<std::size_t>& numbers, std::vector<Scalar>& values) const {
    std::vector<std::size_t> which;
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      const auto begin = std::lower_bound(m_ascending.begin(), m_ascending.end(), wanted[r].begin);
      const auto end = std::lower_bound(begin, m_ascending.end(), wanted[r].end);
      const auto first = m_order.begin() + (begin - m_ascending.begin());
      counts[r] = static_cast<std::size_t>(end - begin);
      numbers.insert(numbers.end(), begin, end);
      which.insert(which.end(), first, first + (end - begin));
    }
    values.resize(which.size() * m_rows.columns());
    if (!values.empty()) pack_on_host(m_exec, m_rows, which, values.data());
  }

  /// Sends `width` items a row.
  template <class T>
  void exchange(const std::vector<std::size_t>& sent, const T* from, std::size_t width,
                const std::vector<std::size_t>& received, T* to) {
    std::vector<Communicator::Outgoing> out;
    std::vector<Communicator::Incoming> in;
    for (std::size_t r = 0; r < sent.size(); ++r) {
      const std::size_t outgoing = sent[r] * width, incoming = received[r] * width;
      if (r != m_processes.process() && outgoing != 0)
        out.push_back({r, from, outgoing * sizeof(T)});
      if (incoming != 0) in.push_back({r, to, incoming * sizeof(T)});
      from += outgoing;
      to += incoming;
    }
    m_processes.exchange(out, in);
  }

  Exec m_exec;
  Communicator& m_processes;
  Matrix m_rows;
  std::vector<std::size_t> m_order;      ///< the rows by ascending number
  std::vector<std::size_t> m_ascending;  ///< their numbers
};

}  // namespace genten::detail
