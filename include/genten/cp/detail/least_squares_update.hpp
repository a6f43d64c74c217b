// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// LeastSquaresUpdate: the row update that minimizes the residual, exactly.

#include <genten/base/detail/memory_peak.hpp>
#include <genten/cp/detail/als_algebra_device.hpp>
#include <genten/cp/detail/processes/one_process.hpp>
#include <genten/cp/detail/row_update.hpp>
#include <genten/dense/factor_update.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace genten::detail {

/// What a pass over a process's own rows has found, to be made what it is of all processes' rows.
template <class Pass>
[[nodiscard]] std::vector<CombinedNumbers> numbers_of(const Pass& pass) {
  const std::size_t rank = pass.gram().extent(0);
  std::vector<CombinedNumbers> numbers{{pass.gram().data(), rank * rank, false},
                                       {pass.dots().data(), rank, false},
                                       {pass.column_max().data(), rank, true}};
  if constexpr (requires { pass.absolute_sums(); }) {
    numbers.push_back({pass.absolute_sums().data(), rank, false});
    numbers.push_back({pass.violations().data(), 1, true});
  }
  return numbers;
}

/// Combines them at once, on the hosts.
template <class Processes>
void combine_numbers(Processes& processes, std::span<const CombinedNumbers> numbers) {
  std::vector<double> sums, most;
  for (const auto& [data, count, largest] : numbers) {
    auto& to = largest ? most : sums;
    to.insert(to.end(), data, data + count);
  }
  processes.combine(sums, most);
  const double *sum = sums.data(), *found = most.data();
  for (const auto& [data, count, largest] : numbers) {
    const double*& from = largest ? found : sum;
    std::copy_n(from, count, data);
    from += count;
  }
}

/// Multiplies each row by the (pseudo)inverse of the Hadamard product of the other modes' Gram
/// matrices, in one pass of FactorUpdate. A RowUpdate.
template <RealScalar Scalar, ExecutionSpace ExecSpace>
class LeastSquaresUpdate {
 public:
  using Exec = ExecSpace;
  using Algebra = std::conditional_t<is_host_space<Exec>, HostAlsAlgebra<Scalar, Exec>,
                                     DeviceAlsAlgebra<Scalar, Exec>>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Event = typename Algebra::Event;
  using Solved = typename Algebra::Solved;
  using Applied = typename Algebra::Applied;

  /// For factors of `rank` columns and at most `most_rows` rows.
  LeastSquaresUpdate(int order, std::size_t rank, std::size_t most_rows,
                     ColumnScaling scaling = ColumnScaling::normalized)
      : m_algebra(order, rank, std::is_same_v<Scalar, float> ? 1e-3 : 1e-8, scaling),
        m_pass(rank, most_rows) {
    for (int i = 0; i < 2; ++i) m_transforms.emplace_back(rank, rank);
  }

  /// Bytes that such an object takes where factors lie.
  [[nodiscard]] static double memory(int order, std::size_t rank, std::size_t most_rows) {
    const double transform = static_cast<double>(rank) *
                             static_cast<double>(padded_stride(rank, sizeof(Scalar))) *
                             sizeof(Scalar);
    return Algebra::memory(order, rank) + 2.0 * array_bytes(transform, !is_host_space<Exec>) +
           FactorUpdate<Scalar, Exec>::memory(rank, most_rows);
  }

  /// The rows are from now on those of one of several processes, and what is found in them counts
  /// together with what the others find in theirs.
  void join(Exchange<Scalar, Exec>& processes) { m_processes = &processes; }
  /// See column_weight.
  void set_unit(double unit) { m_algebra.set_unit(unit); }

  /// Notes the Gram matrix of a mode's initial factor.
  template <class Square>
  void set_gram(int mode, const Square& gram) {
    m_algebra.set_gram(mode, gram);
  }
  /// Computes it from the factor and notes it.
  void measure(const Exec& exec, int mode, const Matrix& factor) {
    m_pass.measure(exec, factor);
    fence(exec, "genten::gram");
    combine_numbers(*m_processes, numbers_of(m_pass));
    m_algebra.set_gram(mode, m_pass.gram());
  }
  /// The factor of a mode is other rows from now on, which are stored as they count. Of one
  /// process a device waits for nothing.
  void replace(const Exec& exec, int mode, const Matrix& factor) {
    m_pass.measure(exec, factor);
    take_factor(exec, mode);
  }
  /// The same for rows that are written in the same pass; see FactorUpdate.
  template <class Write>
  void write_and_replace(const Exec& exec, int mode, const Matrix& factor, const Write& write) {
    m_pass.write_and_measure(exec, factor, write);
    take_factor(exec, mode);
  }

