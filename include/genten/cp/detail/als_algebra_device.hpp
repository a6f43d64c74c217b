// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DeviceAlsAlgebra: the R x R side of ALS on a device, beside MTTKRP.

#include <genten/cp/detail/algebra/by_rows.hpp>
#include <genten/cp/detail/algebra/launches.hpp>
#include <genten/dense/factor_update.hpp>
#include <genten/dense/team_tasks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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
  using Mark = typename Backend<Exec>::Mark;
  using Column = Kokkos::View<double*, typename Exec::memory_space>;
  using Solved = SolvedUpdate<Column, Mark>;
  using Applied = AppliedUpdate<Column, Mark>;

  /// Up to this rank one team does all: its kernels are few and leave MTTKRP most of the device. On
  /// an H200 it then also takes no longer (.20 and .23 ms at rank 96, .34 and .23 at 128).
  static constexpr std::size_t most_of_one_team = 112;

  /// Tests also let one team do less.
  DeviceAlsAlgebra(int order, std::size_t rank, double single_factor_rcond,
                   ColumnScaling scaling = ColumnScaling::normalized,
                   std::size_t of_one_team = most_of_one_team)
      : m_order(order),
        m_rank(checked(order, rank)),
        m_single_factor_rcond(single_factor_rcond),
        m_scaling(scaling),
        m_gram(new_view<decltype(m_gram)>("genten::grams", static_cast<std::size_t>(order), rank,
                                          rank)),
        m_correction(new_view<decltype(m_correction)>("genten::corrections",
                                                      static_cast<std::size_t>(order), rank)),
        m_predicted(new_view<decltype(m_predicted)>("genten::predicted_weights",
                                                    static_cast<std::size_t>(order), rank)),
        m_spare(new_view<decltype(m_spare)>("genten::other_corrections", rank)),
        m_weights(new_view<decltype(m_weights)>("genten::weights", rank)),
        m_workspace(new_view<decltype(m_workspace)>(
            "genten::solve_workspace",
            rank > of_one_team ? 0 : TeamSpdInverse<Member>::workspace_size(m_rank))),
        m_count("genten::transforms"),
        m_report("genten::als_report"),
        m_factors("genten::column_factors", static_cast<std::size_t>(order) * rank) {
    for (const auto& ones : {m_correction, m_predicted}) Kokkos::deep_copy(ones, 1.0);
    Kokkos::deep_copy(m_weights, 1.0);
    if (rank > of_one_team) m_wide.emplace(m_rank);
  }

  /// Bytes that such an object takes on the device.
  [[nodiscard]] static double memory(int order, std::size_t rank) {
    const auto columns = static_cast<double>(rank);
    const double kept = sizeof(int) + 8.0 * columns * (order * (columns + 2.0) + 2.0);
    return kept +
           (rank > most_of_one_team ? Wide::memory(rank) : 8.0 * columns * (2.0 * columns + 4.0));
  }

  template <class Square>
  void set_gram(int mode, const Square& gram) {
    const auto device = Kokkos::subview(m_gram, mode, Kokkos::ALL, Kokkos::ALL);
    const auto host = Kokkos::create_mirror_view(device);
    for (std::size_t r = 0; r < host.extent(0); ++r) {
      for (std::size_t q = 0; q < host.extent(1); ++q) host(r, q) = gram(r, q);
    }
    Kokkos::deep_copy(m_queue.exec(), device, host);
    fence(m_queue.exec(), "genten::set_gram");
  }

  /// Unless it `waits`, one team's solve is only queued: see SolvedUpdate.
  [[nodiscard]] Solved solve(int mode, std::span<const Matrix> factors, double ridge = 0.0,
                             bool waits = true) {
    Column others = take_spare();
    if (m_wide) {
      solve_wide(mode, state(others), {factors[0].data(), factors[1].data(), factors[0].stride()},
                 ridge);
      return {mode, static_cast<std::size_t>(m_report().factors), std::move(others)};
    }
    launch("genten::solve_small", solve_task(mode, factors, others, ridge, waits), 1,
           solve_scratch());
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
    fence(m_queue.exec(), "genten::share_queue");
    m_queue = other.m_queue;
  }
  /// `solve` for several objects that share a queue, in one launch. Ranks are those of one team.
  static std::vector<Solved> solve_together(int mode, std::span<const Together> all, Tasks& tasks,
                                            bool waits = true) {
    std::vector<SolveByTeam<Scalar, Member>> solves;
    std::vector<Column> others;
    for (const auto& [algebra, factors] : all) {
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

  [[nodiscard]] Solved write_system(int mode, const RowSystem<Scalar, Exec>& system, double ridge) {
    Column others = take_spare();
    const WriteSystemByTeam<RowSystem<Scalar, Exec>, Member> write{state(others), mode, ridge,
                                                                   system};
    if (m_wide) {
      by_rows("genten::write_row_system", WriteSystemByRows<decltype(write), Member>{write});
    } else {
      launch("genten::write_row_system", write);
    }
    set_done(true);
    return {mode, 0, std::move(others)};
  }

  template <class Pass>
  void absorb(Applied applied, const Pass& update, bool first_sweep) {
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
  }
  /// The same for a pass that has gone over the rows, at `written`, and is still to sum what it
  /// finds in them; sets applied.updated. Ranks are those of one team.
  template <class Pass>
  void finish_and_absorb(Applied applied, const Mark& written, Pass& update, bool first_sweep) {
    written.hold(m_queue.exec());
    update.finish(m_queue.exec(), absorb_task(applied, update, first_sweep));
    applied.updated.set(m_queue.exec());
    m_spare = std::move(applied.others);
  }
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
      absorbs.push_back(
          all[k].algebra->absorb_task(applied[k], *all[k].update, all[k].first_sweep));
    }
    const TeamTasks<AbsorbByTeam<Member>, Exec> together{tasks.absorb.put(absorbs), 1};
    first.launch_absorb(together, static_cast<int>(absorbs.size()));
    tasks.absorb.read_by(first.m_queue.exec());
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].algebra->m_spare = std::move(applied[k].others);
    }
  }

  /// The host may change `factors` after the next `statistics`.
  void rescale(std::span<const double> factors) {
    std::copy(factors.begin(), factors.end(), m_factors.data());
    if (!m_wide) {
      launch("genten::rescale_columns", RescaleByTeam<Member>{state(m_spare), m_factors.data()});
      return;
    }
    // Every row reads them: they come from the host once. The memory is free between solves.
    double* const here = m_wide->arrays().square;
    Backend<Exec>::queue_copy(m_queue.exec(), here, m_factors.data(),
                              m_factors.size() * sizeof(double));
    by_rows("genten::rescale_columns", RescaleRows<Member>{state(m_spare), here}, m_order);
  }

  std::vector<double> take_correction(int mode) {
    auto taken = correction(mode);
    Kokkos::deep_copy(m_queue.exec(), row(m_correction, mode), 1.0);
    return taken;
  }
  [[nodiscard]] std::vector<double> correction(int mode) const {
    return on_host(row(m_correction, mode));
  }
  [[nodiscard]] std::vector<double> weights() const { return on_host(m_weights); }
  [[nodiscard]] AlsStatistics statistics() const {
    fence(m_queue.exec(), "genten::als_statistics");
    return m_report().statistics;
  }
  [[nodiscard]] std::size_t rank_deficient_solves() const {
    fence(m_queue.exec(), "genten::rank_deficient_solves");
    return m_report().rank_deficient_solves;
  }

  [[nodiscard]] AlgebraState save() const {
    return {.gram = on_host(m_gram),
            .correction = on_host(m_correction),
            .predicted = on_host(m_predicted),
            .weights = on_host(m_weights),
            .statistics = statistics(),
            .rank_deficient_solves = rank_deficient_solves()};
  }
  void restore(const AlgebraState& state) {
    state.check(m_gram.extent(0), m_gram.extent(1));
    to_device(state.gram, m_gram);
    to_device(state.correction, m_correction);
    to_device(state.predicted, m_predicted);
    to_device(state.weights, m_weights);
    m_report().statistics = state.statistics;
    m_report().rank_deficient_solves = state.rank_deficient_solves;
  }

 private:
  using memory_space = typename Exec::memory_space;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Rows = Kokkos::View<double**, Kokkos::LayoutRight, memory_space>;
  using Wide = WideSpdInverse<Exec>;

  /// The kernels count elements in 32 bits.
  [[nodiscard]] static int checked(int order, std::size_t rank) {
    const double most = std::sqrt(std::numeric_limits<int>::max() / (order + 2.0));
    if (static_cast<double>(rank) > most) {
      throw Error("cp_als: expected a rank of at most " +
                  std::to_string(static_cast<std::size_t>(most)) + " for " + std::to_string(order) +
                  " modes on a device, got " + std::to_string(rank));
    }
    return static_cast<int>(rank);
  }

  [[nodiscard]] Column take_spare() {
    Column others = std::exchange(m_spare, Column());
    // A solve whose result nobody has applied has kept it.
    if (others.data() == nullptr) others = Column("genten::other_corrections", m_weights.extent(0));
    return others;
  }
  [[nodiscard]] DeviceAlgebraState state(const Column& others) const {
    return {
        m_order,       m_rank,           m_gram.data(),  m_correction.data(), m_predicted.data(),
        others.data(), m_weights.data(), m_report.data()};
  }
  [[nodiscard]] SolveByTeam<Scalar, Member> solve_task(int mode, std::span<const Matrix> factors,
                                                       const Column& others, double ridge,
                                                       bool tells_host) const {
    return {state(others),
            mode,
            ridge,
            m_single_factor_rcond,
            solve_scratch() != 0 ? nullptr : m_workspace.data(),
            factors[0].data(),
            factors[1].data(),
            factors[0].stride(),
            m_count.data(),
            tells_host};
  }
  /// What a kernel has found, which the host has waited for, or will have found at `done`.
  [[nodiscard]] Solved solved(int mode, Column others, bool waits, const Mark& done) const {
    Solved found(mode, waits ? static_cast<std::size_t>(m_report().factors) : 2, std::move(others));
    if (!waits) {
      found.ready = done;
      found.count = m_count.data();
    }
    return found;
  }
  template <class Pass>
  [[nodiscard]] AbsorbColumns<Member> absorb_columns(const Applied& applied, const Pass& update,
                                                     bool first_sweep) const {
    return {state(applied.others), applied.mode,         m_scaling,
            first_sweep,           update.gram().data(), update.column_max().data(),
            update.dots().data()};
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
    if (!m_report().rank_deficient) return;
    ++m_report().rank_deficient_solves;
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
      launch_update(m_queue.exec(), label, functor, static_cast<std::size_t>(league),
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

  [[nodiscard]] static auto row(const Rows& rows, int mode) {
    return Kokkos::subview(rows, mode, Kokkos::ALL);
  }
  template <class View>
  [[nodiscard]] std::vector<double> on_host(const View& view) const {
    const auto host = Kokkos::create_mirror_view(view);
    Kokkos::deep_copy(m_queue.exec(), host, view);
    fence(m_queue.exec(), "genten::als_vector");
    return {host.data(), host.data() + host.size()};
  }
  template <class View>
  void to_device(const std::vector<double>& from, const View& view) const {
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(from.begin(), from.end(), host.data());
    Kokkos::deep_copy(m_queue.exec(), view, host);
    fence(m_queue.exec(), "genten::als_vector");
  }

  int m_order;
  int m_rank;
  double m_single_factor_rcond;
  ColumnScaling m_scaling;
  typename Backend<Exec>::SideQueue m_queue;
  Mark m_done;
  Kokkos::View<double***, Kokkos::LayoutRight, memory_space> m_gram;
  Rows m_correction;
  Rows m_predicted;
  Column m_spare;  ///< memory for the next update's product of corrections
  Column m_weights;
  Column m_workspace;                       ///< of one team
  std::optional<Wide> m_wide;               ///< instead, for wide ranks
  Kokkos::View<int, memory_space> m_count;  ///< of transforms that the last solve has written
  Kokkos::View<DeviceAlgebraReport, typename Backend<Exec>::pinned_space> m_report;
  Kokkos::View<double*, typename Backend<Exec>::pinned_space> m_factors;  ///< of `rescale`
};

}  // namespace genten::detail
