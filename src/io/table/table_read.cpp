// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_read.hpp"

#include "../../base/column_words.hpp"
#include "../../base/names_in_option.hpp"
#include "../file/memory.hpp"
#include "../text/duplicates.hpp"
#include "../text/encoding.hpp"
#include "../text/tns_whole.hpp"
#include "../text/wrong_value.hpp"
#include "table_columns.hpp"
#include "table_texts.hpp"

#include <genten/base/error.hpp>

#include <algorithm>

namespace genten::detail {

namespace {

constexpr std::size_t longest_32 = std::numeric_limits<std::uint32_t>::max();

/// What is known of a table before its numbers are.
struct Table {
  const HostExec& host;
  const std::string& path;
  const Bytes& text;
  const ReadOptions& options;
  TextContent content;
  TableLayout layout;
  std::vector<TableBlock> blocks = {};
  std::vector<ModeColumn> columns = {};

  [[nodiscard]] std::size_t order() const { return layout.modes.size(); }
  [[nodiscard]] std::size_t rows() const { return blocks.back().row + blocks.back().rows; }
  [[nodiscard]] bool is_text(std::size_t n) const { return columns[n].kind == ColumnKind::text; }
  [[nodiscard]] std::string name(std::size_t n) const {
    return column_name(layout, layout.modes[n]);
  }
  [[nodiscard]] BlockWork work() const { return {options.threads, options.meter}; }
  [[nodiscard]] std::uint64_t base() const { return first_subscript(options.index_base, 0); }
};

/// Throws Error for columns that may hold subscripts or values where nothing says which do.
void refuse_ambiguous(const Table& table) {
  std::vector<std::string> whole;
  for (std::size_t n = 0; n < table.order(); ++n) {
    if (!table.is_text(n)) whole.push_back(table.layout.columns[table.layout.modes[n]]);
  }
  if (whole.empty()) return;
  if (const std::string wide = wide_table(table.layout.columns, whole); !wide.empty()) {
    throw Error::in_file(table.path, 1, wide);
  }
  std::string named;
  for (const std::string& name : whole) named += (named.empty() ? "" : " and ") + in_quotes(name);
  const bool one = whole.size() == 1;
  // Of columns that are as likely the last one, as tables most often have it.
  std::stable_sort(whole.begin(), whole.end(), [](const std::string& a, const std::string& b) {
    return likeness_to_values(a) < likeness_to_values(b);
  });
  std::vector<std::string> others = table.layout.columns;
  std::erase(others, whole.back());
  const std::string modes = beside_values(others);
  throw Error::in_file(
      table.path, 1,
      (one ? "column " : "columns ") + named + (one ? " holds" : " hold") +
          " whole numbers, which may be values or the subscripts of a mode: expected the name of "
          "the column of values, as in " +
          error_text::option("values", whole.back()) + modes +
          (one || !modes.empty() ? "" : ", beside which the others are modes") +
          ", or those of the modes, by " + error_text::option("modes") + ", to count rows" +
          (whole.size() >= fewest_of_one_quantity ? "; " + melt_hint() : ""));
}

/// The lengths of modes whose columns hold subscripts; 0 for others.
std::vector<std::size_t> lengths_of(const Table& table) {
  const auto& given = table.options.dimensions;
  if (!given.empty() && given.size() != table.order()) {
    throw Error::in_file(table.path, 1,
                         "expected " + counted(given.size(), "column") +
                             ", one for each dimension, that are modes, got " +
                             std::to_string(table.order()));
  }
  // The columns of a list of fields may be in another order.
  const bool counts = !given.empty() && table.content == TextContent::entries;
  std::vector<std::size_t> lengths;
  for (std::size_t n = 0; n < table.order(); ++n) {
    const ModeColumn& column = table.columns[n];
    if (table.is_text(n)) {
      lengths.push_back(0);
      continue;
    }
    if (column.smallest < table.base()) {
      throw Error::in_file(table.path, 0,
                           table.name(n) + ": expected subscripts that count from 1, got 0");
    }
    const std::size_t length = column.largest - table.base() + 1;
    if (!counts) {
      lengths.push_back(length);
      continue;
    }
    if (given[n] < length) {
      throw Error::in_file(table.path, 0,
                           table.name(n) + ": expected subscripts below the dimension " +
                               std::to_string(given[n]) + ", got " +
                               std::to_string(column.largest - table.base()) + " counting from 0");
    }
    lengths.push_back(given[n]);
  }
  return lengths;
}

/// The line of a record.
std::size_t line_of(const Table& table, std::size_t row) {
  const auto behind = std::upper_bound(
      table.blocks.begin(), table.blocks.end(), row,
      [](std::size_t wanted, const TableBlock& block) { return wanted < block.row; });
  const TableBlock& block = *(behind - 1);
  std::vector<char> buffer;
  const TableRecords records(table.text, block, buffer);
  std::size_t left = row - block.row;
  const char* place = nullptr;
  const auto take = [&](std::size_t column, const TableField& field) {
    if (column == 0) place = field.text.data();
    return std::optional<TableError>();
  };
  const auto end = [&] {
    return left-- == 0 ? std::optional(TableError{place, ""}) : std::nullopt;
  };
  const auto found = for_each_record(records, table.layout, take, end);
  return found ? line_of(table.text, records.place(found->at)) : 0;
}

/// Cuts a table into blocks and looks at its columns.
Table table_of(const HostExec& host, const FileContent& file, const ReadOptions& options,
               TextContent content) {
  Table table{host,    file.path(), file.content(),
              options, content,     table_layout(file.path(), file.head(), options)};
  table.blocks = cut_table(host, table.path, table.text, table.layout.data_offset,
                           std::min(options.block_bytes, most_parsed), table.work());
  table.columns =
      look_at_columns(host, table.path, table.text, table.layout, options, table.blocks);
  return table;
}

/// Reads the numbers of a table with one choice of types.
template <class Scalar, class Ordinal>
class TableReader {
 public:
  using Arrays = TensorArrays<Scalar, Ordinal>;

