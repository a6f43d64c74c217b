// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// LossGradient: objective and gradient of a CP model under any loss.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/mttkrp/mapped_mttkrp.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace genten {

/// What entries are that a tensor does not list.
enum class UnlistedEntries {
  zeros,   ///< they count, with the value 0
  missing  ///< they do not count
};

constexpr auto enum_words(UnlistedEntries) {
  return std::array{EnumWord("zeros", UnlistedEntries::zeros, "they count, with the value 0"),
                    EnumWord("missing", UnlistedEntries::missing, "they do not count")};
}

/// How the entries that a tensor does not list are summed.
enum class ZeroSums {
  none,         ///< there are none, or they are missing
  closed_form,  ///< from column sums and Gram matrices of the factors
  enumerated,   ///< one by one
  sampled       ///< from random ones, by an estimate with a standard error
};

constexpr auto enum_words(ZeroSums) {
  return std::array{
      EnumWord("none", ZeroSums::none), EnumWord("closed_form", ZeroSums::closed_form),
      EnumWord("enumerated", ZeroSums::enumerated), EnumWord("sampled", ZeroSums::sampled)};
}

/// Which entries count, what is added to the loss, and what it may cost.
struct LossGradientOptions {
  UnlistedEntries unlisted = UnlistedEntries::zeros;
  /// Penalties: none, one for all modes, or one a mode.
  std::vector<double> ridge = {};
  /// Likewise, times the sum of the factor's elements: a penalty for factors that have no negative
  /// ones.
  std::vector<double> l1 = {};
  /// Of a gradient, where zeros are enumerated, at most.
  double most_operations = 2e9;
  /// Draws where zeros have no closed form and take more operations; 0: that is refused.
  std::size_t zero_samples = 0;
  /// Bytes that the plan may take; 0: as many as are available.
  double memory_available = 0.0;
  MttkrpOptions mttkrp = {};
};

/// What a model has reached.
struct LossSums {
  double objective = 0.0;  ///< the loss and the penalty
  double penalty = 0.0;
  double error = 0.0;               ///< standard error of the objective; 0 unless zeros are sampled
  double inner_product = 0.0;       ///< of x m, over the listed entries
  double squared_difference = 0.0;  ///< of (x - m)^2, over the listed entries
  /// Of w m^2, over the zeros that are summed with weights w: missing ones have -1, sampled ones
  /// stand for all.
  double zero_square = 0.0;
};

namespace detail {
template <RealScalar Scalar, ExecutionSpace Exec>
class ZeroEnumeration;
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class WeightedZeros;
}  // namespace detail

