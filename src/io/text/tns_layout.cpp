// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tns_layout.hpp"

#include "../file/other_forms.hpp"
#include "../table/table_layout.hpp"
#include "separators.hpp"

#include <genten/base/error.hpp>
#include <genten/base/types.hpp>

#include <algorithm>
#include <array>

namespace genten::detail {

namespace {

/// Finds the layout from the lines before the first entry.
class LayoutDetector {
 public:
  LayoutDetector(const std::string& path, std::string_view text, const ReadOptions& options,
                 TextContent content)
      : m_path(path),
        m_text(text),
        m_options(options),
        m_entries(content == TextContent::lines),
        m_reader(text) {}

  TextLayout detect() {
    m_layout.base = first_subscript(m_options.index_base);
    if (is_matrix_market(m_text)) {
      matrix_market_header();
      override_dimensions();
      return std::move(m_layout);
    }
    if (!advance()) fail(0, "the file holds no entries: it is empty, or all comments and blanks");
    const bool one_mode = m_entries && m_options.dimensions.size() == 1;
    const bool word = m_line.fields.front() == "sptensor";
    if (m_options.header == Header::none || (one_mode && !word)) {
      without_header();
    } else if (word) {
      toolbox_header();
    } else if (m_line.fields.size() == 1) {
      order_header();
    } else {
      dimensions_header_or_none();
    }
    override_dimensions();
    // The present line is the first entry, if there is one.
    if (m_entries && m_layout.data_offset == m_line.offset) m_layout.ones = !has_value();
    return std::move(m_layout);
  }

 private:
  /// Whether the fields may be the subscripts of an entry without a value.
  [[nodiscard]] bool is_entry(std::size_t fields) const {
    return m_entries && fields == m_options.dimensions.size();
  }
  /// Whether the entry in the present line has one; throws unless it is an entry.
  [[nodiscard]] bool has_value() const {
    const std::size_t fields = m_line.fields.size();
    if (fields == m_layout.order || fields == m_layout.order + 1) return fields > m_layout.order;
    const std::string_view line = m_text.substr(m_line.offset);
    fail_here("expected " + counted(m_layout.order, "subscript") + ", and perhaps a value, got " +
              counted(fields, "field") + table_hint(line.substr(0, line.find('\n'))));
  }

  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw Error::in_file(m_path, line, message);
  }
  [[noreturn]] void fail_here(const std::string& message) const { fail(m_line.number, message); }
  [[noreturn]] void refuse(const std::string& found) const {
    throw Error::of_content(m_path, m_line.number, "a sparse tensor", found);
  }
  [[noreturn]] void cut(const std::string& expected) const {
    fail(m_reader.lines(), "truncated: the file ends where " + expected + " should follow");
  }

  bool advance() { return m_reader.next(m_line); }
  void advance_to(const std::string& expected) {
    if (!advance()) cut(expected);
  }

  /// The entries start with the present line, or after the end when there is none.
  void data_here(bool present) {
    m_layout.data_offset = present ? m_line.offset : m_text.size();
    m_layout.lines_before = present ? m_line.number - 1 : m_reader.lines();
  }

  std::size_t count_field(std::size_t field, const std::string& what) const {
    const std::string_view text = m_line.fields[field];
    if (const auto count = to_count(text)) return *count;
    fail_here("expected " + what + " as a whole number, got " + in_quotes(text));
  }

  void set_order(std::size_t order) {
    if (order < 1 || order > static_cast<std::size_t>(max_order)) {
      fail_here("expected an order from 1 to " + std::to_string(max_order) + ", got " +
                std::to_string(order));
    }
    m_layout.order = order;
  }

  void read_order() {
    if (m_line.fields.size() != 1) {
      fail_here("expected the order alone in this line, got " +
                counted(m_line.fields.size(), "field"));
    }
    set_order(count_field(0, "the order"));
  }

  void read_dimensions() {
    if (m_line.fields.size() != m_layout.order) {
      fail_here("the header disagrees with itself: expected " +
                counted(m_layout.order, "dimension") + ", as many as the order, got " +
                counted(m_line.fields.size(), "field"));
    }
    m_layout.dimensions_line = m_line.number;
    for (std::size_t n = 0; n < m_layout.order; ++n) {
      m_layout.dimensions.push_back(count_field(n, "dimension " + std::to_string(n + 1)));
    }
  }

  void read_entries() {
    if (m_line.fields.size() != 1) {
      fail_here("expected the number of nonzeros alone in this line, got " +
                counted(m_line.fields.size(), "field"));
    }
    m_layout.entries = count_field(0, "the number of nonzeros");
    m_layout.entries_line = m_line.number;
  }

  void toolbox_header() {
    if (m_line.fields.size() != 1) fail_here("expected the word sptensor alone in this line");
    m_layout.format = FileFormat::sptensor;
    advance_to("the order");
    read_order();
    advance_to("the dimensions");
    read_dimensions();
    advance_to("the number of nonzeros");
    read_entries();
    data_here(advance());
  }