  TableReader(const Table& table, std::vector<std::size_t> lengths)
      : m_table(table), m_lengths(std::move(lengths)) {}

  Arrays read(ReadReport& report) {
    const std::size_t rows = m_table.rows(), order = m_table.order();
    require_memory(m_table.path, "a tensor of up to " + counted(rows, "nonzero"),
                   saturating_product(rows, order * sizeof(Ordinal) + sizeof(Scalar)),
                   m_table.options.memory_limit);
    m_arrays = allocate_arrays<Scalar, Ordinal>(order, rows);
    const std::size_t workers =
        worker_count(m_table.host, m_table.blocks.size(), m_table.options.threads);
    for (std::size_t worker = 0; worker < workers; ++worker) m_texts.emplace_back(order);
    m_points.resize(workers);
    m_rounded.resize(m_table.blocks.size());
    m_workers.resize(m_table.blocks.size());
    m_table.work().begin("reading", m_table.blocks.size());
    for_each_table_block("genten::read_table", m_table.host, m_table.path, m_table.text,
                         m_table.blocks, m_table.work(),
                         [&](std::size_t i, const TableRecords& records, std::size_t worker) {
                           m_workers[i] = worker;
                           const TableBlock& block = m_table.blocks[i];
                           return read_block(records, block.row, block.row + block.rows,
                                             m_texts[worker], m_points[worker], m_rounded[i]);
                         });
    refuse_ambiguous_points();
    for (const RoundedValues<std::size_t>& found : m_rounded) {
      if (report.rounded == 0 && found.count != 0) {
        report.rounded_line = line_of(m_table.text, found.first);
      }
      report.rounded += found.count;
    }
    TableNames names;
    for (const std::size_t column : m_table.layout.modes) {
      names.modes.push_back(m_table.layout.columns[column]);
    }
    names.rows = number_texts();
    refuse_no_header(names);
    names.ones = !m_table.layout.has_values;
    m_arrays.dimensions = m_lengths;
    m_arrays.checked = true;  // record by record
    report.entries = rows;
    if (m_table.content == TextContent::entries) merge_duplicates(report);
    report.table = std::make_shared<const TableNames>(std::move(names));
    return std::move(m_arrays);
  }