/// Prepared once for a tensor X, called many times. With the model's values m the objective is
///
///   sum over the entries that count of f(x, m) + sum_n (ridge_n / 2 ||A_n||^2 + l1_n sum A_n)
///
/// exactly, zeros included. Weights are no variables: those of the models that come here are taken
/// for one.
///
/// The gradient takes one traversal of the nonzeros a mode (or group of short modes that are summed
/// together) and one for the model's values, which the objective takes, too; what zeros add is
/// polynomial in the factors for losses with `zero_terms`, and about 4 N R operations an entry and
/// gradient for others (N modes, R components). Sums are taken in double. By deterministic kernels
/// results have the same bits for every number of threads of a host. Where f(0, m) is a square,
/// large sums cancel near an exact fit, as in least squares by Gram matrices: the objective is only
/// known to about 1e-16 of the sum of x^2.
///
/// Where neither is possible and `zero_samples` is not 0, zeros are sampled (`zeros()` says so):
/// all nonzeros count exactly, and f(0, m) at random entries that are no nonzeros stands for the
/// sum over all zeros. For losses whose factors are nonnegative three of four draws are in
/// proportion to the model's values, the others uniform, for other losses all uniform: unbiased
/// either way, and `LossSums::error` has the standard error. Between calls of `draw_zeros`, without
/// which there is no objective, the sample stays: objective and gradient are a smooth function and
/// its derivative.
///
/// An object must not be used by two threads at once.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class LossGradient {
 public:
  using Model = Ktensor<Scalar, Exec>;

  /// For models of `rank` components. Throws Error for a tensor of order 0, for values that the
  /// loss does not take, for a loss without a minimum where unlisted entries are zeros, for zeros
  /// that would take more operations than allowed, for a caller's own loss on a device, for
  /// penalties that are negative or of another number, and what MttkrpPlan refuses.
  LossGradient(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
               const AnyLoss& loss, const LossGradientOptions& options = {})
      : LossGradient(exec, tensor, nullptr, rank, loss, options) {}
  /// The same where entries that `missing` lists do not count, whether the tensor lists them or
  /// not; its values mean nothing. The sum over all entries stays exact: f(0, m) of missing ones is
  /// taken away from it, at a cost that grows with their number. Throws Error for other dimensions.
  LossGradient(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
               const Sptensor<Scalar, Ordinal, Exec>& missing, std::size_t rank,
               const AnyLoss& loss, const LossGradientOptions& options = {})
      : LossGradient(exec, tensor, &missing, rank, loss, options) {}
  ~LossGradient();
  LossGradient(LossGradient&&) noexcept;
  LossGradient& operator=(LossGradient&&) noexcept;
  LossGradient(const LossGradient&) = delete;
  LossGradient& operator=(const LossGradient&) = delete;

  /// Returns the objective of `model` and writes the gradient: element (i, r) of factor n of
  /// `gradient` becomes the derivative by that of the model. Throws Error for other shapes.
  double operator()(const Exec& exec, const Model& model, const Model& gradient);

  /// The objective alone, and what else the same pass over the nonzeros sums.
  [[nodiscard]] LossSums sums(const Exec& exec, const Model& model);
  /// The gradient alone, of the modes of which `wanted` says so; empty: of all.
  void gradient(const Exec& exec, const Model& model, const Model& gradient,
                const std::vector<bool>& wanted = {});
  /// The same at the model that `sums` was called with last, which has not changed since: its
  /// values at the nonzeros are known.
  void gradient_of_summed(const Exec& exec, const Model& model, const Model& gradient,
                          const std::vector<bool>& wanted = {});

  /// Draws new zeros for models near this one, where zeros are sampled, by a hash of the seed.
  void draw_zeros(const Exec& exec, const Model& model, std::uint64_t seed);

  [[nodiscard]] const AnyLoss& loss() const { return m_loss; }
  [[nodiscard]] ZeroSums zeros() const { return m_zeros; }
  /// Entries that count.
  [[nodiscard]] double entries() const { return m_entries; }
  /// By mode.
  [[nodiscard]] const std::vector<double>& ridge() const { return m_ridge; }
  /// Without duplicates, and without missing entries.
  [[nodiscard]] const Sptensor<Scalar, Ordinal, Exec>& tensor() const { return m_tensor; }
  /// The kernel that traverses the nonzeros.
  [[nodiscard]] std::string_view kernel() const { return m_mapped.kernel(); }

 private:
  LossGradient(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
               const Sptensor<Scalar, Ordinal, Exec>* missing, std::size_t rank,
               const AnyLoss& loss, const LossGradientOptions& options);
  void check(const Model& model, const char* name) const;
  /// Whether f(0, m) is summed over all entries, nonzeros among them.
  [[nodiscard]] bool sums_all() const {
    return m_zeros == ZeroSums::closed_form || m_zeros == ZeroSums::enumerated;
  }
  [[nodiscard]] double zero_sum(const Exec& exec, const Model& model);
  void find_gradient(const Exec& exec, const Model& model, const Model& gradient,
                     const std::vector<bool>& wanted, bool is_summed);

  AnyLoss m_loss;
  std::size_t m_rank;
  Sptensor<Scalar, Ordinal, Exec> m_tensor;
  std::vector<double> m_ridge, m_l1;
  double m_all = 1.0;      ///< entries
  double m_entries = 0.0;  ///< those that count
  ZeroSums m_zeros = ZeroSums::none;
  std::unique_ptr<detail::ZeroEnumeration<Scalar, Exec>> m_enumeration;
  /// What makes the sum over zeros that of those that count: missing ones, or a sample of them.
  std::unique_ptr<detail::WeightedZeros<Scalar, Ordinal, Exec>> m_weighted;
  std::optional<Sptensor<Scalar, Ordinal, Exec>> m_away;  ///< missing, where zeros are sampled
  LossGradientOptions m_options;
  MappedMttkrp<Scalar, Ordinal, Exec> m_mapped;
};

/// Of a tensor with subscripts of 64 bits, which are taken for row numbers of 32 bits.
template <RealScalar Scalar, ExecutionSpace Exec>
class LossGradient<Scalar, std::uint64_t, Exec> : public LossGradient<Scalar, RowNumber, Exec> {
 public:
  LossGradient(const Exec& exec, const Sptensor<Scalar, std::uint64_t, Exec>& tensor,
               std::size_t rank, const AnyLoss& loss, const LossGradientOptions& options = {})
      : LossGradient<Scalar, RowNumber, Exec>(exec, with_row_numbers(exec, tensor, "LossGradient"),
                                              rank, loss, options) {}
  LossGradient(const Exec& exec, const Sptensor<Scalar, std::uint64_t, Exec>& tensor,
               const Sptensor<Scalar, std::uint64_t, Exec>& missing, std::size_t rank,
               const AnyLoss& loss, const LossGradientOptions& options = {})
      : LossGradient<Scalar, RowNumber, Exec>(exec, with_row_numbers(exec, tensor, "LossGradient"),
                                              with_row_numbers(exec, missing, "LossGradient"), rank,
                                              loss, options) {}
};

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/gcp/loss_gradient_impl.hpp>
#endif
