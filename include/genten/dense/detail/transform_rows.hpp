// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, first launch for wide rows: they take their new values.

#include <genten/base/detail/below.hpp>
#include <genten/dense/detail/update_teams.hpp>

namespace genten::detail {

/// Replaces tiles of rows by their product with the transforms, and takes the columns' statistics:
/// every thread keeps `Height` rows by two columns of a tile.
template <class Scalar, int Height, ExecutionSpace Exec>
struct TransformRows {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int width = 2;
  static constexpr std::size_t height = Height;
  static constexpr std::size_t threads = update_threads<Exec>;

  Scalar* data;
  const Scalar* first;   ///< null: rows stay
  const Scalar* second;  ///< null: one transform
  double* statistics;    ///< a team's column maxima and dots
  std::size_t rows;
  std::size_t distance;  ///< elements from one row to the next, of which `stride` are taken
  std::size_t rank, stride, teams;

  /// Where an item's rows and columns begin in the tile; in 32 bits, whose divisions are fast.
  KOKKOS_FUNCTION std::size_t row_of(std::size_t item) const {
    return static_cast<unsigned>(item) / static_cast<unsigned>(blocks()) * height;
  }
  KOKKOS_FUNCTION std::size_t column_of(std::size_t item) const {
    return static_cast<unsigned>(item) % static_cast<unsigned>(blocks()) * width;
  }

  KOKKOS_FUNCTION std::size_t blocks() const { return stride / width; }  ///< of columns
  KOKKOS_FUNCTION std::size_t slices() const {
    const unsigned fitting = static_cast<unsigned>(threads) / static_cast<unsigned>(blocks());
    return fitting == 0 ? 1 : fitting;
  }
  KOKKOS_FUNCTION std::size_t tile_rows() const { return height * slices(); }
  /// Whether no thread has two items: what the first of two transforms makes of a tile then takes
  /// its place.
  [[nodiscard]] KOKKOS_FUNCTION bool is_in_place() const { return blocks() <= threads; }
  [[nodiscard]] std::size_t scratch_bytes() const {
    const bool apart = second != nullptr && !is_in_place();
    return ((apart ? 2 : 1) * tile_rows() * stride) * sizeof(Scalar) +
           slices() * 2 * stride * sizeof(double);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    run(team, static_cast<std::size_t>(team.league_rank()));
  }
  /// What the team of that number does.
  KOKKOS_FUNCTION void run(const Member& team, std::size_t league) const {
    auto* const sums =
        static_cast<double*>(team.team_shmem().get_shmem(slices() * 2 * stride * sizeof(double)));
    auto* const old_rows =
        static_cast<Scalar*>(team.team_shmem().get_shmem(tile_rows() * stride * sizeof(Scalar)));
    const bool two = second != nullptr;
    Scalar* between = old_rows;
    if (two && !is_in_place()) {
      between =
          static_cast<Scalar*>(team.team_shmem().get_shmem(tile_rows() * stride * sizeof(Scalar)));
    }
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t items = blocks() * slices();
    for (std::size_t i = thread; i < slices() * 2 * stride; i += threads) sums[i] = 0.0;
    const std::size_t tiles = (rows + tile_rows() - 1) / tile_rows();
    for (std::size_t tile = league; tile < tiles; tile += teams) {
      const std::size_t begin = tile * tile_rows();
      const std::size_t here_rows = rows - begin < tile_rows() ? rows - begin : tile_rows();
      Scalar* const here = data + begin * distance;
      team.team_barrier();
      load(old_rows, here, here_rows * stride, thread);
      team.team_barrier();
      if (two) apply_first(team, old_rows, between);
      for (std::size_t item = thread; item < items; item += threads) {
        finish(two ? between : old_rows, two ? second : first, item, here_rows, here, sums);
      }
    }
    team.team_barrier();
    add_slices(sums, thread, statistics + league * 2 * stride);
  }

