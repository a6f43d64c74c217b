// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, first launch for narrow rows: they take their new values, and what is
/// found in them is summed while they are near.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/base/detail/column_tile.hpp>
#include <genten/dense/detail/update_teams.hpp>

#include <algorithm>
#include <cstring>

namespace genten::detail {

/// Rows of at most so many elements, with padding, are narrow.
inline constexpr unsigned widest_narrow_row = 63;

/// Elements of a side of the Gram matrix's blocks that threads add up, for rows of `stride`.
[[nodiscard]] constexpr unsigned update_micro(std::size_t stride) {
  return stride % 4 == 0 ? 4 : stride % 2 == 0 ? 2 : 1;
}

/// How a team of UpdateRows divides a tile and a Gram matrix among its threads.
struct UpdateShape {
  unsigned blocks;     ///< of columns
  unsigned slices;     ///< threads that have the same columns
  unsigned tile_rows;  ///< as many for each of them
  /// Elements from one row of a tile to the next. Rows that would all begin in the same bank of the
  /// scratch memory, from where several are read at once, are set apart.
  unsigned pitch;
  unsigned gram_side;    ///< blocks of the Gram matrix in a row
  unsigned gram_blocks;  ///< and on and above its diagonal
  unsigned gram_shares;  ///< threads that add up the same block
  bool stages;           ///< whether the first transform is copied to scratch memory

  [[nodiscard]] static constexpr UpdateShape of(unsigned stride, unsigned width, unsigned height,
                                                unsigned micro, unsigned threads) {
    UpdateShape shape{};
    shape.blocks = stride / width;
    shape.slices = std::max(threads / shape.blocks, 1U);
    shape.tile_rows = height * shape.slices;
    shape.pitch = stride % 8 == 0 ? stride + width : stride;
    shape.gram_side = stride / micro;
    shape.gram_blocks = shape.gram_side * (shape.gram_side + 1) / 2;
    shape.gram_shares = std::max(threads / shape.gram_blocks, 1U);
    shape.stages = stride <= 32;
    return shape;
  }
};

/// Replaces rows by their product with the transforms, and takes the columns' statistics and the
/// Gram matrix, tile by tile. Every thread keeps `Height` rows by `Width` columns of a tile, reads
/// those of the next tile before it computes, and adds up `Micro` x `Micro` elements of the Gram
/// matrix, on and above its diagonal, for a share of the rows.
template <class Scalar, int Width, int Height, int Micro, ExecutionSpace Exec>
struct UpdateRows {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr unsigned threads = update_threads<Exec>;

  Scalar* data;
  const Scalar* first;   ///< null: rows stay
  const Scalar* second;  ///< null: one transform
  const int* count;      ///< null: both that are there; or else where it stands how many
  double* grams;         ///< team x stride x stride, of which the upper triangle is written
  double* statistics;    ///< team x 2 x stride: column maxima and dots
  std::size_t rows;
  std::size_t distance;  ///< elements from one row to the next, of which `stride` are taken
  unsigned rank, stride;
  UpdateShape shape;
  unsigned teams = 0, workspace_bytes = 0, staged_bytes = 0;

  /// By at most so many teams.
  void divide(std::size_t most_teams) {
    shape = UpdateShape::of(stride, Width, Height, Micro, threads);
    teams = static_cast<unsigned>(std::clamp<std::size_t>(tiles(), 1, most_teams));
    const std::size_t tile = std::size_t{2} * shape.tile_rows * shape.pitch * sizeof(Scalar);
    const std::size_t lines = std::size_t{2} * stride * shape.slices * sizeof(double);
    const std::size_t gram =
        std::size_t{Micro} * Micro * shape.gram_blocks * shape.gram_shares * sizeof(double);
    workspace_bytes = static_cast<unsigned>(std::max({tile, lines, gram}));
    staged_bytes = shape.stages ? static_cast<unsigned>(rank * stride * sizeof(Scalar)) : 0;
  }
  [[nodiscard]] std::size_t scratch_bytes() const {
    return std::size_t{workspace_bytes} + staged_bytes;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    run(team, static_cast<std::size_t>(team.league_rank()));
  }
  /// What the team of that number does.
  KOKKOS_FUNCTION void run(const Member& team, std::size_t league) const {
    if constexpr (threads == 1) {
      run_alone(league);
    } else {
      run_with_others(team, league);
    }
  }

