// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ProcessExchange: the Exchange of CP-ALS over a Communicator.

#include <genten/base/detail/backend.hpp>
#include <genten/cp/exchange.hpp>
#include <genten/dist/detail/device_gather.hpp>
#include <genten/dist/detail/queued_sums.hpp>
#include <genten/dist/detail/row_traffic.hpp>
#include <genten/dist/device_transport.hpp>
#include <genten/dist/shared_rows.hpp>

#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

namespace genten {

/// Moves rows by a Communicator, through host memory, or those of devices by a DeviceTransport.
/// Sums are taken in the order of processes, so that they do not depend on what carries them.
/// Memory: for the mode that shares most, the rows that a process lends, by a transport twice; on
/// the host of a device without one as much as it sends and as much as it receives. Throws Error of
/// kind memory, on all processes, where one has too little.
template <RealScalar Scalar, ExecutionSpace Exec>
class ProcessExchange final : public Exchange<Scalar, Exec> {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// For factors of `rank` columns. `shared`, one a mode, is copied. `direct`: null where there is
  /// none, as on hosts. `interrupted`: as Exchange has it; empty: never. All processes construct
  /// it.
  template <SubscriptOrdinal Ordinal>
  ProcessExchange(Communicator& processes, const std::vector<SharedRows<Ordinal>>& shared,
                  std::size_t rank, DeviceTransport* direct = nullptr,
                  std::function<bool()> interrupted = {})
      : m_processes(processes),
        m_direct(direct),
        m_interrupted(std::move(interrupted)),
        m_columns(rank),
        m_modes(modes_of(processes, shared, Traffic::width(rank))),
        m_traffic(processes, direct, rank, most(m_modes, &Mode::borrowed),
                  most(m_modes, &Mode::lent)),
        m_folded(shared.size()),
        m_expanded(shared.size()) {
    if (direct != nullptr) m_queued_sums.emplace(processes, *direct);
  }

  [[nodiscard]] std::size_t process() const override { return m_processes.process(); }
  [[nodiscard]] std::size_t own_rows(int mode, std::size_t /*all*/) const override {
    return m_modes[index(mode)].own;
  }

  /// Of devices nothing is known of sharing.
  [[nodiscard]] std::size_t sharing_memory() const override {
    return is_host_space<Exec> ? m_processes.node().size : 1;
  }
  [[nodiscard]] bool interrupted() const override { return m_interrupted && m_interrupted(); }

  [[nodiscard]] bool sends_beside() const override { return m_direct != nullptr; }

  void send_parts(const Exec& exec, int mode, const Matrix& rows) override {
    const Mode& of = m_modes[index(mode)];
    if (!of.is_shared) return;
    if (m_direct == nullptr) {
      detail::fence(exec, "genten::fold");
      const Timed timed(m_wait);
      m_processes.barrier();
    }
    m_traffic.fold(exec, of.borrowed, of.lent, of.own, of.fold, rows);
    count(of.borrowed, m_folded[index(mode)]);
  }

  void add_parts(const Exec& exec, int mode, const Matrix& rows) override {
    const Mode& of = m_modes[index(mode)];
    if (of.is_shared) m_traffic.add(exec, of.lent, rows);
  }

  void expand(const Exec& exec, int mode, const Matrix& rows) override {
    const Mode& of = m_modes[index(mode)];
    if (!of.is_shared) return;
    m_traffic.expand(exec, of.borrowed, of.lent, of.own, of.expand, rows);
    count(of.lent, m_expanded[index(mode)]);
  }

  void combine(std::span<double> sums, std::span<double> largest) override {
    const Timed timed(m_reduce);
    genten::combine(m_processes, sums, largest);
  }
  [[nodiscard]] bool queue_combine(const Exec& exec,
                                   std::span<const CombinedNumbers> numbers) override {
    if (!m_queued_sums) return false;
    m_queued_sums->combine(exec, numbers);
    return true;
  }
  void take_first(std::span<double> numbers) override {
    const Timed timed(m_reduce);
    m_processes.broadcast(numbers.data(), numbers.size_bytes(), 0);
  }

  [[nodiscard]] Matrix gather(const Exec& exec, int mode, const Matrix& rows) override;

