// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The contraction of the sorted kernel on devices: a few lanes a run of nonzeros, sums in
/// registers, no atomics.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/lane_columns.hpp>
#include <genten/format/sorted_copy.hpp>
#include <genten/mttkrp/kernels/sorted/contraction_input.hpp>

#include <algorithm>
#include <bit>

namespace genten::detail {

/// Entries of a reduction that are products of gathered rows: the nonzeros. `KeyWords` is the
/// number of words that hold subscripts, `Factors` that of gathered factors, or 0 where it is known
/// at run time only, and `Coded` whether values are. Of a ContractionInput they hold what they
/// read: Kokkos launches functors of more than 512 bytes through constant memory, for which the
/// host waits until the kernel before has ended.
template <class Scalar, int KeyWords, bool Coded, int Factors, bool Ahead>
struct NonzeroEntries {
  using scalar_type = Scalar;
  static constexpr int in_flight =
      4;  ///< entries whose gathers are issued before the first is used
  static constexpr bool ahead = Ahead;  ///< whether the next ones' heads are, too

  struct Head {
    std::uint64_t key[KeyWords];
    Scalar value;
  };

  const std::uint64_t* records;
  const Scalar* dictionary;
  RecordField code, row_field;
  std::size_t stride;
  int factor_count;
  Kokkos::Array<GatheredFactor<Scalar>, Factors != 0 ? Factors : max_order> factors{};

  explicit NonzeroEntries(const ContractionInput<Scalar>& input)
      : records(input.records),
        dictionary(input.dictionary),
        code(input.layout.code),
        row_field(input.row),
        stride(input.stride),
        factor_count(input.count) {
    for (int k = 0; k < factor_count; ++k) factors[k] = input.factors[k];
  }

  KOKKOS_FUNCTION static std::uint64_t number(const RecordField& field, const Head& head) {
    // A field's word indexes registers, so it must not be a run-time index.
    if constexpr (KeyWords == 1) {
      return (head.key[0] >> field.shift) & field.mask;
    } else {
      return ((field.word == 0 ? head.key[0] : head.key[1]) >> field.shift) & field.mask;
    }
  }
  KOKKOS_FUNCTION Head head(offset_t q) const {
    Head result;
    const std::uint64_t* const record = records + q * (KeyWords + (Coded ? 0 : 1));
    for (int w = 0; w < KeyWords; ++w) result.key[w] = record[w];
    if constexpr (Coded) {
      result.value = dictionary[number(code, result)];
    } else {
      result.value = value_of_word<Scalar>(record[KeyWords]);
    }
    return result;
  }
  KOKKOS_FUNCTION std::uint64_t row(const Head& head) const { return number(row_field, head); }

  template <int Width>
  KOKKOS_FUNCTION LaneColumns<Scalar, Width> load(const Head& head, offset_t,
                                                  std::size_t column) const {
    LaneColumns<Scalar, Width> result;
    for (int j = 0; j < Width; ++j) result.element[j] = head.value;
    const int count = Factors != 0 ? Factors : factor_count;
    GENTEN_DEVICE_UNROLL
    for (int k = 0; k < count; ++k) {
      const auto& factor = factors[k];
      const auto row = LaneColumns<Scalar, Width>::at(factor.data +
                                                      number(factor.field, head) * stride + column);
      for (int j = 0; j < Width; ++j) result.element[j] *= row.element[j];
    }
    return result;
  }
};

/// Entries of a reduction that are sums carried over from the one before.
template <class Scalar>
struct CarriedEntries {
  using scalar_type = Scalar;
  static constexpr int in_flight = 16;
  static constexpr bool ahead = false;
  struct Head {
    std::uint64_t row;
  };

  const Scalar* sums;
  const std::uint64_t* rows;
  std::size_t stride;

