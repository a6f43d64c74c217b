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
  ScaledColumns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                const std::vector<double>& multipliers)
      : m_factor(factor),
        m_multipliers(detail::to_space<typename Exec::memory_space>(exec, multipliers)) {}
  /// The factor as it is.
  ScaledColumns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor)
      : ScaledColumns(exec, factor, std::vector<double>(factor.columns(), 1.0)) {}

  [[nodiscard]] offset_t rows() const { return static_cast<offset_t>(m_factor.rows()); }
  [[nodiscard]] offset_t columns() const { return static_cast<offset_t>(m_factor.columns()); }
  KOKKOS_FUNCTION double operator()(offset_t i, offset_t j) const {
    const double product = static_cast<double>(m_factor(i, j)) * m_multipliers(j);
    return static_cast<double>(static_cast<Scalar>(product));
  }

 private:
  FacMatrix<const Scalar, Exec> m_factor;
  Kokkos::View<const double*, typename Exec::memory_space> m_multipliers;
};

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
  FacMatrix<const Scalar, Exec> factor;

  KOKKOS_FUNCTION Extreme fetch(offset_t i, offset_t j) const {
    const auto value = static_cast<double>(factor(i, j));
    return {value < 0.0 ? -value : value, i, value};
  }
  KOKKOS_FUNCTION void add(Extreme& extreme, const Extreme& other) const {
    if (extreme < other) extreme = other;
  }
  void join(Extreme& extreme, const Extreme& other) const { add(extreme, other); }
};
}  // namespace detail

/// The element of largest magnitude in each column.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<Extreme> column_extremes(const Exec& exec,
                                                   const FacMatrix<Scalar, Exec>& factor) {
  return detail::reduce_columns<Extreme>(
      "genten::column_extremes", exec, static_cast<offset_t>(factor.rows()),
      static_cast<offset_t>(factor.columns()), detail::ExtremeTerms<Scalar, Exec>{factor});
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
  ScaledColumns<Scalar, Exec> factor;

  KOKKOS_FUNCTION double fetch(offset_t i, offset_t j) const { return factor(i, j); }
  KOKKOS_FUNCTION void add(ColumnRange& range, double value) const {
    join(range, ColumnRange{value, value});
  }
  KOKKOS_FUNCTION void join(ColumnRange& range, const ColumnRange& other) const {
    range.lowest = other.lowest < range.lowest ? other.lowest : range.lowest;
    range.highest = larger(range.highest, other.highest);
  }
};
}  // namespace detail

/// The range of each column: cheaper than its extreme, since no row numbers are kept.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<ColumnRange> column_ranges(const Exec& exec,
                                                     const ScaledColumns<Scalar, Exec>& factor) {
  // Ranges do not depend on the order in which they are widened: a device may use all its threads.
  const offset_t most_chunks =
      is_host_space<Exec> ? 256 : std::max<offset_t>(256, 131072 / (factor.columns() + 1));
  return detail::reduce_columns<ColumnRange>("genten::column_ranges", exec, factor.rows(),
                                             factor.columns(),
                                             detail::RangeTerms<Scalar, Exec>{factor}, most_chunks);
}

/// Whether the element of largest magnitude in each column, the first of several, is negative.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<bool> largest_are_negative(const Exec& exec,
                                                     const FacMatrix<Scalar, Exec>& factor) {
  const auto ranges = column_ranges(exec, ScaledColumns<Scalar, Exec>(exec, factor));
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
  void join(double& sum, double other) const { sum += other; }
};
}  // namespace detail

/// Sum over each column of |element / divisor[column]|^power, power 1 or 2.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_power_sums(const Exec& exec,
                                                    const ScaledColumns<Scalar, Exec>& factor,
                                                    const std::vector<double>& divisor,
                                                    bool square) {
  const auto divisors = detail::to_space<typename Exec::memory_space>(exec, divisor);
  return detail::reduce_columns<double>("genten::column_power_sums", exec, factor.rows(),
                                        factor.columns(),
                                        detail::PowerTerms<Scalar, Exec>{factor, divisors, square});
}

/// The norm of each column, whose ranges are known. Columns are scaled by their largest element
/// first, so that no square overflows or underflows.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_norms(const Exec& exec,
                                               const ScaledColumns<Scalar, Exec>& factor,
                                               NormKind kind,
                                               const std::vector<ColumnRange>& ranges) {
  std::vector<double> divisor;
  for (const ColumnRange& range : ranges) divisor.push_back(range.magnitude());
  if (kind == NormKind::inf) return divisor;
  for (double& value : divisor) {
    if (value == 0.0) value = 1.0;
  }
  std::vector<double> norms = column_power_sums(exec, factor, divisor, kind == NormKind::two);
  for (std::size_t j = 0; j < norms.size(); ++j) {
    norms[j] = divisor[j] * (kind == NormKind::two ? std::sqrt(norms[j]) : norms[j]);
  }
  return norms;
}

/// The norm of each column.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_norms(const Exec& exec,
                                               const FacMatrix<Scalar, Exec>& factor,
                                               NormKind kind) {
  const ScaledColumns<Scalar, Exec> columns(exec, factor);
  return column_norms(exec, columns, kind, column_ranges(exec, columns));
}

}  // namespace genten
