// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowUpdate: how the rows of a factor follow from their MTTKRP, and the order of its three calls.

#include <genten/base/detail/backend.hpp>
#include <genten/base/member_table.hpp>
#include <genten/core/fac_matrix.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace genten::detail {

/// Passed from hand to hand, never in two.
struct MoveOnly {
  MoveOnly() = default;
  MoveOnly(MoveOnly&&) noexcept = default;
  MoveOnly& operator=(MoveOnly&&) noexcept = default;
  ~MoveOnly() = default;
};

/// What `solve` has found for the rows of a mode. `apply` takes it.
template <class Column, class Event>
struct SolvedUpdate : MoveOnly {
  int mode;
  std::size_t transforms;  ///< matrices that the rows are to be multiplied by
  Column others;           ///< by column, product of the other modes' corrections
  /// Where a device still solves: when it is done, and where it leaves how many of them count.
  std::optional<Event> ready{};
  const int* count = nullptr;

  SolvedUpdate(int its_mode, std::size_t matrices, Column product)
      : mode(its_mode), transforms(matrices), others(std::move(product)) {}
};

/// A mode whose rows are being changed, which is done at `updated`. `absorb` takes it.
template <class Column, class Event>
struct AppliedUpdate : MoveOnly {
  int mode;
  Column others;
  Event updated;

  AppliedUpdate(SolvedUpdate<Column, Event> solved, const Event& at)
      : mode(solved.mode), others(std::move(solved.others)), updated(at) {}
};

/// Points in the update of a mode's rows, which `apply` sets.
template <class Event>
struct RowEvents {
  Event written{};  ///< the rows are there
  Event updated{};  ///< so is what is found in them
};

/// What the R x R side of ALS says to its driver.
struct AlsStatistics {
  double inner_product = 0.0;       ///< <X, M> after the last absorbed update
  double model_norm_squared = 0.0;  ///< ||M||^2 likewise
  double component_norms = 0.0;     ///< sum of the norms of M's components
  double penalty = 0.0;             ///< of the factors
  /// See IterationRecord, but in the unit of the tensor; NaN where it is not measured.
  double violation = std::numeric_limits<double>::quiet_NaN();

  static constexpr auto members() {
    using Self = AlsStatistics;
    return member_table(&Self::inner_product, &Self::model_norm_squared, &Self::component_norms,
                        &Self::penalty, &Self::violation);
  }
};

/// All that the R x R side knows, as data of the host.
struct AlgebraState {
  std::vector<double> gram;        ///< mode by mode, by rows
  std::vector<double> correction;  ///< mode by mode
  std::vector<double> predicted;   ///< likewise
  std::vector<double> weights;
  AlsStatistics statistics;
  std::size_t rank_deficient_solves = 0;
  std::vector<double> penalties = {};   ///< by mode, where there are constraints
  std::vector<double> violations = {};  ///< likewise

  /// Throws Error unless all arrays are as long as they are to be.
  void check(std::size_t order, std::size_t rank) const {
    const bool right = gram.size() == order * rank * rank && correction.size() == order * rank &&
                       predicted.size() == order * rank && weights.size() == rank;
    if (!right)
      throw Error::in("cp_als", "the checkpoint's arrays do not have the lengths of its model")
          .as(Error::Code::checkpoint);
  }

  static constexpr auto members() {
    using Self = AlgebraState;
    return member_table(&Self::gram, &Self::correction, &Self::predicted, &Self::weights,
                        &Self::statistics, &Self::rank_deficient_solves, &Self::penalties,
                        &Self::violations);
  }
};

/// The update of the rows of a mode in three calls, whose order the types keep: `solve` works on R
/// x R matrices and may run beside MTTKRP, which is written to `mttkrp_output`, the rows themselves
/// or a matrix of as many; `apply` queues one pass over the rows, and sets events on its way, of
/// which `absorb` may set the last; `absorb` takes in the statistics of the new rows, perhaps
/// beside the next mode's MTTKRP; `end_sweep` follows the last mode's, and says
/// whether all modes are to be updated once more before that is a sweep. What one call leaves for
/// the next is handed on, so that none is left out, doubled or taken for another mode's. On devices
/// nothing is allocated, and `absorb` is queued and waits for nothing. Between sweeps `save` gives
/// all that the next one depends on but the rows, and `restore` takes it back.
template <class Update>
concept RowUpdate = requires(Update& update, const Update& seen, int mode, bool first_sweep,
                             const typename Update::Exec& exec, const typename Update::Matrix& rows,
                             RowEvents<typename Update::Event>& events,
                             typename Update::Solved solved, typename Update::Applied applied,
                             const AlgebraState& state) {
  requires !std::copy_constructible<typename Update::Solved>;
  requires !std::copy_constructible<typename Update::Applied>;
  { update.mttkrp_output(mode, rows) } -> std::same_as<typename Update::Matrix>;
  // Whether `solve`, called now, would also do what the last `absorb` has left.
  { seen.solves_early() } -> std::same_as<bool>;
  { update.solve(mode) } -> std::same_as<typename Update::Solved>;
  { update.apply(exec, rows, std::move(solved), events) } -> std::same_as<typename Update::Applied>;
  update.absorb(std::move(applied), first_sweep);
  { update.end_sweep() } -> std::same_as<bool>;
  { seen.statistics() } -> std::same_as<AlsStatistics>;
  { update.take_correction(mode) } -> std::convertible_to<std::vector<double>>;
  { seen.correction(mode) } -> std::convertible_to<std::vector<double>>;
  { seen.weights() } -> std::convertible_to<std::vector<double>>;
  { seen.rank_deficient_solves() } -> std::same_as<std::size_t>;
  { seen.save() } -> std::same_as<AlgebraState>;
  update.restore(state);
};

}  // namespace genten::detail
