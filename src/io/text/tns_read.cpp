// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/tensor_file.hpp"

#include "../file/memory.hpp"
#include "duplicates.hpp"
#include "tns_parse.hpp"

#include <genten/base/error.hpp>

#include <algorithm>

namespace genten::detail {

namespace {

constexpr std::size_t longest_32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_subscripts = 10'000'000'000'000'000'000U;  // 19 digits

/// Reads the entries with one choice of types.
template <class Scalar, class Ordinal>
class TextReader {
 public:
  using Arrays = TensorArrays<Scalar, Ordinal>;

  TextReader(const HostExec& host, const FileContent& file, const TextLayout& layout,
             const ReadOptions& options, TextContent content, TextBlocks& text)
      : m_host(host),
        m_path(file.path()),
        m_layout(layout),
        m_options(options),
        m_content(content),
        m_text(text) {
    m_rules.order = layout.order;
    m_rules.base = layout.base;
    m_rules.ones = layout.ones;
    m_row_bytes = layout.order * sizeof(Ordinal) + sizeof(Scalar);
    for (std::size_t n = 0; n < layout.order; ++n) {
      const std::uint64_t most = sizeof(Ordinal) == 4 ? longest_32 : most_subscripts;
      m_rules.limits[n] =
          layout.dimensions.empty() ? most : std::min<std::uint64_t>(most, layout.dimensions[n]);
    }
  }

  /// False when the entries need wider ordinals; throws when they are wrong in any other way.
  bool parse(bool may_widen) {
    if (!dimensions_fit(may_widen)) return false;
    allocate();
    const std::size_t wrong = parse_blocks(m_host, m_text, m_rules, work(), m_arrays, m_largest);
    if (wrong != no_block && !explain(wrong, may_widen)) return false;
    for (const TextBlock& block : m_text.blocks()) m_entries += block.entries;
    check_count();
    return true;
  }

  Arrays finish(ReadReport& report) {
    set_dimensions();
    check_first_entry();
    if (m_layout.base == 0) report.first_subscripts = smallest_subscripts();
    close_gaps();
    report.entries = m_entries;
    report.duplicates = m_content == TextContent::cells ? 0 : merge_duplicates();
    shrink(m_entries - report.duplicates);
    m_arrays.checked = true;  // entry by entry, while they were parsed
    if (m_layout.symmetry == Symmetry::general) return std::move(m_arrays);
    const std::size_t held = m_text.lines() * m_row_bytes;
    return with_mirrored(m_path, m_layout.symmetry, m_arrays,
                         remaining_limit(m_options.memory_limit, held));
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw Error::in_file(m_path, line, message);
  }

  bool dimensions_fit(bool may_widen) const {
    if (sizeof(Ordinal) == 8) return true;
    for (std::size_t n = 0; n < m_layout.dimensions.size(); ++n) {
      if (m_layout.dimensions[n] <= longest_32) continue;
      if (may_widen) return false;
      fail(m_layout.dimensions_line, "dimension " + std::to_string(m_layout.dimensions[n]) +
                                         " of mode " + std::to_string(n + 1) +
                                         " is too large for 32-bit ordinals: use 64-bit ones");
    }
    return true;
  }

  void allocate() {
    const std::size_t rows = m_text.lines();
    require_memory(m_path, "a tensor of up to " + counted(rows, "nonzero"),
                   saturating_product(rows, m_row_bytes), m_options.memory_limit);
    m_arrays = allocate_arrays<Scalar, Ordinal>(m_layout.order, rows);
  }

  /// Throws for the first wrong line, unless all that is wrong with it is the ordinals' width.
  bool explain(std::size_t block, bool may_widen) {
    const FoundLine line = find_entry_line(m_text, block, m_text.blocks()[block].entries);
    const Diagnosis diagnosis = diagnose<Scalar, Ordinal>(line.text, m_layout, m_rules);
    if (diagnosis.too_wide && may_widen) return false;
    const std::string mixed = describe_mixed_bases(first_subscripts_from_0());
    std::string message = diagnosis.message + (mixed.empty() ? "" : "; " + mixed);
    if (m_content == TextContent::cells && m_layout.ones) {
      message += "; the lines are taken for subscripts without values, since the first one has " +
                 counted(m_layout.order, "field");
    }
    fail(line.number, message);
  }

  /// For a message about subscripts that are not right: the smallest of each mode if they counted
  /// from 0; nothing where there is more that is wrong.
  std::vector<std::size_t> first_subscripts_from_0() {
    if (m_rules.base == 0) return {};
    EntryRules rules = m_rules;
    rules.base = 0;
    rules.limits.fill(sizeof(Ordinal) == 4 ? longest_32 : most_subscripts);
    Largest ignored{};
    const std::size_t wrong = parse_blocks(m_host, m_text, rules, work(), m_arrays, ignored);
    return wrong == no_block ? smallest_subscripts() : std::vector<std::size_t>();
  }

  /// Of each mode, as they stand in the arrays; nothing where there are no entries.
  std::vector<std::size_t> smallest_subscripts() const {
    std::vector<std::size_t> smallest;
    for (const TextBlock& block : m_text.blocks()) {
      if (block.entries == 0) continue;
      smallest.resize(m_layout.order, std::numeric_limits<std::size_t>::max());
      const Ordinal* row = m_arrays.subscripts.data() + block.row * m_layout.order;
      for (std::size_t i = 0; i < block.entries; ++i, row += m_layout.order) {
        for (std::size_t n = 0; n < m_layout.order; ++n) {
          smallest[n] = std::min<std::size_t>(smallest[n], row[n]);
        }
      }
    }
    return smallest;
  }

