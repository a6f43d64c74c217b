// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_layout.hpp"

#include "../../base/period_words.hpp"
#include "../text/encoding.hpp"
#include "../text/separators.hpp"
#include "../text/text_lines.hpp"
#include "table_fields.hpp"
#include "wide_table.hpp"

#include <genten/base/error.hpp>
#include <genten/base/types.hpp>

#include <algorithm>
#include <array>
#include <functional>

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
  bool has_blanks = false;      ///< behind each delimiter
};

HeaderRecord read_record(std::string_view text, char delimiter, bool skips_blanks) {
  const char* const text_end = text.data() + text.size();
  FieldReader reader(delimiter, skips_blanks, text.data(), text_end);
  while (reader.skip_empty_line()) {
  }
  HeaderRecord header;
  FieldEnd end = FieldEnd::delimiter;
  std::size_t blanks = 0;
  while (end == FieldEnd::delimiter) {
    TableField field;
    if (!header.fields.empty() && reader.at() != text_end && *reader.at() == ' ') ++blanks;
    end = reader.next(field);
    if (end != FieldEnd::wrong) header.fields.push_back(field);
  }
  header.end = reader.at();
  header.wrong = reader.wrong();
  header.has_blanks = header.wrong == nullptr && blanks != 0 && blanks + 1 == header.fields.size();
  return header;
}

