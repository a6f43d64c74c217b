// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, in three launches: one transforms rows where they stand, one sums Gram
/// matrices of row chunks, one adds the chunks in order.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/kokkos_compat.hpp>

#include <algorithm>

namespace genten::detail {

/// Threads of a team of these launches.
inline constexpr std::size_t update_threads = 256;

/// Replaces tiles of rows by their product with the transforms, and takes the columns' figures:
/// every thread keeps `Height` rows by `Width` columns of a tile.
template <class Scalar, int Width, int Height, class Member>
struct TransformRows {
  static constexpr std::size_t height = Height;

  Scalar* data;
  const Scalar* first;   ///< null: rows stay
  const Scalar* second;  ///< null: one transform
  double* figures;       ///< a team's column maxima and dots
  std::size_t rows, rank, stride, teams;

  /// Where an item's rows and columns begin in the tile; in 32 bits, whose divisions are fast.
  KOKKOS_FUNCTION std::size_t row_of(std::size_t item) const {
    return static_cast<unsigned>(item) / static_cast<unsigned>(blocks()) * height;
  }
  KOKKOS_FUNCTION std::size_t column_of(std::size_t item) const {
    return static_cast<unsigned>(item) % static_cast<unsigned>(blocks()) * Width;
  }

  KOKKOS_FUNCTION std::size_t blocks() const { return stride / Width; }  ///< of columns
  KOKKOS_FUNCTION std::size_t slices() const {
    const unsigned fitting =
        static_cast<unsigned>(update_threads) / static_cast<unsigned>(blocks());
    return fitting == 0 ? 1 : fitting;
  }
  KOKKOS_FUNCTION std::size_t tile_rows() const { return height * slices(); }
  [[nodiscard]] std::size_t scratch_bytes() const {
    return ((second != nullptr ? 2 : 1) * tile_rows() * stride) * sizeof(Scalar) +
           slices() * 2 * stride * sizeof(double);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const sums =
        static_cast<double*>(team.team_shmem().get_shmem(slices() * 2 * stride * sizeof(double)));
    auto* const old_rows =
        static_cast<Scalar*>(team.team_shmem().get_shmem(tile_rows() * stride * sizeof(Scalar)));
    auto* const between = second == nullptr ? nullptr
                                            : static_cast<Scalar*>(team.team_shmem().get_shmem(
                                                  tile_rows() * stride * sizeof(Scalar)));
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t items = blocks() * slices();
    for (std::size_t i = thread; i < slices() * 2 * stride; i += update_threads) sums[i] = 0.0;
    const std::size_t tiles = (rows + tile_rows() - 1) / tile_rows();
    for (std::size_t tile = static_cast<std::size_t>(team.league_rank()); tile < tiles;
         tile += teams) {
      const std::size_t begin = tile * tile_rows();
      const std::size_t count = rows - begin < tile_rows() ? rows - begin : tile_rows();
      Scalar* const here = data + begin * stride;
      team.team_barrier();
      for (std::size_t i = thread; i < tile_rows() * stride; i += update_threads) {
        old_rows[i] = i < count * stride ? here[i] : Scalar(0);
      }
      team.team_barrier();
      if (second != nullptr) {
        for (std::size_t item = thread; item < items; item += update_threads) {
          Scalar result[height][Width];
          multiply(old_rows, first, item, result);
          const std::size_t row = row_of(item), column = column_of(item);
          for (std::size_t h = 0; h < height; ++h) {
            for (int j = 0; j < Width; ++j) between[(row + h) * stride + column + j] = result[h][j];
          }
        }
        team.team_barrier();
      }
      for (std::size_t item = thread; item < items; item += update_threads) {
        finish(old_rows, between, item, count, here, sums);
      }
    }
    team.team_barrier();
    double* const out = figures + static_cast<std::size_t>(team.league_rank()) * 2 * stride;
    for (std::size_t j = thread; j < 2 * stride; j += update_threads) {
      double total = 0.0;
      for (std::size_t s = 0; s < slices(); ++s) {
        const double value = sums[s * 2 * stride + j];
        total = j >= stride ? total + value : (total < value ? value : total);
      }
      out[j] = total;
    }
  }

