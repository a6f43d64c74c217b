// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The contraction of the sorted kernel on devices: a few lanes a run of nonzeros, sums in
/// registers, no atomics.

#include <genten/detail/walk.hpp>

namespace genten::detail {

/// `Width` neighbouring elements that are loaded and stored as one word.
template <class Scalar, int Width>
struct alignas(Width * sizeof(Scalar)) LaneColumns {
  Scalar element[Width];

  KOKKOS_FUNCTION static const LaneColumns& at(const Scalar* from) {
    return *reinterpret_cast<const LaneColumns*>(from);
  }
  KOKKOS_FUNCTION void store(Scalar* to) const { *reinterpret_cast<LaneColumns*>(to) = *this; }
};

/// One launch: groups of `lanes` neighbouring threads walk pieces of `piece` nonzeros each, sorted by
/// row, every lane with `Width` columns. All lanes of a group take the same branches. A row that lies
/// within a piece is written by it; the sums of a piece's first and last row go to `carries` (two
/// rows a piece) and are added up in order by AddCarries: same bits from run to run.
///
/// Memory traffic per nonzero: key and value, streamed, one gathered row per table, and 4 carried
/// rows per piece.
template <class Scalar, int Width, int Tables>
struct WalkPieces {
  static constexpr int in_flight = 4;  ///< nonzeros whose gathers are issued before the first is used

  WalkInput<Scalar> in;
  offset_t nnz;
  offset_t piece;
  int lanes;
  std::size_t stride;
  Scalar* carries;
  Scalar* output;

  KOKKOS_FUNCTION void operator()(const offset_t thread) const {
    const offset_t group = thread / lanes;
    const std::size_t column = static_cast<std::size_t>(thread % lanes) * Width;
    const offset_t begin = group * piece;
    const offset_t end = begin + piece < nnz ? begin + piece : nnz;
    const std::uint64_t first_row = row_of(begin);
    const std::uint64_t last_row = row_of(end - 1);
    std::uint64_t row = first_row;
    LaneColumns<Scalar, Width> sum{};
    const auto flush = [&] {
      if (row == first_row) {
        sum.store(carries + static_cast<std::size_t>(2 * group) * stride + column);
      } else if (row == last_row) {
        sum.store(carries + static_cast<std::size_t>(2 * group + 1) * stride + column);
      } else {
        sum.store(output + row * stride + column);
      }
      sum = {};
    };
    for (offset_t p = begin; p < end; p += in_flight) {
      LaneColumns<Scalar, Width> products[in_flight];
      std::uint64_t rows[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        // Past the end the last nonzero is read again, and not added.
        const offset_t q = p + u < end ? p + u : end - 1;
        const std::uint64_t* const key = in.keys + q * in.words;
        rows[u] = in.row.get(key);
        products[u] = product(key, in.values[q], column);
      }
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        if (p + u >= end) break;
        if (rows[u] != row) {
          flush();
          row = rows[u];
        }
        for (int j = 0; j < Width; ++j) sum.element[j] += products[u].element[j];
      }
    }
    flush();
  }

 private:
  KOKKOS_FUNCTION std::uint64_t row_of(offset_t p) const { return in.row.get(in.keys + p * in.words); }

  KOKKOS_FUNCTION LaneColumns<Scalar, Width> product(const std::uint64_t* key, Scalar value,
                                                     std::size_t column) const {
    LaneColumns<Scalar, Width> result;
    for (int j = 0; j < Width; ++j) result.element[j] = value;
    const int count = Tables != 0 ? Tables : in.count;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const auto& table = in.tables[k];
      const auto& row = LaneColumns<Scalar, Width>::at(
          table.data + table.field.get(key) * table.stride + column);
      for (int j = 0; j < Width; ++j) result.element[j] *= row.element[j];
    }
    return result;
  }
};

/// Adds the carried sums of each shared row in the order of the pieces. The piece in which a row's
/// nonzeros begin does it for that row; rows that are nowhere were set to zero before.
template <class Scalar>
struct AddCarries {
  WalkInput<Scalar> in;
  offset_t nnz;
  offset_t piece;
  std::size_t stride;
  const Scalar* carries;
  Scalar* output;

