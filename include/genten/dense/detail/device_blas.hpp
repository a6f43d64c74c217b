// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DeviceBlas: products of tall matrices with small ones by the vendor's BLAS, where Genten is
/// built with one.

#include <genten/base/types.hpp>

#include <memory>

namespace genten::detail {

/// Whether Genten calls a vendor's BLAS on `Exec`.
template <ExecutionSpace Exec>
inline constexpr bool has_device_blas = false;

/// Matrices are stored by rows, `stride` elements apart. Calls are queued on the instance and do
/// not wait; results are the same from run to run. Copies share one handle.
template <ExecutionSpace Exec>
class DeviceBlas {
 public:
  DeviceBlas();

  /// result = tall * square: `rows` x `stride` times the first `rank` rows of a matrix with
  /// `stride` columns.
  template <RealScalar Scalar>
  void multiply(const Exec& exec, const Scalar* tall, std::size_t rows, std::size_t rank,
                std::size_t stride, const Scalar* square, Scalar* result) const;

  /// grams[c] = (or +=) chunk_c^T chunk_c, stride x stride each, for chunks of `chunk_rows` rows
  /// that follow each other.
  void grams(const Exec& exec, const double* tall, std::size_t chunks, std::size_t chunk_rows,
             std::size_t stride, bool add, double* grams) const;

 private:
  std::shared_ptr<void> m_handle;
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr bool has_device_blas<Kokkos::Cuda> = true;
#endif

}  // namespace genten::detail
