// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_columns.hpp"

#include "../../base/column_words.hpp"
#include "../../base/names_in_option.hpp"
#include "../../base/python_text.hpp"
#include "../text/numbers.hpp"
#include "ambiguous_columns.hpp"
#include "wide_table.hpp"

#include <genten/io/table.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

namespace genten::detail {

namespace {

/// Whether a whole number is a name, such as a zip code: 01234 is another one than 1234.
bool has_leading_zero(std::string_view whole) {
  whole = trimmed(whole);
  return whole.size() > 1 && whole.front() == '0';
}

/// Whether the column takes the field for a subscript, as far as it is known.
template <class PlaceOf>
bool take_whole(ModeColumn& column, std::string_view field, const PlaceOf& place_of) {
  if (column.kind == ColumnKind::text) return false;
  const auto whole = to_whole_number(field);
  if (!whole || has_leading_zero(field)) return false;
  if (whole->negative && column.negative == Bytes::npos) {
    column.negative = place_of(field);
  }
  column.largest = std::max(column.largest, whole->magnitude);
  column.smallest = std::min(column.smallest, whole->magnitude);
  return true;
}

template <class PlaceOf>
void look_closer(ModeColumn& column, std::string_view field, Decimal decimal,
                 const PlaceOf& place_of) {
  if (column.has_words) return;
  double value = 0.0;
  std::string_view text = trimmed(field);
  const auto found = [&] { return FoundField{std::string(field), place_of(field)}; };
  std::string with_point;
  const bool has_commas = is_decimal_comma(text) || is_grouped(text, ',');
  const bool has_marks = has_commas || is_grouped(text, '.');
  if (has_marks && column.marks.text.empty()) column.marks = found();
  if (has_marks && decimal != Decimal::automatic) {
    text = with_point = without_marks(text, decimal == Decimal::comma ? '.' : ',');
  }
  if (column.kind == ColumnKind::text && to_whole_number(text)) return;
  // Digits alone that are too many for a subscript are names, and so are those behind a zero.
  const bool digits = std::all_of(text.begin(), text.end(), is_digit);
  if (digits || to_value(text, value) == ValueStatus::not_a_number) {
    const bool has_signs = !digits && !has_marks && is_signed_number(text);
    if (has_signs && column.marks.text.empty()) column.marks = found();
    column.kind = ColumnKind::text;
    column.has_signs = column.has_signs || has_signs;
    column.has_words = !has_marks && !has_signs;
  } else if (column.kind == ColumnKind::whole) {
    column.kind = ColumnKind::number;
    column.number = found();
  }
}

/// What to say behind the message on an id with decimals, which programs write that know whole
/// numbers without missing ones alone; "" of others.
std::string id_hint(std::string_view column, std::string_view field) {
  const std::size_t point = field.find('.');
  const bool is_whole = point != std::string_view::npos && point + 1 < field.size() &&
                        to_whole_number(field.substr(0, point)) &&
                        field.find_first_not_of('0', point + 1) == std::string_view::npos;
  return is_whole ? " (write ids without decimals, as " + std::string(field.substr(0, point)) +
                        "; in pandas, df[" + in_python(column) +
                        "].astype('Int64') makes them so, beside gaps, too)"
                  : "";
}

/// The same on whole numbers with marks between thousands.
std::string whole_hint(std::string_view field) {
  for (const char mark : {',', '.'}) {
    if (!is_grouped(field, mark)) continue;
    const std::string plain = without_marks(field, mark);
    if (to_whole_number(plain)) return " (write ids without marks, as " + plain + ")";
  }
  return "";
}

/// Throws Error for columns that are no modes.
void require_modes(const std::string& path, const Bytes& text, const TableLayout& layout,
                   const ReadOptions& options, const std::vector<ModeColumn>& columns) {
  const auto fail_at = [&](std::size_t place, const std::string& message) {
    throw Error::in_file(path, line_of(text, place), message);
  };
  // Columns of fractions beside that of the values hold what it holds, or other quantities.
  const auto faults = std::count_if(columns.begin(), columns.end(), [&](const ModeColumn& each) {
    const ColumnFault fault = fault_of(each);
    return fault == ColumnFault::numbers || fault == ColumnFault::marks ||
           fault == ColumnFault::signs;
  });
  const bool several =
      static_cast<std::size_t>(faults) + (layout.has_values ? 1 : 0) >= fewest_of_one_quantity;
  const std::string wide = several ? "; " + melt_hint() : "";
  std::vector<std::string> good, whole;
  for (std::size_t n = 0; n < columns.size(); ++n) {
    if (fault_of(columns[n]) != ColumnFault::none) continue;
    good.push_back(layout.columns[layout.modes[n]]);
    if (columns[n].kind == ColumnKind::whole) whole.push_back(good.back());
  }
  const std::string modes =
      error_text::option("modes", names_in_option(but_quantities(good, whole)));
  // Where another column has the values, this one cannot be named as theirs, too.
  const auto way_out = [&](std::size_t n) {
    const std::string& own = layout.columns[layout.modes[n]];
    if (layout.has_values && good.empty() && layout.columns.size() == columns.size() + 1) {
      return "; the values are in column " + in_quotes(options.values) +
             ", and a table needs a column for each mode beside them" +
             (several ? "" : "; " + melt_hint());
    }
    if (layout.has_values) {
      return "; the values are in column " + in_quotes(options.values) + ": " +
             (good.empty() ? error_text::option("modes") + " that do not name " + in_quotes(own) +
                                 " leave it out"
                           : modes + " leaves it out") +
             (several ? "" : "; " + melt_hint());
    }
    return ". Is it the column of values, as in " + error_text::option("values", own) +
           beside_values(good, whole) + "? Or leave it out of the modes" +
           (good.empty() ? "" : ", as by " + modes);
  };
  if (!layout.has_values && options.modes.empty() && good.size() != columns.size()) {
    std::vector<std::string> numbers, no_modes;
    for (std::size_t n = 0; n < columns.size(); ++n) {
      const std::string& name = layout.columns[layout.modes[n]];
      const bool is_none = fault_of(columns[n]) != ColumnFault::none;
      if (is_none || columns[n].kind == ColumnKind::whole) numbers.push_back(name);
      if (is_none) no_modes.push_back(name);
    }
    const std::string message = wide_table(layout.columns, numbers, no_modes);
    if (!message.empty()) throw Error::in_file(path, 1, message);
  }
  // The first of which one asks whether it has the values is the likeliest by its name.
  std::vector<std::size_t> likeliest(columns.size());
  std::iota(likeliest.begin(), likeliest.end(), std::size_t{0});
  std::stable_sort(likeliest.begin(), likeliest.end(), [&](std::size_t a, std::size_t b) {
    return likeness_to_values(layout.columns[layout.modes[a]]) >
           likeness_to_values(layout.columns[layout.modes[b]]);
  });
  for (const std::size_t n : likeliest) {
    const ModeColumn& column = columns[n];
    const std::string name = column_name(layout, layout.modes[n]);
    const ColumnFault fault = fault_of(column);
    if (fault == ColumnFault::signs && options.modes.empty()) {
      fail_at(column.marks.place,
              name + ": expected whole numbers or texts, got " + in_quotes(column.marks.text) +
                  number_hint(trimmed(column.marks.text), options) + way_out(n) + wide +
                  ". Where such texts are names, " + error_text::option("modes") +
                  " that name the column take them");
    }
    if (fault == ColumnFault::marks) {
      const std::string_view number = trimmed(column.marks.text);
      fail_at(column.marks.place, name + ": expected whole numbers or texts, got " +
                                      in_quotes(column.marks.text) + number_hint(number, options) +
                                      whole_hint(number) + way_out(n) + wide);
    }
    if (fault == ColumnFault::numbers) {
      const std::string ids = id_hint(layout.columns[layout.modes[n]], trimmed(column.number.text));
      // Who names the modes, as a model does, knows that it is one.
      const bool is_mode = !ids.empty() && !options.modes.empty();
      fail_at(column.number.place, name + ": expected whole numbers or texts, got " +
                                       in_quotes(column.number.text) + ids +
                                       (is_mode ? "" : way_out(n) + wide));
    }
    if (fault == ColumnFault::negative) {
      const std::string values =
          options.values.empty()
              ? ". Is it the column of values, as in " +
                    error_text::option("values", layout.columns[layout.modes[n]]) + "? Or leave"
              : ": leave";
      fail_at(column.negative, name + ": expected subscripts, got a negative one" + values +
                                   " its row out, or write a text in its place, which makes names "
                                   "of all");
    }
  }
}

}  // namespace

void ModeColumn::add(const ModeColumn& later) {
  if (negative == Bytes::npos) negative = later.negative;
  if (kind != ColumnKind::number) number = later.number;
  if (marks.text.empty()) marks = later.marks;
  has_words = has_words || later.has_words;
  has_signs = has_signs || later.has_signs;
  kind = std::max(kind, later.kind);
  largest = std::max(largest, later.largest);
  smallest = std::min(smallest, later.smallest);
}

void take_field(ModeColumn& column, std::string_view field, std::size_t place) {
  const auto place_of = [place](std::string_view) { return place; };
  if (!take_whole(column, field, place_of))
    look_closer(column, field, Decimal::automatic, place_of);
}

ColumnFault fault_of(const ModeColumn& column) {
  switch (column.kind) {
    case ColumnKind::text:
      if (column.has_words) return ColumnFault::none;
      return column.has_signs ? ColumnFault::signs : ColumnFault::marks;
    case ColumnKind::number:
      return ColumnFault::numbers;
    case ColumnKind::whole:
      break;
  }
  return column.negative == Bytes::npos ? ColumnFault::none : ColumnFault::negative;
}

std::optional<WholeNumber> to_whole_number(std::string_view field) {
  field = trimmed(field);
  WholeNumber number;
  if (!field.empty() && (field.front() == '-' || field.front() == '+')) {
    number.negative = field.front() == '-';
    field.remove_prefix(1);
  }
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, number.magnitude);
  constexpr std::uint64_t longest = std::numeric_limits<std::int64_t>::max();
  if (error != std::errc() || stop != end || number.magnitude >= longest) return std::nullopt;
  number.negative = number.negative && number.magnitude != 0;
  return number;
}

