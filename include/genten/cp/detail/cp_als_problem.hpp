// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsProblem: what all starts of a CP-ALS decomposition share.

#include <genten/core/mode_order.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/processes/processes.hpp>
#include <genten/cp/detail/starts/batch_size.hpp>
#include <genten/cp/detail/unscaled_tensor.hpp>
#include <genten/cp/memory.hpp>
#include <genten/cp/options.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/plan.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace genten::detail {

/// The modes that are updated, in the order that is given or, where one is to be chosen, in natural
/// order. Throws Error for modes that the tensor does not have, or named twice.
inline std::vector<int> modes_to_update(const CpAlsOptions& options, int order) {
  const auto check = [order](const std::vector<int>& modes, const char* name) {
    std::set<int> seen;
    for (const int mode : modes) {
      if (mode < 0 || mode >= order) {
        throw Error::no_such_mode_of(name, mode, order);
      }
      if (!seen.insert(mode).second) {
        throw Error::of_option(
            name, "mode " + error_text::number(mode) + error_text::counted() + " is named twice");
      }
    }
    return seen;
  };
  const std::set<int> fixed = check(options.fixed_modes, "fixed-modes");
  check(options.mode_order, "mode-order");
  check(options.nonnegative.modes, "nonnegative");
  std::vector<int> modes = options.mode_order;
  if (!modes.empty() && options.update_order == UpdateOrder::automatic) {
    throw Error::of_conflict(
        "mode-order", "has no effect beside {update-order=automatic}: leave one of them out");
  }
  if (modes.empty()) {
    modes = natural_mode_order(static_cast<std::size_t>(order));
  } else if (modes.size() != static_cast<std::size_t>(order)) {
    throw Error::of_option("mode-order", "expected all " + std::to_string(order) + " modes, got " +
                                             std::to_string(modes.size()));
  }
  std::erase_if(modes, [&](int mode) { return fixed.contains(mode); });
  return modes;
}

/// The modes in the order of their updates, then the fixed ones: the order for which MTTKRP is
/// prepared.
inline std::vector<int> preparation_order(std::vector<int> updates, int order) {
  for (int mode = 0; mode < order; ++mode) {
    if (std::find(updates.begin(), updates.end(), mode) == updates.end()) updates.push_back(mode);
  }
  return updates;
}

/// The fit of a model whose residual has this norm: 1 - residual / tensor. Of a zero tensor, where
/// that says nothing, 1 if it is met exactly and 0 otherwise.
[[nodiscard]] inline double fit_of(double residual_norm, double tensor_norm) {
  if (tensor_norm > 0.0) return 1.0 - residual_norm / tensor_norm;
  return residual_norm == 0.0 ? 1.0 : 0.0;
}

