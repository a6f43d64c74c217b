// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From a call of cp_gcp to its GcpProblem.

#include <genten/base/memory.hpp>
#include <genten/cp/detail/gcp/adam.hpp>
#include <genten/cp/detail/gcp/block_objective.hpp>
#include <genten/cp/detail/gcp/gcp_warnings.hpp>
#include <genten/cp/detail/gcp/hold_out.hpp>
#include <genten/cp/detail/gcp/loss_gradient_impl.hpp>
#include <genten/cp/detail/nonzeros_left.hpp>
#include <genten/cp/timings.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct GcpObjectiveOf final : GcpObjective<Scalar, Exec> {
  using Model = Ktensor<Scalar, Exec>;
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;

  Tensor given;                   ///< without duplicates, in its own scale
  std::optional<Tensor> missing;  ///< the list, likewise
  std::optional<Tensor> away;     ///< with entries that are held out
  Tensor held_out;                ///< in the scale of the objective
  LossGradient<Scalar, Ordinal, Exec> evaluate;

  GcpObjectiveOf(Tensor tensor, std::optional<Tensor> list,
                 const SplitEntries<Scalar, Ordinal, Exec>& entries,
                 LossGradient<Scalar, Ordinal, Exec> gradient_of)
      : given(std::move(tensor)),
        missing(std::move(list)),
        away(entries.away),
        held_out(entries.held_out),
        evaluate(std::move(gradient_of)) {}
  LossSums sums(const Exec& exec, const Model& model) override {
    return evaluate.sums(exec, model);
  }
  void draw_zeros(const Exec& exec, const Model& model, std::uint64_t seed) override {
    evaluate.draw_zeros(exec, model, seed);
  }
  void gradient(const Exec& exec, const Model& model, const Model& gradient,
                const std::vector<bool>& wanted) override {
    evaluate.gradient_of_summed(exec, model, gradient, wanted);
  }
  GcpEntries<Scalar, Exec> entries_to_draw() const override {
    return {evaluate.tensor(), away, evaluate.loss()};
  }
  HoldoutSums holdout(const Exec& exec, const Model& model) override {
    return holdout_sums(exec, held_out, model, evaluate.loss().kernel());
  }
  TensorFingerprint fingerprint(const Exec& exec) override {
    return TensorFingerprint::of(exec, given);
  }
  std::optional<TensorFingerprint> missing_mark(const Exec& exec) override {
    if (!missing) return std::nullopt;
    return TensorFingerprint::of(exec, *missing);
  }
};

/// What a call of cp_gcp is about; null: none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct GcpCall {
  const Sptensor<Scalar, Ordinal, Exec>& tensor;
  const Sptensor<Scalar, Ordinal, Exec>* missing = nullptr;
  const AnyLoss& loss;
  const Ktensor<Scalar, Exec>* guess = nullptr;
  const Checkpoint<Ktensor<Scalar, Exec>>* checkpoint = nullptr;
  const CpGcpOptions& options;
  const KtensorObserver<Scalar, Exec>& observer;

  void check() const {
    check_ranges(options);
    if (tensor.order() == 0) {
      throw Error::in("cp_gcp", "expected a tensor of order 1 or more, got order 0");
    }
    if (missing != nullptr && missing->dimensions() != tensor.dimensions()) {
      throw Error::in("cp_gcp", "expected missing entries with the tensor's dimensions");
    }
  }
};

/// By mode, whether its factor is sought. Throws Error for modes that there are not.
[[nodiscard]] inline std::vector<bool> free_modes(const CpGcpOptions& options, int order) {
  std::vector<bool> is_free(static_cast<std::size_t>(order), true);
  for (const int mode : options.fixed_modes) {
    if (mode < 0 || mode >= order) throw Error::no_such_mode_of("fixed-modes", mode, order);
    is_free[static_cast<std::size_t>(mode)] = false;
  }
  return is_free;
}