bool is_missing(const TableLayout& layout, std::size_t column, const TableField& field) {
  const bool in_mode = static_cast<std::size_t>(layout.roles[column]) < layout.modes.size();
  const bool is_name = in_mode && field.quoted && !field.text.empty();
  return !is_name && is_missing_value(field.text);
}

std::string column_name(const TableLayout& layout, std::size_t column) {
  return "column " + in_quotes(layout.columns[column]);
}

std::string missing_value(const TableLayout& layout, std::size_t column, std::string_view field) {
  const bool in_mode = static_cast<std::size_t>(layout.roles[column]) < layout.modes.size();
  const std::string text(field);
  return column_name(layout, column) + ": a value is missing" +
         (field.empty() ? "" : " (" + in_quotes(field) + ")") +
         ": leave out the row (in pandas, df.dropna(subset=[" + in_python(layout.columns[column]) +
         "]) leaves out all such rows), or write what it is to count as" +
         (field.empty() || !in_mode
              ? ""
              : "; a row that is called " + text + " has quotes in the table, \"" + text + "\"");
}

namespace {

/// The values of a column that are no numbers, as "Refused" among those of a survey.
struct WordsAmongValues {
  std::size_t fields = 0;
  std::size_t count = 0;
  std::vector<std::string> named = {};  ///< the first different ones
};

WordsAmongValues words_among(const Bytes& text, const TableLayout& layout,
                             const std::vector<TableBlock>& blocks, std::size_t column) {
  constexpr std::size_t most_named = 3;
  WordsAmongValues found;
  for (const TableBlock& block : blocks) {
    std::vector<char> buffer;
    const TableRecords records(text, block, buffer);
    const auto take = [&](std::size_t at, const TableField& field) -> std::optional<TableError> {
      double value = 0.0;
      const std::string word(trimmed(field.text));
      if (at != column || is_missing(layout, column, field)) return std::nullopt;
      ++found.fields;
      if (to_value(word, value) != ValueStatus::not_a_number) return std::nullopt;
      ++found.count;
      const bool is_new =
          std::find(found.named.begin(), found.named.end(), word) == found.named.end();
      if (is_new && found.named.size() < most_named) found.named.push_back(word);
      return std::nullopt;
    };
    static_cast<void>(for_each_record(records, layout, take,
                                      []() -> std::optional<TableError> { return std::nullopt; }));
  }
  return found;
}

}  // namespace