/// What all starts of a decomposition share. Whoever made it may release the plan when the last
/// start has iterated.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct CpAlsProblem {
  Relabeling<Ordinal, Exec> relabeling;  ///< of the rows that this process has
  Relabeling<Ordinal, Exec> gathered;    ///< on process 0, of all, in the order of Exchange::gather
  std::optional<MttkrpPlan<Scalar, Ordinal, Exec>> plan;
  std::vector<std::size_t> dimensions;  ///< of the tensor as given
  std::vector<int> updates;             ///< modes to update, in order
  double tensor_norm = 0.0;             ///< of the tensor without its scale
  int exponent = 0;                     ///< the tensor's scale is 2^exponent
  std::size_t rank = 0;
  /// By mode, in the unit of the tensor without its scale; empty where there are none.
  std::vector<RowConstraint> constraints = {};
  /// By mode: where the lengths of columns mean something, factor n of the tensor without its scale
  /// is that of the tensor divided by 2^exponents[n]. Their sum is the tensor's exponent.
  std::vector<int> exponents = {};
  Processes<Scalar, Ordinal, Exec> processes = {};
  bool is_accelerated = false;  ///< sweeps have momentum
  double value_size = 0.0;      ///< of the nonzeros, as UnscaledTensor has it
  bool counts_tuples = false;   ///< modes may be fused by tuples that occur
  std::size_t batch = 1;        ///< starts that may run side by side
  /// Bytes of the plan and of row numbers, where they may be kept beside all that the run takes.
  std::optional<double> kept_bytes = std::nullopt;
  std::uint64_t version = 0;  ///< the last that was given to a factor, of whatever start

  /// The rows that this process updates, of all that it has of a mode.
  [[nodiscard]] FacMatrix<Scalar, Exec> own_rows(int mode,
                                                 const FacMatrix<Scalar, Exec>& rows) const {
    return rows.first_rows(processes.exchange().own_rows(mode, rows.rows()));
  }
  /// Whether stored factors are those that count, without corrections and weights.
  [[nodiscard]] bool counts_lengths() const { return !allow_scaling(constraints); }
  /// A power of two far below the tensor's norm, and 2^k times as large for one 2^k times as large:
  /// what column_weight wants to know.
  [[nodiscard]] double unit() const {
    return tensor_norm > 0.0 ? std::ldexp(1.0, std::ilogb(tensor_norm) - 20) : 1.0;
  }
  /// What rounding may change of what is minimized, of the tensor without its scale.
  [[nodiscard]] double rounding() const {
    constexpr double relative = std::is_same_v<Scalar, float> ? 0x1p-20 : 0x1p-46;
    return 0.5 * relative * tensor_norm * tensor_norm;
  }
  [[nodiscard]] int order() const { return static_cast<int>(dimensions.size()); }
  /// Rows of the longest factor that is stored.
  [[nodiscard]] std::size_t most_rows() const {
    std::size_t rows = 0;
    for (const std::size_t length : relabeling.dimensions()) rows = std::max(rows, length);
    return rows;
  }
};

/// Whether sweeps have momentum, where there are any.
[[nodiscard]] inline bool accelerates(const CpAlsOptions& options,
                                      const std::vector<int>& updates) {
  return options.acceleration == Acceleration::nesterov && !updates.empty();
}

/// The constraints of a run; empty where there are none. Penalties of modes that are not updated
/// would be constants and are left out.
[[nodiscard]] inline std::vector<RowConstraint> constraints_of_run(const CpAlsOptions& options,
                                                                   const std::vector<int>& updates,
                                                                   std::size_t order) {
  std::vector<RowConstraint> constraints = row_constraints(options, order);
  for (std::size_t n = 0; n < order; ++n) {
    const int mode = static_cast<int>(n);
    if (std::find(updates.begin(), updates.end(), mode) == updates.end()) {
      constraints[n].ridge = constraints[n].l1 = 0.0;
    }
  }
  if (!any_constraint(constraints)) constraints.clear();
  return constraints;
}

/// A tensor's exponent in nearly equal parts, one for each mode that is updated; 0 for the others.
[[nodiscard]] inline std::vector<int> share_exponent(int exponent, const std::vector<int>& updates,
                                                     std::size_t order) {
  std::vector<int> exponents(order, 0);
  int left = exponent, takers = static_cast<int>(updates.size());
  for (const int mode : updates) {
    const int share = left / takers--;
    exponents[static_cast<std::size_t>(mode)] = share;
    left -= share;
  }
  return exponents;
}

/// Takes the tensor's scale out of the constraints: with X = 2^e X' and A_n = 2^e_n A_n' all terms
/// of the objective are 4^e times those of X' and A_n'.
inline void take_scale_out(std::vector<RowConstraint>& constraints,
                           const std::vector<int>& exponents, int exponent) {
  for (std::size_t n = 0; n < constraints.size(); ++n) {
    RowConstraint& each = constraints[n];
    each.ridge = std::ldexp(each.ridge, 2 * exponents[n] - 2 * exponent);
    each.l1 = std::ldexp(each.l1, exponents[n] - 2 * exponent);
    each.lower = std::ldexp(each.lower, -exponents[n]);
    each.upper = std::ldexp(each.upper, -exponents[n]);
  }
}

