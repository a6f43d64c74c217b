// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// StreamingCp: a CP model that goes on while slices of one mode arrive.

#include <genten/base/option_field.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/mode_selection.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/io/checkpoint.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace genten {

/// What a streaming model minimizes.
enum class StreamLoss {
  gaussian,  ///< least squares, with the penalties and bounds of the options
  poisson    ///< for counts
};

/// The words for StreamLoss in options and reports.
constexpr auto enum_words(StreamLoss) {
  return std::array{EnumWord("gaussian", StreamLoss::gaussian, "least squares"),
                    EnumWord("poisson", StreamLoss::poisson, "for counts")};
}

/// Parameters of StreamingCp.
struct StreamOptions {
  double forget = 1.0;
  std::size_t history = 1;
  std::size_t sweeps = 1;
  std::size_t extra = 1;
  StreamLoss loss = StreamLoss::gaussian;
  ModeSelection nonnegative = {};
  std::vector<double> ridge = {};
  std::vector<double> l1 = {};
  std::vector<double> lower = {};
  std::vector<double> upper = {};

  static constexpr auto fields() {
    const auto own = member_table(
        option_field("forget", &StreamOptions::forget,
                     "what the statistics of earlier batches are multiplied by in each batch", 0.0,
                     1.0),
        option_field("history", &StreamOptions::history,
                     "batches, the present one included, whose entries are kept and fitted again",
                     1, 1e9),
        option_field("sweeps", &StreamOptions::sweeps,
                     "sweeps over the rows of the kept batches and all other factors", 1, 1e9),
        option_field("extra", &StreamOptions::extra,
                     "components beside the model's by which earlier slices are remembered; of "
                     "least squares without constraints and with a history of 1",
                     0, 1e6),
        option_field("loss", &StreamOptions::loss, "what is minimized"));
    return member_table(own, constraint_fields<StreamOptions>());
  }
};

/// The penalties and bounds of a stream's factors, by mode: those of the options, and of counts
/// that they are nonnegative. Throws Error for lists of another length, for modes that there are
/// not, for bounds that no number is within, and for penalties or bounds beside the Poisson loss.
[[nodiscard]] std::vector<RowConstraint> row_constraints(const StreamOptions& options,
                                                         std::size_t order);

/// What became of a batch of slices.
struct StreamBatch {
  std::size_t slices = 0;
  std::size_t nonzeros = 0;
  std::size_t empty = 0;              ///< slices without nonzeros
  std::size_t first = 0;              ///< the first slice with some; 0 where there are none
  std::size_t no_counts = 0;          ///< of the Poisson loss, values that are not whole numbers
  bool forgets_all = false;           ///< nothing is kept of earlier slices
  std::vector<std::size_t> new_rows;  ///< by mode; of the streaming mode its slices
  double tensor_norm = 0.0;           ///< ||X|| of the batch
  double residual_norm = 0.0;         ///< ||X - M|| over the batch
  double fit = 0.0;                   ///< 1 - residual_norm / tensor_norm; 1 for zeros met exactly
  /// The same over the listed entries in new rows of the other modes; NaN where there are none.
  double fit_of_new_rows = std::numeric_limits<double>::quiet_NaN();
  /// The same over those in other rows; NaN where there are no new ones.
  double fit_of_other_rows = std::numeric_limits<double>::quiet_NaN();
  /// As times_as_large has it of the slices.
  double times_as_large = std::numeric_limits<double>::quiet_NaN();
};

/// What is to be known of a batch beside `times_as_large`, for ErrorWords::text.
[[nodiscard]] std::vector<std::string> doubts_of(const StreamBatch& batch);

