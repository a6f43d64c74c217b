// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/tensor_file.hpp"

#include "../file/memory.hpp"
#include "duplicates.hpp"
#include "tns_entries.hpp"
#include "tns_whole.hpp"

#include <genten/base/error.hpp>

namespace genten::detail {

namespace {

/// Reads the entries of a whole text with one choice of types.
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
        m_text(text),
        m_lines(host, layout, options, text) {}

  /// False when the entries need wider ordinals; throws when they are wrong in any other way.
  bool parse(bool may_widen) {
    if (const auto too_long = m_lines.too_long_dimension()) {
      if (may_widen) return false;
      fail(m_layout.dimensions_line, *too_long);
    }
    if (const auto wrong = m_lines.parse(m_path, "a tensor")) {
      if (wrong->why.too_wide && may_widen) return false;
      explain(*wrong);
    }
    check_count();
    return true;
  }

  Arrays finish(ReadReport& report) {
    Arrays& arrays = m_lines.arrays();
    set_dimensions(arrays);
    check_first_entry();
    if (m_layout.base == 0) report.first_subscripts = m_lines.smallest_subscripts();
    m_lines.tell_of_rounded(report);
    m_lines.close_gaps();
    report.entries = m_lines.entries();
    if (m_content != TextContent::lines) merge_duplicates(arrays, report);
    m_lines.shrink(report.entries - report.duplicates);
    arrays.checked = true;  // entry by entry, while they were parsed
    if (m_layout.symmetry == Symmetry::general) return std::move(arrays);
    return with_mirrored(m_path, m_layout.symmetry, arrays,
                         remaining_limit(m_options.memory_limit, m_lines.held_bytes()));
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw Error::in_file(m_path, line, message);
  }

  [[noreturn]] void explain(const WrongLine& wrong) {
    const std::string mixed = describe_mixed_bases(m_lines.first_subscripts_from_0());
    std::string message = wrong.why.message + (mixed.empty() ? "" : "; " + mixed);
    if (m_content == TextContent::lines && m_layout.ones) {
      message += "; the lines are taken for subscripts without values, since the first one has " +
                 counted(m_layout.order, "field");
    }
    fail(wrong.number, message);
  }

  void check_count() const {
    const std::size_t entries = m_lines.entries();
    if (!m_layout.entries || entries == *m_layout.entries) return;
    const HeaderCount header{*m_layout.entries, m_layout.entries_line};
    if (entries < header.entries) {
      fail(m_layout.lines_before + m_text.lines(), too_few_entries(header, entries));
    }
    fail(find_entry_line(m_text, 0, header.entries).number, too_many_entries(header, entries));
  }

  void set_dimensions(Arrays& arrays) const {
    arrays.dimensions = m_layout.dimensions;
    if (!arrays.dimensions.empty()) return;
    for (std::size_t n = 0; n < m_layout.order; ++n) {
      arrays.dimensions.push_back(static_cast<std::size_t>(m_lines.largest()[n]) + 1);
    }
  }

  void check_first_entry() const {
    const auto ambiguous = ambiguous_first_entry(m_layout.suspicious_first, m_layout.base,
                                                 m_lines.largest(), m_lines.entries());
    if (ambiguous) fail(m_layout.lines_before + 1, *ambiguous);
  }

  void merge_duplicates(Arrays& arrays, ReadReport& report) const {
    const auto as_listed = summary_of(m_host, arrays.values, m_lines.entries());  // before sums
    const bool sum = m_options.duplicates == Duplicates::sum;
    const std::size_t limit = remaining_limit(m_options.memory_limit, m_lines.held_bytes());
    const DuplicateSummary found =
        find_duplicates(m_host, m_path, arrays, m_lines.entries(), sum, m_lines.work(), limit);
    if (found.overflow != no_entry) {
      fail(find_entry_line(m_text, 0, found.overflow).number, sum_not_finite);
    }
    if (found.duplicates != 0 && m_options.duplicates == Duplicates::refuse) {
      const std::size_t first = find_entry_line(m_text, 0, found.first).number;
      fail(find_entry_line(m_text, 0, found.second).number,
           repeated_entry(first, found.duplicates));
    }
    arrays.facts =
        found.duplicates == 0 || sum
            ? found.facts
            : merge_sorted(m_host, m_path, arrays, m_lines.entries(), m_options.duplicates, limit);
    report.duplicates = found.duplicates;
    if (found.duplicates != 0) report.as_listed = as_listed;
  }

  const HostExec& m_host;
  const std::string& m_path;
  const TextLayout& m_layout;
  const ReadOptions& m_options;
  TextContent m_content;
  TextBlocks& m_text;
  TextEntries<Scalar, Ordinal> m_lines;
};

}  // namespace

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_text(const HostExec& host, const FileContent& file,
                                  const ReadOptions& options, OrdinalWidth width,
                                  TextContent content, ReadReport& report) {
  const TextLayout layout = detect_layout(file.path(), file.head(), options, content);
  TextBlocks text(host, file.content(), layout, options);
  report.format = layout.format;
  report.index_base = index_base_of(layout.base);
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
