// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the columns of a factor amount to: extremes, sums of powers, norms. Every function takes
/// the execution space instance on which it works and returns when the work is done. Results are
/// the same for every number of threads.

#include <genten/base/detail/below.hpp>
#include <genten/core/detail/element_policy.hpp>
#include <genten/core/detail/reduce_columns.hpp>
#include <genten/core/fac_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten {

/// The norm that makes a factor's columns unit vectors.
enum class NormKind {
  one,  ///< sum of absolute values
  two,  ///< Euclidean norm
  inf   ///< largest absolute value
};

/// A factor whose columns are multiplied by numbers when they are read: each element is what it
/// would be if the product were stored.
template <RealScalar Scalar, ExecutionSpace Exec>
class ScaledColumns {
 public:
  using Numbers = Kokkos::View<const double*, typename Exec::memory_space>;

  /// One number a column, on the device.
  ScaledColumns(const FacMatrix<Scalar, Exec>& factor, Numbers multipliers)
      : m_factor(factor), m_multipliers(std::move(multipliers)) {}

  [[nodiscard]] offset_t rows() const { return static_cast<offset_t>(m_factor.rows()); }
  [[nodiscard]] offset_t columns() const { return static_cast<offset_t>(m_factor.columns()); }
  KOKKOS_FUNCTION double operator()(offset_t i, offset_t j) const {
    const double product = static_cast<double>(m_factor(i, j)) * m_multipliers(j);
    return static_cast<double>(static_cast<Scalar>(product));
  }

 private:
  FacMatrix<const Scalar, Exec> m_factor;
  Numbers m_multipliers;
};

/// Several factors of as many columns, as they are.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<ScaledColumns<Scalar, Exec>> unscaled_columns(
    const Exec& exec, const std::vector<FacMatrix<Scalar, Exec>>& factors) {
  std::vector<ScaledColumns<Scalar, Exec>> result;
  if (factors.empty()) return result;
  const auto ones = detail::to_space<typename Exec::memory_space>(
      exec, std::vector<double>(factors.front().columns(), 1.0));
  for (const auto& factor : factors) result.emplace_back(factor, ones);
  return result;
}

/// The value of largest magnitude in a column and the first row that has it. NaN is larger than all
/// numbers.
struct Extreme {
  double magnitude = 0.0;
  offset_t row = -1;
  double value = 0.0;

  KOKKOS_FUNCTION friend bool operator<(const Extreme& a, const Extreme& b) {
    return detail::below(a.magnitude, b.magnitude) ||
           (b.row < a.row && !detail::below(b.magnitude, a.magnitude));
  }
};

namespace detail {
template <RealScalar Scalar, ExecutionSpace Exec>
struct ExtremeTerms {
  using Value = Extreme;

  FacMatrix<const Scalar, Exec> factor;

  KOKKOS_FUNCTION Extreme fetch(offset_t i, offset_t j) const {
    const auto value = static_cast<double>(factor(i, j));
    return {value < 0.0 ? -value : value, i, value};
  }
  KOKKOS_FUNCTION void add(Extreme& extreme, const Extreme& other) const { join(extreme, other); }
  KOKKOS_FUNCTION static void join(Extreme& extreme, const Extreme& other) {
    if (extreme < other) extreme = other;
  }
};
}  // namespace detail

/// The element of largest magnitude in each column.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<Extreme> column_extremes(const Exec& exec,
                                                   const FacMatrix<Scalar, Exec>& factor) {
  detail::ColumnReductions<detail::ExtremeTerms<Scalar, Exec>, Exec> reductions(
      exec, static_cast<offset_t>(factor.columns()));
  reductions.queue(static_cast<offset_t>(factor.rows()), {factor});
  return reductions.take().front();
}

/// The lowest and the highest value of a column, and zero where it has none below or above. NaN is
/// higher than all numbers.
struct ColumnRange {
  double lowest = 0.0;
  double highest = 0.0;

  [[nodiscard]] double magnitude() const { return highest < -lowest ? -lowest : highest; }
  /// Whether its row alone tells which value comes first.
  [[nodiscard]] bool both_ends_largest() const { return highest == -lowest && highest != 0.0; }
};

namespace detail {
template <RealScalar Scalar, ExecutionSpace Exec>
struct RangeTerms {
  using Value = ColumnRange;

  ScaledColumns<Scalar, Exec> factor;

  KOKKOS_FUNCTION double fetch(offset_t i, offset_t j) const { return factor(i, j); }
  KOKKOS_FUNCTION void add(ColumnRange& range, double value) const {
    join(range, ColumnRange{value, value});
  }
  KOKKOS_FUNCTION static void join(ColumnRange& range, const ColumnRange& other) {
    range.lowest = other.lowest < range.lowest ? other.lowest : range.lowest;
    range.highest = larger(range.highest, other.highest);
  }
};
}  // namespace detail

/// The range of each column of several factors of as many columns, by factor: cheaper than their
/// extremes, since no row numbers are kept.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<ColumnRange>> column_ranges(
    const Exec& exec, const std::vector<ScaledColumns<Scalar, Exec>>& factors) {
  if (factors.empty()) return {};
  detail::ColumnReductions<detail::RangeTerms<Scalar, Exec>, Exec> reductions(
      exec, factors.front().columns());
  for (const auto& factor : factors) {
    reductions.queue(factor.rows(), {factor});
  }
  return reductions.take();
}