/// Throws Error where rows without nonzeros, which are 0, would not be within the bounds.
inline void check_empty_rows(const std::vector<RowConstraint>& constraints,
                             const std::vector<int>& updates, const std::vector<std::size_t>& all,
                             const std::vector<std::size_t>& with_nonzeros) {
  if (constraints.empty()) return;
  for (const int mode : updates) {
    const auto n = static_cast<std::size_t>(mode);
    if (all[n] == with_nonzeros[n] || constraints[n].contains(0.0)) continue;
    throw Error(
        "options lower and upper: rows without nonzeros are 0, which is outside the "
        "bounds; mode " +
        error_text::number(mode) + error_text::counted() + " has " +
        std::to_string(all[n] - with_nonzeros[n]) + " of them (" +
        error_text::remedy("drop_empty_slices") + " drops them)");
  }
}

/// By mode, of so many rows that a process has a number for, those that it owns.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::size_t> own_rows(const Exchange<Scalar, Exec>& exchange,
                                                std::vector<std::size_t> rows) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    rows[n] = exchange.own_rows(static_cast<int>(n), rows[n]);
  }
  return rows;
}

/// By mode, the rows of the whole tensor that have nonzeros.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::size_t> rows_of_all(Exchange<Scalar, Exec>& exchange,
                                                   const std::vector<std::size_t>& rows) {
  const auto of_process = own_rows(exchange, rows);
  std::vector<double> own(of_process.begin(), of_process.end());
  exchange.combine(own, {});
  return {own.begin(), own.end()};
}

/// The refusal of a run that takes more memory than there is.
[[nodiscard]] inline MemoryRequest cp_als_request(const CpAlsOptions& options, std::size_t rank,
                                                  std::vector<MemoryPart> parts, double available,
                                                  bool device) {
  return {.what = "CP-ALS of rank " + std::to_string(rank),
          .parts = std::move(parts),
          .available = available,
          .allowed = options.memory_available > 0.0,
          .device = device};
}

/// Throws Error of kind memory where already the numbers of the rows do not fit: what is counted,
/// or of long modes sorted, to find a mode's rows with nonzeros, or all numbers that are kept.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void require_row_numbers(const Sptensor<Scalar, Ordinal, Exec>& tensor, const CpAlsOptions& options,
                         std::size_t rank) {
  // A device sorts the counts, with their rows and as many spare ones; so is a long mode sorted.
  constexpr std::size_t sorted = 2 * (sizeof(std::uint32_t) + sizeof(Ordinal));
  double counts = 0.0, numbers = 0.0;
  for (const std::size_t rows : tensor.dimensions()) {
    const std::size_t kept = kept_row_numbers(rows, tensor.nnz());
    const std::size_t counted = kept < rows
                                    ? 4 * sizeof(Ordinal) + sizeof(offset_t)
                                    : sizeof(std::uint32_t) + (is_host_space<Exec> ? 0 : sorted);
    counts = std::max(counts, static_cast<double>(counted) * static_cast<double>(kept));
    numbers += sizeof(Ordinal) * static_cast<double>(kept);
  }
  MemoryRequest request =
      cp_als_request(options, rank, {{"row numbers", std::max(counts, numbers)}},
                     available_to<Exec>(options), !is_host_space<Exec>);
  request.what += ", to find the rows with nonzeros,";
  request.remedy = smaller_modes();
  require_memory(request);
}

/// How a run is prepared.
struct RunPreparation {
  MttkrpOptions mttkrp;
  std::size_t batch = 1;      ///< starts that may run side by side
  double kept = 0.0;          ///< bytes of the plan and of row numbers
  double kept_wider = 0.0;    ///< what a batch adds to the plan
  double room_to_keep = 0.0;  ///< bytes that these may have beside all that the run takes
};