 private:
  KOKKOS_FUNCTION void multiply(const Scalar* from, const Scalar* transform, std::size_t item,
                                Scalar (&result)[height][Width]) const {
    const std::size_t row = row_of(item), column = column_of(item);
    for (std::size_t h = 0; h < height; ++h) {
      for (int j = 0; j < Width; ++j) result[h][j] = Scalar(0);
    }
    for (std::size_t k = 0; k < rank; ++k) {
      Scalar right[Width];
      for (int j = 0; j < Width; ++j) right[j] = transform[k * stride + column + j];
      for (std::size_t h = 0; h < height; ++h) {
        const Scalar left = from[(row + h) * stride + k];
        for (int j = 0; j < Width; ++j) result[h][j] += left * right[j];
      }
    }
  }

  /// Writes the new rows of an item and takes its figures.
  KOKKOS_FUNCTION void finish(const Scalar* old_rows, const Scalar* between, std::size_t item,
                              std::size_t count, Scalar* to, double* sums) const {
    const std::size_t row = row_of(item), column = column_of(item), slice = row / height;
    Scalar result[height][Width];
    if (first != nullptr) {
      multiply(second == nullptr ? old_rows : between, second == nullptr ? first : second, item,
               result);
    } else {
      for (std::size_t h = 0; h < height; ++h) {
        for (int j = 0; j < Width; ++j) result[h][j] = old_rows[(row + h) * stride + column + j];
      }
    }
    double* const largest = sums + slice * 2 * stride + column;
    double* const dots = largest + stride;
    for (std::size_t h = 0; h < height; ++h) {
      if (row + h >= count) break;
      for (int j = 0; j < Width; ++j) {
        const auto x = static_cast<double>(result[h][j]);
        const double size = x < 0.0 ? -x : x;
        // Not "size > largest": a NaN must stay.
        if (!(size <= largest[j])) largest[j] = size;
        dots[j] += static_cast<double>(old_rows[(row + h) * stride + column + j]) * x;
        if (first != nullptr) to[(row + h) * stride + column + j] = result[h][j];
      }
    }
  }
};

/// Gram matrices of row chunks, in panels of at most 64 x 64 entries: every thread keeps `Micro` x
/// `Micro` of them for a share of the rows.
template <class Scalar, int Micro, class Member>
struct GramChunks {
  static constexpr std::size_t panel = 64;
  static constexpr std::size_t tile_elements = 2048;

  const Scalar* data;
  double* partial;  ///< chunk x stride x stride
  std::size_t rows, stride, chunks, panels;

  [[nodiscard]] static std::size_t scratch_bytes() {
    return std::max(2 * tile_elements, update_threads * Micro * Micro) * sizeof(double);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto league = static_cast<std::size_t>(team.league_rank());
    const std::size_t chunk = league / (panels * panels), pair = league % (panels * panels);
    const std::size_t a = pair / panels * panel, b = pair % panels * panel;
    if (a > b) return;  // the same for the whole team
    const std::size_t width_a = stride - a < panel ? stride - a : panel;
    const std::size_t width_b = stride - b < panel ? stride - b : panel;
    auto* const room = static_cast<double*>(team.team_shmem().get_shmem(
        (2 * tile_elements > update_threads * Micro * Micro ? 2 * tile_elements
                                                            : update_threads * Micro * Micro) *
        sizeof(double)));
    double* const left = room;
    double* const right = a == b ? room : room + tile_elements;
    const std::size_t blocks_b = width_b / Micro, blocks = width_a / Micro * blocks_b;
    const std::size_t slices = update_threads / blocks;
    const std::size_t tile = tile_elements / (width_a > width_b ? width_a : width_b);
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t slice = thread / blocks, block = thread % blocks;
    const std::size_t at_a = block / blocks_b * Micro, at_b = block % blocks_b * Micro;
    const std::size_t begin = rows * chunk / chunks, end = rows * (chunk + 1) / chunks;
    double sum[Micro][Micro] = {};
    for (std::size_t i = begin; i < end; i += tile) {
      const std::size_t count = end - i < tile ? end - i : tile;
      team.team_barrier();
      load(left, i, count, a, width_a, thread);
      if (a != b) load(right, i, count, b, width_b, thread);
      team.team_barrier();
      if (slice < slices) {
        for (std::size_t r = slice; r < count; r += slices) {
          double x[Micro], y[Micro];
          for (int p = 0; p < Micro; ++p) x[p] = left[r * width_a + at_a + p];
          for (int q = 0; q < Micro; ++q) y[q] = right[r * width_b + at_b + q];
          for (int p = 0; p < Micro; ++p) {
            for (int q = 0; q < Micro; ++q) sum[p][q] += x[p] * y[q];
          }
        }
      }
    }
    team.team_barrier();
    if (slice < slices) {
      for (int p = 0; p < Micro; ++p) {
        for (int q = 0; q < Micro; ++q) {
          room[slice * width_a * width_b + (at_a + p) * width_b + at_b + q] = sum[p][q];
        }
      }
    }
    team.team_barrier();
    double* const out = partial + chunk * stride * stride;
    for (std::size_t entry = thread; entry < width_a * width_b; entry += update_threads) {
      double total = 0.0;
      for (std::size_t s = 0; s < slices; ++s) total += room[s * width_a * width_b + entry];
      out[(a + entry / width_b) * stride + b + entry % width_b] = total;
    }
  }

