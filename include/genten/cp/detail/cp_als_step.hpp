// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsStep: what CP-ALS repeats, on the relabeled tensor, and the model that it improves.

#include <genten/cp/detail/bounded_start.hpp>
#include <genten/cp/detail/constrained_update.hpp>
#include <genten/cp/detail/cp_als_problem.hpp>
#include <genten/cp/detail/cp_als_state.hpp>
#include <genten/cp/detail/finish_model.hpp>
#include <genten/cp/detail/initial_guess.hpp>
#include <genten/cp/detail/least_squares_update.hpp>
#include <genten/cp/detail/nesterov/momentum.hpp>
#include <genten/cp/detail/packed_model.hpp>
#include <genten/cp/detail/processes/finish_part.hpp>
#include <genten/cp/iterate.hpp>

#include <optional>

namespace genten::detail {

/// One start of CP-ALS: factors, their Gram matrices and the sweep over all modes. A SolverStep;
/// `Rows`, a RowUpdate, says what becomes of the rows of a mode.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
class CpAlsStep {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;

  /// `fix_signs`: of models.
  CpAlsStep(const Exec& exec, Problem& problem, bool fix_signs);

  /// Starts from random factors: row i of a factor gets the numbers of the original row's number.
  void start_random(std::uint64_t seed, FactorKind kind);
  /// Starts from the caller's model, which is not changed; see InitialGuess.
  /// Throws Error where some of it is not finite.
  void start_from(const Model& guess);

  /// Goes on from what `save` gave after so many iterations. Throws Error where that is of another
  /// problem.
  void start_at(StepState<Scalar> state, std::size_t iterations);

  /// Puts everything back to where it was when it started; returns the iterations until there.
  std::size_t restart();
  /// All that what follows depends on, after a sweep. On several processes all ask for it, and
  /// process 0 alone gets the factors.
  [[nodiscard]] StepState<Scalar> save() const;

  /// The factors as they are stored, mode by mode.
  [[nodiscard]] const std::vector<Matrix>& factors() const { return m_factors; }
  /// From now on they lie in these matrices of their shapes, to which they are copied with their
  /// padding.
  void move_factors(const std::vector<Matrix>& to);
  /// What a sweep consists of, for those who update several starts at once: all modes in turn by
  /// `rows`, after the first sweep's update of a mode `settle`, and in the end `end_sweep`.
  [[nodiscard]] Rows& rows() { return *m_rows; }
  void settle(int mode, PhaseTimings& timings);
  [[nodiscard]] SweepOutcome end_sweep();

  /// Updates all modes. The next mode's MTTKRP needs the rows of this one's factor, not the
  /// statistics of them: a device takes those in and solves while it computes MTTKRP.
  [[nodiscard]] SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings);

  /// The model as it stands, finished and with the tensor's scale; the step may go on. Throws Error
  /// for weights that Scalar cannot represent.
  /// On several processes all ask for it, and process 0 alone gets it.
  [[nodiscard]] Model model() const;
  /// The same of one process, for a step that is done: its factors are used up.
  [[nodiscard]] Model take_model() { return finish_model(m_exec, take_stored(), m_finish); }
  /// The same of several processes, which all get their own rows: they stay where they are.
  [[nodiscard]] ModelPart<Scalar, Exec> take_part() {
    return finish_part(m_exec, take_stored(), m_finish, m_problem.processes.exchange(), true);
  }

  [[nodiscard]] std::size_t rank_deficient_solves() const {
    return m_rows->rank_deficient_solves();
  }
  /// Sweeps that were taken back, since they had made the model worse.
  [[nodiscard]] std::size_t momentum_restarts() const {
    return m_momentum ? m_momentum->restarts() : 0;
  }
  /// After the last sweep: gives the memory of momentum back.
  void end_momentum() {
    if (m_momentum) m_momentum->end();
  }
  /// The sum of the norms of the model's components after a sweep, in the unit of the scaled
  /// tensor.
  [[nodiscard]] double component_norms() const { return m_rows->statistics().component_norms; }
  /// The penalties of the factors as they stand.
  [[nodiscard]] double penalty() const { return on_scale(m_rows->statistics().penalty); }
  /// Times that all modes were updated, those that were undone and repeated too.
  [[nodiscard]] std::size_t sweeps() const { return m_sweeps; }

  using Event = typename Backend<Exec>::Event;
  /// A mode's update, as it is queued.
  struct ModeUpdate {
    int mode = 0;
    Event begun{};
    Event early{};            ///< MTTKRP has the rows that other processes wait for
    Event contracted{};       ///< and all others
    Event sent{};             ///< other processes' parts of rows are there
    Event folded{};           ///< and have been added
    RowEvents<Event> rows{};  ///< of this process's own rows
    Event expanded{};         ///< and other processes' new rows are there
  };