  void scatter(const Exec& exec, int mode, const Matrix& all, Matrix& rows) override;

  void together(const std::function<void()>& body) override { genten::together(m_processes, body); }

  void add_times(PhaseTimings& timings) override {
    timings.add("reduce", std::exchange(m_reduce, 0.0));
    timings.add("fold", -m_wait);
    timings.add("wait", std::exchange(m_wait, 0.0));
  }

  /// What was sent in folds of a mode so far, and in expands.
  [[nodiscard]] const RowsSent& folded(int mode) const { return m_folded[index(mode)]; }
  [[nodiscard]] const RowsSent& expanded(int mode) const { return m_expanded[index(mode)]; }

 private:
  using Traffic = detail::RowTraffic<Scalar, Exec>;

  /// Adds the seconds of its life.
  class Timed {
   public:
    explicit Timed(double& seconds) : m_seconds(seconds) {}
    ~Timed() { m_seconds += m_watch.seconds(); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

   private:
    double& m_seconds;
    Stopwatch m_watch;
  };

  static std::size_t index(int mode) { return static_cast<std::size_t>(mode); }
  /// What is borrowed and what is lent in a mode, and how it goes to its owners and back.
  struct Mode {
    std::size_t own;
    detail::RowLists<Exec> borrowed, lent;
    detail::RowMessages fold, expand;
    bool is_shared = false;  ///< some process has something to send

    Mode(Communicator& processes, std::size_t own_rows, detail::RowLists<Exec> borrowed_rows,
         detail::RowLists<Exec> lent_rows, std::size_t row_bytes)
        : own(own_rows),
          borrowed(std::move(borrowed_rows)),
          lent(std::move(lent_rows)),
          fold(processes, borrowed, lent, row_bytes),
          expand(processes, lent, borrowed, row_bytes) {
      for (const std::size_t sent : all_gather(processes, fold.sent.size())) is_shared |= sent != 0;
    }
  };

  template <class Shared>
  static std::vector<Mode> modes_of(Communicator& processes, const std::vector<Shared>& shared,
                                    std::size_t width) {
    std::vector<detail::RowLists<Exec>> lists;
    genten::together(processes, [&] {
      for (const Shared& mode : shared) {
        lists.emplace_back(mode.borrowed);
        lists.emplace_back(mode.lent);
      }
    });
    std::vector<Mode> modes;
    for (std::size_t n = 0; n < shared.size(); ++n) {
      modes.emplace_back(processes, shared[n].own, std::move(lists[2 * n]),
                         std::move(lists[2 * n + 1]), width * sizeof(Scalar));
    }
    return modes;
  }
  /// Own rows of a mode, of the process that has most.
  [[nodiscard]] std::size_t most_own_rows() const {
    std::size_t most = 0;
    for (const Mode& mode : m_modes) most = std::max(most, mode.own);
    const auto all = all_gather(m_processes, most);
    return *std::max_element(all.begin(), all.end());
  }
  /// Rows of such lists of a mode, of the one that has most.
  static std::size_t most(const std::vector<Mode>& modes, detail::RowLists<Exec> Mode::*lists) {
    std::size_t most = 0;
    for (const Mode& mode : modes) most = std::max(most, (mode.*lists).rows.extent(0));
    return most;
  }
  static void count(const detail::RowLists<Exec>& lists, RowsSent& sent) {
    for (const auto& list : lists.lists) sent.rows += list.count;
    sent.messages += lists.lists.size();
  }

