// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Passes over the columns of a factor, and the weights of a model on the host. Every function
/// takes the execution space instance on which it works and returns when the work is done. Results
/// are the same for every number of threads; padding columns are never written.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/core/detail/element_policy.hpp>
#include <genten/core/ktensor.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace genten {

/// The norm that makes a factor's columns unit vectors.
enum class NormKind {
  one,  ///< sum of absolute values
  two,  ///< Euclidean norm
  inf   ///< largest absolute value
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

/// The element of largest magnitude in each column.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<Extreme> column_extremes(const Exec& exec,
                                                   const FacMatrix<Scalar, Exec>& factor) {
  return detail::reduce_columns<Extreme>(
      "genten::column_extremes", exec, static_cast<offset_t>(factor.rows()),
      static_cast<offset_t>(factor.columns()),
      KOKKOS_LAMBDA(const offset_t i, const offset_t j) {
        const auto value = static_cast<double>(factor(i, j));
        return Extreme{value < 0.0 ? -value : value, i, value};
      },
      Extreme{}, detail::MaxJoin());
}

/// Sum over each column of |element / divisor[column]|^power, power 1 or 2.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_power_sums(const Exec& exec,
                                                    const FacMatrix<Scalar, Exec>& factor,
                                                    const std::vector<double>& divisor,
                                                    bool square) {
  const auto divisors = detail::to_space<typename Exec::memory_space>(exec, divisor);
  return detail::reduce_columns<double>(
      "genten::column_power_sums", exec, static_cast<offset_t>(factor.rows()),
      static_cast<offset_t>(factor.columns()), KOKKOS_LAMBDA(const offset_t i, const offset_t j) {
        const double value = static_cast<double>(factor(i, j)) / divisors(j);
        if (square) return value * value;
        return value < 0.0 ? -value : value;
      });
}

/// The norm of each column. Columns are scaled by their largest element first, so that no square
/// overflows or underflows.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_norms(const Exec& exec,
                                               const FacMatrix<Scalar, Exec>& factor,
                                               NormKind kind) {
  std::vector<double> largest;
  for (const Extreme& extreme : column_extremes(exec, factor)) largest.push_back(extreme.magnitude);
  if (kind == NormKind::inf) return largest;
  std::vector<double> divisor = largest;
  for (double& value : divisor) {
    if (value == 0.0) value = 1.0;
  }
  std::vector<double> norms = column_power_sums(exec, factor, divisor, kind == NormKind::two);
  for (std::size_t j = 0; j < norms.size(); ++j) {
    norms[j] = divisor[j] * (kind == NormKind::two ? std::sqrt(norms[j]) : norms[j]);
  }
  return norms;
}

/// Multiplies (or divides) each column by its number. Padding is not touched.
template <RealScalar Scalar, ExecutionSpace Exec>
void scale_columns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                   const std::vector<double>& numbers, bool divide = false) {
  const auto scale = detail::to_space<typename Exec::memory_space>(exec, numbers);
  const auto columns = static_cast<offset_t>(factor.columns());
  Kokkos::parallel_for(
      "genten::scale_columns", detail::element_policy(exec, factor),
      KOKKOS_LAMBDA(const offset_t index) {
        const offset_t i = index / columns, j = index % columns;
        const auto value = static_cast<double>(factor(i, j));
        factor(i, j) = static_cast<Scalar>(divide ? value / scale(j) : value * scale(j));
      });
  detail::fence(exec, "genten::scale_columns");
}

/// Column j of `to` becomes column columns[j] of `from`; the matrices do not overlap.
template <RealScalar Scalar, ExecutionSpace Exec>
void gather_columns(const Exec& exec, const FacMatrix<Scalar, Exec>& from,
                    const FacMatrix<Scalar, Exec>& to, const std::vector<std::size_t>& columns) {
  const auto source = detail::to_space<typename Exec::memory_space>(exec, columns);
  const auto width = static_cast<offset_t>(to.columns());
  Kokkos::parallel_for(
      "genten::gather_columns", detail::element_policy(exec, to),
      KOKKOS_LAMBDA(const offset_t index) {
        const offset_t i = index / width, j = index % width;
        to(i, j) = from(i, source(j));
      });
  detail::fence(exec, "genten::gather_columns");
}

/// Column j becomes what column permutation[j] was. In place: factors may fill half of the memory.
template <RealScalar Scalar, ExecutionSpace Exec>
void permute_columns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                     const std::vector<std::size_t>& permutation) {
  // The cycles of two columns and more, one after another, and where each ends.
  std::vector<std::size_t> columns, ends;
  std::vector<char> done(permutation.size(), 0);
  for (std::size_t start = 0; start < permutation.size(); ++start) {
    if (done[start] != 0 || permutation[start] == start) continue;
    for (std::size_t j = start; done[j] == 0; j = permutation[j]) {
      columns.push_back(j);
      done[j] = 1;
    }
    ends.push_back(columns.size());
  }
  const auto cycle = detail::to_space<typename Exec::memory_space>(exec, columns);
  const auto end = detail::to_space<typename Exec::memory_space>(exec, ends);
  const std::size_t cycles = ends.size();
  Kokkos::parallel_for(
      "genten::permute_columns",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0,
                                                             static_cast<offset_t>(factor.rows())),
      KOKKOS_LAMBDA(const offset_t i) {
        Scalar* const row = factor.row(static_cast<std::size_t>(i));
        std::size_t k = 0;
        for (std::size_t c = 0; c < cycles; ++c, ++k) {
          const Scalar first = row[cycle(k)];
          for (; k + 1 < end(c); ++k) row[cycle(k)] = row[cycle(k + 1)];
          row[cycle(k)] = first;
        }
      });
  detail::fence(exec, "genten::permute_columns");
}

/// A model's weights on the host, in double.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> host_weights(const Exec& exec,
                                               const Ktensor<Scalar, Exec>& model) {
  const auto host = Kokkos::create_mirror_view(model.weights());
  Kokkos::deep_copy(exec, host, model.weights());
  detail::fence(exec, "genten::host_weights");
  return std::vector<double>(host.data(), host.data() + host.extent(0));
}

template <RealScalar Scalar, ExecutionSpace Exec>
void set_weights(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                 const std::vector<double>& weights) {
  const auto host = Kokkos::create_mirror_view(model.weights());
  for (std::size_t r = 0; r < weights.size(); ++r) host(r) = static_cast<Scalar>(weights[r]);
  Kokkos::deep_copy(exec, model.weights(), host);
  detail::fence(exec, "genten::set_weights");
}

}  // namespace genten