 private:
  using Lane = ColumnTile<Scalar, Width>;
  using Pair = ColumnTile<Scalar, 2>;
  using Bits = unsigned long long;

  /// The thread's rows of a tile are the slice-th and every slices-th after it.
  struct Place {
    unsigned slice, column;
    bool has_rows;
  };
  /// What a thread has found in its columns. Magnitudes are kept as the bits of doubles, whose
  /// order as integers is that of `larger`.
  struct Statistics {
    Bits largest[Width] = {};
    double dots[Width] = {};
  };
  /// A block of the Gram matrix, and the share of the rows that a thread adds up there.
  struct GramBlock {
    unsigned row, column;  ///< of its first element
    unsigned share;
  };

  [[nodiscard]] KOKKOS_FUNCTION std::size_t tiles() const {
    return (rows + shape.tile_rows - 1) / shape.tile_rows;
  }

  KOKKOS_FUNCTION void run_with_others(const Member& team, std::size_t league) const {
    auto* const workspace = static_cast<double*>(team.team_shmem().get_shmem(workspace_bytes));
    auto* const staged = static_cast<Scalar*>(team.team_shmem().get_shmem(staged_bytes));
    auto* const old_rows = reinterpret_cast<Scalar*>(workspace);
    Scalar* const new_rows = old_rows + shape.tile_rows * shape.pitch;
    const auto thread = static_cast<unsigned>(team.team_rank());
    const bool two = second != nullptr && (count == nullptr || *count == 2);
    const Place place{thread / shape.blocks, thread % shape.blocks * Width,
                      thread / shape.blocks < shape.slices};
    Lane next[Height];
    read(next, league, place);
    // What follows waits for the copy at its first barrier.
    for (unsigned e = thread; shape.stages && first != nullptr && e < rank * stride; e += threads) {
      staged[e] = first[e];
    }
    const GramBlock block = gram_block(thread);
    Statistics found;
    double sums[Micro][Micro] = {};
    const std::size_t all = tiles();
    for (std::size_t tile = league; tile < all; tile += teams) {
      const std::size_t begin = tile * shape.tile_rows;
      const unsigned here =
          rows - begin < shape.tile_rows ? static_cast<unsigned>(rows - begin) : shape.tile_rows;
      if (place.has_rows) put(next, old_rows, place);
      team.team_barrier();
      read(next, tile + teams, place);
      Lane result[Height];
      if (place.has_rows) {
        shape.stages ? multiply(old_rows, staged, place, result)
                     : multiply(old_rows, first, place, result);
      }
      if (two) {
        if (place.has_rows) put(result, new_rows, place);
        team.team_barrier();
        if (place.has_rows) multiply(new_rows, second, place, result);
        team.team_barrier();
      }
      if (place.has_rows) {
        put(result, new_rows, place);
        take(result, old_rows, begin, here, place, found);
      }
      team.team_barrier();
      if (block.share < shape.gram_shares) add_gram(new_rows, here, block, sums);
    }
    team.team_barrier();
    add_statistics(team, league, workspace, thread, place, found);
    add_grams(team, league, workspace, thread, sums, block);
  }

