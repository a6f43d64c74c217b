// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The contraction of the sorted kernel on devices: a few lanes a run of nonzeros, sums in
/// registers, no atomics.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/column_tile.hpp>
#include <genten/format/sorted_copy.hpp>
#include <genten/mttkrp/kernels/sorted/carry_plan.hpp>
#include <genten/mttkrp/kernels/sorted/contraction_input.hpp>
#include <genten/mttkrp/kernels/sorted/sum_segments.hpp>

#include <algorithm>
#include <bit>
#include <utility>

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
  KOKKOS_FUNCTION ColumnTile<Scalar, Width> load(const Head& head, offset_t,
                                                 std::size_t column) const {
    ColumnTile<Scalar, Width> result;
    for (int j = 0; j < Width; ++j) result.element[j] = head.value;
    const int count = Factors != 0 ? Factors : factor_count;
    GENTEN_DEVICE_UNROLL
    for (int k = 0; k < count; ++k) {
      const auto& factor = factors[k];
      const auto row =
          ColumnTile<Scalar, Width>::at(factor.data + number(factor.field, head) * stride + column);
      for (int j = 0; j < Width; ++j) result.element[j] *= row.element[j];
    }
    return result;
  }
};

/// One launch: groups of `lanes` neighbouring threads reduce pieces of `piece` entries each, sorted
/// by row, every lane with `Width` columns. All lanes of a group take the same branches. A row that
/// lies within a piece is written by it; the sums of a piece's first and last row are left to
/// SumSegments, as a CarryPlan says.
///
/// Memory traffic per nonzero: its record, streamed, one gathered row per factor, and 2 to 4
/// carried rows per piece.
template <class Entries, int Width>
struct ReducePieces {
  using Scalar = typename Entries::scalar_type;
  using Columns = ColumnTile<Scalar, Width>;

  Entries entries;
  offset_t count;
  offset_t piece;
  offset_t first_piece;
  int lanes;
  std::size_t first_column;
  std::size_t stride;
  const offset_t* places;  ///< by piece, where it leaves sums
  Scalar* carries;
  Scalar* output;

  KOKKOS_FUNCTION void operator()(const offset_t thread) const {
    constexpr int in_flight = Entries::in_flight;
    const offset_t in_launch = group_of(thread, lanes);
    const offset_t group = first_piece + in_launch;
    const std::size_t column =
        first_column + static_cast<std::size_t>(thread - in_launch * lanes) * Width;
    const offset_t begin = group * piece;
    const offset_t end = begin + piece < count ? begin + piece : count;
    const std::uint64_t first_row = entries.row(entries.head(begin));
    const std::uint64_t last_row = entries.row(entries.head(end - 1));
    Scalar* const first_to = carries + static_cast<std::size_t>(places[group]) * stride + column;
    Scalar* const last_to = first_to + stride;
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
  }
};

/// What pieces of a contraction on a device carry, and how that is summed.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DeviceCarries {
  CarryPlan<Exec> plan;
  Kokkos::View<Scalar*, typename Exec::memory_space> sums;  ///< by entry
};

/// How a device traverses the nonzeros.
struct DeviceTraversal {
  std::size_t block = 0;  ///< columns that are contracted together
  /// Whether records are read before the gathers of the ones before have come. That takes registers
  /// and thereby threads, and pays where rows come from memory (or there are many of them a
  /// nonzero, for which it is not asked).
  bool heads_ahead = false;
};

/// One contraction, by lanes of `Width` columns.
template <int Width, RealScalar Scalar, ExecutionSpace Exec>
class DeviceContraction {
 public:
  DeviceContraction(const Exec& exec, const DeviceCarries<Scalar, Exec>& carries,
                    const DeviceTraversal& traversal, std::size_t stride, Scalar* output)
      : m_exec(exec),
        m_carries(carries),
        m_traversal(traversal),
        m_stride(stride),
        m_output(output) {}

  /// Computes all rows, those from the plan's early one on first, after which it calls done().
  template <class Done>
  void run(const ContractionInput<Scalar>& input, offset_t nnz, const Done& done) {
    m_early = true;
    run_part(input, nnz);
    done();
    m_early = false;
    run_part(input, nnz);
  }

 private:
  /// Passes over the nonzeros once for every block of columns, and over what they carry for all
  /// columns at once: these sums are short, so that they cost little more than their launches.
  void run_part(const ContractionInput<Scalar>& input, offset_t nnz) {
    const bool coded = input.layout.coded;
    for (std::size_t begin = 0; begin < m_stride; begin += m_traversal.block) {
      choose_columns(begin, std::min(m_traversal.block, m_stride - begin));
      if (input.layout.key_words == 1) {
        coded ? reduce_nonzeros<1, true>(input, nnz) : reduce_nonzeros<1, false>(input, nnz);
      } else {
        coded ? reduce_nonzeros<2, true>(input, nnz) : reduce_nonzeros<2, false>(input, nnz);
      }
    }
    choose_columns(0, m_stride);
    for (const auto& level : m_carries.plan.levels) sum(level);
  }
  /// Those of a list of which so many are late that this part takes: its first, and its end.
  [[nodiscard]] std::pair<offset_t, offset_t> of_part(offset_t late, offset_t all) const {
    return m_early ? std::pair(late, all) : std::pair(offset_t{0}, late);
  }