std::string mark_hint(const Bytes& text, const TableLayout& layout,
                      const std::vector<TableBlock>& blocks, std::size_t column,
                      std::string_view field) {
  // Signs alone, which may be names of rows, are no value, whatever they are.
  constexpr std::size_t longest = 6;  // two signs beyond ASCII
  const bool is_mark =
      field.size() <= longest && std::none_of(field.begin(), field.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0;
      });
  const WordsAmongValues words = words_among(text, layout, blocks, column);
  const bool has_digits = std::any_of(field.begin(), field.end(), is_digit);
  const bool are_few =
      !has_digits && 2 * words.count <= words.fields;  // of names nearly all are words
  const std::string& name = layout.columns[column];
  if (are_few && words.named.size() > 1) {
    std::string named;
    for (const std::string& word : words.named)
      named += (named.empty() ? "" : ", ") + in_quotes(word);
    return ": of " + std::to_string(words.fields) + " values " + std::to_string(words.count) +
           " are no numbers, as " + named +
           ": where they mark missing values, leave out their rows (in pandas, "
           "df[pandas.to_numeric(df[" +
           in_python(name) +
           "], errors='coerce').notna()] leaves out all such rows), or write what they are to "
           "count as";
  }
  if (!(is_mark || are_few || may_be_missing(field))) return "";
  return ": where it marks a missing value, leave out the row (in pandas, read_csv(..., "
         "na_values=[" +
         in_python(field) + "]).dropna(subset=[" + in_python(name) +
         "]) leaves out all such rows), or write what it is to count as";
}

