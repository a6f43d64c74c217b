// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices: a launch that applies the transforms, one that sums row chunks, and one
/// that adds the chunks in order.

#include <genten/dense/factor_update.hpp>

namespace genten::detail {

/// new(i, :) = old(i, :) * transform, one thread an element.
template <class Scalar>
struct ApplyTransform {
  const Scalar* from;
  const Scalar* transform;
  Scalar* to;
  std::size_t stride;
  std::size_t rank;

  KOKKOS_FUNCTION void operator()(const offset_t element) const {
    const auto i = static_cast<std::size_t>(element) / stride;
    const auto j = static_cast<std::size_t>(element) % stride;
    const Scalar* const row = from + i * stride;
    Scalar sum = 0;
    for (std::size_t k = 0; k < rank; ++k) sum += row[k] * transform[k * stride + j];
    to[static_cast<std::size_t>(element)] = sum;
  }
};

/// Partial sums of one chunk of rows: one thread an entry of the Gram matrix (and, on the
/// diagonal, the column's figures). Threads of a row of entries read neighbouring columns.
template <class Scalar>
struct SumChunk {
  const Scalar* old_rows;  ///< may be null: no dots
  const Scalar* new_rows;
  double* partial;  ///< chunk x (stride * stride + 2 * stride)
  std::size_t rows;
  std::size_t chunks;
  std::size_t stride;

  KOKKOS_FUNCTION void operator()(const offset_t index) const {
    const std::size_t entries = stride * stride;
    const std::size_t chunk = static_cast<std::size_t>(index) / entries;
    const std::size_t entry = static_cast<std::size_t>(index) % entries;
    const std::size_t a = entry / stride, b = entry % stride;
    const std::size_t begin = rows * chunk / chunks, end = rows * (chunk + 1) / chunks;
    double* const result = partial + chunk * (entries + 2 * stride);
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      sum += static_cast<double>(new_rows[i * stride + a]) *
             static_cast<double>(new_rows[i * stride + b]);
    }
    result[entry] = sum;
    if (a != 0) return;
    double largest = 0.0, dot = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      const double x = static_cast<double>(new_rows[i * stride + b]);
      largest = largest < x ? x : (largest < -x ? -x : largest);
      if (old_rows != nullptr) dot += static_cast<double>(old_rows[i * stride + b]) * x;
    }
    result[entries + b] = largest;
    result[entries + stride + b] = dot;
  }
};

/// Adds the chunks' partial results in order.
template <class Square, class Column>
struct AddChunks {
  const double* partial;
  std::size_t chunks;
  std::size_t stride;
  std::size_t rank;
  Square gram;
  Column column_max;
  Column dots;

  KOKKOS_FUNCTION void operator()(const offset_t index) const {
    const std::size_t a = static_cast<std::size_t>(index) / rank;
    const std::size_t b = static_cast<std::size_t>(index) % rank;
    const std::size_t step = stride * stride + 2 * stride;
    double sum = 0.0;
    // The upper triangle for both, so that the result is symmetric to the last bit.
    const std::size_t entry = a < b ? a * stride + b : b * stride + a;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk * step + entry];
    gram(a, b) = sum;
    if (a != 0) return;
    double largest = 0.0, dot = 0.0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const double* const figures = partial + chunk * step + stride * stride;
      largest = largest < figures[b] ? figures[b] : largest;
      dot += figures[stride + b];
    }
    column_max(b) = largest;
    dots(b) = dot;
  }
};

/// The pass of FactorUpdate. `room` holds rows * stride elements for each transform.
template <RealScalar Scalar, ExecutionSpace Exec, class Square, class Column>
void update_on_device(const Exec& exec, Scalar* data, std::size_t rows, std::size_t rank,
                      std::size_t stride, const Scalar* first, const Scalar* second, Scalar* room,
                      std::size_t chunks, double* partial, const Square& gram,
                      const Column& column_max, const Column& dots) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const auto elements = static_cast<offset_t>(rows * stride);
  const Scalar* old_rows = nullptr;
  const Scalar* new_rows = data;
  const auto apply = [&](const Scalar* transform, Scalar* to) {
    Kokkos::parallel_for("genten::apply_transform", Policy(exec, 0, elements),
                         ApplyTransform<Scalar>{new_rows, transform, to, stride, rank});
    new_rows = to;
  };
  if (first != nullptr) {
    old_rows = data;
    apply(first, room);
    if (second != nullptr) apply(second, room + rows * stride);
  }
  Kokkos::parallel_for("genten::sum_chunks",
                       Policy(exec, 0, static_cast<offset_t>(chunks * stride * stride)),
                       SumChunk<Scalar>{old_rows, new_rows, partial, rows, chunks, stride});
  Kokkos::parallel_for("genten::add_chunks", Policy(exec, 0, static_cast<offset_t>(rank * rank)),
                       AddChunks<Square, Column>{partial, chunks, stride, rank, gram, column_max, dots});
  if (first == nullptr) return;
  using Rows = Kokkos::View<Scalar*, typename Exec::memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using ConstRows = Kokkos::View<const Scalar*, typename Exec::memory_space,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(exec, Rows(data, rows * stride), ConstRows(new_rows, rows * stride));
}

}  // namespace genten::detail
