// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_layout.hpp"

#include "../text/encoding.hpp"
#include "../text/text_lines.hpp"
#include "table_fields.hpp"

#include <genten/base/error.hpp>
#include <genten/base/types.hpp>

#include <algorithm>

namespace genten::detail {

namespace {

/// The separator that a first line "sep=;" names, as Excel writes it, and behind that line the
/// text;
/// '\0' where there is none.
struct NamedSeparator {
  char separator = '\0';
  std::string_view rest;
};

NamedSeparator named_separator(std::string_view text) {
  constexpr std::string_view begin = "sep=", known = ",;\t|";
  text.remove_prefix(byte_order_mark(text));
  const NamedSeparator none{'\0', text};
  if (!text.starts_with(begin) || text.size() == begin.size()) return none;
  const char separator = text[begin.size()];
  text.remove_prefix(begin.size() + 1);
  if (text.starts_with('\r')) text.remove_prefix(1);
  if (!text.starts_with('\n') || known.find(separator) == std::string_view::npos) return none;
  return {separator, text.substr(1)};
}

/// The fields of the first record that is not empty, and what ended it.
struct HeaderRecord {
  std::vector<TableField> fields;
  const char* end = nullptr;
  const char* wrong = nullptr;  ///< null: nothing
};

HeaderRecord read_header(std::string_view text, char delimiter) {
  text = named_separator(text).rest;
  FieldReader reader(delimiter, text.data(), text.data() + text.size());
  while (reader.skip_empty_line()) {
  }
  HeaderRecord header;
  FieldEnd end = FieldEnd::delimiter;
  while (end == FieldEnd::delimiter) {
    TableField field;
    end = reader.next(field);
    if (end != FieldEnd::wrong) header.fields.push_back(field);
  }
  header.end = reader.at();
  header.wrong = reader.wrong();
  return header;
}

char delimiter_of(std::string_view text) {
  const char named = named_separator(text).separator;
  if (named != '\0') return named;
  const auto fields = [&](char delimiter) {
    const HeaderRecord header = read_header(text, delimiter);
    return header.wrong == nullptr ? header.fields.size() : 0;
  };
  if (fields('\t') > 1) return '\t';  // which names hardly have
  const std::size_t commas = std::max<std::size_t>(fields(','), 1);
  if (fields(';') > commas) return ';';
  return fields('|') > commas ? '|' : ',';
}

std::string names_of(const std::vector<std::string>& columns) {
  std::string names;
  for (const std::string& name : columns) names += (names.empty() ? "" : ", ") + in_quotes(name);
  return names;
}

/// Sorts out which column is what.
class ColumnRoles {
 public:
  ColumnRoles(const std::string& path, const ReadOptions& options, TableLayout& layout)
      : m_path(path), m_options(options), m_layout(layout) {}

  void find() {
    auto& [delimiter, columns, roles, modes, has_values, offset] = m_layout;
    roles.assign(columns.size(), TableLayout::unused);
    has_values = !m_options.values.empty();
    if (m_options.modes.empty()) {
      for (std::size_t column = 0; column < columns.size(); ++column) {
        if (!has_values || columns[column] != m_options.values) modes.push_back(column);
      }
    }
    for (const std::string& name : m_options.modes) modes.push_back(place("modes", name));
    if (has_values) roles[place("values", m_options.values)] = static_cast<int>(modes.size());
    if (modes.empty() || modes.size() > static_cast<std::size_t>(max_order)) {
      fail("expected 1 to " + std::to_string(max_order) + " columns that are modes, got " +
           std::to_string(modes.size()) + "; the table has " + names_of(columns));
    }
    for (std::size_t n = 0; n < modes.size(); ++n) take_mode(n);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error::in_file(m_path, 1, message);
  }
  [[noreturn]] void fail_of(const char* option, const std::string& message) const {
    throw Error(Error::Fields{.kind = Error::Kind::file,
                              .path = m_path,
                              .line = 1,
                              .option = option,
                              .complaint = message});
  }

  /// Whether the first line may be one of names, not a comment or numbers as in a text of entries.
  [[nodiscard]] bool is_header() const {
    const auto& columns = m_layout.columns;
    const std::string& first = columns.front();
    if (first.starts_with('#') || first.starts_with('%')) return false;
    return !std::all_of(columns.begin(), columns.end(), [](const std::string& name) {
      return name.find_first_not_of("0123456789.eE+- \t") == std::string::npos;
    });
  }