/// The range of each column of one factor.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<ColumnRange> column_ranges(const Exec& exec,
                                                     const FacMatrix<Scalar, Exec>& factor) {
  return column_ranges(exec, unscaled_columns<Scalar, Exec>(exec, {factor})).front();
}

/// Whether the element of largest magnitude in each column, the first of several, is negative.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<bool> largest_are_negative(const Exec& exec,
                                                     const FacMatrix<Scalar, Exec>& factor) {
  const auto ranges = column_ranges(exec, factor);
  std::vector<bool> negative;
  bool ambiguous = false;
  for (const ColumnRange& range : ranges) {
    negative.push_back(range.highest < -range.lowest);
    ambiguous = ambiguous || range.both_ends_largest();
  }
  if (!ambiguous) return negative;
  const auto extremes = column_extremes(exec, factor);
  for (std::size_t r = 0; r < extremes.size(); ++r) negative[r] = extremes[r].value < 0.0;
  return negative;
}

namespace detail {
template <RealScalar Scalar, ExecutionSpace Exec>
struct PowerTerms {
  using Value = double;

  ScaledColumns<Scalar, Exec> factor;
  Kokkos::View<const double*, typename Exec::memory_space> divisors;
  bool square;

  KOKKOS_FUNCTION double fetch(offset_t i, offset_t j) const { return factor(i, j) / divisors(j); }
  KOKKOS_FUNCTION void add(double& sum, double value) const {
    if (square) {
      sum += value * value;
    } else {
      sum += value < 0.0 ? -value : value;
    }
  }
  KOKKOS_FUNCTION static void join(double& sum, double other) { sum += other; }
};
}  // namespace detail

/// Sums over each column of |element / divisor|^power, power 1 or 2, by factor and column.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<double>> column_power_sums(
    const Exec& exec, const std::vector<ScaledColumns<Scalar, Exec>>& factors,
    const std::vector<std::vector<double>>& divisors, bool square) {
  if (factors.empty()) return {};
  const auto rows = detail::rows_to_space<typename Exec::memory_space>(exec, divisors);
  detail::ColumnReductions<detail::PowerTerms<Scalar, Exec>, Exec> reductions(
      exec, factors.front().columns());
  for (std::size_t n = 0; n < factors.size(); ++n) {
    reductions.queue(factors[n].rows(), {factors[n], rows[n], square});
  }
  return reductions.take();
}

/// The norm of each column of several factors of as many columns, whose ranges are known, by factor
/// and column. Columns are scaled by their largest element first, so that no square overflows or
/// underflows.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<double>> column_norms(
    const Exec& exec, const std::vector<ScaledColumns<Scalar, Exec>>& factors, NormKind kind,
    const std::vector<std::vector<ColumnRange>>& ranges) {
  std::vector<std::vector<double>> divisors;
  for (const auto& of_factor : ranges) {
    auto& divisor = divisors.emplace_back();
    for (const ColumnRange& range : of_factor) divisor.push_back(range.magnitude());
  }
  if (kind == NormKind::inf) return divisors;
  for (auto& divisor : divisors) std::replace(divisor.begin(), divisor.end(), 0.0, 1.0);
  auto norms = column_power_sums(exec, factors, divisors, kind == NormKind::two);
  for (std::size_t n = 0; n < norms.size(); ++n) {
    for (std::size_t j = 0; j < norms[n].size(); ++j) {
      const double sum = norms[n][j];
      norms[n][j] = divisors[n][j] * (kind == NormKind::two ? std::sqrt(sum) : sum);
    }
  }
  return norms;
}

/// The norm of each column of several factors of as many columns, by factor and column.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<double>> column_norms(
    const Exec& exec, const std::vector<FacMatrix<Scalar, Exec>>& factors, NormKind kind) {
  const auto columns = unscaled_columns<Scalar, Exec>(exec, factors);
  return column_norms(exec, columns, kind, column_ranges(exec, columns));
}

/// The norm of each column of one factor.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_norms(const Exec& exec,
                                               const FacMatrix<Scalar, Exec>& factor,
                                               NormKind kind) {
  return column_norms(exec, std::vector{factor}, kind).front();
}

}  // namespace genten

#define GENTEN_ETI_COLUMN_NORMS(PREFIX, SCALAR, EXEC)                                         \
  PREFIX template std::vector<genten::Extreme> genten::column_extremes(                       \
      const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&);                                   \
  PREFIX template std::vector<std::vector<genten::ColumnRange>> genten::column_ranges(        \
      const EXEC&, const std::vector<genten::ScaledColumns<SCALAR, EXEC>>&);                  \
  PREFIX template std::vector<genten::ColumnRange> genten::column_ranges(                     \
      const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&);                                   \
  PREFIX template std::vector<bool> genten::largest_are_negative(                             \
      const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&);                                   \
  PREFIX template std::vector<std::vector<double>> genten::column_norms(                      \
      const EXEC&, const std::vector<genten::ScaledColumns<SCALAR, EXEC>>&, genten::NormKind, \
      const std::vector<std::vector<genten::ColumnRange>>&);                                  \
  PREFIX template std::vector<std::vector<double>> genten::column_norms(                      \
      const EXEC&, const std::vector<genten::FacMatrix<SCALAR, EXEC>>&, genten::NormKind);    \
  PREFIX template std::vector<double> genten::column_norms(                                   \
      const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&, genten::NormKind);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_COLUMN_NORMS, extern)
#endif