  KOKKOS_FUNCTION Head head(offset_t q) const { return {rows[q]}; }
  KOKKOS_FUNCTION std::uint64_t row(const Head& head) const { return head.row; }
  template <int Width>
  KOKKOS_FUNCTION LaneColumns<Scalar, Width> load(const Head&, offset_t q,
                                                  std::size_t column) const {
    return LaneColumns<Scalar, Width>::at(sums + static_cast<std::size_t>(q) * stride + column);
  }
};

/// One launch: groups of `lanes` neighbouring threads reduce pieces of `piece` entries each, sorted
/// by row, every lane with `Width` columns. All lanes of a group take the same branches. A row that
/// lies within a piece is written by it; the sums of a piece's first and last row become two
/// entries of the next reduction, in order: same bits from run to run.
///
/// Memory traffic per nonzero: its record, streamed, one gathered row per factor, and 4 carried
/// rows per piece.
template <class Entries, int Width>
struct ReducePieces {
  using Scalar = typename Entries::scalar_type;
  using Columns = LaneColumns<Scalar, Width>;

  Entries entries;
  offset_t count;
  offset_t piece;
  int lanes;
  std::size_t first_column;
  std::size_t stride;
  Scalar* carries;              ///< two rows a piece; null: the only piece writes all its rows
  std::uint64_t* carried_rows;  ///< their row numbers
  Scalar* output;

  KOKKOS_FUNCTION void operator()(const offset_t thread) const {
    constexpr int in_flight = Entries::in_flight;
    // Divisions of 64 bits are slow.
    const offset_t group =
        thread >> 31 == 0 ? static_cast<std::uint32_t>(thread) / static_cast<std::uint32_t>(lanes)
                          : thread / lanes;
    const std::size_t column =
        first_column + static_cast<std::size_t>(thread - group * lanes) * Width;
    const offset_t begin = group * piece;
    const offset_t end = begin + piece < count ? begin + piece : count;
    const std::uint64_t first_row = entries.row(entries.head(begin));
    const std::uint64_t last_row = entries.row(entries.head(end - 1));
    Scalar* const first_to = carries == nullptr
                                 ? output + first_row * stride + column
                                 : carries + static_cast<std::size_t>(2 * group) * stride + column;
    Scalar* const last_to =
        carries == nullptr ? output + last_row * stride + column : first_to + stride;
    std::uint64_t row = first_row;
    Columns sum{};
    const auto flush = [&] {
      sum.store(row == first_row ? first_to
                                 : (row == last_row ? last_to : output + row * stride + column));
      sum = Columns{};
    };
    typename Entries::Head heads[in_flight];
    // Past the end the last entry is read again, and not added.
    const auto entry = [&](offset_t q) { return q < end ? q : end - 1; };
    const auto read_heads = [&](offset_t p) {
      GENTEN_DEVICE_UNROLL
      for (int u = 0; u < in_flight; ++u) heads[u] = entries.head(entry(p + u));
    };
    if constexpr (Entries::ahead) read_heads(begin);
    for (offset_t p = begin; p < end; p += in_flight) {
      Columns terms[in_flight];
      std::uint64_t rows[in_flight];
      if constexpr (!Entries::ahead) read_heads(p);
      GENTEN_DEVICE_UNROLL
      for (int u = 0; u < in_flight; ++u) {
        rows[u] = entries.row(heads[u]);
        terms[u] = entries.template load<Width>(heads[u], entry(p + u), column);
      }
      if constexpr (Entries::ahead) read_heads(p + in_flight);
      GENTEN_DEVICE_UNROLL
      for (int u = 0; u < in_flight; ++u) {
        if (p + u < end) {
          if (rows[u] != row) {
            flush();
            row = rows[u];
          }
          for (int j = 0; j < Width; ++j) sum.element[j] += terms[u].element[j];
        }
      }
    }
    flush();
    if (carries == nullptr) return;
    if (first_row == last_row) Columns{}.store(last_to);
    if (column == first_column) {
      carried_rows[2 * group] = first_row;
      carried_rows[2 * group + 1] = last_row;
    }
  }
};

/// How many reductions there are, and over how many entries: the nonzeros, then what was carried,
/// until one piece is left.
struct ReductionLevels {
  static constexpr offset_t carried_per_piece = 32;
  static constexpr offset_t last_piece = 64;  ///< so few carried entries are one piece

  offset_t piece = 64;  ///< nonzeros of a piece

