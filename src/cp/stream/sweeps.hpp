// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The sweeps of a batch, by loss. Factors are changed in place; settled statistics and rows when
/// the sweeps are over.

#include "stream_state.hpp"

#include <genten/dense/tall_products.hpp>

#include <utility>

namespace genten::stream {

/// Least squares: see StreamingCp.
class LeastSquaresSweeps {
 public:
  using State = StreamingCp::State;

  /// For a state whose factors are as long as all kept batches need. Settled rows and statistics
  /// are those of the model that has `old` in the other modes.
  LeastSquaresSweeps(const HostExec& exec, State& state, const std::vector<HostMatrixOf>& old);
  LeastSquaresSweeps(const HostExec& exec, State& state)
      : LeastSquaresSweeps(exec, state, state.factors) {}

  /// The rows of the kept batches, and how the settled ones turn.
  void solve_rows();
  /// Likewise after the last sweep. What is remembered by extra components keeps the rows that it
  /// has: those of the model are solved from entries.
  void solve_last_rows();
  /// All other factors, each after the other.
  void solve_factors();
  /// Settled rows and statistics go over to the new factors, and the first batches to them.
  void settle(std::size_t leaving);
  /// What settled rows are to be multiplied by.
  [[nodiscard]] const SmallMatrix& turn() const { return m_turn; }
  /// The Hadamard product of the Gram matrices of all factors but that of the streaming mode.
  [[nodiscard]] SmallMatrix gram() const { return of_others(m_grams, m_stream); }

 private:
  [[nodiscard]] bool turns() const {
    return m_state.constraints[m_state.streaming()].is_free() && m_state.has_settled();
  }
  /// The Hadamard product of matrices of all modes but two, the streaming one among them.
  [[nodiscard]] SmallMatrix of_others(const std::vector<SmallMatrix>& matrices,
                                      std::size_t but) const;
  /// What is estimated of the settled data's MTTKRP.
  [[nodiscard]] HostMatrixOf settled_mttkrp(std::size_t mode) const;
  /// Takes down a factor's Gram matrix.
  void note(std::size_t mode, SmallMatrix gram);
  void turn_settled_rows();

  const HostExec& m_exec;
  State& m_state;
  std::size_t m_stream;
  std::vector<HostMatrixOf> m_old;   ///< factors as they were
  std::vector<SmallMatrix> m_grams;  ///< by mode, of the factors
  std::vector<SmallMatrix> m_turns;  ///< old^T new
  SmallMatrix m_turn;                ///< of the settled rows
  bool m_moved = false;              ///< whether factors are others than the old ones
};

/// Counts: see StreamingCp.
class PoissonSweeps {
 public:
  using State = StreamingCp::State;

  PoissonSweeps(const HostExec& exec, State& state) : m_exec(exec), m_state(state) {}

  void solve_rows();
  void solve_last_rows() { solve_rows(); }
  void solve_factors();
  void settle(std::size_t leaving);

 private:
  [[nodiscard]] HostMatrixOf expected_counts(KeptBatch& batch, std::size_t mode) const;

  const HostExec& m_exec;
  State& m_state;
};

/// The batch's plan, which is made where there is none; a null pointer for no nonzeros.
[[nodiscard]] MttkrpPlan<double, std::uint32_t, HostExec>* plan_of(const HostExec& exec,
                                                                   const StreamingCp::State& state,
                                                                   KeptBatch& batch);
/// MTTKRP of a kept batch with the present factors, as long as the batch's mode.
[[nodiscard]] HostMatrixOf mttkrp(const HostExec& exec, const StreamingCp::State& state,
                                  KeptBatch& batch, std::size_t mode);
/// Factors as long as the batch has them, its own rows in the streaming mode.
[[nodiscard]] std::vector<HostMatrixOf> factors_of(const StreamingCp::State& state,
                                                   const KeptBatch& batch);
/// Scales the columns of a mode to norm one, unless constraints forbid it or they are zero; rows of
/// kept batches take up the norms, those that are settled are the caller's. `gram` is that of the
/// mode's factor before and after.
std::vector<double> normalize_mode(const HostExec& exec, StreamingCp::State& state,
                                   std::size_t mode, SmallMatrix& gram);

/// Throws Error where slices, the first of which is called `first_number`, go on counting behind
/// the `have` rows of the model.
void require_counted_anew(const StreamBatch& batch, std::size_t mode, std::size_t have,
                          std::size_t first_number);
/// Makes the factors of other modes than the streaming one as long as a batch has them, by rows of
/// 0, or what the bounds have next to it.
void add_new_rows(StreamingCp::State& state, const KeptBatch::Tensor& batch);
/// Gives rows of zeros, new or not, that would wait for others which wait for them something to
/// begin with, in copies of the factors: those of the last batch, whose new rows are behind the
/// first `known` of each mode. Returns whether there were any.
bool start_new_rows(StreamingCp::State& state, const std::vector<std::size_t>& known);
/// The fit over the listed entries of a batch, of those in new rows and of the others, where `rows`
/// are the model's for its slices: see StreamBatch.
struct FitsOfRows {
  double of_new, of_others;
};
[[nodiscard]] FitsOfRows fits_of_rows(const StreamingCp::State& state,
                                      const KeptBatch::Tensor& batch, const HostMatrixOf& rows,
                                      const std::vector<std::size_t>& known);
/// The sizes of slices, for `genten::times_as_large`: of `rows` beside the other factors, and of
/// the last thousand or so of earlier ones. Of all a batch would take the longer the more there
/// are.
[[nodiscard]] std::vector<double> row_sizes(const StreamingCp::State& state,
                                            const HostMatrixOf& rows);
[[nodiscard]] std::vector<double> last_row_sizes(const StreamingCp::State& state);

/// Whether a new stream remembers earlier slices by extra components.
[[nodiscard]] bool has_extra(const StreamingCp::State& state);
/// Adds them: random columns with rows of zero.
void add_extra(const HostExec& exec, StreamingCp::State& state);
/// Fits the model to what is remembered, and its rows of `batches`, the last ones, to their
/// entries; these get the rows, with the extra components, which are zero. Returns the Hadamard
/// product of the Gram matrices of its other factors likewise.
[[nodiscard]] SmallMatrix show(const HostExec& exec, StreamingCp::State& state,
                               std::vector<KeptBatch>& batches);
/// Scales the columns of the streaming mode's factor to norm one, where constraints allow it, and
/// returns what the components then weigh: ones where they do not.
[[nodiscard]] std::vector<double> taken_weights(const HostExec& exec,
                                                const StreamingCp::State& state,
                                                const HostMatrixOf& rows);
/// Multiplies the settled rows by a matrix, unless it is 0 x 0, and adds rows behind them.
void settle_rows(const HostExec& exec, StreamingCp::State& state, const SmallMatrix& turn,
                 const std::vector<HostMatrixOf>& more);
/// The rows of the streaming mode, those of kept batches last.
[[nodiscard]] HostMatrixOf all_rows(const HostExec& exec, const StreamingCp::State& state);
/// Those of the model where factors have extra components, and what the components weigh.
[[nodiscard]] std::pair<HostMatrixOf, std::vector<double>> shown_rows(
    const HostExec& exec, const StreamingCp::State& state);

}  // namespace genten::stream