  /// The Gram matrix and largest elements of columns that `measure` has found last.
  [[nodiscard]] const auto& measured() const { return m_pass; }

  /// MTTKRP does not read the factor of its own mode, so it writes there.
  [[nodiscard]] Matrix mttkrp_output(int /*mode*/, const Matrix& rows) const { return rows; }
  /// Whether a device has still to take in the last update, which `solve` then does, too.
  [[nodiscard]] bool solves_early() const {
    if constexpr (is_host_space<Exec>) {
      return false;
    } else {
      return m_algebra.is_absorbing();
    }
  }
  [[nodiscard]] Solved solve(int mode) { return solve(mode, 0.0); }
  [[nodiscard]] Applied apply(const Exec& exec, const Matrix& rows, Solved solved,
                              RowEvents<Event>& events) {
    if (m_processes->is_distributed() || !m_pass.is_short(exec, rows)) {
      return apply_and_sum(exec, rows, std::move(solved), events);
    }
    // What is found in the rows is summed beside the next MTTKRP, and never goes to the host.
    m_pass.run_rows(exec, rows, transforms_of(exec, solved), solved.count);
    events.written.set(exec);
    m_written = events.written;
    return Applied(std::move(solved), events.updated);
  }
  /// The event `updated` of `apply` may be set here.
  void absorb(Applied applied, bool first_sweep) {
    if constexpr (!is_host_space<Exec>) {
      if (m_written) {
        m_algebra.finish_and_absorb(std::move(applied), *std::exchange(m_written, std::nullopt),
                                    m_pass, first_sweep);
        return;
      }
    }
    combine(applied, m_pass);
    absorb_combined(std::move(applied), first_sweep);
  }