 private:
  std::optional<TableError> read_block(const TableRecords& records, std::size_t row,
                                       std::size_t end, std::vector<DistinctTexts>& texts,
                                       PointsSeen& seen, RoundedValues<std::size_t>& rounded) {
    const std::size_t order = m_table.order();
    // What the first pass has counted and looked at may be gone: the file is then said to have
    // changed, once all is read.
    const auto changed = [&] { return TableError{records.text.data(), "the file was changed"}; };
    return for_each_record(
        records, m_table.layout,
        [&](std::size_t column, const TableField& field) -> std::optional<TableError> {
          if (row >= end) return changed();
          const auto mode = static_cast<std::size_t>(m_table.layout.roles[column]);
          if (mode == order) {
            auto wrong = read_value_of(column, field, records, m_arrays.values(row), seen);
            if (!wrong) {
              rounded.see(trimmed(field.text), m_arrays.values(row),
                          records.place(field.text.data()));
            }
            return wrong;
          }
          if (mode > order) return std::nullopt;
          if (m_table.is_text(mode)) {
            m_arrays.subscripts(row, mode) = static_cast<Ordinal>(texts[mode].number(field));
            return std::nullopt;
          }
          const auto whole = to_whole_number(field.text);
          if (!whole) return changed();
          m_arrays.subscripts(row, mode) = static_cast<Ordinal>(whole->magnitude - m_table.base());
          return std::nullopt;
        },
        [&]() -> std::optional<TableError> {
          if (row >= end) return changed();
          if (!m_table.layout.has_values) m_arrays.values(row) = 1;
          ++row;
          return std::nullopt;
        });
  }

  /// Reads a field of the values. Those of a table that says nothing of its points are `seen`.
  std::optional<TableError> read_value_of(std::size_t column, const TableField& field,
                                          const TableRecords& records, Scalar& value,
                                          PointsSeen& seen) const {
    constexpr std::ptrdiff_t looked_at = 16;  // beyond a number
    const std::string_view number = trimmed(field.text);
    const Decimal decimal = m_table.options.decimal;
    const auto wrong = [&](const std::string& message) {
      return TableError{field.text.data(), column_name(m_table.layout, column) + ": " + message};
    };
    const auto read_plain = [&](const std::string& plain) {
      const bool is_good = to_value(plain, value) == ValueStatus::good;
      return is_good ? std::nullopt : std::optional(wrong(wrong_value<Scalar>(plain)));
    };
    if (decimal == Decimal::comma && number.find('.') != number.npos) {
      if (is_grouped(number, '.')) return read_plain(without_marks(number, '.'));
      return wrong(
          "expected a number with a decimal comma, and points between thousands alone, "
          "got " +
          in_quotes(number) + other_decimal_hint(number, decimal));
    }
    if (decimal == Decimal::comma && is_decimal_comma(number)) {
      return read_plain(with_decimal_point(number));
    }
    if (decimal == Decimal::point && is_grouped(number, ',')) {
      return read_plain(without_marks(number, ','));
    }
    const char* p = number.data();
    const char* const end = p + number.size();
    const bool is_last = records.end() - end < looked_at;
    const ValueStatus status = is_last ? to_value(number, value) : read_value(p, end, value);
    if (status == ValueStatus::good && (is_last || p == end)) {
      if (decimal == Decimal::automatic) seen.see(number, records.place(number.data()));
      return std::nullopt;
    }
    if (is_missing(m_table.layout, column, field)) {
      return TableError{
          field.text.data(), missing_value(m_table.layout, column, field.text),
          [this] { return missing_in_all(m_table.text, m_table.layout, m_table.blocks); }};
    }
    const std::string hint = other_decimal_hint(number, decimal);
    TableError error = wrong(wrong_value<Scalar>(number) + hint);
    if (!hint.empty()) return error;
    error.more = [this, column, field = std::string(number)] {
      const std::string of_number =
          number_hint(field, m_table.options,
                      refused_numbers(m_table.text, m_table.layout, m_table.blocks, column));
      if (!of_number.empty()) return of_number;
      return mark_hint(m_table.text, m_table.layout, m_table.blocks, column, field);
    };
    return error;
  }

  /// Throws Error where points of values may stand between thousands.
  void refuse_ambiguous_points() const {
    PointsSeen seen;
    for (const PointsSeen& each : m_points) seen.add(each);
    if (!seen.are_ambiguous(m_table.layout.delimiter)) return;
    constexpr std::size_t longest = 32;
    std::vector<char> buffer;
    const std::size_t left = m_table.text.size() - seen.first;
    std::string_view number = m_table.text.load(seen.first, std::min(left, longest), buffer);
    number = number.substr(0, number.find_first_not_of("+-.0123456789"));
    const auto& roles = m_table.layout.roles;
    const auto values = std::find(roles.begin(), roles.end(), static_cast<int>(m_table.order()));
    const auto column = static_cast<std::size_t>(values - roles.begin());
    throw Error::in_file(m_table.path, line_of(m_table.text, seen.first),
                         column_name(m_table.layout, column) + ": " + ambiguous_points(number));
  }