/// The bounds of the options, and those of the loss. Throws Error where they contradict.
[[nodiscard]] inline std::vector<RowConstraint> gcp_bounds(const CpGcpOptions& options,
                                                           const LossFacts& loss, int order) {
  auto bounds = row_constraints(options, static_cast<std::size_t>(order));
  for (RowConstraint& each : bounds) each.ridge = each.l1 = 0.0;
  if (loss.lower != 0.0) return bounds;
  for (std::size_t n = 0; n < bounds.size(); ++n) {
    RowConstraint& each = bounds[n];
    const bool is_given = each.lower > -RowConstraint::none;
    if ((is_given && each.lower < 0.0) || each.upper < 0.0) {
      throw Error("loss " + loss.text() +
                  ": its model must not be negative: expected bounds of at "
                  "least 0 for mode " +
                  error_text::number(n) + error_text::counted() + ", got " +
                  number_text(each.upper < 0.0 ? each.upper : each.lower));
    }
    each.lower = std::max(each.lower, 0.0);
  }
  return bounds;
}

/// Takes the scale of the data out of bounds and penalties, as 2^exponents[n] of the factors.
template <RealScalar Scalar, ExecutionSpace Exec>
void take_scale_out(GcpProblem<Scalar, Exec>& problem) {
  const int order = problem.order(), part = problem.exponent / order;
  int rest = problem.exponent - part * order;
  for (std::size_t n = 0; n < problem.dimensions.size(); ++n) {
    const int sign = rest > 0 ? 1 : rest < 0 ? -1 : 0;
    rest -= sign;
    const int exponent = part + sign;
    problem.exponents.push_back(exponent);
    RowConstraint& bounds = problem.constraints[n];
    bounds.lower = std::ldexp(bounds.lower, -exponent);
    bounds.upper = std::ldexp(bounds.upper, -exponent);
    problem.ridge[n] = std::ldexp(problem.ridge[n], 2 * exponent - 2 * problem.exponent);
    problem.l1[n] = std::ldexp(problem.l1[n], exponent - 2 * problem.exponent);
  }
}

/// Whether zeros may be sampled: where all entries are listed, there are none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] bool may_sample_zeros(const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                    const LossFacts& loss, const CpGcpOptions& options) {
  return options.unlisted == UnlistedEntries::zeros && !loss.zero_terms &&
         enumeration_operations(held_out_entries(tensor.dimensions(), 1.0), tensor.order(),
                                options.rank) > options.most_operations;
}

/// That which is asked for or, where none is, suits the loss.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] GcpMethod chosen_method(const GcpCall<Scalar, Ordinal, Exec>& call) {
  if (call.options.method != GcpMethod::automatic) return call.options.method;
  const bool by_rows = call.loss.facts().by_rows && std::is_same_v<Exec, HostExec> &&
                       !may_sample_zeros(call.tensor, call.loss.facts(), call.options);
  return by_rows ? GcpMethod::rows : GcpMethod::lbfgs;
}

