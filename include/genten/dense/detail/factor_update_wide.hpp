// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices for wide matrices: there the products cost more than the traffic, and a
/// vendor's BLAS behind KokkosBlas::gemm computes them at a speed (by the matrix units) that our
/// own loops do not reach.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/dense/detail/add_chunks.hpp>
#include <genten/dense/detail/copy_rows_back.hpp>
#include <genten/dense/detail/tall_gemm.hpp>

#include <algorithm>

namespace genten::detail {

/// The pass of FactorUpdate over a wide matrix, in blocks of rows that bound the workspace it
/// needs. It runs on hosts, too, where tests compare it with the other; FactorUpdate has no use for
/// it there.
template <RealScalar Scalar, ExecutionSpace Exec>
class WideUpdate {
 public:
  /// From this rank on it is faster than DeviceUpdate, measured on an H200.
  static constexpr std::size_t least_rank = 40;
  static_assert(least_rank * least_rank >= least_gram_elements);

  /// For matrices of `rank` columns, at least `least_rank`, and at most `most_rows` rows, of which
  /// as many at a time as take `block_bytes` in double; their statistics by at most `most_teams`.
  WideUpdate(std::size_t rank, std::size_t stride, std::size_t most_rows, std::size_t block_bytes,
             std::size_t most_teams)
      : m_rank(rank),
        m_stride(stride),
        m_block_rows(rows_of_block(stride, most_rows, block_bytes)),
        m_most_teams(most_teams),
        m_statistics(
            uninitialized_view<Doubles>("genten::update_statistics", most_teams * 2 * stride)),
        m_gram(uninitialized_view<Doubles>("genten::update_gram", stride * stride)) {
    for (auto& product : m_products) {
      product = uninitialized_view<Rows>("genten::update_product", m_block_rows * stride);
    }
    if constexpr (!std::is_same_v<Scalar, double>) {
      m_widened = uninitialized_view<Doubles>("genten::update_widened", m_block_rows * stride);
    }
  }

  /// Bytes that such an object takes.
  [[nodiscard]] static double memory(std::size_t stride, std::size_t most_rows,
                                     std::size_t block_bytes, std::size_t most_teams) {
    constexpr std::size_t products = 2 * sizeof(Scalar);
    constexpr std::size_t widened = std::is_same_v<Scalar, double> ? 0 : sizeof(double);
    const auto width = static_cast<double>(stride);
    const auto rows = static_cast<double>(rows_of_block(stride, most_rows, block_bytes));
    return 8.0 * width * (width + 2.0 * static_cast<double>(most_teams)) +
           rows * width * static_cast<double>(products + widened);
  }

  /// Multiplies `rows` rows by `first` and `second`, of which the second or both may be null, and
  /// writes gram (rank x rank), column_max and dots.
  void run(const Exec& exec, Scalar* data, std::size_t rows, const Scalar* first,
           const Scalar* second, double* gram, double* column_max, double* dots,
           typename Backend<Exec>::Event* written) const {
    const std::size_t block = std::min(rows, m_block_rows);
    const std::size_t teams = std::clamp<std::size_t>(block / 16, 1, m_most_teams);
    for (std::size_t begin = 0; begin < rows; begin += block) {
      const std::size_t count = std::min(block, rows - begin);
      Scalar* const old_rows = data + begin * m_stride;
      const Scalar* const fresh = multiply(exec, old_rows, count, first, second);
      using Adopt = CopyRowsBack<Scalar, Exec>;
      launch_update(exec, "genten::copy_rows_back",
                    Adopt{old_rows, fresh, m_widened.data(), m_statistics.data(), count, m_stride,
                          teams, begin > 0},
                    teams, Adopt::scratch_bytes());
      if (written != nullptr && begin + count == rows) written->set(exec);
      gram_of_tall(exec, in_double(fresh), count, m_stride, begin > 0, m_gram.data());
    }
    const bool any = rows > 0;
    if (written != nullptr && !any) written->set(exec);
    const AddChunks<Exec> add{
        {m_gram.data(), m_statistics.data(), any ? 1U : 0U, any ? teams : 0U, m_stride, m_rank, 2},
        gram,
        {column_max, dots}};
    launch_update(exec, "genten::add_chunks", add, add.leagues(), add.scratch_bytes());
  }

 private:
  using Rows = Kokkos::View<Scalar*, typename Exec::memory_space>;
  using Doubles = Kokkos::View<double*, typename Exec::memory_space>;

  static std::size_t rows_of_block(std::size_t stride, std::size_t most_rows,
                                   std::size_t block_bytes) {
    return std::clamp<std::size_t>(block_bytes / (stride * sizeof(double)), 1,
                                   std::max<std::size_t>(most_rows, 1));
  }

  /// Where the product of the rows with the transforms stands: the rows themselves without any.
  const Scalar* multiply(const Exec& exec, const Scalar* rows, std::size_t count,
                         const Scalar* first, const Scalar* second) const {
    const Scalar* const transforms[] = {first, second};
    for (int k = 0; k < 2 && transforms[k] != nullptr; ++k) {
      multiply_tall(exec, rows, count, m_rank, m_stride, transforms[k], m_products[k].data());
      rows = m_products[k].data();
    }
    return rows;
  }

  [[nodiscard]] const double* in_double(const Scalar* fresh) const {
    if constexpr (std::is_same_v<Scalar, double>) {
      return fresh;
    } else {
      return m_widened.data();
    }
  }

  std::size_t m_rank, m_stride;
  std::size_t m_block_rows, m_most_teams;
  Doubles m_statistics;  ///< a team's column maxima and dots
  Doubles m_gram;        ///< stride x stride
  Rows m_products[2];
  Doubles m_widened;  ///< the new rows, where they are no doubles
};

}  // namespace genten::detail