 private:
  KOKKOS_FUNCTION void load(double* to, std::size_t first, std::size_t count, std::size_t column,
                            std::size_t width, std::size_t thread) const {
    if (width == stride) {
      const Scalar* const from = data + first * stride;
      for (std::size_t e = thread; e < count * width; e += update_threads) {
        to[e] = static_cast<double>(from[e]);
      }
      return;
    }
    const auto divisor = static_cast<unsigned>(width);  // divisions of 64 bits are slow
    for (auto e = static_cast<unsigned>(thread); e < count * width; e += update_threads) {
      to[e] = static_cast<double>(data[(first + e / divisor) * stride + column + e % divisor]);
    }
  }
};

/// Adds what the chunks found, in order: 32 results a team, by 8 threads each.
template <class Member>
struct AddChunks {
  static constexpr std::size_t results = 32, shares = update_threads / results;

  const double* grams;    ///< chunk x stride x stride
  const double* figures;  ///< team x 2 stride
  std::size_t chunks, teams, stride, rank;
  double *gram, *column_max, *dots;

  [[nodiscard]] static std::size_t scratch_bytes() { return update_threads * sizeof(double); }
  [[nodiscard]] std::size_t leagues() const {
    return (rank * rank + 2 * rank + results - 1) / results;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const room =
        static_cast<double*>(team.team_shmem().get_shmem(update_threads * sizeof(double)));
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t result =
        static_cast<std::size_t>(team.league_rank()) * results + thread % results;
    const std::size_t share = thread / results;
    const std::size_t squares = rank * rank;
    const bool valid = result < squares + 2 * rank, is_gram = result < squares;
    const bool is_max = !is_gram && result < squares + rank;
    const double* from = figures;
    std::size_t count = teams, step = 2 * stride;
    if (is_gram) {
      // The upper triangle for both, so that the result is symmetric to the last bit.
      const std::size_t a = result / rank, b = result % rank;
      from = grams + (a < b ? a * stride + b : b * stride + a);
      count = chunks;
      step = stride * stride;
    } else if (valid) {
      from = figures + (is_max ? result - squares : stride + result - squares - rank);
    }
    double total = 0.0;
    if (valid) {
      GENTEN_DEVICE_UNROLL
      for (std::size_t c = count * share / shares; c < count * (share + 1) / shares; ++c) {
        total = join(total, from[c * step], is_max);
      }
    }
    room[thread] = total;
    team.team_barrier();
    if (!valid || share != 0) return;
    for (std::size_t s = 1; s < shares; ++s) {
      total = join(total, room[s * results + thread], is_max);
    }
    if (is_gram) {
      gram[result] = total;
    } else if (is_max) {
      column_max[result - squares] = total;
    } else {
      dots[result - squares - rank] = total;
    }
  }