 private:
  /// Loads a tile, of which so many elements are rows and the others become zero.
  KOKKOS_FUNCTION void load(Scalar* to, const Scalar* here, std::size_t elements,
                            std::size_t thread) const {
    if (distance == stride) {
      for (std::size_t i = thread; i < tile_rows() * stride; i += threads) {
        to[i] = i < elements ? here[i] : Scalar(0);
      }
      return;
    }
    const auto divisor = static_cast<unsigned>(stride);  // divisions of 64 bits are slow
    for (auto i = static_cast<unsigned>(thread); i < tile_rows() * stride; i += threads) {
      to[i] = i < elements ? here[i / divisor * distance + i % divisor] : Scalar(0);
    }
  }
  KOKKOS_FUNCTION void multiply(const Scalar* from, const Scalar* transform, std::size_t item,
                                Scalar (&result)[height][width]) const {
    const std::size_t row = row_of(item), column = column_of(item);
    for (std::size_t h = 0; h < height; ++h) {
      for (int j = 0; j < width; ++j) result[h][j] = Scalar(0);
    }
    for (std::size_t k = 0; k < rank; ++k) {
      Scalar right[width];
      for (int j = 0; j < width; ++j) right[j] = transform[k * stride + column + j];
      for (std::size_t h = 0; h < height; ++h) {
        const Scalar left = from[(row + h) * stride + k];
        for (int j = 0; j < width; ++j) result[h][j] += left * right[j];
      }
    }
  }

  /// Writes what the first of two transforms makes of a tile, and waits.
  KOKKOS_FUNCTION void apply_first(const Member& team, const Scalar* old_rows,
                                   Scalar* between) const {
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t items = blocks() * slices();
    Scalar result[height][width];
    if (is_in_place()) {
      if (thread < items) multiply(old_rows, first, thread, result);
      team.team_barrier();
      if (thread < items) store(result, thread, between);
    } else {
      for (std::size_t item = thread; item < items; item += threads) {
        multiply(old_rows, first, item, result);
        store(result, item, between);
      }
    }
    team.team_barrier();
  }
  KOKKOS_FUNCTION void store(const Scalar (&result)[height][width], std::size_t item,
                             Scalar* to) const {
    const std::size_t row = row_of(item), column = column_of(item);
    for (std::size_t h = 0; h < height; ++h) {
      for (int j = 0; j < width; ++j) to[(row + h) * stride + column + j] = result[h][j];
    }
  }

  /// Writes the new rows of an item of a tile, over the old ones, and takes its statistics.
  KOKKOS_FUNCTION void finish(const Scalar* from, const Scalar* transform, std::size_t item,
                              std::size_t here_rows, Scalar* to, double* sums) const {
    const std::size_t row = row_of(item), column = column_of(item), slice = row / height;
    Scalar result[height][width];
    if (transform != nullptr) {
      multiply(from, transform, item, result);
    } else {
      for (std::size_t h = 0; h < height; ++h) {
        for (int j = 0; j < width; ++j) result[h][j] = from[(row + h) * stride + column + j];
      }
    }
    // Of two transforms the tile no longer has the old rows.
    const bool kept = transform != second || transform == nullptr;
    double* const largest = sums + slice * 2 * stride + column;
    double* const dots = largest + stride;
    for (std::size_t h = 0; h < height; ++h) {
      if (row + h >= here_rows) break;
      for (int j = 0; j < width; ++j) {
        Scalar& element = to[(row + h) * distance + column + j];
        const Scalar old = kept ? from[(row + h) * stride + column + j] : element;
        const auto x = static_cast<double>(result[h][j]);
        largest[j] = larger(largest[j], x < 0.0 ? -x : x);
        dots[j] += static_cast<double>(old) * x;
        if (transform != nullptr) element = result[h][j];
      }
    }
  }

  /// The team's statistics from those of its slices, in order.
  KOKKOS_FUNCTION void add_slices(const double* sums, std::size_t thread, double* out) const {
    for (std::size_t j = thread; j < 2 * stride; j += threads) {
      double total = 0.0;
      for (std::size_t s = 0; s < slices(); ++s) {
        const double value = sums[s * 2 * stride + j];
        total = j >= stride ? total + value : larger(total, value);
      }
      out[j] = total;
    }
  }
};

}  // namespace genten::detail
