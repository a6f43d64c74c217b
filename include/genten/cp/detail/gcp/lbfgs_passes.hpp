// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The passes over all elements of a model that projected L-BFGS takes, each one launch.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/fac_matrix.hpp>

#include <vector>

namespace genten::detail {

/// The bounds of the rows of a StackedModel.
struct GcpLimits {
  Kokkos::Array<std::size_t, max_order> end{};  ///< by mode, the row after its last
  Kokkos::Array<double, max_order> lower{}, upper{};
  Kokkos::Array<double, max_order> near{};  ///< how far from a bound is as good as at it
  Kokkos::Array<bool, max_order> fixed{};

  KOKKOS_FUNCTION int mode_of(std::size_t row) const {
    int mode = 0;
    while (row >= end[mode]) ++mode;
    return mode;
  }
  /// Whether an element is at a bound, or so near, and its gradient points beyond it.
  KOKKOS_FUNCTION bool holds(int mode, double x, double gradient, double slack) const {
    return fixed[mode] || (x <= lower[mode] + slack && gradient > 0.0) ||
           (x >= upper[mode] - slack && gradient < 0.0);
  }
  KOKKOS_FUNCTION double clip(int mode, double x) const {
    return x < lower[mode] ? lower[mode] : x > upper[mode] ? upper[mode] : x;
  }
};

/// Vectors of L-BFGS: at most so many pairs of differences, and the gradient.
inline constexpr int most_vectors = 41;

/// Pointers to vectors of one shape.
template <RealScalar Scalar>
struct VectorSet {
  Kokkos::Array<const Scalar*, most_vectors> data{};
  int count = 0;
  void add(const Scalar* vector) { data[count++] = vector; }
};

/// A point and its gradient.
template <RealScalar Scalar, ExecutionSpace Exec>
struct PointAndSlope {
  FacMatrix<const Scalar, Exec> x, gradient;
  GcpLimits limits;

  KOKKOS_FUNCTION bool is_held(int mode, std::size_t i, std::size_t r) const {
    return limits.holds(mode, static_cast<double>(x(i, r)), static_cast<double>(gradient(i, r)),
                        limits.near[mode]);
  }
};

/// The inner products of all vectors over the elements that no bound holds, in double, by chunks
/// that depend on the number of rows alone.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] HostMatrix free_products(const Exec& exec, const PointAndSlope<Scalar, Exec>& at,
                                       const VectorSet<Scalar>& vectors) {
  using Sums = Kokkos::View<double***, Kokkos::LayoutRight, typename Exec::memory_space>;
  const std::size_t rows = at.x.rows(), columns = at.x.columns(), stride = at.x.stride();
  const ReduceChunks<Exec> chunks(static_cast<offset_t>(rows), 64,
                                  is_host_space<Exec> ? 256 : 8192);
  const int count = vectors.count;
  const auto partial = new_view<Sums>("genten::free_products", chunks.count(), count, count);
  Kokkos::parallel_for(
      "genten::free_products",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, chunks.count()),
      KOKKOS_LAMBDA(const offset_t chunk) {
        double element[most_vectors];
        const offset_t end = chunks.end(chunk), step = chunks.step();
        for (offset_t i = chunks.begin(chunk); i < end; i += step) {
          const auto row = static_cast<std::size_t>(i);
          const int mode = at.limits.mode_of(row);
          if (at.limits.fixed[mode]) continue;
          for (std::size_t r = 0; r < columns; ++r) {
            if (at.is_held(mode, row, r)) continue;
            for (int a = 0; a < count; ++a) {
              element[a] = static_cast<double>(vectors.data[a][row * stride + r]);
              for (int b = 0; b <= a; ++b) partial(chunk, a, b) += element[a] * element[b];
            }
          }
        }
      });
  fence(exec, "genten::free_products");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), partial);
  const HostMatrix result("genten::products", count, count);
  for (offset_t chunk = 0; chunk < chunks.count(); ++chunk) {
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b <= a; ++b) result(a, b) += host(chunk, a, b);
    }
  }
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < a; ++b) result(b, a) = result(a, b);
  }
  return result;
}

