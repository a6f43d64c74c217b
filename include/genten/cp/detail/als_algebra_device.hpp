// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DeviceAlsAlgebra: the R x R side of ALS on a device, beside MTTKRP.

#include <genten/cp/detail/algebra/by_rows.hpp>
#include <genten/cp/detail/algebra/device_arrays.hpp>
#include <genten/cp/detail/algebra/launches.hpp>
#include <genten/dense/factor_update.hpp>
#include <genten/dense/team_tasks.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace genten::detail {

/// HostAlsAlgebra for devices. Kernels run on a queue of their own, so that they take a
/// multiprocessor, or for wide ranks a share of all, while MTTKRP has the others. `solve` waits for
/// its own kernels alone, or for nothing where another kernel can read what it finds.
template <RealScalar Scalar, ExecutionSpace Exec>
class DeviceAlsAlgebra {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Event = typename Backend<Exec>::Event;
  using Column = Kokkos::View<double*, typename Exec::memory_space>;
  using Solved = SolvedUpdate<Column, Event>;
  using Applied = AppliedUpdate<Column, Event>;

  /// Up to this rank one team does all: its kernels are few and leave MTTKRP most of the device. On
  /// an H200 it then also takes no longer (.20 and .23 ms at rank 96, .34 and .23 at 128).
  static constexpr std::size_t most_of_one_team = 112;
  /// Up to this rank teams as large as those of FactorUpdate suffice, and their memory, so that one
  /// can go on and solve.
  static constexpr int most_at_once = 32;
  static_assert(SolveByTeam<Scalar, typename Kokkos::TeamPolicy<Exec>::member_type>::workspace_size(
                    most_at_once) <= least_finish_workspace);

  /// Tests also let one team do less.
  DeviceAlsAlgebra(int order, std::size_t rank, double single_factor_rcond,
                   ColumnScaling scaling = ColumnScaling::normalized,
                   std::size_t of_one_team = most_of_one_team)
      : m_rank(static_cast<int>(rank)),
        m_single_factor_rcond(single_factor_rcond),
        m_scaling(scaling),
        m_arrays(order, rank),
        m_spare(new_view<decltype(m_spare)>("genten::other_corrections", rank)),
        m_workspace(new_view<decltype(m_workspace)>(
            "genten::solve_workspace",
            rank > of_one_team ? 0 : SolveByTeam<Scalar, Member>::workspace_size(m_rank))) {
    if (rank > of_one_team) m_wide.emplace(m_rank);
  }

  /// Bytes that such an object takes on the device.
  [[nodiscard]] static double memory(int order, std::size_t rank) {
    const auto columns = static_cast<double>(rank);
    return Arrays::memory(order, rank) + 8.0 * columns +
           (rank > most_of_one_team ? Wide::memory(rank) : 8.0 * columns * (2.0 * columns + 6.0));
  }

  void set_unit(double unit) { m_unit = unit; }

  template <class Square>
  void set_gram(int mode, const Square& gram) {
    absorb_pending();
    m_arrays.set_gram(m_queue.exec(), mode, gram);
  }

  /// Queues that a pass' Gram matrix is that of a factor that is stored as it counts. It is there
  /// when what is queued on `exec` is done; what is queued there later may write over it.
  template <class Pass>
  void take_factor(const Exec& exec, int mode, const Pass& pass) {
    absorb_pending();
    m_done.set(exec);
    m_done.hold(m_queue.exec());
    Kokkos::parallel_for("genten::take_factor",
                         Kokkos::RangePolicy<Exec>(m_queue.exec(), 0, m_rank * m_rank),
                         TakeFactor{state(m_spare), mode, pass.gram().data()});
    m_done.set(m_queue.exec());
    m_done.hold(exec);
  }

  /// Unless it `waits`, one team's solve is only queued: see SolvedUpdate.
  [[nodiscard]] Solved solve(int mode, std::span<const Matrix> factors, double ridge = 0.0,
                             bool waits = true) {
    Column others = take_spare();
    if (m_wide) {
      solve_wide(mode, state(others), {factors[0].data(), factors[1].data(), factors[0].stride()},
                 ridge);
      return solved(mode, std::move(others), true, m_done);
    }
    const auto task = solve_task(mode, factors, others, ridge, waits);
    if (m_pending && m_rank <= most_at_once) {
      std::exchange(m_pending, nullptr)(m_queue.exec(), &task.order);
      m_measured = false;
    } else {
      absorb_pending();
      launch("genten::solve_small", task, 1, solve_scratch());
    }
    set_done(waits);
    return solved(mode, std::move(others), waits, m_done);
  }

