// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpProblem: what cp_gcp minimizes, without the tensor's ordinals, and in the tensor's own scale.

#include <genten/cp/detail/gcp/gcp_state.hpp>
#include <genten/cp/detail/gcp/gcp_warnings.hpp>
#include <genten/cp/detail/gcp/hold_out.hpp>
#include <genten/cp/detail/gcp/lbfgs_passes.hpp>
#include <genten/dense/row_constraint.hpp>

#include <cmath>
#include <memory>
#include <optional>

namespace genten::detail {

/// What a method draws entries from.
template <RealScalar Scalar, ExecutionSpace Exec>
struct GcpEntries {
  using Tensor = Sptensor<Scalar, RowNumber, Exec>;
  Tensor listed;                  ///< that count, in the scale of the objective
  std::optional<Tensor> missing;  ///< that do not count, where unlisted ones do
  AnyLoss loss;                   ///< scaled likewise
};

/// Objective and gradient, and what else depends on the type of subscripts. Virtual, so that the
/// solver is compiled once a scalar.
template <RealScalar Scalar, ExecutionSpace Exec>
struct GcpObjective {
  using Model = Ktensor<Scalar, Exec>;
  virtual ~GcpObjective() = default;
  [[nodiscard]] virtual LossSums sums(const Exec& exec, const Model& model) = 0;
  virtual void draw_zeros(const Exec& exec, const Model& model, std::uint64_t seed) = 0;
  /// At the model that `sums` was called with last.
  virtual void gradient(const Exec& exec, const Model& model, const Model& gradient,
                        const std::vector<bool>& wanted) = 0;
  [[nodiscard]] virtual GcpEntries<Scalar, Exec> entries_to_draw() const = 0;
  [[nodiscard]] virtual HoldoutSums holdout(const Exec& exec, const Model& model) = 0;
  [[nodiscard]] virtual TensorFingerprint fingerprint(const Exec& exec) = 0;
  /// Of the list of missing entries; none where there is no list.
  [[nodiscard]] virtual std::optional<TensorFingerprint> missing_mark(const Exec& exec) = 0;
};

template <RealScalar Scalar, ExecutionSpace Exec>
struct GcpProblem {
  std::shared_ptr<GcpObjective<Scalar, Exec>> objective;
  LossFacts loss;      ///< as the caller gave it
  GcpMethod method{};  ///< not `automatic`
  ZeroSums zeros{};
  std::string kernel;
  std::vector<std::size_t> dimensions;
  std::vector<RowConstraint> constraints;  ///< bounds, of scaled factors
  std::vector<double> ridge, l1;           ///< likewise
  std::vector<bool> is_free;               ///< by mode
  /// The tensor as given is 2^exponent times that of the objective, a factor 2^exponents[n] times.
  int exponent = 0;
  std::vector<int> exponents;
  bool may_scale_start = false;  ///< whether random guesses are scaled to meet the data
  bool is_logarithm = false;     ///< whether the model is one, of means or odds
  double norm = 0.0;             ///< of the scaled tensor
  double entries = 0.0;
  double held_out = 0.0;  ///< entries
  bool unlisted_are_missing = false;
  std::vector<GcpWarning> warnings;  ///< of slices
  /// By mode, entries that count by row, where some are missing.
  std::vector<EntriesByRow<Exec>> counted;
  offset_t empty_rows = 0;  ///< of all modes

  [[nodiscard]] int order() const { return static_cast<int>(dimensions.size()); }
  [[nodiscard]] bool sums_all_zeros() const {
    return zeros == ZeroSums::closed_form || zeros == ZeroSums::enumerated;
  }
  [[nodiscard]] bool is_penalized(std::size_t mode) const {
    return ridge[mode] > 0.0 || l1[mode] > 0.0;
  }
  [[nodiscard]] GcpLimits limits() const {
    GcpLimits limits;
    std::size_t end = 0;
    for (int n = 0; n < order(); ++n) {
      const auto mode = static_cast<std::size_t>(n);
      end += dimensions[mode];
      limits.end[n] = end;
      // As elements have them: in float .1 is another number, and none would be at a bound of .1.
      limits.lower[n] = static_cast<double>(static_cast<Scalar>(constraints[mode].lower));
      limits.upper[n] = static_cast<double>(static_cast<Scalar>(constraints[mode].upper));
      limits.fixed[n] = !is_free[mode];
    }
    return limits;
  }
  /// Whether objectives in the caller's units are numbers: of data beyond 1e144 or below 1e-144
  /// their squares are not.
  [[nodiscard]] bool has_units() const { return std::abs(exponent) < 480; }
  /// The factor that takes what is scaled back to the caller's units, of the objective.
  [[nodiscard]] double in_units(double objective_part) const {
    return std::ldexp(objective_part, 2 * exponent);
  }
};

}  // namespace genten::detail