  /// Reads the thread's rows of a tile; those that are not there become zero.
  KOKKOS_FUNCTION void read(Lane (&to)[Height], std::size_t tile, const Place& place) const {
    const std::size_t begin = tile * shape.tile_rows + place.slice;
    const Scalar* const from = data + begin * distance + place.column;
    GENTEN_DEVICE_UNROLL
    for (int h = 0; h < Height; ++h) {
      const std::size_t after = static_cast<unsigned>(h) * shape.slices;
      to[h] = place.has_rows && begin + after < rows ? Lane::at(from + after * distance) : Lane{};
    }
  }
  KOKKOS_FUNCTION void put(const Lane (&from)[Height], Scalar* to, const Place& place) const {
    GENTEN_DEVICE_UNROLL
    for (int h = 0; h < Height; ++h) {
      const unsigned row = place.slice + static_cast<unsigned>(h) * shape.slices;
      from[h].store(to + row * shape.pitch + place.column);
    }
  }
  /// The thread's rows of a tile times a transform, or as they are.
  KOKKOS_FUNCTION void multiply(const Scalar* from, const Scalar* transform, const Place& place,
                                Lane (&result)[Height]) const {
    const Scalar* const left = from + place.slice * shape.pitch;
    const unsigned step = shape.slices * shape.pitch;
    if (first == nullptr) {
      GENTEN_DEVICE_UNROLL
      for (int h = 0; h < Height; ++h) {
        result[h] = Lane::at(left + static_cast<unsigned>(h) * step + place.column);
      }
      return;
    }
    const Scalar* right = transform + place.column;
    for (Lane& each : result) each = Lane{};
    unsigned k = 0;
    if constexpr (Width > 1) {
      for (; k + 1 < rank; k += 2, right += 2 * stride) {
        const Lane one = Lane::at(right), other = Lane::at(right + stride);
        GENTEN_DEVICE_UNROLL
        for (int h = 0; h < Height; ++h) {
          const Pair pair = Pair::at(left + static_cast<unsigned>(h) * step + k);
          for (int j = 0; j < Width; ++j) {
            result[h].element[j] += pair.element[0] * one.element[j];
            result[h].element[j] += pair.element[1] * other.element[j];
          }
        }
      }
    }
    for (; k < rank; ++k, right += stride) {
      const Lane one = Lane::at(right);
      for (int h = 0; h < Height; ++h) {
        const Scalar x = left[static_cast<unsigned>(h) * step + k];
        for (int j = 0; j < Width; ++j) result[h].element[j] += x * one.element[j];
      }
    }
  }
  /// Writes the thread's new rows of a tile, and looks at them.
  KOKKOS_FUNCTION void take(const Lane (&result)[Height], const Scalar* old_rows, std::size_t begin,
                            unsigned here, const Place& place, Statistics& found) const {
    Scalar* const to = data + (begin + place.slice) * distance + place.column;
    GENTEN_DEVICE_UNROLL
    for (int h = 0; h < Height; ++h) {
      const unsigned after = static_cast<unsigned>(h) * shape.slices;
      if (place.slice + after >= here) continue;
      const Lane before = Lane::at(old_rows + (place.slice + after) * shape.pitch + place.column);
      if (first != nullptr) result[h].store(to + after * distance);
      for (int j = 0; j < Width; ++j) {
        const auto x = static_cast<double>(result[h].element[j]);
        const Bits size = magnitude(x);
        found.largest[j] = found.largest[j] < size ? size : found.largest[j];
        found.dots[j] += static_cast<double>(before.element[j]) * x;
      }
    }
  }
  [[nodiscard]] KOKKOS_FUNCTION static Bits magnitude(double x) {
    Bits bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits & ~(Bits{1} << 63);
  }
  [[nodiscard]] KOKKOS_FUNCTION static double of_magnitude(Bits bits) {
    double x = 0.0;
    memcpy(&x, &bits, sizeof x);
    return x;
  }

  /// The block of that number, counted over all shares.
  [[nodiscard]] KOKKOS_FUNCTION GramBlock gram_block(unsigned number) const {
    unsigned a = 0, behind = number % shape.gram_blocks;
    for (; behind >= shape.gram_side - a; ++a) behind -= shape.gram_side - a;
    return {a * Micro, (a + behind) * Micro, number / shape.gram_blocks};
  }
  KOKKOS_FUNCTION static void read_micro(const Scalar* from, double (&to)[Micro]) {
    if constexpr (Micro > 1) {
      for (int p = 0; p < Micro; p += 2) {
        const Pair pair = Pair::at(from + p);
        to[p] = static_cast<double>(pair.element[0]);
        to[p + 1] = static_cast<double>(pair.element[1]);
      }
    } else {
      to[0] = static_cast<double>(from[0]);
    }
  }
  KOKKOS_FUNCTION void add_gram(const Scalar* new_rows, unsigned here, const GramBlock& block,
                                double (&sums)[Micro][Micro]) const {
    for (unsigned r = block.share; r < here; r += shape.gram_shares) {
      const Scalar* const row = new_rows + r * shape.pitch;
      double x[Micro], y[Micro];
      read_micro(row + block.row, x);
      read_micro(row + block.column, y);
      for (int p = 0; p < Micro; ++p) {
        for (int q = 0; q < Micro; ++q) sums[p][q] += x[p] * y[q];
      }
    }
  }