  /// What several objects need to do a step in one launch.
  struct Tasks {
    TeamTaskList<Exec> solve, absorb;
  };
  /// One of them, with the matrices that its `solve` writes.
  struct Together {
    DeviceAlsAlgebra* algebra;
    std::span<const Matrix> factors;
  };
  /// From now on kernels run on the queue of `other`, as those that run together must.
  void share_queue(const DeviceAlsAlgebra& other) {
    absorb_pending();
    fence(m_queue.exec(), "genten::share_queue");
    m_queue = other.m_queue;
  }
  /// `solve` for several objects that share a queue, in one launch. Ranks are those of one team.
  static std::vector<Solved> solve_together(int mode, std::span<const Together> all, Tasks& tasks,
                                            bool waits = true) {
    std::vector<SolveByTeam<Scalar, Member>> solves;
    std::vector<Column> others;
    for (const auto& [algebra, factors] : all) {
      algebra->absorb_pending();
      others.push_back(algebra->take_spare());
      solves.push_back(algebra->solve_task(mode, factors, others.back(), 0.0, waits));
    }
    DeviceAlsAlgebra& first = *all[0].algebra;
    const TeamTasks<SolveByTeam<Scalar, Member>, Exec> together{tasks.solve.put(solves), 1};
    first.launch("genten::solve_small", together, static_cast<int>(solves.size()),
                 first.solve_scratch());
    tasks.solve.read_by(first.m_queue.exec());
    first.set_done(waits);
    std::vector<Solved> found;
    for (std::size_t k = 0; k < all.size(); ++k) {
      found.push_back(all[k].algebra->solved(mode, std::move(others[k]), waits, first.m_done));
    }
    return found;
  }

  [[nodiscard]] Solved write_system(int mode, const RowEquation<Scalar, Exec>& system,
                                    double ridge) {
    absorb_pending();
    Column others = take_spare();
    const WriteSystemByTeam<RowEquation<Scalar, Exec>, Member> write{state(others), mode, ridge,
                                                                     system};
    if (m_wide) {
      by_rows("genten::write_row_equation", WriteSystemByRows<decltype(write), Member>{write});
    } else {
      launch("genten::write_row_equation", write);
    }
    set_done(true);
    return {mode, 0, std::move(others)};
  }