/// How all of the run fits; throws Error of kind memory, which says `note` too, where it does not.
/// Starts that run side by side take what is left.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] RunPreparation require_run_memory(const Exec& exec, const MttkrpProblem& problem,
                                                const std::vector<std::size_t>& dimensions,
                                                const CpAlsOptions& options, double available,
                                                bool from_guess, bool of_several_processes,
                                                const std::string& note) {
  MttkrpOptions chosen = options.mttkrp;
  chosen.machine = machine_of(exec, options.mttkrp);
  chosen.sweeps = problem.sweeps;
  const auto forecast = forecast_cp_als<Scalar, Exec>(problem, dimensions, options, *chosen.machine,
                                                      available, from_guess, of_several_processes);
  // Nothing is no limit to the plan, though one byte is as little.
  chosen.memory_limit =
      std::clamp(forecast.kernels.allowed, 1.0, std::numeric_limits<double>::max());
  const double left = available - forecast.memory.peak();
  if (left >= 0.0) {
    const std::size_t batch =
        starts_side_by_side<Scalar>(problem, *chosen.machine, from_guess ? 1 : options.starts);
    BatchMemory wider;
    if (batch > 1) {
      wider = batch_memory<Scalar, Exec>(problem, *chosen.machine, forecast.kernels.name, batch);
    }
    // Other solvers' runs in between take what is free.
    const double share = options.memory_available > 0.0 ? 1.0 : 0.25;
    return {.mttkrp = std::move(chosen),
            .batch = wider.total() <= left ? batch : 1,
            .kept = forecast.memory.kernel.kept + forecast.memory.row_numbers,
            .kept_wider = wider.kernel,
            .room_to_keep = std::min(left, share * available)};
  }
  MemoryRequest request = cp_als_request(options, problem.rank, forecast.memory.most(), available,
                                         !is_host_space<Exec>);
  const std::size_t rank = rank_that_fits<Scalar, Exec>(
      problem, dimensions, options, *chosen.machine, available, from_guess, of_several_processes);
  request.remedy = rank == 0 ? "no rank would fit" : "rank " + std::to_string(rank) + " would fit";
  if (rank == 0 && problem.dimensions != dimensions)
    request.remedy += " as it is; " + smaller_modes();
  if (!note.empty()) request.remedy = note + "; " + request.remedy;
  require_memory(request);
  return {.mttkrp = std::move(chosen)};
}

/// Counts tuples, which modes may be fused by, where sweeps update all modes and nothing between
/// changes other factors; unless the kernel `sorted` would fit without them alone. Where the order
/// of updates may be chosen, it becomes the one in which that is fastest. `as_before` is what a run
/// that is resumed has done, and goes on with.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void count_tuples_for_sweeps(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                             MttkrpProblem& problem, const std::vector<int>& updates,
                             const CpAlsOptions& options, bool from_guess, double available,
                             std::optional<bool> as_before) {
  if (updates.size() != problem.dimensions.size() || accelerates(options, updates)) return;
  if (as_before == false) return;
  const MachineProperties machine = machine_of(exec, options.mttkrp);
  MttkrpProblem fused = problem;
  // It has to pay in as many as a short run makes, whatever ends this one: one that is ended early
  // and resumed then has the bits of one that is not.
  fused.sweeps = 10.0;
  const auto forecast = [&](const MttkrpProblem& one) {
    return forecast_cp_als<Scalar, Exec>(one, one.dimensions, options, machine, available,
                                         from_guess);
  };
  const auto fuses = [&] {
    fused.tuples = tuples_to_sort(exec, tensor, fused, machine);
    if (fused.tuples.empty()) return false;
    try {
      const auto with = forecast(fused), without = forecast(problem);
      return with.memory.peak() <= available && with.kernels.name == kernels::Sorted::name &&
             with.kernels.name == without.kernels.name;
    } catch (const Error&) {  // the kernel that is named does not fit so
      return false;
    }
  };
  if (options.update_order == UpdateOrder::automatic && !as_before) {
    fused.update_order = cheapest_update_order(exec, tensor, fused, machine);
    if (fused.update_order != problem.update_order && !fuses()) {
      fused.update_order = problem.update_order;
    }
  }
  if (fuses()) problem = std::move(fused);
}

