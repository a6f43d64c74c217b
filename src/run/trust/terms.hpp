// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Derivatives of a loss at a fitted model, as error bars need them.

#include <genten/dense/spd_inverse.hpp>
#include <genten/run/trust/standard_errors.hpp>

#include <optional>
#include <vector>

namespace genten::trust {

/// Losses of which zeros are no polynomial are summed over all entries: over at most so many.
inline constexpr double most_enumerated = 5e6;

/// Whether the loss is the negative logarithm of a likelihood, but for a factor and a constant.
[[nodiscard]] bool is_likelihood(const LossFacts& loss);

/// f'' of a loss of the list.
using Curvature = double (*)(double parameter, double x, double m);
[[nodiscard]] Curvature curvature_of(const LossFacts& loss);

/// All entries that count as listed ones, zeros too.
[[nodiscard]] FittedEntries all_listed(const FittedEntries& entries);
/// Leaves out listed entries that are missing.
[[nodiscard]] FittedEntries without_missing(FittedEntries entries);

/// The model's value at an entry.
[[nodiscard]] double value_at(const HostModel& model, const RowNumber* entry);

/// A fitted model with its weights inside the factors, whose norms are as the ridge has them, or
/// equal, and what its loss has as derivatives. The sum over all entries that count is that of
/// linear m + square m^2 over all entries and, over the listed ones, that of a function with the
/// derivatives `slope` and `curvature`.
class Terms {
 public:
  explicit Terms(const Fitted& fitted);

  [[nodiscard]] std::size_t order() const { return m_dimensions.size(); }
  [[nodiscard]] std::size_t rank() const { return m_rank; }
  [[nodiscard]] std::size_t rows(std::size_t mode) const { return m_dimensions[mode]; }
  [[nodiscard]] double at(std::size_t mode, std::size_t row, std::size_t r) const {
    return m_factors[mode][row * m_rank + r];
  }
  /// Whether an element is fitted and not at its bound.
  [[nodiscard]] bool is_free(std::size_t mode, std::size_t row, std::size_t r) const {
    return m_free[mode][row * m_rank + r] != 0;
  }
  [[nodiscard]] bool is_fitted(std::size_t mode, std::size_t r) const {
    return !m_fixed[mode] && m_norms[mode][r] > 0.0;
  }
  [[nodiscard]] double norm(std::size_t mode, std::size_t r) const { return m_norms[mode][r]; }
  [[nodiscard]] bool has_ridge(std::size_t mode) const { return m_ridge[mode] > 0.0; }
  /// The sum divided by this is the negative logarithm of the likelihood.
  [[nodiscard]] double dispersion() const { return m_dispersion; }
  [[nodiscard]] double noise_variance() const { return m_noise_variance; }
  [[nodiscard]] std::optional<double> overdispersion() const { return m_overdispersion; }
  /// Of all elements, those that are not free and zero components too.
  [[nodiscard]] std::size_t numbers() const { return m_offsets.back(); }
  [[nodiscard]] std::size_t number(std::size_t mode, std::size_t row, std::size_t r) const {
    return m_offsets[mode] + row * m_rank + r;
  }

  /// The first derivatives by the elements of a factor, rows x R, of the sum.
  [[nodiscard]] std::vector<double> gradient(std::size_t mode) const;
  /// The second derivatives of the sum by the elements of each row, R x R a row.
  [[nodiscard]] std::vector<double> row_information(std::size_t mode) const;
  /// All second derivatives of the sum.
  [[nodiscard]] SmallMatrix whole_information() const;

 private:
  void balance(const Fitted& fitted);
  void take_entries(const Fitted& fitted, FittedEntries entries);
  void measure_noise(const Fitted& fitted, const FittedEntries& entries);
  [[nodiscard]] std::size_t count() const { return m_slopes.size(); }
  /// The product over all modes but those two of column r at an entry; `other` may be `mode`.
  [[nodiscard]] double product_without(const RowNumber* entry, std::size_t r, std::size_t mode,
                                       std::size_t other) const;
  /// The products over all modes but those two of column sums, and of Gram matrices.
  [[nodiscard]] double sums_without(std::size_t r, std::size_t mode, std::size_t other) const;
  [[nodiscard]] double grams_without(std::size_t r, std::size_t q, std::size_t mode,
                                     std::size_t other) const;
  void add_listed(SmallMatrix& information, std::size_t r) const;
  void add_zeros(SmallMatrix& information, std::size_t r) const;

  std::vector<std::size_t> m_dimensions, m_offsets;
  std::size_t m_rank;
  std::vector<std::vector<double>> m_factors, m_norms, m_sums, m_grams;
  std::vector<std::vector<char>> m_free;
  std::vector<bool> m_fixed;
  std::vector<double> m_ridge;
  std::vector<RowNumber> m_subscripts;
  std::vector<double> m_slopes, m_curvatures;
  double m_linear = 0.0, m_square = 0.0;
  double m_dispersion = 1.0, m_noise_variance = 1.0;
  std::optional<double> m_overdispersion;
};

}  // namespace genten::trust