  /// Puts the numbers of sorted texts in the place of those in which they came; returns the texts
  /// of all modes.
  std::vector<std::vector<std::string>> number_texts() {
    std::vector<std::vector<std::string>> rows(m_table.order());
    for (std::size_t n = 0; n < m_table.order(); ++n) {
      if (!m_table.is_text(n)) continue;
      std::vector<const DistinctTexts*> found;
      for (const auto& of_modes : m_texts) found.push_back(&of_modes[n]);
      SortedTexts sorted =
          sort_texts(found, [&](std::string_view text) { return in_utf8(text, n); });
      for_each_block("genten::number_texts", m_table.host, m_texts.size(), m_table.blocks.size(),
                     [&](std::size_t i, std::size_t) {
                       const auto& places = sorted.places[m_workers[i]];
                       const TableBlock& block = m_table.blocks[i];
                       for (std::size_t row = block.row; row < block.row + block.rows; ++row) {
                         Ordinal& subscript = m_arrays.subscripts(row, n);
                         subscript = static_cast<Ordinal>(places[subscript]);
                       }
                     });
      const auto& given = m_table.options.dimensions;
      const bool counts = !given.empty() && m_table.content == TextContent::entries;
      if (counts && given[n] != sorted.texts.size()) {
        throw Error::in_file(m_table.path, 0,
                             m_table.name(n) + ": expected " + std::to_string(given[n]) +
                                 " texts, as many as the dimension says, got " +
                                 std::to_string(sorted.texts.size()));
      }
      m_lengths[n] = sorted.texts.size();
      rows[n] = std::move(sorted.texts);
    }
    return rows;
  }

  /// Throws Error where the first line looks like one more record: some of its names are texts of
  /// the columns that they name, too, which nobody has named.
  void refuse_no_header(const TableNames& names) const {
    const auto& layout = m_table.layout;
    if (!m_table.options.modes.empty()) return;
    const auto values = static_cast<int>(m_table.order());
    for (std::size_t column = 0; layout.has_values && column < layout.columns.size(); ++column) {
      // What names the values can be none, so that the line is no record.
      const std::string& name = layout.columns[column];
      double number = 0.0;
      const bool is_number = to_value(name, number) != ValueStatus::not_a_number;
      if (layout.roles[column] == values && !is_number) return;
    }
    std::string line;
    std::size_t recurring = 0;
    for (std::size_t n = 0; n < names.modes.size(); ++n) {
      const auto& rows = names.rows[n];
      const std::string& name = names.modes[n];
      if (!std::binary_search(rows.begin(), rows.end(), name)) continue;
      ++recurring;
      line += (line.empty() ? "" : ", ") + in_quotes(name);
    }
    if (recurring == 0) return;
    throw Error::in_file(
        m_table.path, 1,
        std::string("expected a first line that names the columns, got ") +
            (recurring == names.modes.size() ? "an entry, " : "what may be an entry, with ") +
            line +
            (recurring == 1 ? ", whose text this column has again below"
                            : ", whose texts these columns have again below") +
            ": put a line of names before it; where it is the header, " + way_of_header(names));
  }

  /// What says that the first line is a header.
  [[nodiscard]] std::string way_of_header(const TableNames& names) const {
    if (const std::size_t line = header_again(); line != 0) {
      return "leave line " + std::to_string(line) + " out, which repeats it";
    }
    return error_text::option("modes", names_in_option(names.modes)) + " says so";
  }

  /// The line of a record that is the header once more, as where files were joined; 0: there is
  /// none.
  [[nodiscard]] std::size_t header_again() const {
    std::string header;
    for (const std::string& column : m_table.layout.columns) {
      if (!header.empty()) header += m_table.layout.delimiter;
      if (!header.empty() && m_table.layout.skips_blanks) header += ' ';
      header += column;
    }
    const auto is_end = [](char c) { return c == '\n' || c == '\r'; };
    std::vector<char> buffer;
    for (const TableBlock& block : m_table.blocks) {
      const TableRecords records(m_table.text, block, buffer);
      const std::string_view text = records.text;
      for (std::size_t at = text.find(header); at != std::string_view::npos;
           at = text.find(header, at + 1)) {
        const std::size_t end = at + header.size();
        if (at != 0 && !is_end(text[at - 1])) continue;
        if (end == text.size() || is_end(text[end]))
          return line_of(m_table.text, records.begin + at);
      }
    }
    return 0;
  }