/// A tensor by the numbers that a process gives its rows.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct NumberedTensor {
  std::vector<std::size_t> dimensions;             ///< of the whole tensor as given
  Relabeling<Ordinal, Exec> relabeling, gathered;  ///< as CpAlsProblem has them
  RelabeledTensor<Scalar, Ordinal, Exec> tensor;
};

/// Numbers the rows that have nonzeros; those of a part have their numbers. Throws Error of kind
/// memory where there is too little.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] NumberedTensor<Scalar, Ordinal, Exec> number_rows(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
    const CpAlsOptions& options, const Processes<Scalar, Ordinal, Exec>& processes) {
  using Numbers = Relabeling<Ordinal, Exec>;
  if (const auto* const part = processes.part()) {
    return {part->dimensions, Numbers(part->rows), Numbers(part->gathered_rows), tensor};
  }
  require_row_numbers(tensor, options, rank);
  const Numbers numbers(exec, tensor);
  return {tensor.dimensions(), numbers, numbers, numbers.apply(exec, tensor)};
}

/// What runs of cp_als on one tensor hand on to the next; see PreparedTensor.
template <RealScalar Scalar, ExecutionSpace Exec>
struct KeptPreparation {
  Sptensor<Scalar, RowNumber, Exec> distinct;
  UnscaledTensor<Scalar, RowNumber, Exec> unscaled;
  std::optional<NumberedTensor<Scalar, RowNumber, Exec>> numbered;  ///< none before the first run
  std::optional<MttkrpPlan<Scalar, RowNumber, Exec>> plan;          ///< none while a run has it
  double bytes = 0.0;                                               ///< of these two
  std::uint64_t version = 0;  ///< the last that was given to a factor whose products it may keep
};

/// Chooses a kernel and prepares MTTKRP, by what is kept of runs before, if anything is. Throws
/// Error of kind memory where the run would take more than is available.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void prepare_plan(const Exec& exec, CpAlsProblem<Scalar, Ordinal, Exec>& prepared,
                  RelabeledTensor<Scalar, Ordinal, Exec> tensor, const CpAlsOptions& options,
                  bool from_guess, double available, std::optional<bool> counts_tuples,
                  KeptPreparation<Scalar, Exec>* kept) {
  const auto& processes = prepared.processes;
  MttkrpProblem problem = mttkrp_problem(exec, tensor, prepared.rank);
  // With its distinct values. Which tuples are counted depends on the rank, and would, were they
  // kept, depend on the ranks before.
  if (kept != nullptr) kept->numbered->tensor = tensor;
  problem.update_order = preparation_order(prepared.updates, prepared.order());
  if (!processes.are_distributed()) {
    count_tuples_for_sweeps<Scalar>(exec, tensor, problem, prepared.updates, options, from_guess,
                                    available, counts_tuples);
  }
  prepared.counts_tuples = !problem.tuples.empty();
  if (prepared.updates.size() == problem.update_order.size()) {
    prepared.updates = problem.update_order;  // it may have been chosen
  }
  const RunPreparation chosen = require_run_memory<Scalar>(
      exec, problem, processes.has_model() ? prepared.dimensions : problem.dimensions, options,
      available, from_guess, processes.are_distributed(), processes.memory_note(options));
  std::vector<std::size_t> early_rows;
  if (processes.exchange().sends_beside()) {
    early_rows = own_rows(processes.exchange(), problem.dimensions);
  }
  double kept_before = 0.0;
  if (kept != nullptr) {
    kept_before = std::exchange(kept->bytes, 0.0);
    prepared.version = kept->version;
    prepared.plan = std::exchange(kept->plan, std::nullopt);
    if (prepared.plan && !prepared.plan->fits(exec, tensor, prepared.rank, chosen.mttkrp,
                                              problem.update_order, early_rows)) {
      prepared.plan.reset();  // its memory is free before that of the next is taken
    }
  }
  if (!prepared.plan) {
    kept_before = 0.0;
    prepared.plan.emplace(exec, std::move(tensor), prepared.rank, chosen.mttkrp,
                          problem.update_order, early_rows);
  }
  if (prepared.constraints.empty() && !prepared.is_accelerated && !processes.are_distributed() &&
      prepared.plan->takes_wider()) {
    prepared.batch = chosen.batch;
  }
  // A plan that had wider rows before still has memory for them.
  const double bytes =
      std::max(chosen.kept + (prepared.batch > 1 ? chosen.kept_wider : 0.0), kept_before);
  if (bytes <= chosen.room_to_keep) prepared.kept_bytes = bytes;
}