HeaderRecord read_header(std::string_view text, char delimiter) {
  text = named_separator(text).rest;
  // Once would not do: one way drops the blanks of names, the other refuses quotes behind blanks.
  HeaderRecord header = read_record(text, delimiter, true);
  return header.has_blanks ? header : read_record(text, delimiter, false);
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

constexpr std::string_view name_columns = "put a line with the names of the columns before it";

/// The last line that may name the columns below others.
constexpr std::size_t last_header = 20;

bool begins_number(const std::string& field) {
  return !field.empty() && (is_digit(field.front()) || field.front() == '-');
}

/// Sorts out which column is what.
class ColumnRoles {
 public:
  ColumnRoles(const std::string& path, std::string_view text, const ReadOptions& options,
              TableLayout& layout)
      : m_path(path), m_text(text), m_options(options), m_layout(layout) {}

  void find() {
    refuse_numbers();
    auto& [delimiter, skips, columns, roles, modes, has_values, offset] = m_layout;
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
           std::to_string(modes.size()) + "; the table has " + names_of(columns) +
           (modes.empty() ? "" : "; " + melt_hint()));
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

  [[nodiscard]] bool are_numbers() const {
    const auto& columns = m_layout.columns;
    return std::all_of(columns.begin(), columns.end(), [](const std::string& name) {
      return name.find_first_not_of("0123456789.eE+- \t") == std::string::npos;
    });
  }

  /// Whether the first line may be one of names, not a comment or numbers as in a text of entries.
  [[nodiscard]] bool is_header() const {
    const std::string& first = m_layout.columns.front();
    return !first.starts_with('#') && !first.starts_with('%') && !are_numbers();
  }

  [[nodiscard]] bool has_column(const std::string& name) const {
    const auto& columns = m_layout.columns;
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  }

  /// Throws Error where the fields of the first line are numbers, which may be those of an entry.
  /// They are names where the options name the modes and the values by them, and where they are
  /// 0, 1, 2, as pandas calls columns without names.
  void refuse_numbers() const {
    const auto& columns = m_layout.columns;
    if (columns.size() < 2 || !are_numbers()) return;
    const std::size_t first = columns.front().empty() ? 1 : 0;  // numbers of rows have no name
    bool counted_on = true;
    for (std::size_t i = first; i < columns.size(); ++i) {
      counted_on = counted_on && columns[i] == std::to_string(i - first);
    }
    const auto& modes = m_options.modes;
    const bool has_values = !m_options.values.empty() && has_column(m_options.values);
    const bool has_modes =
        !modes.empty() &&
        std::all_of(modes.begin(), modes.end(), [&](const auto& name) { return has_column(name); });
    if (counted_on || (has_modes && has_values)) return;
    if (!m_options.values.empty() && !has_values) return;  // which is refused by its name
    fail("expected a first line that names the columns, got numbers alone, " + names_of(columns) +
         ": if it is an entry, " + std::string(name_columns) + "; if it is the header, " +
         error_text::option("modes") + " and " + error_text::option("values") +
         " name its columns");
  }

  /// The column of that name.
  std::size_t place(const char* option, const std::string& name) const {
    const auto& columns = m_layout.columns;
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) {
      const std::string hint = header_hint(name);
      if (hint.empty() && !is_header()) {
        std::string message =
            "expected a table, whose first line names its columns, got a text of subscripts and "
            "values, whose columns have no names: leave the option out";
        if (columns.size() > 1)
          message.append("; in a table whose first line is an entry, ").append(name_columns);
        fail_of(option, message);
      }
      throw Error(Error::Fields{.kind = Error::Kind::file,
                                .path = m_path,
                                .line = 1,
                                .option = option,
                                .found = name,
                                .complaint = "expected one of the columns " + names_of(columns) +
                                             ", got " + in_quotes(name) + hint});
    }
    return static_cast<std::size_t>(found - columns.begin());
  }

  /// What a message ends with where the first line may not be that of the names of columns, of
  /// which one is looked for; "" of others.
  [[nodiscard]] std::string header_hint(const std::string& name) const {
    if (const std::size_t line = line_with(name); line != 0) {
      return "; line " + std::to_string(line) +
             " has a column of that name: remove the lines above it";
    }
    const auto& columns = m_layout.columns;
    if (columns.size() == 1 && has_names_alone(columns.front())) {
      return std::string("; in tables ") + table_separators;
    }
    const bool is_entry = is_header() && std::any_of(columns.begin(), columns.end(), begins_number);
    return is_entry ? "; if the first line is an entry, " + std::string(name_columns) : "";
  }

  /// The line among the next ones with that field; 0 where none has it, or where the first line
  /// names as many columns.
  [[nodiscard]] std::size_t line_with(const std::string& name) const {
    const auto& columns = m_layout.columns;
    const auto named = static_cast<std::size_t>(std::count_if(
        columns.begin(), columns.end(), [](const std::string& each) { return !each.empty(); }));
    std::string_view rest = m_text;
    for (std::size_t line = 1; line <= last_header && !rest.empty(); ++line) {
      const HeaderRecord record = read_header(rest.substr(0, rest.find('\n')), delimiter_of(rest));
      const bool has_it =
          record.wrong == nullptr &&
          std::any_of(record.fields.begin(), record.fields.end(),
                      [&](const TableField& field) { return field.value() == name; });
      if (has_it && record.fields.size() > std::max<std::size_t>(named, 1)) return line;
      rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    }
    return 0;
  }

  void take_mode(std::size_t n) {
    const std::size_t column = m_layout.modes[n];
    const std::string& name = m_layout.columns[column];
    const auto& columns = m_layout.columns;
    if (name.empty()) {
      fail("column " + std::to_string(column + 1) +
           " has no name, as where it holds the numbers of rows: expected a name, or the columns "
           "that are modes by " +
           error_text::option("modes"));
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
  std::string_view m_text;
  const ReadOptions& m_options;
  TableLayout& m_layout;
};

/// Whether a field may name a column, so that the line is no entry and no comment.
bool may_be_name(const TableField& field) {
  constexpr std::string_view others = "0123456789+-.#%/";
  const std::string_view text = trimmed(field.text);
  return !text.empty() && others.find(text.front()) == std::string_view::npos;
}

/// Whether fields name the columns of a wide table: a name, and three or more times in ascending
/// order that are written alike, as 2023-01, behind it, one after the other, beside other names.
bool is_wide(const std::vector<TableField>& fields) {
  if (!may_be_name(fields.front())) return false;
  std::vector<std::string_view> times;
  bool is_behind = false;
  for (const TableField& field : fields) {
    if (may_be_name(field)) {
      is_behind = !times.empty();
      continue;
    }
    times.push_back(trimmed(field.text));
    const bool is_time = period_called(times.back()) && times.back().size() == times.front().size();
    if (is_behind || !is_time) return false;
  }
  return times.size() >= fewest_of_one_quantity &&
         std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end();
}

/// Whether a line begins with a word that no form of text begins with.
bool begins_title(std::string_view line) {
  const std::string_view word = line.substr(0, line.find_first_of(" \t,;|\r"));
  const bool is_word =
      !word.empty() && is_utf8(line) &&
      std::string_view("0123456789+-.#%/{").find(word.front()) == std::string_view::npos;
  constexpr std::array others = {"sptensor", "ktensor", "ttensor", "matrix", "tensor", "sumtensor"};
  return is_word && std::find(others.begin(), others.end(), word) == others.end();
}

/// Number of fields of a line; 0 of one that is no record.
std::size_t fields_in(std::string_view line) {
  const HeaderRecord record = read_header(line, delimiter_of(line));
  return record.wrong == nullptr ? record.fields.size() : 0;
}

/// The first line below the first one that may name more than so many columns, as many as the line
/// below it has fields; 0 where none may.
std::size_t line_of_names(std::string_view text, std::size_t columns, const ReadOptions& options) {
  std::string_view rest = text;
  for (std::size_t line = 2; line <= last_header; ++line) {
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    if (rest.empty()) return 0;
    const std::string_view names = rest.substr(0, rest.find('\n'));
    if (rest.starts_with(',') || !is_table(names, options)) continue;
    const std::size_t fields = fields_in(names);
    std::string_view next = rest.substr(std::min(names.size() + 1, rest.size()));
    next = next.substr(0, next.find('\n'));
    if (fields > columns && fields_in(next) == fields) return line;
  }
  return 0;
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
  return std::all_of(first, header.fields.end(), may_be_name) || is_wide(header.fields);
}

void refuse_title(const std::string& path, std::string_view text, const ReadOptions& options) {
  const std::string_view title = text.substr(0, text.find('\n'));
  if (title.empty() || !begins_title(title.substr(byte_order_mark(title)))) return;
  if (const std::string hint = export_hint(text); !hint.empty()) {
    throw Error::in_file(path, 1,
                         "expected an entry or the names of columns, got " +
                             in_quotes(title.substr(0, title.find('\r'))) + hint);
  }
  const std::size_t line = line_of_names(text, 0, options);
  if (line == 0) return;
  throw Error::in_file(path, 1,
                       "expected an entry or the names of columns, got " +
                           in_quotes(title.substr(0, title.find('\r'))) + "; line " +
                           std::to_string(line) +
                           " may be that of the names: remove the lines above it");
}

std::string export_hint(std::string_view text) {
  text.remove_prefix(byte_order_mark(text));
  const std::string_view first = text.substr(0, text.find('\n'));
  std::string_view next = text.substr(std::min(first.size() + 1, text.size()));
  next = next.substr(0, next.find('\n'));
  const bool is_rule = next.find_first_not_of("-+ \r") == std::string_view::npos &&
                       next.find("--") != std::string_view::npos;
  if (is_rule && first.find('|') != std::string_view::npos) {
    return "; psql shows tables so: psql --csv writes one that is read";
  }
  const auto is_quoted = [](const TableField& field) { return field.quoted; };
  for (const char delimiter : {' ', '\t', ',', ';'}) {
    const HeaderRecord names = read_record(first, delimiter, false);
    const HeaderRecord row = read_record(next, delimiter, false);
    if (names.wrong != nullptr || row.wrong != nullptr) continue;
    if (row.fields.size() != names.fields.size() + 1 || names.fields.size() < 2) continue;
    const bool all_quoted = std::all_of(names.fields.begin(), names.fields.end(), is_quoted);
    if ((all_quoted && row.fields.front().quoted) || row.fields.front().text == "1") {
      return "; if names of rows come first, as R's write.table writes them, "
             "write.csv(x, \"FILE\", row.names = FALSE) leaves them out";
    }
  }
  return "";
}

std::string title_hint(std::string_view text, std::size_t columns) {
  const std::size_t line = line_of_names(text, columns, {});
  return line == 0 ? ""
                   : "; if line " + std::to_string(line) +
                         " is that of the names, remove the lines above it";
}

std::string text_of(const std::string& path, std::size_t line, const std::string& what,
                    std::string text, const ReadOptions& options) {
  if (text.find('\0') != std::string::npos) {
    throw Error::in_file(path, line,
                         what +
                             ": expected text, got bytes of 0, as in a binary file of another "
                             "program, which has to write it as text");
  }
  if (options.encoding == Encoding::latin1) {
    const bool plain = std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
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

namespace {

/// The names of columns that a header of a text has. Throws Error for what is none.
std::vector<std::string> columns_of(const std::string& path, std::string_view text,
                                    const HeaderRecord& header, const ReadOptions& options) {
  if (header.wrong != nullptr) throw Error::in_file(path, 1, header.wrong + export_hint(text));
  std::vector<std::string> columns;
  for (const TableField& field : header.fields) {
    columns.push_back(text_of(path, 1, "the names of columns", field.value(), options));
  }
  return columns;
}

}  // namespace

std::vector<std::string> header_columns(const std::string& path, std::string_view text,
                                        const ReadOptions& options) {
  return columns_of(path, text, read_header(text, delimiter_of(text)), options);
}

TableLayout table_layout(const std::string& path, std::string_view text,
                         const ReadOptions& options) {
  if (options.header == Header::none) {
    throw Error::in_file(path, 0, "columns are named by a header, which the options say is none");
  }
  TableLayout layout;
  layout.delimiter = delimiter_of(text);
  const HeaderRecord header = read_header(text, layout.delimiter);
  layout.columns = columns_of(path, text, header, options);
  layout.data_offset = static_cast<std::size_t>(header.end - text.data());
  layout.skips_blanks =
      header.has_blanks ||
      read_record(text.substr(layout.data_offset), layout.delimiter, true).has_blanks;
  ColumnRoles(path, text, options, layout).find();
  return layout;
}

}  // namespace genten::detail