/// direction = - the sum of the vectors by these numbers, or, where a bound holds an element,
/// -length times its gradient; 0 in fixed modes.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_direction(const Exec& exec, const PointAndSlope<Scalar, Exec>& at,
                     const VectorSet<Scalar>& vectors, const std::vector<double>& numbers,
                     double length, const FacMatrix<Scalar, Exec>& direction) {
  Kokkos::Array<double, most_vectors> number{};
  for (int k = 0; k < vectors.count; ++k) number[k] = numbers[static_cast<std::size_t>(k)];
  const std::size_t columns = at.x.columns(), stride = at.x.stride();
  Kokkos::parallel_for(
      "genten::lbfgs_direction",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, at.x.rows()),
      KOKKOS_LAMBDA(const std::size_t i) {
        const int mode = at.limits.mode_of(i);
        for (std::size_t r = 0; r < columns; ++r) {
          double sum = 0.0;
          if (at.is_held(mode, i, r)) {
            sum = length * static_cast<double>(at.gradient(i, r));
          } else {
            for (int k = 0; k < vectors.count; ++k) {
              sum += number[k] * static_cast<double>(vectors.data[k][i * stride + r]);
            }
          }
          direction(i, r) = at.limits.fixed[mode] ? Scalar(0) : static_cast<Scalar>(-sum);
        }
      });
  fence(exec, "genten::lbfgs_direction");
}

/// trial = the point moved by `length` times the direction, within the bounds. Returns the product
/// of the gradient with what it has moved by.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double move_point(const Exec& exec, const PointAndSlope<Scalar, Exec>& at,
                                const FacMatrix<Scalar, Exec>& direction, double length,
                                const FacMatrix<Scalar, Exec>& trial) {
  const std::size_t columns = at.x.columns();
  return chunked_reduce<double>(
      "genten::move_point", exec, static_cast<offset_t>(at.x.rows()),
      KOKKOS_LAMBDA(const offset_t row) {
        const auto i = static_cast<std::size_t>(row);
        const int mode = at.limits.mode_of(i);
        double sum = 0.0;
        for (std::size_t r = 0; r < columns; ++r) {
          const auto from = static_cast<double>(at.x(i, r));
          const double to = from + length * static_cast<double>(direction(i, r));
          trial(i, r) =
              at.limits.fixed[mode] ? at.x(i, r) : static_cast<Scalar>(at.limits.clip(mode, to));
          sum += static_cast<double>(at.gradient(i, r)) * (static_cast<double>(trial(i, r)) - from);
        }
        return at.limits.fixed[mode] ? 0.0 : sum;
      });
}

/// difference = a - b.
template <RealScalar Scalar, ExecutionSpace Exec>
void subtract(const Exec& exec, const FacMatrix<Scalar, Exec>& a, const FacMatrix<Scalar, Exec>& b,
              const FacMatrix<Scalar, Exec>& difference) {
  const std::size_t columns = a.columns();
  Kokkos::parallel_for(
      "genten::subtract",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, a.rows()),
      KOKKOS_LAMBDA(const std::size_t i) {
        for (std::size_t r = 0; r < columns; ++r) difference(i, r) = a(i, r) - b(i, r);
      });
  fence(exec, "genten::subtract");
}

/// Of one mode.
struct ModeMeasure {
  double projected_square = 0.0;  ///< of the projected gradient
  double square = 0.0;            ///< of the factor
  double product = 0.0;           ///< of factor and gradient
  KOKKOS_FUNCTION ModeMeasure& operator+=(const ModeMeasure& other) {
    projected_square += other.projected_square;
    square += other.square;
    product += other.product;
    return *this;
  }
};

/// The squared norms of a factor and of its gradient, where that points to where it may go.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ModeMeasure measure_mode(const Exec& exec, const PointAndSlope<Scalar, Exec>& at,
                                       int mode) {
  const std::size_t first = mode == 0 ? 0 : at.limits.end[mode - 1], columns = at.x.columns();
  return chunked_reduce<ModeMeasure>(
      "genten::measure_mode", exec, static_cast<offset_t>(at.limits.end[mode] - first),
      KOKKOS_LAMBDA(const offset_t row) {
        const std::size_t i = first + static_cast<std::size_t>(row);
        ModeMeasure sum;
        for (std::size_t r = 0; r < columns; ++r) {
          const auto x = static_cast<double>(at.x(i, r));
          const auto gradient = static_cast<double>(at.gradient(i, r));
          if (!at.limits.holds(mode, x, gradient, 0.0)) sum.projected_square += gradient * gradient;
          sum.square += x * x;
          sum.product += x * gradient;
        }
        return sum;
      });
}

}  // namespace genten::detail