/// A CP model of a tensor of which slices of one mode arrive batch by batch.
///
/// Least squares, as OnlineCP (Zhou, Vinh, Bailey, Jia and Davidson, "Accelerating online CP
/// decompositions for higher order tensors", KDD 2016) with P_n = A_n Q_n: old data count as the
/// model of them that stood when they settled, of which S = C^T C is kept, C being the factor of
/// the streaming mode. Where factors move from A to A', their MTTKRP is that of the old model, by
/// cross Gram matrices A^T A', so that each step lowers one objective: what the new model leaves of
/// the old one and of the kept batches. The rows of earlier slices are those that fit the old model
/// best, if their mode has no constraint: one R x R transform; else they stay.
///
/// What the model leaves of old data is forgotten with each batch, and a factor that moves cannot
/// win it back. So without constraints, and where no entries are kept, old data are remembered by
/// `extra` components more than the model has, which begin at random numbers and rows of zero. The
/// model is then fitted to these, as to the old model above, and the rows of the batch to its
/// entries.
///
/// Poisson: E_n, the expected counts of each row and component, are kept (EM), and C stays.
///
/// New rows of the other modes were zeros before their batch. They begin at 0, and the slices are
/// solved against the rows that are known; where new slices and rows have entries with each other
/// alone, so that each would wait for the others, rows begin at the root mean square of the known
/// ones.
///
/// All rows are found as project_rows finds them: those of counts by itself, those of least squares
/// from the same equations.
///
/// A converged model of counts has E_n = A_n diag(column sums of C): a stream goes on from the
/// model alone. `train` takes the statistics of counts from the data, and keeps them as a batch
/// where the history is above 1.
///
/// Entries of the last `history` batches are kept and their rows solved again; the statistics are
/// those of the batches before. With a history of all batches a sweep is one of ALS on all data.
///
/// All is in double, on hosts, with the same bits for any number of threads. Memory beside the
/// model: its factors twice but for that of the streaming mode (of which there are two with extra
/// components), and the kept batches.
class StreamingCp {
 public:
  using Model = Ktensor<double, HostExec>;  ///< the type of the model

  /// Goes on from a model, which is not changed, in `mode` (0-based). Weights go to the factor of
  /// that mode; where all modes are penalized, to each by what makes the penalties least. Throws
  /// Error for options out of range, a mode that there is not, a model of order below 2, one beyond
  /// its bounds, and penalties or bounds beside the Poisson loss, whose models are nonnegative.
  StreamingCp(const HostExec& exec, const Model& model, int mode, const StreamOptions& options);
  /// Goes on from what `checkpoint` gave, with the bits of a stream that was not interrupted.
  /// Throws Error of kind `file` for the state of another solver.
  StreamingCp(const HostExec& exec, const Checkpoint<Model>& checkpoint);
  ~StreamingCp();
  StreamingCp(StreamingCp&&) noexcept;             ///< moves the state
  StreamingCp& operator=(StreamingCp&&) noexcept;  ///< moves the state

  /// Whether a checkpoint is of a stream.
  [[nodiscard]] static bool is_stream(const Checkpoint<Model>& checkpoint);
  /// What a stream left in a file, if one did; nothing of any other file.
  [[nodiscard]] static std::optional<Checkpoint<Model>> saved_in(const std::string& path);

  /// Takes the statistics from the tensor that the model was fitted to, before any batch. With a
  /// history above 1 it is the first batch that is kept. Throws Error for another shape.
  template <SubscriptOrdinal Ordinal>
  void train(const HostExec& exec, const Sptensor<double, Ordinal, HostExec>& tensor) {
    train_rows(exec, with_rows(exec, tensor));
  }
  /// Slices that follow those of the model. In other modes rows go by their numbers, and those
  /// behind the model's last one are new. `first_number` is what the caller calls the first slice;
  /// none where slices have names. Throws Error for another order, for a mode shorter than the
  /// model's, for values that the loss does not take, and for slices by number of which the first
  /// with entries has the number of a row behind the model's, as slices of a batch that goes on
  /// counting; then nothing has changed.
  template <SubscriptOrdinal Ordinal>
  StreamBatch update(const HostExec& exec, const Sptensor<double, Ordinal, HostExec>& slices,
                     std::optional<std::size_t> first_number = 0) {
    return update_rows(exec, with_rows(exec, slices), first_number);
  }

  /// The present model, normalized: columns of the factors of 2-norm one (Poisson: 1-norm). Where
  /// constraints forbid that, as penalties and bounds other than 0 do, weights are one and factors
  /// those of the constraints. Components stand in the order of the first model.
  [[nodiscard]] Model model() const;
  /// All that what follows depends on.
  [[nodiscard]] Checkpoint<Model> checkpoint() const;
  /// The streaming mode.
  [[nodiscard]] int mode() const;
  /// The batches so far.
  [[nodiscard]] std::size_t batches() const;
  /// The parameters.
  [[nodiscard]] const StreamOptions& options() const;
  /// Other values of `forget`, `history` and `sweeps` from now on. Throws Error for others.
  void set_options(double forget, std::size_t history, std::size_t sweeps);

  /// \cond not API
  struct State;
  /// \endcond

 private:
  using Rows = Sptensor<double, std::uint32_t, HostExec>;

  Rows with_rows(const HostExec& exec, const Rows& tensor);
  Rows with_rows(const HostExec& exec, const Sptensor<double, std::uint64_t, HostExec>& tensor);
  void train_rows(const HostExec& exec, const Rows& tensor);
  StreamBatch update_rows(const HostExec& exec, const Rows& slices,
                          std::optional<std::size_t> first_number);

  std::unique_ptr<State> m_state;
};

}  // namespace genten
