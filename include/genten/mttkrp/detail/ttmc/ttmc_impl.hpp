// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/memory_peak.hpp>
#include <genten/core/mode_order.hpp>
#include <genten/format/make_sorted_copy.hpp>
#include <genten/mttkrp/detail/ttmc/tree_loops.hpp>
#include <genten/mttkrp/ttmc.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace genten::detail {

/// The other modes from the outermost level to the innermost, short ones first, so that many
/// nonzeros share leading subscripts. Of modes of the same length the last is the outermost, as in
/// the columns of the product.
[[nodiscard]] inline std::vector<int> ttmc_levels(const std::vector<std::size_t>& dimensions,
                                                  int mode) {
  std::vector<int> levels = natural_mode_order(dimensions.size());
  std::erase(levels, mode);
  std::reverse(levels.begin(), levels.end());
  std::stable_sort(levels.begin(), levels.end(), [&](int a, int b) {
    return dimensions[static_cast<std::size_t>(a)] < dimensions[static_cast<std::size_t>(b)];
  });
  return levels;
}

/// By place in a row as TreeLoops make it (the last level varies fastest), the column of the
/// product (the first mode varies fastest); empty where these are the same.
[[nodiscard]] inline std::vector<std::size_t> ttmc_columns(
    const std::vector<int>& levels, const std::vector<std::size_t>& lengths) {
  std::vector<std::size_t> steps(lengths.size(), 0);  // by mode, of the product's columns
  std::vector<int> modes = levels;
  std::sort(modes.begin(), modes.end());
  if (std::equal(levels.begin(), levels.end(), modes.rbegin())) return {};
  std::size_t total = 1;
  for (const int n : modes) {
    steps[static_cast<std::size_t>(n)] = total;
    total *= lengths[static_cast<std::size_t>(n)];
  }
  std::vector<std::size_t> columns{0};
  columns.reserve(total);
  for (const int n : levels) {
    std::vector<std::size_t> longer;
    longer.reserve(columns.size() * lengths[static_cast<std::size_t>(n)]);
    for (const std::size_t column : columns) {
      for (std::size_t r = 0; r < lengths[static_cast<std::size_t>(n)]; ++r) {
        longer.push_back(column + r * steps[static_cast<std::size_t>(n)]);
      }
    }
    columns = std::move(longer);
  }
  return columns;
}

/// Throws Error for a mode that a tensor of this order does not have, and for one that is named
/// twice.
inline void check_ttmc_modes(const std::vector<int>& modes, int order) {
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (modes[k] < 0 || modes[k] >= order) throw Error::no_such_mode("Ttmc", modes[k], order);
    if (std::find(modes.begin(), modes.begin() + static_cast<std::ptrdiff_t>(k), modes[k]) !=
        modes.begin() + static_cast<std::ptrdiff_t>(k)) {
      throw Error::in("Ttmc", "mode " + error_text::number(modes[k]) + error_text::counted() +
                                  " is named twice");
    }
  }
}