  /// For so many nonzeros and threads a nonzero: pieces long enough to spread the carries, and
  /// enough of them to fill the device several times.
  ReductionLevels(offset_t nnz, offset_t lanes) {
    constexpr offset_t threads = 1 << 20;
    while (piece < 512 && nnz * lanes > 2 * threads * piece) piece *= 2;
    while (piece > 16 && nnz * lanes < threads / 4 * piece) piece /= 2;
  }

  [[nodiscard]] static offset_t pieces_of(offset_t count, offset_t length) {
    return (count + length - 1) / length;
  }
  /// Length of the pieces of a reduction over carried entries.
  [[nodiscard]] static offset_t carried_piece(offset_t count) {
    return count <= last_piece ? last_piece : carried_per_piece;
  }
  /// Rows of workspace for carries.
  [[nodiscard]] offset_t rows(offset_t nnz) const {
    offset_t total = 0;
    for (offset_t pieces = pieces_of(nnz, piece); pieces > 1;) {
      const offset_t count = 2 * pieces;
      total += count;
      pieces = pieces_of(count, carried_piece(count));
    }
    return total;
  }
};

/// Workspace of a contraction on a device.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DeviceCarries {
  Kokkos::View<Scalar*, typename Exec::memory_space> sums;
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> rows;
};

/// How a device walks over the nonzeros.
struct DeviceWalk {
  std::size_t block = 0;  ///< columns that are contracted together
  offset_t piece = 0;     ///< nonzeros of a piece
  /// Whether records are read before the gathers of the ones before have come. That takes registers
  /// and thereby threads, and pays where rows come from memory (or there are many of them a
  /// nonzero, for which it is not asked).
  bool heads_ahead = false;
};

/// One contraction, by lanes of `Width` columns.
template <int Width, RealScalar Scalar, ExecutionSpace Exec>
class DeviceContraction {
 public:
  DeviceContraction(const Exec& exec, const DeviceCarries<Scalar, Exec>& workspace,
                    const DeviceWalk& walk, std::size_t stride, Scalar* output)
      : m_exec(exec), m_workspace(workspace), m_walk(walk), m_stride(stride), m_output(output) {}

  /// Passes over the nonzeros once for every block of columns, and over what they carry for all
  /// columns at once: these reductions are short, so that they cost little more than their
  /// launches.
  void run(const ContractionInput<Scalar>& input, offset_t nnz) {
    const bool coded = input.layout.coded;
    for (std::size_t begin = 0; begin < m_stride; begin += m_walk.block) {
      choose_columns(begin, std::min(m_walk.block, m_stride - begin));
      if (input.layout.key_words == 1) {
        coded ? reduce_nonzeros<1, true>(input, nnz) : reduce_nonzeros<1, false>(input, nnz);
      } else {
        coded ? reduce_nonzeros<2, true>(input, nnz) : reduce_nonzeros<2, false>(input, nnz);
      }
    }
    choose_columns(0, m_stride);
    reduce_carried(ReductionLevels::pieces_of(nnz, m_walk.piece));
  }