/// Relabels the tensor, unless its rows have their numbers, and prepares MTTKRP. Throws Error of
/// kind memory where the run would take more than there is.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAlsProblem<Scalar, Ordinal, Exec> prepare_cp_als(
    const Exec& exec, const UnscaledTensor<Scalar, Ordinal, Exec>& unscaled, std::size_t rank,
    const std::vector<int>& updates, const CpAlsOptions& options, bool from_guess,
    const Processes<Scalar, Ordinal, Exec>& processes = {}, std::optional<bool> counts_tuples = {},
    KeptPreparation<Scalar, Exec>* kept = nullptr) {
  const auto& tensor = unscaled.tensor;
  std::vector<RowConstraint> constraints;
  processes.together([&] {
    constraints = constraints_of_run(options, updates, static_cast<std::size_t>(tensor.order()));
    check_bounds_as<Scalar>(constraints);
    const bool solves = is_host_space<Exec> && !updates.empty() && options.max_iterations != 0;
    if (solves) require_blas_buffer();
  });
  // All have looked before one takes any.
  double available = processes.available(options);
  // What is free is less than it would be without what is kept.
  if (kept != nullptr && options.memory_available <= 0.0) available += kept->bytes;
  std::optional<NumberedTensor<Scalar, Ordinal, Exec>> numbered;
  if (kept != nullptr) numbered = kept->numbered;
  processes.together([&] {
    if (!numbered) numbered = number_rows(exec, tensor, rank, options, processes);
  });
  if (kept != nullptr) kept->numbered = numbered;
  const auto rows_in_use = rows_of_all(processes.exchange(), numbered->relabeling.dimensions());
  CpAlsProblem<Scalar, Ordinal, Exec> prepared{.relabeling = std::move(numbered->relabeling),
                                               .gathered = std::move(numbered->gathered),
                                               .plan = std::nullopt,
                                               .dimensions = std::move(numbered->dimensions),
                                               .updates = updates,
                                               .tensor_norm = unscaled.norm,
                                               .exponent = unscaled.exponent,
                                               .rank = rank,
                                               .constraints = std::move(constraints),
                                               .processes = processes,
                                               .is_accelerated = accelerates(options, updates),
                                               .value_size = unscaled.size};
  processes.together([&] {
    check_empty_rows(prepared.constraints, updates, prepared.dimensions, rows_in_use);
    prepare_plan(exec, prepared, std::move(numbered->tensor), options, from_guess, available,
                 counts_tuples, kept);
  });
  if (prepared.counts_lengths()) {
    prepared.exponents =
        share_exponent(unscaled.exponent, prepared.updates, prepared.dimensions.size());
    take_scale_out(prepared.constraints, prepared.exponents, unscaled.exponent);
  }
  return prepared;
}

}  // namespace genten::detail