  /// Chooses the reduction for the number of factors: where it is known when compiled, all gathers
  /// of several nonzeros are in flight together.
  template <int KeyWords, bool Coded>
  void reduce_nonzeros(const ContractionInput<Scalar>& input, offset_t nnz) {
    switch (input.count) {
      case 1:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 1, false>(input), nnz);
      case 2:
        return m_traversal.heads_ahead
                   ? reduce(NonzeroEntries<Scalar, KeyWords, Coded, 2, true>(input), nnz)
                   : reduce(NonzeroEntries<Scalar, KeyWords, Coded, 2, false>(input), nnz);
      case 3:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 3, true>(input), nnz);
      case 4:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 4, true>(input), nnz);
      default:
        return reduce(NonzeroEntries<Scalar, KeyWords, Coded, 0, true>(input), nnz);
    }
  }

  void choose_columns(std::size_t begin, std::size_t count) {
    m_begin = begin;
    m_lanes = static_cast<int>(count / Width);
  }

  template <class Entries>
  void reduce(const Entries& entries, offset_t count) {
    const CarryPlan<Exec>& plan = m_carries.plan;
    const auto [begin, end] = of_part(plan.late, plan.pieces);
    if (begin == end) return;
    Kokkos::parallel_for(
        "genten::contract",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(m_exec, 0, (end - begin) * m_lanes),
        ReducePieces<Entries, Width>{entries, count, plan.piece, begin, m_lanes, m_begin, m_stride,
                                     plan.places.data(), m_carries.sums.data(), m_output});
  }
  void sum(const typename CarryPlan<Exec>::Level& level) {
    const auto [begin, end] = of_part(level.late, level.segments);
    if (begin == end) return;
    constexpr offset_t many = 8;  // entries a segment that several threads add
    level.entries >= many* level.segments ? sum_by<4>(level, begin, end)
                                          : sum_by<1>(level, begin, end);
  }
  template <int Shares>
  void sum_by(const typename CarryPlan<Exec>::Level& level, offset_t begin, offset_t end) {
    SumSegments<Scalar, Width, Shares, Exec>{level.begins.data(),
                                             level.targets.data(),
                                             begin,
                                             end - begin,
                                             m_lanes,
                                             m_stride,
                                             m_carries.sums.data(),
                                             m_output}
        .queue(m_exec);
  }

  Exec m_exec;
  DeviceCarries<Scalar, Exec> m_carries;
  DeviceTraversal m_traversal;
  std::size_t m_stride;
  Scalar* m_output;
  bool m_early = true;  ///< which part runs
  std::size_t m_begin = 0;
  int m_lanes = 1;
};

/// Bytes of gathered rows that are to stay in a shared cache of that size, which is first rounded
/// up to a power of two.
[[nodiscard]] inline std::size_t device_cached_bytes(double shared_cache, double share) {
  const auto bytes = static_cast<std::size_t>(std::max(shared_cache, 1.0));
  return static_cast<std::size_t>(share * static_cast<double>(std::bit_ceil(bytes)));
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

/// The contraction of all columns on a device, for nonzeros sorted by row; done() is called when
/// all that the early rows need is queued.
template <RealScalar Scalar, ExecutionSpace Exec, class Done>
void contract_on_device(const Exec& exec, const SortedCopy<Scalar, Exec>& copy,
                        const ContractionInput<Scalar>& input,
                        const DeviceCarries<Scalar, Exec>& carries,
                        const DeviceTraversal& traversal, std::size_t stride, Scalar* output,
                        const Done& done) {
  if (!copy.every_row || copy.nnz() == 0) {
    const Kokkos::View<Scalar*, typename Exec::memory_space,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        rows(output, static_cast<std::size_t>(copy.rows) * stride);
    Kokkos::deep_copy(exec, rows, Scalar(0));
  }
  if (copy.nnz() == 0) return done();
  constexpr int widest = 16 / static_cast<int>(sizeof(Scalar));
  if (stride % widest == 0) {
    DeviceContraction<widest, Scalar, Exec>(exec, carries, traversal, stride, output)
        .run(input, copy.nnz(), done);
  } else {
    DeviceContraction<1, Scalar, Exec>(exec, carries, traversal, stride, output)
        .run(input, copy.nnz(), done);
  }
}

}  // namespace genten::detail