 private:
  /// What it started from: the caller's guess, or what was saved, or random factors.
  struct Beginning {
    std::optional<Model> guess{};
    std::optional<StepState<Scalar>> saved{};
    std::size_t iterations = 0;  ///< that were done when it was saved
    std::uint64_t seed = 0;
    FactorKind kind{};
  };

  [[nodiscard]] const Matrix& factor(int mode) const {
    return m_factors[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] std::optional<Matrix>& given(int mode) {
    return m_given[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] static constexpr bool is_constrained() {
    return std::derived_from<Rows, ConstrainedUpdate<Scalar, Exec>>;
  }
  /// What is in the unit of the objective, of the tensor with its scale.
  [[nodiscard]] double on_scale(double value) const {
    return std::ldexp(value, 2 * m_problem.exponent);
  }
  void make_rows();
  void begin();
  /// The caller's model as the run begins with it.
  [[nodiscard]] InitialGuess<Scalar, Exec> checked_guess(const Model& guess) const;
  void begin_randomly();
  void begin_from(const InitialGuess<Scalar, Exec>& guess);
  void begin_from(const StepState<Scalar>& saved);
  void queue_mttkrp(ModeUpdate& update);
  /// Where what goes to other processes is queued: beside the rest, if that can be.
  [[nodiscard]] const Exec& to_processes() const { return m_side ? m_side->exec() : m_exec; }
  /// Where the tensor is distributed, adds what the processes have of each row.
  void fold(ModeUpdate& update);
  /// And gives the other processes the new rows that they need.
  void expand(ModeUpdate& update);
  /// `solved`: unless it is still to be done.
  [[nodiscard]] typename Rows::Applied queue_rows(ModeUpdate& update,
                                                  std::optional<typename Rows::Solved> solved);
  /// Updates all modes once; `first`: for the first time.
  void update_modes(bool first, PhaseTimings& timings);
  /// Of an accelerated run, extrapolates the factors before a sweep that is not the first.
  void move_on(PhaseTimings& timings);
  /// And takes the sweep back where it has made the model worse. Returns what it then has reached.
  [[nodiscard]] SweepOutcome accept(const SweepOutcome& outcome, PhaseTimings& timings);
  /// All factors that are updated are other ones.
  void renew_versions() {
    for (const int mode : m_problem.updates) m_versions[mode] = ++m_problem.version;
  }
  /// Adds the times of the updates, which are done.
  void add_times(PhaseTimings& timings) const;
  [[nodiscard]] SweepOutcome evaluate() const;
  [[nodiscard]] StoredModel<Scalar, Ordinal, Exec> stored_model() const;
  [[nodiscard]] StoredModel<Scalar, Ordinal, Exec> take_stored();
  [[nodiscard]] StoredModel<Scalar, Ordinal, Exec> stored_guess() const;
  /// Factors that the caller has given are whole, and process 0's.
  void leave_given_to_first(StoredModel<Scalar, Ordinal, Exec>& model) const;
  /// The elements of rows of a mode as a checkpoint has them, on process 0 alone.
  [[nodiscard]] std::vector<Scalar> saved_rows(int mode, const Matrix& rows) const;
  /// From process 0 to all processes: a factor of the caller's that no update has replaced, or the
  /// rows that a checkpoint has of one.
  void place(int mode, const FactorState<Scalar>& saved);
  /// The rows that `make` makes on process 0, as gathered.
  template <class Make>
  void place_rows(int mode, Matrix& rows, const Make& make);
  /// On process 0, what `saved_rows` gave, as gathered.
  [[nodiscard]] Matrix unpacked_rows(int mode, const std::vector<Scalar>& saved) const;
  void begin_momentum(const MomentumState<Scalar>& saved);

  Exec m_exec;
  Problem& m_problem;
  Finish m_finish;
  std::optional<Rows> m_rows;
  std::optional<Momentum<Scalar, Ordinal, Exec>> m_momentum;
  Beginning m_beginning;
  bool m_begun = false;  ///< a sweep has been done
  std::vector<Matrix> m_factors;
  /// By mode, the caller's factor with all its rows, until an update has replaced it.
  std::vector<std::optional<Matrix>> m_given;
  std::vector<ModeUpdate> m_updates;  ///< of a sweep
  std::optional<typename Backend<Exec>::SideQueue>
      m_side;  ///< of processes that send beside the rest
  FactorVersions m_versions{};
  std::size_t m_sweeps = 0;
};

}  // namespace genten::detail

#include <genten/cp/detail/cp_als_step_impl.hpp>
#include <genten/cp/detail/nesterov/accelerated_step.hpp>
#include <genten/cp/detail/processes/saved_step.hpp>