  /// A text of a mode in UTF-8. Throws Error, with its line, for one that is in another encoding
  /// than the options say.
  [[nodiscard]] std::string in_utf8(std::string_view text, std::size_t n) const {
    const bool recodes = m_table.options.encoding != Encoding::utf8;
    if (!recodes && is_utf8(text)) return std::string(text);
    std::size_t line = 0;
    std::vector<char> buffer;
    for (std::size_t i = 0; !recodes && line == 0 && i < m_table.blocks.size(); ++i) {
      const TableRecords records(m_table.text, m_table.blocks[i], buffer);
      const std::size_t at = records.text.find(text);
      if (at != std::string_view::npos) line = line_of(m_table.text, records.begin + at);
    }
    return text_of(m_table.path, line, m_table.name(n), std::string(text), m_table.options);
  }

  /// As Python does: the nonzeros stay in their order where there are none, and are sorted where
  /// some were merged.
  void merge_duplicates(ReadReport& report) {
    const auto found = find_duplicates(m_table.host, m_table.path, m_arrays, m_table.rows(), false,
                                       m_table.work(), m_table.options.memory_limit);
    m_arrays.facts = found.facts;
    if (found.duplicates == 0) return;
    if (m_table.options.duplicates == Duplicates::refuse) {
      throw Error::in_file(m_table.path, line_of(m_table, found.second),
                           repeated_entry(line_of(m_table, found.first), found.duplicates));
    }
    report.as_listed = summary_of(m_table.host, m_arrays.values, m_table.rows());
    m_arrays.facts = merge_sorted(m_table.host, m_table.path, m_arrays, m_table.rows(),
                                  m_table.options.duplicates, m_table.options.memory_limit);
    const auto kept = Kokkos::make_pair(std::size_t{0}, m_table.rows() - found.duplicates);
    m_arrays.subscripts = Kokkos::subview(m_arrays.subscripts, kept, Kokkos::ALL());
    m_arrays.values = Kokkos::subview(m_arrays.values, kept);
    report.duplicates = found.duplicates;
  }

  const Table& m_table;
  std::vector<std::size_t> m_lengths;
  Arrays m_arrays;
  std::vector<std::vector<DistinctTexts>> m_texts;    ///< by worker and mode
  std::vector<PointsSeen> m_points;                   ///< by worker, of the values
  std::vector<RoundedValues<std::size_t>> m_rounded;  ///< by block
  std::vector<std::size_t> m_workers;                 ///< who read a block
};

}  // namespace

std::size_t line_of_record(const HostExec& host, const FileContent& file,
                           const ReadOptions& options, std::size_t record) {
  return line_of(table_of(host, file, options, TextContent::lines), record);
}

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_table(const HostExec& host, const FileContent& file,
                                   const ReadOptions& options, OrdinalWidth width,
                                   TextContent content, ReadReport& report) {
  const Table table = table_of(host, file, options, content);
  if (content == TextContent::entries && options.modes.empty() && !table.layout.has_values) {
    refuse_ambiguous(table);
  }
  report.index_base = index_base_of(table.base());
  report.lines = table.rows() + 1;
  auto lengths = lengths_of(table);
  // Of use where they may count from 1 after all: who gives the base knows.
  const bool numbers = std::any_of(table.columns.begin(), table.columns.end(),
                                   [](const auto& each) { return each.kind != ColumnKind::text; });
  const bool is_guess = numbers && options.index_base == IndexBase::automatic;
  for (std::size_t n = 0; n < table.order() && is_guess; ++n) {
    report.first_subscripts.push_back(table.is_text(n) ? 0 : table.columns[n].smallest);
  }
  // No column has more texts than there are rows.
  const std::size_t longest =
      std::max(table.rows(), *std::max_element(lengths.begin(), lengths.end()));
  if (width == OrdinalWidth::bits32 && longest > longest_32) {
    throw Error::in_file(table.path, 0, "a mode is too long for 32-bit ordinals: use 64-bit ones");
  }
  if (width == OrdinalWidth::bits64 || longest > longest_32) {
    return TableReader<Scalar, std::uint64_t>(table, std::move(lengths)).read(report);
  }
  return TableReader<Scalar, std::uint32_t>(table, std::move(lengths)).read(report);
}

template AnyTensorArrays<float> read_table(const HostExec&, const FileContent&, const ReadOptions&,
                                           OrdinalWidth, TextContent, ReadReport&);
template AnyTensorArrays<double> read_table(const HostExec&, const FileContent&, const ReadOptions&,
                                            OrdinalWidth, TextContent, ReadReport&);

}  // namespace genten::detail