  Communicator& m_processes;
  DeviceTransport* m_direct;
  std::function<bool()> m_interrupted;
  std::size_t m_columns;
  std::vector<Mode> m_modes;
  Traffic m_traffic;
  std::optional<detail::QueuedSums<Exec>> m_queued_sums;              ///< by the transport
  std::optional<detail::DeviceGather<Scalar, Exec>> m_device_gather;  ///< once one is wanted
  std::vector<RowsSent> m_folded, m_expanded;
  double m_reduce = 0.0, m_wait = 0.0;
};

template <RealScalar Scalar, ExecutionSpace Exec>
FacMatrix<Scalar, Exec> ProcessExchange<Scalar, Exec>::gather(const Exec& exec, int mode,
                                                              const Matrix& rows) {
  using HostRows = FacMatrix<Scalar, HostExec>;
  const std::size_t own = m_modes[index(mode)].own, row = m_columns * sizeof(Scalar);
  const std::vector<std::size_t> counts = all_gather(m_processes, own);
  const std::size_t all =
      process() == 0 ? std::accumulate(counts.begin(), counts.end(), std::size_t{0}) : own;
  detail::fence(exec, "genten::gather");
  if (m_direct != nullptr) {
    if (!m_device_gather)
      m_device_gather.emplace(m_processes, *m_direct, m_columns, most_own_rows());
    Matrix result;
    together([&] {
      if (process() == 0) result = Matrix(exec, all, m_columns);
    });
    m_device_gather->run(exec, counts, rows, result);
    return result;
  }
  // All memory is there, on all processes, before one of them waits for another.
  std::vector<Scalar> packed;
  HostRows host;
  Matrix result;
  together([&] {
    const Matrix mine = rows.first_rows(own);
    const auto there = create_mirror_view(mine);
    if constexpr (!is_host_space<Exec>) {
      deep_copy(exec, there, mine);
      detail::fence(exec, "genten::gather");
    }
    packed.resize(all * m_columns);
    for (std::size_t i = 0; i < own; ++i) {
      std::copy_n(there.row(i), m_columns, packed.data() + i * m_columns);
    }
    if (process() != 0) return;
    host = HostRows(all, m_columns);
    if constexpr (!std::is_same_v<Exec, HostExec>) result = Matrix(exec, all, m_columns);
  });
  if (process() != 0) {
    const Communicator::Outgoing out{0, packed.data(), own * row};
    m_processes.exchange({&out, own == 0 ? std::size_t{0} : std::size_t{1}}, {});
    return {};
  }
  std::vector<Communicator::Incoming> in;
  for (std::size_t r = 1, begin = own; r < counts.size(); begin += counts[r++]) {
    if (counts[r] != 0) in.push_back({r, packed.data() + begin * m_columns, counts[r] * row});
  }
  m_processes.exchange({}, in);
  for (std::size_t i = 0; i < all; ++i) {
    std::copy_n(packed.data() + i * m_columns, m_columns, host.row(i));
  }
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return host;
  } else {
    deep_copy(exec, result, host);
    detail::fence(exec, "genten::gather");
    return result;
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
void ProcessExchange<Scalar, Exec>::scatter(const Exec& exec, int mode, const Matrix& all,
                                            Matrix& rows) {
  const std::size_t own = m_modes[index(mode)].own, row = m_columns * sizeof(Scalar);
  const std::vector<std::size_t> counts = all_gather(m_processes, own);
  std::vector<Scalar> packed;
  FacMatrix<Scalar, HostExec> host;
  together([&] {
    packed.resize((process() == 0 ? all.rows() : own) * m_columns);
    host = FacMatrix<Scalar, HostExec>(own, m_columns);
    if (process() != 0) return;
    const auto there = create_mirror_view(all);
    if constexpr (!is_host_space<Exec>) {
      deep_copy(exec, there, all);
      detail::fence(exec, "genten::scatter");
    }
    for (std::size_t i = 0; i < there.rows(); ++i) {
      std::copy_n(there.row(i), m_columns, packed.data() + i * m_columns);
    }
  });
  std::vector<Communicator::Outgoing> out;
  std::vector<Communicator::Incoming> in;
  if (process() != 0) {
    if (own != 0) in.push_back({0, packed.data(), own * row});
  } else {
    for (std::size_t r = 1, begin = own; r < counts.size(); begin += counts[r++]) {
      if (counts[r] != 0) out.push_back({r, packed.data() + begin * m_columns, counts[r] * row});
    }
  }
  m_processes.exchange(out, in);
  for (std::size_t i = 0; i < own; ++i) {
    std::copy_n(packed.data() + i * m_columns, m_columns, host.row(i));
  }
  const Matrix mine = rows.first_rows(own);
  deep_copy(exec, mine, host);
  detail::fence(exec, "genten::scatter");
}

}  // namespace genten
