// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsStep: what CP-ALS repeats, on the relabeled tensor, and the model that it improves.

#include <genten/cp/detail/cp_als_problem.hpp>
#include <genten/cp/detail/finish_model.hpp>
#include <genten/cp/detail/initial_guess.hpp>
#include <genten/cp/detail/least_squares_update.hpp>
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

  /// Updates all modes. The next mode's MTTKRP needs the rows of this one's factor, not the
  /// statistics of them: a device takes those in and solves while it computes MTTKRP.
  [[nodiscard]] SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings);

  /// The model as it stands, finished and with the tensor's scale; the step may go on. Throws Error
  /// for weights that Scalar cannot represent.
  [[nodiscard]] Model model() const { return finish_model(m_exec, stored_model(), m_finish); }
  /// The same for a step that is done: its factors are used up. A model of which some is not finite
  /// is not arranged.
  [[nodiscard]] Model take_model(bool finite);

  [[nodiscard]] std::size_t rank_deficient_solves() const { return m_rows.rank_deficient_solves(); }

 private:
  using Mark = typename Backend<Exec>::Mark;
  /// A mode's update, as it is queued.
  struct ModeUpdate {
    int mode = 0;
    Mark begun{};
    Mark contracted{};  ///< MTTKRP is done
    Mark updated{};     ///< so is the rest
  };

  [[nodiscard]] const Matrix& factor(int mode) const {
    return m_factors[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] std::optional<Matrix>& given(int mode) {
    return m_given[static_cast<std::size_t>(mode)];
  }
  void queue_mttkrp(ModeUpdate& update);
  [[nodiscard]] typename Rows::Applied queue_rows(ModeUpdate& update);
  /// After the first sweep's update of a mode.
  void settle(int mode, PhaseTimings& timings);
  /// Adds the times of the updates, which are done.
  void add_times(PhaseTimings& timings) const;
  [[nodiscard]] SweepOutcome evaluate() const;
  [[nodiscard]] StoredModel<Scalar, Ordinal, Exec> stored_model() const;
  [[nodiscard]] StoredModel<Scalar, Ordinal, Exec> stored_guess() const;

  Exec m_exec;
  Problem& m_problem;
  Finish m_finish;
  Rows m_rows;
  std::optional<Model> m_guess;  ///< the caller's, until a sweep has replaced it
  std::vector<Matrix> m_factors;
  /// By mode, the caller's factor with all its rows, until an update has replaced it.
  std::vector<std::optional<Matrix>> m_given;
  std::vector<ModeUpdate> m_updates;  ///< of a sweep
  FactorVersions m_versions{};
  std::uint64_t m_version = 0;
};

}  // namespace genten::detail

#include <genten/cp/detail/cp_als_step_impl.hpp>