RefusedNumbers refused_numbers(const Bytes& text, const TableLayout& layout,
                               const std::vector<TableBlock>& blocks, std::size_t column) {
  RefusedNumbers found;
  for (const TableBlock& block : blocks) {
    std::vector<char> buffer;
    const TableRecords records(text, block, buffer);
    const auto take = [&](std::size_t at, const TableField& field) -> std::optional<TableError> {
      if (at != column) return std::nullopt;
      const std::string_view number = trimmed(field.text);
      for (const auto& [sign, first] : {std::pair(Decimal::comma, &found.by_comma),
                                        std::pair(Decimal::point, &found.by_point)}) {
        if (!first->empty() || !is_refused_by(sign, number)) continue;
        const std::size_t line = line_of(text, records.place(field.text.data()));
        *first = std::string(number) + " in line " + std::to_string(line);
      }
      return std::nullopt;
    };
    static_cast<void>(for_each_record(records, layout, take,
                                      []() -> std::optional<TableError> { return std::nullopt; }));
  }
  return found;
}

std::string missing_in_all(const Bytes& text, const TableLayout& layout,
                           const std::vector<TableBlock>& blocks) {
  constexpr std::size_t most_named = 3;
  constexpr std::ptrdiff_t several = 3;
  std::size_t count = 0;
  std::string named;
  // Of a wide table the other cells are numbers, which begin with a digit behind a sign at most.
  std::vector<bool> has_gaps(layout.columns.size()), has_names(layout.columns.size()),
      has_fractions(layout.columns.size());
  for (const TableBlock& block : blocks) {
    std::vector<char> buffer;
    const TableRecords records(text, block, buffer);
    // The message on a record that is no good comes once none is missing.
    static_cast<void>(for_each_record(
        records, layout,
        [&](std::size_t column, const TableField& field) -> std::optional<TableError> {
          const bool is_used = layout.roles[column] != TableLayout::unused;
          if (!is_used) return std::nullopt;
          if (!is_missing(layout, column, field)) {
            const std::string_view known = trimmed(field.text);
            has_names[column] = has_names[column] || known.find_first_of("0123456789") > 1 ||
                                std::isalpha(static_cast<unsigned char>(known.front())) != 0;
            has_fractions[column] = has_fractions[column] || !to_whole_number(known);
            return std::nullopt;
          }
          has_gaps[column] = true;
          if (++count > most_named) return std::nullopt;
          named += (named.empty() ? "" : ", ") +
                   ("line " + std::to_string(line_of(text, records.place(field.text.data())))) +
                   " " + column_name(layout, column);
          return std::nullopt;
        },
        []() -> std::optional<TableError> { return std::nullopt; }));
  }
  std::ptrdiff_t columns = 0;
  std::vector<std::string> numbers, no_modes;
  for (std::size_t i = 0; i < has_gaps.size(); ++i) {
    if (layout.roles[i] == TableLayout::unused || has_names[i]) continue;
    columns += has_gaps[i] ? 1 : 0;
    numbers.push_back(layout.columns[i]);
    if (has_fractions[i]) no_modes.push_back(layout.columns[i]);
  }
  std::string all;
  if (count > 1) {
    all = "; in all, " + std::to_string(count) + " values are missing: " + named +
          (count > most_named ? " and " + std::to_string(count - most_named) + " more" : "");
  }
  if (const auto made = long_table_of_times(layout.columns, numbers, no_modes)) {
    return all + ". The table is wide: " + made->cells_hold() +
           " one quantity at several times, by their names: in pandas, " + made->call() +
           ".dropna() makes a long one, to read by " + error_text::option("values", made->values) +
           about_empty_cells;
  }
  if (columns < several) return all;
  return all +
         ". If such columns hold one quantity, as those of days, make one column of them, and "
         "leave out the gaps there: in pandas, df.melt(id_vars=[...]).dropna()" +
         about_empty_cells;
}