  /// The column of that name.
  std::size_t place(const char* option, const std::string& name) const {
    const auto& columns = m_layout.columns;
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end() && !is_header()) {
      fail_of(option,
              "expected a table, whose first line names its columns, got a text of subscripts and "
              "values, where this means nothing");
    }
    if (found == columns.end()) {
      throw Error(Error::Fields{.kind = Error::Kind::file,
                                .path = m_path,
                                .line = 1,
                                .option = option,
                                .found = name,
                                .complaint = "expected one of the columns " + names_of(columns) +
                                             ", got " + in_quotes(name)});
    }
    return static_cast<std::size_t>(found - columns.begin());
  }

  void take_mode(std::size_t n) {
    const std::size_t column = m_layout.modes[n];
    const std::string& name = m_layout.columns[column];
    const auto& columns = m_layout.columns;
    if (name.empty()) {
      fail("column " + std::to_string(column + 1) +
           " has no name, as where it holds the numbers of rows: expected a name, or the names of "
           "the columns that are modes");
    }
    if (std::count(columns.begin(), columns.end(), name) > 1) {
      fail("expected columns of different names, got " + in_quotes(name) + " several times");
    }
    if (m_layout.roles[column] != TableLayout::unused) {
      fail("expected each column once, as a mode or that of the values, got " + in_quotes(name) +
           " twice");
    }
    m_layout.roles[column] = static_cast<int>(n);
  }

  const std::string& m_path;
  const ReadOptions& m_options;
  TableLayout& m_layout;
};

/// Whether a field may name a column, so that the line is no entry and no comment.
bool may_be_name(const TableField& field) {
  constexpr std::string_view others = "0123456789+-.#%/";
  const std::string_view text = trimmed(field.text);
  return !text.empty() && others.find(text.front()) == std::string_view::npos;
}

}  // namespace

std::string_view trimmed(std::string_view field) {
  while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field;
}

bool is_table(std::string_view text, const ReadOptions& options) {
  if (!options.values.empty() || !options.modes.empty()) return true;
  if (options.header == Header::none) return false;
  const HeaderRecord header = read_header(text, delimiter_of(text));
  if (header.wrong != nullptr || header.fields.size() < 2) return false;
  // Numbers of rows have no name in what pandas writes.
  const auto first = header.fields.begin() + (header.fields.front().text.empty() ? 1 : 0);
  return std::all_of(first, header.fields.end(), may_be_name);
}

std::string text_of(const std::string& path, std::size_t line, const std::string& what,
                    std::string text, const ReadOptions& options) {
  if (options.encoding == Encoding::latin1) {
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
    if (plain || !is_utf8(text)) return utf8_of_latin1(text);
    throw Error::in_file(path, line,
                         what + ": expected text in Latin-1, got " + in_quotes(text) +
                             ", which is UTF-8: it is read without an encoding");
  }
  if (is_utf8(text)) return text;
  throw Error::in_file(path, line,
                       what + ": expected text in UTF-8, got " + in_quotes(text) + ": " +
                           error_text::option("encoding", "latin-1") +
                           " reads Western European text, also of Windows; "
                           "for others iconv -f ENCODING -t utf-8 makes a file in UTF-8");
}

std::vector<std::string> header_columns(const std::string& path, std::string_view text,
                                        const ReadOptions& options) {
  const HeaderRecord header = read_header(text, delimiter_of(text));
  if (header.wrong != nullptr) throw Error::in_file(path, 1, header.wrong);
  std::vector<std::string> columns;
  for (const TableField& field : header.fields) {
    columns.push_back(text_of(path, 1, "the names of columns", field.value(), options));
  }
  return columns;
}

TableLayout table_layout(const std::string& path, std::string_view text,
                         const ReadOptions& options) {
  if (options.header == Header::none) {
    throw Error::in_file(path, 0, "columns are named by a header, which the options say is none");
  }
  TableLayout layout;
  layout.delimiter = delimiter_of(text);
  const HeaderRecord header = read_header(text, layout.delimiter);
  layout.columns = header_columns(path, text, options);
  layout.data_offset = static_cast<std::size_t>(header.end - text.data());
  ColumnRoles(path, options, layout).find();
  return layout;
}

}  // namespace genten::detail