  KOKKOS_FUNCTION void operator()(const offset_t thread) const {
    const offset_t group = thread / static_cast<offset_t>(stride);
    const std::size_t column = static_cast<std::size_t>(thread) % stride;
    const std::uint64_t first = first_row(group), last = last_row(group);
    if (group == 0 || last_row(group - 1) != first) gather(group, 0, first, column);
    if (last != first) gather(group, 1, last, column);
  }

 private:
  KOKKOS_FUNCTION std::uint64_t row_of(offset_t p) const { return in.row.get(in.keys + p * in.words); }
  KOKKOS_FUNCTION std::uint64_t first_row(offset_t group) const { return row_of(group * piece); }
  KOKKOS_FUNCTION std::uint64_t last_row(offset_t group) const {
    const offset_t end = (group + 1) * piece;
    return row_of((end < nnz ? end : nnz) - 1);
  }

  KOKKOS_FUNCTION void gather(offset_t group, int side, std::uint64_t row, std::size_t column) const {
    Scalar sum = carries[static_cast<std::size_t>(2 * group + side) * stride + column];
    if (side == 1 || last_row(group) == row) {
      const offset_t groups = (nnz + piece - 1) / piece;
      for (offset_t next = group + 1; next < groups && first_row(next) == row; ++next) {
        sum += carries[static_cast<std::size_t>(2 * next) * stride + column];
        if (last_row(next) != row) break;
      }
    }
    output[row * stride + column] = sum;
  }
};

/// Nonzeros that one group of lanes walks: enough to spread the carries, few enough to fill the
/// device.
inline constexpr offset_t nonzeros_per_piece = 64;

/// Room that contract_on_device needs for carries, in rows.
[[nodiscard]] inline offset_t carried_rows(offset_t nnz) {
  return 2 * ((nnz + nonzeros_per_piece - 1) / nonzeros_per_piece);
}

template <int Width, RealScalar Scalar, ExecutionSpace Exec>
void launch_pieces(const Exec& exec, const WalkInput<Scalar>& input, offset_t nnz,
                   std::size_t stride, Scalar* carries, Scalar* output) {
  const auto lanes = static_cast<int>(stride / Width);
  const offset_t groups = (nnz + nonzeros_per_piece - 1) / nonzeros_per_piece;
  const Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>> policy(exec, 0, groups * lanes);
  const auto launch = [&]<int Tables>() {
    Kokkos::parallel_for("genten::contract", policy,
                         WalkPieces<Scalar, Width, Tables>{input, nnz, nonzeros_per_piece, lanes,
                                                           stride, carries, output});
  };
  switch (input.count) {
    case 2: launch.template operator()<2>(); break;
    case 3: launch.template operator()<3>(); break;
    default: launch.template operator()<0>(); break;
  }
}

/// The contraction of all columns on a device, for nonzeros sorted by row.
template <RealScalar Scalar, ExecutionSpace Exec>
void contract_on_device(const Exec& exec, const SortedCopy<Scalar, Exec>& copy,
                        const WalkInput<Scalar>& input, std::size_t stride, Scalar* carries,
                        Scalar* output) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const Kokkos::View<Scalar*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      rows(output, static_cast<std::size_t>(copy.rows) * stride);
  Kokkos::deep_copy(exec, rows, Scalar(0));
  const offset_t nnz = copy.nnz();
  if (nnz == 0) return;
  constexpr int widest = 16 / static_cast<int>(sizeof(Scalar));
  if (stride % widest == 0) {
    launch_pieces<widest>(exec, input, nnz, stride, carries, output);
  } else {
    launch_pieces<1>(exec, input, nnz, stride, carries, output);
  }
  const offset_t groups = (nnz + nonzeros_per_piece - 1) / nonzeros_per_piece;
  Kokkos::parallel_for("genten::add_carries",
                       Policy(exec, 0, groups * static_cast<offset_t>(stride)),
                       AddCarries<Scalar>{input, nnz, nonzeros_per_piece, stride, carries, output});
}

}  // namespace genten::detail
