// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices for wide matrices: there the products cost more than the traffic, and
/// the vendor's BLAS computes them at a speed (by the matrix units) that our own loops do not
/// reach.

#include <genten/dense/detail/device_blas.hpp>
#include <genten/dense/detail/factor_update_device.hpp>

namespace genten::detail {

/// Rows take their new values, columns give their figures: every thread has a column, or more, of a
/// share of a team's rows.
template <class Scalar, class Member>
struct AdoptRows {
  static constexpr unsigned in_flight = 4;  ///< rows that are loaded before the first is used

  Scalar* data;         ///< the old rows
  const Scalar* fresh;  ///< the new ones; may be the old
  double* widened;      ///< null, or where new rows are wanted in double
  double* figures;      ///< a team's column maxima and dots
  std::size_t rows, stride, teams;
  bool add;  ///< to the figures that stand there

  [[nodiscard]] static std::size_t scratch_bytes() { return 2 * update_threads * sizeof(double); }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const room =
        static_cast<double*>(team.team_shmem().get_shmem(2 * update_threads * sizeof(double)));
    const auto thread = static_cast<unsigned>(team.team_rank());
    const auto league = static_cast<std::size_t>(team.league_rank());
    const std::size_t begin = rows * league / teams, end = rows * (league + 1) / teams;
    double* const out = figures + league * 2 * stride;
    const auto width = static_cast<unsigned>(stride < update_threads ? stride : update_threads);
    const unsigned slices = static_cast<unsigned>(update_threads) / width;
    const unsigned slice = thread / width;
    for (std::size_t first = 0; first < stride; first += width) {
      const std::size_t column = first + thread % width;
      double largest = 0.0, dot = 0.0;
      if (slice < slices && column < stride) {
        for (std::size_t i = begin + slice; i < end; i += in_flight * slices) {
          Scalar before[in_flight], now[in_flight];
          GENTEN_DEVICE_UNROLL
          for (unsigned u = 0; u < in_flight; ++u) {
            const std::size_t row = i + u * slices;
            before[u] = row < end ? data[row * stride + column] : Scalar(0);
            now[u] = row < end ? fresh[row * stride + column] : Scalar(0);
          }
          GENTEN_DEVICE_UNROLL
          for (unsigned u = 0; u < in_flight; ++u) {
            const std::size_t row = i + u * slices;
            const auto x = static_cast<double>(now[u]);
            const double size = x < 0.0 ? -x : x;
            // Not "size > largest": a NaN must stay.
            if (!(size <= largest)) largest = size;
            dot += static_cast<double>(before[u]) * x;
            if (row < end && fresh != data) data[row * stride + column] = now[u];
            if (row < end && widened != nullptr) widened[row * stride + column] = x;
          }
        }
      }
      room[thread] = largest;
      room[update_threads + thread] = dot;
      team.team_barrier();
      if (slice == 0 && column < stride) {
        if (add) {
          largest = out[column] <= largest ? largest : out[column];
          dot += out[stride + column];
        }
        for (unsigned s = 1; s < slices; ++s) {
          const double other = room[s * width + thread];
          largest = other <= largest ? largest : other;
          dot += room[update_threads + s * width + thread];
        }
        out[column] = largest;
        out[stride + column] = dot;
      }
      team.team_barrier();
    }
  }
};

/// The pass of FactorUpdate over a wide matrix, in blocks of rows that bound the room it needs.
template <RealScalar Scalar, ExecutionSpace Exec>
class WideDeviceUpdate {
 public:
  /// From this rank on, measured on an H200.
  static constexpr std::size_t least_rank = 40;

  /// For matrices of `rank` columns and at most `most_rows` rows, of which as many at a time as
  /// take `block_bytes` in double.
  WideDeviceUpdate(std::size_t rank, std::size_t stride, std::size_t most_rows,
                   std::size_t block_bytes)
      : m_rank(rank),
        m_stride(stride),
        m_block_rows(std::clamp<std::size_t>(block_bytes / (stride * sizeof(double)), 1,
                                             std::max<std::size_t>(most_rows, 1))) {
    for (auto& room : m_workspaces) {
      room = uninitialized_view<Room>("genten::update_workspace", m_block_rows * stride);
    }
    if constexpr (!std::is_same_v<Scalar, double>) {
      m_widened =
          uninitialized_view<decltype(m_widened)>("genten::update_widened", m_block_rows * stride);
    }
  }

  /// `partial` holds most_chunks x (stride * stride + 2 * stride) doubles.
  void run(const Exec& exec, Scalar* data, std::size_t rows, const Scalar* first,
           const Scalar* second, std::size_t most_chunks, double* partial, double* gram,
           double* column_max, double* dots) const {
    double* const figures = partial + most_chunks * m_stride * m_stride;
    const std::size_t block = std::min(rows, m_block_rows);
    const std::size_t useful = std::clamp<std::size_t>(block / 64, 1, std::min(most_chunks, busy));
    const std::size_t chunk_rows = (block + useful - 1) / useful;
    const std::size_t teams = std::clamp<std::size_t>(block / 16, 1, most_chunks);
    for (std::size_t begin = 0; begin < rows; begin += block) {
      const std::size_t count = std::min(block, rows - begin);
      Scalar* const old_rows = data + begin * m_stride;
      const Scalar* fresh = old_rows;
      const Scalar* const transforms[] = {first, second};
      for (int k = 0; k < 2 && transforms[k] != nullptr; ++k) {
        m_blas.multiply(exec, fresh, count, m_rank, m_stride, transforms[k],
                        m_workspaces[k].data());
        fresh = m_workspaces[k].data();
      }
      using Adopt = AdoptRows<Scalar, Member>;
      launch_update(
          exec, "genten::adopt_rows",
          Adopt{old_rows, fresh, m_widened.data(), figures, count, m_stride, teams, begin > 0},
          teams, Adopt::scratch_bytes());
      sum_grams(exec, in_double(fresh), count, chunk_rows, begin > 0, partial);
    }
    const std::size_t chunks = rows == 0 ? 0 : (block + chunk_rows - 1) / chunk_rows;
    const AddChunks<Member> add{
        partial, figures, chunks, rows == 0 ? 0 : teams, m_stride, m_rank, gram, column_max, dots};
    launch_update(exec, "genten::add_chunks", add, add.leagues(), add.scratch_bytes());
  }

 private:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Room = Kokkos::View<Scalar*, typename Exec::memory_space>;
  /// So many chunks keep the device busy.
  static constexpr std::size_t busy = 64;

  [[nodiscard]] const double* in_double(const Scalar* fresh) const {
    if constexpr (std::is_same_v<Scalar, double>) {
      return fresh;
    } else {
      return m_widened.data();
    }
  }

  void sum_grams(const Exec& exec, const double* rows, std::size_t count, std::size_t chunk_rows,
                 bool add, double* grams) const {
    const std::size_t whole = count / chunk_rows, rest = count % chunk_rows;
    if (whole > 0) m_blas.grams(exec, rows, whole, chunk_rows, m_stride, add, grams);
    if (rest > 0) {
      m_blas.grams(exec, rows + whole * chunk_rows * m_stride, 1, rest, m_stride, add,
                   grams + whole * m_stride * m_stride);
    }
  }

  std::size_t m_rank, m_stride;
  std::size_t m_block_rows;
  DeviceBlas<Exec> m_blas;
  Room m_workspaces[2];
  Kokkos::View<double*, typename Exec::memory_space> m_widened;
};

}  // namespace genten::detail