[[nodiscard]] inline offset_t ttmc_chunk(offset_t nnz, const TtmcOptions& options) {
  return std::max(options.nonzeros_per_chunk, nnz / std::max<offset_t>(options.most_chunks, 1));
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
struct Ttmc<Scalar, Exec>::State {
  std::vector<std::size_t> dimensions;
  /// By mode; none for modes that it was not prepared for.
  std::vector<std::optional<SortedCopy<Scalar, Exec>>> copies;

  [[nodiscard]] const SortedCopy<Scalar, Exec>& copy(int mode) const {
    return *copies[static_cast<std::size_t>(mode)];
  }
};

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> Ttmc<Scalar, Exec>::Ttmc(
    const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, const TtmcOptions& options)
    : m_state(std::make_unique<State>()) {
  const int order = tensor.order();
  if (order < 2) {
    throw Error::in("Ttmc",
                    "expected a tensor of order 2 or more, got order " + std::to_string(order));
  }
  detail::check_ttmc_modes(options.modes, order);
  m_state->dimensions = tensor.dimensions();
  m_state->copies.resize(static_cast<std::size_t>(order));
  std::vector<ModeGroup> single;
  for (int n = 0; n < order; ++n) single.push_back({{n}});
  const auto packed = pack_records(exec, RelabeledTensor<Scalar, RowNumber, Exec>(tensor), single);
  if (!packed) throw Error::in("Ttmc", "the subscripts of a nonzero take more than 128 bits");
  detail::SortWorkspace<Exec> workspace;
  const auto modes =
      options.modes.empty() ? natural_mode_order(static_cast<std::size_t>(order)) : options.modes;
  for (const int mode : modes) {
    NonzeroOrder by = NonzeroOrder::by_row(mode);
    for (const int n : detail::ttmc_levels(m_state->dimensions, mode)) {
      by.tiles.push_back({n, 0});
    }
    m_state->copies[static_cast<std::size_t>(mode)] =
        make_sorted_copy(exec, *packed, by, detail::ttmc_chunk(tensor.nnz(), options),
                         detail::SortInput::keep, workspace);
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> Ttmc<Scalar, Exec>::~Ttmc() = default;
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> Ttmc<Scalar, Exec>::Ttmc(Ttmc&&)
noexcept = default;
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> Ttmc<Scalar, Exec>
&Ttmc<Scalar, Exec>::operator=(Ttmc&&) noexcept = default;

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> KernelMemory Ttmc<Scalar, Exec>::memory(
    const std::vector<std::size_t>& dimensions, offset_t nnz, const TtmcOptions& options) {
  const auto layout = RecordLayout::for_dimensions(dimensions, std::nullopt);
  const int words = layout ? layout->words : RecordLayout::most_words;
  const double records = detail::array_bytes(8.0 * words * static_cast<double>(nnz), false);
  const auto copies =
      static_cast<double>(options.modes.empty() ? dimensions.size() : options.modes.size());
  // Beside the copies, while they are made: the records as they came, and others to sort into.
  return {(copies + 2.0) * records, copies * records};
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
double Ttmc<Scalar, Exec>::piece_memory(std::size_t columns) const {
  offset_t rows = 0;
  for (const auto& copy : m_state->copies) {
    if (copy) rows = std::max(rows, copy->partial_rows);
  }
  return static_cast<double>(rows) * static_cast<double>(columns * sizeof(Scalar));
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> std::size_t Ttmc<Scalar, Exec>::columns(
    std::span<const Matrix> factors, int mode) {
  std::size_t result = 1;
  for (std::size_t n = 0; n < factors.size(); ++n) {
    if (static_cast<int>(n) != mode) result *= factors[n].columns();
  }
  return result;
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void Ttmc<Scalar, Exec>::check(std::span<const Matrix> factors, int mode,
                               const Matrix& output) const {
  const State& state = *m_state;
  const auto order = static_cast<int>(state.dimensions.size());
  if (mode < 0 || mode >= order) throw Error::no_such_mode("Ttmc", mode, order);
  if (!state.copies[static_cast<std::size_t>(mode)]) {
    throw Error::in("Ttmc", "mode " + error_text::number(mode) + error_text::counted() +
                                " is none of those that it was prepared for");
  }
  if (factors.size() != state.dimensions.size()) {
    throw Error::in("Ttmc", "expected " + std::to_string(order) + " factors, got " +
                                std::to_string(factors.size()));
  }
  for (int n = 0; n < order; ++n) {
    const auto at = static_cast<std::size_t>(n);
    if (n == mode) continue;
    if (factors[at].rows() == state.dimensions[at] && factors[at].columns() != 0) continue;
    throw Error::in("Ttmc", "expected " + std::to_string(state.dimensions[at]) +
                                " rows and a column or more in the factor of mode " +
                                error_text::number(n) + ", got " +
                                std::to_string(factors[at].rows()) + " x " +
                                std::to_string(factors[at].columns()));
  }
  const std::size_t rows = state.dimensions[static_cast<std::size_t>(mode)];
  const std::size_t width = columns(factors, mode);
  if (output.rows() == rows && output.columns() == width) return;
  throw Error::in("Ttmc", "expected an output of " + std::to_string(rows) + " x " +
                              std::to_string(width) + ", got " + std::to_string(output.rows()) +
                              " x " + std::to_string(output.columns()));
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void Ttmc<Scalar, Exec>::run(const Exec& exec, std::span<const Matrix> factors, int mode,
                             const Matrix& output) const {
  check(factors, mode, output);
  const SortedCopy<Scalar, Exec>& copy = m_state->copy(mode);
  const auto order = detail::ttmc_levels(m_state->dimensions, mode);
  std::vector<detail::TreeLevel<Scalar>> tree;
  detail::TreeRecords<Scalar> records{copy.records.data(), &copy.layout, copy.dictionary.data()};
  const RecordField field = copy.layout.fields[mode];
  records.upper[field.word] |= field.put(field.mask);
  for (const int n : order) {
    const auto at = static_cast<std::size_t>(n);
    const RecordField own = copy.layout.fields[n];
    tree.push_back({own, factors[at].data(), factors[at].stride(), factors[at].columns()});
    if (n != order.back()) records.upper[own.word] |= own.put(own.mask);
  }
  std::size_t sums = 0, length = 1;  // of all levels
  const std::size_t pair = std::max<std::size_t>(tree.size(), 2) - 2;
  const auto room = [&](std::size_t k) {
    const std::size_t waiting = k == pair ? detail::pair_sums(tree[k].length, sizeof(Scalar)) : 1;
    return waiting * tree[k].length;
  };
  for (std::size_t k = tree.size(); k-- > 0;) {
    tree[k].length = length *= tree[k].columns;
    sums += room(k);
  }
  const std::size_t merged = detail::pair_terms * tree.back().columns;
  const auto& loops = detail::tree_loops<Scalar>();
  std::vector<std::size_t> ranks;
  for (const Matrix& factor : factors) ranks.push_back(factor.columns());
  const auto columns = detail::ttmc_columns(order, ranks);
  const std::size_t width = output.columns();
  const Matrix pieces(exec, static_cast<std::size_t>(copy.partial_rows), width, "genten::ttmc");
  const auto store = [&](const Scalar* row, Scalar* to) {
    if (columns.empty()) std::copy_n(row, width, to);
    for (std::size_t j = 0; j < columns.size(); ++j) to[columns[j]] = row[j];
  };
  detail::for_each_index("genten::ttmc", exec, copy.chunks.extent(0), [&](const std::size_t c) {
    const SortedChunk& chunk = copy.chunks(c);
    const bool whole = chunk.partial_row < 0;
    auto written = static_cast<std::uint64_t>(chunk.row_begin);  // rows before this one
    const auto write_zeros = [&](std::uint64_t up_to) {
      for (; whole && written < up_to; ++written)
        std::fill_n(output.row(written), width, Scalar(0));
    };
    const auto row_of = [&](std::uint64_t i) {
      const auto begin = static_cast<std::uint64_t>(chunk.row_begin);
      return whole ? output.row(i)
                   : pieces.row(static_cast<std::size_t>(chunk.partial_row) + (i - begin));
    };
    std::vector<Scalar> workspace(sums + merged);
    std::vector<detail::TreeLevel<Scalar>> levels = tree;
    std::size_t used = 0;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      levels[k].sums = workspace.data() + std::exchange(used, used + room(k));
    }
    Scalar* const rows = workspace.data() + used;
    const auto depth = static_cast<int>(levels.size());
    for (offset_t r = chunk.ranges_begin; r < chunk.ranges_end; ++r) {
      const NonzeroRange range = copy.ranges(r);
      for (offset_t p = range.begin; p < range.end;) {
        const std::uint64_t row = field.get(&copy.records(p * copy.layout.words));
        p = loops.sum_row(records, field, levels.data(), depth, rows, p, range.end);
        write_zeros(row);
        store(levels[0].sums, row_of(row));
        written = row + 1;
      }
    }
    write_zeros(static_cast<std::uint64_t>(chunk.row_end));
  });
  detail::for_each_index(
      "genten::ttmc_pieces", exec, copy.split_blocks.extent(0), [&](const std::size_t s) {
        const SplitBlock& block = copy.split_blocks(s);  // of one row
        Scalar* const to = output.row(static_cast<std::size_t>(block.row_begin));
        const auto first = static_cast<std::size_t>(block.partial_row);
        std::copy_n(pieces.row(first), width, to);
        for (offset_t piece = 1; piece < block.pieces; ++piece) {
          const Scalar* const more = pieces.row(first + static_cast<std::size_t>(piece));
          for (std::size_t j = 0; j < width; ++j) to[j] += more[j];
        }
        for (offset_t i = block.row_end; i < block.zero_end; ++i) {
          std::fill_n(output.row(static_cast<std::size_t>(i)), width, Scalar(0));
        }
      });
}

}  // namespace genten

#define GENTEN_ETI_TTMC(PREFIX, SCALAR, EXEC) PREFIX template class genten::Ttmc<SCALAR, EXEC>;