  /// The team's results from those of its threads, in order: every fourth of them, and these four.
  template <class Value, class Join>
  [[nodiscard]] KOKKOS_FUNCTION static Value join_all(const Value* from, unsigned count,
                                                      unsigned step, const Join& join) {
    constexpr unsigned chains = 4;
    Value totals[chains] = {};
    unsigned s = 0;
    for (; s + chains <= count; s += chains) {
      for (unsigned c = 0; c < chains; ++c) totals[c] = join(totals[c], from[(s + c) * step]);
    }
    for (; s < count; ++s) totals[0] = join(totals[0], from[s * step]);
    return join(join(totals[0], totals[1]), join(totals[2], totals[3]));
  }
  KOKKOS_FUNCTION void add_statistics(const Member& team, std::size_t league, double* workspace,
                                      unsigned thread, const Place& place,
                                      const Statistics& found) const {
    auto* const largest = reinterpret_cast<Bits*>(workspace);
    double* const dots = workspace + stride * shape.slices;
    if (place.has_rows) {
      const unsigned at = place.slice * stride + place.column;
      for (int j = 0; j < Width; ++j) {
        largest[at + static_cast<unsigned>(j)] = found.largest[j];
        dots[at + static_cast<unsigned>(j)] = found.dots[j];
      }
    }
    team.team_barrier();
    double* const to = statistics + league * 2 * stride;
    for (unsigned line = thread; line < 2 * stride; line += threads) {
      const unsigned column = line % stride;
      to[line] = line < stride
                     ? of_magnitude(join_all(largest + column, shape.slices, stride,
                                             [](Bits x, Bits y) { return x < y ? y : x; }))
                     : join_all(dots + column, shape.slices, stride,
                                [](double x, double y) { return x + y; });
    }
    team.team_barrier();
  }
  /// Neighbouring threads write to neighbouring places.
  KOKKOS_FUNCTION void add_grams(const Member& team, std::size_t league, double* workspace,
                                 unsigned thread, const double (&sums)[Micro][Micro],
                                 const GramBlock& block) const {
    const unsigned all = shape.gram_blocks * shape.gram_shares;
    if (block.share < shape.gram_shares) {
      for (unsigned e = 0; e < Micro * Micro; ++e) {
        workspace[e * all + thread] = sums[e / Micro][e % Micro];
      }
    }
    team.team_barrier();
    for (unsigned each = thread; each < Micro * Micro * shape.gram_blocks; each += threads) {
      const unsigned number = each % shape.gram_blocks, e = each / shape.gram_blocks;
      const GramBlock of = gram_block(number);
      const std::size_t row = of.row + e / Micro, column = of.column + e % Micro;
      grams[(league * stride + row) * stride + column] =
          join_all(workspace + e * all + number, shape.gram_shares, shape.gram_blocks,
                   [](double x, double y) { return x + y; });
    }
  }

  /// The same on hosts, which tests alone have: a thread is a team there.
  KOKKOS_FUNCTION void run_alone(std::size_t league) const {
    double* const gram = grams + league * stride * stride;
    double* const largest = statistics + league * 2 * stride;
    for (unsigned e = 0; e < stride * stride; ++e) gram[e] = 0.0;
    for (unsigned e = 0; e < 2 * stride; ++e) largest[e] = 0.0;
    const bool two = second != nullptr && (count == nullptr || *count == 2);
    const std::size_t end = rows * (league + 1) / teams;
    for (std::size_t i = rows * league / teams; i < end; ++i) {
      Scalar* const row = data + i * distance;
      Scalar fresh[widest_narrow_row], between[widest_narrow_row];
      for (unsigned j = 0; j < stride; ++j) fresh[j] = row[j];
      for (int k = 0; first != nullptr && k < (two ? 2 : 1); ++k) {
        for (unsigned j = 0; j < stride; ++j) between[j] = fresh[j];
        multiply_alone(between, k == 0 ? first : second, fresh);
      }
      for (unsigned a = 0; a < stride; ++a) {
        const auto x = static_cast<double>(fresh[a]);
        largest[a] = larger(largest[a], x < 0.0 ? -x : x);
        largest[stride + a] += static_cast<double>(row[a]) * x;
        for (unsigned b = a; b < stride; ++b) {
          gram[a * stride + b] += x * static_cast<double>(fresh[b]);
        }
      }
      for (unsigned j = 0; j < stride; ++j) row[j] = fresh[j];
    }
  }
  KOKKOS_FUNCTION void multiply_alone(const Scalar* left, const Scalar* transform,
                                      Scalar* result) const {
    for (unsigned j = 0; j < stride; ++j) {
      Scalar sum = 0;
      for (unsigned k = 0; k < rank; ++k) sum += left[k] * transform[k * stride + j];
      result[j] = sum;
    }
  }
};

}  // namespace genten::detail