/// Throws Error of kind memory where the vectors of L-BFGS do not fit; returns what they leave.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
double require_gcp_memory(const Sptensor<Scalar, Ordinal, Exec>& tensor, offset_t missing,
                          const LossFacts& loss, const CpGcpOptions& options) {
  double rows = 0.0;
  for (const std::size_t length : tensor.dimensions()) rows += static_cast<double>(length);
  const double model =
      rows * sizeof(Scalar) * static_cast<double>(padded_stride(options.rank, sizeof(Scalar)));
  const bool by_epochs = options.method == GcpMethod::adam;
  const bool by_rows = options.method == GcpMethod::rows;
  const double pairs = by_epochs ? 2.0 : by_rows ? 0.0 : static_cast<double>(options.corrections);
  const double models =
      2.0 * pairs + 5.0 + (options.starts > 1 ? 1.0 : 0.0) + (options.holdout > 0.0 ? 1.0 : 0.0);
  // Beside the list, what draws and sorts it, and what traverses it.
  const bool any = options.unlisted == UnlistedEntries::zeros;
  const double held_out = any ? held_out_entries(tensor.dimensions(), options.holdout)
                              : options.holdout * static_cast<double>(tensor.nnz());
  const double of_entry = sizeof(Scalar) + sizeof(Ordinal) * static_cast<double>(tensor.order());
  const bool samples = may_sample_zeros(tensor, loss, options);
  const double drawn = samples ? static_cast<double>(options.zero_samples) : 0.0;
  const double columns = samples ? model + 8.0 * rows * static_cast<double>(options.rank) : 0.0;
  // With weights and flags; and the order in which batches find entries that are listed or do not
  // count, while it is made (see group_subscripts).
  const double together = 2.0 * static_cast<double>(batch_size(options, tensor.nnz()));
  const bool batches_are_large = together > EntryBatches<Scalar, Exec>::drawn_at_once;
  const double batches =
      by_epochs ? (of_entry + 9.0) *
                          std::max<double>(EntryBatches<Scalar, Exec>::drawn_at_once, together) +
                      4.0 * together
                : 0.0;
  const double looked_up =
      by_epochs ? static_cast<double>(tensor.nnz()) + static_cast<double>(missing) + held_out : 0.0;
  const double listed = static_cast<double>(tensor.nnz()) + static_cast<double>(missing) + held_out;
  const double of_order = by_rows              ? 8.0 * static_cast<double>(tensor.order())
                          : looked_up > 0x1p32 ? 34.0
                                               : 26.0;
  const double order = by_rows ? of_order * listed + 16.0 * rows : of_order * looked_up;
  const double free = available_memory<Exec>(), limit = options.memory_available;
  const double held_out_bytes = held_out * (24.0 + 4.0 * of_entry);
  MemoryRequest request{.what = "GCP of rank " + std::to_string(options.rank),
                        .parts = {{"models and steps", models * model},
                                  {"held-out entries", held_out_bytes},
                                  {"drawn zeros", drawn * (24.0 + 4.0 * of_entry) + columns},
                                  {"batches", batches},
                                  {"order of entries", order}},
                        .available = limit > 0.0 ? std::min(free, limit) : free,
                        .allowed = limit > 0.0,
                        .device = !is_host_space<Exec>,
                        .remedy = by_epochs && batches_are_large ? "a smaller batch takes less"
                                  : by_epochs || by_rows         ? "fewer components take less"
                                                                 : "fewer corrections take less"};
  const double growing =
      held_out_bytes + (by_rows || by_epochs ? of_order * held_out : 0.0);  // with the part
  const double room = request.available - (total_bytes(request.parts) - growing);
  const double fits = growing > 0.0 ? room / growing : 0.0;
  if (fits < 1.0 &&
      fits * held_out >= 10.0) {  // and one digit of the part, rounded down, leaves an entry
    const double part = fits * options.holdout;
    const int exponent = static_cast<int>(std::floor(std::log10(part)));
    const double digit = std::floor(part / std::pow(10.0, exponent));
    request.remedy =
        "a holdout of " + number_text(digit) + "e" + std::to_string(exponent) + " fits";
  }
  require_memory(request);
  return request.available - total_bytes(request.parts);
}