 private:
  KOKKOS_FUNCTION static double join(double a, double b, bool is_max) {
    return is_max ? (b <= a ? a : b) : a + b;
  }
};

/// What is asked for where `scratch` bytes are used: arrays in them are aligned.
inline std::size_t padded_scratch(std::size_t scratch) {
  return scratch + 64;
}

/// Runs `functor` by `league` teams that have `scratch` bytes each.
template <ExecutionSpace Exec, class Functor>
void launch_update(const Exec& exec, const char* label, const Functor& functor, std::size_t league,
                   std::size_t scratch) {
  Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(league), static_cast<int>(update_threads));
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(padded_scratch(scratch))));
  Kokkos::parallel_for(label, policy, functor);
}

/// The pass of FactorUpdate over a matrix; sums are taken in double, in an order that does not
/// change from run to run.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DeviceUpdate {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Exec exec;
  Scalar* data;
  std::size_t rows, rank, stride, most_chunks_;
  double* partial;  ///< most_chunks_ x (stride * stride + 2 * stride)

  /// Row chunks that keep the device busy and take at most 64 MB for their partial results.
  static std::size_t most_chunks(std::size_t bytes) {
    return std::clamp<std::size_t>((std::size_t{64} << 20) / bytes, 8, 528);
  }

  void run(const Scalar* first, const Scalar* second, double* gram, double* column_max,
           double* dots) const {
    double* const figures = partial + most_chunks_ * stride * stride;
    std::size_t teams = 0;
    if (stride % 2 != 0) {
      teams = transform<1, 4>(first, second, figures);
    } else if (stride >= 64 && stride <= 256 && fits<2, 8>(first, second)) {
      teams = transform<2, 8>(first, second, figures);  // a wide transform is read less often
    } else if (stride < 64 || fits<2, 4>(first, second)) {
      teams = transform<2, 4>(first, second, figures);
    } else {
      teams = transform<2, 1>(first, second, figures);
    }
    std::size_t chunks = 0;
    if (stride % 4 == 0) {
      chunks = sum_grams<4>();
    } else if (stride % 2 == 0) {  // short rows, which a team covers
      chunks = sum_grams<2>();
    } else {
      chunks = sum_grams<1>();
    }
    const AddChunks<Member> add{partial, figures, chunks,     teams, stride,
                                rank,    gram,    column_max, dots};
    launch_update(exec, "genten::add_chunks", add, add.leagues(), add.scratch_bytes());
  }

 private:
  template <int Width, int Height>
  TransformRows<Scalar, Width, Height, Member> task_of(const Scalar* first, const Scalar* second,
                                                       double* figures) const {
    return {data, first, second, figures, rows, rank, stride, 0};
  }
  /// Whether a team has scratch memory for tiles of so many rows; some devices have 64 KB of it.
  template <int Width, int Height>
  [[nodiscard]] bool fits(const Scalar* first, const Scalar* second) const {
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Exec>::scratch_size_max(0));
    return padded_scratch(task_of<Width, Height>(first, second, nullptr).scratch_bytes()) <= most;
  }
  template <int Width, int Height>
  std::size_t transform(const Scalar* first, const Scalar* second, double* figures) const {
    auto task = task_of<Width, Height>(first, second, figures);
    const std::size_t tiles = (rows + task.tile_rows() - 1) / task.tile_rows();
    task.teams = std::clamp<std::size_t>(tiles, 1, most_chunks_);
    launch_update(exec, "genten::transform_rows", task, task.teams, task.scratch_bytes());
    return task.teams;
  }

  template <int Micro>
  std::size_t sum_grams() const {
    using Task = GramChunks<Scalar, Micro, Member>;
    const std::size_t panels = (stride + Task::panel - 1) / Task::panel;
    const std::size_t chunks = std::clamp<std::size_t>(rows / 128, 1, most_chunks_);
    const Task task{data, partial, rows, stride, chunks, panels};
    launch_update(exec, "genten::sum_grams", task, chunks * panels * panels, Task::scratch_bytes());
    return chunks;
  }
};

}  // namespace genten::detail