 private:
  /// Chooses the reduction for the number of factors: where it is known when compiled, all gathers
  /// of several nonzeros are in flight together.
  template <int KeyWords, bool Coded>
  void reduce_nonzeros(const ContractionInput<Scalar>& input, offset_t nnz) {
    const offset_t piece = m_walk.piece;
    switch (input.count) {
      case 1:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 1, false>(input), nnz, piece);
      case 2:
        return m_walk.heads_ahead
                   ? reduce(NonzeroEntries<Scalar, KeyWords, Coded, 2, true>(input), nnz, piece)
                   : reduce(NonzeroEntries<Scalar, KeyWords, Coded, 2, false>(input), nnz, piece);
      case 3:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 3, true>(input), nnz, piece);
      case 4:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 4, true>(input), nnz, piece);
      default:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 0, true>(input), nnz, piece);
    }
  }

  void choose_columns(std::size_t begin, std::size_t count) {
    m_begin = begin;
    m_lanes = static_cast<int>(count / Width);
  }

  /// The reductions of what `pieces` pieces have carried, until one piece is left.
  void reduce_carried(offset_t pieces) {
    while (pieces > 1) {
      const CarriedEntries<Scalar> carried{m_workspace.sums.data() + m_used * m_stride,
                                           m_workspace.rows.data() + m_used, m_stride};
      const offset_t count = 2 * pieces, piece = ReductionLevels::carried_piece(count);
      m_used += static_cast<std::size_t>(count);
      reduce(carried, count, piece);
      pieces = ReductionLevels::pieces_of(count, piece);
    }
  }

  /// One reduction; carries go to the workspace from `m_used` on.
  template <class Entries>
  void reduce(const Entries& entries, offset_t count, offset_t piece) {
    const offset_t pieces = ReductionLevels::pieces_of(count, piece);
    const bool carry = pieces > 1;
    Scalar* const sums = carry ? m_workspace.sums.data() + m_used * m_stride : nullptr;
    std::uint64_t* const rows = carry ? m_workspace.rows.data() + m_used : nullptr;
    Kokkos::parallel_for(
        "genten::contract",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(m_exec, 0, pieces * m_lanes),
        ReducePieces<Entries, Width>{entries, count, piece, m_lanes, m_begin, m_stride, sums, rows,
                                     m_output});
  }

  Exec m_exec;
  DeviceCarries<Scalar, Exec> m_workspace;
  DeviceWalk m_walk;
  std::size_t m_stride;
  Scalar* m_output;
  std::size_t m_begin = 0;
  int m_lanes = 1;
  std::size_t m_used = 0;  ///< rows of the workspace that are in use
};

/// Bytes of gathered rows that are to stay in a shared cache of that size, which is first rounded
/// up to a power of two.
[[nodiscard]] inline std::size_t device_cached_bytes(double shared_cache, double share) {
  const auto told = static_cast<std::size_t>(std::max(shared_cache, 1.0));
  return static_cast<std::size_t>(share * static_cast<double>(std::bit_ceil(told)));
}

/// Columns that are contracted together, such that the gathered rows take at most `cached` bytes.
/// `gathered_rows` counts those of all factors.
[[nodiscard]] inline std::size_t device_column_block(std::size_t gathered_rows, std::size_t stride,
                                                     std::size_t scalar_bytes, std::size_t cached) {
  constexpr std::size_t narrowest = 128;
  const std::size_t line = narrowest / scalar_bytes;
  const std::size_t most = std::max<std::size_t>(cached, 1);
  const std::size_t blocks = (gathered_rows * stride * scalar_bytes + most - 1) / most;
  if (stride <= line || blocks <= 1 || stride / blocks < line) return stride;
  return (stride / blocks + line - 1) / line * line;
}

/// Threads that share a nonzero of a block of so many columns.
[[nodiscard]] inline offset_t device_lanes(std::size_t block, std::size_t scalar_bytes) {
  const std::size_t width = 16 / scalar_bytes;
  return static_cast<offset_t>(block % width == 0 ? block / width : block);
}

/// The contraction of all columns on a device, for nonzeros sorted by row.
template <RealScalar Scalar, ExecutionSpace Exec>
void contract_on_device(const Exec& exec, const SortedCopy<Scalar, Exec>& copy,
                        const ContractionInput<Scalar>& input,
                        const DeviceCarries<Scalar, Exec>& workspace, const DeviceWalk& walk,
                        std::size_t stride, Scalar* output) {
  if (!copy.every_row || copy.nnz() == 0) {
    const Kokkos::View<Scalar*, typename Exec::memory_space,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        rows(output, static_cast<std::size_t>(copy.rows) * stride);
    Kokkos::deep_copy(exec, rows, Scalar(0));
  }
  if (copy.nnz() == 0) return;
  constexpr int widest = 16 / static_cast<int>(sizeof(Scalar));
  if (stride % widest == 0) {
    DeviceContraction<widest, Scalar, Exec>(exec, workspace, walk, stride, output)
        .run(input, copy.nnz());
  } else {
    DeviceContraction<1, Scalar, Exec>(exec, workspace, walk, stride, output)
        .run(input, copy.nnz());
  }
}

}  // namespace genten::detail