/// Makes the objective over what counts, `scaled` as the loss is, and notes what it says of itself.
/// `given` and `missing` are the call's, without duplicates.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void add_objective(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& given,
                   const std::optional<Sptensor<Scalar, Ordinal, Exec>>& missing,
                   const SplitEntries<Scalar, Ordinal, Exec>& entries,
                   const Sptensor<Scalar, Ordinal, Exec>& scaled, std::size_t rank,
                   const AnyLoss& loss, const LossGradientOptions& how,
                   GcpProblem<Scalar, Exec>& problem) {
  const auto take = [&](const auto& of) {
    problem.zeros = of.zeros();
    problem.entries = of.entries();
    problem.kernel = of.kernel();
  };
  if (loss.blocks() != nullptr) {
    if constexpr (is_host_space<Exec>) {
      auto objective = std::make_shared<BlockObjective<Scalar, Ordinal, Exec>>(
          exec, given, missing, entries, rank, loss, how);
      take(*objective);
      problem.objective = std::move(objective);
      return;
    }
  }
  using Evaluate = LossGradient<Scalar, Ordinal, Exec>;
  Evaluate evaluate = entries.away ? Evaluate(exec, scaled, *entries.away, rank, loss, how)
                                   : Evaluate(exec, scaled, rank, loss, how);
  take(evaluate);
  problem.objective = std::make_shared<GcpObjectiveOf<Scalar, Ordinal, Exec>>(
      given, missing, entries, std::move(evaluate));
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] GcpProblem<Scalar, Exec> make_gcp_problem(const Exec& exec,
                                                        const GcpCall<Scalar, Ordinal, Exec>& call,
                                                        double memory, PhaseTimings& timings) {
  const CpGcpOptions& options = call.options;
  GcpProblem<Scalar, Exec> problem;
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;
  std::optional<Tensor> missing;
  const auto distinct = timings.time(exec, "merge", [&] {
    // Values of the list mean nothing, and are no part of its fingerprint.
    if (call.missing != nullptr) {
      missing = with_value(exec, sum_duplicates(exec, *call.missing).tensor, Scalar(0));
    }
    return sum_duplicates(exec, call.tensor).tensor;
  });
  auto entries =
      timings.time(exec, "split", [&] { return split_entries(exec, distinct, missing, options); });
  const Tensor& counted = entries.counted;
  const int order = distinct.order();
  problem.loss = call.loss.facts();
  problem.method = options.method;
  problem.dimensions = distinct.dimensions();
  problem.is_free = free_modes(options, order);
  problem.constraints = gcp_bounds(options, problem.loss, order);
  check_bounds_as<Scalar>(problem.constraints);
  problem.may_scale_start = allow_scaling(problem.constraints);
  problem.is_logarithm = problem.loss.is_link && problem.loss.lower != 0.0;
  problem.unlisted_are_missing = options.unlisted == UnlistedEntries::missing;
  for (std::size_t n = 0; n < problem.dimensions.size(); ++n) {
    problem.ridge.push_back(number_of_mode("ridge", options.ridge, n, problem.dimensions.size(),
                                           problem.loss.default_ridge));
    problem.l1.push_back(number_of_mode("l1", options.l1, n, problem.dimensions.size(), 0.0));
    if (problem.l1.back() == 0.0 || !problem.is_free[n] || problem.constraints[n].lower >= 0.0) {
      continue;
    }
    throw Error::of_option(
        "l1", "expected a penalty of modes whose factors are nonnegative, got mode " +
                  error_text::number(n) + error_text::counted() + ", whose lower bound is " +
                  number_text(problem.constraints[n].lower));
  }
  auto scaled = timings.time(exec, "norm", [&] {
    require_loss_data(exec, counted, problem.loss);
    require_loss_data(exec, entries.held_out, problem.loss);
    const double largest = max_abs(exec, counted);
    problem.exponent = call.loss.scales() && largest > 0.0 ? std::ilogb(largest) : 0;
    take_scale_out(problem);
    auto tensor =
        problem.exponent == 0 ? counted : times_power_of_two(exec, counted, -problem.exponent);
    if (problem.exponent != 0 && entries.held_out.nnz() != 0) {
      entries.held_out = times_power_of_two(exec, entries.held_out, -problem.exponent);
    }
    problem.norm = norm(exec, tensor);
    return tensor;
  });
  timings.time(exec, "prepare", [&] {
    const AnyLoss loss =
        problem.exponent == 0 ? call.loss : call.loss.scaled(std::ldexp(1.0, -problem.exponent));
    const LossGradientOptions how{.unlisted = options.unlisted,
                                  .ridge = problem.ridge,
                                  .l1 = problem.l1,
                                  .most_operations = options.most_operations,
                                  .zero_samples = options.zero_samples,
                                  .memory_available = memory,
                                  .mttkrp = options.mttkrp};
    add_objective(exec, distinct, missing, entries, scaled, options.rank, loss, how, problem);
    if (options.method == GcpMethod::rows) {
      const bool has_function = loss.blocks() == nullptr && std::is_same_v<Exec, HostExec>;
      if (!has_function || problem.zeros == ZeroSums::sampled) {
        throw Error::of_option("method", std::string("expected another one than rows ") +
                                             (!std::is_same_v<Exec, HostExec> ? "on a device"
                                              : has_function ? "where zeros are sampled"
                                                             : "for a loss of blocks of entries"));
      }
    }
    if (!(problem.entries > 0.0)) {
      throw Error::in("cp_gcp", "expected entries that are neither missing nor held out, got none");
    }
    if (missing) {
      require_nonzeros_left(exec, distinct,
                            std::max(problem.norm, max_abs(exec, entries.held_out)));
    }
    const Tensor* const away = entries.away ? &*entries.away : nullptr;
    if (problem.unlisted_are_missing || away != nullptr) {
      problem.counted = counted_by_row(exec, counted, away, problem.unlisted_are_missing);
    }
    for (const auto& of_mode : problem.counted) {
      problem.empty_rows += count_empty_rows(exec, of_mode);
    }
    OpenModes open;
    for (std::size_t n = 0; n < problem.dimensions.size(); ++n) {
      open.add(problem.loss, problem.constraints[n],
               problem.is_free[n] && !problem.is_penalized(n));
    }
    problem.warnings =
        options.slices ? *options.slices
                       : slice_warnings(exec, counted, away, problem.unlisted_are_missing, open);
    problem.held_out = static_cast<double>(entries.held_out.nnz());
  });
  return problem;
}

}  // namespace genten::detail