  /// A banner, comments, and a line of rows, columns and number of entries.
  void matrix_market_header() {
    const MatrixMarketBanner banner = read_matrix_market_banner(m_path, m_text, m_options);
    m_layout.format = FileFormat::matrix_market;
    m_layout.ones = banner.pattern;
    m_layout.symmetry = banner.symmetry;
    advance_to("the line of rows, columns and number of entries");
    if (m_line.fields.size() != 3) {
      fail_here("expected 3 fields (rows, columns and number of entries), got " +
                std::to_string(m_line.fields.size()));
    }
    m_layout.order = 2;
    m_layout.dimensions = {count_field(0, "the number of rows"),
                           count_field(1, "the number of columns")};
    m_layout.entries = count_field(2, "the number of entries");
    m_layout.dimensions_line = m_layout.entries_line = m_line.number;
    if (banner.symmetry != Symmetry::general && m_layout.dimensions[0] != m_layout.dimensions[1]) {
      fail_here("expected as many rows as columns in a symmetric matrix, got " +
                std::to_string(m_layout.dimensions[0]) + " x " +
                std::to_string(m_layout.dimensions[1]));
    }
    data_here(advance());
  }

  /// An entry has two fields at least, so a line of one starts a header.
  void order_header() {
    const std::string_view word = m_line.fields.front();
    constexpr std::array others = {"matrix", "tensor", "sumtensor"};
    if (word == "ktensor") refuse("a model");
    if (word == "ttensor") refuse("a Tucker model");
    if (std::find(others.begin(), others.end(), word) != others.end()) {
      refuse("a file of type " + in_quotes(word));
    }
    if (!to_count(word)) {
      fail_here("expected an entry, the order or the word sptensor, got " + in_quotes(word) +
                separator_hint(word));
    }
    m_layout.format = FileFormat::header;
    read_order();
    advance_to("the dimensions (a line of one number is the order of a header)");
    read_dimensions();
    if (!advance()) {
      fail(m_reader.lines(),
           "truncated: neither a number of nonzeros nor entries follow the "
           "dimensions; a tensor without entries says so by a line 0");
    }
    if (m_line.fields.size() == 1) {
      read_entries();
      data_here(advance());
    } else {
      data_here(true);
    }
  }

  /// The present line has several fields. It gives dimensions if all are whole numbers, the next
  /// line has one field and whatever follows is as wide as an entry; else it is an entry itself.
  void dimensions_header_or_none() {
    const Line first = m_line;
    const std::size_t width = first.fields.size();
    const bool whole = all_whole(first);
    if (whole && advance() && m_line.fields.size() == 1 && all_whole(m_line)) {
      const Line second = m_line;
      const bool more = advance();
      if (!more || m_line.fields.size() == width + 1 ||
          (m_line.fields.size() == width && is_entry(width))) {
        dimensions_header(first, second, more);
        return;
      }
    }
    m_line = first;
    without_header();
    for (std::size_t i = 0; whole && !is_entry(width) && i < width; ++i) {
      m_layout.suspicious_first.push_back(*to_count(first.fields[i]));
    }
  }

  void dimensions_header(const Line& first, const Line& second, bool more) {
    const Line third = m_line;
    m_layout.format = FileFormat::header;
    m_line = first;
    set_order(first.fields.size());
    read_dimensions();
    m_line = second;
    read_entries();
    m_line = third;
    data_here(more);
  }

  static bool all_whole(const Line& line) {
    return std::all_of(line.fields.begin(), line.fields.end(),
                       [](std::string_view field) { return to_count(field).has_value(); });
  }

  void without_header() {
    if (m_entries) {
      set_order(m_options.dimensions.size());
      data_here(true);
      return;
    }
    if (m_line.fields.size() < 2) {
      fail_here("expected at least 2 fields (a subscript and a value), got 1");
    }
    set_order(m_line.fields.size() - 1);
    data_here(true);
  }

  void override_dimensions() {
    if (m_options.dimensions.empty()) return;
    if (m_options.dimensions.size() != m_layout.order) {
      throw Error::of_order(m_path, m_options.dimensions.size(), m_layout.order);
    }
    m_layout.dimensions = m_options.dimensions;
    m_layout.dimensions_line = 0;
    if (m_layout.symmetry != Symmetry::general &&
        m_options.dimensions[0] != m_options.dimensions[1]) {
      fail(0, "the options give different dimensions for a symmetric matrix");
    }
  }

  const std::string& m_path;
  std::string_view m_text;
  const ReadOptions& m_options;
  bool m_entries;
  LineReader m_reader;
  Line m_line;
  TextLayout m_layout;
};

}  // namespace

TextLayout detect_layout(const std::string& path, std::string_view text, const ReadOptions& options,
                         TextContent content) {
  refuse_other_forms(path, text);
  if (is_table(text, options)) {
    throw Error::in_file(path, 1,
                         "expected a tensor that can be read in parts, got a table: " +
                             error_text::remedy("write_binary_sptensor") +
                             " makes a tensor in the binary form of it (.gtn)");
  }
  return LayoutDetector(path, text, options, content).detect();
}

}  // namespace genten::detail
