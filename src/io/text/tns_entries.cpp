// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tns_entries.hpp"

#include "../file/memory.hpp"
#include "../file/tensor_file.hpp"

#include <algorithm>
#include <limits>

namespace genten::detail {

namespace {

constexpr std::size_t longest_32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t longest_line = std::size_t{64} << 20;
constexpr std::uint64_t most_subscripts = 10'000'000'000'000'000'000U;  // 19 digits

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::uint64_t TextEntries<Scalar, Ordinal>::most() {
  return sizeof(Ordinal) == 4 ? longest_32 : most_subscripts;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
TextEntries<Scalar, Ordinal>::TextEntries(const HostExec& host, const TextLayout& layout,
                                          const ReadOptions& options, TextBlocks& text)
    : m_host(host), m_layout(layout), m_options(options), m_text(text) {
  m_rules.order = layout.order;
  m_rules.base = layout.base;
  m_rules.ones = layout.ones;
  m_row_bytes = layout.order * sizeof(Ordinal) + sizeof(Scalar);
  for (std::size_t n = 0; n < layout.order; ++n) {
    m_rules.limits[n] =
        layout.dimensions.empty() ? most() : std::min<std::uint64_t>(most(), layout.dimensions[n]);
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::optional<std::string> TextEntries<Scalar, Ordinal>::too_long_dimension() const {
  if constexpr (sizeof(Ordinal) == 4) {
    for (std::size_t n = 0; n < m_layout.dimensions.size(); ++n) {
      if (m_layout.dimensions[n] <= longest_32) continue;
      return "dimension " + std::to_string(m_layout.dimensions[n]) + " of mode " +
             std::to_string(n + 1) + " is too large for 32-bit ordinals: use 64-bit ones";
    }
  }
  return std::nullopt;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::optional<WrongLine> TextEntries<Scalar, Ordinal>::parse(const std::string& path,
                                                             const std::string& what) {
  const std::size_t rows = m_text.lines();
  require_memory(path, what + " of up to " + counted(rows, "nonzero"),
                 saturating_product(rows, m_row_bytes), m_options.memory_limit);
  m_arrays = allocate_arrays<Scalar, Ordinal>(m_layout.order, rows);
  for (const TextBlock& block : m_text.blocks()) {
    if (block.stop - block.begin <= longest_line + std::min(m_options.block_bytes, longest_line)) {
      continue;
    }
    return WrongLine{block.lines_before + block.row_end - block.row,
                     {"expected lines of at most 64 MiB, got a longer one"}};
  }
  const std::size_t wrong = parse_blocks(m_host, m_text, m_rules, work(), m_arrays, m_largest);
  if (wrong != no_block) {
    const FoundLine line = find_entry_line(m_text, wrong, m_text.blocks()[wrong].entries);
    return WrongLine{line.number, diagnose<Scalar, Ordinal>(line.text, m_layout, m_rules)};
  }
  for (const TextBlock& block : m_text.blocks()) m_entries += block.entries;
  return std::nullopt;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void TextEntries<Scalar, Ordinal>::close_gaps() {
  std::size_t to = 0;
  for (const TextBlock& block : m_text.blocks()) {
    if (to != block.row) {
      Ordinal* const subscripts = m_arrays.subscripts.data();
      Scalar* const values = m_arrays.values.data();
      const std::size_t order = m_layout.order;
      std::copy_n(subscripts + block.row * order, block.entries * order, subscripts + to * order);
      std::copy_n(values + block.row, block.entries, values + to);
    }
    to += block.entries;
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void TextEntries<Scalar, Ordinal>::shrink(std::size_t rows) {
  if (rows == m_arrays.values.extent(0)) return;
  const auto kept = Kokkos::make_pair(std::size_t{0}, rows);
  m_arrays.values = Kokkos::subview(m_arrays.values, kept);
  m_arrays.subscripts = Kokkos::subview(m_arrays.subscripts, kept, Kokkos::ALL());
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<std::size_t> TextEntries<Scalar, Ordinal>::first_subscripts_from_0() {
  if (m_rules.base == 0) return {};
  EntryRules rules = m_rules;
  rules.base = 0;
  rules.limits.fill(most());
  Largest ignored{};
  const std::size_t wrong = parse_blocks(m_host, m_text, rules, work(), m_arrays, ignored);
  return wrong == no_block ? smallest_subscripts() : std::vector<std::size_t>();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<std::size_t> TextEntries<Scalar, Ordinal>::smallest_subscripts() const {
  const auto& blocks = m_text.blocks();
  const std::size_t order = m_layout.order;
  constexpr auto none = std::numeric_limits<Ordinal>::max();
  const std::size_t workers = worker_count(m_host, blocks.size(), m_options.threads);
  std::vector<std::vector<Ordinal>> smallest_of(workers);
  for_each_block("genten::smallest_subscripts", m_host, workers, blocks.size(),
                 [&](std::size_t i, std::size_t worker) {
                   if (blocks[i].entries == 0) return;
                   std::vector<Ordinal>& smallest = smallest_of[worker];
                   smallest.resize(order, none);
                   const Ordinal* row = m_arrays.subscripts.data() + blocks[i].row * order;
                   for (std::size_t p = 0; p < blocks[i].entries; ++p, row += order) {
                     for (std::size_t n = 0; n < order; ++n) {
                       smallest[n] = std::min(smallest[n], row[n]);
                     }
                   }
                 });
  std::vector<std::size_t> smallest;
  for (const auto& found : smallest_of) {
    if (found.empty()) continue;
    smallest.resize(order, none);
    for (std::size_t n = 0; n < order; ++n) {
      smallest[n] = std::min<std::size_t>(smallest[n], found[n]);
    }
  }
  return smallest;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void TextEntries<Scalar, Ordinal>::tell_of_rounded(ReadReport& report) const {
  const auto& blocks = m_text.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const TextBlock& block = blocks[i];
    if (report.rounded == 0 && block.rounded != 0) {
      std::vector<char> buffer;
      const std::string_view before = m_text.load(i, buffer).substr(0, block.first_rounded);
      const auto lines = std::count(before.begin(), before.end(), '\n');
      report.rounded_line = block.lines_before + static_cast<std::size_t>(lines) + 1;
    }
    report.rounded += block.rounded;
  }
}

template class TextEntries<float, std::uint32_t>;
template class TextEntries<float, std::uint64_t>;
template class TextEntries<double, std::uint32_t>;
template class TextEntries<double, std::uint64_t>;

}  // namespace genten::detail