namespace {

/// What to do about a column that was taken for a mode because nobody has named the modes.
std::string no_mode() {
  return ". Is the column no mode? " + error_text::option("modes") + " names those that are, and " +
         error_text::option("values") + " that of the values";
}

}  // namespace

std::vector<ModeColumn> look_at_columns(const HostExec& host, const std::string& path,
                                        const Bytes& text, const TableLayout& layout,
                                        const ReadOptions& options,
                                        std::vector<TableBlock>& blocks) {
  const BlockWork work{options.threads, options.meter};
  const std::size_t order = layout.modes.size();
  std::vector<std::vector<ModeColumn>> found(blocks.size(), std::vector<ModeColumn>(order));
  const auto of_title = [&] {
    constexpr std::size_t enough = std::size_t{1} << 16;
    std::vector<char> buffer;
    const std::string_view head = text.load(0, std::min(text.size(), enough), buffer);
    const std::string hint = export_hint(head);
    return hint.empty() ? title_hint(head, layout.columns.size()) : hint;
  };
  work.begin("looking at columns", blocks.size());
  for_each_table_block(
      "genten::look_at_columns", host, path, text, blocks, work,
      [&](std::size_t i, const TableRecords& records, std::size_t) {
        auto wrong = for_each_record(
            records, layout,
            [&](std::size_t column, const TableField& field) -> std::optional<TableError> {
              const auto mode = static_cast<std::size_t>(layout.roles[column]);
              const auto place_of = [&](std::string_view of) { return records.place(of.data()); };
              if (mode >= order || take_whole(found[i][mode], field.text, place_of))
                return std::nullopt;
              if (is_missing(layout, column, field)) {
                return TableError{field.text.data(),
                                  missing_value(layout, column, field.text) +
                                      (options.modes.empty() ? no_mode() : ""),
                                  [&] { return missing_in_all(text, layout, blocks); }};
              }
              look_closer(found[i][mode], field.text, options.decimal, place_of);
              return std::nullopt;
            },
            [&]() -> std::optional<TableError> {
              ++blocks[i].rows;
              return std::nullopt;
            });
        if (wrong && !wrong->more) wrong->more = of_title;
        return wrong;
      });
  std::vector<ModeColumn> columns(order);
  std::size_t row = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].row = row;
    row += blocks[i].rows;
    for (std::size_t n = 0; n < order && blocks[i].rows != 0; ++n) columns[n].add(found[i][n]);
  }
  if (row == 0) {
    throw Error::in_file(path, 0, "the table has no rows behind its header");
  }
  require_modes(path, text, layout, options, columns);
  return columns;
}

}  // namespace genten::detail