  /// One of several that are updated together: its rows, in which their MTTKRP stands.
  struct Together {
    LeastSquaresUpdate* update = nullptr;
    Matrix rows;
    bool first_sweep = false;
  };
  /// What devices need for it.
  struct Tasks {
    typename Algebra::Tasks algebra;
    typename FactorUpdate<Scalar, Exec>::Tasks pass;
  };
  /// Lets it be updated together with `other`.
  void share_queue(const LeastSquaresUpdate& other) {
    if constexpr (!is_host_space<Exec>) m_algebra.share_queue(other.m_algebra);
  }
  /// The three calls for a mode of several starts of one process that share a queue, with the bits
  /// that each gets alone.
  static void update_together(const Exec& exec, int mode, std::span<const Together> starts,
                              Event& updated, Tasks& tasks) {
    std::vector<Solved> solved = solve_together(mode, starts, tasks);
    std::vector<typename FactorUpdate<Scalar, Exec>::Pass> passes;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      LeastSquaresUpdate& each = *starts[k].update;
      passes.push_back(
          {&each.m_pass, starts[k].rows, each.transforms_of(exec, solved[k]), solved[k].count});
    }
    FactorUpdate<Scalar, Exec>::run_together(exec, passes, tasks.pass);
    updated.set(exec);
    absorb_together(std::move(solved), starts, updated, tasks);
  }

  /// After all modes of a sweep; returns whether it is to be repeated.
  [[nodiscard]] static constexpr bool end_sweep() { return false; }

  /// Of all that was absorbed; waits for it.
  [[nodiscard]] AlsStatistics statistics() const { return m_algebra.statistics(); }
  /// By column, what the stored factor of a mode lacks: see als_algebra.hpp.
  [[nodiscard]] std::vector<double> correction(int mode) const {
    return m_algebra.correction(mode);
  }
  /// The same, for a pass that multiplies the factor by it.
  [[nodiscard]] std::vector<double> take_correction(int mode) {
    return m_algebra.take_correction(mode);
  }
  [[nodiscard]] std::vector<double> weights() const { return m_algebra.weights(); }
  [[nodiscard]] std::size_t rank_deficient_solves() const {
    return m_algebra.rank_deficient_solves();
  }
  [[nodiscard]] AlgebraState save() const { return m_algebra.save(); }
  void restore(const AlgebraState& state) { m_algebra.restore(state); }

 protected:
  /// `apply` for those who read what the pass finds on the host.
  [[nodiscard]] Applied apply_and_sum(const Exec& exec, const Matrix& rows, Solved solved,
                                      RowEvents<Event>& events) {
    m_pass.run(exec, rows, transforms_of(exec, solved), &events.written, solved.count);
    queue_combine(exec, m_pass);
    events.updated.set(exec);
    return Applied(std::move(solved), events.updated);
  }
  /// Lets what the pass is about to find be combined where it is found, if that can be.
  template <class Pass>
  void queue_combine(const Exec& exec, const Pass& pass) {
    m_combined = m_processes->queue_combine(exec, numbers_of(pass));
  }
  /// Makes what the pass has found that of all processes, unless it is queued that it becomes so.
  template <class Pass>
  void combine(Applied& applied, const Pass& pass) {
    if (m_combined) return;
    applied.updated.wait();
    combine_numbers(*m_processes, numbers_of(pass));
  }
  void absorb_combined(Applied applied, bool first_sweep) {
    m_algebra.absorb(std::move(applied), m_pass, first_sweep);
  }
  [[nodiscard]] Exchange<Scalar, Exec>& processes() const { return *m_processes; }
  [[nodiscard]] Solved solve(int mode, double ridge) {
    return m_algebra.solve(mode, m_transforms, ridge, !m_pass.takes_counts());
  }
  [[nodiscard]] Algebra& algebra() { return m_algebra; }
  /// Of the last factor that a linear update has gone over.
  [[nodiscard]] const FactorUpdate<Scalar, Exec>& pass() const { return m_pass; }

 private:
  /// Those that a solve has written, or will have when what is queued from now on runs.
  [[nodiscard]] std::span<const Matrix> transforms_of(const Exec& exec,
                                                      const Solved& solved) const {
    if (solved.ready) solved.ready->hold(exec);
    return std::span<const Matrix>(m_transforms).first(solved.transforms);
  }
  void take_factor(const Exec& exec, int mode) {
    if (m_processes->is_distributed()) {
      fence(exec, "genten::gram");
      combine_numbers(*m_processes, numbers_of(m_pass));
    }
    m_algebra.take_factor(exec, mode, m_pass);
  }
  static std::vector<Solved> solve_together(int mode, std::span<const Together> starts,
                                            [[maybe_unused]] Tasks& tasks) {
    if constexpr (is_host_space<Exec>) {
      std::vector<Solved> solved;
      for (const Together& each : starts) solved.push_back(each.update->solve(mode));
      return solved;
    } else {
      std::vector<typename Algebra::Together> all;
      for (const Together& each : starts) {
        all.push_back({&each.update->m_algebra, each.update->m_transforms});
      }
      return Algebra::solve_together(mode, all, tasks.algebra,
                                     !starts[0].update->m_pass.takes_counts());
    }
  }
  static void absorb_together(std::vector<Solved> solved, std::span<const Together> starts,
                              const Event& updated, [[maybe_unused]] Tasks& tasks) {
    std::vector<Applied> applied;
    for (Solved& each : solved) applied.emplace_back(std::move(each), updated);
    if constexpr (is_host_space<Exec>) {
      for (std::size_t k = 0; k < starts.size(); ++k) {
        LeastSquaresUpdate& each = *starts[k].update;
        each.m_algebra.absorb(std::move(applied[k]), each.m_pass, starts[k].first_sweep);
      }
    } else {
      using Pass = FactorUpdate<Scalar, Exec>;
      std::vector<typename Algebra::template AbsorbTogether<Pass>> all;
      for (const auto& [update, rows, first] : starts) {
        all.push_back({&update->m_algebra, &update->m_pass, first});
      }
      Algebra::template absorb_together<Pass>(std::move(applied), all, tasks.algebra);
    }
  }

  Exchange<Scalar, Exec>* m_processes = &OneProcess<Scalar, Exec>::instance();
  bool m_combined =
      true;  ///< what the last pass has found is, or is queued to be, of all processes
  std::optional<Event> m_written;  ///< of rows in which the pass has still to sum what it finds
  Algebra m_algebra;
  FactorUpdate<Scalar, Exec> m_pass;
  std::vector<Matrix> m_transforms;
};

}  // namespace genten::detail