  [[nodiscard]] BlockWork work() const { return {m_options.threads, m_options.meter}; }

  void check_count() const {
    if (!m_layout.entries || m_entries == *m_layout.entries) return;
    const std::string said = "the header in line " + std::to_string(m_layout.entries_line) +
                             " says " + counted(*m_layout.entries, "nonzero");
    if (m_entries < *m_layout.entries) {
      fail(m_layout.lines_before + m_text.lines(),
           "truncated: " + said + ", but the file ends after " + std::to_string(m_entries));
    }
    const FoundLine line = find_entry_line(m_text, *m_layout.entries);
    fail(line.number, said + ", but there are " + std::to_string(m_entries));
  }

  void set_dimensions() {
    m_arrays.dimensions = m_layout.dimensions;
    if (!m_arrays.dimensions.empty()) return;
    for (std::size_t n = 0; n < m_layout.order; ++n) {
      m_arrays.dimensions.push_back(static_cast<std::size_t>(m_largest[n]) + 1);
    }
  }

  /// A first entry of whole numbers at the largest subscripts of every mode: a header in one line,
  /// of dimensions and number of entries, would look like that, and where the number is wrong the
  /// file was cut or put together. Few entries may be like that by chance.
  void check_first_entry() const {
    constexpr std::size_t by_chance = 3;
    const auto& first = m_layout.suspicious_first;
    if (first.empty() || m_entries <= by_chance) return;
    for (std::size_t n = 0; n < m_layout.order; ++n) {
      if (first[n] - m_layout.base != m_largest[n]) return;
    }
    const std::size_t follow = m_entries - 1;
    std::string header = "a header of dimensions and number of nonzeros";
    if (first.back() != follow) {
      header += " that says " + std::to_string(first.back()) + " where " +
                counted(follow, "entry") + (follow == 1 ? " follows" : " follow");
    }
    fail(m_layout.lines_before + 1,
         "ambiguous: this line may be an entry, or " + header +
             ". If it is an entry, read the file with --header none; if it is a "
             "header, expected the right number of nonzeros, on a line of its own");
  }

  /// Moves entries up where lines between them were empty.
  void close_gaps() {
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

  std::size_t merge_duplicates() {
    const bool sum = m_options.duplicates == Duplicates::sum;
    const std::size_t limit = remaining_limit(m_options.memory_limit, m_text.lines() * m_row_bytes);
    const DuplicateSummary found =
        find_duplicates(m_host, m_path, m_arrays, m_entries, sum, work(), limit);
    if (found.overflow != no_entry) {
      fail(find_entry_line(m_text, found.overflow).number,
           "the sum of this entry and its duplicates before it is not finite");
    }
    if (found.duplicates != 0 && !sum) {
      fail(find_entry_line(m_text, found.second).number,
           "duplicate: the subscripts of this entry are those of line " +
               std::to_string(find_entry_line(m_text, found.first).number) + " (" +
               counted(found.duplicates, "duplicate") + " in the file)");
    }
    m_arrays.facts = found.facts;
    return found.duplicates;
  }

  void shrink(std::size_t rows) {
    if (rows == m_arrays.values.extent(0)) return;
    const auto kept = Kokkos::make_pair(std::size_t{0}, rows);
    m_arrays.values = Kokkos::subview(m_arrays.values, kept);
    m_arrays.subscripts = Kokkos::subview(m_arrays.subscripts, kept, Kokkos::ALL());
  }

  const HostExec& m_host;
  const std::string& m_path;
  const TextLayout& m_layout;
  const ReadOptions& m_options;
  TextContent m_content;
  TextBlocks& m_text;
  EntryRules m_rules;
  Arrays m_arrays;
  Largest m_largest{};
  std::size_t m_row_bytes = 0;
  std::size_t m_entries = 0;
};

}  // namespace

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_text(const HostExec& host, const FileContent& file,
                                  const ReadOptions& options, OrdinalWidth width,
                                  TextContent content, ReadReport& report) {
  const TextLayout layout = detect_layout(file.path(), file.bytes(), options, content);
  TextBlocks text(host, file.bytes(), layout, options);
  report.format = layout.format;
  report.index_base = layout.base == 0 ? IndexBase::zero : IndexBase::one;
  report.lines = layout.lines_before + text.lines();
  if (width != OrdinalWidth::bits64) {
    TextReader<Scalar, std::uint32_t> reader(host, file, layout, options, content, text);
    if (reader.parse(width == OrdinalWidth::narrowest)) return reader.finish(report);
  }
  TextReader<Scalar, std::uint64_t> reader(host, file, layout, options, content, text);
  reader.parse(false);
  return reader.finish(report);
}

template AnyTensorArrays<float> read_text(const HostExec&, const FileContent&, const ReadOptions&,
                                          OrdinalWidth, TextContent, ReadReport&);
template AnyTensorArrays<double> read_text(const HostExec&, const FileContent&, const ReadOptions&,
                                           OrdinalWidth, TextContent, ReadReport&);

}  // namespace genten::detail