  template <class Pass>
  void absorb(Applied applied, const Pass& update, bool first_sweep) {
    absorb_pending();
    applied.updated.hold(m_queue.exec());
    if (m_wide) {
      const AbsorbColumns<Member> columns = absorb_columns(applied, update, first_sweep);
      double* const norms = m_wide->arrays().sums;  // of no use between solves
      launch("genten::absorb_columns", columns);
      by_rows("genten::absorb_rows", AbsorbRows<Member>{columns, norms});
      launch("genten::add_absorbed", AddAbsorbed<Member>{columns.state, applied.mode, norms});
    } else {
      launch_absorb(absorb_task(applied, update, first_sweep));
    }
    // The next solve is queued behind, and may write there.
    m_spare = std::move(applied.others);
    m_measured = true;
  }
  /// The same for a pass that has gone over the rows, at `written`, and is still to sum what it
  /// finds in them; sets applied.updated. After the first sweep that waits for the next call: where
  /// this is `solve`, one launch does both. Ranks are those of one team.
  template <class Pass>
  void finish_and_absorb(Applied applied, const Event& written, Pass& update, bool first_sweep) {
    absorb_pending();
    written.hold(m_queue.exec());
    m_pending = [&update, absorb = absorb_task(applied, update, first_sweep),
                 updated = applied.updated](const Exec& exec,
                                            const SolveOrder<Scalar>* then) mutable {
      if (then == nullptr) {
        update.finish(exec, absorb);
      } else {
        update.finish(exec, AbsorbAndSolve<Scalar, Member>{absorb, *then});
      }
      updated.set(exec);
    };
    m_mode = applied.mode;
    m_spare = std::move(applied.others);
    if (first_sweep) absorb_pending();
  }
  /// Whether that is still to come.
  [[nodiscard]] bool is_absorbing() const { return static_cast<bool>(m_pending); }
  /// The same for the algebra of one of several, whose queue they share.
  template <class Pass>
  struct AbsorbTogether {
    DeviceAlsAlgebra* algebra;
    const Pass* update;
    bool first_sweep;
  };
  template <class Pass>
  static void absorb_together(std::vector<Applied> applied,
                              std::span<const AbsorbTogether<Pass>> all, Tasks& tasks) {
    DeviceAlsAlgebra& first = *all[0].algebra;
    applied[0].updated.hold(first.m_queue.exec());
    std::vector<AbsorbByTeam<Member>> absorbs;
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].algebra->absorb_pending();
      absorbs.push_back(
          all[k].algebra->absorb_task(applied[k], *all[k].update, all[k].first_sweep));
    }
    const TeamTasks<AbsorbByTeam<Member>, Exec> together{tasks.absorb.put(absorbs), 1};
    first.launch_absorb(together, static_cast<int>(absorbs.size()));
    tasks.absorb.read_by(first.m_queue.exec());
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].algebra->m_spare = std::move(applied[k].others);
      all[k].algebra->m_measured = true;
    }
  }

  /// The host may change `factors` after the next `statistics`.
  void rescale(std::span<const double> factors) {
    absorb_pending();
    double* const given = m_arrays.factors.data();
    std::copy(factors.begin(), factors.end(), given);
    if (!m_wide) {
      launch("genten::rescale_columns", RescaleByTeam<Member>{state(m_spare), given});
      return;
    }
    // Every row reads them: they come from the host once. The memory is free between solves.
    double* const here = m_wide->arrays().square;
    Backend<Exec>::queue_copy(m_queue.exec(), here, given,
                              m_arrays.factors.size() * sizeof(double));
    by_rows("genten::rescale_columns", RescaleRows<Member>{state(m_spare), here}, m_arrays.order());
  }

  std::vector<double> take_correction(int mode) {
    auto taken = correction(mode);  // and nothing is pending
    Kokkos::deep_copy(m_queue.exec(), m_arrays.correction(mode), 1.0);
    return taken;
  }
  [[nodiscard]] std::vector<double> correction(int mode) const {
    absorb_pending();
    return m_arrays.on_host(m_queue.exec(), m_arrays.correction(mode));
  }
  [[nodiscard]] std::vector<double> weights() const {
    absorb_pending();
    return m_arrays.on_host(m_queue.exec(), m_arrays.weights());
  }
  [[nodiscard]] AlsStatistics statistics() const {
    absorb_pending();
    if (!m_measured) launch_absorb(MeasureModel<Member>{state(m_spare), m_mode});
    m_measured = true;
    fence(m_queue.exec(), "genten::als_statistics");
    return m_arrays.report().statistics;
  }
  [[nodiscard]] std::size_t rank_deficient_solves() const {
    fence(m_queue.exec(), "genten::rank_deficient_solves");
    return m_arrays.report().rank_deficient_solves;
  }

  [[nodiscard]] AlgebraState save() const {
    static_cast<void>(statistics());
    return m_arrays.save(m_queue.exec());
  }
  void restore(const AlgebraState& state) {
    absorb_pending();
    m_arrays.restore(m_queue.exec(), state);
    m_measured = true;
  }

 private:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Arrays = DeviceAlgebraArrays<Exec>;
  using Wide = WideSpdInverse<Exec>;

  [[nodiscard]] Column take_spare() {
    Column others = std::exchange(m_spare, Column());
    // A solve whose result nobody has applied has kept it.
    if (others.data() == nullptr) others = Column("genten::other_corrections", m_rank);
    return others;
  }
  [[nodiscard]] DeviceAlgebraState state(const Column& others) const {
    return m_arrays.state(others);
  }
  [[nodiscard]] SolveByTeam<Scalar, Member> solve_task(int mode, std::span<const Matrix> factors,
                                                       const Column& others, double ridge,
                                                       bool tells_host) const {
    return {state(others),
            {mode, tells_host, ridge, m_single_factor_rcond, factors[0].data(), factors[1].data(),
             factors[0].stride(), others.data(), m_arrays.count.data()},
            solve_scratch() != 0 ? nullptr : m_workspace.data()};
  }
  /// What a kernel has found, which the host has waited for, or will have found at `done`.
  [[nodiscard]] Solved solved(int mode, Column others, bool waits, const Event& done) const {
    Solved found(mode, waits ? static_cast<std::size_t>(m_arrays.report().factors) : 2,
                 std::move(others));
    if (!waits) {
      found.ready = done;
      found.count = m_arrays.count.data();
    }
    return found;
  }
  template <class Pass>
  [[nodiscard]] AbsorbColumns<Member> absorb_columns(const Applied& applied, const Pass& update,
                                                     bool first_sweep) const {
    const double *const gram = update.gram().data(), *const dots = update.dots().data();
    return {state(applied.others),      applied.mode, m_scaling, m_unit, first_sweep, gram,
            update.column_max().data(), dots};
  }
  template <class Pass>
  [[nodiscard]] AbsorbByTeam<Member> absorb_task(const Applied& applied, const Pass& update,
                                                 bool first_sweep) const {
    return {absorb_columns(applied, update, first_sweep), absorb_scratch() != 0};
  }
  /// By all of the device. Only what is found tells whether the pseudoinverse is needed, which the
  /// host then queues.
  void solve_wide(int mode, const DeviceAlgebraState& state, const TransformPair<Scalar>& to,
                  double ridge) {
    const WideSpdArrays& arrays = m_wide->arrays();
    const LoadRows<Member> load{state, arrays, mode, ridge};
    by_rows("genten::load_system", load);
    m_wide->invert(m_queue.exec());
    by_rows("genten::write_inverse",
            WriteInverseRows<Scalar, Member>{state, arrays, to, mode, m_single_factor_rcond});
    set_done(true);
    if (!m_arrays.report().rank_deficient) return;
    ++m_arrays.report().rank_deficient_solves;
    by_rows("genten::load_system", load);
    m_wide->diagonalize(m_queue.exec());
    by_rows("genten::write_pseudoinverse",
            WritePseudoinverseRows<Scalar, Member>{state, arrays, to, mode});
    set_done(true);
  }
  void set_done(bool waits) {
    m_done.set(m_queue.exec());
    if (waits) m_done.wait();
  }

  /// Runs by a team a row of a matrix, or of `matrices`.
  template <class Functor>
  void by_rows(const char* label, const Functor& functor, int matrices = 1) const {
    launch_by_rows(m_queue.exec(), label, functor, matrices * m_rank);
  }
  [[nodiscard]] std::size_t solve_scratch() const {
    return scratch_if_small(SolveByTeam<Scalar, Member>::scratch_bytes(m_rank));
  }
  [[nodiscard]] std::size_t absorb_scratch() const {
    return scratch_if_small(AbsorbByTeam<Member>::scratch_bytes(m_rank));
  }
  /// Sums of small matrices are taken by teams of FactorUpdate's size, which may absorb their own.
  template <class Functor>
  void launch_absorb(const Functor& functor, int league = 1) const {
    constexpr int small = 64;
    const char* const label = "genten::absorb_update";
    if (m_rank < small) {
      launch_with_vectors(m_queue.exec(), label, functor, static_cast<std::size_t>(league),
                          absorb_scratch());
    } else {
      launch(label, functor, league, absorb_scratch());
    }
  }
  /// By one team a league.
  template <class Functor>
  void launch(const char* label, const Functor& functor, int league = 1,
              std::size_t scratch = 0) const {
    launch_for_rank(m_queue.exec(), m_rank, label, functor, league, scratch);
  }

  /// Queues what `finish_and_absorb` has left.
  void absorb_pending() const {
    if (!m_pending) return;
    std::exchange(m_pending, nullptr)(m_queue.exec(), nullptr);
    m_measured = true;
  }

  int m_rank;
  double m_single_factor_rcond;
  ColumnScaling m_scaling;
  double m_unit = 1.0;
  typename Backend<Exec>::SideQueue m_queue;
  Event m_done;
  Arrays m_arrays;
  Column m_spare;              ///< memory for the next update's product of corrections
  Column m_workspace;          ///< of one team
  std::optional<Wide> m_wide;  ///< instead, for wide ranks
  /// An update that is still to be taken in, perhaps with the solve that is given.
  mutable std::function<void(const Exec&, const SolveOrder<Scalar>*)> m_pending;
  mutable bool m_measured = true;  ///< the report has the statistics of the last update
  int m_mode = 0;                  ///< of that, where it does not
};

}  // namespace genten::detail
